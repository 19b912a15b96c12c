"""Evaluates ops of the torch dialect in double precision. Types are read as those of builtin tensors
(see builtin_types)."""

import math
import re

import numpy as np
from evaluate_attention import softmax
from evaluate_onnx import contrib
from evaluate_scalar import narrow, parse_constant

UNARY = {"exp": np.exp, "log": np.log, "neg": np.negative, "tanh": np.tanh,
         "rsqrt": lambda x: 1 / np.sqrt(x), "reciprocal": lambda x: 1 / x,
         "logical_not": np.logical_not, "bitwise_not": np.logical_not}
BINARY = {"mul": np.multiply, "div": np.divide, "maximum": np.maximum, "eq": np.equal,
          "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
          "ge": np.greater_equal, "logical_and": np.logical_and, "logical_or": np.logical_or}
SAME = ("contiguous", "clone", "detach", "alias", "dropout")


def builtin_types(text):
    """Returns the text of a module with builtin tensors in place of torch's types."""
    def replace(found):
        sizes = [x.strip() for x in found[1].split(",") if x.strip()]
        return f"tensor<{''.join(x + 'x' for x in sizes)}{found[2].removeprefix('s')}>"
    return re.sub(r"!torch\.vtensor<\[([\d,? ]*)\],(\w+)>", replace, text)


def attend(q, k, v, mask, dropout, causal, scale=None, grouped=False):
    assert dropout == 0
    if grouped:
        k, v = (np.repeat(x, q.shape[-3] // k.shape[-3], axis=-3) for x in (k, v))
    s = q @ np.swapaxes(k, -1, -2)
    s = s * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if causal:
        s = np.where(np.tri(*s.shape[-2:], dtype=bool), s, -np.inf)
    if mask is not None:
        s = np.where(mask, s, -np.inf) if mask.dtype == bool else s + mask
    return softmax(s) @ v


def kernel(name, operands):
    """Evaluates the kernels of torch that also give the lse, and their gradients."""
    backward = name.endswith("_backward")
    if backward:
        gradient, *operands = operands
    q, k, v, *rest = operands
    if "efficient" in name:
        mask, (causal, scale) = rest[0], rest[-2:]
    else:
        causal, mask, scale = rest[-3:]
    s = q @ np.swapaxes(k, -1, -2) * (1 / math.sqrt(q.shape[-1]) if scale is None else scale)
    if causal:
        s = np.where(np.tri(*s.shape[-2:], dtype=bool), s, -np.inf)
    if mask is not None:
        s = np.where(mask, s, -np.inf) if mask.dtype == bool else s + mask
    p = softmax(s)
    lse = np.log(np.exp(s).sum(-1))
    if not backward:
        return p @ v, lse, None, None
    assert np.allclose(rest[2 if "efficient" in name else 1], lse)
    dp = gradient @ np.swapaxes(v, -1, -2)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True))
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    of_mask = None
    if "efficient" in name:
        shared = tuple(d for d in range(4) if mask.shape[d] == 1 != ds.shape[d])
        of_mask = ds.sum(shared, keepdims=True)
    return (scale * ds @ k, scale * np.swapaxes(ds, -1, -2) @ q,
            np.swapaxes(p, -1, -2) @ gradient, of_mask)


def onnx(name, op, operands):
    """Evaluates an operator of com.microsoft, whose domain torch-mlir's importer leaves out."""
    names = {x.removeprefix("torch.onnx."): x for x in op.attributes}
    numbers = {x: op.number(y) for x, y in names.items() if re.match(r"-?\d", op.attributes[y])}
    numbers |= {x: [int(n.split(":")[0]) for n in op.attributes[y][1:-1].split(",")]
                for x, y in names.items() if re.match(r"\[-?\d", op.attributes[y])}
    return contrib(name.split(".")[-1], numbers, operands)[:len(op.results)]


