# The example that serves a model with multi-head latent attention. Its tokens are those of plain
# PyTorch, and planted errors that would change tokens are found.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s %examples

import contextlib
import io
import sys
import unittest
import unittest.mock

sys.path.insert(0, sys.argv.pop(1))

import serve_mla
from mla_serving import model

DECODE = model.mla_decode


def serve(*arguments):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        status = serve_mla.main(["--device", "cpu", "--requests", "20", "--check", *arguments])
    return status, text.getvalue()


class Serving(unittest.TestCase):
    def test_good(self):
        for arguments in (("--dtype", "f32"), ("--dtype", "bf16"),
                          ("--dtype", "f32", "--kv", "e4m3")):
            status, text = serve(*arguments)
            self.assertEqual((status, text.splitlines()[-1]), (0, "good"), text)
            if "f32" in arguments:
                self.assertRegex(text, r"; 0 of \d+ tokens differ")

    def test_wrong(self):
        """The example finds the errors of a wrong scale of scores and of keys that are left out."""
        for change in (lambda options: {"scale": 0.5 * options["scale"]},
                       lambda options: {"causal": False, "window": (3, 0)}):
            def decode(*arrays, **options):
                return DECODE(*arrays, **{**options, **change(options)})

            with unittest.mock.patch.object(model, "mla_decode", decode):
                status, text = serve("--dtype", "bf16")
                self.assertEqual((status, text.splitlines()[-1]), (1, "WRONG"), text)


if __name__ == "__main__":
    unittest.main()
