"""Prints in which loops the kernels of a table spill, and whether ptxas chose to.

    spill-places.py [--only WORD]... [--jobs N] PTXAS NVDISASM TABLE

A line for each kernel that spills in TABLE (which kernel-table.py --table writes) has the numbers
of loads and stores of spilled registers: in the innermost loops that contain MMAs, in other loops
(over tiles), and outside of loops. Then follow the registers and bytes of spills with
--register-usage-level=10. If these are 0, ptxas had chosen to spill so that an SM can hold one CTA
more. Fails if a kernel could not be built.
"""

import argparse
import concurrent.futures
import importlib.util
import os
import re
import sys
import tempfile

spec = importlib.util.spec_from_file_location(
    "kernel_table", os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernel-table.py"))
table = importlib.util.module_from_spec(spec)
spec.loader.exec_module(table)

PLACES = ["main loop", "other loops", "no loop"]


def find_places(listing):
    """Returns for each kernel in a listing the numbers of stores and loads of local memory, by
    place."""
    found = {}
    for section in re.split(r"^\s*\.section\s+\.text\.", listing, flags=re.M)[1:]:
        name = re.match(r"[\w$]+", section)[0]
        labels, branches, accesses, mmas, number = {}, [], [], [], 0
        for line in section.splitlines():
            label = re.match(r"\s*(\.L_\w+):", line)
            if label:
                labels[label[1]] = number
            if not re.match(r"\s*/\*[0-9a-f]{4,}\*/", line):
                continue
            number += 1
            branch = re.search(r"\bBRA\b.*`\((\.L_\w+)\)", line)
            if branch:
                branches.append((branch[1], number))
            access = re.search(r"\b(STL|LDL)\b", line)
            if access:
                accesses.append((number, access[1]))
            if re.search(r"\b[HQ]G?MMA\b", line):
                mmas.append(number)
        loops = [(labels[target], at) for target, at in branches
                 if labels.get(target, at) < at]

        def find_innermost(at):
            around = [loop for loop in loops if loop[0] < at <= loop[1]]
            return min(around, key=lambda loop: loop[1] - loop[0], default=None)

        main_loops = {find_innermost(mma) for mma in mmas} - {None}
        counts = {place: [0, 0] for place in PLACES}
        for at, kind in accesses:
            loop = find_innermost(at)
            place = PLACES[2] if not loop else PLACES[loop not in main_loops]
            counts[place][kind == "LDL"] += 1
        found[name] = counts
    return found


def examine(ptxas, nvdisasm, module):
    """Builds the kernels of a module. Returns by their names where they spill, and their resources
    with --register-usage-level=10; or an error message."""
    dtype, dim, mask, result, sizes, chip = module
    status, text, errors = table.run(
        "attnc", "gen", "--dtype", dtype, "--head-dim", dim, *table.MASKS[mask],
        *table.RESULTS[result], *table.SIZES[sizes])
    if status:
        return errors
    with tempfile.TemporaryDirectory() as folder:
        ptx, cubin = os.path.join(folder, "main.ptx"), os.path.join(folder, "main.cubin")
        for command, text in [
                (["attnc", "compile", "-", "--target", chip, "--emit", "ptx", "-o", ptx], text),
                ([ptxas, f"-arch={chip}", ptx, "-o", cubin], None)]:
            status, _, errors = table.run(*command, text=text)
            if status:
                return errors
        status, listing, errors = table.run(nvdisasm, "-c", cubin)
        if status:
            return errors
        status, output, errors = table.run(ptxas, "-v", "--register-usage-level=10",
                                           f"-arch={chip}", ptx, "-o", cubin)
        if status:
            return errors
        with open(ptx) as file:
            return find_places(listing), table.read_kernels(output + errors, file.read())


def read_table(path, only):
    """Returns the kernels that spill, with registers and spilled bytes, by their modules."""
    spilling = {}
    with open(path) as file:
        for *module, name, registers, threads, ctas, spilled in map(str.split, file):
            if int(spilled) and set(only) <= set(module):
                spilling.setdefault(tuple(module), []).append((name, registers, spilled))
    return spilling


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("ptxas")
    parser.add_argument("nvdisasm")
    parser.add_argument("table")
    arguments = parser.parse_args()
    spilling = read_table(arguments.table, arguments.only)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda module: examine(arguments.ptxas, arguments.nvdisasm, module),
                           spilling)
        for (module, kernels), found in zip(spilling.items(), results):
            if isinstance(found, str):
                failed += 1
                print(f"{' '.join(module)}: {found.strip()}")
                continue
            for name, registers, spilled in kernels:
                counts, other = found[0].get(name), found[1].get(name)
                if not counts or not other:
                    failed += 1
                    print(f"{' '.join(module)} {name}: expected a kernel, found none")
                    continue
                places = ", ".join(f"{place} {s} STL {l} LDL"
                                   for place, (s, l) in counts.items() if s or l)
                print(f"{' '.join(module)} {name}: {registers}+{spilled}: {places or 'none'}; "
                      f"at level 10: {other.registers}+{other.spilled}", flush=True)
    print(f"{sum(map(len, spilling.values()))} kernels, {failed} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
