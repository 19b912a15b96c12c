"""Types, constants and scalar ops of the modules that evaluate.py evaluates. Scalar ops are applied
to arrays."""

import math
import re

import numpy as np

DTYPES = {"f16": np.float64, "bf16": np.float64, "f32": np.float64, "f64": np.float64,
          "i1": np.bool_, "index": np.int64}


def parse_type(text):
    """Returns the shape, with None for dynamic sizes, and the element type."""
    found = re.match(r"tensor<((?:[\d?]+x)*)(\w+)", text)
    if not found:
        return None, text.strip()
    return [None if x == "?" else int(x) for x in found[1].split("x") if x], found[2]


def dtype(element):
    return DTYPES.get(element, np.int64)


def parse_scalar(text, element):
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("0x"):
        bits = int(text, 16)
        kind = {"f32": (np.uint32, np.float32), "f16": (np.uint16, np.float16),
                "f64": (np.uint64, np.float64)}.get(element)
        if kind:
            return float(np.array(bits, kind[0]).view(kind[1]))
        if element == "bf16":
            return float(np.array(bits << 16, np.uint32).view(np.float32))
        return bits
    return float(text) if element[0] in "fb" else int(text)


def parse_constant(text):
    found = re.match(r"dense<(.*)>\s*:\s*(tensor<.*>)$", text, re.S)
    if not found:
        value, _, element = text.partition(":")
        element = element.strip() or "i1"
        return np.array(parse_scalar(value.strip(), element), dtype(element))
    shape, element = parse_type(found[2])
    body = found[1].strip()
    if body.startswith('"0x'):
        kind = {"f32": "<f4", "f16": "<f2", "f64": "<f8", "i64": "<i8", "i32": "<i4"}[element]
        return np.frombuffer(bytes.fromhex(body[3:-1]), kind).reshape(shape).astype(
            dtype(element))
    values = [parse_scalar(x, element)
              for x in re.findall(r"true|false|0x[0-9A-Fa-f]+|-?[\d.]+(?:[eE][-+]?\d+)?", body)]
    return np.broadcast_to(np.array(values, dtype(element)).reshape(
        shape if len(values) > 1 or np.prod(shape) == 1 else []), shape)


def compare(kind, predicate, a, b):
    if kind == "f":
        names = {1: np.equal, 2: np.greater, 3: np.greater_equal, 4: np.less, 5: np.less_equal,
                 6: np.not_equal, 8: np.equal, 9: np.greater, 10: np.greater_equal, 11: np.less,
                 12: np.less_equal, 13: np.not_equal}
    else:
        names = {0: np.equal, 1: np.not_equal, 2: np.less, 3: np.less_equal, 4: np.greater,
                 5: np.greater_equal, 6: np.less, 7: np.less_equal, 8: np.greater,
                 9: np.greater_equal}
    return names[predicate](a, b)


def narrow(x, element):
    """Replaces numbers out of the type's range by infinity. Other numbers are not rounded to the
    type."""
    most = {"f16": 65520, "f32": 3.4028236e38, "bf16": 3.3961776e38}.get(element)
    return np.where(np.abs(x) >= most, np.sign(x) * np.inf, x) if most else x


UNARY = {"math.exp": np.exp, "math.cos": np.cos, "math.sin": np.sin, "math.tanh": np.tanh, "math.sqrt": np.sqrt, "math.absf": np.abs,
         "math.exp2": np.exp2, "math.log": np.log, "math.rsqrt": lambda x: 1 / np.sqrt(x),
         "arith.negf": np.negative, "math.absi": np.abs, "math.floor": np.floor,
         "math.erf": np.vectorize(math.erf, otypes=[float])}
BINARY = {"add": np.add, "sub": np.subtract, "mul": np.multiply,
          "maximum": np.maximum, "maxnum": np.fmax, "minimum": np.minimum, "minnum": np.fmin,
          "maxs": np.maximum, "maxu": np.maximum, "mins": np.minimum, "and": np.bitwise_and, "or": np.bitwise_or,
          "xor": np.bitwise_xor, "floordivs": np.floor_divide}


def scalar(op, operands, element):
    """Evaluates an op of arith or math on each element of arrays of the same shape."""
    name = op.name
    with np.errstate(all="ignore"):
        if name in UNARY:
            return UNARY[name](operands[0])
        if name in ("math.powf", "math.fpowi"):
            return np.power(*operands)
        if name in ("arith.cmpf", "arith.cmpi"):
            return compare(name[-1], int(op.number("predicate")), *operands)
        if name == "arith.select":
            return np.where(*operands)
        if name in ("arith.extf", "arith.truncf"):
            return narrow(operands[0], element)
        if name in ("arith.sitofp", "arith.uitofp", "arith.index_cast", "arith.extsi",
                    "arith.extui", "arith.trunci", "arith.fptosi"):
            return np.trunc(operands[0]).astype(dtype(element)) if element != "i1" else (
                operands[0].astype(np.int64) & 1).astype(bool)
        if name == "arith.divf":
            return np.divide(*operands)
        if name in ("arith.remsi", "arith.divsi"):
            quotient = np.trunc(operands[0] / np.where(operands[1] == 0, 1, operands[1]))
            quotient = quotient.astype(np.int64)
            return quotient if name == "arith.divsi" else operands[0] - quotient * operands[1]
        base = name.removeprefix("arith.")
        for suffix in "fi":
            if base.endswith(suffix) and base[:-1] in BINARY:
                return BINARY[base[:-1]](*operands)
    raise NotImplementedError(name)
