"""The state of a process in a process group: its rank, the part of the group's store that this
package uses, the calls that were compared, and the fault that was found."""

import datetime
import json
import os
import time
import weakref
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple

import torch
import torch.distributed as dist

from .._adapter import expected
from .._errors import ArgumentError, Error
from .._forks import Lock, call_in_child

MISFIT, SILENT, FAILED, STORE = "misfit", "silent", "failed", "store"
HISTORY = 1024
# The tag of receives that must run out of time: no rank sends anything with this tag.
_TAG = 0x61746E
_MASK = (1 << 61) - 1
_lock = Lock()


class Fault(NamedTuple):
    """The reason why a group cannot be used: its kind (MISFIT, SILENT, FAILED or STORE), and the
    text of the error to raise."""

    kind: str
    text: str

    def error(self) -> Error:
        """Returns the fault as an exception. It is a new one at each call, since an exception that
        was raised before has a traceback."""
        if self.kind == MISFIT:
            return ArgumentError(self.text)
        return Error(self.text, "LAUNCH_FAILED")


class Call(NamedTuple):
    """A call that was checked: its number in the group, a digest of all calls up to it, the text of
    its signature, and whether the signature was new to this rank."""

    number: int
    digest: int
    text: str
    is_new: bool

    def describe(self) -> str:
        call, values = json.loads(self.text)
        return f"{call}({', '.join(f'{name}={value}' for name, value in values.items())})"


class Member:
    """The state of this process in one group."""

    def __init__(self, group: Any) -> None:
        self.group = weakref.ref(group)
        self.rank, self.size = group.rank(), group.size()
        self.ranks = dist.get_process_group_ranks(group)
        # Whether nothing needs to be compared or watched: a group of one rank has no other ranks,
        # and the back end "fake" does not communicate.
        self.alone = self.size == 1 or dist.get_backend(group) == "fake"
        self.backends = _find_backends(group)
        self.timeout = min([_timeout_of(backend) for backend in self.backends.values()],
                           default=dist.default_pg_timeout).total_seconds()
        self.fault: Optional[Fault] = None
        self.interval = 1.0  # seconds between heartbeats
        self.inside = 0  # how many named_failures are open
        self.calls = 0  # begun; the last that is finished is `last`
        self.last = Call(0, 0, "", False)
        self.history: List[Call] = [self.last] * HISTORY
        self.known: Dict[object, Tuple[str, int]] = {}
        self.lingered: Set[str] = set()
        self.awaited = 0  # the call whose verdict the thread waits for
        self.duties: List[Callable[["Member"], None]] = []  # of each heartbeat
        if not self.alone:
            self.store = self._open_store(group)

    def _open_store(self, group: Any) -> Any:
        store: Any = (group.get_group_store() if hasattr(group, "get_group_store")
                      else dist.distributed_c10d._get_process_group_store(group))
        # Uses a separate connection to the store if the store can be cloned, so that a wait of
        # torch on its own connection does not block heartbeats.
        try:
            store = store.clone()
            store.set_timeout(datetime.timedelta(seconds=30))
        except (AttributeError, RuntimeError, NotImplementedError):
            pass
        # A store may outlive a group and still have the keys of an earlier one, so each group
        # increments a counter in the store and uses its value in the prefix of its keys.
        life = store.add(f"attn_mlir/{self.rank}", 1)
        return dist.PrefixStore(f"attn_mlir/{life}", store)

    @property
    def has_gloo(self) -> bool:
        return "gloo" in self.backends

    @property
    def is_live(self) -> bool:
        """Whether the group still exists: a group may be destroyed while objects refer to it."""
        group = self.group()
        try:
            return group is not None and bool(dist.get_process_group_ranks(group))
        except (KeyError, ValueError, RuntimeError):
            return False

    def finish_call(self, number: int, text: str, digest: int, is_new: bool) -> None:
        call = Call(number, self.last.digest * 1000003 + digest & _MASK, text, is_new)
        self.history[number % HISTORY] = call
        self.last = call

    def find_call(self, number: int) -> Optional[Call]:
        call = self.history[number % HISTORY]
        return call if call.number == number else None

    def name(self, *ranks: int) -> str:
        """Returns a text for messages that names ranks of the group, which are given by their
        numbers in the group, by their global ranks."""
        names = [str(self.ranks[rank]) for rank in ranks]
        text = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
        text = f"rank{'s' * (len(names) > 1)} {text}"
        if self.ranks == list(range(self.size)) or len(ranks) > 1:
            return text
        return f"{text} ({ranks[0]} in its group of {self.size})"

    def post(self, fault: Fault) -> Fault:
        """Reports a fault to all ranks, by the store. If another fault was reported before, that
        one counts. Returns the fault that counts."""
        try:
            found = self.store.compare_set("fault", "", "\n".join(fault)).decode()
        except RuntimeError as error:
            return self.lose_store(error)
        self.adopt(Fault(*found.split("\n", 1)))
        return self.fault or fault

    def adopt(self, fault: Fault) -> None:
        if self.fault is None:
            self.fault = fault
            self.store.add("read/fault", 1)

    def failure(self) -> Error:
        """Returns the fault of this member, which must have one, as an exception."""
        fault = self.fault
        assert fault is not None
        if fault.kind != STORE:
            self.linger("read/fault")
        return fault.error()

    def linger(self, key: str) -> None:
        """Waits, in rank 0 of the program, which may hold the store, until all ranks have read the
        reason of an error in the store, or for three heartbeats: the error may end this process.
        Each rank adds one to `key` after it has read the reason."""
        end = now() + 3 * self.interval
        if dist.get_rank() != 0 or key in self.lingered:
            return
        self.lingered.add(key)
        try:
            while now() < end and self.store.add(key, 0) < self.size:
                time.sleep(0.02)
        except RuntimeError:
            pass

    def read_fault(self) -> Optional[Fault]:
        text = self.peek("fault")
        return Fault(*text.split("\n", 1)) if text else None

    def peek(self, key: str) -> str:
        """Returns the value of a key in the store, or "" if the store does not have the key. The
        store's `get` would wait for it."""
        return self.store.get(key).decode() if self.store.check([key]) else ""

    def peek_all(self, keys: Sequence[str]) -> List[str]:
        """Returns the values of several keys of the store, or "" for keys that it does not have.
        Reads them with one message if the store has all keys."""
        if self.store.check(list(keys)):
            try:
                return [text.decode() for text in self.store.multi_get(list(keys))]
            except (AttributeError, NotImplementedError):
                pass
        return [self.peek(key) for key in keys]

    def lose_store(self, error: BaseException) -> Fault:
        holder = ("the launcher's agent" if os.environ.get("TORCHELASTIC_USE_AGENT_STORE")
                  == "True" else "rank 0, unless a launcher does")
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        self.fault = Fault(STORE, "the group's store cannot be reached: the process that "
                           f"holds it ({holder}) has ended, or its host ({reason})")
        return self.fault

    def interrupt(self) -> None:
        """Ends the waits of this process' other threads in a gloo group. Begins a receive that runs
        out of time, which makes gloo close all of the process' connections. Only torch's own
        watchdog can end a wait for NCCL."""
        backend = self.backends.get("gloo")
        if backend is None or self.group() is None:
            return
        for distance in range(1, self.size):
            peer = (self.rank + distance) % self.size
            try:
                backend.recv([torch.empty(1)], peer, _TAG).wait(
                    datetime.timedelta(milliseconds=1))
            except RuntimeError as error:
                # A receive that ran out of time has closed all connections. Any other error means
                # that the connection to this peer was closed before; those to other peers may be
                # open, so the loop goes on to the next one.
                if "imed out" in str(error):
                    return


