"""Updates the blocks of a documentation page that a script writes. A block lies between two
comments, of which the second is <!-- end -->."""

import difflib
import sys

END = "<!-- end -->"


def update(page, pattern, generate):
    """Returns the page with up-to-date blocks: each line that `pattern` matches is followed by the
    lines that `generate` makes of the match."""
    result, lines = [], iter(page.splitlines())
    for line in lines:
        result.append(line)
        block = pattern.match(line)
        if not block:
            continue
        result += [*generate(block), END]
        if END not in lines:  # which skips what the page had
            sys.exit(f"expected {END} after {line}, found none")
    return "\n".join(result) + "\n"


def write_or_check(path, check, pattern, generate, command):
    """Writes the page with up-to-date blocks. With `check`, only shows where the page is stale and
    says which command writes it."""
    with open(path) as file:
        page = file.read()
    new = update(page, pattern, generate)
    if not check:
        with open(path, "w") as file:
            file.write(new)
    elif new != page:
        sys.stdout.writelines(difflib.unified_diff(
            page.splitlines(True), new.splitlines(True), "the page", "should be"))
        sys.exit(f"the page is stale: {command} writes it anew")
