"""Registers and spills of a table of kernels, against a record.

    kernel-table.py [--sample N] [--only WORD]... [--missing] [--update | --report]
                    [--jobs N] PTXAS RECORD

The table is all combinations of the lists below. Each module is compiled by attnc and
assembled by PTXAS; a kernel fails if it takes more registers than RECORD says, spills more
bytes, or if ptxas warns or says C75.. (MMAs that wait for each other). ATTN_TEST_SEED
chooses the sample, of rows that RECORD has, --only those with all of these fields, and
--missing those that RECORD has not. --update writes RECORD anew: rows that were not
assembled stay as they are. --report prints what differs, and never fails.

A row of RECORD has the registers of each chip's kernel, and after a plus sign the bytes
that it spills; 'none' is a module that does not fit the chip, '-' a class that it has not.
A spill needs a reason: a line "spills FIELDS...: REASON" is that of all rows that begin with
these fields, of which '*' is any. --update keeps these lines.
"""

import argparse
import concurrent.futures
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile

DTYPES = ["f16", "bf16", "f32"]
DIMS = ["16", "32", "64", "80", "96", "128", "192", "256"]
MASKS = {
    "full": [],
    "top-left": ["--causal", "top-left"],
    "bottom-right": ["--causal", "bottom-right"],
    "window": ["--causal", "bottom-right", "--window", "100,-1"],
}
# What is computed beside the output, or in its place.
RESULTS = {"-": [], "lse": ["--lse"], "grads": ["--backward"]}
SIZES = {
    # Both classes of access, as launches find them.
    "dynamic": ["--batch", "?", "--heads", "?", "--seq", "?", "--dynamic-strides"],
    "static": ["--batch", "2", "--heads", "4:2", "--seq", "1000"],
}
CHIPS = ["sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_120"]
# What arrays must be fit for: 16 bytes (cp.async or TMA), or nothing.
CLASSES = ["aligned", "narrow"]
NUM_FIELDS = 6


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--missing", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("ptxas")
    parser.add_argument("record")
    return parser.parse_args()


class Cell:
    """What one kernel takes."""

    def __init__(self, registers, spilled=0, faults=()):
        self.registers, self.spilled, self.faults = registers, spilled, list(faults)

    @staticmethod
    def parse(text):
        if text in ("-", "?"):
            return None
        if text == "none":
            return Cell(0)
        registers, _, spilled = text.partition("+")
        return Cell(int(registers), int(spilled or 0))

    def __str__(self):
        if not self.registers:
            return "none"
        return f"{self.registers}+{self.spilled}" if self.spilled else str(self.registers)

    def __eq__(self, other):
        return str(self) == str(other) and self.faults == other.faults


class Record:
    """Cells by the fields of a row and the chip, and reasons for spills."""

    def __init__(self, path):
        self.path, self.cells, self.reasons = path, {}, []
        if not os.path.exists(path):
            return
        with open(path) as file:
            for line in file:
                words = line.partition("#")[0].split()
                if words[:1] == ["spills"]:
                    fields, _, reason = line[len("spills"):].partition(":")
                    self.reasons.append((fields.split(), reason.strip()))
                elif words:
                    fields = tuple(words[:NUM_FIELDS])
                    for chip, text in zip(CHIPS, words[NUM_FIELDS:]):
                        if text != "?":
                            self.cells[fields, chip] = Cell.parse(text)

    def find_reason(self, fields, chip):
        for words, reason in self.reasons:
            if all(w in ("*", f) for w, f in zip(words, (*fields, chip))):
                return reason
        return None

    def write(self):
        rows = {}
        for fields, chip in self.cells:
            rows.setdefault(fields, {})[chip] = self.cells[fields, chip]
        order = [DTYPES, DIMS, list(MASKS), list(RESULTS), list(SIZES), CLASSES]
        with open(self.path, "w") as file:
            file.write("# Registers of kernels, and +bytes that they spill: written by\n"
                       "# kernel-table.py --update, of ptxas 13.0.88. Fields: dtype, head dim,\n"
                       "# mask, result, sizes, access.\n\n")
            for words, reason in self.reasons:
                file.write(f"spills {' '.join(words)}: {reason}\n")
            file.write("\n" if self.reasons else "")
            widths = [5, 4, 13, 6, 8, 8]
            heads = ["", "", "", "", "", ""]
            file.write(("#" + "".join(h.ljust(w) for h, w in zip(heads, widths)) +
                        " ".join(chip.rjust(7) for chip in CHIPS)).rstrip() + "\n")
            for fields in sorted(rows, key=lambda row: [
                    names.index(f) for names, f in zip(order, row)]):
                cells = [rows[fields].get(chip, "?") for chip in CHIPS]
                texts = ["-" if cell is None else str(cell) for cell in cells]
                file.write("".join(f.ljust(w) for f, w in zip(fields, widths)) + " " +
                           " ".join(text.rjust(7) for text in texts) + "\n")


