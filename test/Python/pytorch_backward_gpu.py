# Gradients in PyTorch on a GPU alone: each dtype and feature by the accuracy rule, the same
# bits beside a busy stream, streams, graphs and generated code. Tests run in processes of
# their own, several at a time, for most of their time goes to compilation.
#
# REQUIRES: capi, torch, pytorch
# RUN: %pytorch-python -W ignore %s

import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import one_process_each
import tensor_gradients
import torch
from attn_mlir import _frames
from tensor_gradients import window_mask
from tensors import problem, random_like, soft_cap


def with_gaps(array):
    """Returns the same values in memory with gaps between rows, which are NaN."""
    b, h, s, d = array.shape
    wide = torch.full((b, s + 1, h, d + 8), math.nan, dtype=array.dtype, device="cuda")
    view = wide[:, 1:, :, :d].transpose(1, 2)
    view.copy_(array)
    return view


class Values:
    """The tests that are run for each dtype."""

    def compare(self, arrays, score=None, factor=1.0, modes=(False, True), **options):
        """Checks all three gradients, for random gradients of output and lse."""
        q, k, v = arrays
        o, lse = attn_mlir.attention(q, k, v, return_lse=True, **options)
        d_o, d_lse = random_like(o, factor), random_like(lse, factor)
        for deterministic in modes:
            found = attn_mlir.attention_backward(q, k, v, o, lse, d_o, d_lse,
                                                 deterministic=deterministic, **options)
            tensor_gradients.check(found, q, k, v, d_o, d_lse, options.get("scale"), score)

    def test_sizes(self):
        for dim in (32, 64, 128, 256):
            for rows, keys in ((128, 128), (197, 197), (300, 1000), (1000, 77), (1, 64)):
                with self.subTest(dim=dim, rows=rows, keys=keys):
                    self.compare(problem(batch=1, heads=2, kv_heads=2, rows=rows, keys=keys,
                                         dim=dim, dtype=self.dtype),
                                 modes=(False, True) if dim == 128 else (False,))

    def test_odd_head_dims(self):
        for dim in (1, 24, 80, 97):
            with self.subTest(dim=dim):
                self.compare(problem(rows=150, keys=170, dim=dim, dtype=self.dtype),
                             modes=(False,))

    def test_grouped_heads(self):
        for dim in (64, 128):
            with self.subTest(dim=dim):
                self.compare(problem(batch=1, heads=32, kv_heads=8, rows=300, keys=400,
                                     dim=dim, dtype=self.dtype))

    def test_masks(self):
        """Each mask is tested with as many rows as keys, with fewer, and with more."""
        for dim, options in ((64, {"causal": "top_left"}), (128, {"causal": "bottom_right"}),
                             (64, {"window": (100, 30)}),
                             (128, {"window": (64, None), "causal": "top_left"}),
                             (64, {"window": (3, 5), "align": "bottom_right"})):
            for rows, keys in ((400, 400), (200, 500), (500, 200)):
                is_bottom = "bottom_right" in options.values()
                left, right = options.get("window", (None, None))
                mask = window_mask(left, right, "causal" in options,
                                   keys - rows if is_bottom else 0)
                with self.subTest(rows=rows, keys=keys, dim=dim, **options):
                    self.compare(problem(batch=1, heads=2, kv_heads=1, rows=rows, keys=keys,
                                         dim=dim, dtype=self.dtype), mask, **options)

    def test_score_functions(self):
        arrays = problem(rows=200, keys=230, dim=64, dtype=self.dtype)
        self.compare(arrays, soft_cap, score_mod=soft_cap)
        self.compare(arrays, window_mask(causal=True, score=soft_cap), modes=(False,),
                     score_mod=soft_cap, causal=True)

    def test_scales(self):
        """Small gradients, as of a loss that is a mean, and large scores."""
        arrays = problem(rows=200, keys=230, dim=64, dtype=self.dtype)
        if self.dtype != torch.float16:  # whose gradients would be denormal
            self.compare(arrays, factor=1e-6)
        self.compare(arrays, scale=3.0, modes=(False,))

    def test_one_kernel_for_all_lengths(self):
        _frames.kernels.clear()
        for rows, keys, heads in ((1, 1, 2), (64, 64, 4), (333, 40, 6), (1024, 1500, 2)):
            self.compare(problem(heads=heads, kv_heads=2, rows=rows, keys=keys, dim=64,
                                 dtype=self.dtype))
        self.assertEqual(len(_frames.kernels), 3)  # forward, fast, deterministic

    def test_empty(self):
        q, k, v = problem(dtype=self.dtype, dim=64)
        for rows, keys in ((40, 0), (0, 50), (0, 0)):
            arrays = q[:, :, :rows], k[:, :, :keys], v[:, :, :keys]
            o, lse = attn_mlir.attention(*arrays, return_lse=True)
            found = attn_mlir.attention_backward(*arrays, o, lse, torch.ones_like(o))
            for its, array in zip(found, arrays):
                self.assertEqual(its.shape, array.shape)
                self.assertFalse(its.any())

    def test_strides_with_gaps(self):
        """Gaps between rows are neither read nor written."""
        for dim in (64, 72, 128):
            q, k, v = problem(heads=4, kv_heads=2, rows=190, keys=210, dim=dim,
                              dtype=self.dtype)
            o, lse = attn_mlir.attention(q, k, v, return_lse=True, causal=True)
            d_o = random_like(o)
            arrays = [with_gaps(x) for x in (q, k, v, o)]
            out = [with_gaps(torch.full_like(x, math.nan)) for x in (q, k, v)]
            for deterministic in (False, True):
                attn_mlir.attention_backward(*arrays, lse, with_gaps(d_o), causal=True,
                                             deterministic=deterministic, out=out)
                tensor_gradients.check(out, q, k, v, d_o, score=window_mask(causal=True))
                for x in out:
                    whole = torch.as_strided(x, (x.untyped_storage().nbytes()
                                                 // x.element_size(),), (1,), 0)
                    self.assertEqual(whole.isnan().sum(), whole.numel() - x.numel())

    def test_packed(self):
        """Queries, keys and values are parts of one packed array, and so are their gradients. A row
        of one array is followed by a row of another, also where rows do not begin at multiples of
        16 bytes."""
        for dim in (64, 20, 5):
            packed = random_like(torch.empty(2, 200, 3, 4, dim, device="cuda",
                                             dtype=self.dtype))
            q, k, v = packed.permute(2, 0, 3, 1, 4)
            gradients = torch.full_like(packed, math.nan)
            o, lse = attn_mlir.attention(q, k, v, return_lse=True, causal=True)
            d_o = random_like(o)
            out = tuple(gradients.permute(2, 0, 3, 1, 4))
            attn_mlir.attention_backward(q, k, v, o, lse, d_o, causal=True, out=out)
            tensor_gradients.check(out, q, k, v, d_o, score=window_mask(causal=True))

    def test_gradients_in_f32(self):
        q, k, v = problem(rows=300, keys=300, dim=128, dtype=self.dtype)
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        d_o = random_like(o)
        out = [torch.full_like(x, math.nan, dtype=torch.float32) for x in (q, k, v)]
        attn_mlir.attention_backward(q, k, v, o, lse, d_o, out=out)
        tensor_gradients.check([x.to(self.dtype) for x in out], q, k, v, d_o)

    def test_subsets(self):
        q, k, v = problem(heads=8, kv_heads=2, rows=300, keys=333, dim=64, dtype=self.dtype)
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        d_o = random_like(o)
        for wanted in range(1, 8):
            wrt = [name for n, name in enumerate(("query", "key", "value"))
                   if wanted >> n & 1]
            found = iter(attn_mlir.attention_backward(q, k, v, o, lse, d_o, wrt=wrt))
            tensor_gradients.check([next(found) if wanted >> n & 1 else None
                                    for n in range(3)], q, k, v, d_o)

    def test_same_bits(self):
        """Gradients have the same bits in 100 runs, while another stream multiplies matrices."""
        busy, matrix = torch.cuda.Stream(), torch.randn(4096, 4096, device="cuda")
        for heads, kv_heads, rows, keys, is_causal in ((8, 8, 1024, 1024, True),
                                                       (32, 8, 500, 700, False)):
            q, k, v = problem(batch=1, heads=heads, kv_heads=kv_heads, rows=rows, keys=keys,
                              dim=128, dtype=self.dtype)
            o, lse = attn_mlir.attention(q, k, v, return_lse=True, causal=is_causal)
            d_o = random_like(o)
            torch.cuda.synchronize()
            first = None
            for call in range(100):
                if call % 4 == 0:
                    with torch.cuda.stream(busy):
                        matrix @ matrix
                found = attn_mlir.attention_backward(
                    q, k, v, o, lse, d_o, causal=is_causal, deterministic=True)
                first = first or found
                for its, expected in zip(found, first):
                    self.assertTrue(torch.equal(its, expected), call)
            tensor_gradients.check(first, q, k, v, d_o,
                                   score=window_mask(causal=True) if is_causal else None)
            torch.cuda.synchronize()


class F16(Values, unittest.TestCase):
    dtype = torch.float16


class BF16(Values, unittest.TestCase):
    dtype = torch.bfloat16


class F32(Values, unittest.TestCase):
    dtype = torch.float32


class Order(unittest.TestCase):
    def test_current_stream(self):
        q, k, v = problem(rows=1024, keys=1024, dim=64, dtype=torch.float16)
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        d_o = random_like(o)
        expected = attn_mlir.attention_backward(q, k, v, o, lse, d_o, deterministic=True)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            torch.cuda._sleep(100_000_000)
            late = d_o * 1  # written once the stream has slept
            found = attn_mlir.attention_backward(q, k, v, o, lse, late, deterministic=True)
        torch.cuda.current_stream().wait_stream(stream)
        for its, wanted in zip(found, expected):
            self.assertTrue(torch.equal(its, wanted))

    def test_graph(self):
        """Forward and backward pass by autograd are captured in one CUDA graph, which is replayed
        with new inputs."""
        torch.use_deterministic_algorithms(True, warn_only=True)
        self.addCleanup(torch.use_deterministic_algorithms, False)
        for dtype, dim in ((torch.float16, 64), (torch.bfloat16, 128), (torch.float32, 64)):
            q, k, v = (x.requires_grad_() for x in problem(
                heads=8, kv_heads=2, rows=300, keys=300, dim=dim, dtype=dtype))
            d_o = random_like(q)

            def step():
                o = attn_mlir.attention(q, k, v, causal=True)
                return (o, *torch.autograd.grad(o, [q, k, v], d_o))

            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                step()
            torch.cuda.current_stream().wait_stream(side)
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                captured = step()
            for factor in (1.0, -0.5, 2.0):
                with torch.no_grad():
                    q.mul_(factor)
                    d_o.mul_(factor)
                for its in captured:
                    its.detach().fill_(math.nan)
                graph.replay()
                for its, expected in zip(captured, step()):
                    self.assertTrue(torch.equal(its, expected), (dtype, factor))
                tensor_gradients.check([x.detach() for x in captured[1:]], q, k, v, d_o,
                                       score=window_mask(causal=True))


class Autograd(unittest.TestCase):
    def test_gradcheck(self):
        torch.use_deterministic_algorithms(True, warn_only=True)
        self.addCleanup(torch.use_deterministic_algorithms, False)
        arrays = [x.requires_grad_() for x in problem(batch=1, heads=2, kv_heads=1, rows=5,
                                                      keys=7, dim=8)]
        for options in ({}, {"causal": "bottom_right"}, {"score_mod": soft_cap}):
            self.assertTrue(torch.autograd.gradcheck(
                lambda *arrays: attn_mlir.attention(*arrays, return_lse=True, **options),
                arrays, eps=1e-2, atol=2e-2, rtol=2e-2))

    def test_inductor(self):
        """Inductor generates code for the ops before and after attention, forward and backward."""
        function = torch.compile(lambda q, k, v: attn_mlir.torch.attention(
            q * 2, k, v, causal=True) + 1, fullgraph=True)
        for rows in (200, 333):
            q, k, v = (x.requires_grad_() for x in problem(
                heads=8, kv_heads=2, rows=rows, keys=rows, dim=64, dtype=torch.bfloat16))
            o = function(q, k, v)
            d_o = random_like(o)
            found = torch.autograd.grad(o, [q, k, v], d_o)
            tensor_gradients.check([found[0] / 2, *found[1:]], (q * 2).detach(), k, v, d_o,
                                   score=window_mask(causal=True))

    def test_checkpoint_in_inductor(self):
        function = torch.compile(lambda q, k, v: torch.utils.checkpoint.checkpoint(
            lambda q, k, v: attn_mlir.torch.attention(q, k, v, causal=True), q, k, v,
            use_reentrant=False), fullgraph=True)
        q, k, v = (x.requires_grad_() for x in problem(rows=200, keys=200, dim=64,
                                                       dtype=torch.float16))
        o = function(q, k, v)
        d_o = random_like(o)
        tensor_gradients.check(torch.autograd.grad(o, [q, k, v], d_o), q, k, v, d_o,
                               score=window_mask(causal=True))

    def test_autocast(self):
        """Under autocast, a layer in f32 has attention in bf16."""
        torch.manual_seed(0)
        split = torch.nn.Linear(256, 768, device="cuda")
        x = torch.randn(2, 300, 256, device="cuda")
        gradients = []
        for attend in (attn_mlir.attention,
                       lambda q, k, v, causal: torch.nn.functional
                       .scaled_dot_product_attention(q, k, v, is_causal=causal)):
            split.zero_grad()
            with torch.autocast("cuda", torch.bfloat16):
                heads = split(x).unflatten(-1, (3, 4, 64)).permute(2, 0, 3, 1, 4)
                o = attend(*heads, causal=True)
            o.float().sin().sum().backward()
            gradients.append(split.weight.grad.clone())
        error = (gradients[0] - gradients[1]).norm() / gradients[1].norm()
        self.assertLess(error, 0.02)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        unittest.main()
    sys.exit(one_process_each.run(__file__, sys.modules["__main__"]))
