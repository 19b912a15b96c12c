# Keys and values of i4, two to a byte, in PyTorch and NumPy; on the GPU if there is one, else
# on the CPU.
#
# REQUIRES: capi, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import numpy as np
import torch
from attn_mlir import _attention
from tensors import DEVICE
from torch.utils._python_dispatch import TorchDispatchMode


def draw(*sizes, mean=0.0, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return (torch.randn(sizes, generator=generator) + mean).to(DEVICE)


def scale_like(sizes, seed):
    return draw(*sizes, seed=seed).abs() * 0.2 + 0.05


def draw_halves(*sizes, seed=0):
    """Returns random 4-bit integers, and the same numbers with two in each byte."""
    generator = torch.Generator().manual_seed(seed)
    numbers = torch.randint(-8, 8, sizes, generator=generator, dtype=torch.int64)
    stored = (numbers[..., ::2] % 16 + 16 * (numbers[..., 1::2] % 16)).to(torch.uint8)
    return numbers.to(DEVICE), stored.to(DEVICE)


def unpack(stored):
    numbers = stored.long()[..., None] >> torch.tensor([0, 4], device=stored.device) & 15
    return torch.where(numbers > 7, numbers - 16, numbers).flatten(-2)


def attend(q, k, v, causal=False, lengths=None, low=False):
    group = q.shape[1] // k.shape[1]
    keys, values = (its.double().repeat_interleave(group, 1) for its in (k, v))
    s = q.double() @ keys.transpose(2, 3) / q.shape[3] ** 0.5
    rows, cols = s.shape[2:]
    kept = torch.ones(q.shape[0], 1, rows, cols, dtype=torch.bool, device=s.device)
    for b, end in enumerate([cols] * q.shape[0] if lengths is None else lengths.tolist()):
        kept[b, :, :, end:] = False
        if causal:
            i = torch.arange(rows, device=s.device)[:, None]
            kept[b] &= torch.arange(cols, device=s.device)[None] <= i + end - rows
    s = s.masked_fill(~kept, -torch.inf)
    p = torch.exp(s - s.amax(3, keepdim=True).clamp(min=-1e30))
    total = p.sum(3, keepdim=True)
    if low:
        p = p.to(q.dtype).double()
    return ((p @ values) / total).masked_fill(total == 0, 0)


def check(q, k, v, found, what="", **options):
    exact = attend(q, k, v, **options)
    low = attend(q, k, v, low=True, **options).to(q.dtype).double()
    ulp = torch.finfo(q.dtype).eps * float(exact.abs().max())
    limit = 2 * float((low - exact).abs().max()) + ulp + 1e-5
    if q.dtype == torch.float32:
        limit = 5e-5  # as attnc's
    error = float((found.double() - exact).abs().max())
    assert error <= limit, (what, error, limit)


class Attention(unittest.TestCase):
    def test_types(self):
        for number, (dtype, is_key, is_value, dims) in enumerate((
                (torch.float16, True, True, (64, 64)), (torch.bfloat16, True, True, (128, 40)),
                (torch.float32, True, True, (64, 32)), (torch.float16, False, True, (64, 64)),
                (torch.bfloat16, True, False, (34, 64)))):
            for rows, keys in ((97, 130), (1, 300), (16, 65)):
                q = draw(2, 4, rows, dims[0], seed=number).to(dtype)
                k, stored_k = draw_halves(2, 2, keys, dims[0], seed=number + 1)
                v, stored_v = draw_halves(2, 2, keys, dims[1], seed=number + 2)
                if not is_key:
                    k = stored_k = (k * 9).to(torch.int8)
                if not is_value:
                    v = stored_v = v.to(dtype)
                for causal in (False, "bottom_right"):
                    o = attn_mlir.attention(q, stored_k, stored_v, kv_dtype="i4",
                                            causal=causal)
                    check(q, k, v, o, (number, rows, causal), causal=bool(causal))

    def test_strides_and_repeats(self):
        q = draw(2, 4, 5, 64).half()
        for seed in range(3):
            k, stored = draw_halves(2, 90, 2, 64, seed=seed)
            whole = torch.full((2, 90, 2, 50), 0x77, dtype=torch.uint8, device=DEVICE)
            whole[..., 3:35] = stored
            view = whole[..., 3:35].transpose(1, 2)
            for _ in range(2):
                o = attn_mlir.attention(q, view, view, kv_dtype="i4")
                check(q, k.transpose(1, 2), k.transpose(1, 2), o)

    def test_negative_strides(self):
        q = draw(1, 2, 5, 64).cpu()
        k, stored = draw_halves(1, 2, 90, 64, seed=1)
        reversed_keys = np.flip(stored.cpu().numpy(), 2)
        o = attn_mlir.attention(q.numpy(), reversed_keys, reversed_keys, kv_dtype="i4")
        keys = k.cpu().flip(2)
        check(q, keys, keys, torch.from_numpy(o))

    def test_scales(self):
        q = draw(2, 4, 7, 64).half()
        k, stored_k = draw_halves(2, 2, 90, 64, seed=1)
        v, stored_v = draw_halves(2, 2, 90, 64, seed=2)
        for shape in ((), (2, 2), (2, 2, 90)):
            scales = [scale_like(shape, seed) for seed in (3, 4)]
            wide = [its if its.dim() < 2 else its[(...,) + (None,) * (4 - its.dim())]
                    for its in scales]
            o = attn_mlir.attention(q, stored_k, stored_v, kv_dtype="i4", k_scale=scales[0],
                                    v_scale=scales[1])
            check(q, k * wide[0], v * wide[1], o, shape)

    def test_decode(self):
        lengths = torch.tensor([130, 77], dtype=torch.int32, device=DEVICE)
        for rows in (1, 5, 40):
            for dtype in (torch.float16, torch.bfloat16):
                q = draw(2, 4, rows, 128, seed=rows).to(dtype)
                k, stored_k = draw_halves(2, 2, 160, 128, seed=1)
                v, stored_v = draw_halves(2, 2, 160, 128, seed=2)
                o = attn_mlir.decode(q, stored_k, stored_v, lengths=lengths, causal=True,
                                     kv_dtype="i4")
                check(q, k, v, o, (rows, dtype), causal=True, lengths=lengths)
                for page in (16, 40):
                    count = -(-160 // page)
                    table = torch.randperm(2 * count, generator=torch.Generator().manual_seed(3))
                    pools = []
                    for stored in (stored_k, stored_v):
                        padded = torch.full((2, 2, count * page, 64), 0x35, dtype=torch.uint8,
                                            device=DEVICE)
                        padded[:, :, :160] = stored
                        pages = padded.unflatten(2, (count, page)).transpose(1, 2).flatten(0, 1)
                        pool = torch.empty_like(pages)
                        pool[table.to(DEVICE)] = pages
                        pools.append(pool)
                    own = table.reshape(2, count).int().to(DEVICE)
                    o = attn_mlir.decode(q, *pools, page_table=own, lengths=lengths,
                                         causal=True, kv_dtype="i4")
                    check(q, k, v, o, (rows, dtype, page), causal=True, lengths=lengths)

    def test_packed(self):
        cu = torch.tensor([0, 40, 40, 131], dtype=torch.int32, device=DEVICE)
        q = draw(131, 4, 64).half()
        k, stored_k = draw_halves(131, 2, 64, seed=1)
        v, stored_v = draw_halves(131, 2, 64, seed=2)
        o = attn_mlir.varlen(q, stored_k, stored_v, cu, causal=True, kv_dtype="i4")
        for first, end in ((0, 40), (40, 131)):
            parts = [its[first:end].transpose(0, 1)[None] for its in (q, k, v, o)]
            check(*parts, causal=True)

    def test_known(self):
        """Known calls, made alternately with different options."""
        calls = _attention.calls
        q = draw(1, 4, 7, 64).half()
        for turn in range(3):
            before = len(calls)
            for causal in (False, "bottom_right"):
                k, stored = draw_halves(1, 2, 50, 64, seed=turn)
                o = attn_mlir.attention(q, stored, stored, kv_dtype="i4", causal=causal)
                check(q, k, k, o, (turn, causal), causal=bool(causal))
                with self.assertRaisesRegex(attn_mlir.ArgumentError, "^k: expected kv_dtype"):
                    attn_mlir.attention(q, stored, stored, causal=causal)
                wide = stored.view(torch.int8)
                with self.assertRaisesRegex(attn_mlir.ArgumentError, "^kv_dtype: expected None"):
                    attn_mlir.attention(q[..., :32], wide, wide, kv_dtype="i4", causal=causal)
            self.assertEqual(len(calls) > before, turn == 0)

    def test_numpy(self):
        k, stored = draw_halves(1, 2, 50, 32)
        q = draw(1, 4, 20, 32).half().cpu()
        o = attn_mlir.attention(q.numpy(), stored.cpu().numpy(), stored.cpu().numpy(),
                                kv_dtype="i4")
        check(q, k.cpu(), k.cpu(), torch.from_numpy(o))


class Quantize(unittest.TestCase):
    def test_numbers(self):
        x = draw(2, 3, 40, 16) * 3
        x[0, 0, 0, :3] = torch.tensor([torch.inf, -torch.inf, torch.nan])
        for kind, axes in (("tensor", (0, 1, 2, 3)), ("head", (2, 3)), ("token", 3), (16, None)):
            stored, scale = attn_mlir.quantize(x, "i4", scale=kind)
            assert stored.dtype == torch.uint8 and stored.shape == (2, 3, 40, 8)
            if axes is None:
                assert scale[1] == 16 and scale[0].shape == (2, 3, 3)
                wide = scale[0].repeat_interleave(16, 2)[:, :, :40, None]
            else:
                wide = x.abs().where(x.isfinite(), torch.zeros((), device=DEVICE)).amax(
                    axes, keepdim=True) / 7
                torch.testing.assert_close(scale.flatten(), wide.flatten(), rtol=1e-6, atol=0)
            wanted = (x / wide).clamp(-8, 7).nan_to_num(0).round()
            assert torch.equal(unpack(stored), wanted.long()), kind
            other = attn_mlir.quantize(x.cpu().numpy(), "i4", scale=kind)[0]
            assert other.dtype == np.uint8 and np.array_equal(other, stored.cpu().numpy())

    def test_attention(self):
        q = draw(1, 4, 6, 64).half()
        k, v = (draw(1, 2, 100, 64, seed=seed) for seed in (1, 2))
        (k4, k_scale), (v4, v_scale) = (attn_mlir.quantize(its, "i4", scale="token")
                                        for its in (k, v))
        o = attn_mlir.attention(q, k4, v4, kv_dtype="i4", k_scale=k_scale, v_scale=v_scale)
        check(q, unpack(k4) * k_scale[..., None], unpack(v4) * v_scale[..., None], o)


class Append(unittest.TestCase):
    def draw(self, kind):
        k = draw(2, 3, 5, 64, seed=1).to(kind)
        v = (draw(2, 3, 5, 40, seed=2) * 4).to(kind)
        v[0, 0, 0, :4] = torch.tensor([torch.inf, -torch.inf, torch.nan, 0.0])
        return k, v

    def test_scales(self):
        for kind in (torch.float16, torch.bfloat16, torch.float32):
            k, v = self.draw(kind)
            for shape in (None, (), (1, 3), (2, 3)):
                scales = [None, None] if shape is None else [
                    scale_like(shape, 3), scale_like(shape, 4)]
                caches = [torch.full((2, 3, 20, width), 0x5a, dtype=torch.uint8, device=DEVICE)
                          for width in (32, 20)]
                lengths = torch.tensor([7, 18], dtype=torch.int32, device=DEVICE)
                attn_mlir.append(k, v, *caches, lengths, k_scale=scales[0], v_scale=scales[1],
                                 kv_dtype="i4")
                assert lengths.tolist() == [12, 20]
                for array, cache, scale in zip((k, v), caches, scales):
                    wide = 1.0 if scale is None else scale if scale.dim() == 0 \
                        else scale[..., None, None]
                    numbers = (array.float() / wide).clamp(-8, 7).nan_to_num(0).round().long()
                    expected = unpack(torch.full_like(cache, 0x5a))
                    expected[0, :, 7:12] = numbers[0]
                    expected[1, :, 18:] = numbers[1, :, :2]
                    assert torch.equal(unpack(cache), expected), (kind, shape)

    def test_rotary_pages_and_made_scales(self):
        for page in (None, 16):
            for interleaved in (False, True):
                k, v = self.draw(torch.float32)
                angles = draw(40, 16)
                cos, sin = angles.cos(), angles.sin()
                rows, count, table = (20, 2, None) if page is None else (page, 4, torch.tensor(
                    [[3, 0], [1, 2]], dtype=torch.int32, device=DEVICE))
                caches = [torch.zeros(count, 3, rows, width, dtype=torch.uint8, device=DEVICE)
                          for width in (32, 20)]
                scales = [torch.full((count, 3, rows), -1.0, device=DEVICE) for _ in caches]
                lengths = torch.tensor([7, 18], dtype=torch.int32, device=DEVICE)
                attn_mlir.append(k, v, *caches, lengths, page_table=table, cos=cos, sin=sin,
                                 interleaved=interleaved, k_scale=scales[0],
                                 v_scale=scales[1], kv_dtype="i4")
                for array, cache, scale in zip((k, v), caches, scales):
                    for b in range(2):
                        for t in range(5):
                            p = (7, 18)[b] + t
                            if p >= (20 if page is None else 32):
                                continue
                            at = (b, p) if page is None else (int(table[b, p // page]), p % page)
                            x = array[b, :, t].clone()
                            if array is k:
                                one, two = (x[:, :32:2], x[:, 1:32:2]) if interleaved else (
                                    x[:, :16], x[:, 16:32])
                                turned = (one * cos[p] - two * sin[p],
                                          two * cos[p] + one * sin[p])
                                x[:, :32] = torch.stack(turned, 2).flatten(1) if interleaved \
                                    else torch.cat(turned, 1)
                            sizes = x.abs().where(x.isfinite(), torch.zeros((), device=DEVICE))
                            made = (sizes.amax(-1) / 7).clamp(min=2.0 ** -126)
                            torch.testing.assert_close(scale[at[0], :, at[1]], made, rtol=1e-5,
                                                       atol=0)
                            wanted = (x / made[:, None]).clamp(-8, 7).nan_to_num(0)
                            gap = (unpack(cache[at[0], :, at[1]]) - wanted).abs()
                            assert float(gap.max()) < 0.501, (page, interleaved, b, t)
                for cache, scale in zip(caches, scales):
                    assert (cache[scale == -1] == 0).all()


class Errors(unittest.TestCase):
    def expect(self, message, call, *arguments, **options):
        with self.assertRaisesRegex(attn_mlir.ArgumentError, message):
            call(*arguments, **options)

    def test_messages(self):
        q = draw(1, 2, 3, 64).half()
        _, k = draw_halves(1, 2, 20, 64)
        attend = attn_mlir.attention
        self.expect("^k: expected kv_dtype='i4' beside an array of uint8", attend, q, k, k)
        self.expect("^kv_dtype: expected None, or 'i4'", attend, q, k, k, kv_dtype="int4")
        self.expect("^k: expected size 64 in dimension 3 .D., as q has, found 32$", attend,
                    q, k[..., :16], k, kv_dtype="i4")
        self.expect("^q: expected dtype", attend, k, k, k, kv_dtype="i4")
        self.expect("^x: expected an even head dim for 'i4'", attn_mlir.quantize,
                    q[..., :63], "i4")
        with_gradient = q.float().requires_grad_()
        self.expect("^q_scale: expected None where q requires a gradient", attend,
                    with_gradient, k, k, kv_dtype="i4", q_scale=draw(1, 1))
        self.expect("^q: expected a dtype of 16 or 32 bits where", attend,
                    with_gradient.to(torch.float8_e4m3fn), k, k, kv_dtype="i4")

    def calls(self):
        """Returns functions that call each function of the package with keys and values, with the
        names of these arguments in error messages."""
        lengths = torch.zeros(1, dtype=torch.int32, device=DEVICE)
        cu = torch.tensor([0, 3], dtype=torch.int32, device=DEVICE)
        q, packed = draw(1, 2, 3, 64).half(), draw(3, 2, 64).half()

        def append(module, k, v, **options):
            lengths.zero_()
            return module.append(q, q, k, v, lengths, **options)

        return (("k", lambda module, k, v, **options: module.attention(q, k, v, **options)),
                ("k_cache", lambda module, k, v, **options: module.decode(q, k, v, **options)),
                ("k", lambda module, k, v, **options: module.varlen(
                    packed, k[0].transpose(0, 1), v[0].transpose(0, 1), cu, **options)),
                ("k_cache", append))

    def test_compiled(self):
        for name, call in self.calls():
            _, k = draw_halves(1, 2, 3, 64)
            caches = [k.clone(), k.clone()]
            plain = call(attn_mlir, caches[0], k.clone(), kv_dtype="i4")
            torch._dynamo.reset()
            compiled = torch.compile(
                lambda k, v, call=call: call(attn_mlir.torch, k, v, kv_dtype="i4"),
                fullgraph=True, backend="aot_eager")
            found = compiled(caches[1], k.clone())
            if plain is None:  # of append, which writes
                assert torch.equal(*caches) and not torch.equal(caches[0], k)
            else:
                assert torch.equal(plain, found), name
            torch._dynamo.reset()
            with self.assertRaisesRegex(Exception, f"{name}: expected kv_dtype='i4' beside"):
                torch.compile(lambda k, call=call: call(attn_mlir.torch, k, k), fullgraph=True,
                              backend="aot_eager")(k)

    def test_modes(self):
        class Mode(TorchDispatchMode):
            def __torch_dispatch__(self, function, types, args=(), kwargs=None):
                return function(*args, **(kwargs or {}))

        for name, call in self.calls():
            _, k = draw_halves(1, 2, 3, 64)
            plain = call(attn_mlir, k.clone(), k.clone(), kv_dtype="i4")
            with Mode():
                self.expect(f"^{name}: expected kv_dtype='i4' beside", call, attn_mlir, k, k)
                found = call(attn_mlir, k.clone(), k.clone(), kv_dtype="i4")
            assert plain is None and found is None or torch.equal(plain, found), name

    def test_without_bytes(self):
        k = draw(1, 2, 3, 64).half()
        for _, call in self.calls():
            self.expect("^kv_dtype: expected None without keys or values of uint8, found 'i4'",
                        call, attn_mlir, k, k, kv_dtype="i4")

    def test_columns(self):
        """`value_dims` is refused for i4, since a column of bytes has two numbers."""
        q = draw(1, 2, 3, 64).half()
        _, k = draw_halves(1, 2, 20, 64)
        lengths = torch.zeros(1, dtype=torch.int32, device=DEVICE)
        options = {"value_dims": (0, 16), "kv_dtype": "i4"}
        message = "^value_dims: expected None with kv_dtype='i4'"
        self.expect(message, attn_mlir.attention, q, k, **options)
        self.expect(message, attn_mlir.decode, q, k, **options)
        self.expect(message, attn_mlir.append, q, None, k, None, lengths, **options)
        self.expect("^kv_dtype: expected None, or", attn_mlir.attention, q, k,
                    value_dims=(0, 16), kv_dtype="i8")

    def test_latents(self):
        q = draw(1, 2, 3, 64).half()
        cache = draw_halves(1, 20, 128)[1]
        for its in (cache, (cache[..., :48], cache[..., 48:])):
            options = {} if its is not cache else {"latent_dim": 48}
            self.expect("^cache: expected q's dtype, .* or int8, found uint8",
                        attn_mlir.mla_decode, q, its, scale=0.1, **options)


if __name__ == "__main__":
    unittest.main()
