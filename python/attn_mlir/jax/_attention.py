"""Attention on JAX's arrays, and its gradients."""

import functools
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import jax
import jax.numpy as jnp

from .._arrays import expected
from .._module import DTYPES as FLOATS
from .._module import NAMED_GRADIENTS, Causal, Window
from .._options import as_flag, check_options
from .._spellings import refuse
from ._attention_ops import (Backward, Forward, Options, capture_labels, view_labels)
from ._mods import make_view, trace, view_of
from ._ops import call, in_reverse, vary_alike
from ._residual import kind_of
from ._stored import Given, is_stored
from ._target import ELEMENTS

ScoreMod = Optional[Callable[..., Any]]
MaskMod = Optional[Callable[..., Any]]


def as_array(name: str, value: Any, shape: Sequence[Any], sizes: Dict[str, int],
             dtypes: Sequence[str] = ()) -> Any:
    """The value as an array of JAX's. `shape` has names, each the same size wherever it is
    found, or numbers; `dtypes` are names of JAX's, any if there are none."""
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        raise expected(name, f"an array of shape ({', '.join(map(str, shape))})",
                       type(value).__qualname__)
    array = jnp.asarray(value)
    if array.dtype != value.dtype:  # 64 bits that JAX does not have
        raise expected(name, f"dtype {' or '.join(dtypes)}", value.dtype)
    if array.ndim != len(shape):
        raise expected(name, f"rank {len(shape)}: ({', '.join(map(str, shape))})",
                       f"shape {tuple(array.shape)}")
    if dtypes and array.dtype.name not in dtypes:
        raise expected(name, f"dtype {' or '.join(dtypes)}", array.dtype.name)
    for dim, (wanted, size) in enumerate(zip(shape, array.shape)):
        known = sizes.setdefault(wanted, size) if isinstance(wanted, str) else wanted
        if known != size:
            raise expected(name, f"{known} in dimension {dim}"
                           + (f", {wanted}" if isinstance(wanted, str) else ""), size)
    return array


def float_names() -> Tuple[str, ...]:
    return tuple([name for name, its in ELEMENTS.items() if its in FLOATS])


def check_heads(sizes: Dict[str, int], q: str = "q", k: str = "k") -> None:
    if sizes["Hkv"] == 0 or sizes["Hq"] % sizes["Hkv"]:
        raise expected(k, f"a number of heads that divides {q}'s, {sizes['Hq']}",
                       sizes["Hkv"])


def check_inputs(q: Any, k: Any, v: Any, names: Sequence[str] = ("q", "k", "v")
                 ) -> Tuple[Any, Any, Any, Dict[str, int]]:
    sizes: Dict[str, int] = {}
    q = as_array(names[0], q, ("B", "Sq", "Hq", "D"), sizes, float_names())
    own = (q.dtype.name,)
    k = as_array(names[1], k, ("B", "Skv", "Hkv", "D"), sizes, own)
    v = as_array(names[2], v, ("B", "Skv", "Hkv", "Dv"), sizes, own)
    check_heads(sizes, *names[:2])
    return q, k, v, sizes


@jax.tree_util.register_static
class Wrt(NamedTuple):
    """Which of the inputs, by name, and of captured arrays, by number, have a gradient."""

    inputs: Tuple[str, ...]
    captures: Tuple[int, ...] = ()


class _Spec(NamedTuple):
    options: Options
    return_lse: bool
    deterministic: bool


def _forward(spec: _Spec, return_lse: bool, inputs: Sequence[Any],
             captures: Sequence[Any]) -> List[Any]:
    q, sink = inputs[0], inputs[3:]
    labels: List[Any] = []
    for mod in (spec.options.score, spec.options.mask):
        labels += capture_labels(mod, q.shape[0], q.shape[2])
    op = Forward(spec.options, return_lse, q.dtype.name, tuple(labels))
    return call(op, *inputs[:3], *captures, *sink)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def _attend(spec: _Spec, inputs: Tuple[Any, ...], captures: Tuple[Any, ...]) -> Any:
    return tuple(_forward(spec, spec.return_lse, inputs, captures))


def _attend_forward(spec: _Spec, inputs: Any, captures: Any) -> Any:
    wrt = Wrt(tuple([name for name, its in zip(NAMED_GRADIENTS, inputs) if its.perturbed]),
              tuple([number for number, its in enumerate(captures) if its.perturbed]))
    inputs, captures = (tuple([its.value for its in arrays])
                        for arrays in (inputs, captures))
    found = _forward(spec, True, inputs, captures)
    return (tuple(found[:1 + spec.return_lse]),
            (wrt, inputs, captures, found[0], found[1]))


def is_zero(value: Any) -> bool:
    return isinstance(value, jax.custom_derivatives.SymbolicZero)


def _attend_backward(spec: _Spec, kept: Any, gradients: Any) -> Any:
    wrt, inputs, captures, output, lse = kept
    d_output = gradients[0]
    d_lse = None if len(gradients) < 2 or is_zero(gradients[1]) else gradients[1]
    if is_zero(d_output):
        d_output = jnp.zeros(output.shape, output.dtype)
    options, problem = spec.options, _problem(inputs)
    score = options.score
    labels = [*capture_labels(score, problem[0], problem[1]),
              *capture_labels(options.mask, problem[0], problem[1])]
    operands, views, transposes = list(captures), [], {}
    results: List[Any] = [None] * len(captures)
    for number in wrt.captures:
        assert score is not None  # those of masks have none
        view = make_view(score.text, number, captures[number].shape, problem,
                         score.name_of(number))
        if view is None:
            continue
        operands[number], transposes[number] = jax.vjp(
            lambda array, view=view: view_of(array, view, problem), captures[number])
        labels[number] = view_labels(view)
        views.append((number, view))
    op = Backward(options, output.dtype.name, wrt.inputs, d_lse is not None,
                  spec.deterministic, tuple(labels), tuple(views))
    found = iter(call(op, *inputs[:3], output, lse, d_output,
                      *([] if d_lse is None else [d_lse]), *operands, *inputs[3:])
                 if wrt.inputs or views else [])
    of_inputs = tuple([next(found) if name in wrt.inputs else None
                       for name, _ in zip(NAMED_GRADIENTS, inputs)])
    for number, _ in views:
        its = next(found).astype(captures[number].dtype)
        results[number], = transposes[number](its)
    return of_inputs, tuple(results)


