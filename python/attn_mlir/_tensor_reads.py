"""Records reads of captured tensors of torch at traced indices."""

import operator
from typing import Any, Optional, Tuple

import torch
from torch.overrides import TorchFunctionMode

from . import _host_reads
from ._region import element, find_number
from ._values import as_tuple


class TensorReads(TorchFunctionMode):
    """A mode of torch that records reads of tensors at traced indices, and choices by traced
    conditions between a tensor and another value. It is a mode, since a tensor's own class cannot
    intercept its indexing."""

    def __torch_function__(self, function: Any, types: Any, args: Tuple = (),
                           kwargs: Optional[dict] = None) -> Any:
        # While torch.export traces with strict=True, an index is a call of the operator module.
        if function is torch.Tensor.__getitem__ or function is operator.getitem:
            number = find_number(args[1])
            if number is not None:
                return element(number._region, args[0], as_tuple(args[1]))
        # The method's first argument is the second one of the function of the same name.
        if function is torch.Tensor.where:
            return torch.where(**dict(zip(("input", "condition", "other"), args)),
                               **(kwargs or {}))
        return function(*args, **(kwargs or {}))


# The functions of tensors that the recording itself calls, so that they do not count as reads on
# the host.
_SIZES = frozenset((torch.Tensor.dim, torch.Tensor.numel, torch.Tensor.stride,
                    torch.Tensor.shape.__get__, torch.Tensor.dtype.__get__,
                    torch.Tensor.layout.__get__, torch.Tensor.is_nested.__get__))


class WatchedTensorReads(TensorReads):
    """A mode of torch that records reads of tensors at traced indices, as TensorReads does, and
    also counts all other uses of tensors as reads on the host. Under torch.compile, guards detect
    such uses, so that TensorReads suffices."""

    def __torch_function__(self, function: Any, types: Any, args: Tuple = (),
                           kwargs: Optional[dict] = None) -> Any:
        if function not in _SIZES and find_number(args) is None:
            _host_reads.note()
        return super().__torch_function__(function, types, args, kwargs)
