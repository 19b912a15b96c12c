# PyTorch: tensors, the operator under torch.compile, and the stand-in for
# scaled_dot_product_attention; on the GPU if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python %s

import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import many_threads
import torch
from attn_mlir import _attention
from tensors import DEVICE, causal, check, problem, reference, soft_cap
from torch.nn.functional import scaled_dot_product_attention


class Tensors(unittest.TestCase):
    def test_values(self):
        for dtype in (torch.float16, torch.bfloat16, torch.float32):
            for kv_heads in (4, 2):
                q, k, v = problem(kv_heads=kv_heads, dtype=dtype)
                o = attn_mlir.attention(q, k, v, causal=True)
                check(o, reference(q, k, v, score=causal)[0], dtype)
                self.assertEqual(o.stride(), q.stride())
                o, lse = attn_mlir.attention(q, k, v, scale=0.3, return_lse=True)
                expected, expected_lse = reference(q, k, v, scale=0.3)
                check(o, expected, dtype)
                torch.testing.assert_close(lse.double(), expected_lse, atol=1e-3, rtol=1e-3)

    def test_score_mod(self):
        q, k, v = problem()
        o = attn_mlir.attention(q, k, v, score_mod=soft_cap)
        check(o, reference(q, k, v, score=soft_cap)[0])

    def test_views(self):
        q, k, v = problem()
        wide = torch.full((2, 4, 50, 40), math.nan, device=DEVICE)
        wide[..., 3:35] = k
        k = wide[..., 3:35]
        check(attn_mlir.attention(q[:, ::2], k[:, ::2], v[:, 1::2]),
              reference(q[:, ::2], k[:, ::2], v[:, 1::2])[0])
        k = k[:1].expand(2, -1, -1, -1)
        check(attn_mlir.attention(q, k, v), reference(q, k, v)[0])
        q = q[:1].expand(2, -1, -1, -1)
        check(attn_mlir.attention(q, k, v), reference(q, k, v)[0])

    def test_parameters(self):
        q, k, v = problem()
        with torch.no_grad():
            o = attn_mlir.attention(torch.nn.Parameter(q), k, v)
        check(o, reference(q, k, v)[0])
        self.assertFalse(o.requires_grad)

    def test_known_layouts(self):
        """Known calls with other numbers, other calls between them, and calls that cannot be
        known."""
        _attention.calls.clear()
        expected = {}
        for turn in range(2):
            for rows, keys in ((40, 50), (41, 50), (40, 1)):
                for options in ({}, {"return_lse": True}, {"scale": 0.3}, {"causal": True}):
                    q, k, v = problem(rows=rows, keys=keys)
                    q = q * (turn + 1)
                    for views in ((q, k, v), (q, k.transpose(0, 1).contiguous().transpose(0, 1),
                                               v),
                                  (q[:, :, ::2], k, v), (q.transpose(1, 2).contiguous(
                                  ).transpose(1, 2), k, v)):
                        found = attn_mlir.attention(*views, **options)
                        o, lse = found if "return_lse" in options else (found, None)
                        wanted, wanted_lse = reference(
                            *views, scale=options.get("scale"),
                            **({"score": causal} if "causal" in options else {}))
                        check(o, wanted)
                        if lse is not None:
                            torch.testing.assert_close(lse.double(), wanted_lse, atol=1e-3,
                                                       rtol=1e-3)
                        key = rows, keys, str(options), *(its.stride() for its in views)
                        self.assertEqual(o.stride(), expected.setdefault(key, o.stride()))
            if turn == 0:
                count = len(_attention.calls)
        self.assertEqual(len(_attention.calls), count)
        self.assertGreaterEqual(count, 36)

        q, k, v = problem()
        expected = reference(q, k, v)[0]
        for turn in range(2):
            wide = torch.full((2, 4, 40, 40), math.nan, device=DEVICE)
            out = wide[..., 4:36]
            self.assertIs(attn_mlir.attention(q, k, v, out=out), out)
            check(out, expected)
            self.assertTrue(wide[..., :4].isnan().all() and wide[..., 36:].isnan().all())
            # This output has the layout of a known call, but shares its memory with an input.
            with self.assertRaisesRegex(attn_mlir.ArgumentError, "memory of its own"):
                attn_mlir.attention(q, k, v, out=q)
            with self.assertRaisesRegex(attn_mlir.ArgumentError, "requires no gradient"):
                attn_mlir.attention(q, k, v, out=out.detach().requires_grad_())
        attn_mlir.attention(q, k, v)
        # Properties that do not follow from the layouts are checked in each call.
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "stream: expected a CUDA"):
            attn_mlir.attention(q, k, v, stream="0")
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^window: expected"):
            attn_mlir.attention(q, k, v, window=[0, 1, 2])
        q.requires_grad_()
        self.assertTrue(attn_mlir.attention(q, k, v).requires_grad)
        with torch.no_grad():
            self.assertFalse(attn_mlir.attention(q, k, v).requires_grad)

    def test_many_layouts(self):
        _attention.calls.clear()
        for length in range(1, 1100):
            q = torch.zeros(1, 1, 1, 32, dtype=torch.float16, device=DEVICE)
            k = q.expand(1, 1, length, 32)
            attn_mlir.attention(q, k, k)
        self.assertLessEqual(len(_attention.calls), 1024)

    def test_errors(self):
        q, k, v = problem()

        def expect(text, *arrays, **options):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, text):
                attn_mlir.attention(*arrays, **options)

        expect("^q: expected dtype .* found i64", q.long(), k.long(), v.long())
        expect("^q: expected dtype .* found torch.complex64", q.to(torch.complex64), k, v)
        expect("^v: expected a tensor on a CUDA device or on the CPU, found meta", q, k,
               v.to("meta"))
        expect("^k: expected a strided tensor", q, k.to_sparse(), v)
        expect("^v: expected rank 4", q, k, v[0])
        expect("^q: expected rows without gaps",
               q.transpose(2, 3).contiguous().transpose(2, 3), k, v)
        expect("^out: expected dtype f32, found f16", q, k, v, out=q.half())
        if DEVICE == "cuda":
            expect("^k: expected an array on GPU 0.*found one on the CPU", q, k.cpu(), v)

    def test_threads(self):
        cases = []
        for rows, keys, dim, is_causal in ((1, 7, 8, False), (5, 5, 8, True),
                                           (33, 90, 16, False), (70, 70, 16, True)):
            q, k, v = problem(rows=rows, keys=keys, dim=dim)
            expected, _ = reference(q, k, v, score=causal if is_causal else None)
            cases.append((q, k, v, is_causal, expected))
        if DEVICE == "cuda":  # other streams read what is made here
            torch.cuda.synchronize()

        def work(seed):
            stream = torch.cuda.Stream() if DEVICE == "cuda" and seed % 2 else None
            with torch.cuda.stream(stream):
                for call in range(50):
                    q, k, v, is_causal, expected = cases[(seed * 31 + call) % 4]
                    check(attn_mlir.attention(q, k, v, causal=is_causal), expected)

        self.assertEqual(many_threads.run(work), [])


