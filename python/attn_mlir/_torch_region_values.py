"""Evaluates a region by torch's operators, which have derivatives of any order."""

from typing import Any

import torch

from ._region_values import Evaluator


def _constant(value: Any, like: torch.Tensor) -> torch.Tensor:
    dtype = torch.float32 if isinstance(value, float) else None
    return torch.tensor(value, dtype=dtype, device=like.device)


def _convert(value: torch.Tensor, is_float: bool) -> torch.Tensor:
    return value.to(torch.float32 if is_float else torch.int64)


evaluate = Evaluator(torch, torch.erf, torch.eq, _constant, _convert).evaluate
