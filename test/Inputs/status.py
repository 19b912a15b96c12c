"""Runs a command that must end with an exit status.

    status.py STATUS COMMAND...
"""

import subprocess
import sys

found = subprocess.run(sys.argv[2:]).returncode
if found != int(sys.argv[1]):
    sys.exit(f"status.py: expected exit status {sys.argv[1]}, found {found}")
