"""Writes modules of the torch dialect: `make-aten.py FOLDER` with torch 2.15.

Functions are exported by torch.export, and run_decompositions() takes them apart to the core ATen
ops. Gradients are traced by make_fx, with the same decompositions. Each op of the exported graph is printed as torch-mlir's importer prints it: its operands in the
order of its schema, in the generic form.
"""

import math
import operator
import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.export import default_decompositions
from torch.fx.experimental.proxy_tensor import make_fx

MODULES = {}
ELEMENTS = {torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.bool: "i1",
            torch.int64: "si64", torch.int32: "si32"}
# The numbers by which torch names types, layouts and orders of memory.
NUMBERS = {torch.int32: 3, torch.int64: 4, torch.float16: 5, torch.float32: 6, torch.float64: 7,
           torch.bool: 11, torch.bfloat16: 15, torch.strided: 0, torch.contiguous_format: 0,
           torch.preserve_format: 1}
TYPES = {"int": "!torch.int", "float": "!torch.float", "bool": "!torch.bool",
         "none": "!torch.none", "device": "!torch.Device"}
# Functions on sizes.
INTEGERS = {torch.ops.aten.sym_size.int: "aten.size.int", operator.mul: "aten.mul.int",
            operator.add: "aten.add.int"}
SIZE, Q = 13, (2, 4, 13, 16)


def module(*shapes, dtype=torch.float32, dynamic=None, decomposes=True, **types):
    """Adds the decorated function to MODULES. `shapes` are those of the arguments. `types` has the
    types of arguments by their number, such as a0=torch.bool, where they differ from `dtype`.
    `dynamic` has names of the dimensions that are dynamic in all arguments. If `decomposes` is
    False, ops that are not core ATen ops stay."""
    def add(function):
        example = [torch.ones(shape, dtype=types.get(f"a{number}", dtype))
                   for number, shape in enumerate(shapes)]
        MODULES["core-" + function.__name__.replace("_", "-")] = (function, example, dynamic,
                                                                    decomposes)
        return function
    return add


class Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *arguments):
        return self.function(*arguments)


@module(Q, (2, 4, 11, 16), (2, 4, 11, 9))
def sdpa(q, k, v):
    return F.scaled_dot_product_attention(q, k, v)


@module(Q, (2, 2, 13, 16), (2, 2, 13, 16), dtype=torch.bfloat16)
def sdpa_grouped(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)


@module(Q, (2, 4, 11, 16), (2, 4, 11, 16), (2, 1, 13, 11), a3=torch.bool)
def sdpa_mask(q, k, v, mask):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


@module(Q, (2, 4, 11, 16), (2, 4, 11, 16), (13, 11))
def sdpa_bias(q, k, v, mask):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=0.5)


@module(Q, Q, Q, dtype=torch.float16)
def sdpa_half(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


@module(Q, Q, Q, dynamic={0: "b", 2: "s"})
def sdpa_dynamic(q, k, v):
    return F.scaled_dot_product_attention(q, k, v)


@module(Q, Q, Q, (2, 1, 1, 13), a3=torch.bool)
def masked_fill(q, k, v, padding):
    s = q @ k.transpose(-1, -2) / math.sqrt(16)
    return torch.softmax(s.masked_fill(padding, float("-inf")), -1) @ v


@module(Q, Q, Q, dtype=torch.float16)
def lowest(q, k, v):
    """GPT-2: masked scores are the lowest number of the type."""
    s = q @ k.transpose(-1, -2) * 0.25
    keep = torch.ones(SIZE, SIZE, dtype=torch.bool).tril()
    s = torch.where(keep, s, torch.finfo(s.dtype).min)
    return torch.softmax(s.float(), -1).to(v.dtype) @ v


@module((2, 13, 64), (2, 13, 32), (2, 13, 32))
def llama(q, k, v):
    """Llama: heads of keys are repeated, and a causal mask is added."""
    q = q.view(2, SIZE, 4, 16).transpose(1, 2)
    k, v = (x.view(2, SIZE, 2, 16).transpose(1, 2) for x in (k, v))
    k, v = (x[:, :, None].expand(2, 2, 2, SIZE, 16).reshape(2, 4, SIZE, 16) for x in (k, v))
    mask = torch.full((SIZE, SIZE), torch.finfo(torch.float32).min).triu(1)
    p = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(16) + mask, -1, dtype=torch.float32)
    return (p @ v).transpose(1, 2).reshape(2, SIZE, 64)


@module((2, 13, 4, 16), (2, 13, 4, 16), (2, 13, 4, 16))
def einsum(q, k, v):
    p = torch.softmax(torch.einsum("bqhd,bkhd->bhqk", q, k) * 0.25, -1)
    return torch.einsum("bhqk,bkhd->bqhd", p, v)


