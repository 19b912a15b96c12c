"""Checks that all ranks of a group make the same call.

A signature (the call and the values that must agree: shapes, dtypes, masks ...) is compared
once, when it is new. All ranks have compared the same signatures, since all have made the same
calls so far; so if a signature is new to one rank and known to another, the two calls differ.
In this case the second rank does not compare, and waits in its collectives. The protocol, for
call number c of a group of n ranks, uses the group's store:

1. A rank to which the signature is new writes it to `first/c` by compare-and-set, which returns
the signature of the rank that came first. It then writes `at/<rank>`: c, whether the call
itself or the background thread compares, and its own signature if that differs. 2. It adds one
to `count/c`. The rank that increases it to n compares the signatures, if any differ, and writes
`verdict/c`: that all are the same, or the text of the error to raise. The other ranks wait for
that key. 3. A rank that waits for longer than a moment also writes c to `asked`, which each
process reads at its heartbeat (`_heartbeat.py`). A process that has made call c with a
signature that it knew takes part in steps 1 and 2 from its background thread. If the verdict is
an error, the thread ends the waits of its process. 4. A wait also ends after the group's
timeout, with an error that names the ranks that have not arrived, or when the heartbeat finds
that a rank is missing.

If all ranks know their signatures, but these are of different calls, heartbeats find it: they
contain a digest of all calls. These comparisons use no collectives, and a known call only needs
a look-up.
"""

import collections
import json
import time
import zlib
from typing import Any, Dict, List, Mapping, Tuple

from .._errors import Error
from . import _heartbeat
from ._member import FAILED, MISFIT, Fault, Member, member_of, now

_KNOWN = 4096
_SAME, _DIFFERENT, _BROKEN = "same", "different", "broken"
_INSTANT, _LONGEST_PAUSE = 0.25, 0.05


def check_same(group: Any, call: str, values: Mapping[str, object]) -> None:
    """Compares a call among the ranks of a group, if it has not been compared before.

    `values` maps the names of arguments, in the same order on all ranks, to the values that must
    agree. Two values agree if their `repr` is equal (numbers, strings, tuples, None, torch's dtypes
    and sizes); functions are compared by name. Every rank calls this before it takes part in a
    collective call.

    Raises ArgumentError on every rank if values differ; it names the first argument that differs,
    the value of most ranks, and the ranks with other values. If the call was new to some ranks
    only, the group cannot be used afterwards. Raises Error if a rank does not arrive within the
    group's timeout, or if the group had a fault before. Does nothing in a group of one rank."""
    member = member_of(group)
    if member.alone:
        return
    if member.fault is not None:
        raise member.failure()
    signature: object = call, tuple(values), tuple(values.values())
    try:
        known = member.known.get(signature)
    except TypeError:  # lists and the like
        signature = _write(call, values)
        known = member.known.get(signature)
    number = member.calls = member.calls + 1
    is_new = known is None
    if known is None:
        text = _write(call, values)
        known = text, zlib.crc32(text.encode())
        _compare(member, number, call, text)
        if len(member.known) >= _KNOWN:  # on all ranks at once
            member.known.clear()
        member.known[signature] = known
    member.finish_call(number, *known, is_new)


def has_compared(group: Any) -> bool:
    """Whether the ranks of a group have compared any call."""
    return bool(member_of(group).known)


def _write(call: str, values: Mapping[str, object]) -> str:
    return json.dumps([call, {name: _show(value) for name, value in values.items()}])


def _show(value: object) -> str:
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(map(_show, value)) + ")"
    if callable(value) and hasattr(value, "__qualname__"):
        return f"{value.__module__}.{value.__qualname__}"
    return repr(value)


def _compare(member: Member, number: int, call: str, text: str) -> None:
    if not member.duties:
        member.duties.append(_answer)
        _heartbeat.start(member)
    try:
        _arrive(member, number, text, True)
        verdict, _, message = _wait(member, number, call).partition("\n")
    except RuntimeError as error:  # the store's; ours are not
        raise (member.fault or member.lose_store(error)).error() from error
    if verdict != _SAME:
        member.store.add(f"read/{number}", 1)
        member.linger(f"read/{number}")
        fault = Fault(MISFIT, message)
        if verdict == _BROKEN:
            member.fault = member.fault or fault
        raise fault.error()


