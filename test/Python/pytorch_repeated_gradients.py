# Calls with gradients in PyTorch that repeat an earlier call's layouts, which are made without its
# checks; on the GPU if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import gc
import os
import random
import sys
import unittest
import weakref

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import torch
from attn_mlir import _operators, _torch_calls
from tensors import DEVICE, check, leaves, problem, random_like, recorded, reference

CU = torch.tensor([0, 7, 40], dtype=torch.int32, device=DEVICE)


def packed(q, k, v):
    return [its[0].transpose(0, 1).contiguous() for its in (q, k[:, :, :40], v[:, :, :40])]


def of_packed(q, k, v):
    """Each sequence of packed arrays by itself."""
    parts = [reference(*[its[begin:end].transpose(0, 1)[None] for its in (q, k, v)])
             for begin, end in ((0, 7), (7, 40))]
    return torch.cat([o[0].transpose(0, 1) for o, _ in parts])


class Repeated(unittest.TestCase):
    def check_repeats(self, ours, plain, make, count):
        """Checks output and gradients of calls on new tensors. Calls after the first one, with
        other tensors of its layouts, are not made by the functions that check arguments. The
        gradients of the second call are the last ones that are."""
        with recorded(_torch_calls, "check_operands") as calls, recorded(
                _operators, "differentiate") as differentiated:
            for _ in range(4):
                tensors = leaves(*[its * random.uniform(0.5, 2) for its in make()])
                o = ours(*tensors)
                self.assertIsInstance(o, torch.Tensor)
                d_o = random_like(o)
                found = torch.autograd.grad(o, tensors, d_o)
                wide = leaves(*[its.detach().double() for its in tensors])
                wanted = plain(*wide)
                check(o, wanted)
                for its, own in zip(found, torch.autograd.grad(wanted, wide, d_o.double()),
                                    strict=True):
                    check(its, own)
        self.assertEqual((len(found), len(calls), len(differentiated)), (count, 1, 2))

    def test_values(self):
        self.check_repeats(lambda *its: attn_mlir.attention(*its, scale=0.31),
                           lambda *its: reference(*its, scale=0.31)[0], problem, 3)

    def test_values_of_captured_arrays(self):
        def ours(q, k, v, bias):
            return attn_mlir.attention(q, k, v, score_mod=lambda s, b, h, i, j: s - bias[h, i, j])

        def plain(q, k, v, bias):
            return reference(q, k, v, score=lambda s, b, h, i, j: s - bias[None])[0]

        self.check_repeats(ours, plain, lambda: (*problem(), torch.randn(4, 40, 50, device=DEVICE)),
                           4)

    def test_values_of_packed_sequences(self):
        self.check_repeats(lambda *its: attn_mlir.varlen(*its, CU, scale=32**-0.5), of_packed,
                           lambda: packed(*problem(batch=1)), 3)

    def test_other_calls(self):
        """Calls that differ in what requires a gradient, in options or in layouts are not taken for
        each other."""
        q, k, v = problem()
        for number in range(3):
            for wanted in ((True, False, False), (False, True, True), (True, True, True)):
                tensors = [its.clone().requires_grad_(needs)
                           for its, needs in zip((q, k, v), wanted)]
                for options, scale in (({}, None), ({"scale": 0.5}, 0.5), ({"causal": True}, None)):
                    o, lse = attn_mlir.attention(*tensors, return_lse=True, **options)
                    self.assertTrue(o.requires_grad and lse.requires_grad)
                    o2 = attn_mlir.attention(*tensors, **options)
                    torch.testing.assert_close(o2, o, rtol=0, atol=0)
                    inputs = [its for its in tensors if its.requires_grad]
                    wide = [its.detach().double().requires_grad_(its.requires_grad)
                            for its in tensors]
                    mask = None if not options.get("causal") else (
                        lambda s, b, h, i, j: torch.where(j <= i, s, -torch.inf))
                    expected = reference(*wide, scale=scale, score=mask)
                    d_o, d_lse = random_like(o), random_like(lse)
                    found = torch.autograd.grad([o, lse], inputs, [d_o, d_lse])
                    own = torch.autograd.grad(expected, [its for its in wide if its.requires_grad],
                                              [d_o.double(), d_lse.double()])
                    for its, right in zip(found, own, strict=True):
                        check(its, right)
                    with torch.no_grad():
                        self.assertFalse(attn_mlir.attention(*tensors, **options).requires_grad)
                self.assertFalse(attn_mlir.attention(*[its.detach() for its in tensors])
                                 .requires_grad)

    def test_other_gradients(self):
        """Known gradients are not taken for those of other layouts, of another set of results, or
        of tensors that are the same."""
        q, k, v = problem(rows=50)
        d_o, d_lse = random_like(q), random_like(q[..., 0])
        cases = [
            (q, k, v, d_o, None), (q, k, v, d_o[:, :, :1].expand_as(q), None),
            (q, k, v, d_o.mT.contiguous().mT, None), (q, k, v, None, d_lse),
            (q, k, v, d_o, d_lse), (q, q, v, d_o, None), (q, q, q, d_o, None),
            (k, q, v, d_o, None)]
        for _ in range(4):
            for *arrays, d_o, d_lse in cases:
                same = {}
                tensors = [same.setdefault(id(its), its.clone().requires_grad_())
                           for its in arrays]
                unique = list(same.values())
                wide = dict(zip(same, leaves(*[its.double() for its in unique])))
                results = attn_mlir.attention(*tensors, return_lse=True)
                expected = reference(*[wide[id(its)] for its in arrays])
                pairs = [its for its in zip(results, expected, (d_o, d_lse)) if its[2] is not None]
                outs, wanted, given = zip(*pairs)
                found = torch.autograd.grad(outs, unique, given, allow_unused=True)
                right = torch.autograd.grad(wanted, list(wide.values()),
                                            [its.double() for its in given], allow_unused=True)
                for its, own in zip(found, right, strict=True):
                    # Only the lse of a call has a gradient of no value.
                    check(its, torch.zeros_like(its).double() if own is None else own)

    def test_deterministic(self):
        """A known call follows torch's switch, which chooses other kernels."""
        tensors = leaves(*problem())
        expected = None
        for number in range(8):
            torch.use_deterministic_algorithms(number % 2 == 1)
            try:
                with recorded(_operators, "differentiate") as slow:
                    o = attn_mlir.attention(*tensors, scale=0.21)
                    found = torch.autograd.grad(o, tensors, random_like(o))
            finally:
                torch.use_deterministic_algorithms(False)
            self.assertEqual(len(slow), number < 3)
            for its, own in zip(found, expected or found, strict=True):
                torch.testing.assert_close(its, own, atol=1e-5, rtol=1e-5)
            expected = found

    def test_second_derivatives(self):
        q, k, v = problem(rows=5, keys=6)
        for _ in range(2):
            tensors, wide = leaves(q, k, v), leaves(*[its.double() for its in (q, k, v)])
            found, expected = [], []
            for function, inputs, results in (
                    (attn_mlir.attention, tensors, found),
                    (lambda *its: reference(*its)[0], wide, expected)):
                gradients = torch.autograd.grad(function(*inputs).sin().sum(), inputs,
                                                create_graph=True)
                results += torch.autograd.grad(sum([its.square().sum() for its in gradients]),
                                               inputs)
            for its, own in zip(found, expected, strict=True):
                check(its, own)

    def test_errors(self):
        """A repeated call still refuses what the first one would have refused."""
        q, k, v = leaves(*problem())
        for _ in range(3):
            attn_mlir.attention(q, k, v)
        for name, value in (("out", torch.empty_like(q)), ("stream", 0)):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, f"{name}: expected None where"):
                attn_mlir.attention(q, k, v, **{name: value})
        o = attn_mlir.attention(q, k, v)
        with torch.no_grad():
            k.add_(1)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            o.sum().backward()
        scale = torch.full((), float("nan"), device=DEVICE)
        for _ in range(2):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, "k_scale"):
                attn_mlir.attention(q, k.detach(), v.detach(), k_scale=scale, check=True)

    def test_copies(self):
        """Arrays of which the first call makes copies, since their rows have gaps."""
        q, k, v = leaves(*problem())
        sink = torch.randn(4, 2, device=DEVICE, requires_grad=True)
        for _ in range(3):
            with_gaps, = torch.autograd.grad(
                attn_mlir.attention(q, k, v, sink=sink[:, 0]).sum(), [sink])
            expected, = torch.autograd.grad(
                attn_mlir.attention(q, k, v, sink=sink[:, 0].contiguous()).sum(), [sink])
            torch.testing.assert_close(with_gaps, expected)
        tensors = leaves(*packed(*problem(batch=1)))
        strided = [its.detach().mT.contiguous().mT.requires_grad_() for its in tensors]
        for _ in range(3):
            found, expected = (torch.autograd.grad(attn_mlir.varlen(*its, CU).sin().sum(), its)
                               for its in (strided, tensors))
            for its, own in zip(found, expected, strict=True):
                torch.testing.assert_close(its, own)

    def test_modes_and_checkpoints(self):
        q, k, v = leaves(*problem())
        first, = torch.autograd.grad(attn_mlir.attention(q, k, v).sum(), [q])
        for _ in range(2):
            o = torch.utils.checkpoint.checkpoint(attn_mlir.attention, q, k, v,
                                                  use_reentrant=False)
            again, = torch.autograd.grad(o.sum(), [q])
            torch.testing.assert_close(again, first)
        from torch.utils.flop_counter import FlopCounterMode
        with FlopCounterMode(display=False) as counter:
            attn_mlir.attention(q, k, v)
        self.assertGreater(counter.get_total_flops(), 0)
        jacobian = torch.autograd.functional.jacobian(
            lambda its: attn_mlir.attention(its, k, v)[0, 0, :2, 0], q, vectorize=True)
        wide = [its.detach().double() for its in (q, k, v)]
        expected = torch.autograd.functional.jacobian(
            lambda its: reference(its, *wide[1:])[0][0, 0, :2, 0], wide[0])
        check(jacobian, expected)

    def test_nothing_is_kept(self):
        q, k, v = leaves(*problem())
        bias = torch.randn(4, 40, 50, device=DEVICE, requires_grad=True)
        alive = [weakref.ref(its) for its in (q, k, v, bias)]
        o = attn_mlir.attention(q, k, v, score_mod=lambda s, b, h, i, j: s + bias[h, i, j])
        o.sum().backward()
        del q, k, v, bias, o
        gc.collect()
        self.assertEqual([its() for its in alive], [None] * 4)


if __name__ == "__main__":
    unittest.main()
