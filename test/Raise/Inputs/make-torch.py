"""Writes the modules that torch-mlir makes: `make-torch.py FOLDER` with torch 2.15, torch-mlir
20261001 and transformers 5.23.

Models are exported by torch.export, their weights are arguments of the function, and
torch-mlir lowers them to linalg on tensors. Modules with ops of dialects that MLIR does
not have are printed in the generic form.
"""

import math
import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch_mlir import fx

MODULES = {}


def module(*shapes, dtype=torch.float32, dynamic=None, **types):
    """Adds the decorated function to MODULES. `shapes` are those of the arguments. `types` has the
    types of arguments by their number, such as a0=torch.bool, where they differ from `dtype`.
    `dynamic` has names for the dimensions that are dynamic in all arguments."""
    def add(function):
        example = []
        for number, shape in enumerate(shapes):
            of = types.get(f"a{number}", dtype)
            example.append(torch.ones(shape, dtype=of) if not of.is_floating_point
                           else torch.randn(shape).to(of))
        MODULES["torch-" + function.__name__.replace("_", "-")] = (function, example, dynamic)
        return function
    return add


class Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *arguments):
        return self.function(*arguments)


Q = (2, 4, 24, 16)


@module(Q, Q, Q)
def sdpa(q, k, v):
    return F.scaled_dot_product_attention(q, k, v)


@module(Q, Q, Q, dtype=torch.float16)
def sdpa_causal(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


@module(Q, Q, Q, (2, 1, 24, 24))
def sdpa_mask(q, k, v, mask):
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


@module(Q, (2, 2, 24, 16), (2, 2, 24, 16))
def sdpa_grouped(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)


@module(Q, Q, Q)
def by_hand(q, k, v):
    p = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(16), dim=-1)
    return p @ v


@module(Q, Q, Q, dtype=torch.float16)
def by_hand_causal(q, k, v):
    """GPT-2: the mask is a lower triangle, and masked scores are the type's lowest number."""
    s = q @ k.transpose(-2, -1) / math.sqrt(16)
    keep = torch.ones(24, 24, dtype=torch.bool).tril()
    s = torch.where(keep, s, torch.finfo(s.dtype).min)
    return torch.softmax(s.float(), dim=-1).to(v.dtype) @ v


@module((2, 24, 64), (192, 64), (192,), (64, 64), (64,))
def gpt2_block(x, w, b, wo, bo):
    """GPT-2: one matrix projects to query, key and value, and the mask is causal."""
    q, k, v = F.linear(x, w, b).split(64, dim=2)
    q, k, v = (t.view(2, 24, 4, 16).transpose(1, 2) for t in (q, k, v))
    s = (q @ k.transpose(-2, -1)) * 0.25
    s = s.masked_fill(torch.ones(24, 24, dtype=torch.bool).triu(1), float("-inf"))
    o = torch.softmax(s, dim=-1) @ v
    return x + F.linear(o.transpose(1, 2).reshape(2, 24, 64), wo, bo)


@module((2, 20, 32), (2, 20), (32, 32), (32, 32), (32, 32), (32, 32), a1=torch.int32)
def bert(x, attended, wq, wk, wv, wo):
    """BERT: -10000 is added to the scores of tokens that are padding."""
    q, k, v = (F.linear(x, w).view(2, 20, 2, 16).transpose(1, 2) for w in (wq, wk, wv))
    s = q @ k.transpose(-1, -2) / math.sqrt(16)
    s = s + (1.0 - attended[:, None, None, :].float()) * -10000.0
    o = torch.softmax(s, dim=-1) @ v
    return F.linear(o.permute(0, 2, 1, 3).reshape(2, 20, 32), wo)


@module((2, 24, 64), (64, 64), (32, 64), (32, 64), (64, 64), (24, 8), (24, 8))
def llama(x, wq, wk, wv, wo, cosine, sine):
    """Llama: rotary embedding, key heads that are repeated, and a causal mask that is added."""
    def rotate(t):
        a, b = t[..., :8], t[..., 8:]
        return torch.cat([a * cosine - b * sine, b * cosine + a * sine], dim=-1)

    q = rotate(F.linear(x, wq).view(2, 24, 4, 16).transpose(1, 2))
    k = rotate(F.linear(x, wk).view(2, 24, 2, 16).transpose(1, 2))
    v = F.linear(x, wv).view(2, 24, 2, 16).transpose(1, 2)
    k, v = (t[:, :, None].expand(2, 2, 2, 24, 16).reshape(2, 4, 24, 16) for t in (k, v))
    mask = torch.full((24, 24), torch.finfo(torch.float32).min).triu(1)
    s = q @ k.transpose(2, 3) / math.sqrt(16) + mask
    p = torch.softmax(s, dim=-1, dtype=torch.float32).to(q.dtype)
    return F.linear((p @ v).transpose(1, 2).reshape(2, 24, 64), wo)


@module((2, 12, 32), (2, 18, 32), (32, 32), (32, 32), (32, 32), (8, 2))
def t5_bias(x, y, wq, wk, wv, table):
    """T5: a bias from a table, by the distance of row and key; scores are not scaled."""
    q = (x @ wq).view(2, 12, 2, 16).transpose(1, 2)
    k, v = ((y @ w).view(2, 18, 2, 16).transpose(1, 2) for w in (wk, wv))
    distance = torch.arange(18)[None, :] - torch.arange(12)[:, None]
    bias = table[distance.clamp(-4, 3) + 4].permute(2, 0, 1)[None]
    return torch.softmax(q @ k.transpose(3, 2) + bias, dim=-1) @ v


