# Mask functions, captured tensors and attn_mask in PyTorch, forward and backward, by
# themselves and under torch.compile; on the GPU if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import tensor_gradients
import torch
from attn_mlir import _attention, _frames
from tensors import (DEVICE, bucket, check, compiled, leaves, problem, random_like, recorded,
                     reference)
from torch.nn.attention import SDPBackend, flex_attention, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

ROWS, KEYS = 40, 50


def draw(function, *arguments, **options):
    generator = torch.Generator().manual_seed(3)
    return function(*arguments, generator=generator, **options).to(DEVICE)


IDS = draw(torch.randint, 0, 4, (2, KEYS)).sort(1).values
LENGTHS = draw(torch.randint, 0, KEYS, (2,), dtype=torch.int32)
WINDOWS = draw(torch.randint, 0, 20, (4,), dtype=torch.int16)
BITS = draw(torch.rand, ROWS, KEYS) > 0.5
BIAS = draw(torch.randn, 1, 4, ROWS, KEYS)
SLOPES = draw(torch.randn, 4).bfloat16()
TABLE = draw(torch.randn, 32, 4)
FACTOR = torch.tensor(0.5, device=DEVICE)


def causal(b, h, q, kv):
    return q >= kv


def document(b, h, q, kv):
    return IDS[b, q] == IDS[b, kv]


def prefix(b, h, q, kv):
    return kv < LENGTHS[b]


def window(b, h, q, kv):
    return (q - kv).abs() <= WINDOWS[h]


MASKS = {
    "causal": causal,
    "documents": flex_attention.and_masks(causal, document),
    "prefix": flex_attention.or_masks(causal, prefix),
    "own": attn_mlir.and_masks(attn_mlir.not_mask(window), attn_mlir.or_masks(causal, prefix)),
    "no mask": flex_attention.noop_mask,
    "windows": window,
    "bits": lambda b, h, q, kv: BITS[q, kv],
    "transposed": lambda b, h, q, kv: BITS.T[kv, q] & (h != 1),
    "functions": lambda b, h, q, kv: torch.logical_or(
        torch.where(h > 1, q, kv) % 3 == 0, torch.logical_not(q != kv)),
}

SCORES = {
    "bias": lambda s, b, h, q, kv: s + BIAS[0, h, q, kv],
    "slopes": lambda s, b, h, q, kv: s + SLOPES[h].float() * (kv - q),
    "table": lambda s, b, h, q, kv: s + TABLE[bucket(kv - q), h],
    "factor": lambda s, b, h, q, kv: s * FACTOR,
}


def as_score(mask=None, score=None):
    def apply(s, b, h, i, j):
        found = s if score is None else score(s, b, h, i, j)
        # PyTorch's mask functions get scalars, whose `new_ones` has no dimensions.
        return found if mask is None else torch.where(mask(b, h, i, j), found, -math.inf)
    return apply


class Comparisons:
    def compare(self, attention=attn_mlir.attention, score=None, mask=None,
                dtype=torch.float32, **options):
        q, k, v = leaves(*problem(kv_heads=2, dtype=dtype))
        function = as_score(mask, score)
        o, lse = attention(q, k, v, score_mod=score, mask_mod=mask, return_lse=True,
                           **options)
        expected, expected_lse = reference(q, k, v, score=function)
        check(o.detach(), expected.detach().nan_to_num(), dtype)
        torch.testing.assert_close(lse.detach().double(), expected_lse.detach(), atol=1e-3,
                                   rtol=1e-3)
        d_o, d_lse = random_like(o), random_like(lse)
        found = torch.autograd.grad([o, lse], [q, k, v], [d_o, d_lse])
        tensor_gradients.check(found, q, k, v, d_o, d_lse, score=function)

    def test_masks(self):
        for name, mask in MASKS.items():
            with self.subTest(name):
                self.compare(mask=mask)

    def test_scores(self):
        for name, score in SCORES.items():
            with self.subTest(name):
                self.compare(score=score)

    def test_dtypes(self):
        for dtype in (torch.float16, torch.bfloat16):
            self.compare(mask=MASKS["documents"], score=SCORES["slopes"], dtype=dtype)


