# The cache of compiled kernels, which several processes share.
#
# REQUIRES: capi, numpy
# RUN: rm -rf %t && mkdir %t && ln -s %fakecuda %t/libcuda.so.1
# RUN: env CACHE=%t/cache LD_LIBRARY_PATH=%t %numpy-python %s

import glob
import os
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import numpy as np
import reference

CACHE = os.environ["CACHE"]

# Calls attention on the host and on the fake driver, whose launches it counts.
CALLS = """
import os, sys, time
sys.path.insert(0, os.path.join(os.path.dirname(sys.argv[1]), "Inputs"))
import attn_mlir, ctypes, numpy as np, reference
from attn_mlir import _cuda, score
factor = float(sys.argv[2])
score_mod = lambda s, b, h, i, j: factor * score.tanh(s)
q, k, v = reference.problem()
expected, expected_lse = reference.attention(
    q, k, v, causal=True, score=lambda s, *_: factor * np.tanh(s))
o, lse = attn_mlir.attention(q, k, v, causal=True, score_mod=score_mod, return_lse=True)
reference.check(o, expected)
reference.check(lse, expected_lse)

class Array:
    def __init__(self):
        self.memory = np.zeros(1 << 16, np.uint8)
        self.__cuda_array_interface__ = {
            "shape": (1, 2, 4, 64), "typestr": "<f2", "version": 3, "strides": None,
            "data": ((self.memory.ctypes.data + 255) & -256, False)}

arrays = [Array() for _ in range(4)]
with _cuda.on_device(0):
    start = time.perf_counter()
    attn_mlir.attention(*arrays[:3], out=arrays[3], score_mod=score_mod)
    seconds = time.perf_counter() - start
driver = ctypes.CDLL("libcuda.so.1")
print(driver.fake_calls(b"cuLaunchKernel") + driver.fake_calls(b"cuLaunchKernelEx"),
      seconds)
"""


def start(factor=2.0, **environment):
    return subprocess.Popen(
        [sys.executable, "-c", CALLS, __file__, str(factor)], stdout=subprocess.PIPE,
        text=True, env={**os.environ, "ATTN_MLIR_CACHE": CACHE, **environment})


def finish(process):
    """Returns the seconds that the process's first call for the GPU took, after checking that it
    launched one kernel."""
    output, _ = process.communicate()
    if process.returncode:
        raise AssertionError(f"exit status {process.returncode}")
    launches, seconds = output.split()
    assert launches == "1", launches
    return float(seconds)


def entries():
    return {path: os.stat(path).st_mtime_ns for path in glob.glob(CACHE + "/*")}


class Cache(unittest.TestCase):
    def setUp(self):
        for path in entries():
            os.remove(path)

    def test_calls(self):
        slow = finish(start())
        known = entries()
        self.assertEqual(len(known), 2)
        fast = [finish(start()) for _ in range(3)]
        self.assertEqual(entries(), known)
        print(f"a first call takes {slow * 1e3:.1f} ms, {min(fast) * 1e3:.1f} ms with "
              "the cache")
        self.assertLess(min(fast), slow / 5)
        # With another number in the score function, other kernels are compiled.
        finish(start(factor=3.0))
        self.assertEqual(len(entries()), 4)

    def test_off(self):
        finish(start(ATTN_MLIR_CACHE="0"))
        self.assertEqual(entries(), {})

    def test_unusable(self):
        finish(start(ATTN_MLIR_CACHE=__file__))
        finish(start(ATTN_MLIR_CACHE="/proc/nothing"))

    def test_damage(self):
        finish(start())
        known = entries()
        for path in known:
            size = os.path.getsize(path)
            with open(path, "r+b") as file:
                file.seek(size // 2)
                byte = file.read(1)[0]
                file.seek(size // 2)
                file.write(bytes([byte ^ 16]))
        known = entries()
        finish(start())
        mended = entries()
        self.assertEqual(known.keys(), mended.keys())
        for path, time_of_writing in known.items():
            self.assertNotEqual(time_of_writing, mended[path])
        finish(start())
        self.assertEqual(entries(), mended)

    def test_many_processes(self):
        for process in [start() for _ in range(6)]:
            finish(process)
        self.assertEqual(len(entries()), 2)

    def test_killed(self):
        for milliseconds in (150, 300, 450, 600):
            process = start()
            time.sleep(milliseconds / 1e3)
            process.kill()
            process.communicate()
        finish(start())
        known = entries()
        finish(start())
        self.assertEqual(entries(), known)

    def test_argument(self):
        q, k, v = reference.problem()
        expected, _ = reference.attention(q, k, v)
        for cache, count in (("0", 0), (CACHE, 1), (CACHE, 1)):
            kernel = attn_mlir.compile(dtype="f32", head_dim=16, chip="host", cache=cache)
            out = np.empty_like(q)
            kernel.run(q, k, v, out)
            reference.check(out, expected)
            self.assertEqual(len(entries()), count)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^cache: expected a string"):
            attn_mlir.compile(head_dim=16, chip="host", cache=0)

    def test_what_a_kernel_says(self):
        def say(kernel):
            return (kernel.ptx, kernel.arguments, kernel.resources, kernel.diagnostics,
                    kernel.chip, kernel.ir("tile"))

        new, known = (say(attn_mlir.compile(head_dim=64, chip="sm_80", return_lse=True,
                                            cache=CACHE)) for _ in range(2))
        self.assertEqual(len(entries()), 1)
        self.assertEqual(new, known)


if __name__ == "__main__":
    unittest.main()
