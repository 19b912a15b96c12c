"""Attention on plain tensors as a function of autograd's: as a call of an operator takes a
few times what a kernel for short rows does, it calls the kernels itself."""

from typing import Any, List, Optional, Tuple

import torch

from . import _operators
from ._autograd import call
from ._scales import Extras
from ._tensor_kinds import are_plain


class _Attention(torch.autograd.Function):
    """Results are those of attn_mlir::attention_lse on plain tensors, whose arguments are
    taken apart."""

    # `forward` takes the context: torch binds the arguments of a `forward` without it to the
    # signature in each call, which takes longer than everything else here.
    @staticmethod
    def forward(ctx: Any, q: Any, k: Any, v: Any, sink: Any, seed: Any, options: Tuple,
                extras: Extras, *captures: Any) -> Tuple[torch.Tensor, torch.Tensor]:
        output = _operators.run_lse(q, k, v, *options[:-1], list(captures), sink,
                                    options[-1], seed, *extras)
        ctx.options = options
        _operators.save(ctx, (q, k, v, sink, *captures), output, seed, extras)
        return output

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Tuple:
        needs, (d_o, d_lse) = ctx.needs_input_grad, gradients
        found = _operators.differentiate(
            ctx, [*needs[:4], *needs[7:]], ctx.saved_tensors, d_o, d_lse,
            attention_backward)
        return (*found[:4], None, None, None, *found[4:])


def attention_lse(*arguments: Any,
                  extras: Optional[Extras] = None) -> Tuple[torch.Tensor, torch.Tensor]:
    q, k, v, *options, captures, sink, dropout_p, seed = arguments
    extras = extras or Extras()
    if torch.compiler.is_compiling() or not are_plain(
            (q, k, v, sink, seed, *captures, *extras.scales)):
        return call("attention_lse", *arguments, *extras.given)
    return _Attention.apply(q, k, v, sink, seed, (*options, dropout_p), extras, *captures)


def attention_backward(*arguments: Any) -> List[torch.Tensor]:
    if torch.compiler.is_compiling() or torch.is_grad_enabled():
        return call("attention_backward", *arguments)
    (*_, captures, _, _, sink, _, seed) = arguments[:20]
    if are_plain((*arguments[:7], sink, seed, *captures, *arguments[20:23])):
        return _operators.run_backward(*arguments)
    return call("attention_backward", *arguments)
