# Functions of jax.numpy and jax.nn in score functions: their values, and their derivatives in
# reverse mode (by kernels) and forward mode (by JAX's operations), also at kinks, against JAX.
#
# REQUIRES: capi, jax
# RUN: %jax-python -W ignore %s
# RUN: env JAX_ENABLE_X64=1 %jax-python -W ignore %s

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import unittest

import attn_mlir.jax
import jax
import jax.numpy as jnp
import numpy as np
from jax import nn
from jax.scipy import special, stats
from jax_reference import Case, random, rng

NUMBERS = jnp.asarray([3, -1, 0.5, 2, -2, 7, 0, 1], jnp.float32)
TABLE = random((3, 4))
ENDS = jnp.asarray([0, 5, 9, 30], jnp.int32)
# The key of jax.random in a score function, whose numbers do not depend on the score.
KEY = jax.random.key(0)

# Functions of the score and the row, which one kernel computes for one head each. Among the scores
# are the kinks of all of them.
KINKS = {
    "abs": lambda s, i: jnp.abs(s),
    "abs of a shifted score": lambda s, i: 2 * jnp.abs(s - 0.5) - jnp.abs(1 + s) ** 2,
    "sign of 1 / abs": lambda s, i: jnp.where(1 / jnp.abs(jnp.where(s == 0, -0.0, s)) > 0, s, 9),
    "relu of abs": lambda s, i: nn.relu(jnp.abs(s) - 1),
    "softplus": lambda s, i: nn.softplus(s),
    "log_sigmoid": lambda s, i: nn.log_sigmoid(s),
    "logaddexp": lambda s, i: jnp.logaddexp(s, 0.5) + jnp.logaddexp(NUMBERS[i % 8], s),
    "logaddexp of -inf": lambda s, i: jnp.logaddexp(s, jnp.where(i % 2 == 0, -jnp.inf, 1)),
    "logaddexp of two infinities": lambda s, i: s + jnp.exp(jnp.logaddexp(
        jnp.where(i % 2 == 0, -jnp.inf, 1), -jnp.inf)),
    "logaddexp2": lambda s, i: jnp.logaddexp2(s, -0.5),
    "logsumexp": lambda s, i: nn.logsumexp(jnp.stack([s, 2 * s, 1 + 0 * s])),
    "softmax": lambda s, i: nn.softmax(jnp.stack([s, 2 * s, TABLE[i % 3, 0]]))[1],
    "log_softmax": lambda s, i: nn.log_softmax(jnp.stack([s, 2 * s, TABLE[i % 3, 0]]))[0],
    "gelu": lambda s, i: nn.gelu(s, approximate=False) + nn.gelu(s),
    "erfc": lambda s, i: special.erfc(s) + stats.norm.cdf(s),
    "asinh": lambda s, i: jnp.arcsinh(s) + jnp.arcsinh(1e3 * s),
    "acosh": lambda s, i: jnp.arccosh(1.5 + s * s) + jnp.arccosh(1e3 * (1 + s * s)),
    "atanh": lambda s, i: jnp.arctanh(s / 8),
    "cbrt": lambda s, i: jnp.cbrt(s + 0.1),
    "atan2": lambda s, i: jnp.arctan2(s, 0.5) + jnp.arctan2(NUMBERS[i % 6], s - 0.3),
}
OTHERS = {
    "shifts": lambda s, i: s + (i >> 2) + (i << 1) + ((i - 20) >> 3),
    "logical shift": lambda s, i: s + jax.lax.shift_right_logical(i, jnp.int32(1)),
    "narrow shifts": lambda s, i: s + (i.astype(jnp.int8) << 3) + ((i - 20).astype(jnp.int16) >> 2),
    "searchsorted": lambda s, i: s + jnp.searchsorted(ENDS, i, side="right", method="compare_all"),
    "searchsorted, left": lambda s, i: s * jnp.searchsorted(ENDS, i, method="compare_all"),
    "reversed row": lambda s, i: s + TABLE[i % 3][::-1][1] + jnp.flip(TABLE[i % 3])[i % 4],
    "reversed stack": lambda s, i: jnp.stack([s, 2 * s, 3 * s])[::-1][i % 3],
    "reversed, one dimension": lambda s, i: s * jnp.flip(
        jnp.stack([TABLE[i % 3], 2 * TABLE[0]]), 1)[1, i % 4],
    "dot": lambda s, i: jnp.dot(jnp.stack([s, 1.0]), NUMBERS[:2]) * jnp.dot(
        TABLE[i % 3], NUMBERS[2:6]),
    "dot of integers": lambda s, i: s + jnp.dot(jnp.stack([i, 2 * i]), ENDS[1:3]),
    "dot of integers and floats": lambda s, i: s + jnp.dot(jnp.stack([i, 2 * i]), NUMBERS[:2])
    + jnp.dot(TABLE[i % 3], ENDS[:4]) * s,
    "matrix product": lambda s, i: (jnp.stack([s, 2 * s, 1 + s]) @ TABLE)[i % 4],
    "batches of products": lambda s, i: jnp.einsum(
        "ij,ikj->ik", TABLE[:, :2] * s, TABLE.reshape(3, 2, 2))[i % 3, 1],
    "split": lambda s, i: s + jnp.split(TABLE[i % 3], 2)[0][1] * jnp.split(
        TABLE * s, [1, 3], axis=1)[1][2, i % 2],
    "pad": lambda s, i: s * jnp.pad(TABLE[i % 3], (1, 2), constant_values=5)[i % 7],
    "pad by a score": lambda s, i: jax.lax.pad(
        s * TABLE[:2], s, [(0, 1, 0), (2, 0, 0)])[i % 3, i % 2 + 1]
    + jax.lax.pad(s * TABLE[i % 3], s, [(-1, 2, 0)])[i % 5],
    "pad between": lambda s, i: jax.lax.pad(s * TABLE[i % 3], s, [(1, 0, 1)])[3]
    + jax.lax.pad(s * TABLE[i % 3], s, [(1, 0, 1)])[4],
    "key outside": lambda s, i: s + jax.random.normal(KEY, (8,), "float32")[i % 8],
    "key within": lambda s, i: s + jax.random.uniform(
        jax.random.key(3), (8,), "float32")[i % 8],
}


