# Known calls, which the C++ module makes again without Python, on a GPU: their streams, devices
# and results. The driver is a fake with two devices whose kernels do nothing. The tensors are of
# a type that has DLPack's C functions, as PyTorch's tensors have.
#
# REQUIRES: capi, numpy
# RUN: rm -rf %t && mkdir %t && ln -s %fakecuda %t/libcuda.so.1
# RUN: env LD_LIBRARY_PATH=%t %numpy-python %s

import ctypes
import threading
import types
import unittest

import attn_mlir
import numpy as np
from attn_mlir import _cuda
from attn_mlir._library import CUDA, DTYPES, binding

driver = ctypes.CDLL("libcuda.so.1")
driver.fake_recorded.restype = ctypes.c_ulonglong
driver.fake_recorded.argtypes = [ctypes.c_char_p]
driver.fake_calls.argtypes = [ctypes.c_char_p]


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("sizes", ctypes.c_void_p),
                ("strides", ctypes.c_void_p), ("offset", ctypes.c_uint64)]


class Tensor:
    """A stand-in for an f16 tensor on a GPU."""

    requires_grad = is_negative = False

    def __init__(self, *shape, device=0):
        self.memory = np.zeros(1 << 16, np.uint8)
        self.address = (self.memory.ctypes.data + 255) & -256
        strides = [int(np.prod(shape[dim + 1:])) for dim in range(len(shape))]
        self.shape, self.strides = shape, tuple(strides)
        self.words = (ctypes.c_int64 * 8)(*shape, *strides)
        sizes = ctypes.addressof(self.words)
        self.tensor = DLTensor(self.address, 2, device, len(shape), 2, 16, 1, sizes,
                               sizes + 8 * len(shape))

    @property
    def described(self):
        return (self.address, self.shape, self.strides, DTYPES["f16"], CUDA,
                self.tensor.device, None)


class Exchange(ctypes.Structure):
    borrow_type = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)
    stream_type = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_int32, ctypes.c_int32,
                                    ctypes.POINTER(ctypes.c_void_p))
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("previous", ctypes.c_void_p), ("unused", ctypes.c_void_p * 3),
                ("borrow", borrow_type), ("stream", stream_type)]


@Exchange.borrow_type
def borrow(tensor, found):
    ctypes.memmove(found, ctypes.addressof(tensor.tensor), ctypes.sizeof(DLTensor))
    return 0


@Exchange.stream_type
def current_stream(device_type, device, stream):
    stream[0] = 0x100 + device
    return 0


exchange = Exchange(1, 3, None, (ctypes.c_void_p * 3)(), borrow, current_stream)
newer = Exchange(2, 0, ctypes.addressof(exchange), (ctypes.c_void_p * 3)(), borrow,
                 current_stream)
observed = []
forward_ad = types.SimpleNamespace(_current_level=-1)


def know(exchange):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    binding.know_torch((Tensor,), new(ctypes.addressof(exchange), b"dlpack_exchange_api", None),
                       (lambda: observed,), forward_ad, lambda: True,
                       lambda tensor: tensor.is_negative)


def launches():
    return driver.fake_calls(b"cuLaunchKernel") + driver.fake_calls(b"cuLaunchKernelEx")


