"""Attention over packed sequences, and its gradients."""

from typing import Any, List, Optional, Sequence, Tuple

from ._adapter import Described
from ._arrays import adapter_of
from ._captures import find_captured, sources_of
from ._checks import check_cumulative, check_scales
from ._frames import Calls, check_dtype
from ._kernel import Kernel
from ._library import DTYPE_NAMES
from ._module import (GRADIENTS, NARROW_QUERIES, Sequences, Window, backward_text,
                      module_text)
from ._options import as_flag, check_own_options
from ._output import as_out_dtype, choose_dtype, dtype_of_out
from ._quantize import unpack
from ._rows import Operand, array_type, describe, names_of, run
from ._serving import I32, Call, align, find_call, find_results
from ._rope import check_dtypes, find_rope
from ._scales import (NARROW, arrays_of, check_bytes, check_halves, check_kv_dtype,
                      features_of, find_scales, is_bytes)
from ._spellings import arguments_of, refuse
from ._tracing import MaskMod, ScoreMod, as_mask, as_score
from ._value_order import lies_along_keys

calls = Calls()
_CU = array_type(1, "i32")
_PACKED = Sequences({"cu_q": _CU, "cu_kv": _CU},
                    [f"packed(%cu_q, %cu_kv : {_CU}, {_CU})"])


def _as_batch(described: Described) -> Described:
    """Views an array (tokens, heads, D) or (heads, tokens) as one with a single batch
    entry."""
    data, sizes, strides, *rest = described
    if len(sizes) == 3:
        (tokens, heads, width), (token, head, element) = sizes, strides
        sizes, strides = (heads, tokens, width), (head, token, element)
    sizes, strides = (1, *sizes), (max(1, sizes[0] * strides[0]), *strides)
    return (data, sizes, strides, *rest)  # type: ignore[return-value]


def find_groups(query: int, key: int) -> Optional[Tuple[int, int]]:
    """The numbers of heads, if several query heads share a key head: tiles of a kernel that
    knows them have the rows of all."""
    return (query, key) if 0 < key < query and query % key == 0 else None


def _run_packed(key: Tuple, text: Any, operands: Sequence[Operand], call: Call, after: int,
                stream: Optional[int]) -> Tuple[Kernel, List[Described], Tuple[str, ...]]:
    """Returns the kernel, its arguments and their names. Captured arrays follow the first
    `after` arguments."""
    described = [its if len(its[1]) == 1 else _as_batch(its) for its in describe(operands)]
    described[after:after] = call.described
    every = [*operands[:after], *call.operands, *operands[after:]]
    return run(key, text, every, described, stream), described, names_of(every)


