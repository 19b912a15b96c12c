"""Operators of torch's for caches and packed sequences.

attn_mlir::varlen            the output and the lse, with a derivative
attn_mlir::varlen_backward   its gradients
attn_mlir::decode            the output and the lse
"""

from typing import Any, List, Optional, Tuple

import torch

from . import _mla, _operators, _packed, _serving
from ._autograd import call, define, refuse, register
from ._module import NAMED_GRADIENTS, Window
from ._operators import fake_output, join_options, with_dense_rows, with_dense_values
from ._output import as_out_dtype, choose_dtype
from ._rope import find_rope, join
from ._scales import SCALES, Extras, check_bytes, find_extras, join_scales, width_of
from ._tensor_kinds import InKernel
from ._torch_calls import (check_no_gradient, check_operands, deliver, find_captures,
                           for_graphs, on_stream)
from ._torch_regions import Regions, argument_error, find_regions
from ._tracing import MaskMod, ScoreMod
from ._within import ValueDims, find_values


def _arguments(regions: Regions, scale: Optional[float], causal: bool, window: Window,
               sink: Optional[torch.Tensor]) -> Tuple[Any, ...]:
    """Converts the options of a call to arguments of the operators."""
    left, right = (None, None) if window is None else window
    return (None if scale is None else float(scale), causal, left, right, regions.score,
            regions.mask, regions.captures, sink)


# ----------------------------------------------------------------------------------------
# Packed sequences
# ----------------------------------------------------------------------------------------


def _run_varlen(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, cu_q: torch.Tensor,
                cu_kv: torch.Tensor, *options: Any) -> Tuple[torch.Tensor, torch.Tensor]:
    with InKernel():
        return _packed.varlen(
            *map(with_dense_rows, (q, k)), with_dense_values(v, 0), cu_q, cu_kv, return_lse=True,
            check=options[8], **join_options(*options[:8]), **Extras(*options[9:]).keywords())


def _fake_varlen(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor,
                 *options: Any) -> Tuple[torch.Tensor, torch.Tensor]:
    extras = Extras(*options[11:])
    dtype = choose_dtype(_operators.adapter.names[q.dtype], extras.out_dtype,
                         extras.out_scale)
    return (_operators.adapter.new(q, (*q.shape[:2], width_of(v)), dtype),
            q.new_empty((q.shape[1], q.shape[0]), dtype=torch.float32))


_OPTIONS = ("float? scale, bool causal, SymInt? left, SymInt? right, "
            f"{_operators.REGIONS}, Tensor? sink")
_op_varlen = define(
    "varlen", f"(Tensor q, Tensor k, Tensor v, Tensor cu_q, Tensor cu_kv, {_OPTIONS}, "
    f"bool check, {_operators.EXTRAS}) -> (Tensor, Tensor)", _run_varlen, _fake_varlen)


def _run_varlen_backward(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, o: torch.Tensor,
                         lse: torch.Tensor, d_o: torch.Tensor,
                         d_lse: Optional[torch.Tensor], cu_q: torch.Tensor,
                         cu_kv: torch.Tensor, *options: Any) -> List[torch.Tensor]:
    options, extras = options[:10], options[10:]
    *options, wrt, deterministic = options
    names = [name for name, is_wanted in zip(NAMED_GRADIENTS, wrt) if is_wanted]
    with InKernel():
        return list(_packed.varlen_backward(
            *map(with_dense_rows, (q, k, v, o)), lse, with_dense_rows(d_o), cu_q, cu_kv,
            d_lse=None if d_lse is None else d_lse.contiguous(), wrt=names,
            deterministic=deterministic, **join_options(*options),
            **join_scales(*extras[:4]), kv_dtype=extras[4] if len(extras) > 4 else None))


