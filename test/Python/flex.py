# FlexAttention's call: forward and gradients of many variants, auxiliary results and errors; on
# the GPU if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import copy
import functools
import math
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, "Inputs"), os.path.join(HERE, "../../examples")]

import attn_mlir
import flex_variants
import torch
from attn_mlir import flex
from attn_mlir._torch_regions import find_regions
from flex_reference import DEVICE, attend, check, compare, draw, problem
from flex_variants import causal, documents, soft_cap
from torch.nn.attention import flex_attention as torch_flex
from torch.utils.checkpoint import checkpoint


def logsigmoid(s):
    """Calls torch's function with a traced number. The reference's tensors do without it, since on
    a GPU torch's vmap does not take it (seen in torch 2.11)."""
    if isinstance(s, torch.Tensor):
        return -torch.nn.functional.softplus(-s)
    return torch.nn.functional.logsigmoid(s)


class Variants(unittest.TestCase):
    def test_all(self):
        """Checks all variants of examples/flex_variants.py."""
        for name, case in flex_variants.make_cases(DEVICE).items():
            with self.subTest(name):
                compare(problem(case.rows, case.keys), case.score, case.mask,
                        learnt=case.learnt)

    def test_torch(self):
        """The functions of the example give the same results with PyTorch's flex_attention."""
        torch_flex._FLEX_ATTENTION_DISABLE_COMPILE_DEBUG = True
        cases = flex_variants.make_cases(DEVICE)
        for name in ("documents", "transfusion", "alibi", "padding", "sparse tiles"):
            case = cases[name]
            q, k, v = [its.detach() for its in problem(case.rows, case.keys)]
            with self.subTest(name), torch.no_grad():
                found = flex_variants.run(flex, case, q, k, v, return_lse=True)
                check(found[0], attend(q, k, v, case.score, case.mask)[0])
                expected = flex_variants.run(torch_flex, case, q.double(), k.double(),
                                             v.double(), return_lse=True)
                for one, other in zip(found, expected):
                    check(one, other)

    def test_lengths(self):
        for rows, keys in ((1, 1), (1, 67), (67, 1), (64, 128), (65, 127), (0, 5)):
            with self.subTest(rows=rows, keys=keys):
                compare(problem(rows, keys), soft_cap(3.0), lambda b, h, q, kv: kv >= q)
        o, aux = flex.flex_attention(*problem(5, 0), soft_cap(3.0), enable_gqa=True,
                                     return_aux=flex.AuxRequest(True, True))
        self.assertEqual((o.count_nonzero(), aux.lse.max(), aux.max_scores.max()),
                         (0, -math.inf, -math.inf))

    def test_sizes(self):
        compare(problem(37, 53, heads=6, kv_heads=1), None, causal)
        compare(problem(37, 53, heads=3, kv_heads=3, value_dim=17), None, causal)
        compare(problem(37, 53, kv_batch=1, batch=3), soft_cap(3.0), causal)
        compare(problem(37, 53, dim=24), None, None, scale=0.7)

    def test_strides(self):
        """Arrays in the order (B, S, H, D), rows with gaps, and arrays that are columns of one
        array."""
        whole = draw(2, 53, 3, 4, 32, seed=9).requires_grad_()
        q, k, v = whole.transpose(1, 3).unbind(2)
        gaps = draw(2, 4, 53, 64, seed=8).requires_grad_()
        for arrays in ((q, k, v), (gaps[..., ::2], k, gaps[..., 1::2]),
                       (k, draw(2, 4, 32, 53).mT.requires_grad_(), v)):
            compare(arrays, soft_cap(3.0), causal)

    def test_indices(self):
        """A score function and a mask that use all of b, h, q and kv."""
        compare(problem(37, 53),
                lambda s, b, h, q, kv: s * (1 + 0.1 * b) + 0.01 * h * q - 0.02 * kv,
                lambda b, h, q, kv: (q + b >= kv) & ((h + kv) % 3 != 0))

    def test_narrow(self):
        for dtype, bound in ((torch.float16, 2e-3), (torch.bfloat16, 1.6e-2)):
            with self.subTest(str(dtype)):
                compare(problem(61, 67, dtype=dtype), soft_cap(3.0), causal, bound=bound)

    def test_captures_read_twice(self):
        """A captured array is read at two different indices, and its gradient is the sum for
        both."""
        table, rows = draw(4, 67).requires_grad_(), draw(67).requires_grad_()
        compare(problem(61, 67), lambda s, b, h, q, kv: s + table[h, q] * rows[kv]
                + rows[q] - table[h, kv], learnt=(table, rows))

    def test_numbers_and_modules(self):
        class Bias(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = torch.nn.Parameter(draw(4))

            def score(self, s, b, h, q, kv):
                return s + self.weight[h]

        bias = Bias()
        compare(problem(37, 53), bias.score, causal, learnt=(bias.weight,))
        compare(problem(37, 53), functools.partial(
            lambda factor, s, b, h, q, kv: s * factor, torch.tensor(0.5)))

    def test_functions(self):
        """Functions that PyTorch has under several names, and keyword arguments."""
        compare(problem(37, 53), lambda s, b, h, q, kv: torch.nn.functional.silu(s)
                + torch.nn.functional.gelu(s, approximate="tanh")
                + torch.nn.functional.softplus(-s) + torch.special.erfc(s) - torch.erfc(-s / 2)
                + torch.special.expit(s) * torch.special.exp2(s))
        compare(problem(37, 53), lambda s, b, h, q, kv: torch.nn.functional.relu(s)
                + kv.new_full((), 2.7) * kv / 9 + (q > kv).to(torch.uint8) / 5
                + q.type(torch.float32) % 2.5 - (q * 1.25).type(dtype=torch.int64) // 2
                + (kv * 0.75).type_as(kv) // 3 - kv.type_as(s) % 3.5)
        # Half of the scores are at kinks of these functions.
        q, k, v = (its.detach() for its in problem(37, 53))
        k[:, :, ::2] = 0
        arrays = [its.requires_grad_() for its in (q, k, v)]
        compare(arrays, lambda s, b, h, q, kv: torch.nn.functional.leaky_relu(s, 0.2)
                + torch.nn.functional.elu(s) - torch.nn.functional.elu(s - 1, alpha=0.5)
                + torch.nn.functional.relu6(s) / 2 + torch.nn.functional.relu6(s + 6) / 3)
        compare(arrays, lambda s, b, h, q, kv: torch.nn.functional.hardtanh(s + 1)
                + torch.nn.functional.hardtanh(s, 0, 3) / 2 + logsigmoid(s)
                + torch.logaddexp(s, 0.3 * s) + torch.logaddexp(torch.full_like(s, -math.inf), s)
                + torch.logaddexp2(s, -s))
        compare(arrays, lambda s, b, h, q, kv: torch.square(s).masked_fill(q > kv, 0.5)
                + torch.sign(s) * s.abs() / 2 + s.square().log10().isnan() + torch.reciprocal(
                    s.abs() + 1) + torch.log10(s * s + 1) + torch.sign(q - kv) / 3)
        # The dtypes of these results are those of their first arguments, in which sums have no
        # overflow and fills are rounded.
        compare(problem(37, 53), lambda s, b, h, q, kv: (torch.sign(s) + q) * 10**8 / 1e9
                + q.masked_fill(q > kv, 0.5) / 9 + (q > kv).masked_fill(q == 3, 2) * s)
        # A sum with a captured condition is a condition, too.
        flag = torch.tensor(True, device=DEVICE)
        compare(problem(37, 53), lambda s, b, h, q, kv: s + ((q > kv) + flag) * 1.0)
        compare(problem(37, 53), None, lambda b, h, q, kv: ((q >> 2) >= (kv >> 3)) | (
            (1 << 3) + kv.clamp(min=3, max=20) < q << 1) | (
            torch.bitwise_right_shift(kv, 4) == 1))


class Results(unittest.TestCase):
    def test_results(self):
        q, k, v = problem(37, 53, kv_heads=4)
        self.assertIsInstance(flex.flex_attention(q, k, v), torch.Tensor)
        o, lse = flex.flex_attention(q, k, v, return_lse=True)
        self.assertEqual(lse.shape, q.shape[:3])
        o, aux = flex.flex_attention(q, k, v, return_aux=flex.AuxRequest())
        self.assertIsInstance(aux, torch_flex.AuxOutput)
        self.assertEqual((aux.lse, aux.max_scores), (None, None))
        o, aux = flex.flex_attention(q, k, v, return_aux=flex.AuxRequest(max_scores=True))
        self.assertIsNone(aux.lse)
        self.assertFalse(aux.max_scores.requires_grad)
        flex.flex_attention(q, k, v, None, None, 0.5, False, False, {"BLOCK_M": 64})

    def test_operator(self):
        """Checks the operator for the largest scores by PyTorch's opcheck."""
        q, k, _ = [its.detach() for its in problem(7, 11)]
        regions = find_regions(soft_cap(3.0), documents(torch.arange(11, device=DEVICE) // 4,
                                                        causal), q)
        torch.library.opcheck(torch.ops.attn_mlir.max_scores.default,
                              (q, k, 0.3, regions.score, regions.mask, regions.captures))

    def test_autocast(self):
        q, k, v = [its.detach() for its in problem(37, 53, kv_heads=4)]
        with torch.autocast(DEVICE, torch.bfloat16):
            found = flex.flex_attention(q, k.bfloat16(), v)
        self.assertEqual(found.dtype, torch.bfloat16)
        check(found, attend(*[its.bfloat16() for its in (q, k, v)])[0], bound=1.6e-2)

    def test_other_ways(self):
        """Copies of masks, callable objects as functions, and a checkpoint around the call."""
        class Window:
            def __init__(self, width):
                self.width = width

            def __call__(self, b, h, q, kv):
                return (q - kv).abs() < self.width

        def window(b, h, q, kv, width=5):
            return (q - kv).abs() < width

        q, k, v = problem(37, 53, kv_heads=4)
        expected = attend(q, k, v, None, window)[0]
        for mask in (Window(5), window, functools.partial(
                lambda width, b, h, q, kv: (q - kv).abs() < width, 5)):
            made = flex.create_block_mask(mask, None, None, 37, 53, DEVICE)
            for its in (made, copy.deepcopy(made)):
                check(flex.flex_attention(q, k, v, block_mask=its), expected)
        found = checkpoint(lambda *its: flex.flex_attention(*its, block_mask=made), q, k, v,
                           use_reentrant=False)
        d_o = draw(*found.shape, seed=4)
        for one, other in zip(torch.autograd.grad(found, [q, k, v], d_o),
                              torch.autograd.grad(expected, [q, k, v], d_o.double())):
            check(one, other, bound=6e-6)

    def test_names(self):
        """Other names that programs import from PyTorch's module."""
        from attn_mlir.flex import _mask_mod_signature, FlexKernelOptions  # noqa: F401
        with self.assertRaises(AttributeError):
            flex.no_such_name


class Errors(unittest.TestCase):
    def expect(self, text, *arrays, **options):
        q, k, v = arrays or [its.detach() for its in problem(37, 53, kv_heads=4)]
        with self.assertRaisesRegex(attn_mlir.Error, text):
            flex.flex_attention(q, k, v, **options)

    def test_tensors(self):
        q, k, v = [its.detach() for its in problem(37, 53, kv_heads=4)]
        self.expect("query: expected a tensor, found list", [1], k, v)
        self.expect("key: expected rank 4.*found rank 3", q, k[0], v)
        self.expect("query: expected dtype float16.*found torch.float64", q.double(), k, v)
        self.expect("key: expected dtype torch.float32, as query has.*float16", q, k.half(), v)
        self.expect("value: expected a tensor on .*found one on meta", q, k, v.to("meta"))
        self.expect("key: expected a strided tensor.*torch.sparse_coo", q, k.to_sparse(), v)
        self.expect("value: expected 53 keys, as key has, found 50", q, k, v[:, :, :50])
        self.expect("value: expected 4 heads, as key has, found 2", q, k, v[:, :2])
        self.expect("key: expected 32 elements in a row", q, k[..., :16], v)
        self.expect("key: expected 4 heads.*enable_gqa=True", q, k[:, :2], v[:, :2])
        self.expect("key: expected a number of heads that divides 4", q, k[:, :3], v[:, :3],
                    enable_gqa=True)
        self.expect("key: expected 2 batch entries, as query has, found 1", q, k[:1], v[:1])

    def test_options(self):
        self.expect("scale: expected a finite number", scale=math.inf)
        self.expect("enable_gqa: expected False or True", enable_gqa=1)
        self.expect("return_lse: expected False beside return_aux", return_lse=True,
                    return_aux=flex.AuxRequest(lse=True))
        self.expect("return_aux: expected an AuxRequest", return_aux=True)
        self.expect("kernel_options: expected a dictionary", kernel_options=3)
        self.expect("score_mod: expected a function", score_mod=3)

    def test_masks(self):
        def make(*sizes, mask=causal):
            return flex.create_block_mask(mask, *sizes, device=DEVICE)

        self.expect("block_mask: expected a BlockMask.*found function", block_mask=causal)
        self.expect("block_mask: expected one of 37 rows and 53 keys.*found 37 rows and 64",
                    block_mask=make(None, None, 37, 64))
        self.expect("block_mask: expected one of 2 batch entries.*or 1, found 3",
                    block_mask=make(3, None, 37, 53))
        self.expect("block_mask: expected one of 4 heads.*or 1, found 2",
                    block_mask=make(None, 2, 37, 53))
        torch_s = torch_flex.create_block_mask(causal, 1, 1, 128, 128, DEVICE)
        self.expect("block_mask: expected one of 37 rows and 53 keys", block_mask=torch_s)
        moved = torch_flex.create_block_mask(causal, 1, 1, 37, 53, DEVICE).to("meta")
        self.expect("block_mask: expected one on .*, as query is .*, found one on meta",
                    block_mask=moved)
        with self.assertRaisesRegex(attn_mlir.Error, "mask_mod: expected a function of .b, h"):
            make(None, None, 1, 1, mask=lambda s, b, h, q, kv: s)
        with self.assertRaisesRegex(attn_mlir.Error, "mask_mod: expected a function"):
            make(None, None, 1, 1, mask=True)
        with self.assertRaisesRegex(attn_mlir.Error, "Q_LEN: expected an integer"):
            make(None, None, -1, 1)
        with self.assertRaisesRegex(attn_mlir.Error, "BLOCK_SIZE: expected an integer"):
            flex.create_block_mask(causal, 1, 1, 5, 5, device=DEVICE, BLOCK_SIZE=0)

    def test_functions(self):
        """If a function cannot be traced, one message says what to do."""
        def branches(b, h, q, kv):
            return kv if q > kv else q

        self.expect("mask_mod: expected no branch on a traced number; write",
                    block_mask=flex.create_block_mask(branches, None, None, 37, 53, DEVICE))
        self.expect("score_mod: expected no branch on a traced number",
                    score_mod=lambda s, b, h, q, kv: s if h == 0 else -s)
        self.expect("score_mod: expected a number of bits from 0 to 30 that is a constant",
                    score_mod=lambda s, b, h, q, kv: s + (1 << h))
        self.expect("score_mod: expected a function of attn_mlir.score, found digamma",
                    score_mod=lambda s, b, h, q, kv: torch.digamma(s))
        self.expect("score_mod: expected a function of attn_mlir.score, found digamma",
                    score_mod=lambda s, b, h, q, kv: s.digamma())
        self.expect("score_mod: expected a dtype, found 'torch.FloatTensor'",
                    score_mod=lambda s, b, h, q, kv: s + h.type("torch.FloatTensor"))
        table = draw(4, 53)
        self.expect("score_mod: expected an index for each dimension.*, found float",
                    score_mod=lambda s, b, h, q, kv: s + table[h].float()[kv])
        with self.assertRaisesRegex(AttributeError, "no_such_name"):
            flex.flex_attention(table[None, None], table[None, None], table[None, None],
                                lambda s, b, h, q, kv: s + torch.no_such_name)
        self.expect("score_mod: expected int32, int64, bool or floats, found torch.int8",
                    score_mod=lambda s, b, h, q, kv: s + (50 * kv).to(torch.int8))
        self.expect("mask_mod: expected a condition, found a float", block_mask=
                    flex.create_block_mask(lambda b, h, q, kv: q * 0.5, 1, 1, 37, 53, DEVICE))
        meta = draw(4).to("meta")
        self.expect("score_mod: captured array 'meta': expected a tensor.*found.* meta",
                    score_mod=lambda s, b, h, q, kv: s + meta[h])
        double = draw(4).double()
        self.expect("score_mod: captured array 'double': expected dtype",
                    score_mod=lambda s, b, h, q, kv: s + double[h])
        for name in ("item", "tolist", "numpy"):
            self.expect("score_mod: expected no use of a traced number's value",
                        score_mod=lambda s, b, h, q, kv: s * getattr(h, name)())
        # So do the methods of a mask that make its lists.
        mask = flex.create_block_mask(branches, None, None, 37, 53, DEVICE)
        for call in (mask.sparsity, mask.to_dense, lambda: mask.kv_indices, lambda: mask[0, 0]):
            with self.assertRaisesRegex(attn_mlir.Error, "mask_mod: expected no branch on a "
                                        "traced number; write"):
                call()


if __name__ == "__main__":
    unittest.main()