def torch(op, operands, shape, element):
    """Returns the result of an op, or a tuple of several."""
    name = op.name.removeprefix("torch.")
    if name == "operator":
        name = op.attributes["name"].strip('"').removeprefix("torch.")
    if name.startswith("onnx."):
        return onnx(name, op, operands)
    if name in ("constant.none", "constant.device"):
        return None
    if name.startswith("constant.") or name == "vtensor.literal":
        value = parse_constant(op.attributes["value"].replace("xsi64>", "xi64>"))
        return value.item() if value.ndim == 0 and name != "vtensor.literal" else value
    if name == "prim.ListConstruct":
        return list(operands)
    name = name.removeprefix("aten.").removeprefix("prims.")
    base = name.split(".")[0]
    x = operands[0]
    with np.errstate(all="ignore"):
        if base.startswith("_scaled_dot_product_"):
            return kernel(base, operands)[:len(op.results)]
        if base == "scaled_dot_product_attention":
            return attend(*operands)
        if base in ("matmul", "bmm", "mm"):
            return operands[0] @ operands[1]
        if base == "baddbmm":
            product = operands[4] * (operands[1] @ operands[2])
            return product + operands[3] * x if operands[3] else product
        if base == "cat":
            return np.concatenate(*operands)
        if base == "transpose":
            return np.swapaxes(*operands)
        if base == "t":
            return x.T
        if base == "permute":
            return np.transpose(*operands)
        if base in ("view", "reshape", "_unsafe_view"):
            return x.reshape(operands[1])
        if base == "unsqueeze":
            return np.expand_dims(*operands)
        if base == "squeeze":
            array, dims = operands
            dims = dims if isinstance(dims, list) else [dims]
            return np.squeeze(array, tuple(d for d in dims if array.shape[d] == 1))
        if base == "expand":
            sizes = operands[1]
            old = (1,) * (len(sizes) - x.ndim) + x.shape
            return np.broadcast_to(x, [o if n == -1 else n for n, o in zip(sizes, old)])
        if base == "slice":
            at = [slice(None)] * x.ndim
            at[operands[1]] = slice(operands[2], operands[3], operands[4])
            return x[tuple(at)]
        if base == "select":
            return np.take(x, operands[2], operands[1])
        if base in SAME:
            assert base != "dropout" or not operands[2] or operands[1] == 0
            return x
        if base in ("to", "_to_copy", "convert_element_type"):
            return narrow(x, element) if element[0] in "fb" else x
        if base in ("softmax", "_softmax"):
            e = np.exp(x - x.max(operands[1], keepdims=True))
            return e / e.sum(operands[1], keepdims=True)
        if base == "_softmax_backward_data":
            p = operands[1]
            return p * (x - (x * p).sum(operands[2], keepdims=True))
        if base in ("sum", "amax"):
            combine = np.sum if base == "sum" else np.max
            return combine(x, tuple(operands[1]), keepdims=operands[2])
        if base == "size":
            return x.shape[operands[1]]
        if name in ("add.int", "mul.int"):
            return x + operands[1] if base == "add" else x * operands[1]
        if base == "any":
            return x.any(operands[1], keepdims=operands[2])
        if base in ("full_like", "scalar_tensor"):
            value = operands[1] if base == "full_like" else x
            return np.full(np.shape(x) if base == "full_like" else (), value, np.float64)
        if base in ("add", "sub"):
            return x + operands[1] * operands[2] * (1 if base == "add" else -1)
        if base == "where":
            return np.where(*operands)
        if base == "masked_fill":
            return np.where(operands[1], operands[2], x)
        if base in ("tril", "triu"):
            return getattr(np, base)(x, operands[1])
        if base == "arange":
            first, last = (0, x) if name == "arange" else operands[:2]
            assert name != "arange.start_step" or operands[2] == 1
            return np.arange(first, last)
        if base in ("ones", "zeros", "empty", "full"):
            value = {"ones": 1, "zeros": 0, "empty": math.nan}.get(base)
            value = operands[1] if value is None else value
            value = bool(value) if element == "i1" else value
            return np.full(shape, value, np.float64 if element[0] in "fb" else None)
        if base in UNARY:
            return UNARY[base](x)
        if base in BINARY:
            return BINARY[base](operands[0], operands[1])
    raise NotImplementedError(op.name)
