"""Operators of torch's for caches and packed sequences.

attn_mlir::varlen            the output and the lse, with a derivative
attn_mlir::varlen_backward   its gradients
attn_mlir::decode            the output and the lse
"""

from typing import Any, List, Optional, Tuple

import torch

from . import _mla, _operators, _packed, _serving
from ._autograd import call, define, refuse, register
from ._operators import fake_lse, fake_output
from ._output import as_out_dtype
from ._rope import find_rope, join
from ._scales import NAMES, SCALES, check_bytes, width_of
from ._schema import (Given, Schema, kernel_of, of_operator, save, saved, with_dense_values)
from ._torch_calls import check_no_gradient, for_graphs
from ._torch_regions import argument_error
from ._within import find_values

_OPTIONS = ("float? scale, bool causal, SymInt? left, SymInt? right, "
            f"{_operators.REGIONS}, Tensor? sink")
_VARLEN = Schema(
    f"(Tensor q, Tensor k, Tensor v, Tensor cu_q, Tensor cu_kv, {_OPTIONS}, bool check, "
    f"{_operators.EXTRAS}) -> (Tensor, Tensor)")
_VARLEN_BACKWARD = Schema(
    "(Tensor q, Tensor k, Tensor v, Tensor o, Tensor lse, Tensor d_o, Tensor? d_lse, "
    f"Tensor cu_q, Tensor cu_kv, {_OPTIONS}, bool[] wrt, bool deterministic, "
    f"{_operators.SCALES}, str? kv_dtype=None, Tensor? v_mean=None) -> Tensor[]")
_DECODE = Schema(
    "(Tensor q, Tensor k_cache, Tensor v_cache, Tensor? lengths, Tensor? page_table, "
    f"Tensor? counts, {_OPTIONS}, bool check, Tensor? q_scale, Tensor? k_scale, "
    "Tensor? v_scale, SymInt[] blocks, Tensor? q_rope=None, Tensor? k_rope=None, "
    f"{_operators.REST}) -> (Tensor, Tensor)")


# ----------------------------------------------------------------------------------------
# Packed sequences
# ----------------------------------------------------------------------------------------


def _fake_varlen(*arguments: Any) -> Tuple[torch.Tensor, torch.Tensor]:
    given = _VARLEN.named(arguments)
    q = given["q"]
    return (fake_output(q, given["v"], given),
            q.new_empty((q.shape[1], q.shape[0]), dtype=torch.float32))


def _differentiate_varlen(**given: Any) -> List[torch.Tensor]:
    return list(_packed.varlen_backward(**{**given, "v": with_dense_values(given["v"], 0)}))


def _fake_varlen_backward(*arguments: Any) -> List[torch.Tensor]:
    given, adapter = _VARLEN_BACKWARD.named(arguments), _operators.adapter
    q, sink, wrt = given["q"], given["sink"], given["wrt"]
    found = [adapter.new(q, (*given[name].shape[:2], width_of(given[name])),
                         adapter.names[q.dtype])
             for name, is_wanted in zip("qkv", wrt) if is_wanted]
    return found + ([sink.new_empty(sink.shape)] if any(wrt[3:]) and sink is not None else [])


def _attend_packed(**given: Any) -> Any:
    return _packed.varlen(**{**given, "v": with_dense_values(given["v"], 0)})


_op_varlen = define("varlen", _VARLEN.text, kernel_of(
    _VARLEN, _attend_packed, "q k sink", return_lse=True), _fake_varlen)
_op_varlen_backward = define("varlen_backward", _VARLEN_BACKWARD.text, kernel_of(
    _VARLEN_BACKWARD, _differentiate_varlen, "q k o d_o d_lse sink"), _fake_varlen_backward)


def _save(ctx: Any, inputs: Tuple, output: Tuple[torch.Tensor, torch.Tensor]) -> None:
    save(ctx, {**_VARLEN.named(inputs), "o": output[0], "lse": output[1],
               "deterministic": torch.are_deterministic_algorithms_enabled()})


def _backward(ctx: Any, d_o: Optional[torch.Tensor],
              d_lse: Optional[torch.Tensor]) -> Tuple[Any, ...]:
    given, wrt = saved(ctx), _operators.needs_of(_VARLEN, ctx)[:4]
    found: Given = {}
    if any(wrt) and not (d_o is None and d_lse is None):
        _operators.check_gradients(given, wrt)
        given.update(d_o=torch.zeros_like(given["o"]) if d_o is None else d_o, d_lse=d_lse,
                     wrt=wrt)
        made = iter(call("varlen_backward", *_VARLEN_BACKWARD.listed(given)))
        found = {name: next(made) for name, is_wanted in zip(("q", "k", "v", "sink"), wrt)
                 if is_wanted}
    return _VARLEN.gradients(found, given)


