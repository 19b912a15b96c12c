"""Registers, spills and occupancy of a table of kernels, against bounds.

    kernel-table.py [--sample N] [--only WORD]... [--without WORD]... [--jobs N] [--table FILE]
                    PTXAS BOUNDS

The table has all combinations of the lists below. attnc compiles each module, and PTXAS
assembles it. A kernel fails if its registers let an SM hold fewer CTAs than its bound, if it
spills more bytes than its bound, or if ptxas prints a warning or a message C75.. (MMAs that
wait for each other). ATTN_TEST_SEED chooses the sample of --sample; --only takes the modules
that have all of these fields, --without those that have none of them. FILE gets a row for each
kernel that was assembled.

A line of BOUNDS is one of

    ctas FIELDS...: N             an SM has enough registers for at least N CTAs
    spills FIELDS...: N, REASON   at most N bytes of spill stores and loads

FIELDS are those of a row; '*' stands for any, and the last ones may be missing. The first
line that matches a kernel is its bound. A kernel without a bound may not spill, and an SM
must be able to hold one CTA of it.
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
# Further head dims, for forward kernels of 16 bits only: A/B are those of keys and values, and
# A[0/B] means values that are the first B columns of the key.
WIDE_DIMS = ["320", "384", "512", "576/512", "576/64", "576[0/512]"]
# Further head dims for gradients by wgmma. Their kernels pass P and dS through memory.
WIDE_GRADIENT_DIMS = ["320", "384", "448", "512", "576/512"]
# Types with 8 or 4 bits: all arrays of 8 bits, or keys and values of 8 or 4 bits with queries of
# 16.
NARROW_DTYPES = ["e4m3", "bf16+e4m3", "bf16+i4"]
NARROW_DIMS = ["64", "128", "256"]
NARROW_CHIPS = ["sm_89", "sm_90a", "sm_120"]
MASKS = {
    "full": [],
    "top-left": ["--causal", "top-left"],
    "bottom-right": ["--causal", "bottom-right"],
    "window": ["--causal", "bottom-right", "--window", "100,-1"],
}
# The results of the op: output only, output and lse, or gradients.
RESULTS = {"-": [], "lse": ["--lse"], "grads": ["--backward"]}
SIZES = {
    # With dynamic strides, kernels are compiled for both classes of access, between which a launch
    # chooses.
    "dynamic": ["--batch", "?", "--heads", "?", "--seq", "?", "--dynamic-strides"],
    "static": ["--batch", "2", "--heads", "4:2", "--seq", "1000"],
}
# With few rows, the keys are divided among programs, and heads that share keys are rows of one
# tile.
WIDE_SIZES = {
    **SIZES,
    "few": ["--batch", "?", "--heads", "?", "--seq", "2:?", "--dynamic-strides", "--lengths=key",
            "--paged", "64"],
}
NARROW_SIZES = {
    "static": SIZES["static"],
    "decode": ["--batch", "16", "--heads", "32:8", "--seq", "1:16384"],
    "scales": ["--batch", "16", "--heads", "32:8", "--seq", "1:16384", "--scales", "token"],
}
CHIPS = ["sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_120"]
# The only chips whose kernels of gradients differ from those of other chips.
GRADIENT_CHIPS = ["sm_80", "sm_90a"]
REGISTERS_OF_SM = 65536


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sample", type=int)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--without", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--table")
    parser.add_argument("ptxas")
    parser.add_argument("bounds")
    return parser.parse_args()


class Bounds:
    """The lines of a file of bounds, sorted by their first word."""

    def __init__(self, path):
        self.lines = {"ctas": [], "spills": []}
        with open(path) as file:
            for line in file:
                if not line.split() or line.startswith("#"):
                    continue
                fields, _, bound = line.partition(":")
                kind, *fields = fields.split()
                self.lines[kind].append((fields, bound.strip()))

    def find(self, kind, row):
        for fields, bound in self.lines[kind]:
            if all(f in ("*", r) for f, r in zip(fields, row)):
                return bound
        return None

    def get_ctas(self, row):
        return int(self.find("ctas", row) or 1)

    def get_spills(self, row):
        return int((self.find("spills", row) or "0").partition(",")[0])


class Kernel:
    """The resources of one kernel according to ptxas: registers of a thread, threads of a CTA, and
    bytes of spill stores and loads."""

    def __init__(self, registers, threads, spilled):
        self.registers, self.threads, self.spilled = registers, threads, spilled

    def get_ctas(self):
        """Returns how many CTAs an SM can hold by its registers alone. A thread gets registers in
        groups of eight."""
        return REGISTERS_OF_SM // ((self.registers + 7) // 8 * 8 * self.threads)


def run(*command, text=None):
    found = subprocess.run(command, input=text, capture_output=True, text=True)
    return found.returncode, found.stdout, found.stderr


def read_kernels(log, ptx):
    """Returns the kernels by their names, from the output of `ptxas -v` and the numbers of threads
    that the PTX declares."""
    threads = {name: int(number) for name, number in
               re.findall(r"\.entry (\w+)\([^{]*?\.maxntid (\d+)", ptx)}
    kernels = {}
    for said in log.split("Compiling entry function '")[1:]:
        name = said.split("'")[0]
        spills = re.search(r"(\d+) bytes spill stores, (\d+) bytes spill loads", said)
        registers = re.search(r"Used (\d+) registers", said)
        if spills and registers:
            kernels[name] = Kernel(int(registers[1]), threads[name],
                                   int(spills[1]) + int(spills[2]))
    return kernels


def assemble(ptxas, row):
    """Compiles and assembles the module of a row. Returns its kernels by their names and the
    complaints of ptxas, or an error message."""
    dtype, dim, mask, result, sizes, chip = row
    dim, _, columns = dim.replace("/", ":").partition("[")
    within = ["--value-dims", columns[:-1]] if columns else []
    dtype, _, stored = dtype.partition("+")
    stored = ["--kv-dtype", stored] if stored else []
    status, text, errors = run("attnc", "gen", "--dtype", dtype, *stored, "--head-dim", dim,
                               *within, *MASKS[mask], *RESULTS[result],
                               *{**WIDE_SIZES, **NARROW_SIZES}[sizes])
    if status:
        return f"attnc gen: {errors}"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "main.ptx")
        status, _, errors = run("attnc", "compile", "-", "--target", chip, "--emit", "ptx",
                                "-o", path, text=text)
        if status:
            return f"attnc compile: {errors}"
        # ptxas prints its messages C75.. only with -v.
        status, output, errors = run(ptxas, "-v", f"-arch={chip}", path, "-o",
                                     os.path.join(folder, "main.cubin"))
        with open(path) as file:
            ptx = file.read()
    if status:
        return f"ptxas: {output}{errors}"
    kernels = read_kernels(output + errors, ptx)
    if not kernels:
        return f"expected registers in what ptxas says, found:\n{output}{errors}"
    return kernels, re.findall(r".*(?:C75\d\d|setmaxnreg.*ignored|warning).*", output + errors)


def find_faults(bounds, row, kernel):
    ctas, spilled = bounds.get_ctas(row), bounds.get_spills(row)
    if kernel.get_ctas() < ctas:
        yield (f"takes {kernel.registers} registers for {kernel.threads} threads, expected room "
               f"for {ctas} CTAs")
    if kernel.spilled > spilled:
        yield f"spills {kernel.spilled} bytes, expected at most {spilled}"


def list_rows(only, without):
    rows = itertools.chain(
        itertools.product(DTYPES, DIMS, MASKS, RESULTS, SIZES, CHIPS),
        itertools.product(DTYPES[:2], WIDE_DIMS, MASKS, ["-", "lse"], WIDE_SIZES, CHIPS),
        itertools.product(NARROW_DTYPES, NARROW_DIMS, ["full", "top-left"], ["-"], NARROW_SIZES,
                          NARROW_CHIPS),
        itertools.product(DTYPES[:2], WIDE_GRADIENT_DIMS, ["full", "top-left"], ["grads"], SIZES,
                          ["sm_90a"]))
    return [row for row in rows if set(only) <= set(row) and set(row).isdisjoint(without) and
            (row[3] != "grads" or row[5] in GRADIENT_CHIPS)]


def main():
    arguments = parse_arguments()
    bounds, rows = Bounds(arguments.bounds), list_rows(arguments.only, arguments.without)
    if arguments.sample is not None:
        seed = int(os.environ.get("ATTN_TEST_SEED") or random.randrange(1 << 31))
        print(f"seed {seed}")
        rows = random.Random(seed).sample(rows, min(arguments.sample, len(rows)))
    table = open(arguments.table or os.devnull, "w")
    failed = num_kernels = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda row: assemble(arguments.ptxas, row), rows)
        for row, found in zip(rows, results):
            faults = []
            if isinstance(found, str):
                faults.append(found.strip())
            else:
                kernels, faults = found
                num_kernels += len(kernels)
                for name, kernel in kernels.items():
                    faults += [f"{name} {fault}" for fault in find_faults(bounds, row, kernel)]
                    print(*row, name, kernel.registers, kernel.threads, kernel.get_ctas(),
                          kernel.spilled, file=table, flush=True)
            failed += len(faults)
            for fault in faults:
                print(f"{' '.join(row)}: {fault}")
    print(f"{len(rows)} modules, {num_kernels} kernels, {failed} faults")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
