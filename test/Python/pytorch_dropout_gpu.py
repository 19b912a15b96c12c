# Sinks, dropout and gradients of captured tensors in PyTorch on a GPU alone: each dtype and
# head dim, replays of graphs, checkpoints, generated code, and no wait for the device. Tests
# run in processes of their own, several at a time, for most of their time goes to
# compilation.
#
# REQUIRES: capi, torch, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import one_process_each
import torch
from attn_mlir._operators import adapter
from tensor_features import compare, reference
from tensors import leaves, problem, random_like
from torch.utils.checkpoint import checkpoint


def draw(*sizes, dtype=torch.float32):
    generator = torch.Generator().manual_seed(len(sizes))
    return torch.randn(*sizes, generator=generator).to("cuda", dtype)


class Values:
    """The tests that are run for each dtype."""

    def check(self, make_score=None, captures=(), sink=None, dropout_p=0.0, seed=(5, 6),
              rows=197, keys=333, dim=64, kv_heads=2, **options):
        arrays = leaves(*problem(kv_heads=kv_heads, rows=rows, keys=keys, dim=dim,
                                 dtype=self.dtype))
        captures = leaves(*captures)
        sinks = [] if sink is None else leaves(sink)
        score = make_score(*captures) if make_score else None
        own = {"sink": sinks[0] if sinks else None, "dropout_p": dropout_p}
        wanted = [*arrays, *sinks, *captures]
        for deterministic in (False, True):
            torch.use_deterministic_algorithms(deterministic)
            try:
                o, lse = attn_mlir.attention(*arrays, score_mod=score, return_lse=True,
                                             seed=seed, **own, **options)
                d_o, d_lse = random_like(o), random_like(lse)
                found = torch.autograd.grad([o, lse], wanted, [d_o, d_lse])
            finally:
                torch.use_deterministic_algorithms(False)
            expected, expected_lse = reference(*arrays, score, seed=seed, **own)
            compare(o.detach(), expected.detach(), self.dtype)
            compare(lse.detach(), expected_lse.detach())
            expected = torch.autograd.grad([expected, expected_lse], wanted,
                                           [d_o.double(), d_lse.double()])
            for its, other, array in zip(found, expected, wanted):
                self.assertEqual(its.dtype, array.dtype)
                # The terms of these sums are rounded to the dtype of the inputs, even if the sum
                # has another dtype.
                compare(its.to(self.dtype), other, self.dtype)

    def test_sinks(self):
        for dim in (64, 128, 256):
            self.check(sink=draw(4), dim=dim)
            self.check(sink=draw(4, dtype=self.dtype), dim=dim, rows=64, keys=64)

    def test_dropout(self):
        for dim in (64, 128):
            for rows, keys in ((197, 333), (1, 64), (300, 77)):
                self.check(dropout_p=0.3, dim=dim, rows=rows, keys=keys)
        self.check(dropout_p=0.3, seed=torch.tensor([2**62 + 1, -3], device="cuda"))
        self.check(dropout_p=0.1, sink=draw(4), kv_heads=4)

    def test_captures(self):
        def everything(bias, slopes, by_row, by_key, factor):
            return lambda s, b, h, q, kv: s * factor + bias[0, h, q, kv] + \
                slopes[h] * (kv - q) / 64 + by_row[h, q] + by_key[b, kv]

        captures = (draw(1, 4, 197, 333, dtype=self.dtype), draw(4), draw(4, 197),
                    draw(2, 333), torch.tensor(0.7, device="cuda"))
        self.check(everything, captures)
        self.check(everything, captures, sink=draw(4), dropout_p=0.2)

    def test_mask(self):
        """Kernels for many and for few rows drop the same probabilities."""
        q, k, v = problem(rows=1000, keys=700, dim=64, dtype=self.dtype)
        seed = torch.tensor([9, 10], device="cuda")
        keep = attn_mlir.dropout_mask(q, k, 0.5, seed)
        p = (q.double() @ k.double().mT * 0.125).softmax(-1) * keep * 2
        compare(attn_mlir.attention(q, k, v, dropout_p=0.5, seed=seed), p @ v.double(),
                self.dtype)


