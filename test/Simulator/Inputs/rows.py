"""rows.py DIRECTORY

Simulates attn.append and attn.merge, and compares their results with those of the host's run. The
last line counts the cases that passed."""

import os
import subprocess
import sys

directory = sys.argv[1]
here = os.path.dirname(os.path.abspath(__file__))
npy = os.path.join(here, "..", "..", "Inputs", "npy.py")


def make(name, sizes, values, descr="<i4"):
    path = os.path.join(directory, name + ".npy")
    subprocess.run([sys.executable, npy, "make", path, descr, sizes, *map(str, values)],
                   check=True)
    return path


def show(path):
    """Returns the type and sizes of an array in a .npy file, and its numbers."""
    text = subprocess.run([sys.executable, npy, "show", path], check=True, text=True,
                          capture_output=True).stdout.splitlines()
    return text[0], [float(word) for line in text[1:] for word in line.split()]


# A cache has three batch entries of three pages with 5 positions each, in a pool of 7 pages. One
# entry's row of the table has a page that does not exist, and the last batch entry is nearly full.
TABLE = make("table", "3x3", [6, 2, 0, 1, 77, 3, 5, 4, -1])
LENGTHS = make("lengths", "3", [0, 4, 14])
COUNTS = make("counts", "3", [3, 2, 9])
# In the lse of the second state, one row is NaN and some are -inf (no keys).
STATES = make("lse0", "2x3x20", [0.5, "-inf", -1.25, 3], "<f4"), \
    make("lse1", "2x3x20", ["nan"] + ["1.5", "-inf", "2", "-inf"] * 5, "<f4")
ZEROS = make("zeros", "7x20x5", [0], "<f4")
ZERO = make("zero", "2x3x20", [0], "<f4")
# A table of pages in which no two batch entries share a page that they use.
PAGES = make("pages", "3x3", [6, 2, 0, 1, 3, 3, 5, 4, 0])
SCALES = ["random:5:0.1", "random:6:0.01"]
R = ["random:1", "random:2", "random:3", "random:4"]
KINDS = [("f16", 64, 48, 32, ""), ("f32", 80, 64, 20, "interleaved"),
         ("bf16", 128, 128, 24, ""), ("f16", 40, 16, 8, "interleaved")]

passed = total = 0
with open(os.path.join(here, "rows.mlir")) as file:
    text = file.read()
for dtype, dim, value_dim, width, interleaved in KINDS:
    path = os.path.join(directory, "rows.mlir")
    module = text.replace("VALUE_DIM", str(value_dim)).replace("DIM", str(dim))
    module = module.replace("TYPE", dtype).replace("WIDTH", str(width))
    with open(path, "w") as file:
        file.write(module.replace("INTERLEAVED", interleaved))
    rows = f"2x3x20x{dim}"
    merge = [R[0], STATES[0], R[1], STATES[1], R[2]], \
        [rows, None, rows, None, "3", rows, "2x3x20"], 2
    token = "3x20x3x"
    pool = "7x20x5x"
    append = [*R[:3], COUNTS, TABLE, *R[:2], *R[2:], LENGTHS, ZEROS], \
        [f"{token}{dim}", f"{token}{value_dim}", f"3x9x3x{dim}", None, None, f"11x{width}",
         f"11x{width}", f"{pool}{dim}", f"{pool}{value_dim}", None, None,
         f"3x9x3x{dim}", f"{pool}{dim}", f"{pool}{value_dim}"], 3
    made = [*R[:3], PAGES, *R[:2], *SCALES, LENGTHS], \
        [f"{token}{dim}", f"{token}{value_dim}", f"{token}{dim}", None, f"{pool}{dim}",
         f"{pool}{value_dim}", "7x20x5", "7x20x5", None, f"{token}{value_dim}"], 1
    scaled = [R[0], STATES[0], R[1], STATES[1], *SCALES, SCALES[0], R[2], ZERO], \
        [rows, None, rows, None, "2x3", None, "1x3", rows, None, rows, "2x3x20", rows], 3
    for entry, (arguments, sizes, outputs) in (("merge", merge), ("append", append),
                                               ("scales", made), ("eight_bits", scaled)):
        command = ["attnc", "run", path, "--entry", entry, *arguments]
        for i, size in enumerate(sizes):
            command += ["--shape", f"{i}={size}"] if size else []

        def run(target, options):
            files = [os.path.join(directory, f"{entry}.{target}.{i}.npy")
                     for i in range(outputs)]
            for file in files:
                options = options + ["-o", file]
            done = subprocess.run(command + ["--target", target, *options], text=True,
                                  capture_output=True)
            if done.returncode:
                print(" ".join(command), done.stderr)
                return None
            return [show(file) for file in files]

        expected = run("host", [])
        for chip in ("sm_80", "sm_90a"):
            total += 1
            found = run("simulate", ["--chip", chip])
            if not expected or not found:
                continue
            limit = 1e-5 if dtype == "f32" else 2e-2
            is_right = True
            for (type_, own), (its, numbers) in zip(found, expected):
                is_right &= type_ == its and len(own) == len(numbers) > 0 and all(
                    (e != e and f != f) or e == f or abs(e - f) <= limit * (1 + abs(e))
                    for e, f in zip(numbers, own))
            passed += is_right
            if not is_right:
                print("FAIL", chip, " ".join(command))
print(f"{passed} of {total} passed")
sys.exit(passed != total)
