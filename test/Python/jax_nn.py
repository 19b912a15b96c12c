# jax.nn's call on this package's kernels, against jax.nn's own in double precision.
#
# REQUIRES: capi, jax
# RUN: %jax-python -W ignore %s

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import inspect
import itertools

import attn_mlir.jax
import jax
import jax.numpy as jnp
import numpy as np
from attn_mlir.jax import dot_product_attention
from jax_reference import Case, gradients_in_double, in_double, problem, random, rng

plain = jax.nn.dot_product_attention


class Calls(Case):
    def compare(self, arrays, options, make, dtype="float32", **both):
        """Compares the package's function with that of jax.nn. `make` returns options that contain
        the arrays after the first three."""
        def of(function):
            return lambda q, k, v, *rest: function(q, k, v, **options, **make(*rest), **both)

        found = jax.jit(of(dot_product_attention))(*arrays)
        wanted = in_double(of(plain), *arrays)
        self.check(found, wanted, dtype, name=str(options))

    def test_signature(self):
        own, its = (list(inspect.signature(function).parameters.values())
                    for function in (dot_product_attention, plain))
        self.assertEqual([(x.name, x.kind, x.default) for x in own],
                         [(x.name, x.kind, x.default) for x in its])

    def test_masks(self):
        for dtype, causal, window in itertools.product(
                ("float32", "bfloat16"), (False, True), (None, 3, (7, 2))):
            # There are more keys than rows, so that each row has a key: jax.nn does not support
            # rows without keys.
            arrays = problem(rows=31, keys=53, dtype=dtype)
            self.compare(arrays, {"is_causal": causal, "local_window_size": window},
                         lambda: {}, dtype, scale=0.2)

    def test_biases(self):
        for shape in ((2, 4, 37, 53), (1, 4, 37, 53), (2, 1, 37, 53), (1, 1, 37, 1), (4, 37, 53),
                      (2, 4, 1, 53), (1, 1, 1, 1)):
            self.compare((*problem(), random(shape)), {}, lambda bias: {"bias": bias})

    def test_boolean_masks_and_lengths(self):
        for shape in ((2, 4, 37, 53), (1, 1, 37, 53), (2, 1, 1, 53)):
            mask = jnp.asarray(rng.random(shape) < 0.7).at[..., 0].set(True)
            self.compare((*problem(), mask), {"is_causal": True}, lambda mask: {"mask": mask})
        rows, keys = jnp.asarray([37, 5], jnp.int32), jnp.asarray([1, 40], jnp.int32)
        for causal in (False, True):
            self.compare((*problem(), rows, keys), {"is_causal": causal}, lambda q, kv: {
                "query_seq_lengths": q, "key_value_seq_lengths": kv})
        self.compare((*problem(), keys), {}, lambda kv: {"key_value_seq_lengths": kv})

    def test_residual_and_rank(self):
        q, k, v = (its[0] for its in problem(kv_heads=1))
        found = dot_product_attention(q, k, v, is_causal=True, return_residual=True)
        wanted = in_double(lambda *its: plain(*its, is_causal=True, return_residual=True),
                           q, k, v)
        for its, own in zip(found, wanted):
            self.check(its, own)

    def test_gradients(self):
        for dtype in ("float32", "float16"):
            arrays = (*problem(rows=31, keys=53, dtype=dtype), random((1, 4, 31, 53), dtype),
                      jnp.asarray([50, 3], jnp.int32))

            def of(function):
                return lambda q, k, v, bias, lengths: (function(
                    q, k, v, bias, is_causal=True, key_value_seq_lengths=lengths),)

            floats, lengths = arrays[:4], arrays[4]
            cotangent = random(arrays[0].shape, dtype)
            found = jax.jit(lambda *its: jax.vjp(lambda *own: of(dot_product_attention)(
                *own, lengths), *its[:4])[1]((its[4],)))(*floats, cotangent)
            wanted = gradients_in_double(lambda *its: of(plain)(*its, jnp.asarray(lengths)),
                                         floats, (cotangent,))
            for its, own in zip(found, wanted):
                self.check(its, own, dtype, factor=4)

    def test_sums_of_narrow_gradients(self):
        # A bias that is repeated along rows or keys has the sum of many pairs' gradients. JAX sums
        # in float32 and rounds the sum, so that the gradient is within half a unit of the exact.
        arrays, cotangent = problem(rows=300), random((2, 300, 4, 16))
        for shape, dtype in itertools.product(((1, 1, 1, 53), (4, 300, 1)),
                                              ("bfloat16", "float16")):
            bias = random(shape, dtype)
            found = jax.grad(lambda bias: (dot_product_attention(*arrays, bias)
                                           * cotangent).sum())(bias)
            _, _, _, wanted = gradients_in_double(lambda *its: (plain(*its),), (*arrays, bias),
                                                  (cotangent,))
            unit = float(jnp.finfo(dtype).eps) * np.abs(wanted)
            np.testing.assert_array_less(np.abs(np.asarray(found, np.float64) - wanted),
                                         0.51 * unit + 3e-5)

    def test_vmap_of_gradient(self):
        q, k, v = problem(batch=3, rows=11, keys=11)
        bias = random((3, 4, 11, 11))

        def of(function):
            return jax.vmap(jax.grad(lambda q, k, v, bias: (function(
                q, k, v, bias, is_causal=True)**2).sum(), (0, 1, 2, 3)))

        found = jax.jit(of(dot_product_attention))(q, k, v, bias)
        for its, own in zip(found, in_double(of(plain), q, k, v, bias)):
            self.check(its, own, factor=8)

    def test_implementations(self):
        q, k, v = problem()
        np.testing.assert_array_equal(
            dot_product_attention(q, k, v, implementation="xla"),
            plain(q, k, v, implementation="xla"))
        self.check(dot_product_attention(q, k, v, implementation="attn_mlir"),
                   in_double(plain, q, k, v))

    def test_rows_without_keys(self):
        q, k, v = problem()
        mask = jnp.zeros((1, 1, 37, 53), bool).at[:, :, 3:].set(True)
        found, residual = dot_product_attention(q, k, v, mask=mask, return_residual=True)
        self.assertTrue((found[:, :3] == 0).all())
        self.assertTrue((residual[:, :3] == -jnp.inf).all())
        self.check(found[:, 3:], in_double(plain, q, k, v)[:, 3:])

    def test_double_is_refused(self):
        with jax.enable_x64(True):
            q, k, v = (its.astype("float64") for its in problem())
            with self.assertRaisesRegex(attn_mlir.ArgumentError, "query: expected dtype"):
                dot_product_attention(q, k, v)

    def test_wide_integers(self):
        # With x64 enabled, functions can compute with int64 numbers.
        with jax.enable_x64(True):
            q, k, v = problem()
            table = jnp.asarray(rng.integers(-3, 3, (37, 53)), jnp.int64)
            found = attn_mlir.jax.attention(
                q, k, v, score_mod=lambda s, b, h, i, j: s + table[i, j] * jnp.int64(2))
        self.check(found, in_double(lambda q, k, v, table: plain(
            q, k, v, (table * 2.0)[None, None]), q, k, v, table))


if __name__ == "__main__":
    import unittest
    unittest.main()
