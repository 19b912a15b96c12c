# Values whose stride is 1 along keys, which each call reads as they are: of torch's tensors, on
# the GPU if there is one, else on the CPU, and of NumPy's arrays.
#
# REQUIRES: capi, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest
import unittest.mock
from typing import NamedTuple

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import numpy as np
import torch
from attn_mlir import _attend, _attention, _gradients
from tensors import DEVICE
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx

F16, BF16, F32 = torch.float16, torch.bfloat16, torch.float32
E4M3, E5M2, I8 = torch.float8_e4m3fn, torch.float8_e5m2, torch.int8
GENERATOR = torch.Generator().manual_seed(int(os.environ.get("ATTN_TEST_SEED", "1")))


def draw(*sizes, dtype=F32):
    numbers = torch.randn(sizes, generator=GENERATOR)
    return ((numbers * 20).round().to(I8) if dtype == I8 else numbers.to(dtype)).to(DEVICE)


def along(value, gap=0):
    """Returns the same numbers, (..., S, D), with a stride of 1 along S. After each column are
    `gap` elements that must not be read: NaN or, for integers, the largest number."""
    *others, keys, columns = value.shape
    filler = 127 if value.dtype == I8 else torch.nan
    memory = torch.full((*others, columns, keys + gap), filler, device=DEVICE).to(value.dtype)
    found = memory.transpose(-1, -2)[..., :keys, :]
    found.copy_(value)
    return found


class Exact(NamedTuple):
    """Results in fp64: the output, the lse, and the largest sum of probabilities times magnitudes
    of values."""

    o: torch.Tensor
    lse: torch.Tensor
    size: float

    def limit(self, dtype):
        """Returns the error that is allowed: the rounding of the output, and an eighth of the error
        if all probabilities were rounded in the same direction. If the query has 8 bits,
        probabilities have 3 bits."""
        if dtype in (E4M3, E5M2):
            return 2.0 ** -4 * self.size
        unit = {F16: 2.0 ** -10, BF16: 2.0 ** -7, F32: 8e-6}[dtype]
        largest = float(self.o.abs().max()) if self.o.numel() else 0.0
        return unit * (largest + self.size / 8) + 1e-6


def reference(q, k, v, kept=None, scale=None):
    """Returns the results in fp64. `scale` is that of values."""
    group = q.shape[1] // k.shape[1]
    q, k, v = q.double(), *(its.float().double().repeat_interleave(group, 1) for its in (k, v))
    if scale is not None:
        v = v * scale.double().repeat_interleave(group, 1)
    s = q @ k.transpose(2, 3) / q.shape[3] ** 0.5
    if kept is not None:
        s = s.masked_fill(~kept, -torch.inf)
    lse = s.logsumexp(3)
    p = torch.exp(s - lse[..., None]).nan_to_num(0)
    sizes = p @ v.abs()
    return Exact(p @ v, lse, float(sizes.max()) if sizes.numel() else 0.0)


def described(call, module, number):
    """Returns the result of `call`, and the descriptions of the array that each launched kernel got
    as its argument `number`."""
    launches = []
    run = module.run

    def note(key, text, operands, stream):
        launches.append(operands[number].described)
        return run(key, text, operands, stream)

    with unittest.mock.patch.object(module, "run", note):
        found = call()
    return found, launches


class Case(unittest.TestCase):
    def near(self, found, wanted, what, dtype=None, bound=None):
        """Compares `found` with exact results. The limit is `bound` if that is given, else that for
        queries of `dtype`, which is the result's dtype by default."""
        if isinstance(wanted, Exact):
            bound = wanted.limit(dtype or found.dtype)
            wanted = wanted.o
        self.assertEqual(found.isnan().sum(), 0, what)
        error = float((found.double() - wanted).abs().max()) if wanted.numel() else 0.0
        self.assertLessEqual(error, bound, what)

    def lies(self, launches, v):
        """Checks that a single kernel was launched and got the caller's memory of v, and no
        copy."""
        self.assertEqual(len(launches), 1)
        address, _, strides, *_ = launches[0]
        self.assertEqual(address, v.data_ptr())
        self.assertEqual(strides[-2], 1)


