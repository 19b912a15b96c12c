"""compile-program.py CC MODULE LIBRARY

Compiles a module of tile programs for the host, to a shared library. The passes before
the level of tiles are for functions on tensors and take tiles for some, so a program goes
to buffers first."""

import os
import subprocess
import sys
import tempfile

TO_BUFFERS = ",".join([
    "canonicalize", "cse", "attn-tile-expand-blocks", "attn-tile-expand-softmax",
    "canonicalize", "cse", "attn-host-fuse-elementwise", "convert-attn-tile-to-linalg",
    "convert-elementwise-to-linalg", "canonicalize", "linalg-fuse-elementwise-ops",
    "cse", "one-shot-bufferize", "canonicalize", "func.func(attn-host-free-buffers)"])

cc, module, library = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    buffers, code = (os.path.join(folder, name) for name in ["buffers.mlir", "code.o"])
    for command in [["attn-opt", f"--pass-pipeline=builtin.module({TO_BUFFERS})", module,
                     "-o", buffers],
                    ["attnc", "compile", "--target", "host", buffers, "-o", code],
                    [cc, "-shared", "-Wl,-z,defs", code, "-lm", "-o", library]]:
        if status := subprocess.run(command).returncode:
            sys.exit(status)
