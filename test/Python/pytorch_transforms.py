# Gradients in PyTorch under torch.compile, checkpoints, torch.func and modes; on the GPU
# if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import contextlib
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import tensor_gradients
import torch
from attn_mlir import _gradients
from tensors import DEVICE, causal, leaves, problem, random_like, recorded, soft_cap
from torch.nn.functional import scaled_dot_product_attention
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.checkpoint import checkpoint


class Transforms(unittest.TestCase):
    def compile(self, function):
        return torch.compile(function, fullgraph=True, backend="aot_eager")

    def test_compile(self):
        for has_lse in (False, True):
            @self.compile
            def function(q, k, v):
                found = attn_mlir.torch.attention(q * 2, k, v, causal=True,
                                                  return_lse=has_lse, score_mod=soft_cap)
                o, lse = found if has_lse else (found, q[..., 0])
                return o * 3, lse * 2

            def masked(*arguments):
                return causal(soft_cap(*arguments), *arguments[1:])

            for rows, keys in ((40, 50), (70, 90)):
                q, k, v = leaves(*problem(rows=rows, keys=keys))
                o, lse = function(q, k, v)
                d_o, d_lse = random_like(o), random_like(lse)
                found = torch.autograd.grad([o, lse] if has_lse else [o], [q, k, v],
                                            [d_o, d_lse][:1 + has_lse])
                tensor_gradients.check(
                    [found[0] / 2, *found[1:]], q * 2, k, v, d_o * 3,
                    d_lse * 2 if has_lse else None, score=masked)

    def test_compile_mixed(self):
        q, k, v = problem()
        k = k.clone().requires_grad_()
        function = self.compile(lambda q, k, v: attn_mlir.torch.attention(q, k, v))
        o = function(q, k, v)
        d_o = random_like(o)
        with recorded(_gradients, "attention_backward") as calls:
            o.backward(d_o)
        self.assertEqual([call["wrt"] for call in calls], [["key"]])
        tensor_gradients.check([None, k.grad], q, k, v, d_o)

    def test_checkpoint(self):
        for attention in (attn_mlir.attention, self.compile(
                lambda q, k, v: attn_mlir.torch.attention(q, k, v))):
            for use_reentrant in (False, True):
                q, k, v = leaves(*problem())
                o = checkpoint(attention, q, k, v, use_reentrant=use_reentrant)
                d_o = random_like(o)
                tensor_gradients.check(self.backward(o, d_o, q, k, v), q, k, v, d_o)

    def backward(self, o, d_o, *arrays):
        o.backward(d_o)
        return [x.grad for x in arrays]

    def test_compiled_checkpoint(self):
        """In the compiled backward pass, the checkpoint runs the forward pass again."""
        function = self.compile(lambda q, k, v: checkpoint(
            lambda q, k, v: attn_mlir.torch.attention(q.sin(), k, v).cos(), q, k, v,
            use_reentrant=False))
        q, k, v = leaves(*problem())
        o = function(q, k, v)
        d_o = random_like(o)
        found = torch.autograd.grad(o, [q, k, v], d_o)
        plain = attn_mlir.attention(q.sin(), k, v).cos()
        for its, expected in zip(found, torch.autograd.grad(plain, [q, k, v], d_o)):
            torch.testing.assert_close(its, expected, atol=1e-5, rtol=1e-5)

    def test_func(self):
        q, k, v = problem()
        for has_lse in (False, True):
            def function(*arrays):
                found = attn_mlir.attention(*arrays, causal=True, return_lse=has_lse)
                return found[1] if has_lse else found

            result, vjp = torch.func.vjp(function, q, k, v)
            gradient = random_like(result)
            d_o = torch.zeros_like(q) if has_lse else gradient
            tensor_gradients.check(vjp(gradient), q, k, v, d_o,
                                   gradient if has_lse else None, score=causal)
        found = torch.func.grad(lambda k: attn_mlir.attention(q, k, v).sum())(k)
        tensor_gradients.check([None, found], q, k, v, torch.ones_like(q))

    def test_accumulation(self):
        """A graph is differentiated twice, and its saved tensors pass through a hook that moves
        them to the CPU."""
        q, k, v = leaves(*problem())
        with torch.autograd.graph.save_on_cpu():
            o = attn_mlir.attention(q, k, v)
        d_o = random_like(o)
        o.backward(d_o, retain_graph=True)
        o.backward(d_o)
        tensor_gradients.check([x.grad / 2 for x in (q, k, v)], q, k, v, d_o)

    def test_batched_gradients(self):
        """The tensors of a batch of gradients have no memory, unlike those of torch.vmap."""
        q, k, v = leaves(*problem())
        cu = torch.tensor([0, 10, 40], dtype=torch.int32, device=DEVICE)
        arrays = [x.detach()[0, :, :40].transpose(0, 1).contiguous() for x in (q, k, v)]
        sink, slopes = leaves(*[torch.randn(q.shape[1], device=DEVICE) for _ in range(2)])

        def attend(*arrays):
            return attn_mlir.attention(*arrays, return_lse=True, sink=sink,
                                       score_mod=lambda s, b, h, i, j: s + slopes[h] * (j - i))

        for wanted, results in (([q, k, v, sink, slopes], attend(q, k, v)),
                                (leaves(*arrays), None)):
            results = results or attn_mlir.varlen(*wanted, cu, causal=True, return_lse=True)
            batches = [torch.stack([random_like(its), torch.zeros_like(its), -its.detach()], -1)
                       .movedim(-1, 0) for its in results]
            for number in (1, 2):
                outputs, every = results[:number], batches[:number]
                found = torch.autograd.grad(outputs, wanted, every, retain_graph=True,
                                            is_grads_batched=True)
                for entry in range(3):
                    expected = torch.autograd.grad(
                        outputs, wanted, [its[entry] for its in every], retain_graph=True)
                    for its, other in zip(found, expected):
                        torch.testing.assert_close(its[entry], other, atol=1e-5, rtol=1e-5)

    def test_vectorized_jacobian(self):
        arrays = [x.detach()[:1, :1, :3, :8].clone() for x in problem()]

        def function(q, k, v):
            return attn_mlir.attention(q, k, v, causal=True)

        def loss(*arrays):
            return function(*arrays).square().sum()

        for derivative, its in ((torch.autograd.functional.jacobian, function),
                                (torch.autograd.functional.hessian, loss)):
            torch.testing.assert_close(derivative(its, tuple(arrays), vectorize=True),
                                       derivative(its, tuple(arrays)), atol=1e-5, rtol=1e-5)

    def test_dispatch_mode(self):
        """Dispatch modes see the operators of the forward and of the backward pass."""
        seen = []

        class Record(TorchDispatchMode):
            def __torch_dispatch__(self, function, types, args=(), kwargs=None):
                if function.namespace == "attn_mlir":
                    seen.append(function.name())
                return function(*args, **(kwargs or {}))

        q, k, v = leaves(*problem())
        with Record():
            o = attn_mlir.attention(q, k, v)
        o.backward(torch.ones_like(o))
        self.assertEqual(seen, ["attn_mlir::attention_lse"])
        with torch.no_grad(), Record():
            torch.ops.attn_mlir.attention_backward(
                q, k, v, o, v[..., :40, 0].contiguous(), o, None, None, "", None, None,
                "top_left", "", "", [], [False, True, False], None, None, 0.0, None)
        self.assertEqual(seen[1:], ["attn_mlir::attention_backward"])

    def test_operators(self):
        q, k, v = leaves(*problem())
        o, lse = torch.ops.attn_mlir.attention_lse(q, k, v, None, "top_left", None, None,
                                                   "top_left", "", "", [], None, 0.0, None)
        d_o, d_lse = random_like(o), random_like(lse)
        found = torch.autograd.grad([o, lse], [q, v], [d_o, d_lse])
        tensor_gradients.check([found[0], None, found[1]], q, k, v, d_o, d_lse, score=causal)

    def test_registration(self):
        q, k, v = leaves(*problem())
        options = (None, "top_left", None, None, "top_left", "", "", [])
        dropout = (None, 0.0, None)
        torch.library.opcheck(torch.ops.attn_mlir.attention, (q, k, v, *options, *dropout))
        torch.library.opcheck(torch.ops.attn_mlir.attention_lse,
                              (q, k, v, *options, *dropout))
        with torch.no_grad():
            o, lse = attn_mlir.attention(q, k, v, causal=True, return_lse=True)
        arrays = [x.detach() for x in (q, k, v, o, lse, o)]
        for d_lse, wrt in ((None, [True] * 3), (lse, [False, True, False])):
            torch.library.opcheck(torch.ops.attn_mlir.attention_backward,
                                  (*arrays, d_lse, *options, wrt, True, *dropout))


