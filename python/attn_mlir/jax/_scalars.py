"""Ops on single elements of JAX's functions, as numbers of a region or Python's: choices, which
emit nothing if the condition is known, and divisions, whose results are those of XLA on CPUs."""

from typing import Any, Callable

from .. import score  # noqa: F401  (which fills FUNCTIONS)
from .._region import FUNCTIONS, Number, Region, emit, number_of, operands_of, to_integer
from ._dtypes import UNSIGNED
from ._residual import Op


def as_number(region: Region, value: Any) -> Number:
    return number_of(region, value)


def call(region: Region, name: str, *values: Any) -> Any:
    if not any([isinstance(value, Number) for value in values]):
        values = (region.constant(values[0]), *values[1:])
    return FUNCTIONS[name](*values)


def is_natural(value: Any) -> bool:
    return value._is_natural if isinstance(value, Number) else value >= 0


def less(region: Region, x: Any, y: Any) -> Any:
    # Before a read of an array, JAX emits `index < 0`, and adds the size to a negative index. If an
    # integer is known not to be negative, its comparison `<` with a constant of 0 or less becomes
    # False, so that the index is used as it is.
    if isinstance(y, int) and y <= 0 and not isinstance(y, bool) and is_integer(x) \
            and is_natural(x):
        return False
    return call(region, "less", x, y)


def is_integer(value: Any) -> bool:
    return value._type in ("i32", "i64", "index") if isinstance(value, Number) \
        else isinstance(value, int)


def select(region: Region, condition: Any, x: Any, y: Any) -> Any:
    """Returns `x` where the condition holds, else `y`. If the condition is known during tracing, no
    op is emitted."""
    if isinstance(condition, bool):
        return x if condition else y
    return FUNCTIONS["where"](condition, x, y)


def _divide_to_zero(region: Region, x: Any, y: Any) -> Number:
    """Emits a division of integers that rounds to 0."""
    x, y = operands_of(as_number(region, x) if not isinstance(y, Number) else x, y)
    return emit("arith.divsi", x, y)


def _as_int32(region: Region, op: Op, value: Any, y: Any) -> Any:
    """Returns a quotient by `y` of integers of 32 bits, which mask functions compute in 64, so that
    the smallest integer divided by -1 is itself."""
    if op.dtype != "int32" or not isinstance(y, Number) or not isinstance(value, Number) \
            or value._type != "index" or value._is_natural:
        return value
    # MLIR folds two casts, from index to i32 and to index, although the first one drops bits.
    value = to_integer(value, "i64")
    return region.append(f"arith.trunci {value._name} : i64 to i32", "i32")


def at_zero(region: Region, y: Any, of_zero: Callable[[], Any],
            others: Callable[[], Any]) -> Any:
    """Returns `of_zero()` where the divisor `y` of integers is 0, else `others()`."""
    if not isinstance(y, Number):
        return others() if y else of_zero()
    return select(region, call(region, "equal", y, 0), of_zero(), others())


def divide(region: Region, op: Op, x: Any, y: Any) -> Any:
    """jax.lax.div. By 0, XLA's result on CPUs has all bits set, which is -1 in signed integers."""
    if op.input_kinds[0] == "f":
        return call(region, "divide", x, y)

    def quotient() -> Any:
        if is_natural(x) and is_natural(y):
            return call(region, "floor_divide", x, y)
        return _as_int32(region, op, _divide_to_zero(region, x, y), y)

    return at_zero(region, y, lambda: UNSIGNED.get(op.dtype, -1), quotient)


def floor_divide(region: Region, op: Op, x: Any, y: Any) -> Any:
    """jnp.floor_divide of integers, which subtracts 1 from the quotient of `divide` where there is
    a remainder and the signs differ."""
    return at_zero(region, y, lambda: select(region, call(region, "equal", x, 0), -1, -2),
                   lambda: _as_int32(region, op, call(region, "floor_divide", x, y), y))


def remainder(region: Region, op: Op, x: Any, y: Any) -> Any:
    """jax.lax.rem, whose result has the sign of `x`. The remainder of a division by 0 is `x`."""
    if op.input_kinds[0] == "f":
        return call(region, "fmod", x, y)

    def rest() -> Any:
        if is_natural(x) and is_natural(y):
            return call(region, "remainder", x, y)
        quotient = _divide_to_zero(region, x, y)
        return call(region, "subtract", x, call(region, "multiply", quotient, y))

    return at_zero(region, y, lambda: x, rest)
