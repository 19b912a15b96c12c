"""Checks that raised modules read the pages of the source where numbers of a table are below 0 or too
large: pages-out-of-range.py SEED MODULE..., each with pages in its first pool and a table, which are
its second and its fourth argument."""

import re
import subprocess
import sys

import numpy as np
from evaluate import load
from evaluate_scalar import parse_type


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main():
    seed, *paths = sys.argv[1:]
    random = np.random.default_rng(int(seed))
    for path in paths:
        generic = ["-allow-unregistered-dialect", "-linalg-generalize-named-ops",
                   "-mlir-print-op-generic", path]
        before = run("attn-opt", *generic)
        after = run("attn-opt", "-attn-raise", *generic)
        types = re.search(r"function_type = \(([^)]*)\)", before)[1]
        shapes = [parse_type(x)[0] for x in re.findall(r"tensor<[^>]*>", types)]
        *arrays, of_table, of_lengths = shapes
        count = arrays[-1][0]
        arguments = [random.standard_normal(shape) for shape in arrays]
        table = random.integers(-count - 4, count + 4, of_table)
        table.flat[:3] = [-1, -count - 1, count][:table.size]
        arguments += [table, np.array([3, -2])[:of_lengths[0]]]
        expected, = load(before).call("main", arguments)
        found, = load(after).call("main", arguments)
        error = np.abs(expected - found).max()
        assert "pages(" in run("attn-opt", "-allow-unregistered-dialect", "-attn-raise", path)
        assert error < 1e-9, f"{path}: {error}"
        print(f"{path}: fits")


main()