class Operator(unittest.TestCase):
    def compile(self, function):
        return torch.compile(function, fullgraph=True, backend="aot_eager")

    def test_compile(self):
        q, k, v = problem()
        function = self.compile(
            lambda q, k, v: attn_mlir.torch.attention(q * 2, k, v, causal=True) + 1)
        check(function(q, k, v) - 1, reference(q * 2, k, v, score=causal)[0])
        q, k, v = problem(rows=70, keys=90)
        check(function(q, k, v) - 1, reference(q * 2, k, v, score=causal)[0])

    def test_compile_score_mod(self):
        q, k, v = problem()
        traced = attn_mlir.score.trace(soft_cap)
        for score in (soft_cap, traced):
            function = self.compile(lambda q, k, v: attn_mlir.torch.attention(
                q, k, v, score_mod=score, return_lse=True))
            for found, expected in zip(function(q, k, v),
                                       reference(q, k, v, score=soft_cap)):
                check(found, expected)

    def test_registration(self):
        q, k, v = problem()
        torch.library.opcheck(torch.ops.attn_mlir.attention,
                              (q, k, v, None, "top_left", None, None, "top_left", "", "", [],
                               None, 0.0, None))
        torch.library.opcheck(torch.ops.attn_mlir.attention_lse,
                              (q, k, v[..., :8], 0.3, "", 4, None, "bottom_right", "", "",
                               [], None, 0.0, None))


class SDPA(unittest.TestCase):
    def test_served(self):
        q, k, v = problem()
        with attn_mlir.torch.sdpa() as mode:
            plain = scaled_dot_product_attention(q, k, v)
            masked = torch.nn.functional.scaled_dot_product_attention(
                q, k, v, is_causal=True, scale=0.5)
            grouped = scaled_dot_product_attention(q, k[:, :2], v[:, :2], enable_gqa=True)
        self.assertEqual((mode.served, mode.passed_on), (3, 0))
        check(plain, reference(q, k, v)[0])
        check(masked, reference(q, k, v, 0.5, causal)[0])
        check(grouped, reference(q, k[:, :2], v[:, :2])[0])
        scaled_dot_product_attention(q, k, v)
        self.assertEqual(mode.served, 3)

    def test_passed_on(self):
        q, k, v = problem()
        leaf = q.clone().requires_grad_()
        mask = torch.zeros(40, 50, device=DEVICE).double()
        calls = [((q.double(), k.double(), v.double()), {"attn_mask": mask}),
                 ((leaf[0], k[0], v[0]), {}),
                 ((q.double(), k.double(), v.double()), {}),
                 ((q[:1], k, v), {}),
                 ((q, k.transpose(2, 3).contiguous().transpose(2, 3), v), {})]
        with attn_mlir.torch.sdpa() as mode:
            for arrays, options in calls:
                scaled_dot_product_attention(*arrays, **options)
            scaled_dot_product_attention(leaf[0], k[0], v[0]).sum().backward()
            with self.assertRaises(RuntimeError):
                scaled_dot_product_attention(q, k[:, :3], v[:, :3])
        self.assertEqual((mode.served, mode.passed_on), (0, len(calls) + 2))
        self.assertIsNotNone(leaf.grad)
        with attn_mlir.torch.sdpa(strict=True):
            for arrays, options in calls:
                with self.assertRaisesRegex(attn_mlir.Error, "^scaled_dot_product"):
                    scaled_dot_product_attention(*arrays, **options)

    def test_compile(self):
        q, k, v = problem()
        with attn_mlir.torch.sdpa() as mode:
            function = torch.compile(lambda q, k, v: scaled_dot_product_attention(
                q, k, v, is_causal=True) + 1, fullgraph=True, backend="aot_eager")
            check(function(q, k, v) - 1, reference(q, k, v, score=causal)[0])
        self.assertEqual(mode.served, 1)


if __name__ == "__main__":
    unittest.main()
