"""The dtype of attention's output: the query's, or another one, of 8 bits with a scale."""

from typing import Any, Optional

from ._adapter import NUMPY_DTYPES, find_dtype_name
from ._arrays import adapter_of, expected
from ._module import DTYPES, NARROW_QUERIES

_NAMES = {its: name for name, its in NUMPY_DTYPES.items()}
# The dtype of the output of a query of 8 bits, if the caller asks for none.
_WIDE = "bf16"


def as_out_dtype(dtype: Any) -> Optional[str]:
    """The name that kernels use for the dtype that the caller wants: a dtype of torch or NumPy, or
    a name."""
    if dtype is None:
        return None
    found = find_dtype_name(dtype)
    if found not in (*DTYPES, *NARROW_QUERIES):
        raise expected("out_dtype", "None, float16, bfloat16, float32, float8_e4m3fn or "
                       "float8_e5m2", repr(dtype))
    return found


def choose_dtype(query: str, wanted: Optional[str], out_scale: Any) -> str:
    """The output's dtype, which depends on the query's and on `wanted` (or None). Raises if a dtype
    that needs a scale has none, or another one has a scale."""
    is_narrow = query in NARROW_QUERIES
    if wanted is None:
        wanted = "f8E4M3FN" if out_scale is not None else _WIDE if is_narrow else query
    if wanted in NARROW_QUERIES:
        if out_scale is None:
            raise expected("out_scale", "an array of float32 beside an output of "
                           f"{_NAMES[wanted]}, which is divided by it", "None")
    elif out_scale is not None:
        raise expected("out_scale", "None beside an output of neither float8_e4m3fn nor "
                       "float8_e5m2", f"one, and an output of {_NAMES[wanted]}")
    elif not is_narrow and wanted not in (query, "f32"):
        raise expected("out_dtype", f"{_NAMES[query]}, as q, float32, or one of 8 bits with "
                       "out_scale", _NAMES[wanted])
    return wanted


def dtype_of_out(out: Any, return_lse: bool, wanted: Optional[str],
                 query: str) -> Optional[str]:
    """The dtype of the caller's array for the output, if there may be one of it, or what the
    caller asks for."""
    if isinstance(out, (tuple, list)) and return_lse:  # beside an array for the lse
        out = out[0] if len(out) else None
    if out is None:
        return wanted
    found, _ = adapter_of("out", out).layout("out", out)
    if wanted is not None and found != wanted:
        raise expected("out", f"dtype {_NAMES[wanted]}, as out_dtype says", found)
    others = DTYPES if query in NARROW_QUERIES else (query, "f32")
    return found if found in (*others, *NARROW_QUERIES) else wanted
