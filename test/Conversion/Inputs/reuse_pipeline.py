"""Runs a named pipeline on a file, and then the same pipeline by the text that --dump-pass-pipeline
prints. Both must give the same module."""

import subprocess
import sys


def run(*options):
    return subprocess.run(["attn-opt", sys.argv[1], *options], check=True,
                          capture_output=True, text=True)


named = run(sys.argv[2], "--dump-pass-pipeline")
# The first line that --dump-pass-pipeline prints is a heading, and not part of the pipeline.
text = "".join(named.stderr.splitlines()[1:])
textual = run("--pass-pipeline=" + text)
sys.exit(0 if named.stdout == textual.stdout else "the outputs differ")
