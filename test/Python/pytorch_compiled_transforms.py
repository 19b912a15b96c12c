# Derivatives of torch.func within graphs of torch.compile.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import unittest

import attn_mlir.flex
import attn_mlir.torch as am
import torch
from torch.func import grad, grad_and_value, jacrev, vjp

torch.manual_seed(0)
Q, K, V = (torch.randn(2, 2, 9, 8) for _ in range(3))
BIAS, SLOPES, SINK = torch.randn(2, 9, 9), torch.randn(2), torch.randn(2)
CU = torch.tensor([0, 5, 5, 9], dtype=torch.int32)


def square(result):
    return (result ** 2).sum()


def biased(q, bias):
    """Reads the array at two places, of which each has a gradient of its own."""
    return square(am.attention(
        q, K, V, score_mod=lambda s, b, h, i, j: s + bias[h, i, j] * bias[h, j, i]))


def varlen(x):
    return square(am.varlen(Q[0].transpose(0, 1).contiguous(), x, x, CU, CU))


CASES = {
    "grad": lambda: grad(lambda *its: square(am.attention(*its)), argnums=(0, 1, 2))(Q, K, V),
    "value": lambda: grad_and_value(lambda q: square(am.attention(q, K, V, causal=True)))(Q),
    "vjp": lambda: vjp(am.attention, Q, K, V)[1](Q),
    "jacrev": lambda: jacrev(lambda k: am.attention(Q, k, V)[0, 0, 0])(K),
    "one array": lambda: grad(lambda x: square(am.attention(x, x, x)))(Q),
    "captured": lambda: grad(biased, argnums=(0, 1))(Q, BIAS),
    "sink": lambda: grad(lambda sink: square(am.attention(Q, K, V, sink=sink)))(SINK),
    "lse": lambda: grad(lambda q: am.attention(q, K, V, return_lse=True)[1].sum())(Q),
    "dropout": lambda: grad(
        lambda v: square(am.attention(Q, K, v, dropout_p=0.3, seed=(1, 2))))(V),
    "varlen": lambda: grad(varlen)(K[0].transpose(0, 1).contiguous()),
    "merge": lambda: grad(lambda q: square(am.merge([am.attention(
        q, K[:, :, part], V[:, :, part], return_lse=True)
        for part in (slice(0, 4), slice(4, 9))])[0]))(Q),
    "flex": lambda: grad(lambda q: square(attn_mlir.flex.flex_attention(
        q, K, V, score_mod=lambda s, b, h, i, j: torch.tanh(s) * SLOPES[h])))(Q),
    "two": lambda: [grad(lambda x: square(am.attention(x, K, V)))(its) for its in (Q, K)],
}


def loss(q):
    return square(am.attention(q, K, V))


class Compiled(unittest.TestCase):
    def test_same(self):
        for name, call in CASES.items():
            with self.subTest(name):
                torch._dynamo.reset()
                found = torch.compile(call, backend="aot_eager", fullgraph=True)()
                torch.testing.assert_close(found, call(), atol=1e-5, rtol=1e-5)

    def test_backward_outside(self):
        """A derivative by autograd needs no transform."""
        q = Q.clone().requires_grad_()
        torch.compile(loss, backend="aot_eager", fullgraph=True)(q).backward()
        torch.testing.assert_close(q.grad, grad(loss)(Q), atol=1e-5, rtol=1e-5)

    def test_several(self):
        """torch.compile would compute 0 for the second derivative, without a word."""
        for name, call in (
                ("Grad of Grad", lambda: grad(lambda q: square(grad(loss)(q)))(Q)),
                ("Vmap of Grad", lambda: torch.vmap(grad(loss))(Q[None])),
                ("Grad of Vmap", lambda: grad(
                    lambda q: square(torch.vmap(am.attention)(q, K[None], V[None])))(Q[None]))):
            with self.subTest(name):
                torch._dynamo.reset()
                with self.assertRaisesRegex(Exception, "expected one derivative of torch.func"):
                    torch.compile(call, backend="aot_eager", fullgraph=True)()


if __name__ == "__main__":
    unittest.main()
