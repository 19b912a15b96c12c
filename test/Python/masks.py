# Mask functions and captured arrays in Python: checks the recorded regions, and that they compute
# the same as the functions do on NumPy's arrays.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python %s

import functools
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import numpy as np
import reference
from attn_mlir import _frames, mask, score

RNG = np.random.default_rng(0)
ROWS, KEYS = 19, 37
# The document of each batch entry and position.
IDS = np.sort(RNG.integers(0, 4, (2, KEYS)), axis=1)
LENGTHS = np.array([5, 30], np.int32)
WINDOWS = np.array([3, 9, 0, 40], np.int16)
BITS = RNG.integers(0, 2, (ROWS, KEYS)).astype(bool)
KEPT = np.tile(RNG.integers(0, 2, (2, 1, 1, KEYS)).astype(bool), (1, 1, 1, 1))
BIAS = RNG.standard_normal((2, 4, ROWS, KEYS)).astype(np.float32)
SLOPES = np.array([0.5, 0.25, -0.1, 0.0], np.float16)
TABLE = RNG.standard_normal((4, 8)).astype(np.float32)
TYPES = RNG.integers(0, 3, KEYS).astype(np.int8)
PAIRS = RNG.standard_normal((3, 3)).astype(np.float32)


def causal(b, h, q, kv):
    return kv <= q


def prefix(b, h, q, kv):
    return kv < LENGTHS[b]


def document(b, h, q, kv):
    return IDS[b, q] == IDS[b, kv]


def window(b, h, q, kv):
    return abs(q - kv) <= WINDOWS[h]


