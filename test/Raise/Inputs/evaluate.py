"""Evaluates modules in the generic form in double precision: linalg on tensors, tensor, arith,
math, StableHLO, and attn.attention by its formula. Shares no code with the compiler."""

import math
import re

import numpy as np
from mlir_text import read

DTYPES = {"f16": np.float64, "bf16": np.float64, "f32": np.float64, "f64": np.float64,
          "i1": np.bool_, "index": np.int64}


def parse_type(text):
    """Shape, of which dynamic sizes are None, and element type."""
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
    """What is out of the type's range is infinite; nothing else is rounded."""
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
    """Ops of arith and math, on arrays of equal shape."""
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


class Evaluator:
    def __init__(self, module):
        self.functions = {op.attributes["sym_name"].strip('"'): op
                          for op in module.regions[0][1] if op.name == "func.func"}

    def call(self, name, arguments):
        parameters, ops = self.functions[name].regions[0]
        values = dict(zip(parameters, arguments))
        return self.run(ops, values)

    def run(self, ops, values):
        """The operands of the last op."""
        for op in ops:
            operands = [values[x] for x in op.operands]
            if op.name.split(".")[-1] in ("return", "yield"):
                return operands
            results = self.evaluate(op, operands, values)
            for name, result in zip(op.results, results):
                values[name] = result
        return []

    def evaluate(self, op, operands, values):
        name = op.name
        if name == "func.call":
            return self.call(op.attributes["callee"].strip("@"), operands)
        if name == "stablehlo.while":
            values = dict(values)
            while self.body(op.regions[0], operands, values)[0]:
                operands = self.body(op.regions[1], operands, values)
            return operands
        if name == "stablehlo.optimization_barrier":
            return operands
        if name == "linalg.generic":
            return self.generic(op, operands, values)
        if name == "attn.attention":
            return [self.attention(op, operands)[0]]
        if name == "attn.attention_backward":
            return self.backward(op, operands)
        if not op.results:
            return []  # an assertion
        shape, element = parse_type(op.types[0])
        if name in ("arith.constant", "stablehlo.constant"):
            return [parse_constant(op.attributes["value"])]
        if name.startswith("stablehlo."):
            return [np.asarray(self.stablehlo(op, operands, shape, element))]
        if name == "tensor.empty":
            sizes = iter(operands)
            return [np.zeros([int(next(sizes)) if n is None else n for n in shape],
                             dtype(element))]
        if name == "tensor.expand_shape":
            sizes = iter(operands[1:])
            return [operands[0].reshape([int(next(sizes)) if n is None else n
                                         for n in shape])]
        if name == "tensor.collapse_shape":
            groups = re.findall(r"\[([\d, ]+)\]", op.attributes["reassociation"])
            return [operands[0].reshape([math.prod(operands[0].shape[int(d)]
                                                   for d in g.split(",")) for g in groups])]
        if name == "tensor.reshape":
            return [operands[0].reshape(operands[1])]
        if name == "tensor.from_elements":
            return [np.array(operands).reshape(shape)]
        if name == "tensor.dim":
            return [np.int64(operands[0].shape[int(operands[1])])]
        if name == "affine.apply":
            found = re.search(r"\((.*?)\)\[?(.*?)\]? -> \((.*)\)>", op.attributes["map"])
            names = [x.strip() for x in (found[1] + "," + found[2]).split(",") if x.strip()]
            text = found[3].replace("floordiv", "//").replace("mod", "%")
            return [np.int64(eval(text, {}, dict(zip(names, operands))))]
        if name == "tensor.concat":
            return [np.concatenate(operands, int(op.number("dim")))]
        if name == "tensor.cast":
            return [operands[0]]
        if name == "tensor.extract":
            return [operands[0][tuple(operands[1:])]]
        if name == "tensor.extract_slice":
            offsets, sizes, strides = (op.numbers("static_" + x)
                                       for x in ("offsets", "sizes", "strides"))
            part = operands[0][tuple(slice(o, o + n * s, s)
                                     for o, n, s in zip(offsets, sizes, strides))]
            return [part.reshape(shape)]
        if name == "tensor.insert_slice":
            offsets, sizes, strides = (op.numbers("static_" + x)
                                       for x in ("offsets", "sizes", "strides"))
            result = operands[1].copy()
            result[tuple(slice(o, o + n * s, s)
                         for o, n, s in zip(offsets, sizes, strides))] = (
                operands[0].reshape(sizes))
            return [result]
        if name == "tm_tensor.scan":
            assert op.attributes["inclusive"] == "true" and op.regions[0][1][0].name in (
                "arith.addi", "arith.addf")
            total = np.cumsum(operands[0], int(op.number("dimension")))
            return [total, operands[-1]]
        if name == "linalg.softmax":
            axis = int(op.number("dimension"))
            e = np.exp(operands[0] - operands[0].max(axis, keepdims=True))
            return [e / e.sum(axis, keepdims=True)]
        if name in ("tm_tensor.attention", "iree_linalg_ext.attention"):
            return [self.named(op, operands)]
        return [scalar(op, operands, element)]

    def body(self, region, operands, values):
        return self.run(region[1], dict(values, **dict(zip(region[0], operands))))

    def generic(self, op, operands, values):
        maps = [re.sub(r"\s", "", m).split("->")[1][1:-1]
                for m in re.findall(r"affine_map<([^>]*->[^>]*)>", op.attributes["indexing_maps"])]
        count, outs = op.numbers("operandSegmentSizes")
        kinds = re.findall(r"iterator_type<(\w+)>", op.attributes["iterator_types"])
        exprs = [[x for x in m.split(",") if x] for m in maps]
        sizes = [None] * len(kinds)
        for operand, dims in zip(operands, exprs):
            for dim, expr in enumerate(dims):
                if expr.startswith("d"):
                    sizes[int(expr[1:])] = operand.shape[dim]
        grid = np.indices(sizes, sparse=True) if sizes else []

        def spread(operand, dims):
            index = tuple(grid[int(e[1:])] if e.startswith("d") else int(e) for e in dims)
            element = operand[index] if dims else operand
            return np.broadcast_to(element, sizes)

        parameters, body = op.regions[0]
        arrays = [spread(o, e) for o, e in zip(operands, exprs)]
        inner = dict(values, **dict(zip(parameters, arrays)))
        reduced = tuple(i for i, kind in enumerate(kinds) if kind == "reduction")
        yielded = body[-1].operands
        results = []

        def run(ops):
            for step in ops:
                if step.name == "linalg.index":
                    inner[step.results[0]] = np.broadcast_to(
                        grid[int(step.number("dim"))], sizes)
                elif step.name not in ("linalg.yield",):
                    inputs = [inner[x] for x in step.operands]
                    for name, value in zip(step.results, self.evaluate(step, inputs, inner)):
                        inner[name] = value

        if not reduced:
            run(body)
            for number in range(outs):
                dims = exprs[count + number]
                value = np.broadcast_to(inner[yielded[number]], sizes)
                order = [int(e[1:]) for e in dims]
                results.append(np.transpose(value, order) if order else value)
            return results
        # What combines the sum with a value is the last op; maxima and their places come
        # together, of which the place is not evaluated.
        for number in range(outs):
            last = next((s for s in body if s.results == [yielded[number]]), None)
            out = parameters[count + number]
            dims = exprs[count + number]
            if last.name == "arith.select":
                results.append(np.zeros_like(operands[count + number]))
                continue
            run([s for s in body if s is not last and out not in s.operands
                 and s.name != "arith.select"])
            other = [x for x in last.operands if x != out][0]
            value = np.broadcast_to(inner[other], sizes)
            combine = {"arith.addf": np.add, "arith.maximumf": np.maximum,
                       "arith.maxnumf": np.fmax, "arith.andi": np.logical_and,
                       "arith.ori": np.logical_or, "arith.mulf": np.multiply}[last.name]
            value = combine.reduce(value, axis=reduced)
            kept = [d for d in range(len(sizes)) if d not in reduced]
            order = [kept.index(int(e[1:])) for e in dims if e.startswith("d")]
            value = np.transpose(value, order).reshape(operands[count + number].shape)
            results.append(combine(operands[count + number], value))
        return results

    def named(self, op, operands):
        q, k, v, *mask = operands[:-1]
        scale = 1 / math.sqrt(q.shape[-1])
        if op.name.startswith("iree"):
            scale, *mask = mask
        s = np.einsum("...id,...jd->...ij", q, k) * scale
        if mask:
            s = np.where(mask[0], s, -np.inf) if mask[0].dtype == bool else s + mask[0]
        return softmax(s) @ v

    def attention(self, op, operands):
        segments = op.numbers("operandSegmentSizes")
        q, k, v = operands[:3]
        first = 3 + sum(segments[3:6])
        captures = operands[first:first + segments[6]]
        sink = operands[3][:, None, None] if segments[3] else None
        return self.attend(op, q, k, v, captures, sink)

    def attend(self, op, q, k, v, captures, sink):
        """The output, the lse, and what of gradients."""
        heads, rows, keys = q.shape[1], q.shape[2], k.shape[2]
        k, v = (np.repeat(x, heads // x.shape[1], axis=1) for x in (k, v))
        scale = op.number("scale", 1 / math.sqrt(q.shape[3]))
        s = scale * np.einsum("bhid,bhjd->bhij", q, k)
        place = [np.broadcast_to(x, s.shape) for x in np.indices(s.shape, sparse=True)]
        keep = np.ones(s.shape, bool)
        mask = op.attributes.get("mask", "")
        if mask:
            shift = keys - rows if "bottom_right" in mask else 0
            distance = place[3] - place[2] - shift
            if "causal" in mask:
                keep &= distance <= 0
            if found := re.search(r"left = (\d+)", mask):
                keep &= distance >= -int(found[1])
            if found := re.search(r"right = (\d+)", mask):
                keep &= distance <= int(found[1])
        for region, first in zip(op.regions, ([s], [])):
            parameters, body = region
            if not body:
                continue
            values = dict(zip(parameters, [*first, *place, *captures]))
            for step in body[:-1]:
                inputs = [values[x] for x in step.operands]
                if step.name == "attn.read":
                    array, *at = inputs
                    at = [np.clip(x, 0, n - 1) for x, n in zip(at, array.shape)]
                    value = array[tuple(at)] if at else array
                elif step.name == "arith.constant":
                    value = parse_constant(step.attributes["value"])
                else:
                    value = scalar(step, inputs, step.types[0])
                values[step.results[0]] = np.broadcast_to(value, s.shape) if np.ndim(
                    value) == 0 else value
            value = values[body[-1].operands[0]]
            if first:
                s = value
            else:
                keep &= value
        s = np.where(keep, s, -np.inf)
        most = s.max(-1, keepdims=True)
        most = np.maximum(most, -np.inf if sink is None else sink)
        most = np.where(np.isneginf(most), 0, most)
        e = np.exp(s - most)
        total = e.sum(-1, keepdims=True) + (0 if sink is None else np.exp(sink - most))
        with np.errstate(divide="ignore"):
            lse = (np.log(total) + most)[..., 0]
        return (e / np.where(total == 0, 1, total)) @ v, lse

    def stablehlo(self, op, operands, shape, element):
        name = op.name.removeprefix("stablehlo.")
        with np.errstate(all="ignore"):
            if name in ("iota", "dynamic_iota"):
                if name == "dynamic_iota":
                    shape = [int(n) for n in operands[0]]
                dim = int(op.number("iota_dimension"))
                return np.indices(shape)[dim].astype(dtype(element))
            if name == "get_dimension_size":
                return operands[0].shape[int(op.number("dimension"))]
            if name == "dynamic_reshape":
                return operands[0].reshape(operands[1])
            if name in ("broadcast_in_dim", "dynamic_broadcast_in_dim"):
                if name == "dynamic_broadcast_in_dim":
                    shape = [int(n) for n in operands[1]]
                dims = op.numbers("broadcast_dimensions")
                inner = [1] * len(shape)
                for size, dim in zip(operands[0].shape, dims):
                    inner[dim] = size
                return np.broadcast_to(operands[0].reshape(inner), shape)
            if name == "reshape":
                return operands[0].reshape(shape)
            if name in ("dynamic_slice", "dynamic_update_slice"):
                isUpdate = name == "dynamic_update_slice"
                sizes = operands[1].shape if isUpdate else shape
                starts = [int(np.clip(b, 0, n - m)) for b, n, m in
                          zip(operands[1 + isUpdate:], operands[0].shape, sizes)]
                at = tuple(slice(b, b + m) for b, m in zip(starts, sizes))
                if not isUpdate:
                    return operands[0][at]
                result = operands[0].copy()
                result[at] = operands[1]
                return result
            if name == "gather":
                return gather(op, *operands, shape)
            if name == "pad":
                result = np.full(shape, operands[1])
                low, inner = (op.numbers(x) for x in ("edge_padding_low", "interior_padding"))
                assert min(low) >= 0
                result[tuple(slice(b, b + (n - 1) * (i + 1) + 1, i + 1) for b, n, i in zip(
                    low, operands[0].shape, inner))] = operands[0]
                return result
            if name == "transpose":
                return np.transpose(operands[0], op.numbers("permutation"))
            if name == "convert":
                return narrow(operands[0].astype(dtype(element)), element)
            if name == "slice":
                return operands[0][tuple(slice(b, e, s) for b, e, s in zip(
                    *(op.numbers(x) for x in ("start_indices", "limit_indices", "strides"))))]
            if name == "concatenate":
                return np.concatenate(operands, int(op.number("dimension")))
            if name == "reverse":
                return np.flip(operands[0], op.numbers("dimensions"))
            if name == "reduce":
                body = op.regions[0][1][0].name.removeprefix("stablehlo.")
                combine = {"add": np.add, "maximum": np.maximum, "and": np.logical_and,
                           "or": np.logical_or}[body]
                return combine(combine.reduce(operands[0],
                                              axis=tuple(op.numbers("dimensions"))), operands[1])
            if name == "dot_general":
                text = op.attributes["dot_dimension_numbers"]

                def dims(key):
                    found = re.search(key + r" = \[([\d, ]*)\]", text)
                    return [int(x) for x in found[1].split(",") if x.strip()] if found else []
                a, b = operands
                left, right = list(range(a.ndim)), list(range(100, 100 + b.ndim))
                for l, r in zip(dims("lhs_batching_dimensions") +
                                dims("lhs_contracting_dimensions"),
                                dims("rhs_batching_dimensions") +
                                dims("rhs_contracting_dimensions")):
                    right[r] = left[l]
                batch = [left[l] for l in dims("lhs_batching_dimensions")]
                summed = {left[l] for l in dims("lhs_contracting_dimensions")}
                out = batch + [x for x in left if x not in summed and x not in batch] + [
                    x for x in right if x >= 100]
                names = {x: i for i, x in enumerate(dict.fromkeys(left + right))}
                return np.einsum(a, [names[x] for x in left], b, [names[x] for x in right],
                                 [names[x] for x in out])
            if name == "compare":
                direction = re.findall(r"\b(EQ|NE|LT|LE|GT|GE)\b",
                                       op.attributes["comparison_direction"])[0]
                return {"EQ": np.equal, "NE": np.not_equal, "LT": np.less, "LE": np.less_equal,
                        "GT": np.greater, "GE": np.greater_equal}[direction](*operands)
            simple = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply,
                      "maximum": np.maximum, "minimum": np.minimum, "negate": np.negative,
                      "exponential": np.exp, "tanh": np.tanh, "sqrt": np.sqrt, "abs": np.abs,
                      "rsqrt": lambda x: 1 / np.sqrt(x), "power": np.power, "log": np.log,
                      "and": np.bitwise_and, "or": np.bitwise_or, "select": np.where,
                      "remainder": np.fmod, "logistic": lambda x: 1 / (1 + np.exp(-x)), "not": np.logical_not,
                      "is_finite": np.isfinite, "clamp": lambda a, x, b: np.clip(x, a, b),
                      "floor": np.floor, "cosine": np.cos, "sine": np.sin, "sign": np.sign,
                      "exponential_minus_one": np.expm1, "log_plus_one": np.log1p}
            if name == "divide":
                if element[0] in "fb":
                    return np.divide(*operands)
                return np.trunc(operands[0] / operands[1]).astype(np.int64)
            if name in simple:
                return simple[name](*operands)
        raise NotImplementedError(op.name)


def gather(op, operand, starts, shape):
    text = op.attributes["dimension_numbers"]

    def numbers(name, default=""):
        found = re.search(name + r" = \[?([\d, ]*)", text)
        return [int(x) for x in (found[1] if found else default).split(",") if x.strip()]
    vector = numbers("index_vector_dim", "0")[0]
    if vector == starts.ndim:
        starts = starts[..., None]
    starts = np.moveaxis(starts, vector, -1)
    sizes = op.numbers("slice_sizes")
    offsets, gone = numbers("offset_dims"), numbers("collapsed_slice_dims")
    batched = [i for i in range(len(shape)) if i not in offsets]
    assert not numbers("operand_batching_dims")
    result = np.zeros(shape, operand.dtype)
    for at in np.ndindex(*starts.shape[:-1]):
        begin = [0] * operand.ndim
        for dim, start in zip(numbers("start_index_map"), starts[at]):
            begin[dim] = int(np.clip(start, 0, operand.shape[dim] - sizes[dim]))
        part = operand[tuple(slice(b, b + n) for b, n in zip(begin, sizes))]
        place = [slice(None)] * len(shape)
        for dim, i in zip(batched, at):
            place[dim] = i
        result[tuple(place)] = part.reshape([n for d, n in enumerate(sizes) if d not in gone])
    return result


def softmax(s):
    """Rows that are -inf everywhere are 0."""
    most = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isneginf(most), 0, most))
    total = e.sum(-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


def load(text):
    return Evaluator(read(text))
