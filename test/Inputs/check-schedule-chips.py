"""Compiles small attention ops with schedules written by hand, for chips of each kind. Prints a
line for each, with what the chip or the op lacks, or that it became PTX."""

import itertools
import re
import subprocess

MODULE = """
func.func @main(%q: memref<1x1x128x64x{dtype}>) {{
  attn.attention
      ins(%q, %q, %q : memref<1x1x128x64x{dtype}>, memref<1x1x128x64x{dtype}>, memref<1x1x128x64x{dtype}>)
      outs(%q : memref<1x1x128x64x{dtype}>)
      {{schedule = #attn_gpu.schedule<tile_q = 64, tile_kv = 32, warps = 4, mma = {mma}, copy = {copy}{roles}>}}
  return
}}
"""


def describe(chip, mma, copy, dtype):
    with_roles = mma == "wgmma" and copy == "tma"
    roles = ", roles = producer_consumer" if with_roles else ""
    module = MODULE.format(mma=mma, copy=copy, dtype=dtype, roles=roles)
    run = subprocess.run(["attn-opt", f"-attn-to-ptx=chip={chip}"], input=module,
                         capture_output=True, text=True)
    if run.returncode == 0:
        return "PTX, wgmma" if "wgmma.mma_async" in run.stdout else "PTX"
    # A schedule that does not fit must be reported as an error at the op.
    found = re.search(r"<stdin>:3:3: error: 'attn.attention' op expected a schedule that "
                      r"fits, found [^\n]*>: ([^\n]*)", run.stderr)
    if run.returncode != 1 or not found:
        return f"rc {run.returncode}: {run.stderr}"
    return found[1]


for case in itertools.product(["sm_80", "sm_90", "sm_90a", "sm_100a", "sm_120a"],
                              ["none", "mma_sync", "wgmma"],
                              ["element", "cp_async", "tma"], ["f16", "f32"]):
    print(*case, end=": ")
    print(describe(*case), flush=True)
