# quantize(), which makes arrays of 8 and of 4 bits with scales, and can subtract the mean first:
# on NumPy's arrays and, if there is PyTorch, on tensors.
#
# REQUIRES: capi, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest
import unittest.mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import numpy as np
import torch
from attn_mlir import _quantize
from attn_mlir._frames import Calls
from tensors import DEVICE

E4M3, E5M2, I8 = torch.float8_e4m3fn, torch.float8_e5m2, torch.int8
LARGEST = {E4M3: 448.0, E5M2: 57344.0, I8: 127.0}
SMALLEST = {I8: -128.0}
NAMES = {E4M3: "e4m3", E5M2: "e5m2", I8: "i8"}


def draw(*sizes, mean=0.0, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return (torch.randn(sizes, generator=generator) + mean).to(DEVICE)


KINDS = ("tensor", "head", "token", "channel", 16, 32, 1024)


def by_operations(x, name, **options):
    with unittest.mock.patch.object(_quantize, "has_kernel", lambda x: False), \
            unittest.mock.patch.object(_quantize, "calls", Calls()):  # not by what is known
        return attn_mlir.quantize(x, name, **options)


def numbers(dtype):
    """Returns all finite numbers of a dtype of 8 bits, in fp64."""
    found = torch.arange(256).to(torch.uint8).view(dtype).double()
    return found[found.isfinite()].unique()


def store(x, dtype):
    """Rounds to the nearest number of the dtype; of two that are equally near, to the one whose
    last bit is 0."""
    x = x.double().cpu()
    every = numbers(dtype)
    place = torch.bucketize(x, every).clamp(1, len(every) - 1)
    low, high = every[place - 1], every[place]
    middle = (low + high) / 2
    bits = low.to(dtype).view(torch.uint8) if dtype != I8 else low.to(I8).view(torch.uint8)
    up = (x > middle) | ((x == middle) & (bits % 2 == 1))
    return torch.where(x.isnan(), x, torch.where(up, high, low))


def largest_of(x, kind):
    """Returns the largest finite magnitude of each group of elements that share a scale, broadcast
    to all elements."""
    x = torch.where(x.isfinite(), x, 0).abs().float().cpu()
    if x.dim() == 3:
        x = x.transpose(0, 1)[None]
    if kind == "tensor":
        found = x.amax().expand(x.shape)
    elif kind == "head":
        found = x.amax((2, 3), keepdim=True).expand(x.shape)
    elif kind == "token":
        found = x.amax(3, keepdim=True).expand(x.shape)
    elif kind == "channel":
        found = x.amax(2, keepdim=True).expand(x.shape)
    else:
        found = torch.cat([its.amax((2, 3), keepdim=True).expand(its.shape)
                           for its in x.split(kind, 2)], 2)
    return found


def dequantize(stored, scale):
    """Multiplies stored numbers with their scales, by the rules of attention, in fp64 on (B, H, S,
    D)."""
    block = 1
    if isinstance(scale, tuple):
        scale, block = scale
    stored, scale = stored.double().cpu(), scale.double().cpu()
    if stored.dim() == 3:
        stored = stored.transpose(0, 1)[None]
        scale = scale if scale.dim() == 0 else (
            scale[None] if scale.dim() == 1 else scale.transpose(0, 1)[None])
    if scale.dim() == 2:
        scale = scale[..., None, None]
    elif scale.dim() == 3:
        scale = scale.repeat_interleave(block, 2)[:, :, :stored.shape[2], None]
    return stored * scale, scale


class Scales(unittest.TestCase):
    def check(self, x, dtype, kind):
        found, scale = attn_mlir.quantize(x, dtype, scale=kind)
        assert found.dtype == dtype and found.shape == x.shape
        largest = largest_of(x, kind)
        wanted = (largest / LARGEST[dtype]).clamp(min=2.0**-126)
        own = scale[0] if isinstance(scale, tuple) else scale
        assert own.dtype == torch.float32
        _, spread = dequantize(found, scale)
        assert torch.equal(spread.expand(wanted.shape).float(), wanted), (dtype, kind)
        wide = x.float().cpu() if x.dim() == 4 else x.float().cpu().transpose(0, 1)[None]
        expected = store(wide / wanted, dtype)
        if dtype == I8:
            expected = expected.nan_to_num(0)
        mine = found.double().cpu()
        mine = mine if x.dim() == 4 else mine.transpose(0, 1)[None]
        assert torch.equal(mine.isnan(), expected.isnan())
        assert torch.equal(mine.nan_to_num(9), expected.nan_to_num(9)), (dtype, kind)
        return scale

    def test_numbers(self):
        sizes = {"tensor": (), "head": (2, 3), "token": (2, 3, 37), "channel": (2, 3, 1, 20)}
        for number, dtype in enumerate((E4M3, E5M2, I8)):
            x = draw(2, 3, 37, 20, mean=number, seed=number)
            x[0, 1] *= 1e-3
            x[1, 2, 5:8] *= 1e4
            x[0, 2], x[1, 0, 3] = 0, 0  # no number to scale
            x[1, 1, 4, 2], x[1, 1, 4, 3], x[1, 1, 5, 0] = torch.inf, -torch.inf, torch.nan
            for kind in ("tensor", "head", "token", "channel", 16, 32, 64):
                for input_dtype in (torch.float32, torch.bfloat16, torch.float16):
                    scale = self.check(x.to(input_dtype), dtype, kind)
                if isinstance(kind, int):
                    self.assertEqual((scale[0].shape, scale[1]),
                                     ((2, 3, -(-37 // kind)), kind))
                else:
                    self.assertEqual(scale.shape, sizes[kind])

    def test_packed(self):
        x = draw(45, 3, 20)
        for kind, shape in (("tensor", ()), ("head", (3,)), ("token", (45, 3)), (16, (3, 3))):
            scale = self.check(x, E4M3, kind)
            self.assertEqual((scale[0] if kind == 16 else scale).shape, shape)

    def test_halves(self):
        """Numbers in the middle of two are rounded to the even one."""
        for dtype in (E4M3, E5M2, I8):
            every = numbers(dtype)
            middle = ((every[1:] + every[:-1]) / 2).float().to(DEVICE)
            found, _ = attn_mlir.quantize(middle[None, None, None], dtype,
                                          scale=torch.ones((), device=DEVICE))
            assert torch.equal(found[0, 0, 0].double().cpu(), store(middle, dtype)), dtype

    def test_saturation(self):
        x = torch.tensor([[[[1e30, -1e30, 500.0, torch.inf, -torch.inf, torch.nan]]]],
                         device=DEVICE)
        for dtype in (E4M3, E5M2, I8):
            found, _ = attn_mlir.quantize(x, dtype, scale=torch.ones((), device=DEVICE))
            low, high = SMALLEST.get(dtype, -LARGEST[dtype]), LARGEST[dtype]
            wanted = [high, low, min(500.0, high) if dtype != E5M2 else 512.0, high, low]
            self.assertEqual(found[0, 0, 0, :5].double().tolist(), wanted)
            last = found[0, 0, 0, 5].double().item()
            self.assertTrue(last == 0 if dtype == I8 else last != last)

    def test_given(self):
        x = draw(2, 3, 37, 20)
        for shape in ((), (2, 3), (1, 3), (2, 1), (2, 3, 37), (1, 1, 37), (2, 3, 1, 20),
                      (2, 3, 3), (1, 3, 3), (2, 3, 1)):
            scale = draw(*shape, seed=4).abs() * 0.1 + 0.01
            given = (scale, 16) if shape[2:] == (3,) else scale
            found, same = attn_mlir.quantize(x, E4M3, scale=given)
            self.assertIs(same, given)
            _, spread = dequantize(found, given)
            wanted = store(x.cpu() / spread.float(), E4M3)
            assert torch.equal(found.double().cpu(), wanted), shape

    def test_empty(self):
        for shape in ((2, 3, 0, 20), (0, 3, 5, 20)):
            for kind in ("tensor", "head", "token", 16):
                found, scale, mean = attn_mlir.quantize(torch.zeros(shape, device=DEVICE),
                                                        E4M3, scale=kind, center=True)
                self.assertEqual((found.shape, mean.shape), (shape, (*shape[:2], 1, 20)))

    def test_numpy(self):
        """For NumPy arrays, results have the same bits as for tensors."""
        x = draw(2, 3, 37, 20, mean=1)
        x[0, 0, 0, :2] = torch.tensor([torch.inf, torch.nan])
        try:
            import ml_dtypes  # noqa: F401
            dtypes = (E4M3, E5M2, I8)
        except ImportError:
            dtypes = (I8,)
            with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                        "dtype: expected 'i8' or 'i4' for"):
                attn_mlir.quantize(x.cpu().numpy(), "e4m3")
        for dtype in dtypes:
            for kind in ("tensor", "head", "token", "channel", 16):
                found = attn_mlir.quantize(x.cpu(), NAMES[dtype], scale=kind)
                own = attn_mlir.quantize(x.cpu().numpy(), NAMES[dtype], scale=kind)
                pairs = [(its[0] if isinstance(its, tuple) else its for its in both)
                         for both in zip(found, own)]
                for mine, its in pairs:
                    # An 8-bit float type has several NaNs, so their bits are not compared.
                    absent = mine.reshape(-1).float().isnan().numpy()
                    its = np.ascontiguousarray(its).reshape(-1)
                    self.assertTrue((np.isnan(its.astype(np.float32)) == absent).all())
                    self.assertEqual(
                        mine.reshape(-1).view(torch.uint8).numpy().reshape(len(its), -1)[
                            ~absent].tobytes(), its[~absent].tobytes())

    def test_compiled(self):
        x = draw(2, 3, 37, 20)
        for kind in ("head", "token", 16):
            def call(x):
                return attn_mlir.quantize(x, E4M3, scale=kind, center=True)

            # The results of operations are expected, since a kernel would add up means in another
            # order.
            wanted = by_operations(x, E4M3, scale=kind, center=True)
            found = torch.compile(call, fullgraph=True, backend="aot_eager")(x)
            for mine, its in zip(found, wanted):
                mine, its = (a[0] if isinstance(a, tuple) else a for a in (mine, its))
                assert torch.equal(mine.view(torch.uint8), its.view(torch.uint8)), kind

    def test_errors(self):
        x = draw(2, 3, 37, 20)
        for call, message in (
                (lambda: attn_mlir.quantize(x, "e3m4"), "dtype: expected 'e4m3', 'e5m2'"),
                (lambda: attn_mlir.quantize(x, E4M3, scale="row"), "scale: expected 'tensor'"),
                (lambda: attn_mlir.quantize(x, E4M3, scale=24), "scale: expected a power of"),
                (lambda: attn_mlir.quantize(x, E4M3, scale=draw(3, 3)),
                 r"scale: expected sizes \(\) or \(2, 3\) or \(2, 3, 37\)"),
                (lambda: attn_mlir.quantize(x, E4M3, scale=(draw(2, 3), 16)),
                 r"scale: expected sizes \(\) or \(2, 3, 3\)"),
                (lambda: attn_mlir.quantize(x[0], E4M3, scale=(draw(37), 16)),
                 r"scale: expected sizes \(\) or \(1, 37\)"),
                (lambda: attn_mlir.quantize(x, E4M3, scale=draw(2, 3).half()),
                 "scale: expected dtype float32"),
                (lambda: attn_mlir.quantize(x[0, 0], E4M3), "x: expected sizes"),
                (lambda: attn_mlir.quantize(x.double(), E4M3), "x: expected dtype float16"),
                (lambda: attn_mlir.quantize([1.0], E4M3), "x: expected an array")):
            with self.subTest(message), self.assertRaisesRegex(attn_mlir.ArgumentError,
                                                               f"^{message}"):
                call()


def attend(q, k, v, lengths=None):
    """Computes causal attention with a bottom-right diagonal in fp64."""
    group = q.shape[1] // k.shape[1]
    k, v = (its.double().repeat_interleave(group, 1) for its in (k, v))
    s = q.double() @ k.mT / q.shape[3] ** 0.5
    rows, cols = s.shape[2:]
    i = torch.arange(rows, device=q.device)[:, None]
    s = s.masked_fill(torch.arange(cols, device=q.device)[None] > i + cols - rows, -torch.inf)
    total = s.logsumexp(3)
    p = torch.exp(s - s.amax(3, keepdim=True).clamp(min=-1e30))
    p = p / p.sum(3, keepdim=True).clamp(min=1e-300)
    return p @ v, total


class Attention(unittest.TestCase):
    def test_round_trip(self):
        """Attention on quantized keys and values gives the result for the numbers that these stand
        for."""
        q, k, v = (draw(2, h, 90, 64, seed=h).half() for h in (4, 2, 2))
        for dtype in (E4M3, I8):
            for kind in ("tensor", "head", "token", 32):
                (k8, k_scale), (v8, v_scale) = (
                    attn_mlir.quantize(its, dtype, scale=kind) for its in (k, v))
                o = attn_mlir.attention(q, k8, v8, causal="bottom_right", k_scale=k_scale,
                                        v_scale=v_scale)
                wide = [dequantize(*its)[0].to(DEVICE)
                        for its in ((k8, k_scale), (v8, v_scale))]
                torch.testing.assert_close(o.double(), attend(q, *wide)[0], atol=4e-3,
                                           rtol=4e-3)

    def test_append(self):
        """For a given scale, quantize() gives the same bits as append() stores."""
        k = draw(2, 3, 7, 64).half()
        scale = draw(2, 3, seed=1).abs() * 0.1 + 0.01
        caches = [torch.zeros(2, 3, 7, 64, device=DEVICE).to(E4M3) for _ in range(2)]
        lengths = torch.zeros(2, dtype=torch.int32, device=DEVICE)
        attn_mlir.append(k, k, *caches, lengths, k_scale=scale, v_scale=scale)
        found, _ = attn_mlir.quantize(k, E4M3, scale=scale)
        assert torch.equal(caches[0].view(torch.uint8), found.view(torch.uint8))

    def test_centered(self):
        """If keys and values with a mean of 10 are centred, the error is as small as for a mean of
        0."""
        q, k, v = draw(2, 4, 90, 64).half(), draw(2, 2, 80, 64, seed=1), draw(2, 2, 80, 32,
                                                                              seed=2)
        k, v = (k + 10 * draw(1, 2, 1, 64, seed=3)).half(), (v + 10).half()
        (k8, k_scale, k_mean), (v8, v_scale, v_mean) = (
            attn_mlir.quantize(its, I8, scale="head", center=True) for its in (k, v))
        o, lse = attn_mlir.attention(q, k8, v8, causal="bottom_right", return_lse=True,
                                     k_scale=k_scale, v_scale=v_scale)
        o, lse = attn_mlir.uncenter(o, lse, q=q, k_mean=k_mean, v_mean=v_mean)
        wide = [dequantize(*its)[0].to(DEVICE) + mean.double() for *its, mean in (
            (k8, k_scale, k_mean), (v8, v_scale, v_mean))]
        expected, own = attend(q, *wide)
        # The first ten rows attend to no key.
        assert (o[:, :, :10] == 0).all() and torch.isneginf(lse[:, :, :10]).all()
        expected = expected.nan_to_num(0)
        torch.testing.assert_close(o.double(), expected, atol=1e-2, rtol=4e-3)
        torch.testing.assert_close(lse[:, :, 10:].double(), own[:, :, 10:], atol=3e-3,
                                   rtol=1e-3)
        exact, _ = attend(q, k, v)
        plain = [attn_mlir.quantize(its, I8, scale="head") for its in (k, v)]
        rough = attn_mlir.attention(q, plain[0][0], plain[1][0], causal="bottom_right",
                                    k_scale=plain[0][1], v_scale=plain[1][1])
        errors = [(its.double() - exact)[:, :, 10:].abs().max().item() for its in (o, rough)]
        self.assertLess(errors[0] * 2, errors[1])

    def test_errors(self):
        o, mean = draw(1, 4, 3, 8), draw(1, 3, 1, 8)
        for call, message in (
                (lambda: attn_mlir.uncenter(o, v_mean=mean), "v_mean: expected sizes"),
                (lambda: attn_mlir.uncenter(o, o[..., 0], k_mean=mean[:, :2]),
                 "q: expected the query"),
                (lambda: attn_mlir.uncenter(o, o[:, :1, :, 0], q=o, k_mean=mean[:, :2]),
                 "lse: expected sizes"),
                (lambda: attn_mlir.uncenter(o, o[..., 0], q=o[:, :1], k_mean=mean[:, :2]),
                 "q: expected sizes"),
                (lambda: attn_mlir.uncenter(o, v_mean=draw(2, 2, 1, 8)), "v_mean: expected sizes"),
                (lambda: attn_mlir.uncenter(o[..., :1], v_mean=mean[:, :2]),
                 "v_mean: expected sizes"),
                (lambda: attn_mlir.uncenter(o, v_mean=1.0), "v_mean: expected an array"),
                (lambda: attn_mlir.uncenter(o, sink=mean), "sink: expected None")):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, f"^{message}"):
                call()


def within(x):
    """Returns the same numbers in memory with NaN before and after each row."""
    sizes = [size + 3 for size in x.shape]
    whole = torch.full(sizes, torch.nan, dtype=x.dtype, device=x.device)
    part = whole[tuple([slice(1, size + 1) for size in x.shape])]
    part.copy_(x)
    return part


class Kernel(unittest.TestCase):
    def compare(self, x, name, kind, wanted):
        assert _quantize.has_kernel(x)
        found = attn_mlir.quantize(x, name, scale=kind)
        mine, its = (pair[1][0] if isinstance(kind, int) else pair[1]
                     for pair in (found, wanted))
        where = x.dtype, tuple(x.shape), x.stride(), name, kind
        assert mine.shape == its.shape and torch.equal(mine, its), where
        assert torch.equal(*[pair[0].view(torch.uint8) for pair in (found, wanted)]), where

    def test_bits(self):
        """The kernels of quantize() give the same bits as an implementation by PyTorch's
        operations."""
        for dtype, sizes, name in ((torch.float16, (2, 3, 37, 64), "e4m3"),
                                   (torch.bfloat16, (1, 2, 521, 40), "i8"),
                                   (torch.float32, (3, 1, 64, 130), "i4"),
                                   (torch.bfloat16, (1, 1, 1, 2), "i4"),
                                   (torch.float16, (2, 1, 130, 33), "e5m2")):
            x = (draw(*sizes) * draw(*sizes[:3], 1, seed=9) * 50).to(dtype)
            if x.numel() > 100:
                x[0, 0, 0, 0], x[0, -1, 0, 1] = torch.inf, -torch.inf
                x[-1, -1, 3] = torch.nan
                x[0, 0, 2], x[0, -1, 1, 2] = 0, torch.nan
                x[0, 0, 16:32] = 0
            strided = x.transpose(1, 2).contiguous().transpose(1, 2)
            for kind in KINDS:
                wanted = by_operations(x, name, scale=kind)
                for its in (x, strided, within(x)):
                    self.compare(its, name, kind, wanted)

    def test_packed(self):
        for tokens in (1, 17, 300):
            x = draw(tokens, 3, 20)
            for name in ("e4m3", "i4"):
                for kind in ("tensor", "head", "token", 16, 64):
                    wanted = by_operations(x, name, scale=kind)
                    self.compare(x, name, kind, wanted)
                    self.compare(within(x), name, kind, wanted)

    def test_centered(self):
        """The mean is that of the finite numbers. Scales and stored numbers are those of the array
        minus its mean."""
        for name, sizes in (("i8", (2, 3, 37, 20)), ("i4", (1, 2, 700, 64)),
                            ("e4m3", (1, 1, 1, 4))):
            x = within(draw(*sizes, mean=5).half())
            if sizes[2] > 1:
                x[0, 0, 3, 1], x[0, -1, 4, 2], x[0, 0, :, 3] = torch.nan, torch.inf, torch.nan
            for kind in KINDS:
                found, scale, mean = attn_mlir.quantize(x, name, scale=kind, center=True)
                wide = x.double()
                finite = wide.isfinite()
                wanted = torch.where(finite, wide, 0).sum(2, True) / finite.sum(
                    2, True).clamp(min=1)
                torch.testing.assert_close(mean.double(), wanted, atol=1e-6, rtol=1e-6)
                own = by_operations(x.float() - mean, name, scale=kind)
                pair = found, scale
                if isinstance(kind, int):
                    pair, own = ((its[0], its[1][0]) for its in (pair, own))
                assert torch.equal(pair[1], own[1]), (sizes, name, kind)
                assert torch.equal(pair[0].view(torch.uint8), own[0].view(torch.uint8))
        x = draw(50, 3, 20, mean=2)
        _, _, mean = attn_mlir.quantize(x, "i8", scale="head", center=True)
        torch.testing.assert_close(mean, x.mean(0, True), atol=1e-6, rtol=1e-6)


class Repeated(unittest.TestCase):
    def test_layouts(self):
        """A call on an array of a layout that was seen before is made again without Python, with
        the same results as by operations of the library; another layout, dtype, scale or library is
        not taken for it."""
        with unittest.mock.patch.object(_quantize, "calls", Calls()):
            for number in range(2):
                for x in (draw(2, 3, 40, 16, seed=number), draw(2, 3, 40, 16, seed=number).half(),
                          draw(2, 40, 3, 16, seed=number).transpose(1, 2)):
                    for name in ("e4m3", "i8", "i4"):
                        for options in ({}, {"scale": "token"}, {"scale": "channel"},
                                        {"scale": "tensor", "center": True}):
                            with unittest.mock.patch.object(
                                    _quantize, "_store_by_kernel",
                                    side_effect=_quantize._store_by_kernel) as made:
                                found = attn_mlir.quantize(x, name, **options)
                            self.assertEqual(made.call_count, 1 - number, (name, options))
                            expected = by_operations(x, name, **options)
                            self.assertEqual(len(found), len(expected))
                            for its, own in zip(found, expected):
                                self.assertEqual((its.dtype, its.shape), (own.dtype, own.shape))
                                torch.testing.assert_close(
                                    its.float(), own.float(), rtol=0.13, atol=1)
                            torch.testing.assert_close(found[1], expected[1], rtol=1e-6, atol=0)
            x = draw(2, 3, 40, 16)
            for wrong in ({"check": 3}, {"center": "yes"}, {"scale": "row"}):
                with self.assertRaises(attn_mlir.ArgumentError):
                    attn_mlir.quantize(x, "i8", **wrong)
            gradient, = torch.autograd.grad(
                attn_mlir.quantize(x.requires_grad_(), "e4m3")[1].sum(), x)
            self.assertGreater(gradient.abs().max().item(), 0)


if __name__ == "__main__":
    unittest.main()
