# Sinks, dropout and gradients of captured arrays on NumPy's arrays, against plain attention
# in fp64 with a Philox of its own.
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
import philox
import reference
from attn_mlir import _frames

B, H, ROWS, KEYS = 2, 4, 19, 37
SINK = reference.random(11, H)
BIAS = reference.random(12, 1, H, ROWS, KEYS)
SLOPES = reference.random(13, H)
BY_ROW = reference.random(14, H, ROWS)
BY_KEY = reference.random(15, KEYS)
FACTOR = np.array(0.7, np.float32)


def close(found, expected, dtype=np.float32):
    expected = np.asarray(expected)
    assert found.shape == expected.shape and found.dtype == dtype, (found.shape, found.dtype)
    tolerance = (4e-3 if dtype == np.float16 else 1e-5) * max(1, abs(expected).max())
    np.testing.assert_allclose(found.astype(np.float64), expected, atol=tolerance, rtol=0)


class Masks(unittest.TestCase):
    def test_philox(self):
        """The test's Philox gives the known answers of Random123."""
        ones = 2**32 - 1
        for counter, key, expected in (
                ((0,) * 4, (0,) * 2, (0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8)),
                ((ones,) * 4, (ones,) * 2,
                 (0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd))):
            self.assertEqual(tuple(int(w) for w in philox.philox(counter, key)), expected)

    def test_masks(self):
        q, k, _ = reference.problem(keys=150)
        for p, seed in ((0.3, (5, 7)), (0.5, (-3, 2**63 + 5)), (0.9, (2**64 - 1, -1)),
                        (1.0, (1, 2)), (1e-6, (1, 2))):
            expected, _ = philox.keep(B, H, ROWS, 150, p, seed)
            for its in (seed, np.array([word % 2**64 for word in seed],
                                       np.uint64).view(np.int64)):
                found = attn_mlir.dropout_mask(q, k, p, its)
                self.assertEqual(found.dtype, bool)
                np.testing.assert_array_equal(found, expected)

    def test_share(self):
        q, k, _ = reference.problem(rows=200, keys=200)
        found = attn_mlir.dropout_mask(q, k, 0.25, (3, 4))
        # The mean of the 320,000 elements may differ from 0.75 by five standard deviations.
        self.assertLess(abs(found.mean() - 0.75), 5 * (0.1875 / found.size) ** 0.5)
        self.assertFalse((found == attn_mlir.dropout_mask(q, k, 0.25, (3, 5))).all())
        self.assertFalse((found == attn_mlir.dropout_mask(q, k, 0.25, (4, 4))).all())


