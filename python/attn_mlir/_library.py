"""libattn-c.so: the declarations of attn-c/attn.h for ctypes, and the module in C++ beside
it, which makes what a call needs each time."""

import ctypes
import importlib.machinery
import importlib.util
import os
import pathlib
from ctypes import (CDLL, POINTER, Structure, c_char_p, c_int32, c_int64, c_size_t,
                    c_uint32, c_uint64, c_void_p)
from typing import Any

from ._errors import ArgumentError, Error

STATUSES = ("SUCCESS", "NO_DRIVER", "NO_DEVICE", "BAD_PROGRAM", "OUT_OF_MEMORY",
            "INVALID_ARGUMENT", "LAUNCH_FAILED", "DRIVER_ERROR", "INVALID_MODULE",
            "UNSUPPORTED")
NO_DEVICE = STATUSES.index("NO_DEVICE")
INVALID_ARGUMENT = STATUSES.index("INVALID_ARGUMENT")

# attn_dtype.
DTYPES = {"f16": 1, "bf16": 2, "f32": 3, "f64": 4, "i1": 5, "i8": 6, "i16": 7,
          "i32": 8, "i64": 9, "f8E4M3FN": 10, "f8E5M2": 11}
DTYPE_NAMES = {code: name for name, code in DTYPES.items()}
# Of an element.
DTYPE_BYTES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i1": 1, "i8": 1, "i16": 2, "i32": 4,
               "i64": 8, "f8E4M3FN": 1, "f8E5M2": 1}
F32 = DTYPES["f32"]
# attn_device_type.
ANY, CPU, CUDA = 0, 1, 2
# attn_argument_kind.
KINDS = {1: "input", 2: "output", 3: "scratch", 4: "scalar"}
DYNAMIC = -2**63


class CompileOptions(Structure):
    _fields_ = [("struct_size", c_size_t), ("chip", c_char_p), ("access", c_char_p),
                ("function", c_char_p), ("cpu", c_char_p), ("source_name", c_char_p),
                ("cache", c_char_p), ("lineinfo", c_char_p)]


class ArgumentInfo(Structure):
    _fields_ = [("struct_size", c_size_t), ("kind", c_int32), ("dtype", c_int32),
                ("rank", c_uint32), ("is_contiguous", c_uint32),
                ("sizes", POINTER(c_int64)), ("strides", POINTER(c_int64)),
                ("name", c_char_p), ("type", c_char_p)]


class KernelInfo(Structure):
    _fields_ = [("struct_size", c_size_t), ("name", c_char_p), ("schedule", c_char_p),
                ("threads", c_int32), ("dynamic_shared_bytes", c_int32),
                ("registers", c_int32), ("local_bytes", c_int32),
                ("static_shared_bytes", c_int32),
                ("ctas_per_sm", c_int32), ("reasons", c_char_p)]


class Buffer(Structure):
    _fields_ = [("data", c_void_p), ("sizes", c_void_p), ("strides", c_void_p),
                ("rank", c_uint32), ("dtype", c_int32), ("device_type", c_int32),
                ("device_id", c_int32)]


def find() -> pathlib.Path:
    """The library in the package, else the one that ATTN_MLIR_LIBRARY names, else
    that of the build tree in the checkout which this file belongs to."""
    here = pathlib.Path(__file__).resolve().parent
    candidates = [here / "libattn-c.so"]
    if "ATTN_MLIR_LIBRARY" in os.environ:
        candidates.append(pathlib.Path(os.environ["ATTN_MLIR_LIBRARY"]).absolute())
    else:
        candidates.append(here.parent.parent / "build" / "lib" / "libattn-c.so")
    for candidate in candidates:
        if candidate.exists():
            return candidate
    raise ImportError("expected the library at one of "
                      + ", ".join(map(str, candidates))
                      + "; ATTN_MLIR_LIBRARY may name another place")


def load() -> CDLL:
    library = CDLL(str(find()))

    def declare(name: str, result: object, *arguments: object) -> None:
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments

    status = ctypes.c_int
    declare("attn_last_error", c_char_p)
    declare("attn_version", c_char_p)
    declare("attn_compile", status, c_char_p, c_size_t, POINTER(CompileOptions),
            POINTER(c_void_p))
    declare("attn_program_destroy", None, c_void_p)
    declare("attn_program_chip", c_char_p, c_void_p)
    declare("attn_program_ptx", c_char_p, c_void_p)
    declare("attn_program_diagnostics", c_char_p, c_void_p)
    declare("attn_program_ir", status, c_void_p, c_char_p, POINTER(c_char_p))
    declare("attn_program_num_arguments", c_uint32, c_void_p)
    declare("attn_program_argument", status, c_void_p, c_uint32, POINTER(ArgumentInfo))
    declare("attn_program_num_kernels", c_uint32, c_void_p)
    declare("attn_program_kernel", status, c_void_p, c_uint32, POINTER(KernelInfo))
    declare("attn_buffer_from_dlpack", status, c_void_p, POINTER(Buffer))
    declare("attn_program_workspace_size", status, c_void_p, c_void_p, c_uint32,
            POINTER(c_uint64))
    declare("attn_launch", status, c_void_p, c_void_p, c_void_p, c_uint32)
    declare("attn_launch_with_workspace", status, c_void_p, c_void_p, c_void_p, c_uint32,
            c_void_p, c_uint64)
    return library


library = load()


def load_binding() -> Any:
    """`attn_mlir._binding`, which lies beside the library, or else in the package or in the
    checkout's build tree."""
    here = pathlib.Path(__file__).resolve().parent
    folders = [find().resolve().parent, here, here.parent.parent / "build" / "lib"]
    paths = [folder / "_binding.abi3.so" for folder in dict.fromkeys(folders)]
    path = next((its for its in paths if its.exists()), None)
    if path is None:
        raise ImportError("expected the package's module at one of "
                          + ", ".join(map(str, paths)))
    name = __name__.rpartition(".")[0] + "._binding"
    loader = importlib.machinery.ExtensionFileLoader(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    module.open(str(find()), Error, ArgumentError)
    return module


binding = load_binding()


def last_error() -> str:
    return library.attn_last_error().decode(errors="replace")


def check(status: int) -> None:
    """Raises what a failed call of this thread said."""
    if status == INVALID_ARGUMENT:
        raise ArgumentError(last_error())
    if status:
        name = STATUSES[status] if 0 <= status < len(STATUSES) else str(status)
        raise Error(last_error(), name)
