# The context and stream of launches on GPUs, and how arrays say on which device they are. The
# driver is a fake with two devices whose kernels do nothing.
#
# REQUIRES: capi, numpy
# RUN: rm -rf %t && mkdir %t && ln -s %fakecuda %t/libcuda.so.1
# RUN: env LD_LIBRARY_PATH=%t %numpy-python %s

import ctypes
import os
import sys
import threading
import unittest
import unittest.mock as mock

import attn_mlir
import numpy as np
from attn_mlir import _cuda, _frames

driver = ctypes.CDLL("libcuda.so.1")
driver.fake_recorded.restype = ctypes.c_ulonglong
driver.fake_recorded.argtypes = [ctypes.c_char_p]
driver.fake_calls.argtypes = [ctypes.c_char_p]


class Interface:
    """An array whose only interface is __cuda_array_interface__."""

    def __init__(self, *shape, typestr="<f2", size=1 << 16, **more):
        self.memory = np.zeros(size, np.uint8)
        address = (self.memory.ctypes.data + 255) & -256
        self.__cuda_array_interface__ = {"shape": shape, "typestr": typestr, "version": 3,
                                         "data": (address, False), "strides": None,
                                         **more}


class Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", Device), ("rank", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.c_void_p), ("offset", ctypes.c_uint64),
                ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class DLPack:
    """A bf16 array whose only interface is __dlpack__."""

    def __init__(self, device, *shape):
        self.memory = np.zeros(1 << 16, np.uint8)
        self.shape = (ctypes.c_int64 * len(shape))(*shape)
        self.tensor = Tensor((self.memory.ctypes.data + 255) & -256, Device(2, device),
                             len(shape), 4, 16, 1, self.shape)

    def __dlpack_device__(self):
        return 2, self.tensor.device.id

    def __dlpack__(self, stream=None):
        assert stream == -1
        new = ctypes.pythonapi.PyCapsule_New
        new.restype = ctypes.py_object
        new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


def launches():
    return driver.fake_calls(b"cuLaunchKernel") + driver.fake_calls(b"cuLaunchKernelEx")


def run_kernels(count):
    """Returns a list of kernels that ran, to which there are no other references."""
    kernels = [attn_mlir.compile(head_dim=64) for _ in range(count)]
    q, k, v, o = (Interface(1, 2, 4, 64) for _ in range(4))
    for its in kernels:
        its.run(q, k, v, o)
    return kernels


def capturing():
    """A context in which torch captures the current stream."""
    torch = mock.Mock()
    torch.cuda.is_current_stream_capturing.return_value = True
    return mock.patch.dict(sys.modules, {"torch": torch})


