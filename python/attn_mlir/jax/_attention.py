"""The function `attention` on JAX's arrays."""

from typing import Any, Callable, Dict, Optional, Sequence, Tuple

import jax

from .._arrays import expected
from .._module import Causal, Window
from .._options import as_flag, check_options
from .._spellings import refuse
from .._within import ValueDims
from ._arrays import as_array, check_devices, float_names, refuse_traced
from ._attention_ops import Forward
from ._call_regions import Options, capture_labels
from ._dropout import find_seed
from ._layouts import BSHD, as_layout, ordered
from ._mods import trace
from ._ops import call
from ._pairs import join, take_values
from ._residual import kind_of
from ._stored import given_of, is_stored, refuse_beside
from ._target import ELEMENTS

ScoreMod = Optional[Callable[..., Any]]
MaskMod = Optional[Callable[..., Any]]


def check_heads(sizes: Dict[str, int], q: str = "q", k: str = "k") -> None:
    if sizes["Hkv"] == 0 or sizes["Hq"] % sizes["Hkv"]:
        raise expected(k, f"a number of heads that divides {q}'s, {sizes['Hq']}",
                       sizes["Hkv"])


def check_inputs(q: Any, k: Any, v: Any, names: Sequence[str] = ("q", "k", "v"),
                 layout: str = BSHD) -> Tuple[Any, Any, Any, Dict[str, int]]:
    sizes: Dict[str, int] = {}
    q = as_array(names[0], q, ordered(layout, "B", "Sq", "Hq", "D"), sizes, float_names())
    own = (q.dtype.name,)
    k = as_array(names[1], k, ordered(layout, "B", "Skv", "Hkv", "D"), sizes, own)
    v = as_array(names[2], v, ordered(layout, "B", "Skv", "Hkv", "Dv"), sizes, own)
    check_heads(sizes, *names[:2])
    return q, k, v, sizes


def _check_captures(options: Options, captures: Sequence[Any]) -> None:
    for mod, arrays in zip((options.score, options.mask), (captures, ())):
        for number, array in enumerate(arrays[:len(mod.captures) if mod else 0]):
            assert mod is not None
            if kind_of(array.dtype) == "f" and array.dtype.name not in float_names():
                raise expected(mod.name_of(number), f"dtype {', '.join(ELEMENTS)}",
                               array.dtype.name)


def run_attention(q: Any, k: Any, v: Any, sink: Any, scale: Any, causal: Causal,
                  window: Window, align: str, return_lse: bool, score_mod: ScoreMod,
                  mask_mod: MaskMod, deterministic: bool, dropout_p: float = 0.0,
                  words: Any = None, layout: str = BSHD) -> Any:
    """Computes `attention` for arrays and options that the caller has checked. `words` is an array
    of the four 32-bit words of dropout's seed and offset, or None without dropout."""
    score, of_score = trace(score_mod, "score_mod")
    mask, of_mask = trace(mask_mod, "mask_mod")
    options = Options(scale, causal, window, align, score, mask,
                      "" if sink is None else sink.dtype.name, dropout_p, layout)
    captures = (*of_score, *map(jax.lax.stop_gradient, of_mask))
    _check_captures(options, captures)
    names = [mod.name_of(number) for mod in (score, mask) if mod
             for number in range(len(mod.captures))]
    check_devices({"q": q, **dict(zip(names, captures))})
    labels = [its for mod in (score, mask)
              for its in capture_labels(mod, q.shape[0], ordered(layout, *q.shape)[2])]
    op = Forward(options, return_lse, q.dtype.name, tuple(labels), deterministic)
    found = call(op, q, k, v, *captures,
                 *[its for its in (sink, words) if its is not None])
    return tuple(found) if return_lse else found[0]