class F16(Values, unittest.TestCase):
    dtype = torch.float16


class BF16(Values, unittest.TestCase):
    dtype = torch.bfloat16


class F32(Values, unittest.TestCase):
    dtype = torch.float32


class Replays(unittest.TestCase):
    def setUp(self):
        self.wanted = leaves(*problem(rows=300, keys=300, dim=64, dtype=torch.bfloat16),
                             draw(4), draw(1, 4, 300, 300, dtype=torch.bfloat16))

    @staticmethod
    def attend(q, k, v, sink, bias):
        return attn_mlir.torch.attention(
            q.sin(), k, v, sink=sink, dropout_p=0.3, causal=True,
            score_mod=lambda s, b, h, i, j: s + bias[0, h, i, j]).cos()

    def test_graph(self):
        """Each replay of a CUDA graph draws a new seed, which its forward and backward pass have in
        common."""
        torch.use_deterministic_algorithms(True)
        self.addCleanup(torch.use_deterministic_algorithms, False)
        d_o = random_like(self.wanted[0])
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            for _ in range(3):
                o = self.attend(*self.wanted)
                torch.autograd.grad(o, self.wanted, d_o)
        torch.cuda.current_stream().wait_stream(stream)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            o = self.attend(*self.wanted)
            gradients = torch.autograd.grad(o, self.wanted, d_o)
        outputs = []
        for seed in (3, 3, 4):
            torch.manual_seed(seed)
            graph.replay()
            first = [o.detach().clone(), *[x.clone() for x in gradients]]
            graph.replay()
            self.assertFalse(torch.equal(first[0], o))
            # With the same seed of the generator, results are the same as without a graph.
            torch.manual_seed(seed)
            expected = self.attend(*self.wanted)
            for one, other in zip(first, (expected.detach(), *torch.autograd.grad(
                    expected, self.wanted, d_o))):
                self.assertTrue(torch.equal(one, other))
            outputs.append(first[0])
        self.assertTrue(torch.equal(outputs[0], outputs[1]))
        self.assertFalse(torch.equal(outputs[0], outputs[2]))

    def test_graph_of_checkpoint(self):
        """In a captured checkpoint, the forward pass runs again with the same seed."""
        torch.use_deterministic_algorithms(True)
        self.addCleanup(torch.use_deterministic_algorithms, False)
        d_o = random_like(self.wanted[0])
        torch.manual_seed(3)
        o = checkpoint(self.attend, *self.wanted, use_reentrant=False)
        found = torch.autograd.grad(o, self.wanted, d_o)
        torch.manual_seed(3)
        o = self.attend(*self.wanted)
        for one, other in zip(found, torch.autograd.grad(o, self.wanted, d_o)):
            self.assertTrue(torch.equal(one, other))

    def test_own_generator(self):
        own = torch.Generator("cuda").manual_seed(5)
        q, k, v = (x.detach() for x in self.wanted[:3])
        out = torch.empty_like(q)
        graph = torch.cuda.CUDAGraph()
        graph.register_generator_state(own)
        with torch.cuda.graph(graph):
            attn_mlir.attention(q, k, v, dropout_p=0.3, generator=own, out=out)
        found = []
        for seed in (5, 6, 5):
            own.manual_seed(seed)
            graph.replay()
            found.append(out.clone())
        self.assertTrue(torch.equal(found[0], found[2]))
        self.assertFalse(torch.equal(found[0], found[1]))

    def test_inductor(self):
        """Forward and backward pass of Inductor's code drop the same probabilities, whether the
        seed is drawn by PyTorch's generator or by the generated code."""
        q, k, _ = problem(rows=64, keys=64, dim=64, dtype=torch.bfloat16)
        for fallback in (True, False):
            torch._dynamo.reset()
            with torch._inductor.config.patch(fallback_random=fallback):
                function = torch.compile(lambda v: attn_mlir.torch.attention(
                    q, k, v, dropout_p=0.5), fullgraph=True)
                # The value is the identity matrix, so the output has the probabilities, and 0 for
                # those that were dropped.
                value = torch.eye(64, device="cuda", dtype=torch.bfloat16)
                value = value.expand(2, 4, -1, -1).contiguous().requires_grad_()
                torch.manual_seed(3)
                o = function(value)
                d_o = random_like(o)
                d_value, = torch.autograd.grad(o, value, d_o)
            self.assertLess(abs((o == 0).double().mean().item() - 0.5), 0.05)
            compare(d_value, o.detach().double().mT @ d_o.double(), torch.bfloat16)
            if fallback:
                torch.manual_seed(3)
                self.assertTrue(torch.equal(o, attn_mlir.attention(q, k, value,
                                                                   dropout_p=0.5)))

    def test_inductor_checkpoint(self):
        torch._dynamo.reset()
        with torch._inductor.config.patch(fallback_random=True):
            def attend(q, k, v, sink):
                return attn_mlir.torch.attention(q.sin(), k, v, sink=sink, dropout_p=0.3)

            function = torch.compile(lambda *a: checkpoint(attend, *a, use_reentrant=False),
                                     fullgraph=True)
            results = []
            for its in (function, attend):
                torch.manual_seed(3)
                o = its(*self.wanted[:4])
                results.append([o.detach(), *torch.autograd.grad(
                    o, self.wanted[:4], random_like(o))])
        for one, other in zip(*results):
            torch.testing.assert_close(one, other, atol=3e-2, rtol=3e-2)

    def test_no_wait(self):
        """Seeds stay on the device, so the host does not wait for it."""
        q, k, v = self.wanted[:3]
        d_o = random_like(q)

        def step():
            torch.autograd.grad(self.attend(*self.wanted), self.wanted, d_o)
            for options in ({}, {"seed": (1, 2)}):
                attn_mlir.attention(q, k, v, dropout_p=0.3, **options).sum().backward()
                with torch.no_grad():
                    attn_mlir.attention(q, k, v, dropout_p=0.3, **options)

        step()
        torch.cuda.synchronize()
        torch.cuda.set_sync_debug_mode("error")
        try:
            step()
        finally:
            torch.cuda.set_sync_debug_mode("default")

    def test_streams(self):
        """A seed is drawn and read on the same stream."""
        q, k, v = (x.detach() for x in self.wanted[:3])
        torch.manual_seed(3)
        expected = attn_mlir.attention(q, k, v, dropout_p=0.3)
        seed = torch.tensor([1, 2], device="cuda")
        other = attn_mlir.attention(q, k, v, dropout_p=0.3, seed=seed)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            torch.cuda._sleep(100_000_000)
            torch.manual_seed(3)
            found = attn_mlir.attention(q, k, v, dropout_p=0.3)
            late = seed * 1
            again = attn_mlir.attention(q, k, v, dropout_p=0.3, seed=late)
        torch.cuda.current_stream().wait_stream(stream)
        self.assertTrue(torch.equal(found, expected))
        self.assertTrue(torch.equal(again, other))
        # The call names a stream that is not the current one.
        out = torch.empty_like(q)
        torch.cuda.synchronize()
        with torch.cuda.stream(stream):
            torch.cuda._sleep(100_000_000)
        torch.manual_seed(3)
        attn_mlir.attention(q, k, v, dropout_p=0.3, out=out, stream=stream.cuda_stream)
        stream.synchronize()
        self.assertTrue(torch.equal(out, expected))

    def test_draws(self):
        """A call draws its seed by the adapter's draw_seed(), from the device's generator."""
        q, k, v = problem(dim=64, dtype=torch.bfloat16)
        torch.manual_seed(3)
        seed = adapter.draw_seed(q, None)
        torch.manual_seed(3)
        compare(attn_mlir.attention(q, k, v, dropout_p=0.4),
                reference(q, k, v, dropout_p=0.4, seed=seed.tolist())[0], torch.bfloat16)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        unittest.main()
    sys.exit(one_process_each.run(__file__, sys.modules["__main__"]))