@module((2, 17, 48), (48, 48), (48, 48), (48, 48), (48, 48), (48,))
def vit(x, wq, wk, wv, wo, bo):
    q, k, v = (F.linear(x, w).view(2, 17, 3, 16).transpose(1, 2) for w in (wq, wk, wv))
    o = F.scaled_dot_product_attention(q, k, v)
    return F.linear(o.transpose(1, 2).flatten(2), wo, bo)


@module((1, 32, 64), (64, 64), (32, 64), (32, 64), dtype=torch.bfloat16)
def mistral_window(x, wq, wk, wv):
    q = F.linear(x, wq).view(1, 32, 4, 16).transpose(1, 2)
    k, v = (F.linear(x, w).view(1, 32, 2, 16).transpose(1, 2) for w in (wk, wv))
    k, v = (t.repeat_interleave(2, dim=1) for t in (k, v))
    i, j = torch.arange(32)[:, None], torch.arange(32)[None, :]
    keep = (j <= i) & (i - j < 8)
    mask = torch.zeros(32, 32, dtype=q.dtype).masked_fill(~keep, torch.finfo(q.dtype).min)
    s = q @ k.transpose(2, 3) * 0.25 + mask
    p = torch.softmax(s, dim=-1, dtype=torch.float32).to(q.dtype)
    return (p @ v).transpose(1, 2)


@module((2, 24, 4, 16), (2, 24, 4, 16), (2, 24, 4, 16))
def einsum(q, k, v):
    """In memory, the heads of a row follow each other. Attention reads them by strides, without
    copies."""
    p = torch.softmax(torch.einsum("bqhd,bkhd->bhqk", q, k) * 0.25, dim=-1)
    return torch.einsum("bhqk,bkhd->bqhd", p, v)


@module(Q, Q, Q, (4,))
def sink(q, k, v, sinks):
    """A sink as in gpt-oss: a column of logits that is removed after the softmax."""
    s = q @ k.transpose(-1, -2) * 0.25
    s = torch.cat([s, sinks.reshape(1, -1, 1, 1).expand(2, -1, 24, -1)], dim=-1)
    s = s - s.max(dim=-1, keepdim=True).values
    return torch.softmax(s, dim=-1)[..., :-1] @ v


@module(Q, Q, Q)
def by_hand_lse(q, k, v):
    s = q @ k.transpose(-1, -2) * 0.25
    return torch.exp(s - torch.logsumexp(s, -1, keepdim=True)) @ v


@module(Q, Q, Q)
def by_hand_exp2(q, k, v):
    s = q @ k.transpose(-1, -2) * (0.25 * 1.44269504)
    e = torch.exp2(s - s.amax(-1, keepdim=True))
    return (e @ v) / e.sum(-1, keepdim=True)


@module(Q, Q, Q, (16,), (16,))
def qk_norm(q, k, v, wq, wk):
    q, k = (F.rms_norm(x, (16,), w, 1e-6) for x, w in ((q, wq), (k, wk)))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


@module(Q, Q, Q, dynamic={0: "b", 2: "s"})
def dynamic_causal(q, k, v):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


@module(Q, Q, Q, dynamic={0: "b", 2: "s"})
def dynamic_by_hand(q, k, v):
    return torch.softmax(q @ k.transpose(-1, -2) * 0.25, dim=-1) @ v


@module((2, 4, 1, 16), (2, 2, 32, 16), (2, 2, 32, 16), (2, 2, 1, 16), (2, 2, 1, 16))
def decode(q, keys, values, k, v):
    k, v = torch.cat([keys, k], dim=2), torch.cat([values, v], dim=2)
    return F.scaled_dot_product_attention(q, k, v, enable_gqa=True)


@module(Q, Q, Q)
def not_dropout(q, k, v):
    """Small probabilities are replaced by 0, so that the sum is no longer 1."""
    p = torch.softmax(q @ k.transpose(-2, -1), dim=-1)
    return torch.where(p > 0.01, p, 0.0) @ v


def write(path, imported, comment):
    dialects = {"tm_tensor", "torch", "torch_c", "stablehlo", "ml_program"}
    text = str(imported)
    if any(f"{dialect}." in text for dialect in dialects):
        text = imported.operation.get_asm(print_generic_op_form=True)
    with open(path, "w") as file:
        file.write(f"// Written by {comment}.\n{text}")


def main():
    folder = sys.argv[1]
    for name, (function, example, dynamic) in MODULES.items():
        if len(sys.argv) > 2 and name not in sys.argv[2:]:
            continue
        torch.manual_seed(0)
        options = {}
        if dynamic:
            sizes = {d: torch.export.Dim(n, min=2, max=4096) for d, n in dynamic.items()}
            options["dynamic_shapes"] = {"arguments": (sizes,) * len(example)}
        try:
            imported = fx.export_and_import(Function(function), *example,
                                            output_type="linalg-on-tensors",
                                            func_name="main", **options)
        except Exception as error:
            print(name, str(error)[:300])
            continue
        write(f"{folder}/{name}.mlir", imported,
              f"`make-torch.py` with torch {torch.__version__} and torch-mlir 20261001")


if __name__ == "__main__":
    main()
