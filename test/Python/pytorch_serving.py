# attn_mlir.merge and attn_mlir.append in PyTorch, by themselves and under torch.compile; on
# the GPU if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import serving
import torch
import torch.autograd.forward_ad as forward_ad
from tensor_serving import check_append, check_merge, merge_reference, states, to_tensors
from tensors import DEVICE, compiled, problem, random_like

DTYPES = (torch.float32, torch.float16, torch.bfloat16)


class Merge(unittest.TestCase):
    def test_numbers(self):
        for dtype, count in zip(DTYPES, (2, 1, 3)):
            own = states(count, dtype, DEVICE)
            sink = torch.tensor([0.5, -torch.inf, 2], device=DEVICE)
            for its in (None, sink):
                expected = merge_reference(own, its)
                check_merge(attn_mlir.merge(own, sink=its), expected, dtype)
                check_merge(compiled(attn_mlir.torch.merge)(own, sink=its), expected, dtype)

    def test_known_layouts(self):
        """Known calls with other numbers, and other calls between them."""
        for turn in range(3):
            for count in (2, 3):
                own = [(o * (turn + 1), lse - turn)
                       for o, lse in states(count, torch.float32, DEVICE)]
                expected = merge_reference(own)
                check_merge(attn_mlir.merge(own), expected, torch.float32)
                out = torch.full_like(own[0][0], torch.nan)
                self.assertIs(attn_mlir.merge(own, return_lse=False, out=out), out)
                torch.testing.assert_close(out.double(), expected[0], atol=2e-5, rtol=2e-5)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "stream: expected a CUDA"):
            attn_mlir.merge(own, stream="0")
        with self.assertRaisesRegex(attn_mlir.ArgumentError, r"out: .* memory of its own"):
            attn_mlir.merge(own, return_lse=False, out=own[0][0])

    def gradients(self, merge, dtype, sink):
        arrays = [its.requires_grad_() for pair in states(3, dtype, DEVICE) for its in pair]
        pairs = list(zip(arrays[::2], arrays[1::2]))
        wanted = [*arrays, *([] if sink is None else [sink])]
        o, lse = merge(pairs, sink=sink)
        d_o, d_lse = random_like(o), random_like(lse)
        # The lse of rows without keys has no derivative.
        d_lse = torch.where(lse == -torch.inf, 0.0, d_lse)
        found = torch.autograd.grad([o, lse], wanted, [d_o, d_lse])
        expected, expected_lse = merge_reference(pairs, sink)
        check_merge((o.detach(), lse.detach()), (expected.detach(), expected_lse.detach()),
                    dtype)
        expected = torch.autograd.grad([expected, expected_lse], wanted,
                                       [d_o.double(), d_lse.double()])
        tolerance = {torch.float32: 1e-4, torch.float16: 2e-2}[dtype]
        for its, own in zip(found, expected):
            torch.testing.assert_close(its.double(), torch.nan_to_num(own.double()),
                                       atol=tolerance, rtol=tolerance)
        alone = torch.autograd.grad(merge(pairs, sink=sink, return_lse=False), wanted[:1], d_o)
        self.assertEqual(alone[0].shape, arrays[0].shape)

    def test_gradients(self):
        for dtype in (torch.float32, torch.float16):
            for merge in (attn_mlir.merge, attn_mlir.torch.merge,
                          compiled(attn_mlir.torch.merge)):
                for sink in (None, torch.tensor([0.5, -1, 2], device=DEVICE)):
                    self.gradients(merge, dtype, None if sink is None
                                   else sink.requires_grad_())

    def test_infinite_sinks(self):
        """Where all states are empty, sinks that are not finite count as none, also for gradients
        and tangents."""
        o = torch.randn(2, 3, 5, 16, device=DEVICE, requires_grad=True)
        lse = torch.full((2, 3, 5), -torch.inf, device=DEVICE, requires_grad=True)
        sink = torch.tensor([torch.inf, torch.nan, 0.5], device=DEVICE, requires_grad=True)
        found = attn_mlir.merge([(o, lse)], sink=sink)
        self.assertTrue((found[0] == 0).all() and torch.isneginf(found[1][:, :2]).all())
        self.assertTrue((found[1][:, 2] == 0.5).all())
        weights = torch.tensor([0.0, 0.0, 1.0], device=DEVICE)[:, None].expand(2, 3, 5)
        gradients = torch.autograd.grad(found, [o, lse, sink], [torch.ones_like(o), weights])
        for its, expected in zip(gradients, (0.0, 0.0, torch.tensor([0.0, 0.0, 10.0]))):
            self.assertTrue((its.cpu() == expected).all())
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(sink.detach(), torch.ones_like(sink))
            found = attn_mlir.merge([(o.detach() * torch.nan, lse.detach())], sink=dual)
            tangents = [forward_ad.unpack_dual(its).tangent for its in found]
        self.assertTrue((tangents[0] == 0).all() and (tangents[1] == weights).all())

    def test_parts_of_attention(self):
        """Attention over parts of the keys, merged, has the same gradients as attention over all
        keys."""
        arrays = [its.requires_grad_() for its in problem()]
        q, k, v = arrays
        o = attn_mlir.attention(q, k, v)
        parts = [attn_mlir.attention(q, k[:, :, part], v[:, :, part], return_lse=True)
                 for part in (slice(0, 17), slice(17, None))]
        merged = attn_mlir.merge(parts, return_lse=False)
        torch.testing.assert_close(merged, o, atol=2e-5, rtol=2e-5)
        d_o = random_like(o)
        for found, expected in zip(torch.autograd.grad(merged, arrays, d_o),
                                   torch.autograd.grad(o, arrays, d_o)):
            torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)

    def test_operator(self):
        own = [(torch.nan_to_num(o), lse) for o, lse in states(2, torch.float32, DEVICE)]
        arguments = [o for o, _ in own], [lse for _, lse in own], None
        torch.library.opcheck(torch.ops.attn_mlir.merge, arguments)

    def test_errors(self):
        (o, lse), = states(1, torch.float32, DEVICE)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^out: expected None where"):
            attn_mlir.merge([(o.requires_grad_(), lse)], out=(o, lse))
        with self.assertRaisesRegex(attn_mlir.ArgumentError, r"^states\[0\]: lse: expected"):
            attn_mlir.merge([(o.detach(), lse.half())])


