# Values that are views of the keys in PyTorch, by themselves, with gradients and under
# torch.compile; on the GPU if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import contextlib
import os
import sys
import unittest
import unittest.mock

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import torch
import torch.utils._python_dispatch
from attn_mlir import _attention, _operators, _serving
from tensors import DEVICE

KNOWN = _attention.calls, _serving.calls


def random(seed, *sizes, dtype=torch.float16):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*sizes, generator=generator).to(dtype).to(DEVICE)


def expect(q, k, v, causal=False):
    q, k, v = q.double(), k.double(), v.double()
    k, v = (its.repeat_interleave(q.shape[1] // k.shape[1], 1) for its in (k, v))
    s = q @ k.mT / q.shape[3]**0.5
    if causal:
        keep = torch.ones(s.shape[-2:], dtype=torch.bool, device=s.device).tril()
        s = s.masked_fill(~keep, -torch.inf)
    return s.softmax(-1) @ v


def check(found, expected):
    torch.testing.assert_close(found.double(), expected.double(), atol=4e-3, rtol=4e-3)


class Views(unittest.TestCase):
    def test_wide(self):
        for dtype in (torch.float16, torch.bfloat16):
            q, k, v = (random(i, 1, h, 70, 512, dtype=dtype) for i, h in enumerate((4, 2, 2)))
            o = attn_mlir.attention(q, k, v, causal=True)
            torch.testing.assert_close(o.double(), expect(q, k, v, True), atol=2e-2, rtol=2e-2)

    def test_known_layouts(self):
        """Calls whose arrays have the same sizes and strides, but whose values are other columns of
        the key, or not in it."""
        q, k = random(0, 2, 4, 33, 576), random(1, 2, 1, 60, 576)
        other = random(2, 2, 1, 60, 576)
        values = [k[..., :512], other[..., :512], k[..., 64:], k[..., :512].clone(),
                  other[..., 64:], k[..., 3:515]]
        for _ in range(3):
            for v in values:
                check(attn_mlir.attention(q, k, v), expect(q, k, v))
                check(attn_mlir.decode(q[:, :, :5], k, v), expect(q[:, :, :5], k, v))
            check(attn_mlir.attention(q, k, value_dims=(0, 512)), expect(q, k, values[0]))

    def test_gradients(self):
        """The gradient of values that are columns of the key is added to the key's gradient."""
        for dim, end in ((96, 64), (576, 512)):
            q, k = random(0, 2, 4, 33, dim), random(1, 2, 1, 60, dim)
            d_o = random(2, 2, 4, 33, end)
            found = self.differentiate(
                lambda q, k: attn_mlir.attention(q, k, value_dims=(0, end)), q, k, d_o)
            wanted = self.differentiate(lambda q, k: expect(q, k, k[..., :end]),
                                        q.double(), k.double(), d_o)
            for mine, its in zip(found, wanted):
                torch.testing.assert_close(mine.double(), its, atol=2e-2, rtol=2e-2)

    def differentiate(self, function, q, k, d_o):
        leaves = [its.detach().clone().requires_grad_() for its in (q, k)]
        (function(*leaves) * d_o).sum().backward()
        return [its.grad for its in leaves]

    def test_compiled(self):
        q, k = random(0, 2, 4, 3, 576), random(1, 2, 1, 60, 576)

        def call(q, k):
            return attn_mlir.torch.decode(q, k, k[..., :512])

        check(torch.compile(call, fullgraph=True, backend="aot_eager")(q, k),
              expect(q, k, k[..., :512]))


class Parts(unittest.TestCase):
    """Problems whose query and key are divided into two arrays each."""

    def problem(self, heads=2):
        q, k, v = random(0, 2, 4, 33, 96), random(1, 2, 2, 60, 96), random(2, 2, 2, 60, 40)
        k[..., 64:] = k[:, :1, :, 64:] if heads == 1 else k[..., 64:]
        parts = q[..., :64].clone(), k[..., :64].clone(), v.clone()
        return (q, k, v), parts, {"q_rope": q[..., 64:].clone(),
                                  "k_rope": k[:, :heads, :, 64:].clone()}

    def test_known(self):
        """Known calls with rotary keys for each head, for all heads, and with a stride of 0 between
        heads, in turn."""
        for number in range(3):
            known = [len(its) for its in KNOWN]
            for heads in (2, 1):
                whole, parts, rope = self.problem(heads)
                expected = expect(*whole)
                check(attn_mlir.attention(*parts, **rope), expected)
                check(attn_mlir.decode(*parts, **rope), expected)
                expanded = rope["k_rope"].expand(-1, 2, -1, -1)
                check(attn_mlir.attention(*parts, q_rope=rope["q_rope"], k_rope=expanded),
                      expected)
            for its, before in zip(KNOWN, known):
                if number == 0:
                    self.assertGreater(len(its), before)
                else:
                    self.assertEqual(len(its), before)

    def test_gradients(self):
        for heads in (2, 1):
            whole, parts, rope = self.problem(heads)
            for its in (*parts, *rope.values()):
                its.requires_grad_()
            o = attn_mlir.attention(*parts, **rope)
            o.sum().backward()
            found = [its.grad for its in (*parts, *rope.values())]
            for its in whole:
                its.requires_grad_()
            expect(*whole).sum().backward()
            q, k, v = (its.grad.double() for its in whole)
            of_rotary = k[..., 64:]
            if heads == 1:
                of_rotary = of_rotary.sum(1, keepdim=True)
            for mine, its in zip(found, (q[..., :64], k[..., :64], v, q[..., 64:], of_rotary)):
                torch.testing.assert_close(mine.double(), its, atol=2e-2, rtol=2e-2)

    def test_compiled(self):
        whole, parts, rope = self.problem(1)
        expected = expect(*whole)
        for call in (attn_mlir.torch.attention, attn_mlir.torch.decode):
            compiled = torch.compile(lambda *arrays, call=call, **others: call(*arrays, **others),
                                     fullgraph=True, backend="aot_eager")
            check(compiled(*parts, **rope), expected)
        q, cache = random(0, 2, 16, 2, 576), random(1, 2, 60, 576)
        expected = expect(q, cache[:, None], cache[:, None, :, :512])
        split = [tuple([its.clone() for its in (a[..., :512], a[..., 512:])])
                 for a in (q, cache)]
        compiled = torch.compile(
            lambda q, c: attn_mlir.torch.mla_decode(q, c, scale=576**-0.5, causal=False),
            fullgraph=True, backend="aot_eager")
        for query in (q, split[0]):
            check(compiled(query, split[1]), expected)
        check(compiled(split[0], cache), expected)

    def packed(self, heads):
        """Returns packed queries, keys and values, whole and in parts, and cumulative lengths."""
        q, k, v = random(0, 60, 4, 96), random(1, 60, 2, 96), random(2, 60, 2, 40)
        k[..., 64:] = k[:, :1, 64:] if heads == 1 else k[..., 64:]
        rope = {"q_rope": q[..., 64:].clone(), "k_rope": k[:, :heads, 64:].clone()}
        cu = torch.tensor([0, 7, 7, 60], dtype=torch.int32, device=DEVICE)
        return (q, k, v), (q[..., :64].clone(), k[..., :64].clone(), v.clone()), rope, cu

    def expect_packed(self, q, k, v, cu):
        parts = []
        for first, end in zip(cu.tolist(), cu.tolist()[1:]):
            own = [its[first:end].transpose(0, 1)[None] for its in (q, k, v)]
            parts.append(expect(*own, causal=True)[0].transpose(0, 1))
        return torch.cat(parts)

    def test_packed(self):
        for heads in (2, 1):
            whole, parts, rope, cu = self.packed(heads)
            expected = self.expect_packed(*whole, cu)
            for _ in range(2):
                check(attn_mlir.varlen(*parts, cu, causal=True, **rope), expected)
            compiled = torch.compile(
                lambda *arrays, **others: attn_mlir.torch.varlen(*arrays, **others),
                fullgraph=True, backend="aot_eager")
            check(compiled(*parts, cu, causal=True, **rope), expected)
            for its in (*parts, *rope.values(), *whole):
                its.requires_grad_()
            attn_mlir.varlen(*parts, cu, causal=True, **rope).sum().backward()
            self.expect_packed(*whole, cu).sum().backward()
            q, k, v = (its.grad.double() for its in whole)
            of_rotary = k[..., 64:]
            if heads == 1:
                of_rotary = of_rotary.sum(1, keepdim=True)
            for its, wanted in zip((*parts, *rope.values()),
                                   (q[..., :64], k[..., :64], v, q[..., 64:], of_rotary)):
                torch.testing.assert_close(its.grad.double(), wanted, atol=2e-2, rtol=2e-2)

    def test_packed_messages(self):
        _, parts, rope, cu = self.packed(2)
        parts[0].requires_grad_()
        for message, options in (
                (r"q_rope: expected rank 3, .* of q, \(60, 4\) \(4 heads\), found sizes "
                 r"\(59, 4, 32\)", {"q_rope": rope["q_rope"][1:]}),
                ("k_rope: expected an array, beside", {"k_rope": None})):
            for arrays in (parts, [its.detach() for its in parts]):
                with self.assertRaisesRegex(attn_mlir.ArgumentError, "^" + message):
                    attn_mlir.varlen(*arrays, cu, **{**rope, **options})

    def test_chunks_of_a_prompt(self):
        """mla_decode with more rows than a step of decoding has, on pages of latents and of rotary
        keys."""
        q, cache = random(0, 2, 8, 20, 576), random(1, 2, 64, 576)
        lengths = torch.tensor([64, 40], dtype=torch.int32, device=DEVICE)
        pages = torch.tensor([[5, 0, 3, 1], [2, 6, 4, 2**30]], dtype=torch.int32,
                             device=DEVICE)
        pool = torch.full((7, 16, 576), torch.nan, dtype=q.dtype, device=DEVICE)
        for b, length in enumerate(lengths.tolist()):
            for j in range(length):
                pool[pages[b, j // 16], j % 16] = cache[b, j]
        split = [tuple([its.clone() for its in (a[..., :512], a[..., 512:])])
                 for a in (q, pool)]
        outputs = []
        for b, length in enumerate(lengths.tolist()):
            own = cache[b:b + 1, None, :length]
            s = q[b:b + 1].double() @ own.double().mT / 24
            keep = torch.ones(20, length, dtype=torch.bool, device=DEVICE).tril(length - 20)
            outputs.append(s.masked_fill(~keep, -torch.inf).softmax(-1)
                           @ own[..., :512].double())
        expected = torch.cat(outputs)

        def call(q, cache, lengths, pages):
            return attn_mlir.torch.mla_decode(q, cache, scale=1 / 24, lengths=lengths,
                                              page_table=pages)

        for _ in range(2):
            check(call(*split, lengths, pages), expected)
        compiled = torch.compile(call, fullgraph=True, backend="aot_eager")
        check(compiled(*split, lengths, pages), expected)

    def test_no_copy(self):
        """Kernels read the caller's arrays, and no copies."""
        q, cache = random(0, 2, 16, 1, 576), random(1, 2, 60, 576)
        split = [tuple([its.clone() for its in (a[..., :512], a[..., 512:])])
                 for a in (q, cache)]
        with unittest.mock.patch.object(torch, "concatenate", side_effect=AssertionError):
            for query, keys in ((split[0], split[1]), (q, split[1]), (split[0], cache)):
                o = attn_mlir.mla_decode(query, keys, scale=576**-0.5, causal=False)
        check(o, expect(q, cache[:, None], cache[:, None, :, :512]))

    def test_stream(self):
        """If an operator needs copies of arrays, they are made on the stream that the caller
        names."""
        class Mode(torch.utils._python_dispatch.TorchDispatchMode):
            def __torch_dispatch__(self, function, types, args=(), kwargs=None):
                return function(*args, **(kwargs or {}))

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
        whole, parts, rope = self.problem()
        with Mode(), unittest.mock.patch.object(torch, "concatenate", concatenate), \
                unittest.mock.patch.object(type(_operators.adapter), "on_stream", on_stream):
            o = attn_mlir.attention(*parts, **rope, stream=5)
        check(o, expect(*whole))
        self.assertEqual(order, [5, "cat", "cat", "end"])

    def test_operator_messages(self):
        _, (q, k, v), rope = self.problem()
        q.requires_grad_()
        q_rope, k_rope = rope.values()
        for message, its, options in (
                (r"q_rope: expected rank 4, with the first sizes of q, \(2, 4, 33\) \(4 heads\)",
                 k, {"q_rope": q_rope[:, :1], "k_rope": k_rope}),
                (r"k_rope: expected rank 4, .*\(2, 2, 60\) \(2 heads or 1\)", k,
                 {"q_rope": q_rope, "k_rope": k_rope[..., :7, :]}),
                ("q_rope: expected dtype f16, as q has, found f32", k,
                 {"q_rope": q_rope.float(), "k_rope": k_rope}),
                ("k_rope: expected dtype f16, as q has, found bf16", k,
                 {"q_rope": q_rope, "k_rope": k_rope.bfloat16()}),
                ("k_rope: expected None beside keys of another dtype than q's.* k of i8",
                 k.to(torch.int8), rope),
                ("q_rope: expected a tensor, as others require gradients", k,
                 {"q_rope": q_rope.cpu().numpy(), "k_rope": k_rope}),
                ("k_rope: expected an array, beside the other one", k, {"q_rope": q_rope})):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, "^" + message):
                attn_mlir.attention(q, its, v, **options)

    def test_alone(self):
        """Within torch.compile, too, q_rope without k_rope is an error, and vice versa."""
        _, parts, rope = self.problem()
        for call in (attn_mlir.torch.attention, attn_mlir.torch.decode):
            compiled = torch.compile(lambda *arrays, call=call, **others: call(*arrays, **others),
                                     fullgraph=True, backend="eager")
            with self.assertRaisesRegex(Exception, "q_rope: expected an array, beside"):
                compiled(*parts, k_rope=rope["k_rope"])


if __name__ == "__main__":
    unittest.main()
