"""Prints a module whose score region is a chain of COUNT ops.

    long-region.py COUNT
"""

import sys

count = int(sys.argv[1])
print("""!t = memref<1x1x64x64xf32>
func.func @main(%q: !t, %k: !t, %v: !t, %o: !t) {
  attn.attention ins(%q, %k, %v : !t, !t, !t) outs(%o : !t) score {
    ^bb0(%0: f32, %b: index, %h: index, %i: index, %j: index):
      %c = arith.constant 1.001 : f32
      %i32 = arith.index_cast %i : index to i32
      %row = arith.sitofp %i32 : i32 to f32""")
for n in range(count):
    op = [f"mulf %{n}, %c", f"addf %{n}, %row", f"maximumf %{n}, %{max(n - 1, 0)}"][n % 3]
    print(f"      %{n + 1} = arith.{op} : f32")
print(f"""      attn.yield %{count} : f32
  }}
  return
}}""")
