# Calls of several ranks that do not fit: each rank raises, and the error names the argument
# and the ranks. Processes of gloo's on the CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import os
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import gloo
import torch
import torch.distributed as dist
from attn_mlir.distributed import _checks, _faults, watch
from attn_mlir.distributed._member import member_of
from gloo import outcome

# The values that ranks compare in a call of attention.
VALUES = {"q": torch.Size([1, 4, 32, 16]), "k": torch.Size([1, 2, 32, 16]),
          "dtype": torch.bfloat16, "causal": True, "window": None, "scale": 0.25}


def check(group=None, call="attention", **values):
    return _checks.check_same(group, call, {**VALUES, **values})


def exchange(group=None):
    with _faults.named_failures(group or dist.group.WORLD):
        dist.all_reduce(torch.ones(1), group=group)


def new(rank):
    """All ranks pass new values, which differ among them. Each rank raises, and the group can still
    be used after each error."""
    results = []
    check()
    for x, values in enumerate((
            {"q": torch.Size([1, 4, 32 + 32 * (rank == 2), 16])}, {"causal": rank != 0},
            {"scale": (0.1, 0.2)[rank % 2]}, {"window": (1, 0) if rank else None, "k": rank},
            {"call": ("attention", "decode")[rank == 3]},
            {"score_mod": (max, min)[rank == 1], "list": [1, 2]},
            {"extra": 1} if rank == 1 else {})):
        results.append(outcome(lambda: check(x=x, **values)))
    exchange()
    results.append(outcome(check))
    results.append(member_of().calls)
    return results


def asymmetric(rank):
    """One rank passes new values, which it compares, while the others pass known values and begin
    to exchange data."""
    watch(interval=0.2, timeout=20)
    for _ in range(3):
        check()
        exchange()
    begin = time.monotonic()

    def call():
        check(**({"q": torch.Size([1, 4, 64, 16])} if rank == 1 else {}))
        exchange()

    found = outcome(call)
    again = outcome(check)
    return found, again, time.monotonic() - begin


def out_of_step(rank):
    """All ranks know the values of two calls. One rank makes them in another order."""
    watch(interval=0.2, timeout=20)
    check()
    check(causal=False)

    def calls():
        for i in range(200):
            check(causal=(i + (rank == 3 and i > 2)) % 2 == 0)
            time.sleep(0.05)

    return outcome(calls)


def late(rank):
    """One rank does not make the call."""
    watch(interval=0.2, timeout=20)
    check()
    begin = time.monotonic()
    if rank != 2:
        return outcome(lambda: check(causal=False)), time.monotonic() - begin
    while member_of().fault is None and time.monotonic() < begin + 20:
        time.sleep(0.1)
    return outcome(check), 0


