# attn_mlir.decode and attn_mlir.varlen on NumPy's arrays.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import numpy as np
from sequences import Cache, Packed, attention

TOLERANCES = {np.float16: 4e-3, np.float32: 3e-5}


class Case(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(7)

    def check(self, found, expected, dtype):
        for its, exact in zip(found, expected):
            self.assertEqual(its.shape, exact.shape)
            is_none = np.isneginf(exact)
            np.testing.assert_array_equal(np.isneginf(its), is_none)
            error = np.abs(np.where(is_none, 0, its) - np.where(is_none, 0, exact))
            self.assertLessEqual(error.max(initial=0), TOLERANCES[dtype])  # NaN fails

    def expect_error(self, text, call, *arguments, **options):
        with self.assertRaises(attn_mlir.ArgumentError) as context:
            call(*arguments, **options)
        self.assertEqual(str(context.exception), text)


class Varlen(Case):
    def test_numbers(self):
        for dtype, causal, window, width in (
                (np.float32, False, None, 64), (np.float16, True, None, 64),
                (np.float16, True, (70, None), 80), (np.float32, False, (20, 30), 64)):
            for is_self in (True, False):
                its = Packed(self.rng, dtype, width=width, is_self=is_self)
                options = {"causal": causal, "window": window}
                found = attn_mlir.varlen(its.q, its.k, its.v, its.cu_q,
                                         None if is_self else its.cu_kv, return_lse=True,
                                         **options)
                self.check(found, its.reference(**options), dtype)

    def test_regions_and_sinks(self):
        its = Packed(self.rng, np.float32)
        sink = self.rng.standard_normal(4).astype(np.float32)
        slopes = self.rng.random(4).astype(np.float32)
        found = attn_mlir.varlen(
            its.q, its.k, its.v, its.cu_q, its.cu_kv, return_lse=True, sink=sink,
            score_mod=lambda s, b, h, i, j: s + slopes[h] * (j - i))
        expected = its.reference(
            sink=sink, score=lambda s, h, i, j: s + slopes[h] * (j - i))
        self.check(found, expected, np.float32)

    def test_cumulative_lengths_of_any_numbers(self):
        its = Packed(self.rng, np.float32)
        its.q, its.k, its.v = (np.nan_to_num(x) for x in (its.q, its.k, its.v))
        its.cu_q = np.array([-5, 40, 20, 10**6, 3], np.int32)
        its.cu_kv = np.array([3, -7, 50, 60, 10**9], np.int32)
        found = attn_mlir.varlen(its.q, its.k, its.v, its.cu_q, its.cu_kv, return_lse=True)
        self.check(found, its.reference(), np.float32)
        self.expect_error("cu_q[0]: expected a number from 0 to "
                          f"{len(its.q)}, found -5", attn_mlir.varlen, its.q, its.k, its.v,
                          its.cu_q, its.cu_kv, check=True)

    def test_errors(self):
        its = Packed(self.rng, np.float32)
        call = (its.q, its.k, its.v)
        self.expect_error("cu_q: expected dtype i32, found i64", attn_mlir.varlen, *call,
                          its.cu_q.astype(np.int64))
        self.expect_error("cu_kv: expected size "
                          f"{len(its.cu_q)} in dimension 0 (N + 1), as cu_q has, found "
                          f"{len(its.cu_q) + 1}", attn_mlir.varlen, *call, its.cu_q,
                          np.append(its.cu_kv, np.int32(9)))
        self.expect_error("q: expected rank 3: (Tq, Hq, D), found sizes "
                          f"{(1, *its.q.shape)}", attn_mlir.varlen, its.q[None], its.k,
                          its.v, its.cu_q)
        self.expect_error("causal: expected False or True, found 'top_left'",
                          attn_mlir.varlen, *call, its.cu_q, causal="top_left")


class Decode(Case):
    def test_numbers(self):
        for dtype in (np.float16, np.float32):
            for rows, causal, window, page in (
                    (1, False, None, None), (1, True, (40, None), 16), (4, True, None, 64),
                    (3, False, None, 4), (2, True, (100, 3), 1), (40, True, None, 16),
                    (40, True, None, None)):
                for heads, kv_heads in ((4, 2), (3, 3), (16, 1)):
                    its = Cache(self.rng, dtype, rows, heads=heads, kv_heads=kv_heads,
                                page=page)
                    options = {"causal": causal, "window": window}
                    found = attn_mlir.decode(its.q, its.k_cache, its.v_cache,
                                             lengths=its.lengths, page_table=its.table,
                                             return_lse=True, check=True, **options)
                    self.check(found, its.reference(**options), dtype)

    def test_counts(self):
        """Rows past an entry's count have an output of 0, and their elements are not read."""
        sink = self.rng.standard_normal(4).astype(np.float32)
        for rows, page, options in ((4, 16, {"causal": True}), (16, None, {"sink": sink}),
                                    (40, 16, {"causal": True, "sink": sink}),
                                    (40, None, {"window": (20, 3)})):
            for most in (0, 1, rows):
                its = Cache(self.rng, np.float32, rows, page=page)
                counts = self.rng.integers(0, most + 1, 3).astype(np.int32)
                for b, count in enumerate(counts):
                    its.q[b, :, count:] = np.nan
                o, lse = attn_mlir.decode(its.q, its.k_cache, its.v_cache, counts=counts,
                                          lengths=its.lengths, page_table=its.table,
                                          return_lse=True, check=True, **options)
                for b, count in enumerate(counts):
                    own = attention(its.q[b, :, :count], *(x[b, :, :its.lengths[b]] for x in (
                        its.k, its.v)), **options)
                    self.check((o[b, :, :count], lse[b, :, :count]), own, np.float32)
                    self.assertTrue((o[b, :, count:] == 0).all())
                    rest = options.get("sink", np.full(4, -np.inf, np.float32))[:, None]
                    self.assertTrue((lse[b, :, count:] == rest).all())
        self.expect_error("counts: expected lengths beside it, found None", attn_mlir.decode,
                          its.q, its.k, its.v, counts=counts)
        counts[2] = 41
        self.expect_error("counts[2]: expected a number from 0 to 40, found 41",
                          attn_mlir.decode, its.q, its.k, its.v, lengths=its.lengths,
                          counts=counts, check=True)

    def test_pages_that_are_not_there(self):
        for page in (4, 16, 128):
            its = Cache(self.rng, np.float32, 2, page=page, missing=True)
            its.lengths[0] = 300
            its = Cache(self.rng, np.float32, 2, page=page, missing=True, batch=6)
            found = attn_mlir.decode(its.q, its.k_cache, its.v_cache, lengths=its.lengths,
                                     page_table=its.table, return_lse=True)
            self.check(found, its.reference(), np.float32)

    def test_whole_cache(self):
        its = Cache(self.rng, np.float32)
        its.k, its.v = (self.rng.standard_normal(x.shape).astype(np.float32)
                        for x in (its.k, its.v))
        its.lengths[:] = its.k.shape[2]
        its.keep = [np.ones(its.k.shape[2], bool)] * 3
        self.check(attn_mlir.decode(its.q, its.k, its.v, return_lse=True), its.reference(),
                   np.float32)

    def test_lengths_count_as_the_nearest(self):
        its = Cache(self.rng, np.float32)
        its.k, its.v = (np.nan_to_num(x) for x in (its.k, its.v))
        lengths = np.array([-1, 10**9, 77], np.int32)
        its.lengths = np.array([0, 300, 77])
        its.keep = [np.ones(n, bool) for n in its.lengths]
        found = attn_mlir.decode(its.q, its.k, its.v, lengths=lengths, return_lse=True)
        self.check(found, its.reference(), np.float32)
        self.expect_error("lengths[0]: expected a number from 0 to 300, found -1",
                          attn_mlir.decode, its.q, its.k, its.v, lengths=lengths,
                          check=True)

    def test_regions_and_sinks(self):
        sink = self.rng.standard_normal(4).astype(np.float32)
        slopes = self.rng.random(4).astype(np.float32)
        for rows in (1, 4, 20):
            for page in (None, 16):
                its = Cache(self.rng, np.float32, rows, page=page)
                found = attn_mlir.decode(
                    its.q, its.k_cache, its.v_cache, lengths=its.lengths,
                    page_table=its.table, return_lse=True, sink=sink,
                    score_mod=lambda s, b, h, i, j: s + slopes[h] * (j - i),
                    mask_mod=lambda b, h, i, j: (j + i + h) % 3 != 0)
                expected = its.reference(sink=sink, score=lambda s, h, i, j: np.where(
                    (j + i + h) % 3 != 0, s + slopes[h] * (j - i), -np.inf))
                self.check(found, expected, np.float32)

    def test_same_bits(self):
        its = Cache(self.rng, np.float16, size=2000)
        first, second = (attn_mlir.decode(its.q, its.k_cache, its.v_cache,
                                          lengths=its.lengths) for _ in range(2))
        self.assertEqual(first.tobytes(), second.tobytes())

    def test_errors(self):
        its = Cache(self.rng, np.float32, page=16)
        call = (its.q, its.k_cache, its.v_cache)
        self.expect_error("lengths: expected size 3 in dimension 0 (B), as q has, found 2",
                          attn_mlir.decode, *call, lengths=its.lengths[:2],
                          page_table=its.table)
        self.expect_error("page_table: expected rank 2: (B, columns), found sizes (3,)",
                          attn_mlir.decode, *call, page_table=its.lengths)
        self.expect_error("page_table: expected dtype i32, found i64", attn_mlir.decode,
                          *call, page_table=its.table.astype(np.int64))
        its.lengths[:], its.table[:] = 40, 0
        its.table[1, 2] = 999
        self.expect_error("page_table[1, 2]: expected a page of the pool, from 0 to "
                          f"{len(its.k_cache) - 1}, found 999", attn_mlir.decode, *call,
                          lengths=its.lengths, page_table=its.table, check=True)


if __name__ == "__main__":
    unittest.main()
