# Values that are views of the keys in PyTorch, by themselves, with gradients and under
# torch.compile; on the GPU if there is one, else on the CPU.
#
# REQUIRES: capi, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import torch
from tensors import DEVICE


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
        """Arrays with the same sizes and strides, whose values lie elsewhere."""
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
        """The value's add to the key's."""
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


if __name__ == "__main__":
    unittest.main()
