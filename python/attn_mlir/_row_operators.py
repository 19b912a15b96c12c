"""Operators of torch for merge, append and masks' summaries, whose kernels work on rows of arrays.

attn_mlir::merge          returns the output and the lse of merged states; has a derivative
attn_mlir::append         writes to caches and lengths
attn_mlir::append_query   does the same, and returns the rotated query
attn_mlir::append_scales  writes scales, too, and returns the rotated query, or an empty tensor
attn_mlir::summarize      returns the summary of a mask
"""

import functools
from typing import Any, List, Optional, Sequence, Tuple

import torch

from . import _append, _merge, _prepare_mask
from ._arrays import expected
from ._attend import new_results
from ._autograd import call, define, refuse, register
from ._operators import adapter
from ._output import MERGED, check_scale, choose_dtype
from ._scales import check_bytes
from ._schema import Given, Schema, kernel_of, with_dense_rows
from ._torch_calls import check_no_gradient, for_graphs, operate, operators
from ._within import find_arrays


def _run_merge(outputs: Sequence[torch.Tensor], lses: Sequence[torch.Tensor],
               scales: Optional[Sequence[torch.Tensor]], **given: Any) -> Any:
    return _merge.merge(
        [(with_dense_rows(o), with_dense_rows(lse), scale) for o, lse, scale in
         zip(outputs, lses, scales or [None] * len(outputs))], **given)


def _fake_merge(given: Given) -> Tuple[torch.Tensor, ...]:
    first = given["outputs"][0]
    dtype = choose_dtype(adapter.names[first.dtype], given["out_dtype"], given["out_scale"],
                         "states[0]", MERGED)
    return tuple(new_results(adapter, first, True, first.shape[3], dtype))


_MERGE = Schema("(Tensor[] outputs, Tensor[] lses, Tensor? sink, Tensor[]? scales=None, "
                "Tensor? out_scale=None, str? out_dtype=None) -> (Tensor, Tensor)")
_op_merge = define("merge", _MERGE, kernel_of(_run_merge), _fake_merge)


def _refuse_eight_bits(state: torch.dtype, result: torch.dtype) -> None:
    """Raises where a derivative of `merge` is needed and its states or its result have 8 bits."""
    if state.itemsize == 1:
        raise expected("states", "outputs of 16 or 32 bits where a derivative is needed, which "
                       "8 bits would round away; convert them first, times their scales, or "
                       "detach() them", state)
    if result.itemsize == 1:
        raise expected("out_scale", "None where a derivative is needed, which is of a result of "
                       "16 or 32 bits", "a scale")


def _save(ctx: Any, inputs: Tuple, output: Tuple[torch.Tensor, torch.Tensor]) -> None:
    outputs, lses, sink, *_ = inputs
    ctx.set_materialize_grads(False)
    ctx.count = len(outputs)
    ctx.save_for_backward(*output, sink, *outputs, *lses)


def _find_weights(lses: Sequence[torch.Tensor], sink: Optional[torch.Tensor],
                  lse: torch.Tensor) -> List[torch.Tensor]:
    """Returns the weights of a merge's states, w_n = exp(lse_n - lse), and after them that of the
    sink if there is one, w_sink = exp(sink - lse). They are 0 where the logarithms are -inf."""
    every = [*lses, *([] if sink is None else [sink.float()[:, None].expand_as(lse)])]
    # A row whose lse is -inf is one without keys, in which a sink of inf or NaN counts as none.
    return [torch.exp(torch.where((its == -torch.inf) | (lse == -torch.inf), -torch.inf, its - lse))
            for its in every]


def _backward(ctx: Any, d_o: Optional[torch.Tensor],
              d_lse: Optional[torch.Tensor]) -> Tuple[Any, ...]:
    """Computes the gradients of a merge of the outputs o_n with the lse lse_n. With the weights of
    _find_weights() and delta = o . d_o - d_lse, where x . y is the dot product of each row of x
    with that of y:

        d_o_n   = w_n d_o
        d_lse_n = w_n (o_n . d_o - delta)
        d_sink  = - sum w_sink delta, over batch entries and rows
    """
    o, lse, sink, *states = ctx.saved_tensors
    outputs, lses = states[:ctx.count], states[ctx.count:]
    _refuse_eight_bits(outputs[0].dtype, o.dtype)
    wide = torch.zeros_like(o, dtype=torch.float32) if d_o is None else d_o.float()
    delta = (o.float() * wide).sum(-1) - (0 if d_lse is None else d_lse)
    weights = [its[..., None] for its in _find_weights(lses, sink, lse)]
    needs_outputs, needs_lses, needs_sink, *_ = ctx.needs_input_grad
    d_outputs = [(weight * wide).to(own.dtype) if is_needed else None
                 for own, weight, is_needed in zip(outputs, weights, needs_outputs)]
    # The output of a state without keys (weight 0) may contain NaN, so it is replaced by 0.
    d_lses = [weight[..., 0] * ((torch.where(weight > 0, own.float(), 0.0) * wide).sum(-1) - delta)
              if is_needed else None
              for own, weight, is_needed in zip(outputs, weights, needs_lses)]
    d_sink = -(weights[-1][..., 0] * delta).sum((0, 2)).to(sink.dtype) if needs_sink else None
    return d_outputs, d_lses, d_sink, None, None, None


