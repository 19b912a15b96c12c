"""Prints the functions in the ```mlir blocks of a Markdown page."""

import sys

block, blocks = None, []
for line in open(sys.argv[1]):
    if line.strip() == "```mlir":
        block = []
    elif line.strip() == "```" and block is not None:
        if any("func.func" in part and "{" in "".join(block) for part in block):
            blocks.append("".join(block))
        block = None
    elif block is not None:
        block.append(line)
print("// -----\n".join(blocks))
