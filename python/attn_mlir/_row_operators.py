"""Operators of torch's for ops on rows of arrays.

attn_mlir::merge          the output and the lse of states, with a derivative
attn_mlir::append         writes to caches and lengths
attn_mlir::append_query   the same, and returns the rotated query
attn_mlir::append_scales  writes scales, too, and returns the rotated query, or nothing in it
attn_mlir::summarize      the summary of a mask
"""

from typing import Any, Optional, Sequence, Tuple

import torch

from . import _append, _merge, _prepare_mask
from ._autograd import call, define, refuse, register
from ._operators import adapter, fake_lse
from ._scales import check_bytes
from ._schema import Given, Schema, kernel_of, with_dense_rows
from ._tensor_kinds import InKernel
from ._torch_calls import (check_no_gradient, check_operands, deliver, for_graphs,
                           on_stream, operators)
from ._within import find_arrays


def _run_merge(outputs: Sequence[torch.Tensor], lses: Sequence[torch.Tensor],
               sink: Optional[torch.Tensor]) -> Tuple[torch.Tensor, torch.Tensor]:
    with InKernel():
        return _merge.merge(
            [(with_dense_rows(o), with_dense_rows(lse)) for o, lse in zip(outputs, lses)],
            sink=sink)


def _fake_merge(outputs: Sequence[torch.Tensor],
                *_: Any) -> Tuple[torch.Tensor, torch.Tensor]:
    return adapter.empty(outputs[0], outputs[0].shape[3]), fake_lse(outputs[0])


_op_merge = define("merge", "(Tensor[] outputs, Tensor[] lses, Tensor? sink) "
                   "-> (Tensor, Tensor)", _run_merge, _fake_merge)


def _save(ctx: Any, inputs: Tuple, output: Tuple[torch.Tensor, torch.Tensor]) -> None:
    outputs, lses, sink = inputs
    ctx.set_materialize_grads(False)
    ctx.count = len(outputs)
    ctx.save_for_backward(*output, sink, *outputs, *lses)


def _backward(ctx: Any, d_o: Optional[torch.Tensor],
              d_lse: Optional[torch.Tensor]) -> Tuple[Any, ...]:
    """The gradients of a merge. With w_n = exp(lse_n - lse), 0 where both are -inf, and delta = o .
    d_o - d_lse,

        d_o_n   = w_n d_o
        d_lse_n = w_n (o_n . d_o - delta)
        d_sink  = - sum w_sink delta
    """
    o, lse, sink, *states = ctx.saved_tensors
    outputs, lses = states[:ctx.count], states[ctx.count:]
    if sink is not None:
        lses.append(sink.float()[:, None].expand_as(lse))
    wide = torch.zeros_like(o, dtype=torch.float32) if d_o is None else d_o.float()
    delta = (o.float() * wide).sum(-1) - (0 if d_lse is None else d_lse)
    weights = [torch.where(its == -torch.inf, 0.0, torch.exp(its - lse))[..., None]
               for its in lses]
    needs_outputs, needs_lses, needs_sink = ctx.needs_input_grad
    d_outputs = [(weight * wide).to(own.dtype) if is_needed else None
                 for own, weight, is_needed in zip(outputs, weights, needs_outputs)]
    # The output of a state without keys may contain NaN.
    d_lses = [weight[..., 0] * ((torch.where(weight > 0, own.float(), 0.0) * wide).sum(-1) - delta)
              if is_needed else None
              for own, weight, is_needed in zip(outputs, weights, needs_lses)]
    return (d_outputs, d_lses,
            -(weights[-1][..., 0] * delta).sum((0, 2)).to(sink.dtype) if needs_sink else None)


def _push(arguments: Sequence[Any], results: Sequence[torch.Tensor],
          tangents: Sequence[Any]) -> Tuple[torch.Tensor, ...]:
    from . import _tangent

    return _tangent.of_merge(*arguments, tangents)


register(_op_merge, _save, _backward, _push)


_CACHES = "Tensor(a!) k_cache, Tensor(b!) v_cache, Tensor(c!) lengths"
_POSITIONS = ("Tensor? page_table, Tensor? counts, Tensor? cos, Tensor? sin, "
              "bool interleaved")
