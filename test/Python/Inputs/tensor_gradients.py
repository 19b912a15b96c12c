"""Gradients of attention on tensors by their formulas, and the accuracy rule."""

import math

import torch

GAP = {torch.float32: 2.0**-23, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}


def window_mask(left=None, right=None, causal=False, shift=0, score=lambda s, *_: s):
    """Returns a score function that also applies a mask. `shift` is keys - rows for the alignment
    bottom_right."""
    def masked(s, b, h, i, j):
        d = j - i - shift
        keep = (d <= 0) if causal else (d <= math.inf)
        if left is not None:
            keep = keep & (d >= -left)
        if right is not None:
            keep = keep & (d <= right)
        return torch.where(keep, score(s, b, h, i, j), -math.inf)
    return masked


def formulas(q, k, v, o, lse, d_o, d_lse, scale, score, compute, narrow=None):
    """Returns the gradients and, for each, the largest sum of its terms' absolute values.
    Everything is computed in the type `compute`, but P and dS are rounded to `narrow`."""
    group = q.shape[1] // k.shape[1]
    q, k, v, o, lse, d_o, d_lse = (x.to(compute) for x in (q, k, v, o, lse, d_o, d_lse))
    k, v = (x.repeat_interleave(group, 1) for x in (k, v))
    s = (q @ k.mT * scale).requires_grad_()
    with torch.enable_grad():
        b, h, i, j = (torch.arange(n, device=q.device).view(
            [-1 if d == dim else 1 for d in range(4)]) for dim, n in enumerate(s.shape))
        changed = s * 1 if score is None else score(s, b, h, i, j)
        derivative, = torch.autograd.grad(changed.sum(), s)
    changed, s = changed.detach(), s.detach()
    rows = lse.unsqueeze(-1)
    p = torch.where((rows > -math.inf) & (changed > -math.inf), (changed - rows).exp(), 0)
    d_p = d_o @ v.mT
    delta = (o * d_o).sum(-1) - d_lse
    d_s = p * (d_p - delta.unsqueeze(-1)) * derivative
    terms = p * (d_o.abs() @ v.abs().mT + ((o * d_o).abs().sum(-1) + d_lse.abs())
                 .unsqueeze(-1)) * derivative.abs().clamp(min=1)

    def add_heads(x):
        return x.unflatten(1, (-1, group)).sum(2)

    def largest(x):
        return x.max().item() if x.numel() else 0

    magnitudes = (largest(scale * terms @ k.abs()),
                  largest(add_heads(scale * terms.mT @ q.abs())),
                  largest(add_heads(p.mT @ d_o.abs())))
    if narrow is not None:
        p, d_s = p.to(narrow).to(compute), d_s.to(narrow).to(compute)
    found = [scale * d_s @ k, add_heads(scale * d_s.mT @ q), add_heads(p.mT @ d_o)]
    if narrow is not None:
        found = [x.to(narrow) for x in found]
    return found, magnitudes


def exact(q, k, v, d_o, d_lse=None, scale=None, score=None):
    """Returns the gradients in fp64, and the errors that the accuracy rule allows: three times
    those of an evaluation in the inputs' precision, and a few units in the last place."""
    scale = q.shape[3] ** -0.5 if scale is None else scale
    group = q.shape[1] // k.shape[1]
    s = q.double() @ k.double().repeat_interleave(group, 1).mT * scale
    if score is not None:
        b, h, i, j = (torch.arange(n, device=q.device).view(
            [-1 if d == dim else 1 for d in range(4)]) for dim, n in enumerate(s.shape))
        s = score(s, b, h, i, j)
    lse = s.logsumexp(-1) if s.shape[-1] else torch.full(s.shape[:3], -math.inf).to(s)
    p = torch.where(s > -math.inf, (s - lse.unsqueeze(-1)).exp(), 0)
    o = p @ v.double().repeat_interleave(group, 1)
    d_lse = torch.zeros_like(lse) if d_lse is None else d_lse
    double, magnitudes = formulas(q, k, v, o, lse, d_o, d_lse, scale, score, torch.float64)
    narrow = None if q.dtype == torch.float32 else q.dtype
    low, _ = formulas(q, k, v, o.to(q.dtype), lse, d_o, d_lse, scale, score, torch.float32,
                      narrow)
    limits = []
    for g64, glow, magnitude in zip(double, low, magnitudes):
        largest = g64.abs().max().item() if g64.numel() else 0
        error = (glow - g64).abs().max().item() if g64.numel() else 0
        spacing = GAP[q.dtype] * 2.0 ** math.floor(math.log2(largest)) if largest else 0
        limits.append(3 * error + spacing + 1e-5 * largest + 2.0**-20 * magnitude)
    return double, limits


def check(found, q, k, v, d_o, d_lse=None, scale=None, score=None):
    """Checks gradients of q, k and v by the accuracy rule. `found` has None for gradients that were
    not asked for."""
    with torch.no_grad():
        expected, limits = exact(q, k, v, d_o, d_lse, scale, score)
    for name, its, array, g64, limit in zip("qkv", found, (q, k, v), expected, limits):
        if its is None:
            continue
        assert its.dtype == array.dtype and its.shape == array.shape, (name, its.shape)
        error = (its - g64).abs().max().item() if its.numel() else 0
        assert error <= limit, f"d{name}: error {error:.3g}, at most {limit:.3g}"
