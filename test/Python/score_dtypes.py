# Dtypes in functions on NumPy's arrays and on tensors: integers of 8 and 16 bits wrap around, also
# in masks, and conversions to floats of 16 bits round.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python %s

import unittest

import attn_mlir
import attn_mlir.torch
import numpy as np
import torch

torch.manual_seed(0)
S, T, D = 9, 11, 8
Q, K, V = (torch.randn(1, 2, size, D) for size in (S, T, T))
I8 = torch.tensor([-128, 127, 100, -100, 3, 60, -7, 99, 50, -1, 80], dtype=torch.int8)
I16 = torch.tensor([-2**15, 2**15 - 1, 300, -20000, 9, 77, 30000, 1, -5, 12345, -9999],
                   dtype=torch.int16)
N8, N16 = I8.numpy(), I16.numpy()

INTEGERS = {
    "sum": lambda x, y, i, j: x[i] + x[j],
    "sum with a number": lambda x, y, i, j: x[i] + 100,
    "sum with a position": lambda x, y, i, j: x[i] + j,
    "product": lambda x, y, i, j: x[i] * x[j],
    "two widths": lambda x, y, i, j: x[i] * y[j],
    "difference": lambda x, y, i, j: y[i] - y[j],
    "negation": lambda x, y, i, j: -x[i],
    "absolute value": lambda x, y, i, j: abs(x[j]),
    "quotient": lambda x, y, i, j: x[i] // -1 + x[j] // 3,
    "remainder": lambda x, y, i, j: x[i] % -7 + x[j] % 5,
    "power": lambda x, y, i, j: x[i] ** 2 + x[j] ** 3,
    "clamp": lambda x, y, i, j: x[i].clip(-20, 100) * 2,
    "shifts": lambda x, y, i, j: (x[i] << 2) + (x[j] >> 1),
    "bits": lambda x, y, i, j: ((x[i] ^ x[j]) + (x[i] & x[j])) * 3,
    "not": lambda x, y, i, j: ~x[i] + x[j],
}


def reference(score):
    s = (Q @ K.mT / D**0.5).double()
    i, j = torch.arange(S, dtype=torch.int32)[:, None], torch.arange(T, dtype=torch.int32)
    return torch.softmax(s + score(s, i, j), -1).float() @ V


class Dtypes(unittest.TestCase):
    def check(self, name, function, wanted=None, **options):
        wanted = reference(lambda s, i, j: (wanted or function)(s, i, j))
        with self.subTest(name):
            torch.testing.assert_close(
                attn_mlir.attention(Q, K, V, score_mod=lambda s, b, h, i, j: s + function(
                    s, i, j), **options), wanted, atol=2e-5, rtol=2e-5)

    def test_integers(self):
        for name, of in INTEGERS.items():
            self.check(name, lambda s, i, j: of(I8, I16, i, j) / 100)
        for name, function in (
                ("where", lambda s, i, j: (torch.where(i > j, I8[i], I8[j]) + I8[j]) / 100),
                ("maximum", lambda s, i, j: (torch.maximum(I8[i], I8[j]) + I8[j]) / 100),
                ("int", lambda s, i, j: (I8[i].int() + I8[j].int()) / 100),
                ("long", lambda s, i, j: (I8[i].to(torch.int64) * I8[j].to(torch.int64)) / 1e4)):
            self.check(name, function)

    def test_numpy(self):
        def of_numpy(of, i, j):
            return torch.tensor(of(N8, N16, i.numpy(), j.numpy()))

        for name, of in INTEGERS.items():
            self.check(name, lambda s, i, j: of(N8, N16, i, j) / 100,
                       lambda s, i, j: of_numpy(of, i, j) / 100)

    def test_mask(self):
        def keeps(b, h, i, j):
            return I8[i] + I8[j] < 50

        s = Q @ K.mT / D**0.5
        kept = keeps(0, 0, torch.arange(S)[:, None], torch.arange(T))
        for call in (attn_mlir.attention, torch.compile(attn_mlir.torch.attention,
                                                        backend="eager")):
            torch.testing.assert_close(
                call(Q, K, V, mask_mod=keeps),
                torch.softmax(s.masked_fill(~kept, -torch.inf), -1) @ V, atol=2e-5, rtol=2e-5)

    def test_floats(self):
        for name, function in (
                ("half", lambda s, i, j: (s * 1000).half().float() / 1000),
                ("bfloat16", lambda s, i, j: s.bfloat16().float()),
                ("to", lambda s, i, j: (s * 300).to(torch.float16).to(torch.float32) / 300)):
            self.check(name, lambda s, i, j: function(s.float(), i, j))

    def test_second_derivative(self):
        """A quotient that is rounded down has the derivative 0, also in second derivatives."""
        found = []
        for call in (lambda q: attn_mlir.attention(
                q, K, V, score_mod=lambda s, b, h, i, j: s + s // 0.7 + (s.bfloat16() * 2)),
                     lambda q: torch.softmax(
                         (s := q @ K.mT / D**0.5) + torch.floor(s / 0.7)
                         + s.bfloat16().float() * 2, -1) @ V):
            q = Q.clone().requires_grad_()
            first, = torch.autograd.grad(call(q).sin().sum(), q, create_graph=True)
            found.append((first.detach(), *torch.autograd.grad((first ** 2).sum(), q)))
        for own, wanted in zip(*found):
            torch.testing.assert_close(own, wanted, atol=5e-2, rtol=5e-2)

    def test_dtype(self):
        dtypes = []

        def score(s, b, h, i, j):
            dtypes.extend([I8[i].dtype, (I8[i] + I16[j]).dtype, (I8[i] + j).dtype,
                           (I8[i] + 1).dtype, (I8[i] + 1.5).dtype])
            return s

        attn_mlir.score.trace(score)
        self.assertEqual(dtypes, [torch.int8, torch.int16, torch.int32, torch.int8,
                                  torch.float32])


if __name__ == "__main__":
    unittest.main()
