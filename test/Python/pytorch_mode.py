# The SDPA mode supports all calls: for any arguments, torch's scaled_dot_product_attention returns
# the same result within the mode as without it, or raises the same error.
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
import torch
import torch.autograd.forward_ad as forward_ad
from tensors import DEVICE
from torch._dynamo.testing import CompileCounterWithBackend
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.attention.bias import causal_lower_right, causal_upper_left
from torch.nn.functional import scaled_dot_product_attention

torch.manual_seed(0)
Q, K, V = torch.randn(3, 1, 2, 9, 8, device=DEVICE)
BIAS = torch.randn(9, 9, device=DEVICE)
KEEP = torch.rand(9, 9, device=DEVICE) > 0.3


def call(*arrays, **options):
    return scaled_dot_product_attention(*(arrays or (Q, K, V)), **options)


def math(function):
    """Returns the function, but with torch's attention composed of other operators."""
    def inner():
        with sdpa_kernel(SDPBackend.MATH):
            return function()
    return inner


def outcome(function):
    """Returns the result of a function, or the type of the exception that it raises."""
    torch.manual_seed(1)
    try:
        return function()
    except Exception as error:
        return type(error)


class Mode(unittest.TestCase):
    def check(self, name, function, is_served):
        """Compares a call within the mode and without it, and checks whether the mode served it or
        passed it on."""
        with self.subTest(name):
            # Torch's kernels for GPUs have faults that its plain operators have not (seen in torch
            # 2.11: masks of f32 beside queries of 16 bits).
            with sdpa_kernel(SDPBackend.MATH) if is_served else contextlib.nullcontext():
                expected = outcome(function)
            with attn_mlir.torch.sdpa() as mode:
                found = outcome(function)
            self.assertEqual(mode.served > 0, is_served)
            # PyTorch refuses some arguments before the mode sees the call.
            self.assertEqual(mode.passed_on > 0, not is_served and expected is not TypeError)
            self.assertEqual(sum(mode.reasons.values()), mode.passed_on)
            if not isinstance(expected, torch.Tensor):
                self.assertEqual(found, expected)
                return
            self.assertIs(type(found), type(expected))
            self.assertEqual(found.dtype, expected.dtype)
            tolerance = {torch.bfloat16: 2e-2, torch.float16: 3e-3}.get(found.dtype, 1e-4)
            torch.testing.assert_close(found, expected, atol=tolerance, rtol=tolerance,
                                       equal_nan=True)

    def test_options(self):
        served = {"scale": {"scale": 0.3}, "integer": {"scale": 1}, "scale 0": {"scale": 0.0},
                  "dropout_p": {"dropout_p": 0}, "causal": {"is_causal": True}}
        others = {"scale": {"scale": torch.tensor(0.3)}, "NaN": {"scale": float("nan")},
                  "is_causal": {"is_causal": 1}, "tensor": {"is_causal": torch.tensor(True)},
                  "None": {"is_causal": None}, "dropout": {"dropout_p": torch.tensor(0.0)},
                  "negative": {"dropout_p": -0.1}, "dropout None": {"dropout_p": None},
                  "enable_gqa": {"enable_gqa": 1}, "unknown": {"other": 1},
                  "list": {"attn_mask": [[True] * 9] * 9}}
        for query in (torch.float32, torch.float16, torch.bfloat16):
            for mask in (torch.float16, torch.bfloat16, torch.float32):
                # Torch's memory-efficient attention reads masks of float32 beside 16 bits wrongly.
                self.check(f"{mask} beside {query}", math(lambda: call(
                    *(its.to(query) for its in (Q, K, V)), attn_mask=BIAS.to(mask))),
                    mask in (query, torch.float32))
        for is_served, cases in ((True, served), (False, others)):
            for name, options in cases.items():
                self.check(name, lambda its=options: call(**its), is_served)
        self.check("positions", lambda: call(Q, K, V, None, 0.0, True), True)
        self.check("too many", lambda: call(Q, K, V, None, 0.0, False, 0.3), False)
        self.check("too few", lambda: call(Q, K), False)
        self.check("names", lambda: scaled_dot_product_attention(
            query=Q, key=K, value=V, attn_mask=BIAS), True)

    def test_tensors(self):
        class Subclass(torch.Tensor):
            pass

        nested = torch.nested.nested_tensor([Q[0].transpose(0, 1), K[0].transpose(0, 1)[:4]],
                                            layout=torch.jagged).transpose(1, 2)
        cases = {
            "parameter": (lambda: call(torch.nn.Parameter(Q), K, V), True),
            "negative": (lambda: call(torch._neg_view(Q), K, torch._neg_view(V)), True),
            "negative mask": (lambda: call(attn_mask=torch._neg_view(BIAS)), True),
            "subclass": (lambda: call(Q.as_subclass(Subclass), K, V), False),
            "mask of a subclass": (lambda: call(attn_mask=BIAS.as_subclass(Subclass)), False),
            "upper left": (lambda: call(attn_mask=causal_upper_left(9, 9)), False),
            "lower right": (lambda: call(Q[:, :, :5], K, V,
                                         attn_mask=causal_lower_right(5, 9)), False),
            "nested": (lambda: call(nested, nested, nested).unbind()[1], False),
            "sparse": (lambda: call(Q.to_sparse(), K, V), False),
            "meta": (lambda: call(*(its.to("meta") for its in (Q, K, V))).shape, False),
            "numbers": (lambda: call(Q.tolist(), K, V), False),
            "no rows": (lambda: call(Q[:, :, :0], K, V), True),
            "no keys": (lambda: call(Q, K[:, :, :0], V[:, :, :0]), True),
            "no batch": (lambda: call(Q[:0], K[:0], V[:0]), True),
            "f64": (lambda: call(Q.double(), K.double(), V.double()), False)}
        for name, (function, is_served) in cases.items():
            self.check(name, function, is_served)

    def test_transforms(self):
        def dual():
            with forward_ad.dual_level():
                return forward_ad.unpack_dual(call(forward_ad.make_dual(Q, K), K, V)).tangent

        def loss(q):
            return call(q, K, V).square().sum()

        cases = {
            "vmap": lambda: torch.vmap(call)(Q[None], K[None], V[None]),
            "vmap of masks": lambda: torch.vmap(lambda mask: call(attn_mask=mask))(KEEP[None]),
            "grad": lambda: torch.func.grad(loss)(Q),
            "jacrev": lambda: torch.func.jacrev(lambda q: call(q, K, V))(Q),
            "jvp": math(lambda: torch.func.jvp(loss, (Q,), (K,))[1]),
            "grad of grad": math(lambda: torch.func.grad(
                lambda q: torch.func.grad(loss)(q).square().sum())(Q)),
            "dual": math(dual),
            "functionalize": lambda: torch.func.functionalize(call)(Q, K, V)}
        for name, function in cases.items():
            self.check(name, function, False)
        self.check("trace", lambda: torch.jit.trace(call, (Q, K, V))(V, K, Q), True)

    def test_second_derivatives(self):
        def second(**options):
            arrays = [its.clone().requires_grad_() for its in (Q, K, V, BIAS)]
            if "attn_mask" not in options and "is_causal" not in options:
                options["attn_mask"] = arrays[3]
            with sdpa_kernel(SDPBackend.MATH):
                o = call(*arrays[:3], scale=0.7, **options)
            first = torch.autograd.grad(o.square().sum(), arrays, create_graph=True,
                                        allow_unused=True)
            sum_ = sum(its.square().sum() for its in first if its is not None)
            found = torch.autograd.grad(sum_, arrays, allow_unused=True)
            return torch.cat([its.flatten() for its in found if its is not None])

        self.check("bias", lambda: second() / 100, True)
        self.check("mask", lambda: second(attn_mask=KEEP) / 100, True)
        self.check("causal", lambda: second(is_causal=True) / 100, True)

    def test_autocast(self):
        def within(*arrays, dtype=torch.bfloat16, enabled=True, **options):
            with torch.autocast(DEVICE, torch.bfloat16):
                with torch.autocast(DEVICE, dtype, enabled=enabled):
                    return call(*arrays, **options)

        self.check("f32", within, True)
        self.check("mixed", lambda: within(Q, K.bfloat16(), V), True)
        self.check("bias", lambda: within(attn_mask=BIAS), True)
        self.check("mask", lambda: within(attn_mask=KEEP), True)
        self.check("disabled", lambda: within(enabled=False), True)
        self.check("rank 3", lambda: within(Q[0], K[0], V[0]), False)
        self.check("f64", lambda: within(Q.double(), K.double(), V.double()), False)
        q = Q.clone().requires_grad_()
        with attn_mlir.torch.sdpa():
            within(q, K, V).float().sum().backward()
        self.assertEqual(q.grad.dtype, torch.float32)

    def test_strict(self):
        for text, function in (
                ("scale: expected float or int or NoneType, found Tensor",
                 lambda: call(scale=torch.tensor(0.3))),
                ("attn_mask: expected a torch.Tensor, found CausalBias",
                 lambda: call(attn_mask=causal_upper_left(9, 9))),
                ("expected no transform of torch.func",
                 lambda: torch.vmap(call)(Q[None], K[None], V[None])),
                ("query: .* layout torch.sparse_coo", lambda: call(Q.to_sparse(), K, V))):
            with attn_mlir.torch.sdpa(strict=True) as mode:
                with self.assertRaisesRegex(attn_mlir.Error, text):
                    function()
            self.assertEqual((mode.served, mode.passed_on), (0, 0))


