# Attention in JAX and its gradients, against plain JAX in double precision.
#
# REQUIRES: capi, jax
# RUN: %jax-python -W ignore %s

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir.jax
import jax
import jax.numpy as jnp
import numpy as np
from jax_reference import (Case, attention, gradients_in_double, in_double, problem, random,
                           rng)


class Forward(Case):
    def test_dtypes_and_sizes(self):
        for dtype, rows, keys, heads, kv_heads, width, value in (
                ("float32", 37, 53, 4, 2, 16, None), ("float16", 1, 1, 1, 1, 64, None),
                ("bfloat16", 65, 127, 6, 1, 32, 48), ("float32", 13, 300, 2, 2, 8, None)):
            q, k, v = problem(2, rows, keys, heads, kv_heads, width, value, dtype)
            for causal, mask in (
                    (False, None), (True, lambda b, h, i, j: j <= i),
                    ("bottom_right", lambda b, h, i, j: j - i <= keys - rows)):
                o, lse = attn_mlir.jax.attention(q, k, v, causal=causal, return_lse=True)
                wanted = in_double(lambda *its: attention(*its, mask=mask), q, k, v)
                self.assertEqual((o.dtype, lse.dtype), (q.dtype, jnp.float32))
                self.check(o, wanted[0], dtype, name=f"{dtype} {causal}")
                self.check(lse, wanted[1], "float32", name=f"lse {dtype} {causal}")

    def test_empty(self):
        for rows, keys in ((0, 5), (5, 0)):
            q, k, v = problem(rows=rows, keys=keys)
            o = attn_mlir.jax.attention(q, k, v)
            np.testing.assert_array_equal(o, np.zeros(q.shape))
        q, k, v = problem(batch=0)
        self.assertEqual(attn_mlir.jax.attention(q, k, v).shape, q.shape)

    def test_window_scale_and_sink(self):
        q, k, v = problem()
        sink = random((4,))
        o, lse = jax.jit(lambda *its: attn_mlir.jax.attention(
            *its[:3], window=(5, 2), scale=0.3, sink=its[3], return_lse=True))(q, k, v, sink)
        wanted = in_double(lambda q, k, v, sink: attention(
            q, k, v, mask=lambda b, h, i, j: (j >= i - 5) & (j <= i + 2), scale=0.3,
            sink=sink), q, k, v, sink)
        self.check(o, wanted[0])
        self.check(lse, wanted[1])

    def test_rows_without_keys(self):
        q, k, v = problem()
        o, lse = attn_mlir.jax.attention(
            q, k, v, mask_mod=lambda b, h, q, kv: (q % 3 != 0) & (kv <= q), return_lse=True)
        wanted = in_double(lambda *its: attention(
            *its, mask=lambda b, h, i, j: (i % 3 != 0) & (j <= i)), q, k, v)
        self.check(o, wanted[0])
        self.check(lse, wanted[1])
        self.assertTrue((np.asarray(o)[:, ::3] == 0).all())


