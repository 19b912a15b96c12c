# attn_mlir.merge and attn_mlir.append on a GPU alone: all problems in each dtype, graphs whose
# lengths grow, generated code, streams, no wait for the device, and rates.
#
# REQUIRES: capi, torch, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import numpy as np
import serving
import torch
from tensor_serving import check_append, check_merge, merge_reference, states, to_tensors

DTYPES = (torch.float32, torch.float16, torch.bfloat16)


def time_of(function, bytes_moved, name):
    """Measures a CUDA graph of 20 calls several times. Prints the best time of a call and the rate
    as `name: us, GB/s`."""
    function()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(20):
            function()
    best = float("inf")
    for _ in range(10):
        begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record()
        graph.replay()
        end.record()
        end.synchronize()
        best = min(best, begin.elapsed_time(end) / 20)
    print(f"{name}: {1e3 * best:.1f} us, {bytes_moved / best / 1e6:.0f} GB/s")


class Merge(unittest.TestCase):
    def test_numbers(self):
        sink = torch.tensor([0.5, -torch.inf, 2], device="cuda")
        for dtype in DTYPES:
            for count, sizes in ((1, {}), (2, {"dim": 64, "rows": 1}), (3, {"dim": 128}),
                                 (9, {"dim": 256, "rows": 33}), (2, {"dim": 1}),
                                 (2, {"dim": 96, "rows": 200, "batch": 5})):
                own = states(count, dtype, "cuda", **sizes)
                for its in (None, sink, sink.bfloat16()):
                    expected = merge_reference(own, its)
                    found = attn_mlir.merge(own, sink=its)
                    check_merge(found, expected, dtype)
                    again = attn_mlir.merge(own, sink=its)
                    self.assertTrue(all(map(torch.equal, found, again)))

    def test_infinite(self):
        own = states(3, torch.float32, "cuda")
        expected, _ = merge_reference(own)
        for value in (torch.nan, torch.inf):
            changed = [(o, lse.clone()) for o, lse in own]
            changed[1][1][1, 2, 3] = value
            found, lse = attn_mlir.merge(changed)
            self.assertTrue(lse[1, 2, 3].isnan() and found[1, 2, 3].isnan().all())
            found[1, 2, 3] = expected[1, 2, 3]
            torch.testing.assert_close(found.double(), expected, atol=2e-5, rtol=2e-5)

    def test_strides(self):
        """Rows may begin at any element. Nothing is written outside of the output."""
        for dtype in DTYPES:
            own = states(2, dtype, "cuda", dim=80)
            expected = merge_reference(own)
            for offset in (0, 1, 8):
                views = []
                for o, lse in own:
                    memory = torch.full((*o.shape[:3], 80 + 2 * offset), torch.nan,
                                        dtype=dtype, device="cuda")
                    memory[..., offset:80 + offset] = o
                    views.append((memory[..., offset:80 + offset], lse))
                memory = torch.full((2, 21, 3, 96), -31744.0, dtype=dtype, device="cuda")
                out = memory[..., offset:80 + offset].transpose(1, 2)
                lse = torch.empty_like(own[0][1])
                attn_mlir.merge(views, out=(out, lse))
                check_merge((out, lse), expected, dtype)
                out.fill_(-31744.0)
                self.assertTrue((memory == -31744.0).all())

    def test_rate(self):
        for name, sizes in (("merge 16 x 32 x 1 x 128, 8 states", (16, 32, 1, 128)),
                            ("merge 4 x 32 x 4096 x 128, 2 states", (4, 32, 4096, 128))):
            count = 8 if sizes[2] == 1 else 2
            own = [(torch.randn(sizes, device="cuda").bfloat16(),
                    torch.randn(sizes[:3], device="cuda")) for _ in range(count)]
            out = torch.empty_like(own[0][0]), torch.empty_like(own[0][1])
            numel = own[0][0].numel() * 2 + own[0][1].numel() * 4
            with torch.no_grad():
                time_of(lambda own=own, out=out: attn_mlir.merge(own, out=out),
                        numel * (count + 1), name)


