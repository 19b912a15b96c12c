# Features of PyTorch that a CPU lacks: streams, graphs, generated code. Also measures the host's
# time for a call.
#
# REQUIRES: capi, torch, pytorch
# RUN: %pytorch-python %s

import math
import os
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import many_threads
import torch
from tensors import causal, check, problem, reference


class GPU(unittest.TestCase):
    def test_current_stream(self):
        q, k, v = problem(rows=2048, keys=2048, dim=64, dtype=torch.float16)
        expected = attn_mlir.attention(q, k, v)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            torch.cuda._sleep(100_000_000)
            late = q * 1  # written once the stream has slept
            found = attn_mlir.attention(late, k, v)
        torch.cuda.current_stream().wait_stream(stream)
        self.assertTrue(torch.equal(found, expected))

    def test_graph(self):
        q, k, v = problem(dim=64, dtype=torch.float16)
        expected = attn_mlir.attention(q, k, v)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            found = attn_mlir.attention(q, k, v)
        graph.replay()
        self.assertTrue(torch.equal(found, expected))

    def test_graphs_beside_launches(self):
        """CTAs take their tiles from counters in memory. No two launches may use the same counters
        at the same time, even if graphs are replayed on some streams while others launch
        kernels."""
        streams = [torch.cuda.Stream() for _ in range(6)]
        cases = []
        for index, stream in enumerate(streams):
            torch.manual_seed(index)
            q, k, v = (torch.randn(1, 16, 2048 + 128 * index, 128, device="cuda",
                                   dtype=torch.bfloat16) for _ in range(3))
            expected = attn_mlir.attention(q, k, v, causal=True)
            outputs = [torch.empty_like(expected) for _ in range(3)]
            graph = None
            if index % 2 == 0:
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph, stream=stream):
                    # In the graph, the second and the third launch may run at the same time.
                    attn_mlir.attention(q, k, v, causal=True, out=outputs[0])
                    branch = torch.cuda.Stream()
                    branch.wait_stream(stream)
                    with torch.cuda.stream(branch):
                        attn_mlir.attention(q, k, v, causal=True, out=outputs[1])
                    attn_mlir.attention(q, k, v, causal=True, out=outputs[2])
                    stream.wait_stream(branch)
            cases.append((stream, graph, q, k, v, expected, outputs))
        torch.cuda.synchronize()
        for _ in range(200):
            for *_, outputs in cases:
                for output in outputs:
                    output.fill_(math.nan)
            torch.cuda.synchronize()
            for stream, graph, q, k, v, _, outputs in cases:
                with torch.cuda.stream(stream):
                    if graph:
                        graph.replay()
                    else:
                        for output in outputs:
                            attn_mlir.attention(q, k, v, causal=True, out=output)
            torch.cuda.synchronize()
            for *_, expected, outputs in cases:
                for output in outputs:
                    self.assertTrue(torch.equal(output, expected))

    def test_many_captured_launches(self):
        """A graph has more launches than the runtime allocates counters for at once, so further
        counters are allocated during the capture."""
        q, k, v = problem(rows=4096, keys=4096, dim=128, dtype=torch.float16)
        expected = attn_mlir.attention(q, k, v, causal=True)
        out = torch.empty_like(expected)
        for _ in range(2):
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                for _ in range(8200):
                    attn_mlir.attention(q, k, v, causal=True, out=out)
            out.fill_(math.nan)
            graph.replay()
            torch.cuda.synchronize()
            self.assertTrue(torch.equal(out, expected))
            del graph

    def test_inductor(self):
        q, k, v = problem(dim=64, dtype=torch.bfloat16)
        function = torch.compile(lambda q, k, v: attn_mlir.torch.attention(
            q * 2, k, v, causal=True) + 1, fullgraph=True)
        check(function(q, k, v) - 1, reference(q * 2, k, v, score=causal)[0],
              torch.bfloat16)

    def test_growing_scores(self):
        """Keys grow along the sequence or against it, so a row's maximum rises again and again,
        from whichever end the kernel begins."""
        for dim, dtype in ((64, torch.bfloat16), (128, torch.float16), (256, torch.bfloat16)):
            q, k, v = problem(rows=600, keys=1000, dim=dim, dtype=dtype)
            ramp = torch.linspace(0.1, 1, 1000, device=k.device).view(-1, 1)
            for factor in (3.0, 30.0, 3000.0):
                for keys in (k * ramp, k * ramp.flip(0)):
                    keys = (keys * factor).to(dtype)
                    for masked in (False, True):
                        o, lse = attn_mlir.attention(q, keys, v, causal=masked, return_lse=True)
                        expected, expected_lse = reference(
                            q, keys, v, score=causal if masked else None)
                        check(o, expected, dtype)
                        torch.testing.assert_close(lse.double(), expected_lse, atol=1e-3, rtol=1e-3)

    def test_not_numbers(self):
        """If a key has a NaN, the rows that attend to it are NaN. So are those that have an
        infinite score. Other rows are not affected."""
        q, k, v = problem(rows=300, keys=300, dim=64, dtype=torch.float16)
        expected, _ = reference(q, k, v, score=causal)
        for value in (math.nan, math.inf):
            keys = k.clone()
            keys[:, :, 170, 3] = value
            found = attn_mlir.attention(q, keys, v, causal=True)
            check(found[:, :, :170], expected[:, :, :170], torch.float16)
            # If the query has the other sign, the score of an infinite key is -inf, which does not
            # make the row NaN.
            seen = found[:, :, 170:][q[:, :, 170:, 3] > 0] if value == math.inf else found[:, :, 170:]
            self.assertTrue(seen.isnan().all())

    def test_threads(self):
        cases = []
        for rows, keys, dim, masked in ((1, 70, 64, False), (257, 257, 128, True),
                                        (64, 33, 64, False), (100, 100, 256, True)):
            q, k, v = problem(rows=rows, keys=keys, dim=dim, dtype=torch.float16)
            cases.append((q, k, v, masked, reference(
                q, k, v, score=causal if masked else None)[0]))

        def work(seed):
            with torch.cuda.stream(torch.cuda.Stream()):
                for call in range(50):
                    q, k, v, masked, expected = cases[(31 * seed + 17 * call) % 4]
                    check(attn_mlir.attention(q, k, v, causal=masked), expected,
                          torch.float16)

        torch.cuda.synchronize()
        self.assertEqual(many_threads.run(work), [])

    def test_host_time(self):
        q, k, v = problem(rows=1, keys=16, dim=64, dtype=torch.float16)
        attn_mlir.attention(q, k, v)
        best = float("inf")
        for _ in range(20):
            torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(500):
                attn_mlir.attention(q, k, v)
            best = min(best, (time.perf_counter() - start) / 500)
        torch.cuda.synchronize()
        print(f"a cached call takes {best * 1e6:.1f} us of the host")
        # The limit is twice the expected time, since the machine may be busy.
        self.assertLess(best, 30e-6)


if __name__ == "__main__":
    unittest.main()
