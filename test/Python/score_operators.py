# Operators of traced numbers and rows beside tensors, on either side, and in place.
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
import torch
from score_reference import H, K, Q, S, T, V, compiled, reference

TABLE, OTHER = (torch.rand(H, T) + 0.5 for _ in range(2))
ROW, NUMBER, ONE, WHOLE = OTHER[1].clone(), torch.tensor(0.7), torch.tensor([1.3]), torch.tensor(2)
SUMS = operator.add, operator.sub, operator.mul
QUOTIENTS = operator.truediv, operator.floordiv, operator.mod, operator.pow
COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
BITS = (operator.and_, operator.or_, operator.xor)
IN_PLACE = (operator.iadd, operator.isub, operator.imul, operator.itruediv)
FUNCTIONS = (torch.clamp_, torch.exp_, torch.neg_, torch.relu_, torch.sqrt_,
             torch.nn.functional.relu_)


def as_number(x, j):
    """Returns an element of a row, or 1 for a condition that holds."""
    x = x[j] if tuple(x.shape) == (T,) else x[0] if tuple(x.shape) == (1,) else x
    return torch.where(x, 1.0, 0.0) if x.dtype == torch.bool else x


def beside_tensors(operators):
    def function(s, h, i, j):
        x, total = s.abs() + 0.5, s
        for op in operators:
            total = total + as_number(op(x, NUMBER), j) - as_number(op(NUMBER, x), j) / 2
            total = total + as_number(op(j + 1, WHOLE), j) + as_number(op(x, ONE), j)
            total = total + as_number(op(ROW, TABLE[h]), j) - as_number(op(TABLE[h], ROW), j) / 2
        return total
    return function


def bits(s, h, i, j):
    for op in BITS:
        s = s + op(WHOLE, j) - op(i, WHOLE) / 2
    return s


def in_place(s, h, i, j):
    """Each change is one of a second name, too."""
    total = s
    for op in IN_PLACE:
        for own, tensor in ((s.clone(), NUMBER), (s.clone(), WHOLE), (TABLE[h].clone(), ROW),
                            (TABLE[h].clone(), NUMBER), (TABLE[h, j].clone(), WHOLE)):
            second = own
            own = op(own, tensor)
            total = total + as_number(second, j) + as_number(own, j) / 2
    k = j.clone()
    second = k
    k -= WHOLE
    k *= WHOLE
    return total + second


def methods(s, h, i, j):
    for function in FUNCTIONS:
        own = s.abs() * 0.5 + 0.1
        function(own, *((-0.3, 0.3) if function is torch.clamp_ else ()))
        s = s + own
    return s


CASES = (beside_tensors(SUMS), beside_tensors(QUOTIENTS), beside_tensors(COMPARISONS), bits,
         in_place, methods)


class Operators(unittest.TestCase):
    def check(self, call):
        for number, function in enumerate(CASES):
            with self.subTest(number):
                found = call(Q, K, V, score_mod=lambda s, b, h, i, j: function(s, h, i, j))
                torch.testing.assert_close(found, reference(function), atol=3e-5, rtol=3e-5)

    def test_eager(self):
        self.check(attn_mlir.attention)

    def test_compiled(self):
        self.check(compiled)

    def test_symbols(self):
        """Sizes that torch.compile represents by symbols, beside numbers of 16 bits, too."""
        def call(q):
            return attn_mlir.torch.attention(q, K, V, score_mod=lambda s, b, h, i, j: (
                s.half() * 2 - q.shape[2]).float() + i * q.shape[2])
        torch._dynamo.reset()
        of_symbols = torch.compile(call, backend="eager", fullgraph=True, dynamic=True)
        for rows in (S, S - 1, S - 2):
            q = Q[:, :, :rows]
            torch.testing.assert_close(of_symbols(q), call(q), atol=1e-6, rtol=1e-6)


if __name__ == "__main__":
    unittest.main()