def _fake_varlen_backward(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor,
                          *others: Any) -> List[torch.Tensor]:
    *_, sink, wrt, _ = others[:16]
    adapter = _operators.adapter
    found = [adapter.new(q, (*array.shape[:2], width_of(array)), adapter.names[q.dtype])
             for array, is_wanted in zip((q, k, v), wrt) if is_wanted]
    return found + [its.new_empty(its.shape) for its, is_wanted in zip((sink,), wrt[3:])
                    if is_wanted and its is not None]


_op_varlen_backward = define(
    "varlen_backward",
    "(Tensor q, Tensor k, Tensor v, Tensor o, Tensor lse, Tensor d_o, Tensor? d_lse, "
    f"Tensor cu_q, Tensor cu_kv, {_OPTIONS}, bool[] wrt, bool deterministic, "
    f"{_operators.SCALES}, str? kv_dtype=None) -> Tensor[]",
    _run_varlen_backward, _fake_varlen_backward)


def _save(ctx: Any, inputs: Tuple, output: Tuple[torch.Tensor, torch.Tensor]) -> None:
    q, k, v, cu_q, cu_kv, *ctx.options, captures, sink, _ = inputs[:-_operators.NUM_EXTRAS]
    extras = Extras(*inputs[-_operators.NUM_EXTRAS:])
    ctx.extras = extras._replace(**dict.fromkeys(SCALES))
    ctx.set_materialize_grads(False)
    ctx.deterministic = torch.are_deterministic_algorithms_enabled()
    ctx.save_for_backward(q, k, v, *output, cu_q, cu_kv, sink, *captures, *extras.scales)


def _backward(ctx: Any, d_o: Optional[torch.Tensor],
              d_lse: Optional[torch.Tensor]) -> Tuple[Any, ...]:
    saved = ctx.saved_tensors  # Checkpoints let these be asked for once.
    q, k, v, o, lse, cu_q, cu_kv, sink, *captures = saved[:-3]
    extras = ctx.extras._replace(**dict(zip(SCALES, saved[-3:])))
    wrt = [*ctx.needs_input_grad[:3], bool(ctx.needs_input_grad[12])]
    found: List[Optional[torch.Tensor]] = [None] * 4
    if any(wrt) and not (d_o is None and d_lse is None):
        _operators.check_gradients((q, k, v), wrt, extras)
        if d_o is None:
            d_o = torch.zeros_like(o)
        made = iter(call("varlen_backward", q, k, v, o, lse, d_o, d_lse, cu_q, cu_kv,
                         *ctx.options, captures, sink, wrt, ctx.deterministic,
                         *extras.of_gradients))
        found = [next(made) if is_wanted else None for is_wanted in wrt]
    return (*found[:3], *[None] * 8, [None] * len(captures), found[3],
            *[None] * (1 + _operators.NUM_EXTRAS))


register(_op_varlen, _save, _backward)
refuse(_op_varlen_backward, "a first derivative; attention over packed sequences has no "
       "second one")


def _call_varlen(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, cu_q: torch.Tensor,
                 cu_kv: Optional[torch.Tensor] = None, *, scale: Optional[float] = None,
                 causal: bool = False, window: Window = None, score_mod: ScoreMod = None,
                 mask_mod: MaskMod = None, sink: Optional[torch.Tensor] = None,
                 q_scale: Any = None, k_scale: Any = None, v_scale: Any = None,
                 kv_dtype: Optional[str] = None, return_lse: bool = False,
                 check: bool = False, fast_accumulate: bool = False,
                 out_scale: Optional[torch.Tensor] = None, out_dtype: Any = None,
                 q_rope: Optional[torch.Tensor] = None,
                 k_rope: Optional[torch.Tensor] = None) -> Any:
    check_bytes(kv_dtype, k=k, v=v)
    if q_rope is not None or k_rope is not None:
        q, k = join(q, k, q_rope, k_rope, is_packed=True)
    regions = find_regions(score_mod, mask_mod, q)
    extras = find_extras(q_scale, k_scale, v_scale, out_scale, as_out_dtype(out_dtype),
                         kv_dtype, fast_accumulate)
    check_no_gradient((*zip(SCALES, extras.scales), ("out_scale", out_scale)))
    if torch.is_grad_enabled():
        if any([its is not None and its.requires_grad for its in (q, k, v, sink)]):
            _operators.check_gradients((q, k, v), [its.requires_grad for its in (q, k, v)],
                                       extras)
        for name, array in zip(regions.names, regions.captures):
            # The compiler has no gradients of captured arrays where sequences are packed.
            if array.requires_grad:
                raise argument_error(
                    f"{name}: expected a tensor that requires no gradient where sequences "
                    "are packed (detach() says so), found one that does")
    o, lse = call("varlen", q, k, v, cu_q, cu_q if cu_kv is None else cu_kv,
                  *_arguments(regions, scale, causal, window, sink), check, *extras)
    return (o, lse) if return_lse else o


