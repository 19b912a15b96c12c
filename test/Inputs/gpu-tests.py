"""gpu-tests.py TESTS prints the paths of the tests that run something on a GPU if there is one.

Their text shows this: they require a GPU, choose the device of tensors by what PyTorch has
(DEVICE), or leave the choice of a platform to JAX. So do names with `cuda` or `_gpu`."""

import os
import re
import sys

_TEXT = re.compile(r"""
    REQUIRES:[^\n]*[ ](cuda|torch|two-gpus|jax-gpu)\b
    | \bDEVICE\b | cuda\.is_available\(
    | RUN:(?![^\n]*JAX_PLATFORMS=cpu)[^\n]*%jax-python""", re.VERBOSE)
_NAME = re.compile(r"cuda|_gpu")
_SUFFIXES = (".mlir", ".test", ".py")


def divide(root):
    """Returns the paths, relative to `root`, of the tests that use a GPU, and those of all
    others."""
    chosen, others = [], []
    for directory, directories, files in os.walk(root):
        directories[:] = sorted(its for its in directories if its not in ("Inputs", "Unit"))
        for name in sorted(files):
            if not name.endswith(_SUFFIXES) or name.startswith("lit."):
                continue
            path = os.path.join(directory, name)
            with open(path, encoding="utf-8", errors="replace") as file:
                uses = _NAME.search(name) or _TEXT.search(file.read())
            (chosen if uses else others).append(os.path.relpath(path, root))
    return chosen, others


def excluded_names(root):
    """Returns the file names that lit can exclude: no directory has a test for a GPU of that
    name."""
    chosen, others = divide(root)
    kept = {os.path.basename(path) for path in chosen}
    return sorted({os.path.basename(path) for path in others} - kept)


if __name__ == "__main__":
    print(*divide(sys.argv[1])[0], sep="\n")
