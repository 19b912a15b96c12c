"""Attention over packed sequences, and its gradients."""

import operator
from typing import Any, Optional, Sequence, Tuple

from ._attend import Layout, attend
from ._captures import find_captured
from ._frames import Calls
from ._gradients import ARRAYS, TENSORS, differentiate, options_finder
from ._module import GRADIENTS, Window
from ._scales import find_scales
from ._spellings import refuse
from ._tracing import Mask, MaskMod, Score, ScoreMod

calls, backward_calls = Calls(), Calls()
# The names of the arrays of a call of varlen_backward, in the order in which `backward_calls` has
# them.
BACKWARD_TENSORS = (*TENSORS, "cu_q", "cu_kv")
_arrays_in = operator.itemgetter(*BACKWARD_TENSORS)
options_of = options_finder("scale", "causal", "window", "kv_dtype", "deterministic")
_LAYOUT = Layout(("Tq", "Hq"), ("Tkv", "Hkv"), ("Hq", "Tq"), is_packed=True)


@calls.function("q k v sink * cu_q cu_kv")
def varlen(q: Any, k: Any, v: Any, cu_q: Any, cu_kv: Any = None, *,
           scale: Optional[float] = None, causal: bool = False, window: Window = None,
           score_mod: ScoreMod = None, mask_mod: MaskMod = None, sink: Any = None,
           q_scale: Any = None, k_scale: Any = None, v_scale: Any = None, v_mean: Any = None,
           kv_dtype: Optional[str] = None, return_lse: bool = False, check: bool = False,
           fast_accumulate: bool = False, out_scale: Any = None, out_dtype: Any = None,
           q_rope: Any = None, k_rope: Any = None, out: Any = None,
           stream: Optional[int] = None, **others: Any) -> Any:
    """Attention of packed sequences, which follow each other in one array. Each sequence attends
    only to itself.

    | array | sizes | dtype |
    |---|---|---|
    | `q` | (Tq, Hq, D) | float16, bfloat16 or float32; float8_e4m3fn or float8_e5m2 beside keys and values of 8 bits or 4 |
    | `k`, `v` | (Tkv, Hkv, D) and (Tkv, Hkv, Dv), Hkv divides Hq | as q, or each float8_e4m3fn, float8_e5m2 or int8 |
    | `k`, `v` with `kv_dtype="i4"` | (Tkv, Hkv, D / 2), (Tkv, Hkv, Dv / 2) | uint8 |
    | `cu_q`, `cu_kv` | (N + 1,) | int32 |
    | `v_mean` | (1, Hkv, Dv), each of which may be 1 | float32 |
    | `out_scale` | () or (Hq,) | float32 |
    | result | (Tq, Hq, Dv) | as q, or `out_dtype` |
    | lse | (Hq, Tq) | float32 |

    Sequence n has the rows from cu_q[n] to cu_q[n + 1] and the keys from cu_kv[n] to cu_kv[n
    + 1], which by default are the same numbers. Sequences may be empty. Cumulative lengths
    are read on the device and count as their running maxima, clamped to 0 and the number of
    tokens; rows outside of all sequences have output 0 and lse -inf.

    - `v` may have stride 1 along Tkv instead of along Dv, unless it has 4 bits.
    - `causal`: the last row of a sequence sees all of its keys, the row before it one less.
      `window` counts from the same diagonal.
    - `score_mod`, `mask_mod`: see `attention`; b is the sequence, and rows and keys count
      from its first.
    - `check`: read cumulative lengths and scales on the host, and raise for a cumulative length
      that is less than the one before it or larger than the number of tokens, and for scales that
      are not finite.
    - `q_scale`, `k_scale`, `v_scale`: as in `attention`, of sizes (), (H,) or (T, H), or for
      `v_scale` (1, Hkv, Dv).
    - `kv_dtype`: "i4" says that keys and values of uint8, with D / 2 and Dv / 2 columns,
      have two numbers of 4 bits in each byte, as in `attention`.
    - `q_rope`, `k_rope`: (Tq, Hq, D2) and (Tkv, Hkv or 1, D2), of q's dtype: further columns of `q`
      and `k` in separate arrays, as in `attention`.
    - `scale`, `v_mean`, `sink`, `return_lse`, `fast_accumulate`, `out_scale`, `out_dtype`, `out`,
      `stream`: as in `attention`.

    For torch tensors that require gradients the call is an operator that autograd knows. Arrays
    that score functions capture have no gradient here. Within torch.compile, use
    attn_mlir.torch.varlen. Raises ArgumentError, which names the argument, or Error.
    """
    if others:
        refuse(varlen, others)
    return attend(_LAYOUT, varlen, locals(), calls)


def varlen_backward(q: Any, k: Any, v: Any, o: Any, lse: Any, d_o: Any, cu_q: Any,
                    cu_kv: Any, *, d_lse: Any = None, scale: Optional[float] = None,
                    causal: bool = False, window: Window = None,
                    score_mod: Optional[Score] = None, mask_mod: Optional[Mask] = None,
                    sink: Any = None, q_scale: Any = None, k_scale: Any = None,
                    v_scale: Any = None, v_mean: Any = None, kv_dtype: Optional[str] = None,
                    wrt: Sequence[str] = GRADIENTS, deterministic: bool = False) -> Tuple[Any, ...]:
    """Computes the gradients of `varlen`, in q's dtype, of the arrays that `wrt` lists: some of
    "query", "key", "value" and "sink", in this order. Gradients of arrays of 8 bits, and of arrays
    with scales, are with respect to the stored numbers times their scale."""
    arrays = (*_arrays_in(locals()), *find_captured(score_mod, mask_mod))
    options = options_of(locals())
    known = backward_calls.find(arrays, options, None, None)
    if known is not NotImplemented:
        return known
    inputs = {"query": q, "key": k, "value": v, "output": o, "lse": lse, "d_output": d_o,
              "d_lse": d_lse}
    found = differentiate(
        _LAYOUT, inputs, wrt, score_mod, mask_mod, sink,
        find_scales(locals(), is_packed=True), kv_dtype=kv_dtype,
        cu=(cu_q, cu_kv), scale=scale, causal=causal, window=window, align="bottom_right",
        deterministic=deterministic)
    if kv_dtype is None and found.written is not None:
        backward_calls.remember(arrays, options, None, found.kernel, found.operands, found.written,
                                True, (*ARRAYS, "cu_q", "cu_kv"))
    return found.results