def operate_varlen(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, cu_q: torch.Tensor,
                   cu_kv: torch.Tensor, *, out: Any, stream: Optional[int],
                   **options: Any) -> Any:
    """`varlen` as an operator."""
    options["out_dtype"] = _operators.dtype_of_out(out, options["return_lse"],
                                                   as_out_dtype(options["out_dtype"]), q)
    scales = find_extras(*[options[name] for name in SCALES]).scales
    check_operands("varlen", {"q": q, "k": k, "v": v, "cu_q": cu_q, "cu_kv": cu_kv,
                              "sink": options["sink"], "q_rope": options["q_rope"],
                              "k_rope": options["k_rope"], **dict(zip(SCALES, scales)),
                              "out_scale": options["out_scale"]},
                   find_captures(options["score_mod"], options["mask_mod"]), out, stream)
    with on_stream(stream, q):
        return deliver(_call_varlen(q, k, v, cu_q, cu_kv, **options), out)


varlen = for_graphs(_packed.varlen, _call_varlen, """\
attn_mlir::varlen, whose derivative is attn_mlir::varlen_backward. Functions may be made
within the graph, as those of attn_mlir.torch.attention.""")


# ----------------------------------------------------------------------------------------
# Caches
# ----------------------------------------------------------------------------------------


def _run_decode(q: torch.Tensor, k_cache: torch.Tensor, v_cache: torch.Tensor,
                lengths: Optional[torch.Tensor], page_table: Optional[torch.Tensor],
                counts: Optional[torch.Tensor],
                *options: Any) -> Tuple[torch.Tensor, torch.Tensor]:
    q_rope, k_rope = (*options[13:15], None, None)[:2]
    extras = Extras(*options[9:13], *options[15:])
    with InKernel():
        return _serving.decode(
            with_dense_rows(q), k_cache, v_cache, lengths=lengths, page_table=page_table,
            counts=counts, q_rope=None if q_rope is None else with_dense_rows(q_rope),
            k_rope=k_rope, return_lse=True, check=options[8], **join_options(*options[:8]),
            **extras.keywords())


def _fake_decode(q: torch.Tensor, k_cache: torch.Tensor, v_cache: torch.Tensor,
                 *options: Any) -> Tuple[torch.Tensor, torch.Tensor]:
    # Lengths, the table and counts come before the others.
    extras = Extras(*options[12:16], *options[18:])
    return fake_output(q, v_cache, extras), _operators.adapter.empty_lse(q)


_op_decode = define(
    "decode", "(Tensor q, Tensor k_cache, Tensor v_cache, Tensor? lengths, "
    f"Tensor? page_table, Tensor? counts, {_OPTIONS}, bool check, Tensor? q_scale, "
    "Tensor? k_scale, Tensor? v_scale, SymInt[] blocks, Tensor? q_rope=None, "
    f"Tensor? k_rope=None, {_operators.REST}) -> (Tensor, Tensor)",
    _run_decode, _fake_decode)
