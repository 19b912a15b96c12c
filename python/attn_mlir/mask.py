"""Mask functions: Python on traced indices, made into a mask region.

A mask function takes (b, h, q, kv) and returns whether the pair of a query row and a
key counts, as FlexAttention's `mask_mod` does:

    def document(b, h, q, kv):
        return (ids[b, q] == ids[b, kv]) & (kv <= q)

    o = attn_mlir.attention(q, k, v, mask_mod=document)

Tensors and arrays that it captures are arguments of the compiled kernel: others of the
same dtype and rank need no new one. An index out of bounds is that of the nearest
element; negative ones are 0, where torch would count from the end. Numbers that it
captures are constants of the kernel. Arithmetic is that of attn_mlir.score, in integers
of 64 bits.

Blocks of pairs that a mask empties are skipped, and those that it fills are not masked,
where that can be derived: where it compares sums of q, kv, their quotients by constants,
numbers, and elements of arrays that depend on neither. Elements that depend on both q
and kv are loaded for each pair.
"""

from typing import Any, Callable, Union

from ._arrays import expected
from ._region import Number, Region, number_of
from ._traced import Traced, trace_region

__all__ = ["Mask", "MaskMod", "and_masks", "not_mask", "or_masks", "trace"]


class Mask(Traced):
    """A traced mask function: the text of its mask region."""


MaskMod = Union[Mask, Callable[..., Any], None]


def record(region: Region, mask_mod: Callable[..., Any]) -> Number:
    """Records a mask function in a mask region. Returns the condition that it yields."""
    indices = [Number(region, name, "index", True) for name in ("%b", "%h", "%i", "%j")]
    result = number_of(region, mask_mod(*indices))
    if result._type != "i1":
        raise region.error("expected a condition, found "
                           f"{'a float' if result._type == 'f32' else 'an integer'}; "
                           "a comparison makes a condition of one, and score_mod "
                           "takes scores")
    return result


def trace(mask_mod: Callable[..., Any]) -> Mask:
    """The mask region of a Python function of (b, h, q, kv), with the arrays that it
    captures.

    Raises attn_mlir.Error where the function does what cannot be recorded.
    Source: the `mask_mod` of PyTorch's FlexAttention.
    """
    return trace_region(Mask, mask_mod, "mask_mod", "index", record)


def _check(name: str, masks: Any) -> None:
    for mask in masks:
        if not callable(mask):
            raise expected(name, "functions of (b, h, q, kv)", type(mask).__qualname__)


def and_masks(*mask_mods: Callable[..., Any]) -> Callable[..., Any]:
    """The mask function of pairs that all of these keep."""
    _check("and_masks", mask_mods)

    def and_mask(b: Any, h: Any, q: Any, kv: Any) -> Any:
        kept: Any = True
        for mask in mask_mods:
            its = mask(b, h, q, kv)
            kept = its if kept is True else kept & its
        return kept

    return and_mask


def or_masks(*mask_mods: Callable[..., Any]) -> Callable[..., Any]:
    """The mask function of pairs that one of these keeps."""
    _check("or_masks", mask_mods)

    def or_mask(b: Any, h: Any, q: Any, kv: Any) -> Any:
        kept: Any = False
        for mask in mask_mods:
            its = mask(b, h, q, kv)
            kept = its if kept is False else kept | its
        return kept

    return or_mask


def not_mask(mask_mod: Callable[..., Any]) -> Callable[..., Any]:
    """The mask function of pairs that `mask_mod` does not keep."""
    _check("not_mask", [mask_mod])

    def mask(b: Any, h: Any, q: Any, kv: Any) -> Any:
        # Uses ^ instead of ~, which torch.compile does not trace.
        return mask_mod(b, h, q, kv) ^ True

    return mask
