# Score and mask functions, captured tensors, sinks and windows with packed sequences and
# caches in PyTorch, forward and backward, by themselves and under torch.compile; on the GPU
# if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import numpy as np
import torch
from sequences import Cache, Packed
from tensor_sequences import MASKS, SCORES, SLOPES, TOLERANCES, packed
from tensors import DEVICE, compiled
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils.checkpoint import checkpoint

SINK = torch.tensor([0.5, -1, 3, 0], device=DEVICE)


def tensor(array, dtype=None):
    return torch.from_numpy(np.array(array)).to(DEVICE, dtype)


def check_close(found, expected, tolerance, what):
    """Compares arrays. Elements of -inf must be the same, and other errors are relative to the
    largest element."""
    found, expected = found.detach().double(), expected.detach().double()
    assert found.shape == expected.shape, (what, found.shape, expected.shape)
    is_none = expected == -torch.inf
    assert torch.equal(found == -torch.inf, is_none), what
    found, expected = (torch.where(is_none, 0.0, x) for x in (found, expected))
    error = (found - expected).abs().max().item() if found.numel() else 0
    scale = max(1.0, expected.abs().max().item()) if found.numel() else 1
    assert error <= tolerance * scale, (what, error, scale)  # NaN fails


class Problem:
    def __init__(self, rng, dtype, is_self=False):
        # Rows and keys outside of all sequences are NaN.
        its = Packed(rng, np.float32, is_self=is_self)
        self.its, self.dtype = its, dtype
        self.tensors = [tensor(x, dtype).requires_grad_() for x in (its.q, its.k, its.v)]
        self.cu = [tensor(its.cu_q), tensor(its.cu_kv)]
        self.d_o = tensor(np.nan_to_num(its.d_o), dtype)
        self.d_lse = tensor(rng.standard_normal((4, len(its.q))).astype(np.float32))

    def check(self, varlen, sink=None, score=None, mask=None, **options):
        what = (options, self.its.cu_q.tolist(), self.its.cu_kv.tolist())
        leaf = None if sink is None else sink.clone().requires_grad_()
        wanted = [*self.tensors, *([] if sink is None else [leaf])]
        o, lse = varlen(*self.tensors, *self.cu, score_mod=score, mask_mod=mask, sink=leaf,
                        return_lse=True, **options)
        wide = [x.detach().double().requires_grad_() for x in self.tensors]
        wide_sink = None if sink is None else sink.double().requires_grad_()
        exact, exact_lse = packed(*wide, self.its.cu_q, self.its.cu_kv, score=score,
                                  mask=mask, sink=wide_sink, **options)
        tolerance = TOLERANCES[self.dtype]
        check_close(o, exact, tolerance, what)
        check_close(lse, exact_lse, max(tolerance, 1e-4), what)
        # The lse of rows without keys has no derivative.
        some = exact_lse.detach() > -torch.inf
        d_lse = torch.where(some, self.d_lse, 0.0)
        found = torch.autograd.grad([o, lse], wanted, [self.d_o, d_lse])
        chosen = torch.where(some, exact_lse, 0.0)
        expected = torch.autograd.grad(
            [exact, chosen], [*wide, *([] if sink is None else [wide_sink])],
            [self.d_o.double(), d_lse.double()])
        for name, its, own in zip("qkvs", found, expected):
            assert its.isfinite().all(), (name, what)
            check_close(its, own, 10 * TOLERANCES[its.dtype], (name, what))


