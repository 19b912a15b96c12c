# The example that serves a model, at the size for the CPU. Its tokens are those of plain PyTorch,
# and planted errors that would change tokens are found. Also the example of cascade attention.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s %examples

import contextlib
import io
import re
import sys
import unittest
import unittest.mock

sys.path.insert(0, sys.argv.pop(1))

import attn_mlir
import cascade
import serve_llama
from llama_serving import model
from llama_serving.engine import Engine

LEAVE, APPEND, DECODE = Engine._leave, model.append, model.decode


def run(main, *arguments):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        status = main(["--device", "cpu", *map(str, arguments)])
    return status, text.getvalue()


def serve(*arguments):
    return run(serve_llama.main, *arguments)


class Serving(unittest.TestCase):
    def test_good(self):
        for dtype in ("f32", "bf16"):
            status, text = serve("--dtype", dtype, "--check")
            self.assertEqual((status, text.splitlines()[-1]), (0, "good"), text)
            self.assertIn("64 requests", text)
            if dtype == "f32":
                self.assertRegex(text, r"; 0 of \d+ tokens differ")
            pages = re.search(r"(\d+) pages handed out of a pool of (\d+)", text)
            self.assertGreater(int(pages[1]), 2 * int(pages[2]))

    def test_eight_bits(self):
        """With caches of 8 bits, logits are compared with those of plain PyTorch on the stored keys
        and values."""
        for dtype, kv in (("f32", "e4m3"), ("bf16", "e4m3"), ("f16", "i8")):
            status, text = serve("--dtype", dtype, "--kv", kv, "--requests", "24", "--check")
            self.assertEqual((status, text.splitlines()[-1]), (0, "good"), text)
            if dtype == "f32":
                self.assertRegex(text, r"; 0 of \d+ tokens differ")

    def test_scales_that_are_lost(self):
        def decode(*arrays, k_scale, **options):
            return DECODE(*arrays, k_scale=2 * k_scale, **options)

        with unittest.mock.patch.object(model, "decode", decode):
            self.expect_wrong("bf16", "--kv", "e4m3")

    def expect_wrong(self, dtype="f32", *options):
        status, text = serve("--dtype", dtype, "--requests", "24", "--check", *options)
        self.assertEqual((status, text.splitlines()[-1]), (1, "WRONG"), text)

    def test_pages_of_two_requests(self):
        def leave(engine, slot):
            pages = list(engine.running[slot].pages)
            LEAVE(engine, slot)
            engine.free += pages

        with unittest.mock.patch.object(Engine, "_leave", leave):
            for dtype in ("f32", "bf16"):
                self.expect_wrong(dtype)

    def test_lengths_that_stay(self):
        def leave(engine, slot):
            lengths = engine.cache.lengths[:, slot].clone()
            LEAVE(engine, slot)
            engine.cache.lengths[:, slot] = lengths

        with unittest.mock.patch.object(Engine, "_leave", leave):
            self.expect_wrong()

    def test_keys_of_the_future(self):
        with unittest.mock.patch.object(
                model, "decode", lambda *arrays, causal, **options: DECODE(*arrays,
                                                                           **options)):
            self.expect_wrong("bf16")

    def test_other_pairs(self):
        with unittest.mock.patch.object(
                model, "append", lambda *arrays, **options: APPEND(
                    *arrays, interleaved="cos" in options, **options)):
            self.expect_wrong("bf16")


class Cascade(unittest.TestCase):
    def test_good(self):
        for requests, rows, shared, own, dtype in (
                (8, 1, 500, 60, "f32"), (5, 3, 17, 3, "bf16"), (1, 1, 1, 1, "f16")):
            status, text = run(cascade.main, "--requests", requests, "--rows", rows,
                               "--shared", shared, "--own", own, "--dtype", dtype)
            self.assertEqual((status, text.split()[-1]), (0, "good"), text)

    def test_wrong(self):
        """The example finds the error of a merge that ignores the weights of states."""
        def merge(states, return_lse):
            return sum(o for o, _ in states) / len(states)

        with unittest.mock.patch.object(attn_mlir, "merge", merge):
            status, text = run(cascade.main)
        self.assertEqual((status, text.split()[-1]), (1, "WRONG"), text)


if __name__ == "__main__":
    unittest.main()
