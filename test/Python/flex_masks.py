# FlexAttention's masks of functions, of lists of blocks and of both, and pages; on the GPU if
# there is one, else on the CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import inspect
import itertools
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
from flex_reference import DEVICE, attend, check, compare, problem
from flex_variants import causal, documents, soft_cap
from torch.nn.attention import flex_attention as torch_flex
from torch.nn.attention.experimental._paged_attention import PagedAttention

# The names of the options that this torch's function accepts. Torch 2.15 accepts all that these
# tests look for.
OPTIONS = inspect.signature(torch_flex.create_block_mask).parameters


def listed(mask, kind):
    """Returns the batch entry, the head and the two numbers of each block in a mask's list."""
    counts, indices = (getattr(mask, f"{kind}_{its}") for its in ("num_blocks", "indices"))
    return [(*at, int(its)) for at in itertools.product(*map(range, counts.shape))
            for its in indices[at][:counts[at]]]


class BlockMasks(unittest.TestCase):
    def test_at_once(self):
        """Creating a block mask does not call the mask function."""
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
        """All attributes of a block mask are equal to those of PyTorch's."""
        def mask(b, h, q, kv):
            return (q + 5 * b >= kv) & (kv != 3 * h)

        for block in (16, 64, (32, 16)):
            for has_full in (True, False):
                arguments = (mask, 2, 3, 97, 131, DEVICE, block)
                own = flex.create_block_mask(*arguments, separate_full_blocks=has_full)
                if "separate_full_blocks" in OPTIONS:
                    torch_s = torch_flex.create_block_mask(*arguments,
                                                           separate_full_blocks=has_full)
                elif has_full:
                    torch_s = torch_flex.create_block_mask(*arguments)
                else:
                    self.assertIsNone(own.full_kv_num_blocks)
                    continue
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

    def test_adjusted(self):
        """Of fewer rows and keys, also where blocks reach past the last ones, and with one more."""
        def mask(b, h, q, kv):
            return q + 64 * b >= kv

        for block in (128, 64, (64, 32)):
            for sizes in ((192, 320), (200, 100), (499, 500), (64, 64)):
                whole = torch_flex.create_block_mask(mask, 2, None, 500, 500, DEVICE, block)
                own = flex.create_block_mask(mask, 2, None, 500, 500, DEVICE, block)._adjust(*sizes)
                self.assertEqual(own.shape, (2, 1, *sizes))
                block_rows, block_keys = own.BLOCK_SIZE
                for kind in ("", "full_"):
                    expected = [(b, h, i, j) for b, h, i, j in listed(whole, kind + "kv")
                                if i * block_rows < sizes[0] and j * block_keys < sizes[1]]
                    self.assertEqual(listed(own, kind + "kv"), expected)
                    self.assertEqual(listed(own, kind + "q"), sorted(
                        [(b, h, j, i) for b, h, i, j in expected]))
        own = flex.create_block_mask(mask, 2, None, 500, 500, DEVICE, 64)._adjust(501, 500)
        whole = torch_flex.create_block_mask(mask, 2, None, 501, 500, DEVICE, 64)
        self.assertTrue(torch.equal(own.kv_num_blocks, whole.kv_num_blocks))

    @unittest.skipUnless("dq_kv_order" in OPTIONS, "torch has no write order")
    def test_write_order(self):
        mask = lambda b, h, q, kv: q >= kv
        for order in (False, True):
            for change in (lambda its: its, lambda its: its.to(DEVICE), lambda its: its[:, :, 1],
                           lambda its: its._adjust(100, 200)):
                own, its = (change(module.create_block_mask(
                    mask, 2, 3, 300, 260, DEVICE, (64, 32), compute_dq_write_order=True,
                    dq_kv_order=order)) for module in (flex, torch_flex))
                self.assertEqual(own.dq_kv_order_spt, order)
                for name in ("dq_write_order", "dq_write_order_full"):
                    self.assertTrue(torch.equal(getattr(own, name), getattr(its, name)))
        with self.assertRaisesRegex(attn_mlir.Error, "dq_kv_order: expected a bool, found int"):
            flex.create_block_mask(mask, 2, 3, 300, 260, DEVICE, dq_kv_order=1)

    def test_no_functions(self):
        """Compositions of no functions, whose lists and masks of all pairs torch's vmap makes."""
        for name, kept in (("and_masks", 1.0), ("or_masks", 0.0)):
            mask = getattr(flex, name)()
            self.assertEqual(float(flex.create_mask(mask, 1, 1, 5, 6, DEVICE).float().mean()), kept)
            made = flex.create_block_mask(mask, None, None, 37, 53, DEVICE, (37, 53))
            self.assertEqual(made.sparsity(), 100 * (1 - kept))
            compare(problem(37, 53), None, mask, made)

    def test_integers(self):
        with self.assertRaisesRegex(attn_mlir.Error, "expected a function that returns booleans"):
            flex.create_block_mask(lambda b, h, q, kv: q - kv, 1, 1, 8, 8, DEVICE).sparsity()

    def test_no_lists(self):
        made = flex.create_block_mask(flex.noop_mask, None, None, 37, 53, device=DEVICE)
        compare(problem(37, 53), None, None, made)

    def test_torch(self):
        """The call accepts PyTorch's block masks, here one that depends on batch entry and head."""
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
            # Entries after a list's end must not be read, so they are no numbers of blocks.
            after = torch.arange(order.shape[-1], device=DEVICE) >= chosen.sum(
                -1, keepdim=True)
            return chosen.sum(-1).int(), torch.where(after, 77, order).int()

        return torch_flex.BlockMask.from_kv_blocks(
            *as_list(kinds == 1), *as_list(kinds == 2), BLOCK_SIZE=block, mask_mod=mask_mod,
            seq_lengths=sizes, compute_q_blocks=False, **options)

    def test_given_lists(self):
        """Lists of blocks that do not follow from the mask function, and lists without a
        function."""
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
        compare((q, k, v), None, lambda b, h, q, kv: kinds[0, 0][q // 16, kv // 32] == 1,
                made)
        with self.assertRaises(AssertionError):
            check(flex.flex_attention(q, k, v, block_mask=made, enable_gqa=True), before)

    def test_inference(self):
        """In inference mode, tensors of lists have no version counter that would show changes."""
        with torch.inference_mode():
            kinds = self.blocks(1, 1, 7, 5)
            made = self.of_kinds(kinds, None, (97, 131), (16, 32))
            for _ in range(2):
                q, k, v = [its.detach() for its in problem(97, 131)]
                check(flex.flex_attention(q, k, v, block_mask=made, enable_gqa=True),
                      attend(q, k, v, None, lambda b, h, q, kv: kinds[
                          0, 0][q // 16, kv // 32] > 0)[0])
                kinds[..., 0] = 0
                made.kv_num_blocks.copy_((kinds == 1).sum(-1))
                made.full_kv_num_blocks.copy_((kinds == 2).sum(-1))
                for which, indices in ((1, made.kv_indices), (2, made.full_kv_indices)):
                    indices.copy_(torch.argsort((kinds == which).int(), dim=-1,
                                                descending=True, stable=True))

    def test_index(self):
        """A slice of a block mask has no mask function until one is assigned."""
        def shifted(b, h, q, kv):
            return kv <= q + 32

        for module in (flex, torch_flex):
            made = module.create_block_mask(causal, None, None, 96, 131, device=DEVICE,
                                            BLOCK_SIZE=32)
            for index, rows in ((1, 32), (slice(1, None), 64)):
                part = made[:, :, index]
                q, k, v = problem(rows, 131)
                with self.assertRaisesRegex(attn_mlir.Error, "block_mask: expected a mask_mod"):
                    flex.flex_attention(q, k, v, block_mask=part, enable_gqa=True)
                part.mask_mod = shifted
                compare((q, k, v), None, shifted, part)
                with self.assertRaisesRegex(attn_mlir.Error, f"found {rows} rows and 131 keys"):
                    flex.flex_attention(*problem(96, 131), block_mask=part, enable_gqa=True)

    def test_pages(self):
        """The blocks of a sequence's keys are in pages of a pool, in another order."""
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
        """The call accepts masks and score functions that PyTorch's PagedAttention converts."""
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


if __name__ == "__main__":
    unittest.main()
