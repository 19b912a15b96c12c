"""Compiles a module of tile programs for the host, to a shared library.

    compile-program.py CC MODULE FILE"""

import os
import subprocess
import sys
import tempfile


def run(*command):
    if status := subprocess.run(command).returncode:
        sys.exit(status)


cc, module, path = sys.argv[1:]
with tempfile.TemporaryDirectory() as folder:
    code = os.path.join(folder, "a.o")
    run("attnc", "compile", "--target", "host", module, "-o", code)
    run(cc, "-shared", "-Wl,-z,defs", code, "-lm", "-o", path)
