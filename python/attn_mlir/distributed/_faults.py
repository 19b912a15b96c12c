"""Handling of ranks of a group that die, hang or fail.

All code that waits for other ranks runs within `named_failures`. If the transport fails there
(gloo reports a closed connection, NCCL an abort, and neither says which rank is the cause),
the heartbeats of all ranks are read twice, and the ranks whose heartbeat has not changed are
named. A rank writes the faults that it finds, and its own failures, to the store; the thread
of each process reads them within an interval and ends the waits of the process in a gloo
group. So all ranks of a gloo group raise, also those that waited for a rank without a fault.

Only torch can end a wait for NCCL: its watchdog ends the process at the group's timeout
(`TORCH_NCCL_ASYNC_ERROR_HANDLING`). Before that, the thread logs the cause, in the log
"attn_mlir.distributed"; the next call raises it.
"""

import re
import time
from types import TracebackType
from typing import Any, List, Optional, Type

import torch
import torch.distributed as dist

from .._adapter import expected
from .._errors import Error
from . import _heartbeat
from ._heartbeat import Beat
from ._member import FAILED, Fault, Member, member_of, now

_TRANSPORT = re.compile(r"gloo|nccl|connection|timed? ?out|socket|broken pipe|abort|peer", re.I)
# Statuses of errors in the arguments of a call. Such errors occur on all ranks alike, and the group
# stays usable.
_OF_THE_CALL = ("INVALID_ARGUMENT", "INVALID_MODULE", "UNSUPPORTED")
_DIST_ERROR = getattr(dist, "DistError", ())


class watch:
    """Makes the ranks of a group watch each other. The first call of `attention` on the group
    does the same, with the defaults.

    interval: seconds between heartbeats; each heartbeat takes about five small messages to the
    group's store. timeout: a rank without a heartbeat for so many seconds counts as missing,
    and calls on other ranks raise Error; at least twice the interval. A missing rank is found
    only if all ranks watch; their values may differ. Watching begins at once and ends with the
    group; at the end of a `with` block, the previous values apply again. One daemon thread
    serves all groups of a process, and sleeps between heartbeats."""

    def __init__(self, group: Any = None, interval: float = _heartbeat.INTERVAL,
                 timeout: float = _heartbeat.TIMEOUT) -> None:
        if not interval > 0:
            raise expected("interval", "a number of seconds above 0", interval)
        if not timeout >= 2 * interval:
            raise expected("timeout", f"at least 2 intervals, {2 * interval} s", timeout)
        self._member = member_of(group)
        self._before = _heartbeat.start(self._member, interval, timeout)

    def __enter__(self) -> "watch":
        return self

    def __exit__(self, *_: object) -> None:
        _heartbeat.start(self._member, *self._before)


class named_failures:
    """A context for code that waits for other ranks of a group. It converts a failure of
    the transport to an attn_mlir.Error that names the missing rank. Other exceptions pass
    through unchanged, and are also reported to the other ranks, which raise Error. Errors
    in the call's arguments are not reported, since they occur on all ranks."""

    __slots__ = ("_member",)

    def __init__(self, group: Any) -> None:
        self._member = member_of(group)

    def __enter__(self) -> None:
        # Counts this call among those that wait, and only then looks for a fault. The background
        # thread sets the fault, and only then looks for waiting calls. So if both do this at the
        # same time, at least one of them sees the other.
        self._member.inside += 1
        if self._member.fault is not None:
            self._member.inside -= 1
            raise self._member.failure()

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException],
                 traceback: Optional[TracebackType]) -> None:
        member = self._member
        member.inside -= 1
        if isinstance(error, Exception):
            described = _describe(member, error)
            if described is not error:
                raise described from error
        elif error is None and member.fault is not None:
            raise member.failure()


def describe_failure(group: Any, error: Exception) -> Exception:
    """Returns the exception to raise for an exception of a collective: an Error that names the
    missing rank if the transport failed, otherwise the exception itself. If the transport failed,
    waits for up to three heartbeats."""
    return _describe(member_of(group), error)


def _describe(member: Member, error: Exception) -> Exception:
    if member.alone or isinstance(error, Error) and error.status in _OF_THE_CALL:
        return error
    if member.fault is not None:
        return member.failure()
    if not _is_transport(error):
        first = (str(error).splitlines() or [""])[0]
        member.post(Fault(FAILED, f"{member.name(member.rank)} failed in a collective call: "
                          f"{type(error).__name__}: {first[:200]}"))
        return error
    try:
        fault = _call_roll(member, error)
        member.adopt(fault)
    except RuntimeError as lost:  # the store's
        member.fault = member.fault or member.lose_store(lost)
    return member.failure()


def _is_transport(error: Exception) -> bool:
    if isinstance(error, _DIST_ERROR):
        return True
    return type(error) is RuntimeError and bool(_TRANSPORT.search(str(error)))


def _call_roll(member: Member, error: Exception) -> Fault:
    """Reads all ranks' heartbeats twice, three intervals apart, and reports a fault for a transfer
    that failed. The fault names the ranks whose heartbeat has not changed, or, if all have changed,
    the ranks that have made fewer calls. Returns the fault, or one that another rank reported
    before."""
    keys = [f"beat/{rank}" for rank in range(member.size)]
    before = [Beat.parse(text) for text in member.peek_all(keys)]
    end = now() + 3 * max([beat.interval for beat in before if beat], default=0)
    while now() < end:
        fault = member.fault or member.read_fault()
        if fault:
            return fault
        time.sleep(0.02)
    after = [Beat.parse(text) for text in member.peek_all(keys)]
    silent = [rank for rank, (one, two) in enumerate(zip(before, after))
              if one and two and one.number == two.number and rank != member.rank]
    reason = (str(error).splitlines() or [""])[0][:300]
    if silent:
        return member.post(Fault(FAILED, f"{member.name(*silent)} has ended, or hangs: no "
                                 f"heartbeat during a collective that failed ({reason})"))
    behind: List[int] = [rank for rank, beat in enumerate(after)
                         if beat is None or beat.calls < member.last.number]
    where = (f"{member.name(*behind)} did not come to call {member.last.number} of the group"
             if behind else "all ranks are alive")
    return member.post(Fault(FAILED, f"{member.name(member.rank)} could not exchange data: "
                             f"{where} ({reason})"))
