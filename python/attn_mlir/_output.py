"""Chooses the dtype of attention's output: the query's dtype, another one, or one of 8 bits with a
scale."""

from typing import Any, Optional, Tuple

from ._adapter import DTYPE_TITLES, find_dtype_name
from ._arrays import adapter_of, expected
from ._constants import refuse_tensors
from ._module import DTYPES, NARROW_QUERIES

# The dtype of the output beside a query of 8 bits, if the caller asks for none.
_WIDE = "bf16"


def as_out_dtype(dtype: Any) -> Optional[str]:
    """Returns the name that kernels use for the dtype that the caller asks for: a dtype of torch or
    NumPy, or a dtype's name. Returns None for None."""
    if dtype is None:
        return None
    found = find_dtype_name(dtype)
    if found not in (*DTYPES, *NARROW_QUERIES):
        refuse_tensors({"out_dtype": dtype})
        raise expected("out_dtype", "None, float16, bfloat16, float32, float8_e4m3fn or "
                       "float8_e5m2", repr(dtype))
    return found


# If states have one of these dtypes, the output of `merge` may have any dtype that needs no scale.
# The output of attention may have any such dtype only beside a query of NARROW_QUERIES.
MERGED = (*NARROW_QUERIES, "f32")


def wide_dtypes(query: str, free: Tuple[str, ...] = NARROW_QUERIES) -> Tuple[str, ...]:
    """Returns the dtypes that an output may have without a scale, beside a query of dtype `query`:
    f16, bf16 and f32 if `query` is one of `free`, else the query's dtype and f32."""
    return tuple(DTYPES) if query in free else (query, "f32")


def check_scale(name: str, dtype: str, scale: Any) -> None:
    """Raises if an output of 8 bits (one of NARROW_QUERIES) has no scale, or an output of another
    dtype has one."""
    if dtype in NARROW_QUERIES and scale is None:
        raise expected(name, f"an array of float32 beside an output of {DTYPE_TITLES[dtype]}, "
                       "which is divided by it", "None")
    if dtype not in NARROW_QUERIES and scale is not None:
        raise expected(name, "None beside an output of neither float8_e4m3fn nor float8_e5m2",
                       f"one, and an output of {DTYPE_TITLES[dtype]}")


def choose_dtype(query: str, wanted: Optional[str], out_scale: Any, first: str = "q",
                 free: Tuple[str, ...] = NARROW_QUERIES) -> str:
    """Returns the output's dtype: `wanted`, or if that is None float8_e4m3fn with `out_scale`, else
    bfloat16 beside a query of 8 bits, else the query's dtype. Raises for a dtype that is not
    possible with or without a scale. Messages call the query `first`, and `free` is that of
    wide_dtypes()."""
    is_narrow = query in NARROW_QUERIES
    if wanted is None:
        wanted = "f8E4M3FN" if out_scale is not None else _WIDE if is_narrow else query
    check_scale("out_scale", wanted, out_scale)
    if wanted not in NARROW_QUERIES and wanted not in wide_dtypes(query, free):
        raise expected("out_dtype", f"{DTYPE_TITLES[query]}, as {first}, float32, or one of 8 bits "
                       "with out_scale", DTYPE_TITLES[wanted])
    return wanted


def dtype_of_out(out: Any, return_lse: bool, wanted: Optional[str], query: str,
                 free: Tuple[str, ...] = NARROW_QUERIES) -> Optional[str]:
    """Returns the dtype of the caller's array `out` if an output may have that dtype, else
    `wanted`. Raises if `wanted` is given, too, and is another dtype."""
    if isinstance(out, (tuple, list)) and return_lse:  # beside an array for the lse
        out = out[0] if len(out) else None
    if out is None:
        return wanted
    found, _ = adapter_of("out", out).layout("out", out)
    if wanted is not None and found != wanted:
        raise expected("out", f"dtype {DTYPE_TITLES[wanted]}, as out_dtype says", found)
    return found if found in (*wide_dtypes(query, free), *NARROW_QUERIES) else wanted
