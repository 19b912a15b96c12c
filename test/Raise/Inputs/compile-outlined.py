"""Compiles the attention of raised modules for a GPU: `compile-outlined.py MODULE...`, with
attn-opt in PATH. Attention is outlined from the code around it, and each module must then have a
function with kernels. Modules whose name contains `-not-` are left out. The modules in COPIED need
copies of arrays before attention, since the arrays' strides do not fit; functions for a GPU refuse
such copies, which is allowed."""

import os
import subprocess
import sys

PASSES = "attn-raise,attn-outline,builtin.module(attn-to-ptx{chip=sm_90a})"

COPIED = ["contrib-gqa-cache-padding", "contrib-gqa-rotary-cache-padding", "jax-decode-cache",
          "jax-gathered-apart", "jax-gathered-latents", "jax-gathered-strided",
          "jax-grad-of-lse-squared", "jax-grad-weights-first", "jax-image",
          "torch-decode", "torch-dynamic-by-hand", "torch-dynamic-causal", "torch-qk-norm",
          "tosa-dynamic", "tosa-dynamic-batch"]


def main():
    failed = False
    for path in sys.argv[1:]:
        if "-not-" in os.path.basename(path):
            continue
        lowering = "attn-lower-tosa," if os.path.basename(path).startswith("tosa-") else ""
        done = subprocess.run(["attn-opt", "-allow-unregistered-dialect", path,
                               f"--pass-pipeline=builtin.module({lowering}{PASSES})"],
                              capture_output=True, text=True)
        errors = [line for line in done.stderr.splitlines() if "error:" in line]
        is_refused = len(errors) == 1 and "expected attention ops" in errors[0]
        if os.path.basename(path)[:-5] in COPIED and is_refused:
            continue
        if done.returncode or ".entry" not in done.stdout:
            print(f"{os.path.basename(path)}: {errors[0] if errors else 'no kernel'}")
            failed = True
    sys.exit(failed)


main()
