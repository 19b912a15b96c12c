# Compares the counts of plan() with those of explicit masks, and with numbers by hand; and the
# tables on the manual's page with its output.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s
# RUN: %pytorch-python %S/../../scripts/plan-tables.py --check %docs/distributed.md
# RUN: sed 's/^step 1 /step 9 /' %docs/distributed.md > %t.md
# RUN: not %pytorch-python %S/../../scripts/plan-tables.py --check %t.md > %t.txt 2>&1
# RUN: FileCheck %s --check-prefix=STALE --input-file=%t.txt
# STALE: {{^}}-step 9
# STALE: {{^}}+step 1
# STALE: the page is stale: scripts/plan-tables.py docs/distributed.md writes it anew
# RUN: %pytorch-python %S/../../scripts/plan-tables.py %t.md
# RUN: cmp %t.md %docs/distributed.md

import itertools
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import gloo
import torch
from attn_mlir.distributed import _layout_pairs, measure_bandwidth, plan

SEED = int(os.environ.get("ATTN_TEST_SEED", 0))
SMALL = dict(heads=4, kv_heads=2, head_dim=64, batch=2)


def keeps(i, j, causal, window):
    left, right = window or (None, None)
    return ((not causal or j <= i) and (left is None or i - left <= j)
            and (right is None or j <= i + right))