def attention(q: Any, k: Any, v: Any = None, *, scale: Optional[float] = None,
              causal: Causal = False, window: Window = None, align: str = "top_left",
              return_lse: bool = False, score_mod: ScoreMod = None,
              mask_mod: MaskMod = None, sink: Any = None, dropout_p: float = 0.0,
              seed: Any = None, value_dims: ValueDims = None, q_rope: Any = None,
              k_rope: Any = None, deterministic: bool = False, q_scale: Any = None,
              k_scale: Any = None, v_scale: Any = None, v_mean: Any = None,
              out_scale: Any = None, out_dtype: Any = None, kv_dtype: Optional[str] = None,
              fast_accumulate: bool = False, value_along_keys: bool = False,
              layout: str = BSHD, **others: Any) -> Any:
    """softmax(scale * q k^T) v, with masks, a score function, sinks and dropout.

    | array | shape | dtype |
    |---|---|---|
    | `q` | (B, Sq, Hq, D) | float16, bfloat16 or float32; float8_e4m3fn or float8_e5m2 |
    | `k` | (B, Skv, Hkv, D), Hkv divides Hq | as q, or float8_e4m3fn, float8_e5m2, int8, int4 |
    | `v` | (B, Skv, Hkv, Dv) | one of those for `k`, not necessarily that of `k` |
    | `k`, `v` with `kv_dtype="i4"` | D / 2 and Dv / 2 columns | uint8 |
    | `sink` | (Hq,) | float16, bfloat16 or float32 |
    | result | (B, Sq, Hq, Dv) | as q, or `out_dtype` |
    | lse | (B, Hq, Sq) | float32 |

    - `scale`, `causal`, `window`, `align`, `return_lse`, `sink`: as in
      attn_mlir.attention. They are constants, not traced values.
    - `layout`: "BSHD", the shapes of the table, or "BHSD": `q`, `k`, `v`, `q_rope`, `k_rope` and
      the result are then (B, H, S, D). No array is transposed for this.
    - `score_mod`: a function of (score, b, h, q, kv), scalars of JAX's, which returns a
      score. It may close over arrays and read their elements; those of floats have
      gradients.
    - `mask_mod`: a function of (b, h, q, kv) that returns whether that pair of row and key counts.
    - `dropout_p`: the rate at which probabilities are dropped. `seed` determines which ones: a
      key of jax.random, or a pair of integers (seed, offset) as in attn_mlir.attention.
    - `value_dims`: (first, end) in place of `v`: these columns of `k` are the values.
    - `q_rope`, `k_rope`: (B, Sq, Hq, D2) and (B, Skv, Hkv or 1, D2), further columns of `q` and
      `k`. XLA concatenates each with its array before the kernel.
    - `deterministic`: gradients have the same bits in each run on one chip.
    - `q_scale`, `k_scale`, `v_scale`, `v_mean`, `out_scale`, `out_dtype`, `kv_dtype`,
      `fast_accumulate`: as in attn_mlir.attention, scales of the same shapes: (), (B, H) or
      (B, H, S), and the mean of values (B, Hkv, 1, Dv). Arrays of int4 are first
      copied into bytes that have two numbers each. Calls with these options, or with arrays of
      different dtypes, have no derivatives.

    - `value_along_keys`: `v` is (B, Hkv, Dv, Skv), so that elements of adjacent keys are adjacent
      in memory. MMAs of 8 bits read such values without a transposition. Such calls have no
      derivatives.

    A row without any key that counts has output 0, and its lse is the sink, or -inf without a
    sink. Within jit, the kernel is compiled when the executable is built. Calls have derivatives
    (kernels compute those in reverse mode), vmap makes one batch of them, and devices divide
    them by batch entries and heads.

    Raises ArgumentError, which names the argument, or Error.
    """
    if others:
        refuse(attention, others)
    refuse_traced(value_along_keys=value_along_keys, out_dtype=out_dtype, kv_dtype=kv_dtype,
                  layout=layout)
    layout = as_layout(layout)
    given = given_of(locals())
    refuse_traced(scale=scale, causal=causal, window=window, align=align,
                  return_lse=return_lse, dropout_p=dropout_p, value_dims=value_dims,
                  deterministic=deterministic, fast_accumulate=fast_accumulate)
    check_devices({"q": q, "k": k, "v": v, "sink": sink, "q_rope": q_rope, "k_rope": k_rope,
                   **given.operands})
    deterministic = as_flag("deterministic", deterministic)
    fast_accumulate = as_flag("fast_accumulate", fast_accumulate)
    if is_stored(q, k, v, given):
        from . import _stored_calls

        refuse_beside(dropout_p=dropout_p or None, value_dims=value_dims, q_rope=q_rope,
                      k_rope=k_rope)
        return _stored_calls.attention(
            q, k, v, given, scale=scale, causal=causal, window=window, align=align,
            return_lse=return_lse, score_mod=score_mod, mask_mod=mask_mod, sink=sink,
            layout=layout)
    scale, causal, window, align = check_options(scale, causal, window, align)
    return_lse = as_flag("return_lse", return_lse)
    v = take_values(k, v, value_dims)
    if q_rope is not None or k_rope is not None:
        q, k = join(q, k, q_rope, k_rope, layout)
    q, k, v, sizes = check_inputs(q, k, v, layout=layout)
    dropout_p, words = find_seed(dropout_p, seed)
    if sink is not None:
        sink = as_array("sink", sink, ("Hq",), sizes, float_names())
    return run_attention(q, k, v, sink, scale, causal, window, align, return_lse, score_mod,
                         mask_mod, deterministic, dropout_p, words, layout)
