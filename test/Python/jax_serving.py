# Packed sequences, caches and merged states in JAX.
#
# REQUIRES: capi, jax
# RUN: %jax-python -W ignore %s

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import functools

import attn_mlir.jax
import jax
import jax.numpy as jnp
import numpy as np
from jax_reference import (Case, attention, gradients_in_double, in_double, problem, random,
                           rng)


def varlen(q, k, v, cu, causal=False, window=None, score=None, sink=None):
    """Computes each packed sequence by itself. `cu` is a NumPy array."""
    outputs, lses = [], []
    for n, (begin, end) in enumerate(zip(cu, cu[1:])):
        part = [its[None, begin:end] for its in (q, k, v)]

        def mask(b, h, i, j):
            kept = (j <= i) if causal else (j >= 0) | (i < 0)
            return kept & (j >= i - window[0]) if window else kept

        def own(s, b, h, i, j, n=n):
            return s if score is None else score(s, n, h, i, j)

        o, lse = attention(*part, score=own, mask=mask, sink=sink)
        outputs.append(o[0])
        lses.append(lse[0])
    return jnp.concatenate(outputs), jnp.concatenate(lses, 1)


class Packed(Case):
    def setUp(self):
        self.cu = np.array([0, 7, 7, 38, 61], np.int32)
        self.arrays = (random((61, 4, 16)), random((61, 2, 16)), random((61, 2, 16)))

    def test_forward(self):
        slopes, sink = random((4,)), random((4,))

        def score(s, b, h, i, j):
            return s + slopes[h] * (j - i) + 0.5 * b

        for options in ({}, {"causal": True}, {"causal": True, "window": (5, 0)},
                        {"score_mod": score}, {"sink": sink}):
            found = jax.jit(functools.partial(attn_mlir.jax.varlen, return_lse=True,
                                              **options))(*self.arrays, self.cu)
            window = options.get("window")
            wanted = in_double(lambda *its: varlen(
                *its, self.cu, options.get("causal"), window, options.get("score_mod"),
                options.get("sink")), *self.arrays)
            for its, own in zip(found, wanted):
                self.check(its, own, name=str(options))

    def test_gradients(self):
        arrays = (*self.arrays, random((4,)))
        cotangents = random((61, 4, 16)), random((4, 61))
        pull = jax.jit(lambda arrays, cu, outs: jax.vjp(lambda q, k, v, sink: (
            attn_mlir.jax.varlen(q, k, v, cu, causal=True, sink=sink, return_lse=True)),
            *arrays)[1](outs))
        wanted = gradients_in_double(lambda q, k, v, sink: varlen(
            q, k, v, self.cu, True, sink=sink), arrays, cotangents)
        for its, own in zip(pull(arrays, self.cu, cotangents), wanted):
            self.check(its, own, factor=4)

    def test_vmap(self):
        arrays = [jnp.stack([its, -its]) for its in self.arrays]
        found = jax.vmap(functools.partial(attn_mlir.jax.varlen, causal=True),
                         (0, 0, 0, None))(*arrays, self.cu)
        wanted = in_double(jax.vmap(lambda *its: varlen(*its, self.cu, True)[0]), *arrays)
        self.check(found, wanted)


