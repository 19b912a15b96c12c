"""Writes the generated blocks of docs/walkthrough.md, or with --check says whether they are
up to date.

    walkthrough.py [--check] ATTNC PAGE

A block lies between two comments, of which the second is <!-- end -->:

    <!-- module: OPTION... -->          the module, as `attnc gen` prints it
    <!-- passes -->                     a table of all passes and what they leave
    <!-- ir: after=PASS [OPTION...] --> the IR after the last run of a pass

The IR is an excerpt. Options: in=REGEX begins at the first op whose name matches, and
ends with its region; nth=N takes the N-th such op instead; keep=REGEX keeps ops whose
name matches, and the lines around them that open and close regions; types=no leaves out
what follows " : ". Values are renumbered, so that an excerpt changes only if it must.
"""

import re
import shlex
import subprocess
import sys

from generated_blocks import write_or_check

HEADER = re.compile(r"^// -----// IR Dump After \w+ \(([\w-]+)\)")
OP = re.compile(r"^\s*(?:%[^=]* = )?([a-z_]+\.[\w.]+)")
BLOCK = re.compile(r"^<!-- (module|passes|ir)(?:: (.*?))? -->$")
DIALECTS = ["attn", "attn_tile", "attn_gpu"]


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)
    if result.returncode:
        sys.exit(f"{' '.join(command)}: {result.stderr.strip()}")
    return result.stdout


def read_dumps(attnc, module, target):
    """Returns the passes in the order in which they ran, each with the lines of the module after
    it."""
    dumps = []
    text = subprocess.run(
        [attnc, "inspect", "-", "--target", target, "--access", "tma", "--ptxas=",
         "--after", "all"], input=module, stdout=subprocess.PIPE, text=True, check=True)
    for line in text.stdout.splitlines():
        header = HEADER.match(line)
        if header:
            dumps.append((header.group(1), []))
        elif dumps and line.strip():
            dumps[-1][1].append(line)
    return dumps


def name_of(line):
    """Returns the name of the op that begins on the line, or "" if none does."""
    match = OP.match(line)
    return match.group(1) if match else ""


def indent(line):
    return len(line) - len(line.lstrip())


def take_region(lines, pattern, nth):
    """Returns the nth line whose op's name matches, with the lines of the region that it opens."""
    matches = [i for i, line in enumerate(lines) if re.search(pattern, name_of(line))]
    if len(matches) < nth:
        sys.exit(f"expected {nth} ops that match {pattern}, found {len(matches)}")
    begin = end = matches[nth - 1]
    if lines[begin].rstrip().endswith("{"):
        end = next(i for i in range(begin + 1, len(lines))
                   if indent(lines[i]) == indent(lines[begin])
                   and lines[i].lstrip().startswith("}")
                   and not lines[i].rstrip().endswith("{"))
    return lines[begin:end + 1]


def keep_lines(lines, pattern):
    """Returns the lines whose op's name matches, and those that open and close the regions around
    them, with "..." for omitted lines."""
    kept = {i for i, line in enumerate(lines)
            if name_of(line) and re.search(pattern, name_of(line))}
    for i in sorted(kept):
        depth = indent(lines[i])
        for j in range(i - 1, -1, -1):
            if indent(lines[j]) < depth and lines[j].rstrip().endswith("{"):
                depth = indent(lines[j])
                kept.add(j)
    # If a kept line opens a region, the lines that close it are kept, too, and the lines between
    # its branches, such as that with `else`.
    for i in sorted(kept):
        if not lines[i].rstrip().endswith("{"):
            continue
        for j in range(i + 1, len(lines)):
            if indent(lines[j]) <= indent(lines[i]) and lines[j].lstrip()[0] == "}":
                kept.add(j)
                if not lines[j].rstrip().endswith("{"):
                    break
    result, last = [], -1
    for i in sorted(kept):
        if i > last + 1 and result and not lines[i].lstrip().startswith("}"):
            dots = " " * indent(lines[i]) + "..."
            if result[-1] != dots:
                result.append(dots)
        result.append(lines[i])
        last = i
    return result


def shorten(line, types):
    line = re.sub(r"strided<\[[^]]*\]>", "strided<...>", line)
    line = re.sub(r"^(\s*)} \{attn\.reasons = .*}$", r"\1} {...}", line)
    if types:
        return line
    opens = line.rstrip().endswith("{")
    line = re.sub(r"(iter_args\(.*?\)) -> .*", r"\1", line)
    line = re.sub(r" -> (\(.*\)|tensor<.*>) \{$", "", line)
    line = re.sub(r"( do)? : .*$", "", line)
    return line + " {" if opens and not line.endswith("{") else line


def renumber(lines):
    """Renames values in the order in which they occur: %0, %1, %arg0, %tile, %tile_0 ..."""
    names, used = {}, {}

    def rename(match):
        name = match.group(0)
        if name not in names:
            base = re.sub(r"^%\d+$|(?<=arg)\d+$|_\d+$", "", name)
            count = used[base] = used.get(base, -1) + 1
            if base in ("", "%arg"):
                names[name] = (base or "%") + str(count)
            else:
                names[name] = base + (f"_{count - 1}" if count else "")
        return names[name]

    return [re.sub(r"%[\w-]+", rename, line) for line in lines]


def excerpt(lines, options):
    if "in" in options:
        lines = take_region(lines, options["in"], int(options.get("nth", 1)))
    if "keep" in options:
        lines = keep_lines(lines, options["keep"])
    depth = min(map(indent, lines))
    lines = [shorten(line[depth:], options.get("types") != "no") for line in lines]
    return renumber(lines)


def count_ops(lines, dialect):
    return sum(name_of(line).split(".")[0] == dialect for line in lines)


def tabulate(dumps):
    rows = ["| pass | " + " | ".join(f"`{d}`" for d in DIALECTS) + " |",
            "|---|" + "---|" * len(DIALECTS)]
    last, before = None, None
    for name, lines in dumps:
        counts = tuple(count_ops(lines, dialect) for dialect in DIALECTS)
        if name.startswith(("attn", "convert-attn")) and any(before or counts):
            changes = "" if lines != last else ", changes nothing here"
            cells = [str(count) for count in counts]
            rows.append(f"| `{name}`{changes} | " + " | ".join(cells) + " |")
        last, before = lines, counts
    return rows


def generate(kind, words, attnc, state):
    if kind == "module":
        state["module"] = run(attnc, "gen", *words)
        return ["```mlir", *state["module"].rstrip().splitlines(), "```"]
    if "dumps" not in state:
        state["dumps"] = read_dumps(attnc, state["module"], "sm_90a")
    if kind == "passes":
        return tabulate(state["dumps"])
    options = dict(word.split("=", 1) for word in words)
    found = [text for name, text in state["dumps"] if name == options["after"]]
    if not found:
        sys.exit(f"expected a run of {options['after']}, found none")
    return ["```mlir", *excerpt(found[-1], options), "```"]


def main():
    arguments = sys.argv[1:]
    check = arguments[:1] == ["--check"]
    attnc, path = arguments[check:]
    state = {}
    write_or_check(path, check, BLOCK, lambda block: generate(
        block.group(1), shlex.split(block.group(2) or ""), attnc, state), "make walkthrough")


main()
