"""One thread in each process, which writes heartbeats to the stores of all groups, and reads
those of other ranks.

For a group of n ranks, the key `beat/<rank>` of the store is "<count> <interval> <calls> <digest>",
which the rank writes once an interval. Each rank reads only the beat of the next rank, so that the
store gets a few messages an interval from each rank, whatever n is. If the beat has not changed for
`timeout` seconds, the rank that reads it reports that in the key `fault`, which every rank reads
once an interval, and begins to read the beat of the rank after the silent one as well. If the beat
changes again, the report is deleted, and ranks whose waits it has not ended yet continue. Clocks of
hosts are not compared.
"""

import atexit
import logging
import os
import threading
from typing import List, NamedTuple, Optional, Tuple

from .._forks import Lock
from ._member import MISFIT, SILENT, STORE, Call, Fault, Member, now

log = logging.getLogger("attn_mlir.distributed")
INTERVAL, TIMEOUT = 1.0, 30.0


class Beat(NamedTuple):
    number: int
    interval: float
    calls: int
    digest: int

    @classmethod
    def parse(cls, text: str) -> Optional["Beat"]:
        if not text:
            return None
        number, interval, calls, digest = text.split()
        return cls(int(number), float(interval), int(calls), int(digest))


class Watched:
    """A rank whose heartbeats this process reads."""

    def __init__(self, rank: int) -> None:
        self.rank = rank
        self.count = -1
        self.silence = 0.0  # seconds since the beat changed
        self.fault: Optional[Fault] = None


class Pulse:
    """The heartbeat of this process in one group, and the watch over other ranks' heartbeats."""

    def __init__(self, member: Member) -> None:
        self.member, self.timeout = member, TIMEOUT
        self.count, self.due, self.before = 0, now(), now()
        self.has_ended_waits = self.has_logged = False
        self.watched: List[Watched] = [Watched((member.rank + 1) % member.size)]

    def tick(self) -> None:
        member = self.member
        self.count += 1
        # Counts at most twice the interval as the time since the last beat: if this process was
        # stopped meanwhile, that time does not mean that other ranks were silent.
        passed, self.before = min(now() - self.before, 2 * self.member.interval), now()
        last = member.last
        member.store.set(f"beat/{member.rank}",
                         f"{self.count} {self.member.interval} {last.number} {last.digest}")
        for watched in list(self.watched):
            self._watch(watched, passed)
        self._read_fault()
        for duty in member.duties:
            duty(member)

    def _watch(self, watched: Watched, passed: float) -> None:
        member = self.member
        beat = Beat.parse(member.peek(f"beat/{watched.rank}"))
        if beat is None:  # it has not begun
            return
        if beat.number != watched.count:
            watched.count, watched.silence = beat.number, 0.0
            if watched.fault:  # it is heard of again
                member.store.compare_set("fault", "\n".join(watched.fault), "")
                watched.fault = None
                del self.watched[self.watched.index(watched) + 1:]
            self._compare_digests(watched.rank, beat)
            return
        watched.silence += passed
        if watched.silence > self.timeout and watched.fault is None:
            watched.fault = member.post(Fault(
                SILENT, f"{member.name(watched.rank)} has not been heard of for "
                f"{watched.silence:.0f} s: it has ended, or hangs"))
            behind = (watched.rank + 1) % member.size
            if behind != member.rank:
                self.watched.append(Watched(behind))

    def _compare_digests(self, rank: int, beat: Beat) -> None:
        """Reports a fault if the other rank's heartbeat has another digest of all calls up to the
        same one than this rank: then both have made different calls. The comparison of signatures
        does not find that if each rank already knew the signature of its own call."""
        member = self.member
        own: Optional[Call] = member.find_call(beat.calls)
        if own and own.digest != beat.digest and not member.fault:
            member.post(Fault(
                MISFIT, f"group: expected the same calls on all ranks, found that up to call "
                f"{beat.calls} {member.name(rank)} has made others than "
                f"{member.name(member.rank)}, where call {beat.calls} was {own.describe()}"))

    def _read_fault(self) -> None:
        member = self.member
        found, known = member.read_fault(), member.fault
        if found is None and known and known.kind == SILENT and not self.has_ended_waits:
            member.fault, self.has_logged = None, False
        elif found:
            member.adopt(found)

    def tell(self) -> None:
        """Reports a fault to this process: ends waits for gloo, and logs why torch's watchdog will
        end waits for NCCL. Threads that do not wait raise the fault at their next call."""
        member = self.member
        if member.fault is None:
            return
        if member.has_gloo and member.inside and not self.has_ended_waits:
            self.has_ended_waits = True
            member.interrupt()
        if not self.has_logged and any([name != "gloo" for name in member.backends]):
            self.has_logged = True
            log.error("%s", member.fault.text)


class _Thread(threading.Thread):
    def __init__(self) -> None:
        super().__init__(name="attn_mlir.distributed", daemon=True)
        self.pulses: List[Pulse] = []
        self.changed = threading.Event()
        self.ends = False

    def run(self) -> None:
        while not self.ends:
            for pulse in list(self.pulses):
                if pulse.due <= now():
                    self._beat(pulse)
            self.changed.wait(min([pulse.due - now() for pulse in self.pulses], default=60))
            self.changed.clear()

    def _beat(self, pulse: Pulse) -> None:
        member = pulse.member
        if not member.is_live:
            self.remove(pulse)
            return
        pulse.due = now() + pulse.member.interval
        try:
            pulse.tick()
        except RuntimeError as error:
            if self.ends or not member.is_live:
                return
            if not member.fault or member.fault.kind != STORE:
                member.lose_store(error)
        pulse.tell()
        if member.fault and member.fault.kind == STORE and (
                pulse.has_ended_waits or not member.inside):
            self.remove(pulse)  # each more attempt is a warning of torch's

    def remove(self, pulse: Pulse) -> None:
        if pulse in self.pulses:
            self.pulses.remove(pulse)

    def stop(self) -> None:
        # Makes the thread end, and waits up to 5 seconds for it, before the interpreter exits: a
        # thread that the interpreter ends while it runs code of torch would crash the process.
        if not self.is_alive():  # in a forked process, which has no such thread
            return
        self.ends = True
        self.changed.set()
        self.join(5)


_lock = Lock()
_thread: Optional[_Thread] = None
_process = 0


def start(member: Member, interval: Optional[float] = None,
          timeout: Optional[float] = None) -> Tuple[float, float]:
    """Begins the heartbeat of a member, or changes its interval and timeout. None keeps a value.
    Returns the interval and the timeout from before."""
    global _thread, _process
    if member.alone:
        return INTERVAL, TIMEOUT
    with _lock:
        if _thread is None or _process != os.getpid():  # threads do not survive a fork
            _thread, _process = _Thread(), os.getpid()
            _thread.start()
            atexit.register(_thread.stop)
        pulse = next((its for its in _thread.pulses if its.member is member), None)
        before = member.interval, pulse.timeout if pulse else TIMEOUT
        if pulse is None:
            pulse = Pulse(member)
            _thread.pulses.append(pulse)
        member.interval, pulse.timeout = interval or before[0], timeout or before[1]
        pulse.due = now()
        _thread.changed.set()
    return before
