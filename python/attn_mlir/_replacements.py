"""The functions that are called in place of `attention`, within contexts such as
attn_mlir.distributed.context_parallel. A context is that of the thread that has entered it."""

import contextlib
import sys
import threading
from typing import Any, Callable, Iterator, List, NamedTuple, Optional

from ._errors import Error


class Replacement(NamedTuple):
    thread: int
    # None while the function of a context itself calls `attention`.
    function: Optional[Callable[..., Any]]


# The replacements of all threads, in the order in which their contexts were entered. While there
# are any, calls run Python: a launch is not repeated without it.
replacements: List[Replacement] = []
# Held while the list changes.
_lock = threading.Lock()


@contextlib.contextmanager
def replaced(function: Optional[Callable[..., Any]]) -> Iterator[None]:
    """A context in which this thread calls `function` in place of `attention`, or `attention`
    itself if `function` is None."""
    own = Replacement(threading.get_ident(), function)
    with _lock:
        replacements.append(own)
    try:
        yield
    finally:
        # Another thread may have entered a context in the meantime, so that the last element is not
        # necessarily this one.
        with _lock:
            del replacements[next(n for n, its in enumerate(replacements) if its is own)]


def _is_in_backward() -> bool:
    """Whether this thread runs a backward pass of torch's autograd."""
    torch = sys.modules.get("torch")
    return torch is not None and torch._C._current_graph_task_id() != -1


def find_replacement() -> Optional[Callable[..., Any]]:
    """Returns the function that this thread calls in place of `attention`, or None.

    Autograd runs backward passes of tensors on GPUs in threads of its own, where functions that
    are checkpointed run again. Such a thread is in the context of the thread that has entered one.
    Raises if several have."""
    if not replacements:
        return None
    known, thread = list(replacements), threading.get_ident()
    own = [its for its in known if its.thread == thread]
    if not own and known and _is_in_backward():
        if len({its.thread for its in known}) > 1:
            raise Error("attention: expected one thread within context_parallel during a "
                        "backward pass that calls it, found several")
        own = known
    return own[-1].function if own else None
