"""Assembles attention for each chip that attnc knows.

    assemble-chips.py [--access ACCESS] PTXAS MODULE [CHIP...]

MODULE is compiled for each CHIP, or for all chips. Prints for each one how many
kernels there are and how many bytes they spill, or that PTXAS does not know the
chip. Also prints the warnings of PTXAS, its messages C75.. (MMAs that wait for
each other) and those about an ignored setmaxnreg, which are no warnings, and the
functions that the PTX expects of a library.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile


def run(*command):
    found = subprocess.run(command, capture_output=True, text=True)
    return found.returncode, found.stdout + found.stderr


def known_chips(module):
    # The error message for an unknown chip lists all known chips.
    _, output = run("attnc", "compile", module, "--target", "sm_0")
    return re.findall(r"\bsm_\w+", output.split("expected one of")[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--access", default="auto")
    parser.add_argument("ptxas")
    parser.add_argument("module")
    parser.add_argument("chips", nargs="*")
    options = parser.parse_args()
    ptxas, module = options.ptxas, options.module
    _, listed = run(ptxas, "--help")
    for chip in options.chips or known_chips(module):
        with tempfile.TemporaryDirectory() as folder:
            ptx = os.path.join(folder, "main.ptx")
            status, output = run("attnc", "compile", module, "--target", chip,
                                 "--access", options.access, "-o", ptx)
            if status == 0 and f"'{chip}'" not in listed:
                print(f"{chip}: not known to this ptxas")
                continue
            if status == 0:
                with open(ptx) as file:
                    code = file.read().splitlines()
                status, output = run(ptxas, "-v", f"-arch={chip}", ptx, "-o",
                                     os.path.join(folder, "main.cubin"))
        if status:
            sys.exit(f"{chip}: status {status}\n{output}")
        spills = re.findall(r"(\d+) bytes spill stores, (\d+) bytes spill loads", output)
        total = sum(int(stores) + int(loads) for stores, loads in spills)
        print(f"{chip}: {len(spills)} kernels spill {total} bytes")
        for line in [*output.splitlines(), *code]:
            if re.search(r"C75\d\d|setmaxnreg.*ignored|warning|\.extern \.func", line):
                print(f"{chip}: {line}")


main()
