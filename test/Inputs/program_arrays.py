"""Arrays for tile programs, with margins and gaps, by which writes outside of their elements are
found."""

import ctypes
import itertools
import math
import struct
import sys

MARGIN = 64
CODES = {"f16": "e", "f32": "f", "i32": "i", "f8E4M3FN": "B", "f8E5M2": "B"}
# The number in margins and gaps: one that no result has or, for types of 8 bits, NaN.
CANARY = {"f16": -31744.0, "f32": -31744.0, "i32": -31744, "f8E4M3FN": 0x7f,
          "f8E5M2": 0x7f}


def decode(bits, dtype):
    """Returns the number that the bits of an 8-bit float stand for."""
    mantissa_bits, bias = (3, 7) if dtype == "f8E4M3FN" else (2, 15)
    magnitude = bits & 0x7f
    exponent, mantissa = divmod(magnitude, 1 << mantissa_bits)
    if magnitude == 0x7f or dtype == "f8E5M2" and magnitude > 0x7c:
        value = math.nan
    elif dtype == "f8E5M2" and magnitude == 0x7c:
        value = math.inf
    elif exponent == 0:
        value = mantissa * 2.0 ** (1 - bias - mantissa_bits)
    else:
        value = (1 + mantissa / (1 << mantissa_bits)) * 2.0 ** (exponent - bias)
    return -value if bits & 0x80 else value


class Array:
    """An array of the given sizes in row-major order, with `gap` elements between its rows and a
    margin at both ends. Calls of `fill` return the elements, and `around` is the number in gaps and
    margins."""

    def __init__(self, dtype, sizes, fill, gap=0, around=None):
        self.dtype, self.sizes = dtype, sizes
        self.strides = [1] * len(sizes)
        for dim in range(len(sizes) - 2, -1, -1):
            extent = self.strides[dim + 1] * sizes[dim + 1]
            self.strides[dim] = extent + (gap if dim == len(sizes) - 2 else 0)
        length = self.strides[0] * sizes[0]
        around = CANARY[dtype] if around is None else around
        words = [around] * (MARGIN + length + MARGIN)
        self.inside = [MARGIN + sum(i * s for i, s in zip(index, self.strides))
                       for index in itertools.product(*map(range, sizes))]
        for at in self.inside:
            words[at] = fill()
        self.code = f"<{len(words)}{CODES[dtype]}"
        size = struct.calcsize("<" + CODES[dtype])
        # The memory begins at a multiple of 64 bytes, as arrays of programs mostly do.
        self.memory = ctypes.create_string_buffer(len(words) * size + 64)
        self.address = (ctypes.addressof(self.memory) + 63) // 64 * 64
        self.before = struct.pack(self.code, *words)
        ctypes.memmove(self.address, self.before, len(self.before))
        self.size = size

    def words(self):
        return struct.unpack(
            self.code, ctypes.string_at(self.address, len(self.before)))

    def values(self):
        """Returns the elements as nested lists of Python's numbers."""
        words = self.words()
        flat = [words[at] for at in self.inside]
        if self.dtype.startswith("f8"):
            flat = [decode(bits, self.dtype) for bits in flat]
        for size in reversed(self.sizes[1:]):
            flat = [flat[i:i + size] for i in range(0, len(flat), size)]
        return flat

    def argument(self):
        return (ctypes.c_int64 * (3 + 2 * len(self.sizes)))(
            self.address, self.address, MARGIN, *self.sizes, *self.strides)

    def check_unchanged(self, name):
        if ctypes.string_at(self.address, len(self.before)) != self.before:
            sys.exit(f"{name} was written to, and is an input")

    def check_outside(self, name):
        inside = set(self.inside)
        for at, word in enumerate(self.words()):
            if at not in inside and word != CANARY[self.dtype]:
                sys.exit(f"{name} was written outside of its elements, at {at - MARGIN}")
