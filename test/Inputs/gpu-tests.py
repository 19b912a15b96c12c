"""The tests that run something on a GPU where there is one: gpu-tests.py TESTS prints their paths.

That is what their text says: they require a GPU, they choose tensors' device by what torch has
(DEVICE), or they leave the choice of a platform to JAX. Also by name: cuda or _gpu."""

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
    """The paths of the tests that use a GPU, and of all others, relative to `root`."""
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
    """The names of files that have no test for a GPU in any directory."""
    chosen, others = divide(root)
    kept = {os.path.basename(path) for path in chosen}
    return sorted({os.path.basename(path) for path in others} - kept)


if __name__ == "__main__":
    print(*divide(sys.argv[1])[0], sep="\n")
