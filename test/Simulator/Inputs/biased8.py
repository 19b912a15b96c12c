"""biased8.py FILE SIZES MEAN SEED [ROW NUMBER]: writes an array of random e4m3 numbers with the
given mean to a .npy file. All elements of row ROW are NUMBER, if given."""

import math
import random
import sys

path, sizes, mean, seed = sys.argv[1:5]
draw = random.Random(int(seed))
shape = tuple(int(size) for size in sizes.split("x"))


def encode(number):
    """Returns the bits of the e4m3 number that is nearest to `number`."""
    sign = 0x80 if number < 0 else 0
    magnitude = min(abs(number), 448)
    if magnitude < 2.0 ** -6:
        return sign | round(magnitude * 2 ** 9)
    exponent = math.floor(math.log2(magnitude))
    return sign | (round(magnitude / 2.0 ** exponent * 8) - 8 + (exponent + 7) * 8)


data = bytes(encode(draw.gauss(float(mean), 1)) for _ in range(math.prod(shape)))
if len(sys.argv) > 5:
    row, columns = int(sys.argv[5]), shape[-1]
    data = data[:row * columns] + bytes([encode(float(sys.argv[6]))]) * columns + data[(row + 1) * columns:]
header = f"{{'descr': '|V1', 'fortran_order': False, 'shape': {shape}, }}".encode()
header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
with open(path, "wb") as file:
    file.write(b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header + data)