def ops(score, b, h, q, kv, table, numbers):
    """A score function with many of JAX's ops, on scalars, on arrays and on their elements."""
    x = jnp.where(q > kv, jnp.tanh(score / 3) * 3, jax.nn.relu(score) + 0.1 * score)
    x = x + jnp.take(numbers, h) * jnp.exp2(-8.0 * (h + 1) / 4)
    x = x - 0.01 * jnp.abs(q - kv) + table[b, h, (q // 2) % 5][kv % 3]
    x = x + jnp.clip(q - kv, -3, 3) * 0.1 + jnp.sin(numbers * 2)[h]
    x = x + jax.lax.cond(kv % 2 == 0, lambda: 0.5, lambda: numbers[0])
    x = x + jnp.sum(numbers * 0.1) + jax.nn.sigmoid(score) ** 3
    return x + jnp.stack([numbers[h], 2.0 * numbers[0]])[kv % 2] + jnp.max(table[b, h, 0])


class Functions(Case):
    def test_ops(self):
        q, k, v = problem()
        table, numbers = random((2, 4, 5, 3)), random((4,))

        def wanted(q, k, v, table, numbers):
            def score(s, b, h, i, j):
                each = jnp.vectorize(lambda *its: ops(*its, table, numbers))
                return each(s, *jnp.broadcast_arrays(b, h, i, j))

            return attention(q, k, v, score)

        found = jax.jit(lambda q, k, v, table, numbers: attn_mlir.jax.attention(
            q, k, v, score_mod=lambda *its: ops(*its, table, numbers)))
        self.check(found(q, k, v, table, numbers),
                   in_double(wanted, q, k, v, table, numbers)[0])

    def test_documents(self):
        q, k, v = problem(rows=200, keys=200)
        documents = jnp.sort(jnp.asarray(rng.integers(0, 5, (2, 200)), jnp.int32), axis=1)

        def mask(b, h, i, j):
            return (documents[b, i] == documents[b, j]) & (j <= i)

        self.check(attn_mlir.jax.attention(q, k, v, mask_mod=mask),
                   in_double(lambda *its: attention(*its, mask=mask), q, k, v)[0])

    def test_indices(self):
        # Negative indices count from the end of the array, and indices past the end read the last
        # element.
        q, k, v = problem()
        table = random((7,))

        def score(s, b, h, i, j):
            return s + table[i - j] + table[-1] + table.at[j].get(mode="fill", fill_value=2)

        self.check(attn_mlir.jax.attention(q, k, v, score_mod=score),
                   in_double(lambda *its: attention(*its, score), q, k, v)[0])

    def test_parts_of_rows(self):
        # An index past the end of a part of a row reads the part's last element.
        q, k, v = problem(rows=9, keys=11)
        table = random((4, 30))

        def score(s, b, h, i, j):
            part = jax.lax.dynamic_slice(table[h], (i,), (3,))
            joined = jnp.concatenate([table[h, :2], table[h, 4:7]])
            return s + table[h][2:5][j] + part[j] + joined[j]

        def wanted(q, k, v):
            each = jnp.vectorize(score)
            return attention(q, k, v, lambda *its: each(its[0], *jnp.broadcast_arrays(*its[1:])))

        self.check(attn_mlir.jax.attention(q, k, v, score_mod=score),
                   in_double(wanted, q, k, v)[0])

    def test_rounding_and_choices(self):
        q, k, v = problem(rows=9, keys=11)

        def score(s, b, h, i, j):
            halves = jax.lax.round(j * 0.5) + jax.lax.round((i - j) * 0.5) - jnp.round(j * 0.5)
            return 0.1 * halves + jnp.select([i > j, i == j], [s, 2 * s], -s)

        def wanted(q, k, v):
            each = jnp.vectorize(score)
            return attention(q, k, v, lambda *its: each(its[0], *jnp.broadcast_arrays(*its[1:])))

        self.check(attn_mlir.jax.attention(q, k, v, score_mod=score),
                   in_double(wanted, q, k, v)[0])

    def test_narrow(self):
        q, k, v = problem()
        for dtype in ("bfloat16", "float16", "int8", "bool", "int32"):
            table = (random((4, 53)) * 3).astype(dtype)

            def score(s, b, h, i, j):
                return s + table[h, j]

            self.check(attn_mlir.jax.attention(q, k, v, score_mod=score),
                       in_double(lambda *its: attention(*its, score), q, k, v)[0])


class Gradients(Case):
    def compare(self, found, wanted, arrays, dtype="float32", outputs=1, factor=4):
        """Compares the gradients of two functions of `arrays`, for random cotangents of their
        `outputs` results."""
        results, pull = jax.vjp(found, *arrays)
        cotangents = tuple([random(its.shape, its.dtype) for its in results])
        gradients = jax.jit(pull)(cotangents)
        expected = gradients_in_double(wanted, arrays, cotangents)
        for number, (its, own) in enumerate(zip(gradients, expected)):
            self.assertEqual(its.dtype, arrays[number].dtype)
            self.check(its, own, dtype, factor, f"gradient {number}")

    def test_dtypes_and_sizes(self):
        for dtype, rows, keys, heads, kv_heads, width in (
                ("float32", 37, 53, 4, 2, 16), ("float16", 31, 31, 2, 2, 64),
                ("bfloat16", 67, 61, 4, 1, 32)):
            arrays = problem(2, rows, keys, heads, kv_heads, width, dtype=dtype)
            for causal, mask in ((False, None), (True, lambda b, h, i, j: j <= i)):
                self.compare(
                    lambda *its: (attn_mlir.jax.attention(*its, causal=causal),),
                    lambda *its: attention(*its, mask=mask)[:1], arrays, dtype)

    def test_lse_and_sink(self):
        arrays = (*problem(), random((4,)))
        self.compare(
            lambda *its: attn_mlir.jax.attention(*its[:3], sink=its[3], return_lse=True),
            lambda *its: attention(*its[:3], sink=its[3]), arrays)

    def test_few_rows(self):
        """In gradients of at most 16 rows, rows of heads that share keys are rows of one tile."""
        for rows, heads in ((1, 6), (5, 8), (16, 4)):
            self.compare(
                lambda *its: attn_mlir.jax.attention(*its, window=(None, 40), return_lse=True),
                lambda *its: attention(*its, mask=lambda b, h, i, j: j <= i + 40),
                problem(rows=rows, heads=heads))

    def test_only_some(self):
        q, k, v = problem()
        for number in range(3):
            def found(array):
                its = [q, k, v]
                its[number] = array
                return attn_mlir.jax.attention(*its, causal=True).sum()

            gradient = jax.grad(found)((q, k, v)[number])
            wanted, = gradients_in_double(
                lambda *its: attention(*its, mask=lambda b, h, i, j: j <= i)[:1], (q, k, v),
                (jnp.ones(q.shape),))[number:number + 1]
            self.check(gradient, wanted, factor=4)

    def test_captures(self):
        q, k, v = problem()
        for shape, read in (
                ((2, 4, 37, 53), lambda t, b, h, i, j: t[b, h, i, j]),
                ((37, 53), lambda t, b, h, i, j: t[i, j]),
                ((53, 4, 40), lambda t, b, h, i, j: t[j, h, i]),
                ((4,), lambda t, b, h, i, j: t[h] * (i - j)),
                ((), lambda t, b, h, i, j: t * 2),
                ((3, 53), lambda t, b, h, i, j: t[1, j]),
                ((2, 37), lambda t, b, h, i, j: t[b, i] * (j % 3)),
                ((9, 4), lambda t, b, h, i, j: t[jnp.clip(i - j + 4, 0, 8), h]),
                ((4, 7), lambda t, b, h, i, j: jnp.tanh(t).T[6, h]),
                # Arrays that are read at several lists of indices:
                ((2, 4), lambda t, b, h, i, j: t[0, h] * (i - j) + t[1, h]),
                ((53,), lambda t, b, h, i, j: t[i] * t[j] + t[0]),
                ((4, 53), lambda t, b, h, i, j: t[h, i] + t[h, jnp.abs(i - j)] + t[h, j])):
            table = random(shape)

            def score(t, s, b, h, i, j):
                return s * 0.5 + read(t, b, h, i, j)

            with self.subTest(shape):
                self.compare(
                    lambda q, k, v, t: (attn_mlir.jax.attention(
                        q, k, v, score_mod=lambda *its: score(t, *its)),),
                    lambda q, k, v, t: attention(q, k, v, lambda *its: score(t, *its))[:1],
                    (q, k, v, table), factor=8)

    def test_kinks(self):
        """Half of the scores are 0, where derivatives are those that JAX has rules for."""
        q, k, v = problem()
        k = k.at[:, ::2].set(0)

        def score(s, b, h, i, j):
            return (jax.nn.relu(s) + 2 * jax.nn.relu6(s + 6) + 4 * jax.lax.clamp(-1.0, s, 0.0)
                    + 8 * jnp.clip(s, 0, 1) + 16 * jnp.maximum(s, 0 * s)
                    + jax.scipy.special.xlogy(s, 3.0) + jax.scipy.special.xlog1py(s, 0.5)) / 8

        found = jax.grad(lambda *its: attn_mlir.jax.attention(*its, score_mod=score).sum(), 1)
        wanted, = in_double(lambda *its: jax.grad(lambda *its: attention(
            *its, score)[0].sum(), (1,))(*its), q, k, v)
        self.check(found(q, k, v), wanted)

    def test_derivatives_of_arrays_at_bounds(self):
        table = jnp.asarray([0, 1, -1, 6, 0, 7], jnp.float32)
        q, k, v = problem(keys=6)
        w = random(q.shape)

        def add(s, j, table):
            both = jnp.stack([table[j], 2 * table[j]])
            return s + jax.nn.relu(both)[1] + jax.nn.relu6(both).sum() + jax.scipy.special.xlogy(
                both, 3.0)[0]

        found = jax.grad(lambda table: (attn_mlir.jax.attention(
            q, k, v, score_mod=lambda s, b, h, i, j: add(s, j, table)) * w).sum())(table)
        wanted = in_double(jax.grad(lambda table, q, k, v, w: (attention(
            q, k, v, lambda s, b, h, i, j: s + jnp.stack(
                [add(0, its, table) for its in range(6)]))[0] * w).sum()), table, q, k, v, w)
        self.check(found, wanted, factor=4)

    def test_soft_cap_of_closed_tracer(self):
        arrays = (*problem(), random(()))

        def score(cap, s):
            return cap * jnp.tanh(s / cap)

        self.compare(
            lambda q, k, v, c: (attn_mlir.jax.attention(
                q, k, v, score_mod=lambda s, b, h, i, j: score(2 + c**2, s)),),
            lambda q, k, v, c: attention(
                q, k, v, lambda s, b, h, i, j: score(2 + c**2, s))[:1], arrays, factor=8)

    def test_rows_without_keys(self):
        def mask(b, h, i, j):
            return (i % 3 != 0) & (j % 5 != 1)

        self.compare(lambda *its: (attn_mlir.jax.attention(*its, mask_mod=mask),),
                     lambda *its: attention(*its, mask=mask)[:1], problem())

    def test_deterministic(self):
        q, k, v = problem(rows=130, keys=130)
        pull = jax.jit(jax.grad(lambda *its: attn_mlir.jax.attention(
            *its, deterministic=True).sum(), argnums=(0, 1, 2)))
        first, second = pull(q, k, v), pull(q, k, v)
        for its, other in zip(first, second):
            np.testing.assert_array_equal(its, other)

    def test_checkpoint_and_scan(self):
        q, k, v = problem(rows=33, keys=33, kv_heads=4)

        @jax.checkpoint
        def layer(x, _):
            return x + attn_mlir.jax.attention(x, k, v, causal=True), None

        def plain(x, k, v):
            for _ in range(3):
                x = x + attention(x, k, v, mask=lambda b, h, i, j: j <= i)[0]
            return (x,)

        found = jax.jit(jax.grad(lambda x: jax.lax.scan(layer, x, None, 3)[0].sum()))(q)
        wanted = gradients_in_double(plain, (q, k, v), (jnp.ones(q.shape),))[0]
        self.check(found, wanted, factor=8)


if __name__ == "__main__":
    import unittest
    unittest.main()
