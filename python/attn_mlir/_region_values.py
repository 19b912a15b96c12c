"""Evaluates the ops of a region by operators of torch or jax.numpy, so that the library can compute
the region's derivatives."""

import re
import struct
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence

from ._errors import Error

# For each MLIR op: the name of the operator that computes it, which is the same in torch and in
# jax.numpy.
_UNARY = {**{f"math.{name}": name for name in
             ("tanh", "exp", "exp2", "expm1", "log", "log2", "log1p", "sqrt", "sin", "cos", "tan",
              "sinh", "cosh", "floor", "ceil", "trunc")},
          "math.asin": "arcsin", "math.acos": "arccos", "math.atan": "arctan",
          "math.asinh": "arcsinh", "math.acosh": "arccosh", "math.atanh": "arctanh",
          "math.absf": "abs", "math.roundeven": "round", "arith.negf": "negative"}
_BINARY = {"math.powf": "pow", "math.atan2": "arctan2", "arith.addf": "add", "arith.addi": "add",
           "arith.subf": "subtract", "arith.subi": "subtract",
           "arith.mulf": "multiply", "arith.muli": "multiply", "arith.divf": "divide",
           "arith.remf": "fmod",
           "arith.maximumf": "maximum", "arith.maxsi": "maximum",
           "arith.minimumf": "minimum", "arith.minsi": "minimum",
           "arith.andi": "bitwise_and", "arith.ori": "bitwise_or", "arith.xori": "bitwise_xor"}
_COMPARISONS = {"slt": "less", "sle": "less_equal", "sgt": "greater", "sge": "greater_equal",
                "ne": "not_equal", "olt": "less", "ole": "less_equal", "ogt": "greater",
                "oge": "greater_equal", "une": "not_equal"}
_CONVERSIONS = ("arith.index_cast", "arith.extsi", "arith.extui", "arith.extf", "arith.truncf",
                "arith.trunci", "arith.sitofp", "arith.fptosi")
_NAME = re.compile(r"%\w+")


class _Op(NamedTuple):
    result: str
    name: str
    rest: str
    operands: List[str]


def _parse(line: str) -> _Op:
    result, _, op = line.strip().rpartition(" = ")
    name, _, rest = op.partition(" ")
    return _Op(result, name, rest, _NAME.findall(rest.partition(" bounds(")[0]))


