# Keys and values of 8 bits, and their scales, in PyTorch; on the GPU if there is one, else on
# the CPU.
#
# REQUIRES: capi, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import torch
from tensors import DEVICE

E4M3, E5M2, I8 = torch.float8_e4m3fn, torch.float8_e5m2, torch.int8
LARGEST = {E4M3: 448.0, E5M2: 57344.0, I8: 127.0}
SMALLEST = {I8: -128.0}


def store(numbers, dtype, scale=1.0):
    """Converts numbers to those that a cache stores: rounded to nearest even and saturated. NaN
    stays NaN, or becomes 0 in int8."""
    numbers = (numbers / scale).clamp(SMALLEST.get(dtype, -LARGEST[dtype]), LARGEST[dtype])
    if dtype == I8:
        return numbers.nan_to_num(0).round().to(I8)
    return numbers.to(dtype)


def expand(scale, block, like):
    """Returns a scale in a shape that can be multiplied with an array of rank 4."""
    if scale is None:
        return 1.0
    scale = scale.double()
    if scale.dim() < 2:
        return scale
    if scale.dim() == 2:
        return scale[:, :, None, None]
    if scale.dim() == 4:
        return scale
    if block > 1 or scale.shape[2] == like.shape[2]:
        scale = scale.repeat_interleave(block, 2)[:, :, :like.shape[2]]
    return scale[..., None]


def attend(q, k, v, scales, causal, lengths, low):
    """Returns the output and the lse in fp64 for the stored numbers. With `low`, probabilities are
    rounded as kernels round them."""
    pairs = [its if isinstance(its, tuple) else (its, 1) for its in scales]
    q_scale, k_scale, v_scale = [
        expand(*its, like) for its, like in zip(pairs, (q, k, v))]
    group = q.shape[1] // k.shape[1]

    def of_queries(array):
        return array.repeat_interleave(group, 1)

    keys = of_queries(k.float().double() * k_scale)
    values = v.float().double()
    of_tokens = torch.is_tensor(v_scale) and v_scale.dim() == 4 and v_scale.shape[2] > 1
    if not of_tokens:
        values = values * v_scale
    s = (q.double() * q_scale) @ keys.transpose(2, 3) / q.shape[3] ** 0.5
    rows, cols = s.shape[2:]
    kept = torch.ones(q.shape[0], 1, rows, cols, dtype=torch.bool, device=s.device)
    ends = [cols] * q.shape[0] if lengths is None else lengths.tolist()
    for b, end in enumerate(ends):
        kept[b, :, :, end:] = False
        if causal:
            i = torch.arange(rows, device=s.device)[:, None]
            kept[b] &= torch.arange(cols, device=s.device)[None] <= i + end - rows
    s = s.masked_fill(~kept, -torch.inf)
    lse = s.logsumexp(3)
    p = torch.exp(s - s.amax(3, keepdim=True).clamp(min=-1e30))
    total = p.sum(3, keepdim=True)
    if of_tokens:
        p = p * of_queries(v_scale.expand(*v.shape[:3], 1)).transpose(2, 3)
    if low:
        p = p.to(q.dtype).double()
    o = (p @ of_queries(values)) / total
    return o.masked_fill(total == 0, 0), lse


def check(q, k, v, found, lse, scales=(None, None, None), causal=False, lengths=None, what=""):
    exact, exact_lse = attend(q, k, v, scales, causal, lengths, low=False)
    low = attend(q, k, v, scales, causal, lengths, low=True)[0].to(q.dtype).double()
    ulp = torch.finfo(q.dtype).eps * float(exact.abs().max())
    limit = 2 * float((low - exact).abs().max()) + ulp + 1e-5
    error = float((found.double() - exact).abs().max())
    assert error <= limit, (what, error, limit)
    is_none = torch.isneginf(exact_lse)
    assert (torch.isneginf(lse) == is_none).all(), what
    gap = (lse.double() - exact_lse).masked_fill(is_none, 0).abs()
    bound = 1e-3 if q.dtype != torch.float32 else 5e-5
    assert (gap <= bound * exact_lse.masked_fill(is_none, 0).abs().clamp(min=1)).all(), what