register(_op_varlen, _save, _backward)
refuse(_op_varlen_backward, "a first derivative; attention over packed sequences has no "
       "second one")


def _call_varlen(given: Given) -> Any:
    check_bytes(given["kv_dtype"], k=given["k"], v=given["v"])
    q, k, q_rope, k_rope = [given[name] for name in ("q", "k", "q_rope", "k_rope")]
    if q_rope is not None or k_rope is not None:
        q, k = join(q, k, q_rope, k_rope, is_packed=True)
    given = of_operator({
        **given, "q": q, "k": k, "out_dtype": as_out_dtype(given["out_dtype"]),
        "cu_kv": given["cu_q"] if given["cu_kv"] is None else given["cu_kv"]}, q)
    check_no_gradient([(name, given[name]) for name in NAMES])
    if torch.is_grad_enabled():
        needs = [given[name] is not None and given[name].requires_grad
                 for name in ("q", "k", "v", "sink")]
        if any(needs):
            _operators.check_gradients(given, needs[:3])
        for name, array in zip(given["names"], given["captures"]):
            # Rejects captured arrays that require a gradient: the compiler has no gradients of
            # captured arrays for packed sequences.
            if array.requires_grad:
                raise argument_error(
                    f"{name}: expected a tensor that requires no gradient where sequences "
                    "are packed (detach() says so), found one that does")
    o, lse = call("varlen", *_VARLEN.listed(given))
    return (o, lse) if given["return_lse"] else o


varlen = for_graphs(_packed.varlen, _call_varlen, """\
attn_mlir::varlen, whose derivative is attn_mlir::varlen_backward. Functions may be made
within the graph, as those of attn_mlir.torch.attention.""")


# ----------------------------------------------------------------------------------------
# Caches
# ----------------------------------------------------------------------------------------


def _fake_decode(*arguments: Any) -> Tuple[torch.Tensor, torch.Tensor]:
    given = _DECODE.named(arguments)
    return (fake_output(given["q"], given["v_cache"], given),
            fake_lse(given["q"]))


_op_decode = define("decode", _DECODE.text, kernel_of(
    _DECODE, _serving.decode, "q q_rope sink", return_lse=True), _fake_decode)
refuse(_op_decode, "tensors that require no gradient")


def _call_decode(given: Given) -> Any:
    find_rope(given["q_rope"], given["k_rope"])
    k_cache, kv_dtype = given["k_cache"], given["kv_dtype"]
    v_cache = find_values(k_cache, given["v_cache"], given["value_dims"],
                          ("k_cache", "v_cache"), kv_dtype)
    check_bytes(kv_dtype, k_cache=k_cache, v_cache=v_cache)
    given = of_operator({**given, "v_cache": v_cache,
                         "out_dtype": as_out_dtype(given["out_dtype"])}, given["q"])
    check_no_gradient([*[(name, given[name]) for name in (
        "q", "k_cache", "v_cache", "sink", "q_rope", "k_rope", *NAMES)],
        *zip(given["names"], given["captures"])])
    given["blocks"] = given["blocks"] or [1] * len(SCALES)
    o, lse = call("decode", *_DECODE.listed(given))
    return (o, lse) if given["return_lse"] else o


decode = for_graphs(_serving.decode, _call_decode, """\
attn_mlir::decode. It has no derivative. Functions may be made within the graph, as those of
attn_mlir.torch.attention.""", has_derivative=False)


def _call_mla_decode(given: Given) -> Any:
    q, cache, q_rope, k_rope, cache_scale, latent_dim = _mla.find_arrays(
        *[given[name] for name in ("q", "cache", "cache_scale", "latent_dim")], joins=False)
    return _call_decode({**given, "q": q, "k_cache": cache, "v_cache": None, "q_rope": q_rope,
                         "k_rope": k_rope, "value_dims": (0, latent_dim), "kv_dtype": None,
                         "k_scale": cache_scale, "v_scale": cache_scale, "v_mean": None})


mla_decode = for_graphs(_mla.mla_decode, _call_mla_decode, "attn_mlir::decode.")
