# Score and mask functions that change numbers, and rows of captured arrays, in place.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import operator
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import numpy
import torch
from score_reference import D, H, K, Q, S, T, V, compiled, reference

TABLE, OTHER = torch.randn(H, T), torch.randn(H, T)
STACK = torch.randn(3, H, T)


def second_name(s, h, i, j):
    t = s
    t *= 3
    t -= 0.5
    return s + 0.5 * t


def operators(s, h, i, j):
    operator.iadd(s, 2.0)
    operator.imul(s, s)
    s /= 2
    s **= 2
    return s


def methods(s, h, i, j):
    s.add_(1).mul_(s)
    s.masked_fill_(i > j, -3.0)
    t = s.clone().zero_()
    t.copy_(TABLE[h, j])
    t.tanh_()
    return s + t.fill_(2) * t


def positions(s, h, i, j):
    k, own = j, abs(j)
    k += 1
    k //= 2
    own *= 3
    return s * 0.1 * j + own


def conditions(s, h, i, j):
    c = (i > 2) | (s > 90)
    c &= j < 5
    c |= j == 8
    c ^= i == 3
    s += c
    return torch.where(c, s, -s)


def copies(s, h, i, j):
    """None of these is a second name of `s` or `j`."""
    for t in (s + 0, s * 1, s.to(torch.float64), s.double(), torch.where(i >= 0, s, s),
              torch.maximum(s, s), s.clone(), s.to(torch.float32, copy=True)):
        t *= 5
    for k in (j + 0, j * 1, torch.relu(j), j.long()):
        k *= 4
    return s + 0.1 * j


def names(s, h, i, j):
    """All of these are."""
    for t in (+s, s.to(torch.float32), s.float(), s):
        t *= 1.5
    for k in (j.int(), +j):
        k += 2
    return s + 0.1 * j


def rounded(s, h, i, j):
    """Numbers of 16 bits, whose arithmetic rounds to them."""
    t = s.half()
    u = t.half()
    t *= 3.125
    t += s
    x = torch.tanh(s.bfloat16()).clamp(-0.25, 0.75) - 0.5 * j
    return u + torch.where(i > j, t * t, -t) + x.float() * 1.5 + s.half() * s


def row(s, h, i, j):
    r = TABLE[h]
    t = r
    t *= 2
    t += 1
    return s * r[j] + TABLE[h, j]


def rows(s, h, i, j):
    r = torch.tanh(TABLE[h]) * OTHER[h] - 2 * TABLE[h].abs()
    r.exp_()
    return s + (-r)[j] + torch.maximum(r, OTHER[1])[j]


def index_changes(s, h, i, j):
    n = h * 1
    r = TABLE[n]
    n *= 0
    return s + r[j]


def row_of_rows(s, h, i, j):
    r = STACK[i % 3]
    r *= 2
    x = r[h]
    x += r[1]
    return s + x[j] + r[h, j]


def filled(s, h, i, j):
    r, x = TABLE[h], STACK[1 + 0 * h, h]
    (+r).copy_(OTHER[h]).mul_(x)
    return s + r[j] + x.zero_()[j]


def dots(s, h, i, j):
    r = TABLE[h]
    r *= 0.5
    return s + torch.dot(r, OTHER[h]) * j


FUNCTIONS = (second_name, operators, methods, positions, conditions, copies, names, rounded, row,
             rows, index_changes, row_of_rows, filled, dots)
ERRORS = {
    "expected a result of int for a traced int that is changed in place, found one of float":
        lambda s, h, i, j: s + operator.iadd(j, 0.5),
    "expected a result of bool for a traced bool that is changed in place, found one of int":
        lambda s, h, i, j: s + operator.iadd(i > 2, 3),
    r"expected rows of sizes \(11,\) alone beside its rows, found \(3,\)":
        lambda s, h, i, j: s + (TABLE[h] + torch.ones(3))[j],
    "expected no branch on a row of a captured array":
        lambda s, h, i, j: s if TABLE[h] > 0 else 0,
    "expected 2 indices, as the array has dimensions, found 1":
        lambda s, h, i, j: s + TABLE[h],
    "expected 3 indices, as the array has dimensions, found 2":
        lambda s, h, i, j: s + (STACK[h] * 2)[0],
}


def change_element(s, h, i, j):
    r = TABLE[h]
    x = r[1]
    x *= 2
    return s + r[j]


