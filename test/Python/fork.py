# Calls in forked processes. Threads do not survive a fork, so locks that they held stay locked.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python %s

import multiprocessing
import os
import threading
import time
import unittest

import attn_mlir
import numpy as np

RNG = np.random.default_rng(0)
Q, K, V = (RNG.standard_normal((2, 4, 100, 16)).astype(np.float32) for _ in range(3))
CALLS = {
    "known kernel": lambda: attn_mlir.attention(Q, K, V),
    "mask": lambda: attn_mlir.attention(Q, K, V, mask_mod=lambda b, h, i, j: i - j < 9),
    "merge": lambda: attn_mlir.merge([attn_mlir.attention(Q, K, V, return_lse=True)] * 2)[0],
    "prepared mask": lambda: attn_mlir.prepare_mask(np.ones((70, 70), bool)).summary,
}


def new_kernel(number):
    """Makes a call whose kernel must be compiled."""
    return attn_mlir.attention(Q, K, V, scale=1 / (number + 2))


def run_in_child(body, seconds=60):
    """Whether `body` ends without an error in a forked process, within some seconds."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            body()
            code = 0
        finally:
            os._exit(code)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.01)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return False


def check(call, expected):
    np.testing.assert_array_equal(call(), expected)


class Work(threading.Thread):
    """A thread that calls `call` with 0, 1, .. until it is stopped."""

    def __init__(self, call):
        super().__init__(daemon=True)
        self.call, self.ends, self.count = call, False, 0
        self.start()

    def run(self):
        while not self.ends:
            self.call(self.count)
            self.count += 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.ends = True
        self.join()


def in_a_worker(number):
    return attn_mlir.attention(Q[:, :, :number], K, V)


class Fork(unittest.TestCase):
    def test_calls(self):
        for name, call in CALLS.items():
            with self.subTest(name):
                expected = call()
                self.assertTrue(run_in_child(lambda: check(call, expected)))
                check(call, expected)

    def test_kernels(self):
        """A forked process can run a kernel that was compiled before the fork, read its IR, and
        compile new kernels."""
        kernel = attn_mlir.compile(dtype="f32", head_dim=16, chip="host")
        out = np.empty_like(Q)
        kernel.run(Q, K, V, out)

        def body():
            found = np.empty_like(Q)
            kernel.run(Q, K, V, found)
            np.testing.assert_array_equal(found, out)
            assert "attn.attention" in kernel.ir("source")
            new_kernel(1000)
            kernel.ir("tile")

        self.assertTrue(run_in_child(body))

    def test_children_of_children(self):
        expected = CALLS["known kernel"]()

        def body(depth):
            check(CALLS["known kernel"], expected)
            if depth:
                assert run_in_child(lambda: body(depth - 1))
            check(CALLS["known kernel"], expected)

        self.assertTrue(run_in_child(lambda: body(3)))

    def test_from_a_thread(self):
        CALLS["known kernel"]()
        found = []
        thread = threading.Thread(target=lambda: found.append(
            run_in_child(CALLS["known kernel"])))
        thread.start()
        thread.join()
        self.assertEqual(found, [True])

    def test_beside_calls(self):
        """The process is forked while other threads make calls and hold locks."""
        with Work(lambda _: CALLS["known kernel"]()), Work(lambda _: CALLS["mask"]()):
            for _ in range(50):
                self.assertTrue(run_in_child(CALLS["known kernel"]))

    def test_beside_compilations(self):
        with Work(new_kernel) as work:
            for number in range(5):
                time.sleep(0.03 * number)
                self.assertTrue(run_in_child(lambda: new_kernel(2000 + number)))
        self.assertGreater(work.count, 0)

    def test_beside_texts(self):
        kernel = attn_mlir.compile(dtype="f32", head_dim=24, chip="sm_80")
        with Work(lambda _: kernel.ir("llvm")), Work(lambda _: kernel.ir("tile")):
            self.assertTrue(run_in_child(lambda: kernel.ir("nvvm")))

    def test_pool(self):
        expected = [in_a_worker(number) for number in range(1, 9)]
        with multiprocessing.get_context("fork").Pool(3) as pool:
            for found, its in zip(pool.map_async(in_a_worker, range(1, 9)).get(60), expected):
                np.testing.assert_array_equal(found, its)


if __name__ == "__main__":
    unittest.main()
