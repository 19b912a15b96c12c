"""Evaluates modules in the generic form in double precision: linalg on tensors, tensor, arith,
math, StableHLO, TOSA, torch, and attn.attention by its formula. Shares no code with the compiler."""

import math
import re

import numpy as np
from evaluate_attention import AttentionEvaluator, softmax
from evaluate_cudnn import cudnn
from evaluate_scalar import compare, dtype, narrow, parse_constant, parse_type, scalar
from evaluate_torch import builtin_types, onnx, torch
from evaluate_tosa import tosa
from mlir_text import read

class Evaluator(AttentionEvaluator):
    def __init__(self, module):
        self.functions = {op.attributes["sym_name"].strip('"'): op
                          for op in module.regions[0][1] if op.name == "func.func"}

    def call(self, name, arguments):
        parameters, ops = self.functions[name].regions[0]
        values = dict(zip(parameters, arguments))
        return self.run(ops, values)

    def run(self, ops, values):
        """Runs the ops, and returns the operands of the return or yield at their end."""
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
        if name in ("stablehlo.optimization_barrier", "torch_c.to_builtin_tensor",
                    "torch_c.from_builtin_tensor"):
            return operands
        if name == "stablehlo.custom_call" and op.results:  # else an assertion
            return cudnn(op, operands)
        if name == "linalg.generic":
            return self.generic(op, operands, values)
        if name == "attn.attention":
            return self.attention(op, operands)
        if name == "attn.attention_backward":
            return self.backward(op, operands)
        if name == "scf.if":
            return self.branch(op, operands[0], values)
        if not op.results:
            return []  # an assertion
        if name == "onnx.NoValue":
            return [None]
        if name == "onnx.Custom":
            return onnx(op.attributes["function_name"].strip('"'), op, operands)
        shape, element = parse_type(op.types[0])
        if name in ("arith.constant", "stablehlo.constant"):
            return [parse_constant(op.attributes["value"])]
        if name.startswith("tosa."):
            return [np.asarray(tosa(op, operands, shape, element))]
        if name.startswith("torch."):
            result = torch(op, operands, shape, element)
            return list(result) if isinstance(result, tuple) else [result]
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

    def branch(self, op, condition, values):
        """Evaluates scf.if in the body of a linalg op. Each branch only sees the elements for which
        it runs."""
        result = None
        for region, kept in zip(op.regions, (condition, ~condition)):
            inner = {}

            def get(name, is_array):
                value = inner[name] if name in inner else values[name]
                isWhole = is_array or name in inner or np.shape(value) != np.shape(condition)
                return value if isWhole else value[kept]
            for step in region[1][:-1]:
                inputs = [get(x, step.name == "tensor.extract" and number == 0)
                          for number, x in enumerate(step.operands)]
                for name, value in zip(step.results, self.evaluate(step, inputs, inner)):
                    inner[name] = value
            found = get(region[1][-1].operands[0], False)
            result = np.zeros(np.shape(condition)) if result is None else result
            result[kept] = found
        return [result]

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
        # The last op of the body combines the result with a value. A reduction may return maxima
        # and their indices; the indices are not evaluated.
        for number in range(outs):
            last = next((s for s in body if s.results == [yielded[number]]), None)
            out = parameters[count + number]
            dims = exprs[count + number]
            if last.name == "arith.select":
                results.append(np.zeros_like(operands[count + number]))
                continue
            # Ops that read a result are part of combining, as of finding a maximum's index.
            combining, steps = set(parameters[count:]), []
            for step in body:
                if step is last or combining.intersection(step.operands):
                    combining.update(step.results)
                else:
                    steps.append(step)
            run(steps)
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
                ordered = operands[0].transpose(np.argsort(dims))
                return np.broadcast_to(ordered.reshape(inner), shape)
            if name == "reshape":
                return operands[0].reshape(shape)
            if name == "reduce_precision":
                # Other numbers of bits are not evaluated.
                bits = op.number("exponent_bits"), op.number("mantissa_bits")
                assert bits == {"f32": (8, 23), "bf16": (8, 7), "f16": (5, 10)}[element]
                return operands[0]
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
            if name == "scatter":
                return scatter(op, *operands)
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


def scatter(op, operand, starts, updates):
    """Adds the updates: the op's region must be a sum."""
    text = op.attributes["scatter_dimension_numbers"]
    assert [x.name for x in op.regions[0][1]] == ["stablehlo.add", "stablehlo.return"]

    def numbers(name, default=""):
        found = re.search(r"\b" + name + r" = \[?([\d, ]*)", text)
        return [int(x) for x in (found[1] if found else default).split(",") if x.strip()]
    vector = numbers("index_vector_dim", "0")[0]
    starts = starts[..., None] if vector == starts.ndim else np.moveaxis(starts, vector, -1)
    window = numbers("update_window_dims")
    gone = numbers("inserted_window_dims")
    assert not numbers("input_batching_dims")
    updates = np.moveaxis(updates, window, range(updates.ndim - len(window), updates.ndim))
    result = operand.copy()
    for at in np.ndindex(*starts.shape[:-1]):
        update = np.expand_dims(updates[at], gone)
        begin = [0] * operand.ndim
        for dim, start in zip(numbers("scatter_dims_to_operand_dims"), starts[at]):
            begin[dim] = int(start)
        if all(0 <= b <= n - m for b, n, m in zip(begin, operand.shape, update.shape)):
            result[tuple(slice(b, b + n) for b, n in zip(begin, update.shape))] += update
    return result


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


def load(text):
    return Evaluator(read(builtin_types(text)))
