"""Evaluates the ops of a region by torch's operators, which have derivatives of any order."""

from typing import Any

import torch

from ._region_values import Evaluator


# The dtype of torch for each MLIR type. Integers of 32 bits wrap around as in kernels; all other
# integers, also those of type index, have 64 bits.
_DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16,
           "i32": torch.int32, "true": torch.bool, "false": torch.bool}


def _constant(value: Any, type_: str, like: torch.Tensor) -> torch.Tensor:
    return torch.tensor(value, dtype=_DTYPES.get(type_, torch.int64), device=like.device)


def _convert(value: torch.Tensor, type_: str) -> torch.Tensor:
    return value.to(_DTYPES.get(type_, torch.int64))


evaluate = Evaluator(torch, {
    "math.erf": torch.erf, "math.erfc": torch.erfc,
    "math.cbrt": lambda x: torch.copysign(x.abs() ** (1 / 3), x)}, torch.eq, _constant,
                     _convert).evaluate
