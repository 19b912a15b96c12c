"""Score functions: Python on traced numbers, made into a score region.

A score function takes (score, b, h, q, kv) and returns the new score, as
FlexAttention's `score_mod` does: the score in natural units as f32, and the indices
of batch entry, query head, query row and key as i32. It is called once, with
`Number`s that record what is done to them:

    from attn_mlir import score

    def capped_alibi(s, b, h, q, kv):
        s = 30 * score.tanh(s / 30)
        return score.where(q >= kv, s + score.exp2(-(h + 1.0)) * (kv - q), -math.inf)

Operators follow Python: `/` is in f32, `//` and `%` round down; by an integer 0, `//`
gives 0, and so `%` the dividend. Values that the function captures are constants. The
functions of this module have torch's and NumPy's names, and `torch.where`,
`torch.tanh`, `numpy.exp` and so on on `Number`s do the same. What a function tests
(`if q > kv`) is not recorded: use `where`.
"""

import ctypes
import math
import struct
from typing import Any, Callable, Dict, List, Tuple, Union

from ._errors import Error

__all__ = ["Number", "Score", "trace"]  # and the functions, below


class _Region:
    """The ops recorded so far. Equal ops are recorded once."""

    def __init__(self) -> None:
        self.lines: List[str] = []
        self.known: Dict[str, "Number"] = {}

    def append(self, op: str, type_: str) -> "Number":
        if op not in self.known:
            number = Number(self, f"%{len(self.lines)}", type_)
            self.lines.append(f"      {number._name} = {op}")
            self.known[op] = number
        return self.known[op]

    def constant(self, value: Union[bool, int, float]) -> "Number":
        if isinstance(value, bool):
            return self.append(f"arith.constant {str(value).lower()}", "i1")
        if isinstance(value, int) and -2**31 <= value < 2**31:
            return self.append(f"arith.constant {value} : i32", "i32")
        # Rounded to f32 as C does, large numbers to infinity.
        large = isinstance(value, int) and abs(value) >= 2**128
        rounded = ctypes.c_float(math.copysign(math.inf, 1 if value > 0 else -1)
                                 if large else value).value
        bits = struct.unpack("<I", struct.pack("<f", rounded))[0]
        return self.append(f"arith.constant 0x{bits:08X} : f32", "f32")


class Number:
    """A number that is known once the kernel runs."""

    __slots__ = ("_region", "_name", "_type")
    # NumPy's scalars leave operators to this class.
    __array_priority__ = 1000

    def __init__(self, region: _Region, name: str, type_: str) -> None:
        self._region, self._name, self._type = region, name, type_

    def __repr__(self) -> str:
        return f"<{self._name} : {self._type}>"

    def __bool__(self) -> bool:
        raise Error("score_mod: expected no branch on a traced number; "
                    "attn_mlir.score.where selects one of two")

    def _no_value(self, *_: Any) -> Any:
        raise Error("score_mod: expected no use of a traced number's value (as an "
                    "index of a tensor or by Python's math); compute with the "
                    "functions of attn_mlir.score")

    __float__ = __int__ = __index__ = __complex__ = __iter__ = __len__ = _no_value
    __hash__ = object.__hash__

    def to(self, *_: Any, **__: Any) -> "Number":
        """Itself: all numbers are f32 or i32."""
        return self

    def float(self) -> "Number":
        return _to_f32(self)

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Tuple = (),
                           kwargs: Any = None) -> Any:
        return _call(function.__name__, args, kwargs or {})

    def __array_ufunc__(self, function: Any, method: str, *args: Any,
                        **kwargs: Any) -> Any:
        if method != "__call__":
            return NotImplemented
        return _call(function.__name__, args, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Tuple,
                           kwargs: Any) -> Any:
        return _call(function.__name__, args, kwargs)


def _call(name: str, args: Tuple, kwargs: Dict[str, Any]) -> Any:
    function = _FUNCTIONS.get(_ALIASES.get(name, name))
    if function is None:
        raise Error(f"score_mod: expected a function of attn_mlir.score, found {name}")
    return function(*args, **kwargs)


