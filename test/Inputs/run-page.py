"""run-page.py PAGE DIRECTORY ROOT [LANGUAGE]

Does what a page of the documentation shows, in an empty directory:

- ```mlir after <!-- file: NAME --> is written to a file
- ```sh is run, each line as a command of its own; after <!-- fails --> it must fail
- ```text after it: these lines come in this order in what the commands printed; `...`
  stands for anything
- ```python is run by this interpreter, where LANGUAGE is python; else blocks are sh
- after <!-- from: FILE --> the lines of any block are in that file of the project, where
  the project's sources are at ROOT

Paths of tools as in build/bin/attnc are those in PATH. Blocks of other languages, such as
```console, are for the reader alone.
"""

import os
import re
import subprocess
import sys

page, directory, root = sys.argv[1:4]
language = sys.argv[4] if len(sys.argv) > 4 else "sh"
os.makedirs(directory, exist_ok=True)
os.environ["ATTN_MLIR_CACHE"] = os.path.abspath(os.path.join(directory, "cache"))
failures = []
count = 0


def blocks(text):
    """Yields for each block of code its language, its note (the comment before it), its lines, and
    the number of its first line."""
    note, fence, lines = "", None, []
    for number, line in enumerate(text.splitlines(), 1):
        opens = re.match(r"^\s*```(\w*)$", line)
        if fence is None and opens:
            fence, lines, begin = opens.group(1), [], number
        elif fence is not None and opens:
            yield fence, note, lines, begin
            fence, note = None, ""
        elif fence is not None:
            lines.append(line)
        else:
            comment = re.match(r"^<!-- (.*) -->$", line.strip())
            if comment:
                note = comment.group(1)
            elif line.strip():
                note = ""


def fail(number, text):
    failures.append(f"{page}:{number}: {text}")


def join(lines):
    """Returns the commands of a block. A line that ends with a backslash is continued by the next
    one."""
    return re.sub(r"\s*\\\n\s*", " ", "\n".join(lines)).splitlines()


def run(lines, number, fails):
    output = ""
    for command in join(lines):
        command = re.sub(r"(^|\s|\|)build/bin/", r"\1", command.split(" # ")[0])
        if not command.strip() or command.lstrip().startswith("#"):
            continue
        result = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=directory,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output += result.stdout
        if (result.returncode != 0) != fails:
            fail(number, f"exit status {result.returncode} of '{command}'\n{output}")
    return output


def compare(lines, output, number):
    at = 0
    for line in lines:
        pattern = ".*".join(re.escape(part.strip()) for part in line.split("..."))
        found = re.compile(pattern).search(output, at)
        if not found:
            return fail(number, f"expected '{line}' in\n{output}")
        at = found.end()


def has_lines(lines, path, number):
    if not os.path.exists(path):
        return  # the package has no sources
    with open(path) as file:
        if "\n".join(lines) not in file.read():
            fail(number, f"expected these lines in {path}")


output = ""
for kind, note, lines, number in blocks(open(page).read()):
    if note.startswith("from: "):
        has_lines(lines, os.path.join(root, note[len("from: "):]), number)
    if note.startswith("file: "):
        with open(os.path.join(directory, note[len("file: "):]), "w") as file:
            file.write("\n".join(lines) + "\n")
    elif kind == "sh" and language == "sh":
        output, count = run(lines, number, note == "fails"), count + 1
    elif kind == "text" and language == "sh":
        compare(lines, output, number)
    elif kind == "python" and language == "python":
        result = subprocess.run([sys.executable, "-c", "\n".join(lines)], cwd=directory,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        output, count = result.stdout, count + 1
        if result.returncode:
            fail(number, result.stdout)
print("\n".join(failures))
print(f"{count} blocks of {language}, {len(failures)} failures")
sys.exit(bool(failures) or count == 0)