def _push(arguments: Sequence[Any], results: Sequence[torch.Tensor],
          tangents: Sequence[Any]) -> Tuple[torch.Tensor, torch.Tensor]:
    """Computes the tangents of a merge's output and lse. With the weights of _find_weights():

        d_lse = sum w_n d_lse_n + w_sink d_sink
        d_o   = sum w_n (d_o_n + (d_lse_n - d_lse) o_n)
    """
    (outputs, lses, sink, *_), (o, lse) = arguments, results
    _refuse_eight_bits(outputs[0].dtype, o.dtype)
    d_outputs, d_lses, d_sink, *_ = tangents
    d_lses = [0 if its is None else its for its in d_lses]
    of_sink = [] if sink is None else [0 if d_sink is None else d_sink.float()[:, None]]
    weights = _find_weights(lses, sink, lse)
    d_lse = sum([weight * its for weight, its in zip(weights, [*d_lses, *of_sink])])
    # The output of a state without keys (weight 0) may contain NaN, as may its tangent.
    # A sum within the selection would have NaN as its derivative, too.
    d_o = sum([weight[..., None] * (
        torch.where(weight[..., None] > 0, 0.0 if d_own is None else d_own.float(), 0.0)
        + (its - d_lse)[..., None] * torch.where(weight[..., None] > 0, own.float(), 0.0))
        for weight, own, d_own, its in zip(weights, outputs, d_outputs, d_lses)])
    return d_o.to(o.dtype), d_lse


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


def _fake_append_query(given: Given) -> torch.Tensor:
    q = given["q"]
    return given["k"].new_empty(0) if q is None else adapter.empty(q, q.shape[3])


define("append", _APPEND, kernel_of(_append.append), lambda _: None)
for _name, _schema in (("append_query", _APPEND_QUERY), ("append_scales", _APPEND_SCALES)):
    define(_name, _schema, kernel_of(_append_query), _fake_append_query)


def _fake_summarize(given: Given) -> torch.Tensor:
    mask = given["mask"]
    return mask.new_empty(_prepare_mask.find_summary_sizes(mask.shape), dtype=torch.int32)


refuse(define("summarize", Schema("(Tensor mask) -> Tensor"), kernel_of(_prepare_mask.summarize),
              _fake_summarize), "a mask that requires no gradient")


operators["prepare_mask"] = functools.partial(
    operate, "prepare_mask", lambda given: call("summarize", given["mask"]), has_derivative=False)


def _call_merge(given: Given) -> Any:
    outputs, lses, scales = [list(its) for its in zip(*_merge.check_states(given["states"]))]
    for number, (own, scale) in enumerate(zip(outputs, scales)):
        check_scale(f"states[{number}]: scale", adapter.names.get(own.dtype, ""), scale)
    o, lse = call("merge", *_MERGE.listed({
        "outputs": outputs, "lses": lses, "sink": given["sink"],
        "scales": None if scales[0] is None else scales, "out_scale": given["out_scale"],
        "out_dtype": given["out_dtype"]}))
    return (o, lse) if given["return_lse"] else o


def operate_merge(given: Given) -> Any:
    """Makes a call of `merge` with the arguments `given`, by the operator attn_mlir::merge."""
    arrays = {f"states[{number}]{part}": array for number, state in enumerate(given["states"])
              for part, array in zip(("", ": lse", ": scale"), state)}
    return operate("merge", _call_merge, given, free=MERGED, arrays={
        **arrays, "sink": given["sink"], "out_scale": given["out_scale"]})


merge = for_graphs(_merge.merge, _call_merge, "attn_mlir::merge.")
operators["merge"] = operate_merge


def _call_append(given: Given) -> Optional[torch.Tensor]:
    names = "k", "v", "k_cache", "v_cache"
    arrays = find_arrays(*[given[name] for name in (*names, "value_dims")],
                         given["cos"] is not None, given["kv_dtype"])
    given = {**given, **dict(zip(names, arrays))}
    check_bytes(given["kv_dtype"], k_cache=given["k_cache"], v_cache=given["v_cache"])
    check_no_gradient([(name, given[name]) for name in (
        "k", "v", "q", "k_cache", "v_cache", "cos", "sin", "k_scale", "v_scale")])
    k_scale, v_scale = given["k_scale"], given["v_scale"]
    ops = torch.ops.attn_mlir
    # Scales of rank 3, one for each token and head, are computed and written by the call. Other
    # scales are inputs.
    if k_scale is not None and v_scale is not None and k_scale.dim() == v_scale.dim() == 3:
        found = ops.append_scales(*_APPEND_SCALES.listed(given))
        return None if given["q"] is None else found
    if given["q"] is None:
        ops.append(*_APPEND.listed(given))
        return None
    return ops.append_query(*_APPEND_QUERY.listed(given))


append = for_graphs(_append.append, _call_append, """\
attn_mlir::append, or attn_mlir::append_query with `q`. Both write to the caches and to
`lengths`, and have no derivative.""", has_derivative=False)