class Evaluator:
    """Evaluates regions by the operators of `library`, torch or jax.numpy. `others` has, by name, the
    MLIR ops for which `library` has no operator of the same values and derivatives. `equal` is its
    function equal. `constant(value, type, like)` makes a scalar of a type of MLIR on the device of
    the array `like`. `convert(array, type)` converts an array to such a type."""

    def __init__(self, library: Any, others: Dict[str, Callable[..., Any]],
                 equal: Callable[..., Any], constant: Callable[..., Any],
                 convert: Callable[..., Any]) -> None:
        self.library, self.constant, self.convert = library, constant, convert
        self.ops: Dict[str, Callable[..., Any]] = {
            **{op: getattr(library, name) for op, name in (*_UNARY.items(), *_BINARY.items())},
            **others, "arith.select": library.where,
            "arith.floordivsi": self._divide, "arith.divui": self._divide,
            "arith.divsi": self._divide_to_zero, "arith.remsi": self._remainder_to_zero}
        self.comparisons = {
            **{op: getattr(library, name) for op, name in _COMPARISONS.items()},
            "eq": equal, "oeq": equal}

    def _divide(self, x: Any, y: Any) -> Any:
        """Divides integers and rounds down; a division by 0 gives 0."""
        where = self.library.where
        return where(y == 0, 0, self.library.floor_divide(x, where(y == 0, 1, y)))

    def _divide_to_zero(self, x: Any, y: Any) -> Any:
        quotient = self._divide(self.library.abs(x), self.library.abs(y))
        return self.library.where((x < 0) != (y < 0), -quotient, quotient)

    def _remainder_to_zero(self, x: Any, y: Any) -> Any:
        return self.library.where(y == 0, 0, x - self._divide_to_zero(x, y) * y)

    def evaluate(self, text: str, captures: Sequence[Any], indices: Sequence[Any],
                 score: Optional[Any] = None, kept: Optional[Any] = None) -> Any:
        """Returns what a region yields at `indices`, arrays that broadcast against each other.
        Where `kept` is given and false, the result is arbitrary. If a score region has a select, or
        `kept` is given, the region's floats are replaced by 1 where the result does not depend on
        them: an infinite or NaN derivative there would make the result's derivative NaN."""
        header, *lines = text.split("\n")
        names = re.findall(r"(%\w+):", header)
        given: List[Any] = [*([] if score is None else [score]), *indices, *captures]
        *body, last = [_parse(line) for line in lines[:1 + next(
            (n for n, line in enumerate(lines) if "attn.yield" in line), len(lines))]]
        if last.name != "attn.yield":
            raise Error("attention_backward: expected a region that yields, found none")
        known: Dict[str, Any] = dict(zip(names, given))
        has_choice = any([its.name == "arith.select" for its in body])
        if score is not None and (has_choice or kept is not None):
            like = indices[0]
            used = self._find_used(body, self._run(body, known, {}, like), {
                last.operands[0]: self.constant(True, "true", like) if kept is None else kept})
            if names[0] in used:
                known[names[0]] = self.library.where(used[names[0]], score, 1.0)
            return self._run(body, known, used, like)[last.operands[0]]
        return self._run(body, known, {}, indices[0])[last.operands[0]]

    def _run(self, body: Sequence[_Op], known: Dict[str, Any], used: Dict[str, Any],
             like: Any) -> Dict[str, Any]:
        """Returns the values of all ops of a region, by name. `known` has the values of the
        region's arguments. `used` maps names of values to arrays of booleans: the elements of a
        value of type f32 are replaced by 1 where its array is false."""
        known = dict(known)
        for op in body:
            value = self._apply(op.name, op.rest, [known[its] for its in op.operands], like)
            # A comparison of floats, whose text ends with their type, has a boolean as its result.
            if op.result in used and op.name != "arith.cmpf" and op.rest.endswith(" f32"):
                value = self.library.where(used[op.result], value, 1.0)
            known[op.result] = value
        return known

    def _find_used(self, body: Sequence[_Op], known: Dict[str, Any],
                   used: Dict[str, Any]) -> Dict[str, Any]:
        """Returns, by name of a value, a boolean array that is true where the region's result
        depends on the value. `used` has this array for the result itself."""
        used = dict(used)
        for op in reversed(body):
            for number, operand in enumerate(op.operands if op.result in used else ()):
                its = used[op.result]
                if op.name == "arith.select" and number > 0:
                    condition = known[op.operands[0]]
                    its = its & (condition if number == 1 else ~condition)
                used[operand] = used[operand] | its if operand in used else its
        return used

    def _apply(self, name: str, rest: str, operands: Sequence[Any], like: Any) -> Any:
        if name == "arith.constant":
            return self.constant(_number(rest), rest.rpartition(" ")[2], like)
        if name == "attn.read":
            return _read(*operands)
        if name in ("arith.cmpi", "arith.cmpf"):
            return self.comparisons[rest.partition(",")[0]](*operands)
        if name in _CONVERSIONS:
            return self.convert(operands[0], rest.rpartition(" ")[2])
        if name not in self.ops:
            raise Error("attention_backward: expected a function that has a second derivative, "
                        f"found {name}")
        return self.ops[name](*operands)


def _number(text: str) -> Any:
    value, _, type_ = text.partition(" : ")
    if not type_:
        return value == "true"
    if type_ != "f32":
        return int(value)
    return (struct.unpack(">f", bytes.fromhex(value[2:]))[0] if value.startswith("0x")
            else float(value))


def _read(array: Any, *indices: Any) -> Any:
    """Reads elements of an array. An index that is out of bounds reads the nearest element, as in
    kernels."""
    return array[tuple([index.clip(0, size - 1)
                        for index, size in zip(indices, array.shape)])]