class Append(unittest.TestCase):
    def test_numbers(self):
        for dtype in DTYPES:
            for case in serving.cases():
                check_append(case, "cuda", dtype)

    def test_generated_code(self):
        def append(**problem):
            return attn_mlir.torch.append(**problem)

        with torch.no_grad():
            for case in list(serving.cases())[1::17]:
                torch.compiler.reset()
                check_append(case, "cuda", torch.bfloat16,
                             torch.compile(append, fullgraph=True))

    def test_graph(self):
        """Each replay of a decoding step continues from the lengths that the replay before has
        written."""
        batch, heads, dim, page, steps = 3, 2, 64, 4, 11
        rng = np.random.default_rng(0)
        table = torch.from_numpy(rng.permutation(batch * 6).reshape(batch, 6).astype(np.int32))
        table = table.cuda()
        k, v = (torch.randn(batch, heads, steps, dim, device="cuda").half() for _ in "kv")
        pools = [torch.full((batch * 6, heads, page, dim), torch.nan, device="cuda").half()
                 for _ in "kv"]
        lengths = torch.tensor([0, 3, 9], dtype=torch.int32, device="cuda")
        first = lengths.tolist()
        own = [torch.empty(batch, heads, 1, dim, device="cuda").half() for _ in "kv"]
        # With counts of 0, the first call compiles the kernel and writes nothing.
        counts = torch.zeros(batch, dtype=torch.int32, device="cuda")

        def step():
            attn_mlir.append(*own, *pools, lengths, page_table=table, counts=counts)

        step()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step()
        counts.fill_(1)
        for t in range(steps):
            for array, its in zip(own, (k, v)):
                array.copy_(its[:, :, t:t + 1])
            graph.replay()
        self.assertEqual(lengths.tolist(), [begin + steps for begin in first])
        for pool, its in zip(pools, (k, v)):
            rows = pool[table.long()].transpose(2, 3).reshape(batch, 6 * page, heads, dim)
            for b, begin in enumerate(first):
                found = rows[b].transpose(0, 1)
                self.assertTrue(torch.equal(found[:, begin:begin + steps], its[b]))
                self.assertTrue(found[:, :begin].isnan().all())
                self.assertTrue(found[:, begin + steps:].isnan().all())

    def test_no_wait(self):
        case = {**next(serving.cases()), "page": 7, "rotary": (1.0, False)}
        own = to_tensors(serving.problem(**case), "cuda", torch.float16)
        attn_mlir.append(**own)
        torch.cuda.synchronize()
        torch.cuda.set_sync_debug_mode("error")
        try:
            attn_mlir.append(**own)
            attn_mlir.merge([(own["q"], own["q"][..., 0].float())])
        finally:
            torch.cuda.set_sync_debug_mode("default")

    def test_stream(self):
        case = {**next(serving.cases()), "tokens": 5}
        stream = torch.cuda.Stream()

        def append(**problem):
            torch.cuda.synchronize()
            found = attn_mlir.append(**problem, stream=stream.cuda_stream)
            stream.synchronize()
            return found

        check_append(case, "cuda", torch.float16, append)

    def test_rate(self):
        for name, batch, tokens in (("append 64 x 1", 64, 1), ("append 8 x 512", 8, 512)):
            k, v = (torch.randn(batch, tokens, 8, 128, device="cuda").bfloat16().transpose(1, 2)
                    for _ in "kv")
            q = torch.randn(batch, tokens, 32, 128, device="cuda").bfloat16().transpose(1, 2)
            pools = [torch.zeros(batch * 32, 8, 64, 128, device="cuda").bfloat16() for _ in "kv"]
            table = torch.randperm(batch * 32, device="cuda").int().view(batch, 32)
            cos, sin = (torch.randn(2048, 64, device="cuda") for _ in "cs")
            lengths = torch.zeros(batch, dtype=torch.int32, device="cuda")
            out = torch.empty_like(q)
            numel = 2 * (2 * k.numel() + 2 * v.numel())
            rotary = {"q": q, "cos": cos, "sin": sin, "out": out}

            def append(options, own=(k, v, *pools, lengths), table=table):
                # Lengths are set to 0 before each call, since tokens past the end of the table
                # would not be written.
                own[-1].zero_()
                attn_mlir.append(*own, page_table=table, **options)

            time_of(lambda append=append: append({}), numel, name)
            time_of(lambda append=append, rotary=rotary: append(rotary),
                    numel + 4 * q.numel(), name + " with rotary")


if __name__ == "__main__":
    unittest.main()
