# Reads of captured arrays past their ends, and before their beginnings, and the gradients of these
# arrays are those of JAX's own functions. A read does not write outside of a gradient.
#
# REQUIRES: capi, jax
# RUN: env JAX_PLATFORMS=cpu %jax-python -W ignore %s

import unittest

import attn_mlir
import jax
import jax.numpy as jnp
import numpy as np
from attn_mlir.jax import attention

RANDOM = np.random.default_rng(0)
B, H, S, T, D = 2, 2, 7, 9, 8


def random(*sizes):
    return jnp.asarray(RANDOM.normal(size=sizes), "float32")


Q, K, V, W = random(B, S, H, D), random(B, T, H, D), random(B, T, H, D), random(B, S, H, D)
ROWS, KEYS = (jnp.asarray(RANDOM.integers(-15, 15, size), "int32") for size in (S, T))
# Each function with the sizes of the array that it reads last.
READS = {
    "heads and entries": (lambda s, b, h, i, j, t: s + t[b, h, i, j], (1, 1, S, T)),
    "sums of positions": (lambda s, b, h, i, j, t: s + t[i + j - 3], (5,)),
    "indices from arrays": (lambda s, b, h, i, j, t: s + t[ROWS[i]] * t[KEYS[j]], (5,)),
    "two dimensions": (lambda s, b, h, i, j, t: s + t[h * 3, ROWS[i] + KEYS[j]], (3, 5)),
    "a constant": (lambda s, b, h, i, j, t: s + t[7] * (j % 3), (3,)),
    "fill": (lambda s, b, h, i, j, t: s + t.at[ROWS[i] + j].get(
        mode="fill", fill_value=0.5), (5,)),
    "clip": (lambda s, b, h, i, j, t: s + jnp.take(t, ROWS[i] + j, mode="clip"), (5,)),
    "slices": (lambda s, b, h, i, j, t: s + jax.lax.dynamic_slice(
        t, (ROWS[i], KEYS[j]), (2, 3)).sum(), (6, 7)),
}


def plain(function, table):
    def score(*given):
        return function(*given, table)

    for axes in ((0, None, None, None, 0), (0, None, None, 0, None), (0, None, 0, None, None),
                 (0, 0, None, None, None)):
        score = jax.vmap(score, axes)
    s = score(jnp.einsum("bihd,bjhd->bhij", Q, K) / np.float32(D**0.5),
              *[jnp.arange(size, dtype="int32") for size in (B, H, S, T)])
    return jnp.einsum("bhij,bjhd->bihd", jax.nn.softmax(s, -1), V)


def compiled(function, table):
    return attention(Q, K, V, score_mod=lambda *given: function(*given, table))


class Reads(unittest.TestCase):
    def test_reads(self):
        for name, (function, sizes) in READS.items():
            with self.subTest(name):
                table, results = random(*sizes), []
                for call in (compiled, plain):
                    results.append((call(function, table), jax.grad(
                        lambda t, call=call: (call(function, t) * W).sum())(table)))
                for found, wanted in zip(*results):
                    np.testing.assert_allclose(found, wanted, atol=2e-5, rtol=2e-5)

    def test_too_short(self):
        """An array that is read at q or kv itself, and is too short, has no gradient."""
        with self.assertRaisesRegex(attn_mlir.Error, "score_mod: captured array 0 .*: expected at "
                                    "least 9 elements in dimension 0, which kv is the index of"):
            jax.grad(lambda t: compiled(lambda s, b, h, i, j, t: s + t[j], t).sum())(random(6))


if __name__ == "__main__":
    unittest.main()
