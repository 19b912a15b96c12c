"""The operators as functions that torch.func's transforms know.

torch.func wants an autograd.Function with a setup_context of its own, which
torch.library makes none of. All else goes by the operators, which cost less and stay
whole under torch.compile.
"""

from typing import Any, Tuple

import torch

from . import _operators


class _Attention(torch.autograd.Function):
    """Arguments and results are those of attn_mlir::attention_lse."""

    @staticmethod
    def forward(*arguments: Any) -> Tuple[torch.Tensor, torch.Tensor]:
        return attention_lse(*arguments)

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
        return tuple(attention_backward(*arguments))

    @staticmethod
    def setup_context(ctx: Any, inputs: Tuple, output: Tuple) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Tuple:
        return _operators.refuse(ctx, *gradients)


def _is_transformed() -> bool:
    return not torch.compiler.is_compiling() and (
        torch._C._are_functorch_transforms_active())


def attention_lse(*arguments: Any) -> Tuple[torch.Tensor, torch.Tensor]:
    if _is_transformed():
        return _Attention.apply(*arguments)
    return torch.ops.attn_mlir.attention_lse(*arguments)


def attention_backward(*arguments: Any) -> Tuple[torch.Tensor, ...]:
    if _is_transformed():
        return _AttentionBackward.apply(*arguments)
    return tuple(torch.ops.attn_mlir.attention_backward(*arguments))
