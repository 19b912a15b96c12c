# Tile programs of test/Programs beside fp64 on random data: products of 8 bits, heads of 576 and
# 512 columns, rows by lists of tokens, and four roles; on the GPU if there is one, else on the
# host. What is not written stays NaN.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python %s

import math
import pathlib
import re
import unittest

import attn_mlir
import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
PRODUCER = "roles = producer_consumer>"


def compiled(name, schedules):
    """Yields the program compiled for the host or, on a GPU, with each schedule that it supports,
    and the schedule's text. `schedules` maps a schedule's text, or "" for the program's own, to the
    least compute capability; wgmma is of capability 9.0 alone."""
    text = (pathlib.Path(__file__).parents[1] / "Programs" / f"{name}.mlir").read_text()
    function = name.replace("-", "_")
    if DEVICE == "cpu":
        yield "host", attn_mlir.compile(text, function=function, chip="host")
        return
    found = torch.cuda.get_device_capability()
    for schedule, least in schedules.items():
        source = text
        if schedule:
            source, count = re.subn("schedule<tile_q.*>", f"schedule<{schedule}", text)
            assert count == 1
        if found >= least and ("wgmma" not in source or found == (9, 0)):
            yield schedule, attn_mlir.compile(source, function=function)


def draw(*sizes, dtype=torch.float16):
    return torch.randn(*sizes).to(DEVICE, dtype)


def poisoned(*sizes, dtype=torch.float16):
    return torch.full(sizes, math.nan, device=DEVICE, dtype=dtype)


def surrounded(array, gap):
    """Returns a view with the array's elements, between rows of which lie `gap` elements of NaN."""
    whole = torch.full((*array.shape[:-1], array.shape[-1] + gap), math.nan,
                       device=DEVICE).to(array.dtype)
    view = whole[..., :array.shape[-1]]
    view.copy_(array)
    return view


def attend(q, k, v, scale, keep=None):
    scores = q.double() @ k.double().mT * scale
    if keep is not None:
        scores = scores.masked_fill(~keep, -math.inf)
    return scores.softmax(-1).nan_to_num() @ v.double(), scores.logsumexp(-1)