@calls.function("q k v sink q_scale k_scale v_scale out_scale q_rope k_rope cu_q cu_kv")
def varlen(q: Any, k: Any, v: Any, cu_q: Any, cu_kv: Any = None, *,
           scale: Optional[float] = None, causal: bool = False, window: Window = None,
           score_mod: ScoreMod = None, mask_mod: MaskMod = None, sink: Any = None,
           q_scale: Any = None, k_scale: Any = None, v_scale: Any = None,
           kv_dtype: Optional[str] = None, return_lse: bool = False, check: bool = False,
           fast_accumulate: bool = False, out_scale: Any = None, out_dtype: Any = None,
           q_rope: Any = None, k_rope: Any = None, out: Any = None,
           stream: Optional[int] = None, **others: Any) -> Any:
    """Attention of packed sequences, which follow each other in one array; each attends only
    to itself.

    | array | sizes | dtype |
    |---|---|---|
    | `q` | (Tq, Hq, D) | float16, bfloat16 or float32; float8_e4m3fn or float8_e5m2 beside keys and values of 8 bits or 4 |
    | `k`, `v` | (Tkv, Hkv, D) and (Tkv, Hkv, Dv), Hkv divides Hq | as q, or each float8_e4m3fn, float8_e5m2 or int8 |
    | `k`, `v` with `kv_dtype="i4"` | (Tkv, Hkv, D / 2), (Tkv, Hkv, Dv / 2) | uint8 |
    | `cu_q`, `cu_kv` | (N + 1,) | int32 |
    | `out_scale` | () or (Hq,) | float32 |
    | result | (Tq, Hq, Dv) | as q, or `out_dtype` |
    | lse | (Hq, Tq) | float32 |

    Sequence n has the rows from cu_q[n] to cu_q[n + 1] and the keys from cu_kv[n] to cu_kv[n
    + 1], which by default are the same numbers. Sequences may be empty. Cumulative lengths
    are read on the device and count as their running maxima, clamped to 0 and the number of
    tokens; rows outside of all sequences have output 0 and lse -inf.

    - The stride of `v` may be 1 along Tkv instead of along Dv, but of 4 bits.
    - `causal`: the last row of a sequence sees all of its keys. `window` counts from the
      same diagonal.
    - `score_mod`, `mask_mod`: see `attention`; b is the sequence, and rows and keys count
      from its first.
    - `check`: raise for a cumulative length that decreases or is beyond the tokens, and for
      scales that are not finite, after reading them on the host.
    - `q_scale`, `k_scale`, `v_scale`: as in `attention`, of sizes (), (H,) or (T, H).
    - `kv_dtype`: "i4" says that keys and values of uint8, with D / 2 and Dv / 2 columns,
      have two numbers of 4 bits in each byte, as in `attention`.
    - `q_rope`, `k_rope`: (Tq, Hq, D2) and (Tkv, Hkv or 1, D2), of q's dtype: further columns
      of `q` and `k` in arrays of their own, as in `attention`.
    - `scale`, `sink`, `return_lse`, `fast_accumulate`, `out_scale`, `out_dtype`, `out`,
      `stream`: as in `attention`.

    For torch tensors that require gradients the call is an operator that autograd knows;
    what functions capture has no gradient here. Within torch.compile, use
    attn_mlir.torch.varlen. Raises ArgumentError, which names the argument, or Error.
    """
    if others:
        refuse(varlen, others)
    cu_kv = cu_q if cu_kv is None else cu_kv
    if out_dtype is not None:
        out_dtype = as_out_dtype(out_dtype)
    score_mod, mask_mod = as_score(score_mod), as_mask(mask_mod)
    captures = find_captured(score_mod, mask_mod)
    arrays = (q, k, v, sink, q_scale, k_scale, v_scale, out_scale, q_rope, k_rope,
              cu_q, cu_kv, *captures)
    options = (scale, causal, window, return_lse, check, score_mod and score_mod.text,
               mask_mod and mask_mod.text, kv_dtype, fast_accumulate, out_dtype)
    known = calls.find(arrays, options, out, stream)
    if known is not NotImplemented:
        return known
    scale, causal, window = check_own_options(scale, causal, window)
    return_lse = as_flag("return_lse", return_lse)
    fast_accumulate = as_flag("fast_accumulate", fast_accumulate)
    adapter = adapter_of("q", q)
    scales = find_scales(q_scale, k_scale, v_scale, out_scale, is_packed=True) + find_rope(
        q_rope, k_rope, is_packed=True)
    check_kv_dtype(kv_dtype)
    if adapter.needs_operator(q, k, v, cu_q, cu_kv, sink, *captures, *arrays_of(scales)):
        check_bytes(kv_dtype, k=k, v=v)
        from . import _serving_operators

        return _serving_operators.operate_varlen(arguments_of(varlen, locals()))
    _, sizes, _, code, device_type, device, _ = adapter.describe("q", q)
    check_dtype(code, "q", NARROW_QUERIES)
    dtype = DTYPE_NAMES[code]
    of_output = choose_dtype(dtype, dtype_of_out(out, return_lse, out_dtype, dtype),
                             out_scale)
    aligned = align(causal)
    operands = [Operand("q", q, ("Tq", "Hq", "D")),
                Operand("k", k, ("Tkv", "Hkv", "D"), (dtype, *NARROW), False, True,
                        kv_dtype),
                Operand("v", v, ("Tkv", "Hkv", "Dv"), (dtype, *NARROW), False, True,
                        kv_dtype, "Tkv")]
    first = describe(operands)
    check_halves(kv_dtype, [its[3] for its in first[1:]])
    check_dtypes(scales, code, first[1][3])
    call = find_call(q, (device_type, device), score_mod, mask_mod, sink, scales,
                     [_as_batch(its)[1] for its in first])
    features = call.features._replace(
        along_keys=lies_along_keys(_as_batch(first[2])),
        **features_of(*[DTYPE_NAMES[its[3]] for its in first], of_output))
    head_dim, value_head_dim = sizes[2], first[2][1][2]
    if out is None:
        results = [adapter.new(q, (*sizes[:2], value_head_dim), of_output)]
        if return_lse:
            results.append(adapter.new(q, (sizes[1], sizes[0]), "f32"))
    else:
        results = find_results(q, out, return_lse, value_head_dim)
    operands += [Operand("cu_q", cu_q, ("N + 1",), I32),
                 Operand("cu_kv", cu_kv, ("N + 1",), I32),
                 Operand("out", results[0], ("Tq", "Hq", "Dv"), (of_output,), True)]
    operands += [Operand("out: lse", lse, ("Hq", "Tq"), ("f32",), is_written=True)
                 for lse in results[1:]]
    if check:
        check_scales(scales)
        describe(operands)
        check_cumulative({"cu_q": (cu_q, sizes[0]), "cu_kv": (cu_kv, first[1][1][0])})
    heads = find_groups(sizes[1], first[1][1][1])
    key = ("varlen", dtype, head_dim, value_head_dim, scale, aligned, window, return_lse,
           call.score, call.mask, features, fast_accumulate, heads)

    def text() -> str:
        return module_text(
            dtype, head_dim, value_head_dim, causal=aligned, window=window,
            align="bottom_right", scale=scale, return_lse=return_lse, score=call.score,
            mask=call.mask, features=features, sequences=_PACKED,
            fast_accumulate=fast_accumulate, heads=heads)

    kernel, described, names = _run_packed(key, text, operands, call, 3, stream)
    if not check:
        sources = [0, 1, 2, *sources_of(arrays, 3, arrays[3:12], captures), -1, -2]
        calls.remember(arrays, options, out, kernel, described, sources[:len(described)],
                       results, return_lse, names)
    return tuple(results) if return_lse else results[0]


