# Derivatives of attention in JAX that are not gradients by kernels: forward mode, and second ones.
#
# REQUIRES: capi, jax
# RUN: env XLA_FLAGS=--xla_force_host_platform_device_count=2 JAX_PLATFORMS=cpu %jax-python -W ignore %s

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir.jax
import jax
import jax.numpy as jnp
import numpy as np
from attn_mlir.jax import _plain
from jax.sharding import Mesh, PartitionSpec as P
from jax_reference import Case, attention, in_double, problem, random


def score(table, s, b, h, i, j):
    return 5 * jnp.tanh(s / 5) + table[h, i, j]


def keep(b, h, i, j):
    return (i + j + h) % 3 != 0


def ours(q, k, v, table, sink):
    return attn_mlir.jax.attention(
        q, k, v, causal="bottom_right", window=(20, None), mask_mod=keep, sink=sink,
        return_lse=True, score_mod=lambda *its: score(table, *its))


def plain(q, k, v, table, sink):
    offset = k.shape[1] - q.shape[1]
    return attention(
        q, k, v, lambda *its: score(table, *its), sink=sink,
        mask=lambda b, h, i, j: keep(b, h, i, j) & (j <= i + offset) & (j >= i + offset - 20))


def loss(function):
    def of(*arrays):
        output, lse = function(*arrays)
        return (output.astype(float)**2).sum() + jnp.sin(lse).sum()

    return of


def arguments(rows=19, keys=23, **sizes):
    return (*problem(rows=rows, keys=keys, **sizes), random((4, rows, keys)), random((4,)))


def push(function, count):
    """Returns a function of `count` arrays and their tangents, which returns the tangents of the
    function's results."""
    return lambda *its: jax.jvp(function, its[:count], its[count:])[1]


