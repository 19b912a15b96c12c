"""row-lists.py DIRECTORY [outside]

Simulates programs that load rows into registers whose numbers a list has, and compares the
results with those of the host's run. With `outside`, the list is outside of its array, and the
simulator's error is printed."""

import os
import subprocess
import sys

directory, *outside = sys.argv[1:]
npy = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Inputs", "npy.py")
PROGRAM = """
!array = memref<?x{wide}x{type}>
!output = memref<?x64x{type}>
!column = memref<?xi32, strided<[?], offset: ?>>
func.func @main(%k: !array, %lists: memref<?x?xi32, strided<[?, ?], offset: ?>>, %o: !output) {{
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c7 = arith.constant 7 : index
  %count = memref.dim %lists, %c0 : memref<?x?xi32, strided<[?, ?], offset: ?>>
  %list = memref.subview %lists[{first}, 1] [%count, 1] [1, 1]
      : memref<?x?xi32, strided<[?, ?], offset: ?>> to !column
  %rows = memref.dim %o, %c0 : !output
  attn_tile.grid (%i, %j) to (%rows, %rows) step [32, 1000]
      schedule #attn_gpu.schedule<tile_q = 32, tile_kv = 32, warps = 2, mma = none, copy = element> {{
    %x = attn_tile.load %k[%c4, %c7] rows %list[%i] : !array, !column -> tensor<32x64x{type}>
    attn_tile.store %x, %o[%i, %c0] : tensor<32x64x{type}>, !output
  }}
  return
}}
"""
# The lists' entries are numbers of rows, counted from the fifth of 23 rows. Some rows are before
# the first one, and some past the last one.
ENTRIES = [0, 0, -4, 18, 19, -5, 18, 2147483647, -2147483648, -1, 1000]
ENTRIES += [(7 * i * i) % 31 - 8 for i in range(70 - len(ENTRIES))]
lists = os.path.join(directory, "lists.npy")
subprocess.run([sys.executable, npy, "make", lists, "<i4", "70x2",
                *(str(word) for entry in ENTRIES for word in (3, entry))], check=True)


def run(target, path, columns):
    output = os.path.join(directory, target + ".npy")
    done = subprocess.run(
        ["attnc", "run", path, "random:1", lists, "--shape", f"0=23x{columns}",
         "--shape", "2=90x64", "--target", target, "-o", output],
        capture_output=True, text=True)
    if done.returncode:
        print(done.stderr)
        return None
    with open(output, "rb") as file:
        return file.read()


passed = total = 0
for element in ["f32"] if outside else ["f16", "bf16", "f32"]:
    for columns in [64] if outside else [64, 80]:
        path = os.path.join(directory, "rows.mlir")
        with open(path, "w") as file:
            file.write(PROGRAM.format(type=element, wide=columns, first="1000" if outside else "0"))
        expected = None if outside else run("host", path, columns)
        found = run("simulate", path, columns)
        total += 1
        passed += expected is not None and expected == found
        if expected != found:
            print("FAIL", element, columns)
print(f"{passed} of {total} passed")
