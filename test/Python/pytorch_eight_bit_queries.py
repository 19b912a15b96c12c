# Queries and outputs of 8 bits, and gradients beside keys and values of 8 bits and of 4, in
# PyTorch; on the GPU if there is one, else on the CPU.
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
from attn_mlir._quantize import unpack
from tensors import DEVICE

E4M3, E5M2, I8 = torch.float8_e4m3fn, torch.float8_e5m2, torch.int8
LARGEST = {E4M3: 448.0, E5M2: 57344.0}
IS_HOPPER = DEVICE == "cuda" and torch.cuda.get_device_capability()[0] == 9


def draw(*sizes, seed=0, mean=0.0):
    generator = torch.Generator().manual_seed(seed)
    return (torch.randn(sizes, generator=generator) + mean).to(DEVICE)


def quantized(x, dtype, scale):
    """Quantizes x. Returns the stored array, its scale, and in f64 the numbers that these stand
    for."""
    stored, scale = attn_mlir.quantize(x, dtype, scale=scale)
    wide = (unpack(stored) if dtype == "i4" else stored).double()
    shape = (*scale.shape, *[1] * (4 - scale.dim()))
    return stored, scale, wide * scale.double().reshape(shape)


def hopper_product(a, b):
    """Returns a @ b, whose sums keep 14 bits as those of Hopper's wgmma on 8 bits do. For each 32
    products, these and the sum so far are cut to multiples of 2^-13 of the largest one's power of
    two."""
    total = a.new_zeros((*a.shape[:-1], b.shape[-1], 1))
    for at in range(0, a.shape[-1], 32):
        its = slice(at, at + 32)
        terms = torch.cat([total, a[..., None, its] * b.mT[..., None, :, its]], -1)
        unit = torch.exp2(terms.abs().amax(-1, keepdim=True).frexp().exponent - 14.0).double()
        total = (terms / unit).trunc().sum(-1, keepdim=True) * unit
    return total[..., 0]


