# Derivatives of torch.func within graphs of torch.compile.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import unittest

import attn_mlir.flex
import attn_mlir.torch as am
import torch
import torch.autograd.forward_ad as forward_ad
from torch.func import grad, grad_and_value, hessian, jacfwd, jacrev, jvp, vjp, vmap

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


def loss(q):
    return square(am.attention(q, K, V))


def push(q, tangent=K):
    return jvp(lambda q: am.attention(q, K, V), (q,), (tangent,))[1]


def dual(q, tangent):
    with forward_ad.dual_level():
        return forward_ad.unpack_dual(
            am.attention(forward_ad.make_dual(q, tangent), K, V)).tangent


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
    "grad of grad": lambda: grad(lambda q: square(grad(loss)(q)))(Q),
    "grad of grad of a sink": lambda: grad(lambda sink: square(grad(
        lambda sink: square(am.attention(Q, K, V, sink=sink)))(sink)))(SINK),
    "vmap of vmap of grad": lambda: vmap(vmap(grad(loss)))(torch.stack([Q, K])[:, None]),
    "vmap of grad of flex": lambda: vmap(grad(lambda q: square(attn_mlir.flex.flex_attention(
        q, K, V, score_mod=lambda s, b, h, i, j: torch.tanh(s) * BIAS[h, i, j]))))(Q[None]),
    "vmap of grad of varlen": lambda: vmap(grad(lambda x: varlen(x.transpose(0, 1))))(K),
    "grad of vmap": lambda: grad(
        lambda q: square(vmap(am.attention)(q, K[None], V[None])))(Q[None]),
    "vjp of vjp": lambda: vjp(lambda q: vjp(am.attention, q, K, V)[1](V)[0], Q)[1](K),
    "jvp": lambda: push(Q),
    "jvp in vmap": lambda: vmap(lambda tangent: push(Q, tangent))(torch.stack([K, V])),
    "jvp of grad": lambda: jvp(grad(loss), (Q,), (K,)),
    "grad of jvp": lambda: grad(lambda q: square(push(q)))(Q),
    "jacfwd": lambda: jacfwd(lambda q: am.attention(q, K, V)[0, 0, 0])(Q),
    "hessian": lambda: hessian(lambda t: am.attention(Q + t * K, K, V)[0, 0].sum())(SINK[:1]),
    "dual": lambda: dual(Q, K),
}


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

    def test_backward_of_transforms(self):
        """A derivative by autograd of a derivative that is in the graph."""
        found, wanted = (Q.clone().requires_grad_() for _ in range(2))
        function = lambda q: square(grad(loss)(q))
        torch._dynamo.reset()
        torch.compile(function, backend="aot_eager", fullgraph=True)(found).backward()
        function(wanted).backward()
        torch.testing.assert_close(found.grad, wanted.grad, atol=1e-5, rtol=1e-5)

    def test_sizes(self):
        torch._dynamo.reset()
        function = torch.compile(vmap(grad(loss)), backend="aot_eager", fullgraph=True, dynamic=True)
        for rows in (9, 10, 13):
            q = torch.randn(3, 2, 2, rows, 8)
            torch.testing.assert_close(function(q), vmap(grad(loss))(q), atol=1e-5, rtol=1e-5)

    def test_no_tangents(self):
        with self.assertRaisesRegex(Exception, "varlen: expected tensors without tangents"):
            torch._dynamo.reset()
            torch.compile(lambda x: jvp(varlen, (x,), (x,)), backend="eager")(
                K[0].transpose(0, 1).contiguous())


if __name__ == "__main__":
    unittest.main()
