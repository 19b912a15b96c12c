"""other-build.py LIBRARY COPY copies a library and changes its build id, as if it had been linked
from other code."""

import sys

data = bytearray(open(sys.argv[1], "rb").read())
note = bytes([4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0]) + b"GNU\0"
start = data.index(note) + len(note)
data[start] ^= 1
open(sys.argv[2], "wb").write(data)
