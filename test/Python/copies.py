# Copies of the objects that calls take: by the module copy, and by pickle.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python -W ignore %s

import copy
import gc
import pickle
import unittest

import attn_mlir
import numpy as np


def by_pickle(value):
    return pickle.loads(pickle.dumps(value))


RANDOM = np.random.default_rng(3)
Q, K, V = (RANDOM.standard_normal((1, 2, 5, 16), np.float32) for _ in range(3))


class Copies(unittest.TestCase):
    def test_kernel(self):
        kernel = attn_mlir.compile(dtype="f32", head_dim=16, chip="host")
        with self.assertRaisesRegex(TypeError, "expected no copy in another process"):
            pickle.dumps(kernel)
        copies = [copy.copy(kernel), copy.deepcopy(kernel)]
        self.assertEqual([its is kernel for its in copies], [True, True])
        del kernel
        gc.collect()
        out = np.full_like(Q, np.nan)
        copies[1].run(Q, K, V, out)
        np.testing.assert_array_equal(out, attn_mlir.attention(Q, K, V))

    def test_regions(self):
        bias = RANDOM.standard_normal((2, 5), np.float32)
        score = attn_mlir.score.trace(lambda s, b, h, q, kv: s + bias[h, kv])
        mask = attn_mlir.mask.trace(lambda b, h, q, kv: kv <= q)
        prepared = attn_mlir.prepare_mask(np.tri(5, dtype=bool))
        expected = attn_mlir.attention(Q, K, V, score_mod=score, mask_mod=mask)
        for copied in (copy.copy, copy.deepcopy, by_pickle):
            own = copied(prepared)
            for mask_mod in (copied(mask), lambda b, h, q, kv: own[q, kv]):
                found = attn_mlir.attention(Q, K, V, score_mod=copied(score),
                                            mask_mod=mask_mod)
                np.testing.assert_array_equal(found, expected)

    def test_masked_arrays(self):
        """Masked arrays are refused, since the numbers that a mask hides must not be used."""
        masked = np.ma.MaskedArray(Q, mask=Q > 0)
        for arrays in ((masked, K, V), (Q, K, masked)):
            with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                        "^[qv]: expected an array without a mask"):
                attn_mlir.attention(*arrays)
        attn_mlir.attention(masked.filled(0), K, V)


if __name__ == "__main__":
    unittest.main()