def run(*command, text=None):
    found = subprocess.run(command, input=text, capture_output=True, text=True)
    return found.returncode, found.stdout, found.stderr


def read_kernels(log):
    """What ptxas -v says of kernels, by the classes of their names: of several of a class
    the most registers, and all that they spill."""
    cells = {}
    for said in log.split("Compiling entry function '")[1:]:
        name = said.split("'")[0]
        spills = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", said)
        registers = re.search(r"Used (\d+) registers", said)
        if not spills or not registers:
            continue
        kind = "narrow" if re.search(r"_narrow(_\d+)?$", name) else "aligned"
        known = cells.get(kind, Cell(0))
        cells[kind] = Cell(max(known.registers, int(registers[1])),
                           known.spilled + int(spills[1]) + int(spills[2]))
    return cells


def assemble(ptxas, module):
    """Cells of a module's kernels by class; or what went wrong."""
    dtype, dim, mask, result, sizes, chip = module
    status, text, errors = run("attnc", "gen", "--dtype", dtype, "--head-dim", dim,
                               *MASKS[mask], *RESULTS[result], *SIZES[sizes])
    if status:
        return f"attnc gen: {errors}"
    with tempfile.TemporaryDirectory() as folder:
        ptx = os.path.join(folder, "main.ptx")
        status, _, errors = run("attnc", "compile", "-", "--target", chip, "--emit", "ptx",
                                "-o", ptx, text=text)
        if status and "bytes of shared memory" in errors:
            return {"aligned": Cell(0)}
        if status:
            return f"attnc compile: {errors}"
        # What says nothing of C75.. but at -v.
        status, output, errors = run(ptxas, "-v", f"-arch={chip}", ptx, "-o",
                                     os.path.join(folder, "main.cubin"))
    if status:
        return f"ptxas: {output}{errors}"
    cells = read_kernels(output + errors)
    if not cells:
        return f"expected registers in what ptxas says, found:\n{output}{errors}"
    faults = re.findall(r".*(?:C75\d\d|setmaxnreg.*ignored|warning).*", output + errors)
    for cell in cells.values():
        cell.faults = faults
    return cells


def find_faults(record, fields, chip, cell):
    known = record.cells.get((fields, chip))
    if not known and not cell:
        return
    if not known:
        yield "has no record"
        return
    if not cell or bool(cell.registers) != bool(known.registers):
        yield f"expected {known} registers, found {cell or 'no such kernel'}"
        return
    if cell.registers > known.registers:
        yield f"takes {cell.registers} registers, expected at most {known.registers}"
    if cell.spilled > known.spilled:
        yield f"spills {cell.spilled} bytes, expected at most {known.spilled}"
    if cell.spilled and not record.find_reason(fields, chip):
        yield f"spills {cell.spilled} bytes without a reason"
    yield from cell.faults


def main():
    arguments = parse_arguments()
    table = list(itertools.product(DTYPES, DIMS, MASKS, RESULTS, SIZES, CHIPS))
    table = [row for row in table if set(arguments.only) <= set(row)]
    record = Record(arguments.record)
    def is_recorded(row):
        return ((*row[:-1], CLASSES[0]), row[-1]) in record.cells
    if arguments.missing:
        table = [row for row in table if not is_recorded(row)]
    if arguments.sample is not None:
        table = [row for row in table if is_recorded(row)]
        seed = int(os.environ.get("ATTN_TEST_SEED") or random.randrange(1 << 31))
        print(f"seed {seed}")
        table = random.Random(seed).sample(table, min(arguments.sample, len(table)))
    failed = kernels = differing = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda row: assemble(arguments.ptxas, row), table)
        for row, cells in zip(table, results):
            name, chip = " ".join(row), row[-1]
            if isinstance(cells, str):
                failed += 1
                print(f"{name}: {cells.strip()}")
                continue
            for kind in CLASSES:
                fields, cell = (*row[:-1], kind), cells.get(kind)
                if arguments.update:
                    record.cells[fields, chip] = cell
                kernels += cell is not None
                if arguments.report:
                    known = record.cells.get((fields, chip))
                    if known != cell:
                        differing += 1
                        print(f"{name} {kind}: {cell}, recorded {known}",
                              *(cell.faults if cell else []), sep="\n  ")
                    continue
                if arguments.update and kernels % 20 == 0:
                    record.write()
                for fault in find_faults(record, fields, chip, cell):
                    failed += 1
                    print(f"{name} {kind}: {fault}")
    if arguments.update:
        record.write()
    found = f"{differing} differ" if arguments.report else f"{failed} faults"
    print(f"{len(table)} modules, {kernels} kernels, {found}")
    sys.exit(bool(failed) and not arguments.report)


if __name__ == "__main__":
    main()
