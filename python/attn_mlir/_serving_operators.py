"""Operators of torch's for caches and packed sequences.

attn_mlir::varlen            the output and the lse, with a derivative
attn_mlir::varlen_backward   its gradients
attn_mlir::decode            the output and the lse
"""

from typing import Any, List, Optional, Tuple

import torch

from . import _serving
from ._module import GRADIENTS, Window
from ._operators import adapter, refuse, with_dense_rows


def _window(left: Optional[int], right: Optional[int]) -> Window:
    return None if left is None and right is None else (left, right)


@torch.library.custom_op("attn_mlir::varlen", mutates_args=())
def _op_varlen(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, cu_q: torch.Tensor,
               cu_kv: torch.Tensor, scale: Optional[float], causal: bool,
               left: Optional[int],
               right: Optional[int]) -> Tuple[torch.Tensor, torch.Tensor]:
    with torch.no_grad():
        return _serving.varlen(*map(with_dense_rows, (q, k, v)), cu_q, cu_kv, scale=scale,
                               causal=causal, window=_window(left, right), return_lse=True)


@_op_varlen.register_fake
def _(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, cu_q: torch.Tensor,
      cu_kv: torch.Tensor, scale: Optional[float], causal: bool, left: Optional[int],
      right: Optional[int]) -> Tuple[torch.Tensor, torch.Tensor]:
    return (q.new_empty((*q.shape[:2], v.shape[2])),
            q.new_empty((q.shape[1], q.shape[0]), dtype=torch.float32))


@torch.library.custom_op("attn_mlir::varlen_backward", mutates_args=())
def _op_varlen_backward(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor,
                        o: torch.Tensor, lse: torch.Tensor, d_o: torch.Tensor,
                        d_lse: Optional[torch.Tensor], cu_q: torch.Tensor,
                        cu_kv: torch.Tensor, scale: Optional[float], causal: bool,
                        left: Optional[int], right: Optional[int], needs_q: bool,
                        needs_k: bool, needs_v: bool,
                        deterministic: bool) -> List[torch.Tensor]:
    wrt = [name for name, is_needed in zip(GRADIENTS, (needs_q, needs_k, needs_v))
           if is_needed]
    with torch.no_grad():
        return list(_serving.varlen_backward(
            *map(with_dense_rows, (q, k, v, o)), lse, with_dense_rows(d_o), cu_q, cu_kv,
            d_lse=None if d_lse is None else d_lse.contiguous(), scale=scale, causal=causal,
            window=_window(left, right), wrt=wrt, deterministic=deterministic))


@_op_varlen_backward.register_fake
def _(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, o: torch.Tensor,
      lse: torch.Tensor, d_o: torch.Tensor, d_lse: Optional[torch.Tensor],
      cu_q: torch.Tensor, cu_kv: torch.Tensor, scale: Optional[float], causal: bool,
      left: Optional[int], right: Optional[int], needs_q: bool, needs_k: bool,
      needs_v: bool, deterministic: bool) -> List[torch.Tensor]:
    return [its.new_empty(its.shape)
            for its, is_needed in ((q, needs_q), (k, needs_k), (v, needs_v)) if is_needed]


def _save(ctx: Any, inputs: Tuple, output: Tuple[torch.Tensor, torch.Tensor]) -> None:
    q, k, v, cu_q, cu_kv, *ctx.options = inputs
    ctx.set_materialize_grads(False)
    ctx.deterministic = torch.are_deterministic_algorithms_enabled()
    ctx.save_for_backward(q, k, v, *output, cu_q, cu_kv)


def _backward(ctx: Any, d_o: Optional[torch.Tensor],
              d_lse: Optional[torch.Tensor]) -> Tuple[Any, ...]:
    q, k, v, o, lse, cu_q, cu_kv = ctx.saved_tensors
    needs = ctx.needs_input_grad[:3]
    none = (None,) * 6
    if not any(needs) or (d_o is None and d_lse is None):
        return (None, None, None, *none)
    if d_o is None:
        d_o = torch.zeros_like(o)
    found = iter(torch.ops.attn_mlir.varlen_backward(
        q, k, v, o, lse, d_o, d_lse, cu_q, cu_kv, *ctx.options, *needs,
        ctx.deterministic))
    return (*[next(found) if is_needed else None for is_needed in needs], *none)


_op_varlen.register_autograd(_backward, setup_context=_save)
_op_varlen_backward.register_autograd(refuse)


def varlen(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, cu_q: torch.Tensor,
           cu_kv: Optional[torch.Tensor] = None, *, scale: Optional[float] = None,
           causal: bool = False, window: Window = None, return_lse: bool = False) -> Any:
    """attn_mlir.varlen on tensors, which stays one operator of the graph under
    torch.compile(fullgraph=True), torch.export and fake tensors: attn_mlir::varlen."""
    left, right = window or (None, None)
    o, lse = torch.ops.attn_mlir.varlen(q, k, v, cu_q, cu_q if cu_kv is None else cu_kv,
                                        scale, causal, left, right)
    return (o, lse) if return_lse else o


@torch.library.custom_op("attn_mlir::decode", mutates_args=())
def _op_decode(q: torch.Tensor, k_cache: torch.Tensor, v_cache: torch.Tensor,
               lengths: Optional[torch.Tensor], page_table: Optional[torch.Tensor],
               sink: Optional[torch.Tensor], scale: Optional[float], causal: bool,
               left: Optional[int],
               right: Optional[int]) -> Tuple[torch.Tensor, torch.Tensor]:
    with torch.no_grad():
        return _serving.decode(with_dense_rows(q), k_cache, v_cache, lengths=lengths,
                               page_table=page_table, sink=sink, scale=scale,
                               causal=causal, window=_window(left, right),
                               return_lse=True)


@_op_decode.register_fake
def _(q: torch.Tensor, k_cache: torch.Tensor, v_cache: torch.Tensor,
      lengths: Optional[torch.Tensor], page_table: Optional[torch.Tensor],
      sink: Optional[torch.Tensor], scale: Optional[float], causal: bool,
      left: Optional[int],
      right: Optional[int]) -> Tuple[torch.Tensor, torch.Tensor]:
    return adapter.empty(q, v_cache.shape[3]), adapter.empty_lse(q)


def decode(q: torch.Tensor, k_cache: torch.Tensor, v_cache: torch.Tensor, *,
           lengths: Optional[torch.Tensor] = None,
           page_table: Optional[torch.Tensor] = None,
           sink: Optional[torch.Tensor] = None, scale: Optional[float] = None,
           causal: bool = False, window: Window = None, return_lse: bool = False) -> Any:
    """attn_mlir.decode on tensors, which stays one operator of the graph under
    torch.compile(fullgraph=True), torch.export and fake tensors: attn_mlir::decode. It
    has no derivative."""
    left, right = window or (None, None)
    o, lse = torch.ops.attn_mlir.decode(q, k_cache, v_cache, lengths, page_table, sink,
                                        scale, causal, left, right)
    return (o, lse) if return_lse else o
