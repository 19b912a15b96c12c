"""plant-faults.py MODULE DIRECTORY SEED KIND... -- ARGUMENT...

Plants faults of each KIND, one at a time, at all ops of a module where that is possible, and
simulates the module, which attn-opt --attn-to-gpu has lowered. Each fault must be found, as one
error at an op, whose message matches EXPECTED of the kind. A deadlock has a line for each wait,
one of which must match. Some faults of a KIND! may have no effect. The last line counts the
faults that were found."""

import os
import re
import subprocess
import sys

ENDED = "before an MMA that reads it has ended"
EXPECTED = {
    "release-early": "'attn_gpu.release' op .*" + ENDED + "|"
                     "'attn_tile.dot' op .* after its release",
    "drop-release": "deadlock: warp .* waits until slot .* is free",
    "release-twice": "'attn_gpu.release' op .* for the second time",
    "drop-mma-wait": "expected an MMA that was waited for|" + ENDED,
    "wait-for-fewer": "'attn_gpu.mma_wait' op .* of which its own may be one",
    "acquire-other-phase": "'attn_gpu.acquire' op .* found slot|deadlock: warp",
    "fill-other-phase": "'attn_gpu.fill' op copies tile|deadlock: .* is free for tile",
    "fewer-readers": "found a barrier that expects fewer|found slot|is not free|"
                     "'attn_gpu.fill' op .* without order after a read",
    "more-readers": "deadlock: warp .* its barrier lacks 1 of",
    "fewer-scheduler-readers": "found a barrier that expects fewer arrivals",
    "more-scheduler-readers": "deadlock: warp .* its barrier lacks 1 of",
    "fill-twice": "'attn_gpu.fill' op copies tile .* is not free",
    "pass-turn-on": "deadlock: warp|'attn_gpu.ping_pong_",
    "release-other-phase": "'attn_gpu.release' op .* which it has not acquired",
    "init-twice": "'attn_gpu.init_ring' op (expected to prepare|.* without order)",
    "drop-init-fence": "'attn_gpu.fill' op .* without a fence.mbarrier.init",
    "drop-proxy-fence": "'attn_gpu.mma' op .* without a fence of proxies",
    "drop-unfenced": "'attn_gpu.mma' op .* without a fence of proxies",
    "drop-store": "'func.func' op leaves .* elements of .* unwritten",
    "drop-store-async": "'func.func' op leaves .* elements of .* unwritten",
    "move-copy-out": "'attn_gpu.fill' op .* goes out of bounds of",
    "move-store-out": "'attn_tile.store' op .* goes out of bounds of",
    "move-ring-out": "expected to (write|read) below byte",
    "drop-reset": "expected to find the counters zero",
    "overlap-rings": "without order after a write",
    "overlay-rings": "without order after a (write|read)",
    "copy-by-all": "reads shared memory at byte .*, which nobody has written",
    "store-over-ring": "without order after a (write|read)",
    "drop-finish": "'attn_gpu.store_async' op .* ends without a wait",
    "drop-copy-wait": "without order after a write",
}
module, directory, seed = sys.argv[1:4]
split = sys.argv.index("--")
kinds, arguments = sys.argv[4:split], sys.argv[split + 1:]
found = planted = 0
for kind in kinds:
    may_pass = kind.endswith("!")
    kind = kind.rstrip("!")
    number = 0
    while True:
        path = os.path.join(directory, "fault.mlir")
        plant = subprocess.run(
            ["attn-opt", module, "-o", path,
             f"--attn-test-plant-fault=kind={kind} number={number}"],
            capture_output=True, text=True)
        if plant.returncode:
            # A kind for which there is no place at all is a mistake in the test.
            if "expected more places" not in plant.stderr or number == 0:
                sys.exit(f"{kind}: {plant.stderr}")
            break
        run = subprocess.run(
            ["attnc", "run", "--target", "simulate", "--lowered", "--seed", seed, path,
             *arguments], capture_output=True, text=True, timeout=120)
        errors = [line for line in run.stderr.splitlines() if ": error: '" in line]
        waits = [line.replace(": note: ", " op deadlock: ")
                 for line in run.stderr.splitlines() if ": note: warp " in line]
        is_found = run.returncode == 1 and len(errors) == 1 and any(
            re.search(EXPECTED.get(kind, ""), line) for line in errors + waits)
        planted += 1
        found += is_found
        if is_found:
            print(f"{kind} {number}: {errors[0].split(': error: ')[1]}")
        else:
            print(f"{kind} {number}: {'without effect' if may_pass else 'NOT FOUND'}")
            if not may_pass:
                print(run.returncode, run.stderr)
                sys.exit(1)
        number += 1
print(f"{found} of {planted} found")
