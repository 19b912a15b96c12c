"""Resets state that a forked process must not share with its parent."""

import os
import threading
import weakref
from typing import Any, Callable


def call_in_child(function: Callable[[], Any]) -> None:
    """Calls a function in each process that is forked from now on, before anything else."""
    os.register_at_fork(after_in_child=function)


class Lock:
    """A lock that is free in a forked process even if a thread of the parent process held it at the
    fork."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        _locks.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_: Any) -> None:
        self._lock.release()


_locks: "weakref.WeakSet[Lock]" = weakref.WeakSet()


def _free_locks() -> None:
    for lock in list(_locks):
        lock._lock = threading.Lock()


call_in_child(_free_locks)