def _region(*values: Any) -> _Region:
    for value in values:
        if isinstance(value, Number):
            return value._region
    raise Error("score_mod: expected a traced number, found "
                + ", ".join(type(value).__name__ for value in values))


def _plain(value: Any) -> Any:
    """The value as Python's own if it is a captured scalar: those of NumPy's and
    tensors of one element have `item`."""
    if isinstance(value, (Number, bool, int, float)) or not hasattr(value, "item"):
        return value
    if getattr(value, "shape", ()) not in ((), (1,)):
        raise Error("score_mod: expected captured scalars, found an array of shape "
                    f"{tuple(value.shape)}")
    return value.item()


def _number(region: _Region, value: Any) -> Number:
    """A number of this region, from a constant if need be."""
    if isinstance(value, Number):
        if value._region is not region:
            raise Error("score_mod: expected numbers of one call, found one of another")
        return value
    value = _plain(value)
    if not isinstance(value, (bool, int, float)):
        raise Error("score_mod: expected a number, found "
                    f"{type(value).__module__}.{type(value).__qualname__}")
    return region.constant(value)


def _to_i32(value: Number) -> Number:
    if value._type == "i1":
        return value._region.append(f"arith.extui {value._name} : i1 to i32", "i32")
    return value


def _to_f32(value: Number) -> Number:
    value = _to_i32(value)
    if value._type == "i32":
        return value._region.append(f"arith.sitofp {value._name} : i32 to f32", "f32")
    return value


def _to_i1(value: Number) -> Number:
    if value._type == "i1":
        return value
    raise Error("score_mod: expected a condition, found a number")


def _operands(*values: Any) -> Tuple[Number, ...]:
    """As i32 if all are integers, else as f32."""
    region = _region(*values)
    numbers = [_number(region, value) for value in values]
    convert = _to_f32 if any(n._type == "f32" for n in numbers) else _to_i32
    return tuple(convert(number) for number in numbers)


def _emit(op: str, *operands: Number) -> Number:
    names = ", ".join(number._name for number in operands)
    type_ = operands[0]._type
    return operands[0]._region.append(f"{op} {names} : {type_}", type_)


def _arithmetic(int_op: str, float_op: str) -> Callable[[Any, Any], Number]:
    def apply(x: Any, y: Any) -> Number:
        x, y = _operands(x, y)
        return _emit(int_op if x._type == "i32" else float_op, x, y)
    return apply


def _comparison(int_predicate: str, float_predicate: str) -> Callable[[Any, Any], Number]:
    def apply(x: Any, y: Any) -> Number:
        x, y = _operands(x, y)
        op, predicate = (("cmpi", int_predicate) if x._type == "i32"
                         else ("cmpf", float_predicate))
        return x._region.append(
            f"arith.{op} {predicate}, {x._name}, {y._name} : {x._type}", "i1")
    return apply


def _bitwise(op: str) -> Callable[[Any, Any], Number]:
    def apply(x: Any, y: Any) -> Number:
        region = _region(x, y)
        x, y = _number(region, x), _number(region, y)
        if "f32" in (x._type, y._type):
            raise Error("score_mod: expected conditions or integers for &, | and ^, "
                        "found f32")
        if x._type != y._type:
            x, y = _to_i32(x), _to_i32(y)
        return _emit(op, x, y)
    return apply


def _unary(op: str) -> Callable[[Any], Number]:
    def apply(x: Any) -> Number:
        return _emit(op, _to_f32(_number(_region(x), x)))
    return apply


def _divide(x: Any, y: Any) -> Number:
    region = _region(x, y)
    return _emit("arith.divf", _to_f32(_number(region, x)), _to_f32(_number(region, y)))