def draw(*sizes, mean=0.0, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return (torch.randn(sizes, generator=generator) + mean).to(DEVICE)


def scale_like(sizes, seed):
    return draw(*sizes, seed=seed).abs() * 0.2 + 0.05


class Attention(unittest.TestCase):
    def test_types(self):
        number = 0
        for dtype in (torch.float16, torch.bfloat16, torch.float32):
            for key, value in ((E4M3, E4M3), (E5M2, E5M2), (I8, I8), (E4M3, dtype),
                               (dtype, E5M2)):
                for mean in (0.0, 1.0, 10.0):
                    rows, keys = ((97, 130), (97, 65), (5, 300))[number % 3]
                    q = draw(2, 4, rows, 64, seed=number).to(dtype)
                    k = draw(2, 2, keys, 64, seed=number + 1)
                    v = draw(2, 2, keys, 32, mean=mean, seed=number + 2)
                    k, v = (store(its, to) if to != dtype else its.to(dtype)
                            for its, to in ((k, key), (v, value)))
                    o, lse = attn_mlir.attention(q, k, v, return_lse=True,
                                                 causal="bottom_right")
                    check(q, k, v, o, lse, causal=True, what=(dtype, key, value, mean))
                number += 1

    def test_scales(self):
        q = draw(2, 4, 70, 64, seed=1).half()
        sizes = {"tensor": (), "one": (1,), "head": (2, 2), "heads": (1, 2), "entry": (2, 1),
                 "token": (2, 2, 150), "tokens": (1, 1, 150), "block": (2, 2, 5)}
        for number, (name, shape) in enumerate(sizes.items()):
            for dtype in (E4M3, I8):
                step = 0.02 if dtype == I8 else 1.0
                k = store(draw(2, 2, 150, 64, seed=2), dtype, step)
                v = store(draw(2, 2, 150, 64, mean=number % 3, seed=3), dtype, step)
                scales = [scale_like(shape, seed) * step for seed in (4, 5)]
                if name == "block":
                    scales = [(its, 32) for its in scales]
                for rows in (70, 3):
                    own = q[:, :, :rows]
                    for _ in range(2):  # the second by what the first has made
                        o, lse = attn_mlir.attention(own, k, v, return_lse=True,
                                                     k_scale=scales[0], v_scale=scales[1])
                        check(own, k, v, o, lse, (None, *scales), what=(name, dtype, rows))

    def test_scales_of_queries_and_channels(self):
        q, k = draw(2, 4, 33, 64).half(), store(draw(2, 2, 80, 64, seed=1), E4M3)
        v = store(draw(2, 2, 80, 40, seed=2), E4M3)
        for shape in ((), (2, 4), (2, 4, 33)):
            of_query, channels = scale_like(shape, 3), scale_like((1, 2, 1, 40), 4)
            o, lse = attn_mlir.attention(q, k, v, return_lse=True, q_scale=of_query,
                                         v_scale=channels)
            check(q, k, v, o, lse, (of_query, None, channels), what=shape)

    def test_strides(self):
        """Scales of tokens may have any strides, such as those of an array of (S, H)."""
        q, k = draw(1, 4, 20, 64).half(), store(draw(1, 2, 90, 64, seed=1), E4M3)
        scale = scale_like((1, 90, 2), 2).transpose(1, 2)
        o, lse = attn_mlir.attention(q, k, k, return_lse=True, k_scale=scale, v_scale=scale)
        check(q, k, k, o, lse, (None, scale, scale))

    def test_score_sees_scaled(self):
        q, k = draw(1, 2, 20, 64).half(), store(draw(1, 2, 90, 64, seed=1), E4M3)
        scale = scale_like((1, 2), 2) * 4

        def cap(s, b, h, i, j):
            return 2.0 * attn_mlir.score.tanh(s / 2.0)

        o = attn_mlir.attention(q, k, k, k_scale=scale, score_mod=cap)
        s = q.double() @ (k.double() * scale[..., None, None].double()).transpose(2, 3) / 8
        expected = (2 * torch.tanh(s / 2)).softmax(3) @ k.double()
        assert (o.double() - expected).abs().max() < 5e-3

    def test_errors(self):
        q, k = draw(1, 4, 20, 64).half(), store(draw(1, 2, 90, 64, seed=1), E4M3)
        for message, options in (
                (r"k_scale: expected sizes \(\), \(B, Hkv\) or \(B, Hkv, Skv\)",
                 {"k_scale": scale_like((1, 4), 1)}),
                ("v_scale: expected dtype f32", {"v_scale": scale_like((1, 2), 1).half()}),
                ("k_scale: expected a power of two from 16 on",
                 {"k_scale": (scale_like((1, 2, 9), 1), 10)}),
                ("k_scale: expected an array, or a pair", {"k_scale": (1, 2, 3)})):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, message):
                attn_mlir.attention(q, k, k, **options)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "q: expected dtype"):
            attn_mlir.attention(k.view(I8), k, k)
        grad = q.clone().requires_grad_()
        with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                    "k: expected a dtype of 16 or 32 bits where it requires"):
            attn_mlir.attention(grad, k.clone().requires_grad_(), k)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "k_scale: expected None where k"):
            attn_mlir.attention(q, grad, grad, k_scale=scale_like((), 1))


