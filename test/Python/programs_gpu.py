# Tile programs that are not attention on a GPU: products of matrices, and lists of blocks in
# memory.
#
# REQUIRES: capi, torch, pytorch
# RUN: %pytorch-python %s

import math
import pathlib
import re
import unittest

import attn_mlir
import torch

SCHEDULES = {
    "mma_sync, copy = cp_async": (8, 0),
    "wgmma, copy = tma, roles = producer_consumer": (9, 0),
    "wgmma, copy = tma, overlap = true, roles = producer_consumer": (9, 0),
}


def compiled(name, function):
    """Yields the program compiled with each schedule that the GPU supports, and the schedule's
    text."""
    path = pathlib.Path(__file__).parents[1] / "Programs" / name
    for schedule, capability in SCHEDULES.items():
        found = torch.cuda.get_device_capability()
        if found < capability or capability == (9, 0) and found != (9, 0):
            continue
        yield schedule, attn_mlir.compile(
            re.sub(r"mma = mma_sync, copy = cp_async", f"mma = {schedule}",
                   path.read_text()), function=function)


class Programs(unittest.TestCase):
    def test_matrix_product(self):
        torch.manual_seed(0)
        for m, n, k in ((1000, 704, 520), (64, 64, 64), (65, 8, 1000)):
            a = torch.randn(m, k, device="cuda", dtype=torch.float16)
            b = torch.randn(k, n, device="cuda", dtype=torch.float16)
            expected = a.double() @ b.double()
            for schedule, kernel in compiled("matmul.mlir", "matmul"):
                with self.subTest(schedule=schedule, m=m, n=n, k=k):
                    c = torch.full((m, n), math.nan, device="cuda", dtype=torch.float16)
                    kernel.run(a, b, c)
                    torch.testing.assert_close(c.double(), expected, atol=0.05, rtol=2e-3)

    @unittest.skipUnless(torch.cuda.is_available() and
                         torch.cuda.get_device_capability() == (9, 0), "wgmma")
    def test_roles(self):
        torch.manual_seed(0)
        text = (pathlib.Path(__file__).parents[1] / "Programs" / "two-multipliers.mlir").read_text()
        plain = text.replace(", registers = 104", "").replace(", warps = 8, registers = 88", "")
        for source in (text, plain):
            kernel = attn_mlir.compile(source, function="two_multipliers")
            for heads, rows, keys in ((3, 1000, 800), (1, 1, 65), (2, 64, 1)):
                q, k, r, l, v = (torch.randn(heads, n, 64, device="cuda", dtype=torch.float16)
                                 for n in (rows, keys, rows, keys, keys))
                weights = ((q.double() @ k.double().mT / 8).sigmoid() -
                           (r.double() @ l.double().mT / 8).sigmoid() / 2)
                with self.subTest(rows=rows, keys=keys, plain=source is plain):
                    out = torch.full_like(q, math.nan)
                    kernel.run(q, k, r, l, v, out)
                    torch.testing.assert_close(out.double(), weights @ v.double(), atol=2e-2,
                                               rtol=4e-3)

    def test_lists_of_blocks(self):
        torch.manual_seed(0)
        heads, rows, keys, dim, block, tile = 3, 1000, 800, 32, 32, 64
        q, k, v = (torch.randn(heads, n, dim, device="cuda", dtype=torch.float16)
                   for n in (rows, keys, keys))
        number, tiles = keys // block, -(-rows // tile)
        blocks = torch.stack([torch.randperm(number) for _ in range(tiles)]).int()
        kinds = torch.randint(0, 2, (tiles, number)).int()
        counts = torch.randint(0, number + 1, (tiles,)).int()
        counts[1] = 0
        keep = torch.zeros(rows, keys, dtype=torch.bool)
        i, j = torch.arange(rows)[:, None], torch.arange(keys)[None, :]
        for t in range(tiles):
            own = (i // tile == t)
            for b, kind in zip(blocks[t, :counts[t]], kinds[t]):
                keep |= own & (j // block == b) & ((j <= i) | (kind == 0))
        scores = q.double() @ k.double().mT * dim ** -0.5
        scores = scores.masked_fill(~keep.cuda(), -math.inf)
        expected = scores.softmax(-1).nan_to_num() @ v.double()
        lists = [x.cuda() for x in (blocks, kinds, counts)]
        for schedule, kernel in compiled("block-list.mlir", "block_list"):
            with self.subTest(schedule=schedule):
                out = torch.full_like(q, math.nan)
                lse = torch.full((heads, rows), math.nan, device="cuda")
                kernel.run(q, k, v, *lists, out, lse)
                torch.testing.assert_close(out.double(), expected, atol=4e-3, rtol=4e-3)
                torch.testing.assert_close(lse.double(), scores.logsumexp(-1), atol=1e-3,
                                           rtol=1e-3)


if __name__ == "__main__":
    unittest.main()