def _floor_divide(x: Any, y: Any) -> Number:
    divisor = _plain(y)
    x, y = _operands(x, divisor)
    if x._type == "i32":
        # As in Python; a divisor that only the kernel knows cannot be refused.
        if isinstance(divisor, int) and divisor == 0:
            raise Error("score_mod: expected an integer divisor other than 0, found 0")
        return _emit("arith.floordivsi", x, y)
    return _emit("math.floor", _emit("arith.divf", x, y))


def _remainder(x: Any, y: Any) -> Number:
    return _subtract(x, _multiply(_floor_divide(x, y), y))


def _power(x: Any, y: Any) -> Number:
    x, y = _plain(x), _plain(y)
    if isinstance(y, int) and 0 < y <= 8 and isinstance(x, Number):
        result = x
        for _ in range(y - 1):
            result = _multiply(result, x)
        return result
    if isinstance(x, (int, float)) and x == 2:
        return exp2(y)
    region = _region(x, y)
    return _emit("math.powf", _to_f32(_number(region, x)), _to_f32(_number(region, y)))


def _negative(x: Any) -> Number:
    return _subtract(0, x) if x._type != "f32" else _emit("arith.negf", x)


def _not(x: Any) -> Number:
    return _bitwise("arith.xori")(x, True if x._type == "i1" else -1)


def where(condition: Any, x: Any, y: Any) -> Number:
    """`x` where the condition holds, else `y`."""
    region = _region(condition, x, y)
    condition = _to_i1(_number(region, condition))
    numbers = [_number(region, value) for value in (x, y)]
    types = {number._type for number in numbers}
    if len(types) > 1:
        convert = _to_f32 if "f32" in types else _to_i32
        numbers = [convert(number) for number in numbers]
    x, y = numbers
    return region.append(f"arith.select {condition._name}, {x._name}, {y._name} : "
                         f"{x._type}", x._type)


def absolute(x: Any) -> Number:
    """|x|."""
    x = _to_i32(_number(_region(x), x))
    return maximum(x, _negative(x)) if x._type == "i32" else _emit("math.absf", x)


def clamp(x: Any, min: Any = None, max: Any = None) -> Number:
    """`x` within [min, max]; a bound may be None."""
    x = x if min is None else maximum(x, min)
    return x if max is None else minimum(x, max)


def sigmoid(x: Any) -> Number:
    """1 / (1 + e^-x)."""
    return _divide(1.0, _add(1.0, exp(_multiply(x, -1.0))))


def relu(x: Any) -> Number:
    """max(x, 0)."""
    return maximum(x, 0)


def rsqrt(x: Any) -> Number:
    """1 / sqrt(x)."""
    return _divide(1.0, sqrt(x))


_add = _arithmetic("arith.addi", "arith.addf")
_subtract = _arithmetic("arith.subi", "arith.subf")
_multiply = _arithmetic("arith.muli", "arith.mulf")
minimum = _arithmetic("arith.minsi", "arith.minimumf")
maximum = _arithmetic("arith.maxsi", "arith.maximumf")
_less = _comparison("slt", "olt")
_less_equal = _comparison("sle", "ole")
_greater = _comparison("sgt", "ogt")
_greater_equal = _comparison("sge", "oge")
_equal = _comparison("eq", "oeq")
_not_equal = _comparison("ne", "une")
_and, _or, _xor = map(_bitwise, ("arith.andi", "arith.ori", "arith.xori"))

exp, exp2, expm1 = map(_unary, ("math.exp", "math.exp2", "math.expm1"))
log, log2, log1p = map(_unary, ("math.log", "math.log2", "math.log1p"))
sqrt, erf, tanh = map(_unary, ("math.sqrt", "math.erf", "math.tanh"))
sin, cos, tan = map(_unary, ("math.sin", "math.cos", "math.tan"))
sinh, cosh = map(_unary, ("math.sinh", "math.cosh"))
asin, acos, atan = map(_unary, ("math.asin", "math.acos", "math.atan"))
floor, ceil = map(_unary, ("math.floor", "math.ceil"))
trunc, round = map(_unary, ("math.trunc", "math.roundeven"))