def outputs(functions, scores):
    """Returns the lse of one key, which is the score: (functions, rows)."""
    def mod(s, b, h, i, j):
        found = jnp.float32(0)
        for number, function in enumerate(functions):
            found = jnp.where(h == number, jnp.asarray(function(s, i), jnp.float32), found)
        return found

    query = jnp.zeros((1, scores.shape[1], len(functions), 4), jnp.float32)
    one = jnp.zeros((1, 1, 1, 4), jnp.float32).at[..., 0].set(1)
    return attn_mlir.jax.attention(query.at[0, :, :, 0].set(scores.T), one, one, scale=1.0,
                                   score_mod=mod, return_lse=True)[1][0]


class Functions(Case):
    def compare(self, functions):
        x = np.concatenate([[0, 1, -1, 0.5, -0.5, 6, 3, 2, -2, 0.25], rng.standard_normal(54)])
        scores = jnp.broadcast_to(jnp.asarray(x, jnp.float32), (len(functions), len(x)))
        ones = jnp.ones_like(scores)

        def ours(scores):
            return outputs([*functions.values()], scores)

        found = jax.jit(ours)(scores), jax.jit(jax.grad(lambda its: ours(its).sum()))(scores)
        found += jax.jit(lambda its: jax.jvp(ours, (its,), (ones,))[1])(scores),
        rows = jnp.arange(len(x), dtype=jnp.int32)
        for number, (name, function) in enumerate(functions.items()):
            # On a GPU, XLA's products of float32 have the precision of tf32 by default.
            @jax.default_matmul_precision("highest")
            def plain(s, i, function=function):
                return jnp.asarray(function(s, i), jnp.float32)

            slopes = jax.vmap(jax.grad(plain))(scores[0], rows)
            for what, its, wanted in zip(("value", "gradient", "tangent"), found, (
                    jax.vmap(plain)(scores[0], rows), slopes, slopes)):
                with self.subTest(name, what=what):
                    self.check(its[number], wanted)

    def test_kinks(self):
        self.compare(KINKS)

    def test_integers_rows_and_keys(self):
        self.compare(OTHERS)

    def test_masks(self):
        q, k, v = (random((1, 9, 1, 4)) for _ in range(3))
        found = attn_mlir.jax.attention(q, k, v, mask_mod=lambda b, h, i, j: jnp.searchsorted(
            ENDS, i, side="right", method="compare_all") >= (j >> 1))
        kept = np.asarray([[np.searchsorted(ENDS, i, side="right") >= j // 2 for j in range(9)]
                           for i in range(9)])
        scores = np.where(kept, np.asarray(q, np.float64)[0, :, 0] @ np.asarray(k)[0, :, 0].T / 2,
                          -np.inf)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        self.check(found[0, :, 0], weights @ np.asarray(v)[0, :, 0]
                   / weights.sum(-1, keepdims=True))

    def test_errors(self):
        q = random((1, 9, 1, 4))
        for text, function in (
                ("expected random numbers that do not depend on the score or positions, found "
                 "random_fold_in of one; make an array of them outside of the function",
                 lambda s, i: s + jax.random.normal(jax.random.fold_in(KEY, i))),
                ("expected a number of bits from 0 to 30 that is a constant",
                 lambda s, i: s + (5 >> i)),
                ("expected shift_right_logical of numbers that are known not to be negative",
                 lambda s, i: s + jax.lax.shift_right_logical(i - 5, jnp.int32(1)))):
            with self.subTest(text), self.assertRaisesRegex(
                    attn_mlir.Error, "^score_mod: " + text):
                attn_mlir.jax.attention(q, q, q, score_mod=lambda s, b, h, i, j: function(s, i))


if __name__ == "__main__":
    unittest.main()