class Caches(Case):
    def test_decode(self):
        # Keys past a length are NaN and must not be read.
        q, k, v = problem(batch=3, rows=2, keys=40)
        lengths = jnp.asarray([40, 2, 17], jnp.int32)
        behind = jnp.arange(40)[None, :, None, None] >= lengths[:, None, None, None]
        holes = [jnp.where(behind, jnp.nan, its) for its in (k, v)]
        found = jax.jit(functools.partial(attn_mlir.jax.decode, causal=True, return_lse=True))(
            q, *holes, lengths=lengths)
        wanted = in_double(lambda q, k, v, lengths: attention(
            q, k, v, mask=lambda b, h, i, j: j <= i + lengths[b] - 2), q, k, v, lengths)
        for its, own in zip(found, wanted):
            self.check(its, own)

    def test_pages_and_append(self):
        # Five tokens of each entry are appended to a cache in pages of 8, which is then read.
        tokens, pages = 5, jnp.asarray(rng.permutation(12).reshape(3, 4), jnp.int32)
        lengths = jnp.asarray([0, 9, 20], jnp.int32)
        k, v = random((3, 32, 2, 16)), random((3, 32, 2, 16))
        q = random((3, tokens, 4, 16))
        angles = random((40, 8))
        cos, sin = jnp.cos(angles), jnp.sin(angles)

        def rotate(x, positions):
            c, s = (its[positions][:, :, None] for its in (cos, sin))
            a, b = jnp.split(x, 2, -1)
            return jnp.concatenate([a * c - b * s, b * c + a * s], -1)

        def pool(x):
            its = x.reshape(3, 4, 8, 2, 16)
            return jnp.zeros((12, 8, 2, 16)).at[pages].set(its)

        positions = lengths[:, None] + jnp.arange(tokens)
        new_k = jnp.take_along_axis(k, positions[..., None, None], 1)
        new_v = jnp.take_along_axis(v, positions[..., None, None], 1)
        rotated = rotate(k, jnp.broadcast_to(jnp.arange(32), (3, 32)))

        @functools.partial(jax.jit, donate_argnums=(0, 1, 2))
        def step(k_pool, v_pool, lengths, new_k, new_v, q):
            k_pool, v_pool, lengths, q = attn_mlir.jax.append(
                new_k, new_v, k_pool, v_pool, lengths, page_table=pages, q=q, cos=cos, sin=sin)
            return k_pool, v_pool, lengths, attn_mlir.jax.decode(
                q, k_pool, v_pool, lengths=lengths, page_table=pages, causal=True)

        # The positions of new tokens hold NaN, which must not be read before they are written.
        is_old = jnp.arange(32)[None, :, None, None] < lengths[:, None, None, None]
        old = [pool(jnp.where(is_old, its, jnp.nan)) for its in (rotated, v)]
        before = jnp.array(lengths)
        *_, after, o = step(*old, lengths, new_k, new_v, q)
        np.testing.assert_array_equal(after, before + tokens)
        wanted = in_double(lambda q, k, v, lengths: attention(
            q, k, v, mask=lambda b, h, i, j: j <= i + lengths[b]),
            rotate(q, positions), rotated, v, before)[0]
        self.check(o, wanted)

    def test_append_is_a_function(self):
        # If arrays are not donated, append() returns changed copies, and the arrays stay as they
        # are.
        k, v = random((2, 3, 2, 16)), random((2, 3, 2, 16))
        caches = random((2, 9, 2, 16)), random((2, 9, 2, 16))
        lengths = jnp.asarray([4, 7], jnp.int32)
        copies = [np.array(its) for its in (*caches, lengths)]
        found = attn_mlir.jax.append(k, v, *caches, lengths)
        for its, own in zip((*caches, lengths), copies):
            np.testing.assert_array_equal(its, own)
        np.testing.assert_array_equal(found[2], [7, 9])
        for its, own, new in zip(found[:2], copies, (k, v)):
            own[0, 4:7], own[1, 7:9] = new[0], new[1, :2]
            np.testing.assert_array_equal(its, own)


class States(Case):
    def test_merge(self):
        q, k, v = problem()
        sink = random((4,))

        def whole(q, k, v, sink):
            return attention(q, k, v, sink=sink)

        def parts(q, k, v, sink):
            states = [attn_mlir.jax.attention(q, k[:, own], v[:, own], return_lse=True)
                      for own in (slice(0, 20), slice(20, 53), slice(0, 0))]
            return attn_mlir.jax.merge(states, sink=sink)

        arrays = q, k, v, sink
        for its, own in zip(jax.jit(parts)(*arrays), in_double(whole, *arrays)):
            self.check(its, own)
        cotangents = random(q.shape), random((2, 4, 37))
        found = jax.jit(lambda *its: jax.vjp(parts, *its)[1](cotangents))(*arrays)
        for its, own in zip(found, gradients_in_double(whole, arrays, cotangents)):
            self.check(its, own, factor=8)

    def test_empty_states(self):
        q, k, v = problem()
        empty = (jnp.full(q.shape, jnp.nan), jnp.full((2, 4, 37), -jnp.inf))
        states = [empty, attn_mlir.jax.attention(q, k, v, return_lse=True)]
        found = attn_mlir.jax.merge(states)
        for its, own in zip(found, in_double(attention, q, k, v)):
            self.check(its, own)
        o, lse = attn_mlir.jax.merge([empty])
        self.assertTrue((o == 0).all() and (lse == -jnp.inf).all())
        # Sinks that are not finite then count as none.
        sink = jnp.asarray([jnp.inf, jnp.nan, -jnp.inf, 0.5])
        o, lse = attn_mlir.jax.merge([empty], sink=sink)
        self.assertTrue((o == 0).all() and (lse[:, :3] == -jnp.inf).all())
        self.assertTrue((lse[:, 3] == 0.5).all())

        def total(sink):
            o, lse = attn_mlir.jax.merge([empty], sink=sink)
            return o.sum() + lse[:, 3].sum()

        self.assertEqual(jax.grad(total)(sink).tolist(), [0, 0, 0, 74])

    def test_vmap(self):
        q, k, v = (jnp.stack([its, -its]) for its in problem())

        def parts(q, k, v):
            return attn_mlir.jax.merge([
                attn_mlir.jax.attention(q, k[:, own], v[:, own], return_lse=True)
                for own in (slice(0, 20), slice(20, 53))], return_lse=False)

        self.check(jax.vmap(parts)(q, k, v),
                   in_double(jax.vmap(lambda *its: attention(*its)[0]), q, k, v))


if __name__ == "__main__":
    import unittest
    unittest.main()
