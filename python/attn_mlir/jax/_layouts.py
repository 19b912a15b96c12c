"""The order of the dimensions of arrays of a call: (B, S, H, D), as those of jax.nn, or
(B, H, S, D), as those of kernels."""

from typing import Any, Tuple

from .._arrays import expected
from ._target import Array

BSHD, BHSD = "BSHD", "BHSD"


def as_layout(layout: Any) -> str:
    """Returns the argument `layout`, after a check of it."""
    if not isinstance(layout, str) or layout not in (BSHD, BHSD):
        raise expected("layout", f"{BSHD!r} or {BHSD!r}", repr(layout))
    return layout


def ordered(layout: str, batch: Any, rows: Any, heads: Any, columns: Any) -> Tuple[Any, ...]:
    """Returns what belongs to the dimensions (B, S, H, D) in the order that arrays of the layout
    have. The inverse of this function is the function itself: it returns sizes (B, S, H, D) for
    those of an array."""
    return (batch, rows, heads, columns) if layout == BSHD else (batch, heads, rows, columns)


def order_of(layout: str) -> Tuple[int, ...]:
    """Returns the permutation from the dimensions of arrays to those of kernels."""
    return (0, 2, 1, 3) if layout == BSHD else (0, 1, 2, 3)


def argument(layout: str, number: int, rank: int) -> Array:
    """Returns the kernel's argument for an operand or a result of a launch. Those of rank 4 have
    the layout; the dimensions of others are those of the kernel's argument."""
    return Array(number, order_of(layout) if rank == 4 else tuple(range(rank)))


def swapped(layout: str, array: Any) -> Any:
    """Returns an array of the layout as (B, S, H, D), or an array (B, S, H, D) in the layout."""
    return array if layout == BSHD else array.swapaxes(1, 2)
