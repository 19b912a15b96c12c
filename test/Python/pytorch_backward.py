# Gradients in PyTorch by autograd, against fp64; on the GPU if there is one, else on the
# CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import tensor_gradients
import torch
from attn_mlir import _attention, _gradients
from tensor_gradients import window_mask
from tensors import (DEVICE, causal, leaves, problem, random_like, recorded, reference,
                     soft_cap)


class Values(unittest.TestCase):
    def compare(self, arrays, attention=attn_mlir.attention, score=None, has_lse=False,
                **options):
        q, k, v = leaves(*arrays)
        o, lse = attention(q, k, v, return_lse=True, **options)
        self.assertTrue(o.requires_grad and lse.requires_grad)
        d_o, d_lse = random_like(o), random_like(lse)
        outputs, gradients = ([o, lse], [d_o, d_lse]) if has_lse else ([o], [d_o])
        found = torch.autograd.grad(outputs, [q, k, v], gradients)
        tensor_gradients.check(found, q, k, v, d_o, d_lse if has_lse else None,
                               options.get("scale"), score)
        return found

    def test_oracle(self):
        """The formulas for gradients of the test agree with PyTorch's autograd."""
        arrays = leaves(*(x.double() for x in problem(kv_heads=2)))
        o, lse = reference(*arrays, score=soft_cap)
        d_o, d_lse = random_like(o), random_like(lse)
        expected = torch.autograd.grad([o, lse], arrays, [d_o, d_lse])
        found, _ = tensor_gradients.formulas(
            *(x.detach() for x in (*arrays, o, lse)), d_o, d_lse, 32 ** -0.5, soft_cap,
            torch.float64)
        torch.testing.assert_close(found, list(expected), atol=1e-10, rtol=1e-10)

    def test_dtypes(self):
        for dtype in (torch.float16, torch.bfloat16, torch.float32):
            for kv_heads in (4, 2):
                arrays = problem(kv_heads=kv_heads, dtype=dtype)
                found = self.compare(arrays, score=causal, causal=True)
                self.assertEqual([x.stride() for x in found], [x.stride() for x in arrays])
                self.compare(arrays, scale=0.3, has_lse=True)

    def test_masks(self):
        shift = 50 - 40
        for options, mask in (
                ({"causal": "bottom_right"}, window_mask(causal=True, shift=shift)),
                ({"window": (5, 3)}, window_mask(5, 3)),
                ({"window": (7, None), "causal": "bottom_right"},
                 window_mask(7, causal=True, shift=shift))):
            with self.subTest(options):
                self.compare(problem(), score=mask, has_lse=True, **options)
        # The first 30 rows attend to no key.
        q, k, v = problem(rows=50, keys=20)
        found = self.compare((q, k, v), score=window_mask(causal=True, shift=-30),
                             causal="bottom_right")
        self.assertFalse(found[0][:, :, :30].any())

    def test_score_mod(self):
        self.compare(problem(), score=soft_cap, score_mod=soft_cap, has_lse=True)

    def test_saturated_scores(self):
        """Score functions whose values are finite, although exponentials within them overflow."""
        q, k, v = problem()
        def gumbel(s, b, h, i, j):
            return torch.exp(-torch.exp(-s))

        def root(s, b, h, i, j):
            return torch.rsqrt(1 + torch.exp(-2 * s))

        # The second function, where given, is an equal one whose derivative PyTorch computes
        # without overflow.
        for function, stable in (
                (lambda s, b, h, i, j: torch.sigmoid(s), None),
                (lambda s, b, h, i, j: 0.01 * s / (1 + torch.exp(-s)),
                 lambda s, b, h, i, j: 0.01 * torch.nn.functional.silu(s)),
                (lambda s, b, h, i, j: 1 - 2 / (torch.exp(2 * s) + 1),
                 lambda s, b, h, i, j: torch.tanh(s)),
                (gumbel, lambda s, *at: gumbel(torch.clamp(s, min=-20), *at)),
                (root, lambda s, *at: root(torch.clamp(s, min=-40), *at))):
            self.compare((q * 40, k * 10, v), score=stable or function, score_mod=function)

    def test_large_scores(self):
        """With scores of up to 4e6, a row's probability is all at its maximum. Forward and backward
        pass must therefore round scores and lse in the same way."""
        for options, kept in (({}, None), ({"causal": True}, torch.ones(70, 70).tril()),
                              ({"sink": torch.ones(4)}, None)):
            for head_dim, factor in ((64, 300), (48, 950), (33, 950)):
                q, k = (factor * x.cpu() for x in problem(
                    rows=70, keys=70, kv_heads=2, dim=head_dim)[:2])
                v = torch.randn(1, 2, 70, 20, generator=torch.Generator().manual_seed(1))
                v = v.expand(q.shape[0], -1, -1, -1).clone().requires_grad_()
                found, = torch.autograd.grad(
                    attn_mlir.attention(q, k, v, **options).sum(), v)
                s = (q.double() / head_dim ** 0.5) @ k.double().repeat_interleave(2, 1).mT
                if kept is not None:
                    s = s.masked_fill(kept == 0, -torch.inf)
                p = torch.softmax(s, -1)
                if "sink" in options:
                    p = p * (s.amax(-1, keepdim=True) > 1e3)
                expected = p.sum(-2).unflatten(1, (2, 2)).sum(2)[..., None].expand_as(found)
                torch.testing.assert_close(found.double(), expected, atol=1e-3, rtol=1e-4)

    def test_tables(self):
        """A captured table with two dimensions, which are both read at computed indices, and
        neither at b nor at h."""
        q, k, v = problem(batch=1)
        table = torch.randn(7, 8, device=DEVICE, requires_grad=True)
        o = attn_mlir.attention(
            q, k, v, score_mod=lambda s, b, h, i, j: s + table[i // 6, j // 7])
        d_o = random_like(o)
        found, = torch.autograd.grad(o, table, d_o)
        exact = table.detach().double().requires_grad_()
        i, j = (torch.arange(n, device=DEVICE) for n in (40, 50))
        s = q.double() @ k.double().mT * 32 ** -0.5 + exact[i[:, None] // 6, j // 7]
        expected, = torch.autograd.grad(torch.softmax(s, -1) @ v.double(), exact,
                                        d_o.double())
        torch.testing.assert_close(found.double(), expected, atol=1e-4, rtol=1e-4)

    def check_capture(self, arrays, table, function):
        """Compares the gradients of a captured array, and of the query, with autograd's."""
        def differentiate(q, k, v, table, attend):
            q, table = (its.detach().requires_grad_() for its in (q, table))
            o = attend(q, k.detach(), v.detach(), lambda *at: function(*at, table))
            return torch.autograd.grad(o.square().sum(), [table, q])

        def exact(q, k, v, score):
            at = [torch.arange(n, device=DEVICE).reshape([-1 if n_ == dim else 1
                                                          for n_ in range(4)])
                  for dim, n in enumerate((*q.shape[:3], k.shape[2]))]
            s = torch.broadcast_tensors(q @ k.mT * q.shape[3] ** -0.5, *at)
            return torch.softmax(score(*s), -1) @ v

        found = differentiate(*arrays, table, lambda q, k, v, score: attn_mlir.attention(
            q, k, v, score_mod=score))
        expected = differentiate(*[its.double() for its in (*arrays, table)], exact)
        for its, wanted in zip(found, expected):
            torch.testing.assert_close(its.double(), wanted, atol=1e-4, rtol=1e-4)

    def test_indices_of_positions(self):
        """Computed indices that the compiler finds to be positions, and positions that occur
        twice."""
        for sizes, at in (((4, 5), lambda h, i, j: (h, h * 1)), ((6,), lambda h, i, j: (h // 1,)),
                          ((50,), lambda h, i, j: (i - i + j,))):
            with self.subTest(sizes):
                self.check_capture(problem(batch=1), torch.randn(sizes, device=DEVICE),
                                   lambda s, b, h, i, j, t: s * t[at(h, i, j)])

    def test_kinks(self):
        """Derivatives where functions have none are torch's. Half of the scores are 0."""
        q, k, v = problem(batch=1)
        k[:, :, ::2] = 0
        slopes = torch.tensor([0.0, 1.0, 2.0, 1.5], device=DEVICE)

        def bends(s, b, h, i, j, t):
            x = torch.relu(s) + 2 * torch.clamp(s, min=0.0) + 4 * torch.clamp(s, -1, 0)
            return t[h] * (x + 8 * torch.maximum(s, 0 * s) + 16 * torch.abs(s)) / 16

        def powers(s, b, h, i, j, t):
            return torch.abs(s) ** t[h] + (s ** 0 + i % 2 * s ** 0.0) * 0.1 * j

        for function in (bends, powers):
            self.check_capture((q, k, v), slopes, function)

    def test_empty(self):
        for batch, rows, keys in ((0, 5, 7), (2, 0, 7), (2, 5, 0), (2, 0, 0)):
            q, k, v = leaves(*problem(batch=batch, rows=rows, keys=keys))
            for options in ({}, {"causal": "bottom_right",
                                 "mask_mod": lambda b, h, i, j: i != j}):
                o, lse = attn_mlir.attention(q, k, v, return_lse=True, **options)
                found = torch.autograd.grad([o, lse], [q, k, v], [o, torch.ones_like(lse)])
                for its, array in zip(found, (q, k, v)):
                    self.assertEqual(its.shape, array.shape)
                    self.assertFalse(its.any())

    def test_views(self):
        q, k, v = problem()
        packed = torch.randn(2, 40, 3, 4, 32, generator=torch.Generator().manual_seed(1))
        packed = packed.to(DEVICE).requires_grad_()
        arrays = packed.permute(2, 0, 3, 1, 4)
        o = attn_mlir.attention(*arrays, causal=True)
        d_o = random_like(o)
        found, = torch.autograd.grad(o, packed, d_o)
        tensor_gradients.check(found.permute(2, 0, 3, 1, 4), *arrays.detach(), d_o,
                               score=causal)
        # The gradient of an array that is broadcast is a sum.
        narrow = k[:1].detach().clone().requires_grad_()
        o = attn_mlir.attention(q, narrow.expand(2, -1, -1, -1), v)
        found, = torch.autograd.grad(o, narrow, random_like(o))
        expected, _ = tensor_gradients.exact(q, k[:1].expand(2, -1, -1, -1), v,
                                             random_like(o))
        torch.testing.assert_close(found.double(), expected[1].sum(0, keepdim=True),
                                   atol=1e-4, rtol=1e-4)

    def test_gradients_of_any_strides(self):
        """The gradient d_o of a sum has a stride of 0 in all dimensions."""
        q, k, v = leaves(*problem())
        attn_mlir.attention(q, k, v).sum().backward()
        tensor_gradients.check([x.grad for x in (q, k, v)], q, k, v,
                               torch.ones_like(v[:, :, :40]))
        q.grad = None
        _, lse = attn_mlir.attention(q, k, v, return_lse=True)
        lse.sum().backward()
        tensor_gradients.check([q.grad], q, k, v, torch.zeros_like(v[:, :, :40]),
                               torch.ones_like(lse))
        q.grad = None
        d_o = random_like(v[:, :, :40]).mT.contiguous().mT
        attn_mlir.attention(q, k, v).backward(d_o)
        tensor_gradients.check([q.grad], q, k, v, d_o)

    def test_operator_without_lse(self):
        q, k, v = leaves(*problem())
        o = torch.ops.attn_mlir.attention(q, k, v, None, "top_left", None, None,
                                          "top_left", "", "", [], None, 0.0, None)
        d_o = random_like(o)
        tensor_gradients.check(torch.autograd.grad(o, [q, k, v], d_o), q, k, v, d_o,
                               score=causal)

    def test_gradcheck(self):
        q, k, v = leaves(*problem(batch=1, heads=2, kv_heads=1, rows=5, keys=7, dim=4))
        for options in ({}, {"causal": "bottom_right"}, {"score_mod": soft_cap}):
            def function(*arrays):
                return attn_mlir.attention(*arrays, return_lse=True, **options)

            torch.use_deterministic_algorithms(True, warn_only=True)
            try:
                self.assertTrue(torch.autograd.gradcheck(
                    function, (q, k, v), eps=1e-2, atol=2e-2, rtol=2e-2))
            finally:
                torch.use_deterministic_algorithms(False)


class Requests(unittest.TestCase):
    """Only gradients and results that are asked for are computed."""

    def test_mixed(self):
        arrays = problem()
        for wanted in range(1, 8):
            q, k, v = (x.clone().requires_grad_(bool(wanted >> n & 1))
                       for n, x in enumerate(arrays))
            o = attn_mlir.attention(q, k, v, causal=True)
            d_o = random_like(o)
            with recorded(_gradients, "attention_backward") as calls:
                o.backward(d_o)
            names = [name for n, name in enumerate(("query", "key", "value"))
                     if wanted >> n & 1]
            self.assertEqual([call["wrt"] for call in calls], [names])
            tensor_gradients.check([x.grad for x in (q, k, v)], q, k, v, d_o, score=causal)

    def test_none(self):
        q, k, v = problem()
        find = _attention.calls.find
        with mock.patch.object(_attention.calls, "find", side_effect=find) as calls:
            _attention.calls.clear()  # else Python is not asked
            attn_mlir.torch.attention(q, k, v)
            _attention.calls.clear()
            with torch.no_grad():
                o = attn_mlir.torch.attention(*leaves(q, k, v))
        self.assertFalse(o.requires_grad)
        # The fifth option says whether the lse is returned.
        self.assertEqual({call.args[1][4] for call in calls.call_args_list}, {False})
        self.assertGreaterEqual(calls.call_count, 2)

    def test_deterministic(self):
        for is_set in (False, True):
            q, k, v = leaves(*problem(dim=24 + 8 * is_set))  # a kernel of its own
            torch.use_deterministic_algorithms(is_set)
            try:
                with recorded(_gradients, "backward_text") as calls:
                    attn_mlir.attention(q, k, v, scale=0.5).sum().backward()
            finally:
                torch.use_deterministic_algorithms(False)
            self.assertEqual([call["deterministic"] for call in calls], [is_set])

    def test_explicit(self):
        q, k, v = problem()
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        d_o = random_like(o)
        out = torch.empty_like(k, dtype=torch.float32)
        found, = attn_mlir.attention_backward(q, k, v, o, lse, d_o, wrt="key", out=(out,))
        self.assertIs(found, out)
        tensor_gradients.check([None, found], q, k, v, d_o)

    def test_second_derivative(self):
        """Derivatives of attention_backward itself regard the output and the lse as functions of
        query, key and value."""
        q, k, v = leaves(*problem())
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        d_o = o.detach().cos()
        first, = torch.autograd.grad(o, q, d_o, create_graph=True)
        found, = attn_mlir.attention_backward(q, k, v, o, lse, d_o, wrt="query")
        torch.testing.assert_close(found, first)
        scores = (q @ k.transpose(2, 3)) / q.shape[3] ** 0.5
        plain, = torch.autograd.grad(scores.softmax(3) @ v, q, d_o, create_graph=True)
        for its in (first, found):
            for array in (q, k, v):
                torch.testing.assert_close(
                    torch.autograd.grad(its.sum(), array, retain_graph=True)[0],
                    torch.autograd.grad(plain.sum(), array, retain_graph=True)[0],
                    atol=1e-4, rtol=1e-3)

    def test_second_derivative_wraps(self):
        """Integers of a score function have 32 bits, in second derivatives, too."""
        q, k, v = leaves(*problem())

        def wrapped(x):
            return (x + 2 ** 31) % 2 ** 32 - 2 ** 31

        o = attn_mlir.attention(q, k, v, score_mod=lambda s, b, h, i, j:
                                s * ((i * 65537 + 1) * (j * 65537 + 1) % 7))
        i, j = (torch.arange(n, device=DEVICE) for n in (q.shape[2], k.shape[2]))
        product = wrapped((i[:, None] * 65537 + 1) * (j * 65537 + 1))
        scores = q @ k.transpose(2, 3) / q.shape[3] ** 0.5 * (product % 7)
        plain = scores.softmax(3) @ v
        torch.testing.assert_close(o, plain, atol=1e-4, rtol=1e-3)
        found, expected = (torch.autograd.grad(
            torch.autograd.grad(its, q, o.detach().cos(), create_graph=True)[0].sum(),
            (q, k, v)) for its in (o, plain))
        for its, right in zip(found, expected):
            torch.testing.assert_close(its, right, atol=1e-3, rtol=1e-3)

    def test_second_derivative_beside_poles(self):
        """Second derivatives are finite and right if a score function computes the logarithm of a
        negative number, and a mask or torch.where discards the result."""
        q, k, v = leaves(*(its[:1, :2, :6] for its in problem()))
        slopes, = leaves(torch.rand(2, device=DEVICE) + 1)
        i, j = (torch.arange(6, device=DEVICE).view(sizes) for sizes in ((6, 1), (1, 6)))
        distance = torch.where(i >= j, i - j + 1, 1).float()
        scores = q @ k.transpose(2, 3) / q.shape[3] ** 0.5
        bent = scores - slopes.view(1, 2, 1, 1) * torch.log(distance)

        def bend(s, b, h, i, j):
            return s - slopes[h] * torch.log(i - j + 1.0)

        def attend(other=None, **options):
            return attn_mlir.attention(q, k, v, score_mod=bend if other is None else lambda *its: (
                torch.where(its[3] >= its[4], bend(*its), other(its[0]))), **options)

        below = torch.where(i >= j, bent, -torch.inf)
        for found, right in ((attend(causal=True), below), (attend(lambda s: -torch.inf), below),
                             (attend(lambda s: 2 * s), torch.where(i >= j, bent, 2 * scores))):
            found, right = (torch.autograd.grad(sum(its.sin().sum() for its in torch.autograd.grad(
                its.cos().sum(), (q, slopes), create_graph=True)), (q, k, v, slopes),
                retain_graph=True)
                for its in (found, right.softmax(3) @ v))
            for its, its_right in zip(found, right):
                torch.testing.assert_close(its, its_right, atol=1e-3, rtol=1e-3)


class Errors(unittest.TestCase):
    def expect(self, text, function, *arrays, error=attn_mlir.ArgumentError, **options):
        with self.assertRaisesRegex(error, text):
            function(*arrays, **options)

    def test_arguments(self):
        q, k, v = leaves(*problem())
        none = "expected None where tensors require gradients"
        self.expect("^out: " + none, attn_mlir.attention, q, k, v, out=torch.empty_like(q))
        self.expect("^stream: " + none, attn_mlir.attention, q, k, v, stream=1)
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        self.expect("^out: " + none, attn_mlir.attention_backward, q, k, v, o, lse, o,
                    out=(q, k, v))
        self.expect("^causal: expected False, True", attn_mlir.attention, q, k, v,
                    causal=None)
        self.expect("^window: expected", attn_mlir.attention, q, k, v, window=3)
        self.expect("^scale: expected a finite number", attn_mlir.attention, q, k, v,
                    scale="1")
        self.expect("^k: expected dtype f32 or f8E4M3FN or f8E5M2 or i8 or i4, found f16",
                    attn_mlir.attention, q, k.half(), v)
        one, cu = torch.zeros((), device=DEVICE), torch.zeros(2, dtype=torch.int32, device=DEVICE)
        packed = q[0].transpose(0, 1)
        self.expect("^k: expected a tensor, found None", attn_mlir.attention, q, None, v)
        self.expect("^k: expected rank 4", attn_mlir.attention, q, one, v)
        self.expect("^sink: expected rank 1", attn_mlir.attention, q, k, v, sink=one)
        self.expect("^v: expected a tensor, found None", attn_mlir.varlen, packed, packed, None, cu)
        self.expect("^v: expected rank 3", attn_mlir.varlen, packed, packed, one, cu)
        if DEVICE == "cpu":
            arrays = [x.detach().numpy() for x in (q, k, v)]
            self.expect("^v: expected a tensor, as others require gradients, found ndarray",
                        attn_mlir.attention, q, k, arrays[2])
            self.expect("^v: expected a tensor that requires no gradient",
                        attn_mlir.attention, arrays[0], arrays[1], v)
        with torch.no_grad():
            self.expect("^d_key: expected memory of its own .* d_value has",
                        attn_mlir.attention_backward, q, k, v, o, lse, o,
                        out=(torch.empty_like(q), *[torch.empty_like(k)] * 2))
            self.expect("^lse: expected size .* in dimension 2 .Sq., as query has", attn_mlir.attention_backward,
                        q, k, v, o, lse[:, :, 1:], o)
            self.expect("^d_output: expected dtype f32, found f16",
                        attn_mlir.attention_backward, q, k, v, o, lse, o.half())


if __name__ == "__main__":
    unittest.main()
