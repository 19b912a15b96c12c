"""Computes derivatives of attention's gradients by torch's own operators. This takes arrays of all
pairs of a row and a key in memory, and gives derivatives of any order."""

import math
from typing import Any, List, Optional, Sequence, Tuple

import torch

from ._dropout_mask import dropout_mask
from ._schema import Given
from ._torch_region_values import evaluate
from ._traced import types_of


def _find_kept(given: Given, indices: Sequence[torch.Tensor], rows: int, keys: int,
              captures: Sequence[torch.Tensor]) -> Optional[torch.Tensor]:
    """Returns booleans that say which pairs of a row and a key the masks keep, or None if they keep
    all. `given` are the operators' arguments, and `captures` the arrays that the mask region
    captures."""
    causal, left, right, align, mask = [given[name] for name in (
        "causal", "left", "right", "align", "mask")]
    _, _, i, j = indices
    places = [] if not mask else [evaluate(mask, captures, indices)]
    if (causal or align) == "bottom_right":
        i = i + keys - rows
    if causal or right is not None:
        places.append(j <= i + (0 if causal else right))
    if left is not None:
        places.append(j >= i - left)
    kept = None
    for its in places:
        kept = its if kept is None else kept & its
    return kept


def _keep_of_dropout(given: Given) -> Tuple[Optional[torch.Tensor], float]:
    """Returns booleans that say which probabilities dropout keeps, or None if it keeps all, and the
    factor by which kept probabilities are multiplied."""
    if not given["dropout_p"]:
        return None, 1.0
    left_out = min(65536, int(65536 * given["dropout_p"] + 0.5))
    factor = 65536 / (65536 - left_out) if left_out < 65536 else 0.0
    q, k = given["q"].detach(), given["k"].detach()
    return dropout_mask(q, k, given["dropout_p"], given["seed"]), factor


def _find_indices(sizes: Sequence[int], like: torch.Tensor, first: int) -> List[torch.Tensor]:
    """Returns the indices of all pairs as four arrays (batch entry, head, row, key) that broadcast.
    Rows count from `first` on."""
    return [(torch.arange(size, device=like.device) + (first if dim == 2 else 0)).view(
        [-1 if dim == its else 1 for its in range(4)]) for dim, size in enumerate(sizes)]


def _repeat(array: torch.Tensor, heads: int) -> torch.Tensor:
    """Returns keys or values in float32, repeated so that there is one for each query head."""
    return array.float().repeat_interleave(heads // max(array.shape[1], 1), 1)


def _find_scores(given: Given, q: torch.Tensor, k: torch.Tensor,
                 captures: Sequence[torch.Tensor], indices: Sequence[torch.Tensor],
                 kept: Optional[torch.Tensor]) -> torch.Tensor:
    """Returns the scores of the query rows `q` and the keys `k`. `given` are the operators'
    arguments, and `captures` the arrays of the score region. Where `kept` is given and false,
    scores are arbitrary."""
    scale = 1 / math.sqrt(q.shape[3]) if given["scale"] is None else given["scale"]
    scores = q.float() @ _repeat(k, q.shape[1]).transpose(2, 3) * scale
    if not given["score"]:
        return scores
    # A function that does not read all of its arguments gives fewer numbers.
    return evaluate(given["score"], captures, indices, scores, kept).expand(scores.shape)


class Attention:
    """Attention as a function of those of its arrays that have floats, in torch's own operators.
    `given` are the operators' arguments, and the output has the dtype `dtype`."""

    def __init__(self, given: Given, dtype: torch.dtype) -> None:
        self.given, self.dtype, self.rows = given, dtype, given["q"].shape[2]
        self.captures = len(types_of(given["score"]))
        # Query, key, value, the sink or None, and the arrays that the score region captures; and
        # the numbers of those that are arguments of calls.
        self.arrays = self.in_order(given)
        self.own = [n for n, its in enumerate(self.arrays)
                    if its is not None and its.is_floating_point()]
        self.stays, self.factor = _keep_of_dropout(given)

    def in_order(self, given: Given) -> List[Any]:
        return [*[given[name] for name in ("q", "k", "v", "sink")],
                *given["captures"][:self.captures]]

    def __call__(self, *inputs: torch.Tensor,
                 part: slice = slice(0, None)) -> Tuple[torch.Tensor, torch.Tensor]:
        """Returns the output and the lse of the rows `part` for the arrays with the numbers
        `own`."""
        arrays = list(self.arrays)
        for n, its in zip(self.own, inputs):
            arrays[n] = its
        q, k, v, sink, *captures = arrays
        q = q[:, :, part]
        (batch, heads, rows, _), keys = q.shape, k.shape[2]
        indices = _find_indices((batch, heads, rows, keys), q, part.start)
        kept = _find_kept(self.given, indices, self.rows, keys,
                          self.given["captures"][self.captures:])
        scores = _find_scores(self.given, q, k, captures, indices, kept)
        if kept is not None:
            scores = torch.where(kept, scores, -math.inf)
        sinks = scores.new_full((1, heads, 1, 1), -math.inf) if sink is None \
            else sink.float().view(1, heads, 1, 1)
        # The largest score of each row, or the sink if that is larger, is subtracted from all
        # scores so that exponentials do not overflow. The result does not depend on the subtracted
        # number, which is 0 in rows whose scores are all -inf.
        most = torch.cat([scores, sinks.expand(batch, heads, rows, 1)], 3).detach().amax(
            3, keepdim=True)
        most = torch.where(most == -math.inf, 0.0, most)
        weights = torch.exp(scores - most)
        whole = weights.sum(3, keepdim=True) + torch.exp(sinks - most)
        divisor = torch.where(whole > 0, whole, 1.0)
        weights = weights / divisor
        if self.stays is not None:
            weights = torch.where(self.stays[:, :, part], weights * self.factor, 0.0)
        lse = torch.where(whole > 0, most + torch.log(divisor), -math.inf)
        return (weights @ _repeat(v, heads)).to(self.dtype), lse[..., 0]


def differentiate(given: Given, gradients: Sequence[torch.Tensor]) -> Given:
    """Returns the gradients of attn_mlir::attention_backward's arguments, by name, for the
    gradients `gradients` of its results. Arguments without a gradient have None."""
    attend, d_o, d_lse = Attention(given, given["q"].dtype), given["d_o"], given["d_lse"]
    wanted = [attend.own.index(n) for n, is_wanted in enumerate(given["wrt"]) if is_wanted]

    def first(d_output: torch.Tensor, its_d_lse: torch.Tensor,
              *inputs: torch.Tensor) -> Tuple[torch.Tensor, ...]:
        _, vjp = torch.func.vjp(attend, *inputs)
        found = vjp((d_output, its_d_lse))
        return tuple([found[n] for n in wanted])

    lse_gradient = d_o.new_zeros(d_o.shape[:3], dtype=torch.float32) if d_lse is None else d_lse
    _, vjp = torch.func.vjp(first, d_o, lse_gradient, *[attend.arrays[n] for n in attend.own])
    d_output, d_its_lse, *found = vjp(tuple(gradients))
    results: List[Any] = [None] * (4 + len(given["captures"]))
    for n, its in zip(attend.own, found):
        results[n] = its
    return {**dict(zip(("q", "k", "v", "sink"), results)), "captures": results[4:],
            "d_o": d_output, "d_lse": d_its_lse if d_lse is not None else None}
