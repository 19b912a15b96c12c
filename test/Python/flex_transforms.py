# FlexAttention's call under torch.compile, torch.export, vmap and on nested tensors; on the GPU
# if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import io
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))

import attn_mlir
import torch
from attn_mlir import flex
from flex_reference import attend, check
from torch.nn.attention import flex_attention as torch_flex

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS, KEYS = 37, 53


def draw(*sizes, seed=0):
    return torch.randn(*sizes, generator=torch.Generator().manual_seed(seed)).to(DEVICE)


def problem(*before, rows=ROWS, kv_heads=4):
    return [draw(*before, 2, heads, length, 32, seed=seed).requires_grad_()
            for seed, heads, length in ((1, 4, rows), (2, kv_heads, KEYS), (3, kv_heads, KEYS))]


def causal(b, h, q, kv):
    return q >= kv


def sloped(slopes):
    return lambda s, b, h, q, kv: s + slopes[h] * (kv - q) * 0.1


def compiled(function):
    torch._dynamo.reset()
    return torch.compile(function, fullgraph=True, backend="aot_eager")


def make_mask(mask=causal, rows=ROWS, keys=KEYS):
    return flex.create_block_mask(mask, None, None, rows, keys, device=DEVICE, BLOCK_SIZE=16)


def check_gradients(found, expected, arrays):
    d_o = draw(*expected.shape, seed=7)
    for number, (one, other) in enumerate(zip(
            torch.autograd.grad(found, arrays, d_o),
            torch.autograd.grad(expected, arrays, d_o.double()))):
        check(one, other, f"gradient {number}", bound=1e-5)


