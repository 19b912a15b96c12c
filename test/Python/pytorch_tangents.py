# Derivatives of attention in forward mode in PyTorch, against those of torch's own operators in
# fp64; on the GPU if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import math
import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import torch
import torch.autograd.forward_ad as forward_ad
from attn_mlir import _tangent
from tensors import DEVICE
from torch.func import grad, hessian, jacfwd, jvp, vmap

GENERATOR = torch.Generator().manual_seed(7)
PROBABILITY, SEED = 0.3, (11, 5)


def draw(*sizes):
    return torch.randn(sizes, generator=GENERATOR).to(DEVICE)


def problem(rows=9, keys=13):
    return (draw(2, 4, rows, 16), draw(2, 2, keys, 16), draw(2, 2, keys, 8), draw(rows, keys),
            draw(4))


def ours(q, k, v, bias, sink, dropout_p=0.0):
    return attn_mlir.attention(
        q, k, v, causal="bottom_right", window=(30, None), sink=sink, return_lse=True,
        score_mod=lambda s, b, h, i, j: 5 * attn_mlir.score.tanh(s / 5) + bias[i, j],
        mask_mod=lambda b, h, i, j: (i + j + h) % 3 != 0, dropout_p=dropout_p, seed=SEED)


def plain(q, k, v, bias, sink, kept=1):
    rows, keys = q.shape[2], k.shape[2]
    k, v = (its.repeat_interleave(2, 1) for its in (k, v))
    scores = 5 * torch.tanh(q @ k.mT / 20) + bias
    i = torch.arange(rows, device=DEVICE)[:, None] + keys - rows
    j, h = torch.arange(keys, device=DEVICE), torch.arange(4, device=DEVICE)[:, None, None]
    stays = (j <= i) & (j >= i - 30) & ((i - keys + rows + j + h) % 3 != 0)
    scores = scores.masked_fill(~stays, -math.inf)
    whole = torch.cat([scores, sink[:, None, None].expand(2, 4, rows, 1)], 3)
    return whole.softmax(3)[..., :keys] * kept @ v, torch.logsumexp(whole, 3)


def loss(function):
    def of(*arrays):
        output, lse = function(*arrays)
        return output.square().sum() + lse.sin().sum()

    return of


def wide(arrays):
    return tuple([its.double() for its in arrays])


