# attn_mlir.varlen and attn_mlir.decode in PyTorch, with autograd and under torch.compile;
# on the GPU if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest
import unittest.mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import numpy as np
import torch
from sequences import Cache, Packed
from tensors import DEVICE

TOLERANCES = {torch.float32: 3e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}


def tensor(array, dtype=None):
    return torch.from_numpy(np.array(array)).to(DEVICE, dtype)


def check_close(found, expected, tolerance):
    error = (found.double().cpu() - torch.as_tensor(expected).double().cpu()).abs()
    assert error.max().item() <= tolerance if error.numel() else True, error.max()


def by_torch(its, tensors, causal):
    """Computes the output with PyTorch in fp64, for autograd."""
    q, k, v = tensors
    parts = [torch.zeros_like(q[:0]).double()]
    end = 0
    for rows, keys in its.sequences():
        parts.append(q.new_zeros((rows.start - end, *q.shape[1:])).double())
        own = [x.double().transpose(0, 1) for x in (q[rows], k[keys], v[keys])]
        own[1:] = [x.repeat_interleave(q.shape[1] // k.shape[1], 0) for x in own[1:]]
        count, of = own[0].shape[1], own[1].shape[1]
        scores = own[0] @ own[1].transpose(1, 2) / q.shape[2] ** 0.5
        keep = torch.ones(count, of, dtype=torch.bool, device=q.device)
        if causal:
            keep = keep.tril(of - count)
        weights = scores.masked_fill(~keep, -1e300).softmax(-1) * keep.any(-1)[:, None] \
            if of else scores
        parts.append((weights @ own[2]).transpose(0, 1))
        end = rows.stop
    parts.append(q.new_zeros((len(q) - end, *q.shape[1:])).double())
    return torch.cat(parts)


class Varlen(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(3)

    def test_known_layouts(self):
        """Known calls, with other numbers and other cumulative lengths."""
        with torch.no_grad():
            for ends in ([0, 4, 10], [0, 7, 10], [0, 0, 9], [0, 4, 10]):
                q, k, v = (torch.randn(10, heads, 32) for heads in (4, 2, 2))
                its = [x.to(DEVICE) for x in (q, k, v, torch.tensor(ends, dtype=torch.int32))]
                o, lse = attn_mlir.varlen(*its, return_lse=True)
                out = torch.full_like(o, torch.nan)
                self.assertIs(attn_mlir.varlen(*its, out=out), out)
                for first, end in zip(ends, ends[1:]):
                    if first == end:
                        continue
                    rows = slice(first, end)
                    own = [x[None, rows].transpose(1, 2).to(DEVICE) for x in (q, k, v)]
                    expected, wanted = attn_mlir.attention(*own, return_lse=True)
                    for found in (o, out):
                        torch.testing.assert_close(found[rows], expected[0].transpose(0, 1),
                                                   atol=2e-5, rtol=2e-5)
                    torch.testing.assert_close(lse[:, rows], wanted[0], atol=2e-5, rtol=2e-5)
                self.assertTrue((o[ends[-1]:] == 0).all() and (out[ends[-1]:] == 0).all())
                self.assertTrue((lse[:, ends[-1]:] == -torch.inf).all())
            # These options are equal to those of a known call, but have types that are refused.
            attn_mlir.varlen(*its, causal=True, window=(4, 0))
            for causal, window in ((1, (4, 0)), (True, (4.0, 0.0))):
                with self.assertRaises(attn_mlir.ArgumentError):
                    attn_mlir.varlen(*its, causal=causal, window=window)

    def problem(self, dtype):
        its = Packed(self.rng, np.float32)
        its.q, its.k, its.v, its.d_o = (np.nan_to_num(x)
                                        for x in (its.q, its.k, its.v, its.d_o))
        tensors = [tensor(x, dtype).requires_grad_() for x in (its.q, its.k, its.v)]
        return its, tensors, tensor(its.cu_q), tensor(its.cu_kv), tensor(its.d_o, dtype)

    def test_gradients(self):
        for dtype in TOLERANCES:
            for causal in (False, True):
                its, tensors, cu_q, cu_kv, d_o = self.problem(dtype)
                o = attn_mlir.varlen(*tensors, cu_q, cu_kv, causal=causal)
                found = torch.autograd.grad(o, tensors, d_o)
                wide = [x.detach().double().requires_grad_() for x in tensors]
                exact = by_torch(its, wide, causal)
                gradients = torch.autograd.grad(exact, wide, d_o.double())
                check_close(o, exact.detach(), TOLERANCES[dtype])
                for its_gradient, expected in zip(found, gradients):
                    scale = max(1.0, expected.abs().max().item()) if expected.numel() else 1
                    check_close(its_gradient, expected, 8 * TOLERANCES[dtype] * scale)

    def test_gradients_of_few_rows(self):
        """In gradients of at most 2 rows on average, rows of heads that share keys are rows of one
        tile. Sequences of no rows and of no keys are among them."""
        for rows, keys, heads in (([3, 0, 4, 1], [40, 7, 0, 133], (8, 2)),
                                  ([67, *[1] * 70], [64] * 71, (6, 3)),
                                  ([2] * 9, [11] * 9, (7, 1))):
            cu = [tensor(np.cumsum([0, *its]).astype(np.int32)) for its in (rows, keys)]
            tensors = [torch.randn(sum(count), its, 32, device=DEVICE).requires_grad_()
                       for count, its in ((rows, heads[0]), (keys, heads[1]), (keys, heads[1]))]
            o = attn_mlir.varlen(*tensors, *cu, causal=True)
            d_o = torch.randn_like(o)
            found = torch.autograd.grad(o, tensors, d_o)
            wide = [x.detach().double().requires_grad_() for x in tensors]
            ends = [[0, *np.cumsum(its)] for its in (rows, keys)]
            its = unittest.mock.Mock()
            its.sequences.return_value = [
                tuple(slice(end[n], end[n + 1]) for end in ends) for n in range(len(rows))]
            exact = by_torch(its, wide, True)
            for gradient, expected in zip(found, torch.autograd.grad(exact, wide, d_o.double())):
                check_close(gradient, expected, 1e-4)

    def test_some_gradients_and_the_lse(self):
        _, (q, k, v), cu_q, cu_kv, d_o = self.problem(torch.float32)
        q, v = q.detach(), v.detach()
        o, lse = attn_mlir.varlen(q, k, v, cu_q, cu_kv, return_lse=True)
        self.assertEqual(lse.shape, (q.shape[1], len(q)))
        (o * d_o).sum().backward()
        self.assertTrue(k.grad.isfinite().all())

    def test_compiled(self):
        _, tensors, cu_q, cu_kv, d_o = self.problem(torch.float32)

        def function(q, k, v):
            return attn_mlir.torch.varlen(q, k, v, cu_q, cu_kv, causal=True) * 2

        compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
        for call in (function, compiled):
            o = call(*tensors)
            gradients = torch.autograd.grad(o, tensors, d_o)
            if call is function:
                expected = [o, *gradients]
        for found, exact in zip([o, *gradients], expected):
            check_close(found, exact.detach(), 1e-6)

    def test_deterministic(self):
        _, tensors, cu_q, cu_kv, d_o = self.problem(torch.float16)
        torch.use_deterministic_algorithms(True)
        try:
            runs = [torch.autograd.grad(attn_mlir.varlen(*tensors, cu_q, cu_kv), tensors,
                                        d_o) for _ in range(3)]
        finally:
            torch.use_deterministic_algorithms(False)
        for run in runs[1:]:
            self.assertTrue(all(map(torch.equal, run, runs[0])))


class Decode(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(4)

    def call(self, its, dtype, function=attn_mlir.decode, **options):
        tensors = [tensor(x, dtype) for x in (its.q, its.k_cache, its.v_cache)]
        table = None if its.table is None else tensor(its.table)
        return function(*tensors, lengths=tensor(its.lengths), page_table=table,
                        return_lse=True, **options)

    def test_numbers(self):
        for dtype in TOLERANCES:
            for rows, page in ((1, None), (4, 16), (1, 64), (30, 128), (2, 2)):
                its = Cache(self.rng, np.float32, rows, page=page, width=128)
                for name in ("q", "k", "v", "k_cache", "v_cache"):
                    array = getattr(its, name)
                    setattr(its, name, tensor(array, dtype).float().cpu().numpy())
                o, lse = self.call(its, dtype, causal=True)
                exact, exact_lse = its.reference(causal=True)
                check_close(o, exact, TOLERANCES[dtype])
                some = ~np.isneginf(exact_lse)
                check_close(lse.cpu()[torch.from_numpy(some)], exact_lse[some], 1e-3)

    def test_compiled(self):
        its = Cache(self.rng, np.float32, 1, page=16)
        expected = self.call(its, torch.float32)
        compiled = torch.compile(attn_mlir.torch.decode, fullgraph=True,
                                 backend="aot_eager")
        found = self.call(its, torch.float32, compiled)
        self.assertTrue(all(map(torch.equal, found, expected)))

    @unittest.skipUnless(DEVICE.startswith("cuda"), "graphs are CUDA's")
    def test_graph_with_lengths_that_grow(self):
        its = Cache(self.rng, np.float32, 1, size=2000)
        its.k, its.v = (np.nan_to_num(x) for x in (its.k, its.v))
        q, k, v = (tensor(x, torch.bfloat16) for x in (its.q, its.k, its.v))
        lengths = tensor(np.zeros(3, np.int32))
        out = torch.empty_like(q)
        attn_mlir.decode(q, k, v, lengths=lengths, out=out)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            attn_mlir.decode(q, k, v, lengths=lengths, out=out)
        for length in (0, 1, 777, 2000):
            lengths.fill_(length)
            graph.replay()
            torch.cuda.synchronize()
            self.assertTrue(torch.equal(
                out, attn_mlir.decode(q, k, v, lengths=lengths)))


if __name__ == "__main__":
    unittest.main()