class Compiled(unittest.TestCase):
    """A function is compiled once, even if it is called within several contexts of the mode."""

    def check(self, function, *arrays, counts, strict=False):
        torch._dynamo.reset()
        counter = CompileCounterWithBackend("aot_eager")
        compiled = torch.compile(function, backend=counter, fullgraph=True)
        found = []
        for _ in range(3):
            with attn_mlir.torch.sdpa(strict) as mode:
                for _ in range(3):
                    inputs = [its.clone().requires_grad_() for its in arrays]
                    compiled(*inputs).sum().backward()
            found.append((mode.served, mode.passed_on))
        self.assertEqual(counter.frame_count, 1)
        # The mode counts a call when a graph is made, and not when the graph is used again.
        self.assertEqual(found, [counts, (0, 0), (0, 0)])

    def test_compile(self):
        self.check(call, Q, K, V, counts=(1, 0))
        self.check(call, Q, K, V, counts=(1, 0), strict=True)
        self.check(call, Q.double(), K.double(), V.double(), counts=(0, 1))
        self.check(lambda q, k, v: call(call(q, k, v), k, call(q[0], k[0], v[0])[None]),
                   Q, K, V, counts=(2, 1))
        self.check(lambda q, k, v: call(q, k, v, scale=torch.tensor(0.3)), Q, K, V,
                   counts=(0, 1))

    def test_vmap(self):
        # The backward pass of torch's kernels for GPUs may refuse these sizes (torch 2.11).
        with sdpa_kernel(SDPBackend.MATH):
            self.check(lambda q, k, v: torch.vmap(call)(q[None], k[None], v[None]), Q, K, V,
                       counts=(0, 1))

    def test_autocast(self):
        def function(q, k, v):
            with torch.autocast(DEVICE, torch.bfloat16):
                return call(q, k, v)

        self.check(function, Q, K, V, counts=(1, 0))

    def test_export(self):
        """Without `strict`, torch.export calls the program on fake tensors."""
        class Model(torch.nn.Module):
            def forward(self, q, k, v):
                with attn_mlir.torch.sdpa(True):
                    return call(q, k, v)

        model = Model()
        for strict in (False, True):
            torch._dynamo.reset()
            program = torch.export.export(model, (Q, K, V), strict=strict)
            targets = [str(its.target) for its in program.graph.nodes]
            self.assertIn("attn_mlir.attention.default", targets)
            self.assertNotIn("aten.scaled_dot_product_attention.default", targets)
            torch.testing.assert_close(program.module()(Q, K, V), call(Q, K, V))

    def test_nested(self):
        torch._dynamo.reset()
        counter = CompileCounterWithBackend("aot_eager")
        compiled = torch.compile(call, backend=counter, fullgraph=True)
        with attn_mlir.torch.sdpa():
            for _ in range(3):
                with attn_mlir.torch.sdpa():
                    compiled(Q, K, V)
                    compiled(Q, K, V)
        self.assertEqual(counter.frame_count, 1)


if __name__ == "__main__":
    unittest.main()
