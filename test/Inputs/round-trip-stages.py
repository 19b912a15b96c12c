"""Runs a pipeline on a module and checks that the IR after each pass, as
printed, parses back to the same IR.

usage: round-trip-stages.py DIRECTORY MODULE PIPELINE-FLAG
"""

import pathlib
import subprocess
import sys

directory, module, pipeline = sys.argv[1:]
subprocess.run(
    ["attn-opt", module, pipeline, "-o", "/dev/null", "--mlir-disable-threading",
     "--mlir-print-ir-after-all", "--mlir-print-ir-module-scope",
     f"--mlir-print-ir-tree-dir={directory}"],
    check=True, stderr=subprocess.DEVNULL)
stages = sorted(pathlib.Path(directory).rglob("*.mlir"))
for stage in stages:
    result = subprocess.run(
        ["attn-opt", stage, "--verify-roundtrip", "-o", "/dev/null"],
        capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{stage}:\n{result.stderr}")
print(f"{len(stages)} stages")
