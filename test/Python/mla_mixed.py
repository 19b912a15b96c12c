# Latents of 8 bits beside rotary keys of 16, in arrays of their own, in PyTorch; on the GPU if
# there is one, else on the CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import torch
from tensors import DEVICE

E4M3, E5M2, I8 = torch.float8_e4m3fn, torch.float8_e5m2, torch.int8


def draw(*sizes, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(sizes, generator=generator).to(DEVICE)


def store(x, dtype):
    if dtype == I8:
        return (x * 20).round().clamp(-128, 127).to(I8)
    return x.to(dtype)


def attend(q, k, v, scale, lengths, dtype=None):
    """Computes attention in fp64 for one key head. The last row attends to all keys of its
    entry."""
    s = q.double() @ k.double()[:, None].transpose(2, 3) * scale
    rows, keys = s.shape[2:]
    i, j = torch.arange(rows, device=q.device)[:, None], torch.arange(keys, device=q.device)
    for b, end in enumerate(lengths.tolist()):
        s[b].masked_fill_((j > i + end - rows) | (j >= end), -torch.inf)
    p = torch.exp(s - s.amax(3, keepdim=True).clamp(min=-1e30))
    total = p.sum(3, keepdim=True)
    if dtype is not None:
        p = p.to(dtype).double()
    # Values past the lengths may be NaN, also in entries without keys.
    return torch.where(total == 0, 0, p @ v.double()[:, None] / total)


def check(found, q, k, v, scale, lengths, what):
    exact = attend(q, k, v, scale, lengths)
    low = attend(q, k, v, scale, lengths, q.dtype).to(q.dtype).double()
    ulp = torch.finfo(q.dtype).eps * float(exact.abs().max())
    limit = 2 * float((low - exact).abs().max()) + ulp + 1e-5
    error = float((found.double() - exact).abs().max())
    assert error <= limit, (what, error, limit)


def problem(dtype, wide, rows, scales, width=64, rope=16, keys=83, seed=0):
    """Returns q as a pair of arrays, the cache, its scale, the lengths, and the keys and values
    that the cache stands for."""
    q = [draw(3, 5, rows, n, seed=seed + 1).to(wide) for n in (width, rope)]
    latents, rotary = store(draw(3, keys, width, seed=seed + 2), dtype), draw(
        3, keys, rope, seed=seed + 3).to(wide)
    lengths = torch.tensor([keys, 0, 61], dtype=torch.int32, device=DEVICE)
    scale = None
    if scales is not None:
        scale = draw(*scales, seed=seed + 4).abs() * 0.3 + 0.05
    v = latents.double()
    if scale is not None:
        v = v * scale.double().reshape((*scale.shape, *[1] * (3 - scale.dim())))
    k = torch.cat([v, rotary.double()], 2)
    for b, end in enumerate(lengths.tolist()):
        rotary[b, end:] = torch.nan
        if scale is not None and scale.dim() == 2:
            scale[b, end:] = torch.nan
    return q, (latents, rotary), scale, lengths, k, v


class Decode(unittest.TestCase):
    def test_types(self):
        for number, (dtype, wide, rows, scales) in enumerate((
                (E4M3, torch.bfloat16, 1, ()), (I8, torch.float16, 3, (3, 83)),
                (E5M2, torch.bfloat16, 20, (3,)), (E4M3, torch.float16, 1, None))):
            q, cache, scale, lengths, k, v = problem(dtype, wide, rows, scales, seed=number)
            for pair in (q, torch.cat(q, 3)):
                o = attn_mlir.mla_decode(pair, cache, scale=0.11, lengths=lengths,
                                         cache_scale=scale)
                check(o, torch.cat(q, 3), k.nan_to_num(0), v, 0.11, lengths, (number, rows))

    def test_append_and_pages(self):
        pages, page, width, rope = 12, 16, 64, 32
        c_kv = torch.zeros(pages, page, width, device=DEVICE).to(E4M3)
        k_pe = torch.full((pages, page, rope), torch.nan, device=DEVICE).bfloat16()
        table = torch.randperm(12, generator=torch.Generator().manual_seed(3)).to(
            DEVICE, torch.int32).view(2, 6)
        lengths = torch.zeros(2, dtype=torch.int32, device=DEVICE)
        scale = torch.tensor([[0.05]], device=DEVICE)
        tokens = [draw(2, 1, 41, n, seed=n).bfloat16() for n in (rope, width)]
        for first, last in ((0, 40), (40, 41)):
            new = [its[:, :, first:last] for its in tokens]
            for repeated in range(2):  # by a known call, the second time
                own = lengths if repeated else lengths.clone()
                attn_mlir.append(*new, k_pe[:, None], c_kv[:, None], own, page_table=table,
                                 v_scale=scale)
        self.assertEqual(lengths.tolist(), [41, 41])
        wanted = (tokens[1][:, 0].float() / 0.05).clamp(-448, 448).to(E4M3)
        places = table.long()[:, torch.arange(41, device=DEVICE) // 16]
        slots = torch.arange(41, device=DEVICE) % 16
        assert torch.equal(c_kv.view(torch.uint8)[places, slots], wanted.view(torch.uint8))
        assert torch.equal(k_pe[places, slots], tokens[0][:, 0])
        q = [draw(2, 4, 1, n, seed=n + 1).bfloat16() for n in (width, rope)]
        v = wanted.double() * 0.05
        k = torch.cat([v, tokens[0][:, 0].double()], 2)
        for call in (attn_mlir.mla_decode, torch.compile(
                attn_mlir.torch.mla_decode, fullgraph=True, backend="aot_eager")):
            o = call(q, (c_kv, k_pe), scale=0.1, lengths=lengths, page_table=table,
                     cache_scale=scale[0])
            check(o, torch.cat(q, 3), k, v, 0.1, lengths, call)

    def test_errors(self):
        q, cache, scale, lengths, _, _ = problem(E4M3, torch.float16, 1, ())
        for its in (q, (cache[0], cache[1].bfloat16())), ([its.to(E4M3) for its in q], cache):
            with self.assertRaisesRegex(
                    attn_mlir.ArgumentError,
                    "cache: expected a pair of arrays of one dtype, or the second of q's"):
                attn_mlir.mla_decode(*its, scale=0.1, lengths=lengths, cache_scale=scale)
        latents, rotary = [its[:, None] for its in cache]
        for message, given, further in (
                ("q_rope: expected None beside a query of 8 bits", q[0].to(E4M3), q[1]),
                ("q_rope: expected dtype f16, as q has", q[0], q[1].bfloat16())):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, message):
                attn_mlir.decode(given, latents, latents, q_rope=further, k_rope=rotary)
        keys = [torch.zeros(1, 1, 9, 8, device=DEVICE).half() for _ in range(2)]
        new = [its[:, :, :1] for its in keys]
        one = torch.ones(1, 1, device=DEVICE)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "v_scale: expected None beside"):
            attn_mlir.append(*new, *keys, lengths[:1], v_scale=one)


if __name__ == "__main__":
    unittest.main()
