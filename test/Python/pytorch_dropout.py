# Sinks, dropout and gradients of captured tensors in PyTorch: by autograd, under torch.compile, in
# checkpoints, by torch.func and in the SDPA mode; on the GPU if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import torch
from attn_mlir import _attention, _gradients
from attn_mlir._operators import adapter
from tensor_features import compare, reference
from tensors import DEVICE, bucket, compiled, leaves, problem, random_like, recorded
from torch.nn.functional import scaled_dot_product_attention
from torch.utils.checkpoint import checkpoint

ROWS, KEYS = 40, 50


def draw(*sizes):
    generator = torch.Generator().manual_seed(len(sizes))
    return torch.randn(*sizes, generator=generator).to(DEVICE)


def drawn(seed):
    """Returns the seed that the first call with dropout draws if the generator has this seed."""
    torch.manual_seed(seed)
    found = adapter.draw_seed(torch.empty(0, device=DEVICE), None)
    torch.manual_seed(seed)
    return found


class Values(unittest.TestCase):
    def check(self, sink=None, captures=(), make_score=None, dropout_p=0.0, seed=(5, 6),
              dtype=torch.float32, attention=attn_mlir.attention, has_lse=True):
        """Compares attention and gradients. `make_score` turns captured tensors into a function."""
        arrays = leaves(*problem(kv_heads=2, dtype=dtype))
        sinks = [] if sink is None else leaves(sink)
        captures = leaves(*captures)
        score = make_score(*captures) if make_score else None
        options = {"sink": sinks[0] if sinks else None, "dropout_p": dropout_p}
        o, lse = attention(*arrays, score_mod=score, return_lse=True, seed=seed, **options)
        expected, expected_lse = reference(*arrays, score, seed=seed, **options)
        compare(o.detach(), expected.detach(), dtype)
        compare(lse.detach(), expected_lse.detach())
        d_o, d_lse = random_like(o), random_like(lse)
        wanted = [*arrays, *sinks, *captures]
        outputs = ([o, lse], [d_o, d_lse]) if has_lse else ([o], [d_o])
        found = torch.autograd.grad(outputs[0], wanted, outputs[1])
        expected = torch.autograd.grad([expected, expected_lse][:1 + has_lse], wanted,
                                       [g.double() for g in outputs[1]])
        for its, other, array in zip(found, expected, wanted):
            compare(its, other, array.dtype)
        return found

    def attentions(self):
        yield attn_mlir.attention
        yield compiled(attn_mlir.torch.attention)

    def test_sink(self):
        for attention in self.attentions():
            self.check(sink=draw(4), attention=attention)
        self.check(sink=draw(4).bfloat16(), dtype=torch.bfloat16, has_lse=False)
        self.check(sink=draw(4).expand(3, -1).T.contiguous()[:, 1])

    def test_dropout(self):
        for attention in self.attentions():
            self.check(dropout_p=0.3, attention=attention)
        self.check(dropout_p=0.5, dtype=torch.float16)
        self.check(dropout_p=1.0)
        self.check(dropout_p=0.3, seed=torch.tensor([2**62 + 1, -3], device=DEVICE))

    def test_captures(self):
        def everything(bias, slopes, by_row, by_key, factor):
            return lambda s, b, h, q, kv: s * factor + bias[0, h, q, kv] + \
                slopes[h] * (kv - q) + by_row[h, q] + by_key[b, kv]

        captures = (draw(1, 4, ROWS, KEYS), draw(4), draw(4, ROWS), draw(2, KEYS),
                    torch.tensor(0.7, device=DEVICE))
        for attention in self.attentions():
            self.check(captures=captures, make_score=everything, sink=draw(4),
                       dropout_p=0.2, attention=attention)

    def test_sizes_of_biases(self):
        for sizes in ((2, 4, ROWS, KEYS), (2, 1, ROWS, KEYS), (1, 4, ROWS, KEYS),
                      (1, 1, ROWS, KEYS), (2, 1, 1, KEYS), (1, 4, ROWS, 1), (1, 4, 1, 1)):
            with self.subTest(sizes):
                def make(bias):
                    shape = bias.shape
                    # Dimensions of size 1 are read at index 0, as PyTorch broadcasts them. With
                    # other indices, a kernel would clamp the index.
                    return lambda s, *at: s + bias[tuple(
                        0 if size == 1 else index for size, index in zip(shape, at))]
                self.check(captures=[draw(*sizes)], make_score=make)
        self.check(captures=[draw(1, 4, ROWS, KEYS).bfloat16()], dtype=torch.bfloat16,
                   make_score=lambda bias: lambda s, b, h, q, kv: s + bias[0, h, q, kv])
        self.check(captures=[draw(KEYS + 3, ROWS, 4)],
                   make_score=lambda bias: lambda s, b, h, q, kv: s + bias[kv, q, h])

    def test_table(self):
        """PyTorch expands a table of relative positions to a bias; the gradient passes through."""
        arrays = problem()
        table, = leaves(draw(64, 4))
        distance = torch.arange(KEYS)[None] - torch.arange(ROWS)[:, None]
        index = distance.clamp(-20, 20).add(20).to(DEVICE)
        bias = table[index].permute(2, 0, 1)
        o = attn_mlir.attention(*arrays, score_mod=lambda s, b, h, q, kv: s + bias[h, q, kv])
        expected, _ = reference(*arrays, lambda s, b, h, q, kv: s + bias[h, q, kv])
        d_o = random_like(o)
        compare(torch.autograd.grad(o, table, d_o, retain_graph=True)[0],
                torch.autograd.grad(expected, table, d_o.double())[0])

    def test_table_of_buckets(self):
        """T5's table of buckets, which the kernel reads at computed indices."""
        def make(table):
            return lambda s, b, h, q, kv: s + table[bucket(kv - q), h]

        for attention in self.attentions():
            self.check(captures=[draw(32, 4)], make_score=make, attention=attention)
        self.check(captures=[draw(32, 4).bfloat16()], make_score=make, dropout_p=0.1,
                   dtype=torch.bfloat16)

    def test_masks(self):
        """A tensor that only a mask function reads has no gradient."""
        q, k, v = problem()
        limit, = leaves(draw(4))
        o = attn_mlir.attention(q, k, v, mask_mod=lambda b, h, i, j: limit[h] < 0.5)
        self.assertFalse(o.requires_grad)
        q, = leaves(q)
        o = attn_mlir.attention(q, k, v, mask_mod=lambda b, h, i, j: limit[h] < 0.5)
        self.assertIsNone(torch.autograd.grad(o.sum(), [q, limit], allow_unused=True)[1])


