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


def _is_transformed() -> bool:
    """Whether torch.func hands out tensors of its own."""
    return torch._C._are_functorch_transforms_active()


def _are_plain(tensors: Tuple) -> bool:
    """Whether tensors have memory, and nobody wants to see the operators."""
    for tensor in tensors:
        if tensor is not None and type(tensor) not in _PLAIN:
            return False
    return not torch._C._len_torch_dispatch_stack()


class _Attention(torch.autograd.Function):
    """Arguments and results are those of attn_mlir::attention_lse."""

    @staticmethod
    def forward(*arguments: Any) -> Tuple[torch.Tensor, torch.Tensor]:
        if _is_transformed():  # by another one
            return attention_lse(*arguments)
        if _are_plain((*arguments[:3], *arguments[-1])):
            return _operators.run_lse(*arguments)
        return torch.ops.attn_mlir.attention_lse(*arguments)

    @staticmethod
    def setup_context(ctx: Any, inputs: Tuple, output: Tuple) -> None:
        _operators.save_lse(ctx, inputs, output)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Tuple:
        d_o, d_lse = gradients
        return _operators.differentiate(ctx, ctx.saved_tensors, d_o, d_lse,
                                        attention_backward)


class _AttentionBackward(torch.autograd.Function):
    """Those of attn_mlir::attention_backward."""

    @staticmethod
    def forward(*arguments: Any) -> Tuple[torch.Tensor, ...]:
        if _is_transformed():
            return attention_backward(*arguments)
        return _run_backward(*arguments)

    @staticmethod
    def setup_context(ctx: Any, inputs: Tuple, output: Tuple) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Tuple:
        return _operators.refuse(ctx, *gradients)


def _run_backward(*arguments: Any) -> Tuple[torch.Tensor, ...]:
    if _are_plain((*arguments[:7], *arguments[-3])):
        return tuple(_operators.run_backward(*arguments))
    return tuple(torch.ops.attn_mlir.attention_backward(*arguments))


def attention_lse(*arguments: Any) -> Tuple[torch.Tensor, torch.Tensor]:
    if torch.compiler.is_compiling():
        return torch.ops.attn_mlir.attention_lse(*arguments)
    return _Attention.apply(*arguments)


def attention_backward(*arguments: Any) -> Tuple[torch.Tensor, ...]:
    if torch.compiler.is_compiling():
        return tuple(torch.ops.attn_mlir.attention_backward(*arguments))
    if torch.is_grad_enabled() or _is_transformed():
        return _AttentionBackward.apply(*arguments)
    return _run_backward(*arguments)
