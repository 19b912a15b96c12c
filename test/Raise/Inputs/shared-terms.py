# Prints a module of this folder in which a value, the scores, is added to itself 30 times:
#   shared-terms.py MODULE VALUE [--halved]
# With --halved, it is halved before each of these sums, which changes nothing.

import pathlib
import re
import sys

module, value, *options = sys.argv[1:]
lines = pathlib.Path(__file__).with_name(module).read_text().splitlines(keepends=True)
[at] = [number for number, line in enumerate(lines) if line.strip().startswith(f"{value} =")]
kind = re.search(r"-> (tensor<[^>]*>)$", lines[at])[1]
half, last, added = "%sharedHalf", value, []
if options:
    added.append(f'    {half} = "stablehlo.constant"() <{{value = dense<0.5> : {kind}}}> '
                 f": () -> {kind}\n")
for number in range(30):
    term = last
    if options:
        term = f"%sharedTerm{number}"
        added.append(f'    {term} = "stablehlo.multiply"({last}, {half}) '
                     f": ({kind}, {kind}) -> {kind}\n")
    last = f"%sharedSum{number}"
    added.append(f'    {last} = "stablehlo.add"({term}, {term}) : ({kind}, {kind}) -> {kind}\n')
# Numbers of values are used in one function only.
rest = [re.sub(f"{value}(?![0-9#])", last, line) for line in lines[at + 1:]]
print("".join(lines[:at + 1] + added + rest))
