"""other-build.py LIBRARY COPY

Copies a library, with another build id: what the linker makes of other code."""

import sys

data = bytearray(open(sys.argv[1], "rb").read())
note = bytes([4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0]) + b"GNU\0"
start = data.index(note) + len(note)
data[start] ^= 1
open(sys.argv[2], "wb").write(data)
