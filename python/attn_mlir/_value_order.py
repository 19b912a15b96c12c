"""Describes arrays of values with stride 1 along keys instead of along columns. Separate kernels
are compiled for such arrays, which are not copied."""

from typing import Optional

from ._adapter import Described
from ._library import DTYPE_NAMES


def lies_along_keys(value: Described) -> bool:
    """Whether a kernel reads an array of values, (B, Hkv, S, Dv), as one with stride 1 along keys.
    This is never so for values of 4 bits, whose bytes have two columns each."""
    _, sizes, strides, dtype, *_ = value
    return (len(sizes) == 4 and sizes[3] > 1 and strides[3] != 1 and 0 not in sizes
            and (strides[2] == 1 or sizes[2] == 1) and DTYPE_NAMES[dtype] != "i4")


def value_type(dtype: str, head_dim: int, along_keys: bool, page: Optional[int] = None) -> str:
    """Returns the memref type of values with `head_dim` columns and stride 1 along columns or, with
    `along_keys`, along keys. Other strides and sizes are dynamic, but pages have `page` keys."""
    strides = "?, ?, 1, ?" if along_keys else "?, ?, ?, 1"
    keys = "?" if page is None else page
    return f"memref<?x?x{keys}x{head_dim}x{dtype}, strided<[{strides}]>>"
