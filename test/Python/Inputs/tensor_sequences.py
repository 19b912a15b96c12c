"""Computes attention on packed sequences with PyTorch in fp64, for autograd, and has score and mask
functions for tests."""

import torch
from sequences import bounds
from tensors import DEVICE

TOLERANCES = {torch.float32: 3e-5, torch.float16: 4e-3, torch.bfloat16: 3e-2}


def draw(function, *arguments, **options):
    generator = torch.Generator().manual_seed(5)
    return function(*arguments, generator=generator, **options).to(DEVICE)


# The arrays that functions read at positions are longer than any sequence.
WIDTHS = draw(torch.randint, 1, 40, (4,), dtype=torch.int32)
COUNTS = draw(torch.randint, 1, 90, (8,))
SLOPES = draw(torch.randn, 4).bfloat16()
BITS = draw(torch.rand, 200, 200) > 0.3
TABLE = draw(torch.randn, 17, 4)
WEIGHTS = draw(torch.randn, 256).half()

SCORES = {
    "slopes": lambda s, b, h, i, j: s + SLOPES[h].float() * (j - i) / 16,
    "table": lambda s, b, h, i, j: s + TABLE[torch.clamp(j - i + 8, 0, 16), h],
    "soft cap": lambda s, b, h, i, j: 2 * torch.tanh(s / 2) + WEIGHTS[j].float(),
}
MASKS = {
    "windows": lambda b, h, i, j: (i - j).abs() <= WIDTHS[h],
    "prefixes": lambda b, h, i, j: j < COUNTS[b],
    "bits": lambda b, h, i, j: BITS[i, j],
    # The first rows of each sequence attend to no key.
    "empty rows": lambda b, h, i, j: (i > 5) & ((i + j + h) % 3 != 0),
}


def attend(q, k, v, b, scale, causal, window, score, mask, sink):
    """Returns output and lse of one sequence: q is (rows, Hq, D), k and v are (keys, Hkv, ...), of
    any dtype. Output and lse of rows without keys have no derivative."""
    q, k, v = (x.double().transpose(0, 1) for x in (q, k, v))
    heads, rows, width = q.shape
    k, v = (x.repeat_interleave(heads // k.shape[0], 0) for x in (k, v))
    keys = k.shape[1]
    scores = q @ k.transpose(1, 2) * (width ** -0.5 if scale is None else scale)
    at = torch.arange
    h, i, j = (at(heads, device=q.device)[:, None, None], at(rows, device=q.device)[:, None],
               at(keys, device=q.device))
    b = torch.tensor(b, device=q.device)
    if score is not None:
        scores = score(scores, b, h, i, j)
    keep = torch.ones_like(scores, dtype=torch.bool)
    distance = j - i - (keys - rows)
    left, right = window or (None, None)
    for counts in (distance <= 0 if causal else None,
                   None if left is None else distance >= -left,
                   None if right is None else distance <= right,
                   None if mask is None else mask(b, h, i, j)):
        if counts is not None:
            keep = keep & counts
    none = ~keep.any(-1)
    # An additional key with a value of 0. Its score is the sink if there is one, else -inf. In rows
    # without other keys it is 0, so that the softmax is defined.
    extra = torch.full((heads, rows, 1), -torch.inf, dtype=scores.dtype, device=q.device)
    if sink is not None:
        extra = sink.double()[:, None, None].expand(heads, rows, 1)
    else:
        extra = torch.where(none[..., None], 0.0, extra)
    scores = torch.where(keep, scores, -torch.inf)
    whole = torch.cat([scores, extra], -1)
    lse = whole.logsumexp(-1)
    if sink is None:
        lse = torch.where(none, -torch.inf, lse)
    weights = torch.where(keep, whole.softmax(-1)[..., :keys], 0.0)
    return (weights @ v).transpose(0, 1), lse


def packed(q, k, v, cu_q, cu_kv, scale=None, causal=False, window=None, score=None,
           mask=None, sink=None):
    """Returns output and lse of all sequences. For rows that belong to no sequence, these are 0 and
    -inf."""
    o, lse, end = [], [], 0

    def skip(stop):
        o.append(q.new_zeros((stop - end, q.shape[1], v.shape[2]), dtype=torch.float64))
        lse.append(torch.full((q.shape[1], stop - end), -torch.inf, dtype=torch.float64,
                              device=q.device))

    for b, (rows, keys) in enumerate(zip(bounds(cu_q, len(q)), bounds(cu_kv, len(k)))):
        skip(int(rows[0]))
        own, its = attend(q[slice(*rows)], k[slice(*keys)], v[slice(*keys)], b, scale,
                          causal, window, score, mask, sink)
        o.append(own)
        lse.append(its)
        end = int(rows[1])
    skip(len(q))
    return torch.cat(o), torch.cat(lse, 1)