class Requests(unittest.TestCase):
    def test_only_what_is_asked(self):
        q, k, v = problem()
        bias, slopes = draw(1, 4, ROWS, KEYS), draw(4)
        for wanted in range(1, 16):
            flags = [bool(wanted >> n & 1) for n in range(4)]
            key, sink, its_bias, its_slopes = (
                x.clone().requires_grad_(flag)
                for x, flag in zip((k, draw(4), bias, slopes), flags))
            o = attn_mlir.attention(
                q, key, v, sink=sink, score_mod=lambda s, b, h, i, j:
                s + its_bias[0, h, i, j] + its_slopes[h] * (i - j))
            with recorded(_gradients, "attention_backward") as calls:
                o.sum().backward()
            names = [name for name, flag in zip(("key", "sink", "capture0", "capture1"),
                                                flags) if flag]
            self.assertEqual([call["wrt"] for call in calls], [names])
            for its, flag in zip((key, sink, its_bias, its_slopes), flags):
                self.assertEqual(its.grad is not None, flag)

    def test_deterministic(self):
        arrays = leaves(*problem(kv_heads=2))
        sink, bias, slopes = leaves(draw(4), draw(1, 4, ROWS, KEYS), draw(4))
        torch.use_deterministic_algorithms(True)
        try:
            runs = []
            for _ in range(3):
                o = attn_mlir.attention(
                    *arrays, sink=sink, dropout_p=0.3, seed=(1, 2),
                    score_mod=lambda s, b, h, i, j: s + bias[0, h, i, j] + slopes[h])
                with recorded(_gradients, "attention_backward") as calls:
                    runs.append(torch.autograd.grad(o.sin().sum(),
                                                    [*arrays, sink, bias, slopes]))
        finally:
            torch.use_deterministic_algorithms(False)
        self.assertEqual(len(calls), 1)
        for run in runs[1:]:
            for one, other in zip(run, runs[0]):
                self.assertTrue(torch.equal(one, other))

    def test_explicit(self):
        """attention_backward() returns the gradients in the order of `wrt`."""
        q, k, v = problem()
        bias, slopes, sink = draw(1, 4, ROWS, KEYS), draw(4), draw(4)
        seed = torch.tensor([3, 4], device=DEVICE)

        def score(s, b, h, i, j):
            return s + bias[0, h, i, j] + slopes[h] * (i - j)

        options = {"score_mod": score, "sink": sink, "dropout_p": 0.3, "seed": seed}
        o, lse = attn_mlir.attention(q, k, v, return_lse=True, **options)
        d_o = random_like(o)
        found = attn_mlir.attention_backward(q, k, v, o, lse, d_o,
                                             wrt=("sink", "slopes", "bias"), **options)
        wanted = leaves(sink, slopes, bias)
        sink, slopes, bias = wanted
        expected, _ = reference(q, k, v, score, sink, 0.3, seed)
        for its, other in zip(found, torch.autograd.grad(expected, wanted, d_o.double())):
            compare(its, other)
        # The results of attention_backward() can be differentiated by autograd.
        again = attn_mlir.attention_backward(
            q, k, v, o, lse, d_o, wrt=("sink", "slopes", "bias"), **{
                **options, "sink": sink})
        for its, other in zip(again, found):
            self.assertTrue(torch.equal(its, other))
        expected, _ = reference(q, k, v, score, sink, 0.3, seed)
        first, = torch.autograd.grad(expected, sink, d_o.double(), create_graph=True)
        compare(torch.autograd.grad(again[0].sum(), sink)[0],
                torch.autograd.grad(first.sum(), sink)[0])


