"""Computes derivatives in forward mode by torch's own operators. For attention, parts of the rows
are processed one after another, so that no array of all pairs of a row and a key is needed. Only
dropout takes booleans of all pairs."""

import functools
from typing import Callable, Sequence, Tuple

import torch

from ._arrays import expected
from ._scales import NAMES, SCALES, check_no_derivative
from ._schema import Given
from ._second_derivative import Attention

# The largest number of pairs of a row and a key in a part with more than one row.
_PAIRS = 2**23


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
            raise expected(name, "None in forward mode, which has no derivative beside it",
                           repr(its) if isinstance(its, str) else "an array")
    for name in "qkv":
        if given[name].element_size() == 1:
            raise expected(name, "a dtype of 16 or 32 bits in forward mode", given[name].dtype)


def of_attention(arguments: Given, tangents: Given,
                 dtype: torch.dtype) -> Tuple[torch.Tensor, torch.Tensor]:
    """Returns the tangents of the output, which has the dtype `dtype`, and the lse of attention.
    `arguments` and `tangents` are those of the operators by name, where a tangent may be None."""
    _check(arguments)
    attend = Attention(arguments, dtype)
    every = attend.in_order(tangents)
    attend.own = [n for n in attend.own if every[n] is not None]
    inputs, directions = [[its[n] for n in attend.own] for its in (attend.arrays, every)]
    (batch, heads, rows, _), keys = arguments["q"].shape, arguments["k"].shape[2]
    size, found = max(1, _PAIRS // max(1, batch * heads * keys)), []
    for first in range(0, max(rows, 1), size):
        part = slice(first, first + size)
        results, pull = torch.func.vjp(functools.partial(attend, part=part), *inputs)
        found.append(push(lambda *its, pull=pull: pull(its), results, directions))
    output, lse = zip(*found)
    return torch.cat(output, 2), torch.cat(lse, 2)
