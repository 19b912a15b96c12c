# python -m attn_mlir.bench.jax on the CPU: attention in JAX beside its peers, without torch.
#
# REQUIRES: capi, jax
# RUN: env JAX_PLATFORMS=cpu %jax-python -W ignore %s

import contextlib
import csv
import json
import os
import sys
import tempfile
import types
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))
sys.modules["torch"] = None  # an import is an error

import attn_mlir.jax as own
import commands
import jax
import jax.numpy as jnp
import numpy as np
from attn_mlir.bench import _jax_machine, _jax_reference, _shapes
from attn_mlir.bench import jax as bench
from jax_reference import attention, gradients_in_double

TINY = ["--target", "host", "--rounds", "1"]
NAMES = ["attn-mlir", "cudnn", "tokamax", "tokamax-triton", "xla"]


def run(*arguments):
    """Runs the bench. Returns the exit status, standard output and standard error."""
    with mock.patch.object(_jax_machine, "WINDOW", 0.0):
        return commands.run(bench.main, *arguments)


class Bench(unittest.TestCase):
    def test_table(self):
        with tempfile.TemporaryDirectory() as directory, \
                mock.patch.dict(sys.modules, tokamax=None):
            path = os.path.join(directory, "x.csv")
            status, out, err = run(*TINY, "--shapes", "2,4:2,24,16", "small", "--dtype", "f32",
                                   "--csv", path, "--commit", "abc")
            self.assertEqual(status, 0, out + err)
            with open(path, newline="") as file:
                rows = list(csv.DictReader(file))
        # Each missing peer is reported once, with the reason.
        self.assertEqual(sorted(its.partition(";")[0] for its in err.splitlines()), [
            "bench: cudnn: expected a CUDA device",
            "bench: tokamax-triton: expected the package tokamax: import of tokamax halted",
            "bench: tokamax: expected the package tokamax: import of tokamax halted"])
        conditions = json.loads(rows[0]["note"])
        self.assertEqual((conditions["commit"], conditions["jax"]), ("abc", jax.__version__))
        rows = rows[3:]
        self.assertEqual([row["peer"] for row in rows], NAMES * 7)
        self.assertEqual([(row["pass"], row["causal"], row["variant"]) for row in rows[::5]], [
            ("fwd", "0", "forward"), ("fwd+bwd", "0", "gradients"), ("fwd", "1", "forward"),
            ("fwd+bwd", "1", "gradients"), ("fwd", "0", "call"), ("fwd", "0", "queued"),
            ("fwd", "0", "loop")])
        for row in rows:
            if row["peer"] not in ("attn-mlir", "xla"):
                self.assertEqual(row["ms"], "")
                self.assertTrue(row["note"], row)
                continue
            count = 14 if row["pass"] == "fwd+bwd" else 4
            flops = count * int(row["B"]) * int(row["Hq"]) * int(row["Sq"])**2 * int(row["D"])
            flops /= 1 + int(row["causal"])
            self.assertAlmostEqual(float(row["tflops"]) * float(row["ms"]) * 1e9 / flops, 1,
                                   delta=1e-3)
            self.assertEqual((row["runs"], row["note"]), ("10", ""))

    def test_reference(self):
        """Compares the bench's reference, which is computed in parts, with that of the tests, for
        heads that share keys."""
        machine = _jax_machine.Machine("host")
        for causal, part in ((False, 1 << 20), (True, 24 * 5)):
            shape = bench.JaxShape("jax", "f32", 2, 6, 2, 24, 24, 8, 8, causal, "gradients")
            arrays = (*machine.make_arrays(shape), machine.make_heads(shape, 3, 6, 24, 8))
            mask = (lambda b, h, i, j: j <= i) if causal else None
            *inputs, d_o = arrays

            def plain(*arrays, mask=mask):
                return (attention(*arrays, mask=mask)[0],)

            gradients = gradients_in_double(plain, inputs, [d_o])
            with jax.enable_x64(True):
                output = attention(*[its.astype("float64") for its in inputs], mask=mask)[0]
            found = _jax_reference.differentiate(shape, arrays, part)
            for its, wanted in zip(found, [output, *gradients], strict=True):
                np.testing.assert_allclose(its.exact, wanted, rtol=0, atol=1e-12)
                self.assertLess(its.limit, 1e-3)

    def test_wrong_results(self):
        """The bench finds wrong outputs, wrong gradients, and wrong results of calls in a loop."""
        plain = own.attention

        @jax.custom_vjp
        def wrong(q, k, v):
            return plain(q, k, v)

        def backward(arrays, d_o):
            d_q, d_k, d_v = jax.vjp(plain, *arrays)[1](d_o)
            return d_q, d_k * 1.01, d_v

        wrong.defvjp(lambda *its: (plain(*its), its), backward)
        for function, shape, errors in (
                (lambda *its, **options: plain(*its, scale=0.2), "1,2,16,8", 2),
                (lambda *its, **options: plain(*its, scale=0.2), "small", 3),
                (lambda q, k, v, causal: wrong(q, k, v), "1,2,16,8", 1)):
            with mock.patch.object(own, "attention", function):
                status, out, err = run(*TINY, "--shapes", shape, "--dtype", "f32", "--causal",
                                       "no", "--peers", "none")
            self.assertEqual((status, out.count(" failed ")), (1, errors), out + err)
            self.assertIn(": wrong result: ", err)

    def test_tokamax(self):
        """Checks by a stand-in what the bench calls of tokamax, also in the context of its
        autotuner's results."""
        calls, entered = [], []

        def attend(q, k, v, is_causal, implementation):
            calls.append((is_causal, implementation))
            return jax.nn.dot_product_attention(q, k, v, is_causal=is_causal)

        @contextlib.contextmanager
        def tuned():
            entered.append(len(calls))
            yield

        module = types.SimpleNamespace(dot_product_attention=attend,
                                       autotune=lambda function, *inputs: tuned())
        arguments = [*TINY, "--shapes", "1,2,16,8", "--dtype", "f32", "--causal", "yes",
                     "--peers", "tokamax"]
        with mock.patch.dict(sys.modules, tokamax=module):
            for more, count in (([], 0), (["--autotune"], 2)):
                calls.clear(), entered.clear()
                status, out, err = run(*arguments, *more)
                self.assertEqual((status, err), (0, ""))
                self.assertEqual(out.count("("), 2, out)  # a ratio for each row
                self.assertEqual(set(calls), {(True, None)})
                self.assertEqual(len(entered), count)
                # The function is traced in the context of the autotuner's results, and in no other
                # one.
                self.assertEqual(entered, [0, 1][:count])

    def test_shapes(self):
        """Checks the shapes that are the default on a GPU."""
        shapes = bench._make_shapes(["grid", "small"], "bf16", "both")
        self.assertEqual(len(shapes), 2 * 5 * 2 * 2 + 3)
        self.assertEqual({its.heads * its.head_dim for its in shapes[:-3]}, {2048})
        self.assertEqual({its.batch * its.rows for its in shapes[:-3]}, {16384})
        plain, = _shapes.select(["2,4,24,16"], "bf16", "yes")
        forward, both = bench._make_shapes(["2,4,24,16"], "bf16", "yes")
        self.assertEqual((forward.flops, both.flops), (plain.flops, 3.5 * plain.flops))
        self.assertEqual((forward.bytes, both.bytes), (plain.bytes, 2 * plain.bytes))

    def test_errors(self):
        for arguments, message in (
                (["--shapes", "gpt2"], "expected grid, small or B,H[:HK],S,D, found 'gpt2'"),
                (["--shapes", "1,2,3:5,8"], "found '1,2,3:5,8'"),
                (["--shapes", "1,2,3,8:4"], "expected one head dim"),
                (["--rounds", "0"], "argument --rounds: expected at least 1, found 0"),
                (["--peers", "fa3"], "expected all, none or some of cudnn, tokamax, "
                 "tokamax-triton, xla, found 'fa3'"),
                (["--csv", "nowhere/x.csv"], "expected a directory at 'nowhere'")):
            status, out, err = run("--target", "host", *arguments)
            self.assertEqual((status, out), (2, ""))
            self.assertIn(message, err)
        status, _, err = run("--target", "cuda")
        self.assertEqual(status, 1)
        self.assertIn("bench.jax: error: target cuda: expected a CUDA device that JAX can use",
                      err)


if __name__ == "__main__":
    unittest.main()