class Generators(unittest.TestCase):
    def test_default(self):
        q, k, v = problem()
        seed = drawn(3)
        o = attn_mlir.attention(q, k, v, dropout_p=0.4)
        compare(o, reference(q, k, v, dropout_p=0.4, seed=seed)[0])
        again = attn_mlir.attention(q, k, v, dropout_p=0.4)
        self.assertFalse(torch.equal(o, again))
        torch.manual_seed(3)
        self.assertTrue(torch.equal(o, attn_mlir.attention(*leaves(q, k, v), dropout_p=0.4)))

    def test_own(self):
        q, k, v = problem()
        own = torch.Generator(DEVICE).manual_seed(9)
        state = torch.get_rng_state()
        found = [attn_mlir.attention(q, k, v, dropout_p=0.4, generator=own) for _ in range(2)]
        self.assertFalse(torch.equal(*found))
        self.assertTrue(torch.equal(state, torch.get_rng_state()))
        own.manual_seed(9)
        again = attn_mlir.torch.attention(q, k, v, dropout_p=0.4, generator=own)
        self.assertTrue(torch.equal(found[0], again))

    def test_none(self):
        """Without dropout, or beside a seed, nothing is drawn from the generator."""
        q, k, v = problem()
        own = torch.Generator(DEVICE).manual_seed(9)
        state = own.get_state()
        attn_mlir.attention(q, k, v, generator=own)
        attn_mlir.attention(*leaves(q, k, v), dropout_p=0.0, generator=own)
        text = "^generator: expected None beside seed"
        with self.assertRaisesRegex(attn_mlir.ArgumentError, text):
            attn_mlir.attention(q, k, v, dropout_p=0.5, seed=(1, 2), generator=own)
        self.assertTrue(torch.equal(state, own.get_state()))

    def test_mask(self):
        q, k, v = problem()
        seed = torch.tensor([-5, 12], device=DEVICE)
        found = attn_mlir.dropout_mask(q, k, 0.4, seed)
        self.assertEqual((found.dtype, found.shape), (torch.bool, (2, 4, ROWS, KEYS)))
        z = 65536 / (65536 - round(0.4 * 65536))
        p = (q @ k.mT * q.shape[3] ** -0.5).double().softmax(-1) * found * z
        compare(attn_mlir.attention(q, k, v, dropout_p=0.4, seed=seed), p @ v.double())


