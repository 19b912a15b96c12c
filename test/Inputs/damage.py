"""damage.py flip|truncate|empty FILE...

Changes the last byte of each file, or cuts off the last half or all of it."""

import sys

for path in sys.argv[2:]:
    data = bytearray(open(path, "rb").read())
    if sys.argv[1] == "flip":
        data[-1] ^= 1
    else:
        data = data[:len(data) // 2 if sys.argv[1] == "truncate" else 0]
    open(path, "wb").write(data)
