"""FlexAttention of nested tensors of layout torch.jagged, whose sequences follow each other in one
tensor."""

from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple

import torch

from .. import torch as attention
from .._errors import ArgumentError
from .._torch_regions import find_regions
from .._tracing import as_score

if TYPE_CHECKING:
    from ._block_mask import Nested
    from ._lists import MaskMod, Sizes


def check_nested(tensors: Dict[str, torch.Tensor]) -> None:
    for name, tensor in tensors.items():
        if not (tensor.is_nested and tensor.layout == torch.jagged):
            raise ArgumentError(f"{name}: expected a nested tensor of layout torch.jagged, "
                                f"found one of {tensor.layout}")
        if tensor.dim() != 4 or tensor._ragged_idx != 2:  # type: ignore[attr-defined]
            raise ArgumentError(f"{name}: expected sizes (B, H, jagged, D) (transpose(1, 2) "
                                "makes them of tensors that list rows of heads), found "
                                f"{tuple(tensor.shape)}")
        if tensor.lengths() is not None:
            raise ArgumentError(f"{name}: expected a nested tensor without holes between "
                                "sequences (.contiguous() makes one), found lengths")


def ragged_length(tensor: torch.Tensor) -> int:
    """Returns the number of rows of all sequences together."""
    return tensor.values().shape[tensor._ragged_idx - 1]  # type: ignore[attr-defined]


def _sequences(offsets: torch.Tensor, length: int) -> torch.Tensor:
    """Returns, for each row of the packed tensor, the number of the sequence that it is in."""
    rows = torch.arange(length, device=offsets.device, dtype=offsets.dtype)
    return (torch.searchsorted(offsets, rows, right=True) - 1).to(torch.int32)


def stacked_function(nested: "Nested", sizes: "Sizes") -> "MaskMod":
    """Returns the mask function that takes positions in the packed tensor of all sequences. It
    keeps a pair if row and key are in the same sequence, and the function of `nested`, which takes
    positions within the sequence, keeps the pair."""
    mask_mod, q_offsets, kv_offsets = nested
    q_begins, kv_begins = q_offsets.to(torch.int32), kv_offsets.to(torch.int32)
    q_sequence = _sequences(q_offsets, sizes.rows)
    kv_sequence = (q_sequence if kv_offsets is q_offsets
                   else _sequences(kv_offsets, sizes.keys))

    def stacked(b: Any, h: Any, q: Any, kv: Any) -> Any:
        sequence = q_sequence[q]
        kept = mask_mod(sequence, h, q - q_begins[sequence], kv - kv_begins[sequence])
        return (sequence == kv_sequence[kv]) & kept

    return stacked


def _stacked_score(score_mod: Any, query: torch.Tensor, key: torch.Tensor) -> Any:
    q_begins, kv_begins = query.offsets().to(torch.int32), key.offsets().to(torch.int32)
    q_sequence = _sequences(query.offsets(), ragged_length(query))

    def stacked(score: Any, b: Any, h: Any, q: Any, kv: Any) -> Any:
        sequence = q_sequence[q]
        return score_mod(score, sequence, h, q - q_begins[sequence],
                         kv - kv_begins[sequence])

    return stacked


def _needs_captures(score_mod: Any, query: torch.Tensor) -> bool:
    """Whether a tensor that a score function captures needs a gradient. Attention over packed
    sequences computes none of these."""
    if score_mod is None or not torch.is_grad_enabled():
        return False
    if torch.compiler.is_compiling():
        _, _, captures, _ = find_regions(score_mod, None, query)
        return any([its.requires_grad for its in captures])
    traced = as_score(score_mod)
    return traced is not None and any([getattr(its, "requires_grad", False)
                                       for its in traced.arrays])


def _values(tensor: torch.Tensor) -> torch.Tensor:
    """Returns the packed tensor of all sequences, (heads, rows of all sequences, D)."""
    return tensor.values()


def attend(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, score_mod: Any,
           block_mask: Any, mask_mod: Any, scale: Optional[float],
           return_lse: bool) -> Tuple[torch.Tensor, Optional[torch.Tensor]]:
    """Computes the output, (B, Hq, jagged, Dv), and the lse, (B, Hq, jagged), as nested tensors.
    `mask_mod` is the mask function of `block_mask`, which takes positions in the packed tensor of
    all sequences, or None without a mask."""
    from ._block_mask import Nested
    from ._lists import Sizes

    offsets, kv_offsets = query.offsets(), key.offsets()
    nested = getattr(block_mask, "nested", None)
    is_same = nested is not None and (nested.q_offsets is offsets
                                      and nested.kv_offsets is kv_offsets)
    q, k, v = map(_values, (query, key, value))
    if (block_mask is None or is_same) and not _needs_captures(score_mod, q):
        found = attention.varlen(
            *[its.transpose(0, 1) for its in (q, k, v)], offsets.to(torch.int32),
            None if kv_offsets is offsets else kv_offsets.to(torch.int32), scale=scale,
            score_mod=score_mod, mask_mod=nested and nested.mask_mod, return_lse=return_lse)
        o, lse = found if return_lse else (found, None)
        o = o.transpose(0, 1)
    else:
        if block_mask is None:
            sizes = Sizes(1, 1, ragged_length(query), ragged_length(key))
            mask_mod = stacked_function(
                Nested(lambda b, h, q, kv: q == q, offsets, kv_offsets), sizes)
        if score_mod is not None:
            score_mod = _stacked_score(score_mod, query, key)
        found = attention.attention(q[None], k[None], v[None], scale=scale,
                                    score_mod=score_mod, mask_mod=mask_mod,
                                    return_lse=return_lse)
        o, lse = (its[0] for its in found) if return_lse else (found[0], None)

    def as_nested(values: torch.Tensor) -> torch.Tensor:
        return torch.nested.nested_tensor_from_jagged(values, offsets, jagged_dim=2)

    return as_nested(o), None if lse is None else as_nested(lse)
