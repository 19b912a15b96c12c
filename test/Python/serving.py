# attn_mlir.merge and attn_mlir.append on NumPy's arrays.
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
import serving
from attn_mlir import _frames


def check_equal(found, expected, what=""):
    """Checks that arrays have the same bits, also in NaN."""
    assert found.dtype == expected.dtype and found.shape == expected.shape, what
    assert found.tobytes() == expected.tobytes(), what


def check_close(found, expected, tolerance, what=""):
    is_none = np.isneginf(expected)
    assert (np.isneginf(found) == is_none).all(), what
    found, expected = (np.where(is_none, 0, its) for its in (found, expected))
    error = np.abs(found.astype(np.float64) - expected).max(initial=0)
    assert error <= tolerance, (what, error)


class Merge(unittest.TestCase):
    def test_numbers(self):
        for number, (dtype, out, count, dim) in enumerate([
                (np.float32, np.float32, 2, 64), (np.float16, np.float16, 1, 80),
                (np.float16, np.float32, 3, 128), (np.float32, np.float16, 5, 40),
                (np.float32, np.float32, 9, 256), (np.float16, np.float16, 2, 1)]):
            states = serving.states(number, count, dim=dim, dtype=dtype)
            sink = np.array([0.5, -np.inf, 2], (np.float32, np.float16)[number % 2])
            for its in (None, sink):
                expected, lse = serving.merge(states, its)
                results = (np.full(expected.shape, np.nan, out),
                           np.full(lse.shape, np.nan, np.float32))
                found = attn_mlir.merge(states, sink=its, out=results)
                self.assertIs(found[0], results[0])
                what = (number, its is not None)
                check_close(found[0], expected, 4e-3 if np.float16 == out else 1e-5, what)
                check_close(found[1], lse, 1e-5, what)
                if its is None:
                    assert (found[0][:, :, 0] == 0).all()
                else:  # the sink exactly, where there is nothing else
                    assert (found[1][:, :, 0] == sink.astype(np.float32)).all()
                alone = attn_mlir.merge(states, sink=its, return_lse=False)
                if dtype == out:
                    check_equal(alone, found[0])

    def test_infinite(self):
        """A state whose lse is NaN or +inf only affects its own row."""
        states = serving.states(0, 3)
        expected, _ = serving.merge(states)
        for value in (np.nan, np.inf):
            changed = [(o, lse.copy()) for o, lse in states]
            changed[1][1][1, 2, 3] = value
            found, lse = attn_mlir.merge(changed)
            assert np.isnan(lse[1, 2, 3]) and np.isnan(found[1, 2, 3]).all(), value
            found[1, 2, 3] = expected[1, 2, 3]
            check_close(found, expected, 1e-5)

    def test_strides(self):
        """Arrays with gaps, in which the heads of a row follow each other. Nothing is written
        outside of the output."""
        states = serving.states(1, 2, dtype=np.float16)
        expected, lse = serving.merge(states)
        views = [(serving.with_gaps(o.swapaxes(1, 2), np.nan)[1].swapaxes(1, 2),
                  serving.with_gaps(l, np.nan)[1]) for o, l in states]
        canary = np.float16(-31744)
        memory, out = serving.with_gaps(np.zeros_like(states[0][0]), canary)
        attn_mlir.merge(views, out=out, return_lse=False)
        check_close(out, expected, 4e-3)
        out[...] = canary
        assert (memory == canary).all()

    def test_empty(self):
        for sizes in ((0, 3, 5, 16), (2, 0, 5, 16), (2, 3, 0, 16)):
            o, lse = np.zeros(sizes, np.float32), np.zeros(sizes[:3], np.float32)
            found = attn_mlir.merge([(o, lse), (o, lse)])
            self.assertEqual(found[0].shape, sizes)

    def test_parts_of_attention(self):
        """Attention over parts of the keys, merged with a sink that is added once, is attention
        over all keys."""
        q, k, v = reference.problem(dtype=np.float16)
        sink = np.array([0.3, -1, 2, 0], np.float32)
        expected = attn_mlir.attention(q, k, v, sink=sink, return_lse=True)
        parts = [slice(0, 10), slice(10, 11), slice(11, 11), slice(11, None)]
        found = attn_mlir.merge([attn_mlir.attention(q, k[:, :, part], v[:, :, part],
                                                     return_lse=True) for part in parts],
                                sink=sink)
        check_close(found[0], expected[0].astype(np.float64), 4e-3)
        check_close(found[1], expected[1].astype(np.float64), 1e-5)

    def test_one_kernel(self):
        attn_mlir.merge(serving.states(1, 2))
        count = len(_frames.kernels)
        attn_mlir.merge(serving.states(1, 2, batch=1, heads=7, rows=1))
        self.assertEqual(len(_frames.kernels), count)

    def expect(self, pattern, states, **options):
        with self.assertRaisesRegex(attn_mlir.ArgumentError, pattern):
            attn_mlir.merge(states, **options)

    def test_errors(self):
        states = serving.states(0, 2, dim=16)
        (o, lse), other = states
        self.expect("^states: expected pairs .output, lse., found none$", [])
        self.expect("^states: expected pairs .output, lse., found ndarray$", o)
        self.expect(r"^states\[1\]: expected a pair .output, lse., or .output, lse, scale. of 8 "
                    "bits, found ndarray$", [other, o])
        self.expect(r"^states\[0\]: .*, found a tuple of 4$", [(o, lse, None, None)])
        self.expect(r"^states\[1\]: scale: expected None beside an output of neither "
                    "float8_e4m3fn nor float8_e5m2, found one, and an output of float32$",
                    [other, (o, lse, np.float32(1))])
        self.expect(r"^states\[0\]: expected rank 4: \(B, H, S, D\), found sizes", [(lse, lse)])
        self.expect(r"^states\[0\]: lse: expected rank 3: \(B, H, S\), found sizes", [(o, o)])
        self.expect(r"^states\[1\]: lse: expected size 21 in dimension 2 \(S\), as "
                    r"states\[0\] has, found 20$", [other, (o, lse[:, :, :20])])
        self.expect(r"^states\[1\]: expected dtype f32, found f16$",
                    [other, (o.astype(np.float16), lse)])
        self.expect(r"^states\[0\]: lse: expected dtype f32, found f64$",
                    [(o, lse.astype(np.float64))])
        self.expect(r"^states\[0\]: expected dtype f16 or bf16 or f32 or f8E4M3FN or f8E5M2, "
                    "found f64$",
                    [(o.astype(np.float64), lse)])
        self.expect(r"^states\[0\]: expected rows without gaps, found stride 2 in dimension 3",
                    [(o[..., ::2], lse)])
        self.expect(r"^sink: expected size 3 in dimension 0 \(H\), as states\[0\] has, found 2",
                    states, sink=np.zeros(2, np.float32))
        self.expect("^sink: expected dtype f16 or bf16 or f32, found i32$", states,
                    sink=np.zeros(3, np.int32))
        self.expect("^out: expected a pair of arrays, with return_lse, found ndarray", states,
                    out=o)
        self.expect("^out: expected size 16 in dimension 3", states, return_lse=False,
                    out=np.zeros((2, 3, 21, 8), np.float32))
        fixed = np.zeros_like(o)
        fixed.flags.writeable = False
        self.expect("^out: expected an array that may be written", states, return_lse=False,
                    out=fixed)
        self.expect("^stream: expected a CUDA stream's handle", states, stream="0")
        self.expect(r"^out: expected memory of its own in an array that is written, found "
                    r"elements that states\[1\] has, too$", states, return_lse=False,
                    out=states[1][0])


