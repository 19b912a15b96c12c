"""Writes the table in docs/raising.md, which says for each module in this directory what attn-raise
makes of it: `table.py [--check] PAGE`, with attn-opt in PATH."""

import glob
import os
import re
import subprocess
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))
BEGIN, END = "<!-- table: begin -->\n", "<!-- table: end -->\n"


def describe(path):
    name = os.path.basename(path)[:-5]
    lowering = ["-attn-lower-tosa"] if name.startswith("tosa-") else []
    done = subprocess.run(["attn-opt", "-allow-unregistered-dialect", *lowering, "-attn-raise", path],
                          capture_output=True, text=True, check=True)
    found = re.search(r"attn\.attention (.*)\n", done.stdout)
    if not found:
        why = re.search(r"not raised: (.*)", done.stderr)
        return f"| `{name}` | stays | {why[1] if why else 'no softmax'} |"
    parts = []
    if mask := re.match(r"mask <(.*?)>", found[1]):
        parts.append(f"`mask <{mask[1]}>`")
    if re.search(r"(\)|\}) mask \{", done.stdout):
        parts.append("mask region")
    if re.search(r"\) score \{", found[1]):
        parts.append("score region")
    if captures := re.search(r"captures\([^:]* : ([^)]*)\)", found[1]):
        parts.append("reads `" + "`, `".join(captures[1].split(", ")) + "`")
    if "attn.attention_backward " in done.stdout:
        parts.append("with gradients")
    lse = re.search(r"(%\w+):2 = attn\.attention ", done.stdout)
    if lse and any(f"{lse[1]}#1" in line for line in done.stdout.splitlines()
                   if "attn.attention_backward " not in line):
        parts.append("lse")
    if pages := re.search(r" pages\([^:]* : tensor<([^>]*)xi32>", found[1]):
        parts.append(f"`pages` of {pages[1]}")
    if " sink(" in found[1]:
        parts.append("sink")
    query, key = re.search(r"ins\(.*? : tensor<([\dx?]*)x\w+>, tensor<([\dx?]*)x", found[1]).groups()
    if query.split("x")[1] != key.split("x")[1]:
        parts.append(f"{query.split('x')[1]} heads on {key.split('x')[1]}")
    element = re.search(r"x(f32|f16|bf16)>", found[1])[1]
    return f"| `{name}` | {element} | {', '.join(parts) or 'no mask'} |"


def main():
    page = sys.argv[-1]
    with open(page) as file:
        text = file.read()
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    lines = ["| module | raised | as |", "|---|---|---|",
             *map(describe, sorted(glob.glob(f"{FOLDER}/*.mlir")))]
    new = "\n" + "\n".join(lines) + "\n\n"
    if "--check" in sys.argv:
        if old != new:
            sys.exit(f"{page}: the table is stale: table.py writes it\n{new}")
        return
    with open(page, "w") as file:
        file.write(before + BEGIN + new + END + after)


main()
