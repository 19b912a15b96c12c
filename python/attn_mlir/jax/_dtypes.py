"""Gives the results of a region's ops the dtypes that JAX's ops have. Regions compute in float32,
and in integers of 32 or 64 bits; results of narrower dtypes are rounded, or wrap around,
afterwards."""

from typing import Any, List, Sequence

from .._conversions import round_float, wrap
from .._region import FUNCTIONS, Number, Region, to_integer
from ._residual import Op, error_of

# Ops whose results are among the values of their operands, or are small, so that they have no more
# bits than their dtype.
_KEEPS = frozenset((
    "max min sign floor ceil round clamp copy copy_p stop_gradient optimization_barrier real pvary "
    "pcast relu relu6 and or xor is_finite reduce_max reduce_min reduce_and reduce_or").split())
_FLOATS = {"float16": "f16", "bfloat16": "bf16", "float32": "", "float64": ""}
_SIGNED = {"int8": "i8", "int16": "i16"}
UNSIGNED = {"uint8": 2**8 - 1, "uint16": 2**16 - 1}
# For the numbers of bits of exponent and mantissa of jax.lax.reduce_precision, the type with them.
_PRECISIONS = {(8, 7): "bf16", (8, 23): "", (11, 52): ""}


def check_conversion(region: Region, op: Op, value: Any) -> None:
    """Raises if regions cannot convert `value` to the dtype of the op's result. Integers wrap
    around in int8, int16, uint8 and uint16; floats do not become such integers."""
    if not isinstance(value, Number) or op.kind == "b" or op.input_kinds[0] == "b":
        return
    if op.kind == "f" and op.dtype not in _FLOATS:
        raise error_of(region.argument, f"expected {', '.join(_FLOATS)}, found {op.dtype}")
    if op.dtype in ("uint32", "uint64") or op.kind != "f" and op.input_kinds[0] == "f" and (
            op.dtype in _SIGNED or op.dtype in UNSIGNED):
        raise error_of(region.argument, f"expected int32, bool or floats, found {op.dtype}")


def widen(op: Op, values: Sequence[Any]) -> List[Any]:
    """Returns the operands of an op whose result is of int64 with integers of 32 bits extended to
    64, so that the result does not wrap around as 32 bits do. Others are returned as they are."""
    neutral = {"add": 0, "sub": 0, "mul": 1}.get(op.name)
    is_neutral = any([isinstance(its, int) and its == neutral for its in values])
    if op.dtype != "int64" or is_neutral or op.name in _KEEPS or op.name == "convert_element_type":
        return list(values)
    return [to_integer(its, "i64") if isinstance(its, Number) and its._type in ("i1", "i32")
            else its for its in values]


def fit(region: Region, op: Op, value: Any) -> Any:
    """Rounds a float, or wraps an integer around, to the dtype of the op's result."""
    if not isinstance(value, Number) or op.name in _KEEPS or value._type == "i1":
        return value
    if op.name == "reduce_precision":
        bits = op.params["exponent_bits"], op.params["mantissa_bits"]
        if bits not in _PRECISIONS:
            raise error_of(region.argument, "expected reduce_precision to the bits of bfloat16 or "
                           f"float32, found {bits[0]} and {bits[1]}")
        return round_float(value, _PRECISIONS[bits]) if _PRECISIONS[bits] else value
    if op.kind == "f":
        type_ = _FLOATS.get(op.dtype, "")
        return round_float(value, type_) if type_ else value
    if op.name == "convert_element_type" and op.input_kinds[0] == "b":
        return value
    if op.dtype in _SIGNED:
        found = wrap(value, _SIGNED[op.dtype])
        return Number(region, found._name, found._type)
    if op.dtype in UNSIGNED:
        return FUNCTIONS["bitwise_and"](value, UNSIGNED[op.dtype])
    if op.dtype in ("uint32", "uint64") and op.name not in ("div", "rem"):
        raise error_of(region.argument, f"expected int32, bool or floats, found {op.name} of "
                       f"{op.dtype}")
    if op.dtype == "int32" and value._type == "i64":
        return region.append(f"arith.trunci {value._name} : i64 to i32", "i32")
    return value
