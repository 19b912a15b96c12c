"""programs.py DIRECTORY SEED...

Simulates the tile programs of test/Programs, with mma.sync, wgmma and roles, and compares
their results with those of the host's run. The last line counts the cases that passed."""

import math
import os
import re
import struct
import subprocess
import sys

directory, seeds = sys.argv[1], sys.argv[2:]
here = os.path.dirname(os.path.abspath(__file__))
programs = os.path.join(here, "..", "..", "Programs")
npy = os.path.join(here, "..", "..", "Inputs", "npy.py")
SYNC = "tile_q = 64, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async"
ROLES = "tile_q = 64, tile_kv = {}, warps = 4, mma = wgmma, copy = tma, roles = producer_consumer"
ALONE = "tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = cp_async, stages = 3"
# Schedules with the roles that the program names, with roles of these names in another order and
# size, and without multipliers.
TWO = ["tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, roles = [" + roles + "]"
       for roles in ('multiplier(name = "plus", registers = 104), producer, consumer, '
                     'multiplier(name = "minus", warps = 8, registers = 88)',
                     'producer, multiplier(name = "minus"), multiplier(name = "plus")')]
TWO += [TWO[0].replace("tma", "cp_async").replace("producer", "producer(warps = 8)"),
        TWO[1].replace("roles", "scheduler = dynamic, stages = 1, roles"),
        SYNC, ROLES.format(64), ALONE]
# Schedules with a role that has the softmax, lazy or strict, in one order of roles and another one,
# and without that role.
SOFTMAX = ["tile_q = 128, tile_kv = 64, warps = 8, mma = wgmma, copy = tma, " + rest for rest in (
    'softmax = lazy, overlap = true, roles = [multiplier(name = "scores", warps = 8), producer]',
    'softmax = strict, roles = [multiplier(name = "scores", warps = 8), producer]',
    'softmax = lazy, overlap = true, roles = [multiplier(name = "scores", warps = 8, late), producer]',
    'softmax = lazy, scheduler = dynamic, stages = 1, overlap = false, '
    'roles = [producer, consumer, multiplier(name = "scores", warps = 8)]',
    "softmax = lazy, roles = producer_consumer", "softmax = strict, overlap = false")]
SOFTMAX += ["tile_q = 128, tile_kv = 64, warps = 4, mma = mma_sync, copy = cp_async"]
# Schedules for programs that load rows by a list. Such rows are copied by threads, either of a
# producer or of the CTA.
OF_LISTS = [f"tile_q = 64, tile_kv = 64, warps = 4, mma = {mma}, copy = {copy}, roles = {roles}"
            for mma in ("mma_sync", "wgmma") for copy in ("cp_async", "element")
            for roles in ("none", "producer_consumer")]
OF_LISTS += ["tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = cp_async, stages = 3, "
             "overlap = true, roles = producer_consumer, scheduler = persistent"]


def ints(name, sizes, values):
    path = os.path.join(directory, name + ".npy")
    subprocess.run([sys.executable, npy, "make", path, "<i4", sizes, *map(str, values)],
                   check=True)
    return path


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    length, = struct.unpack("<H", data[8:10])
    descr = re.search(rb"'descr': '<(..)'", data)[1].decode()
    code = {"f2": "e", "f4": "f"}[descr]
    body = data[10 + length:]
    return struct.unpack(f"<{len(body) // struct.calcsize(code)}{code}", body)


LISTS = [ints("blocks", "2x3", [0, 2, 1, 3, 1, 0]), ints("kinds", "2x3", [1, 1, 1, 1, 0, 1]),
         ints("counts", "2", [3, 2])]
# Lists of 130 keys: some keys occur more than once, some entries are no keys, and the lists have
# entries after their ends.
TOKENS = [ints("tokens", "2x70", [(37 * i * i + 11) % 140 - 5 for i in range(140)]),
          ints("numbers", "2", [68, 9])]
