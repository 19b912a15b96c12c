"""Copies all pages that are written by hand to one folder, and writes an index of them and of
the reference pages that the build has put into this folder already.

    make-site.py SOURCE FOLDER [DEPFILE]

In the copies, links between README.md at the top, pages in docs/ and those in docs/lab/ lead to
files of the same folder, in which docs/lab/x.md is lab-x.md. DEPFILE gets a rule in the language of
make: the index depends on the pages, and on the folders that hold them.
"""

import os
import re
import shutil
import sys

source, folder = sys.argv[1:3]
TOP = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
REFERENCE = {
    "attn-dialect.md": "the op: what is computed",
    "attn-tile-dialect.md": "programs on tiles",
    "attn-gpu-dialect.md": "layouts, rings, roles, schedules",
    "attn-nv-dialect.md": "what NVVM lacks",
    "attn-passes.md": "passes on the op",
    "attn-tile-passes.md": "passes on tile programs",
    "attn-gpu-passes.md": "passes of the GPU level",
    "attn-conversion-passes.md": "conversions",
    "attn-raise-passes.md": "attention in IR of other compilers",
}


def title(path):
    with open(path) as file:
        return next(line[2:].strip() for line in file if line.startswith("# "))


def flatten(text, prefix):
    text = re.sub(r"\]\(([\w-]+\.md)", rf"]({prefix}\1", text)
    text = re.sub(r"\]\((?:docs/)?lab/([\w-]+\.md)", r"](lab-\1", text)
    text = re.sub(r"\]\(docs/([\w-]+\.md)", r"](\1", text)
    return re.sub(r"\]\(\.\./([\w-]+\.md)", r"](\1", text)


def find_pages():
    """Returns for each page its name on the site, and its path relative to the source."""
    pages = [(page, page) for page in TOP]
    for below, prefix in (("docs", ""), ("docs/lab", "lab-")):
        pages += [(prefix + page, os.path.join(below, page))
                  for page in sorted(os.listdir(os.path.join(source, below)))
                  if page.endswith(".md")]
    return pages


os.makedirs(folder, exist_ok=True)
shutil.copy(os.path.join(source, "LICENSE"), folder)
written = {}
for page, below in find_pages():
    path = os.path.join(source, below)
    with open(path) as file:
        text = flatten(file.read(), "lab-" if page.startswith("lab-") else "")
    written[page] = title(path)
    with open(os.path.join(folder, page), "w") as file:
        file.write(text)

known = set(written) | set(REFERENCE) | {"index.md"}
for page in os.listdir(folder):
    if page.endswith(".md") and page not in known:
        os.remove(os.path.join(folder, page))  # of an earlier version
rows = ["# attn-mlir", "", "## Pages", "", "| | |", "|---|---|"]
rows += [f"| [{page}]({page}) | {name} |" for page, name in written.items()]
rows += ["", "## Reference manual", "", "Of ops and passes, generated from their "
         "definitions.", "", "| | |", "|---|---|"]
rows += [f"| [{page}]({page}) | {what} |" for page, what in REFERENCE.items()]
index = os.path.join(folder, "index.md")
with open(index, "w") as file:
    file.write("\n".join(rows) + "\n")
if len(sys.argv) > 3:
    inputs = [below for _, below in find_pages()] + ["LICENSE", "docs", os.path.join("docs", "lab")]
    paths = [path.replace(" ", r"\ ") for path in
             [index, *(os.path.join(source, name) for name in inputs)]]
    with open(sys.argv[3], "w") as file:
        file.write(f"{paths[0]}: {' '.join(paths[1:])}\n")
