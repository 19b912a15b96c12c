# Operators of torch's on keys and values of 8 bits, with scales: on fake tensors, within
# graphs, modes and transforms.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import contextlib
import math
import os
import sys
import unittest
import unittest.mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import torch
from attn_mlir import _mla, _operators
from tensors import DEVICE
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode

E4M3, I8 = torch.float8_e4m3fn, torch.int8
CHECKS = ("test_schema", "test_autograd_registration", "test_faketensor",
          "test_aot_dispatch_dynamic")
GENERATOR = torch.Generator().manual_seed(0)


def draw(*sizes):
    return torch.randn(sizes, generator=GENERATOR).to(DEVICE)


def scale(*sizes):
    return draw(*sizes).abs() * 0.2 + 0.05


Q = draw(2, 4, 6, 16).half()
K, V = draw(2, 2, 40, 16).to(E4M3), (20 * draw(2, 2, 40, 8)).to(I8)
BYTES = torch.randint(0, 256, (2, 2, 40, 8), generator=GENERATOR,
                      dtype=torch.uint8).to(DEVICE)
TOKENS = [draw(9, 4, 16).half(), draw(9, 2, 16).to(E4M3), draw(9, 2, 8).to(E4M3)]
CU = torch.tensor([0, 4, 9], dtype=torch.int32, device=DEVICE)
LENGTHS = torch.tensor([30, 5], dtype=torch.int32, device=DEVICE)
NEW = [draw(2, 2, 3, 16).half(), draw(2, 2, 3, 8).half(), draw(2, 4, 3, 16).half()]
TABLE = draw(50, 8)
LATENTS = draw(2, 1, 40, 24).half()


def append(module, with_query):
    def function(k, v, q, k_cache, v_cache, lengths, k_scale, v_scale, table):
        caches = [its.clone() for its in (k_cache, v_cache, lengths)]
        options = {"q": q, "cos": table, "sin": table} if with_query else {}
        turned = module.append(k, v, *caches, k_scale=k_scale, v_scale=v_scale, **options)
        return caches if turned is None else [turned, *caches]

    return function, (*NEW, K, V, LENGTHS, scale(1, 2), scale(2, 2), TABLE)


def append_latents(module):
    def function(k, cache, lengths, table):
        caches = [its.clone() for its in (cache, lengths)]
        module.append(k, None, caches[0], None, caches[1], value_dims=(0, 16),
                      cos=table[:, :4], sin=table[:, :4])
        return caches

    return function, (LATENTS[:, :, :3], LATENTS, LENGTHS, TABLE)