def change_row_of_part(s, h, i, j):
    r = TABLE[h]
    x = r[1]
    r *= 2
    return s + x + r[j]


class InPlace(unittest.TestCase):
    def check(self, call, functions=FUNCTIONS):
        for function in functions:
            with self.subTest(function.__name__):
                found = call(Q, K, V, score_mod=lambda s, b, h, i, j: function(s, h, i, j))
                torch.testing.assert_close(found, reference(function), atol=3e-5, rtol=3e-5)

    def test_eager(self):
        self.check(attn_mlir.attention)

    def test_compiled(self):
        self.check(compiled, (methods, conditions, copies, rounded, rows, index_changes,
                              row_of_rows))

    def test_dtypes(self):
        def function(s, b, h, i, j):
            t = s.half()
            self.assertEqual((t.dtype, (t * 2).dtype, (t + s).dtype, t.float().dtype, s.dtype),
                             (torch.float16,) * 2 + (torch.float32,) * 3)
            self.assertEqual((t + s.bfloat16()).dtype, torch.float32)
            self.assertIs(t.to(torch.float16), t)
            self.assertIsNot(t.to(torch.bfloat16), t)
            return s
        attn_mlir.attention(Q, K, V, score_mod=function)

    def test_captured_arrays_stay(self):
        before = TABLE.clone()
        attn_mlir.attention(Q, K, V, score_mod=lambda s, b, h, i, j: row(s, h, i, j))
        self.assertTrue(torch.equal(TABLE, before))

    def test_masks(self):
        def mask(b, h, i, j):
            keep = i >= j
            other = keep
            other &= j > 2
            j += 1
            return keep | (j == 1)
        i, j = torch.arange(S)[:, None], torch.arange(T)
        keep = ((i >= j) & (j > 2)) | (j == 0)
        scores = (Q @ K.mT / D**0.5).masked_fill(~keep, -torch.inf)
        torch.testing.assert_close(attn_mlir.attention(Q, K, V, mask_mod=mask),
                                   torch.softmax(scores, -1) @ V, atol=2e-5, rtol=2e-5)

    def test_gradients(self):
        table = TABLE.clone().requires_grad_()
        wanted = TABLE.clone().requires_grad_()

        def function(s, b, h, i, j):
            r = table[h]
            r *= 2
            s += r[j]
            return s
        attn_mlir.attention(Q, K, V, score_mod=function).sum().backward()
        (torch.softmax(Q @ K.mT / D**0.5 + 2 * wanted[:, None], -1) @ V).sum().backward()
        torch.testing.assert_close(table.grad, wanted.grad, atol=2e-5, rtol=2e-5)

    def test_arrays_of_numpy(self):
        table, other = TABLE.numpy(), OTHER.numpy()
        rows = {
            lambda h: other[1] * table[h]: OTHER[1] * TABLE,
            lambda h: numpy.maximum(table[h], other[h]): torch.maximum(TABLE, OTHER),
            lambda h: numpy.where(table[h] > 0, numpy.tanh(table[h]), other[h]):
                torch.where(TABLE > 0, TABLE.tanh(), OTHER)}
        for number, (function, bias) in enumerate(rows.items()):
            with self.subTest(number):
                found = attn_mlir.attention(
                    *[x.numpy() for x in (Q, K, V)],
                    score_mod=lambda s, b, h, i, j: s + function(h)[j])
                wanted = torch.softmax(Q @ K.mT / D**0.5 + bias[:, None], -1) @ V
                torch.testing.assert_close(torch.from_numpy(found), wanted, atol=2e-5, rtol=2e-5)

    def test_parts(self):
        """In torch, these have the same elements as the row. A change is an error."""
        for function in (change_element, change_row_of_part):
            with self.subTest(function.__name__), self.assertRaisesRegex(
                    attn_mlir.Error, r"expected no change in place .* change a copy \(clone\)"):
                attn_mlir.attention(Q, K, V, score_mod=lambda s, b, h, i, j: function(s, h, i, j))

    def test_errors(self):
        for message, function in ERRORS.items():
            with self.subTest(message), self.assertRaisesRegex(attn_mlir.Error, message):
                attn_mlir.attention(Q, K, V, score_mod=lambda s, b, h, i, j: function(s, h, i, j))


if __name__ == "__main__":
    unittest.main()