class Varlen(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(11)

    def test_gradients(self):
        cases = [("slopes", "prefixes"), ("soft cap", None), ("table", "empty rows"),
                 (None, "windows"), (None, "bits")]
        for number, (score, mask) in enumerate(cases):
            for is_self in (False, True):
                with self.subTest(f"{score} {mask} {is_self}"):
                    Problem(self.rng, torch.float32, is_self).check(
                        attn_mlir.varlen, sink=SINK if number % 3 == 0 else None,
                        score=SCORES.get(score), mask=MASKS.get(mask),
                        causal=number % 2 == 0)

    def test_dtypes_windows_and_scales(self):
        Problem(self.rng, torch.float16).check(attn_mlir.varlen, sink=SINK.half(), scale=0.3,
                                               window=(40, 3))
        Problem(self.rng, torch.bfloat16).check(
            attn_mlir.varlen, score=SCORES["slopes"], mask=MASKS["windows"], causal=True)

    def test_many_numbers(self):
        """Other sequences and other captured arrays need no new kernels."""
        slopes = SLOPES.clone()

        def score(s, b, h, i, j):
            return s + slopes[h].float() * (j - i) / 16

        for _ in range(6):
            Problem(self.rng, torch.float32).check(attn_mlir.varlen, sink=SINK,
                                                   score=score, causal=True)
            slopes = slopes * 0.5

    def test_sinks_alone(self):
        for dtype in (torch.float32, torch.bfloat16):
            Problem(self.rng, torch.float32).check(attn_mlir.varlen, sink=SINK.to(dtype))
        its = Problem(self.rng, torch.float32)
        q, k, v = (x.detach() for x in its.tensors)
        sink = SINK.clone().requires_grad_()
        attn_mlir.varlen(q, k, v, *its.cu, sink=sink).mul(its.d_o).sum().backward()
        assert sink.grad.isfinite().all()

    def test_compiled(self):
        its = Problem(self.rng, torch.float32)

        def attend(*tensors, **options):
            return attn_mlir.torch.varlen(*tensors, **options)

        for score, mask, sink in (("slopes", "windows", SINK), (None, "prefixes", None)):
            with self.subTest(f"{score} {mask}"):
                its.check(compiled(attend), sink=sink, score=SCORES.get(score),
                          mask=MASKS.get(mask), causal=True)

    def test_made_in_the_graph(self):
        its = Problem(self.rng, torch.float32)
        tensors = [x.detach() for x in its.tensors]

        @compiled
        def attend(q, k, v, cu_q, cu_kv, counts, slopes):
            return attn_mlir.torch.varlen(
                q, k, v, cu_q, cu_kv, return_lse=True,
                score_mod=lambda s, b, h, i, j: s + slopes[h] * (j - i),
                mask_mod=lambda b, h, i, j: j < counts[b])

        with torch._dynamo.config.patch(error_on_recompile=True):
            for factor in (1, 2):
                counts = torch.arange(8, device=DEVICE) * 30 * factor
                slopes = SLOPES.float() * factor / 8
                found = attend(*tensors, *its.cu, counts, slopes)
                exact = packed(*tensors, its.its.cu_q, its.its.cu_kv,
                               score=lambda s, b, h, i, j: s + slopes[h] * (j - i),
                               mask=lambda b, h, i, j: j < counts[b])
                for own, expected in zip(found, exact):
                    check_close(own, expected, 1e-4, factor)

    def test_operator(self):
        its = Problem(self.rng, torch.float32)
        tensors = [torch.nan_to_num(x.detach()).requires_grad_() for x in its.tensors]
        score = attn_mlir.score.trace(SCORES["slopes"])
        mask = attn_mlir.mask.trace(MASKS["windows"])
        torch.library.opcheck(torch.ops.attn_mlir.varlen, (
            *tensors, *its.cu, 0.2, True, 50, None, score.text, mask.text,
            [*score.arrays, *mask.arrays], SINK.clone().requires_grad_(), False),
            test_utils=("test_schema", "test_autograd_registration", "test_faketensor"))

    def test_where_else_graphs_are_made(self):
        """Calls on fake tensors, within torch.export and in checkpoints."""
        its = Problem(self.rng, torch.float32)
        plain = [x.detach() for x in its.tensors]
        with FakeTensorMode() as mode:
            fake = [mode.from_tensor(x) for x in (*plain, *its.cu)]
            o, lse = attn_mlir.torch.varlen(
                *fake, mask_mod=lambda b, h, i, j: (i + j) % 2 == 0, return_lse=True)
        self.assertEqual((o.shape, lse.shape), (plain[0].shape, its.d_lse.shape))

        class Module(torch.nn.Module):
            def forward(self, *tensors):
                return attn_mlir.torch.varlen(*tensors, causal=True, sink=SINK)

        expected = attn_mlir.varlen(*plain, *its.cu, causal=True, sink=SINK)
        found = torch.export.export(Module(), (*plain, *its.cu)).module()(*plain, *its.cu)
        assert torch.equal(found, expected)
        gradients = []
        for call in (Module(), lambda *tensors: checkpoint(Module(), *tensors,
                                                           use_reentrant=False)):
            o = call(*its.tensors, *its.cu)
            gradients.append(torch.autograd.grad(o, its.tensors, its.d_o))
        for own, other in zip(*gradients):
            check_close(own, other, 1e-6, "checkpoint")

    def test_errors(self):
        its = Problem(self.rng, torch.float32)
        slopes = SLOPES.float().requires_grad_()

        def score(s, b, h, i, j):
            return s + slopes[h]

        pattern = ("score_mod: captured array.*: expected a tensor that requires no gradient "
                   "where sequences are packed")
        plain = [x.detach() for x in its.tensors]
        for tensors in (its.tensors, plain):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, pattern):
                attn_mlir.varlen(*tensors, *its.cu, score_mod=score)
        with self.assertRaisesRegex(Exception, pattern):
            compiled(lambda *tensors: attn_mlir.torch.varlen(
                *tensors, *its.cu, score_mod=score))(*its.tensors)
        with torch.no_grad():
            attn_mlir.varlen(*its.tensors, *its.cu, score_mod=score)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^out: expected None where"):
            attn_mlir.varlen(*its.tensors, *its.cu, out=plain[0])
        its.cu[0][-1] = 10**6
        for call in (attn_mlir.varlen, attn_mlir.torch.varlen):
            for tensors in (its.tensors, plain):
                with self.assertRaisesRegex(attn_mlir.ArgumentError, r"^cu_q\[\d\]: expected"):
                    call(*tensors, *its.cu, check=True)


