# The mean of values as an operand: against f64, on sinks, functions, packed sequences, caches and
# gradients. On the GPU if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import torch
from tensors import DEVICE

I8, E4M3 = torch.int8, torch.float8_e4m3fn
GENERATOR = torch.Generator().manual_seed(5)


def draw(*sizes):
    return torch.randn(sizes, generator=GENERATOR).to(DEVICE)


def center(v, dtype=I8):
    """Quantizes centred values. Returns the stored array, the scale, the mean and, in f64, the
    values that these stand for."""
    v8, scale, mean = attn_mlir.quantize(v, dtype, scale="head", center=True)
    if v.dim() == 3:
        return v8, scale, mean, v8.double() * scale[:, None].double() + mean.double()
    return v8, scale, mean, v8.double() * scale[..., None, None].double() + mean.double()


def attend(q, k, v, keep=None, sink=None, change=lambda s: s):
    """Computes attention in f64 on (B, H, S, D). Rows without keys are 0."""
    group = q.shape[1] // k.shape[1]
    k, v = (its.double().repeat_interleave(group, 1) for its in (k, v))
    s = change(q.double() @ k.mT * q.shape[3] ** -0.5)
    if keep is not None:
        s = s.masked_fill(~keep, -torch.inf)
    if sink is not None:
        own = sink.double()[:, None, None].expand(*s.shape[:3], 1)
        return torch.cat([s, own], 3).softmax(3)[..., :-1] @ v
    return s.softmax(3).nan_to_num(0) @ v