def subgroups(rank):
    """Calls in two groups of two ranks and in the group of all four do not affect each other."""
    groups = [dist.new_group([0, 1]), dist.new_group([2, 3])]
    own = groups[rank // 2]
    results = [outcome(lambda: check(own, scale=1.0 + rank // 2)),
               outcome(lambda: check(own, scale=5.0 + (rank == 3))), outcome(check)]
    exchange(own)
    exchange()
    return results, outcome(lambda: check(groups[1 - rank // 2]))


def cost(rank):
    """Returns the seconds that the check of known values takes, and the requests to the store."""
    check()
    member, asked = member_of(), []
    store = member.store

    class Counted:
        def __getattr__(self, name):
            if threading.current_thread() is threading.main_thread():
                asked.append(name)
            return getattr(store, name)

    begin = time.perf_counter()
    member.store = Counted()
    for _ in range(2000):
        check()
    each = (time.perf_counter() - begin) / 2000
    member.store = store
    return each, asked


def many(rank):
    """More different calls than the package remembers."""
    _checks._KNOWN = 8
    for i in range(40):
        check(scale=1.0 + i % 10)
    return member_of().calls, len(member_of().known), sorted(
        key for key in ("first/1", "verdict/1", "first/39", "verdict/40")
        if member_of().store.check([key]))


def alone(rank):
    check()
    again = outcome(lambda: check(causal=object()))
    dist.destroy_process_group()
    return again, outcome(check), outcome(lambda: check("a group"))


class Checks(unittest.TestCase):
    def test_new(self):
        expected = [
            "q: expected (1, 4, 32, 16), as on ranks 0, 1 and 3, "
            "found (1, 4, 64, 16) on rank 2",
            "causal: expected True, as on ranks 1, 2 and 3, found False on rank 0",
            "scale: expected 0.1, as on ranks 0 and 2, found 0.2 on ranks 1 and 3",
            "k: expected 0, as on rank 0, found 1 on rank 1; k: expected 0, as on rank 0, found "
            "2 on rank 2; k: expected 0, as on rank 0, found 3 on rank 3",
            "group: expected a call of attention, as on ranks 0, 1 and 2, found one of decode "
            "on rank 3",
            "score_mod: expected builtins.max, as on ranks 0, 2 and 3, found builtins.min on "
            "rank 1",
            "extra: expected nothing, as on ranks 0, 2 and 3, found 1 on rank 1"]
        for results in gloo.run(new, 4):
            for (kind, text), wanted in zip(results, expected):
                self.assertEqual(kind, "ArgumentError")
                self.assertEqual(text, wanted)
            self.assertEqual(results[-2:], [("none", None), 9])

    def test_asymmetric(self):
        for found, again, seconds in gloo.run(asymmetric, 4):
            self.assertEqual(found, (
                "ArgumentError", "q: expected (1, 4, 32, 16), as on ranks 0, 2 and "
                "3, found (1, 4, 64, 16) on rank 1"))
            self.assertEqual(again, found)
            self.assertLess(seconds, 15)

    def test_out_of_step(self):
        for kind, text in gloo.run(out_of_step, 4):
            self.assertEqual(kind, "ArgumentError")
            self.assertRegex(text, "^group: expected the same calls on all ranks, found .*"
                             "rank 3.*attention\\(q=.*causal=")

    def test_late(self):
        for (kind, text), seconds in gloo.run(late, 4, timeout=3):
            self.assertEqual(kind, "Error")
            self.assertRegex(text, "^rank 2 did not come to call 2 of the group, attention on "
                             "rank [013], within 3 s$")
            self.assertLess(seconds, 12)

    def test_subgroups(self):
        for rank, (results, foreign) in enumerate(gloo.run(subgroups, 4)):
            self.assertEqual([kind for kind, _ in results],
                             ["none", ("none", "ArgumentError")[rank // 2], "none"])
            if rank >= 2:
                self.assertEqual(results[1][1], "scale: expected 5.0, as on rank 2 (0 in its "
                                 "group of 2), found 6.0 on rank 3 (1 in its group of 2)")
            self.assertEqual(foreign, ("ArgumentError", "group: expected a process group that "
                                       "this process is in, found one that it is not in"))

    def test_cost(self):
        for each, asked in gloo.run(cost, 2):
            self.assertEqual(asked, [])
            self.assertLess(each, 2e-4)  # of which a few microseconds are ours

    def test_many(self):
        for calls, known, keys in gloo.run(many, 2):
            self.assertEqual(calls, 40)
            self.assertLessEqual(known, 8)
            self.assertNotIn("first/1", keys)
            self.assertNotIn("verdict/1", keys)

    def test_alone(self):
        (again, gone, wrong), = gloo.run(alone, 1)
        self.assertEqual(again, ("none", None))
        self.assertEqual(gone[0], "ArgumentError")
        self.assertRegex(gone[1], "^group: expected a process group, such as .*, found none$")
        self.assertEqual(wrong, ("ArgumentError", "group: expected a process group that this "
                                 "process is in, found str"))


if __name__ == "__main__":
    unittest.main()
