"""Evaluates a region by the operators of a library of arrays, which knows their derivatives."""

import re
import struct
from typing import Any, Callable, Dict, List, Optional, Sequence

from ._errors import Error

# Names that torch and jax.numpy share.
_UNARY = {**{f"math.{name}": name for name in
             ("tanh", "exp", "exp2", "expm1", "log", "log2", "log1p", "sqrt", "sin", "cos", "tan",
              "sinh", "cosh", "floor", "ceil", "trunc")},
          "math.asin": "arcsin", "math.acos": "arccos", "math.atan": "arctan",
          "math.absf": "abs", "math.roundeven": "round", "arith.negf": "negative"}
_BINARY = {"math.powf": "pow", "arith.addf": "add", "arith.addi": "add",
           "arith.subf": "subtract", "arith.subi": "subtract",
           "arith.mulf": "multiply", "arith.muli": "multiply", "arith.divf": "divide",
           "arith.maximumf": "maximum", "arith.maxsi": "maximum",
           "arith.minimumf": "minimum", "arith.minsi": "minimum",
           "arith.andi": "bitwise_and", "arith.ori": "bitwise_or", "arith.xori": "bitwise_xor"}
_COMPARISONS = {"slt": "less", "sle": "less_equal", "sgt": "greater", "sge": "greater_equal",
                "ne": "not_equal", "olt": "less", "ole": "less_equal", "ogt": "greater",
                "oge": "greater_equal", "une": "not_equal"}
_CONVERSIONS = ("arith.index_cast", "arith.extsi", "arith.extui", "arith.extf",
                "arith.sitofp", "arith.fptosi")
_NAME = re.compile(r"%\w+")


class Evaluator:
    """`library` is torch or jax.numpy, `erf` and `equal` are its functions of these names.
    `constant` makes a scalar of a bool, an int or a float, of a type of MLIR's and on the device
    of an array, and `convert` makes an array of such a type of an array."""

    def __init__(self, library: Any, erf: Callable[..., Any], equal: Callable[..., Any],
                 constant: Callable[..., Any], convert: Callable[..., Any]) -> None:
        self.library, self.constant, self.convert = library, constant, convert
        self.ops: Dict[str, Callable[..., Any]] = {
            **{op: getattr(library, name) for op, name in (*_UNARY.items(), *_BINARY.items())},
            "math.erf": erf, "arith.select": library.where,
            "arith.floordivsi": self._divide, "arith.divui": self._divide,
            "arith.divsi": self._divide_to_zero}
        self.comparisons = {
            **{op: getattr(library, name) for op, name in _COMPARISONS.items()},
            "eq": equal, "oeq": equal}

    def _divide(self, x: Any, y: Any) -> Any:
        """Rounded down; by 0 it is 0."""
        where = self.library.where
        return where(y == 0, 0, self.library.floor_divide(x, where(y == 0, 1, y)))

    def _divide_to_zero(self, x: Any, y: Any) -> Any:
        quotient = self._divide(self.library.abs(x), self.library.abs(y))
        return self.library.where((x < 0) != (y < 0), -quotient, quotient)

    def evaluate(self, text: str, captures: Sequence[Any], indices: Sequence[Any],
                 score: Optional[Any] = None) -> Any:
        """The values that a region yields at the given indices, which broadcast."""
        header, *lines = text.split("\n")
        names = re.findall(r"(%\w+):", header)
        given: List[Any] = [*([] if score is None else [score]), *indices, *captures]
        known: Dict[str, Any] = dict(zip(names, given))
        for line in lines:
            result, _, op = line.strip().partition(" = ")
            name, _, rest = op.partition(" ")
            if result.startswith("attn.yield"):
                return known[_NAME.findall(result)[0]]
            operands = [known[its] for its in _NAME.findall(rest.partition(" bounds(")[0])]
            known[result] = self._apply(name, rest, operands, indices[0])
        raise Error("attention_backward: expected a region that yields, found none")

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
    """An index out of bounds is that of the nearest element."""
    return array[tuple([index.clip(0, size - 1)
                        for index, size in zip(indices, array.shape)])]
