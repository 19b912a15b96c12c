# python -m attn_mlir.bench.prefill on the host.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python %s

import functools
import importlib.util
import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import commands
import numpy as np
from attn_mlir.bench import _machine, _pages, prefill

has_ml_dtypes = importlib.util.find_spec("ml_dtypes") is not None
TINY = ["--target", "host", "--rounds", "1", "--dtype", "f32", "--shape", "2,4:2,20:100,64"]
run = functools.partial(commands.run, prefill.main)


class Prefill(unittest.TestCase):
    def test_table(self):
        status, out, err = run(*TINY, "--page", "7")
        self.assertEqual(status, 0, out + err)
        lines = out.splitlines()
        self.assertIn("20 rows on 100 keys, batch 2, heads 4:2, head dim 64, f32", lines[1])
        self.assertRegex(lines[2], r"^attn-mlir +[\d.]+ ms +[\d.]+ TFLOP/s +1\.000 ")
        self.assertRegex(lines[3], r"^attn-mlir, pages of 7 +[\d.]+ ms ")
        # For each peer, a message says why it is absent.
        self.assertEqual(err.count("expected a CUDA device"), len(prefill.PEERS))
        self.assertEqual(run(*TINY, "--peers", "none")[2], "")

    def test_stored(self):
        """The bench measures caches of 8 and 4 bits beside those of the query's dtype."""
        for dtype in ("i8", "i4", "e4m3")[:3 if has_ml_dtypes else 2]:
            status, out, err = run(*TINY, "--kv", dtype, "--page", "16", "--peers", "none")
            self.assertEqual((status, err), (0, ""), out)
            self.assertEqual([line.partition("  ")[0] for line in out.splitlines()[2:]],
                             ["attn-mlir", "attn-mlir, pages of 16", f"attn-mlir, {dtype}",
                              f"attn-mlir, {dtype}, pages of 16"])
        decode = attn_mlir.decode

        def wrong(*arrays, k_scale=None, **options):
            if k_scale is not None:
                options["k_scale"] = np.asarray(k_scale * 1.5, np.float32)
            return decode(*arrays, **options)

        with mock.patch.object(attn_mlir, "decode", wrong):
            status, out, _ = run(*TINY, "--kv", "i8", "--peers", "none")
        self.assertEqual((status, out.count("wrong result")), (1, 2))

    def test_wrong_results(self):
        decode = attn_mlir.decode
        with mock.patch.object(attn_mlir, "decode",
                               lambda *arrays, causal, **options: decode(*arrays, **options)):
            status, out, _ = run(*TINY, "--peers", "none")
        self.assertEqual((status, out.count("wrong result")), (1, 2))

    def test_flops(self):
        shape = prefill.Prefill("given", "f32", 2, 4, 2, 3, 5, 64, 64, True)
        pairs = sum(j <= i + shape.diagonal for i in range(3) for j in range(5))
        self.assertEqual(shape.flops, 4 * 2 * 4 * 64 * pairs)

    def test_pages(self):
        """Pages are in random order. Each is used once, and holds the keys that the table assigns
        to it."""
        machine = _machine.Host()
        k, v = (np.random.default_rng(0).random((3, 2, 50, 8)).astype("float32")
                for _ in "kv")
        for page in (1, 7, 16, 64):
            k_pool, v_pool, table = _pages.make_pages(machine, k, v, page)
            self.assertEqual(sorted(table.ravel()), list(range(len(k_pool))))
            for pool, array in ((k_pool, k), (v_pool, v)):
                rows = pool[table].swapaxes(1, 2).reshape(3, 2, -1, 8)
                np.testing.assert_array_equal(rows[:, :, :50], array)

    def test_errors(self):
        for shape in ("2,4,100:20,64", "all", "2,4:3,20:100,64", "2,4"):
            status, _, err = run("--shape", shape, *TINY[:2])
            self.assertEqual(status, 2)
            self.assertIn("expected B,H[:HK],S:SK,D with S at most SK, found", err)
        for name in ("--page", "--rounds"):
            status, _, err = run(*TINY, name, "0")
            self.assertEqual(status, 2)
            self.assertIn(f"argument {name}: expected at least 1, found 0", err)


if __name__ == "__main__":
    unittest.main()