class Serving(unittest.TestCase):
    def test_decode(self):
        for number, dtype in enumerate((E4M3, E5M2, I8)):
            step = 0.02 if dtype == I8 else 1.0
            k = store(draw(3, 2, 300, 64, seed=1), dtype, step)
            v = store(draw(3, 2, 300, 64, mean=10 * number, seed=2), dtype, step)
            lengths = torch.tensor([300, 0, 123], dtype=torch.int32, device=DEVICE)
            for index, shape in enumerate(((), (3, 2), (3, 2, 300))):
                scales = [scale_like(shape, seed) * step for seed in (3, 4)]
                if len(shape) == 3:
                    for its in scales:  # what nobody may read
                        its[1], its[2, :, 123:] = torch.nan, torch.nan
                # Each combination of dtype and shape has one number of rows, since each needs a
                # kernel. All pairs of dtype, shape and rows occur.
                rows = (1, 4, 20)[(number + index) % 3]
                q = draw(3, 8, rows, 64, seed=rows).bfloat16()
                o, lse = attn_mlir.decode(q, k, v, lengths=lengths, causal=True,
                                          k_scale=scales[0], v_scale=scales[1],
                                          return_lse=True)
                clean = [its.nan_to_num(1) for its in scales]
                check(q, k, v, o, lse, (None, *clean), causal=True, lengths=lengths,
                      what=(dtype, shape, rows))

    def test_pages(self):
        for number, page in enumerate((16, 64, 24)):
            columns = -(-300 // page)
            pages = 2 * columns + 3
            pool_k = store(draw(pages, 2, page, 64, seed=1), E4M3)
            pool_v = store(draw(pages, 2, page, 64, mean=1, seed=2), E4M3)
            table = torch.randperm(pages, generator=torch.Generator().manual_seed(5))[
                :2 * columns].reshape(2, columns).int().to(DEVICE)
            lengths = torch.tensor([300, 77], dtype=torch.int32, device=DEVICE)
            for index, shape in enumerate(((), (pages, 2), (pages, 2, page), (1, 2))):
                scales = [scale_like(shape, seed) for seed in (3, 4)]
                rows = (1, 20)[(number + index) % 2]  # all pairs again
                q = draw(2, 4, rows, 64, seed=rows).half()
                o, lse = attn_mlir.decode(
                    q, pool_k, pool_v, page_table=table, lengths=lengths, causal=True,
                    k_scale=scales[0], v_scale=scales[1], return_lse=True)

                def gather(pool):
                    picked = pool.view(torch.uint8)[table.long()] if pool.dtype == E4M3 \
                        else pool[table.long()]
                    whole = picked.transpose(1, 2).flatten(2, 3)[:, :, :300]
                    return whole.view(E4M3) if pool.dtype == E4M3 else whole

                def spread(scale):
                    if scale.dim() < 2:
                        return scale
                    if scale.dim() == 2:
                        scale = scale[:, :, None].expand(pages, 2, page)
                    return gather(scale)

                check(q, gather(pool_k), gather(pool_v), o, lse,
                      (None, *map(spread, scales)), causal=True, lengths=lengths,
                      what=(page, shape, rows))

    def test_packed(self):
        cu = torch.tensor([0, 40, 40, 131], dtype=torch.int32, device=DEVICE)
        q = draw(131, 4, 64).half()
        k, v = (store(draw(131, 2, 64, seed=seed), E4M3) for seed in (1, 2))
        for shape in ((), (2,), (131, 2)):
            scales = [scale_like(shape, seed) for seed in (3, 4)]
            o, lse = attn_mlir.varlen(q, k, v, cu, k_scale=scales[0], v_scale=scales[1],
                                      causal=True, return_lse=True)
            for first, end in ((0, 40), (40, 131)):
                def part(array):
                    return array[first:end].transpose(0, 1)[None]

                own = [its if its.dim() == 0 else its[None] if its.dim() == 1
                       else its[first:end].transpose(0, 1)[None] for its in scales]
                check(*map(part, (q, k, v)), part(o), lse[None, :, first:end], (None, *own),
                      causal=True, what=shape)

    def test_append(self):
        for dtype, kinds in ((E4M3, (torch.float16, torch.float32)), (E5M2, (torch.float16,)),
                             (I8, (torch.bfloat16,))):
            for kind in kinds:
                k = draw(2, 3, 5, 64, seed=1).to(kind)
                v = (draw(2, 3, 5, 40, seed=2) * 300).to(kind)
                v[0, 0, 0, :4] = torch.tensor([torch.inf, -torch.inf, torch.nan, 0.0])
                for shape in (None, (), (1, 3), (2, 3)):
                    scales = [None, None] if shape is None else [
                        scale_like(shape, 3) * 0.1, scale_like(shape, 4)]
                    caches = [torch.zeros(2, 3, 20, width, device=DEVICE).to(dtype)
                              for width in (64, 40)]
                    lengths = torch.tensor([7, 18], dtype=torch.int32, device=DEVICE)
                    attn_mlir.append(k, v, *caches, lengths, k_scale=scales[0],
                                     v_scale=scales[1])
                    assert lengths.tolist() == [12, 20]
                    for array, cache, scale in zip((k, v), caches, scales):
                        wide = 1.0 if scale is None else scale if scale.dim() == 0 \
                            else scale[..., None, None]
                        stored = store(array.float(), dtype, wide)
                        expected = torch.zeros(cache.shape, device=DEVICE).to(dtype)
                        expected.view(torch.uint8)[0, :, 7:12] = stored.view(torch.uint8)[0]
                        expected.view(torch.uint8)[1, :, 18:] = \
                            stored.view(torch.uint8)[1, :, :2]
                        if dtype == I8:
                            assert torch.equal(cache, expected), (dtype, kind, shape)
                        else:
                            # A NaN may have either sign.
                            same = cache.view(torch.uint8) == expected.view(torch.uint8)
                            same |= cache.float().isnan() & expected.float().isnan()
                            assert same.all(), (dtype, kind, shape)

    def test_append_makes_scales(self):
        largest = {E4M3: 448.0, E5M2: 57344.0, I8: 127.0}
        for dtype, kind, page in ((E4M3, torch.bfloat16, None), (E5M2, torch.float32, None),
                                  (I8, torch.float16, 16), (E4M3, torch.float16, 16)):
            k = draw(2, 3, 5, 64, seed=1).to(kind)
            v = (draw(2, 3, 5, 40, seed=2) * 300).to(kind)
            # Infinities and NaN do not affect a token's scale. One token consists of zeros.
            v[0, 0, 0, :4] = torch.tensor([torch.inf, -torch.inf, torch.nan, 0.0])
            v[1, 1, 0] = 0
            lengths = torch.tensor([7, 18], dtype=torch.int32, device=DEVICE)
            rows, table = (20, None) if page is None else (page, torch.tensor(
                [[3, 0], [1, 2]], dtype=torch.int32, device=DEVICE))
            count = 2 if page is None else 4
            caches = [torch.zeros(count, 3, rows, width, device=DEVICE).to(dtype)
                      for width in (64, 40)]
            scales = [torch.full((count, 3, rows), -1.0, device=DEVICE) for _ in caches]
            for again in range(2):
                lengths.copy_(torch.tensor([7, 18]))
                attn_mlir.append(k, v, *caches, lengths, page_table=table,
                                 k_scale=scales[0], v_scale=scales[1])
            room = 20 if page is None else 32
            assert lengths.tolist() == [12, min(23, room)]
            written = torch.zeros(count, 3, rows, dtype=torch.bool, device=DEVICE)
            for array, cache, scale in zip((k, v), caches, scales):
                wide = array.float()
                sizes = wide.abs().where(wide.isfinite(), torch.zeros((), device=DEVICE))
                made = (sizes.amax(-1) / largest[dtype]).clamp(min=2.0 ** -126)
                stored = store(wide, dtype, made[..., None])
                for b in range(2):
                    for t in range(5):
                        p = (7, 18)[b] + t
                        if p >= room:
                            continue
                        at = (b, p) if page is None else (int(table[b, p // page]), p % page)
                        written[at[0], :, at[1]] = True
                        torch.testing.assert_close(scale[at[0], :, at[1]], made[b, :, t],
                                                   rtol=1e-6, atol=0)
                        found = cache[at[0], :, at[1]].float()
                        wanted = stored[b, :, t].float()
                        # Kernels divide in f32, so a stored number may be the neighbour of the
                        # nearest one in a few cases.
                        assert torch.equal(found.isnan(), wanted.isnan())
                        assert (found.nan_to_num() == wanted.nan_to_num()).float().mean() > 0.98
                        step = 1.0 if dtype == I8 else 0.25
                        assert ((found - wanted).abs().nan_to_num()
                                <= step * wanted.abs().nan_to_num().clamp(min=1)).all()
            for cache, scale in zip(caches, scales):
                assert (scale[~written] == -1).all()
                assert (cache.float()[~written] == 0).all()
            # decode() accepts the caches and the scales that append() has written.
            q = draw(2, 3, 1, 64, seed=9).to(torch.float16)
            o = attn_mlir.decode(q, *caches, page_table=table, lengths=lengths,
                                 k_scale=scales[0], v_scale=scales[1])
            assert o.shape == (2, 3, 1, 40)

    def test_append_refuses(self):
        k = draw(1, 2, 1, 64).half()
        cache = torch.zeros(1, 2, 20, 64, device=DEVICE).to(E4M3)
        lengths = torch.zeros(1, dtype=torch.int32, device=DEVICE)
        made, given = torch.zeros(1, 2, 20, device=DEVICE), torch.ones((), device=DEVICE)
        for scales, caches, message in (
                ((made, given), (cache, cache), "v_scale: expected an array of rank 3"),
                ((made[:, :, :19], made), (cache, cache), "k_scale: expected size 20"),
                ((made, made.clone()), (cache.half(), cache.half()), "k_scale: expected None")):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, message):
                attn_mlir.append(k, k, *caches, lengths, k_scale=scales[0], v_scale=scales[1])


if __name__ == "__main__":
    unittest.main()
