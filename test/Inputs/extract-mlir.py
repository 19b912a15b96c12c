"""Prints the ```mlir blocks of a Markdown page as a file for attn-opt, split by // -----.

Functions and modules stay as they are. Types become arguments of a function, attributes
those of a module. Anything else, such as an op alone, is left out."""

import re
import sys


def statements(block):
    """Yields the block's statements: its lines, joined while angle brackets are open."""
    text = ""
    for line in block.splitlines():
        text += line
        if text.strip() and text.count("<") == text.count(">"):
            yield text.strip()
            text = ""


def module_of(block):
    if "func.func" in block or block.startswith(("module", "attn_gpu.kernel")):
        return block
    found = list(statements(block))
    types = [s for s in found if re.match(r"!|tensor<|memref<", s)]
    attributes = [s for s in found if s.startswith("#")]
    result = ""
    if types:
        result += f"func.func private @types({', '.join(types)})\n"
    if attributes:
        values = ", ".join(f"test.a{i} = {a}" for i, a in enumerate(attributes))
        result += f"module attributes {{{values}}} {{}}\n"
    return result


with open(sys.argv[1]) as file:
    blocks = re.findall(r"^```mlir\n(.*?)^```", file.read(), re.M | re.S)
print("// -----\n".join(filter(None, map(module_of, blocks))))