class Tangents(Case):
    def check_all(self, found, wanted, **options):
        found, wanted = jax.tree.leaves(found), jax.tree.leaves(wanted)
        self.assertEqual(len(found), len(wanted))
        for number, (its, own) in enumerate(zip(found, wanted)):
            self.check(its, own, name=f"result {number}", **options)

    def check_jvp(self, function, reference, arrays, factor=4):
        tangents = [random(its.shape, its.dtype) for its in arrays]
        count = len(arrays)
        found = jax.jit(push(function, count))(*arrays, *tangents)
        wanted = in_double(push(reference, count), *arrays, *tangents)
        self.check_all(found, wanted, dtype=arrays[0].dtype.name, factor=factor)

    def test_jvp(self):
        self.check_jvp(ours, plain, arguments())

    def test_lengths(self):
        def function(*its):
            return attn_mlir.jax.attention(*its, return_lse=True)

        for rows, keys in ((1, 1), (3, 2 * _plain._MOST + 1), (2, 0)):
            with self.subTest(rows=rows, keys=keys):
                arrays = problem(batch=1, rows=rows, keys=keys, value_dim=8)
                if keys:
                    self.check_jvp(function, attention, arrays)
                    continue
                for its in jax.jvp(function, arrays, arrays)[1]:
                    self.assertFalse(np.asarray(its).any())

    def test_choice_by_comparisons_of_floats(self):
        def mod(s, b, h, i, j):
            return jnp.where((s > 0) & (i != j), s, s / 2)

        self.check_jvp(lambda *its: attn_mlir.jax.attention(*its, score_mod=mod),
                       lambda *its: attention(*its, mod)[0], problem(rows=7, keys=9))

    def test_half(self):
        # Only results and tangents are rounded to bfloat16.
        arrays = problem(rows=19, keys=23, dtype="bfloat16")
        self.check_jvp(attn_mlir.jax.attention, lambda *its: attention(*its)[0], arrays)

    def test_some_arrays(self):
        q, k, v, table, sink = arguments()
        tangent = random(k.shape)
        _, found = jax.jvp(lambda k: ours(q, k, v, table, sink), (k,), (tangent,))
        wanted = in_double(lambda q, k, v, table, sink, tangent: jax.jvp(
            lambda k: plain(q, k, v, table, sink), (k,), (tangent,))[1],
            q, k, v, table, sink, tangent)
        self.check_all(found, wanted, factor=4)

    def test_linearize_and_jacfwd(self):
        q, k, v = problem(batch=1, rows=2, keys=3, heads=2, kv_heads=1, head_dim=3)
        tangent = random(q.shape)
        _, linear = jax.linearize(lambda q: attn_mlir.jax.attention(q, k, v), q)
        wanted = in_double(lambda q, k, v: jax.jacfwd(lambda q: attention(q, k, v)[0])(q),
                           q, k, v)
        self.check(linear(tangent), np.tensordot(wanted, np.asarray(tangent, np.float64), 4))
        self.check(jax.jacfwd(lambda q: attn_mlir.jax.attention(q, k, v))(q), wanted)
        # In reverse mode, the program calls kernels and contains no plain attention.
        text = str(jax.make_jaxpr(jax.grad(lambda q: attn_mlir.jax.attention(q, k, v).sum()))(q))
        self.assertIn("attn_mlir_call", text)
        self.assertNotIn("attn_mlir_tangent", text)

    def test_vmap(self):
        arrays = [jnp.stack([its, its[::-1]]) for its in problem(rows=7, keys=11)]
        tangents = [random(its.shape) for its in arrays]
        found = jax.jit(jax.vmap(push(attn_mlir.jax.attention, 3)))(*arrays, *tangents)
        wanted = in_double(jax.vmap(push(lambda *its: attention(*its)[0], 3)), *arrays,
                           *tangents)
        self.check(found, wanted, factor=4)
        found = jax.jit(push(jax.vmap(attn_mlir.jax.attention), 3))(*arrays, *tangents)
        self.check(found, wanted, factor=4)

    def test_packed(self):
        ends = [0, 5, 5, 18]
        cu = jnp.asarray(ends, jnp.int32)
        q, k, v = (random((20, heads, 16)) for heads in (4, 2, 2))  # two rows of no sequence
        sink, slopes = random((4,)), random((4,))

        def function(q, k, v, sink, slopes):
            return attn_mlir.jax.varlen(
                q, k, v, cu, causal=True, sink=sink, return_lse=True,
                score_mod=lambda s, b, h, i, j: s + slopes[h] * (j - i) * (b + 1))

        def reference(q, k, v, sink, slopes):
            parts = [attention(
                *[its[None, first:end] for its in (q, k, v)], sink=sink,
                score=lambda s, b, h, i, j, n=n: s + slopes[h] * (j - i) * (n + 1),
                mask=lambda b, h, i, j: j <= i) for n, (first, end) in enumerate(
                zip(ends[:-1], ends[1:])) if first < end]
            output, lse = (jnp.concatenate([its[n][0] for its in parts], n) for n in (0, 1))
            return jnp.pad(output, ((0, 2), (0, 0), (0, 0))), lse

        def cut(*its):
            output, lse = function(*its)
            return output, lse[:, :18]

        self.check_jvp(cut, reference, (q, k, v, sink, slopes))

    def test_merge(self):
        q, k, v = problem(rows=7, keys=12)

        def halves(function, merge):
            def of(q, k, v):
                return merge([function(q, k[:, part], v[:, part])
                              for part in (slice(0, 5), slice(5, 12))])

            return of

        self.check_jvp(halves(
            lambda *its: attn_mlir.jax.attention(*its, return_lse=True),
            attn_mlir.jax.merge), attention, (q, k, v))

    def test_second(self):
        arrays = arguments(rows=7, keys=11)
        directions = [random(its.shape) for its in arrays]

        def product(function):  # by forward over reverse mode
            return push(jax.grad(loss(function), range(5)), 5)

        def twice(function):
            def inner(*its):
                found = jax.grad(loss(function), range(5))(*its[:5])
                return sum([(g * d).sum() for g, d in zip(found, its[5:])])

            return jax.grad(inner, range(5))

        wanted = in_double(product(plain), *arrays, *directions)
        for way in (product, twice):
            self.check_all(jax.jit(way(ours))(*arrays, *directions), wanted, factor=16)

    def test_poles(self):
        """Derivatives are finite and right if a score function computes the logarithm of a negative
        number, and a mask or jnp.where discards the result."""
        q, k, v = problem(rows=7, keys=7)
        slopes = 1 + jnp.abs(random((4,)))

        def ours(other, *its):
            def bend(s, b, h, i, j):
                bent = s - its[3][h] * jnp.log(i - j + 1.0)
                return bent if other is None else jnp.where(i >= j, bent, other * s)

            return attn_mlir.jax.attention(*its[:3], causal=other is None, score_mod=bend,
                                           return_lse=True)

        def plain(other, *its):
            def bend(s, b, h, i, j):
                bent = s - its[3][h] * jnp.log(jnp.maximum(i - j, 0) + 1.0)
                return jnp.where(i >= j, bent, -jnp.inf if other is None else other * s)

            return attention(*its[:3], bend)

        for other in (None, 2.0):
            found, wanted = (
                lambda *its, f=f: jax.grad(lambda *its: sum([jnp.sin(g).sum() for g in jax.grad(
                    loss(lambda *its: f(other, *its)), range(4))(*its)]), range(4))(*its)
                for f in (ours, plain))
            self.check_all(jax.jit(found)(q, k, v, slopes), in_double(wanted, q, k, v, slopes),
                           factor=16)

    def test_checkpoint(self):
        arrays = arguments(rows=7, keys=11)
        found = jax.jit(jax.grad(loss(jax.checkpoint(ours)), range(5)))(*arrays)
        self.check_all(found, in_double(jax.grad(loss(plain), range(5)), *arrays), factor=8)

    def test_devices(self):
        mesh = Mesh(np.array(jax.devices()[:2]), ("data",))
        arrays = problem(rows=7, keys=11)
        tangents = [random(its.shape) for its in arrays]
        spec = P("data")
        divided = jax.shard_map(attn_mlir.jax.attention, mesh=mesh, in_specs=(spec,) * 3,
                                out_specs=spec)
        wanted = in_double(push(lambda *its: attention(*its)[0], 3), *arrays, *tangents)
        self.check(jax.jit(push(divided, 3))(*arrays, *tangents), wanted, factor=4)
        placed = [jax.device_put(its, jax.NamedSharding(mesh, spec))
                  for its in (*arrays, *tangents)]
        self.check(jax.jit(push(attn_mlir.jax.attention, 3))(*placed), wanted, factor=4)
        # Tangents also have the right values in a mesh with explicit axes, where shardings are part
        # of types.
        mesh = jax.make_mesh((2,), ("data",), axis_types=(jax.sharding.AxisType.Explicit,),
                             devices=jax.devices()[:2])
        with jax.set_mesh(mesh):
            placed = [jax.device_put(its, spec) for its in (*arrays, *tangents)]
            found = np.asarray(jax.jit(push(attn_mlir.jax.attention, 3))(*placed))
        self.check(found, wanted, factor=4)


if __name__ == "__main__":
    import unittest
    unittest.main()