_NAMES = ("where absolute clamp minimum maximum sigmoid relu rsqrt exp exp2 expm1 log "
          "log2 log1p sqrt erf tanh sin cos tan sinh cosh asin acos atan floor ceil "
          "trunc round").split()
__all__ += _NAMES
_FUNCTIONS: Dict[str, Callable[..., Number]] = {name: globals()[name] for name in _NAMES}
_FUNCTIONS.update(
    add=_add, subtract=_subtract, multiply=_multiply, divide=_divide,
    floor_divide=_floor_divide, remainder=_remainder, power=_power, negative=_negative,
    less=_less, less_equal=_less_equal, greater=_greater, greater_equal=_greater_equal,
    equal=_equal, not_equal=_not_equal, bitwise_and=_and, bitwise_or=_or,
    bitwise_xor=_xor, bitwise_not=_not)
# Names of torch's and NumPy's for the same.
_ALIASES = {"abs": "absolute", "sub": "subtract", "mul": "multiply", "div": "divide",
            "true_divide": "divide", "pow": "power", "float_power": "power",
            "neg": "negative", "lt": "less", "le": "less_equal", "gt": "greater",
            "ge": "greater_equal", "eq": "equal", "ne": "not_equal",
            "logical_and": "bitwise_and", "logical_or": "bitwise_or",
            "logical_not": "bitwise_not", "logical_xor": "bitwise_xor",
            "invert": "bitwise_not", "clip": "clamp", "min": "minimum",
            "max": "maximum", "rint": "round", "arcsin": "asin", "arccos": "acos",
            "arctan": "atan"}


def _install_operators() -> None:
    binary = {"add": _add, "sub": _subtract, "mul": _multiply, "truediv": _divide,
              "floordiv": _floor_divide, "mod": _remainder, "pow": _power, "and": _and,
              "or": _or, "xor": _xor}
    for name, function in binary.items():
        setattr(Number, f"__{name}__", lambda x, y, f=function: f(x, y))
        setattr(Number, f"__r{name}__", lambda x, y, f=function: f(y, x))
    for name, function in {"lt": _less, "le": _less_equal, "gt": _greater,
                           "ge": _greater_equal, "eq": _equal,
                           "ne": _not_equal}.items():
        setattr(Number, f"__{name}__", lambda x, y, f=function: f(x, y))
    for name, unary in {"neg": _negative, "abs": absolute, "invert": _not}.items():
        setattr(Number, f"__{name}__", lambda x, f=unary: f(x))
    # tensor.tanh() and the like.
    for name in {**_FUNCTIONS, **_ALIASES}:
        if not hasattr(Number, name):
            function = _FUNCTIONS[_ALIASES.get(name, name)]
            setattr(Number, name, lambda x, *args, f=function: f(x, *args))


_install_operators()


class Score(str):
    """A traced score function: the text of its score region."""

    # A plain string, which torch.compile takes for a constant.
    text: str

    def __init__(self, text: str) -> None:
        self.text = text


def trace(score_mod: Callable[..., Any]) -> Score:
    """The score region of a Python function of (score, b, h, q, kv).

    Raises attn_mlir.Error where the function does what cannot be recorded.
    Source: the `score_mod` of PyTorch's FlexAttention.
    """
    region = _Region()
    score = Number(region, "%s", "f32")
    indices = [region.append(f"arith.index_cast {name} : index to i32", "i32")
               for name in ("%b", "%h", "%i", "%j")]
    try:
        result = score_mod(score, *indices)
    except (IndexError, TypeError) as error:
        raise Error(f"score_mod: {error}") from error
    if isinstance(result, bool) or isinstance(result, Number) and result._type == "i1":
        raise Error("score_mod: expected a score, found a condition; "
                    "attn_mlir.score.where makes a score of one")
    result = _to_f32(_number(region, result))
    return Score("\n".join([
        "    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):",
        *region.lines, f"      attn.yield {result._name} : f32"]))
