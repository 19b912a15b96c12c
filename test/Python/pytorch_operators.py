# Calls on tensors are PyTorch operators wherever PyTorch must see them: in dispatch modes,
# make_fx, fake tensors, torch.export, subclasses, and torch.func's transforms.
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
from tensors import DEVICE
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map_only
from torch.utils.flop_counter import FlopCounterMode

torch.manual_seed(0)
Q, K, V = torch.randn(3, 2, 4, 6, 8, device=DEVICE)
BIAS, SINK = torch.randn(6, 6, device=DEVICE), torch.randn(4, device=DEVICE)
KEEP = torch.rand(6, 6, device=DEVICE) > 0.3
TOKENS = torch.randn(9, 4, 8, device=DEVICE)
CU = torch.tensor([0, 4, 9], dtype=torch.int32, device=DEVICE)
LENGTHS = torch.tensor([3, 5], dtype=torch.int32, device=DEVICE)
PAGES = torch.tensor([[1], [0]], dtype=torch.int32, device=DEVICE)
TABLE = torch.randn(9, 4, device=DEVICE)


def add(bias):
    return lambda s, b, h, q, kv: s + bias[q, kv]


def keep(mask):
    return lambda b, h, q, kv: mask[q, kv]


def append(module, query=False):
    def function(k, k_cache, v_cache, lengths, table):
        caches = [its.clone() for its in (k_cache, v_cache, lengths)]
        options = {"q": k, "cos": table, "sin": table} if query else {}
        rotated = module.append(k, k, *caches, **options)
        return caches if rotated is None else [rotated, *caches]

    return function, (K[:, :, :1], K, V, LENGTHS, TABLE)


def calls(module):
    """Yields calls of the module's functions: a name, a function, its arguments, and the operator
    that it must call."""
    attention = module.attention
    yield "plain", lambda q, k, v: attention(q, k, v, causal=True), (Q, K, V), "attention"
    yield ("lse", lambda q, k, v: attention(q, k, v, return_lse=True), (Q, K, V),
           "attention_lse")
    yield ("score", lambda q, k, v, bias: attention(q, k, v, score_mod=add(bias)),
           (Q, K, V, BIAS), "attention")
    yield ("mask", lambda q, k, v, mask: attention(q, k, v, mask_mod=keep(mask)),
           (Q, K, V, KEEP), "attention")
    yield ("sink, dropout", lambda q, k, v, sink: attention(
        q, k, v, sink=sink, dropout_p=0.5, seed=(1, 2)), (Q, K, V, SINK), "attention")
    yield ("varlen", lambda x, cu, sink: module.varlen(x, x, x, cu, sink=sink),
           (TOKENS, CU, SINK), "varlen")
    yield ("varlen, score", lambda x, cu, bias: module.varlen(x, x, x, cu, score_mod=add(
        bias.detach())), (TOKENS, CU, BIAS), "varlen")
    yield ("decode", lambda q, k, v, lengths, pages: module.decode(
        q, k, v, lengths=lengths, page_table=pages, return_lse=True),
        (Q, K, V, LENGTHS, PAGES), "decode")
    yield ("decode, mask", lambda q, k, v, mask: module.decode(q, k, v, mask_mod=keep(mask)),
           (Q, K, V, KEEP), "decode")
    yield ("merge", lambda o, lse, sink: module.merge([(o, lse), (2 * o, lse)], sink=sink),
           (Q, Q[..., 0].contiguous(), SINK), "merge")
    yield ("append", *append(module), "append")
    yield ("append, query", *append(module, query=True), "append_query")


def with_out(q, k, v):
    outs = torch.zeros_like(q), torch.zeros_like(q[..., 0])
    assert attn_mlir.attention(q, k, v, return_lse=True, out=outs)[0] is outs[0]
    return outs


def prepared(q, k, v, mask):
    mask = attn_mlir.prepare_mask(mask)
    return attn_mlir.attention(q, k, v, mask_mod=keep(mask))


def backward(q, k, v):
    o, lse = attn_mlir.attention(q, k, v, return_lse=True)
    return attn_mlir.attention_backward(q, k, v, o, lse, o)


def every_call():
    for module in (attn_mlir, attn_mlir.torch):
        for name, *rest in calls(module):
            yield f"{module.__name__}: {name}", *rest
    yield "out", with_out, (Q, K, V), "attention_lse"
    yield "prepare_mask", prepared, (Q, K, V, KEEP), "summarize"
    yield "attention_backward", backward, (Q, K, V), "attention_backward"


def as_list(found):
    return list(found) if isinstance(found, (tuple, list)) else [found]


