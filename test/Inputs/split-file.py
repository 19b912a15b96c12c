"""Splits a file into the parts of a test, as LLVM's split-file does.

    split-file.py FILE DIRECTORY

A part begins after a line like `//--- name`. DIRECTORY is emptied before.
"""

import os
import re
import shutil
import sys

source, directory = sys.argv[1:]
with open(source, "rb") as file:
    lines = file.read().splitlines(keepends=True)
parts, part = {}, None
for line in lines:
    separator = re.match(rb"(?:.{1,2})--- (\S+)\s*$", line)
    if separator:
        name = separator[1].decode()
        if name in parts:
            sys.exit(f"split-file.py: expected '{name}' once in '{source}'")
        part = parts[name] = []
    elif part is not None:
        part.append(line)
if not parts:
    sys.exit(f"split-file.py: expected a line like '//--- name' in '{source}'")

if os.path.isdir(directory):
    shutil.rmtree(directory)
elif os.path.lexists(directory):
    os.remove(directory)
for name, text in parts.items():
    path = os.path.join(directory, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(b"".join(text))
