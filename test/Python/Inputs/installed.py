"""Checks an installed package: installed.py SITE VERSION."""

import array
import ctypes
import os
import sys

site, version = sys.argv[1:]
sys.path.insert(0, site)

import attn_mlir
from attn_mlir import _library

assert attn_mlir.__version__ == version, attn_mlir.__version__
assert os.path.samefile(_library.find(), os.path.join(site, "attn_mlir", "libattn-c.so"))
assert os.path.exists(os.path.join(site, "attn_mlir", "py.typed"))
from attn_mlir.bench import __main__ as bench

assert bench.main(["--list", "--shapes", "gpt2"]) == 0
# The package has not imported NumPy or PyTorch.
assert not {"numpy", "torch"} & set(sys.modules)

kernel = attn_mlir.compile(dtype="f32", head_dim=4, chip="host")
assert "attn.attention" in kernel.ir("source")
assert [argument.name for argument in kernel.arguments] == ["query", "key", "value",
                                                            "output"]


class Float32:
    """An array of float32 with four dimensions, whose only interface is __dlpack__."""

    class DLManagedTensor(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2),
                    ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                    ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                    ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                    ("byte_offset", ctypes.c_uint64), ("context", ctypes.c_void_p),
                    ("deleter", ctypes.c_void_p)]

    dtype = "float32"

    def __init__(self, shape, numbers):
        self.shape, self.numbers = shape, array.array("f", numbers)
        self.sizes = (ctypes.c_int64 * 4)(*shape)
        self.tensor = self.DLManagedTensor(
            self.numbers.buffer_info()[0], (1, 0), 4, 2, 32, 1, ctypes.addressof(self.sizes))

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, **options):
        new = ctypes.pythonapi.PyCapsule_New
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p,
                                                       ctypes.c_void_p]
        return new(ctypes.addressof(self.tensor), b"dltensor", None)


# If all keys are 0, probabilities are equal, and the output is the mean of the values.
query, output = Float32((1, 1, 2, 4), range(8)), Float32((1, 1, 2, 4), [-1.0] * 8)
key, value = Float32((1, 1, 3, 4), [0] * 12), Float32((1, 1, 3, 4), range(12))
attn_mlir.attention(query, key, value, out=output)
assert output.numbers.tolist() == [4, 5, 6, 7] * 2, output.numbers