class Record(TorchDispatchMode):
    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if function.namespace == "attn_mlir":
            self.seen.append(function._opname)
        return function(*args, **(kwargs or {}))


class Wrapped(torch.Tensor):
    """A subclass of Tensor that wraps another tensor."""

    @staticmethod
    def __new__(cls, inner):
        made = torch.Tensor._make_wrapper_subclass(
            cls, inner.shape, strides=inner.stride(), dtype=inner.dtype,
            device=inner.device)
        made.inner = inner
        return made

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        args, kwargs = tree_map_only(cls, lambda its: its.inner, (args, kwargs or {}))
        return tree_map_only(torch.Tensor, cls, function(*args, **kwargs))


class Subclass(torch.Tensor):
    pass


class Operators(unittest.TestCase):
    def check(self, change, select=lambda its: its):
        """Checks that `change` does not change the results of any call. It gets the function, the
        arguments and the operator."""
        for name, function, arguments, operator in every_call():
            with self.subTest(name):
                expected = as_list(function(*arguments))
                found = as_list(change(function, arguments, operator))
                self.assertEqual(len(found), len(expected))
                for its, wanted in zip(found, expected):
                    torch.testing.assert_close(select(its), wanted, atol=1e-5, rtol=1e-5)

    def test_dispatch_mode(self):
        def change(function, arguments, operator):
            with Record() as record:
                found = function(*arguments)
            self.assertIn(operator, record.seen)
            return found

        self.check(change)

    def test_make_fx(self):
        for mode in ("real", "symbolic"):
            def change(function, arguments, operator):
                graph = make_fx(function, tracing_mode=mode)(*arguments)
                self.assertIn(f"attn_mlir.{operator}.default", graph.code)
                return graph(*arguments)

            self.check(change)

    def test_export(self):
        def change(function, arguments, operator):
            class Module(torch.nn.Module):
                def forward(self, *arguments):
                    return function(*arguments)

            program = torch.export.export(Module(), arguments)
            self.assertIn(f"attn_mlir.{operator}.default", str(program.graph))
            return program.module()(*arguments)

        self.check(change)

    def test_trace(self):
        def change(function, arguments, operator):
            if operator == "attention_backward":  # lists of booleans are not traced
                return function(*arguments)
            graph = torch.jit.trace(function, arguments, check_trace=False)
            self.assertIn(f"attn_mlir::{operator}", str(graph.graph))
            return graph(*arguments)

        self.check(change)

    def test_fake(self):
        for name, function, arguments, _ in every_call():
            with self.subTest(name):
                expected = as_list(function(*arguments))
                with FakeTensorMode() as mode:
                    found = as_list(function(*map(mode.from_tensor, arguments)))
                for its, wanted in zip(found, expected):
                    self.assertEqual((its.shape, its.stride(), its.dtype),
                                     (wanted.shape, wanted.stride(), wanted.dtype))

    def test_fake_devices(self):
        """Operators on fake tensors, which no kernel checks, need one device, too."""
        with FakeTensorMode():
            q, row = torch.empty(2, 4, 6, 8), torch.empty(2, 4, 1, 8)
            other, lse = torch.empty(2, 4, 6, 8, device="cuda"), torch.empty(2, 4, 6)
            tokens, cu = torch.empty(9, 4, 8), torch.empty(3, dtype=torch.int32)
            on = attn_mlir.torch
            for name, call in (
                    ("k", lambda: on.attention(q, other, q)),
                    ("v", lambda: on.attention(q, q, other, return_lse=True)),
                    ("cu_q", lambda: on.varlen(tokens, tokens, tokens, cu.cuda())),
                    ("k_cache", lambda: on.decode(q, other, q)),
                    ("lengths", lambda: on.decode(q, q, q, lengths=cu[:2].cuda())),
                    ("v_cache", lambda: on.append(row, row, q, other, cu[:2])),
                    (r"outputs\[1\]", lambda: on.merge([(q, lse), (other, lse)])),
                    ("k_cache", lambda: on.mla_decode(q, other[:, 0], scale=1.0, latent_dim=4))):
                with self.subTest(name), self.assertRaisesRegex(
                        attn_mlir.ArgumentError,
                        f"^{name}: expected a tensor on cpu, as .* is, found one on cuda"):
                    call()
            narrow, scale = other.to(torch.int8), torch.empty(())
            on.attention(other, narrow, narrow, k_scale=scale, v_scale=scale)  # without dimensions

    def test_subclasses(self):
        self.check(lambda function, arguments, _: function(*map(Wrapped, arguments)),
                   lambda its: its.inner if isinstance(its, Wrapped) else its)
        self.check(lambda function, arguments, _: function(
            *[its.as_subclass(Subclass) for its in arguments]),
            lambda its: its.as_subclass(torch.Tensor))

    def test_vmap(self):
        def change(function, arguments, _):
            batches = [torch.stack([its.new_zeros(its.shape), its], 1) for its in arguments]
            return torch.vmap(function, in_dims=1)(*batches)

        self.check(change, lambda its: its[1])
        found = torch.vmap(lambda k: attn_mlir.attention(Q, k, V))(torch.stack([K, 2 * K]))
        torch.testing.assert_close(found[1], attn_mlir.attention(Q, 2 * K, V))
        with self.assertRaisesRegex(attn_mlir.Error, "append: expected an array of its own "):
            torch.vmap(lambda k: attn_mlir.append(k, k, K.clone(), V.clone(), LENGTHS))(
                K[None, :, :, :1])

    def test_functionalize(self):
        def change(function, arguments, operator):
            if operator.startswith("append"):  # writes to its arguments
                return function(*arguments)
            return torch.func.functionalize(function)(*arguments)

        self.check(change)


    def test_flops(self):
        """The counts are those of torch's attention, which torch 2.10 does not count on the CPU: two
        products in the forward pass, and five in the backward pass."""
        q = Q.clone().requires_grad_()
        with FlopCounterMode(display=False) as counter:
            attn_mlir.attention(q, K, V).sum().backward()
        self.assertEqual(counter.get_total_flops(), 7 * 2 * Q.numel() * K.shape[2])