def varlen_backward(q: Any, k: Any, v: Any, o: Any, lse: Any, d_o: Any, cu_q: Any,
                    cu_kv: Any, *, d_lse: Any = None, scale: Optional[float] = None,
                    causal: bool = False, window: Window = None,
                    score_mod: ScoreMod = None, mask_mod: MaskMod = None, sink: Any = None,
                    q_scale: Any = None, k_scale: Any = None, v_scale: Any = None,
                    kv_dtype: Optional[str] = None, wrt: Sequence[str] = GRADIENTS,
                    deterministic: bool = False) -> Tuple[Any, ...]:
    """The gradients of `varlen`, of those arrays that `wrt` lists, in q's dtype: of "query", "key",
    "value" and "sink", in this order. Those of arrays of 8 bits and of arrays with scales are with
    respect to the stored numbers times their scale."""
    if kv_dtype is not None:
        k, v = (unpack(its) if is_bytes(its) else its for its in (k, v))
    adapter = adapter_of("q", q)
    _, sizes, _, code, device_type, device, _ = adapter.describe("q", q)
    dtype = DTYPE_NAMES[code]
    of_rows, of_keys = ("Tq", "Hq"), ("Tkv", "Hkv")
    stored = (dtype, *NARROW)
    operands = [Operand("q", q, (*of_rows, "D")), Operand("k", k, (*of_keys, "D"), stored),
                Operand("v", v, (*of_keys, "Dv"), stored, along="Tkv"), Operand("o", o, (*of_rows, "Dv")),
                Operand("lse", lse, ("Hq", "Tq"), ("f32",)),
                Operand("d_o", d_o, (*of_rows, "Dv"))]
    if d_lse is not None:
        operands.append(Operand("d_lse", d_lse, ("Hq", "Tq"), ("f32",)))
    after = len(operands)
    operands += [Operand("cu_q", cu_q, ("N + 1",), I32),
                 Operand("cu_kv", cu_kv, ("N + 1",), I32)]
    first = [_as_batch(its) for its in describe(operands[:3])]
    call = find_call(q, (device_type, device), score_mod, mask_mod, sink,
                     find_scales(q_scale, k_scale, v_scale, is_packed=True),
                     [its[1] for its in first])
    features = call.features._replace(along_keys=lies_along_keys(first[2]),
                                      **features_of(*[DTYPE_NAMES[its[3]] for its in first]))
    shapes = {"query": (q, operands[0].shape), "key": (k, operands[1].shape),
              "value": (v, operands[2].shape), "sink": (sink, ("Hq",))}
    results: List[Any] = []
    for name in wrt:
        array, shape = shapes[name]
        its = call.features.sink if name == "sink" else dtype
        results.append(adapter.new(q, adapter.describe(name, array)[1], its))
        operands.append(Operand("d_" + name, results[-1], shape, (its,), is_written=True))
    head_dim, value_head_dim = sizes[2], adapter.describe("v", v)[1][2]
    aligned = align(causal)
    key = ("varlen_backward", dtype, head_dim, value_head_dim, scale, aligned, window,
           tuple(wrt), d_lse is not None, deterministic, call.score, call.mask, features)

    def text() -> str:
        return backward_text(
            dtype, head_dim, value_head_dim, causal=aligned, window=window,
            align="bottom_right", scale=scale, wrt=wrt, d_lse=d_lse is not None,
            deterministic=deterministic, score=call.score, mask=call.mask,
            features=features, sequences=_PACKED)

    _run_packed(key, text, operands, call, after, None)
    return tuple(results)