def attend(q, k, v, kept=None, dtype=None, product=torch.matmul):
    """Returns the output in f64. If a dtype is given, probabilities are rounded to it. Scores are
    computed by `product`."""
    k, v = (its.repeat_interleave(q.shape[1] // its.shape[1], 1) for its in (k, v))
    s = product(q, k.transpose(2, 3)) / q.shape[3] ** 0.5
    if kept is not None:
        s = s.masked_fill(~kept, -torch.inf)
    p = torch.exp(s - s.amax(3, keepdim=True).detach())
    total = p.sum(3, keepdim=True)
    if dtype == E4M3:  # the largest is 2^8
        p = (p * 256).to(E4M3).double() / 256
    elif dtype is not None:
        p = p.to(dtype).double()
    return p @ v / total


def check(found, exact, low, what):
    ulp = torch.finfo(found.dtype).eps * float(exact.abs().max())
    limit = 2 * float((low.to(found.dtype).double() - exact).abs().max()) + ulp + 1e-5
    error = float((found.double() - exact).abs().max())
    assert error <= limit, (what, error, limit)


def causal(rows, keys):
    i, j = (torch.arange(n, device=DEVICE) for n in (rows, keys))
    return j[None] <= i[:, None] + keys - rows


class Queries(unittest.TestCase):
    def test_attention(self):
        for number, (of_q, of_k, of_v, rows, keys, widths) in enumerate((
                (E4M3, E4M3, E4M3, 97, 130, (64, 64)), (E5M2, E4M3, I8, 33, 65, (32, 48)),
                (E4M3, "i4", "i4", 16, 300, (64, 32)), (E4M3, E4M3, E5M2, 1, 257, (128, 128)))):
            q, q_scale, wide_q = quantized(draw(2, 4, rows, widths[0], seed=number), of_q,
                                           ("tensor", "head", "token", "token")[number])
            k, k_scale, wide_k = quantized(draw(2, 2, keys, widths[0], seed=number + 10), of_k,
                                           "head")
            v, v_scale, wide_v = quantized(
                draw(2, 2, keys, widths[1], seed=number + 20, mean=number), of_v, "head")
            exact = attend(wide_q, wide_k, wide_v)
            # Kernels for few rows, and for keys of other types, extend the operands to f16.
            is_cut = IS_HOPPER and of_k in LARGEST and rows > 16
            low = attend(wide_q, wide_k, wide_v, dtype=E4M3 if of_v == E4M3 else torch.float16,
                         product=hopper_product if is_cut else torch.matmul)
            options = {"q_scale": q_scale, "k_scale": k_scale, "v_scale": v_scale,
                       "kv_dtype": "i4" if of_v == "i4" else None}
            for out_dtype in (None, torch.float16, "f32"):
                o = attn_mlir.attention(q, k, v, out_dtype=out_dtype, **options)
                self.assertEqual(o.dtype, {None: torch.bfloat16, "f32": torch.float32}.get(
                    out_dtype, out_dtype))
                check(o, exact, low, (number, out_dtype))
            out = torch.full(o.shape, torch.nan, device=DEVICE).half()
            assert attn_mlir.attention(q, k, v, out=out, **options) is out
            check(out, exact, low, number)
            fast = attn_mlir.attention(q, k, v, fast_accumulate=True, **options)
            torch.testing.assert_close(fast.double(), exact, atol=0.1, rtol=0.1)

    def test_outputs(self):
        q, k, v = (draw(2, heads, 40, 32, seed=heads).to(E4M3) for heads in (4, 2, 1))
        v = v.expand(2, 2, 40, 32)
        kept = causal(40, 40)
        exact = attend(q.double(), k.double(), v.double(), kept)
        for query in (q, q.half()):
            for dtype, sizes in ((E4M3, ()), (E5M2, (2, 4)), (E4M3, (1, 4))):
                scale = draw(*sizes, seed=3).abs() * 0.01 + 0.002
                per_head = scale.double().reshape(
                    (*sizes, 1, 1) if sizes else (1, 1, 1, 1))
                calls = [attn_mlir.attention(
                    query, k, v, causal="bottom_right", out_scale=scale,
                    out_dtype=dtype, return_lse=number > 0) for number in range(2)]
                calls.append(attn_mlir.decode(query, k, v, causal=True, out_scale=scale,
                                              out_dtype=dtype))
                compiled = torch.compile(lambda q, k, v, scale, dtype=dtype: (
                    attn_mlir.torch.attention(q, k, v, causal="bottom_right", out_scale=scale,
                                              out_dtype=dtype)),
                    fullgraph=True, backend="aot_eager")
                calls.append(compiled(query, k, v, scale))
                if sizes == ():
                    calls.append(attn_mlir.attention(query, k, v, causal="bottom_right",
                                                     out_scale=scale))  # e4m3 by default
                for found in calls:
                    found = found[0] if isinstance(found, tuple) else found
                    self.assertEqual(found.dtype, dtype)
                    meant = (exact / per_head).clamp(-LARGEST[dtype], LARGEST[dtype])
                    # The limit is half of the distance between neighbours in the output's type,
                    # plus the error of probabilities, which have 3 bits.
                    step = {E4M3: 2.0**-3, E5M2: 2.0**-2}[dtype]
                    error = (found.double() - meant).abs()
                    limit = meant.abs() * step / 2 + 0.04 * exact.abs().max() / per_head
                    assert bool((error <= limit).all()), (dtype, sizes)

    def test_packed(self):
        q, k, v = (draw(50, heads, 32, seed=heads).to(E4M3) for heads in (4, 2, 1))
        v = v.expand(50, 2, 32)
        cu = torch.tensor([0, 0, 17, 50], dtype=torch.int32, device=DEVICE)
        o = attn_mlir.varlen(q, k, v, cu, causal=True, fast_accumulate=True)
        eight = attn_mlir.varlen(q, k, v, cu, causal=True, out_scale=torch.full(
            (4,), 0.01, device=DEVICE))
        self.assertEqual((o.dtype, eight.dtype), (torch.bfloat16, E4M3))
        for first, end in ((0, 17), (17, 50)):
            parts = [its[None, first:end].transpose(1, 2).double() for its in (q, k, v)]
            exact = attend(*parts, causal(end - first, end - first))
            for found in (o.double(), eight.double() * 0.01):
                found = found[first:end].transpose(0, 1)[None]
                torch.testing.assert_close(found, exact, atol=0.06, rtol=0.1)


class Gradients(unittest.TestCase):
    def check(self, found, exact, what):
        limit = 3 * torch.finfo(found.dtype).eps * float(exact.abs().max()) + 1e-5
        error = float((found.double() - exact).abs().max())
        assert error <= 4 * limit, (what, error, limit)

    def test_query_and_values(self):
        for number, (of_k, of_v, form, dtype) in enumerate((
                (E4M3, I8, "head", torch.float16), ("i4", "i4", "token", torch.bfloat16),
                ("i4", None, "tensor", torch.float16))):
            q = draw(2, 4, 33, 64, seed=number).to(dtype).requires_grad_()
            k, k_scale, wide_k = quantized(draw(2, 2, 70, 64, seed=number + 1), of_k, form)
            v, v_scale, wide_v = draw(2, 2, 70, 32, seed=number + 2), None, None
            if of_v is None:
                v = v.to(dtype).requires_grad_()
                wide_v = v.detach().double().requires_grad_()
            else:
                v, v_scale, wide_v = quantized(v, of_v, form)
            wide_q = q.detach().double().requires_grad_()
            exact = attend(wide_q, wide_k, wide_v)
            d_o = draw(*exact.shape, seed=number + 3).to(dtype)
            wide = [its for its in (wide_q, wide_v) if its.requires_grad]
            wanted = torch.autograd.grad(exact, wide, d_o.double())
            options = {"k_scale": k_scale, "v_scale": v_scale,
                       "kv_dtype": "i4" if "i4" in (of_k, of_v) else None}
            given = [its for its in (q, v) if its.requires_grad]

            def call(q, v):
                return attn_mlir.torch.attention(q, k, v, **options)

            for function in (call, torch.compile(call, fullgraph=True, backend="aot_eager")):
                found = torch.autograd.grad(function(q, v), given, d_o)
                for its, own in zip(found, wanted):
                    self.check(its, own, (number, function))
            with torch.no_grad():
                o, lse = attn_mlir.attention(q, k, v, return_lse=True, **options)
                d_q, d_k, d_v = attn_mlir.attention_backward(q, k, v, o, lse, d_o, **options)
            self.check(d_q, wanted[0], number)
            self.assertEqual((d_k.shape, d_v.shape), (wide_k.shape, wide_v.shape))
            wide_k.requires_grad_()
            exact = attend(wide_q, wide_k, wide_v)
            self.check(d_k, torch.autograd.grad(exact, wide_k, d_o.double())[0], number)

    def test_packed(self):
        q = draw(40, 4, 32).half().requires_grad_()
        k, v = (draw(40, 2, 32, seed=seed).to(E4M3) for seed in (1, 2))
        scale = torch.full((2,), 0.5, device=DEVICE)
        cu = torch.tensor([0, 15, 40], dtype=torch.int32, device=DEVICE)
        attn_mlir.varlen(q, k, v, cu, k_scale=scale).sum().backward()
        wide_q = q.detach().double().requires_grad_()
        for first, end in ((0, 15), (15, 40)):
            parts = [its[None, first:end].transpose(1, 2) for its in (
                wide_q, k.double() * 0.5, v.double())]
            attend(*parts).sum().backward()
        self.check(q.grad, wide_q.grad, "packed")

    def test_query_of_8_bits(self):
        q, k, v = (draw(1, 2, 30, 32, seed=seed).to(E4M3) for seed in range(3))
        wide = [its.double().requires_grad_() for its in (q, k, v)]
        d_o = draw(1, 2, 30, 32, seed=5)
        for dtype in (torch.float16, torch.bfloat16):
            o, lse = attn_mlir.attention(q, k, v, out_dtype=dtype, return_lse=True)
            found = attn_mlir.attention_backward(q, k, v, o, lse, d_o.to(dtype))
            wanted = torch.autograd.grad(attend(*wide), wide, d_o.to(dtype).double())
            for its, own in zip(found, wanted):
                self.assertEqual(its.dtype, dtype)
                # The tolerance allows for probabilities of 3 bits, from which the output and thus
                # delta are computed.
                torch.testing.assert_close(its.double(), own, atol=0.05, rtol=0.05)

    def test_narrow_products(self):
        q, k, v = (draw(1, 2, 30, 32, seed=seed).to(E4M3) for seed in range(3))
        wide = [its.double().requires_grad_() for its in (q, k, v)]
        d_o = draw(1, 2, 30, 32, seed=5).bfloat16()
        scale = d_o.float().abs().amax(3, keepdim=True) / LARGEST[E4M3]
        rounded = (d_o.float() / scale).to(E4M3).double() * scale.double()
        o, lse = attn_mlir.attention(q, k, v, out_dtype="bf16", return_lse=True)

        def call(q, d_o, narrow_products):
            return attn_mlir.attention_backward(q, k, v, o, lse, d_o,
                                                narrow_products=narrow_products)

        d_q, d_k, d_v = torch.autograd.grad(attend(*wide), wide, rounded, retain_graph=True)
        d_v = torch.autograd.grad(attend(*wide), wide[2], d_o.double())[0]
        plain = call(q, d_o, False)
        # If d_output requires a gradient, the call is made by a PyTorch operator.
        for given in (d_o, d_o.clone().requires_grad_()):
            found = call(q, given, True)
            for its, own in zip(found, (d_q, d_k, d_v)):
                torch.testing.assert_close(its.double(), own, atol=0.05, rtol=0.05)
            self.assertEqual([torch.equal(*both) for both in zip(found, plain)],
                             [False, False, True])
        self.assertTrue(all([torch.equal(*both)
                             for both in zip(call(q, d_o, "scores"), found)]))
        for which in (True, "all"):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, "narrow_products: expected False, "
                                        "or query, key and value of one dtype of 8 bits"):
                call(q.bfloat16(), d_o, which)
        for wrong in ("keys", 1):
            with self.assertRaisesRegex(
                    attn_mlir.ArgumentError, 'narrow_products: expected False, True, "scores" or '
                    f'"all", found {wrong!r}'):
                call(q, d_o, wrong)

    def test_all_narrow_products(self):
        q, k, v = (draw(1, 2, 30, 32, seed=seed).to(E4M3) for seed in range(3))
        d_o = draw(1, 2, 30, 32, seed=5).bfloat16()
        o, lse = attn_mlir.attention(q, k, v, out_dtype="bf16", return_lse=True)

        def round_bits(x):
            fraction, exponent = torch.frexp(x)
            return torch.ldexp(torch.round(fraction * 16), exponent - 4)

        scale = 2.0 ** torch.ceil(torch.log2(d_o.double().abs().amax(3, keepdim=True)
                                             / LARGEST[E4M3]))
        rounded = (d_o.double() / scale).to(E4M3).double() * scale
        wide_q, wide_k, wide_v = (its.double() for its in (q, k, v))
        factor = 32 ** -0.5
        p = torch.exp(factor * wide_q @ wide_k.mT - lse.double()[..., None])
        delta = (o.double() * rounded).sum(3, keepdim=True)
        d_s = p * (rounded @ wide_v.mT - delta)
        wanted = (factor * round_bits(d_s) @ wide_k, factor * round_bits(d_s).mT @ wide_q,
                  round_bits(p).mT @ rounded)
        # If d_output requires a gradient, the call is made by a PyTorch operator.
        for given in (d_o, d_o.clone().requires_grad_()):
            found = attn_mlir.attention_backward(q, k, v, o, lse, given, narrow_products="all")
            for its, own in zip(found, wanted):
                # A number between two of four bits may be rounded to either, so the tolerance is
                # that of the results' type; the rounding itself moves results by more.
                error = (its.double() - own).norm() / own.norm()
                self.assertLess(error, 0.008)
        plain = (factor * d_s @ wide_k, factor * d_s.mT @ wide_q, p.mT @ d_o.double())
        for its, own in zip(found, plain):
            self.assertGreater((its.double() - own).norm() / own.norm(), 0.012)


class Errors(unittest.TestCase):
    def test_messages(self):
        q, k = draw(1, 4, 20, 64).to(E4M3), draw(1, 2, 90, 64, seed=1).to(E4M3)
        one = torch.ones((), device=DEVICE)
        nan = one * torch.nan
        attention, decode = attn_mlir.attention, attn_mlir.decode
        for message, call in (
                ("out_scale: expected an array of float32 beside an output of float8_e4m3fn",
                 lambda: attention(q, k, k, out_dtype=E4M3)),
                ("out_scale: expected None beside an output of neither",
                 lambda: attention(q, k, k, out_dtype="f16", out_scale=one)),
                ("out_dtype: expected float16, as q",
                 lambda: attention(q.half(), k, k, out_dtype=torch.bfloat16)),
                ("out_dtype: expected None, float16",
                 lambda: attention(q, k, k, out_dtype=torch.int8)),
                ("out: expected dtype float16, as out_dtype says",
                 lambda: attention(q, k, k, out_dtype="f16", out=q.float())),
                (r"out_scale: expected sizes \(\) or \(B, Hq\)",
                 lambda: decode(q, k, k, out_scale=torch.ones(1, 3, device=DEVICE))),
                ("out_scale: expected an array of float32, found",
                 lambda: decode(q, k, k, out_scale=(one, 16))),
                ("k_scale: expected finite numbers, found nan",
                 lambda: attention(q, k, k, k_scale=nan, check=True)),
                ("v_scale: expected finite numbers, found inf",
                 lambda: decode(q, k, k, v_scale=one / 0, check=True)),
                ("k: expected dtype f8E4M3FN or", lambda: attention(q, k.half(), k)),
                (r"v: expected dtype .*of 8 bits float8_e4m3fn, .*found torch.float8_e4m3fnuz",
                 lambda: attention(q, k, k.view(torch.float8_e4m3fnuz)))):
            with self.subTest(message), self.assertRaisesRegex(attn_mlir.ArgumentError,
                                                               "^" + message):
                call()
        # Scales of keys past the lengths are NaN and must not be read.
        scale = torch.ones(1, 2, 90, device=DEVICE)
        scale[:, :, 50:] = torch.nan
        lengths = torch.tensor([50], dtype=torch.int32, device=DEVICE)
        assert decode(q, k, k, k_scale=scale, lengths=lengths, check=True).isfinite().all()


if __name__ == "__main__":
    unittest.main()
