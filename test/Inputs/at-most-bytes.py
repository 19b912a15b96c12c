"""at-most-bytes.py BYTES kill|fail COMMAND...

Runs a command with a limit of BYTES for the size of files. With `kill`, the system must
kill the command when it exceeds the limit. With `fail`, writes beyond the limit fail, and
the command must succeed nevertheless."""

import resource
import signal
import subprocess
import sys

limit = int(sys.argv[1])
kill = sys.argv[2] == "kill"


def prepare():
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL if kill else signal.SIG_IGN)


status = subprocess.run(sys.argv[3:], preexec_fn=prepare, restore_signals=False).returncode
expected = -signal.SIGXFSZ if kill else 0
if status != expected:
    sys.exit(f"expected status {expected}, found {status}")
