"""Attention on plain tensors as an autograd.Function, which calls the kernels directly: calling an
operator takes several times as long as a kernel for few rows runs."""

from typing import Any, List, Tuple

import torch

from . import _operators
from ._autograd import call
from ._scales import SCALES
from ._schema import Given, save, saved
from ._tensor_kinds import are_plain


class _Attention(torch.autograd.Function):
    """Results are those of attn_mlir::attention_lse on plain tensors, whose arguments are
    taken apart."""

    # `forward` takes the context: torch binds the arguments of a `forward` without it to the
    # signature in each call, which takes longer than everything else here.
    @staticmethod
    def forward(ctx: Any, q: Any, k: Any, v: Any, sink: Any, given: Given,
                *captures: Any) -> Tuple[torch.Tensor, torch.Tensor]:
        o, lse = _operators.run_lse(*_operators.LSE.listed(given))
        save(ctx, {**{name: given[name] for name in _operators.LSE.names}, "o": o, "lse": lse})
        return o, lse

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Tuple:
        needs = ctx.needs_input_grad
        found = _operators.differentiate(saved(ctx), [*needs[:4], *needs[5:]], *gradients,
                                         attention_backward)
        return (*[found.get(name) for name in ("q", "k", "v", "sink")], None,
                *found.get("captures", [None] * len(needs[5:])))


def attention_lse(given: Given) -> Tuple[torch.Tensor, torch.Tensor]:
    arrays = [given[name] for name in ("q", "k", "v", "sink")]
    if torch.compiler.is_compiling() or not are_plain(
            (*arrays, given["seed"], *given["captures"], *[given[name] for name in SCALES])):
        return call("attention_lse", *_operators.LSE.listed(given))
    return _Attention.apply(*arrays, given, *given["captures"])


def attention_backward(*arguments: Any) -> List[torch.Tensor]:
    if torch.compiler.is_compiling() or torch.is_grad_enabled():
        return call("attention_backward", *arguments)
    given = _operators.BACKWARD.named(arguments)
    if are_plain((*given.values(), *given["captures"])):
        return _operators.run_backward(*arguments)
    return call("attention_backward", *arguments)
