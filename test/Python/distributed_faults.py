# A rank that dies, hangs or fails: every other one raises within seconds, and the error names
# it. Processes of gloo's on the CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import os
import signal
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import gloo
import torch
import torch.distributed as dist
from attn_mlir.distributed import _checks, _faults, _heartbeat, watch
from attn_mlir.distributed._member import member_of
from gloo import DEAD, outcome

SECONDS = 25


def ring(rank, size=4):
    """Makes one step, in which each rank receives from the rank before."""
    given, taken = torch.full((4,), float(rank)), torch.empty(4)
    with _faults.named_failures(dist.group.WORLD):
        works = dist.batch_isend_irecv([
            dist.P2POp(dist.isend, given, (rank + 1) % size),
            dist.P2POp(dist.irecv, taken, (rank - 1) % size)])
        for work in works:
            work.wait()
    return taken[0].item()


def ring_together(rank):
    """Makes a step and returns once all ranks have left it, so that a later fault of a rank does
    not affect it."""
    ring(rank)
    dist.barrier()


def gather(rank, size=4):
    with _faults.named_failures(dist.group.WORLD):
        parts = [torch.empty(2) for _ in range(size)]
        dist.all_gather(parts, torch.ones(2))


def begin(rank, timeout=20):
    watch(interval=0.4, timeout=timeout)
    _checks.check_same(None, "attention", {"q": 1})
    ring_together(rank)


def die(rank, dead, collective):
    """One rank is killed while all make steps. The others stay alive after their errors, which
    shows that no rank waits for a living neighbour."""
    begin(rank)
    start, steps = time.monotonic(), 0

    def work():
        nonlocal steps
        while time.monotonic() < start + 60:
            collective(rank)
            steps += 1
            if rank == dead and steps == 8:  # so each other one has made some
                threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
            time.sleep(0.01)

    found = outcome(work)
    again = outcome(lambda: _checks.check_same(None, "attention", {"q": 1}))
    return found, again, steps, time.monotonic() - start


def hang(rank, wakes):
    """Rank 1 is stopped and, after `wakes` seconds, continued."""
    begin(rank, timeout=2.0)
    start = time.monotonic()
    if rank == 1:
        process = os.getpid()
        if os.fork() == 0:  # a clock that is not stopped
            time.sleep(wakes)
            os.kill(process, signal.SIGCONT)
            os._exit(0)
        os.kill(process, signal.SIGSTOP)
        return "stopped"
    if wakes < 3:  # short of what counts: nobody notices
        return "late"
    found = outcome(lambda: [ring(rank) for _ in range(4)])
    return found, time.monotonic() - start


def fail(rank):
    begin(rank)

    def work():
        with _faults.named_failures(dist.group.WORLD):
            if rank == 2:
                raise MemoryError("nothing is left")
            dist.irecv(torch.empty(1), (rank - 1) % 4).wait()

    start = time.monotonic()
    return outcome(work), time.monotonic() - start


def refuse(rank):
    """First all ranks raise an error of their call, after which the group can still be used. Then
    one rank raises another error."""
    begin(rank)

    def work(error):
        with _faults.named_failures(dist.group.WORLD):
            if error:
                raise error
            dist.irecv(torch.empty(1), (rank - 1) % 4).wait()

    first = outcome(work, attn_mlir.Error("head dims above 256"))
    ring_together(rank)
    own = attn_mlir.Error("no memory", "OUT_OF_MEMORY") if rank == 3 else None
    return first, outcome(work, own)


def silent(rank):
    """One rank sends no heartbeat for a while, and then again, while no rank waits for it."""
    begin(rank, timeout=1.5)
    member, faults = member_of(), []
    thread = _heartbeat._thread
    if rank == 3:
        pulses, thread.pulses = thread.pulses, []
        time.sleep(4)
        thread.pulses = pulses
        thread.changed.set()
    end = time.monotonic() + (8 if rank != 3 else 4)
    while time.monotonic() < end:
        if member.fault and member.fault.text not in faults:
            faults.append(member.fault.text)
        time.sleep(0.05)
    return faults, outcome(ring, rank)


