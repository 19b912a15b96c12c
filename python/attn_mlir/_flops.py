"""Floating-point operations of operators, as torch's FlopCounterMode counts them: without
what masks leave out."""

from typing import Any, Sequence

import torch
from torch.utils.flop_counter import register_flop_formula

from . import _operators  # noqa: F401; which registers them


def _count(q: Sequence[int], k: Sequence[int], v: Sequence[int]) -> int:
    batch, heads, rows, width = q
    return 2 * batch * heads * rows * k[2] * (width + v[3])


@register_flop_formula([torch.ops.attn_mlir.attention, torch.ops.attn_mlir.attention_lse])
def _(q: Sequence[int], k: Sequence[int], v: Sequence[int], *_: Any, **__: Any) -> int:
    return _count(q, k, v)


@register_flop_formula(torch.ops.attn_mlir.attention_backward)
def _(q: Sequence[int], k: Sequence[int], v: Sequence[int], *_: Any, **__: Any) -> int:
    # The backward pass computes the scores again (one product), and two products for each of the
    # two products of the forward pass.
    return 2 * _count(q, k, v) + 2 * q[0] * q[1] * q[2] * k[2] * q[3]
