"""Makes and loads AOTInductor packages that contain the compiled kernels of their program's
calls."""

import contextlib
import os
import sys
import tempfile
import threading
import zipfile
from pathlib import Path
from typing import Any, Dict, Iterator, Optional, Tuple

import torch

from . import _frames
from ._arrays import expected
from ._kernel import Kernel

# The folder of a package's archive that has the compiled kernels. torch reads no file of this
# folder.
_FOLDER = "attn_mlir/"
# The lock that _compiled_to() holds while it is active, since it changes the environment and the
# known kernels of the whole process.
_scope = threading.Lock()


@contextlib.contextmanager
def _compiled_to(directory: str) -> Iterator[None]:
    """A context manager: the kernels of all calls within it are written to a directory as entries
    of the cache of compiled kernels, also those that the process had compiled before."""
    with _scope:
        before = os.environ.get("ATTN_MLIR_CACHE")
        os.environ["ATTN_MLIR_CACHE"] = directory
        known: Dict[Tuple, Kernel] = {}
        try:
            with _frames._lock:
                known.update(_frames.kernels)
                _frames.kernels.clear()
            for name, module in list(sys.modules.items()):
                calls = getattr(module, "calls", None)
                if name.startswith("attn_mlir.") and isinstance(calls, _frames.Calls):
                    calls.clear()
            yield
        finally:
            with _frames._lock:
                _frames.kernels.update(known)
            if before is None:
                del os.environ["ATTN_MLIR_CACHE"]
            else:
                os.environ["ATTN_MLIR_CACHE"] = before


def aoti_compile_and_package(exported_program: torch.export.ExportedProgram, *,
                             package_path: Any = None, **options: Any) -> str:
    """Does what torch._inductor.aoti_compile_and_package does, and adds to the package the kernels
    that the program launches for its example inputs. They are found by running the program once, on
    copies of these inputs. Kernels are also valid for other lengths and strides. Other kernels that
    a run needs (for few rows instead of many, for example) are compiled after the package is
    loaded.

    Kernels are valid only for the kind of GPU or CPU, and for the build of libattn-c.so, with which
    they were compiled. A package that is loaded elsewhere compiles its kernels again."""
    if exported_program.example_inputs is None:
        raise expected("exported_program", "one with example inputs, as torch.export.export "
                       "makes it", "example_inputs of None")
    path = torch._inductor.aoti_compile_and_package(exported_program, package_path=package_path,
                                                    **options)
    args, kwargs = torch.utils._pytree.tree_map_only(
        torch.Tensor, torch.Tensor.clone, exported_program.example_inputs)
    with tempfile.TemporaryDirectory() as directory:
        with _compiled_to(directory), torch.no_grad():
            exported_program.module()(*args, **kwargs)
        with zipfile.ZipFile(path, "a") as archive:
            root = archive.namelist()[0].partition("/")[0]
            for entry in sorted(Path(directory).glob("*.attn")):
                archive.write(entry, f"{root}/{_FOLDER}{entry.name}")
    return path


def _cache() -> Optional[Path]:
    """Returns the directory of the cache of compiled kernels, or None if there is no cache."""
    directory = os.environ.get("ATTN_MLIR_CACHE", "")
    if directory == "0":
        return None
    if directory:
        return Path(directory)
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base else Path.home() / ".cache") / "attn-mlir"


def aoti_load_package(path: Any, *args: Any, **options: Any) -> Any:
    """Does what torch._inductor.aoti_load_package does, but first copies the package's kernels to
    the cache of compiled kernels, where the program's calls find them. Such a package is code: load
    none that you do not trust."""
    cache = _cache()
    if cache is not None:
        with zipfile.ZipFile(path) as archive, contextlib.suppress(OSError):
            cache.mkdir(parents=True, exist_ok=True)
            for name in archive.namelist():
                _, found, entry = name.partition(f"/{_FOLDER}")
                if not found or "/" in entry or (cache / entry).exists():
                    continue
                with tempfile.NamedTemporaryFile(dir=cache, delete=False) as file:
                    file.write(archive.read(name))
                os.replace(file.name, cache / entry)
    return torch._inductor.aoti_load_package(path, *args, **options)
