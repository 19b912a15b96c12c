"""Compares machine code for a GPU.

    same-code.py PLAIN WITH_LINES

Fails unless both cubins hold the same kernels, byte for byte, and the second alone has
a table of lines. Prints their number.
"""

import struct
import sys


def sections(path):
    """Returns the contents of an ELF file's sections by their names."""
    with open(path, "rb") as file:
        image = file.read()
    assert image[:5] == b"\x7fELF\x02", f"{path}: expected a 64-bit ELF file"
    offset, = struct.unpack_from("<Q", image, 0x28)
    size, count, names = struct.unpack_from("<HHH", image, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", image, offset + i * size)
               for i in range(count)]
    text = headers[names][4]
    return {image[text + h[0]:image.index(b"\0", text + h[0])].decode():
            image[h[4]:h[4] + h[5]] for h in headers}


plain, lines = map(sections, sys.argv[1:])
kernels = {name for name in plain if name.startswith(".text.")}
assert kernels, "expected kernels, found none"
assert kernels == {name for name in lines if name.startswith(".text.")}, list(lines)
for name in kernels:
    assert plain[name] == lines[name], f"expected the same code in {name}"
assert ".debug_line" in lines and ".debug_line" not in plain, (list(plain), list(lines))
print(f"{len(kernels)} kernels with the same code")
