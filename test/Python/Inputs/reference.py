"""Plain attention in fp64, and random problems."""

import numpy as np


def _scores(q, k, scale, causal, left, right, align, score):
    """Returns the arguments of the softmax, -inf where masked, and their derivatives with regard to
    scale * q k^T."""
    heads, rows, keys = q.shape[1], q.shape[2], k.shape[2]
    k = np.repeat(k.astype(np.float64), heads // k.shape[1], axis=1)
    s = scale * (q.astype(np.float64) @ k.swapaxes(-1, -2))
    b, h, i, j = np.ogrid[tuple(slice(n) for n in s.shape)]
    derivative = np.ones_like(s)
    if score is not None:
        with np.errstate(invalid="ignore"):
            derivative = (score(s + 1e-6, b, h, i, j) - score(s - 1e-6, b, h, i, j)) / 2e-6
        s = score(s, b, h, i, j)
    d = j - i - (keys - rows if align == "bottom_right" else 0)
    keep = np.isfinite(s)
    if causal:
        keep &= d <= 0
    if left is not None:
        keep &= d >= -left
    if right is not None:
        keep &= d <= right
    return np.where(keep, s, -np.inf), np.where(keep, derivative, 0)


def _softmax(s):
    """Returns the softmax of each row, which is 0 if all scores are -inf, and the log-sum-exp."""
    top = np.maximum(s.max(-1, keepdims=True, initial=-np.inf), -1e300)
    p = np.exp(s - top)
    total = p.sum(-1, keepdims=True)
    with np.errstate(divide="ignore"):
        lse = (top + np.log(total))[..., 0]
    return p / np.where(total == 0, 1, total), lse


def attention(q, k, v, scale=None, causal=False, left=None, right=None, align="top_left",
              score=None):
    """Returns the output and the log-sum-exp. `score` is a function on NumPy arrays."""
    scale = 1 / np.sqrt(q.shape[3]) if scale is None else scale
    p, lse = _softmax(_scores(q, k, scale, causal, left, right, align, score)[0])
    return p @ np.repeat(v.astype(np.float64), q.shape[1] // v.shape[1], axis=1), lse


def gradients(q, k, v, d_o, d_lse=0.0, scale=None, causal=False, left=None, right=None,
              align="top_left", score=None):
    """Returns the gradients of q, k and v. The derivative of `score` is a central difference."""
    scale = 1 / np.sqrt(q.shape[3]) if scale is None else scale
    s, derivative = _scores(q, k, scale, causal, left, right, align, score)
    p, _ = _softmax(s)
    group = q.shape[1] // k.shape[1]
    q, d_o, d_lse = (np.asarray(a, np.float64) for a in (q, d_o, d_lse))
    k, v = (np.repeat(a.astype(np.float64), group, axis=1) for a in (k, v))
    d_p = d_o @ v.swapaxes(-1, -2)
    delta = ((p @ v) * d_o).sum(-1) - d_lse
    d_s = p * (d_p - delta[..., None]) * derivative

    def add_heads(a):
        return a.reshape(a.shape[0], -1, group, *a.shape[2:]).sum(2)

    return (scale * d_s @ k, add_heads(scale * d_s.swapaxes(-1, -2) @ q),
            add_heads(p.swapaxes(-1, -2) @ d_o))


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
