"""Writes the tables of docs/distributed.md from plans, or with --check says whether they are
up to date. It needs the Python package and torch.

    plan-tables.py [--check] PAGE

A block lies between two comments, of which the second is <!-- end -->:

    <!-- plan: KEY=VALUE... -->     what attn_mlir.distributed.plan prints
    <!-- plans: KEY=VALUE... -->    a row for each of `ranks`, forward and with gradients

Values are as in Python. `plans` also takes rows=N, rows of a rank, in place of `sequence`, and
inner=N, the ranks of all-to-alls.
"""

import ast
import re
import sys

from attn_mlir.distributed import plan
from generated_blocks import write_or_check

BLOCK = re.compile(r"^<!-- (plans?): (.*?) -->$")


def parse(text):
    pairs = [word.split("=", 1) for word in text.split()]
    return {key: ast.literal_eval(value) for key, value in pairs}


def tabulate(ranks, rows=None, inner=1, **options):
    lines = ["| GPUs | sequence | GiB moved | GiB kept | forward ms | efficiency | with gradients "
             "ms | efficiency |", "|---|---|---|---|---|---|---|---|"]
    for count in ranks:
        sequence = options["sequence"] if rows is None else rows * count
        its = plan(**{**options, "ranks": count, "sequence": sequence, "backward": True,
                      "mesh": (count // inner, inner)})
        cells = [count, f"{sequence // 1024}k", f"{its.bytes / 2**30:.2f}",
                 f"{sum(its.memory.values()) / 2**30:.2f}",
                 f"{its.forward.seconds * 1e3:.4g}", f"{its.forward.efficiency:.3f}",
                 f"{its.seconds * 1e3:.4g}", f"{its.efficiency:.3f}"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return lines


def generate(kind, text):
    options = parse(text)
    if kind == "plans":
        return tabulate(**options)
    return ["```", *str(plan(**options)).splitlines(), "```"]


def main():
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    path, = arguments[check:]
    write_or_check(path, check, BLOCK, lambda block: generate(*block.groups()),
                   "scripts/plan-tables.py docs/distributed.md")


main()
