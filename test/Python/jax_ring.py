# Attention in JAX over a sequence that the devices of a mesh axis divide.
#
# REQUIRES: capi, jax
# RUN: env XLA_FLAGS=--xla_force_host_platform_device_count=4 JAX_PLATFORMS=cpu %jax-python -W ignore %s

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir.jax
import jax
import jax.numpy as jnp
import numpy as np
from jax_reference import Case, attention, in_double, problem, random
from jax.sharding import Mesh, PartitionSpec as P

MESH = Mesh(np.array(jax.devices()).reshape(2, 2), ("batch", "ring"))
FOUR = Mesh(np.array(jax.devices()), ("ring",))
ROWS, LSE = P("batch", "ring"), P("batch", None, "ring")


def causal(b, h, i, j):
    return j <= i


class Ring(Case):
    def run_ring(self, mesh, arrays, **options):
        rows, lse = (ROWS, LSE) if mesh is MESH else (P(None, "ring"), P(None, None, "ring"))
        return jax.jit(jax.shard_map(
            lambda *its: attn_mlir.jax.ring_attention(*its, "ring", return_lse=True,
                                                      **options),
            mesh=mesh, in_specs=rows, out_specs=(rows, lse)))(*arrays)

    def test_forward(self):
        arrays = problem(batch=2, rows=24, keys=24)
        masks = {"causal": {"causal": True}, "window": {"window": (5, 3)},
                 "both": {"causal": True, "window": (7, None)}, "none": {}}
        wanted = {"causal": causal, "both": lambda b, h, i, j: (j <= i) & (j >= i - 7),
                  "window": lambda b, h, i, j: (j <= i + 3) & (j >= i - 5), "none": None}
        for mesh in (MESH, FOUR):
            for name, options in masks.items():
                found = self.run_ring(mesh, arrays, **options)
                own = in_double(lambda *its: attention(*its, mask=wanted[name]), *arrays)
                for its, mine in zip(found, own):
                    self.check(its, mine)

    def test_functions(self):
        """Score and mask functions get positions in the whole sequence."""
        arrays = problem(batch=2, rows=24, keys=24)
        found = self.run_ring(
            FOUR, arrays, score_mod=lambda s, b, h, i, j: s + 0.1 * (j - i),
            mask_mod=lambda b, h, i, j: (i + j) % 3 > 0)
        own = in_double(lambda *its: attention(
            *its, score=lambda s, b, h, i, j: s + 0.1 * (j - i),
            mask=lambda b, h, i, j: (i + j) % 3 > 0), *arrays)
        for its, mine in zip(found, own):
            self.check(its, mine)

    def test_causal_functions(self):
        """Under a causal mask devices exchange halves of their parts, if these have even numbers
        of rows and of keys. Functions get positions in the whole sequence all the same."""
        for rows, keys in ((24, 24), (20, 24), (8, 40)):
            arrays = problem(batch=2, rows=rows, keys=keys)
            found = self.run_ring(
                FOUR, arrays, causal=True, score_mod=lambda s, b, h, i, j: s + 0.1 * (j - i),
                mask_mod=lambda b, h, i, j: (j == 0) | ((i + j) % 3 > 0))
            own = in_double(lambda *its: attention(
                *its, score=lambda s, b, h, i, j: s + 0.1 * (j - i),
                mask=lambda b, h, i, j: (j <= i) & ((j == 0) | ((i + j) % 3 > 0))), *arrays)
            for its, mine in zip(found, own):
                self.check(its, mine)

    def test_gradients(self):
        arrays = problem(batch=2, rows=24, keys=24)
        d_o = random(arrays[0].shape[:3] + arrays[2].shape[3:])

        def loss(attend):
            return lambda *its: (attend(*its) * d_o).sum()

        ring = jax.shard_map(lambda *its: attn_mlir.jax.ring_attention(*its, "ring",
                                                                       causal=True),
                             mesh=MESH, in_specs=ROWS, out_specs=ROWS)
        found = jax.jit(jax.grad(loss(ring), range(3)))(*arrays)
        wanted = jax.grad(loss(lambda *its: attn_mlir.jax.attention(*its, causal=True)),
                          range(3))(*arrays)
        for its, own in zip(found, wanted):
            np.testing.assert_allclose(its, own, atol=2e-5, rtol=2e-4)

    def test_errors(self):
        arrays = problem(batch=2, rows=24, keys=24)
        for name, message in (("ring", "axis_name: expected an axis of the mesh"),
                              (3, "axis_name: expected the name of an axis")):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, message):
                attn_mlir.jax.ring_attention(*arrays, name)


if __name__ == "__main__":
    import unittest

    unittest.main()
