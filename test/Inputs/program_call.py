"""One call of a tile program of test/Programs, for run-program.py."""

import ctypes
import math
import random
import sys

from program_arrays import Array

TOLERANCES = {"f16": 2e-3, "f32": 1e-4}


def flatten(values):
    if isinstance(values, list):
        return [x for part in values for x in flatten(part)]
    return [values]


class Program:
    """The arguments of one call of a program, in order, with its arrays of inputs and results."""

    def __init__(self, options):
        self.options = options
        self.dtype = options["dtype"]
        self.random = random.Random(int(options["seed"]))
        self.arguments, self.inputs, self.results = [], {}, {}
        # The tolerances of results whose errors may exceed TOLERANCES, relative to the largest
        # number of the result.
        self.tolerances = {}

    def number(self, name):
        return int(self.options[name])

    def input(self, name, sizes, dtype=None, gap=8, values=None, around=None):
        values = iter(values) if values is not None else None
        fill = (lambda: next(values)) if values else (lambda: self.random.gauss(0, 1))
        array = self.inputs[name] = Array(dtype or self.dtype, sizes, fill, gap, around)
        self.arguments.append(array.argument())
        return array.values()

    def scalar(self, ctype, value):
        self.arguments.append(ctype(value))
        return self.arguments[-1].value

    def result(self, name, sizes, dtype=None, is_sum=False):
        fill = (lambda: self.random.gauss(0, 1)) if is_sum else (lambda: math.nan)
        array = self.results[name] = Array(dtype or self.dtype, sizes, fill, gap=4)
        self.arguments.append(array.argument())
        return array.values()

    def call(self, library, function):
        entry = ctypes.CDLL(library)[f"attn_{function}_packed"]
        entry.restype = ctypes.c_char_p
        pointers = (ctypes.c_void_p * len(self.arguments))(
            *map(ctypes.addressof, self.arguments))
        message = entry(pointers)
        if message is not None:
            sys.exit(message.decode())
        for name, array in self.inputs.items():
            array.check_unchanged(name)
        for name, array in self.results.items():
            array.check_outside(name)

    def compare(self, expected):
        """Compares the results. Returns the largest error, relative to its result's maximum."""
        if expected.keys() != self.results.keys():
            sys.exit(f"expected results {list(expected)}, found {list(self.results)}")
        largest = 0
        for name, array in self.results.items():
            wanted = flatten(expected[name])
            found = flatten(array.values())
            scale = max(abs(x) for x in wanted if math.isfinite(x))
            for at, (x, y) in enumerate(zip(wanted, found, strict=True)):
                if math.isnan(y):
                    sys.exit(f"{name}: element {at} is NaN, or was not written; "
                             f"expected {x}")
                error = 0 if x == y else abs(x - y) / scale
                if not error <= self.tolerances.get(name, TOLERANCES[self.dtype]):
                    sys.exit(f"{name}: element {at} is {y}, expected {x}")
                largest = max(largest, error)
        return largest
