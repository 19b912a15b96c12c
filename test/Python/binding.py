# Functions of the module in C++ that the package calls, with wrong arguments, and with destructors
# that call functions of it.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import unittest

import attn_mlir
import numpy as np
from attn_mlir import _frames, _scales
from attn_mlir._library import binding

UNKNOWN = NotImplemented


class Operands(unittest.TestCase):
    """The table of operands in the op's clause `with` is the compiler's."""

    def test_rows(self):
        rows = {row[0]: row[1:] for row in binding.operands()}
        self.assertEqual(rows["query_scale"], ("query", True, False, True, False, ("", "bh", "bhs")))
        self.assertEqual(rows["output_scale"], ("output", False, False, False, False, ("", "bh")))
        self.assertEqual(rows["key_rope"], ("key", False, True, True, False, ("bhsd",)))
        self.assertEqual(rows["value_mean"], ("value", False, False, True, True, ("bh1d",)))
        self.assertEqual(_scales.SCALES, ("q_scale", "k_scale", "v_scale"))
        self.assertEqual(_scales.FORWARD_ONLY, ("out_scale",))
        self.assertEqual([(its.name, its.of, its.forms) for its in _scales._ALL if its.has_columns],
                         [("q_rope", 0, ((0, 1, 2, 3),)), ("k_rope", 1, ((0, 1, 2, 3),))])

    def test_clause(self):
        """The op names the operands in the table's order in an error."""
        source = "func.func @f(%a: memref<1x1x1x8xf32>, %c: memref<f32>) {\n" \
            "attn.attention ins(%a, %a, %a : memref<1x1x1x8xf32>, memref<1x1x1x8xf32>, " \
            "memref<1x1x1x8xf32>) with(other %c : memref<f32>) outs(%a : memref<1x1x1x8xf32>)\n" \
            "return\n}"
        names = ", ".join([row[0] for row in binding.operands()])
        with self.assertRaisesRegex(attn_mlir.Error, f"some of {names}, in this order"):
            attn_mlir.compile(source, chip="host")


class Binding(unittest.TestCase):
    """Wrong arguments are errors."""

    def test_remember(self):
        calls = binding.Calls()
        q = np.zeros((1, 2, 4, 8), np.float32)
        attn_mlir.attention(q, q, q)
        kernel = next(iter(_frames.kernels.values()))
        described = [(0, (1,), (1,), 3, 1, 0)]
        for sources in ((), (1,), (-1,), (-9,), (0, 0)):
            with self.assertRaisesRegex(ValueError, "an operand or a result for each"):
                calls.remember((q,), (), None, kernel, kernel._program, described, sources, (),
                               False, (), ())
        with self.assertRaisesRegex(ValueError, "an operand or a result for each"):
            calls.remember((q,), (), None, kernel, kernel._program, described, (0,), (), False,
                           (), (1,))
        for wrong in ([], [None], [(0,)], [(0, 1, 1, 3, 1, 0)], [("a", (), (), 3, 1, 0)],
                      [(0, (1,), ("a",), 3, 1, 0)]):
            with self.assertRaises((TypeError, ValueError)):
                calls.remember((q,), (), None, kernel, kernel._program, wrong, (0,), (), False,
                               (), ())
        self.assertEqual(len(calls), 0)
        with self.assertRaises(TypeError):
            calls.find((q,), ())
        for operands, options in (((object(),), ()), ([q], ()), ((q,), [1]), ((q,), (1j,)),
                                  ((q,), (2**70,)), ((q,) * 50, ()), ((q,), (0,) * 1000)):
            self.assertIs(calls.find(operands, options, None, None), UNKNOWN)
        nested = ()
        for _ in range(50):
            nested = (nested,)
        self.assertIs(calls.find((q,), nested, None, None), UNKNOWN)

    def test_destructors(self):
        """Destructors of kernels that are forgotten call functions whose calls are known."""
        arrays = [np.zeros(4 + n, np.float32) for n in range(1040)]
        attn_mlir.attention(*[np.zeros((1, 1, 1, 8), np.float32)] * 3)  # numpy is known
        calls, counts = binding.Calls(), []

        class Kernel:
            def __del__(self):
                counts.append(len(calls))
                for array in arrays[:4]:
                    calls.find((array, array), (), None, None)
                calls.clear()

        for clears in (False, True):
            for array in arrays:
                calls.remember((array,), (), None, Kernel(), 0, [binding.describe(array)], (0,),
                               (), False, (), ())
            if clears:
                calls.clear()
                self.assertEqual(len(calls), 0)
        self.assertEqual(len(counts), 2 * len(arrays))

    def test_ir(self):
        with self.assertRaises(TypeError):
            binding.ir("program", "source")

    def test_workspaces(self):
        self.assertIsNone(binding.swap_workspace((None, 0)))
        self.assertEqual(binding.swap_workspace((4096, 12)), (None, 0))
        self.assertEqual(binding.swap_workspace(None), (4096, 12))
        for wrong in (1, (1,), (1, "a"), ("a", 1)):
            with self.assertRaises(TypeError):
                binding.swap_workspace(wrong)
        self.assertIsNone(binding.swap_workspace(None))


if __name__ == "__main__":
    unittest.main()
