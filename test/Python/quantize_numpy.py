# NumPy's arrays in floats of 8 bits, by the package ml_dtypes, which comes with jax.
#
# REQUIRES: capi, jax
# RUN: %jax-python -W ignore %s

import unittest

import attn_mlir
import ml_dtypes
import numpy as np


class Quantize(unittest.TestCase):
    def test_numbers(self):
        x = np.random.default_rng(0).standard_normal((2, 3, 40, 16)).astype(np.float32)
        x[0, 0, 0, :3] = np.inf, -np.inf, np.nan
        for name, largest in (("e4m3", 448), ("e5m2", 57344)):
            for kind, axes in (("tensor", None), ("head", (2, 3)), ("token", 3)):
                found, scale = attn_mlir.quantize(x, name, scale=kind)
                finite = np.where(np.isfinite(x), np.abs(x), 0)
                wanted = (finite.max(axes, keepdims=True) / np.float32(largest)).astype("f4")
                self.assertEqual(scale.tobytes(), wanted.tobytes())
                again, _ = attn_mlir.quantize(x, name, scale=scale)  # a scale that is given
                kept = ~np.isnan(x)
                self.assertEqual(again[kept].tobytes(), found[kept].tobytes())
                every = np.arange(256, dtype=np.uint8).view(found.dtype).astype(np.float64)
                every = np.unique(every[np.isfinite(every)])
                mine = found.astype(np.float64)
                quotient = (x / wanted).astype(np.float64).clip(-largest, largest)
                nearest = np.abs(quotient[..., None] - every).min(-1)
                kept = ~np.isnan(x)
                assert (np.abs(mine - quotient)[kept] == nearest[kept]).all()
                assert np.isnan(mine[~kept]).all()
                assert mine[0, 0, 0, 0] == largest and mine[0, 0, 0, 1] == -largest

    def test_attention(self):
        rng = np.random.default_rng(1)
        q, k, v = (rng.standard_normal((1, h, 50, 32)).astype(np.float16) for h in (4, 2, 2))
        (k8, k_scale), (v8, v_scale, mean) = (
            attn_mlir.quantize(k, ml_dtypes.float8_e4m3fn, scale=16),
            attn_mlir.quantize(v + 10, "e4m3", scale="head", center=True))
        o = attn_mlir.attention(q, k8, v8, k_scale=k_scale, v_scale=v_scale, v_mean=mean)
        keys = k8.astype(np.float64) * np.repeat(k_scale[0], 16, 2)[:, :, :50, None]
        values = v8.astype(np.float64) * v_scale[..., None, None] + mean
        s = q.astype(np.float64) @ np.repeat(keys, 2, 1).swapaxes(2, 3) / 32**0.5
        p = np.exp(s - s.max(3, keepdims=True))
        expected = p / p.sum(3, keepdims=True) @ np.repeat(values, 2, 1)
        assert np.abs(o - expected).max() < 2e-2


if __name__ == "__main__":
    unittest.main()
