# python -m attn_mlir.bench: how implementations are timed and checked, and what is printed.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python %s

import io
import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import numpy as np
import reference
from attn_mlir import Error
from attn_mlir.bench import (_kinds, _machine, _philox, _reference, _report, _run, _shapes,
                             _variants)
from attn_mlir.bench._peers import Implementation, Own


class Measuring(unittest.TestCase):
    def setUp(self):
        self.machine = _machine.Host()
        self.machine.burst = self.burst

    def burst(self, function, count):
        function()
        return [1.0] * count

    def make_peer(self, name, function, prepare=None):
        peer = Implementation(self.machine)
        peer.name = name
        peer.prepare = prepare or (lambda shape, arrays: lambda: function(shape, arrays))
        peer.get_output = lambda result: result[0]
        return peer

    def test_in_turn(self):
        shape, = _shapes.select(["1,2,9,8"], "f32", "yes")
        calls = []

        def right(name):
            def function(shape, arrays):
                calls.append(name)
                q, k, v = arrays
                return (reference.attention(q, k, v, causal=True)[0],)
            return function

        def breaks_later(shape, arrays):
            if calls.count("late") >= 2:
                raise RuntimeError("out of\nluck")
            return right("late")(shape, arrays)

        def refuse(shape, arrays):
            raise RuntimeError

        peers = [self.make_peer("first", right("first")),
                 self.make_peer("none", None, refuse),
                 self.make_peer("zero", lambda shape, arrays: (0 * arrays[0],)),
                 self.make_peer("nan", lambda shape, arrays: (np.nan * arrays[0],)),
                 self.make_peer("late", breaks_later),
                 self.make_peer("second", right("second"))]
        results = _run.measure(self.machine, shape, peers, rounds=3)
        self.assertEqual([result.name for result in results],
                         [peer.name for peer in peers])
        notes = {result.name: result.note for result in results}
        self.assertEqual(notes["first"], "")
        self.assertEqual(notes["none"], "RuntimeError")
        self.assertRegex(notes["zero"], "^wrong result: expected errors of at most 5e-05")
        self.assertRegex(notes["nan"], "found nan$")
        self.assertEqual(notes["late"], "out of")
        for result in results:
            self.assertEqual(result.timing is None, bool(result.note))
        self.assertEqual(results[0].timing, _run.Timing(1.0, 0.0, 30))
        # Each implementation is first called twice, and then once in each round, in turn.
        self.assertEqual([c for c in calls if c != "late"],
                         ["first"] * 2 + ["second"] * 2 + ["first", "second"] * 3)

    def test_reference(self):
        for dtype in ("f32", "f16"):
            for causal in ("no", "yes"):
                shape, = _shapes.select(["2,4:2,19:37,16:24"], dtype, causal)
                q, k, v = self.machine.make_arrays(shape)
                self.assertEqual(q.strides[1], 16 * q.itemsize)  # rows of all heads
                found, pairs = _reference.attend(self.machine, shape, (q, k, v))
                self.assertEqual(pairs, np.tri(19, 37).sum() * 8 if shape.causal
                                 else 19 * 37 * 8)
                expected, _ = reference.attention(q, k, v, causal=shape.causal)
                np.testing.assert_allclose(found.exact, expected, atol=1e-12)
                low, high = (5e-5, 5e-5) if dtype == "f32" else (1e-3, 8e-3)
                self.assertTrue(low <= found.limit <= high, found.limit)
                result = _run.measure(self.machine, shape, [Own(self.machine)], 1)[0]
                self.assertEqual(result.note, "")

    def test_reference_of_gradients(self):
        for dtype in ("f32", "f16"):
            for causal in ("no", "yes"):
                shape, = _shapes.select(["backward:2,4:2,19:37,16:24"], dtype, causal)
                problem = _kinds.find_kind(shape).make_problem(self.machine, shape)
                expected = reference.gradients(*problem.arrays, causal=shape.causal)
                for its, gradient in zip(problem.references, expected):
                    np.testing.assert_allclose(its.exact, gradient, atol=1e-12)
                    low, high = (1e-5, 1e-4) if dtype == "f32" else (1e-3, 3e-2)
                    self.assertTrue(low <= its.limit <= high, its.limit)

    def test_parts(self):
        """References that are computed in parts of rows and heads are equal to those of one
        part."""
        for shape in _shapes.select(["masks:2,4:2,40,8", "packed:2,4:2,40,8",
                                     "backward:2,4:2,19:37,8"], "f16", "both"):
            make_problem = _kinds.find_kind(shape).make_problem
            expected = make_problem(self.machine, shape)
            for part in (1, 700, 4000):
                self.machine.part = part
                found = make_problem(self.machine, shape)
                for one, other in zip(found.references, expected.references):
                    np.testing.assert_allclose(one.exact, other.exact, atol=1e-12)
                    self.assertAlmostEqual(one.limit, other.limit)
                self.assertEqual(found.shape, expected.shape)
            self.machine.part = _machine.Host.part

    def test_dropout(self):
        """The bench's Philox keeps the same probabilities as the kernels."""
        seed = (2**63 - 5, 2**40 + 7)
        q, k = (np.zeros((2, 3, 21, 8), np.float32) for _ in "qk")
        keep, factor = _philox.make_keep(np, 3, 0.3, seed)
        b, h, i, j = np.ogrid[:2, :3, :21, :21]
        expected = attn_mlir.dropout_mask(q, k, 0.3, seed)
        for entry in range(2):
            np.testing.assert_array_equal(keep(entry, h[0], i[0, 0], j.ravel()),
                                          expected[entry])
        self.assertAlmostEqual(factor, 1 / 0.7, delta=1e-4)

    def test_documents(self):
        shape, = _shapes.select(["masks:3,1,16384,8"], None, None, ["prefix"])
        self.assertEqual(sorted(_variants.DOCUMENTS)[::7], [432, 4552])
        for b, ends in enumerate(_variants.document_ends(shape)):
            self.assertEqual(ends[-1], 16384)
            self.assertEqual(sorted(np.diff([0, *ends])), sorted(_variants.DOCUMENTS))
            self.assertEqual(ends[0], _variants.DOCUMENTS[b])

    def test_error_limit(self):
        # The expected limits are the same as in the C++ tests.
        self.assertEqual(_reference.error_limit("f16", 3, 0), 2 ** -9 + 1e-5)
        self.assertEqual(_reference.error_limit("bf16", 3, 0), 2 ** -6 + 1e-5)
        self.assertEqual(_reference.error_limit("f16", 4, 0.25), 2 ** -8 + 0.5 + 1e-5)
        self.assertEqual(_reference.error_limit("f16", 0, 0), 2 ** -24 + 1e-5)
        self.assertEqual(_reference.error_limit("f32", 3, 0), 5e-5)
        self.assertEqual(_reference.error_limit("f32", 3, 1), 2)
        self.assertAlmostEqual(_reference.gradient_limit("f16", 3, 0.5),
                               1.5 + 2 ** -9 + 3e-5, delta=1e-12)
        self.assertAlmostEqual(_reference.gradient_limit("f32", 3, 0), 2 ** -22 + 3e-5,
                               delta=1e-12)

    def test_sustained(self):
        counts = []

        def run(count):
            counts.append(count)
            return count * (1e-3 if sum(counts) < 500 else 2e-3)
        times = _machine.sustain(run, 1)
        # Once the first window has shown how long a run takes, windows have as many runs as take 20
        # ms.
        self.assertEqual(counts[:3], [1, 20, 20])
        self.assertEqual(counts[-1], 10)
        self.assertEqual(set(times), {2e-3})
        self.assertEqual(len(_machine.sustain(lambda count: 3, 1)), 1)

    def test_summary(self):
        self.assertEqual(_run.summarize([5, 1, 4, 2, 3]), (3, 2 / 3, 5))
        self.assertEqual(_run.summarize([7]), (7, 0, 1))


