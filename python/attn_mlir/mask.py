"""Mask functions: Python on traced indices, made into a mask region.

A mask function takes (b, h, q, kv) and returns whether the pair of a query row and a
key counts, as FlexAttention's `mask_mod` does:

    def document(b, h, q, kv):
        return (ids[b, q] == ids[b, kv]) & (kv <= q)

    o = attn_mlir.attention(q, k, v, mask_mod=document)

Tensors and arrays that the function captures are arguments of the compiled kernel: a call
with other arrays of the same dtype and rank needs no new kernel. An index out of bounds
reads the nearest element, so a negative index reads element 0, while torch counts it from
the end. Numbers that the function captures are constants of the kernel. Arithmetic is that
of attn_mlir.score, in integers of 64 bits.

A kernel skips blocks in which the mask keeps no pair, and does not mask blocks in which it
keeps all pairs, if the compiler can derive these blocks from the function. It can from
comparisons of sums of q, kv, their quotients by constants, numbers, and elements of arrays
that are read at neither q nor kv. From comparisons of elements that are read at q or kv, a
small kernel computes lists of blocks before each call; for an array of booleans or integers
that is read at q and kv themselves, it uses the array's minimum and maximum in each block.
Other elements whose index depends on both q and kv are loaded for each pair, and decide no
block.
"""

from typing import Any, Callable, Union

from ._arrays import expected
from ._region import Number, Region, number_of
from ._traced import Traced, trace_region

__all__ = ["Mask", "MaskMod", "and_masks", "not_mask", "or_masks", "trace"]


class Mask(Traced):
    """A traced mask function: the text of its mask region, with the arrays that the region
    captures."""


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
    """Returns the mask region of a Python function of (b, h, q, kv), with the arrays that it
    captures.

    Raises attn_mlir.Error where the function does what cannot be recorded.
    Source: the `mask_mod` of PyTorch's FlexAttention.
    """
    return trace_region(Mask, mask_mod, "mask_mod", "index", record)


def _check(name: str, masks: Any) -> None:
    for mask in masks:
        if not callable(mask):
            raise expected(name, "functions of (b, h, q, kv)", type(mask).__qualname__)


def _combine(name: str, masks: Any, none: bool, op: Callable[[Any, Any], Any]) -> Any:
    _check(name, masks)

    def combined(b: Any, h: Any, q: Any, kv: Any) -> Any:
        kept: Any = none
        for mask in masks:
            its = mask(b, h, q, kv)
            kept = its if kept is none else op(kept, its)
        # torch's vmap, which makes lists of blocks, takes tensors alone.
        return kept if masks or isinstance(b, Number) else (b == b) == none

    return combined


def and_masks(*mask_mods: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the mask function that keeps the pairs that all of these mask functions keep."""
    return _combine("and_masks", mask_mods, True, lambda x, y: x & y)


def or_masks(*mask_mods: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the mask function that keeps the pairs that at least one of these mask functions
    keeps."""
    return _combine("or_masks", mask_mods, False, lambda x, y: x | y)


def not_mask(mask_mod: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the mask function that keeps the pairs that `mask_mod` does not keep."""
    _check("not_mask", [mask_mod])

    def mask(b: Any, h: Any, q: Any, kv: Any) -> Any:
        # Negates the condition by `^ True` instead of `~`, which torch.compile does not trace.
        return mask_mod(b, h, q, kv) ^ True

    return mask
