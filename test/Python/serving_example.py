# The example that serves a model, at the size for the CPU: its tokens are those of plain
# torch, and what would make others is found.
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

import serve_llama
from llama_serving import model
from llama_serving.engine import Engine

LEAVE, APPEND, DECODE = Engine._leave, model.append, model.decode


def serve(*arguments):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        status = serve_llama.main(["--device", "cpu", *arguments])
    return status, text.getvalue()


class Check(unittest.TestCase):
    def test_good(self):
        for dtype in ("f32", "bf16"):
            status, text = serve("--dtype", dtype, "--check")
            self.assertEqual((status, text.splitlines()[-1]), (0, "good"), text)
            self.assertIn("64 requests", text)
            if dtype == "f32":
                self.assertRegex(text, r"; 0 of \d+ tokens differ")
            pages = re.search(r"(\d+) pages handed out of a pool of (\d+)", text)
            self.assertGreater(int(pages[1]), 2 * int(pages[2]))

    def expect_wrong(self, dtype="f32"):
        status, text = serve("--dtype", dtype, "--requests", "24", "--check")
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


if __name__ == "__main__":
    unittest.main()
