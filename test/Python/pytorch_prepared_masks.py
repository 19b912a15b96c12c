# Masks whose summaries are computed before the calls that read them, in PyTorch: in plain calls,
# under torch.compile, with gradients and as attn_mask; on the GPU if there is one, else on the
# CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import torch
from tensors import DEVICE, check, leaves, problem, random_like, reference
from torch.nn.functional import scaled_dot_product_attention

ROWS, KEYS = 150, 203


def blocks(*others):
    generator = torch.Generator().manual_seed(5)
    mask = torch.rand(*others, ROWS, KEYS, generator=generator) < 0.5
    mask[..., :70, :130] = True
    mask[..., 60:, 120:] = False
    mask[..., 100, :] = False
    return mask.to(DEVICE)


def arrays():
    return problem(rows=ROWS, keys=KEYS)


def expected(mask):
    return reference(*arrays(), score=lambda s, *_: torch.where(mask, s, -math.inf)
                     )[0].nan_to_num()


class Prepared(unittest.TestCase):
    def test_gradients(self):
        """Gradients are the same as with the mask itself, also in checkpoints."""
        mask = blocks(4)
        prepared = attn_mlir.prepare_mask(mask)
        self.assertEqual(prepared.device, mask.device)
        results = []
        for its in (mask, prepared):
            def attend(q, k, v):
                return attn_mlir.attention(q, k, v, mask_mod=lambda b, h, q, kv: its[h, q, kv])

            for run in (attend, lambda *leaves: torch.utils.checkpoint.checkpoint(
                    attend, *leaves, use_reentrant=False)):
                q, k, v = leaves(*arrays())
                o = run(q, k, v)
                check(o.detach(), expected(mask))
                results.append(torch.autograd.grad(o, [q, k, v], random_like(o)))
        for found in results[1:]:
            for one, other in zip(found, results[0]):
                torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-5)

    def test_compiled(self):
        mask = attn_mlir.prepare_mask(blocks())

        def kept(b, h, q, kv):
            return mask[q, kv]

        def attend(q, k, v):
            return attn_mlir.torch.attention(q, k, v, mask_mod=kept)

        compiled = torch.compile(attend, fullgraph=True, backend="aot_eager")
        check(compiled(*arrays()), expected(mask.array))
        q, k, v = leaves(*arrays())
        torch.autograd.grad(compiled(q, k, v).sum(), [q, k, v])
        traced = attn_mlir.mask.trace(kept)
        compiled = torch.compile(lambda q, k, v: attn_mlir.torch.attention(
            q, k, v, mask_mod=traced), fullgraph=True, backend="aot_eager")
        check(compiled(*arrays()), expected(mask.array))
        # The summary is an operand of the graph, which relies on it.
        mask.summary.zero_()
        self.assertEqual(compiled(*arrays()).abs().max(), 0)

    def test_changed(self):
        mask = attn_mlir.prepare_mask(blocks())

        def kept(b, h, q, kv):
            return mask[q, kv]

        traced = attn_mlir.mask.trace(kept)
        attn_mlir.attention(*arrays(), mask_mod=kept)
        mask.array[0, 0] = False
        for mask_mod in (kept, traced):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, "^prepared mask: expected the "
                                        "array as it was prepared, found it changed in place"):
                attn_mlir.attention(*arrays(), mask_mod=mask_mod)
        mask = attn_mlir.prepare_mask(mask)
        check(attn_mlir.attention(*arrays(), mask_mod=kept), expected(mask.array))

    def test_inference(self):
        """In inference mode, tensors have no version counter that would show changes."""
        with torch.inference_mode():
            mask = attn_mlir.prepare_mask(blocks())
            check(attn_mlir.attention(*arrays(), mask_mod=lambda b, h, q, kv: mask[q, kv]),
                  expected(mask.array))


class SDPA(unittest.TestCase):
    def test_attn_mask(self):
        for mask in (blocks(), blocks(1, 1), blocks(2, 1), blocks(2, 4), blocks(4),
                     blocks()[:1], blocks()[:, :1]):
            prepared = attn_mlir.prepare_mask(mask.contiguous())
            whole = mask.expand(2, 4, ROWS, KEYS)
            with self.subTest(tuple(mask.shape)):
                with attn_mlir.torch.sdpa(strict=True) as mode:
                    found = scaled_dot_product_attention(*arrays(), attn_mask=prepared)
                self.assertEqual((mode.served, mode.passed_on), (1, 0))
                check(found, expected(whole))
        prepared = attn_mlir.prepare_mask(blocks())
        prepared.summary.zero_()
        with attn_mlir.torch.sdpa(strict=True):
            self.assertEqual(
                scaled_dot_product_attention(*arrays(), attn_mask=prepared).abs().max(), 0)

    def test_without_the_mode(self):
        """PyTorch's scaled_dot_product_attention takes the mask's array, also if the mode passes a
        call on to it."""
        prepared = attn_mlir.prepare_mask(torch.ones(ROWS, KEYS, dtype=torch.bool,
                                                     device=DEVICE).tril())
        q, k, v = arrays()
        expected = scaled_dot_product_attention(q, k, v, attn_mask=prepared.array)
        torch.testing.assert_close(
            scaled_dot_product_attention(q, k, v, attn_mask=prepared), expected)
        with attn_mlir.torch.sdpa() as mode:
            found = scaled_dot_product_attention(q.double(), k.double(), v.double(),
                                                 attn_mask=prepared)
        self.assertEqual((mode.served, mode.passed_on), (0, 1))
        torch.testing.assert_close(found.float(), expected)

    def test_changed(self):
        prepared = attn_mlir.prepare_mask(blocks())
        prepared.array.zero_()
        with attn_mlir.torch.sdpa(strict=True):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, "^attn_mask: expected the array"):
                scaled_dot_product_attention(*arrays(), attn_mask=prepared)


class Errors(unittest.TestCase):
    def test_arguments(self):
        for mask, text in ((torch.ones(8, 8), "^mask: expected booleans or integers"),
                           (torch.ones(8, 8, dtype=torch.complex64), "^mask: expected dtype"),
                           (torch.ones(8, dtype=torch.bool), "^mask: expected rank 2 or more")):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, text):
                attn_mlir.prepare_mask(mask.to(DEVICE))

    @unittest.skipIf(DEVICE == "cpu", "no other device")
    def test_device(self):
        mask = attn_mlir.prepare_mask(torch.ones(ROWS, KEYS, dtype=torch.bool))
        with self.assertRaisesRegex(attn_mlir.Error, "'mask': expected an array on GPU 0.* found "
                                    "one on the CPU"):
            attn_mlir.attention(*arrays(), mask_mod=lambda b, h, q, kv: mask[q, kv])


if __name__ == "__main__":
    unittest.main()