class Terminal(unittest.TestCase):
    def test_progress(self):
        shape, = _shapes.select(["gpt2"])
        file = io.StringIO()
        progress = _report.Progress(file, 4)
        progress.show(1, shape)
        progress.clear()
        self.assertEqual(file.getvalue(), "")
        file.isatty = lambda: True
        progress = _report.Progress(file, 4)
        progress.show(1, shape)
        self.assertEqual(file.getvalue(), f"\r\033[K[#####...............] 1/4 {shape}")
        progress.clear()
        self.assertTrue(file.getvalue().endswith("\r\033[K"))

    def test_row(self):
        shape, = _shapes.select(["flux"])
        ceilings = _run.Ceilings({"bf16": 800.0}, 4000.0)

        def result(name, tflops):
            return _run.Result(shape, name, _run.Timing(shape.flops / tflops * 1e-12,
                                                        0.012, 40))
        none = _run.Result(shape, "fa2", None, "no")
        row = _report.format_row(result("attn-mlir", 600), [result("cudnn", 500), none],
                                 ceilings)
        self.assertEqual(row.split()[-9:], ["0.435", "1.2%", "600", "75.0%", "260.4",
                                            "6.5%", "500", "(1.20)", "-"])
        row = _report.format_row(none, [result("cudnn", 500)], ceilings)
        self.assertEqual(row.split()[-2:], ["failed", "500"])
        header = _report.format_header(["cudnn"])
        self.assertEqual(len(row), len(header))


class Machines(unittest.TestCase):
    def test_auto(self):
        with mock.patch.object(_machine, "Cuda", side_effect=Error("none")):
            self.assertEqual(_machine.find("auto").name, "host")
            with self.assertRaisesRegex(Error, "target cuda: none; `attnc bench`"):
                _machine.find("cuda")


if __name__ == "__main__":
    unittest.main()
