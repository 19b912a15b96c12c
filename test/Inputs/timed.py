"""Runs `attnc run ... --repeat N` and requires a median of at most a limit.

    timed.py MILLISECONDS COMMAND...
"""

import re
import subprocess
import sys

limit, command = float(sys.argv[1]), sys.argv[2:]
run = subprocess.run(command, stdout=subprocess.PIPE, text=True)
sys.stdout.write(run.stdout)
if run.returncode:
    sys.exit(run.returncode)
medians = re.findall(r"^median +([0-9.]+) ms", run.stdout, re.MULTILINE)
if len(medians) != 1 or not 0 < float(medians[0]) <= limit:
    sys.exit(f"timed.py: expected one median of at most {limit} ms, "
             f"found {medians}")
