#!/usr/bin/env python3
"""Finds warpgroup MMAs whose left operand's registers were given to something else.

Usage: check-sass.py FILE...

FILEs are what `nvdisasm -c` writes of a kernel's machine code. A left operand in registers
is loaded, extended from 8 bits, or computed. Where definitions of two kinds reach one MMA, the
assembler has put two values into the same registers, and some iteration of a loop multiplies the
wrong one (ptxas 13.0 does so with valid PTX). Prints such MMAs and fails if there are any, or if no MMA
has a left operand in registers."""

import re
import sys

NO_RESULT = {"ST", "STS", "STG", "STSM", "RED", "BAR", "SYNCS", "UTMALDG", "UTMASTG",
             "WARPGROUP", "BRA"}
LOADS = {"LD", "LDG", "LDL", "LDS", "LDSM"}


def read_kernels(path):
    """Returns for each kernel in the file the list of its instructions and labels."""
    kernels, items = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            if found := re.match(r"\.text\.(\S+):", line):
                items = kernels.setdefault(found[1], [])
            elif items is None:
                continue
            elif found := re.match(r"(\.L_x_\d+):", line):
                items.append(found[1])
            elif found := re.match(r"\s+/\*[0-9a-f]+\*/\s+(.*?)\s*;", line):
                items.append(found[1])
    return kernels


def split_blocks(items):
    """Returns the basic blocks, and for each the set of the numbers of blocks that may follow
    it."""
    blocks, labels = [[]], {}
    for item in items:
        if item.startswith(".L_x_"):
            if blocks[-1]:
                blocks.append([])
            labels[item] = len(blocks) - 1
        else:
            blocks[-1].append(item)
            if re.search(r"\b(BRA|BRX|EXIT|RET)\b", item):
                blocks.append([])
    successors = []
    for number, block in enumerate(blocks):
        last = block[-1] if block else ""
        target = re.search(r"`\((\.L_x_\d+)\)", last) if "BRA" in last else None
        follow = {labels[target[1]]} if target and target[1] in labels else set()
        leaves = target or re.search(r"\b(BRX|EXIT|RET)\b", last)
        if (last.startswith("@") or not leaves) and number + 1 < len(blocks):
            follow.add(number + 1)
        successors.append(follow)
    return blocks, successors


def written(instruction):
    """Returns the registers that an instruction writes, and whether it has a predicate, so that it
    may leave them unchanged."""
    text = re.sub(r"^@\S+\s+", "", instruction)
    name, _, operands = text.partition(" ")
    if name.split(".")[0] in NO_RESULT:
        return (), False
    first = re.match(r"\s*(?:U?P\w+,\s*)?R(\d+)\b", operands)
    if not first:
        return (), False
    if columns := re.match(r"HGMMA\.64x(\d+)x", name):
        count = int(columns[1]) // 2
    elif re.search(r"\.(128|M88\.4)", name):
        count = 4
    elif re.search(r"\.(64|WIDE|M88\.2)", name):
        count = 2
    else:
        count = 1
    begin = int(first[1])
    return range(begin, begin + count), instruction.startswith("@")


def kind(instruction):
    name = re.sub(r"^@\S+\s+", "", instruction).split(".")[0].split(" ")[0]
    if name in LOADS:
        return "loaded"
    return "extended" if ".UNPACK_B" in instruction else "computed"


def left_operand(instruction):
    found = re.search(r"\bHGMMA\S*\s+R\d+,\s*R(\d+),", instruction)
    return range(int(found[1]), int(found[1]) + 4) if found else ()


def step(state, instruction):
    registers, kept = written(instruction)
    for register in registers:
        before = state.get(register, frozenset()) if kept else frozenset()
        state[register] = before | {kind(instruction)}


def check_kernel(items):
    """Returns the number of MMAs with a left operand in registers, and the list of those that are
    wrong."""
    blocks, successors = split_blocks(items)
    entries = [{} for _ in blocks]
    work = list(range(len(blocks)))
    while work:
        number = work.pop()
        state = dict(entries[number])
        for instruction in blocks[number]:
            step(state, instruction)
        for follower in successors[number]:
            entry, changed = entries[follower], False
            for register, kinds in state.items():
                joined = entry.get(register, frozenset()) | kinds
                changed |= joined != entry.get(register)
                entry[register] = joined
            if changed:
                work.append(follower)
    count, wrong = 0, []
    for block, state in zip(blocks, entries):
        for instruction in block:
            registers = left_operand(instruction)
            count += bool(registers)
            kinds = frozenset().union(*(state.get(r, frozenset()) for r in registers))
            if len(kinds) > 1:
                wrong.append(instruction)
            step(state, instruction)
    return count, wrong


def main(paths):
    total, failed = 0, False
    for path in paths:
        for kernel, items in read_kernels(path).items():
            count, wrong = check_kernel(items)
            total += count
            for instruction in wrong:
                failed = True
                print(f"{path}: {kernel}: of two kinds: {instruction}")
    print(f"{total} MMAs with a left operand in registers")
    return 1 if failed or not total else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
