"""Computes the largest score of each row. Kernels of attention do not return it, so a separate
operator of torch computes it by torch's own operators, from all scores."""

import math
from typing import Any, Optional, Sequence

import torch

from .._autograd import call, define, refuse
from .._schema import Given, Schema
from .._torch_region_values import evaluate
from .._torch_regions import find_regions
from .._traced import types_of

# The largest number of scores that are computed at a time. At least one row is computed at a time,
# even if it has more scores.
_MOST = 2 ** 26


def _run(q: torch.Tensor, k: torch.Tensor, scale: float, score: str, mask: str,
         captures: Sequence[torch.Tensor]) -> torch.Tensor:
    batch, heads, rows, _ = q.shape
    keys = k.shape[2]
    count = len(types_of(score))
    transposed = k.float().repeat_interleave(heads // max(1, k.shape[1]), 1).mT
    found = q.new_full((batch, heads, rows), -math.inf, dtype=torch.float32)
    if keys == 0:
        return found
    step = max(1, _MOST // max(1, batch * heads * keys))
    for first in range(0, rows, step):
        s = q[:, :, first:first + step].float() @ transposed * scale
        sizes = (batch, heads, s.shape[2], keys)
        indices = [(torch.arange(size, device=q.device) + (first if dim == 2 else 0)).view(
            [-1 if dim == its else 1 for its in range(4)])
            for dim, size in enumerate(sizes)]
        if score:
            s = evaluate(score, captures[:count], indices, s).expand(sizes)
        if mask:
            s = torch.where(evaluate(mask, captures[count:], indices), s, -math.inf)
        found[:, :, first:first + step] = s.amax(-1)
    return found


def _fake(given: Given) -> torch.Tensor:
    q = given["q"]
    return q.new_empty(q.shape[:3], dtype=torch.float32)


_SCHEMA = Schema("(Tensor q, Tensor k, float scale, str score, str mask, Tensor[] captures) "
                 "-> Tensor")
refuse(define("max_scores", _SCHEMA, lambda given: _run(**given), _fake),
       "no gradient of the largest scores")


def max_scores(query: torch.Tensor, key: torch.Tensor, scale: Optional[float],
               score_mod: Any, mask_mod: Any) -> torch.Tensor:
    """Returns the largest score of each row, (B, Hq, Sq) in f32, or -inf for a row without keys. It
    has no gradient."""
    score, mask, captures, _ = find_regions(score_mod, mask_mod, query)
    return call("max_scores", query.detach(), key.detach(),
                query.shape[3] ** -0.5 if scale is None else scale, score, mask,
                [its.detach() for its in captures])