class Transforms(unittest.TestCase):
    def setUp(self):
        self.wanted = leaves(*problem(), draw(4), draw(1, 4, ROWS, KEYS))

    @staticmethod
    def attend(q, k, v, sink, bias):
        return attn_mlir.torch.attention(
            q.sin(), k, v, sink=sink, dropout_p=0.3,
            score_mod=lambda s, b, h, i, j: s + bias[0, h, i, j]).cos()

    def gradients(self, function):
        for x in self.wanted:
            x.grad = None
        torch.manual_seed(7)
        o = function(*self.wanted)
        # Numbers that are drawn between forward and backward pass do not change the gradients.
        torch.randn(3, device=DEVICE)
        o.backward(random_like(o))
        return [o.detach(), *[x.grad for x in self.wanted]]

    def same(self, found, expected):
        for one, other in zip(found, expected):
            torch.testing.assert_close(one, other, atol=1e-6, rtol=1e-5)

    def test_checkpoints(self):
        expected = self.gradients(self.attend)
        for use_reentrant in (False, True):
            self.same(self.gradients(lambda *a: checkpoint(
                self.attend, *a, use_reentrant=use_reentrant)), expected)

    def test_compiled(self):
        """Compiled calls draw the numbers of eager mode: aot_eager keeps torch.randint."""
        expected = self.gradients(self.attend)
        self.same(self.gradients(compiled(self.attend)), expected)
        function = compiled(self.attend)
        self.assertFalse(torch.equal(function(*self.wanted), function(*self.wanted)))

    def test_compiled_checkpoint(self):
        """In a compiled graph, a checkpoint runs the forward pass again with the same seed. On a
        GPU, torch draws it from a generator of the graph, so the seed is another one than in eager
        mode, and in the second run another one than in the first."""
        score = attn_mlir.score.trace(
            lambda s, b, h, i, j: s + self.wanted[4][0, h, i, j])

        def attend(q, k, v, sink, _, seed=None):
            return attn_mlir.torch.attention(q.sin(), k, v, sink=sink, dropout_p=0.3, seed=seed,
                                             score_mod=score).cos()

        def again(*arrays):
            return checkpoint(attend, *arrays, use_reentrant=False)

        function = compiled(again)
        for _ in range(2):
            with recorded(_attention, "attention") as calls, \
                    recorded(_gradients, "attention_backward") as pulls:
                found = self.gradients(function)
            self.assertEqual((len(calls), len(pulls)), (2, 1))
            seed, *others = [call["seed"].clone() for call in (*calls, *pulls)]
            for its in others:
                self.assertTrue(torch.equal(its, seed))
            self.same(found, self.gradients(lambda *arrays: attend(*arrays, seed=seed)))

    def test_compiled_seed(self):
        """The seed may be a tensor of the graph. Other seeds need no new graph."""
        q, k, v = problem()
        function = compiled(lambda q, k, v, seed: attn_mlir.torch.attention(
            q, k, v, dropout_p=0.3, seed=seed))
        with torch._dynamo.config.patch(error_on_recompile=True):
            for seed in ((1, 2), (3, 4)):
                compare(function(q, k, v, torch.tensor(seed, device=DEVICE)),
                        reference(q, k, v, dropout_p=0.3, seed=seed)[0])

    def test_func(self):
        expected = self.gradients(self.attend)
        torch.manual_seed(7)
        o, vjp = torch.func.vjp(self.attend, *[x.detach() for x in self.wanted])
        self.same([o, *vjp(random_like(o))], expected)
        found = torch.func.grad(lambda bias: attn_mlir.attention(
            *problem(), score_mod=lambda s, b, h, i, j: s + bias[0, h, i, j]).sum())(
                self.wanted[4].detach())
        bias, = leaves(self.wanted[4])
        plain, _ = reference(*problem(), lambda s, b, h, i, j: s + bias[0, h, i, j])
        compare(found, torch.autograd.grad(plain.sum(), bias)[0])

    def test_operators(self):
        q, k, v = leaves(*problem(rows=9, keys=11))
        sink, bias = leaves(draw(4), draw(4, 9, 11))
        text = attn_mlir.score.trace(lambda s, b, h, i, j: s + bias[h, i, j]).text
        seed = torch.tensor([1, 2], device=DEVICE)
        options = (None, "top_left", None, None, "top_left", text, "", [bias], sink, 0.25,
                   seed)
        torch.library.opcheck(torch.ops.attn_mlir.attention, (q, k, v, *options))
        torch.library.opcheck(torch.ops.attn_mlir.attention_lse, (q, k, v, *options))
        with torch.no_grad():
            o, lse = torch.ops.attn_mlir.attention_lse(q, k, v, *options)
        arrays = [x.detach() for x in (q, k, v, o, lse, o)]
        options = (*options[:7], [bias.detach()])
        for wrt in ([True] * 5, [False] * 3 + [True], [False] * 4 + [True]):
            torch.library.opcheck(torch.ops.attn_mlir.attention_backward, (
                *arrays, None, *options, wrt, True, sink.detach(), 0.25, seed))