@module(Q, (2, 2, 13, 16), (2, 2, 13, 16), (4,))
def sink(q, k, v, sinks):
    """gpt-oss: a sink for each head is one more column of scores."""
    k, v = (x[:, :, None].expand(2, 2, 2, SIZE, 16).reshape(2, 4, SIZE, 16) for x in (k, v))
    mask = torch.full((SIZE, SIZE), torch.finfo(torch.float32).min).triu(1)
    s = q @ k.transpose(2, 3) * 0.25 + mask
    s = torch.cat([s, sinks.reshape(1, -1, 1, 1).expand(2, -1, SIZE, 1)], -1)
    return torch.softmax(s - s.amax(-1, keepdim=True), -1)[..., :-1] @ v


@module((8, 13, 16), (8, 13, 16), (8, 13, 16), (8, 1, 13), decomposes=False)
def baddbmm(q, k, v, alibi):
    """BLOOM: ALiBi is the sum's other term."""
    s = alibi.baddbmm(q, k.transpose(1, 2), beta=0.5, alpha=0.25)
    return torch.bmm(torch.softmax(s, -1), v)


@module((8, 13, 16), (8, 11, 16), (8, 11, 16), decomposes=False)
def baddbmm_empty(q, k, v):
    """diffusers: beta is 0, and what it multiplies has no values."""
    s = torch.baddbmm(torch.empty(8, 13, 11), q, k.transpose(1, 2), beta=0, alpha=0.25)
    return torch.bmm(torch.softmax(s, -1), v)


def latent_scores(q, q_rope, k, k_rope):
    """DeepSeek-V2: the second product's key is shared by all heads."""
    s = torch.einsum("bthd,bshd->bhts", q, k) + torch.einsum("bthd,bsd->bhts", q_rope, k_rope)
    keep = torch.ones(SIZE, SIZE, dtype=torch.bool).tril()
    return torch.where(keep, s * 24 ** -0.5, float("-inf"))


LATENT = [(2, SIZE, 4, 16), (2, SIZE, 4, 8), (2, SIZE, 4, 16), (2, SIZE, 8), (2, SIZE, 4, 12)]


@module(*LATENT)
def latent(q, q_rope, k, k_rope, v):
    p = torch.softmax(latent_scores(q, q_rope, k, k_rope), -1)
    return torch.einsum("bhts,bshd->bthd", p, v)


@module(*LATENT)
def latent_joined(q, q_rope, k, k_rope, v):
    """DeepSeek-V3 in transformers: query and key are put together first."""
    q, q_rope, k, v = (x.transpose(1, 2) for x in (q, q_rope, k, v))
    q = torch.cat([q, q_rope], -1)
    k = torch.cat([k, k_rope[:, None].expand(2, 4, SIZE, 8)], -1)
    mask = torch.full((SIZE, SIZE), torch.finfo(q.dtype).min).triu(1)
    s = q @ k.transpose(2, 3) * 24 ** -0.5 + mask
    p = torch.softmax(s, -1, dtype=torch.float32).to(q.dtype)
    return (p @ v).transpose(1, 2).reshape(2, SIZE, 48)


@module((2, 1, 4, 32), (2, 1, 4, 8), (2, SIZE, 32), (2, SIZE, 8), (2, SIZE), a4=torch.bool)
def latent_absorbed(q, q_rope, cache, rope, valid):
    """DeepSeek-V3's inference: keys and values are a cache that all heads share."""
    s = torch.einsum("bshc,btc->bsht", q, cache) + torch.einsum("bshr,btr->bsht", q_rope, rope)
    s = (s * 0.2).masked_fill(~valid[:, None, None], float("-inf"))
    return torch.einsum("bsht,btc->bshc", s.softmax(-1, dtype=torch.float32).type_as(q), cache)


@module(*LATENT, (2, SIZE, 4, 12))
def grad_latent(*arguments):
    *inputs, gradient = arguments
    return torch.func.vjp(latent, *inputs)[1](gradient)


@module((2, SIZE, 64), (2, SIZE, 64), (2, SIZE, 4, 16), ())
def differential(q, k, v, factor):
    """Differential Transformer: 2h heads, of which every second one is subtracted."""
    q, k = (x.view(2, SIZE, 8, 8).transpose(1, 2) for x in (q, k))
    mask = torch.full((SIZE, SIZE), float("-inf")).triu(1)
    p = torch.softmax(q * 8 ** -0.5 @ k.transpose(-1, -2) + mask, -1, dtype=torch.float32)
    p = p.view(2, 4, 2, SIZE, SIZE)
    p = p[:, :, 0] - (factor.exp() + 0.2) * p[:, :, 1]
    return p @ v.transpose(1, 2)


@module((2, SIZE, 8, 8), (2, SIZE, 8, 8), (2, SIZE, 4, 16), (2, 4, SIZE, 1))
def not_difference_of_rows(q, k, v, gate):
    p = torch.softmax(torch.einsum("bthd,bshd->bhts", q, k), -1).view(2, 4, 2, SIZE, SIZE)
    return (p[:, :, 0] - gate * p[:, :, 1]) @ v.transpose(1, 2)


@module(Q, Q, Q)
def not_dropout(q, k, v):
    p = torch.softmax(q @ k.transpose(-1, -2), -1)
    return torch.where(p > 0.01, p, 0.0) @ v


