"""Captured tensors of torch's, read at traced indices."""

from typing import Any, Optional, Tuple

import torch
from torch.overrides import TorchFunctionMode

from ._region import element, find_number
from ._values import as_tuple


class TensorReads(TorchFunctionMode):
    """Tensors have no way to see what an index of theirs is; modes do."""

    def __torch_function__(self, function: Any, types: Any, args: Tuple = (),
                           kwargs: Optional[dict] = None) -> Any:
        if function is torch.Tensor.__getitem__:
            number = find_number(args[1])
            if number is not None:
                return element(number._region, args[0], as_tuple(args[1]))
        return function(*args, **(kwargs or {}))