MASKS = {
    "causal": causal,
    "window": window,
    "prefix": attn_mlir.or_masks(causal, prefix),
    "documents": attn_mlir.and_masks(causal, document),
    "chunks": lambda b, h, q, kv: q // 5 == kv // 5,
    "not": attn_mlir.not_mask(causal),
    "nothing": lambda b, h, q, kv: kv < 0,
    "all": lambda b, h, q, kv: q >= 0,
    "of no pair": lambda b, h, q, kv: np.True_,
    "by head": lambda b, h, q, kv: (h % 2 == 0) | (kv % 3 == 0),
    "bits": lambda b, h, q, kv: BITS[q, kv],
    "not bits": lambda b, h, q, kv: ~BITS[q, kv] & (kv != 3),
    "padding": lambda b, h, q, kv: KEPT[b, 0, 0, kv],
    "positions": lambda b, h, q, kv: (q * 3 - kv) % 7 != q - 2 * kv,
    "distances": lambda b, h, q, kv: (abs(q - kv) <= 5) & (7 > abs(kv - q)) | (abs(q - 9) < 3),
    "far": lambda b, h, q, kv: (abs(q - kv) > WINDOWS[h]) | (abs(q - kv) == 2),
    "neighbours": lambda b, h, q, kv: ((q // 6 - kv // 6) ** 2 + (q % 6 - kv % 6) ** 2) <= 2,
    "nested": lambda b, h, q, kv: PAIRS[TYPES[q], TYPES[kv]] > 0,
    "empty": lambda *_: attn_mlir.and_masks()(*_),
}

SCORES = {
    "bias": lambda s, b, h, q, kv: s + BIAS[b, h, q, kv],
    "slopes": lambda s, b, h, q, kv: s + SLOPES[h] * (kv - q),
    "table": lambda s, b, h, q, kv: s + TABLE[h, np.minimum(np.maximum(kv - q, 0), 7)],
    "nested": lambda s, b, h, q, kv: s * PAIRS[TYPES[q], TYPES[kv]],
    "integers": lambda s, b, h, q, kv: s + (IDS[b, kv] - 2 + TYPES[q]) / 4,
    "bits": lambda s, b, h, q, kv: s + np.where(BITS[q, kv], 0.5, -0.25),
}


def as_score(mask_mod, score_mod=None):
    """Returns the score function that reference.attention takes for a mask."""
    def apply(s, b, h, i, j):
        kept = np.broadcast_to(mask_mod(b, h, i, j), s.shape)
        return np.where(kept, s if score_mod is None else score_mod(s, b, h, i, j), -np.inf)
    return apply


def kernel_count():
    return len(_frames.kernels)


class Values(unittest.TestCase):
    def compare(self, score=None, mask=None, **options):
        q, k, v = reference.problem()
        function = score if mask is None else as_score(mask, score)
        o, lse = attn_mlir.attention(q, k, v, score_mod=score, mask_mod=mask,
                                     return_lse=True, **options)
        expected = reference.attention(q, k, v, score=function, **options)
        for found, its in zip((o, lse), expected):
            np.testing.assert_allclose(found, its, atol=1e-4, rtol=1e-4)
        d_o = reference.random(5, *o.shape)
        found = attn_mlir.attention_backward(q, k, v, o, lse, d_o, score_mod=score,
                                             mask_mod=mask, **options)
        for its, wanted in zip(found, reference.gradients(q, k, v, d_o, score=function,
                                                          **options)):
            np.testing.assert_allclose(its, wanted, atol=2e-4, rtol=2e-4)

    def test_masks(self):
        for name, function in MASKS.items():
            with self.subTest(name):
                self.compare(mask=function)

    def test_scores(self):
        for name, function in SCORES.items():
            with self.subTest(name):
                self.compare(score=function)

    def test_both(self):
        self.compare(score=SCORES["slopes"], mask=MASKS["documents"])
        self.compare(score=SCORES["table"], mask=MASKS["not bits"], causal=True)

    def test_strides(self):
        wide = RNG.integers(0, 2, (2 * KEYS, 3 * ROWS)).astype(bool)
        broadcast = np.broadcast_to(RNG.standard_normal((1, 1, ROWS, 1)), (2, 4, ROWS, KEYS))
        for bits in (wide[::2, ::3].T, np.flip(wide[:KEYS, :ROWS].T, 1)):
            self.compare(mask=lambda b, h, q, kv: bits[q, kv])
        broadcast = broadcast.astype(np.float32, order="K")
        bias = np.broadcast_to(broadcast[:1, :1, :, :1], (2, 4, ROWS, KEYS))
        self.assertEqual(bias.strides[3], 0)
        self.compare(score=lambda s, b, h, q, kv: s + bias[b, h, q, kv])

    def test_clamped(self):
        """Indices out of bounds read the nearest element."""
        row = np.array([False, True, True])
        clamped = np.array([row[min(max(j - 2, 0), 2)] for j in range(KEYS)])
        q, k, v = reference.problem()
        found = attn_mlir.attention(q, k, v, mask_mod=lambda b, h, q, kv: row[kv - 2])
        expected, _ = reference.attention(q, k, v, score=as_score(
            lambda b, h, i, j: clamped[j]))
        reference.check(found, expected)

    def test_read(self):
        """score.read() reads an array that is not in the function's closure."""
        class Holder:
            bits = BITS

        q, k, v = reference.problem()
        found = attn_mlir.attention(
            q, k, v, mask_mod=lambda b, h, q, kv: score.read(Holder.bits, q, kv))
        expected, _ = reference.attention(q, k, v, score=as_score(MASKS["bits"]))
        reference.check(found, expected)

    def test_other_callables(self):
        q, k, v = reference.problem()
        expected, _ = reference.attention(q, k, v, score=as_score(MASKS["bits"]))

        def read(b, h, i, j, bits):
            return bits[i, j]

        for function in (functools.partial(read, bits=BITS),
                         lambda b, h, i, j, bits=BITS: bits[i, j],
                         mask.trace(MASKS["bits"])):
            reference.check(attn_mlir.attention(q, k, v, mask_mod=function), expected)


class Kernels(unittest.TestCase):
    def test_other_arrays(self):
        """Other arrays of the same dtype and rank need no new kernel."""
        q, k, v = reference.problem(dim=8, value_dim=8)
        before = kernel_count()
        for rows in (KEYS, KEYS + 3, 70):
            ids = RNG.integers(0, 3, (2, rows))

            def same(b, h, q, kv):
                return ids[b, q] == ids[b, kv]

            found = attn_mlir.attention(q, k, v, mask_mod=same)
            expected, _ = reference.attention(q, k, v, score=as_score(same))
            reference.check(found, expected)
        self.assertEqual(kernel_count(), before + 1)

    def test_array_that_changes(self):
        q, k, v = reference.problem(dim=8, value_dim=8)
        bits = BITS.copy()

        def read(b, h, q, kv):
            return bits[q, kv]

        for _ in range(3):
            found = attn_mlir.attention(q, k, v, mask_mod=read)
            expected, _ = reference.attention(q, k, v, score=as_score(read))
            reference.check(found, expected)
            bits[:] = RNG.integers(0, 2, bits.shape)
        bits = ~bits  # another array
        expected, _ = reference.attention(q, k, v, score=as_score(read))
        reference.check(attn_mlir.attention(q, k, v, mask_mod=read), expected)

    def test_functions_that_change(self):
        q, k, v = reference.problem(dim=8, value_dim=8)
        width = 2

        def near(b, h, q, kv):
            return abs(q - kv) <= width

        both = attn_mlir.and_masks(near, causal)
        for width in (2, 5):
            expected, _ = reference.attention(q, k, v, score=as_score(both))
            reference.check(attn_mlir.attention(q, k, v, mask_mod=both), expected)

    def test_traced_once(self):
        q, k, v = reference.problem(dim=8, value_dim=8)
        for _ in range(3):
            attn_mlir.attention(q, k, v, mask_mod=MASKS["bits"])
        from attn_mlir import _tracing
        self.assertIs(_tracing.as_mask(MASKS["bits"]).text, _tracing.as_mask(MASKS["bits"]).text)

    def test_compile(self):
        kernel = attn_mlir.compile(dtype="f32", head_dim=16, mask_mod=MASKS["documents"],
                                   score_mod=SCORES["slopes"], chip="host")
        self.assertEqual([a.dtype for a in kernel.arguments],
                         ["f32"] * 3 + ["f16", "i64", "f32"])
        self.assertEqual([a.name for a in kernel.arguments],
                         ["query", "key", "value", "capture0", "capture1", "output"])
        self.assertEqual(repr(kernel).partition(": ")[0], "<attn_mlir.Kernel for host")
        self.assertIn("capture1: i64 (?, ?), output: f32 (?, ?, ?, 16)>", repr(kernel))
        q, k, v = reference.problem()
        o = np.empty_like(q)
        kernel.run(q, k, v, SLOPES, IDS, o)
        expected, _ = reference.attention(q, k, v, score=as_score(MASKS["documents"],
                                                                  SCORES["slopes"]))
        reference.check(o, expected)


class Text(unittest.TestCase):
    def test_indices(self):
        """Positions are compared as index numbers, so that blocks can be skipped. Quotients of
        positions are unsigned."""
        text = mask.trace(lambda b, h, q, kv: (q - kv < 64) & (q // 8 == kv // 8))
        self.assertIn("arith.subi %i, %j : index", text)
        self.assertIn("arith.divui %i", text)
        self.assertNotIn("index_cast", text)
        text = mask.trace(lambda b, h, q, kv: (q - kv) // 8 == 0)
        self.assertIn("arith.floordivsi", text)

    def test_distances(self):
        """An absolute distance becomes two comparisons, each of which keeps a range of keys."""
        for function in (lambda b, h, q, kv: abs(q - kv) <= WINDOWS[h],
                         lambda b, h, q, kv: WINDOWS[h] >= abs(q - kv)):
            self.assertEqual(mask.trace(function).count("arith.cmpi sle"), 2)

    def test_elements(self):
        """Elements of arrays are compared in their own type."""
        text = mask.trace(document)
        self.assertIn("cmpi eq", text)
        self.assertNotIn("index_cast", text)
        self.assertIn("memref<?x?xi64, strided<[?, 1]>>", text)
        transposed = BITS.T
        text = mask.trace(lambda b, h, q, kv: transposed[kv, q])
        self.assertIn("memref<?x?xi1, strided<[?, ?]>>", text)

    def test_rows(self):
        """An array may be indexed one dimension at a time."""
        self.assertEqual(mask.trace(lambda b, h, q, kv: BITS[q][kv]),
                         mask.trace(lambda b, h, q, kv: BITS[q, kv]))
        self.assertEqual(score.trace(lambda s, b, h, q, kv: s + BIAS[b, h][q][kv]),
                         score.trace(lambda s, b, h, q, kv: s + BIAS[b][h, q, kv]))

    def test_scores_are_of_indices(self):
        text = score.trace(SCORES["bias"])
        self.assertIn("attn.read %c0[%b, %h, %i, %j]", text)


class Errors(unittest.TestCase):
    def expect(self, text, function):
        with self.assertRaisesRegex(attn_mlir.Error, "^mask_mod.*" + text):
            mask.trace(function)

    def test_results(self):
        self.expect("a condition, found a float", lambda b, h, q, kv: q / kv)
        self.expect("a condition, found an integer", lambda b, h, q, kv: q - kv)
        self.expect("a condition, found a float",
                    lambda b, h, q, kv: PAIRS[TYPES[q], TYPES[kv]])
        self.expect("a number, found", lambda b, h, q, kv: None)
        for function in (lambda b, h, q, kv: q > kv and q < 3,
                         lambda b, h, q, kv: q > kv or q < 3,
                         lambda b, h, q, kv: not q > kv,
                         lambda b, h, q, kv: 0 <= q - kv < 3,
                         lambda b, h, q, kv: q > kv if h == 0 else q < 3,
                         lambda b, h, q, kv: max(q, kv) < 3,
                         lambda b, h, q, kv: kv in [1, 2],
                         lambda b, h, q, kv: any([q < 3, kv < 3])):
            self.expect(r"no branch on a traced number; write \(x\) & \(y\) for `x and y`, "
                        r".* \(0 <= x\) & \(x < 5\) .* minimum", function)
        self.expect("positional argument", lambda b, h, q: q > h)
        self.expect("expected a function", "q > kv")

    def test_reads(self):
        self.expect("captured array 'BITS': expected 2 indices, .* found 1",
                    lambda b, h, q, kv: BITS[q])
        self.expect("captured array 'BITS': expected 2 indices, .* found 3",
                    lambda b, h, q, kv: BITS[b, q, kv])
        self.expect("captured array 'BITS': expected indices of at least 0, found -1",
                    lambda b, h, q, kv: BITS[-1, kv])
        self.expect("captured array 'BITS': expected an integer or a traced number",
                    lambda b, h, q, kv: BITS[q, :][kv])
        self.expect("captured array 'BITS': expected integers as indices, found f32",
                    lambda b, h, q, kv: BITS[q / 2, kv])
        double = np.zeros(9)
        self.expect("captured array 'double': expected dtype .* found f64",
                    lambda b, h, q, kv: double[q] > 0)
        complex = np.zeros(9, np.complex64)
        self.expect("captured array 'complex': expected dtype .* found",
                    lambda b, h, q, kv: complex[q] > 0)

    def test_no_arrays(self):
        numbers = [1, 2, 3]
        self.expect("make an array of a captured list or tuple .numpy.array",
                    lambda b, h, q, kv: q < numbers[h])
        self.expect("make an array of a captured list or tuple",
                    lambda b, h, q, kv: q < (1, 2, 3)[h])
        self.expect("no traced number as a key; make an array of a captured dictionary",
                    lambda b, h, q, kv: q < {0: 1}[h])
        self.expect("functions of attn_mlir.score",
                    lambda b, h, q, kv: math.sqrt(q) < 3)

    def test_score(self):
        with self.assertRaisesRegex(attn_mlir.Error, "^score_mod: captured array 'TABLE': "
                                    "expected 2 indices, .* found 1"):
            score.trace(lambda s, b, h, q, kv: s + TABLE[h])

    def test_composition(self):
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^and_masks: expected func"):
            attn_mlir.and_masks(causal, BITS)


if __name__ == "__main__":
    unittest.main()