_BYTES = "str? kv_dtype=None"
_READ = f"bool check=False, Tensor? k_scale=None, Tensor? v_scale=None, {_BYTES}"
_APPEND = Schema(f"(Tensor k, Tensor v, {_CACHES}, {_POSITIONS}, {_READ}) -> ()")
_APPEND_QUERY = Schema(f"(Tensor k, Tensor v, Tensor q, {_CACHES}, {_POSITIONS}, {_READ}) "
                       "-> Tensor")
_APPEND_SCALES = Schema(
    f"(Tensor k, Tensor v, Tensor? q, {_CACHES}, {_POSITIONS}, bool check, "
    f"Tensor(d!) k_scale, Tensor(e!) v_scale, {_BYTES}) -> Tensor")


def _append_query(k: torch.Tensor, v: torch.Tensor, **given: Any) -> torch.Tensor:
    found = _append.append(k, v, **given)
    return k.new_empty(0) if found is None else found


def _fake_append_query(k: torch.Tensor, v: torch.Tensor, q: Optional[torch.Tensor],
                       *_: Any) -> torch.Tensor:
    return k.new_empty(0) if q is None else adapter.empty(q, q.shape[3])


define("append", _APPEND.text, kernel_of(_APPEND, _append.append), lambda *_: None)
for _name, _schema in (("append_query", _APPEND_QUERY), ("append_scales", _APPEND_SCALES)):
    define(_name, _schema.text, kernel_of(_schema, _append_query), _fake_append_query)


def _run_summarize(mask: torch.Tensor) -> torch.Tensor:
    with InKernel():
        return _prepare_mask.summarize(mask)


def _fake_summarize(mask: torch.Tensor) -> torch.Tensor:
    return mask.new_empty(_prepare_mask.find_summary_sizes(mask.shape), dtype=torch.int32)


refuse(define("summarize", "(Tensor mask) -> Tensor", _run_summarize, _fake_summarize),
       "a mask that requires no gradient")


def operate_summarize(given: Given) -> torch.Tensor:
    """The summary of a mask by an operator."""
    check_operands("prepare_mask", {"mask": given["mask"]}, (), None, None)
    with on_stream(given["stream"], given["mask"]):
        return call("summarize", given["mask"])


operators["prepare_mask"] = operate_summarize


def _call_merge(given: Given) -> Any:
    states = given["states"]
    o, lse = call("merge", [o for o, _ in states], [lse for _, lse in states], given["sink"])
    return (o, lse) if given["return_lse"] else o


def operate_merge(given: Given) -> Any:
    """`merge` as an operator."""
    named, (out, stream) = {}, (given["out"], given["stream"])
    for number, (o, lse) in enumerate(given["states"]):
        named.update({f"states[{number}]": o, f"states[{number}]: lse": lse})
    check_operands("merge", {**named, "sink": given["sink"]}, (), out, stream)
    with on_stream(stream, named["states[0]"]):
        return deliver(_call_merge(given), out)


merge = for_graphs(_merge.merge, _call_merge, "attn_mlir::merge.")
operators["merge"] = operate_merge


def _call_append(given: Given) -> Optional[torch.Tensor]:
    check_bytes(given["kv_dtype"], k_cache=given["k_cache"], v_cache=given["v_cache"])
    check_no_gradient([(name, given[name]) for name in (
        "k", "v", "q", "k_cache", "v_cache", "cos", "sin", "k_scale", "v_scale")])
    k_scale, v_scale = given["k_scale"], given["v_scale"]
    ops = torch.ops.attn_mlir
    # Scales of each token are made, not given.
    if k_scale is not None and v_scale is not None and k_scale.dim() == v_scale.dim() == 3:
        found = ops.append_scales(*_APPEND_SCALES.listed(given))
        return None if given["q"] is None else found
    if given["q"] is None:
        ops.append(*_APPEND.listed(given))
        return None
    return ops.append_query(*_APPEND_QUERY.listed(given))


def _trace_append(given: Given) -> Optional[torch.Tensor]:
    names = "k", "v", "k_cache", "v_cache"
    arrays = find_arrays(*[given[name] for name in (*names, "value_dims")],
                         given["cos"] is not None, given["kv_dtype"])
    return _call_append({**given, **dict(zip(names, arrays))})


append = for_graphs(_append.append, _trace_append, """\
attn_mlir::append, or attn_mlir::append_query with `q`. Both write to the caches and to
`lengths`, and have no derivative.""", _call_append, has_derivative=False)
