"""Plain attention in fp64, and arrays to try it on."""

import numpy as np


def attention(q, k, v, scale=None, causal=False, left=None, right=None, align="top_left",
              score=None):
    """The output and the log-sum-exp; `score` is of NumPy arrays."""
    heads, rows, keys = q.shape[1], q.shape[2], k.shape[2]
    k, v = (np.repeat(a.astype(np.float64), heads // a.shape[1], axis=1) for a in (k, v))
    scale = 1 / np.sqrt(q.shape[3]) if scale is None else scale
    s = scale * (q.astype(np.float64) @ k.swapaxes(-1, -2))
    b, h, i, j = np.ogrid[tuple(slice(n) for n in s.shape)]
    if score is not None:
        s = score(s, b, h, i, j)
    d = j - i - (keys - rows if align == "bottom_right" else 0)
    keep = np.ones(s.shape, bool)
    if causal:
        keep &= d <= 0
    if left is not None:
        keep &= d >= -left
    if right is not None:
        keep &= d <= right
    s = np.where(keep, s, -np.inf)
    top = np.maximum(s.max(-1, keepdims=True, initial=-np.inf), -1e300)
    p = np.exp(s - top)
    total = p.sum(-1, keepdims=True)
    with np.errstate(divide="ignore"):
        lse = (top + np.log(total))[..., 0]
    return (p / np.where(total == 0, 1, total)) @ v, lse


def random(seed, *shape, dtype=np.float32):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def problem(batch=2, heads=4, kv_heads=2, rows=19, keys=37, dim=16, value_dim=16,
            dtype=np.float32):
    return (random(1, batch, heads, rows, dim, dtype=dtype),
            random(2, batch, kv_heads, keys, dim, dtype=dtype),
            random(3, batch, kv_heads, keys, value_dim, dtype=dtype))


def check(found, expected, dtype=np.float32):
    assert found.shape == expected.shape, (found.shape, expected.shape)
    assert found.dtype == dtype, found.dtype
    tolerance = 2e-3 if dtype == np.float16 else 2e-5
    np.testing.assert_allclose(found.astype(np.float64), expected, atol=tolerance,
                               rtol=tolerance)
