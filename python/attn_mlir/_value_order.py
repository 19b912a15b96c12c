"""Values whose stride is 1 along keys, and not along their columns: kernels of their own read them
as they are."""

from typing import Optional

from ._adapter import Described
from ._library import DTYPE_NAMES


def lies_along_keys(value: Described) -> bool:
    """Whether kernels read a value, (B, Hkv, S, Dv), by a stride of 1 along keys. One of 4 bits,
    whose bytes have two columns, they do not."""
    _, sizes, strides, dtype, *_ = value
    return (len(sizes) == 4 and sizes[3] > 1 and strides[3] != 1 and 0 not in sizes
            and (strides[2] == 1 or sizes[2] == 1) and DTYPE_NAMES[dtype] != "i4")


def value_type(dtype: str, head_dim: int, along_keys: bool, page: Optional[int] = None) -> str:
    """The memref type of values of any sizes, or of pages of `page` keys, and other strides."""
    strides = "?, ?, 1, ?" if along_keys else "?, ?, ?, 1"
    keys = "?" if page is None else page
    return f"memref<?x?x{keys}x{head_dim}x{dtype}, strided<[{strides}]>>"
