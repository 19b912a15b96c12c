"""Evaluates a region by torch's operators, which have derivatives of any order."""

import re
import struct
from typing import Any, Callable, Dict, List, Optional, Sequence

import torch

from ._errors import Error

_OPS: Dict[str, Callable[..., torch.Tensor]] = {
    **{f"math.{name}": getattr(torch, name) for name in
       ("tanh", "exp", "exp2", "expm1", "log", "log2", "log1p", "sqrt", "erf", "sin", "cos",
        "tan", "sinh", "cosh", "asin", "acos", "atan", "floor", "ceil", "trunc")},
    "math.absf": torch.abs, "math.roundeven": torch.round, "math.powf": torch.pow,
    "arith.negf": torch.neg, "arith.select": torch.where,
    "arith.addf": torch.add, "arith.addi": torch.add,
    "arith.subf": torch.sub, "arith.subi": torch.sub,
    "arith.mulf": torch.mul, "arith.muli": torch.mul,
    "arith.divf": torch.div,
    "arith.maximumf": torch.maximum, "arith.maxsi": torch.maximum,
    "arith.minimumf": torch.minimum, "arith.minsi": torch.minimum,
    "arith.andi": torch.bitwise_and, "arith.ori": torch.bitwise_or,
    "arith.xori": torch.bitwise_xor,
}
_COMPARISONS = {"slt": torch.lt, "sle": torch.le, "sgt": torch.gt, "sge": torch.ge,
                "eq": torch.eq, "ne": torch.ne, "olt": torch.lt, "ole": torch.le,
                "ogt": torch.gt, "oge": torch.ge, "oeq": torch.eq, "une": torch.ne}
_CONVERSIONS = ("arith.index_cast", "arith.extsi", "arith.extui", "arith.extf",
                "arith.sitofp", "arith.fptosi")
_NAME = re.compile(r"%\w+")


def _divide(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Rounded down; by 0 it is 0."""
    return torch.where(y == 0, 0, torch.div(x, torch.where(y == 0, 1, y),
                                            rounding_mode="floor"))


_OPS.update({"arith.floordivsi": _divide, "arith.divui": _divide})


def _constant(text: str, device: Any) -> torch.Tensor:
    value, _, type_ = text.partition(" : ")
    if not type_:
        return torch.tensor(value == "true", device=device)
    if type_ != "f32":
        return torch.tensor(int(value), device=device)
    number = (struct.unpack(">f", bytes.fromhex(value[2:]))[0] if value.startswith("0x")
              else float(value))
    return torch.tensor(number, dtype=torch.float32, device=device)


def _read(array: torch.Tensor, indices: Sequence[torch.Tensor]) -> torch.Tensor:
    """An index out of bounds is that of the nearest element."""
    return array[tuple([index.clamp(0, size - 1)
                        for index, size in zip(indices, array.shape)])]


def evaluate(text: str, captures: Sequence[torch.Tensor],
             indices: Sequence[torch.Tensor],
             score: Optional[torch.Tensor] = None) -> torch.Tensor:
    """The values that a region yields at the given indices, which broadcast."""
    header, *lines = text.split("\n")
    names = re.findall(r"(%\w+):", header)
    given: List[torch.Tensor] = [*([] if score is None else [score]), *indices, *captures]
    known: Dict[str, torch.Tensor] = dict(zip(names, given))
    for line in lines:
        result, _, op = line.strip().partition(" = ")
        name, _, rest = op.partition(" ")
        if result.startswith("attn.yield"):
            return known[_NAME.findall(result)[0]]
        operands = [known[its] for its in _NAME.findall(rest.partition(" bounds(")[0])]
        known[result] = _apply(name, rest, operands, indices[0].device)
    raise Error("attention_backward: expected a region that yields, found none")


def _apply(name: str, rest: str, operands: Sequence[torch.Tensor],
           device: Any) -> torch.Tensor:
    if name == "arith.constant":
        return _constant(rest, device)
    if name == "attn.read":
        return _read(operands[0], operands[1:])
    if name in ("arith.cmpi", "arith.cmpf"):
        compare = _COMPARISONS[rest.partition(",")[0]]
        return compare(*operands)
    if name in _CONVERSIONS:
        return operands[0].to(torch.float32 if rest.endswith("f32") else torch.int64)
    if name not in _OPS:
        raise Error("attention_backward: expected a function that has a second derivative, "
                    f"found {name}")
    return _OPS[name](*operands)