def _find_backends(group: Any) -> Dict[str, Any]:
    found = {}
    for device in ("cpu", "cuda"):
        try:
            backend = group._get_backend(torch.device(device))
            found[backend.name()] = backend
        except (RuntimeError, AttributeError):
            pass
    return found


def _timeout_of(backend: Any) -> datetime.timedelta:
    try:
        timeout: datetime.timedelta = backend.options._timeout
    except (AttributeError, RuntimeError):
        timeout = dist.default_pg_timeout
    return timeout


_members: "weakref.WeakKeyDictionary[Any, Member]" = weakref.WeakKeyDictionary()


def member_of(group: Any = None) -> Member:
    """Returns the state of this process in a group, by default the group of all processes.

    Raises ArgumentError if there is no such group, or if this process is not in it."""
    if group is None:
        if not (dist.is_available() and dist.is_initialized()):
            raise expected("group", "a process group, such as "
                           "torch.distributed.init_process_group makes", "none")
        group = dist.group.WORLD
    member = _members.get(group) if isinstance(group, dist.ProcessGroup) else None
    if member is None:
        if not isinstance(group, dist.ProcessGroup):
            what = ("one that it is not in"
                    if group is dist.GroupMember.NON_GROUP_MEMBER else type(group).__name__)
            raise expected("group", "a process group that this process is in", what)
        with _lock:
            member = _members.get(group)
            if member is None:
                member = _members[group] = Member(group)
    return member


def _leave_groups() -> None:
    """Gives all groups a fault in a forked process, which cannot use them: the connection to the
    store is that of the process from which it was forked."""
    for member in list(_members.values()):
        if not member.alone:
            member.fault = Fault(STORE, "group: expected a process that has joined it itself, "
                                 "found one that was forked from such a process")


call_in_child(_leave_groups)


def now() -> float:
    return time.monotonic()
