"""Computes derivatives in forward mode by torch's own operators. For attention, parts of the keys
are processed one after another, so that no array of all pairs of a row and a key is needed. Only
dropout takes booleans of all pairs."""

import math
from typing import Callable, Sequence, Tuple

import torch

from ._arrays import expected
from ._scales import NAMES, SCALES, check_no_derivative
from ._schema import Given
from ._second_derivative import find_indices, find_kept, find_scores, keep_of_dropout, repeat
from ._traced import types_of

# Limits on the parts into which keys are divided: the largest number of pairs of a row and a key in
# a part, and the smallest and the largest number of keys.
_PAIRS = 2**24
_FEWEST, _MOST = 16, 512


def push(pull: Callable[..., Tuple[torch.Tensor, ...]], results: Sequence[torch.Tensor],
         tangents: Sequence[torch.Tensor]) -> Tuple[torch.Tensor, ...]:
    """Returns the tangents of a function's `results` for the tangents `tangents` of its arguments.
    `pull` maps gradients of the results to gradients of the arguments. torch cannot nest forward
    mode, so the result is the derivative of `pull`, which is linear, in reverse mode."""
    _, again = torch.func.vjp(pull, *[torch.zeros_like(its) for its in results])
    return again(tuple(tangents))


def _check(given: Given) -> None:
    """Raises for arguments of attention beside which it has no derivative in forward mode."""
    check_no_derivative([given[name] is not None for name in SCALES])
    for name in (*NAMES, "kv_dtype"):
        its = given.get(name)
        if its is not None:
            hint = " (give values that include their mean)" if name == "v_mean" else ""
            raise expected(name, f"None in forward mode, which has no derivative beside it{hint}",
                           repr(its) if isinstance(its, str) else "an array")
    for name in "qkv":
        if given[name].element_size() == 1:
            raise expected(name, "a dtype of 16 or 32 bits in forward mode", given[name].dtype)


def of_attention(arguments: Given, results: Sequence[torch.Tensor],
                 tangents: Given) -> Tuple[torch.Tensor, torch.Tensor]:
    """Returns the tangents of the output and the lse of attention. `arguments` and `tangents` are
    those of the operators by name, where a tangent may be None; `results` are the output and the
    lse."""
    _check(arguments)
    q, k, v, captures, sink = [arguments[name] for name in ("q", "k", "v", "captures", "sink")]
    d_q, d_k, d_v, d_captures, d_sink = [tangents[name] for name in (
        "q", "k", "v", "captures", "sink")]
    lse = results[1]
    count = len(types_of(arguments["score"]))
    given, masks = captures[:count], captures[count:]
    numbers = [n for n, its in enumerate(d_captures[:count]) if its is not None]
    (batch, heads, rows, _), keys = q.shape, k.shape[2]
    stays, factor = keep_of_dropout(arguments)

    d_output = q.new_zeros((batch, heads, rows, v.shape[3]), dtype=torch.float32)
    output, d_lse = torch.zeros_like(d_output), torch.zeros_like(lse)
    size = min(_MOST, max(_FEWEST, _PAIRS // max(1, batch * heads * rows)))
    for first in range(0, keys, size):
        part = slice(first, min(first + size, keys))
        width = part.stop - first
        indices = find_indices((batch, heads, rows, width), q, first)

        def scores_of(query: torch.Tensor, key: torch.Tensor,
                      *arrays: torch.Tensor) -> torch.Tensor:
            found = list(given)
            for number, its in zip(numbers, arrays):
                found[number] = its
            return find_scores(arguments, query, key, found, indices).expand(
                batch, heads, rows, width)

        primals = [q, k[:, :, part], *[given[number] for number in numbers]]
        directions = [torch.zeros_like(its) if tangent is None else tangent
                      for its, tangent in zip(primals, (
                          d_q, None if d_k is None else d_k[:, :, part],
                          *[d_captures[number] for number in numbers]))]
        scores, pull = torch.func.vjp(scores_of, *primals)
        d_scores, = push(pull, [scores], directions)
        is_kept = (lse > -math.inf)[..., None]
        kept = find_kept(arguments, indices, rows, keys, masks)
        is_kept = is_kept if kept is None else is_kept & kept
        weights = torch.where(is_kept, torch.exp(scores - lse[..., None]), 0.0)
        product = torch.where(weights > 0, weights * d_scores, 0.0)
        d_lse = d_lse + product.sum(3)
        if stays is not None:
            weights, product = (torch.where(stays[..., part], its * factor, 0.0)
                                for its in (weights, product))
        value = repeat(v[:, :, part], heads)
        output = output + weights @ value
        d_output = d_output + product @ value
        if d_v is not None:
            d_output = d_output + weights @ repeat(d_v[:, :, part], heads)
    if d_sink is not None:
        weights = torch.exp(sink.float()[:, None] - lse)
        d_lse = d_lse + torch.where(lse > -math.inf, weights, 0.0) * d_sink.float()[:, None]
    return (d_output - d_lse[..., None] * output).to(results[0].dtype), d_lse