class SDPA(unittest.TestCase):
    def test_served(self):
        arrays = problem()
        results = []
        for mode in (attn_mlir.torch.sdpa(strict=True), contextlib.nullcontext()):
            q, k, v = leaves(*arrays)
            with mode:
                o = scaled_dot_product_attention(q, k, v, is_causal=True)
            o.backward(random_like(o))
            results.append([o, q.grad, k.grad, v.grad])
        for found, expected in zip(*results):
            torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-5)

    def test_module(self):
        class Layer(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.split, self.join = torch.nn.Linear(32, 96), torch.nn.Linear(32, 32)

            def forward(self, x):
                heads = self.split(x).unflatten(-1, (3, 4, 8)).permute(2, 0, 3, 1, 4)
                return self.join(scaled_dot_product_attention(
                    *heads, is_causal=True).transpose(1, 2).flatten(2))

        torch.manual_seed(0)
        layer, x = Layer().to(DEVICE), torch.randn(2, 20, 32, device=DEVICE)
        gradients = []
        for mode in (attn_mlir.torch.sdpa(strict=True), contextlib.nullcontext()):
            layer.zero_grad()
            with mode:
                layer(x).sin().sum().backward()
            gradients.append([p.grad.clone() for p in layer.parameters()])
        for found, expected in zip(*gradients):
            torch.testing.assert_close(found, expected, atol=1e-4, rtol=1e-4)


if __name__ == "__main__":
    unittest.main()