class Append(unittest.TestCase):
    def check(self, case, **problem):
        """Checks all elements of caches and lengths, also those that must not change. Memory around
        the arrays has other numbers, so reading or writing it would show."""
        expected = serving.append(**problem)
        memory = {}
        for name, poison in (("k_cache", 7), ("v_cache", 7)):
            array = problem[name].swapaxes(1, 2) if case["seed"] % 2 else problem[name]
            memory[name], view = serving.with_gaps(array, poison)
            problem[name] = view.swapaxes(1, 2) if case["seed"] % 2 else view
        for name in ("k", "v", "q"):
            if name in problem:
                _, problem[name] = serving.with_gaps(problem[name], np.nan)
        problem["lengths"] = problem["lengths"].copy()
        out = None
        if "q" in problem:
            out = problem["out"] = np.full(problem["q"].shape, np.nan, problem["q"].dtype)
        found = attn_mlir.append(**problem)
        self.assertIs(found, out)
        check_equal(problem["lengths"], expected[2], case)
        for name, its in zip(("k_cache", "v_cache", "q"), (*expected[:2], expected[3])):
            own = out if name == "q" else problem[name]
            if its is None:
                continue
            # The compiler may round a product and a sum only once, so the rotary embedding may
            # differ by that.
            is_close = np.abs(own.astype(np.float64) - its) <= 2e-3 * (1 + np.abs(its))
            assert is_close.all(), (name, case, np.argwhere(~is_close)[:4])
            if name == "v_cache" or "cos" not in problem:
                check_equal(own, its, case)
        for name, its in memory.items():
            problem[name][...] = 7
            assert (its == 7).all(), (name, case)

    def test_numbers(self):
        for case in serving.cases():
            self.check(case, **serving.problem(**case))

    def test_f32(self):
        for case in list(serving.cases())[::7]:
            self.check(case, **serving.problem(**case, dtype=np.float32))

    def test_steps(self):
        """A prompt is appended, then one token after the other, and attention reads the pages."""
        rng = np.random.default_rng(0)
        k, v = (rng.standard_normal((2, 2, 20, 16)).astype(np.float32) for _ in "kv")
        pools = [np.full((8, 2, 6, 16), np.nan, np.float32) for _ in "kv"]
        table = np.array([[7, 0, 3, 5], [1, 6, 2, 4]], np.int32)
        lengths = np.zeros(2, np.int32)
        for part in (slice(0, 13), *[slice(t, t + 1) for t in range(13, 20)]):
            attn_mlir.append(k[:, :, part], v[:, :, part], *pools, lengths, page_table=table)
        self.assertEqual(lengths.tolist(), [20, 20])
        for pool, expected in zip(pools, (k, v)):
            rows = pool[table].swapaxes(1, 2).reshape(2, 2, 24, 16)
            check_equal(np.ascontiguousarray(rows[:, :, :20]), expected)
            assert np.isnan(rows[:, :, 20:]).all()

    def test_empty(self):
        for batch, heads, tokens, size in ((0, 2, 3, 9), (2, 0, 3, 9), (2, 2, 0, 9), (2, 2, 3, 0)):
            k = np.ones((batch, heads, tokens, 16), np.float32)
            cache = np.zeros((batch, heads, size, 16), np.float32)
            lengths = np.full(batch, 1, np.int32)
            attn_mlir.append(k, k, cache, cache.copy(), lengths)
            self.assertEqual(lengths.tolist(), [min(1 + tokens, size)] * batch)
            table = np.zeros((batch, 0 if tokens == 3 else 2), np.int32)
            pool = np.zeros((1, heads, size, 16), np.float32)
            lengths[:] = 1
            attn_mlir.append(k, k, pool, pool.copy(), lengths, page_table=table)
            self.assertEqual(lengths.tolist(), [min(1 + tokens, size * table.shape[1])] * batch)
            assert not pool.any()

    def test_one_kernel(self):
        case = next(serving.cases())
        problem = serving.problem(**case)
        attn_mlir.append(**problem)
        count = len(_frames.kernels)
        attn_mlir.append(**serving.problem(**{**case, "tokens": 3, "heads": 5}))
        self.assertEqual(len(_frames.kernels), count)

    def expect(self, pattern, **changes):
        case = {**next(serving.cases()), "page": 7, "rotary": (1.0, False), "seed": 1,
                "with_counts": True}
        problem = {**serving.problem(**case), **changes}
        before = [problem[name].copy() for name in ("k_cache", "v_cache", "lengths")
                  if isinstance(problem[name], np.ndarray)]
        with self.assertRaisesRegex(attn_mlir.ArgumentError, pattern):
            attn_mlir.append(**problem)
        for array, name in zip(before, ("k_cache", "v_cache", "lengths")):
            check_equal(problem[name], array)

    def overlap(self, pattern, name, other):
        problem = serving.problem(**{**next(serving.cases()), "page": 7, "seed": 1,
                                     "rotary": (1.0, False), "with_counts": True})
        problem[name] = problem[other]
        with self.assertRaisesRegex(attn_mlir.ArgumentError, pattern):
            attn_mlir.append(**problem)

    def test_parts_of_one(self):
        """The pages of keys and of values alternate in one array."""
        problem = serving.problem(**{**next(serving.cases()), "page": 7})
        expected = serving.append(**problem)
        both = np.stack([problem["k_cache"], problem["v_cache"]], 1)
        problem["k_cache"], problem["v_cache"] = both[:, 0], both[:, 1]
        attn_mlir.append(**problem)
        check_equal(np.ascontiguousarray(both[:, 0]), expected[0])
        check_equal(np.ascontiguousarray(both[:, 1]), expected[1])

    def test_check(self):
        """Without room for all tokens of a batch entry, the error names the entry, and nothing is
        written."""
        k = np.ones((2, 1, 5, 16), np.float32)
        good = {"lengths": [3, 0], "counts": [5, 0], "page_table": [[2, 0], [9, -1]]}

        def append(check=True, paged=True, **changes):
            own = {name: np.array(its, np.int32) for name, its in {**good, **changes}.items()}
            caches = [np.zeros((4 if paged else 2, 1, 4 if paged else 8, 16), np.float32)
                      for _ in "kv"]
            lengths = own.pop("lengths")
            if not paged:
                del own["page_table"]
            try:
                attn_mlir.append(k, k, *caches, lengths, check=check, **own)
            except attn_mlir.ArgumentError as error:
                assert not any(cache.any() for cache in caches)
                return str(error)
            return lengths.tolist()

        for paged in (True, False):
            self.assertEqual(append(paged=paged), [8, 0])
            self.assertEqual(append(paged=paged, lengths=[4, 0]),
                             "lengths[0]: expected at most 3, so that 5 tokens have a place, "
                             "found 4")
            self.assertEqual(append(paged=paged, lengths=[3, -1]),
                             "lengths[1]: expected a number from 0 to 8, found -1")
            self.assertEqual(append(paged=paged, counts=[5, 6]),
                             "counts[1]: expected a number from 0 to 5, found 6")
            self.assertEqual(append(paged=paged, check=False, lengths=[4, 0]), [8, 0])
        self.assertEqual(append(counts=[5, 1]), "page_table[1, 0]: expected a page of the "
                         "pool, from 0 to 3, found 9")
        self.assertEqual(append(lengths=[3, 4], counts=[5, 1]), "page_table[1, 1]: expected a "
                         "page of the pool, from 0 to 3, found -1")
        # Pages of earlier tokens are not checked, since append does not write to them.
        self.assertEqual(append(lengths=[4, 0], counts=[4, 0], page_table=[[-1, 0], [0, 0]]),
                         [8, 0])

    def test_errors(self):
        f16, i32 = np.float16, np.int32
        self.expect("^k: expected an array of NumPy's", k=[1])
        self.expect(r"^k: expected rank 4: \(B, Hkv, T, D\), found sizes \(3,\)$",
                    k=np.zeros(3, f16))
        self.expect("^v: expected dtype f16, found f32$", v=np.zeros((8, 1, 1, 64), np.float32))
        self.expect(r"^v: expected size 1 in dimension 2 \(T\), as k has, found 2$",
                    v=np.zeros((8, 1, 2, 64), f16))
        self.expect(r"^v_cache: expected size 27 in dimension 0 \(N\), as k_cache has, found 9$",
                    v_cache=np.zeros((9, 1, 7, 64), f16))
        self.expect(r"^k_cache: expected size 64 in dimension 3 \(D\), as k has, found 32$",
                    k_cache=np.zeros((27, 1, 7, 32), f16))
        self.expect(r"^k_cache: expected size 8 in dimension 0 \(B\), as k has, found 27$",
                    page_table=None)
        self.expect("^lengths: expected dtype i32, found i64$", lengths=np.zeros(8, np.int64))
        self.expect(r"^lengths: expected size 8 in dimension 0 \(B\), as k has, found 7$",
                    lengths=np.zeros(7, i32))
        self.expect("^lengths: expected rows without gaps, found stride 2",
                    lengths=np.zeros(16, i32)[::2])
        self.expect(r"^counts: expected rank 1: \(B\), found sizes \(\)$",
                    counts=np.array(3, i32))
        self.expect("^page_table: expected dtype i32, found i64$",
                    page_table=np.zeros((8, 3), np.int64))
        self.expect("^sin: expected an array beside cos, found None$", sin=None)
        self.expect("^q: expected cos and sin beside it, found none$", sin=None, cos=None)
        self.expect("^interleaved: expected cos and sin beside it, found none$", sin=None,
                    cos=None, q=None, interleaved=True)
        self.expect("^cos: expected from 1 column to half as many as k has, 32, found 33$",
                    cos=np.zeros((9, 33), f16))
        self.expect("^cos: expected at least one row, found none$",
                    cos=np.zeros((0, 32), np.float32), sin=np.zeros((0, 32), np.float32))
        self.expect(r"^sin: expected size 20 in dimension 0 \(R\), as cos has, found 9$",
                    sin=np.zeros((9, 32), np.float32))
        self.expect("^out: expected None without q, found ndarray$", q=None,
                    out=np.zeros((8, 3, 1, 64), f16))
        self.overlap("^k_cache: expected memory of its own .* that v_cache has, too$",
                     "v_cache", "k_cache")
        self.overlap("^out: expected memory of its own .* that q has, too$", "out", "q")
        self.overlap("^lengths: expected memory of its own .* that counts has, too$",
                     "counts", "lengths")
        fixed = np.zeros(8, i32)
        fixed.flags.writeable = False
        self.expect("^lengths: expected an array that may be written", lengths=fixed)


if __name__ == "__main__":
    unittest.main()