class Tangents(unittest.TestCase):
    def check(self, found, wanted, bound=1e-5):
        for its, own in zip(found, wanted, strict=True):
            self.assertEqual(its.shape, own.shape)
            error = (its.double() - own).abs() / (1 + own.abs())
            self.assertLess(error.max().item(), bound)

    def test_jvp(self):
        for rows, keys, parts in ((9, 13, 1), (1, 1, 1), (9, 13, 5), (3, 1025, 3)):
            arrays = problem(rows, keys)
            tangents = tuple([torch.randn_like(its) for its in arrays])
            pairs = -(-rows // parts) * 2 * 4 * keys
            with mock.patch.object(_tangent, "_PAIRS", pairs), mock.patch.object(
                    _tangent, "push", wraps=_tangent.push) as push:
                self.check(jvp(ours, arrays, tangents)[1],
                           jvp(plain, wide(arrays), wide(tangents))[1])
            self.assertEqual(push.call_count, parts)

    def test_some_arrays(self):
        arrays = problem()
        for n, its in enumerate(arrays):
            tangent = torch.randn_like(its)

            def of_one(function, its, others=arrays):
                return function(*[its if m == n else other.to(its.dtype)
                                  for m, other in enumerate(others)])

            self.check(jvp(lambda its: of_one(ours, its), (its,), (tangent,))[1],
                       jvp(lambda its: of_one(plain, its), (its.double(),),
                           (tangent.double(),))[1])

    def test_function_of_few_arguments(self):
        """A score function that reads neither the score nor all positions."""
        v, table = draw(2, 2, 13, 8), draw(4, 13)
        tangents = torch.randn_like(v), torch.randn_like(table)

        def ours(v, table):
            return attn_mlir.attention(v.new_zeros(2, 4, 9, 8), v.new_zeros(2, 2, 13, 8), v,
                                       score_mod=lambda s, b, h, i, j: table[h, j])

        def plain(v, table):
            weights = table.softmax(1)[None, :, None].expand(2, 4, 9, 13)
            return weights @ v.repeat_interleave(2, 1)

        self.check(jvp(ours, (v, table), tangents),
                   jvp(plain, wide((v, table)), wide(tangents)))
        self.check(*[grad(lambda v, table: grad(
            lambda v, table: function(v, table).sin().sum(), (0, 1))(v, table)[1].sin().sum(),
            (0, 1))(*its) for function, its in ((ours, (v, table)), (plain, wide((v, table))))])

    def test_compiled(self):
        """Tangents that a graph makes, and others that it is called with."""
        q, k, v, *_ = problem()
        tangent = draw(*q.shape)

        def push(q, tangent):
            return jvp(lambda q: attn_mlir.torch.attention(q, k, v), (q,), (tangent,))[1]

        torch._dynamo.reset()
        self.check([torch.compile(push, backend="eager", fullgraph=True)(q, tangent)],
                   [push(q, tangent).double()])
        torch._dynamo.reset()
        function = torch.compile(lambda q: attn_mlir.torch.attention(q, k, v), backend="eager")
        function(q)
        self.check([jvp(function, (q,), (tangent,))[1]], [push(q, tangent).double()])

    def test_operator_without_lse(self):
        q, k, v, *_ = problem()
        found = jvp(lambda q: attn_mlir.attention(q, k, v), (q,), (q,))[1]
        wanted = jvp(lambda q: torch.nn.functional.scaled_dot_product_attention(
            q, k.double(), v.double(), enable_gqa=True), (q.double(),), (q.double(),))[1]
        self.check([found], [wanted])

    def test_choice_by_a_comparison_of_floats(self):
        q, k, v, *_ = problem()
        tangent = torch.randn_like(q)

        def ours(q):
            return attn_mlir.attention(
                q, k, v, score_mod=lambda s, b, h, i, j: torch.where(s > 0, s, s * s))

        def plain(q):
            scores = q @ k.repeat_interleave(2, 1).to(q.dtype).mT / 4
            scores = torch.where(scores > 0, scores, scores * scores)
            return scores.softmax(3) @ v.repeat_interleave(2, 1).to(q.dtype)

        self.check([jvp(ours, (q,), (tangent,))[1]],
                   [jvp(plain, (q.double(),), (tangent.double(),))[1]])
        found, wanted = (jvp(grad(lambda its, f=f: f(its).square().sum()), (its,), (own,))[1]
                         for f, its, own in ((ours, q, tangent),
                                             (plain, q.double(), tangent.double())))
        self.check([found], [wanted], 1e-4)

    def test_no_keys(self):
        q, k, v, *_ = problem()
        found = jvp(lambda q: attn_mlir.attention(q, k[:, :, :0], v[:, :, :0]), (q,), (q,))[1]
        self.assertFalse(found.any())

    def test_dual_tensors(self):
        arrays = problem()
        tangents = tuple([torch.randn_like(its) for its in arrays])
        with forward_ad.dual_level():
            duals = [forward_ad.make_dual(*both) for both in zip(arrays, tangents)]
            found = [forward_ad.unpack_dual(its).tangent for its in ours(*duals)]
        self.check(found, jvp(plain, wide(arrays), wide(tangents))[1])

    def test_dropout(self):
        arrays = problem()
        tangents = tuple([torch.randn_like(its) for its in arrays])
        kept = attn_mlir.dropout_mask(*arrays[:2], PROBABILITY, SEED)
        kept = kept.double() * (65536 / (65536 - int(65536 * PROBABILITY + 0.5)))
        self.check(jvp(lambda *its: ours(*its, dropout_p=PROBABILITY), arrays, tangents)[1],
                   jvp(lambda *its: plain(*its, kept=kept), wide(arrays), wide(tangents))[1])

    def test_half(self):
        q, k, v, *_ = [its.bfloat16() for its in problem()]
        found = jvp(attn_mlir.attention, (q, k, v), (q, k, v))[1]
        self.assertEqual(found.dtype, torch.bfloat16)
        both = wide((q, k, v))
        self.check([found], [jvp(lambda *its: torch.nn.functional.scaled_dot_product_attention(
            *its, enable_gqa=True), both, both)[1]], 2e-2)

    def test_jacobians(self):
        *arrays, sink = problem(5, 7)

        def of(function, own):
            return lambda sink: function(*[its.to(own.dtype) for its in arrays], sink)

        double = sink.double()
        self.check(jacfwd(of(ours, sink))(sink), jacfwd(of(plain, double))(double))
        self.check([hessian(of(loss(ours), sink))(sink)],
                   [hessian(of(loss(plain), double))(double)])

    def test_second(self):
        arrays = problem(5, 7)
        tangents = tuple([torch.randn_like(its) for its in arrays])
        every = tuple(range(5))

        def product(function, arrays, tangents):
            return jvp(grad(loss(function), argnums=every), arrays, tangents)[1]

        def reverse(function, arrays, tangents):
            return grad(lambda *its: sum([own.square().sum() for own in jvp(
                function, its, tangents)[1]]), argnums=every)(*arrays)

        for way in (product, reverse):
            self.check(way(ours, arrays, tangents),
                       way(plain, wide(arrays), wide(tangents)), 1e-4)

    def test_vmap(self):
        q, k, v, *_ = problem()
        tangents = torch.stack([torch.randn_like(q) for _ in range(3)])
        found = vmap(lambda t: jvp(lambda q: attn_mlir.attention(q, k, v), (q,), (t,))[1])(
            tangents)
        for its, tangent in zip(found, tangents):
            self.check([its], [jvp(lambda q: torch.nn.functional.scaled_dot_product_attention(
                q, k.double(), v.double(), enable_gqa=True), (q.double(),),
                (tangent.double(),))[1]])

    def test_nested_forward_mode(self):
        arrays = problem()
        first, second = (tuple([torch.randn_like(its) for its in arrays]) for _ in range(2))

        def along(function, tangents):
            return lambda *its: jvp(function, its, tangents)[1]

        def of_entries(function, tangents):  # jvp of vmap of jvp
            def of_one(*its):
                return vmap(lambda d: jvp(lambda q: function(q, *its[1:])[0], its[:1], (d,))[1])(
                    torch.stack([tangents[0], tangents[0]]))

            return of_one

        for function in (along, of_entries):
            found = along(function(ours, first), second)(*arrays)
            wanted = along(function(plain, wide(first)), wide(second))(*wide(arrays))
            if function is of_entries:
                found, wanted = [found], [wanted]
            self.check(found, wanted, 1e-4)
        found, wanted = (jacfwd(jacfwd(lambda sink, f=f, own=own: loss(f)(*own[:4], sink)))(own[4])
                         for f, own in ((ours, arrays), (plain, wide(arrays))))
        self.check([found], [wanted], 1e-4)

    def test_merge(self):
        q, k, v, _, sink = problem()

        def halves(q, k, v, sink):
            return attn_mlir.merge([attn_mlir.attention(
                q, k[:, :, part], v[:, :, part], return_lse=True)
                for part in (slice(0, 5), slice(5, 13))], sink=sink)

        def whole(q, k, v, sink):
            k, v = (its.repeat_interleave(2, 1) for its in (k, v))
            scores = torch.cat([q @ k.mT / 4, sink[:, None, None].expand(2, 4, 9, 1)], 3)
            return scores.softmax(3)[..., :13] @ v, torch.logsumexp(scores, 3)

        arrays = (q, k, v, sink)
        tangents = tuple([torch.randn_like(its) for its in arrays])
        self.check(jvp(halves, arrays, tangents)[1],
                   jvp(whole, wide(arrays), wide(tangents))[1])

    def test_merge_of_states_without_keys(self):
        """Tangents, gradients and gradients of gradients where one state has no keys (in head 1),
        so that its lse is -inf and its output NaN, or both have none (in head 2)."""
        states = [draw(2, 4, 9, 8), draw(2, 4, 9), draw(2, 4, 9, 8), draw(2, 4, 9)]
        states[0][:, 1:3], states[1][:, 1:3], states[3][:, 2] = math.nan, -math.inf, -math.inf

        def ours(o, lse, other, other_lse):
            output, lse = attn_mlir.merge([(o, lse), (other, other_lse)])
            return output, lse[:, :2]

        def plain(o, lse, other, other_lse):
            both = torch.stack([lse, other_lse])
            has_keys = (both > -math.inf).any(0)
            weights = torch.where(has_keys, both, 0.0).softmax(0) * has_keys
            output = weights[0, ..., None] * o.nan_to_num() + weights[1, ..., None] * other
            return output, torch.logsumexp(both[:, :, :2], 0)

        tangents = tuple([torch.randn_like(its) for its in states])
        self.check(jvp(ours, tuple(states), tangents)[1],
                   jvp(plain, wide(states), wide(tangents))[1])
        for function in (lambda its: its, lambda its: lambda *arrays: sum([
                gradient.square().sum() for gradient in grad(its, (1, 2, 3))(*arrays)])):
            found, wanted = [grad(function(loss(its)), (1, 2, 3))(*own)
                             for its, own in ((ours, states), (plain, wide(states)))]
            self.check(found, wanted, 1e-4)

        def of_tangents(function, tangents):
            return lambda *arrays: sum([
                tangent.square().sum() for tangent in jvp(function, arrays, tangents)[1]])
        found = grad(of_tangents(ours, tuple(tangents)), (1, 2, 3))(*states)
        wanted = grad(of_tangents(plain, wide(tangents)), (1, 2, 3))(*wide(states))
        self.check(found, wanted, 1e-4)

    def test_output_dtype(self):
        q, k, v = (its.half() for its in problem()[:3])
        (o, d_o), (_, plain) = (jvp(lambda q: attn_mlir.attention(q, k, v, **options), (q,), (q,))
                                for options in ({"out_dtype": torch.float32}, {}))
        self.assertEqual([its.dtype for its in (o, d_o, plain)],
                         [torch.float32, torch.float32, torch.float16])
        torch.testing.assert_close(d_o.half(), plain)

    def test_refused(self):
        x = draw(9, 2, 16)
        cu = torch.tensor([0, 4, 9], dtype=torch.int32, device=DEVICE)
        scale = torch.ones((), device=DEVICE)
        q, k, v, *_ = problem()
        for text, function, its in (
                ("^varlen: expected tensors without tangents",
                 lambda x: attn_mlir.varlen(x, x, x, cu), x),
                ("^decode: expected tensors without tangents",
                 lambda q: attn_mlir.decode(q, k, v), q),
                ("q_scale: expected None where q requires a gradient",
                 lambda q: attn_mlir.attention(q, k, v, q_scale=scale), q),
                ("^k: expected a dtype of 16 or 32 bits in forward mode",
                 lambda q: attn_mlir.attention(q, k.to(torch.int8), v), q),
                ("^kv_dtype: expected None in forward mode",
                 lambda q: attn_mlir.attention(
                     q, torch.zeros_like(k[..., ::2], dtype=torch.uint8),
                     torch.zeros_like(v[..., ::2], dtype=torch.uint8), kv_dtype="i4"), q),
                ("^out_scale: expected None in forward mode",
                 lambda q: attn_mlir.attention(q, k, v, out_scale=scale), q)):
            with self.subTest(text), self.assertRaisesRegex(attn_mlir.Error, text):
                jvp(function, (its,), (its,))


if __name__ == "__main__":
    unittest.main()