class Attention(Case):
    def test_types(self):
        sizes = ((33, 131, 40, 0), (1, 300, 40, 3), (7, 1, 40, 2), (64, 127, 64, 1),
                 (65, 129, 64, 5), (5, 0, 40, 0))
        for dtype, of_v in ((F16, F16), (BF16, BF16), (F32, F32), (F16, E4M3), (BF16, I8),
                            (F32, E5M2)):
            for rows, keys, width, gap in sizes:
                what = dtype, of_v, rows, keys
                q, k = draw(2, 4, rows, 32, dtype=dtype), draw(2, 2, keys, 32, dtype=dtype)
                v = along(draw(2, 2, keys, width, dtype=of_v), gap)
                (o, lse), launches = described(lambda: attn_mlir.attention(
                    q, k, v, causal="bottom_right", return_lse=True), _attend, 2)
                if v.numel() and v.stride(-1) != 1:
                    self.lies(launches, v)
                i, j = (torch.arange(its, device=DEVICE) for its in (rows, keys))
                kept = j <= i[:, None] + keys - rows
                wanted = reference(q, k, v, kept)
                self.near(o, wanted, what)
                gaps = (lse.double() - wanted.lse).nan_to_num(0)  # -inf twice
                self.assertTrue((lse.isinf() == wanted.lse.isinf()).all(), what)
                self.near(gaps, 0 * gaps, what, bound=1e-3)

    def test_scales_and_queries_of_8_bits(self):
        """Scales for heads, for tokens and for channels of values, with queries of 16 and of 8
        bits."""
        k = draw(2, 2, 101, 64, dtype=E4M3)
        v = along(draw(2, 2, 101, 64, dtype=E4M3), 3)
        for dtype in (F16, E4M3):
            q = draw(2, 4, 37, 64, dtype=dtype)
            for shape, wide in (((2, 2), (2, 2, 1, 1)), ((2, 2, 101), (2, 2, 101, 1)),
                                ((2, 2, 1, 64), (2, 2, 1, 64))):
                scale = draw(*shape).abs() * 0.2 + 0.05
                o = attn_mlir.attention(q, k, v, v_scale=scale)
                wanted = reference(q.float(), k, v, scale=scale.reshape(wide))
                self.assertEqual(o.dtype, BF16 if dtype == E4M3 else dtype)
                self.near(o, wanted, (dtype, shape), dtype)

    def test_repeated(self):
        """Values whose columns are all the same memory, heads that share a value, and a single
        key."""
        q, k = draw(2, 4, 20, 32, dtype=F16), draw(2, 2, 67, 32, dtype=F16)
        column = draw(2, 2, 67, 1, dtype=F16).expand(-1, -1, -1, 24)
        of_heads = along(draw(2, 1, 67, 24, dtype=F16), 1).expand(-1, 2, -1, -1)
        for v in (column, of_heads):
            o, launches = described(lambda: attn_mlir.attention(q, k, v), _attend, 2)
            self.lies(launches, v)
            self.near(o, reference(q, k, v), v.stride())
        v = draw(2, 2, 1, 48, dtype=F16)[..., ::2]
        self.near(attn_mlir.attention(q, k[:, :, :1], v), reference(q, k[:, :, :1], v), "one")

    def test_known_calls(self):
        """The order of the value in memory distinguishes calls, both in Python and in the C++
        module."""
        q, k, v = draw(1, 2, 9, 24), draw(1, 2, 17, 24), draw(1, 2, 17, 24)
        turned = along(v)
        wanted = reference(q, k, v)
        _attention.calls.clear()
        for turn in range(3):
            for its in (v, turned):
                found, launches = described(
                    lambda its=its: attn_mlir.attention(q, k, its), _attend, 2)
                self.assertEqual(len(launches), int(turn == 0))
                self.near(found, wanted, turn)
        # With as many keys as columns, sizes and the other strides are the same for both orders.
        k, v = draw(1, 1, 24, 24), draw(1, 1, 24, 24)
        q = draw(1, 1, 9, 24)
        for turn in range(2):
            for its in (v, v.transpose(2, 3)):
                self.near(attn_mlir.attention(q, k, its), reference(q, k, its), turn)

    def test_functions_and_sinks(self):
        q, k = draw(2, 4, 20, 32, dtype=F16), draw(2, 2, 67, 32, dtype=F16)
        v = along(draw(2, 2, 67, 16, dtype=F16), 2)
        slopes, sink = draw(4), draw(4)
        o = attn_mlir.attention(q, k, v, score_mod=lambda s, b, h, i, j: s + slopes[h] * j * 0.01,
                                mask_mod=lambda b, h, i, j: j >= i, sink=sink)
        same = attn_mlir.attention(
            q, k, v.contiguous(), sink=sink, mask_mod=lambda b, h, i, j: j >= i,
            score_mod=lambda s, b, h, i, j: s + slopes[h] * j * 0.01)
        self.near(o, same.double(), "functions", bound=2e-3)

    def test_numpy(self):
        rng = np.random.default_rng(3)
        for dtype, of_v in ((np.float32, np.float32), (np.float16, np.int8),
                            (np.float16, np.float16)):
            q, k = (rng.standard_normal((2, 2, its, 16)).astype(dtype) for its in (5, 61))
            v = rng.standard_normal((2, 2, 24, 61)) * (30 if of_v == np.int8 else 1)
            v = v.astype(of_v).transpose(0, 1, 3, 2)
            o, launches = described(lambda: attn_mlir.attention(q, k, v), _attend, 2)
            self.assertEqual(launches[0][0], v.__array_interface__["data"][0])
            wide = [torch.from_numpy(its.astype(np.float32)) for its in (q, k, v)]
            self.near(torch.from_numpy(o).to(DEVICE),
                      reference(*(its.to(DEVICE) for its in wide)), dtype)

    def test_refused(self):
        q, k = draw(1, 2, 5, 32, dtype=F16), draw(1, 2, 17, 32, dtype=F16)
        v = along(draw(1, 2, 17, 32, dtype=F16))
        error = self.assertRaisesRegex
        # Neither the rows nor the columns of this value are contiguous.
        wide = draw(1, 2, 32, 34, dtype=F16).transpose(2, 3)[:, :, ::2]
        with error(attn_mlir.ArgumentError, "^v: expected rows without gaps, found"):
            attn_mlir.attention(q, k, wide)
        # The rows of queries and keys must be contiguous.
        with error(attn_mlir.ArgumentError, "^k: expected rows without gaps, found"):
            attn_mlir.attention(q, along(k), v)
        halves = torch.randint(0, 256, (1, 2, 17, 16), dtype=torch.uint8).to(DEVICE)
        with error(attn_mlir.ArgumentError, "^v: expected rows without gaps, found"):
            attn_mlir.attention(q, halves, along(halves.to(I8)).view(torch.uint8),
                                kv_dtype="i4")
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        wide = wide[:, :, :17]
        with error(attn_mlir.ArgumentError, "value.*expected rows without gaps.*copy"):
            attn_mlir.attention_backward(q, k, wide, o, lse, o)
        pages = torch.zeros(1, 1, dtype=torch.int32, device=DEVICE)
        with error(attn_mlir.ArgumentError, "v_cache: expected rows without gaps"):
            attn_mlir.decode(q, k, wide, page_table=pages)
        with error(attn_mlir.ArgumentError, "v_cache: expected rows without gaps"):
            attn_mlir.append(k, k, k.clone(), wide, pages[0])