class Gradients(unittest.TestCase):
    def test_transforms(self):
        """torch.func.grad, also within vmap, and traced graphs of gradients."""
        for name, function, arguments, operator in every_call():
            if operator not in ("attention", "attention_lse", "varlen", "merge") \
                    or function is with_out:
                continue
            with self.subTest(name):
                wanted = [n for n, its in enumerate(arguments) if its.is_floating_point()]
                if name.endswith("varlen, score"):
                    wanted = wanted[:1]

                def loss(*arguments):
                    return sum(its.square().sum() for its in as_list(function(*arguments)))

                def gradients(*arguments):
                    leaves = list(arguments)
                    for n in wanted:
                        leaves[n] = leaves[n].detach().requires_grad_()
                    return torch.autograd.grad(loss(*leaves), [leaves[n] for n in wanted])

                expected = gradients(*arguments)
                derive = torch.func.grad(loss, argnums=tuple(wanted))
                batches = [torch.stack([its, its]) for its in arguments]
                for found in (derive(*arguments), make_fx(gradients)(*arguments)(*arguments),
                              [its[1] for its in torch.vmap(derive)(*batches)]):
                    for its, want in zip(found, expected):
                        torch.testing.assert_close(its, want, atol=1e-4, rtol=1e-4)

    def test_second_derivatives(self):
        def attend(q, k, v, bias, sink):
            return attn_mlir.attention(
                q, k, v, scale=0.4, causal="bottom_right", window=(3, 1), sink=sink,
                score_mod=lambda s, b, h, i, j: 5 * torch.tanh(s / 5) + bias[i, j])

        def reference(q, k, v, bias, sink):
            scores = 5 * torch.tanh(q @ k.transpose(2, 3) * 0.08) + bias
            i, j = torch.arange(6, device=DEVICE)[:, None], torch.arange(6, device=DEVICE)
            scores = scores.masked_fill((j > i) | (j < i - 3), -torch.inf)
            scores = torch.cat([scores, sink[:, None, None].expand(2, 4, 6, 1)], 3)
            return scores.softmax(3)[..., :6] @ v

        results = []
        for function in (attend, reference):
            arrays = [its.clone().requires_grad_() for its in (Q, K, V, BIAS, SINK)]
            found = [function(*arrays)]
            for _ in range(3):
                found = torch.autograd.grad(sum(its.square().sum() for its in found), arrays,
                                            create_graph=True)
            results.append(found)
        for found, expected in zip(*results):
            scale = expected.abs().max()
            torch.testing.assert_close(found / scale, expected / scale, atol=1e-3, rtol=1e-2)
        loss = [lambda q, f=f: f(q, K, V, BIAS, SINK).square().sum()
                for f in (attend, reference)]
        found, expected = (torch.func.grad(lambda q, f=f: torch.func.grad(f)(q).square().sum()
                                           )(Q) for f in loss)
        torch.testing.assert_close(found, expected, atol=1e-3, rtol=1e-3)

    def test_refused(self):
        def expect(text, function):
            with self.assertRaisesRegex(attn_mlir.Error, text):
                function()

        expect("^varlen: expected tensors without tangents", lambda: torch.func.jvp(
            lambda x: attn_mlir.varlen(x, x, x, CU).sum(), (TOKENS,), (TOKENS,)))
        expect("^q: expected a tensor that requires no gradient", lambda: torch.func.grad(
            lambda q: attn_mlir.decode(q, K, V).sum())(Q))
        x = TOKENS.clone().requires_grad_()
        first, = torch.autograd.grad(attn_mlir.varlen(x, x, x, CU).square().sum(), x,
                                     create_graph=True)
        expect("^varlen_backward: expected a first derivative", first.sum().backward)
        cache = K.clone().requires_grad_()
        expect("^k_cache: expected a tensor that requires no gradient",
               lambda: attn_mlir.append(K[:, :, :1], V[:, :, :1], cache, V.clone(),
                                        LENGTHS.clone()))

    def test_out(self):
        """Within a dispatch mode, `out` and `stream` are checked as they are otherwise."""
        for mode in (contextlib.nullcontext(), Record()):
            with mode:
                for out in (torch.empty_like(Q, dtype=torch.float64), torch.empty(3)):
                    with self.assertRaisesRegex(attn_mlir.ArgumentError, "^out"):
                        attn_mlir.attention(Q, K, V, out=out)
                with self.assertRaisesRegex(attn_mlir.ArgumentError, "^stream"):
                    attn_mlir.attention(Q, K, V, stream="0")

    def test_spellings(self):
        for name, count in (("append", 5), ("attention", 3), ("decode", 3), ("merge", 1),
                            ("varlen", 4)):
            with self.assertRaisesRegex(TypeError, f"^{name}.*sm_scale"):
                getattr(attn_mlir.torch, name)(*[Q] * count, sm_scale=1)


