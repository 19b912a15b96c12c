"""Score functions: Python on traced numbers, made into a score region.

A score function takes (score, b, h, q, kv) and returns the new score, as
FlexAttention's `score_mod` does. The score is the scaled product of query and key, as f32;
the others are the indices of batch entry, query head, query row and key, as i32. The
function is called once, with `Number`s that record what is done to them:

    from attn_mlir import score

    def capped_alibi(s, b, h, q, kv):
        s = 30 * score.tanh(s / 30)
        return score.where(q >= kv, s + score.exp2(-(h + 1.0)) * (kv - q), -math.inf)

Operators follow Python: `/` is in f32, and `//` and `%` round down. For an integer
divisor that is 0 in the kernel, `//` gives 0, and so `%` the dividend; a constant 0 is an
error. `%` and `fmod` of floats are exact, as in torch (on a GPU while the quotient is below
2^21 and no operand is subnormal). Numbers that the function captures are constants of the
kernel; arrays that it captures are arguments of the kernel. The functions of this module have
torch's and NumPy's names, and `torch.where`, `torch.tanh`, `numpy.exp` and so on on `Number`s
do the same. A test in Python (`if q > kv`) cannot be recorded and raises an error: use
`where`.
"""

import math
from typing import Any, Callable

from ._composed import COMPOSED
from ._conversions import common_wrap, to_f32, to_i1, to_integer, wrap
from ._divisions import divide, floor_divide, fmod, is_integer, remainder
from ._region import (FUNCTIONS, Number, Region, Row, apply, call, change, convert, element, emit,
                      number_of, operands_of, read_all, region_of)
from ._traced import Traced, trace_region
from ._signatures import ALIASES, declare
from ._values import plain, type_of_constant

__all__ = ["Number", "Score", "read", "trace"]  # and the functions, below


# The largest number of elements that the two rows may have whose dot product `dot` computes, since
# `dot` unrolls the sum.
_MOST_PRODUCTS = 256


def _is_integer(region: Region, value: Any, wanted: Any) -> bool:
    value = region.plain(value)
    return isinstance(value, int) and not isinstance(value, bool) and value == wanted


def _arithmetic(int_op: str, float_op: str, is_natural: Callable[..., bool] = all,
                neutral: Any = None, commutes: bool = True,
                stays: bool = False) -> Callable[[Any, Any], Number]:
    """A function of two numbers. `stays` says that its result, where both are integers of 8 or 16
    bits, has no more bits. Integers to which it does nothing, since the other one is
    `neutral`, stay as they are: a position then remains an index for which an array has a
    gradient."""
    def apply(x: Any, y: Any) -> Number:
        given = x, y
        given = read_all(*given)
        x, y = operands_of(*given)
        is_float = x._type == "f32"
        if neutral is not None and not is_float:
            if _is_integer(x._region, given[1], neutral):
                return x
            if commutes and _is_integer(x._region, given[0], neutral):
                return y
        result = emit(float_op if is_float else int_op, x, y)
        result._is_natural = not is_float and is_natural([x._is_natural, y._is_natural])
        return wrap(result, common_wrap(*given), needs_ops=not stays)
    return apply


def _with_conditions(of_numbers: Callable[[Any, Any], Number], of_conditions: Callable[
        [Any, Any], Number]) -> Callable[[Any, Any], Number]:
    """Returns a function that calls `of_conditions` for two conditions, and `of_numbers` for
    others: in torch and NumPy, sums and products of conditions are conditions."""
    def apply(x: Any, y: Any) -> Number:
        # Captured scalars may be conditions, too.
        x, y = read_all(x, y)
        are_conditions = all([its._type == "i1" if isinstance(its, Number) else
                              isinstance(plain(its), bool) for its in (x, y)])
        return (of_conditions if are_conditions else of_numbers)(x, y)
    return apply


def _with_alpha(of_numbers: Callable[[Any, Any], Number]) -> Callable[..., Number]:
    """Returns a function whose second operand is multiplied by `alpha`, as in torch."""
    def apply(x: Any, y: Any, alpha: Any = 1) -> Number:
        region = region_of(x, y, alpha)
        return of_numbers(x, y if _is_integer(region, alpha, 1) else
                          _multiply(number_of(region, y), alpha))
    return apply


