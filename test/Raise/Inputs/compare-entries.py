"""Runs each public function of a module on the host, before and after attn-raise, and compares the
results: compare-entries.py MODULE ARG..., of which each function takes as many as it has arguments."""

import re
import subprocess
import sys
import tempfile

import numpy as np


def run(options, count, folder):
    files = [f"{folder}/{number}.npy" for number in range(count)]
    outputs = [x for file in files for x in ("-o", file)]
    done = subprocess.run(["attnc", "run", *options, *outputs, "--target", "host"],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{options}: {done.stderr}")
    return [np.load(file).astype(np.float64) for file in files]


def main():
    path, *arguments = sys.argv[1:]
    with open(path) as file:
        text = file.read()
    entries = re.findall(r"^func\.func @(\w+)\((.*)\) -> (.*) \{$", text, re.M)
    assert entries
    with tempfile.TemporaryDirectory() as folder:
        for name, parameters, results in entries:
            own = arguments[:parameters.count("%")]
            options = [path, *own, "--entry", name]
            count = results.count(",") + 1 if results.startswith("(") else 1
            before = run(options, count, folder)
            after = run([*options, "--raise"], count, folder)
            error = max(np.abs(x - y).max() / max(1, np.abs(x).max())
                        for x, y in zip(before, after))
            assert error < 2e-5, f"{name}: differs by {error}"
            print(f"{name}: {error:.1g}")


main()