class Kinds(unittest.TestCase):
    """Tensors that address, sizes and strides do not describe completely, such as lazily negated
    ones."""

    def test_negative(self):
        for name, function, arguments, _ in every_call():
            with self.subTest(name):
                negative = [its if its.dtype == torch.bool else torch._neg_view(-its)
                            for its in arguments]
                for found, expected in zip(as_list(function(*negative)),
                                           as_list(function(*arguments))):
                    torch.testing.assert_close(found, expected)
        view = torch.zeros(9, 9, dtype=torch.complex64, device=DEVICE).conj().imag
        self.assertTrue(view.is_neg())

        def expect(text, *arguments, **options):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, text):
                attn_mlir.attention(*arguments, **options)

        expect("^out: expected an array that may be written, found a view with torch's "
               "negative bit", Q, K, V, out=torch._neg_view(torch.zeros_like(Q)))
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^lengths: .*negative bit"):
            attn_mlir.append(K[:, :, :1], V[:, :, :1], K.clone(), V.clone(),
                             torch._neg_view(-LENGTHS))
        # The call is known for plain tensors of the same layouts. The negated tensor must
        # nevertheless be recognised.
        for _ in range(2):
            attn_mlir.attention(Q, K, V)
        torch.testing.assert_close(attn_mlir.attention(torch._neg_view(-Q), K, V),
                                   attn_mlir.attention(Q, K, V))

    def test_messages(self):
        nested = [torch.nested.nested_tensor([TOKENS[:4], TOKENS[4:]], layout=layout)
                  for layout in (torch.jagged, torch.strided)]
        fake = FakeTensorMode().from_tensor(BIAS)
        for tensor, text in (
                (Q.to_sparse(), "torch.sparse_coo"), (nested[0], "a nested tensor"),
                (nested[1], "a nested tensor"), (Q.to("meta"), "meta"),
                (torch._efficientzerotensor(*Q.shape, device=DEVICE), "of zeros"),
                (torch.quantize_per_tensor(Q, 0.1, 0, torch.qint8), "q.*int8")):
            with self.subTest(text):
                for module in (attn_mlir, attn_mlir.torch):
                    with self.assertRaisesRegex(attn_mlir.ArgumentError, f"^q: .*{text}"):
                        module.attention(tensor, tensor, tensor)
                    with self.assertRaisesRegex(attn_mlir.ArgumentError, text):
                        module.decode(Q, K, V, lengths=tensor)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "FakeTensor|fake"):
            attn_mlir.attention(Q.cpu().numpy(), K.cpu().numpy(), V.cpu().numpy(),
                                score_mod=add(fake.cpu() if DEVICE == "cpu" else fake))


if __name__ == "__main__":
    unittest.main()
