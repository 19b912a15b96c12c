"""at-once.py COUNT COMMAND...

Runs the command in COUNT processes at once; fails if one of them does."""

import subprocess
import sys

processes = [subprocess.Popen(sys.argv[2:]) for _ in range(int(sys.argv[1]))]
statuses = [process.wait() for process in processes]
sys.exit(any(statuses))