class Decode(unittest.TestCase):
    OPTIONS = ({"scale": 0.3, "causal": True}, {"window": (30, 2), "sink": True},
               {"score": "slopes", "mask": "windows", "causal": True},
               {"score": "soft cap", "sink": True, "window": (None, 0)},
               {"mask": "empty rows", "scale": -0.1}, {"mask": "prefixes", "sink": True})

    def setUp(self):
        self.rng = np.random.default_rng(12)

    def check(self, decode, rows, page, options, dtype=torch.float32, out=False):
        its = Cache(self.rng, np.float32, rows, page=page, size=200)
        arrays = [tensor(x, dtype) for x in (its.q, its.k_cache, its.v_cache)]
        options = {**options, "sink": SINK if options.get("sink") else None}
        score, mask = (kind.get(options.pop(name, None)) for kind, name in
                       ((SCORES, "score"), (MASKS, "mask")))
        more = {}
        if out:
            o, lse = torch.full_like(arrays[0], torch.nan), torch.full(
                its.q.shape[:3], torch.nan, device=DEVICE)
            more["out"] = o, lse
        found = decode(*arrays, lengths=tensor(its.lengths),
                       page_table=None if its.table is None else tensor(its.table),
                       score_mod=score, mask_mod=mask, return_lse=True, **options, **more)
        if out:
            assert found[0] is o and found[1] is lse
        for b, length in enumerate(its.lengths):
            k, v = (tensor(x[b, :, :length], dtype).transpose(0, 1) for x in (its.k, its.v))
            q = arrays[0][b].transpose(0, 1)
            cu = np.array([0, rows]), np.array([0, length])

            # For the reference, each batch entry is a packed sequence by itself, but functions must
            # get its number as b.
            def of_entry(function, first, b=b):
                return function and (lambda *its: function(
                    *its[:first], torch.tensor(b, device=DEVICE), *its[first + 1:]))

            exact, exact_lse = packed(q, k, v, *cu, score=of_entry(score, 1),
                                      mask=of_entry(mask, 0), **options)
            what = (rows, page, options, length)
            check_close(found[0][b].transpose(0, 1), exact, TOLERANCES[dtype], what)
            check_close(found[1][b], exact_lse, max(TOLERANCES[dtype], 1e-4), what)

    def test_options(self):
        """Caches with 1, 5 and 40 rows of queries, contiguous and in pages."""
        for number, options in enumerate(self.OPTIONS):
            for rows in ((1, 5, 40)[number % 3], (40, 1, 5)[number % 3]):
                page = (None, 8, 16)[(number + rows) % 3]
                with self.subTest(f"{rows} {page} {options}"):
                    self.check(attn_mlir.decode, rows, page, options, out=page != 8)

    def test_dtypes(self):
        for dtype in (torch.float16, torch.bfloat16):
            for rows, page in ((1, 16), (33, 64)):
                self.check(attn_mlir.decode, rows, page, self.OPTIONS[2], dtype)

    def test_compiled(self):
        def attend(*tensors, **options):
            return attn_mlir.torch.decode(*tensors, **options)

        for number, options in enumerate(self.OPTIONS[2:4]):
            rows, page = ((1, 16), (20, None))[number]
            with self.subTest(f"{options}"):
                self.check(compiled(attend), rows, page, options)

    def test_operator(self):
        its = Cache(self.rng, np.float32, 2, page=16)
        arrays = [torch.nan_to_num(tensor(x)) for x in (its.q, its.k_cache, its.v_cache)]
        score = attn_mlir.score.trace(SCORES["slopes"])
        counts = torch.tensor([2, 0, 1], dtype=torch.int32, device=DEVICE)
        torch.library.opcheck(torch.ops.attn_mlir.decode, (
            *arrays, tensor(its.lengths), tensor(its.table), counts, 0.2, True, 50, None,
            score.text, "", list(score.arrays), SINK, False, None, None, None, [1, 1, 1]))

    def test_errors(self):
        its = Cache(self.rng, np.float32, 1)
        arrays = [tensor(x) for x in (its.q, its.k_cache, its.v_cache)]
        lengths = tensor(its.lengths)
        pattern = "q: expected a tensor that requires no gradient here"
        arrays[0].requires_grad_()
        with self.assertRaisesRegex(attn_mlir.ArgumentError, pattern):
            attn_mlir.torch.decode(*arrays, lengths=lengths)
        with self.assertRaisesRegex(Exception, pattern):
            compiled(attn_mlir.torch.decode)(*arrays, lengths=lengths)
        lengths[1] = 301
        with torch.no_grad():
            for call in (attn_mlir.torch.decode, compiled(attn_mlir.torch.decode)):
                with self.assertRaisesRegex(Exception, r"lengths\[1\]: expected a number "
                                            "from 0 to 300, found 301"):
                    call(*arrays, lengths=lengths, check=True)


if __name__ == "__main__":
    unittest.main()