def calls(module):
    """Yields calls of the module's functions: a name, a function, its arguments, and the operator
    that it must call."""
    for name, operator, options in (("attention", "attention", {}),
                                    ("lse", "attention_lse", {"return_lse": True})):
        yield (name, lambda q, k, v, k_scale, v_scale: module.attention(
            q, k, v, causal="bottom_right", k_scale=k_scale, v_scale=v_scale, **options),
            (Q, K, V, scale(2, 2), scale(2, 2, 40)), operator)
    yield ("blocks, query, channels", lambda q, k, v, q_scale, k_scale, v_scale:
           module.attention(q, k, v, q_scale=q_scale, k_scale=(k_scale, 16),
                            v_scale=v_scale),
           (Q, K, V, scale(2, 4), scale(2, 2, 3), scale(1, 2, 1, 8)), "attention")
    yield ("no scales", lambda q, k, v: module.attention(q, k, v), (Q, K, V), "attention")
    yield ("fast_accumulate", lambda q, k, v: module.attention(q, k, v, fast_accumulate=True),
           (Q, K, V), "attention")
    yield ("decode, fast_accumulate", lambda q, k, v: module.decode(
        q, k, v, fast_accumulate=True), (Q, K, V), "decode")
    yield ("varlen", lambda q, k, v, cu, k_scale, v_scale: module.varlen(
        q, k, v, cu, causal=True, k_scale=k_scale, v_scale=v_scale),
        (*TOKENS, CU, scale(2), scale(9, 2)), "varlen")
    yield ("decode", lambda q, k, v, lengths, k_scale, v_scale: module.decode(
        q, k, v, lengths=lengths, k_scale=k_scale, v_scale=(v_scale, 16), return_lse=True),
        (Q, K, V, LENGTHS, scale(), scale(2, 2, 3)), "decode")
    yield ("query and output of 8 bits", lambda q, k, v, out_scale: module.attention(
        q, k, v, out_scale=out_scale, fast_accumulate=True),
        (Q.to(E4M3), K, V, scale(2, 4)), "attention")
    yield ("query of 8 bits, decode", lambda q, k, v, lengths: module.decode(
        q, k, v, lengths=lengths, out_dtype=torch.float16, return_lse=True),
        (Q.to(E4M3), K, V, LENGTHS), "decode")
    yield ("query of 8 bits, varlen", lambda q, k, v, cu, out_scale: module.varlen(
        q, k, v, cu, out_scale=out_scale, out_dtype=torch.float8_e5m2),
        (TOKENS[0].to(E4M3), *TOKENS[1:], CU, scale(4)), "varlen")
    yield ("mean", lambda q, k, v, v_scale, v_mean: module.attention(
        q, k, v, v_scale=v_scale, v_mean=v_mean),
        (Q, K, V, scale(2, 2, 1, 8), draw(2, 2, 1, 8)), "attention")
    yield ("mean, decode", lambda q, k, v, lengths, v_mean: module.decode(
        q, k, v, lengths=lengths, v_mean=v_mean), (Q, K, V, LENGTHS, draw(1, 2, 1, 8)), "decode")
    yield ("mean, varlen", lambda q, k, v, cu, v_mean: module.varlen(
        q, k, v, cu, v_mean=v_mean), (*TOKENS, CU, draw(1, 2, 8)), "varlen")
    yield ("i4", lambda q, k, v, k_scale: module.attention(
        q, k, v, k_scale=k_scale, kv_dtype="i4"),
        (Q, BYTES, BYTES, scale(2, 2, 40)), "attention")
    yield ("i4, decode", lambda q, k, v, lengths: module.decode(
        q, k, v, lengths=lengths, kv_dtype="i4"), (Q, K, BYTES, LENGTHS), "decode")
    yield ("append", *append(module, False), "append")
    yield ("append, query", *append(module, True), "append_query")
    yield ("value_dims", lambda q, k: module.attention(q, k, value_dims=(0, 16)),
           (draw(2, 4, 6, 24).half(), LATENTS), "attention")
    yield ("decode, value_dims", lambda q, k, lengths: module.decode(
        q, k, value_dims=(0, 16), lengths=lengths),
        (draw(2, 4, 3, 24).half(), LATENTS, LENGTHS), "decode")
    yield ("mla_decode", lambda q, k, lengths, scale: module.mla_decode(
        (q[..., :16], q[..., 16:]), k, scale=0.2, latent_dim=16, lengths=lengths,
        cache_scale=scale), (draw(2, 4, 3, 24).half(), LATENTS[:, 0].to(E4M3), LENGTHS,
                             scale(2, 40)), "decode")
    yield ("append, value_dims", *append_latents(module), "append")


def as_list(found):
    return list(found) if isinstance(found, (tuple, list)) else [found]


