"""Attention for PyTorch: operators that torch.compile keeps whole and autograd knows,
and a mode in which scaled_dot_product_attention is attn_mlir's."""

from typing import Any, Callable, Optional, Sequence, Tuple

import torch
from torch.overrides import TorchFunctionMode

from . import _attention, _functions
from ._errors import Error
from ._module import GRADIENTS, Causal, Window, check_options
from ._tracing import ScoreMod, trace_once
from .score import Score

__all__ = ["attention", "sdpa"]


@torch.compiler.assume_constant_result
def _trace(score_mod: Callable[..., Any]) -> str:
    return str(trace_once(score_mod))


def _arguments(scale: Optional[float], causal: Causal, window: Window, align: str,
               score_mod: ScoreMod) -> Tuple[Any, ...]:
    """What the operators take besides tensors."""
    if not torch.compiler.is_compiling():
        check_options(scale, causal, window, align)
    left, right = (None, None) if window is None else window
    if causal is True:
        causal = align
    score = ""
    if score_mod is not None:
        score = score_mod.text if isinstance(score_mod, Score) else _trace(score_mod)
    return None if scale is None else float(scale), causal or "", left, right, align, score


def differentiate(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *,
                  return_lse: bool, **options: Any) -> Any:
    """`attention` as the operator that keeps what gradients need."""
    o, lse = _functions.attention_lse(q, k, v, *_arguments(**options))
    return (o, lse) if return_lse else o


def differentiate_backward(*arrays: torch.Tensor, wrt: Sequence[str],
                           deterministic: Optional[bool],
                           **options: Any) -> Tuple[torch.Tensor, ...]:
    """`attention_backward` as the operator that has no derivative."""
    d_lse = arrays[6] if len(arrays) > 6 else None
    return _functions.attention_backward(
        *arrays[:6], d_lse, *_arguments(**options),
        [name in wrt for name in GRADIENTS], deterministic)


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *,
              scale: Optional[float] = None, causal: Causal = False,
              window: Window = None, align: str = "top_left", return_lse: bool = False,
              score_mod: ScoreMod = None) -> Any:
    """attn_mlir.attention on tensors, which stays one operator of the graph under
    torch.compile(fullgraph=True), torch.export and fake tensors: attn_mlir::attention,
    or attn_mlir::attention_lse with `return_lse` or where gradients are needed, whose
    derivative is attn_mlir::attention_backward.

    Sizes, dtypes and errors are those of attn_mlir.attention. Within torch.compile a
    score function that captures values is best traced outside, by
    attn_mlir.score.trace, whose result may be given for it.
    """
    if not torch.compiler.is_compiling():
        return _attention.attention(q, k, v, scale=scale, causal=causal, window=window,
                                    align=align, return_lse=return_lse,
                                    score_mod=score_mod)
    needs_gradient = torch.is_grad_enabled() and (
        q.requires_grad or k.requires_grad or v.requires_grad)
    if needs_gradient or return_lse:
        return differentiate(q, k, v, return_lse=return_lse, scale=scale, causal=causal,
                             window=window, align=align, score_mod=score_mod)
    return torch.ops.attn_mlir.attention(
        q, k, v, *_arguments(scale, causal, window, align, score_mod))


class sdpa(TorchFunctionMode):
    """A context in which torch.nn.functional.scaled_dot_product_attention is
    attn_mlir's, in the thread that entered it:

        with attn_mlir.torch.sdpa():
            model(x)

    What it cannot serve goes to torch's own: dropout, masks as tensors, other ranks
    than 4, other dtypes than float16, bfloat16 and
    float32, other devices than CUDA and the CPU. With `strict` that raises Error,
    which says what it was. `served` and `passed_on` count the calls.
    """

    def __init__(self, strict: bool = False) -> None:
        super().__init__()
        self.strict = strict
        self.served = 0
        self.passed_on = 0

    def __torch_function__(self, function: Any, types: Any, args: Tuple = (),
                           kwargs: Optional[dict] = None) -> Any:
        kwargs = kwargs or {}
        if function is not torch.nn.functional.scaled_dot_product_attention:
            return function(*args, **kwargs)
        reason = _find_obstacle(*args, **kwargs)
        if reason is None:
            self.served += 1
            return _serve(*args, **kwargs)
        if self.strict:
            raise Error(f"scaled_dot_product_attention: {reason}")
        self.passed_on += 1
        return function(*args, **kwargs)


_FLOATS = (torch.float16, torch.bfloat16, torch.float32)


def _find_obstacle(query: Any, key: Any, value: Any, attn_mask: Any = None,
                   dropout_p: float = 0.0, is_causal: bool = False,
                   scale: Optional[float] = None,
                   enable_gqa: bool = False) -> Optional[str]:
    """What the compiler lacks for a call of scaled_dot_product_attention."""
    if attn_mask is not None:
        return "expected no attn_mask (score_mod expresses masks)"
    if dropout_p:
        return f"expected dropout_p 0, found {dropout_p}"
    tensors = {"query": query, "key": key, "value": value}
    for name, tensor in tensors.items():
        if not isinstance(tensor, torch.Tensor):
            return f"{name}: expected a tensor, found {type(tensor).__qualname__}"
        if tensor.dim() != 4:
            return f"{name}: expected rank 4, found {tensor.dim()}"
        if tensor.layout != torch.strided:
            return f"{name}: expected a strided tensor, found {tensor.layout}"
        if tensor.dtype not in _FLOATS or tensor.dtype != query.dtype:
            return f"{name}: expected dtype float16, bfloat16 or float32, the same for " \
                f"all, found {tensor.dtype}"
        if not (tensor.is_cuda or tensor.is_cpu) or tensor.device != query.device:
            return f"{name}: expected one CUDA device or the CPU for all, found " \
                f"{tensor.device}"
        if tensor.stride()[3] != 1 and tensor.shape[3] != 1:
            return f"{name}: expected stride 1 in dimension 3, found {tensor.stride()[3]}"
    batch, heads, _, head_dim = query.shape
    kv_heads = key.shape[1]
    if key.shape[:3] != value.shape[:3] or key.shape[0] != batch \
            or key.shape[3] != head_dim:
        return "expected sizes that match without being broadcast"
    if kv_heads != heads and not (enable_gqa and kv_heads and heads % kv_heads == 0):
        return "expected as many heads in key as in query, or with enable_gqa a divisor"
    if max(head_dim, value.shape[3]) > 256 or min(head_dim, value.shape[3]) < 1:
        return f"expected head dimensions from 1 to 256, found {head_dim}"
    return None


def _serve(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor,
           attn_mask: None = None, dropout_p: float = 0.0, is_causal: bool = False,
           scale: Optional[float] = None, enable_gqa: bool = False) -> torch.Tensor:
    return attention(query, key, value, causal="top_left" if is_causal else False,
                     scale=scale)
