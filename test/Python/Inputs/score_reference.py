"""Attention by torch with a score function, and inputs for it."""

import attn_mlir.torch
import torch
from torch._dynamo._trace_wrapped_higher_order_op import TransformGetItemToIndex

torch.manual_seed(0)
H, S, T, D = 2, 9, 11, 8
Q, K, V = (torch.randn(1, H, size, D) for size in (S, T, T))


def reference(function):
    """Attention by torch, whose vmap calls the function for each pair."""
    pairs = lambda s, h, i, j: function(s, h, i, j)
    for dims in ((0, None, None, 0), (0, None, 0, None), (0, 0, None, None), (0, None, None, None)):
        pairs = torch.vmap(pairs, in_dims=dims)
    h, i, j = (torch.arange(size, dtype=torch.int32) for size in (H, S, T))
    with TransformGetItemToIndex():  # which torch 2.10 needs for indices of its vmap
        scores = pairs((Q @ K.mT / D**0.5).clone(), h, i, j)
    return torch.softmax(scores, -1) @ V


def compiled(*arrays, score_mod):
    """attn_mlir.torch.attention in a graph of its own."""
    torch._dynamo.reset()
    return torch.compile(attn_mlir.torch.attention, backend="eager", fullgraph=True)(
        *arrays, score_mod=score_mod)
