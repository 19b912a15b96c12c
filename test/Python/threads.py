# 200 threads with 50 calls each, of mixed shapes and kernels, all of them right.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python %s

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import many_threads
import numpy as np
import reference
from attn_mlir import _frames

CASES = []
for rows, keys, heads, dim, causal in ((1, 7, 2, 8, False), (5, 5, 2, 8, "top_left"),
                                       (3, 9, 4, 8, "bottom_right"), (4, 2, 2, 4, False)):
    arrays = reference.problem(1, heads, 2, rows, keys, dim, dim)
    CASES.append((arrays, causal, reference.attention(
        *arrays, causal=bool(causal), align=causal or "top_left")[0]))


def work(seed):
    for call in range(50):
        arrays, causal, expected = CASES[(seed * 31 + call * 17) % len(CASES)]
        found = attn_mlir.attention(*arrays, causal=causal)
        np.testing.assert_allclose(found, expected, atol=2e-5, rtol=2e-5)


failures = many_threads.run(work)
assert not failures, failures[0]
assert len(_frames.kernels) == len(CASES), len(_frames.kernels)
