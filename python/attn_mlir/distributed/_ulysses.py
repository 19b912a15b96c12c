"""All-to-alls, in which ranks exchange slices of the sequence with all heads for the whole sequence
with some of the heads.

Source: "DeepSpeed Ulysses: System Optimizations for Enabling Training of Extreme Long Sequence
Transformer Models" (arXiv 2309.14509).
"""

from typing import Any, Tuple

import torch
import torch.distributed as dist

from .._arrays import expected
from ._faults import named_failures
from ._layout import join, take


def _to_heads(own: torch.Tensor, group: Any, layout: str) -> torch.Tensor:
    """Exchanges each rank's slice of the sequence with all heads, (B, H, S / n, D), for the whole
    sequence with some of the heads, (B, H / n, S, D)."""
    ranks = dist.get_world_size(group)
    batch, heads, rows, width = own.shape
    sent = own.reshape(batch, ranks, heads // ranks, rows, width).transpose(0, 1).contiguous()
    received = torch.empty_like(sent)
    with named_failures(group):
        dist.all_to_all_single(received, sent, group=group)
    return join(list(received), 2, layout)


def _to_rows(own: torch.Tensor, group: Any, layout: str) -> torch.Tensor:
    """Exchanges the whole sequence with some of the heads, (B, H / n, S, D), for each rank's slice
    of the sequence with all heads, (B, H, S / n, D)."""
    ranks = dist.get_world_size(group)
    sent = torch.stack([take(own, 2, rank, ranks, layout) for rank in range(ranks)])
    received = torch.empty_like(sent)
    with named_failures(group):
        dist.all_to_all_single(received, sent, group=group)
    # `received` is (n, B, H / n, S / n, D); its first dimension is the rank that has sent these
    # heads.
    return received.transpose(0, 1).flatten(1, 2)


class _ToHeads(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, own: torch.Tensor, group: Any, layout: str) -> torch.Tensor:
        ctx.rest = group, layout
        return _to_heads(own, group, layout)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Tuple:
        return _ToRows.apply(gradient, *ctx.rest), None, None


class _ToRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, own: torch.Tensor, group: Any, layout: str) -> torch.Tensor:
        ctx.rest = group, layout
        return _to_rows(own, group, layout)

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> Tuple:
        return _ToHeads.apply(gradient, *ctx.rest), None, None


def check_heads(heads: int, kv_heads: int, ranks: int) -> None:
    if heads % ranks:
        raise expected("q", f"a number of heads that the group's {ranks} ranks divide, with "
                       "method='all_to_all'", heads)
    if kv_heads % ranks and ranks % kv_heads:
        raise expected("k", f"a number of heads that the group's {ranks} ranks divide, or "
                       "that divides them, with method='all_to_all'", kv_heads)


def to_heads(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, group: Any,
             layout: str) -> Tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Returns q, k and v with all rows of the heads that this rank computes. If there are fewer key
    heads than ranks, the key heads are repeated before the exchange."""
    ranks = dist.get_world_size(group)
    if k.shape[1] < ranks:
        k, v = (its.repeat_interleave(ranks // k.shape[1], 1) for its in (k, v))
    return tuple([_ToHeads.apply(its, group, layout)  # type: ignore[return-value]
                  for its in (q, k, v)])


def to_rows(own: torch.Tensor, group: Any, layout: str) -> torch.Tensor:
    """Exchanges an output, or an lse, of all rows with this rank's heads for that of this rank's
    rows with all heads."""
    if own.dim() == 3:
        return _ToRows.apply(own[..., None], group, layout)[..., 0]
    return _ToRows.apply(own, group, layout)
