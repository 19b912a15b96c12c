"""Evaluates ops of TOSA on floats in double precision."""

import numpy as np
from evaluate_scalar import narrow, parse_constant

BINARY = {"add": np.add, "sub": np.subtract, "maximum": np.maximum, "minimum": np.minimum,
          "pow": np.power, "greater": np.greater, "greater_equal": np.greater_equal,
          "equal": np.equal}


def tosa(op, operands, shape, element):
    """Returns the result of an op; constant shapes are results, too."""
    name = op.name.removeprefix("tosa.")
    if name in ("const", "const_shape"):
        return parse_constant(op.attributes["values"])
    x = operands[0]
    with np.errstate(all="ignore"):
        if name in BINARY:
            return BINARY[name](*operands)
        if name == "mul":
            return operands[0] * operands[1]  # the shift is of integers
        if name == "matmul":
            assert not operands[2].any() and not operands[3].any()
            return operands[0] @ operands[1]
        if name == "exp":
            return np.exp(x)
        if name == "reciprocal":
            return 1 / x
        if name == "select":
            return np.where(*operands)
        if name == "cast":
            return narrow(x, element)
        if name == "reshape":
            return x.reshape([int(n) for n in operands[1]])
        if name == "tile":
            return np.tile(x, [int(n) for n in operands[1]])
        if name == "transpose":
            return np.transpose(x, op.numbers("perms"))
        if name in ("reduce_max", "reduce_sum"):
            combine = np.max if name == "reduce_max" else np.sum
            return combine(x, int(op.number("axis")), keepdims=True)
    raise NotImplementedError(op.name)
