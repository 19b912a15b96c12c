"""Functions of JAX's on single elements that are several ops of a region, chosen so that results
and derivatives are JAX's, also at kinks."""

import math
from typing import Any

from .._region import Number, Region, convert
from ._residual import Op, error_of
from ._scalars import as_number, call, is_natural, less, select


def sign(region: Region, x: Any, kind: str) -> Any:
    """The sign of a number, which of NaN is NaN."""
    found = call(region, "sign", x)
    return found if kind != "f" else select(region, call(region, "not_equal", x, x), x, found)


def round_away(region: Region, x: Any) -> Any:
    """jax.lax.round by its default method: halves are rounded away from 0."""
    whole = call(region, "trunc", x)
    rest = call(region, "subtract", x, whole)
    up = select(region, call(region, "greater_equal", rest, 0.5), 1.0, 0.0)
    change = select(region, call(region, "less_equal", rest, -0.5), -1.0, up)
    return call(region, "add", whole, change)


def bend(region: Region, x: Any, is_bounded: bool) -> Any:
    """jax.nn.relu or relu6, whose derivatives at 0 and 6 are 0."""
    found = call(region, "relu", as_number(region, x))
    if not is_bounded:
        return found
    return select(region, call(region, "greater_equal", found, 6), 6, found)


def times_log(region: Region, x: Any, y: Any, log: str) -> Any:
    """jax.scipy.special.xlogy or xlog1py: x times a logarithm of y, or 0 if x is 0, also where the
    logarithm is infinite or NaN, unless y is NaN. The derivative by x at x = 0 is the logarithm, if
    that is finite."""
    found = call(region, log, as_number(region, y))
    product = call(region, "multiply", x, found)
    is_finite = call(region, "less", call(region, "absolute", found), math.inf)
    is_usual = call(region, "bitwise_or", call(region, "not_equal", x, 0), is_finite)
    is_nan = call(region, "not_equal", as_number(region, y), as_number(region, y))
    return select(region, call(region, "bitwise_or", is_usual, is_nan), product, 0.0)


def magnitude(region: Region, x: Any, kind: str) -> Any:
    """The absolute value. In score functions, that of a float has JAX's derivative at 0, which is
    1. The sum with 0 makes 0 of -0."""
    if kind != "f" or region.argument == "mask_mod" or not isinstance(x, Number):
        return call(region, "absolute", x)
    return select(region, call(region, "greater_equal", x, 0.0), call(region, "add", x, 0.0),
                  call(region, "negative", x))


def shift(region: Region, op: Op, x: Any, bits: Any) -> Any:
    """A shift of integers by a constant number of bits; others are an error."""
    if op.name == "shift_right_logical" and not is_natural(x):
        raise error_of(region.argument, "expected shift_right_logical of numbers that are known "
                       "not to be negative, found another; write >>, which keeps the sign")
    name = "bitwise_left_shift" if op.name == "shift_left" else "bitwise_right_shift"
    return call(region, name, x, bits)


def power(region: Region, x: Any, y: int, kind: str) -> Any:
    if 0 < y <= 8 or y > 8 and kind != "f":
        return call(region, "power", as_number(region, x), y)
    if y == 0:
        return 1.0 if kind == "f" else 1
    if -8 <= y < 0:
        return call(region, "divide", 1.0, power(region, x, -y, kind))
    return call(region, "power", x, float(y))


def cast(region: Region, x: Any, kind: str) -> Any:
    if isinstance(x, Number):
        return convert(x, {"f": "float", "b": "bool"}.get(kind, "int"))
    return {"f": float, "b": bool}.get(kind, int)(x)
