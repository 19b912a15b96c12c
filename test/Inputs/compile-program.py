"""Compiles a module of tile programs.

    compile-program.py library CC MODULE FILE    for the host, to a shared library
    compile-program.py ptx CHIP MODULE FILE      its kernels for a chip

The passes before the level of tiles are for functions on tensors and take tiles for some.
So programs begin behind them: for the host they go to buffers, and what follows is
attnc's; for a chip there is attn-opt alone."""

import os
import re
import subprocess
import sys
import tempfile

TO_BUFFERS = [
    "canonicalize", "cse", "attn-tile-expand-blocks", "attn-tile-expand-softmax",
    "canonicalize", "cse", "attn-host-fuse-elementwise", "convert-attn-tile-to-linalg",
    "convert-elementwise-to-linalg", "canonicalize", "linalg-fuse-elementwise-ops",
    "cse", "one-shot-bufferize", "canonicalize", "func.func(attn-host-free-buffers)"]
TO_PTX = [
    "canonicalize", "cse", "attn-gpu-set-target{chip=%s}", "attn-gpu-map-grid",
    "attn-gpu-expand-blocks", "canonicalize", "cse", "attn-gpu-assign-layouts",
    "attn-gpu-pipeline-loads", "attn-gpu-pipeline", "attn-gpu-expand-softmax",
    "attn-gpu-specialize-warps", "canonicalize", "cse", "convert-attn-gpu-to-nvvm",
    "attn-gpu-sink-constants", "gpu-kernel-outlining", "gpu.module(" + ",".join([
        "convert-attn-nv-to-llvm", "attn-math-to-nvvm", "expand-strided-metadata",
        "lower-affine", "convert-scf-to-cf", "canonicalize", "cse",
        "convert-gpu-to-nvvm", "convert-nvvm-to-llvm", "canonicalize",
        "reconcile-unrealized-casts", "attn-annotate-kernels"]) + ")",
    "attn-serialize-kernels"]


def run(*command):
    if status := subprocess.run(command).returncode:
        sys.exit(status)


def lower(passes, module, output):
    run("attn-opt", f"--pass-pipeline=builtin.module({','.join(passes)})", module,
        "-o", output)


def compile_library(cc, module, path):
    with tempfile.TemporaryDirectory() as folder:
        buffers, code = (os.path.join(folder, name) for name in ["a.mlir", "a.o"])
        lower(TO_BUFFERS, module, buffers)
        run("attnc", "compile", "--target", "host", buffers, "-o", code)
        run(cc, "-shared", "-Wl,-z,defs", code, "-lm", "-o", path)


def compile_ptx(chip, module, path):
    with tempfile.TemporaryDirectory() as folder:
        binary = os.path.join(folder, "a.mlir")
        lower([name.replace("%s", chip) for name in TO_PTX], module, binary)
        with open(binary) as file:
            text = re.search(r'gpu\.binary .*?"((?:[^"\\]|\\.)*\.version.*?[^\\])"',
                             file.read())[1]
    # Characters that are not printed as themselves: \" and \\, or two digits.
    text = re.sub(r'\\([0-9A-F]{2}|["\\])', lambda match: match[1] if len(match[1]) == 1
                  else chr(int(match[1], 16)), text)
    with open(path, "w") as file:
        file.write(text.rstrip("\0"))


{"library": compile_library, "ptx": compile_ptx}[sys.argv[1]](*sys.argv[2:])
