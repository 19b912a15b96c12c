"""quantize.py DIRECTORY

Simulates attn.quantize, and compares its results with those of the host's run. The last line counts
the cases that passed."""

import os
import subprocess
import sys

directory = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
npy = os.path.join(here, "..", "..", "Inputs", "npy.py")
INTEGERS = os.path.join(directory, "integers.npy")
subprocess.run([sys.executable, npy, "make", INTEGERS, "<f4", "2x2x300x40",
                *[str(number * number % 31 - 9) for number in range(97)], "nan", "inf"],
               check=True)

# A case has the element type, head dim and sizes of the array, the stored type, the sizes of the
# scale, the number of tokens that share a scale, and whether a mean is subtracted.
CASES = [("f16", 64, "2x3x70", "f8E4M3FN", "?x?x?", 32, False),
         ("bf16", 80, "1x2x300", "i4", "?x?x?", 64, False),
         ("f32", 40, "2x1x37", "f8E5M2", "?x?x?", 1, False),
         ("bf16", 128, "1x3x530", "i8", "?x?", 1, False),
         ("f16", 32, "3x20x17", "f8E4M3FN", "", 1, False),
         ("f16", 160, "1x2x70", "f8E5M2", "?x?x?", 16, False),
         ("bf16", 258, "2x1x90", "i4", "?x?", 1, False),
         ("f32", 40, "2x2x300", "i4", "?x?x1x40", 1, True),
         ("f32", 40, "2x2x300", "f8E4M3FN", "", 1, True),
         ("f32", 40, "2x2x300", "i8", "?x?x?", 128, True)]


def numbers_of(sizes, block, scale):
    batch, heads, tokens = map(int, sizes.split("x"))
    return {"?x?x?": f"{batch}x{heads}x{-(-tokens // block)}", "?x?": f"{batch}x{heads}",
            "?x?x1x40": f"{batch}x{heads}x1x40"}.get(scale)


passed = total = 0
for dtype, dim, sizes, stored, scale, block, is_centered in CASES:
    path = os.path.join(directory, "quantize.mlir")
    types = [f"memref<?x?x?x{dim}x{dtype}>", f"memref<?x?x?x{dim}x{stored}>",
             f"memref<{scale + 'x' if scale else ''}f32>"]
    shapes = [f"{sizes}x{dim}", f"{sizes}x{dim}", numbers_of(sizes, block, scale)]
    if is_centered:
        types.append(f"memref<?x?x1x{dim}xf32>")
        shapes.append("2x2x1x40")
    names = ["%x", "%stored", "%scale", "%mean"][:len(types)]
    with open(path, "w") as file:
        file.write(f"""func.func @main({', '.join(map(': '.join, zip(names, types)))}) {{
  attn.quantize ins(%x : {types[0]}) {f'block {block}' if block > 1 else ''}
      {'centered' if is_centered else ''}
      outs({', '.join(names[1:])} : {', '.join(types[1:])})
  return
}}
""")
    command = ["attnc", "run", path, INTEGERS if is_centered else "random:3"]
    for number, shape in enumerate(shapes):
        command += ["--shape", f"{number}={shape}"] if shape else []

    def run(target, options):
        files = [os.path.join(directory, f"{target}.{number}.npy")
                 for number in range(len(names) - 1)]
        for name in files:
            options = options + ["-o", name]
        done = subprocess.run(command + ["--target", target, *options], text=True,
                              capture_output=True)
        if done.returncode:
            print(" ".join(command), done.stderr)
            return None
        return [open(name, "rb").read() for name in files]

    expected = run("host", [])
    for chip in ("sm_80", "sm_90a"):
        total += 1
        found = run("simulate", ["--chip", chip])
        is_right = bool(expected) and found == expected
        passed += is_right
        if not is_right:
            print("FAIL", chip, dtype, dim, sizes, stored, scale, block, is_centered)
print(f"{passed} of {total} passed")
sys.exit(passed != total)