class SDPA(unittest.TestCase):
    def test_dropout(self):
        for function in (scaled_dot_product_attention,
                         compiled(lambda *a, **o: scaled_dot_product_attention(*a, **o))):
            q, k, v = leaves(*problem())
            mask = draw(1, 1, ROWS, KEYS)
            for options, bias in (({}, None), ({"attn_mask": mask},
                                               lambda s, b, h, i, j: s + mask[0, 0, i, j])):
                seed = drawn(4)
                with attn_mlir.torch.sdpa(strict=True) as mode:
                    o = function(q, k, v, dropout_p=0.3, **options)
                self.assertEqual((mode.served, mode.passed_on), (1, 0))
                expected, _ = reference(q, k, v, bias, dropout_p=0.3, seed=seed)
                compare(o.detach(), expected.detach())
                d_o = random_like(o)
                for one, other in zip(torch.autograd.grad(o, [q, k, v], d_o),
                                      torch.autograd.grad(expected, [q, k, v], d_o.double())):
                    compare(one, other)


class Errors(unittest.TestCase):
    def expect(self, text, **options):
        for arrays in (problem(), leaves(*problem())):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, text):
                attn_mlir.attention(*arrays, **options)

    def test_options(self):
        self.expect("^dropout_p: expected a number from 0 to 1, found 1.5", dropout_p=1.5)
        self.expect("^dropout_p: expected a number from 0 to 1, found None", dropout_p=None)
        self.expect("^generator: expected a torch.Generator, found int", dropout_p=0.5,
                    generator=3)
        self.expect("^seed: expected a pair of integers .*, found .*3", dropout_p=0.5,
                    seed=torch.zeros(3, dtype=torch.int64, device=DEVICE))
        self.expect("^seed: expected .*int64.*, found .*(i32|int32)", dropout_p=0.5,
                    seed=torch.zeros(2, dtype=torch.int32, device=DEVICE))
        self.expect("^seed: expected integers of 64 bits", dropout_p=0.5, seed=(1.5, 2))
        self.expect("^sink: expected rank 1", sink=draw(4, 1))
        self.expect("^sink: expected dtype", sink=draw(4).double())
        if DEVICE == "cuda":
            self.expect("^sink: expected an array on GPU", sink=draw(4).cpu())
            self.expect("^generator: expected one of cuda", dropout_p=0.5,
                        generator=torch.Generator())
        q, k, v = leaves(*problem())
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^sink: expected a tensor"):
            attn_mlir.attention(q, k, v, sink=[0.0] * 4)
        with self.assertRaisesRegex(Exception, "generator: expected None within"):
            compiled(lambda q, k, v, g: attn_mlir.torch.attention(
                q, k, v, dropout_p=0.5, generator=g))(q, k, v, torch.Generator(DEVICE))

    def test_captures(self):
        """If a captured tensor can have no gradient, the error is raised by the forward call."""
        q, k, v = problem()
        table, short = leaves(draw(2 ** 16 + 1, 4), draw(3))
        prefix = "^score_mod: captured array '%s': expected "
        for name, score, text in (
                ("table", lambda s, b, h, i, j: s + table[i - j + KEYS, h],
                 "as indices b, h, q, kv, .* found a computed one for dimension 0"),
                ("short", lambda s, b, h, i, j: s + short[h],
                 "at least 4 elements in dimension 0, which h is the index of")):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, prefix % name + text):
                attn_mlir.attention(q, k, v, score_mod=score)
            with torch.no_grad():
                attn_mlir.attention(q, k, v, score_mod=score)

    def test_sink_that_changes(self):
        """If a tensor that the backward pass reads has changed, an error is raised."""
        q, k, v = problem()
        sink, = leaves(draw(4))
        o = attn_mlir.attention(q, k, v, sink=sink)
        with torch.no_grad():
            sink.fill_(-math.inf)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            o.sum().backward()


if __name__ == "__main__":
    unittest.main()