def _compare(op: str, predicate: str, x: Number, y: Number) -> Number:
    return x._region.append(f"arith.{op} {predicate}, {x._name}, {y._name} : {x._type}",
                            "i1")


def _comparison(int_predicate: str, float_predicate: str) -> Callable[[Any, Any], Number]:
    def apply(x: Any, y: Any) -> Number:
        x, y = operands_of(x, y)
        if x._type == "f32":
            return _compare("cmpf", float_predicate, x, y)
        if int_predicate in _BELOW and x._absolute_of is not None:
            return _within(x._absolute_of, y, int_predicate)
        if int_predicate in _ABOVE and y._absolute_of is not None:
            return _within(y._absolute_of, x, _ABOVE[int_predicate])
        return _compare("cmpi", int_predicate, x, y)
    return apply


_BELOW = ("slt", "sle")
_ABOVE = {"sgt": "slt", "sge": "sle"}


def _within(x: Number, bound: Number, predicate: str) -> Number:
    """Emits |x| < bound or |x| <= bound as two comparisons of `x` with a bound: from each of
    them the compiler can derive a range of keys, which it cannot from |x|."""
    return _and(_compare("cmpi", predicate, x, bound),
                _compare("cmpi", predicate, _subtract(0, bound), x))


def _bitwise(op: str) -> Callable[[Any, Any], Number]:
    def apply(x: Any, y: Any) -> Number:
        given = read_all(x, y)
        x, y = operands_of(*given, least="i1")
        if x._type == "f32":
            raise x._region.error("expected conditions or integers for &, | and ^, "
                                  "found f32")
        return wrap(emit(op, x, y), common_wrap(*given), needs_ops=False)
    return apply


def _logical(op: Callable[[Any, Any], Number]) -> Callable[[Any, Any], Number]:
    """Returns a function of two conditions. Numbers count as true unless they are 0."""
    def apply(x: Any, y: Any) -> Number:
        region = region_of(x, y)
        return op(*[convert(number_of(region, its), "bool") for its in (x, y)])
    return apply


def _unary(op: str) -> Callable[[Any], Number]:
    def apply(x: Any) -> Number:
        return emit(op, to_f32(number_of(region_of(x), x)))
    return apply


def _dot(x: Any, y: Any) -> Number:
    """Emits the dot product of two rows of captured arrays, unrolled: each element of both rows
    is read, and the products are added."""
    region, sizes = region_of(x, y), [tuple(its.shape) for its in (x, y)]
    if len(sizes[0]) != 1 or sizes[0] != sizes[1] or sizes[0][0] == 0:
        raise region.error("expected two rows of as many elements for dot, found sizes "
                           f"{sizes[0]} and {sizes[1]}")
    if sizes[0][0] > _MOST_PRODUCTS:
        raise region.error(f"expected at most {_MOST_PRODUCTS} elements for dot, which a "
                           f"kernel reads for each pair (rows of query and key may hold "
                           f"them), found {sizes[0][0]}")
    found: Any = None
    for number in range(sizes[0][0]):
        product = _multiply(*[its.read((number,)) if isinstance(its, Row) else
                              element(region, its, (number,)) for its in (x, y)])
        found = product if found is None else _add(found, product)
    return found


def _power_of_bits(x: Any, bits: Any) -> int:
    bits = region_of(x, bits).plain(bits)
    if isinstance(bits, int) and not isinstance(bits, bool) and 0 <= bits < 31:
        return 1 << bits
    found = "a traced number" if isinstance(bits, Number) else repr(bits)
    raise region_of(x, bits).error("expected a number of bits from 0 to 30 that is a "
                                   f"constant, for << and >>, found {found}")


def _shift_left(x: Any, bits: Any) -> Number:
    return _multiply(x, _power_of_bits(x, bits))


def _shift_right(x: Any, bits: Any) -> Number:
    """Emits a right shift as a division that rounds down: from a division, the compiler can derive
    the blocks in which a mask keeps no pair or all pairs."""
    return floor_divide(x, _power_of_bits(x, bits))


