"""Runs the tests of a module in one process each, several at a time."""

import concurrent.futures
import os
import subprocess
import sys
import time
import unittest


def _names(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from _names(test)
        else:
            yield test.id().split(".", 1)[1]


def run(path, module, count=None):
    """Runs the tests and returns the exit status. A line for each test, and the output of failed
    ones, are printed when it ends."""
    count = count or min(8, max(1, (os.cpu_count() or 1) // 2))

    def start(name):
        begin = time.monotonic()
        result = subprocess.run([sys.executable, "-W", "ignore", path, name],
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return name, time.monotonic() - begin, result

    status = 0
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        futures = [pool.submit(start, name)
                   for name in _names(unittest.defaultTestLoader.loadTestsFromModule(module))]
        for future in concurrent.futures.as_completed(futures):
            name, seconds, result = future.result()
            print(f"{'FAIL' if result.returncode else 'ok'}: {name}, {seconds:.0f} s",
                  flush=True)
            if result.returncode:
                status = 1
                print(result.stdout, flush=True)
    print(f"{len(futures)} tests")
    return status if futures else 1
