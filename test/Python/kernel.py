# Kernels compiled explicitly: their attributes, and launches.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python %s

import gc
import os
import pathlib
import sys
import tempfile
import unittest
import weakref

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import numpy as np
import reference

CAPTURES = """
!t = memref<?x?x?x16xf32, strided<[?, ?, ?, 1]>>
func.func @capped(%q: !t, %k: !t, %v: !t, %cap: f32, %n: i32, %all: i1, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) captures(%cap, %n, %all : f32, i32, i1)
      outs(%o : !t) score {
    ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %c: f32, %m: i32, %a: i1):
      %0 = arith.divf %s, %c : f32
      %1 = math.tanh %0 : f32
      %2 = arith.mulf %1, %c : f32
      %3 = arith.sitofp %m : i32 to f32
      %4 = arith.mulf %2, %3 : f32
      %5 = arith.select %a, %4, %2 : f32
      attn.yield %5 : f32
  }
  return
}
"""


UPDATES = """
!t = memref<?x?x?x16xf32, strided<[?, ?, ?, 1]>>
func.func @update(%k: !t, %v: !t, %k_cache: !t, %v_cache: !t, %lengths: memref<?xi32>) {
  attn.append ins(%k, %v : !t, !t) outs(%k_cache, %v_cache : !t, !t)
      lengths(%lengths : memref<?xi32>)
  return
}
"""
SCRATCH = """
!t = tensor<?x?x?x16xf32>
func.func @main(%q: !t, %k: !t, %v: !t, %space: !t) -> !t {
  %o = attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%space : !t) -> !t
  return %o : !t
}
"""


class Host(unittest.TestCase):
    def test_properties(self):
        kernel = attn_mlir.compile(dtype="f32", head_dim=16, value_head_dim=8,
                                   return_lse=True, chip="host")
        self.assertEqual(kernel.chip, "host")
        self.assertIsNone(kernel.ptx)
        self.assertEqual(kernel.resources, [])
        self.assertEqual(kernel.diagnostics, "")
        arguments = kernel.arguments
        self.assertEqual([a.name for a in arguments],
                         ["query", "key", "value", "output", "lse"])
        self.assertEqual([a.kind for a in arguments], ["input"] * 3 + ["output"] * 2)
        self.assertEqual({a.dtype for a in arguments}, {"f32"})
        self.assertEqual(arguments[2].sizes, (None, None, None, 8))
        self.assertEqual(arguments[2].strides, (None, None, None, 1))
        self.assertIn("attn_tile.", kernel.ir("tile"))
        self.assertNotIn("attn.attention ins", kernel.ir("tile"))

    def test_run(self):
        kernel = attn_mlir.compile(dtype="f32", head_dim=16, causal="bottom_right",
                                   scale=0.3, chip="host")
        q, k, v = reference.problem()
        expected, _ = reference.attention(q, k, v, causal=True, align="bottom_right",
                                          scale=0.3)
        out = np.empty_like(q)
        self.assertEqual(kernel.workspace_size(q, k, v, out), 0)
        kernel.run(q, k, v, out)
        reference.check(out, expected)

    def test_scalars(self):
        kernel = attn_mlir.compile(CAPTURES, function="capped", chip="host")
        self.assertEqual([a.kind for a in kernel.arguments][3:6], ["scalar"] * 3)
        q, k, v = reference.problem()
        out = np.empty_like(q)
        for cap, n, all_ in ((2.0, 3, True), (5, -1, False)):
            kernel.run(q, k, v, cap, n, all_, out)
            factor = n if all_ else 1
            expected, _ = reference.attention(
                q, k, v, score=lambda s, *_: np.tanh(s / cap) * cap * factor)
            reference.check(out, expected)
        for bad in ((2.0, 2**31, True), (2.0, 1.5, True), ("2", 1, True), (2.0, 1, 3)):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, "argument [345]"):
                kernel.run(q, k, v, *bad, out)

    def test_lists_of_blocks(self):
        """A program that also has arrays of i32 as arguments: lists of blocks."""
        path = pathlib.Path(__file__).parents[1] / "Programs" / "block-list.mlir"
        kernel = attn_mlir.compile(path.read_text(), function="block_list", chip="host")
        self.assertEqual([a.dtype for a in kernel.arguments],
                         ["f16"] * 3 + ["i32"] * 3 + ["f16", "f32"])
        self.assertEqual([a.kind for a in kernel.arguments],
                         ["input"] * 6 + ["output"] * 2)
        rng = np.random.default_rng(0)
        q, k, v = (rng.standard_normal((2, rows, 32)).astype(np.float16)
                   for rows in (140, 96, 96))
        # The blocks of 32 keys that each tile of 64 rows visits. Blocks of kind 1 are masked
        # causally.
        lists, kinds = ([2, 0], [1]), ([1, 0], [1])
        keep = np.zeros((140, 96), bool)
        blocks, kind_words = np.full((2, 3, 3), 1 << 20, np.int32)
        counts = np.zeros(3, np.int32)
        for tile, (own, own_kinds) in enumerate(zip(lists, kinds)):
            counts[tile] = len(own)
            blocks[tile, :len(own)] = own
            kind_words[tile, :len(own)] = own_kinds
            for block, kind in zip(own, own_kinds):
                rows, columns = np.ogrid[tile * 64:tile * 64 + 64,
                                         block * 32:block * 32 + 32]
                keep[rows, columns] = (columns <= rows) | (kind == 0)
        out, lse = np.empty_like(q), np.empty((2, 140), np.float32)
        kernel.run(q, k, v, blocks, kind_words, counts, out, lse)
        expected, expected_lse = reference.attention(
            q[None], k[None], v[None],
            score=lambda s, *_: np.where(keep, s, -np.inf))
        np.testing.assert_allclose(out, expected[0], atol=2e-3)
        np.testing.assert_allclose(lse, expected_lse[0], atol=2e-3)
        with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                    "argument 3: expected dtype i32, found i64"):
            kernel.run(q, k, v, blocks.astype(np.int64), kind_words, counts, out, lse)
        out.flags.writeable = False
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "argument 6.*may be written"):
            kernel.run(q, k, v, blocks, kind_words, counts, out, lse)

    def test_updated(self):
        """Caches and lengths are inputs that the program also writes."""
        kernel = attn_mlir.compile(UPDATES, function="update", chip="host")
        self.assertEqual([a.kind for a in kernel.arguments], ["input"] * 5)
        self.assertEqual([a.is_updated for a in kernel.arguments], [False] * 2 + [True] * 3)
        k, v = np.ones((2, 2, 1, 3, 16), np.float32)
        k_cache, v_cache = np.zeros((2, 2, 1, 8, 16), np.float32)
        lengths = np.array([0, 4], np.int32)
        kernel.run(k, v, k_cache, v_cache, lengths)
        self.assertEqual(lengths.tolist(), [3, 7])
        for array in (k_cache, v_cache, lengths):
            array.flags.writeable = False
            with self.assertRaisesRegex(attn_mlir.ArgumentError, "argument [234].*may be written"):
                kernel.run(k, v, k_cache, v_cache, lengths)
            array.flags.writeable = True

    def test_scratch(self):
        kernel = attn_mlir.compile(SCRATCH, chip="host")
        self.assertEqual([a.kind for a in kernel.arguments], ["input"] * 3 + ["scratch", "output"])
        q, k, v = (np.random.default_rng(0).standard_normal((1, 2, 70, 16), np.float32)
                   for _ in range(3))
        space, out = np.empty_like(q), np.empty_like(q)
        kernel.run(q, k, v, space, out)
        reference.check(out, reference.attention(q, k, v)[0])
        for other in (q, k, v, out):
            with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                        "argument 3: expected memory of its own"):
                kernel.run(q, k, v, other, out)

    def test_lifetime(self):
        kernel = attn_mlir.compile(dtype="f32", head_dim=16, chip="host")
        gone = weakref.ref(kernel)
        del kernel
        gc.collect()
        self.assertIsNone(gone())


