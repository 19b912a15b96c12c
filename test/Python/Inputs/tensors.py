"""Attention in fp64 on tensors, random problems, and helpers of tests."""

import contextlib
import functools
import math
import unittest.mock

import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def problem(batch=2, heads=4, kv_heads=4, rows=40, keys=50, dim=32, dtype=torch.float32):
    generator = torch.Generator().manual_seed(0)

    def make(heads, rows):
        # The order in memory is (batch, row, head, head dim).
        array = torch.randn(batch, rows, heads, dim, generator=generator)
        return array.to(DEVICE, dtype).transpose(1, 2)
    return make(heads, rows), make(kv_heads, keys), make(kv_heads, keys)


def reference(q, k, v, scale=None, score=None):
    """Returns the output and the log-sum-exp in fp64."""
    group = q.shape[1] // k.shape[1]
    k, v = (x.double().repeat_interleave(group, 1) for x in (k, v))
    s = q.double() @ k.mT * (q.shape[3] ** -0.5 if scale is None else scale)
    if score is not None:
        b, h, i, j = (torch.arange(n, device=q.device).view(
            [-1 if d == dim else 1 for d in range(4)]) for dim, n in enumerate(s.shape))
        s = score(s, b, h, i, j)
    return s.softmax(-1) @ v, s.logsumexp(-1)


def causal(s, b, h, i, j):
    return torch.where(i >= j, s, -math.inf)


def soft_cap(s, b, h, i, j):
    return 5 * torch.tanh(s / 5) + torch.exp2(-(h + 1.0)) * (j - i)


def check(found, expected, dtype=torch.float32):
    assert found.dtype == dtype and found.shape == expected.shape
    tolerance = {torch.float32: 5e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}[dtype]
    torch.testing.assert_close(found.double(), expected, atol=tolerance, rtol=tolerance)


def leaves(*arrays):
    return [array.detach().clone().requires_grad_() for array in arrays]


def random_like(array, factor=1.0):
    generator = torch.Generator().manual_seed(7)
    return (factor * torch.randn(array.shape, generator=generator)).to(array)


@contextlib.contextmanager
def recorded(module, name):
    """Yields a list that gets the keyword arguments of each call of a module's function."""
    function, calls = getattr(module, name), []

    @functools.wraps(function)
    def record(*arguments, **options):
        calls.append(options)
        return function(*arguments, **options)

    with unittest.mock.patch.object(module, name, record):
        yield calls


def bucket(distance):
    """Returns T5's bucket of a relative position, one of 32 for both directions."""
    found = (distance > 0).to(torch.long) * 16
    distance = distance.abs()
    large = 8 + (torch.log(distance.float() / 8) / math.log(128 / 8) * 8).to(torch.long)
    large = torch.min(large, torch.full_like(large, 15))
    return found + torch.where(distance < 8, distance, large)


def compiled(function):
    """Returns the function as torch.compile makes it, which forgets what it compiled before, such
    as for other dtypes."""
    torch.compiler.reset()
    return torch.compile(function, fullgraph=True, backend="aot_eager")
