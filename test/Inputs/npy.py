"""Makes and shows .npy files without NumPy.

    npy.py make FILE DESCR SIZES VALUE...   values are repeated as needed
    npy.py raw FILE HEADER BYTES [MAJOR]    a header as given, then zeros
    npy.py show FILE                        type, sizes and one row per line

SIZES are like 1x2x3, or 'scalar'. Elements of type V2 and u2 are bfloat16.
"""

import ast
import itertools
import math
import struct
import sys

MAGIC = b"\x93NUMPY"
INTEGERS = {"b1": "b", "i1": "b", "u1": "B", "i2": "h", "i4": "i", "i8": "q"}


def encode(descr, value):
    kind = descr[1:]
    if kind in ("V2", "u2"):
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
        return struct.pack("<H", (bits + 0x7FFF + (bits >> 16 & 1)) >> 16)
    order = ">" if descr[0] == ">" else "<"
    code = {"f2": "e", "f4": "f", "f8": "d", **INTEGERS}[kind]
    return struct.pack(order + code, int(value) if kind in INTEGERS else value)


def decode(descr, data):
    if descr[1:] in ("V2", "u2"):
        return struct.unpack("<f", b"\0\0" + data)[0]
    return struct.unpack("<" + {"f2": "e", "f4": "f", **INTEGERS}[descr[1:]], data)[0]


def write(path, header, data, major=1):
    code = "<H" if major == 1 else "<I"
    padding = -(len(MAGIC) + 2 + struct.calcsize(code) + len(header) + 1) % 64
    text = header.encode() + b" " * padding + b"\n"
    with open(path, "wb") as file:
        file.write(MAGIC + bytes([major, 0]) + struct.pack(code, len(text)))
        file.write(text + data)


def make(path, descr, sizes, *values):
    shape = [] if sizes == "scalar" else [int(s) for s in sizes.split("x")]
    numbers = itertools.cycle(float(v) for v in values)
    data = b"".join(encode(descr, next(numbers))
                    for _ in range(math.prod(shape)))
    write(path, f"{{'descr': '{descr}', 'fortran_order': False, "
          f"'shape': {tuple(shape)}, }}", data)


def raw(path, header, count, major="1"):
    write(path, header, bytes(int(count)), int(major))


def show(path):
    with open(path, "rb") as file:
        contents = file.read()
    assert contents[:6] == MAGIC and contents[6:8] == b"\1\0", contents[:8]
    length = struct.unpack("<H", contents[8:10])[0]
    assert (10 + length) % 64 == 0, length
    header = ast.literal_eval(contents[10:10 + length].decode())
    assert not header["fortran_order"]
    descr, shape = header["descr"], header["shape"]
    size = int(descr[-1])
    data = contents[10 + length:]
    assert len(data) == size * math.prod(shape), len(data)
    numbers = [decode(descr, data[i:i + size])
               for i in range(0, len(data), size)]
    print(descr, "x".join(str(s) for s in shape))
    row = shape[-1] if shape else 1
    for start in range(0, len(numbers), row):
        print(" ".join(f"{n:.6g}" for n in numbers[start:start + row]))


{"make": make, "raw": raw, "show": show}[sys.argv[1]](*sys.argv[2:])
