# Tensors, and numbers that a graph reads from tensors, as arguments that must be constants: one
# message that names the argument and says what to do, in calls on tensors, under torch.compile,
# torch.export, make_fx and the transforms of torch.func.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import unittest

import attn_mlir
import attn_mlir.torch
import torch
from attn_mlir import flex
from torch.fx.experimental.proxy_tensor import make_fx

Q, K, V = torch.randn(3, 2, 4, 6, 8)
TOKENS = torch.randn(9, 4, 8)
CU = torch.tensor([0, 4, 9], dtype=torch.int32)
LENGTHS = torch.tensor([3, 5], dtype=torch.int32)
LSE = torch.randn(2, 4, 6)
TOKEN, CACHE, LATENTS = torch.randn(2, 4, 1, 8), torch.randn(2, 4, 6, 8), torch.randn(2, 1, 6, 8)
NUMBER = torch.tensor(1)
COMMON = "scale", "causal", "window", "return_lse", "fast_accumulate", "kv_dtype", "out_dtype"
ATTENTION = (*COMMON, "align", "dropout_p", "value_dims")
PAIRS = "window", "value_dims"


def make_calls(module):
    """Returns a list of pairs: a function, of the constants by name, and their names."""
    found = [
        (lambda **given: module.attention(Q, K, None if "value_dims" in given else V, **given),
         ATTENTION),
        (lambda **given: module.varlen(TOKENS, TOKENS, TOKENS, CU, **given), COMMON),
        (lambda **given: module.decode(Q, K, None if "value_dims" in given else V, **given),
         (*COMMON, "value_dims", "check")),
        (lambda **given: module.append(TOKEN, TOKEN, CACHE, CACHE, LENGTHS,
                                       **given), ("interleaved", "check", "kv_dtype")),
        (lambda **given: module.merge([(Q, LSE)], **given), ("return_lse", "out_dtype")),
        (lambda **given: module.mla_decode(Q, LATENTS, **{"scale": 1.0, "latent_dim": 4, **given}),
         ("scale", "causal", "window", "latent_dim", "return_lse"))]
    return found


FLEX = (lambda **given: flex.flex_attention(Q, K, V, **given),
        ("scale", "enable_gqa", "return_lse"))
EAGER = [
    (lambda **given: attn_mlir.attention_backward(Q, K, V, Q, LSE, Q, **given),
     ("scale", "causal", "window", "align", "deterministic", "dropout_p", "narrow_products")),
    (lambda **given: attn_mlir.quantize(K, **{"dtype": "i8", **given}),
     ("dtype", "center", "check"))]


def every(calls):
    return [(call, name) for call, names in calls for name in names]


class Constants(unittest.TestCase):
    def refuses(self, name, function, *arguments):
        with self.subTest(name), self.assertRaisesRegex(
                Exception, f"{name}: expected a constant, which is a value of Python's own, found "
                "a.*; pass what tensor.item.. returns, outside of torch.compile"):
            function(*arguments)

    def make(self, call, name):
        """Returns a function of a tensor that makes a call with that tensor as an argument."""
        return lambda its: call(**{name: (its, 1) if name in PAIRS else its})

    def test_tensors(self):
        for module in (attn_mlir, attn_mlir.torch):
            for call, name in every([*make_calls(module), FLEX, *EAGER]):
                function = self.make(call, name)
                self.refuses(name, function, NUMBER)
                self.refuses(name, function, torch.nn.Parameter(torch.tensor(0.5)))

    def test_transforms(self):
        for call, name in every([*make_calls(attn_mlir), FLEX, *EAGER]):
            function = self.make(call, name)
            self.refuses(name, torch.func.vmap(function), torch.tensor([1, 2]))
            self.refuses(name, torch.func.grad(function), torch.tensor(0.5))
            self.refuses(name, make_fx(function, tracing_mode="fake"), NUMBER)

    def test_compiled(self):
        for call, name in every([*make_calls(attn_mlir.torch), FLEX]):
            torch._dynamo.reset()
            self.refuses(name, torch.compile(self.make(call, name), fullgraph=True,
                                             backend="eager"), NUMBER)

    def test_read_within_graphs(self):
        """A graph reads a number of a tensor, which is not known before the graph runs."""
        for call, name in every([*make_calls(attn_mlir.torch), FLEX]):
            if name in ("window", "kv_dtype", "out_dtype", "align", "value_dims", "latent_dim"):
                continue
            its = torch.tensor(0.5 if name in ("scale", "dropout_p") else True)
            function = self.make(call, name)
            torch._dynamo.reset()
            self.refuses(name, torch.compile(
                lambda its, function=function: function(its.item()), fullgraph=True,
                backend="eager"), its)

    def test_export(self):
        class Model(torch.nn.Module):
            def __init__(self, function):
                super().__init__()
                self.function = function

            def forward(self, its):
                return self.function(its)

        for call, names in (make_calls(attn_mlir.torch)[0], FLEX):
            for name in names:
                function = self.make(call, name)
                for strict in (False, True):
                    self.refuses(name, lambda: torch.export.export(
                        Model(function), (NUMBER,), strict=strict))
        function = self.make(make_calls(attn_mlir.torch)[0][0], "scale")
        for strict in (False, True):
            self.refuses("scale", lambda: torch.export.export(
                Model(lambda its: function(its.item())), (torch.tensor(0.5),), strict=strict))

    def test_symbols(self):
        """Numbers that change from call to call are symbols of torch.compile, and constants."""
        torch._dynamo.reset()
        function = torch.compile(
            lambda q, scale, p: attn_mlir.torch.attention(q, K, V, scale=scale, window=(p, None)),
            fullgraph=True, backend="eager", dynamic=True)
        for scale, left in ((0.5, 2), (0.25, 3), (0.75, 1)):
            torch.testing.assert_close(function(Q, scale, left), attn_mlir.attention(
                Q, K, V, scale=scale, window=(left, None)))

    def test_seed(self):
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "seed: expected a constant.* or pass "
                                    "seed and offset as one tensor of int64"):
            attn_mlir.attention(Q, K, V, dropout_p=0.5, seed=(NUMBER, 0))
        attn_mlir.attention(Q, K, V, dropout_p=0.5, seed=torch.tensor([1, 0]))


if __name__ == "__main__":
    unittest.main()
