"""Writes rows of a bf16 query, each of another head: of zeros, with an infinite element, with a NaN,
with elements near 1e30, with elements near 1e-30, and ordinary ones.

usage: special-rows.py FILE HEADSxHEADDIM"""

import random
import struct
import sys

path, sizes = sys.argv[1:]
heads, columns = (int(size) for size in sizes.split("x"))
numbers = random.Random(1)
rows = [[numbers.gauss(0, 1) for _ in range(columns)] for _ in range(heads)]
rows[0] = [0.0] * columns
rows[1][3] = float("inf")
rows[2][5] = float("nan")
rows[3] = [1e30 * x for x in rows[3]]
rows[4] = [1e-30 * x for x in rows[4]]
data = b"".join(struct.pack("<f", x)[2:] for row in rows for x in row)
header = "{'descr': '<u2', 'fortran_order': False, 'shape': %s, }" % ((1, heads, 1, columns),)
header += " " * (63 - (10 + len(header)) % 64) + "\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)
