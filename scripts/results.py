"""Writes the tables of rates in a page from measured files, or with --check says whether they
are up to date.

    results.py [--check] DIRECTORY PAGE

The directory has what scripts/measure-results wrote. A block lies between two comments, of
which the second is <!-- end -->:

    <!-- results: FILE grid PEER -->      TFLOP/s by head dim, mask and length, and the ratio
                                          to the peer's
    <!-- results: FILE rows -->           a row for each shape, and the ratio to each peer
    <!-- results: FILE variants -->       milliseconds by variant and length
    <!-- results: FILE bars LENGTH PEER --> bars of the grid's rates at one length

Each block begins with the conditions under which the file was measured. The block of a file that
is not in the directory says so, and which command measures it.
"""

import csv
import json
import os
import re
import sys

from generated_blocks import write_or_check

BLOCK = re.compile(r"^<!-- results: (\S+) (.*?) -->$")
OWN = "attn-mlir"
# A bar that is WIDTH characters long stands for MOST TFLOP/s.
MOST, WIDTH = 1000, 50


class File:
    """What one run of the bench measured: its conditions and, for each shape in the file's order,
    the row of each peer."""

    def __init__(self, path):
        with open(path, newline="") as file:
            rows = list(csv.DictReader(file))
        if not rows or rows[0]["peer"] != "conditions":
            sys.exit(f"{path}: expected conditions in the first row, found none")
        self.mode = rows[0]["mode"]
        self.conditions = json.loads(rows[0]["note"])
        self.shapes = {}
        for row in rows:
            if row["Sq"] and row["ms"]:
                key = tuple(row[name] for name in ("dtype", "B", "Hq", "Hkv", "Sq", "Skv",
                                                   "D", "causal", "variant"))
                self.shapes.setdefault(key, {})[row["peer"]] = row
        self.rows = [by_peer for by_peer in self.shapes.values() if OWN in by_peer]
        self.peers = list(dict.fromkeys(peer for by_peer in self.rows for peer in by_peer
                                        if peer != OWN))

    def describe(self):
        known = dict(self.conditions)
        first = [known.pop("device"), known.pop("date")]
        commit = known.pop("commit")
        # attn_mlir.bench.jax also writes the versions of JAX's libraries.
        is_of_jax = "jaxlib" in known
        versions = [f"{name} {version}" for name, version in known.items()
                    if name in ("cudnn", "torch") or is_of_jax
                    and name.startswith(("jax", "nvidia-cudnn")) or name.split("-")[0] in
                    {peer.rstrip("234") for peer in self.peers} or name == "attn-mlir"]
        return ", ".join([*first, *([f"commit {commit}"] if commit else []), *versions,
                          *([self.mode] if self.mode != "burst" else [])]) + "."


def show_rate(by_peer, peer):
    own = float(by_peer[OWN]["tflops"])
    ratio = f" ({own / float(by_peer[peer]['tflops']):.2f})" if peer in by_peer else ""
    return f"{own:.0f}{ratio}"


def mask_of(row):
    return "causal" if row["causal"] == "1" else "full"


def tabulate(header, rows):
    return ["| " + " | ".join(header) + " |", "|---" * len(header) + "|",
            *("| " + " | ".join(row) + " |" for row in rows)]


def make_grid(file, peer):
    lengths, table = [], {}
    for by_peer in file.rows:
        own = by_peer[OWN]
        # The grid has only shapes with 16384 tokens in all and without groups of heads. GPT-2's
        # shape and those with groups are shown by blocks of the kind `rows`.
        if int(own["B"]) * int(own["Sq"]) != 16384 or own["Hq"] != own["Hkv"]:
            continue
        if own["Sq"] not in lengths:
            lengths.append(own["Sq"])
        name = f"{own['D']} {mask_of(own)}"
        table.setdefault(name, {})[own["Sq"]] = show_rate(by_peer, peer)
    return tabulate(["head dim, mask", *lengths],
                    ([name, *(cells.get(length, "") for length in lengths)]
                     for name, cells in table.items()))


def pair(first, second):
    return first if first == second else f"{first}:{second}"


def make_rows(file):
    rows = []
    for by_peer in file.rows:
        own = by_peer[OWN]
        shape = (f"{own['B']} x {pair(own['Hq'], own['Hkv'])} x {pair(own['Sq'], own['Skv'])}"
                 f" x {own['D']}")
        ratios = [f"{float(by_peer[peer]['ms']) / float(own['ms']):.2f}" if peer in by_peer
                  else "-" for peer in file.peers]
        rows.append([own["dtype"], shape, " ".join([mask_of(own), own["variant"]]).strip(),
                     f"{float(own['ms']):.3f}", f"{float(own['tflops']):.0f}",
                     f"{float(own['gbs']):.0f}", *ratios])
    return tabulate(["dtype", "B x heads x length x head dim", "mask", "ms", "TFLOP/s", "GB/s",
                     *(f"x {peer}" for peer in file.peers)], rows)


def make_variants(file):
    lengths, table = [], {}
    for by_peer in file.rows:
        own = by_peer[OWN]
        length = f"{own['B']} x {own['Sq']}"
        if length not in lengths:
            lengths.append(length)
        name = own["variant"] + (", causal" if own["causal"] == "1" else "")
        table.setdefault(name, {})[length] = f"{float(own['ms']):.3f}"
    return tabulate(["", *lengths], ([name, *(cells.get(length, "-") for length in lengths)]
                                     for name, cells in table.items()))


def make_bars(file, length, peer):
    lines = ["```", f"{'':13}" + "".join(f"{i * MOST // 5:<{WIDTH // 5}}" for i in range(5))
             + f"  {OWN}  {peer}"]
    for by_peer in file.rows:
        if by_peer[OWN]["Sq"] != length or peer not in by_peer:
            continue
        own, its = (float(by_peer[name]["tflops"]) for name in (OWN, peer))
        low, high = (round(rate * WIDTH / MOST) for rate in (min(own, its), own))
        bar = "#" * low + "+" * (high - low)
        name = f"d{by_peer[OWN]['D']}"
        lines.append(f"{name:<5}{mask_of(by_peer[OWN]):<8}{bar:<{WIDTH}}  {own:>9.0f}  "
                     f"{its:>{len(peer)}.0f}  (x {own / its:.2f})")
    return [*lines, "```"]


def main():
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    if len(arguments) != 2 + check:
        sys.exit(__doc__)
    directory, page = arguments[check:]
    makers = {"grid": make_grid, "rows": make_rows, "variants": make_variants,
              "bars": make_bars}

    def generate(block):
        name, *options = block[2].split()
        if name not in makers:
            sys.exit(f"{page}: expected {', '.join(makers)} after the file, found '{name}'")
        path = os.path.join(directory, block[1])
        if not os.path.exists(path):
            known = os.path.splitext(block[1])[0]
            return ["", f"Not measured: `scripts/measure-results DIRECTORY COMMIT {known}` writes "
                    f"`{block[1]}`.", ""]
        file = File(path)
        return ["", file.describe(), "", *makers[name](file, *options), ""]

    write_or_check(page, check, BLOCK, generate, f"scripts/results.py docs/results {page}")


main()
