"""Tests conversions between f32 and floats of 8 bits, with numbers around which these are
rounded.

    float8-values.py make FILE.npy ALL.npy
    float8-values.py check FILE.npy BYTES.npy EXTENDED.npy TYPE

FILE has 64 rows of such numbers in f32. ALL has as many bytes, in which all 256 values follow
each other in their order. BYTES must be the numbers of FILE as TYPE, f8E4M3FN or f8E5M2: rounded
to nearest even, at most the largest number, and NaN as 0x7f. EXTENDED must be the numbers that
ALL stands for, in f32."""

import math
import struct
import sys

ROWS, COLUMNS = 64, 128


def decode(bits, dtype):
    mantissa_bits, bias = (3, 7) if dtype == "f8E4M3FN" else (2, 15)
    exponent, mantissa = divmod(bits & 0x7f, 1 << mantissa_bits)
    if bits & 0x7f == 0x7f or dtype == "f8E5M2" and bits & 0x7f > 0x7c:
        return math.nan
    if dtype == "f8E5M2" and bits & 0x7f == 0x7c:
        value = math.inf
    elif exponent == 0:
        value = math.ldexp(mantissa, 1 - bias - mantissa_bits)
    else:
        value = math.ldexp((1 << mantissa_bits) + mantissa, exponent - bias - mantissa_bits)
    return -value if bits & 0x80 else value


def get_numbers(dtype):
    """Returns the 8-bit numbers from 0 to the largest one, in the order of their bits."""
    return [decode(bits, dtype) for bits in range(0x7f if dtype == "f8E4M3FN" else 0x7c)]


def encode(value, dtype):
    if math.isnan(value):
        return 0x7f
    numbers = get_numbers(dtype)
    sign = 0x80 if math.copysign(1, value) < 0 else 0
    magnitude = min(abs(value), numbers[-1])
    # A number in the middle of two is rounded to the one with even bits.
    return sign | min(range(len(numbers)),
                      key=lambda bits: (abs(numbers[bits] - magnitude), bits % 2))


def f32(value):
    return struct.unpack("<f", struct.pack("<f", value))[0]


def neighbours(value):
    bits, = struct.unpack("<i", struct.pack("<f", value))
    return [struct.unpack("<f", struct.pack("<i", b))[0] for b in (bits - 1, bits, bits + 1)]


def get_values():
    values = [0.0, math.inf, math.nan, 1e-45, 1e-38, 3e38, 464.0, 480.0, 61440.0, 65536.0]
    for dtype in ("f8E4M3FN", "f8E5M2"):
        numbers = get_numbers(dtype)
        values += numbers
        for low, high in zip(numbers, numbers[1:]):
            values += neighbours((low + high) / 2)
    values += [-value for value in values]
    return [f32(values[i % len(values)]) for i in range(ROWS * COLUMNS)]


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    length, = struct.unpack("<H", data[8:10])
    return data[10 + length:]


def write(path, descr, data):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({ROWS}, {COLUMNS}), }}"
    header = header.ljust(117) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode()
                   + data)


def make(path, path_of_all):
    values = get_values()
    write(path, "<f4", struct.pack(f"<{len(values)}f", *values))
    write(path_of_all, "|u1", bytes(i % 256 for i in range(ROWS * COLUMNS)))


def check(path, path_of_bytes, path_of_extended, dtype):
    values = struct.unpack(f"<{ROWS * COLUMNS}f", read(path))
    found = read(path_of_bytes)
    for value, byte in zip(values, found, strict=True):
        if byte != (wanted := encode(value, dtype)):
            sys.exit(f"{value.hex()} became 0x{byte:x}, expected 0x{wanted:x}")
    extended = read(path_of_extended)
    for i, (value,) in enumerate(struct.iter_unpack("<f", extended)):
        wanted = decode(i % 256, dtype)
        same = struct.pack("<f", value) == struct.pack("<f", wanted)
        if not same and not (math.isnan(value) and math.isnan(wanted)):
            sys.exit(f"0x{i % 256:x} became {value}, expected {wanted}")
    print("pass")


if sys.argv[1] == "make":
    make(*sys.argv[2:])
else:
    check(*sys.argv[2:])
