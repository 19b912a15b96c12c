# Dropout in JAX: the mask is that of the definition, of a seed or a key.
#
# REQUIRES: capi, jax
# RUN: env XLA_FLAGS=--xla_force_host_platform_device_count=2 JAX_PLATFORMS=cpu %jax-python -W ignore %s

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import functools

import attn_mlir
import attn_mlir.jax
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P
from jax_reference import Case, in_double, problem, random

PROBABILITY, PAIR = 0.3, (12345678901234567, 2**33 + 77)
FACTOR = 65536 / (65536 - int(65536 * PROBABILITY + 0.5))
arrays = problem(rows=19, keys=29)


def heads_first(array):
    return np.ascontiguousarray(np.asarray(array).transpose(0, 2, 1, 3))


KEPT = np.asarray(attn_mlir.dropout_mask(*map(heads_first, arrays[:2]), PROBABILITY, PAIR))


def ours(*its, seed=PAIR, **options):
    return attn_mlir.jax.attention(*its, causal=True, dropout_p=PROBABILITY, seed=seed,
                                   **options)


def plain(q, k, v):
    (_, s, h, d), t = q.shape, k.shape[1]
    k, v = (jnp.repeat(its, h // its.shape[2], 2) for its in (k, v))
    scores = jnp.einsum("bshd,bthd->bhst", q, k) * d**-0.5
    scores = jnp.where(jnp.arange(t) <= jnp.arange(s)[:, None], scores, -jnp.inf)
    return jnp.einsum("bhst,bthd->bshd", jax.nn.softmax(scores) * KEPT * FACTOR, v)


class Dropout(Case):
    def test_results(self):
        self.assertTrue(0.6 < KEPT.mean() < 0.8)
        self.check(ours(*arrays), in_double(plain, *arrays))
        other = attn_mlir.attention(*map(heads_first, arrays), causal=True,
                                    dropout_p=PROBABILITY, seed=PAIR)
        np.testing.assert_array_equal(heads_first(ours(*arrays)), other)

    def test_derivatives(self):
        def loss(function):
            return lambda *its: (function(*its)**2).sum()

        found = jax.jit(jax.grad(loss(ours), range(3)))(*arrays)
        for its, own in zip(found, in_double(jax.grad(loss(plain), range(3)), *arrays)):
            self.check(its, own, factor=8)
        tangents = tuple([random(its.shape) for its in arrays])

        def push(function):
            return lambda *its: jax.jvp(function, its[:3], its[3:])[1]

        self.check(jax.jit(push(ours))(*arrays, *tangents),
                   in_double(push(plain), *arrays, *tangents), factor=4)

    def test_keys(self):
        key = jax.random.key(3)
        found = [jax.jit(lambda seed: ours(*arrays, seed=seed))(its)
                 for its in (key, jax.random.key_data(key), jax.random.key(4))]
        np.testing.assert_array_equal(found[0], found[1])
        self.assertTrue((np.asarray(found[0]) != found[2]).any())
        words = np.asarray(jax.random.key_data(key)).astype(object)
        np.testing.assert_array_equal(
            found[0], ours(*arrays, seed=(int(words[0] | words[1] << 32), 0)))

    def test_vmap(self):
        keys = jax.random.split(jax.random.key(3))
        one = functools.partial(ours, *arrays)
        # An entry of vmap has the same dropout mask as if it were computed alone.
        mapped = jax.vmap(lambda q, k, v, seed: ours(q, k, v, seed=seed), (0, None, None, 0))(
            jnp.stack([arrays[0]] * 2), *arrays[1:], keys)
        for its, seed in zip(mapped, keys):
            np.testing.assert_array_equal(its, one(seed=seed))
        mapped = jax.vmap(ours, (0, None, None))(jnp.stack([arrays[0]] * 2), *arrays[1:])
        for its in mapped:
            np.testing.assert_array_equal(its, one())

    def test_devices(self):
        # The same probabilities are dropped on any number of devices.
        mesh = Mesh(np.array(jax.devices()[:2]), ("data",))
        for spec in (P("data"), P(None, None, "data")):
            placed = [jax.device_put(its, NamedSharding(mesh, spec)) for its in arrays]
            self.check(jax.jit(ours)(*placed), in_double(plain, *arrays))

    def test_errors(self):
        for message, options in (
                ("seed: expected a key of jax.random, or a pair of integers .*, beside dropout_p, "
                 "found None", {"seed": None}),
                ("seed: expected a key .*, found float32 of shape", {"seed": random((2,))}),
                ("seed: expected integers of 64 bits", {"seed": (0.5, 1)})):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, message):
                ours(*arrays, **options)
        with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                    "dropout_p: expected a number from 0 to 1"):
            attn_mlir.jax.attention(*arrays, dropout_p=1.5, seed=PAIR)


if __name__ == "__main__":
    import unittest
    unittest.main()
