# First calls while a stream is captured: kernels are compiled and loaded then, in each of CUDA's
# modes of capture, and kernels that nobody needs are unloaded. Each test has a process of its own,
# since a process loads a kernel once.
#
# REQUIRES: capi, torch, pytorch
# RUN: %pytorch-python -W ignore %s

import gc
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.torch
import torch
from tensors import causal, check, problem, reference

MODES = ("global", "thread_local", "relaxed")


def capture(mode, function):
    """Captures a call of `function` that no call precedes. Returns the graph and its results."""
    torch.zeros(1, device="cuda")
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, capture_error_mode=mode):
        found = function()
    return graph, found


def replay(graph, found):
    for its in found:
        its.fill_(float("nan"))
    graph.replay()
    torch.cuda.synchronize()


def forward(mode):
    q, k, v = problem(rows=300, keys=300, dim=128, dtype=torch.bfloat16)
    graph, found = capture(mode, lambda: [attn_mlir.attention(q, k, v, causal=True)])
    for _ in range(2):
        q.normal_()
        replay(graph, found)
        expected = torch.nn.functional.scaled_dot_product_attention(
            *(its.double() for its in (q, k, v)), is_causal=True)
        check(found[0], expected, torch.bfloat16)


def gradients(mode):
    torch.manual_seed(1)
    leaves = [torch.randn(2, 4, 200, 64, device="cuda", dtype=torch.float16, requires_grad=True)
              for _ in "qkv"]
    seed = torch.randn(2, 4, 200, 64, device="cuda", dtype=torch.float16)

    def step():
        return list(torch.autograd.grad(attn_mlir.attention(*leaves, causal=True), leaves, seed))

    graph, found = capture(mode, step)
    replay(graph, found)
    wide = [its.detach().double().cpu().requires_grad_() for its in leaves]
    expected = torch.autograd.grad(torch.nn.functional.scaled_dot_product_attention(
        *wide, is_causal=True), wide, seed.double().cpu())
    for its, exact in zip(found, expected):
        torch.testing.assert_close(its.double().cpu(), exact, atol=6e-3, rtol=6e-3)


def masked(mode):
    """A mask that only the captured call knows: the graph's kernel outlives the function."""
    q, k, v = problem(rows=130, keys=130, dim=64, dtype=torch.float16)

    def call(distance):
        return attn_mlir.attention(q, k, v, mask_mod=lambda b, h, i, j: i - j < distance)

    graph, found = capture(mode, lambda: [call(5)])
    gc.collect()
    for distance in range(6, 40):  # other kernels, which take the place of the first one
        call(distance)
    gc.collect()
    replay(graph, found)
    check(found[0], reference(q, k, v, score=lambda s, b, h, i, j: torch.where(
        i - j < 5, s, -torch.inf))[0], torch.float16)


def unloaded(mode):
    """A kernel that ran is destroyed while a stream is captured, and the capture goes on."""
    q, k, v = problem(batch=1, rows=128, keys=128, dim=64, dtype=torch.float16)
    kernels = [attn_mlir.compile(dtype="f16", head_dim=64)]
    others = [torch.empty_like(q) if len(its.sizes) == 4 else
              torch.empty(q.shape[:3], device="cuda") for its in kernels[0].arguments[3:]]
    kernels[0].run(q, k, v, *others)

    def step():
        kernels.clear()
        gc.collect()
        return [attn_mlir.attention(q, k, v, causal=True)]

    graph, found = capture(mode, step)
    replay(graph, found)
    check(found[0], reference(q, k, v, score=causal)[0], torch.float16)


class FirstCalls(unittest.TestCase):
    pass


def add(function, mode):
    def test(self):
        child = subprocess.run([sys.executable, "-W", "ignore", __file__, function.__name__, mode],
                               capture_output=True, text=True, timeout=300)
        self.assertEqual(child.returncode, 0, child.stdout + child.stderr)
        self.assertEqual(child.stdout, "right\n")

    setattr(FirstCalls, f"test_{function.__name__}_{mode}", test)


for function in (forward, gradients, masked, unloaded):
    for mode in MODES:
        add(function, mode)

if __name__ == "__main__":
    if len(sys.argv) == 3:
        globals()[sys.argv[1]](sys.argv[2])
        print("right")
    else:
        unittest.main()