def _arrive(member: Member, number: int, text: str, asks: bool) -> None:
    """Reports this rank's signature `text` of call `number` to the store. The rank that reports
    last compares all signatures, and writes the verdict. `asks` is true if the call itself
    reports, and false if the background thread does."""
    store, own = member.store, f"{member.rank} {text}"
    first = store.compare_set(f"first/{number}", "", own).decode()
    differs = first.split(" ", 1)[1] != text
    store.set(f"at/{member.rank}", f"{number} {int(asks)} {text if differs else ''}")
    if differs:
        store.add(f"differ/{number}", 1)
    if store.add(f"count/{number}", 1) < member.size:
        return
    verdict = _SAME
    if store.add(f"differ/{number}", 0):
        arrivals = member.peek_all([f"at/{rank}" for rank in range(member.size)])
        found = [arrival.split(" ", 2) for arrival in arrivals]
        verdict = _DIFFERENT if all(asked == "1" for _, asked, _ in found) else _BROKEN
        verdict += "\n" + _judge(member, [own or first.split(" ", 1)[1] for *_, own in found])
    store.set(f"verdict/{number}", verdict)
    # All ranks have arrived at this comparison, so all have read the verdict of the previous
    # comparison. Deletes the keys of that one, as far as the store supports it.
    before = member.peek("compared")
    store.set("compared", str(number))
    for key in ("first", "differ", "count", "verdict") if before else ():
        try:
            store.delete_key(f"{key}/{before}")
        except (NotImplementedError, RuntimeError):
            break


def _judge(member: Member, texts: List[str]) -> str:
    """Returns the error's text for the ranks' signatures. The signature of most ranks is expected;
    if several are equally frequent, the one that the lowest rank has."""
    counts = collections.Counter(texts)
    expected = max(counts, key=lambda text: (counts[text], -texts.index(text)))
    faults: Dict[Tuple[str, str, str], List[int]] = {}
    for rank, text in enumerate(texts):
        if text != expected:
            faults.setdefault(_differ(expected, text), []).append(rank)
    agreed = [rank for rank, text in enumerate(texts) if text == expected]
    lines = [f"{name}: expected {wanted}, as on {member.name(*agreed)}, found {found} on "
             f"{member.name(*ranks)}" for (name, wanted, found), ranks in faults.items()]
    return "; ".join(lines[:4])


def _differ(expected: str, found: str) -> Tuple[str, str, str]:
    """Returns the name of the first argument in which two signatures differ, the expected value,
    and the one that was found."""
    (call, wanted), (own_call, own) = json.loads(expected), json.loads(found)
    if call != own_call:
        return "group", f"a call of {call}", f"one of {own_call}"
    for name in [*wanted, *own]:
        if wanted.get(name) != own.get(name):
            return name, wanted.get(name, "nothing"), own.get(name, "nothing")
    return "group", f"the arguments {', '.join(wanted)}", f"the order {', '.join(own)}"


def _wait(member: Member, number: int, call: str) -> str:
    begin, pause, asks = now(), 1e-4, _INSTANT
    while True:
        verdict = member.peek(f"verdict/{number}")
        if verdict:
            return verdict
        if member.fault is not None:
            raise member.failure()
        waited = now() - begin
        if waited > member.timeout:
            raise _blame(member, number, call, waited)
        if waited > asks:  # again, for others may ask about another call
            member.store.set("asked", str(number))
            asks += 1
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)


def _blame(member: Member, number: int, call: str, waited: float) -> Error:
    arrivals = member.peek_all([f"at/{rank}" for rank in range(member.size)])
    absent = [rank for rank, arrival in enumerate(arrivals)
              if not arrival or int(arrival.split(" ", 1)[0]) != number]
    if not absent:  # just now
        return Fault(FAILED, f"{call}: out of time after {waited:.0f} s").error()
    member.post(Fault(
        FAILED, f"{member.name(*absent)} did not come to call {number} of the group, {call} on "
        f"{member.name(member.rank)}, within {waited:.0f} s"))
    return member.failure()


def _answer(member: Member) -> None:
    """Answers for a call that this rank has made with a known signature, if another rank waits for
    the comparison of that call. Later reads the verdict: an error becomes this process' fault. The
    background thread runs this function at each heartbeat."""
    asked = int(member.peek("asked") or 0)
    call = member.find_call(asked)
    if asked and call and not call.is_new:
        member.history[asked % len(member.history)] = call._replace(is_new=True)
        _arrive(member, asked, call.text, False)
        member.awaited = asked
    if member.awaited:
        verdict, _, message = member.peek(f"verdict/{member.awaited}").partition("\n")
        if verdict == _BROKEN:
            member.store.add(f"read/{member.awaited}", 1)
            member.adopt(Fault(MISFIT, message))
        if verdict:
            member.awaited = 0