class Append(unittest.TestCase):
    def test_numbers(self):
        for number, case in enumerate(list(serving.cases())[::3]):
            check_append(case, DEVICE, DTYPES[number % 3])

    def test_known_layouts(self):
        """Each step on the same cache continues from the lengths that the step before has
        written."""
        k, v, q = (torch.randn(2, heads, 12, 32, device=DEVICE) for heads in (2, 2, 4))
        cos, sin = torch.ones(40, 16, device=DEVICE), torch.zeros(40, 16, device=DEVICE)
        caches = [torch.full((2, 2, 40, 32), torch.nan, device=DEVICE) for _ in "kv"]
        lengths = torch.tensor([3, 5], dtype=torch.int32, device=DEVICE)
        for step in range(0, 12, 2):
            new = [its[:, :, step:step + 2] for its in (k, v)]
            if step % 4:
                self.assertIsNone(attn_mlir.append(*new, *caches, lengths))
                continue
            own = q[:, :, step:step + 2]
            turned = attn_mlir.append(*new, *caches, lengths, q=own, cos=cos, sin=sin)
            torch.testing.assert_close(turned, own)
            out = torch.full_like(own, torch.nan)
            lengths -= 2
            self.assertIs(attn_mlir.append(*new, *caches, lengths, q=own, cos=cos, sin=sin,
                                           out=out), out)
            torch.testing.assert_close(out, own)
        with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                    "k_cache: expected memory of its own .*v_cache"):
            attn_mlir.append(*new, caches[0], caches[0], lengths)
        self.assertEqual(lengths.tolist(), [15, 17])
        for cache, its in zip(caches, (k, v)):
            for entry, first in enumerate((3, 5)):
                torch.testing.assert_close(cache[entry, :, first:first + 12], its[entry])
                self.assertTrue(cache[entry, :, first + 12:].isnan().all())

    def test_compiled(self):
        def append(**problem):
            return attn_mlir.torch.append(**problem)

        with torch.no_grad():
            for case in list(serving.cases())[1::13]:
                check_append(case, DEVICE, torch.float16, compiled(append))

    def test_step(self):
        """In a compiled step of decoding, attention reads the tokens that append has written before
        it."""
        @compiled
        def step(q, k, v, k_cache, v_cache, lengths):
            attn_mlir.torch.append(k, v, k_cache, v_cache, lengths)
            old = attn_mlir.torch.attention(q, k_cache[:, :, :20], v_cache[:, :, :20],
                                            return_lse=True)
            new = attn_mlir.torch.attention(q, k_cache[:, :, 20:24], v_cache[:, :, 20:24],
                                            return_lse=True)
            return attn_mlir.torch.merge([old, new], return_lse=False), lengths + 1

        q, k, v = problem(rows=1, keys=24, dim=32)
        caches = [torch.full((2, 4, 40, 32), torch.nan, device=DEVICE) for _ in "kv"]
        lengths = torch.tensor([20, 20], dtype=torch.int32, device=DEVICE)
        for cache, its in zip(caches, (k, v)):
            cache[:, :, :20] = its[:, :, :20]
        o, more = step(q, k[:, :, 20:], v[:, :, 20:], *caches, lengths)
        self.assertEqual((lengths.tolist(), more.tolist()), ([24, 24], [25, 25]))
        torch.testing.assert_close(o, attn_mlir.attention(q, k, v), atol=2e-5, rtol=2e-5)
        for cache in caches:
            self.assertTrue(cache[:, :, 24:].isnan().all())

    def test_operators(self):
        case = {**next(serving.cases()), "rotary": (1.0, False), "page": 7}
        for name in ("append", "append_query"):
            own = to_tensors(serving.problem(**case), DEVICE, torch.float32)
            rest = [own.get(its) for its in ("k_cache", "v_cache", "lengths", "page_table",
                                             "counts", "cos", "sin")]
            query = [own["q"]] if name == "append_query" else []
            torch.library.opcheck(getattr(torch.ops.attn_mlir, name),
                                  (own["k"], own["v"], *query, *rest, False))

    def test_errors(self):
        own = to_tensors(serving.problem(**next(serving.cases())), DEVICE, torch.float32)
        own["v"].requires_grad_()
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^v: expected a tensor that "
                                    "requires no gradient here"):
            attn_mlir.append(**own)
        with torch.no_grad():
            attn_mlir.append(**own)
        with self.assertRaisesRegex(Exception, "v: expected a tensor that requires no "):
            compiled(attn_mlir.torch.append)(**own)


if __name__ == "__main__":
    unittest.main()
