"""Loads libattn-c.so and the C++ module `_binding` beside it, through which all calls of the
library go. Defines the values of enums of attn-c/attn.h."""

import importlib.machinery
import importlib.util
import os
import pathlib
from typing import Any, Sequence

from ._errors import ArgumentError, Error

# The values of the enum attn_dtype, by the name of the dtype in MLIR.
DTYPES = {"f16": 1, "bf16": 2, "f32": 3, "f64": 4, "i1": 5, "i8": 6, "i16": 7,
          "i32": 8, "i64": 9, "f8E4M3FN": 10, "f8E5M2": 11, "i4": 12, "u8": 13}
DTYPE_NAMES = {code: name for name, code in DTYPES.items()}
# The bytes of an element of each dtype. An i4 has half a byte and no entry: an array with two i4 in
# each byte is passed with the dtype u8.
DTYPE_BYTES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i1": 1, "i8": 1, "i16": 2, "i32": 4,
               "i64": 8, "f8E4M3FN": 1, "f8E5M2": 1, "u8": 1}
F32 = DTYPES["f32"]
# The values of the enum attn_device_type.
ANY, CPU, CUDA = 0, 1, 2
# The values of the enum attn_argument_kind, with their names in Argument.kind.
KINDS = {1: "input", 2: "output", 3: "scratch", 4: "scalar"}


def find() -> pathlib.Path:
    """Returns the path of libattn-c.so: the one in the package, else the one that the environment
    variable ATTN_MLIR_LIBRARY names, else the one in the build tree of the checkout to which this
    file belongs."""
    here = pathlib.Path(__file__).resolve().parent
    named = os.environ.get("ATTN_MLIR_LIBRARY")
    other = (here.parent.parent / "build" / "lib" / "libattn-c.so" if named is None
             else pathlib.Path(named).absolute())
    return _find_first("library", [here / "libattn-c.so", other])


def _find_first(what: str, paths: Sequence[pathlib.Path]) -> pathlib.Path:
    for path in paths:
        if path.exists():
            return path
    raise ImportError(f"expected the {what} at one of {', '.join(map(str, paths))}; "
                      "ATTN_MLIR_LIBRARY may name another place")


def load() -> Any:
    """Loads and returns the extension module `attn_mlir._binding`. It lies beside the library, or
    else in the package or in the checkout's build tree."""
    here = pathlib.Path(__file__).resolve().parent
    folders = [find().resolve().parent, here, here.parent.parent / "build" / "lib"]
    path = _find_first("package's module", [
        folder / "_binding.abi3.so" for folder in dict.fromkeys(folders)])
    name = __name__.rpartition(".")[0] + "._binding"
    loader = importlib.machinery.ExtensionFileLoader(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    module.open(str(find()), Error, ArgumentError)
    return module


binding = load()