class GPU(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # The exchange API of a later major version points to that of the version that the module
        # can use.
        know(newer)
        with _cuda.on_device(0):
            cls.kernel = attn_mlir.compile(head_dim=64)

    def setUp(self):
        driver.cuCtxSetCurrent(None)
        with _cuda.on_device(0):
            pass
        self.calls, self.made = binding.Calls(), []

    def arrays(self, count, device=0):
        return [Tensor(1, 2, 4, 64, device=device) for _ in range(count)]

    def remember(self, device=0, out=None):
        *inputs, example = self.arrays(4, device)

        def make(name):
            def function(*shape):
                self.made.append((name, Tensor(*shape, device=device)))
                return self.made[-1][1]
            return function

        results = () if out is not None else (
            (make("anywhere"), make("here"), (1, 2, 4, 64), example),)
        described = [its.described for its in (*inputs, out or example)]
        self.calls.remember(tuple(inputs), ("option",), out, self.kernel, self.kernel._program,
                            described, (0, 1, 2, -1), results, False, (), ())
        self.assertEqual(len(self.calls), 1)

    def find(self, *arrays, out=None, stream=None, options=("option",)):
        before = launches()
        found = self.calls.find(arrays, options, out, stream)
        self.assertEqual(launches() - before, 0 if found is NotImplemented else 1)
        return found

    def test_streams(self):
        self.remember()
        for stream in (None, 0x50, 0):
            found = self.find(*self.arrays(3), stream=stream)
            self.assertIs(found, self.made[-1][1])
            self.assertEqual(driver.fake_recorded(b"stream"),
                             0x100 if stream is None else stream)
        for stream in ("0", -1, 2**64, 1.0, True):
            self.assertIs(self.find(*self.arrays(3), stream=stream), NotImplemented)

    def test_devices(self):
        for device in (0, 1):
            self.calls.clear()
            self.remember(device)
            self.find(*self.arrays(3, device))
            self.assertEqual(self.made[-1][0], "anywhere" if device else "here")
            self.assertEqual(driver.fake_recorded(b"stream"), 0x100 + device)
            self.assertEqual(_cuda.current_device(), 0)
            self.assertIs(self.find(*self.arrays(3, 1 - device)), NotImplemented)
        with _cuda.on_device(1):
            self.find(*self.arrays(3, 1))
            self.assertEqual(self.made[-1][0], "here")
        self.assertEqual(driver.fake_recorded(b"misuse"), 0)

    def test_new_threads(self):
        self.remember(1)
        found = []

        def work():
            for _ in range(2):
                self.find(*self.arrays(3, 1))
                found.append(self.made[-1][0])
            found.append(_cuda.current_device())

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        # A new thread has no current context until its first launch sets one.
        self.assertEqual(found, ["anywhere", "here", 1])

    def test_outputs(self):
        out = Tensor(1, 2, 4, 64)
        self.remember(out=out)
        for _ in range(2):
            other = Tensor(1, 2, 4, 64)
            self.assertIs(self.find(*self.arrays(3), out=other), other)
        self.assertIs(self.find(*self.arrays(3)), NotImplemented)
        self.assertEqual(self.made, [])
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "memory of its own"):
            self.calls.find((other, *self.arrays(2)), ("option",), other, None)

    def test_results_of_another_layout(self):
        """If an allocated result has not the known layout, the call is left to Python."""
        *inputs, example = self.arrays(4)
        wrong = Tensor(1, 2, 4, 32)
        self.calls.remember(tuple(inputs), (), None, self.kernel, self.kernel._program,
                            [its.described for its in (*inputs, example)], (0, 1, 2, -1),
                            ((lambda: wrong, None, (), example),), False, (), ())
        self.assertIs(self.find(*self.arrays(3), options=()), NotImplemented)

        def fail():
            raise MemoryError("no more")

        self.calls.remember(tuple(inputs), (), None, self.kernel, self.kernel._program,
                            [its.described for its in (*inputs, example)], (0, 1, 2, -1),
                            ((fail, None, (), example),), False, (), ())
        with self.assertRaisesRegex(MemoryError, "no more"):
            self.calls.find(tuple(self.arrays(3)), (), None, None)

    def test_what_others_must_see(self):
        self.remember()
        arrays = self.arrays(3)
        self.assertIsNot(self.find(*arrays), NotImplemented)
        for holder, name, value in ((forward_ad, "_current_level", 0),
                                    (arrays[2], "requires_grad", True),
                                    (arrays[1], "is_negative", True)):
            before = getattr(holder, name)
            setattr(holder, name, value)
            self.assertIs(self.find(*arrays), NotImplemented, name)
            setattr(holder, name, before)
        observed.append(1)
        self.assertIs(self.find(*arrays), NotImplemented)
        observed.clear()

        class Subclass(Tensor):
            pass

        self.assertIs(self.find(Subclass(1, 2, 4, 64), *arrays[1:]), NotImplemented)
        self.assertIsNot(self.find(*arrays), NotImplemented)

    def test_failing_launch(self):
        self.remember()
        for function in (b"cuLaunchKernel", b"cuLaunchKernelEx"):
            driver.fake_set_error(function, 719)
        try:
            with self.assertRaises(attn_mlir.Error) as caught:
                self.calls.find(tuple(self.arrays(3)), ("option",), None, None)
        finally:
            for function in (b"cuLaunchKernel", b"cuLaunchKernelEx"):
                driver.fake_set_error(function, 0)
        self.assertEqual(caught.exception.status, "LAUNCH_FAILED")


if __name__ == "__main__":
    unittest.main()
