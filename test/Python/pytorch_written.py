# torch counts the in-place writes of calls: if an array that was saved for a backward pass is
# written, the backward pass raises an error and does not compute with other numbers.
#
# REQUIRES: capi, pytorch
# RUN: %pytorch-python -W ignore %s

import unittest

import attn_mlir
import torch

GENERATOR = torch.Generator().manual_seed(7)


def draw(*sizes):
    return torch.randn(sizes, generator=GENERATOR)


Q, K, V = draw(2, 4, 3, 16), draw(2, 2, 5, 16), draw(2, 2, 5, 16)
LENGTHS = torch.tensor([5, 2], dtype=torch.int32)
CU = torch.tensor([0, 1, 3], dtype=torch.int32)


def packed(array):
    return array[0].transpose(0, 1).contiguous()


class Written(unittest.TestCase):
    def check(self, call, *written, read=()):
        """Each of two equal calls, of which the second is known, must increase the version of the
        arrays that it writes, and not that of others."""
        for _ in range(2):
            before = [array._version for array in written]
            untouched = [array._version for array in (Q, K, V, *read)]
            call()
            for array, version in zip(written, before):
                self.assertGreater(array._version, version)
            self.assertEqual([array._version for array in (Q, K, V, *read)], untouched)
            with torch.inference_mode():
                call()

    def test_out(self):
        out, lse = torch.empty(2, 4, 3, 16), torch.empty(2, 4, 3)
        self.check(lambda: attn_mlir.attention(Q, K, V, out=out), out)
        self.check(lambda: attn_mlir.attention(Q, K, V, return_lse=True, out=(out, lse)), out,
                   lse)
        self.check(lambda: attn_mlir.decode(Q, K, V, lengths=LENGTHS, out=out), out,
                   read=[LENGTHS])
        self.check(lambda: attn_mlir.merge([(Q, lse)], out=out, return_lse=False), out,
                   read=[lse])
        short = torch.empty(3, 4, 16)
        self.check(lambda: attn_mlir.varlen(packed(Q), packed(K), packed(V), CU, out=short),
                   short, read=[CU])
        gradients = [torch.empty_like(array) for array in (Q, K, V)]
        o, lse = attn_mlir.attention(Q, K, V, return_lse=True)
        self.check(lambda: attn_mlir.attention_backward(Q, K, V, o, lse, Q, out=gradients),
                   *gradients, read=[o, lse])
        kernel = attn_mlir.compile(dtype="f32", head_dim=16, chip="host")
        self.check(lambda: kernel.run(Q, K, V, out), out)

    def test_append(self):
        k_cache, v_cache = draw(2, 2, 90, 16), draw(2, 2, 90, 16)
        lengths, one = torch.zeros(2, dtype=torch.int32), draw(2, 2, 1, 16)
        self.check(lambda: attn_mlir.append(one, one, k_cache, v_cache, lengths), k_cache,
                   v_cache, lengths, read=[one])
        k_cache, v_cache = k_cache.to(torch.int8), v_cache.to(torch.int8)
        scales = [torch.ones(2, 2) for _ in range(2)]
        self.check(lambda: attn_mlir.append(one, one, k_cache, v_cache, lengths,
                                            k_scale=scales[0], v_scale=scales[1]),
                   k_cache, v_cache, lengths, read=[one, *scales])
        made = [torch.ones(2, 2, 90) for _ in range(2)]
        self.check(lambda: attn_mlir.append(one, one, k_cache, v_cache, lengths,
                                            k_scale=made[0], v_scale=made[1]),
                   k_cache, v_cache, lengths, *made, read=[one])

    def test_kept(self):
        weight = torch.ones(2, 4, 3, 16, requires_grad=True)
        out = torch.ones(2, 4, 3, 16)
        for _ in range(2):
            kept = (out * weight).sum()
            with torch.no_grad():
                attn_mlir.attention(Q, K, V, out=out)
            with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
                kept.backward()
        # The results that a call allocates have version 0.
        for _ in range(2):
            self.assertEqual(attn_mlir.attention(Q, K, V)._version, 0)


if __name__ == "__main__":
    unittest.main()
