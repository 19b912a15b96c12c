"""Assembles attention for each chip that attnc knows.

    assemble-chips.py PTXAS MODULE KERNELS [CHIP...]

MODULE is compiled for each CHIP, or for all that there are, and must become
KERNELS kernels without spills. Prints a line for each chip, and says so where
PTXAS has not heard of it.
"""

import os
import re
import subprocess
import sys
import tempfile


def run(*command):
    found = subprocess.run(command, capture_output=True, text=True)
    return found.returncode, found.stdout + found.stderr


def known_chips(module):
    # The message of an unknown chip lists them.
    _, output = run("attnc", "compile", module, "--target", "sm_0")
    return re.findall(r"\bsm_\w+", output.split("expected one of")[1])


def main():
    ptxas, module, kernels = sys.argv[1:4]
    _, listed = run(ptxas, "--help")
    failed = False
    for chip in sys.argv[4:] or known_chips(module):
        with tempfile.TemporaryDirectory() as folder:
            ptx = os.path.join(folder, "main.ptx")
            status, output = run("attnc", "compile", module, "--target", chip, "-o", ptx)
            if status == 0 and f"'{chip}'" not in listed:
                print(f"{chip}: not known to this ptxas")
                continue
            if status == 0:
                status, output = run(ptxas, "-v", f"-arch={chip}", ptx, "-o",
                                     os.path.join(folder, "main.cubin"))
        good = output.count("0 bytes spill stores, 0 bytes spill loads")
        if status or good != int(kernels):
            print(f"{chip}: status {status}\n{output}")
            failed = True
        else:
            print(f"{chip}: {good} kernels without spills")
    sys.exit(failed)


main()