class Compiled(unittest.TestCase):
    def test_arguments(self):
        """A compiled call gets functions and masks that were made outside of the graph."""
        q, k, v = problem()
        slopes = draw(4).requires_grad_()
        o, aux = compiled(flex.flex_attention)(
            q, k, v, score_mod=sloped(slopes), block_mask=make_mask(),
            return_aux=flex.AuxRequest(lse=True, max_scores=True))
        expected, lse, largest = attend(q, k, v, sloped(slopes), causal)
        check(o, expected)
        check(aux.lse, lse)
        check(aux.max_scores, largest)
        check_gradients(o, expected, [q, k, v, slopes])

    def test_checkpoint(self):
        """Within a checkpoint of the graph, functions and masks are given to it or made there."""
        slopes, least = draw(4).requires_grad_(), torch.arange(4, device=DEVICE)
        arrays, given = problem(), make_mask()

        def of_head(b, h, q, kv):
            return (least[h] < q) & (kv > 0)

        for mask in (causal, of_head):
            def layer(q, k, v, mask=mask):
                return flex.flex_attention(
                    q, k, v, score_mod=sloped(slopes),
                    block_mask=given if mask is causal else make_mask(mask))

            found = compiled(lambda *its: torch.utils.checkpoint.checkpoint(
                layer, *its, use_reentrant=False))(*arrays)
            expected, *_ = attend(*arrays, sloped(slopes), mask)
            check(found, expected)
            check_gradients(found, expected, [*arrays, slopes])

    def test_made_within(self):
        """The graph makes a score function that reads a learnt table twice, and a mask that reads a
        tensor."""
        def score(table):
            return lambda s, b, h, q, kv: s + table[h, q] - table[h, kv]

        def mask(ids):
            return lambda b, h, q, kv: (ids[b, q] == ids[b, kv]) & (kv <= q)

        @compiled
        def function(q, k, v, table, ids):
            made = flex.create_block_mask(mask(ids), 2, None, q.shape[2], k.shape[2],
                                          device=q.device)
            return flex.flex_attention(q * 2, k, v, score_mod=score(table * 0.5),
                                       block_mask=made, enable_gqa=True)

        q, k, v = problem(kv_heads=2)
        table = draw(4, KEYS).requires_grad_()
        ids = torch.randint(0, 3, (2, KEYS)).sort().values.to(DEVICE)
        found = function(q, k, v, table, ids)
        expected = attend(q * 2, k, v, score(table * 0.5), mask(ids))[0]
        check(found, expected)
        check_gradients(found, expected, [q, k, v, table])

    def test_lists(self):
        """With PyTorch's BlockMask, a pair must be both in a listed block and kept by the
        function."""
        kinds = torch.tensor([[0, 1, 2, 0], [2, 2, 0, 1], [1, 0, 1, 1]], device=DEVICE)

        def as_list(chosen):
            order = torch.argsort(chosen.int(), dim=-1, descending=True, stable=True)
            return chosen.sum(-1).int()[None, None], order.int()[None, None]

        made = torch_flex.BlockMask.from_kv_blocks(
            *as_list(kinds == 1), *as_list(kinds == 2), BLOCK_SIZE=16, mask_mod=causal,
            seq_lengths=(ROWS, KEYS), compute_q_blocks=False)

        def expected(b, h, q, kv):
            kind = kinds[q // 16, kv // 16]
            return (kind == 2) | ((kind == 1) & causal(b, h, q, kv))

        q, k, v = problem()
        found = compiled(lambda q, k, v, mask: flex.flex_attention(q, k, v, block_mask=mask))(
            q, k, v, made)
        check(found, attend(q, k, v, None, expected)[0])

    def test_lengths(self):
        """After a call with another length, the graph has dynamic sizes and is used for further
        lengths, too."""
        function = compiled(lambda q, k, v, mask: flex.flex_attention(
            q, k, v, block_mask=mask))
        for rows in (37, 41, 53):
            q, k, v = problem(rows=rows)
            check(function(q, k, v, make_mask(rows=rows)), attend(q, k, v, None, causal)[0])

    def test_numbers_that_change(self):
        """Functions use integers and floats that are symbols of the graph. Each value becomes a
        constant of a region."""
        def make_window(width):
            return lambda b, h, q, kv: ((q - kv < width) & (width > kv - q) & (kv != width)
                                        | (q + width == kv))

        def make_score(cap, width):
            return lambda s, b, h, q, kv: torch.where(q - kv <= width, cap * torch.tanh(
                s / cap), s + cap)

        def within(q, k, v, width):
            mask = flex.create_block_mask(make_window(width), None, None, q.shape[2],
                                          k.shape[2], device=q.device)
            return flex.flex_attention(q, k, v, block_mask=mask)

        arrays = [its.detach() for its in problem()]
        function, other = compiled(flex.flex_attention), torch.compile(
            within, fullgraph=True, backend="aot_eager")
        for width in (5, 9, 20):
            window, score = make_window(width), make_score(width / 7, width)
            found = function(*arrays, score_mod=score, block_mask=make_mask(window))
            check(found, attend(*arrays, score, window)[0])
            check(other(*arrays, width), attend(*arrays, None, window)[0])

    def test_errors(self):
        q, k, v = problem()
        cases = [
            ("key: expected 4 heads, as query has", (q, k[:, :2], v[:, :2]), {}),
            ("block_mask: expected one of 37 rows and 53 keys", (q, k, v),
             {"block_mask": make_mask(rows=64)}),
            ("mask_mod: expected no branch on a traced number", (q, k, v),
             {"block_mask": make_mask(lambda b, h, q, kv: kv if q > kv else q)}),
            ("key: expected dtype torch.float32", (q, k.half(), v), {})]
        for text, arrays, options in cases:
            with self.subTest(text), self.assertRaisesRegex(Exception, text):
                compiled(flex.flex_attention)(*arrays, **options)


class First(unittest.TestCase):
    def test_parameter(self):
        """The first call of a process is in a compiled graph, and captures a parameter and a buffer
        of a module."""
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", FIRST],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


FIRST = """
import torch
from attn_mlir import flex
class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.slopes = torch.nn.Parameter(torch.randn(4))
        self.register_buffer("ids", torch.randint(0, 3, (2, 7)).sort().values)
    def forward(self, q):
        mask = flex.create_block_mask(
            lambda b, h, q, kv: (self.ids[b, q] == self.ids[b, kv]) | (kv < 3), 2, None, 7, 7,
            device=q.device)
        return flex.flex_attention(q, q, q, block_mask=mask, score_mod=lambda s, b, h, q, kv:
                                   s + self.slopes[h] * (kv - q))
layer, q = Layer(), torch.randn(2, 4, 7, 32, requires_grad=True)
results = [function(q) for function in (
    torch.compile(layer, fullgraph=True, backend="aot_eager"), layer)]
for one, other in zip(*[torch.autograd.grad(its.square().sum(), [q, layer.slopes])
                        for its in results]):
    torch.testing.assert_close(one, other)
"""


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.slopes = torch.nn.Parameter(draw(4))

    def forward(self, q, k, v):
        mask = flex.create_block_mask(causal, None, None, q.shape[2], k.shape[2],
                                      device=q.device)
        return flex.flex_attention(q, k, v, score_mod=sloped(self.slopes), block_mask=mask)


class Exported(unittest.TestCase):
    def check(self, program, layer, rows=ROWS):
        q, k, v = problem(rows=rows)
        found = program(q.detach(), k.detach(), v.detach())
        check(found, attend(q, k, v, sloped(layer.slopes), causal)[0])

    def test_export(self):
        layer, arrays = Layer(), [its.detach() for its in problem()]
        rows = torch.export.Dim("rows", min=2, max=500)
        for strict in (False, True):
            torch._dynamo.reset()
            program = torch.export.export(layer, tuple(arrays), strict=strict,
                                          dynamic_shapes=({2: rows}, None, None))
            self.check(program.module(), layer)
            self.check(program.module(), layer, rows=61)
            file = io.BytesIO()
            torch.export.save(program, file)
            file.seek(0)
            self.check(torch.export.load(file).module(), layer)


    def test_export_of_lists(self):
        """Lists of a mask whose numbers of batch entries and heads are symbols."""
        names = "kv_num_blocks", "kv_indices", "full_kv_num_blocks", "full_q_indices"

        def mask(b, h, q, kv):
            return (kv <= q) & (b != 1) & (h != 2)

        class Lists(torch.nn.Module):
            def forward(self, batch, heads):
                made = flex.create_block_mask(mask, batch.shape[0], heads.shape[0], 300, 200, "cpu")
                return [getattr(made, name) for name in names]

        for strict in (False, True):
            torch._dynamo.reset()
            program = torch.export.export(
                Lists(), (torch.empty(2), torch.empty(4)), strict=strict,
                dynamic_shapes=({0: torch.export.Dim.DYNAMIC},) * 2).module()
            for batch, heads in ((3, 5), (4, 2)):
                wanted = torch_flex.create_block_mask(mask, batch, heads, 300, 200, "cpu")
                for name, its in zip(names, program(torch.empty(batch), torch.empty(heads))):
                    self.assertTrue(torch.equal(its, getattr(wanted, name)), name)

    def test_export_of_reads_at_several_indices(self):
        class Biased(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("bias", draw(ROWS, KEYS))

            def forward(self, q, k, v):
                return flex.flex_attention(
                    q, k, v, score_mod=lambda s, b, h, i, j: s + self.bias[i, j])

        layer, arrays = Biased(), tuple([its.detach() for its in problem()])
        for strict in (False, True):
            torch._dynamo.reset()
            program = torch.export.export(layer, arrays, strict=strict).module()
            check(program(*arrays), layer(*arrays))


class Mapped(unittest.TestCase):
    def test_vmap(self):
        """vmap also maps captured tensors, and gradients of the call."""
        arrays, slopes = [its.detach() for its in problem(3)], draw(3, 4)
        mask = make_mask()

        def function(q, k, v, slopes):
            return flex.flex_attention(q, k, v, score_mod=sloped(slopes), block_mask=mask,
                                       return_aux=flex.AuxRequest(True, True))

        o, aux = torch.func.vmap(function)(*arrays, slopes)
        gradients = torch.func.vmap(torch.func.grad(
            lambda *its: function(*its)[0].sum(), argnums=(0, 1, 2, 3)))(*arrays, slopes)
        for n in range(3):
            q, k, v, its = [x[n].clone().requires_grad_() for x in (*arrays, slopes)]
            expected, lse, largest = attend(q, k, v, sloped(its), causal)
            for one, other in ((o[n], expected), (aux.lse[n], lse),
                               (aux.max_scores[n], largest)):
                check(one, other)
            for one, other in zip(gradients, torch.autograd.grad(expected.sum(),
                                                                 [q, k, v, its])):
                check(one[n], other, bound=1e-5)

    def test_dimensions(self):
        """vmap may map only some arrays, and along any dimension, here the last."""
        q, k, v = [its.detach() for its in problem(3)]
        found = torch.func.vmap(lambda q: flex.flex_attention(
            q, k[0], v[0], block_mask=make_mask()), in_dims=4, out_dims=1)(q.movedim(0, 4))
        for n in range(3):
            check(found[:, n], attend(q[n], k[0], v[0], None, causal)[0])


class Nested(unittest.TestCase):
    OFFSETS, OTHERS = (0, 13, 13, 42, 43), (0, 3, 10, 41, 60)

    def nest(self, values, offsets):
        return torch.nested.nested_tensor_from_jagged(values, offsets).transpose(1, 2)

    def problem(self, kv_heads=2, others=OTHERS):
        values = [draw(offsets[-1], heads, 32, seed=seed).requires_grad_()
                  for seed, heads, offsets in ((1, 4, self.OFFSETS), (2, kv_heads, others),
                                               (3, kv_heads, others))]
        offsets = [torch.tensor(its, device=DEVICE) for its in (self.OFFSETS, others)]
        if others == self.OFFSETS:
            offsets[1] = offsets[0]
        return values, [self.nest(its, offsets[min(n, 1)]) for n, its in enumerate(values)]

    def expected(self, values, score=None, mask=None, others=OTHERS):
        found = []
        for n in range(4):
            parts = [its[offsets[n]:offsets[n + 1]].transpose(0, 1)[None] for its, offsets in
                     zip(values, (self.OFFSETS, others, others))]
            if parts[0].shape[2]:
                found.append(attend(*parts, score and (
                    lambda s, b, h, q, kv, n=n: score(s, b + n, h, q, kv)), mask))
        return [torch.cat([its[0][0].transpose(0, 1) for its in found]),
                torch.cat([its[1][0] for its in found], 1)]

    def check(self, o, lse, values, score, mask, others=OTHERS, learnt=()):
        expected, its = self.expected(values, score, mask, others)
        found = o.values().transpose(0, 1)
        check(found, expected)
        if lse is not None:
            check(lse.values(), its)
        check_gradients(found, expected, [*values, *learnt])

    def test_masks(self):
        """Nested tensors whose queries and keys have the same offsets, or different ones. Functions
        get the sequence's number as b."""
        def score(s, b, h, q, kv):
            return s * (1 + 0.1 * b) - 0.05 * q

        for others in (self.OFFSETS, self.OTHERS):
            for mask in (None, causal):
                values, (q, k, v) = self.problem(others=others)
                made = mask and flex.create_nested_block_mask(mask, None, None, q, k)
                o, lse = flex.flex_attention(q, k, v, score_mod=score, block_mask=made,
                                             enable_gqa=True, return_lse=True)
                with self.subTest(mask=mask, others=others):
                    self.assertTrue(o.is_nested)
                    self.check(o, lse, values, score, mask, others)

    def test_captured_gradient(self):
        values, (q, k, v) = self.problem()
        slopes = draw(4).requires_grad_()
        made = flex.create_nested_block_mask(causal, None, None, q, k)
        o, lse = flex.flex_attention(q, k, v, score_mod=sloped(slopes), block_mask=made,
                                     enable_gqa=True, return_lse=True)
        self.check(o, lse, values, sloped(slopes), causal, learnt=[slopes])

    def test_lists(self):
        _, (q, k, v) = self.problem()
        made = flex.create_nested_block_mask(causal, None, None, q, k, BLOCK_SIZE=16)
        self.assertEqual(made.shape, (1, 1, 43, 60))
        dense = torch.block_diag(*[
            torch.ones(self.OFFSETS[n + 1] - self.OFFSETS[n], self.OTHERS[n + 1]
                       - self.OTHERS[n]).tril() for n in range(4)]).bool().to(DEVICE)
        found = flex.create_mask(made.mask_mod, 1, 1, 43, 60, device=DEVICE)[0, 0]
        self.assertTrue(torch.equal(found, dense))
        kept = torch.nn.functional.pad(dense, (0, 4, 0, 5)).unflatten(1, (4, 16)).unflatten(
            0, (3, 16)).any(3).any(1)
        self.assertTrue(torch.equal(made.to_dense()[0, 0].bool(), kept))

    def test_compiled(self):
        def function(q, k, v):
            made = flex.create_nested_block_mask(causal, None, None, q)
            return flex.flex_attention(q, k, v, block_mask=made, enable_gqa=True)

        values, (q, k, v) = self.problem(others=self.OFFSETS)
        o = compiled(function)(q, k, v)
        self.check(o, None, values, None, causal, self.OFFSETS)

    def test_compiled_captured_gradient(self):
        slopes = draw(4).requires_grad_()

        def function(q, k, v):
            made = flex.create_nested_block_mask(causal, None, None, q)
            return flex.flex_attention(q, k, v, score_mod=sloped(slopes), block_mask=made,
                                       enable_gqa=True)

        values, (q, k, v) = self.problem(others=self.OFFSETS)
        o = compiled(function)(q, k, v)
        self.check(o, None, values, sloped(slopes), causal, self.OFFSETS, learnt=[slopes])

    def test_errors(self):
        _, (q, k, v) = self.problem()
        dense = draw(4, 4, 5, 32)
        with self.assertRaisesRegex(attn_mlir.Error, "key: expected a nested tensor, as query"):
            flex.flex_attention(q, dense, dense)
        with self.assertRaisesRegex(attn_mlir.Error, "key: expected no nested tensor"):
            flex.flex_attention(dense, q, q)
        with self.assertRaisesRegex(attn_mlir.Error, "q_nt: expected a nested tensor"):
            flex.create_nested_block_mask(causal, None, None, dense)
        with self.assertRaisesRegex(attn_mlir.Error, "query: expected sizes .B, H, jagged, D."):
            flex.flex_attention(*[its.transpose(1, 2) for its in (q, q, q)])
        made = flex.create_nested_block_mask(causal, None, None, q)
        with self.assertRaisesRegex(attn_mlir.Error, "block_mask: expected one of 43 rows and "
                                    "60 keys, .*found 43 rows and 43"):
            flex.flex_attention(q, k, v, block_mask=made, enable_gqa=True)
        with self.assertRaisesRegex(attn_mlir.Error, "value: expected as many keys in each "
                                    "sequence as key has"):
            flex.flex_attention(q, q, self.nest(draw(60, 4, 32), torch.tensor(
                self.OTHERS, device=DEVICE)))


if __name__ == "__main__":
    unittest.main()
