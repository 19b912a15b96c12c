# FlexAttention's call: forward and gradients of many variants, masks of functions and of lists,
# auxiliary results and errors; on the GPU if there is one, else on the CPU.
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
from flex_reference import attend, check
from flex_variants import causal, documents, soft_cap
from torch.nn.attention import flex_attention as torch_flex
from torch.nn.attention.experimental._paged_attention import PagedAttention
from torch.utils.checkpoint import checkpoint

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def draw(*sizes, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*sizes, generator=generator).to(DEVICE, dtype)


def problem(rows, keys, heads=4, kv_heads=2, batch=2, dim=32, value_dim=32, kv_batch=None,
            dtype=torch.float32):
    kv_batch = batch if kv_batch is None else kv_batch
    return [its.requires_grad_() for its in (
        draw(batch, heads, rows, dim, dtype=dtype, seed=1),
        draw(kv_batch, kv_heads, keys, dim, dtype=dtype, seed=2),
        draw(kv_batch, kv_heads, keys, value_dim, dtype=dtype, seed=3))]


def compare(arrays, score=None, mask=None, block_mask=None, learnt=(), scale=None,
            function=flex.flex_attention, bound=3e-6, **options):
    """Output, lse, largest scores and all gradients, beside the definition's."""
    q, k, v = arrays
    if block_mask is None and mask is not None:
        block_mask = flex.create_block_mask(mask, None, None, q.shape[2], k.shape[2],
                                            device=DEVICE)
    o, aux = function(q, k, v, score_mod=score, block_mask=block_mask, scale=scale,
                      enable_gqa=True, **options,
                      return_aux=flex.AuxRequest(lse=True, max_scores=True))
    expected, lse, largest = attend(q, k, v, score, mask, scale)
    check(o.detach(), expected.detach(), "output", bound)
    check(aux.lse.detach(), lse.detach(), "lse", bound)
    check(aux.max_scores, largest, "max_scores", bound)
    assert o.dtype == q.dtype and aux.lse.dtype == torch.float32
    wanted = [*arrays, *learnt]
    d_o, d_lse = draw(*o.shape, seed=4), draw(*lse.shape, seed=5)
    found = torch.autograd.grad([o, aux.lse], wanted, [d_o.to(o), d_lse])
    its = torch.autograd.grad(
        [expected, torch.where(lse.isfinite(), lse, 0.0)], wanted, [d_o.double(),
                                                                   d_lse.double()])
    for number, (one, other) in enumerate(zip(found, its)):
        check(one, other, f"gradient {number}", 2 * bound)


class Variants(unittest.TestCase):
    def test_all(self):
        """Those of examples/flex_variants.py."""
        for name, case in flex_variants.make_cases(DEVICE).items():
            with self.subTest(name):
                compare(problem(case.rows, case.keys), case.score, case.mask,
                        learnt=case.learnt)

    def test_torch(self):
        """The same example runs by torch's module."""
        torch_flex._FLEX_ATTENTION_DISABLE_COMPILE_DEBUG = True
        cases = flex_variants.make_cases(DEVICE)
        for name in ("documents", "transfusion", "alibi", "padding"):
            case = cases[name]
            q, k, v = [its.detach() for its in problem(case.rows, case.keys)]
            with self.subTest(name), torch.no_grad():
                found = flex_variants.run(flex, case, q, k, v, return_lse=True)
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
        """Rows with gaps, (B, S, H, D) in memory, and columns of one array."""
        whole = draw(2, 53, 3, 4, 32, seed=9).requires_grad_()
        q, k, v = whole.transpose(1, 3).unbind(2)
        gaps = draw(2, 4, 53, 64, seed=8).requires_grad_()
        for arrays in ((q, k, v), (gaps[..., ::2], k, gaps[..., 1::2]),
                       (k, draw(2, 4, 32, 53).mT.requires_grad_(), v)):
            compare(arrays, soft_cap(3.0), causal)

    def test_indices(self):
        """Each of b, h, q and kv in a score function and in a mask."""
        compare(problem(37, 53),
                lambda s, b, h, q, kv: s * (1 + 0.1 * b) + 0.01 * h * q - 0.02 * kv,
                lambda b, h, q, kv: (q + b >= kv) & ((h + kv) % 3 != 0))

    def test_narrow(self):
        for dtype, bound in ((torch.float16, 2e-3), (torch.bfloat16, 1.6e-2)):
            with self.subTest(str(dtype)):
                compare(problem(61, 67, dtype=dtype), soft_cap(3.0), causal, bound=bound)

    def test_captures_read_twice(self):
        """At other indices: the gradient is the sum of both."""
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
        """What torch has under more than one name, and keywords."""
        compare(problem(37, 53), lambda s, b, h, q, kv: torch.nn.functional.silu(s)
                + torch.nn.functional.gelu(s, approximate="tanh")
                + torch.nn.functional.softplus(-s))
        compare(problem(37, 53), None, lambda b, h, q, kv: ((q >> 2) >= (kv >> 3)) | (
            (1 << 3) + kv.clamp(min=3, max=20) < q << 1) | (
            torch.bitwise_right_shift(kv, 4) == 1))


