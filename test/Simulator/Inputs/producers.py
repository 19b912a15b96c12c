"""producers.py CHIP DIRECTORY

Simulates attention by kernels whose producer copies by cp.async, or element by element, and checks
the results. Prints a line for each case, and at the end how many passed."""

import os
import re
import subprocess
import sys

CHIP, DIRECTORY = sys.argv[1:]
# Fields of the schedule for MMAs and copies, the numbers of warps and rows, and the head dim.
WAYS = [
    ("mma = wgmma, copy = cp_async", 8, 128, 128),
    ("mma = wgmma, copy = element", 4, 64, 64),
    ("mma = wgmma, copy = cp_async, overlap = true", 8, 128, 128),
    ("mma = mma_sync, copy = cp_async", 8, 128, 64),
    ("mma = mma_sync, copy = element", 4, 64, 64),
]
FORWARD = ["random:1", "random:2", "random:3"]
# The options of attnc gen, and the arguments of attnc run.
PROBLEMS = {
    "causal": (["--seq", "300", "--causal", "top-left", "--heads", "3", "--lse"], FORWARD),
    "list": (["--seq", "300", "--mask", "prefix:100", "--heads", "2"], FORWARD),
    # A page has half as many rows as a tile of keys. At head dim 128, a tile has several panels of
    # columns.
    "paged": (["--seq", "1:300", "--heads", "4:2", "--paged", "32"], FORWARD + ["random:4"]),
    "backward": (["--seq", "200", "--causal", "top-left", "--heads", "4:2", "--backward"],
                 FORWARD + ["forward", "forward", "random:6"]),
}


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


passed = total = 0
for fields, warps, rows, dim in WAYS:
    if "wgmma" in fields and CHIP == "sm_80":
        continue
    for problem, (options, arguments) in PROBLEMS.items():
        # Simulating a backward pass takes long, so only one schedule for each kind of MMA is
        # tested.
        if problem == "backward" and ("element" in fields or "overlap" in fields):
            continue
        schedule = (f"tile_q = {rows}, tile_kv = 64, warps = {warps}, {fields}, "
                    "roles = producer_consumer, scheduler = dynamic")
        text = run("attnc", "gen", "--dtype", "f16", "--head-dim", str(dim), *options).stdout
        # If the op has a mask region, its attributes follow the region.
        end = r"^(  \})$" if "mask {" in text else r"^( *outs\(.*)$"
        text, count = re.subn(end, rf"\1 {{schedule = #attn_gpu.schedule<{schedule}>}}", text,
                              flags=re.M)
        path = os.path.join(DIRECTORY, "main.mlir")
        with open(path, "w") as file:
            file.write(text)
        result = run("attnc", "run", path, *arguments, "--target", "simulate", "--chip", CHIP,
                     "--check", "--sms", "2")
        is_good = count == 1 and result.returncode == 0 and ": pass" in result.stdout
        total += 1
        passed += is_good
        print(f"{fields}, {problem}: {'pass' if is_good else result.stdout + result.stderr}",
              flush=True)
print(f"{passed} of {total} passed")
