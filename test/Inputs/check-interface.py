"""Compares the names on a page of the reference with those of the interface that it describes:
each must have all names of the other.

    check-interface.py c HEADER PAGE
    check-interface.py python PACKAGE PAGE
"""

import ast
import os
import re
import sys

kind, source, page = sys.argv[1:]
with open(page) as file:
    text = re.sub(r"^```.*?^```", "", file.read(), flags=re.M | re.S)
code = " ".join(re.findall(r"`([^`]*)`", text))
shown = set(re.findall(r"[A-Za-z_]\w*", code))


def names_of_c(path):
    header = re.sub(r"/\*.*?\*/", "", open(path).read(), flags=re.S)
    header = re.sub(r"^#(?!define ATTN_[A-Z]+ ?).*$", "", header, flags=re.M)
    header = re.sub(r"\bATTN_C_\w+", "", header)
    names = set(re.findall(r"\b(?:attn|ATTN)_\w+", header))
    for body in re.findall(r"typedef struct \w+ \{(.*?)\}", header, re.S):
        names |= set(re.findall(r"(\w+);", body))
    return names


def read(path):
    return ast.parse(open(path).read())


def public(nodes):
    return {node.name for node in nodes
            if isinstance(node, (ast.FunctionDef, ast.ClassDef))
            and not node.name.startswith("_")}


def parameters(function):
    arguments = function.args
    return {a.arg for a in arguments.args + arguments.kwonlyargs} - {"self"}


def names_of_python(package):
    """Returns the names in `__all__`, those of the functions' parameters, and those of the classes'
    members."""
    names = set()
    for module in ["__init__.py", "mask.py", "score.py", "torch.py"]:
        body = read(os.path.join(package, module)).body
        for node in body:
            if not isinstance(node, ast.Assign):
                continue
            target = getattr(node.targets[0], "id", "")
            if target == "__all__":
                names |= set(ast.literal_eval(node.value))
            elif target == "_NAMES":
                names |= set(node.value.func.value.value.split())
    for module in ["_append.py", "_attention.py", "_gradients.py", "_kernel.py", "_merge.py",
                   "_errors.py", "torch.py"]:
        for node in read(os.path.join(package, module)).body:
            if getattr(node, "name", "") not in names:
                continue
            if isinstance(node, ast.FunctionDef):
                names |= parameters(node)
                continue
            names |= public(node.body)
            for member in node.body:
                if isinstance(member, ast.AnnAssign):
                    names.add(member.target.id)
                if getattr(member, "name", "") == "__init__":
                    assigned = ast.walk(member)
                    names |= {n.attr for n in assigned if isinstance(n, ast.Attribute)
                              and isinstance(n.ctx, ast.Store)
                              and getattr(n.value, "id", "") == "self"
                              and not n.attr.startswith("_")}
    return names


if kind == "c":
    names = names_of_c(source)
    claimed = {name for name in shown if re.match(r"attn_|ATTN_", name)} - {
        "attn_mlir", "ATTN_MLIR_CACHE", "ATTN_MLIR_CACHE_MIB", "attn_NAME"}
else:
    names = names_of_python(source)
    # The page claims that these names exist: names at the beginning of a table's row, alone or in a
    # list, and members in lists.
    claims = re.findall(r"^\| (`.*?`) \|", text, re.M)
    claims += re.findall(r"^\|[^|`]*\| (`\w+`(?:, `\w+`)*) \|$", text, re.M)
    claims += re.findall(r"^`(?:Argument|Resources)` has ([^.]*)\.", text, re.M)
    claimed = set(re.findall(r"`(\w+)", " ".join(claims)))
missing, unknown = sorted(names - shown), sorted(claimed - names)
for name in missing:
    print(f"{page}: expected {name} of {os.path.basename(source)}, found nothing")
for name in unknown:
    print(f"{page}: {name} is not in {os.path.basename(source)}")
print(f"{len(names)} names")
sys.exit(bool(missing or unknown or not names))
