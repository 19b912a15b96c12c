"""Checks the links of Markdown pages: files that exist, and #anchors of their headings.

    check-links.py PAGE-OR-DIRECTORY...

A directory stands for all pages in it. Links to the web are not followed.
"""

import os
import re
import sys

LINK = re.compile(r"(?<!!)\[[^\]\[]*\]\(([^()\s]+)\)")


def without_code(text):
    """Returns the text without fenced blocks and `code`; each line keeps its number."""
    blank = lambda match: "\n" * match.group(0).count("\n")
    text = re.sub(r"^([ \t]*```).*?^\1[ \t]*$", blank, text, flags=re.M | re.S)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(path):
    """Returns the anchors of a page: those that GitHub makes of headings, and those of <a> tags."""
    with open(path) as file:
        text = re.sub(r"^```.*?^```", "", file.read(), flags=re.M | re.S)
    found, counts = set(re.findall(r'<a (?:id|name)="([^"]+)"', text)), {}
    for heading in re.findall(r"^#{1,6} +(.*?) *$", text, re.M):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        count = counts[name] = counts.get(name, -1) + 1
        found.add(f"{name}-{count}" if count else name)
    return found


def pages(path):
    if not os.path.isdir(path):
        return [path]
    return [os.path.join(folder, name) for folder, _, names in os.walk(path)
            for name in sorted(names) if name.endswith(".md")]


def check(page):
    with open(page) as file:
        lines = without_code(file.read()).splitlines()
    for number, line in enumerate(lines, 1):
        for link in LINK.findall(line):
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            target = os.path.join(os.path.dirname(page), path) if path else page
            if not os.path.exists(target):
                yield f"{page}:{number}: expected a file, found none at {link}"
            elif anchor and target.endswith(".md") and anchor not in anchors(target):
                yield f"{page}:{number}: expected a heading, found none for {link}"


def main():
    found = [page for path in sys.argv[1:] for page in pages(path)]
    faults = [fault for page in found for fault in check(page)]
    print("\n".join(faults))
    print(f"{len(found)} pages, {len(faults)} broken links")
    sys.exit(bool(faults) or not found)


main()
