# Keys that contain values, pairs of columns and multi-head latent attention in JAX.
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
from jax_reference import Case, attention, in_double, problem, random

LENGTHS = np.array([53, 20])
latents, rotary = random((2, 53, 32)), random((2, 53, 8))
absorbed, turned = random((2, 2, 4, 32)), random((2, 2, 4, 8))


def reference(absorbed, turned, latents, rotary):
    ends = LENGTHS.reshape(2, 1, 1, 1)
    return attention(jnp.concatenate([absorbed, turned], 3),
                     jnp.concatenate([latents, rotary], 2)[:, :, None], latents[:, :, None],
                     mask=lambda b, h, i, j: j <= i + ends - 2, scale=0.2)


class Latents(Case):
    def check_all(self, q, cache, **options):
        found = jax.jit(lambda q, cache: attn_mlir.jax.mla_decode(
            q, cache, scale=0.2, lengths=jnp.asarray(LENGTHS, jnp.int32), return_lse=True,
            **options))(q, cache)
        wanted = in_double(reference, absorbed, turned, latents, rotary)
        for its, own in zip(found, wanted):
            self.check(its, own)

    def test_arrays_and_pairs(self):
        # Keys after an entry's length are NaN and must not be read.
        spoilt = [jnp.where(jnp.arange(53)[:, None] < LENGTHS[:, None, None], its, jnp.nan)
                  for its in (latents, rotary)]
        for q in ((absorbed, turned), jnp.concatenate([absorbed, turned], 3)):
            self.check_all(q, tuple(spoilt))
            self.check_all(q, jnp.concatenate(spoilt, 2), latent_dim=32)

    def test_pages(self):
        order = np.random.default_rng(2).permutation(106)
        cache = [its.reshape(106, 1, -1)[order] for its in (latents, rotary)]
        table = jnp.asarray(np.argsort(order).reshape(2, 53), jnp.int32)
        self.check_all((absorbed, turned), tuple(cache), page_table=table)

    def test_attention(self):
        q, k, _ = problem(rows=19, keys=23)
        rope = random((2, 19, 4, 8)), random((2, 23, 1, 8))

        def ours(q, k, q_rope, k_rope):
            return attn_mlir.jax.attention(q, k, value_dims=(3, 11), q_rope=q_rope, k_rope=k_rope)

        def plain(q, k, q_rope, k_rope):
            k_rope = jnp.broadcast_to(k_rope, (2, 23, 2, 8))
            return attention(jnp.concatenate([q, q_rope], 3), jnp.concatenate([k, k_rope], 3),
                             k[..., 3:11])[0]

        def gradients(function):
            return jax.grad(lambda *its: (function(*its)**2).sum(), range(4))

        arrays = (q, k, *rope)
        self.check(ours(*arrays), in_double(plain, *arrays))
        for its, own in zip(jax.jit(gradients(ours))(*arrays),
                            in_double(gradients(plain), *arrays)):
            self.check(its, own, factor=8)


if __name__ == "__main__":
    import unittest
    unittest.main()
