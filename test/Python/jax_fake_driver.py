# The custom calls that JAX's calls become for a GPU: their targets, and their workspace, which
# XLA allocates. The driver is a fake whose kernels do nothing. Without a driver, workspace comes
# from a pool.
#
# REQUIRES: capi, jax
# RUN: rm -rf %t && mkdir %t && ln -s %fakecuda %t/libcuda.so.1
# RUN: env LD_LIBRARY_PATH=%t JAX_PLATFORMS=cpu %jax-python -W ignore %s fake
# RUN: env JAX_PLATFORMS=cpu CUDA_VISIBLE_DEVICES= %jax-python -W ignore %s none

import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir.jax
import jax
import jax.numpy as jnp
from jax_reference import problem

IS_FAKE = sys.argv.pop(1) == "fake"
CHECKS = [jax.export.DisabledSafetyCheck.custom_call(name)
          for name in attn_mlir.jax.TARGET_NAMES]


def calls(function, *arrays):
    """Exports a function for a GPU. Returns for each custom call of the module the target, the
    argument that says which result is the workspace, and the types of the results."""
    module = jax.export.export(jax.jit(function), platforms=["cuda"],
                               disabled_checks=CHECKS)(*arrays).mlir_module()
    found = re.findall(r"custom_call @(attn_mlir\w+)\(.*?arguments = dense<\[?(-?\d+)[^>]*>.*?"
                       r"\) -> (.*?)$", module, re.M)
    assert found, module
    return found


class Lowering(unittest.TestCase):
    def test_no_memory(self):
        (target, workspace, results), = calls(attn_mlir.jax.attention,
                                              *problem(rows=64, keys=64, dtype="float16"))
        self.assertEqual(target, "attn_mlir_cuda" if IS_FAKE else "attn_mlir_cuda_pool")
        self.assertEqual(workspace, "-1")
        self.assertNotIn("ui8", results)

    def test_gradient(self):
        # The sums of gradients need workspace, which is a result of the call, so that XLA allocates
        # it.
        found = calls(jax.grad(lambda *its: attn_mlir.jax.attention(*its).sum(), (0, 1, 2)),
                      *problem(rows=300, keys=300, dtype="float16"))
        self.assertEqual(len(found), 2)
        target, workspace, results = found[1]
        if not IS_FAKE:
            self.assertEqual((target, workspace), ("attn_mlir_cuda_pool", "-1"))
            return
        self.assertEqual((target, workspace), ("attn_mlir_cuda", "3"))
        bytes_, = re.findall(r"tensor<(\d+)xui8>", results)
        self.assertGreater(int(bytes_), 256)

    def test_few_rows(self):
        # If the number of rows is static and small, the kernel divides keys among the SMs, and
        # needs workspace.
        q, k, v = problem(rows=1, keys=4096, dtype="float16")
        lengths = jnp.asarray([4000, 3], jnp.int32)
        for function, arrays in (
                (attn_mlir.jax.attention, (q, k, v)),
                (lambda q, k, v, n: attn_mlir.jax.decode(q, k, v, lengths=n),
                 (q, k, v, lengths))):
            (target, workspace, results), = calls(function, *arrays)
            if IS_FAKE:
                self.assertEqual((target, workspace), ("attn_mlir_cuda", "1"))
                self.assertIn("ui8", results)


if __name__ == "__main__":
    unittest.main()