def _power(x: Any, y: Any) -> Number:
    x, y = map(region_of(x, y).plain, (x, y))
    if isinstance(y, (int, float)) and y == 0:
        x = number_of(region_of(x, y), x)
        return x._region.constant(1.0 if "f32" in (x._type, type_of_constant(y)) else 1)
    if isinstance(y, int) and 0 < y <= 8 and isinstance(x, Number):
        result = x
        for _ in range(y - 1):
            result = _multiply(result, x)
        return result
    if isinstance(y, int) and y > 8 and isinstance(x, Number) and x._type != "f32":
        # A power of an integer is a product, since a float would round it.
        root = _power(x, y // 2)
        square = _multiply(root, root)
        return _multiply(square, x) if y % 2 else square
    if isinstance(x, (int, float)) and x == 2:
        return exp2(y)
    region = region_of(x, y)
    return emit("math.powf", to_f32(number_of(region, x)), to_f32(number_of(region, y)))


def atan2(y: Any, x: Any) -> Number:
    """The angle of the point (x, y), from -pi to pi."""
    region = region_of(y, x)
    return emit("math.atan2", *[to_f32(number_of(region, its)) for its in (y, x)])


def _negative(x: Any) -> Number:
    return _subtract(0, x) if x._type != "f32" else emit("arith.negf", x)


def _not(x: Any) -> Number:
    return _bitwise("arith.xori")(x, True if x._type == "i1" else -1)


def where(condition: Any, x: Any, y: Any) -> Number:
    """Returns `x` where the condition holds, else `y`."""
    region = region_of(condition, x, y)
    condition = to_i1(number_of(region, condition))
    given = read_all(condition, x, y)[1:]
    # Makes `x` a traced number, since the condition may be the only one, and `operands_of` finds
    # the region through a traced number among its arguments.
    x, y = operands_of(number_of(region, given[0]), given[1], least="i1")
    result = region.append(f"arith.select {condition._name}, {x._name}, {y._name} : "
                           f"{x._type}", x._type, x._is_natural and y._is_natural)
    return wrap(result, common_wrap(*given), needs_ops=False)


def absolute(x: Any) -> Number:
    """|x|."""
    x = to_integer(number_of(region_of(x), x))
    if x._type == "f32":
        return emit("math.absf", x)
    result = maximum(x, _negative(x))
    # The absolute value of the smallest integer of 8 or 16 bits is that integer.
    result._absolute_of = None if x._wraps else x.clone()
    return result


def clamp(x: Any, min: Any = None, max: Any = None) -> Number:
    """Returns `x`, raised to `min` if it is less and lowered to `max` if it is more. A bound that
    is None does nothing. Where a float is equal to a bound, the derivative is that of `x`. (It is 0
    in JAX, and in torch depends on the version.)"""
    x = x if min is None else _bound(x, min, maximum, _less)
    return x if max is None else _bound(x, max, minimum, _greater)


def _bound(x: Any, bound: Any, of_integers: Callable[[Any, Any], Number],
           is_beyond: Callable[[Any, Any], Number]) -> Number:
    """Returns `bound` where `is_beyond(x, bound)` holds (x < bound or x > bound), else `x`. For
    integers, emits the op of `of_integers` instead (a maximum or a minimum), from which the
    compiler can derive ranges of keys."""
    number, limit = operands_of(number_of(region_of(x, bound), x), bound)
    if number._type == "f32":
        return where(is_beyond(number, limit), limit, number)
    return of_integers(x, bound)


def full_like(x: Any, fill_value: Any, dtype: Any = None) -> Number:
    """Returns the constant `fill_value`, a number of the dtype of `x`, or of `dtype`. torch's
    function returns an array; a traced number stands for an array of one element."""
    return region_of(x).constant(0).new_full((), fill_value,
                                             dtype=x.dtype if dtype is None else dtype)


def zeros_like(x: Any, dtype: Any = None) -> Number:
    """Returns the constant 0, or False where the dtype is bool, as `full_like` does."""
    return full_like(x, 0, dtype)


def ones_like(x: Any, dtype: Any = None) -> Number:
    """Returns the constant 1, or True where the dtype is bool, as `full_like` does."""
    return full_like(x, 1, dtype)


def sigmoid(x: Any) -> Number:
    """1 / (1 + e^-x)."""
    return divide(1.0, _add(1.0, exp(_multiply(x, -1.0))))


def relu(x: Any) -> Number:
    """max(x, 0). The derivative at 0 is 0, as in torch and JAX."""
    x = to_integer(number_of(region_of(x), x))
    return where(_less_equal(x, 0.0), 0.0, x) if x._type == "f32" else maximum(x, 0)


def silu(x: Any) -> Number:
    """x / (1 + e^-x)."""
    return _multiply(x, sigmoid(x))


def gelu(x: Any, approximate: str = "none") -> Number:
    """x (1 + erf(x / sqrt(2))) / 2, or with `approximate="tanh"` its approximation by
    tanh."""
    if approximate == "tanh":
        inner = _multiply(math.sqrt(2 / math.pi), _add(x, _multiply(0.044715, _power(x, 3))))
        return _multiply(_multiply(0.5, x), _add(1.0, tanh(inner)))
    return _multiply(_multiply(0.5, x), _add(1.0, erf(_multiply(x, math.sqrt(0.5)))))


def softplus(x: Any, beta: Any = 1, threshold: Any = 20) -> Number:
    """ln(1 + e^(beta x)) / beta, or `x` where beta x is above `threshold`, as in torch."""
    region = region_of(x, beta, threshold)
    is_scaled = not _is_integer(region, beta, 1)
    y = _multiply(beta, x) if is_scaled else x
    found = _add(maximum(y, 0.0), log1p(exp(_multiply(-1.0, absolute(y)))))
    found = divide(found, beta) if is_scaled else found
    # Above 20, the result is `x` in f32 by itself.
    if _is_integer(region, threshold, 20):
        return found
    return where(_greater(y, threshold), x, found)


def round(x: Any, decimals: int = 0) -> Number:
    """Rounds to the nearest integer, or to a multiple of 10^-`decimals`, ties to even."""
    if not is_integer(decimals):
        raise region_of(x).error("round: expected an integer for decimals, found "
                                 f"{type(decimals).__qualname__}")
    if decimals == 0:
        return _round(x)
    scale = 10.0 ** abs(decimals)
    there, back = (_multiply, divide) if decimals > 0 else (divide, _multiply)
    return back(_round(there(x, scale)), scale)


def tanh(x: Any, approximate: bool = False) -> Number:
    """tanh(x). `approximate` allows a relative error of 2^-11, so that a GPU computes it by one
    instruction."""
    return emit("math.tanh", to_f32(number_of(region_of(x), x)),
                 flags=" fastmath<afn>" if approximate else "")


def rsqrt(x: Any) -> Number:
    """1 / sqrt(x)."""
    return divide(1.0, sqrt(x))


_and, _or, _xor = map(_bitwise, ("arith.andi", "arith.ori", "arith.xori"))
_add = _with_conditions(_arithmetic("arith.addi", "arith.addf", neutral=0), _or)
_subtract = _arithmetic("arith.subi", "arith.subf", lambda _: False, 0, commutes=False)
_multiply = _with_conditions(
    _arithmetic("arith.muli", "arith.mulf", lambda _: False, 1), _and)
minimum = _arithmetic("arith.minsi", "arith.minimumf", stays=True)
maximum = _arithmetic("arith.maxsi", "arith.maximumf", any, stays=True)
_less = _comparison("slt", "olt")
_less_equal = _comparison("sle", "ole")
_greater = _comparison("sgt", "ogt")
_greater_equal = _comparison("sge", "oge")
_equal = _comparison("eq", "oeq")
_not_equal = _comparison("ne", "une")

exp, exp2, expm1 = map(_unary, ("math.exp", "math.exp2", "math.expm1"))
log, log2, log1p = map(_unary, ("math.log", "math.log2", "math.log1p"))
sqrt, erf, erfc = map(_unary, ("math.sqrt", "math.erf", "math.erfc"))
sin, cos, tan = map(_unary, ("math.sin", "math.cos", "math.tan"))
sinh, cosh = map(_unary, ("math.sinh", "math.cosh"))
asin, acos, atan = map(_unary, ("math.asin", "math.acos", "math.atan"))
asinh, acosh, atanh = map(_unary, ("math.asinh", "math.acosh", "math.atanh"))
cbrt = _unary("math.cbrt")
floor, ceil = map(_unary, ("math.floor", "math.ceil"))
trunc, _round = map(_unary, ("math.trunc", "math.roundeven"))

_NAMES = ("where absolute clamp minimum maximum sigmoid relu silu gelu softplus rsqrt exp exp2 "
          "expm1 log log2 log1p sqrt erf erfc tanh sin cos tan sinh cosh asin acos atan asinh "
          "acosh atanh atan2 cbrt floor ceil trunc round fmod full_like zeros_like "
          "ones_like").split()
__all__ += _NAMES
FUNCTIONS.update({name: globals()[name] for name in _NAMES}, **COMPOSED)
FUNCTIONS.update(
    add=_with_alpha(_add), subtract=_with_alpha(_subtract), multiply=_multiply, divide=divide,
    floor_divide=floor_divide, remainder=remainder, power=_power, negative=_negative,
    less=_less, less_equal=_less_equal, greater=_greater, greater_equal=_greater_equal,
    equal=_equal, not_equal=_not_equal, bitwise_and=_and, bitwise_or=_or,
    bitwise_xor=_xor, bitwise_not=_not, bitwise_left_shift=_shift_left,
    bitwise_right_shift=_shift_right, dot=_dot, logical_and=_logical(_and),
    logical_or=_logical(_or), logical_xor=_logical(_xor),
    logical_not=lambda x: _not(convert(number_of(region_of(x), x), "bool")))
declare(FUNCTIONS)


def _install_operators() -> None:
    binary = {"add": _add, "sub": _subtract, "mul": _multiply, "truediv": divide,
              "floordiv": floor_divide, "mod": remainder, "pow": _power, "and": _and,
              "or": _or, "xor": _xor, "lshift": _shift_left, "rshift": _shift_right}
    others = {"lt": _less, "le": _less_equal, "gt": _greater, "ge": _greater_equal, "eq": _equal,
              "ne": _not_equal, "neg": _negative, "abs": absolute, "invert": _not}
    for class_ in (Number, Row):
        for name, function in binary.items():
            setattr(class_, f"__{name}__", lambda x, y, f=function: apply(f, x, y))
            setattr(class_, f"__r{name}__", lambda x, y, f=function: apply(f, y, x))
            setattr(class_, f"__i{name}__",
                    lambda x, y, f=function: change(f, x, y))
        for name, other in others.items():
            setattr(class_, f"__{name}__", lambda *values, f=other: apply(f, *values))
        # Makes the functions methods of numbers, too, as in torch: `x.tanh()` is `tanh(x)`, and
        # `x.tanh_()` changes x.
        for name in {**FUNCTIONS, **ALIASES}:
            for method in (name, f"{name}_"):
                if not hasattr(class_, method):
                    setattr(class_, method, lambda x, *args, own=method, **options:
                            call(own, (x, *args), options))
    Row.__torch_function__ = classmethod(  # type: ignore[attr-defined]
        lambda _, function, types, args=(), kwargs=None: call(function.__name__, args,
                                                              kwargs or {}))
    for name in ("__array_ufunc__", "__array_function__"):
        setattr(Row, name, getattr(Number, name))


_install_operators()


class Score(Traced):
    """A traced score function: the text of its score region, with the arrays that the region
    captures."""


def read(array: Any, *indices: Any) -> Number:
    """Reads the element of an array at `indices`, at least one of which is a traced number. The
    array may be of any library."""
    return region_of(*indices).read(array, indices)


def record(region: Region, score_mod: Callable[..., Any]) -> Number:
    """Records a score function in a score region. Returns the score that it yields."""
    score = Number(region, "%s", "f32")
    indices = []
    for name in ("%b", "%h", "%i", "%j"):
        index = region.append(f"arith.index_cast {name} : index to i32", "i32", True)
        region.known[f"{index._name} index"] = Number(region, name, "index", True)
        indices.append(index)
    result = score_mod(score, *indices)
    if isinstance(result, bool) or isinstance(result, Number) and result._type == "i1":
        raise region.error("expected a score, found a condition; "
                           "attn_mlir.score.where makes a score of one")
    return to_f32(number_of(region, result))


def trace(score_mod: Callable[..., Any]) -> Score:
    """Returns the score region of a Python function of (score, b, h, q, kv), with the arrays
    that it captures.

    Raises attn_mlir.Error where the function does what cannot be recorded.
    Source: the `score_mod` of PyTorch's FlexAttention.
    """
    return trace_region(Score, score_mod, "score_mod", "i32", record)