class Means(unittest.TestCase):
    def check(self, found, expected, **tolerance):
        tolerance = tolerance or {"atol": 4e-3, "rtol": 2e-3}
        torch.testing.assert_close(found.double(), expected, **tolerance)

    def setUp(self):
        self.q, self.k = draw(2, 4, 50, 64).half(), draw(2, 2, 40, 64).half()
        # Outputs near 10 in 16 bits are multiples of 2^-7, so outputs are f32.
        self.v8, self.scale, self.mean, self.v = center(draw(2, 2, 40, 32) + 10)
        self.given = {"v_scale": self.scale, "v_mean": self.mean, "out_dtype": torch.float32}
        self.rows = torch.arange(50, device=DEVICE)[:, None]
        self.keys = torch.arange(40, device=DEVICE)

    def test_attention(self):
        q, k, v8, v = self.q, self.k, self.v8, self.v
        self.check(attn_mlir.attention(q, k, v8, **self.given), attend(q, k, v))
        # The first ten rows attend to no key, so their output is 0 without the mean, also with a
        # sink.
        keep = self.keys <= self.rows - 10
        found = attn_mlir.attention(q, k, v8, causal="bottom_right", **self.given)
        self.check(found, attend(q, k, v, keep))
        self.assertTrue((found[:, :, :10] == 0).all())
        for at in (-50.0, 0.0, 3.0, 50.0):
            sink = draw(4) + at
            found = attn_mlir.attention(q, k, v8, causal="bottom_right", sink=sink, **self.given)
            self.check(found, attend(q, k, v, keep, sink))
            self.assertTrue((found[:, :, :10] == 0).all())

    def test_functions(self):
        """Score and mask functions, where some rows attend to no key."""
        found = attn_mlir.attention(
            self.q, self.k, self.v8, score_mod=lambda s, b, h, q, kv: s * 2 + kv * 0.1,
            mask_mod=lambda b, h, q, kv: (kv % 3 == 0) & (q >= 7), **self.given)
        keep = (self.keys % 3 == 0) & (self.rows >= 7)
        self.check(found, attend(self.q, self.k, self.v, keep,
                                 change=lambda s: s * 2 + self.keys * 0.1))

    def test_forms(self):
        q, k = self.q, self.k
        v = draw(2, 2, 40, 32).half()
        for sizes in ((2, 2, 1, 32), (1, 2, 1, 32), (2, 1, 1, 1), (1, 1, 1, 1)):
            mean = 10 + draw(*sizes)
            for its in (mean, torch.stack([mean, mean], 4)[..., 0]):  # with gaps
                found = attn_mlir.attention(q, k, v, v_mean=its, out_dtype=torch.float32)
                self.check(found, attend(q, k, v.double() + mean.double()))

    def test_rounded_once(self):
        """The mean is added before the output is rounded. Adding it to a rounded output gives
        another result."""
        q, k, v8 = self.q, self.k, self.v8
        wide = attn_mlir.attention(q, k, v8, **self.given)
        found = attn_mlir.attention(q, k, v8, **{**self.given, "out_dtype": None})
        self.assertTrue(torch.equal(found, wide.half()))
        o = attn_mlir.attention(q, k, v8, v_scale=self.scale)
        self.assertFalse(torch.equal(
            attn_mlir.uncenter(o, v_mean=self.mean), found))

    def test_output_of_8_bits(self):
        scale = torch.tensor(0.05, device=DEVICE)
        found = attn_mlir.attention(self.q, self.k, self.v8, v_scale=self.scale,
                                    v_mean=self.mean, out_scale=scale)
        expected = attend(self.q, self.k, self.v) / 0.05
        self.check(found.double(), expected, atol=0.1, rtol=2**-4)

    def test_varlen(self):
        cu_q = torch.tensor([0, 30, 30, 50], dtype=torch.int32, device=DEVICE)
        cu_kv = torch.tensor([0, 25, 40, 40], dtype=torch.int32, device=DEVICE)
        q, k = draw(50, 4, 64).half(), draw(40, 2, 64).half()
        v8, scale, mean, v = center(draw(40, 2, 32) + 10)
        self.assertEqual(tuple(mean.shape), (1, 2, 32))
        sink = draw(4)
        for options in ({}, {"sink": sink}):
            found = attn_mlir.varlen(q, k, v8, cu_q, cu_kv, v_scale=scale, v_mean=mean,
                                     out_dtype=torch.float32, **options)
            q0, k0, v0 = (its.transpose(0, 1)[None] for its in (q[:30], k[:25], v[:25]))
            self.check(found[:30].transpose(0, 1)[None], attend(q0, k0, v0, **options))
            # The last sequence has rows, but no keys.
            self.assertTrue((found[30:] == 0).all())

    def test_decode(self):
        """Few rows, for which programs divide the keys, and many rows. One batch entry has no
        keys."""
        lengths = torch.tensor([300, 0, 37], dtype=torch.int32, device=DEVICE)
        order = torch.randperm(60, generator=GENERATOR).to(DEVICE, torch.int32)
        for rows in (1, 3, 40):
            q, k = draw(3, 4, rows, 64).half(), draw(3, 2, 320, 64).half()
            # In pages, all values of a head have one mean.
            v8, scale, mean, v = center(draw(1, 2, 960, 32) + 10, E4M3)
            v8, v = (its[0].unflatten(1, (3, 320)).transpose(0, 1) for its in (v8, v))
            keep = torch.arange(320, device=DEVICE) < lengths[:, None, None, None]
            pages = order.reshape(3, 20)
            for sink in (None, draw(4)):
                expected = attend(q, k, v, keep, sink)
                given = {"lengths": lengths, "sink": sink, "v_scale": scale, "v_mean": mean,
                         "out_dtype": torch.float32}
                found = attn_mlir.decode(q, k, v8, **given)
                self.check(found, expected)
                self.assertTrue((found[1] == 0).all())
                pools = [torch.empty_like(its.reshape(3, 2, 20, 16, -1).transpose(1, 2).reshape(
                    60, 2, 16, -1)) for its in (k, v8)]
                for pool, its in zip(pools, (k, v8)):
                    pool.view(I8 if pool.dtype == E4M3 else pool.dtype)[pages.long()] = its.reshape(
                        3, 2, 20, 16, -1).transpose(1, 2).view(
                            I8 if pool.dtype == E4M3 else pool.dtype)
                given["v_scale"] = scale[:, :1].expand(1, 2) * 0 + scale
                self.check(attn_mlir.decode(q, *pools, page_table=pages, **given), expected)

    def test_gradients(self):
        """Gradients are those in f64 for values that include their mean. d_value is the same as
        without a mean."""
        q, k = draw(2, 4, 50, 64), draw(2, 2, 40, 64)
        d_o, d_lse = draw(2, 4, 50, 32), None
        keep = self.keys <= self.rows - 10
        for sink in (None, draw(4) + 2):
            o, lse = attn_mlir.attention(q, k, self.v8, causal="bottom_right", sink=sink,
                                         v_scale=self.scale, v_mean=self.mean, return_lse=True)
            wrt = ["query", "key", "value"] + ["sink"] * (sink is not None)
            found = attn_mlir.attention_backward(
                q, k, self.v8, o, lse, d_o, d_lse, causal="bottom_right", sink=sink,
                v_scale=self.scale, v_mean=self.mean, wrt=wrt)
            inputs = [its.double().clone().requires_grad_() for its in (
                q, k, self.v, *([] if sink is None else [sink]))]
            attend(*inputs[:3], keep, *inputs[3:]).backward(d_o.double())
            for its, own in zip(found, inputs):
                self.check(its, own.grad, atol=2e-4, rtol=2e-4)

    def test_autograd(self):
        """Autograd of a query with a quantized cache, and with packed sequences."""
        q = draw(2, 4, 50, 64).requires_grad_()
        o = attn_mlir.attention(q, self.k.float(), self.v8, v_scale=self.scale, v_mean=self.mean)
        d_o = draw(*o.shape)
        o.backward(d_o)
        own = q.detach().double().requires_grad_()
        attend(own, self.k, self.v).backward(d_o.double())
        self.check(q.grad, own.grad, atol=2e-4, rtol=2e-4)
        cu = torch.tensor([0, 40], dtype=torch.int32, device=DEVICE)
        q = draw(40, 4, 64).requires_grad_()
        k = draw(40, 2, 64)
        v8, scale, mean, v = center(draw(40, 2, 32) + 10)
        o = attn_mlir.varlen(q, k, v8, cu, v_scale=scale, v_mean=mean)
        d_o = draw(*o.shape)
        o.backward(d_o)
        own = q.detach().double().requires_grad_()
        attend(*(its.transpose(0, 1)[None] for its in (own, k, v)))[0].transpose(0, 1).backward(
            d_o.double())
        self.check(q.grad, own.grad, atol=2e-4, rtol=2e-4)

    def test_calls_that_are_repeated(self):
        """Known calls with other means of the same sizes, and calls without a mean, are
        distinguished."""
        q, k, v = self.q, self.k, draw(2, 2, 40, 32).half()
        for _ in range(3):
            for mean in (draw(2, 2, 1, 32), draw(1, 2, 1, 32), None):
                found = attn_mlir.attention(q, k, v, v_mean=mean, out_dtype=torch.float32)
                expected = attend(q, k, v if mean is None else v.double() + mean.double())
                self.check(found, expected)

    def test_columns_of_keys(self):
        """Values that are columns of the keys are loaded apart where they have a mean."""
        q, k = self.q, self.k
        for mean in (draw(2, 2, 1, 32), draw(1, 2, 1, 32), None):
            expected = attend(q, k, k[..., :32] if mean is None
                              else k[..., :32].double() + mean.double())
            for _ in range(2):
                self.check(attn_mlir.attention(q, k, value_dims=(0, 32), v_mean=mean,
                                               out_dtype=torch.float32), expected)
                self.check(attn_mlir.attention(q, k, k[..., :32], v_mean=mean,
                                               out_dtype=torch.float32), expected)
                self.check(attn_mlir.decode(q[:, :, :3], k, k[..., :32], v_mean=mean,
                                            out_dtype=torch.float32), expected[:, :, :3])
                # These values are no columns of the keys, but have the same sizes and strides as
                # such values.
                other = draw(2, 2, 40, 64).half()[..., :32]
                self.check(attn_mlir.attention(q, k, other, v_mean=mean, out_dtype=torch.float32),
                           attend(q, k, other if mean is None else other.double() + mean.double()))

    def test_packed_channels(self):
        """Packed values have a scale for each channel, of each head or of all."""
        q, k, v8 = draw(30, 4, 64).half(), draw(33, 2, 64).half(), draw(33, 2, 32).to(E4M3)
        cu_q, cu_kv = (torch.tensor(its, dtype=torch.int32, device=DEVICE)
                       for its in ((0, 11, 30), (0, 20, 33)))
        for scale in (draw(1, 2, 32), draw(1, 1, 32)):
            found = attn_mlir.varlen(q, k, v8, cu_q, cu_kv, v_scale=scale, out_dtype=torch.float32)
            v = v8.double() * scale.double()
            for rows, keys in ((slice(0, 11), slice(0, 20)), (slice(11, 30), slice(20, 33))):
                own = [its.transpose(0, 1)[None] for its in (q[rows], k[keys], v[keys])]
                self.check(found[rows], attend(*own)[0].transpose(0, 1))
        with self.assertRaisesRegex(attn_mlir.ArgumentError, r"^v_scale: expected sizes \(\), \(H,\), "
                                    r"\(T, H\) or \(1, H, Dv\), .*found \(1, 2, 33\)"):
            attn_mlir.varlen(q, k, v8, cu_q, cu_kv, v_scale=draw(1, 2, 33))

    def test_errors(self):
        q, k, v8, mean = self.q, self.k, self.v8, self.mean
        pools, table = draw(7, 2, 16, 64).half(), torch.zeros(2, 3, dtype=torch.int32, device=DEVICE)
        tokens, cu = draw(9, 4, 64).half(), torch.tensor([0, 9], dtype=torch.int32, device=DEVICE)
        for message, call in (
                (r"v_mean: expected sizes \(B, Hkv, 1, Dv\), each of which may be 1, of an array "
                 r"of sizes \(2, 2, 40, 32\), found \(2, 4, 1, 32\)",
                 lambda: attn_mlir.attention(q, k, v8, v_mean=draw(2, 4, 1, 32))),
                (r"v_mean: expected sizes \(B, Hkv, 1, Dv\), .*found \(\)",
                 lambda: attn_mlir.attention(q, k, v8, v_mean=draw())),
                (r"v_mean: expected sizes \(1, H, Dv\), .*found \(2, 64\)",
                 lambda: attn_mlir.varlen(tokens, tokens, tokens, cu, v_mean=draw(2, 64))),
                ("v_mean: expected dtype f32, found f16",
                 lambda: attn_mlir.attention(q, k, v8, v_mean=mean.half())),
                (r"v_mean: expected an array of float32, or|v_mean: expected an array",
                 lambda: attn_mlir.attention(q, k, v8, v_mean=(mean, 16))),
                ("dropout_p: expected 0 beside v_mean .*, found 0.5",
                 lambda: attn_mlir.attention(q, k, v8, v_mean=mean, dropout_p=0.5)),
                ("dropout_p: expected 0 beside v_mean",
                 lambda: attn_mlir.attention_backward(
                     q, k, v8, draw(2, 4, 50, 32).half(), draw(2, 4, 50), draw(2, 4, 50, 32).half(),
                     v_mean=mean, dropout_p=0.5, seed=(1, 2))),
                ("v_mean: expected None in forward mode", lambda: torch.func.jvp(
                    lambda q: attn_mlir.attention(q, q, q, v_mean=draw(1, 1, 1, 64)),
                    (q,), (q,)))):
            with self.subTest(message), self.assertRaisesRegex(attn_mlir.ArgumentError,
                                                               f"^{message}"):
                call()
        q = self.q.float().requires_grad_()
        o = attn_mlir.attention(q, k.float(), v8, v_scale=self.scale, v_mean=mean)
        first, = torch.autograd.grad(o.square().sum(), q, create_graph=True)
        with self.assertRaisesRegex(attn_mlir.Error, "^attention_backward: expected a first "
                                    "derivative beside v_scale, v_mean, of which there is no"):
            first.sum().backward()
        q = self.q
        for name in ("v_mean", "v_scale"):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, rf"^{name}: expected sizes "
                                        r"\(1, Hkv, 1, Dv\), the same channels for all pages"):
                attn_mlir.decode(q, pools, pools, page_table=table, **{name: draw(7, 2, 1, 64)})
        # A mean with a batch dimension of 1 is also allowed for a pool of one page.
        one = pools[:1]
        found = attn_mlir.decode(q[:, :, :2], one, one, page_table=table[:, :1],
                                 v_mean=torch.full((1, 2, 1, 64), 10.0, device=DEVICE),
                                 out_dtype=torch.float32)
        self.check(found, attend(q[:, :, :2], *[one.expand(2, -1, -1, -1)] * 2) + 10)


if __name__ == "__main__":
    unittest.main()
