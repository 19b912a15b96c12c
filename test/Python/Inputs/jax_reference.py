"""Attention on JAX's arrays by plain JAX, which also runs in double precision, and random
problems."""

import os
import unittest

import jax
import jax.numpy as jnp
import numpy as np

SEED = int(os.environ.get("ATTN_TEST_SEED", "1"))
rng = np.random.default_rng(SEED)
# The tolerance of results for each dtype, relative to 1 + |reference|. It allows for two roundings
# to the dtype and for some errors of sums.
TOLERANCE = {"float32": 2e-5, "float16": 3e-3, "bfloat16": 2.4e-2}


def random(shape, dtype="float32"):
    return jnp.asarray(rng.standard_normal(shape, np.float32), dtype)


def problem(batch=2, rows=37, keys=53, heads=4, kv_heads=2, head_dim=16, value_dim=None,
            dtype="float32"):
    return (random((batch, rows, heads, head_dim), dtype),
            random((batch, keys, kv_heads, head_dim), dtype),
            random((batch, keys, kv_heads, value_dim or head_dim), dtype))


def attention(q, k, v, score=None, mask=None, scale=None, sink=None):
    """Returns the output, (B, S, H, D), and the lse, (B, H, S). `score` and `mask` are functions on
    whole arrays of scores and positions."""
    (b, s, h, d), t = q.shape, k.shape[1]
    k, v = (jnp.repeat(its, h // k.shape[2], 2) for its in (k, v))
    scores = jnp.einsum("bshd,bthd->bhst", q, k) * (d**-0.5 if scale is None else scale)
    positions = [jnp.arange(size).reshape([-1 if n == dim else 1 for n in range(4)])
                 for dim, size in enumerate((b, h, s, t))]
    if score is not None:
        scores = score(scores, *positions)
    if mask is not None:
        scores = jnp.where(mask(*positions), scores, -jnp.inf)
    most = scores.max(-1, keepdims=True, initial=-jnp.inf)
    if sink is not None:
        most = jnp.maximum(most, sink.reshape(1, -1, 1, 1))
    most = jax.lax.stop_gradient(jnp.where(jnp.isfinite(most), most, 0))
    weights = jnp.exp(scores - most)
    total = weights.sum(-1, keepdims=True)
    if sink is not None:
        total = total + jnp.exp(sink.reshape(1, -1, 1, 1) - most)
    is_empty = total == 0
    total = jnp.where(is_empty, 1, total)
    lse = jnp.where(is_empty, -jnp.inf, most + jnp.log(total))[..., 0]
    return jnp.einsum("bhst,bthd->bshd", weights / total, v), lse


def in_double(function, *arrays):
    """Returns the function's results on the same arrays in double precision, as NumPy arrays."""
    with jax.enable_x64(True):
        wide = [jnp.asarray(np.asarray(its, np.float64 if jnp.issubdtype(
            its.dtype, jnp.floating) else None)) for its in arrays]
        return jax.tree.map(np.asarray, function(*wide))


def gradients_in_double(function, arrays, cotangents):
    """Returns gradients of a function, all of whose arguments are arrays, for cotangents of its
    results."""
    def pull(*both):
        inputs, outs = both[:len(arrays)], both[len(arrays):]
        return jax.vjp(function, *inputs)[1](tuple(outs))

    return in_double(pull, *arrays, *cotangents)


class Case(unittest.TestCase):
    def check(self, found, wanted, dtype="float32", factor=1, name=""):
        found, wanted = np.asarray(found, np.float64), np.asarray(wanted, np.float64)
        self.assertEqual(found.shape, wanted.shape, name)
        self.assertFalse(np.isnan(found).any(), name)
        infinite = np.isinf(wanted)
        np.testing.assert_array_equal(found[infinite], wanted[infinite], name)
        with np.errstate(invalid="ignore"):
            error = np.abs(found - wanted) / (1 + np.abs(wanted))
        if error.size > infinite.sum():
            self.assertLess(error[~infinite].max(), factor * TOLERANCE[dtype],
                            f"{name} seed {SEED}")
