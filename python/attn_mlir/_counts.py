"""Counters of the calls that the package serves or passes on to torch's own attention.
torch.compile does not trace the counting."""

from typing import Any, Dict, Optional

import torch

from ._forks import Lock


_lock = Lock()


class Counts:
    """Counts the calls that the package `served` and those `passed_on` to torch's own attention,
    and for each of the `reasons` how many calls it passed on. Under torch.compile a call is counted
    when its graph is made, and not when the graph runs: torch.compile would make another graph if a
    number that the graph reads had changed."""

    def __init__(self) -> None:
        self.served = 0
        self.passed_on = 0
        self.reasons: Dict[str, int] = {}

    def add(self, reason: Optional[str]) -> None:
        with _lock:
            if reason is None:
                self.served += 1
                return
            self.passed_on += 1
            self.reasons[reason] = self.reasons.get(reason, 0) + 1


def count(counts: Counts, reason: Optional[str] = None) -> None:
    """Counts a call as passed on to torch's own attention if there is a reason, else as served."""
    if not torch.compiler.is_dynamo_compiling():
        counts.add(reason)
        return
    from torch._dynamo.comptime import comptime  # takes long

    comptime(_count_traced)


def _count_traced(context: Any) -> None:
    """Does the work of `count` while torch.compile makes a graph. It finds the counters and the
    reason among the objects by which torch.compile represents the variables of `count`. It counts
    nothing if the counters were created within the graph."""
    found = context.get_local("counts")._i_will_not_complain_if_bc_breaks_VariableTracker()
    found = getattr(found, "realize", lambda: found)()
    counts = getattr(found, "value", None)
    if isinstance(counts, Counts) and hasattr(counts, "served"):
        reason = context.get_local("reason")
        counts.add(reason.as_python_constant() if reason.is_python_constant()
                   else "what depends on values in the graph")