class Programs(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def close(self, found, expected, bound):
        torch.testing.assert_close(found.double(), expected, atol=bound, rtol=4e-3)

    def test_products_of_8_bits(self):
        tiles = "tile_q = 64, tile_kv = 64, warps = 4, mma = wgmma, copy = tma, "
        schedules = {"": (8, 0), tiles + PRODUCER: (9, 0)}
        for schedule, kernel in compiled("gemm8", schedules):
            for m, n, k in ((1000, 704, 528), (64, 64, 128), (65, 8, 1008), (100, 70, 16)):
                a, b = (surrounded(draw(its, k, dtype=torch.float8_e4m3fn), 16) for its in (m, n))
                rows, columns = (torch.rand(its, device=DEVICE) / 8 + 0.1 for its in (m, n))
                c = poisoned(m, n)
                kernel.run(a, b, rows, columns, c)
                expected = a.double() @ b.double().mT * rows[:, None].double() * columns.double()
                with self.subTest(schedule=schedule, m=m, n=n, k=k):
                    self.close(c, expected, 1e-2)

    def test_latents(self):
        for schedule, kernel in compiled("latent", {"": (9, 0)}):
            for batch, rows, keys in ((1, 70, 130), (2, 1, 65), (3, 200, 500), (1, 64, 1)):
                q, k = draw(batch, rows, 576), draw(batch, keys, 576)
                o, lse = poisoned(batch, rows, 512), poisoned(batch, rows, dtype=torch.float32)
                kernel.run(q, k, o, lse)
                expected, of_rows = attend(q, k, k[..., :512], 1 / 24)
                with self.subTest(schedule=schedule, batch=batch, rows=rows, keys=keys):
                    self.close(o, expected, 4e-3)
                    self.close(lse, of_rows, 1e-3)

    def test_lists_of_tokens(self):
        start = "tile_q = 64, tile_kv = 64, warps = 4, mma = "
        schedules = {"": (8, 0), f"{start}mma_sync, copy = element, {PRODUCER}": (8, 0),
                     f"{start}wgmma, copy = cp_async, {PRODUCER}": (9, 0),
                     f"{start}wgmma, copy = cp_async, overlap = true, {PRODUCER}": (9, 0)}
        heads, queries, keys, most = 3, 500, 400, 210
        q, k, v = (draw(heads, its, 128) for its in (queries, keys, keys))
        # The last key is NaN, which only entries after the end of a list name. Tokens below 0 are
        # masked, and those past the last key have zeros. The second list is empty.
        k[:, -1] = v[:, -1] = math.nan
        number = -(-queries // 64)
        counts = torch.randint(1, most, (number,), dtype=torch.int32)
        counts[:3] = torch.tensor([most, 0, 5])
        tokens = torch.randint(0, keys - 1, (number, most), dtype=torch.int32)
        others = torch.rand(number, most)
        tokens[others < 0.1] = -7
        tokens[others > 0.9] = keys + 1
        tokens[2] = -1
        tokens[torch.arange(most) >= counts[:, None]] = keys - 1
        zero = torch.zeros(heads, 1, 128, device=DEVICE)
        expected, of_rows = [], []
        for its, own, count in zip(q.split(64, 1), tokens, counts.tolist()):
            own = own[:count].to(DEVICE)
            read = torch.where(own < 0, 0, own.clamp(max=keys)).long()
            its_k, its_v = (torch.cat([array.double(), zero.double()], 1)[:, read]
                            for array in (k, v))
            found = attend(its, its_k, its_v, 128 ** -0.5, own >= 0)
            expected.append(found[0])
            of_rows.append(found[1])
        for schedule, kernel in compiled("token-list", schedules):
            o, lse = poisoned(heads, queries, 128), poisoned(heads, queries, dtype=torch.float32)
            kernel.run(q, k, v, tokens.to(DEVICE), counts.to(DEVICE), o, lse)
            with self.subTest(schedule=schedule):
                self.close(o, torch.cat(expected, 1), 4e-3)
                self.close(lse, torch.cat(of_rows, 1), 1e-3)

    def test_softmax_role(self):
        for schedule, kernel in compiled("softmax-role", {"": (9, 0)}):
            for heads, rows, keys in ((2, 200, 330), (1, 1, 65), (1, 130, 1)):
                q = draw(heads, rows, 64)
                k, v = draw(heads, keys, 64), draw(heads, keys, 64)
                keep = torch.ones(rows, keys, dtype=torch.bool, device=DEVICE).tril()
                expected, of_rows = attend(q, k, v, 1 / 8, keep)
                o, lse = poisoned(heads, rows, 64), poisoned(heads, rows, dtype=torch.float32)
                kernel.run(q, k, v, o, lse)
                with self.subTest(schedule=schedule, rows=rows, keys=keys):
                    self.close(o, expected, 4e-3)
                    self.close(lse, of_rows, 1e-3)

    def test_latent_roles(self):
        for schedule, kernel in compiled("latent-roles", {"": (9, 0)}):
            for batch, rows, keys in ((1, 70, 130), (2, 1, 65), (3, 128, 500)):
                q, k = draw(batch, rows, 576), draw(batch, keys, 576)
                expected, of_rows = attend(q, k, k[..., :512], 1 / 24)
                o, lse = poisoned(batch, rows, 512), poisoned(batch, rows, dtype=torch.float32)
                kernel.run(q[..., :512], k[..., :512], q[..., 512:], k[..., 512:], o, lse)
                with self.subTest(schedule=schedule, batch=batch, rows=rows, keys=keys):
                    self.close(o, expected, 4e-3)
                    self.close(lse, of_rows, 1e-3)

    def test_staged_halves(self):
        for schedule, kernel in compiled("staged-halves", {"": (9, 0)}):
            for m, k in ((200, 152), (1, 64), (500, 1000)):
                a, b, c = draw(m, k), draw(k, 256), poisoned(m, 256)
                kernel.run(a, b, c)
                with self.subTest(schedule=schedule, m=m, k=k):
                    self.close(c, a.double() @ b.double(), 4e-3)

    def test_four_roles(self):
        for schedule, kernel in compiled("four-roles", {"": (9, 0)}):
            for heads, rows, keys in ((2, 70, 130), (1, 1, 65), (1, 64, 1), (3, 300, 500)):
                q, k = draw(heads, rows, 64), draw(heads, keys, 64)
                v = surrounded(draw(heads, keys, 128, dtype=torch.float8_e4m3fn), 16)
                o = poisoned(heads, rows, 128)
                kernel.run(q, k, v, o)
                expected = (q.double() @ k.double().mT / 8).sigmoid() @ v.double()
                with self.subTest(schedule=schedule, heads=heads, rows=rows, keys=keys):
                    self.close(o, expected, 2e-2)


if __name__ == "__main__":
    unittest.main()
