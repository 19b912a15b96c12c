"""Checks the modules of dynamic-caches.mlir on the host: raises them, runs them with several numbers
of keys, and compares the results with causal attention in double precision."""

import sys

import numpy as np
from run_on_host import run


def attend(q, k, first, window):
    """Returns attention whose row 0 is that of key `first`. A row without keys is 0."""
    s = np.einsum("hid,hjd->hij", q, k)
    i, j = np.indices(s.shape[1:])
    kept = (j <= i + first) & (i + first - j < window)
    e = np.where(kept, np.exp(s - s.max(-1, keepdims=True)), 0)
    total = e.sum(-1, keepdims=True)
    return e / np.where(total == 0, 1, total) @ k


def main():
    seed, path = sys.argv[1:]
    random = np.random.default_rng(int(seed))
    with open(path) as file:
        causal, window = file.read().split("// -----")
    causal, window = causal.replace("@causal", "@main"), window.replace("@window", "@main")

    def make(rows):
        return (random.standard_normal((4, rows, 16)) / 2).astype(np.float32)

    def check(name, module, arrays, expected):
        found, = run(module, arrays, [expected.shape])
        error = np.abs(found - expected).max()
        assert error < 1e-5, f"{name}: {error}"
        print(f"{name}: fits")
    for rows, past in ((3, 5), (1, 9), (6, 0), (4, 130)):
        q, old, new = make(rows), make(past), make(rows)
        expected = attend((q + new).astype(float), np.concatenate([old, new], 1).astype(float),
                          past, np.inf)
        check(f"{past} keys and {rows}", causal, [q, old, new], expected)
    for keys in (5, 7, 9, 40):
        q, k = make(7), make(keys)
        check(f"window in {keys} keys", window, [q, k],
              attend(q.astype(float), k.astype(float), keys - 7, 5))


main()
