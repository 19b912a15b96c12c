# Outputs that share elements with other arrays, or whose own elements share memory, are refused,
# and no others: random views of one array, against NumPy's exact answer.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python %s

import os
import random

import attn_mlir
import numpy as np
from numpy.lib.stride_tricks import as_strided

SIZES = 2, 2, 3, 4
COUNT = 3000
memory = np.zeros(4096, np.float32)
seed = int(os.environ.get("ATTN_TEST_SEED", 0))
draw = random.Random(seed)


def view():
    """Returns a random view: its strides have any order and both signs, with gaps or overlaps."""
    strides = [0, 0, 0, 1]
    step = draw.choice((4, 5, 8, 12, 24))
    for dim in draw.sample(range(3), 3):
        strides[dim] = step * draw.choice((1, -1))
        step = draw.choice((step * SIZES[dim], step * SIZES[dim] + draw.randrange(9),
                            step * 2, step + draw.randrange(8)))
    least = sum(min(s, 0) * (n - 1) for s, n in zip(strides, SIZES))
    most = sum(max(s, 0) * (n - 1) for s, n in zip(strides, SIZES))
    first = draw.randrange(-least, min(memory.size - most, 160 - least))
    return as_strided(memory[first:], SIZES, [4 * s for s in strides])


def overlaps_itself(array):
    every = [np.arange(size) * stride for size, stride in zip(array.shape, array.strides)]
    return np.unique(sum(np.ix_(*every))).size < array.size


refused = {"elements of their own": 0, "memory of its own": 0}
arrays = [np.zeros(SIZES, np.float32) for _ in range(2)]
for number in range(COUNT):
    q, out = view(), view()
    expected = None
    if overlaps_itself(out):
        expected = "elements of their own"
    elif np.shares_memory(q, out):
        expected = "memory of its own"
    try:
        attn_mlir.attention(q, *arrays, out=out)
        found = None
    except attn_mlir.ArgumentError as error:
        found = str(error).partition("out: expected ")[2][:len(expected or "")]
        refused[found] += 1
    assert found == expected, (seed, number, q.strides, out.strides,
                               q.ctypes.data - out.ctypes.data)
print(f"seed {seed}: {refused} of {COUNT} refused")
assert all(COUNT / 20 < its < COUNT * 2 / 3 for its in refused.values())
