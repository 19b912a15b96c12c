"""Raises a module and runs it on the host."""

import subprocess
import sys
import tempfile

import numpy as np


def run(module, arrays, shapes):
    """Returns the results of `main` of a module, which have the given shapes. A module that cannot
    be raised or run ends the program."""
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/m.mlir", "w") as file:
            file.write(module)
        for number, array in enumerate(arrays):
            np.save(f"{folder}/{number}.npy", array)
        done = subprocess.run(
            ["attnc", "run", f"{folder}/m.mlir", "--raise",
             *(f"{folder}/{number}.npy" for number in range(len(arrays))), "--target", "host",
             *(f"--shape={len(arrays) + number}={'x'.join(map(str, shape))}"
               for number, shape in enumerate(shapes)),
             *(x for number in range(len(shapes)) for x in ("-o", f"{folder}/o{number}.npy"))],
            capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{module}\n{done.stderr}")
        found = [np.load(f"{folder}/o{number}.npy") for number in range(len(shapes))]
    for array, shape in zip(found, shapes):
        assert array.shape == tuple(shape), f"{array.shape} instead of {shape}"
    return found
