"""Compares results with attention in Python's own numbers, for small arrays of f32.

    check-attention.py EXPRESSION FOUND NAME=FILE...

The expression may contain the names of the arrays, sums x + y of two arrays,
attention(q, k, v), and softmax(x), which is that of each row.
"""

import math
import struct
import sys


class Array:
    def __init__(self, sizes, values):
        self.sizes, self.values = sizes, values

    def __add__(self, other):
        return Array(self.sizes, [a + b for a, b in zip(self.values, other.values)])


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    header = eval(data[10:begin])
    assert header["descr"] == "<f4" and not header["fortran_order"], header
    body = data[begin:]
    return Array(header["shape"], struct.unpack(f"<{len(body) // 4}f", body))


def attention(q, k, v):
    batch, heads, rows, dim = q.sizes
    keys = k.sizes[2]
    result = []
    for bh in range(batch * heads):
        for i in range(rows):
            row = q.values[(bh * rows + i) * dim:][:dim]
            scores = [sum(a * b for a, b in zip(row, k.values[(bh * keys + j) * dim:][:dim]))
                      / math.sqrt(dim) for j in range(keys)]
            largest = max(scores)
            weights = [math.exp(s - largest) for s in scores]
            total = sum(weights)
            result += [sum(w * v.values[(bh * keys + j) * dim + d]
                           for j, w in enumerate(weights)) / total for d in range(dim)]
    return Array(q.sizes, result)


def softmax(x):
    result = []
    for begin in range(0, len(x.values), x.sizes[-1]):
        row = x.values[begin:][:x.sizes[-1]]
        weights = [math.exp(v - max(row)) for v in row]
        result += [w / sum(weights) for w in weights]
    return Array(x.sizes, result)


expression, found = sys.argv[1:3]
names = {name: read(path) for name, path in (a.split("=") for a in sys.argv[3:])}
expected = eval(expression, {"attention": attention, "softmax": softmax, **names})
found = read(found)
assert found.sizes == expected.sizes, (found.sizes, expected.sizes)
error = max(abs(a - b) for a, b in zip(found.values, expected.values))
spread = max(expected.values) - min(expected.values)
print(f"largest error {error:.2e} of values that differ by {spread:.2e}")
sys.exit(not (error < 1e-5 and spread > 0.1))
