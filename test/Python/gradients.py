# attn_mlir.attention_backward on NumPy's arrays, against plain gradients in fp64.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import features
import numpy as np
import reference
from attn_mlir import _frames, _gradients, score

SCORES = {
    "soft cap": lambda s, b, h, i, j: 3 * np.tanh(s / 3),
    "alibi": lambda s, b, h, i, j: s + np.exp2(-(h + 1.0) * 2) * (j - i),
    "mask": lambda s, b, h, i, j: np.where((i >= j) | ((i // 4) == (j // 4)), s, -np.inf),
    "mask of all": lambda s, b, h, i, j: np.where(i < 0, s, -np.inf),
    "sigmoid": lambda s, b, h, i, j: 4 / (1 + np.exp(-s)),
    "powers": lambda s, b, h, i, j: s ** 2 - 0.1 * s * s * s,
    "root": lambda s, b, h, i, j: np.sqrt(s * s + 1),
    "logarithm": lambda s, b, h, i, j: np.log(np.exp(s) + 1),
    "bounds": lambda s, b, h, i, j: np.minimum(np.maximum(s, -1), 0.5 + h),
    "mix": lambda s, b, h, i, j: np.where(i > j, 2 * np.tanh(s / 2), s) - 0.01 * abs(i - j),
    "ignored": lambda s, b, h, i, j: s * 0 + 0.1 * j,
}


class Gradients(unittest.TestCase):
    def setUp(self):
        self.problem = reference.problem()

    def compare(self, arrays=None, dtype=np.float32, has_d_lse=True, window=None,
                causal=False, align="top_left", wrt=None, **options):
        q, k, v = self.problem if arrays is None else arrays
        d_o = reference.random(4, *q.shape[:3], v.shape[3], dtype=dtype)
        d_lse = reference.random(5, *q.shape[:3]) if has_d_lse else None
        masks = {"causal": causal, "window": window, "align": align}
        own = {"score_mod" if name == "score" else name: option
               for name, option in options.items()}
        o, lse = attn_mlir.attention(q, k, v, return_lse=True, **masks, **own)
        own.update({} if wrt is None else {"wrt": wrt})
        found = attn_mlir.attention_backward(q, k, v, o, lse, d_o, d_lse, **masks, **own)
        left, right = window or (None, None)
        expected = dict(zip(("query", "key", "value"), reference.gradients(
            q, k, v, d_o, 0.0 if d_lse is None else d_lse, causal=bool(causal),
            align=causal if isinstance(causal, str) else align, left=left, right=right,
            **options)))
        wrt = wrt or tuple(expected)
        self.assertIsInstance(found, tuple)
        self.assertEqual(len(found), len(wrt))
        for name, its in zip(wrt, found):
            self.check(its, expected[name], dtype)

    def check(self, found, expected, dtype=np.float32):
        self.assertEqual((found.shape, found.dtype), (expected.shape, dtype))
        # The tolerance is relative to the largest element, since elements are sums of terms of both
        # signs.
        tolerance = (4e-3 if dtype == np.float16 else 5e-6) * max(1, abs(expected).max())
        np.testing.assert_allclose(found.astype(np.float64), expected, atol=tolerance,
                                   rtol=tolerance)

    def test_masks(self):
        for causal, window in ((False, None), (False, (3, None)), ("top_left", None),
                               ("bottom_right", None), ("top_left", (5, 7)),
                               ("bottom_right", (3, None)), (False, (None, 2))):
            with self.subTest(causal=causal, window=window):
                self.compare(causal=causal, window=window)
        self.compare(causal=True, align="bottom_right", has_d_lse=False)

    def test_dtypes_and_sizes(self):
        self.compare(reference.problem(dtype=np.float16), dtype=np.float16)
        self.compare(reference.problem(dim=8, value_dim=24))
        self.compare(reference.problem(heads=6, kv_heads=2, rows=70, keys=3))
        self.compare(reference.problem(kv_heads=1, rows=1, keys=1))
        self.compare(scale=0.7)

    def test_few_rows(self):
        """In gradients of at most 16 rows, rows of heads that share keys are rows of one tile."""
        for rows, heads, kv_heads in ((1, 6, 2), (5, 8, 1), (16, 6, 3), (17, 8, 2), (7, 4, 4)):
            for options in ({}, {"causal": "bottom_right", "score": SCORES["alibi"]},
                            {"window": (9, 0), "align": "bottom_right"}):
                with self.subTest(rows=rows, heads=heads, kv_heads=kv_heads, **options):
                    self.compare(reference.problem(heads=heads, kv_heads=kv_heads, rows=rows,
                                                   keys=133), **options)
        # A kernel for few rows of some heads serves no others, and no more rows.
        for rows, heads in ((3, 4), (3, 6), (40, 4), (2, 4)):
            self.compare(reference.problem(heads=heads, rows=rows), causal=True)

    def test_score_functions(self):
        for name, function in SCORES.items():
            with self.subTest(name):
                self.compare(score=function, causal=name == "alibi")

    def test_wrt(self):
        for wrt in (("query",), ["key"], ("value",), ("query", "key"),
                    ("query", "value"), ("key", "value"), ("query", "key", "value")):
            with self.subTest(wrt):
                self.compare(wrt=wrt, has_d_lse=len(wrt) == 2)
        q, k, v = self.problem
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        found, = attn_mlir.attention_backward(q, k, v, o, lse, o, wrt="value")
        self.check(found, reference.gradients(q, k, v, o)[2])

    def test_names_of_captured_arrays(self):
        """A repeated call does not take the gradient of a captured array for an argument, even if
        the array's variable has such a name that they are called alike."""
        q, k, v = self.problem

        def named_output(output):
            return lambda s, b, h, i, j: s + output[b, h, i, j]

        def named_lse(lse):
            return lambda s, b, h, i, j: s - lse[b, h, i, j]

        for make, sign in ((named_output, 1), (named_lse, -1)):
            _gradients.calls.clear()
            for number in range(3):
                bias = reference.random(number, 2, 4, 19, 37)
                d_o = reference.random(9 + number, *q.shape)
                given, d_lse = d_o.copy(), np.zeros((2, 4, 19), np.float32)
                options = {"score_mod": make(bias)}
                o, lse = attn_mlir.attention(q, k, v, return_lse=True, **options)
                found, = attn_mlir.attention_backward(q, k, v, o, lse, given, d_lse, **options,
                                                      wrt="capture0")
                expected = features.evaluate(q, k, v, d_o, 0, sign * bias)["pairs"]
                self.check(found, sign * expected)
                np.testing.assert_array_equal(given, d_o)
                self.assertFalse(d_lse.any())
            self.assertEqual(len(_gradients.calls), 1)

    def test_rows_without_keys(self):
        self.compare(reference.problem(rows=30, keys=10), causal="bottom_right")
        q, k, v = self.problem
        for rows, keys in ((19, 0), (0, 37), (0, 0)):
            arrays = q[:, :, :rows], k[:, :, :keys], v[:, :, :keys]
            o, lse = attn_mlir.attention(*arrays, return_lse=True)
            for its, gradient in zip(arrays, attn_mlir.attention_backward(
                    *arrays, o, lse, np.ones_like(o))):
                self.assertEqual(gradient.shape, its.shape)
                self.assertFalse(gradient.any())

    def test_strides(self):
        def spread(a):
            b, h, s, d = a.shape
            wide = np.full((b, s + 1, h, d + 3), np.nan, a.dtype)
            view = wide[:, 1:, :, :d].transpose(0, 2, 1, 3)
            view[...] = a
            return view

        q, k, v = self.problem
        self.compare(tuple(map(spread, (q, k, v))))
        self.compare((q[::-1, ::2], k[:, :1, ::-1], v[:, :1, ::-1]))
        self.compare((q, np.broadcast_to(k[:1], k.shape), v))

    def test_gradients_follow_their_inputs(self):
        q, k, v = (np.ascontiguousarray(a.swapaxes(1, 2)).swapaxes(1, 2)
                   for a in self.problem)
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        for its, gradient in zip((q, k, v),
                                 attn_mlir.attention_backward(q, k, v, o, lse, o)):
            self.assertEqual(gradient.strides, its.strides)

    def test_out(self):
        """Gradients can be written to parts of one packed array, in another precision than that of
        the inputs."""
        q, k, v = (a[:, :2, :19].astype(np.float16) for a in self.problem)
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        packed = np.full((2, 2, 19, 3 * 16 + 2), np.nan, np.float32)
        out = tuple(packed[..., 16 * n:16 * n + 16] for n in range(3))
        found = attn_mlir.attention_backward(q, k, v, o, lse, o, out=out)
        expected = reference.gradients(q, k, v, o)
        for its, array, wanted in zip(found, out, expected):
            self.assertTrue(np.shares_memory(its, array))
            self.assertEqual(its.dtype, np.float32)
            np.testing.assert_allclose(its, wanted, atol=4e-3)
        self.assertTrue(np.isnan(packed[..., 48:]).all())
        one = np.empty_like(k)
        attn_mlir.attention_backward(q, k, v, o, lse, o, wrt=("key",), out=[one])
        self.check(one, expected[1], np.float16)

    def test_deterministic(self):
        q, k, v = reference.problem(rows=200, keys=300)
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        first = attn_mlir.attention_backward(q, k, v, o, lse, o, deterministic=True)
        for _ in range(10):
            again = attn_mlir.attention_backward(q, k, v, o, lse, o, deterministic=True)
            for a, b in zip(first, again):
                np.testing.assert_array_equal(a, b)

    def test_one_kernel_for_all_lengths(self):
        _frames.kernels.clear()
        for rows, keys, heads in ((1, 1, 2), (17, 40, 4), (70, 3, 6)):
            self.compare(reference.problem(rows=rows, keys=keys, heads=heads, dim=12))
        self.assertEqual(len(_frames.kernels), 2)  # forward and backward
        # Heads that share keys have one further kernel for all small numbers of rows.
        for rows, keys in ((1, 1), (16, 40)):
            self.compare(reference.problem(rows=rows, keys=keys, dim=12))
        self.assertEqual(len(_frames.kernels), 3)


class Errors(unittest.TestCase):
    def setUp(self):
        q, k, v = reference.problem()
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        self.arrays = {"query": q, "key": k, "value": v, "output": o, "lse": lse,
                       "d_output": np.ones_like(o)}

    def expect(self, text, error=attn_mlir.ArgumentError, **arguments):
        with self.assertRaisesRegex(error, text) as caught:
            attn_mlir.attention_backward(**{**self.arrays, **arguments})
        self.assertNotIn("\n", str(caught.exception))

    def test_arrays(self):
        lse, q = self.arrays["lse"], self.arrays["query"]
        self.expect("^output: expected an array .* found NoneType", output=None)
        self.expect("^lse: expected an array .* found NoneType", lse=None)
        self.expect("^d_output: expected an array .* found int", d_output=1)
        self.expect("^lse: expected rank 3: .B, Hq, Sq., found sizes .2, 4, 19, 1.",
                    lse=lse[..., None])
        self.expect("^d_lse: expected rank 3", d_lse=q)
        self.expect("^query: expected rank 4", query=q[0])

    def test_dtypes(self):
        o, lse = self.arrays["output"], self.arrays["lse"]
        self.expect("^d_output: expected dtype f32, found f16", d_output=o.astype("f2"))
        self.expect("^output: expected dtype f32, found f16", output=o.astype("f2"))
        self.expect("^lse: expected dtype f32, found f16", lse=lse.astype("f2"))
        self.expect("^d_lse: expected dtype f32, found f64", d_lse=lse.astype("f8"))
        self.expect("^query: expected dtype f16 or bf16 or f32 or f8E4M3FN or f8E5M2, found f64",
                    query=self.arrays["query"].astype("f8"))

    def test_sizes(self):
        o, lse = self.arrays["output"], self.arrays["lse"]
        self.expect("^lse: expected size 19 in dimension 2 .Sq., as query has, found 18",
                    lse=lse[:, :, 1:])
        self.expect("^lse: expected size 4 in dimension 1 .Hq., as query has, found 3",
                    lse=lse[:, 1:])
        self.expect("^output: expected size 19 in dimension 2 .Sq., as query has, found 18",
                    output=o[:, :, 1:])
        self.expect("^d_output: expected size 2 in dimension 0 .B., as query has, found 1",
                    d_output=o[1:])
        self.expect("^d_lse: expected size 19 in dimension 2 .Sq., as query has, found 18",
                    d_lse=lse[:, :, 1:])
        self.expect("^d_output: expected size 16 in dimension 3 .Dv., as value has, found 15",
                    d_output=o[..., 1:])
        self.expect("^d_output: expected rows without gaps, found stride 0 in dimension 3",
                    d_output=np.broadcast_to(o[..., :1], o.shape))

    def test_out(self):
        q, k, v = (self.arrays[name] for name in ("query", "key", "value"))
        out = np.empty_like(q), np.empty_like(k), np.empty_like(v)
        self.expect("^out: expected a tuple of 3 arrays, .* found ndarray", out=out[0])
        self.expect("^out: expected a tuple of 3 arrays, .* found 2 in a tuple", out=out[:2])
        self.expect("^d_key: expected an array", out=(out[0], None, out[2]))
        self.expect("^d_value: expected dtype f32, found f16",
                    out=(*out[:2], out[2].astype(np.float16)))
        self.expect(f"^d_key: expected size {k.shape[2]} in dimension 2 .Skv., as key has",
                    out=(out[0], out[1][:, :, 1:], out[2]))
        fixed = np.empty_like(k)
        fixed.flags.writeable = False
        self.expect("^d_key: expected an array that may be written",
                    out=(out[0], fixed, out[2]))

    def test_aliasing(self):
        q, k, v = (self.arrays[name] for name in ("query", "key", "value"))
        out = np.full_like(q, 7), np.full_like(k, 7), np.full_like(v, 7)
        of = "expected memory of its own in an array that is written, found elements that"
        self.expect(f"^d_key: {of} d_value has, too", out=(out[0], out[1], out[1]))
        self.expect(f"^d_query: {of} query has, too", out=(q, *out[1:]))
        self.expect(f"^d_value: {of} d_output has, too", wrt="value",
                    out=(self.arrays["d_output"][:, ::2],), key=k[:, :, :19],
                    value=v[:, :, :19])
        # The memory of d_key and d_value has one element in common.
        shared = np.empty(2 * k.size - 1, np.float32)
        self.expect("^d_key: expected memory of its own", out=(
            out[0], shared[:k.size].reshape(k.shape), shared[-k.size:].reshape(k.shape)))
        for array in out:
            self.assertTrue((array == 7).all())

    def test_options(self):
        wrt = "^wrt: expected some of 'query', 'key', 'value' and 'sink' in this order"
        for names in ((), ("key", "query"), ("key", "key"), "keys", ("query", "lse")):
            self.expect(wrt, wrt=names)
        self.expect("^causal: expected False, True", causal="left")
        self.expect("^scale: expected a finite number", scale=float("inf"))
        self.expect("^window: expected .left, right., .* found .1.", window=[1])
        self.expect("^stream: expected a CUDA stream's handle", stream="1")
        self.expect("expected no stream", stream=1)

    def test_score_without_derivative(self):
        text = ("    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index):\n"
                "      %0 = arith.bitcast %s : f32 to i32\n"
                "      %1 = arith.sitofp %0 : i32 to f32\n"
                "      attn.yield %1 : f32")
        with self.assertRaisesRegex(attn_mlir.Error, "'arith.bitcast' op has no derivative"):
            attn_mlir.attention_backward(**self.arrays, score_mod=score.Score(text))


class Kernels(unittest.TestCase):
    def test_arguments(self):
        kernel = attn_mlir.compile(dtype="f16", head_dim=16, value_head_dim=8, chip="host",
                                   backward=True, d_lse=True, wrt=("query", "value"),
                                   causal=True, deterministic=True)
        self.assertEqual([a.name for a in kernel.arguments], [
            "query", "key", "value", "output", "lse", "d_output", "d_lse", "d_query",
            "d_value"])
        self.assertEqual([a.kind for a in kernel.arguments],
                         ["input"] * 7 + ["output"] * 2)
        self.assertEqual(kernel.arguments[8].sizes, (None, None, None, 8))
        self.assertIn(" deterministic", kernel.ir("source"))
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^return_lse: expected False"):
            attn_mlir.compile(head_dim=16, backward=True, return_lse=True)

    def test_run(self):
        q, k, v = reference.problem()
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        kernel = attn_mlir.compile(dtype="f32", head_dim=16, chip="host", backward=True)
        out = [np.empty_like(a) for a in (q, k, v)]
        self.assertEqual(kernel.workspace_size(q, k, v, o, lse, o, *out), 0)
        kernel.run(q, k, v, o, lse, o, *out)
        for found, expected in zip(out, reference.gradients(q, k, v, o)):
            np.testing.assert_allclose(found, expected, atol=1e-5, rtol=1e-5)

    def test_gpu(self):
        kernel = attn_mlir.compile(dtype="bf16", head_dim=64, chip="sm_90a", backward=True)
        self.assertIn(".target sm_90a", kernel.ptx)


if __name__ == "__main__":
    unittest.main()
