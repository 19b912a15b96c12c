"""The operators as functions of autograd's.

The operators of torch.library stay whole under torch.compile, are seen by dispatch
modes and work on fake tensors, but a call takes a few times what a kernel for short
rows does. On plain tensors these functions call the kernels themselves. torch.func's
transforms need them, too: they want a setup_context, which torch.library makes none
of.
"""

from typing import Any, Tuple

import torch

from . import _operators

_PLAIN = (torch.Tensor, torch.nn.Parameter)


def is_transformed() -> bool:
    """Whether torch.func hands out tensors of its own."""
    return torch._C._are_functorch_transforms_active()


def are_plain(tensors: Tuple) -> bool:
    """Whether tensors have memory, and nobody wants to see the operators."""
    for tensor in tensors:
        if tensor is not None and type(tensor) not in _PLAIN:
            return False
    return not torch._C._len_torch_dispatch_stack()


class _Attention(torch.autograd.Function):
    """Results are those of attn_mlir::attention_lse, whose arguments are taken apart:
    autograd does not look into lists."""

    @staticmethod
    def forward(q: Any, k: Any, v: Any, sink: Any, seed: Any, options: Tuple,
                *captures: Any) -> Tuple[torch.Tensor, torch.Tensor]:
        arguments = (q, k, v, *options[:-1], list(captures), sink, options[-1], seed)
        if is_transformed():  # by another one
            return attention_lse(*arguments)
        if are_plain((q, k, v, sink, seed, *captures)):
            return _operators.run_lse(*arguments)
        return torch.ops.attn_mlir.attention_lse(*arguments)

    @staticmethod
    def setup_context(ctx: Any, inputs: Tuple, output: Tuple) -> None:
        q, k, v, sink, seed, ctx.options, *captures = inputs
        _operators.save(ctx, (q, k, v, sink, *captures), output, seed)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Tuple:
        needs, (d_o, d_lse) = ctx.needs_input_grad, gradients
        found = _operators.differentiate(
            ctx, [*needs[:4], *needs[6:]], ctx.saved_tensors, d_o, d_lse,
            attention_backward)
        return (*found[:4], None, None, *found[4:])


class _AttentionBackward(torch.autograd.Function):
    """Arguments are those of attn_mlir::attention_backward, and then what its list has,
    which is there for autograd to see."""

    @staticmethod
    def forward(arguments: Tuple, *tensors: Any) -> Tuple[torch.Tensor, ...]:
        *dense, d_lse, sink, seed = tensors[:9]
        arguments = (*dense, d_lse, *arguments[7:14], list(tensors[9:]), *arguments[15:17],
                     sink, arguments[18], seed)
        if is_transformed():
            return attention_backward(*arguments)
        return _run_backward(*arguments)

    @staticmethod
    def setup_context(ctx: Any, inputs: Tuple, output: Tuple) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Tuple:
        return _operators.refuse(ctx, *gradients)


def _run_backward(*arguments: Any) -> Tuple[torch.Tensor, ...]:
    (*_, captures, _, _, sink, _, seed) = arguments
    if are_plain((*arguments[:7], sink, seed, *captures)):
        return tuple(_operators.run_backward(*arguments))
    return tuple(torch.ops.attn_mlir.attention_backward(*arguments))


def attention_lse(*arguments: Any) -> Tuple[torch.Tensor, torch.Tensor]:
    if torch.compiler.is_compiling():
        return torch.ops.attn_mlir.attention_lse(*arguments)
    q, k, v, *options, captures, sink, dropout_p, seed = arguments
    return _Attention.apply(q, k, v, sink, seed, (*options, dropout_p), *captures)


def attention_backward(*arguments: Any) -> Tuple[torch.Tensor, ...]:
    if torch.compiler.is_compiling():
        return tuple(torch.ops.attn_mlir.attention_backward(*arguments))
    if torch.is_grad_enabled() or is_transformed():
        tensors = (*arguments[:7], arguments[17], arguments[19], *arguments[14])
        return _AttentionBackward.apply((None,) * 7 + (
            *arguments[7:14], None, *arguments[15:17], None, arguments[18], None), *tensors)
    return _run_backward(*arguments)