class Values(unittest.TestCase):
    def compare(self, score=None, bias=0.0, factor=1.0, sink=None, dropout_p=0.0,
                seed=(5, 6), wrt=("query", "key", "value"), captures=None, dtype=np.float32,
                kept=True, deterministic=False, **masks):
        """Compares attention and its gradients with plain attention. `captures` maps the names of
        captured arrays in `wrt` to functions that make their gradients from the gradients of all
        pairs."""
        q, k, v = reference.problem(dtype=dtype)
        d_o = reference.random(4, *q.shape, dtype=dtype)
        d_lse = reference.random(5, *q.shape[:3])
        options = {"score_mod": score, "sink": sink, "dropout_p": dropout_p, "seed": seed,
                   **masks}
        o, lse = attn_mlir.attention(q, k, v, return_lse=True, **options)
        keep, z = philox.keep(B, H, ROWS, KEYS, dropout_p, seed)
        expected = features.evaluate(q, k, v, d_o, d_lse, bias, factor, sink, keep, z, kept)
        close(o, expected["output"], dtype)
        np.testing.assert_allclose(lse, expected["lse"], atol=2e-5, rtol=2e-5)
        found = attn_mlir.attention_backward(q, k, v, o, lse, d_o, d_lse, wrt=wrt,
                                             deterministic=deterministic, **options)
        self.assertEqual(len(found), len(wrt))
        for name, its in zip(wrt, found):
            with self.subTest(name):
                if name in (captures or {}):
                    close(its, captures[name](expected["pairs"], expected["scores"]),
                          its.dtype)
                else:
                    close(its, expected[name], sink.dtype if name == "sink" else dtype)

    def test_sink(self):
        for its in (SINK, SINK.astype(np.float16), SINK * 20):
            self.compare(sink=its, wrt=("query", "key", "value", "sink"))
        self.compare(sink=SINK, wrt=("sink",))
        self.compare(sink=SINK, wrt="query".split(), dtype=np.float16)
        i, j = np.ogrid[:ROWS, :KEYS]
        self.compare(sink=SINK, wrt=("key", "sink"), causal=True, kept=j <= i)

    def test_sink_of_rows_without_keys(self):
        q, k, v = reference.problem(rows=30, keys=10)
        o, lse = attn_mlir.attention(q, k, v, causal="bottom_right", sink=SINK,
                                     return_lse=True)
        self.assertFalse(o[:, :, :20].any())
        np.testing.assert_array_equal(lse[:, :, :20],
                                      np.broadcast_to(SINK[None, :, None], (B, H, 20)))

    def test_dropout(self):
        self.compare(dropout_p=1.0)
        self.compare(dropout_p=0.3)
        self.compare(dropout_p=0.3, dtype=np.float16)
        self.compare(dropout_p=0.3, sink=SINK, wrt=("query", "key", "value", "sink"),
                     deterministic=True)
        self.compare(dropout_p=0.3, seed=(2**63 + 1, -7))
        seed = np.array([2**40, 9])
        self.compare(dropout_p=0.3, seed=seed)

    def test_captures(self):
        cases = {
            "bias": (lambda s, b, h, q, kv: s + BIAS[0, h, q, kv], BIAS,
                     {"BIAS": lambda g, _: g.sum(0, keepdims=True)}),
            "slopes": (lambda s, b, h, q, kv: s + SLOPES[h] * (kv - q),
                       SLOPES[:, None, None] * (np.arange(KEYS) - np.arange(ROWS)[:, None]),
                       {"SLOPES": lambda g, _: (g * (np.arange(KEYS) - np.arange(ROWS)[
                           :, None])).sum((0, 2, 3))}),
            "row": (lambda s, b, h, q, kv: s + BY_ROW[h, q], BY_ROW[:, :, None],
                    {"BY_ROW": lambda g, _: g.sum((0, 3))}),
            "key": (lambda s, b, h, q, kv: s + BY_KEY[kv], BY_KEY,
                    {"BY_KEY": lambda g, _: g.sum((0, 1, 2))}),
        }
        for name, (score, bias, captures) in cases.items():
            with self.subTest(name):
                self.compare(score, bias, captures=captures,
                             wrt=("query", "key", "value", *captures))
        score, bias, captures = cases["bias"]
        self.compare(score, bias, captures=captures, wrt=("BIAS",), dropout_p=0.2, sink=SINK)
        self.compare(score, bias, captures=captures, wrt=("sink", "BIAS"), dropout_p=0.2,
                     sink=SINK, deterministic=True)
        self.compare(score, bias, captures={"capture0": captures["BIAS"]},
                     wrt=("query", "capture0"))

    def test_several(self):
        """Gradients of several captured arrays can be asked for in any order, and for only some of
        them."""
        def score(s, b, h, q, kv):
            return s * FACTOR + BIAS[b, h, q, kv] + BY_KEY[kv]

        captures = {"BY_KEY": lambda g, _: g.sum((0, 1, 2)),
                    "BIAS": lambda g, _: g.sum(0, keepdims=True)}
        for wrt in (("BY_KEY", "BIAS"), ("BIAS", "BY_KEY"), ("query", "BY_KEY")):
            self.compare(score, BIAS + BY_KEY, FACTOR, captures=captures, wrt=wrt)

    def test_views(self):
        """A captured array may have its dimensions in another order, be longer than needed, and be
        read at constant indices."""
        large = reference.random(16, 3, KEYS + 5, ROWS + 2, H)

        def score(s, b, h, q, kv):
            return s + large[1, kv, q, h]

        part = large[1, :KEYS, :ROWS].transpose(2, 1, 0)

        def gradient(g, _):
            found = np.zeros(large.shape)
            found[1, :KEYS, :ROWS] = g.sum(0).transpose(2, 1, 0)
            return found

        self.compare(score, part, captures={"large": gradient}, wrt=("query", "large"))

    def test_tables(self):
        """Captured arrays that are read at computed indices, with dimensions in any order."""
        i, j = np.arange(ROWS)[:, None], np.arange(KEYS)
        place = np.clip((j - i) // 3 + 4, 0, 8)
        row, key = np.broadcast_arrays(i // 7, j // 11)
        by_bucket, by_head = reference.random(21, 9, H), reference.random(22, H, 9)
        square = reference.random(23, B, 3, 2, 4)

        def pick(g, *places):
            """Sums the pairs' gradients for each value of the computed indices."""
            sizes = [int(its.max()) + 1 for its in places]
            found = np.zeros((B, H, *sizes))
            for at in np.ndindex(*sizes):
                keep = np.all([its == n for its, n in zip(places, at)], 0)
                found[(slice(None), slice(None), *at)] = (g * keep).sum((2, 3))
            return found

        cases = {
            "by_bucket": (lambda s, b, h, q, kv: s + by_bucket[(kv - q) // 3 + 4, h],
                          by_bucket[place].transpose(2, 0, 1),
                          lambda g, _: pick(g, place)[:, :, :9].sum(0).T),
            "by_head": (lambda s, b, h, q, kv: s + by_head[h, (kv - q) // 3 + 4],
                        by_head[:, place], lambda g, _: pick(g, place)[:, :, :9].sum(0)),
            "square": (lambda s, b, h, q, kv: s + square[b, q // 7, 1, kv // 11],
                       square[:, row, 1, key][:, None],
                       lambda g, _: np.stack([np.zeros((B, 3, 4)), pick(g, row, key).sum(1)],
                                             2)),
            # An array that the function reads twice, at different indices.
            "several": (lambda s, b, h, q, kv: s + by_head[h, (kv - q) // 3 + 4] -
                        by_head[h, q // 7], by_head[:, place] - by_head[:, row],
                        None),
        }
        rest = np.zeros((B, H, 9))

        def several(g, _):
            found = rest.copy()
            found[:, :, :3] = pick(g, row)
            return (pick(g, place)[:, :, :9] - found).sum(0)

        for name, (score, bias, gradient) in cases.items():
            names = {"by_head": several} if name == "several" else {name: gradient}
            with self.subTest(name):
                self.compare(score, bias, captures=names, wrt=("query", *names))
        self.compare(cases["by_head"][0], cases["by_head"][1], wrt=("by_head",),
                     captures={"by_head": cases["by_head"][2]}, deterministic=True,
                     dropout_p=0.2, sink=SINK)

    def test_empty(self):
        def score(s, b, h, q, kv):
            return s + SLOPES[h] + BIAS[0, h, q, kv] + BY_ROW[h, q]

        q, k, v = reference.problem()
        for batch, rows, keys in ((0, 5, 7), (2, 0, 7), (2, 5, 0)):
            arrays = q[:batch, :, :rows], k[:batch, :, :keys], v[:batch, :, :keys]
            options = {"score_mod": score, "sink": SINK, "dropout_p": 0.3, "seed": (1, 2)}
            o, lse = attn_mlir.attention(*arrays, return_lse=True, **options)
            d_q, d_sink, *found = attn_mlir.attention_backward(
                *arrays, o, lse, o, np.ones_like(lse), **options,
                wrt=("query", "sink", "SLOPES", "BIAS", "BY_ROW"))
            self.assertFalse(d_q.any())
            # In a row without keys, the lse is the sink.
            np.testing.assert_array_equal(d_sink, 0 if keys else np.full(H, batch * rows))
            for its, array in zip(found, (SLOPES, BIAS, BY_ROW)):
                self.assertEqual(its.shape, array.shape)
                self.assertFalse(its.any())

    def test_dtypes_of_gradients(self):
        narrow = BIAS.astype(np.float16)
        self.compare(lambda s, b, h, q, kv: s + narrow[0, h, q, kv], narrow,
                     captures={"narrow": lambda g, _: g.sum(0, keepdims=True)},
                     wrt=("query", "narrow"))
        q, k, v = reference.problem()
        options = {"score_mod": lambda s, b, h, q, kv: s + narrow[0, h, q, kv],
                   "sink": SINK.astype(np.float16)}
        o, lse = attn_mlir.attention(q, k, v, return_lse=True, **options)
        out = (np.full(H, np.nan, np.float32),
               np.full((*BIAS.shape, 2), np.nan, np.float32)[..., 0])  # rows with gaps
        found = attn_mlir.attention_backward(q, k, v, o, lse, o, wrt=("sink", "narrow"),
                                             out=out, **options)
        self.assertIs(found[0], out[0])
        self.assertIs(found[1], out[1])
        expected = features.evaluate(q, k, v, o, 0, narrow, sink=options["sink"])
        close(out[0], expected["sink"])
        close(out[1], expected["pairs"].sum(0, keepdims=True))

    def test_ignored(self):
        """An array that a function captures but does not read has a gradient of 0."""
        region = attn_mlir.score.trace(lambda s, b, h, q, kv: s + BIAS[0, h, q, kv])
        header = region.text.partition("\n")[0]
        score = attn_mlir.score.Score(header + "\n      attn.yield %s : f32", [BIAS])
        q, k, v = reference.problem()
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        found, = attn_mlir.attention_backward(q, k, v, o, lse, o, score_mod=score,
                                              wrt="capture0")
        self.assertEqual(found.shape, BIAS.shape)
        self.assertFalse(found.any())

    def test_generator(self):
        q, k, v = reference.problem()
        found = [attn_mlir.attention(q, k, v, dropout_p=0.3,
                                     generator=np.random.default_rng(seed))
                 for seed in (1, 1, 2)]
        np.testing.assert_array_equal(found[0], found[1])
        self.assertFalse((found[0] == found[2]).all())
        generator = np.random.default_rng(1)
        again = [attn_mlir.attention(q, k, v, dropout_p=0.3, generator=generator)
                 for _ in range(2)]
        np.testing.assert_array_equal(found[0], again[0])
        self.assertFalse((again[0] == again[1]).all())

    def test_other_arrays(self):
        """Arrays of libraries that only share memory, by __dlpack__, can be inputs. They need
        `out`, which can be such arrays, too."""
        class Shared:
            def __init__(self, array):
                self.array, self.shape = array, array.shape

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

        arrays = reference.problem()
        q, k, v, sink = map(Shared, (*arrays, SINK))
        found, d_sink = np.empty_like(arrays[0]), np.empty_like(SINK)
        lse = np.empty(arrays[0].shape[:3], np.float32)
        options = {"dropout_p": 0.3, "seed": (1, 2)}
        attn_mlir.attention(q, k, v, sink=sink, out=(Shared(found), Shared(lse)),
                            return_lse=True, **options)
        expected, _ = attn_mlir.attention(*arrays, sink=SINK, return_lse=True, **options)
        np.testing.assert_array_equal(found, expected)
        attn_mlir.attention_backward(q, k, v, Shared(found), Shared(lse), Shared(found),
                                     sink=sink, wrt="sink", out=(Shared(d_sink),), **options)
        np.testing.assert_array_equal(d_sink, attn_mlir.attention_backward(
            *arrays, found, lse, found, sink=SINK, wrt="sink", **options)[0])
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^wrt: expected arrays of NumPy"):
            attn_mlir.attention_backward(q, k, v, Shared(found), Shared(lse), Shared(found),
                                         sink=sink, wrt="sink", **options)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^generator: expected a numpy"):
            attn_mlir.attention(q, k, v, dropout_p=0.3, out=Shared(found))

    def test_kernels(self):
        """Other seeds, sinks and lengths need no new kernel."""
        _frames.kernels.clear()
        for rows, seed in ((30, (1, 2)), (70, (3, 4))):
            q, k, v = reference.problem(rows=rows)
            o, lse = attn_mlir.attention(q, k, v, dropout_p=0.3, seed=seed, sink=SINK * rows,
                                         return_lse=True)
            attn_mlir.attention_backward(q, k, v, o, lse, o, dropout_p=0.3, seed=seed,
                                         sink=SINK * rows)
        self.assertEqual(len(_frames.kernels), 2)


class Errors(unittest.TestCase):
    def setUp(self):
        self.arrays = reference.problem()

    def expect(self, text, error=attn_mlir.ArgumentError, **options):
        with self.assertRaisesRegex(error, text) as caught:
            attn_mlir.attention(*self.arrays, **options)
        self.assertNotIn("\n", str(caught.exception))

    def expect_backward(self, text, **options):
        q, k, v = self.arrays
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, text) as caught:
            attn_mlir.attention_backward(q, k, v, o, lse, o, **options)
        self.assertNotIn("\n", str(caught.exception))

    def test_sinks(self):
        self.expect("^sink: expected rank 1: .Hq., found sizes .4, 1.", sink=SINK[:, None])
        self.expect("^sink: expected dtype f16 or bf16 or f32, found f64", sink=SINK.astype("d"))
        self.expect("^sink: expected an array .* found float", sink=1.0)
        self.expect("^sink: expected size 4 in dimension 0 .Hq., as q has, found 3", sink=SINK[:3])
        self.expect("^sink: expected rows without gaps, found stride 2 in dimension 0",
                    sink=np.repeat(SINK, 2)[::2])

    def test_dropout(self):
        for p in (-0.1, 1.5, "0.5", None, float("nan")):
            self.expect("^dropout_p: expected a number from 0 to 1, found", dropout_p=p)
        self.expect("^generator: expected a numpy.random.Generator, or seed=.*found NoneType",
                    dropout_p=0.5)
        self.expect("^generator: expected .* found int", dropout_p=0.5, generator=3)
        self.expect("^generator: expected None beside seed, .*found Generator", dropout_p=0.5,
                    generator=np.random.default_rng(), seed=(1, 2))
        pair = "^seed: expected a pair of integers .seed, offset., or an array of these two"
        self.expect(pair + ".* found int", dropout_p=0.5, seed=3)
        self.expect(pair + ".* found tuple", dropout_p=0.5, seed=(1, 2, 3))
        self.expect(pair + r".* found sizes \(3,\)", dropout_p=0.5, seed=np.zeros(3, "i8"))
        self.expect("^seed: expected integers of 64 bits, found 18446744073709551616",
                    dropout_p=0.5, seed=(2**64, 0))
        self.expect("^seed: expected integers of 64 bits, found 0.5", dropout_p=0.5,
                    seed=(0.5, 0))
        self.expect("^seed: expected dtype int64, found i32", dropout_p=0.5,
                    seed=np.zeros(2, "i4"))
        self.expect_backward("^seed: expected the .seed, offset. of the forward call",
                             dropout_p=0.5)

    def test_wrt(self):
        def score(s, b, h, q, kv):
            return s + BIAS[0, h, q, kv]

        wrt = "^wrt: expected some of 'query', 'key', 'value' and 'sink' in this order, each " \
            "once, or of the captured capture0, BIAS behind these, found"
        for names in (("BIAS", "query"), ("bias",), ("BIAS", "BIAS")):
            self.expect_backward(wrt, score_mod=score, wrt=names)
        self.expect_backward("^wrt: expected each captured array once", score_mod=score,
                             wrt=("BIAS", "capture0"))
        self.expect_backward("^wrt: expected no 'sink' without a sink", wrt="sink")
        out = np.empty((1, H, ROWS, KEYS + 1), np.float32)
        self.expect_backward("^d_BIAS: expected size 37 in dimension 3, found 38",
                             score_mod=score, wrt="BIAS", out=(out,))
        self.expect_backward("^d_BIAS: expected dtype f32, found f16", score_mod=score,
                             wrt="BIAS", out=(BIAS.astype(np.float16),))
        self.expect_backward("^d_sink: expected dtype f32, found f64", sink=SINK, wrt="sink",
                             out=(SINK.astype("d"),))

    def test_captures(self):
        """Captured arrays for which there is no gradient are refused by name."""
        table, square = reference.random(1, 65537, H), reference.random(2, KEYS, KEYS)
        short, counts = reference.random(3, H - 1), np.arange(H, dtype=np.int32)
        prefix = "^score_mod: captured array "
        for score, name, text in (
                (lambda s, b, h, q, kv: s + table[kv - q + 20, h], "table",
                 "'table': expected as indices b, h, q, kv, .* a computed one for dimension 0"),
                (lambda s, b, h, q, kv: s + square[q, q], "square",
                 "'square': expected neither q nor kv beside a computed index"),
                (lambda s, b, h, q, kv: s + square[q, kv] + square[kv, q], "square",
                 "'square': expected the same indices in all reads"),
                (lambda s, b, h, q, kv: s + short[h], "short",
                 "'short': expected at least 4 elements in dimension 0, which h is the index "
                 "of, for a gradient, found 3"),
                (lambda s, b, h, q, kv: s + counts[h], "counts",
                 "'counts': expected an array of floats for a gradient, found i32")):
            self.expect_backward(prefix + text, score_mod=score, wrt=name)


class Kernels(unittest.TestCase):
    def test_arguments(self):
        kernel = attn_mlir.compile(dtype="f32", head_dim=16, chip="host", sink="bf16",
                                   dropout_p=0.25, return_lse=True)
        self.assertEqual([(a.name, a.kind, a.dtype) for a in kernel.arguments[3:6]],
                         [("sink", "input", "bf16"), ("", "scalar", "i64"),
                          ("", "scalar", "i64")])
        kernel = attn_mlir.compile(dtype="f32", head_dim=16, chip="host", sink="f32",
                                   dropout_p=0.25, backward=True, wrt=("query", "sink"))
        self.assertEqual([a.name for a in kernel.arguments[6:]],
                         ["sink", "", "", "d_query", "d_sink"])
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^sink: expected a dtype of f16"):
            attn_mlir.compile(head_dim=16, sink="f64")

    def test_run(self):
        q, k, v = reference.problem()
        kernel = attn_mlir.compile(dtype="f32", head_dim=16, chip="host", sink="f32",
                                   dropout_p=0.25)
        found = np.empty_like(q)
        kernel.run(q, k, v, SINK, 3, 4, found)
        np.testing.assert_array_equal(
            found, attn_mlir.attention(q, k, v, sink=SINK, dropout_p=0.25, seed=(3, 4)))

    def test_gpu(self):
        for backward in (False, True):
            kernel = attn_mlir.compile(dtype="bf16", head_dim=64, chip="sm_90a", sink="bf16",
                                       dropout_p=0.1, backward=backward)
            self.assertIn(".target sm_90a", kernel.ptx)


if __name__ == "__main__":
    unittest.main()