refuse(_op_decode, "tensors that require no gradient")


def _call_decode(q: torch.Tensor, k_cache: torch.Tensor,
                 v_cache: Optional[torch.Tensor] = None, *,
                 lengths: Optional[torch.Tensor] = None,
                 page_table: Optional[torch.Tensor] = None,
                 counts: Optional[torch.Tensor] = None, scale: Optional[float] = None,
                 causal: bool = False, window: Window = None, score_mod: ScoreMod = None,
                 mask_mod: MaskMod = None, sink: Optional[torch.Tensor] = None,
                 q_scale: Any = None, k_scale: Any = None, v_scale: Any = None,
                 kv_dtype: Optional[str] = None, return_lse: bool = False,
                 check: bool = False, value_dims: ValueDims = None,
                 q_rope: Optional[torch.Tensor] = None,
                 k_rope: Optional[torch.Tensor] = None, fast_accumulate: bool = False,
                 out_scale: Optional[torch.Tensor] = None, out_dtype: Any = None) -> Any:
    find_rope(q_rope, k_rope)
    v_cache = find_values(k_cache, v_cache, value_dims, ("k_cache", "v_cache"), kv_dtype)
    check_bytes(kv_dtype, k_cache=k_cache, v_cache=v_cache)
    regions = find_regions(score_mod, mask_mod, q)
    extras = find_extras(q_scale, k_scale, v_scale, out_scale, as_out_dtype(out_dtype),
                         kv_dtype, fast_accumulate)
    check_no_gradient([("q", q), ("k_cache", k_cache), ("v_cache", v_cache), ("sink", sink),
                       ("q_rope", q_rope), ("k_rope", k_rope),
                       *zip(SCALES, extras.scales), ("out_scale", out_scale),
                       *zip(regions.names, regions.captures)])
    o, lse = call("decode", q, k_cache, v_cache, lengths, page_table, counts,
                  *_arguments(regions, scale, causal, window, sink), check, *extras[:4],
                  q_rope, k_rope, *(extras[4:] if extras.given else ()))
    return (o, lse) if return_lse else o


def operate_decode(q: torch.Tensor, k_cache: torch.Tensor, v_cache: torch.Tensor, *,
                   out: Any, stream: Optional[int], **options: Any) -> Any:
    """`decode` as an operator."""
    options["out_dtype"] = _operators.dtype_of_out(out, options["return_lse"],
                                                   as_out_dtype(options["out_dtype"]), q)
    scales = find_extras(*[options[name] for name in SCALES]).scales
    check_operands("decode", {"q": q, "k_cache": k_cache, "v_cache": v_cache,
                              **dict(zip(SCALES, scales)), "out_scale": options["out_scale"],
                              **{name: options[name] for name in
                                 ("lengths", "page_table", "counts", "sink", "q_rope",
                                  "k_rope")}},
                   find_captures(options["score_mod"], options["mask_mod"]), None, None)
    with on_stream(stream, q):
        return deliver(_call_decode(q, k_cache, v_cache, **options), out)


decode = for_graphs(_serving.decode, _call_decode, """\
attn_mlir::decode. It has no derivative. Functions may be made within the graph, as those of
attn_mlir.torch.attention.""")


def _call_mla_decode(q: Any, cache: Any, *, scale: float, latent_dim: Optional[int] = None,
                     causal: bool = True, cache_scale: Any = None, **options: Any) -> Any:
    q, cache, q_rope, k_rope, cache_scale, latent_dim = _mla.find_arrays(
        q, cache, cache_scale, latent_dim, joins=False)
    return _call_decode(q, cache, value_dims=(0, latent_dim), q_rope=q_rope, k_rope=k_rope,
                        scale=scale, causal=causal, k_scale=cache_scale,
                        v_scale=cache_scale, **options)


mla_decode = for_graphs(_mla.mla_decode, _call_mla_decode, "attn_mlir::decode.")
