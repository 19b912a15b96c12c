# 200 threads with 50 calls each, forward and backward, of mixed shapes and kernels, all of
# them right.
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
    options = {"causal": bool(causal), "align": causal or "top_left"}
    o, lse = reference.attention(*arrays, **options)
    o, lse = o.astype(np.float32), lse.astype(np.float32)
    CASES.append((arrays, causal, o, lse, reference.gradients(*arrays, o, **options)))


def work(seed):
    for call in range(50):
        arrays, causal, o, lse, gradients = CASES[(seed * 31 + call * 17) % len(CASES)]
        found = attn_mlir.attention(*arrays, causal=causal)
        np.testing.assert_allclose(found, o, atol=2e-5, rtol=2e-5)
        if call % 4:
            continue
        found = attn_mlir.attention_backward(*arrays, o, lse, o, causal=causal)
        for its, expected in zip(found, gradients):
            np.testing.assert_allclose(its, expected, atol=5e-5, rtol=5e-5)


failures = many_threads.run(work)
assert not failures, failures[0]
assert len(_frames.kernels) == 2 * len(CASES), len(_frames.kernels)
