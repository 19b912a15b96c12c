"""Runs work in many threads at the same time."""

import threading


def run(work, count=200):
    """Calls work(seed) in `count` threads, which start together. Returns the
    exceptions that threads have raised."""
    start = threading.Barrier(count)
    failures = []

    def guarded(seed):
        try:
            start.wait()
            work(seed)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(seed,)) for seed in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failures
