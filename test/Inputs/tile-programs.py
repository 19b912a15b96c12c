"""tile-programs.py MODULE [--lines]

Prints the tile programs of a module, from `attn_tile.grid` to its closing brace, without
what depends on the target: the schedule and its reasons. Constants and maps are replaced by
their definitions, and other values are numbered in their order in the program. With
--lines, only prints the number of lines of each program, without the schedule."""

import re
import sys

lines = open(sys.argv[1]).read().splitlines()
maps, constants, programs = {}, {}, []
program = end = None
for line in lines:
    indent = line[:len(line) - len(line.lstrip())]
    if match := re.match(r"(#map\d*) = (.*)", line):
        maps[match[1]] = match[2]
    if program is None:
        if match := re.match(r" *(%\w+) = arith\.constant (.*)", line):
            constants[match[1]] = f"({match[2]})"
        if "attn_tile.grid " not in line:
            continue
        program, end = [], indent + "}"
        line = re.sub(r" schedule #attn(\.tiles|_gpu\.schedule)<[^>]*>", "", line)
    if line.startswith(end):
        program.append(line[len(indent):len(end)])
        programs.append(program)
        program = None
    else:
        program.append(line[len(end) - 1:])

for program in programs:
    if "--lines" in sys.argv:
        print(len(program))
        continue
    values = {}

    def name(match):
        return constants.get(match[0]) or values.setdefault(match[0], f"%v{len(values)}")

    for line in program:
        line = re.sub(r"#map\d*", lambda match: maps[match[0]], line)
        print(re.sub(r"%\w+", name, line))
    print()
