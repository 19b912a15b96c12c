"""Runs a pipeline on a module and checks that the IR after each pass, as printed, is
parsed to the same IR. Affine maps may change, but not endlessly, if they are parsed and
printed again: MLIR prints a + (b + c) without the brackets, and parses (a + b) + c.

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


def reprint(text):
    """Returns the text that attn-opt prints after parsing `text`, or "" if it does not parse."""
    return subprocess.run(["attn-opt"], input=text, capture_output=True, text=True).stdout


def get_rest(text):
    """Returns the lines of a module without its affine maps and without comments, such as that of
    the dump."""
    return [line for line in text.splitlines()
            if line and not line.startswith(("#map", "//"))]


def differs_in_maps_alone(text):
    """Whether parsing and printing only changes affine maps, and changes nothing any more after a
    few repetitions."""
    for _ in range(4):
        again = reprint(text)
        if get_rest(again) != get_rest(text):
            return False
        if again == text:
            return True
        text = again
    return False


for stage in stages:
    result = subprocess.run(
        ["attn-opt", stage, "--verify-roundtrip", "-o", "/dev/null"],
        capture_output=True, text=True)
    if result.returncode != 0 and not differs_in_maps_alone(stage.read_text()):
        sys.exit(f"{stage}:\n{result.stderr}")
print(f"{len(stages)} stages")
