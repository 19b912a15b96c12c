"""Divisions and remainders of traced numbers. attn_mlir.score adds them to FUNCTIONS."""

from typing import Any, Tuple

from ._conversions import common_wrap, to_f32, wrap
from ._region import FUNCTIONS, Number, emit, number_of, operands_of, read_all, region_of


def is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def divide(x: Any, y: Any, rounding_mode: Any = None) -> Number:
    """x / y in float32 or, with `rounding_mode`, the quotient rounded down ("floor") or to 0
    ("trunc"), of integers in integers, as torch.div."""
    region = region_of(x, y)
    if rounding_mode == "floor":
        return floor_divide(x, y)
    if rounding_mode == "trunc":
        return _divide_to_zero(x, y)
    if rounding_mode is not None:
        raise region.error("expected rounding_mode None, 'floor' or 'trunc', found "
                           f"{rounding_mode!r}")
    return emit("arith.divf", to_f32(number_of(region, x)), to_f32(number_of(region, y)))


def _integers(x: Any, y: Any) -> Tuple[Number, Number, Any, str]:
    """Returns two operands as traced numbers of one type, the divisor as a Python number if it is
    one, and the dtype, "i8" or "i16", of a result with fewer bits than its type. An integer divisor
    that is a constant 0 is an error, as in Python; a divisor that only the kernel computes cannot
    be checked here."""
    x, y = read_all(x, y)
    divisor = region_of(x, y).plain(y)
    dtype = common_wrap(x, divisor)
    x, y = operands_of(x, divisor)
    if x._type != "f32" and isinstance(divisor, int) and divisor == 0:
        raise x._region.error("expected an integer divisor other than 0, found 0")
    return x, y, divisor, dtype


def floor_divide(x: Any, y: Any) -> Number:
    """x // y, rounded down."""
    x, y, divisor, dtype = _integers(x, y)
    if x._type == "f32":
        return _floor_of_floats(x, y, divisor)
    if is_integer(divisor) and divisor == 1:
        return x
    if isinstance(divisor, int) and divisor > 0 and x._is_natural:
        result = emit("arith.divui", x, y)
        result._is_natural = True
        return wrap(result, dtype, needs_ops=False)
    return wrap(emit("arith.floordivsi", x, y), dtype)


def _divide_to_zero(x: Any, y: Any) -> Number:
    x, y, divisor, dtype = _integers(x, y)
    if x._type == "f32":
        return FUNCTIONS["trunc"](emit("arith.divf", x, y))
    if x._is_natural and isinstance(divisor, int) and divisor > 0:
        return floor_divide(x, divisor)
    return wrap(emit("arith.divsi", x, y), dtype)


def _rest(x: Number, y: Number, divisor: Any) -> Tuple[Number, Number]:
    """Returns the remainder of two floats with the sign of `x`, which is exact, and whether it is
    neither 0 nor of the sign of `y`."""
    rest = emit("arith.remf", x, y)
    less, greater = FUNCTIONS["less"], FUNCTIONS["greater"]
    if isinstance(divisor, (int, float)):
        return rest, (greater if divisor < 0 else less)(rest, 0.0)
    both, either = FUNCTIONS["bitwise_and"], FUNCTIONS["bitwise_or"]
    return rest, either(both(less(rest, 0.0), greater(y, 0.0)),
                        both(greater(rest, 0.0), less(y, 0.0)))


def _floor_of_floats(x: Number, y: Number, divisor: Any) -> Number:
    """Divides floats and rounds down. A rounded quotient may be an integer above the quotient, so
    the remainder is subtracted from `x` first."""
    where = FUNCTIONS["where"]
    rest, is_opposite = _rest(x, y, divisor)
    whole = FUNCTIONS["round"](emit("arith.divf", emit("arith.subf", x, rest), y))
    result = where(is_opposite, FUNCTIONS["subtract"](whole, 1.0), whole)
    if isinstance(divisor, (int, float)) and divisor != 0:
        return result
    return where(FUNCTIONS["equal"](y, 0.0), emit("arith.divf", x, y), result)


def remainder(x: Any, y: Any) -> Number:
    """x % y, which has the sign of `y`, or is 0."""
    x, y = read_all(x, y)
    dividend, number = operands_of(x, y)
    divisor = dividend._region.plain(y)
    if dividend._type == "f32":
        rest, is_opposite = _rest(dividend, number, divisor)
        return FUNCTIONS["where"](is_opposite, FUNCTIONS["add"](rest, number), rest)
    result = FUNCTIONS["subtract"](x, FUNCTIONS["multiply"](floor_divide(x, y), y))
    result._is_natural = isinstance(divisor, int) and divisor > 0
    return result


def fmod(x: Any, y: Any) -> Number:
    """The remainder of x / y rounded to 0, which has the sign of `x`, or is 0."""
    x, y, divisor, dtype = _integers(x, y)
    if x._type == "f32":
        return emit("arith.remf", x, y)
    if x._is_natural and isinstance(divisor, int) and divisor > 0:
        return remainder(x, divisor)
    return wrap(emit("arith.remsi", x, y), dtype, needs_ops=False)
