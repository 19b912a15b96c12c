"""Runs a named pipeline on a file, and again as the text it prints itself as."""

import subprocess
import sys


def run(*options):
    return subprocess.run(["attn-opt", sys.argv[1], *options], check=True,
                          capture_output=True, text=True)


named = run(sys.argv[2], "--dump-pass-pipeline")
# A line of heading comes first.
text = "".join(named.stderr.splitlines()[1:])
textual = run("--pass-pipeline=" + text)
sys.exit(0 if named.stdout == textual.stdout else "the outputs differ")