R = ["random:1", "random:2", "random:3"]
# A case has the program's name, its arguments, the sizes of arrays by position, the number of
# outputs, and the schedules.
CASES = [
    ("gemm", R[:2], ["2x100x152", "2x152x72", "2x100x72"], 1, [SYNC, ROLES.format(64)]),
    ("matmul", R[:2], ["100x152", "152x72", "100x72"], 1, [SYNC]),
    ("staged-halves", R[:2], ["200x152", "152x256", "200x256"], 1, [SYNC]),
    ("scatter", R[:1], ["100x64", "12x64x8", "21x64"], 2, [SYNC]),
    ("gemm8", R + ["random:4"], ["100x160", "72x160", "100", "72", "100x72"], 1,
     [SYNC, ROLES.format(64), ALONE]),
    ("widened", R[:2], ["100x160", "160x80", "100x80"], 1,
     [SYNC, SYNC.replace("cp_async", "element"), SYNC.replace("cp_async", "tma"),
      SYNC + ", roles = producer_consumer", ROLES.format(64), ALONE]),
    ("two-pass", R, ["2x100x64", "2x130x64", "2x130x64", "2x100x64"], 1,
     [SYNC, ROLES.format(64)]),
    ("sigmoid", R + ["random:4"], ["2x100x16", "2x130x16", "2x130x16", "100x130", "2x100x16"], 1,
     [SYNC, ROLES.format(64)]),
    ("four-roles", R, ["2x100x64", "2x200x64", "2x200x128", "2x100x128"], 1, [SYNC]),
    ("two-multipliers", R + ["random:4", "random:5"],
     ["2x100x64", "2x200x64", "2x100x64", "2x200x64", "2x200x64", "2x100x64"], 1, TWO),
    ("block-list", R + LISTS, ["2x100x32", "2x130x32", "2x130x32", None, None, None, "2x100x32",
                               "2x100"], 2, [SYNC]),
    ("latent", R[:2], ["1x70x576", "1x200x576", "1x70x512", "1x70"], 2, [SYNC]),
    ("latent-roles", R + ["random:4"],
     ["1x70x512", "1x200x512", "1x70x64", "1x200x64", "1x70x512", "1x70"], 2, [SYNC]),
    ("softmax-role", R, ["2x200x64", "2x330x64", "2x330x64", "2x200x64", "2x200"], 2, SOFTMAX),
    ("token-list", R + TOKENS, ["2x100x128", "2x130x128", "2x130x128", None, None, "2x100x128",
                                "2x100"], 2, OF_LISTS),
    ("backward", R + ["random:4", "random:5", "random:6", "0.125", "3", "random:7"],
     ["2x100x32", "2x130x32", "2x130x32", "2x100x32", "2x100", "2x100", None, None, "2x100x32",
      "2x130x32", "2x130x32"], 2, [SYNC, ROLES.format(64), ALONE]),
]
passed = total = 0
for name, arguments, sizes, outputs, schedules in CASES:
    with open(os.path.join(programs, name + ".mlir")) as file:
        text = file.read()
    for schedule in schedules:
        path = os.path.join(directory, name + ".mlir")
        if name in ("matmul", "staged-halves", "block-list", "latent", "latent-roles", "four-roles"):
            schedule = re.search(r"#attn_gpu\.schedule<(.*?)>", text)[1]
        with open(path, "w") as file:
            file.write(re.sub(r"#attn_gpu\.schedule<.*?>", f"#attn_gpu.schedule<{schedule}>", text))
        command = ["attnc", "run", path, "--entry", name.replace("-", "_"), *arguments]
        for i, size in enumerate(sizes):
            if size:
                command += ["--shape", f"{i}={size}"]

        chip = "sm_80" if name == "token-list" and "mma_sync" in schedule else "sm_90a"

        def run(target, options):
            files = [os.path.join(directory, f"{name}.{target}.{i}.npy") for i in range(outputs)]
            for file in files:
                options = options + ["-o", file]
            done = subprocess.run(command + ["--target", target, *options], capture_output=True,
                                  text=True)
            if done.returncode:
                print(done.stderr)
                return None
            return [read(file) for file in files]
        expected = run("host", [])
        for seed in seeds:
            total += 1
            found = run("simulate", ["--seed", seed, "--chip", chip])
            error = None
            if expected and found:
                pairs = list(zip(sum(expected, ()), sum(found, ())))
                # wgmma truncates the addends of a sum of 8-bit products, by their largest one.
                # Small results that are differences of large products therefore have large relative
                # errors.
                least = max(abs(e) for e, _ in pairs) if name == "gemm8" else 1
                error = max(0 if e == f else abs(e - f) / (least + abs(e)) for e, f in pairs)
                # Comparisons with NaN are false, so a NaN in only one of both results is checked
                # here.
                if any((e != e) != (f != f) for e, f in pairs):
                    error = math.inf
            if error is not None and error < 4e-3:
                passed += 1
                continue
            print("FAIL", schedule, " ".join(command), "error", error)
print(f"{passed} of {total} passed")
sys.exit(passed != total)