class Values(Comparisons, unittest.TestCase):
    def test_no_gradients(self):
        q, k, v = problem()
        found = attn_mlir.attention(q, k, v, mask_mod=document)
        check(found, reference(q, k, v, score=as_score(document))[0].nan_to_num())

    def test_tensor_that_changes(self):
        """A captured tensor may change in place, or be replaced by another one of the same rank. No
        new kernel is needed."""
        q, k, v = problem(dim=16)
        lengths = LENGTHS.clone()

        def short(b, h, q, kv):
            return kv < lengths[b]

        before = len(_frames.kernels)
        for step in range(4):
            expected = reference(q, k, v, score=as_score(short))[0]
            check(attn_mlir.attention(q, k, v, mask_mod=short), expected.nan_to_num())
            if step % 2:
                lengths = lengths + 3
            else:
                lengths.add_(5)
        self.assertEqual(len(_frames.kernels), before + 1)

    def test_numbers_on_the_cpu(self):
        factor = torch.tensor(0.5)
        q, k, v = problem()
        found = attn_mlir.attention(q, k, v, score_mod=lambda s, *_: s * factor)
        check(found, reference(q, k, v, score=lambda s, *_: s * 0.5)[0])

    def test_saved(self):
        """If a tensor that the backward pass reads has changed, an error is raised."""
        q, k, v = leaves(*problem())
        bits = BITS.clone()
        o = attn_mlir.attention(q, k, v, mask_mod=lambda b, h, i, j: bits[i, j])
        bits.zero_()
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            o.sum().backward()

    def test_module(self):
        """Each call uses the current attributes of an object that the function reads."""
        class Bias(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.bias = BIAS

            def score(self, s, b, h, q, kv):
                return s + self.bias[0, h, q, kv]

        module = Bias()
        q, k, v = problem()
        for factor in (1, 2):
            module.bias = BIAS * factor
            found = attn_mlir.attention(q, k, v, score_mod=module.score)
            check(found, reference(q, k, v, score=module.score)[0])


class Compiled(Comparisons, unittest.TestCase):
    """The same comparisons under torch.compile."""

    def compare(self, attention=None, score=None, mask=None, **options):
        torch._dynamo.reset()

        def attend(q, k, v, **options):
            return attn_mlir.torch.attention(q, k, v, **options)

        super().compare(torch.compile(attend, fullgraph=True, backend="aot_eager"), score,
                        mask, **options)

    def test_made_in_the_graph(self):
        @torch.compile(fullgraph=True, backend="aot_eager", dynamic=False)
        def attend(q, k, v, lengths, width):
            def near(b, h, i, j):
                return (i - j < width) & (j < lengths[b])
            return attn_mlir.torch.attention(q, k, v, mask_mod=near)

        q, k, v = problem()
        for width in (5, 7, 12):
            for lengths in (LENGTHS, LENGTHS + 3):
                expected, _ = reference(q, k, v, score=as_score(
                    lambda b, h, i, j: (i - j < width) & (j < lengths.view(2, 1, 1, 1))))
                check(attend(q, k, v, lengths, width), expected.nan_to_num())

    def test_no_recompilation(self):
        def make(ids):
            return lambda b, h, q, kv: ids[b, q] == ids[b, kv]

        @torch.compile(fullgraph=True, backend="aot_eager")
        def attend(q, k, v, mask):
            return attn_mlir.torch.attention(q, k, v, mask_mod=mask)

        q, k, v = problem()
        with torch._dynamo.config.patch(error_on_recompile=True):
            for ids in (IDS, IDS.flip(0)):
                found = attend(q, k, v, make(ids))
                check(found, reference(q, k, v, score=as_score(
                    lambda b, h, i, j: make(ids)(b, h, i, j)))[0])

    def test_traced(self):
        q, k, v = problem()
        attend = torch.compile(lambda q, k, v, mask: attn_mlir.torch.attention(
            q, k, v, mask_mod=mask), fullgraph=True, backend="aot_eager")
        for mask in (MASKS["documents"], MASKS["bits"]):
            check(attend(q, k, v, attn_mlir.mask.trace(mask)),
                  reference(q, k, v, score=as_score(mask))[0].nan_to_num())


class SDPA(unittest.TestCase):
    MASKS = (BITS, BITS[:, None, :1], BITS[:1], BIAS, BIAS[:, :, :1], BIAS[0, 0, :, :1],
             BIAS[:, :1], BIAS[0], BITS.T.contiguous().T,
             torch.where(BITS, 0.0, -math.inf), BIAS.expand(2, -1, -1, -1),
             torch.zeros(ROWS, KEYS, dtype=torch.bool, device=DEVICE))

    def attend(self, function, mask):
        q, k, v = leaves(*problem())
        o = function(q, k, v, mask)
        return o.detach(), torch.autograd.grad(o, [q, k, v], random_like(o))

    def test_attn_mask(self):
        def attend(q, k, v, mask):
            return scaled_dot_product_attention(q, k, v, attn_mask=mask)

        compiled = torch.compile(attend, fullgraph=True, backend="aot_eager")
        for mask in self.MASKS:
            mask = mask.transpose(0, 1) if mask.dim() == 3 and mask.shape[0] == ROWS else mask
            same = mask.float() if mask.is_floating_point() else mask
            # Torch's kernels for GPUs may refuse masks with strides (torch 2.11).
            with sdpa_kernel(SDPBackend.MATH):
                expected, gradients = self.attend(attend, same)
            for function in (attend, compiled):
                with self.subTest(f"{mask.dtype} {tuple(mask.shape)}"):
                    with attn_mlir.torch.sdpa(strict=True) as mode:
                        found, its = self.attend(function, mask)
                        self.assertEqual((mode.served, mode.passed_on), (1, 0))
                    check(found, expected.double().nan_to_num())
                    for one, other in zip(its, gradients):
                        torch.testing.assert_close(one, other.nan_to_num(), atol=1e-4,
                                                   rtol=1e-4)
                torch._dynamo.reset()

    def test_mask_gradients(self):
        for sizes in ((ROWS, KEYS), (1, KEYS), (ROWS, 1), (4, ROWS, KEYS), (2, 1, 1, KEYS),
                      (2, 4, ROWS, KEYS)):
            mask = random_like(torch.empty(sizes, device=DEVICE))
            results = []
            for is_own in (True, False):
                q, k, v, its = leaves(*problem(), mask)
                if is_own:
                    with attn_mlir.torch.sdpa(strict=True) as mode:
                        o = scaled_dot_product_attention(q, k, v, attn_mask=its)
                    self.assertEqual((mode.served, mode.passed_on), (1, 0))
                else:
                    with sdpa_kernel(SDPBackend.MATH):
                        o = scaled_dot_product_attention(q, k, v, attn_mask=its)
                results.append(torch.autograd.grad(o, [q, k, v, its], random_like(o)))
            for one, other in zip(*results):
                with self.subTest(sizes):
                    torch.testing.assert_close(one, other, atol=2e-5, rtol=1e-4)
        mask, = leaves(random_like(torch.empty(1, 4, ROWS, KEYS, device=DEVICE)))
        with attn_mlir.torch.sdpa(strict=True):
            function = compiled(lambda q, k, v, m: scaled_dot_product_attention(
                q, k, v, attn_mask=m))
            o = function(*problem(), mask)
        with sdpa_kernel(SDPBackend.MATH):
            expected = scaled_dot_product_attention(*problem(), attn_mask=mask)
        for one, other in zip(torch.autograd.grad(o.sum(), mask),
                              torch.autograd.grad(expected.sum(), mask)):
            torch.testing.assert_close(one, other, atol=2e-5, rtol=1e-4)

    def test_refused(self):
        q, k, v = problem()
        leaf = BIAS.clone().requires_grad_()
        cases = [({"attn_mask": BIAS.double()}, "attn_mask: expected a dtype"),
                 ({"attn_mask": BIAS.half()}, "attn_mask: expected a dtype of torch.bool, "
                  "torch.float32, found torch.float16"),
                 ({"attn_mask": BITS[:3]}, "attn_mask: expected sizes that broadcast"),
                 ({"attn_mask": BITS, "is_causal": True}, "attn_mask: expected None"),
                 ({"attn_mask": BITS, "dropout_p": 1.5}, "expected dropout_p from 0 to 1")]
        for options, text in cases:
            with self.assertRaisesRegex(attn_mlir.Error, text):
                with attn_mlir.torch.sdpa(strict=True):
                    scaled_dot_product_attention(q, k, v, **options)
        with torch.no_grad(), attn_mlir.torch.sdpa(strict=True) as mode:
            scaled_dot_product_attention(q, k, v, attn_mask=leaf)
        self.assertEqual(mode.served, 1)


class Errors(unittest.TestCase):
    def expect(self, text, **options):
        for arrays in (problem(), leaves(*problem())):
            with self.assertRaisesRegex(attn_mlir.Error, text):
                attn_mlir.attention(*arrays, **options)

    def test_gradients(self):
        """For large captured tensors that are read at computed indices there is no gradient. An
        error says so; the gradient is never just left out."""
        table = TABLE.repeat(2 ** 16 // len(TABLE) + 1, 1).requires_grad_()

        def score(s, b, h, q, kv):
            return s + table[bucket(kv - q), h]

        self.expect("score_mod: captured array 'table': expected as indices b, h, q, kv, .* "
                    "for a gradient .* found a computed one for dimension 0",
                    score_mod=score)
        with torch.no_grad():
            attn_mlir.attention(*problem(), score_mod=score)
        with self.assertRaisesRegex(Exception, "score_mod: .* found a computed one"):
            torch.compile(lambda q, k, v: attn_mlir.torch.attention(q, k, v, score_mod=score),
                          fullgraph=True, backend="aot_eager")(*problem())

    def test_captures(self):
        self.expect("mask_mod: expected a condition, found a float",
                    mask_mod=lambda b, h, q, kv: BIAS[0, h, q, kv])
        self.expect("score_mod: captured array 'BIAS': expected 4 indices, .* found 2",
                    score_mod=lambda s, b, h, q, kv: s + BIAS[0, h])
        self.expect("mask_mod: captured array 'BITS': expected indices of at least 0",
                    mask_mod=lambda b, h, q, kv: BITS[q, -1])
        double = BIAS.double()
        self.expect("score_mod: captured array 'double': expected dtype .* found f64",
                    score_mod=lambda s, b, h, q, kv: s + double[0, h, q, kv])
        meta = BITS.to("meta")
        self.expect("mask_mod: captured array 'meta': expected a tensor on",
                    mask_mod=lambda b, h, q, kv: meta[q, kv])
        if DEVICE == "cuda":
            cpu = BITS.cpu()
            self.expect("mask_mod: captured array 'cpu': expected a.* on",
                        mask_mod=lambda b, h, q, kv: cpu[q, kv])


if __name__ == "__main__":
    unittest.main()