class Chip(unittest.TestCase):
    def test_properties(self):
        kernel = attn_mlir.compile(dtype="bf16", head_dim=64, causal=True, chip="sm_90")
        self.assertEqual(kernel.chip, "sm_90")
        self.assertIn(".target sm_90", kernel.ptx)
        self.assertIn("nvvm.", kernel.ir("nvvm"))
        self.assertTrue(kernel.resources)
        for resources in kernel.resources:
            self.assertIn(f".entry {resources.name}", kernel.ptx)
            self.assertGreater(resources.threads, 0)
            self.assertGreater(resources.dynamic_shared_bytes, 0)
            self.assertIn("mma.sync: sm_90 has no wgmma, sm_90a has", resources.reasons)
            self.assertTrue(resources.reasons[-1].startswith("access "))

    def test_ir_after_a_pass(self):
        kernel = attn_mlir.compile(dtype="f16", head_dim=64, chip="sm_90a")
        text = kernel.ir("attn-gpu-map-grid")
        self.assertIn("attn_gpu.launch", text)
        self.assertIn("(attn-gpu-map-grid)", text.splitlines()[0])
        self.assertGreater(kernel.ir("canonicalize").count("// -----//"), 3)
        with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                    "expected stage source, tile, nvvm or llvm, or a pass "
                                    "of .*, attn-gpu-map-grid, .*, found 'attn-grid'"):
            kernel.ir("attn-grid")

    def test_lineinfo(self):
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "tile.mlir")
            kernel = attn_mlir.compile(dtype="f16", head_dim=64, chip="sm_90a",
                                       lineinfo=path)
            text = path.read_text()
            self.assertIn("attn_tile.dot", text)
            self.assertIn(f'"{path}"', kernel.ptx)
            self.assertIn("\t.loc\t", kernel.ptx)
            # Later questions about the kernel's IR do not write the file again.
            path.unlink()
            kernel.ir("nvvm")
            self.assertFalse(path.exists())
            with self.assertRaisesRegex(attn_mlir.Error, "cannot write '.*/none/x'"):
                attn_mlir.compile(dtype="f16", head_dim=64, chip="sm_90a",
                                  lineinfo=str(pathlib.Path(directory, "none", "x")))
        plain = attn_mlir.compile(dtype="f16", head_dim=64, chip="sm_90a").ptx
        self.assertNotIn(".loc", plain)
        for chip, bad in (("host", "x"), ("sm_90", ""), ("sm_90", "-"), ("sm_90", 3)):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, "lineinfo"):
                attn_mlir.compile(dtype="f16", head_dim=64, chip=chip, lineinfo=bad)

    def test_host_memory(self):
        kernel = attn_mlir.compile(dtype="f32", head_dim=16, chip="sm_90")
        q, k, v = reference.problem()
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "query.*memory of a GPU"):
            kernel.run(q, k, v, np.empty_like(q))


if __name__ == "__main__":
    unittest.main()
