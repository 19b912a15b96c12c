"""The operators of torch's: what they compute, on fake tensors too, and their
derivatives.

attn_mlir::attention            the output
attn_mlir::attention_lse        the output and the lse
attn_mlir::attention_backward   the gradients that `wrt` says
"""

from typing import Any, Callable, List, Optional, Sequence, Tuple

import torch

from . import _attention, _gradients
from ._arrays import TorchAdapter
from ._errors import Error
from ._module import GRADIENTS
from ._traced import types_of
from .mask import Mask
from .score import Score

_adapter = TorchAdapter(torch)


def _options(scale: Optional[float], causal: str, left: Optional[int],
             right: Optional[int], align: str, score: str, mask: str,
             captures: Sequence[torch.Tensor]) -> dict:
    """What the operators' schema can express, as arguments of `attention`. Captured
    arrays are the score region's and then the mask region's."""
    count = len(types_of(score))
    return {"scale": scale, "causal": causal or False,
            "window": None if left is None and right is None else (left, right),
            "align": align,
            "score_mod": Score(score, captures[:count]) if score else None,
            "mask_mod": Mask(mask, captures[count:]) if mask else None}


@torch.library.custom_op("attn_mlir::attention", mutates_args=())
def _op(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: Optional[float],
        causal: str, left: Optional[int], right: Optional[int], align: str,
        score: str, mask: str, captures: Sequence[torch.Tensor]) -> torch.Tensor:
    # Whether gradients are needed is autograd's to say, one level above.
    with torch.no_grad():
        return _attention.attention(
            q, k, v, **_options(scale, causal, left, right, align, score, mask, captures))


@_op.register_fake
def _(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: Optional[float],
      causal: str, left: Optional[int], right: Optional[int], align: str,
      score: str, mask: str, captures: Sequence[torch.Tensor]) -> torch.Tensor:
    return _adapter.empty(q, v.shape[3])


def run_lse(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: Optional[float],
            causal: str, left: Optional[int], right: Optional[int], align: str,
            score: str, mask: str, captures: Sequence[torch.Tensor]
            ) -> Tuple[torch.Tensor, torch.Tensor]:
    with torch.no_grad():
        return _attention.attention(
            q, k, v, return_lse=True,
            **_options(scale, causal, left, right, align, score, mask, captures))


_op_lse = torch.library.custom_op("attn_mlir::attention_lse", run_lse, mutates_args=())


@_op_lse.register_fake
def _(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: Optional[float],
      causal: str, left: Optional[int], right: Optional[int], align: str,
      score: str, mask: str, captures: Sequence[torch.Tensor]
      ) -> Tuple[torch.Tensor, torch.Tensor]:
    return _adapter.empty(q, v.shape[3]), _adapter.empty_lse(q)


def with_dense_rows(tensor: torch.Tensor) -> torch.Tensor:
    """Gradients come in any strides: that of a sum has stride 0 in all dimensions."""
    return tensor if tensor.stride(-1) == 1 else tensor.contiguous()


def _names(wrt: Sequence[bool]) -> List[str]:
    return [name for name, is_wanted in zip(GRADIENTS, wrt) if is_wanted]


def run_backward(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, o: torch.Tensor,
                 lse: torch.Tensor, d_o: torch.Tensor, d_lse: Optional[torch.Tensor],
                 scale: Optional[float], causal: str, left: Optional[int],
                 right: Optional[int], align: str, score: str, mask: str,
                 captures: Sequence[torch.Tensor], wrt: Sequence[bool],
                 deterministic: Optional[bool]) -> List[torch.Tensor]:
    with torch.no_grad():
        q, k, v, o, lse, d_o = map(with_dense_rows, (q, k, v, o, lse, d_o))
        return list(_gradients.attention_backward(
            q, k, v, o, lse, d_o, None if d_lse is None else with_dense_rows(d_lse),
            wrt=_names(wrt), deterministic=deterministic,
            **_options(scale, causal, left, right, align, score, mask, captures)))


_op_backward = torch.library.custom_op("attn_mlir::attention_backward", run_backward,
                                       mutates_args=())


@_op_backward.register_fake
def _(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, o: torch.Tensor,
      lse: torch.Tensor, d_o: torch.Tensor, d_lse: Optional[torch.Tensor],
      scale: Optional[float], causal: str, left: Optional[int], right: Optional[int],
      align: str, score: str, mask: str, captures: Sequence[torch.Tensor],
      wrt: Sequence[bool],
      deterministic: Optional[bool]) -> List[torch.Tensor]:
    return [_adapter.empty(array, array.shape[3])
            for array, is_wanted in zip((q, k, v), wrt) if is_wanted]


def differentiate(ctx: Any, saved: Sequence[torch.Tensor], d_o: Optional[torch.Tensor],
                  d_lse: Optional[torch.Tensor],
                  attention_backward: Callable[..., Any]) -> Tuple[Any, ...]:
    """The gradients of an operator's arguments, None for those that need none. `saved`
    are q, k, v, output, lse and what the regions capture."""
    wrt = list(ctx.needs_input_grad[:3])
    none = (None,) * (len(ctx.options) + 1)
    if (d_o is None and d_lse is None) or not any(wrt):
        return (None, None, None, *none)
    if d_o is None:
        d_o = torch.zeros_like(saved[3])
    found = iter(attention_backward(*saved[:5], d_o, d_lse, *ctx.options, list(saved[5:]),
                                    wrt, None))
    return (*[next(found) if is_wanted else None for is_wanted in wrt], *none)


def _with_list(captures: Sequence[torch.Tensor], gradients: Tuple) -> Tuple[Any, ...]:
    """torch.library wants a gradient for each tensor of a list."""
    return (*gradients[:-1], [None] * len(captures))


def _save(ctx: Any, inputs: Tuple, output: torch.Tensor) -> None:
    ctx.save_for_backward(*inputs[:3], *inputs[-1])
    ctx.options = inputs[3:-1]


def _backward(ctx: Any, d_o: Optional[torch.Tensor]) -> Tuple[Any, ...]:
    # Who wants gradients had better call the operator that returns the lse.
    q, k, v, *captures = ctx.saved_tensors
    results = torch.ops.attn_mlir.attention_lse(q, k, v, *ctx.options, captures)
    return _with_list(captures, differentiate(
        ctx, (q, k, v, *results, *captures), d_o, None,
        torch.ops.attn_mlir.attention_backward))


def save_lse(ctx: Any, inputs: Tuple, output: Tuple[torch.Tensor, torch.Tensor]) -> None:
    # Of two outputs often one has no gradient, and need not be given zeros.
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(*inputs[:3], *output, *inputs[-1])
    ctx.options = inputs[3:-1]


def _backward_lse(ctx: Any, d_o: Optional[torch.Tensor],
                  d_lse: Optional[torch.Tensor]) -> Tuple[Any, ...]:
    return _with_list(ctx.saved_tensors[5:], differentiate(
        ctx, ctx.saved_tensors, d_o, d_lse, torch.ops.attn_mlir.attention_backward))


def refuse(ctx: Any, *gradients: Any) -> Any:
    raise Error("attention_backward: expected a first derivative; attention has no "
                "second one")


_op.register_autograd(_backward, setup_context=_save)
_op_lse.register_autograd(_backward_lse, setup_context=save_lse)
_op_backward.register_autograd(refuse)
