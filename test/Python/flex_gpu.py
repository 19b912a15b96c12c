# FlexAttention's call in CUDA graphs: captured by torch.cuda.graph, and by torch.compile's mode
# reduce-overhead. Replays read inputs, captured tensors and block lists as they are then.
#
# REQUIRES: capi, torch, pytorch
# RUN: %pytorch-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))

import torch
from attn_mlir import flex
from flex_reference import DEVICE, attend, check, draw
from torch.nn.attention import flex_attention as torch_flex

ROWS, BOUND = 300, 4e-3


def problem(seed):
    return [draw(2, heads, ROWS, 64, dtype=torch.float16, seed=seed + number)
            for number, heads in enumerate((8, 2, 2))]


def capture(function):
    """Captures the function in a CUDA graph. Returns the graph, and the arrays that its replays
    write."""
    stream = torch.cuda.Stream()
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(2):
            function()
    torch.cuda.current_stream().wait_stream(stream)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        found = function()
    return graph, found


@unittest.skipUnless(torch.cuda.is_available(), "PyTorch has no GPU")
class Graphs(unittest.TestCase):
    def setUp(self):
        self.q, self.k, self.v = problem(1)
        self.slopes, self.documents = draw(8), torch.arange(ROWS, device=DEVICE) // 70

    def score(self, s, b, h, q, kv):
        return s + self.slopes[h] * (kv - q) * 0.01

    def mask(self, b, h, q, kv):
        return (q >= kv) & (self.documents[q] == self.documents[kv])

    def replace_inputs(self):
        """Writes other numbers to the memory of all inputs."""
        for array, other in zip((self.q, self.k, self.v), problem(11)):
            array.data.copy_(other)
        self.slopes.data.copy_(draw(8, seed=9))
        self.documents.copy_(torch.arange(ROWS, device=DEVICE) // 41)

    def make_masks(self):
        def mask(b, h, q, kv):  # torch's takes no methods
            return self.mask(b, h, q, kv)

        sizes = (None, None, ROWS, ROWS)
        return {"ours": flex.create_block_mask(mask, *sizes, device=DEVICE),
                "torch's": torch_flex.create_block_mask(mask, *sizes, device=DEVICE)}

    def check_output(self, found, name):
        wanted = attend(self.q, self.k, self.v, self.score, self.mask)[0]
        check(found, wanted, name, BOUND)

    def test_forward(self):
        for name in ("ours", "torch's"):
            self.setUp()
            block_mask = self.make_masks()[name]
            graph, found = capture(lambda block_mask=block_mask: flex.flex_attention(
                self.q, self.k, self.v, score_mod=self.score, block_mask=block_mask,
                enable_gqa=True))
            graph.replay()
            self.check_output(found, name)
            if name == "ours":  # torch's lists are of the documents before
                self.replace_inputs()
            else:
                for array, other in zip((self.q, self.k, self.v), problem(11)):
                    array.copy_(other)
            graph.replay()
            self.check_output(found, f"{name}, other inputs")

    def test_gradients(self):
        arrays = [self.q, self.k, self.v, self.slopes]
        for its in arrays:
            its.requires_grad_()
        d_o = draw(2, 8, ROWS, 64, dtype=torch.float16, seed=5)
        block_mask = self.make_masks()["ours"]

        def step():
            output = flex.flex_attention(self.q, self.k, self.v, score_mod=self.score,
                                         block_mask=block_mask, enable_gqa=True)
            return (output.detach(), *torch.autograd.grad(output, arrays, d_o))

        graph, found = capture(step)
        for number in range(2):
            graph.replay()
            wanted = attend(self.q, self.k, self.v, self.score, self.mask)[0]
            gradients = torch.autograd.grad(wanted, arrays, d_o.double())
            for name, its, own in zip(("output", "q", "k", "v", "slopes"), found,
                                      (wanted.detach(), *gradients)):
                check(its, own, f"{name} {number}", 2 * BOUND)
            self.replace_inputs()

    def test_compiled(self):
        """CUDA graphs that torch.compile makes."""
        torch._dynamo.reset()
        block_mask = self.make_masks()["ours"]
        compiled = torch.compile(lambda q, k, v: flex.flex_attention(
            q, k, v, score_mod=self.score, block_mask=block_mask, enable_gqa=True),
            mode="reduce-overhead", fullgraph=True)
        for _ in range(4):
            torch.compiler.cudagraph_mark_step_begin()
            found = compiled(self.q, self.k, self.v).clone()
        self.check_output(found, "compiled")
        self.replace_inputs()
        torch.compiler.cudagraph_mark_step_begin()
        self.check_output(compiled(self.q, self.k, self.v), "compiled, other inputs")


if __name__ == "__main__":
    unittest.main()
