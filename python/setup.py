"""Puts libattn-c.so and the module in C++ of a build tree into the package: the tree
that ATTN_MLIR_BUILD names, else the checkout's own `build`. What else there is to
say is in pyproject.toml."""

import os
import pathlib
import re
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent


def read_version() -> str:
    text = (CHECKOUT / "CMakeLists.txt").read_text()
    return re.search(r"project\(attn-mlir VERSION ([\d.]+)", text)[1]


def find_built(name: str) -> pathlib.Path:
    tree = pathlib.Path(os.environ.get("ATTN_MLIR_BUILD", CHECKOUT / "build"))
    library = tree / "lib" / name
    if not library.exists():
        raise SystemExit(f"expected {library}; ATTN_MLIR_BUILD names a build tree")
    return library


class BuildWithLibrary(build_py):
    def run(self) -> None:
        super().run()
        # An editable installation finds the checkout's build tree by itself.
        if self.editable_mode:
            return
        strip = shutil.which("llvm-strip-22") or shutil.which("strip")
        for name in ("libattn-c.so", "_binding.abi3.so"):
            target = pathlib.Path(self.build_lib, "attn_mlir", name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(find_built(name), target)
            if strip:
                subprocess.run([strip, "--strip-unneeded", str(target)], check=True)


class PlatformWheel(bdist_wheel):
    """One wheel for every CPython from 3.11 on, since the module uses only CPython's stable ABI."""

    def get_tag(self) -> "tuple[str, str, str]":
        return ("cp311", "abi3", super().get_tag()[2])


class PlatformDistribution(Distribution):
    def has_ext_modules(self) -> bool:
        return True


setup(
    version=read_version(),
    cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel},
    distclass=PlatformDistribution,
)
