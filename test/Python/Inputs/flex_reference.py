"""FlexAttention by its definition, in fp64 on all pairs, with gradients by autograd."""

import math

import torch
from torch._dynamo._trace_wrapped_higher_order_op import TransformGetItemToIndex


def over_pairs(function, sizes, device, score=None):
    """A function's values at all b, h, q and kv; each call of it has numbers alone."""
    before = () if score is None else (0,)
    for dim in (3, 2, 1, 0):
        dims = tuple([0 if its == dim else None for its in range(4)])
        function = torch.vmap(function, in_dims=before + dims)
    indices = [torch.arange(size, device=device, dtype=torch.int32) for size in sizes]
    with TransformGetItemToIndex():
        return function(*(() if score is None else (score,)), *indices)


def attend(q, k, v, score_mod=None, mask_mod=None, scale=None):
    """The output, the lse and the largest scores."""
    group = q.shape[1] // k.shape[1]
    q, k, v = q.double(), *[its.double().repeat_interleave(group, 1).expand(
        q.shape[0], -1, -1, -1) for its in (k, v)]
    s = q @ k.mT * (q.shape[3] ** -0.5 if scale is None else scale)
    if score_mod is not None:
        s = over_pairs(score_mod, s.shape, q.device, s).double()
    if mask_mod is not None:
        s = torch.where(over_pairs(mask_mod, s.shape, q.device).expand(s.shape), s, -math.inf)
    largest = s.detach().amax(-1) if s.shape[3] else s.new_full(s.shape[:3], -math.inf)
    is_empty = (largest == -math.inf).unsqueeze(-1)
    # Rows without keys have no gradient, not NaN.
    full = torch.where(is_empty, 0.0, s)
    p = torch.where(is_empty, 0.0, full.softmax(-1))
    lse = torch.where(is_empty[..., 0], -math.inf, full.logsumexp(-1)) if s.shape[3] else \
        largest
    return p @ v, lse, largest


def check(found, expected, name="", bound=3e-6):
    """By the largest element: both are sums of terms of any sign."""
    assert found.shape == expected.shape, (name, found.shape, expected.shape)
    found, expected = found.double(), expected.double()
    same = (found == expected) | (found - expected).abs().le(
        bound * max(1.0, expected[expected.isfinite()].abs().max().item()
                    if expected.isfinite().any() else 1.0))
    assert same.all(), (name, (found - expected)[~same].abs().max().item(),
                        expected[~same].abs().max().item())