def rows_of(rank, ranks, layout, chunk):
    """Returns a list of positions for each chunk of a rank."""
    length = chunk * ranks * (1 if layout == "contiguous" else 2)
    number = [i // chunk for i in range(length)]
    if layout == "contiguous":
        return [[i for i in range(length) if number[i] == rank]]
    return [[i for i in range(length) if number[i] == its]
            for its in (rank, 2 * ranks - 1 - rank)]


def count(rank, source, ranks, layout, causal, window, chunk):
    """Counts the pairs of a rank's rows and a source's keys that the mask keeps, and the keys of
    the source's chunks with any such pair."""
    rows = sum(rows_of(rank, ranks, layout, chunk), [])
    pairs = keys = 0
    for part in rows_of(source, ranks, layout, chunk):
        its = sum(keeps(i, j, causal, window) for i in rows for j in part)
        pairs, keys = pairs + its, keys + len(part) * (its > 0)
    return pairs, keys


class Pairs(unittest.TestCase):
    def check(self, ranks, layout, causal, window, chunk):
        found = _layout_pairs.steps(ranks, layout, causal, window, chunk)
        self.assertEqual([step.number for step in found], list(range(ranks)))
        for step in found:
            expected = [count(rank, (rank - step.number) % ranks, ranks, layout, causal, window,
                              chunk) for rank in range(ranks)]
            self.assertEqual(list(zip(step.pairs, step.keys)), expected,
                             (ranks, layout, causal, window, chunk, step.number))
            self.assertEqual(step.is_empty, not any(pairs for pairs, _ in expected))

    def test_all(self):
        bounds = (None, 0, 1, 3, 6, 50)
        for layout, causal, left, right in itertools.product(
                ("contiguous", "balanced"), (False, True), bounds, bounds):
            for ranks, chunk in ((1, 5), (2, 3), (3, 2), (4, 1), (2, 0)):
                self.check(ranks, layout, causal, (left, right), chunk)
        self.check(3, "balanced", True, None, 3)

    def test_random(self):
        draw = random.Random(SEED)
        for _ in range(40):
            bound = lambda: draw.choice([None, draw.randrange(30)])
            self.check(draw.randrange(1, 7), draw.choice(["contiguous", "balanced"]),
                       draw.random() < 0.5, (bound(), bound()), draw.randrange(6))

    def test_large(self):
        """For many ranks, the sums over all ranks and steps are equal to those of closed forms."""
        for ranks in (1, 3, 64, 1024):
            for layout in ("contiguous", "balanced"):
                chunk = 1 << 12
                length = chunk * _layout_pairs.chunk_count(ranks, layout)
                for causal, window, kept in (
                        (False, None, length ** 2), (True, None, length * (length + 1) // 2),
                        (True, (100, 7), 101 * length - 5050), (False, (0, 0), length)):
                    found = _layout_pairs.steps(ranks, layout, causal, window, chunk)
                    self.assertEqual(sum(sum(step.pairs) for step in found), kept)

    def test_balance(self):
        for step in _layout_pairs.steps(8, "balanced", True, None, 100):
            self.assertEqual(len(set(step.pairs)), 1)
        found = _layout_pairs.steps(8, "contiguous", True, (100, 0), 100)
        self.assertEqual([step.is_empty for step in found], [False, False] + 6 * [True])


class Plan(unittest.TestCase):
    def test_by_hand(self):
        """Two ranks without a mask: in two steps, a rank's rows attend to its own half of the keys,
        and to the other's."""
        its = plan(ranks=2, sequence=1024, dtype="f16", backward=True, bandwidth=1e9, latency=1e-3,
                   rate=(1e12, 2e12), **SMALL)
        pairs, flops = 512 * 512, 4 * 64 * 2 * 4 * 512 * 512
        self.assertEqual(its.pairs, 4 * pairs)
        moved = 2 * 2 * 2 * 2 * 512 * 64  # k and v: bytes, batch, heads, rows, head dim
        self.assertEqual([step[:3] for step in its.forward.steps],
                         [(0, flops, 0), (1, flops, moved)])
        compute = flops / 1e12
        self.assertAlmostEqual(its.forward.steps[0].compute, compute)
        self.assertAlmostEqual(its.forward.steps[1].transfer, 1e-3 + moved / 1e9)
        exposed = max(0, 1e-3 + moved / 1e9 - compute)
        self.assertGreater(exposed, 0)
        self.assertAlmostEqual(its.forward.exposed, exposed)
        self.assertAlmostEqual(its.forward.seconds, 2 * compute + exposed)
        self.assertAlmostEqual(its.forward.efficiency, 2 * compute / (2 * compute + exposed))
        # The gradients of the other rank's k and v are sent back in f32.
        self.assertEqual(its.backward.flops, 2 * flops * 10 // 4)
        self.assertEqual(its.backward.bytes, moved + 2 * moved)
        self.assertAlmostEqual(its.backward.moving, 1e-3 + 2 * moved / 1e9)
        # While these gradients are sent, a rank computes with one of its two key heads, and then
        # waits.
        compute = flops * 10 / 4 / 2e12
        self.assertAlmostEqual(its.backward.outside, 1e-3 + 2 * moved / 1e9 - compute / 2)
        self.assertAlmostEqual(its.backward.steps[1].exposed, 1e-3 + moved / 1e9 - compute / 2)
        self.assertGreater(its.backward.steps[1].exposed, 0)
        self.assertEqual(its.bytes, 4 * moved)
        query = 2 * 4 * 512 * 64
        self.assertEqual(its.memory["q, k, v"], 2 * (query + 2 * query // 2))
        self.assertEqual(its.memory["k, v of two other ranks"], 2 * moved)
        self.assertEqual(its.memory["dq, dk, dv, sums in f32"], 4 * (query + 2 * query // 2))

    def test_all_to_all(self):
        its = plan(ranks=2, sequence=1024, method="all_to_all", bandwidth=1e9, latency=1e-3,
                   rate=1e12, **SMALL)
        # In an all-to-all, a rank sends half of its q, k, v and output.
        moved = 2 * 2 * (4 + 2 + 2 + 4) * 512 * 64 // 2
        self.assertEqual((its.bytes, len(its.forward.steps)), (moved, 1))
        self.assertEqual(its.forward.flops, 4 * 64 * 2 * 2 * 1024 * 1024)
        self.assertAlmostEqual(its.forward.exposed, 4e-3 + moved / 1e9)

    def test_links(self):
        """The two dimensions of a mesh may have links of different rates."""
        found = [plan(ranks=4, sequence=1024, mesh=(2, 2), bandwidth=its, latency=0, rate=1e15,
                      **SMALL).forward for its in (1e9, (1e9, 1e30), (1e30, 1e9))]
        self.assertAlmostEqual(found[0].exposed, found[1].exposed + found[2].exposed, places=6)
        self.assertGreater(min(its.exposed for its in found), 0)

    def test_mesh(self):
        its = plan(ranks=4, sequence=1024, mesh=(2, 2), causal=True, bandwidth=1e9, latency=0,
                   rate=1e12, **SMALL)
        # In a ring of the mesh, rank 0 needs both chunks of rank 1, for half of the key heads.
        self.assertEqual([step.bytes for step in its.forward.steps],
                         [0, 2 * 2 * 2 * 1 * 512 * 64])
        self.assertEqual(sum(step.flops for step in its.forward.steps),
                         4 * 64 * 2 * 2 * (its.pairs // 2))

    def test_ideal(self):
        for options in ({}, {"causal": True}, {"mesh": (4, 2), "causal": True},
                        {"method": "all_to_all"}):
            its = plan(ranks=8, sequence=1 << 20, heads=16, kv_heads=8, head_dim=128,
                       bandwidth=1e30, latency=0, backward=True, **options)
            self.assertAlmostEqual(its.efficiency, 1.0)
        uneven = plan(ranks=8, sequence=1 << 20, heads=16, head_dim=128, causal=True,
                      layout="contiguous", bandwidth=1e30, latency=0)
        self.assertLess(uneven.efficiency, 0.6)  # the last rank has work in each step

    def test_window(self):
        its = plan(ranks=16, sequence=1 << 18, heads=16, head_dim=128, window=(1024, 0),
                   backward=True)
        self.assertEqual([step.number for step in its.forward.steps], [0, 1])
        whole = plan(ranks=16, sequence=1 << 18, heads=16, head_dim=128, backward=True)
        self.assertLess(its.bytes * 10, whole.bytes)

    def test_edges(self):
        empty = plan(ranks=4, sequence=0, heads=1, head_dim=1, backward=True)
        self.assertEqual((empty.pairs, empty.bytes, empty.efficiency), (0, 0, 1.0))
        alone = plan(ranks=1, sequence=7, heads=3, head_dim=40, causal=True, backward=True)
        self.assertEqual((alone.pairs, alone.bytes), (28, 0))
        self.assertAlmostEqual(alone.efficiency, 1.0)
        many = plan(ranks=1024, sequence=1 << 22, heads=8, head_dim=128, causal=True)
        self.assertEqual(many.pairs, (1 << 22) * ((1 << 22) + 1) // 2)
        for its in (empty, alone, many):
            self.assertIn("in all", str(its))
        self.assertLess(len(str(many).splitlines()), 30)
        for dtype in ("bf16", "bfloat16", torch.bfloat16):
            self.assertIn(", bf16, ", plan(ranks=1, sequence=8, heads=1, head_dim=8,
                                           dtype=dtype).title)

    def test_table(self):
        text = str(plan(ranks=4, sequence=1 << 16, heads=16, head_dim=128, causal=True,
                        backward=True))
        for line in ("^4 ranks .* 65536 x 128, bf16, causal, balanced: 2147516416 pairs$",
                     "^step 0 ", "^step 1-3 ", "^returned ", "^in all ",
                     "ms, efficiency 1.000$", "^memory of a rank, MiB$", "^k, v of two other ranks "):
            self.assertRegex(text, f"(?m){line}")

    def test_errors(self):
        for text, options in (
                ("ranks: expected a whole number above 0, found 0", {"ranks": 0}),
                ("batch: expected a whole number from 0 on, found -1", {"batch": -1}),
                ("kv_heads: expected a divisor of heads, 4, found 3", {"kv_heads": 3}),
                ("kv_heads: expected a multiple of the 4 ranks that divide heads by all-to-all, "
                 "found 2", {"method": "all_to_all"}),
                ("dtype: expected 'f16', 'bf16' or 'f32', found 'f64'", {"dtype": "f64"}),
                ("sequence: expected a multiple of 8, the chunks of 4 ranks, found 1028",
                 {"sequence": 1028, "causal": True}),
                ("mesh: expected two numbers whose product is ranks, 4, found (2, 3)",
                 {"mesh": (2, 3)}),
                ("method: expected 'ring' or 'all_to_all', found 'star'", {"method": "star"}),
                ("layout: expected 'balanced' or 'contiguous', found 'x'", {"layout": "x"}),
                ("window: expected two whole numbers from 0 on, or None for no bound, found "
                 "(-1, 0)", {"window": (-1, 0)}),
                ("bandwidth: expected bytes a second above 0, found 0", {"bandwidth": 0}),
                ("latency: expected seconds from 0 on, found -1", {"latency": -1}),
                ("rate: expected FLOP/s above 0, found (1, 0)", {"rate": (1, 0)}),
                ("rate: expected FLOP/s, as none were measured for f32 or head dims above 256, "
                 "found none", {"dtype": "f32"})):
            with self.assertRaises(attn_mlir.ArgumentError) as raised:
                plan(**{"ranks": 4, "sequence": 1024, **SMALL, **options})
            self.assertEqual(str(raised.exception), text)


def measure(rank):
    return (*measure_bandwidth(size=1 << 20, repeats=3),
            gloo.outcome(lambda: measure_bandwidth(size=0)))


class Measured(unittest.TestCase):
    def test_bandwidth(self):
        first, *others = gloo.run(measure, 2)
        self.assertEqual([first], others)
        self.assertGreater(first[0], 1e6)
        self.assertGreater(first[1], 0)
        self.assertEqual(first[2], ("ArgumentError",
                                    "size: expected a whole number above 0, found 0"))
        (rate, latency, _), = gloo.run(measure, 1)
        self.assertEqual((rate, latency), (float("inf"), 0.0))
        plan(ranks=2, sequence=64, heads=2, head_dim=64, bandwidth=rate, latency=latency)


if __name__ == "__main__":
    unittest.main()
