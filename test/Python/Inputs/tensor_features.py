"""Sinks, dropout and added biases on tensors: plain attention in fp64, and problems."""

import philox
import torch


def reference(q, k, v, bias=None, sink=None, dropout_p=0.0, seed=(0, 0)):
    """Returns the output and the lse, from which autograd computes gradients. `bias` is a function
    of scores and of broadcast indices, which may read tensors."""
    group = q.shape[1] // k.shape[1]
    k, v = (x.double().repeat_interleave(group, 1) for x in (k, v))
    s = q.double() @ k.mT * q.shape[3] ** -0.5
    if bias is not None:
        b, h, i, j = (torch.arange(n, device=q.device).view(
            [-1 if d == dim else 1 for d in range(4)]) for dim, n in enumerate(s.shape))
        s = bias(s, b, h, i, j)
    whole = s if sink is None else torch.cat(
        [s, sink.double().view(1, -1, 1, 1).expand(*s.shape[:3], 1)], 3)
    p, lse = whole.softmax(-1)[..., :s.shape[3]], whole.logsumexp(-1)
    if dropout_p:
        keep, z = philox.keep(*s.shape, dropout_p, [int(word) for word in seed])
        p = p * torch.tensor(keep, device=q.device) * z
    return p @ v, lse


def compare(found, expected, dtype=torch.float32):
    """Compares elements with a tolerance that is relative to the largest expected element."""
    assert found.dtype == dtype and found.shape == expected.shape, (found.dtype, found.shape)
    gap = {torch.float32: 2e-5, torch.float16: 5e-3, torch.bfloat16: 4e-2}[dtype]
    limit = gap * max(1e-3, expected.abs().max().item())
    error = (found.double() - expected.double()).abs().max().item()
    assert error <= limit, f"error {error:.3g}, at most {limit:.3g}"
