"""Checks that the reference manual is complete:

    check-reference.py ops PAGE EXAMPLES     each op of the page is in the examples, as
                                             attn-opt prints them
    check-reference.py passes PAGE...        each pass of attn-opt is on one of the pages,
                                             and each pass on a page is one of attn-opt
"""

import re
import subprocess
import sys


def read(path):
    with open(path) as file:
        return file.read()


def report(what, faults):
    for fault in faults:
        print(fault)
    print(f"{what}, {len(faults)} faults")
    sys.exit(bool(faults))


if sys.argv[1] == "ops":
    page, examples = map(read, sys.argv[2:])
    ops = re.findall(r"^### `([a-z_]+\.[a-z_.]+)`", page, re.M)
    used = set(re.findall(r"[a-z_]+\.[a-z_.]+", examples))
    report(f"{len(ops)} ops", [f"expected {op} in an example, found none"
                               for op in ops if op not in used] + ([] if ops else ["no ops"]))

headings = [name for path in sys.argv[2:]
            for name in re.findall(r"^### `-([\w-]+)`", read(path), re.M)]
options = subprocess.run(["attn-opt", "--help"], stdout=subprocess.PIPE, text=True,
                         check=True).stdout
# attn-opt lists passes and pipelines in separate sections. Passes for tests (attn-test-*) have no
# page.
passes = options.split("Passes:")[1].split("Pass Pipelines:")[0]
known = {name for name in re.findall(r"^      --([\w-]+)", passes, re.M)
         if re.match(r"attn-|convert-attn-", name) and not name.startswith("attn-test-")}
faults = [f"expected {name} on a page, found none" for name in sorted(known - set(headings))]
faults += [f"{name} is no pass of attn-opt" for name in sorted(set(headings) - known)]
faults += [f"{name} is on two pages" for name in sorted(set(headings))
           if headings.count(name) > 1]
report(f"{len(known)} passes", faults)
