"""Writes two arrays with an element for each pair of row and key, a mask of booleans and an array
of integers. Some of their blocks of 64 x 64 elements are constant, and some are mixed."""

import pathlib
import random
import struct
import sys


def write(path, descr, code, sizes, values):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {sizes}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header.encode()
                     + struct.pack(f"<{len(values)}{code}", *values))


def main(folder):
    dice = random.Random(1)
    rows, keys = 330, 392

    def bit(row, key):
        if row == 200:
            return False
        if 64 <= row < 128 and 200 <= key < 300:
            return dice.random() < 0.5
        return row // 130 == key // 130

    write(folder / "bits.npy", "|b1", "?", (rows, keys),
          [bit(row, key) for row in range(rows) for key in range(keys)])

    keys, rows, numbers = 190, 200, []
    for _ in range(2 * 2):
        kinds = [[dice.randrange(3) for _ in range(4)] for _ in range(3)]
        for key in range(keys):
            for row in range(rows):
                kind = kinds[key // 64][row // 64]
                numbers.append((0, 9, dice.randrange(-30000, 30000))[kind])
    write(folder / "numbers.npy", "<i2", "h", (2, 2, keys, rows), numbers)


main(pathlib.Path(sys.argv[1]))