def threads(rank):
    """There is one heartbeat thread for any number of groups. It sleeps most of the time, and
    forgets groups that are destroyed."""
    groups = [dist.new_group([0, 1]) for _ in range(3)]
    for group in (None, *groups):
        _checks.check_same(group, "attention", {"q": 1})
    with watch(interval=0.1, timeout=5):
        inside = member_of().interval
        before = time.process_time()
        time.sleep(1)
        used = time.process_time() - before
    names = [its.name for its in threading.enumerate()]
    thread, counts = _heartbeat._thread, [len(_heartbeat._thread.pulses)]
    for group in groups:
        dist.destroy_process_group(group)
    del group, groups
    time.sleep(2.5)
    counts.append(len(thread.pulses))
    return (names.count("attn_mlir.distributed"), counts, inside, member_of().interval, used,
            outcome(watch, None, 0), outcome(watch, None, 1, 1.5))


def transport(rank):
    """Rank 0 gets an error of the transport although all ranks are alive."""
    begin(rank)
    if rank:
        time.sleep(4)
        return outcome(_checks.check_same, None, "attention", {"q": 1})
    error = _faults.describe_failure(None, RuntimeError("[gloo] Connection reset by peer"))
    return type(error).__name__, str(error)


class Faults(unittest.TestCase):
    def check_death(self, dead, collective, text):
        results = gloo.run(die, 4, dead, collective)
        self.assertEqual(results.pop(dead), DEAD)
        for found, again, steps, seconds in results:
            self.assertEqual(found[0], "Error")
            self.assertRegex(found[1], text)
            self.assertEqual(again[0], "Error")
            self.assertGreater(steps, 0)
            self.assertLess(seconds, SECONDS)

    def test_death(self):
        self.check_death(2, ring, "^rank 2 has ended, or hangs: ")

    def test_death_in_collective(self):
        self.check_death(1, gather, "^rank 1 has ended, or hangs: ")

    def test_death_of_store(self):
        """If rank 0, which holds the store, is killed, the other ranks cannot find out which rank
        it was."""
        self.check_death(0, ring, "^the group's store cannot be reached: the process that holds "
                         r"it \(rank 0, unless a launcher does\) has ended")

    def test_hang(self):
        """The connections of a stopped process stay open, so only the missing heartbeat shows the
        fault."""
        results = gloo.run(hang, 4, 12)
        self.assertEqual(results.pop(1), "stopped")
        for (kind, text), seconds in results:
            self.assertEqual(kind, "Error")
            self.assertRegex(text, "^rank 1 has (ended, or hangs|not been heard of for)")
            self.assertLess(seconds, 10)

    def test_failure(self):
        """If one rank raises an error of its own, the others, which wait for it, raise an error
        that quotes it."""
        for rank, ((kind, text), seconds) in enumerate(gloo.run(fail, 4)):
            if rank == 2:
                self.assertEqual((kind, text), ("MemoryError", "nothing is left"))
            else:
                self.assertEqual((kind, text), (
                    "Error", "rank 2 failed in a collective call: MemoryError: nothing is left"))
            self.assertLess(seconds, SECONDS)

    def test_refusal(self):
        for rank, (first, second) in enumerate(gloo.run(refuse, 4)):
            self.assertEqual(first, ("Error", "head dims above 256"))
            self.assertEqual(second, ("Error", "no memory" if rank == 3 else
                                      "rank 3 failed in a collective call: Error: no memory"))

    def test_silence(self):
        """A rank that was silent, but for which no call had waited, is no longer regarded as faulty
        once it is heard of again."""
        results = gloo.run(silent, 4)
        for faults, after in results[:3]:
            self.assertEqual(len(faults), 1, faults)
            self.assertRegex(faults[0], "^rank 3 has not been heard of for [12] s: ")
        for rank, (_, after) in enumerate(results):
            self.assertEqual(after, ("none", float((rank - 1) % 4)))

    def test_threads(self):
        for count, pulses, inside, outside, used, *wrong in gloo.run(threads, 2):
            self.assertEqual((count, pulses, inside, outside), (1, [4, 1], 0.1, 1.0))
            self.assertLess(used, 0.4)
            self.assertEqual(wrong, [
                ("ArgumentError", "interval: expected a number of seconds above 0, found 0"),
                ("ArgumentError", "timeout: expected at least 2 intervals, 2 s, found 1.5")])

    def test_transport(self):
        for found in gloo.run(transport, 4):
            self.assertEqual(found, ("Error", "rank 0 could not exchange data: all ranks are alive "
                                     "([gloo] Connection reset by peer)"))


if __name__ == "__main__":
    unittest.main()
