"""cache-entries.py DIRECTORY COUNT [COMMAND...]

Runs the command, and fails unless it wrote COUNT entries of the cache. Without a
command, fails unless COUNT files are in the directory."""

import glob
import os
import subprocess
import sys

directory, expected, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]


def written():
    return {(path, os.stat(path).st_mtime_ns)
            for path in glob.glob(os.path.join(directory, "*.attn"))}


if command:
    before = written()
    subprocess.run(command, check=True)
    count = len(written() - before)
else:
    count = len(os.listdir(directory))
if count != expected:
    sys.exit(f"expected {expected} entries, found {count}")