class GPU(unittest.TestCase):
    def setUp(self):
        driver.cuCtxSetCurrent(None)
        self.before = launches()

    def launched(self):
        return launches() - self.before

    def test_workspace(self):
        q, o = (Interface(2, 8, 1, 64) for _ in range(2))
        k, v = (Interface(2, 2, 500, 64, size=1 << 18) for _ in range(2))
        allocations = driver.fake_calls(b"cuMemAllocAsync")
        size = attn_mlir.workspace_size(attn_mlir.decode, q, k, v, out=o)
        self.assertGreater(size, 0)
        self.assertEqual(self.launched(), 0)

        def space(count, **more):
            return Interface(count, typestr="|i1", size=1 << 18, **more)

        with attn_mlir.workspace(space(size)):
            attn_mlir.decode(q, k, v, out=o)
            # A workspace in an inner block replaces the outer one only within that block.
            with attn_mlir.workspace(space(size + 1)):
                attn_mlir.decode(q, k, v, out=o)
        self.assertEqual(driver.fake_calls(b"cuMemAllocAsync"), allocations)
        launched = self.launched()
        self.assertGreaterEqual(launched, 4)
        with attn_mlir.workspace(space(size - 1)):
            with self.assertRaisesRegex(attn_mlir.Error,
                                        f"at least {size} bytes, found {size - 1}"):
                attn_mlir.decode(q, k, v, out=o)
        self.assertEqual(self.launched(), launched)
        attn_mlir.decode(q, k, v, out=o)
        self.assertGreater(driver.fake_calls(b"cuMemAllocAsync"), allocations)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "array: expected an array on a GPU"):
            attn_mlir.workspace(np.zeros(8, np.int8))
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "array without gaps"):
            attn_mlir.workspace(space(16, strides=(2,)))

    def test_stored_scores(self):
        """The workspace of gradients above 256 columns counts the pairs of tiles that a mask keeps:
        of 4 heads with 32 tiles of rows, under a window of 1001 keys 1, 2, ... 8 and then 9 tiles
        of keys of each, of a diagonal 1, 2, ... 32."""
        tile, vector = 128 * 128 * 2, 4 * 4096 * 4
        arrays = [Interface(1, 4, 4096, 512) for _ in range(8)]
        lse = Interface(1, 4, 4096, typestr="<f4")
        q, k, v, o, d_o, *out = arrays

        def size(**mask):
            return attn_mlir.workspace_size(attn_mlir.attention_backward, q, k, v, o, lse, d_o,
                                            out=out, **mask)

        def stored(pairs):
            # P and dS, five numbers of each listed pair, the count of pairs, that of each tile of
            # rows, and lse and delta.
            lists = sum((count * 4 + 255) // 256 * 256 for count in (5 * pairs, 1, 4 * 32))
            return 2 * pairs * tile + lists + 2 * vector

        self.assertEqual(size(), 2 * 4 * 32 * 32 * tile + 2 * vector)
        self.assertEqual(size(causal=True), stored(4 * 32 * 33 // 2))
        self.assertEqual(size(window=(1000, 0)), stored(4 * (36 + 24 * 9)))
        self.assertEqual(self.launched(), 0)

    def test_array_interface(self):
        q, k, v, o = (Interface(1, 2, 4, 64) for _ in range(4))
        found = attn_mlir.attention(q, k, v, out=o)
        self.assertIs(found, o)
        self.assertEqual(self.launched(), 1)
        self.assertEqual(_cuda.current_device(), 0)
        kernel = next(iter(_frames.kernels.values()))
        self.assertEqual(kernel.chip, "sm_90a")
        self.assertIsNotNone(kernel.resources[0].registers)

    def test_streams(self):
        q, k, v, o = (Interface(1, 2, 4, 64, stream=0x50) for _ in range(4))
        attn_mlir.attention(q, k, v, out=o)
        self.assertEqual(driver.fake_recorded(b"stream"), 0x50)
        attn_mlir.attention(q, k, v, out=o, stream=0x60)
        self.assertEqual(driver.fake_recorded(b"stream"), 0x60)
        kernel = attn_mlir.compile(head_dim=64)
        kernel.run(q, k, v, o)
        self.assertEqual(driver.fake_recorded(b"stream"), 0x50)
        kernel.run(q, k, v, o, stream=0x70)
        self.assertEqual(driver.fake_recorded(b"stream"), 0x70)

    def test_gradients(self):
        """All launches of a call are on the stream of the arrays or, if it is given, that of the
        caller."""
        arrays = [Interface(1, 2, 4, 64, stream=0x50) for _ in range(8)]
        lse = Interface(1, 2, 4, typestr="<f4", stream=0x50)
        q, k, v, o, d_o, *out = arrays
        for options, stream in (({}, 0x50), ({"stream": 0x60}, 0x60)):
            found = attn_mlir.attention_backward(q, k, v, o, lse, d_o, out=out, **options)
            self.assertEqual(found, tuple(out))
            self.assertEqual(driver.fake_recorded(b"stream"), stream)
        self.assertGreaterEqual(self.launched(), 4)
        one = self.launched()
        attn_mlir.attention_backward(q, k, v, o, lse, d_o, out=out[2:], wrt="value")
        self.assertLess(self.launched() - one, one / 2)
        self.assertEqual(driver.fake_recorded(b"misuse"), 0)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^out: expected an array for "):
            attn_mlir.attention_backward(q, k, v, o, lse, d_o)

    def test_another_current_device(self):
        for device in (0, 1):
            q, k, v, o = (DLPack(device, 1, 2, 4, 64) for _ in range(4))
            attn_mlir.attention(q, k, v, out=o)
        self.assertEqual(self.launched(), 2)
        self.assertEqual(_cuda.current_device(), 0)
        self.assertEqual(driver.fake_recorded(b"misuse"), 0)

    def test_new_threads(self):
        arrays = [DLPack(1, 1, 2, 4, 64) for _ in range(4)]
        attn_mlir.attention(*arrays[:3], out=arrays[3])
        found = []

        def work():
            for _ in range(2):
                attn_mlir.attention(*arrays[:3], out=arrays[3])
            found.append(_cuda.current_device())

        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        self.assertEqual(found, [1])
        self.assertEqual(self.launched(), 3)

    def test_forked(self):
        """In a forked process, each call raises an error, whether its kernel is known or not. The
        end of the process causes no error."""
        q, k, v, o = (DLPack(0, 1, 2, 4, 64) for _ in range(4))
        attn_mlir.attention(q, k, v, out=o)
        kernel = attn_mlir.compile(dtype="bf16", head_dim=64)
        kernel.run(q, k, v, o)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                for call in (lambda: attn_mlir.attention(q, k, v, out=o),
                             lambda: attn_mlir.attention(q, k, v, out=o, scale=2.0),
                             lambda: kernel.run(q, k, v, o),
                             lambda: attn_mlir.compile(dtype="bf16", head_dim=64)):
                    with self.assertRaisesRegex(
                            attn_mlir.Error, "found one that was forked after CUDA was used"):
                        call()
                del kernel
                code = 0
            finally:
                os._exit(code)
        _, status = os.waitpid(child, 0)
        self.assertEqual(status, 0)
        kernel.run(q, k, v, o)

    def test_errors(self):
        def expect(text, *arrays, **options):
            with self.assertRaisesRegex(attn_mlir.Error, text):
                attn_mlir.attention(*arrays, **options)

        q, k, v, o = (Interface(1, 2, 4, 64) for _ in range(4))
        on_0, on_1 = DLPack(0, 1, 2, 4, 64), DLPack(1, 1, 2, 4, 64)
        expect("^out: expected an array for the output", q, k, v)
        expect("^k: expected dtype f16 or f8E4M3FN or f8E5M2 or i8 or i4, found f32", q,
               Interface(1, 2, 4, 64, typestr="<f4"), v)
        expect("^v: expected an array on GPU 0.* found one on GPU 1", on_0, on_0, on_1)
        expect("^k: expected an array on GPU 0.* found one on the CPU", on_0,
               np.zeros((1, 2, 4, 64), np.float16), on_0)
        expect("^q: expected dtype .* found <c8", Interface(1, typestr="<c8"), k, v)
        expect("^q: expected strides that are multiples of 2", Interface(
            1, 2, 4, 64, strides=(1024, 512, 129, 2)), k, v)
        read_only = Interface(1, 2, 4, 64)
        read_only.__cuda_array_interface__["data"] = (4096, True)
        expect("^out: .*may be written", q, k, v, out=read_only)
        expect("^out: expected an array on GPU 0", on_0, on_0, on_0, out=on_1)
        self.assertEqual(self.launched(), 0)

    def test_failing_launch(self):
        arrays = [DLPack(0, 1, 2, 4, 64) for _ in range(4)]
        attn_mlir.attention(*arrays[:3], out=arrays[3])
        for function in (b"cuLaunchKernel", b"cuLaunchKernelEx"):
            driver.fake_set_error(function, 719)
        try:
            with self.assertRaises(attn_mlir.Error) as caught:
                attn_mlir.attention(*arrays[:3], out=arrays[3])
        finally:
            for function in (b"cuLaunchKernel", b"cuLaunchKernelEx"):
                driver.fake_set_error(function, 0)
        self.assertEqual(caught.exception.status, "LAUNCH_FAILED")

    def test_driver_compiles_what_is_launched(self):
        kernel = attn_mlir.compile(head_dim=64)
        self.assertEqual(kernel.ptx.count(".version"), 1)
        self.assertEqual(kernel.ptx.count(".entry"), 2)
        q, k, v, o = (Interface(1, 2, 4, 64) for _ in range(4))
        loaded = driver.fake_loaded_modules()
        for arrays, count in (((q, k, v, o), 1), ((q, k, v, o), 1),
                              # The rows of this value begin at addresses from which TMA cannot
                              # copy, so another kernel is loaded.
                              ((q, k, Interface(1, 2, 4, 64, strides=(2400, 600, 150, 2)),
                                o), 2)):
            kernel.run(*arrays)
            self.assertEqual(driver.fake_loaded_modules(), loaded + count)
            self.assertEqual(driver.fake_recorded(b"load.kernels"), 1)

    def test_end_of_a_kernel(self):
        kernels = run_kernels(1)
        loaded = driver.fake_loaded_modules()
        kernels.pop()
        self.assertEqual(driver.fake_loaded_modules(), loaded - 1)
        self.assertGreater(driver.fake_recorded(b"synchronized"), 0)

    def test_end_of_a_kernel_in_a_capture(self):
        """A kernel that Python destroys while the current stream is captured is unloaded when the
        next kernel ends, since waiting for the device would end the capture."""
        kernels = run_kernels(2)
        loaded = driver.fake_loaded_modules()
        waited = driver.fake_recorded(b"synchronized")
        with capturing():
            kernels.pop()
        self.assertEqual(driver.fake_loaded_modules(), loaded)
        self.assertEqual(driver.fake_recorded(b"synchronized"), waited)
        kernels.pop()
        self.assertEqual(driver.fake_loaded_modules(), loaded - 2)

    def test_ends_of_kernels_at_once(self):
        """A kernel that ends while another end waits for the device may still run after this wait,
        so it is not unloaded by the other end."""
        kernels = run_kernels(3)
        loaded = driver.fake_loaded_modules()

        def wait():
            with capturing():
                kernels.pop()

        with mock.patch.object(_cuda, "synchronize", wait):
            kernels.pop()
        self.assertEqual(driver.fake_loaded_modules(), loaded - 1)
        kernels.pop()
        self.assertEqual(driver.fake_loaded_modules(), loaded - 3)

    def test_end_of_a_kernel_without_a_context(self):
        kernel = attn_mlir.compile(head_dim=64, chip="sm_90a")

        def use():
            with _cuda.on_device(1):
                pass

        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        self.assertIsNone(_cuda.current_device())
        del kernel
        self.assertIsNone(_cuda.current_device())


if __name__ == "__main__":
    unittest.main()
