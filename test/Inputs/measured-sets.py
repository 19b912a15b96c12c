"""measured-sets.py ROOT PAGE checks that scripts/measure-results measures each file of which a page
has a table. Instead of the bench, a script runs that writes down its arguments."""

import os
import re
import subprocess
import sys
import tempfile

root, page = sys.argv[1:]
with open(page) as file:
    wanted = set(re.findall(r"^<!-- results: (\S+)\.csv ", file.read(), re.M))
with tempfile.TemporaryDirectory() as directory:
    stand_in, calls = (os.path.join(directory, name) for name in ("python3", "calls"))
    with open(stand_in, "w") as file:
        file.write(f'#!/bin/sh\necho "$@" >>{calls}\n')
    os.chmod(stand_in, 0o755)
    path = os.pathsep.join([directory, os.environ["PATH"]])
    script = ["sh", os.path.join(root, "scripts/measure-results"), directory, "abc"]
    subprocess.run([*script, *sorted(wanted)], check=True,
                   env={**os.environ, "PATH": path})
    with open(calls) as file:
        lines = file.read().splitlines()
    run = subprocess.run([*script, "gird"], capture_output=True, text=True)
written = {re.search(r"/([\w-]+)\.csv$", line)[1] for line in lines}
assert wanted == written, (wanted, written)
assert run.returncode == 2 and "found 'gird'" in run.stderr, run
# The real bench must accept the options that the script passes.
from attn_mlir.bench.__main__ import _make_parser
from attn_mlir.bench._shapes import select

for line in lines:
    _, module, *arguments = line.split()
    if module != "attn_mlir.bench":  # that of JAX may lack JAX here
        assert module == "attn_mlir.bench.jax" and "--chart" not in arguments, line
        continue
    options = _make_parser().parse_args(arguments)
    assert options.commit == "abc" and options.target == "cuda", line
    assert select(options.shapes, options.dtype, options.causal, options.variants), line