class BlockMasks(unittest.TestCase):
    def test_at_once(self):
        """Creating one calls nothing."""
        def mask(b, h, q, kv):
            raise AssertionError

        made = flex.create_block_mask(mask, 2, 3, 10 ** 6, 10 ** 6, device=DEVICE)
        self.assertEqual(made.shape, (2, 3, 10 ** 6, 10 ** 6))
        self.assertEqual(made.numel(), 6 * 10 ** 12)
        self.assertEqual(made.BLOCK_SIZE, (128, 128))
        self.assertEqual(made.seq_lengths, (10 ** 6, 10 ** 6))
        self.assertIs(made.mask_mod, mask)
        self.assertIsInstance(made, torch_flex.BlockMask)

    def test_lists(self):
        """All attributes are torch's."""
        def mask(b, h, q, kv):
            return (q + 5 * b >= kv) & (kv != 3 * h)

        for block in (16, 64, (32, 16)):
            for has_full in (True, False):
                arguments = (mask, 2, 3, 97, 131, DEVICE, block)
                own = flex.create_block_mask(*arguments, separate_full_blocks=has_full)
                torch_s = torch_flex.create_block_mask(*arguments,
                                                       separate_full_blocks=has_full)
                for name in ("kv_num_blocks", "kv_indices", "full_kv_num_blocks",
                             "full_kv_indices", "q_num_blocks", "q_indices",
                             "full_q_num_blocks", "full_q_indices"):
                    one, other = getattr(own, name), getattr(torch_s, name)
                    self.assertEqual(one is None, other is None)
                    if one is not None:
                        self.assertEqual(one.dtype, other.dtype)
                        self.assertTrue(torch.equal(one, other), name)
                self.assertEqual(str(own), str(torch_s))
                self.assertEqual(repr(own), repr(torch_s))
                self.assertEqual(own.sparsity(), torch_s.sparsity())
                self.assertEqual(own.numel(), torch_s.numel())
                self.assertEqual(own.shape, torch_s.shape)
                self.assertTrue(torch.equal(own.to_dense(), torch_s.to_dense()))
                self.assertTrue(torch.equal(own[1].kv_indices, torch_s[1].kv_indices))
                self.assertEqual(own.to("cpu").kv_indices.device.type, "cpu")
                self.assertEqual(own._adjust(50, 60).shape, (2, 3, 50, 60))

    def test_no_lists(self):
        made = flex.create_block_mask(flex.noop_mask, None, None, 37, 53, device=DEVICE)
        compare(problem(37, 53), None, None, made)

    def test_torch(self):
        """torch's own, of a function, for each batch entry and head."""
        def mask(b, h, q, kv):
            return (q + 5 * b >= kv) & (kv != 3 * h)

        made = torch_flex.create_block_mask(mask, 2, 4, 97, 131, DEVICE, 16)
        for _ in range(2):
            compare(problem(97, 131), soft_cap(3.0), mask, made)

    def blocks(self, batch, heads, down, across):
        generator = torch.Generator().manual_seed(3)
        kinds = torch.randint(0, 3, (batch, heads, down, across), generator=generator)
        kinds[..., 1, :] = 0  # rows with nothing
        return kinds.to(DEVICE)

    def of_kinds(self, kinds, mask_mod, sizes, block, **options):
        def as_list(chosen):
            order = torch.argsort(chosen.int(), dim=-1, descending=True, stable=True).int()
            # What is after a list's end is not looked at.
            after = torch.arange(order.shape[-1], device=DEVICE) >= chosen.sum(
                -1, keepdim=True)
            return chosen.sum(-1).int(), torch.where(after, 77, order).int()

        return torch_flex.BlockMask.from_kv_blocks(
            *as_list(kinds == 1), *as_list(kinds == 2), BLOCK_SIZE=block, mask_mod=mask_mod,
            seq_lengths=sizes, compute_q_blocks=False, **options)

    def test_given_lists(self):
        """Lists that are not those of the function, and lists alone."""
        for mask_mod in (causal, None):
            for batch, heads in ((1, 1), (2, 1), (2, 4)):
                kinds = self.blocks(batch, heads, 7, 5)
                made = self.of_kinds(kinds, mask_mod, (97, 131), (16, 32))

                def expected(b, h, q, kv):
                    kind = kinds[b % batch, h % heads, q // 16, kv // 32]
                    if mask_mod is None:
                        return kind > 0
                    return (kind == 2) | ((kind == 1) & mask_mod(b, h, q, kv))

                with self.subTest(batch=batch, heads=heads, function=mask_mod):
                    compare(problem(97, 131), None, expected, made)

    def test_lists_that_change(self):
        kinds = self.blocks(1, 1, 7, 5)
        made = self.of_kinds(kinds, None, (97, 131), (16, 32))
        q, k, v = problem(97, 131)
        before = flex.flex_attention(q, k, v, block_mask=made, enable_gqa=True)
        made.full_kv_num_blocks.zero_()
        compare((q, k, v), None, lambda b, h, q, kv: kinds[0, 0, q // 16, kv // 32] == 1,
                made)
        with self.assertRaises(AssertionError):
            check(flex.flex_attention(q, k, v, block_mask=made, enable_gqa=True), before)

    def test_inference(self):
        """Lists without a count of changes."""
        with torch.inference_mode():
            kinds = self.blocks(1, 1, 7, 5)
            made = self.of_kinds(kinds, None, (97, 131), (16, 32))
            for _ in range(2):
                q, k, v = [its.detach() for its in problem(97, 131)]
                check(flex.flex_attention(q, k, v, block_mask=made, enable_gqa=True),
                      attend(q, k, v, None, lambda b, h, q, kv: kinds[
                          0, 0, q // 16, kv // 32] > 0)[0])
                kinds[..., 0] = 0
                made.kv_num_blocks.copy_((kinds == 1).sum(-1))
                made.full_kv_num_blocks.copy_((kinds == 2).sum(-1))
                for which, indices in ((1, made.kv_indices), (2, made.full_kv_indices)):
                    indices.copy_(torch.argsort((kinds == which).int(), dim=-1,
                                                descending=True, stable=True))

    def test_index(self):
        """A part of a mask has no function until it is given one."""
        made = flex.create_block_mask(causal, None, None, 96, 131, device=DEVICE,
                                      BLOCK_SIZE=32)
        part = made[:, :, 1]
        q, k, v = problem(32, 131)
        with self.assertRaisesRegex(attn_mlir.Error, "block_mask: expected a mask_mod"):
            flex.flex_attention(q, k, v, block_mask=part, enable_gqa=True)

        def shifted(b, h, q, kv):
            return kv <= q + 32

        part.mask_mod = shifted
        compare((q, k, v), None, shifted, part)

    def test_pages(self):
        """Logical blocks of keys lie in physical pages, in another order."""
        page, length = 16, 90
        pages = torch.tensor([[5, 2, 0, 7, 3, 9], [1, 4, 6, 8, 11, 10]], device=DEVICE)
        logical = torch.full((2, 12), -1, device=DEVICE)
        logical.scatter_(1, pages, torch.arange(6, device=DEVICE).expand(2, 6))
        q, k, v = problem(length, length)
        pool_k, pool_v = (torch.full((1, 2, 12 * page, 32), math.nan, device=DEVICE)
                          for _ in range(2))
        for pool, array in ((pool_k, k), (pool_v, v)):
            pool.zero_()
            for b in range(2):
                for n in range(6):
                    part = array[b, :, n * page:(n + 1) * page].detach()
                    begin = pages[b, n] * page
                    pool[0, :, begin:begin + part.shape[1]] = part

        def physical(b, h, q, kv):
            block = logical[b, kv // page]
            place = block * page + kv % page
            return torch.where((block >= 0) & (place < length), causal(b, h, q, place), False)

        made = torch_flex.create_block_mask(physical, 2, None, length, 12 * page, DEVICE, page)
        lazy = flex.create_block_mask(physical, 2, None, length, 12 * page, DEVICE, page)
        expected = attend(q, k, v, None, causal)[0]
        for mask in (made, lazy):
            found = flex.flex_attention(q, pool_k, pool_v, block_mask=mask, enable_gqa=True)
            check(found, expected)

    def test_torch_pages(self):
        """Masks and scores that torch's paged attention converts."""
        page, lengths = 16, (90, 41)
        pages = PagedAttention(12, page, 2, device=DEVICE)
        for b, length in enumerate(lengths):
            pages.reserve(torch.tensor(b, device=DEVICE), torch.tensor(length, device=DEVICE))
        q, k, v = [its.detach() for its in problem(90, 90)]
        caches = [torch.zeros(1, 2, 12 * page, 32, device=DEVICE) for _ in range(2)]
        for b, length in enumerate(lengths):
            pages.assign(torch.tensor([b], device=DEVICE),
                         torch.arange(length, device=DEVICE)[None], k[b:b + 1, :, :length],
                         v[b:b + 1, :, :length], *caches)
        of_length = torch.tensor(lengths, device=DEVICE)

        def mask(b, h, q, kv):
            return (kv <= q) & (kv < of_length[b])

        def score(s, b, h, q, kv):
            return s - 0.05 * (q - kv)

        expected = attend(q, k, v, score, mask)[0]
        for module in (flex, torch_flex):
            logical = module.create_block_mask(mask, 2, None, 90, 90, DEVICE, page)
            physical = pages.convert_logical_block_mask(logical, kv_len=of_length)
            found = flex.flex_attention(q, *caches, pages.get_score_mod(score, of_length),
                                        physical, enable_gqa=True)
            check(found, expected)

    def test_compositions(self):
        first, second = documents(torch.arange(101, device=DEVICE) // 23, causal), \
            flex_variants.sliding_window(11)
        compare(problem(101, 101), None, flex.and_masks(first, second))
        compare(problem(101, 101), None, flex.or_masks(first, second))
        mask = flex.create_mask(first, 1, 1, 101, 101, device=DEVICE)
        self.assertEqual(tuple(mask.shape), (1, 1, 101, 101))


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
        """Of the largest scores, as torch checks operators."""
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
        """Copies of masks, callable objects, and a checkpoint."""
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
        """What code imports from torch's module besides."""
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
        with self.assertRaisesRegex(attn_mlir.Error, "mask_mod: expected a function of .b, h"):
            make(None, None, 1, 1, mask=lambda s, b, h, q, kv: s)
        with self.assertRaisesRegex(attn_mlir.Error, "mask_mod: expected a function"):
            make(None, None, 1, 1, mask=True)
        with self.assertRaisesRegex(attn_mlir.Error, "Q_LEN: expected an integer"):
            make(None, None, -1, 1)
        with self.assertRaisesRegex(attn_mlir.Error, "BLOCK_SIZE: expected an integer"):
            flex.create_block_mask(causal, 1, 1, 5, 5, device=DEVICE, BLOCK_SIZE=0)

    def test_functions(self):
        """One message, which says what to do."""
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
        self.expect("mask_mod: expected a condition, found a float", block_mask=
                    flex.create_block_mask(lambda b, h, q, kv: q * 0.5, 1, 1, 37, 53, DEVICE))
        meta = draw(4).to("meta")
        self.expect("score_mod: captured array 'meta': expected a tensor.*found.* meta",
                    score_mod=lambda s, b, h, q, kv: s + meta[h])
        double = draw(4).double()
        self.expect("score_mod: captured array 'double': expected dtype",
                    score_mod=lambda s, b, h, q, kv: s + double[h])


if __name__ == "__main__":
    unittest.main()
