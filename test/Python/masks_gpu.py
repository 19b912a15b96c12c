# Masks and captured tensors where a GPU is needed: CUDA graphs, streams, tensors of another
# device, no synchronisation by a new mask, and rates beside those of FlexAttention if PyTorch has
# it.
#
# REQUIRES: capi, torch, pytorch
# RUN: %pytorch-python -W ignore %s

import os
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import torch
from tensors import check, problem, reference
from torch.nn.functional import scaled_dot_product_attention


def causal(b, h, q, kv):
    return kv <= q


def window(b, h, q, kv):
    return (kv <= q) & (q - kv <= 1024)


def packed(count, length):
    """Returns the document of each token, for `count` documents of unequal lengths."""
    shares = torch.arange(1, count + 1, dtype=torch.float64)
    ends = (shares.cumsum(0) / shares.sum() * length).long()
    return (torch.arange(length)[:, None] >= ends).sum(1).to("cuda", torch.int32)[None]


def reference_of(mask):
    return lambda s, *indices: torch.where(mask(*indices), s, -torch.inf)


class GPU(unittest.TestCase):
    def test_graph(self):
        """A captured tensor is read when the CUDA graph is replayed."""
        q, k, v = problem(dim=64, dtype=torch.float16)
        lengths = torch.tensor([10, 30], device="cuda", dtype=torch.int32)

        def short(b, h, q, kv):
            return kv < lengths[b]

        attn_mlir.attention(q, k, v, mask_mod=short)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            found = attn_mlir.attention(q, k, v, mask_mod=short)
        for values in ([10, 30], [50, 1], [7, 44]):
            lengths.copy_(torch.tensor(values))
            graph.replay()
            check(found, reference(q, k, v, score=reference_of(short))[0], torch.float16)

    def test_stream(self):
        q, k, v = problem(rows=512, keys=512, dim=64, dtype=torch.float16)
        ids = torch.arange(512, device="cuda")[None].expand(2, -1) // 100
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream):
            torch.cuda._sleep(100_000_000)
            late = ids * 1  # written once the stream has slept
            found = attn_mlir.attention(
                q, k, v, mask_mod=lambda b, h, i, j: late[b, i] == late[b, j])
        torch.cuda.current_stream().wait_stream(stream)
        check(found, reference(q, k, v, score=reference_of(
            lambda b, h, i, j: ids[b, i] == ids[b, j]))[0], torch.float16)

    def test_devices(self):
        q, k, v = problem()
        bits = torch.ones(40, 50, dtype=torch.bool)
        for requires_grad in (False, True):
            q.requires_grad_(requires_grad)
            with self.assertRaisesRegex(attn_mlir.Error, "mask_mod: captured array 'bits': "
                                        "expected a.* on .* found one on"):
                attn_mlir.attention(q, k, v, mask_mod=lambda b, h, i, j: bits[i, j])

    def test_no_synchronisation(self):
        """A call with a new mask over new tensors does not synchronise with the GPU."""
        q, k, v = problem(dim=64, dtype=torch.float16)

        def call(ids):
            return attn_mlir.attention(q, k, v,
                                       mask_mod=lambda b, h, i, j: ids[b, i] == ids[b, j])

        call(torch.zeros(2, 50, device="cuda", dtype=torch.int32))
        other = torch.ones(2, 50, device="cuda", dtype=torch.int32)
        torch.cuda.set_sync_debug_mode("error")
        try:
            call(other)
        finally:
            torch.cuda.set_sync_debug_mode("default")

    def test_host_time(self):
        """Measures the time that a call with a captured tensor takes on the host."""
        q, k, v = problem(rows=1, dim=64, dtype=torch.float16)
        ids = torch.zeros(2, 50, device="cuda", dtype=torch.int32)

        def same(b, h, i, j):
            return ids[b, i] == ids[b, j]

        def per_call(function, count=2000):
            for _ in range(50):
                function()
            torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(count):
                function()
            found = (time.perf_counter() - start) / count * 1e6
            torch.cuda.synchronize()
            return found

        def anew():
            mine = ids
            attn_mlir.attention(q, k, v, mask_mod=lambda b, h, i, j: mine[b, i] == mine[b, j])

        plain = per_call(lambda: attn_mlir.attention(q, k, v))
        same_mask = per_call(lambda: attn_mlir.attention(q, k, v, mask_mod=same))
        new_mask = per_call(anew, 500)
        print(f"plain {plain:.1f} us, with a mask {same_mask:.1f} us, with a mask function "
              f"made for each call {new_mask:.1f} us")


def median(function, count=20):
    for _ in range(5):
        function()
    times = []
    for _ in range(count):
        events = [torch.cuda.Event(enable_timing=True) for _ in range(2)]
        events[0].record()
        function()
        events[1].record()
        torch.cuda.synchronize()
        times.append(events[0].elapsed_time(events[1]))
    return sorted(times)[count // 2]


def measure(length):
    """Prints rows of a table: this project's time, FlexAttention's, and the difference of their
    results."""
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    batch = 16384 // length
    q, k, v = (torch.randn(batch, 16, length, 128, device="cuda", dtype=torch.bfloat16)
               for _ in range(3))
    ids = packed(8, length).expand(batch, -1)
    quarter = torch.full((batch,), length // 4, device="cuda", dtype=torch.int32)
    slopes = torch.exp2(-torch.arange(1.0, 17, device="cuda") / 2)
    masks = {"causal": causal, "window": window,
             "documents": lambda b, h, i, j: ids[b, i] == ids[b, j],
             "prefix": lambda b, h, i, j: (j < quarter[b]) | (j <= i)}
    cases = [(name, mask, None) for name, mask in masks.items()] + [
        ("alibi", None, lambda s, b, h, i, j: s + slopes[h] * (j - i)),
        ("soft cap", None, lambda s, *_: 30 * torch.tanh(s / 30))]
    print(f"S {length}: full {median(lambda: attn_mlir.attention(q, k, v)):.3f} ms, "
          "causal by the attribute "
          f"{median(lambda: attn_mlir.attention(q, k, v, causal=True)):.3f} ms")
    compiled = torch.compile(flex_attention)
    for name, mask, score in cases:
        def own():
            return attn_mlir.attention(q, k, v, mask_mod=mask, score_mod=score)

        line = f"S {length} {name}: {median(own):.3f} ms"
        try:
            blocks = mask and create_block_mask(mask, batch, None, length, length)
            def flex():
                return compiled(q, k, v, score_mod=score, block_mask=blocks)
            gap = (own().float() - flex().float()).abs().max().item()
            line += f", FlexAttention {median(flex):.3f} ms, gap {gap:.4f}"
        except Exception as error:
            line += f", FlexAttention: {type(error).__name__}"
        print(line, flush=True)
    bits = torch.rand(length, length, device="cuda") > 0.5
    bias = torch.randn(1, 16, length, length, device="cuda", dtype=torch.bfloat16)
    for name, tensor in (("attn_mask bool", bits), ("attn_mask bias", bias)):
        with attn_mlir.torch.sdpa(strict=True):
            found = median(lambda: scaled_dot_product_attention(q, k, v, attn_mask=tensor))
        print(f"S {length} {name}: {found:.3f} ms", flush=True)


if __name__ == "__main__":
    if sys.argv[1:] == ["rates"]:
        for length in (4096, 16384):
            measure(length)
    else:
        unittest.main()
