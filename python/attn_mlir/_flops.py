"""Floating-point operations of operators, as torch's FlopCounterMode counts them: without
what masks leave out."""

from typing import Any

import torch
from torch.utils.flop_counter import register_flop_formula

from . import _operators  # noqa: F401; which registers them
from ._scales import width_of


def _count(q: Any, k: Any, v: Any) -> int:
    batch, heads, rows, width = q.shape
    return 2 * batch * heads * rows * k.shape[2] * (width + width_of(v))


@register_flop_formula([torch.ops.attn_mlir.attention, torch.ops.attn_mlir.attention_lse],
                       get_raw=True)
def _(q: Any, k: Any, v: Any, *_: Any, **__: Any) -> int:
    return _count(q, k, v)


@register_flop_formula(torch.ops.attn_mlir.attention_backward, get_raw=True)
def _(q: Any, k: Any, v: Any, *_: Any, **__: Any) -> int:
    # The backward pass computes the scores again (one product), and two products for each of the
    # two products of the forward pass.
    return 2 * _count(q, k, v) + 2 * q.numel() * k.shape[2]
