# attn_mlir.attention on NumPy's arrays, against plain attention in fp64.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import numpy as np
import reference
from attn_mlir import _frames


class Attention(unittest.TestCase):
    def compare(self, q, k, v, dtype=np.float32, causal=False, window=None,
                align="top_left", **options):
        left, right = window or (None, None)
        named = causal if isinstance(causal, str) else align
        expected, lse = reference.attention(q, k, v, causal=bool(causal), left=left,
                                            right=right, align=named, **options)
        options = {"scale": options.get("scale"), "score_mod": options.get("score")}
        found = attn_mlir.attention(q, k, v, causal=causal, window=window, align=align,
                                    **options)
        reference.check(found, expected, dtype)
        found, found_lse = attn_mlir.attention(q, k, v, causal=causal, window=window,
                                               align=align, return_lse=True, **options)
        reference.check(found, expected, dtype)
        reference.check(found_lse, lse)

    def test_masks(self):
        q, k, v = reference.problem()
        for causal in (False, True, "top_left", "bottom_right"):
            for window in (None, (3, None), (None, 2), (5, 7)):
                with self.subTest(causal=causal, window=window):
                    self.compare(q, k, v, causal=causal, window=window)
        self.compare(q, k, v, causal=True, align="bottom_right")
        self.compare(q, k, v, window=(2, 2), align="bottom_right")

    def test_dtypes_and_sizes(self):
        self.compare(*reference.problem(dtype=np.float16), dtype=np.float16)
        self.compare(*reference.problem(dim=8, value_dim=24))
        self.compare(*reference.problem(kv_heads=1, rows=1, keys=1))
        self.compare(*reference.problem(), scale=0.7)

    def test_rows_without_keys(self):
        q, k, v = reference.problem(rows=30, keys=10)
        self.compare(q, k, v, causal="bottom_right")
        o = attn_mlir.attention(q, k[:, :, :0], v[:, :, :0])
        self.assertFalse(o.any())
        self.assertEqual(attn_mlir.attention(q[:, :, :0], k, v).shape, (2, 4, 0, 16))

    def test_strides(self):
        def spread(a):
            """Returns the same values in memory with gaps, in which the rows of all heads are
            interleaved."""
            b, h, s, d = a.shape
            wide = np.full((b, s + 1, h, d + 3), np.nan, a.dtype)
            view = wide[:, 1:, :, :d].transpose(0, 2, 1, 3)
            view[...] = a
            return view
        q, k, v = reference.problem()
        self.compare(*map(spread, (q, k, v)))
        self.compare(q[::-1, ::2], k[:, :1, ::-1], v[:, :1, ::-1])
        self.compare(q, np.broadcast_to(k[:1], k.shape), v)

    def test_output_follows_the_query(self):
        q, k, v = reference.problem()
        q = np.ascontiguousarray(q.swapaxes(1, 2)).swapaxes(1, 2)
        self.assertEqual(attn_mlir.attention(q, k, v).strides, q.strides)

    def test_out(self):
        q, k, v = reference.problem()
        expected, lse = reference.attention(q, k, v)
        out = np.full((2, 4, 19, 20), np.nan, np.float32)
        found = attn_mlir.attention(q, k, v, out=out[..., 2:18])
        self.assertTrue(np.shares_memory(found, out))
        reference.check(out[..., 2:18], expected)
        self.assertTrue(np.isnan(out[..., :2]).all() and np.isnan(out[..., 18:]).all())
        pair = np.empty_like(q), np.empty(q.shape[:3], np.float32)
        attn_mlir.attention(q, k, v, return_lse=True, out=pair)
        reference.check(pair[0], expected)
        reference.check(pair[1], lse)

    def test_dlpack(self):
        class Opaque:
            def __init__(self, array):
                self.array = array

            def __dlpack__(self):
                return self.array.__dlpack__()

        q, k, v = reference.problem()
        expected, _ = reference.attention(q, k, v)
        out = np.empty_like(q)
        attn_mlir.attention(*map(Opaque, (q, k, v)), out=Opaque(out))
        reference.check(out, expected)

    def test_one_kernel_for_all_lengths(self):
        _frames.kernels.clear()
        for rows, keys, heads in ((1, 1, 2), (5, 40, 4), (70, 3, 6)):
            q, k, v = reference.problem(rows=rows, keys=keys, heads=heads, dim=12)
            self.compare(q, k, v[..., :12])
        self.assertEqual(len(_frames.kernels), 2)  # one of them with the lse


if __name__ == "__main__":
    unittest.main()
