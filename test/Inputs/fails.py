"""Runs a command that must fail in one clear message.

    fails.py [--status=N] MESSAGE COMMAND...

Requires exit status 1, or N, and one error on standard error that contains MESSAGE. A file
after `-o` must not have been created or changed, and its directory must have the same files as
before. No other test may write to this directory at the same time.
"""

import os
import subprocess
import sys


def state(path):
    """Returns what must not change at a path: a file's contents, or the names in a directory."""
    if os.path.isdir(path):
        return sorted(os.listdir(path))
    if not os.path.isfile(path):
        return os.path.lexists(path)
    with open(path, "rb") as file:
        return file.read()


def is_message(line):
    """Whether a line begins a message. Notes, source lines and suggestions only explain the message
    before them."""
    if line.startswith("attnc: Did you mean"):
        return False
    return line.startswith("attnc: ") or "error: " in line


def main():
    status, arguments = 1, sys.argv[1:]
    if arguments[0].startswith("--status="):
        status = int(arguments.pop(0).split("=")[1])
    message, command = arguments[0], arguments[1:]
    outputs = [path for flag, path in zip(command, command[1:]) if flag == "-o"]
    outputs = [path for path in outputs if path != "-"]
    watched = outputs + [os.path.dirname(path) or "." for path in outputs]
    before = [state(path) for path in watched]
    run = subprocess.run(command, stdin=subprocess.DEVNULL,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                         text=True, errors="replace", timeout=120)
    problems = []
    if run.returncode != status:
        problems.append(f"expected exit status {status}, found {run.returncode}")
    messages = [l for l in run.stderr.splitlines() if is_message(l)]
    if len(messages) != 1:
        problems.append(f"expected one message, found {len(messages)}")
    elif message not in messages[0]:
        problems.append(f"expected a message with: {message}")
    for path, old in zip(watched, before):
        if state(path) != old:
            problems.append(f"expected '{path}' to be as before")
    if problems:
        sys.stderr.write("\n".join(["fails.py: " + p for p in problems]))
        sys.stderr.write(f"\ncommand: {command}\nits standard error:\n")
        sys.stderr.write(run.stderr)
    sys.exit(1 if problems else 0)


main()
