# context_parallel is a context of the thread that enters it, and ends with it: other threads,
# exceptions, contexts within each other, and buffers that are given twice.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import sys
import threading
import unittest

import attn_mlir
import torch
import torch.distributed as dist
from attn_mlir._replacements import find_replacement, replaced, replacements
from attn_mlir.distributed import context_parallel

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
Q, K, V = torch.randn(3, 1, 2, 8, 16)


def attend():
    """Returns the output of a call that context_parallel refuses, and that others compute."""
    return attn_mlir.attention(Q, K, V, dropout_p=0.5, seed=(1, 2))


def in_thread(function):
    found = []

    def run():
        try:
            found.append(function())
        except Exception as error:  # noqa: BLE001 (which the caller checks)
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return found[0]


class Scope(unittest.TestCase):
    def tearDown(self):
        self.assertEqual(replacements, [])

    def refuses(self):
        with self.assertRaisesRegex(attn_mlir.Error, "dropout_p: expected none within context"):
            attend()

    def test_threads(self):
        wanted = attend()
        with context_parallel(layout="contiguous"):
            self.refuses()
            torch.testing.assert_close(in_thread(attend), wanted)
            plain = attn_mlir.attention(Q, K, V)
        torch.testing.assert_close(plain, attn_mlir.attention(Q, K, V))
        torch.testing.assert_close(attend(), wanted)

    def test_arguments(self):
        wanted = attn_mlir.attention(Q, K, K[..., 4:12], scale=0.5)
        one = torch.ones(())
        with context_parallel(layout="contiguous"):
            torch.testing.assert_close(attn_mlir.attention(
                Q, K, value_dims=(4, 12), scale=0.5, generator=torch.Generator()), wanted)
            for name, its in (("fast_accumulate", True), ("check", True), ("stream", 5),
                              ("q_scale", one), ("v_mean", one), ("out_dtype", torch.float32),
                              ("kv_dtype", "i4"), ("out", torch.empty_like(Q))):
                with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                            f"^{name}: expected none within context_parallel"):
                    attn_mlir.attention(Q, K, V, **{name: its})

    def test_interleaved(self):
        """A thread leaves its context after another one has entered one."""
        entered, left = threading.Event(), threading.Event()

        def other():
            with context_parallel(layout="contiguous"):
                entered.set()
                left.wait(60)
                self.refuses()
            return attend()

        found = []
        thread = threading.Thread(target=lambda: found.append(other()))
        with context_parallel(layout="contiguous"):
            thread.start()
            self.assertTrue(entered.wait(60))
            self.refuses()
        wanted = attend()
        left.set()
        thread.join()
        torch.testing.assert_close(found[0], wanted)

    def test_exceptions(self):
        buffer = torch.arange(8.0)
        with self.assertRaisesRegex(KeyError, "mine"):
            with context_parallel(buffers=[buffer, buffer], buffer_seq_dims=[0, 0]):
                raise KeyError("mine")
        torch.testing.assert_close(buffer, torch.arange(8.0))
        attend()

    def test_nested(self):
        with replaced(lambda *_, **__: 1):
            with replaced(lambda *_, **__: 2):
                self.assertEqual(attn_mlir.attention(Q, K, V), 2)
                with replaced(None):
                    attend()
                with self.assertRaises(KeyError), replaced(lambda *_, **__: 3):
                    self.assertEqual(attn_mlir.attention(Q, K, V), 3)
                    raise KeyError
                self.assertEqual(attn_mlir.attention(Q, K, V), 2)
            self.assertEqual(attn_mlir.attention(Q, K, V), 1)
        attend()

    def test_backward(self):
        """Within a backward pass, a thread without a context is in that of the only thread with
        one: autograd runs backward passes on GPUs in threads of its own."""
        class Call(torch.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x.clone()

            @staticmethod
            def backward(ctx, gradient):
                function = find_replacement()
                return gradient * (0 if function is None else function())

        def differentiate():
            x = torch.ones(1, requires_grad=True)
            return torch.autograd.grad(Call.apply(x), x)[0].item()

        with replaced(lambda: 5):
            self.assertEqual(in_thread(differentiate), 5)

            def both():
                with replaced(lambda: 7):
                    return differentiate(), in_thread(differentiate)

            own, third = in_thread(both)
            self.assertEqual(own, 7)
            self.assertIn("expected one thread within context_parallel", str(third))
        self.assertEqual(in_thread(differentiate), 0)

    def test_many_threads(self):
        """Threads enter and leave contexts at any time."""
        def enter():
            start.wait()
            for _ in range(2000):
                with replaced(abs):
                    found.append(find_replacement())

        found, start = [], threading.Barrier(6)
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-6)
        try:
            threads = [threading.Thread(target=enter) for _ in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(interval)
        self.assertEqual(found, [abs] * 12000)
        self.assertEqual(replacements, [])


if __name__ == "__main__":
    unittest.main()
