# Masks whose summaries are computed before the calls that read them, on NumPy's arrays.
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

RNG = np.random.default_rng(0)
BATCH, HEADS, ROWS, KEYS = 2, 4, 150, 203
Q, K, V = (RNG.standard_normal((BATCH, HEADS, size, 16), dtype=np.float32)
           for size in (ROWS, KEYS, KEYS))


def blocks(*others):
    """Returns a mask with empty, full and mixed cells. The borders between its parts are not those
    of cells."""
    mask = RNG.random((*others, ROWS, KEYS)) < 0.5
    mask[..., :70, :130] = True
    mask[..., 60:, 120:] = False
    mask[..., 100, :] = False
    return mask


def summarize(mask):
    """Computes a mask's summary with NumPy, one cell at a time."""
    cells = [-(-size // 64) for size in mask.shape[-2:]]
    result = np.empty((*mask.shape[:-2], *cells, 2), np.int32)
    wide = np.clip(mask.astype(np.int64), -2**24, 2**24)
    for r in range(cells[0]):
        for c in range(cells[1]):
            cell = wide[..., 64 * r:64 * r + 64, 64 * c:64 * c + 64]
            flat = cell.reshape(*mask.shape[:-2], -1)
            if flat.shape[-1] < 64 * 64:
                flat = np.concatenate([flat, np.zeros((*mask.shape[:-2], 1), np.int64)], -1)
            result[..., r, c, :] = np.stack([flat.min(-1), flat.max(-1)], -1)
    return result


def attend(mask_mod, **options):
    return attn_mlir.attention(Q, K, V, mask_mod=mask_mod, **options)


class Prepared(unittest.TestCase):
    def check(self, mask_mod):
        def score(s, b, h, i, j):
            return np.where(mask_mod(b, h, i, j), s, -np.inf)

        found, lse = attend(mask_mod, return_lse=True)
        expected, expected_lse = reference.attention(Q, K, V, score=score)
        np.testing.assert_allclose(found, expected, atol=5e-5)
        np.testing.assert_allclose(lse, expected_lse, atol=5e-5)

    def test_summaries(self):
        for shape in ((64, 64), (1, 1), (63, 65), (0, 5), (5, 0), (2, 3, 127, 191)):
            for dtype in (bool, np.int8, np.int16, np.int32, np.int64):
                with self.subTest(shape=shape, dtype=dtype):
                    high = 2 if dtype is bool else min(np.iinfo(dtype).max, 2**40)
                    mask = RNG.integers(-high if high > 2 else 0, high, shape).astype(dtype)
                    whole = np.full((*shape[:-1], shape[-1] + 3), 1, dtype)
                    whole[..., 2:-1] = mask
                    for its in (mask, whole[..., 2:-1]):
                        prepared = attn_mlir.prepare_mask(its)
                        np.testing.assert_array_equal(prepared.summary, summarize(mask))

    def test_masks(self):
        all_, by_head, by_batch = blocks(), blocks(HEADS), blocks(BATCH, 1)
        numbers = by_head.astype(np.int16) * 7 - 3
        one, of_heads, of_entries, of_numbers = map(
            attn_mlir.prepare_mask, (all_, by_head, by_batch, numbers))
        for mask_mod in (lambda b, h, q, kv: one[q, kv],
                         lambda b, h, q, kv: of_heads[h, q, kv],
                         lambda b, h, q, kv: of_entries[b, 0, q, kv],
                         lambda b, h, q, kv: of_numbers[h, q, kv] > 0,
                         lambda b, h, q, kv: one[q, kv] | (of_heads[1, q, kv] & (kv <= q)),
                         # Reads at other indices than the row and the key: the summary decides no
                         # block, and the mask is read like an array.
                         lambda b, h, q, kv: one[q // 2, kv],
                         lambda b, h, q, kv: of_heads[h, 0, kv]):
            self.check(mask_mod)
        row_by_row = attn_mlir.mask.trace(lambda b, h, q, kv: of_heads[h][q][kv])
        self.assertEqual(row_by_row, attn_mlir.mask.trace(
            lambda b, h, q, kv: of_heads[h, q, kv]))
        self.assertIn(" bounds(%c1 : ", row_by_row)

    def test_gradients(self):
        mask = blocks(HEADS)
        prepared = attn_mlir.prepare_mask(mask)
        results = []
        for its in (mask, prepared):
            mask_mod = lambda b, h, q, kv: its[h, q, kv]
            o, lse = attend(mask_mod, return_lse=True)
            results.append([o, *attn_mlir.attention_backward(Q, K, V, o, lse, np.sin(o),
                                                             mask_mod=mask_mod)])
        for found, expected in zip(*results):
            np.testing.assert_allclose(found, expected, atol=1e-5)

    def test_scores(self):
        mask = blocks(HEADS).astype(np.int32)
        prepared = attn_mlir.prepare_mask(mask)
        found, expected = (attn_mlir.attention(
            Q, K, V, score_mod=lambda s, b, h, q, kv: s + its[h, q, kv])
            for its in (prepared, mask))
        np.testing.assert_array_equal(found, expected)

    def test_summary_is_read(self):
        """The summary is not computed again by calls: they rely on it even if it contradicts the
        array."""
        mask = attn_mlir.prepare_mask(blocks())
        mask_mod = lambda b, h, q, kv: mask[q, kv]
        self.assertGreater(abs(attend(mask_mod)).max(), 0)
        mask.summary[...] = 0
        self.assertEqual(abs(attend(mask_mod)).max(), 0)
        self.assertEqual(abs(attend(attn_mlir.mask.trace(mask_mod))).max(), 0)

    def test_new_summary(self):
        """A call reads the array and the summary that its function captures at that time."""
        masks = [blocks() for _ in range(2)]
        for array in masks:
            mask = attn_mlir.prepare_mask(array)
            self.check(lambda b, h, q, kv: mask[q, kv])
        again = attn_mlir.prepare_mask(mask)
        self.assertIs(again.array, mask.array)

    def test_handle(self):
        array = blocks(HEADS)
        mask = attn_mlir.prepare_mask(array)
        self.assertEqual((mask.shape, mask.dtype), (array.shape, array.dtype))
        np.testing.assert_array_equal(mask[1, 5], array[1, 5])
        self.assertEqual(repr(mask), f"<prepared mask of bool, sizes {array.shape}>")

    def test_smaller_than_the_problem(self):
        """If a mask is smaller than the problem, reads are clamped, and the summary decides no
        block that extends past the mask."""
        mask = attn_mlir.prepare_mask(blocks()[:100, :130].copy())
        whole = mask.array[np.minimum(np.arange(ROWS), 99)][:, np.minimum(np.arange(KEYS), 129)]
        found = attend(lambda b, h, q, kv: mask[q, kv])
        np.testing.assert_allclose(found, attend(lambda b, h, q, kv: whole[q, kv]), atol=1e-5)


class Errors(unittest.TestCase):
    def test_arguments(self):
        for mask, text in (
                (np.ones((8, 8), np.float32), "^mask: expected booleans or integers .*, found "
                 "dtype f32$"),
                (np.ones(8, bool), r"^mask: expected rank 2 or more: \(.., Sq, Skv\), found "
                 r"sizes \(8,\)$"),
                (np.ones((8, 8), np.uint16), "^mask: expected dtype"),
                (np.ones((8, 8), bool).T[:, ::2], "^mask: expected rows without gaps, found "
                 "stride"),
                ([[True]], "^mask: expected an array of NumPy's or torch's")):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, text):
                attn_mlir.prepare_mask(mask)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^stream: expected"):
            attn_mlir.prepare_mask(np.ones((8, 8), bool), stream="0")

    def test_indices(self):
        mask = attn_mlir.prepare_mask(blocks())
        for mask_mod, text in (
                (lambda b, h, q, kv: mask[b, h, q, kv], "expected 2 indices, .* found 4"),
                (lambda b, h, q, kv: mask[q], "expected 2 indices, .* found 1"),
                (lambda b, h, q, kv: mask[q, 1:2], "found a slice"),
                (lambda b, h, q, kv: mask[q, -1], "expected indices of at least 0, found -1")):
            with self.assertRaisesRegex(attn_mlir.Error, text):
                attend(mask_mod)


if __name__ == "__main__":
    unittest.main()