class Record(TorchDispatchMode):
    """A mode that records the project's operators that are called, with their arguments."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if function.namespace == "attn_mlir":
            self.seen.append((function, args, kwargs or {}))
        return function(*args, **(kwargs or {}))


class Latents(unittest.TestCase):
    def test_scales(self):
        """Scales of latents for the whole cache, for batch entries and for tokens."""
        q, cache = draw(2, 4, 3, 24).half(), draw(2, 40, 24).to(E4M3)
        for own in (scale(), scale(2), scale(2, 1), scale(2, 40), scale(1, 1, 40)):
            o = attn_mlir.torch.mla_decode(q, cache, scale=0.2, latent_dim=16, causal=False,
                                           cache_scale=own)
            wide = own.double().reshape(own.shape if own.dim() < 1 else (
                (-1, 1, 1) if own.shape[-1] != 40 else (-1, 40, 1)))
            keys = (cache.double() * wide)[:, None]
            expected = (q.double() @ keys.mT * 0.2).softmax(-1) @ keys[..., :16]
            torch.testing.assert_close(o.double(), expected, atol=2e-3, rtol=2e-3)

    def test_pairs(self):
        q, cache = draw(2, 4, 3, 24).half(), draw(2, 40, 24).half()
        expected = attn_mlir.mla_decode(q, cache, scale=0.2, latent_dim=16)
        pairs = [(its[..., :16], its[..., 16:]) for its in (q, cache)]
        found = attn_mlir.torch.mla_decode(*pairs, scale=0.2)  # sums in another order
        torch.testing.assert_close(found, expected, atol=2e-3, rtol=2e-3)
        compiled = torch.compile(
            lambda *its: attn_mlir.torch.mla_decode(its[:2], its[2:], scale=0.2),
            fullgraph=True, backend="aot_eager")
        self.assertTrue(torch.equal(compiled(*pairs[0], *pairs[1]), found))

    def problem(self):
        q, cache = draw(2, 4, 3, 24).half(), draw(2, 40, 24).half()
        return q, cache, (cache[..., :16], cache[..., 16:])

    def test_pairs_in_modes(self):
        """The cache is a pair of arrays, within dispatch modes, for fake tensors without memory,
        and within vmap."""
        q, cache, pair = self.problem()
        expected = attn_mlir.mla_decode(q, pair, scale=0.2)
        with Record() as record:
            torch.testing.assert_close(attn_mlir.mla_decode(q, pair, scale=0.2), expected,
                                       atol=2e-3, rtol=2e-3)
        self.assertEqual(len(record.seen), 1)
        with FakeTensorMode() as mode:
            fake = [mode.from_tensor(its) for its in (q, *pair)]
            o = attn_mlir.mla_decode(fake[0], tuple(fake[1:]), scale=0.2)
        self.assertEqual((o.shape, o.dtype), (expected.shape, expected.dtype))
        mapped = torch.vmap(lambda q: attn_mlir.mla_decode(q, pair, scale=0.2))(
            torch.stack([q, q]))
        for its in mapped:
            torch.testing.assert_close(its, expected, atol=2e-3, rtol=2e-3)

    def test_narrow_pairs(self):
        q, cache, _ = self.problem()
        narrow = cache.to(I8)
        pair = narrow[..., :16], narrow[..., 16:]
        attn_mlir.mla_decode(q, pair, scale=0.2)
        message = "cache: expected one tensor within torch.compile.* of another dtype than q's"
        compiled = torch.compile(
            lambda q, *pair: attn_mlir.torch.mla_decode(q, pair, scale=0.2), fullgraph=True,
            backend="eager")
        with self.assertRaisesRegex(Exception, message):
            compiled(q, *pair)
        with Record(), self.assertRaisesRegex(attn_mlir.ArgumentError, message):
            attn_mlir.mla_decode(q, pair, scale=0.2)

    def test_stream(self):
        """If the query is in two arrays, they are copied on the stream that the caller names."""
        order = []

        @contextlib.contextmanager
        def on_stream(adapter, stream, like):
            order.append(stream)
            yield
            order.append("end")

        def concatenate(arrays, dim):
            order.append("cat")
            return of_torch(arrays, dim)

        of_torch = torch.concatenate
        q, cache, _ = self.problem()
        parts, narrow = (q[..., :16], q[..., 16:]), cache.to(I8)
        with unittest.mock.patch.object(torch, "concatenate", concatenate), \
                unittest.mock.patch.object(type(_operators.adapter), "on_stream", on_stream), \
                unittest.mock.patch.object(_mla, "decode") as decode:
            attn_mlir.mla_decode(parts, narrow, scale=0.2, latent_dim=16, stream=5)
        self.assertEqual(order, [5, "cat", "end"])
        self.assertEqual(decode.call_args[1]["stream"], 5)


class Operators(unittest.TestCase):
    def check(self, change, *modules):
        for module in modules:
            for name, function, arguments, operator in calls(module):
                with self.subTest(f"{module.__name__}: {name}"):
                    with torch.no_grad():
                        expected = as_list(function(*arguments))
                    found = as_list(change(function, arguments, operator))
                    self.assertEqual(len(found), len(expected))
                    for its, wanted in zip(found, expected):
                        self.assertEqual((its.dtype, its.shape), (wanted.dtype, wanted.shape))
                        self.assertTrue(torch.equal(*[
                            its.contiguous().view(torch.uint8) for its in (its, wanted)]))

    def test_operators(self):
        """Checks each operator by PyTorch's opcheck."""
        def change(function, arguments, operator):
            with Record() as record:
                found = function(*arguments)
            (its, args, options), = record.seen
            self.assertEqual(its._opname, operator)
            # On the CPU, PyTorch cannot compare 8-bit floats, as its check of schemas would.
            names = [name for name in CHECKS if name != "test_schema"]
            torch.library.opcheck(its, args, options, test_utils=names)
            args = [its.view(I8) if getattr(its, "dtype", None) == E4M3 else its
                    for its in args]
            if args[0].dtype == I8:  # which no query has
                args[0] = args[0].half()
            torch.library.opcheck(its, tuple(args), options, test_utils="test_schema")
            return found

        self.check(change, attn_mlir)

    def test_make_fx(self):
        def change(function, arguments, operator):
            graph = make_fx(function, tracing_mode="fake")(*arguments)
            names = [str(node.target) for node in graph.graph.nodes]
            self.assertEqual(sum(name == f"attn_mlir.{operator}.default" for name in names), 1)
            return graph(*arguments)

        self.check(change, attn_mlir, attn_mlir.torch)

    def test_compiled(self):
        for dynamic in (False, True):
            def change(function, arguments, operator):
                torch._dynamo.reset()
                with torch.no_grad():
                    return torch.compile(function, fullgraph=True, dynamic=dynamic,
                                         backend="aot_eager")(*arguments)

            self.check(change, attn_mlir.torch)

    def test_export(self):
        class Module(torch.nn.Module):
            def forward(self, q, k, v, k_scale, v_scale):
                return attn_mlir.torch.attention(q, k, v, k_scale=k_scale, v_scale=v_scale)

        arguments = (Q, K, V, scale(2, 2), scale(2, 2, 40))
        program = torch.export.export(Module(), arguments)
        self.assertTrue(torch.equal(program.module()(*arguments), Module()(*arguments)))

    def test_made_scales(self):
        """If there is a scale for each token and head, append writes the scales, within compiled
        graphs, too."""
        def call(k, v, k_cache, v_cache, lengths, k_scale, v_scale):
            made = [its.clone() for its in (k_cache, v_cache, lengths, k_scale, v_scale)]
            attn_mlir.torch.append(k, v, *made[:3], k_scale=made[3], v_scale=made[4])
            return made

        arguments = (*NEW[:2], K, V, LENGTHS, torch.ones(2, 2, 40, device=DEVICE),
                     torch.ones(2, 2, 40, device=DEVICE))
        with torch.no_grad():
            try:
                expected = call(*arguments)
            except attn_mlir.ArgumentError as error:
                self.assertRegex(str(error), r"k_scale: expected sizes \(\) or \(B, Hkv\)")
                self.skipTest("append makes no scales")
            for change in (lambda its: torch.compile(its, fullgraph=True,
                                                     backend="aot_eager"),
                           lambda its: make_fx(its)(*arguments)):
                for its, wanted in zip(change(call)(*arguments), expected):
                    self.assertTrue(torch.equal(its.view(torch.uint8),
                                                wanted.view(torch.uint8)))
        for number, dtype in ((0, E4M3), (1, I8)):
            stored, own = attn_mlir.quantize(NEW[number], dtype, scale="token")
            for entry, first in enumerate((30, 5)):
                place = slice(first, first + 3)
                self.assertTrue(torch.equal(expected[3 + number][entry, :, place], own[entry]))
                self.assertTrue(torch.equal(
                    expected[number][entry, :, place].view(torch.uint8),
                    stored[entry].view(torch.uint8)))

    def test_wide_out(self):
        """The output may be an array of float32 although the query is float16."""
        q, k, v = (draw(1, heads, 5, 16).half() for heads in (4, 2, 2))
        rows = [its[0].transpose(0, 1).contiguous() for its in (q, k, v)]
        cu = torch.tensor([0, 5], dtype=torch.int32, device=q.device)
        for call, arrays in ((attn_mlir.attention, (q, k, v)), (attn_mlir.decode, (q, k, v)),
                             (attn_mlir.varlen, (*rows, cu, cu))):
            expected, found = (torch.full(arrays[0].shape, math.nan, device=q.device)
                               for _ in range(2))
            call(*arrays, out=expected)
            with Record() as record:
                call(*arrays, out=found)
            self.assertEqual(len(record.seen), 1)
            torch.testing.assert_close(found, expected, atol=0, rtol=0)
            with FakeTensorMode() as mode:
                fake = [mode.from_tensor(its) for its in (*arrays, found)]
                self.assertEqual(call(*fake[:-1], out=fake[-1]).dtype, torch.float32)

    def test_vmap(self):
        q, k, v = (torch.stack([its, its.flip(2)]) for its in (Q, K.half(), V.half()))
        k, v, own = k.to(E4M3), v.to(I8), scale(2, 2, 2)

        def call(q, k, v, k_scale):
            return attn_mlir.attention(q, k, v, k_scale=k_scale, v_scale=k_scale)

        found = torch.func.vmap(call)(q, k, v, own)
        for number in range(2):
            self.assertTrue(torch.equal(found[number], call(
                *[its[number] for its in (q, k, v, own)])))

    def test_sdpa(self):
        """PyTorch has no attention on 8-bit arrays. The mode passes such calls on, and PyTorch
        raises an error."""
        with attn_mlir.torch.sdpa() as mode:
            for arrays in ((Q, K, K), (K, K, K)):
                with self.assertRaises(RuntimeError):
                    torch.nn.functional.scaled_dot_product_attention(*arrays)
        self.assertEqual((mode.served, mode.passed_on), (0, 2))
        self.assertIn("found torch.float8_e4m3fn", "".join(mode.reasons))
        with attn_mlir.torch.sdpa(strict=True), self.assertRaisesRegex(
                attn_mlir.Error, "key: expected dtype float16"):
            torch.nn.functional.scaled_dot_product_attention(Q, K, K)

    def test_sdpa_wide(self):
        q, k = draw(1, 2, 5, 512).half(), draw(1, 2, 9, 512).half()
        with attn_mlir.torch.sdpa(strict=True) as mode:
            found = torch.nn.functional.scaled_dot_product_attention(q, k, k)
        self.assertEqual(mode.served, 1)
        expected = torch.nn.functional.scaled_dot_product_attention(
            *[its.double() for its in (q, k, k)])
        torch.testing.assert_close(found.double(), expected, atol=4e-3, rtol=4e-3)
        with attn_mlir.torch.sdpa(strict=True), self.assertRaisesRegex(
                attn_mlir.Error, "query: expected a head dimension from 1 to 256, found 512"):
            torch.nn.functional.scaled_dot_product_attention(
                *[its.float() for its in (q, k, k)])

    def test_errors(self):
        grad, own, other = Q.clone().requires_grad_(), scale(2, 2), scale(3, 2)
        tokens = TOKENS[0].clone().requires_grad_()
        cases = (
            ("q_scale: expected None where q requires a gradient",
             lambda: attn_mlir.attention(grad, K, V, q_scale=own[0, 0])),
            ("q_scale: expected None where q requires a gradient",
             lambda: attn_mlir.torch.varlen(tokens, *TOKENS[1:], CU, q_scale=own[0, 0])),
            ("out_scale: expected None where gradients are needed",
             lambda: attn_mlir.attention(grad, K, V, out_scale=own[0, 0])),
            ("q: expected a tensor that requires no gradient here",
             lambda: attn_mlir.decode(grad, K, V, k_scale=own)),
            ("k_scale: expected a tensor that requires no gradient here",
             lambda: attn_mlir.attention(Q, K, V, k_scale=own.clone().requires_grad_())),
            ("v_scale: expected a tensor that requires no gradient here",
             lambda: attn_mlir.append(*NEW[:2], K.clone(), V.clone(), LENGTHS.clone(),
                                      k_scale=own, v_scale=own.clone().requires_grad_())),
            (r"k_scale: expected sizes \(\), \(B, Hkv\)",
             lambda: make_fx(lambda q: attn_mlir.attention(q, K, V, k_scale=other))(Q)),
            ("v_mean: expected a tensor that requires no gradient here",
             lambda: attn_mlir.attention(Q, K, V, v_mean=draw(2, 2, 1, 8).requires_grad_())),
            ("v: expected an array, or value_dims, found None",
             lambda: attn_mlir.torch.attention(Q, K)),
        )
        for message, call in cases:
            with self.subTest(message), self.assertRaisesRegex(attn_mlir.ArgumentError,
                                                               f"^{message}"):
                call()
        # Calls the operator directly, without the checks of the Python function.
        keys = Q[:, :2].clone().requires_grad_()
        o = torch.ops.attn_mlir.attention(Q, keys, keys, None, "", None, None,
                                          "top_left", "", "", [], None, 0.0, None, None, own)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^k_scale: expected None where"):
            o.sum().backward()


if __name__ == "__main__":
    unittest.main()