class Sequences(Case):
    def test_decode(self):
        lengths = torch.tensor([113, 0, 1, 64], dtype=torch.int32, device=DEVICE)
        for dtype, of_v in ((F16, F16), (F32, F32), (BF16, E4M3), (F16, I8)):
            for rows, gap in ((1, 0), (3, 7), (20, 16)):
                q = draw(4, 4, rows, 32, dtype=dtype)
                k = draw(4, 2, 113, 32, dtype=dtype)
                v = along(draw(4, 2, 113, 32, dtype=of_v), gap)
                clean = v.float().clone()
                for b, end in enumerate(lengths.tolist()):  # what nobody may read
                    clean[b, :, end:] = 0
                    k[b, :, end:] = torch.nan
                    v[b, :, end:] = torch.nan if of_v != I8 else 100
                o, launches = described(lambda: attn_mlir.decode(
                    q, k, v, lengths=lengths, causal=True), _attend, 2)
                self.lies(launches, v)
                i, j = (torch.arange(its, device=DEVICE) for its in (rows, 113))
                ends = lengths[:, None, None, None]
                kept = (j <= i[:, None] + ends - rows) & (j < ends)
                self.near(o, reference(q, k.nan_to_num(0), clean, kept), (dtype, of_v, rows))

    def test_pages(self):
        """Tokens are appended to pages and then read. Keys past the lengths, other pages, and gaps
        between columns are NaN."""
        for page, dtype, of_v, gap in ((16, F16, F16, 0), (64, BF16, E4M3, 16), (7, F32, F32, 2),
                                       (32, BF16, I8, 3), (16, F16, E5M2, 0)):
            lengths = torch.tensor([0, 67, 1], dtype=torch.int32, device=DEVICE)
            columns = -(-75 // page)
            table = torch.randperm(4 * columns, generator=GENERATOR)[:3 * columns]
            table = table.reshape(3, columns).to(torch.int32).to(DEVICE)
            k_cache = torch.full((4 * columns, 2, page, 32), torch.nan, device=DEVICE).to(dtype)
            v_cache = torch.full((4 * columns, 2, page, 24), 127 if of_v == I8 else torch.nan)
            v_cache = along(v_cache.to(of_v), gap)
            k, v = draw(3, 2, 75, 32, dtype=dtype), draw(3, 2, 75, 24, dtype=dtype)
            scale = draw(1, 2).abs() * 0.05 + 0.02 if of_v != dtype else None
            own = {} if scale is None else {"k_scale": None, "v_scale": scale}
            starts, ends = torch.zeros_like(lengths), lengths.clone()
            attn_mlir.append(k[:, :, :67], v[:, :, :67], k_cache, v_cache, starts,
                             counts=lengths, page_table=table, **own)
            self.assertTrue(torch.equal(starts, lengths))
            news, new_values = (torch.stack([its[b, :, end:end + 8] for b, end in
                                             enumerate(ends.tolist())]) for its in (k, v))
            attn_mlir.append(news, new_values, k_cache, v_cache, lengths, page_table=table, **own)
            q = draw(3, 4, 3, 32, dtype=dtype)
            read = {} if scale is None else {"v_scale": scale}
            o, launches = described(lambda: attn_mlir.decode(
                q, k_cache, v_cache, lengths=lengths, page_table=table, causal=True, **read),
                _attend, 2)
            self.lies(launches, v_cache)
            stored = v.float()
            if scale is not None:
                stored = (stored / scale[..., None, None])
                stored = (stored.round().clamp(-128, 127) if of_v == I8
                          else stored.clamp(-448, 448) if of_v == E4M3 else stored)
                stored = stored.to(of_v).float() * scale[..., None, None]
            i, j = (torch.arange(its, device=DEVICE) for its in (3, 75))
            ends = lengths[:, None, None, None]
            kept = (j <= i[:, None] + ends - 3) & (j < ends)
            self.near(o, reference(q, k, stored, kept), (page, dtype, of_v))

    def test_varlen(self):
        cu = torch.tensor([0, 40, 40, 41, 131], dtype=torch.int32, device=DEVICE)
        for dtype, of_v in ((F16, F16), (F32, F32), (BF16, E5M2)):
            q, k = draw(131, 4, 32, dtype=dtype), draw(131, 2, 32, dtype=dtype)
            rows = draw(2, 131, 24, dtype=of_v)
            v = along(rows, 5).transpose(0, 1)
            self.assertEqual(v.stride(0), 1)
            o, launches = described(lambda: attn_mlir.varlen(q, k, v, cu, causal=True),
                                    _attend, 2)
            self.assertEqual(launches[0][0], v.data_ptr())
            for first, end in zip(cu.tolist(), cu.tolist()[1:]):
                part = [its[first:end].transpose(0, 1)[None] for its in (q, k, v)]
                i = torch.arange(end - first, device=DEVICE)
                self.near(o[first:end].transpose(0, 1)[None],
                          reference(*part, kept=i <= i[:, None]), (dtype, first))
            # The PyTorch operator also reads the caller's memory.
            of_op, launches = described(lambda: torch.ops.attn_mlir.varlen(
                q, k, v, cu, cu, None, True, None, None, "", "", [], None, False), _attend, 2)
            self.assertEqual(launches[0][0], v.data_ptr())
            self.assertTrue(torch.equal(of_op[0], o))


class Operators(Case):
    def arrays(self, dtype=F32, of_v=None):
        return (draw(2, 4, 13, 16, dtype=dtype), draw(2, 2, 29, 16, dtype=dtype),
                along(draw(2, 2, 29, 24, dtype=of_v or dtype), 3))

    def test_fake(self):
        for of_v in (F16, E4M3):
            arrays = self.arrays(F16, of_v)
            o = attn_mlir.torch.attention(*arrays)
            with FakeTensorMode() as mode:
                fake = attn_mlir.torch.attention(*(mode.from_tensor(its) for its in arrays))
            self.assertEqual((fake.shape, fake.stride(), fake.dtype),
                             (o.shape, o.stride(), o.dtype))
            # PyTorch cannot compare 8-bit floats, as its check of schemas would.
            torch.library.opcheck(
                torch.ops.attn_mlir.attention.default,
                (*arrays, None, "", None, None, "top_left", "", "", [], None, 0.0, None),
                test_utils=("test_schema", "test_faketensor")[of_v == E4M3:])

    def test_graphs_of_gradients(self):
        ops, options = torch.ops.attn_mlir, (None, "", None, None, "top_left", "", "", [])
        q, k, v = [its.detach().requires_grad_() for its in self.arrays()]
        torch.library.opcheck(ops.attention_lse.default, (q, k, v, *options, None, 0.0, None))
        q, k, v = q.detach(), k.detach(), v.detach()
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        torch.library.opcheck(ops.attention_backward.default, (
            q, k, v, o, lse, draw(*o.shape), None, *options, [True] * 3, False, None, 0.0, None))
        cu = torch.tensor([0, 3, 7], dtype=torch.int32, device=DEVICE)
        packed = along(draw(2, 7, 8)).transpose(0, 1).requires_grad_()
        torch.library.opcheck(ops.varlen.default, (
            draw(7, 4, 16), draw(7, 2, 16), packed, cu, cu, None, True, None, None, "", "", [],
            None, False))

    def test_graphs(self):
        q, k, v = self.arrays()
        wanted = reference(q, k, v)

        def call(q, k, v):
            return attn_mlir.torch.attention(q, k, v)

        def turn(q, k, rows):
            return attn_mlir.torch.attention(
                q, k, rows.transpose(2, 3).contiguous().transpose(2, 3))

        for backend in ("eager", "aot_eager"):
            for function, given in ((call, v), (turn, v.contiguous())):
                torch._dynamo.reset()
                _attention.calls.clear()
                compiled = torch.compile(function, fullgraph=True, backend=backend)
                found, launches = described(lambda: compiled(q, k, given), _attend, 2)
                self.assertEqual([its[2][-2] for its in launches], [1], backend)
                self.near(found, wanted, (backend, function.__name__))
        self.near(make_fx(call)(q, k, v)(q, k, v), wanted, "make_fx")
        compiled = torch.compile(lambda q, k, v: attn_mlir.torch.decode(q, k, v),
                                 fullgraph=True, backend="aot_eager")
        self.near(compiled(q, k, v), wanted, "decode")

    def test_vmap(self):
        q, k, v = self.arrays()
        many = torch.stack([v.transpose(2, 3), 2 * v.transpose(2, 3)]).transpose(3, 4)
        found = torch.vmap(lambda its: attn_mlir.torch.attention(q, k, its))(many)
        for entry, own in zip(found, many):
            self.near(entry, reference(q, k, own), "vmap")

    def test_backward(self):
        """attention_backward() reads the caller's memory, and writes d_value in any order."""
        for dtype, bound in ((F32, 1e-5), (F16, 4e-3)):
            q, k, v = self.arrays(dtype)
            o, lse = attn_mlir.attention(q, k, v, return_lse=True)
            weights = draw(*o.shape, dtype=dtype)
            wide = [its.detach().double().requires_grad_() for its in (q, k, v)]
            (reference(*wide).o * weights).sum().backward()
            turned = along(torch.full_like(v, torch.nan), 5)
            for d_v in (None, torch.empty_like(v).contiguous(), turned):
                out = None if d_v is None else (
                    torch.empty_like(q), torch.empty_like(k), d_v)
                for _ in range(2):  # the second call is known
                    found = attn_mlir.attention_backward(q, k, v, o, lse, weights, out=out)
                for its, own in zip(found, wide):
                    self.near(its, own.grad, dtype, bound=bound * float(own.grad.abs().max()))
            beside = turned.as_strided((2, 2, 5, 24), turned.stride(), 29)[:-1, :-1, :, :-1]
            self.assertTrue(beside.isnan().all())
            _gradients.calls.clear()
            _, launches = described(lambda: attn_mlir.attention_backward(
                q, k, v, o, lse, weights), _gradients, 2)
            self.lies(launches, v)

    def test_gradients(self):
        """Autograd passes the value on without a copy."""
        for dtype, bound in ((F32, 1e-5), (F16, 4e-3)):
            for call in (attn_mlir.attention, attn_mlir.torch.attention):
                arrays = [its.detach().requires_grad_() for its in self.arrays(dtype)]
                self.assertEqual(arrays[2].stride(2), 1)
                wide = [its.detach().double().requires_grad_() for its in arrays]
                o = call(*arrays)
                weights = draw(*o.shape)
                (o.float() * weights).sum().backward()
                (reference(*wide).o * weights).sum().backward()
                for its, own in zip(arrays, wide):
                    self.near(its.grad, own.grad, dtype,
                              bound=bound * float(own.grad.abs().max()))
            gradient = torch.func.grad(lambda v: (attn_mlir.torch.attention(
                *arrays[:2], v) * weights).sum())(arrays[2].detach())
            self.near(gradient, wide[2].grad, "func",
                      bound=bound * float(wide[2].grad.abs().max()))

    def test_gradients_of_sequences(self):
        cu = torch.tensor([0, 17, 17, 53], dtype=torch.int32, device=DEVICE)
        q, k = draw(53, 4, 16).requires_grad_(), draw(53, 2, 16).requires_grad_()
        v = along(draw(2, 53, 24), 3).transpose(0, 1).requires_grad_()
        wide = [its.detach().double().requires_grad_() for its in (q, k, v)]
        o = attn_mlir.varlen(q, k, v, cu)
        weights = draw(*o.shape)
        (o * weights).sum().backward()
        for first, end in ((0, 17), (17, 53)):
            part = [its[first:end].transpose(0, 1)[None] for its in wide]
            (reference(*part).o[0].transpose(0, 1) * weights[first:end]).sum().backward()
        for its, own in zip((q, k, v), wide):
            self.near(its.grad, own.grad, "varlen", bound=5e-5 * float(own.grad.abs().max()))

    def test_sdpa(self):
        q, k, v = self.arrays(F16)
        k, v = k.repeat_interleave(2, 1), along(v.repeat_interleave(2, 1), 1)
        wanted = reference(q, k, v)
        with attn_mlir.torch.sdpa():
            found, launches = described(
                lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v),
                _attend, 2)
        self.lies(launches, v)
        self.near(found, wanted, "sdpa")


if __name__ == "__main__":
    unittest.main()
