"""Operators of torch for packed sequences and for caches.

attn_mlir::varlen            returns the output and the lse; has a derivative
attn_mlir::varlen_backward   returns the gradients of varlen
attn_mlir::decode            returns the output and the lse
"""

from typing import Any

from . import _mla, _operators, _packed, _serving
from ._autograd import call, define, refuse
from ._rope import join
from ._scales import OPERANDS, SCALES, check_bytes, check_columns
from ._schema import Given, Schema, kernel_of, of_operator
from ._torch_calls import check_no_gradient, for_graphs, needs_gradients
from ._within import find_values

_OPTIONS = ("float? scale, bool causal, SymInt? left, SymInt? right, "
            f"{_operators.REGIONS}, Tensor? sink")
_VARLEN = Schema(
    f"(Tensor q, Tensor k, Tensor v, Tensor cu_q, Tensor cu_kv, {_OPTIONS}, bool check, "
    f"{_operators.EXTRAS}{_operators.later(_packed.varlen)}) -> (Tensor, Tensor)")
_VARLEN_BACKWARD = Schema(
    "(Tensor q, Tensor k, Tensor v, Tensor o, Tensor lse, Tensor d_o, Tensor? d_lse, "
    f"Tensor cu_q, Tensor cu_kv, {_OPTIONS}, bool[] wrt, bool deterministic, "
    f"{_operators.SCALES}, str? kv_dtype=None, Tensor? v_mean=None"
    f"{_operators.later(_packed.varlen_backward)}) -> Tensor[]")
_DECODE = Schema(
    "(Tensor q, Tensor k_cache, Tensor v_cache, Tensor? lengths, Tensor? page_table, "
    f"Tensor? counts, {_OPTIONS}, bool check, Tensor? q_scale, Tensor? k_scale, "
    "Tensor? v_scale, SymInt[] blocks, Tensor? q_rope=None, Tensor? k_rope=None, "
    f"{_operators.REST}{_operators.later(_serving.decode)}) -> (Tensor, Tensor)")


_run_varlen = kernel_of(_packed.varlen, "q k sink", keys=0, return_lse=True)
_run_varlen_backward = kernel_of(_packed.varlen_backward, "q k o d_o d_lse sink", keys=0)
_op_varlen = define("varlen", _VARLEN, _run_varlen, _operators.fake)
_op_varlen_backward = define("varlen_backward", _VARLEN_BACKWARD, _run_varlen_backward,
                             _operators.fake_gradients)
_operators.register_attention(_op_varlen, _VARLEN, "varlen_backward", _VARLEN_BACKWARD)
refuse(_op_varlen_backward, "a first derivative; attention over packed sequences has no "
       "second one")
_differentiable = _operators.Differentiable(
    "varlen", _VARLEN, _run_varlen, "varlen_backward", _VARLEN_BACKWARD, _run_varlen_backward,
    _operators.Repeat(_packed.backward_calls, _packed.BACKWARD_TENSORS, _packed.options_of),
    _packed.calls, _packed.calls.order)


def _call_varlen(given: Given) -> Any:
    check_bytes(given["kv_dtype"], k=given["k"], v=given["v"])
    given = join(given, is_packed=True)
    given = of_operator({**given, "cu_kv": given[
        "cu_q" if given["cu_kv"] is None else "cu_kv"]}, given["q"])
    # For packed sequences, the compiler computes no gradients of captured arrays.
    check_no_gradient(zip(given["names"], given["captures"]),
                      "where sequences are packed (detach() says so)")
    needs_gradients(given)
    o, lse = _differentiable(given)
    return (o, lse) if given["return_lse"] else o


varlen = for_graphs(_packed.varlen, _call_varlen, """\
attn_mlir::varlen, whose derivative is attn_mlir::varlen_backward. Functions may be made
within the graph, as those of attn_mlir.torch.attention.""")


_op_decode = define("decode", _DECODE, kernel_of(
    _serving.decode, "q q_rope sink", return_lse=True), _operators.fake)
refuse(_op_decode, "tensors that require no gradient")


def _call_decode(given: Given) -> Any:
    check_columns(given)
    k_cache, kv_dtype = given["k_cache"], given["kv_dtype"]
    v_cache = find_values(k_cache, given["v_cache"], given["value_dims"],
                          ("k_cache", "v_cache"), kv_dtype)
    check_bytes(kv_dtype, k_cache=k_cache, v_cache=v_cache)
    given = of_operator({**given, "v_cache": v_cache}, given["q"])
    check_no_gradient([*[(name, given.get(name)) for name in (
        "q", "k_cache", "v_cache", "sink", *OPERANDS)],
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
                         "k_scale": cache_scale, "v_scale": cache_scale})


mla_decode = for_graphs(_mla.mla_decode, _call_mla_decode, "attn_mlir::decode.")
