"""Prints from which ops the instructions in PTX come, according to its line table.

    ptx-lines.py PTX FILE

Prints "OPCODE: OP" for each kind of instruction and each op of the tile programs in
FILE from which such an instruction comes, sorted by name. Fails if the PTX names another file than
FILE, or a line that FILE does not have.
"""

import re
import sys

ptx, file = sys.argv[1:]
with open(file) as source:
    source_lines = source.read().splitlines()
with open(ptx) as code:
    code_lines = code.read().splitlines()

files = {number: name for number, name in
         re.findall(r'^\s*\.file\s+(\d+)\s+"(.*)"', "\n".join(code_lines), re.M)}
assert list(files.values()) == [file], f"expected {file}, found {files}"

found = set()
op = None
for line in code_lines:
    if line.startswith(".visible .entry"):
        op = None
    location = re.match(r"\s*\.loc\s+(\d+) (\d+) (\d+)", line)
    if location:
        number = int(location[2])
        assert location[1] in files, line
        # Instructions that come from several ops have line 0.
        assert number <= len(source_lines), line
        text = source_lines[number - 1] if number else "several"
        op = re.match(r"\s*(?:[%\w:, #]+ = )?([\w.]+)?", text)[1]
        continue
    for statement in re.split("[;{}]", line):
        opcode = re.match(r"\s*(?:@\S+ )?([a-z]\w*\.[\w.:]+)(?:\s|$)", statement)
        if opcode and op:
            found.add(f"{opcode[1]}: {op}")
print("\n".join(sorted(found)))