_attend.defvjp(_attend_forward, _attend_backward, symbolic_zeros=True)


def _problem(inputs: Sequence[Any]) -> Tuple[int, int, int, int]:
    """Batch, heads, rows and keys."""
    (b, s, h, _), t = inputs[0].shape, inputs[1].shape[1]
    return b, h, s, t


def _check_captures(options: Options, captures: Sequence[Any]) -> None:
    for mod, arrays in zip((options.score, options.mask), (captures, ())):
        for number, array in enumerate(arrays[:len(mod.captures) if mod else 0]):
            assert mod is not None
            if kind_of(array.dtype) == "f" and array.dtype.name not in float_names():
                raise expected(mod.name_of(number), f"dtype {', '.join(ELEMENTS)}",
                               array.dtype.name)


def run_attention(q: Any, k: Any, v: Any, sink: Any, scale: Any, causal: Causal,
                  window: Window, align: str, return_lse: bool, score_mod: ScoreMod,
                  mask_mod: MaskMod, deterministic: bool) -> Any:
    """Computes `attention` for checked arrays and options."""
    score, of_score = trace(score_mod, "score_mod")
    mask, of_mask = trace(mask_mod, "mask_mod")
    options = Options(scale, causal, window, align, score, mask,
                      "" if sink is None else sink.dtype.name)
    captures = (*of_score, *map(jax.lax.stop_gradient, of_mask))
    _check_captures(options, captures)
    spec = _Spec(options, return_lse, deterministic)
    inputs = (q, k, v) if sink is None else (q, k, v, sink)
    inputs, captures = vary_alike(inputs, tuple(captures))
    found = in_reverse("attention", _attend, spec, inputs, captures)
    return tuple(found) if return_lse else found[0]


def attention(q: Any, k: Any, v: Any, *, scale: Optional[float] = None,
              causal: Causal = False, window: Window = None, align: str = "top_left",
              return_lse: bool = False, score_mod: ScoreMod = None,
              mask_mod: MaskMod = None, sink: Any = None, deterministic: bool = False,
              q_scale: Any = None, k_scale: Any = None, v_scale: Any = None,
              out_scale: Any = None, out_dtype: Any = None, kv_dtype: Optional[str] = None,
              fast_accumulate: bool = False, **others: Any) -> Any:
    """softmax(scale * q k^T) v, with masks, a score function and sinks.

    | array | shape | dtype |
    |---|---|---|
    | `q` | (B, Sq, Hq, D) | float16, bfloat16 or float32; float8_e4m3fn or float8_e5m2 |
    | `k` | (B, Skv, Hkv, D), Hkv divides Hq | as q, or float8_e4m3fn, float8_e5m2, int8, int4 |
    | `v` | (B, Skv, Hkv, Dv) | the same, by itself |
    | `k`, `v` with `kv_dtype="i4"` | D / 2 and Dv / 2 columns | uint8 |
    | `sink` | (Hq,) | float16, bfloat16 or float32 |
    | result | (B, Sq, Hq, Dv) | as q |
    | lse | (B, Hq, Sq) | float32 |

    - `scale`, `causal`, `window`, `align`, `return_lse`, `sink`: as in
      attn_mlir.attention. They are constants, not traced values.
    - `score_mod`: a function of (score, b, h, q, kv), scalars of JAX's, which returns a
      score. It may close over arrays and read their elements; those of floats have
      gradients.
    - `mask_mod`: a function of (b, h, q, kv) that says which pairs count.
    - `deterministic`: gradients have the same bits in each run on one chip.
    - `q_scale`, `k_scale`, `v_scale`, `out_scale`, `out_dtype`, `kv_dtype`,
      `fast_accumulate`: as in attn_mlir.attention, scales of the same shapes: (), (B, H) or
      (B, H, S). int4 is packed by a copy. Calls with these, and with several dtypes, have no
      derivatives.

    A row with nothing to attend to gives 0, and as its lse the sink, or -inf. Within jit the
    kernel is compiled when the executable is built. The call has derivatives in reverse
    mode, batches under vmap, and is divided among devices by batch entries and heads.

    Raises ArgumentError, which names the argument, or Error.
    """
    if others:
        refuse(attention, others)
    given = Given(q_scale, k_scale, v_scale, out_scale, out_dtype, kv_dtype, fast_accumulate)
    if is_stored(q, k, v, given):
        from . import _stored_calls

        return _stored_calls.attention(
            q, k, v, given, scale=scale, causal=causal, window=window, align=align,
            return_lse=return_lse, score_mod=score_mod, mask_mod=mask_mod, sink=sink)
    scale, causal, window, align = check_options(scale, causal, window, align)
    return_lse, deterministic = (as_flag(name, its) for name, its in (
        ("return_lse", return_lse), ("deterministic", deterministic)))
    q, k, v, sizes = check_inputs(q, k, v)
    if sink is not None:
        sink = as_array("sink", sink, ("Hq",), sizes, float_names())
    return run_attention(q, k, v, sink, scale, causal, window, align, return_lse, score_mod,
                         mask_mod, deterministic)