@module(Q, Q, Q)
def not_rows(q, k, v):
    """Rows without a score above 0 become 0, although they have keys."""
    s = q @ k.transpose(-1, -2)
    return torch.where((s > 0).any(-1, keepdim=True), torch.softmax(s, -1), 0.0) @ v


def tensor_type(value):
    sizes = ",".join(str(n) if isinstance(n, int) else "?" for n in value.shape)
    return f"!torch.vtensor<[{sizes}],{ELEMENTS[value.dtype]}>"


class Printer:
    def __init__(self):
        self.lines, self.names, self.constants = [], {}, {}

    def add(self, name, operands, types, result, attribute=""):
        number = f"%{len(self.lines)}"
        self.lines.append(f'  {number} = "torch.{name}"({", ".join(operands)}){attribute} : '
                          f'({", ".join(types)}) -> {result}')
        return number

    def constant(self, value, is_float):
        """Returns the name and the type of a constant."""
        if value in NUMBERS and not isinstance(value, (bool, int, float)):
            value = NUMBERS[value]
        kind, text = "none", ""
        if isinstance(value, bool):
            kind, text = "bool", str(value).lower()
        elif isinstance(value, torch.device):
            kind, text = "device", f'"{value}"'
        elif isinstance(value, float) or (is_float and isinstance(value, int)):
            kind, text = "float", f"{float(value):.17e} : f64"
            if not math.isfinite(value):
                text = f"0x{'7' if value > 0 else 'F'}FF0000000000000 : f64"
        elif isinstance(value, int):
            kind, text = "int", f"{value} : i64"
        else:
            assert value is None, value
        key = kind, text
        if key not in self.constants:
            self.constants[key] = self.add(f"constant.{kind}", [], [], TYPES[kind],
                                           f" <{{value = {text}}}>" if text else "")
        return self.constants[key], TYPES[kind]

    def operand(self, value, kind):
        if isinstance(value, torch.fx.Node):
            if not isinstance(value.meta["val"], torch.Tensor):
                return self.names[value], "!torch.int"
            return self.names[value], tensor_type(value.meta["val"])
        if isinstance(value, (list, tuple)):
            found = [self.operand(x, "") for x in value]
            inner = found[0][1].removeprefix("!torch.") if found else "int"
            result = f"!torch.list<{inner}>"
            return self.add("prim.ListConstruct", [n for n, _ in found], [t for _, t in found],
                            result), result
        return self.constant(value, kind == "float")

    def call(self, node):
        number = INTEGERS.get(node.target)
        if number:
            operands = [self.operand(x, "int") for x in node.args]
            self.names[node] = self.add(number, [n for n, _ in operands],
                                        [t for _, t in operands], "!torch.int")
            return
        schema = node.target._schema
        operands = []
        for number, argument in enumerate(schema.arguments):
            value = (node.args[number] if number < len(node.args)
                     else node.kwargs.get(argument.name, argument.default_value))
            operands.append(self.operand(value, str(argument.type)))
        name = schema.name.replace("::", ".")
        if schema.overload_name:
            name += f".{schema.overload_name}"
        self.names[node] = self.add(name, [n for n, _ in operands], [t for _, t in operands],
                                    tensor_type(node.meta["val"]))


def export(function, example, dynamic, decomposes):
    options = {}
    if dynamic:
        sizes = {d: torch.export.Dim(n, min=2, max=4096) for d, n in dynamic.items()}
        options["dynamic_shapes"] = {"arguments": (sizes,) * len(example)}
    if function.__name__.startswith("grad_"):
        graph = make_fx(torch.func.functionalize(function),
                        decomposition_table=default_decompositions())(*example).graph
        graph.eliminate_dead_code()
    else:
        exported = torch.export.export(Function(function), tuple(example), **options)
        graph = (exported.run_decompositions() if decomposes else exported).graph
    printer, parameters = Printer(), []
    for node in graph.nodes:
        if node.op == "placeholder":
            printer.names[node] = f"%a{len(parameters)}"
            parameters.append(f"%a{len(parameters)}: {tensor_type(node.meta['val'])}")
        elif node.op == "call_function" and node.users:
            printer.call(node)
        elif node.op == "output":
            types = ", ".join(tensor_type(x.meta["val"]) for x in node.args[0])
            returned = types if len(node.args[0]) == 1 else f"({types})"
            last = f"  return {', '.join(printer.names[x] for x in node.args[0])} : {types}"
    lines = [f"func.func @main({', '.join(parameters)}) -> {returned} {{", *printer.lines, last, "}"]
    return "\n".join(lines) + "\n"


def main():
    folder = sys.argv[1]
    for name, module in MODULES.items():
        if len(sys.argv) > 2 and name not in sys.argv[2:]:
            continue
        with open(f"{folder}/{name}.mlir", "w") as file:
            file.write(f"// Written by `make-aten.py` with torch {torch.__version__}.\n"
                       + export(*module))


if __name__ == "__main__":
    main()
