# Score functions in Python: checks the recorded regions, and that they compute the same as the
# functions do on NumPy's arrays.
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
from attn_mlir import score

CAP = 3.0

FUNCTIONS = {
    "identity": lambda s, b, h, i, j: s,
    "constant": lambda s, b, h, i, j: s * 0 + 1,
    "soft cap": lambda s, b, h, i, j: CAP * np.tanh(s / CAP),
    "alibi": lambda s, b, h, i, j: s + np.exp2(-(h + 1.0) * 2) * (j - i),
    "mask": lambda s, b, h, i, j: np.where((i >= j) | ((i // 4) == (j // 4)), s, -np.inf),
    "mask of all": lambda s, b, h, i, j: np.where(i < 0, s, -np.inf),
    "batch": lambda s, b, h, i, j: s + (b == 1) * 0.5,
    "integers": lambda s, b, h, i, j: s + ((i - j) // 3 + (i - j) % 5 - abs(i - j)) / 9,
    "division by 0": lambda s, b, h, i, j: s + (i // j) / 9,
    "bits": lambda s, b, h, i, j: np.where(~((i & 3) == (j & 1)) ^ (i != j), s, s / 2),
    "bounds": lambda s, b, h, i, j: np.minimum(np.maximum(s, -1), 0.5 + h),
    "negation": lambda s, b, h, i, j: -s - (-i) * 0.01,
    "power": lambda s, b, h, i, j: s ** 2 + np.abs(s) ** 0.5 + (i + 1) ** 2 / 400,
    "large power": lambda s, b, h, i, j: s + (i % 5 + 4) ** 10 % 89 / 89,
    "from the right": lambda s, b, h, i, j: (1 - s) + 2 / (1.5 + abs(s)) + 0.1 * i,
    "rounding": lambda s, b, h, i, j: np.floor(s) - np.ceil(s * 2) + np.rint(s * 3),
    "remainder": lambda s, b, h, i, j: s % 0.75 + s // 0.5,
    "exponentials": lambda s, b, h, i, j: np.log(np.exp(s) + np.expm1(s * s) + 1),
    "logarithms": lambda s, b, h, i, j: np.log2(1 + s * s) + np.log1p(abs(s)),
    "circles": lambda s, b, h, i, j: np.sin(s) + np.cos(s) - np.arctan(s),
    "inverses": lambda s, b, h, i, j: np.arcsinh(s) + np.arccosh(1.5 + s * s) - np.arctanh(
        0.9 * np.tanh(s)) + np.arctan2(s, i - 3.0),
    "cube root": lambda s, b, h, i, j: np.cbrt(s),
    "root": lambda s, b, h, i, j: np.sqrt(s * s + 1),
    "conditions": lambda s, b, h, i, j: s * np.logical_not(j % 2) + (
        ((i > j) + (j > 2)) * 1.0 + ((i > 2) * (j > 2)) * 0.5 + np.logical_and(i, j % 3) * 0.3
        + np.logical_xor(j, i) * 0.2 + np.logical_or(s > 0, i % 2) * 0.1),
    "comparisons": lambda s, b, h, i, j: s + (s > 0) - (s <= -1) + (s != s) * 7.0,
}


class Values(unittest.TestCase):
    def test_functions(self):
        q, k, v = reference.problem()
        for name, function in FUNCTIONS.items():
            with self.subTest(name):
                expected, lse = reference.attention(q, k, v, score=function)
                found = attn_mlir.attention(q, k, v, score_mod=function, return_lse=True)
                np.testing.assert_allclose(found[0], expected, atol=1e-4, rtol=1e-4)
                np.testing.assert_allclose(found[1], lse, atol=1e-4, rtol=1e-4)

    def test_before_masks(self):
        q, k, v = reference.problem()
        function = FUNCTIONS["alibi"]
        expected, _ = reference.attention(q, k, v, causal=True, left=4, score=function)
        found = attn_mlir.attention(q, k, v, causal=True, window=(4, None),
                                    score_mod=function)
        reference.check(found, expected)

    def test_captures_that_change(self):
        q, k, v = reference.problem()
        factor = 2.0

        def multiply(s, b, h, i, j):
            return s * factor

        for factor in (2.0, 3.0, np.float32(0.5), 2):
            expected, _ = reference.attention(q, k, v, score=lambda s, *_: s * factor)
            reference.check(attn_mlir.attention(q, k, v, score_mod=multiply), expected)

    def test_globals_that_change(self):
        global CAP
        q, k, v = reference.problem()
        for CAP in (3.0, 1.0):
            expected, _ = reference.attention(q, k, v, score=FUNCTIONS["soft cap"])
            found = attn_mlir.attention(q, k, v, score_mod=FUNCTIONS["soft cap"])
            reference.check(found, expected)

    def test_large_integers_that_change(self):
        """Python has no text of integers of more than 4300 digits."""
        def scale(s, b, h, i, j):
            return s * (2.0 if large % 3 else 0.5)

        q, k, v = reference.problem()
        for large in (10**5000, 10**5000 - 1):
            expected, _ = reference.attention(q, k, v, score=scale)
            reference.check(attn_mlir.attention(q, k, v, score_mod=scale), expected)

    def test_other_callables(self):
        def multiply(s, b, h, i, j, factor):
            return s * factor

        q, k, v = reference.problem()
        expected, _ = reference.attention(q, k, v, score=lambda s, *_: s * 2)
        for function in (functools.partial(multiply, factor=2),
                         score.trace(lambda s, *_: s * 2)):
            found = attn_mlir.attention(q, k, v, score_mod=function)
            reference.check(found, expected)


class Text(unittest.TestCase):
    def test_equal_ops_are_recorded_once(self):
        text = score.trace(lambda s, b, h, i, j: score.tanh(s) + score.tanh(s))
        self.assertEqual(text.count("math.tanh"), 1)

    def test_approximate_tanh(self):
        text = score.trace(lambda s, *_: score.tanh(s) + score.tanh(s, approximate=True))
        self.assertEqual(text.count("math.tanh"), 2)
        self.assertEqual(text.count("fastmath<afn>"), 1)
        found = attn_mlir.attention(
            *(arrays := reference.problem()),
            score_mod=lambda s, *_: CAP * score.tanh(s / CAP, approximate=True))
        expected, _ = reference.attention(*arrays, score=FUNCTIONS["soft cap"])
        np.testing.assert_allclose(found, expected, atol=1e-2, rtol=1e-2)

    def test_integers_stay_integers(self):
        text = score.trace(lambda s, b, h, i, j: score.where(i - j > 2, s, -math.inf))
        self.assertIn("arith.subi", text)
        self.assertIn("arith.cmpi sgt", text)
        self.assertNotIn("arith.sitofp", text)
        self.assertIn("0xFF800000 : f32", text)

    def test_captured_integers_of_numpy(self):
        def compute(s, b, h, i, j, two):
            return s + i // two + i % two + i * two - i ** two

        expected = score.trace(functools.partial(compute, two=2))
        self.assertNotIn("math.powf", expected)
        for two in (np.array(2), np.int64(2), np.array([2], np.int32)):
            self.assertEqual(score.trace(functools.partial(compute, two=two)), expected)

    def test_in_the_kernel(self):
        kernel = attn_mlir.compile(dtype="f16", head_dim=64, chip="sm_90",
                                   score_mod=lambda s, *_: score.tanh(s / 5) * 5)
        self.assertIn("math.tanh", kernel.ir("source"))


class Errors(unittest.TestCase):
    def expect(self, text, function):
        with self.assertRaisesRegex(attn_mlir.Error, "score_mod.*" + text):
            score.trace(function)

    def test_errors(self):
        self.expect("no branch", lambda s, b, h, i, j: s if i > j else 0)
        self.expect("no branch", lambda s, b, h, i, j: max(s, 0))
        self.expect("value", lambda s, b, h, i, j: math.tanh(s))
        self.expect("indices", lambda s, b, h, i, j: s + np.arange(9)[i])
        self.expect("value", lambda s, b, h, i, j: s + [1, 2, 3][i])
        self.expect("a score, found a condition", lambda s, b, h, i, j: i > j)
        self.expect("a number, found", lambda s, b, h, i, j: None)
        self.expect("captured scalars", lambda s, b, h, i, j: s + np.arange(9))
        self.expect("condition", lambda s, b, h, i, j: score.where(s, 1, 0))
        self.expect("found f32", lambda s, b, h, i, j: s & 1)
        self.expect("found heaviside", lambda s, b, h, i, j: np.heaviside(s, 1))
        for zero in (0, False, np.array(0), np.int64(0), np.zeros(1, np.int32)):
            self.expect("an integer divisor other than 0", lambda s, b, h, i, j: i // zero)
            self.expect("an integer divisor other than 0",
                        lambda s, b, h, i, j: s + i % zero)
            self.expect("an integer divisor other than 0",
                        lambda s, b, h, i, j: np.floor_divide(i, zero))
        self.expect("positional argument", lambda s: s)
        kept = []
        score.trace(lambda s, *_: kept.append(s) or s)
        self.expect("of another", lambda s, *_: s + kept[0])

    def test_exceptions_pass(self):
        def fail(s, *_):
            raise KeyError("mine")
        with self.assertRaisesRegex(KeyError, "mine"):
            score.trace(fail)


if __name__ == "__main__":
    unittest.main()
