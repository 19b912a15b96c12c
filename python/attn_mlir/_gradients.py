"""The gradients of attention on arrays."""

import operator
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._arrays import adapter_of, expected
from ._attend import I32, PACKED, QUERIES, STORED, Layout, as_batch, find_few
from ._attention import LAYOUT
from ._captures import find_call, find_captured
from ._constants import refuse_tensors
from ._dropout import check_probability
from ._frames import Calls
from ._kernel import Kernel
from ._library import DTYPE_NAMES
from ._module import DTYPES as FLOATS
from ._module import (GRADIENTS, NAMED_GRADIENTS, NARROW_QUERIES, Arrays, Causal, Window,
                      backward_text, check_wrt, find_products)
from ._options import as_flag, as_narrow_products, check_options
from ._quantize import unpack
from ._reads import CaptureGradient
from ._rows import Operand, describe, lies_along_keys, run
from ._scales import (FORWARD_ONLY, NAMES, Scale, arrays_of, check_bytes, check_dropout,
                      find_scales, is_bytes)
from ._spellings import arguments_of, refuse
from ._tracing import MaskMod, ScoreMod, as_mask, as_score
from .score import Score

calls = Calls()
# The names of a call's arrays, in the order in which `calls` has them, and those of the arguments of
# torch's operator in this order.
_REST = ("sink", *[name for name in NAMES if name not in FORWARD_ONLY])
ARRAYS = ("query", "key", "value", "output", "lse", "d_output", "d_lse", *_REST)
TENSORS = ("q", "k", "v", "o", "lse", "d_o", "d_lse", *_REST)
_arrays_in = operator.itemgetter(*ARRAYS)


def options_finder(*names: str) -> Callable[[Dict[str, Any]], Tuple]:
    """Returns a function that returns the options of a call that computes gradients, as Calls has
    them, from the call's arguments by name. `names` are those of the options besides `wrt` and the
    texts of regions."""
    of_names = operator.itemgetter(*names)

    def find(given: Dict[str, Any]) -> Tuple:
        score, mask, wrt = given["score_mod"], given["mask_mod"], given["wrt"]
        return (*of_names(given), score and score.text, mask and mask.text,
                tuple(wrt) if type(wrt) is list else wrt)

    return find


options_of = options_finder("scale", "causal", "window", "align", "dropout_p", "deterministic",
                            "kv_dtype", "narrow_products")


def _check_outs(out: Any, count: int) -> None:
    if out is not None and not (isinstance(out, (tuple, list)) and len(out) == count):
        found = (f"{len(out)} in a {type(out).__name__}"
                 if isinstance(out, (tuple, list)) else type(out).__qualname__)
        raise expected("out", f"a tuple of {count} arrays, as wrt lists them", found)


def _find_captured(score: Any, wanted: Sequence[int], problem: Sequence[int],
                   outs: Sequence[Any], query: Operand) -> Tuple[List[CaptureGradient], Any]:
    """Returns a CaptureGradient for each of the captured arrays `wanted`, by increasing number, and
    the score function for the kernel, which reads views of these arrays. `outs` are the caller's
    arrays for the gradients, or None for new ones."""
    if not wanted:
        return [], score
    found, text, arrays = [], score.text, list(score.arrays)
    for number, out in sorted(zip(wanted, outs), key=lambda its: its[0]):
        name = score.names[number]
        described = adapter_of(name, arrays[number]).describe(name, arrays[number])
        dtype = DTYPE_NAMES[described[3]]
        if dtype not in FLOATS:
            raise expected(name, "an array of floats for a gradient", dtype)
        if out is not None:
            its, = describe([Operand("d_" + name_in(name), out, tuple(described[1]),
                                     _or_wide(dtype), True, along="any")], [query])
            dtype = its.dtype
        gradient = CaptureGradient(text, number, name, arrays[number], problem, dtype, out)
        found.append(gradient)
        if gradient.dims is not None:
            arrays[number] = gradient.view()
            text = gradient.rewrite(text, arrays[number])
    return found, Score(text, arrays, score.names)


def name_in(description: str) -> str:
    """Returns the name of a captured array's variable from the array's description in errors, or
    "capture" if the description has no name."""
    return description.partition("'")[2].rstrip("'") or "capture"


def _or_wide(dtype: str) -> Tuple[str, ...]:
    """Returns the dtypes that the caller's array for a gradient may have if the gradient's own
    dtype is `dtype`: `dtype` and f32."""
    return tuple(dict.fromkeys((dtype, "f32")))


def _split_wrt(wrt: Union[str, Sequence[str]], score: Any,
               has_sink: bool) -> Tuple[Tuple[str, ...], Tuple[int, ...]]:
    """Divides `wrt` into the names of inputs and the numbers of captured arrays. In `wrt`, a
    captured array is called by the name of its variable, or by its number as in "capture0"."""
    numbers = {}
    for number, name in enumerate(score.names if score else ()):
        numbers[f"capture{number}"] = number
        numbers.setdefault(name_in(name), number)
    wrt = check_wrt(wrt, tuple(numbers), has_sink)
    named = tuple([name for name in wrt if name in NAMED_GRADIENTS])
    captures = tuple([numbers[name] for name in wrt[len(named):]])
    if len(set(captures)) != len(captures):
        raise expected("wrt", "each captured array once", wrt)
    return named, captures


class Gradients(NamedTuple):
    """The gradients that a call computed, and what launches the call's kernel again: the kernel, or
    None if there was no launch, its operands, and the results as the kernel writes them, or None if
    the gradients are computed from these."""

    results: Tuple[Any, ...]
    kernel: Optional[Kernel]
    operands: List[Operand]
    written: Optional[Tuple[Any, ...]]


def differentiate(layout: Layout, inputs: Dict[str, Any], wrt: Sequence[str], score_mod: Any,
                  mask_mod: Any, sink: Any, scales: Sequence[Scale], *,
                  kv_dtype: Optional[str] = None, dropout_p: float = 0.0, seed: Any = None,
                  captures: Sequence[int] = (), out: Optional[Sequence[Any]] = None,
                  stream: Optional[int] = None, cu: Sequence[Any] = (),
                  **options: Any) -> Gradients:
    """Computes the gradients of the inputs that `wrt` names, followed by those of the captured
    arrays whose numbers are `captures`. `inputs` maps names to query, key, value, output, lse and
    d_output, and to d_lse, which may be None. `cu` are the cumulative lengths of packed sequences."""
    inputs = {name: its for name, its in inputs.items() if name != "d_lse" or its is not None}
    query, is_packed = inputs["query"], layout.is_packed
    if kv_dtype is not None:
        with adapter_of("query", query).on_stream(stream, query):
            inputs = {name: unpack(its) if name in ("key", "value") and is_bytes(its) else its
                      for name, its in inputs.items()}
    of_rows, of_keys = (*layout.query, "Dv"), (*layout.key, "Dv")
    along = layout.key[0 if is_packed else 2]
    shapes = {"query": (*layout.query, "D"), "key": (*layout.key, "D"), "value": of_keys,
              "sink": ("Hq",)}
    every = describe([Operand("query", query, shapes["query"], QUERIES)])
    dtype = every[0].dtype
    output, _ = adapter_of("output", inputs["output"]).layout("output", inputs["output"])
    wide = (dtype,) if dtype in FLOATS else (output,) if output in FLOATS else FLOATS
    every += describe([
        Operand("key", inputs["key"], shapes["key"], STORED),
        Operand("value", inputs["value"], of_keys, STORED, along=along),
        *[Operand(name, its, *((layout.lse, ("f32",)) if name in ("lse", "d_lse")
                               else (of_rows, wide)))
          for name, its in inputs.items() if name not in GRADIENTS]], every)
    types = [its.dtype for its in every[:4]]
    if options.get("narrow_products") and (dtype not in NARROW_QUERIES or len({*types[:3]}) > 1):
        raise expected("narrow_products", "False, or query, key and value of one dtype of 8 bits",
                       types[:3])
    in_kernel = list(map(as_batch, every)) if is_packed else every
    sizes, of_value = in_kernel[0].sizes, in_kernel[2]
    problem = () if is_packed else (*sizes[:3], in_kernel[1].sizes[2])
    outs = [None] * (len(wrt) + len(captures)) if out is None else out
    captured, score_mod = _find_captured(score_mod, captures, problem, outs[len(wrt):], every[0])
    computed = [its for its in captured if its.dims is not None]
    call = find_call(every[0], score_mod, mask_mod, sink, scales,
                     [its.sizes for its in in_kernel[:3]], dropout_p, seed, problem)
    products = find_products(dtype, output)
    results: List[Any] = []
    rest = [Operand(name, its, ("N + 1",), I32) for name, its in zip(("cu_q", "cu_kv"), cu)]
    for name, its in zip(wrt, outs):
        own = call.features.sink if name == "sink" else products
        if its is None and out is None:
            like = sink if name == "sink" else inputs[name]
            adapter = adapter_of(name, like)
            its = (adapter.new(like, tuple(like.shape), own) if name == "sink" else
                   adapter.empty(like, every[GRADIENTS.index(name)].sizes[-1], own))
        results.append(its)
        rest.append(Operand(f"d_{name}", its, shapes[name], _or_wide(own), out is not None,
                            along=along if name == "value" else ""))
    rest += [Operand("d_" + name_in(its.name), its.buffer, its.sizes, (its.computed_in,))
             for its in computed]
    rest = describe(rest, every)
    if is_packed:
        rest = list(map(as_batch, rest))
    of_results = rest[len(cu):len(cu) + len(wrt)]
    operands = [*in_kernel, *call.operands, *rest]
    settings = {**options, "wrt": tuple(wrt), "d_lse": "d_lse" in inputs, "score": call.score,
                "mask": call.mask, "captures": tuple([
                    (its.number, len(its.sizes), its.computed_in) for its in computed]),
                "gradient_dtypes": tuple([its.dtype for its in of_results]),
                "features": call.features,
                "turns_d_value": any([lies_along_keys(its) for its in of_results
                                      if its.name == "d_value"])}
    described = Arrays(dtype, sizes[-1], of_value.sizes[-1], *types[1:], lies_along_keys(of_value),
                       heads=find_few(sizes[2], rest[0].sizes[0] - 1 if is_packed else None,
                                      sizes[1], in_kernel[1].sizes[1]))
    kernel = None
    if wrt or computed:
        kernel = run(("backward", is_packed, described, *settings.values()),
                     lambda: backward_text(described, **settings,
                                           sequences=PACKED if is_packed else None),
                     operands, stream)
    found = {its.number: its for its in captured}
    written = (*results, *[found[number].buffer for number in captures]) if kernel and all(
        [its.is_buffer for its in captured]) else None
    return Gradients((*results, *[found[number].finish() for number in captures]), kernel, operands,
                     written)


def attention_backward(query: Any, key: Any, value: Any, output: Any, lse: Any,
                       d_output: Any, d_lse: Any = None, *,
                       scale: Optional[float] = None, causal: Causal = False,
                       window: Window = None, align: str = "top_left",
                       score_mod: ScoreMod = None, mask_mod: MaskMod = None,
                       sink: Any = None, dropout_p: float = 0.0, seed: Any = None,
                       q_scale: Any = None, k_scale: Any = None, v_scale: Any = None,
                       v_mean: Any = None, kv_dtype: Optional[str] = None,
                       wrt: Union[str, Sequence[str]] = GRADIENTS,
                       deterministic: Optional[bool] = None,
                       narrow_products: Union[bool, str, None] = False,
                       out: Any = None, stream: Optional[int] = None,
                       **others: Any) -> Tuple[Any, ...]:
    """Computes the gradients of `attention`: of a scalar whose gradient with respect to the output
    is `d_output`, and with respect to the lse `d_lse`.

    | array | sizes | dtype |
    |---|---|---|
    | `query` | (B, Hq, Sq, D) | float16, bfloat16 or float32; float8_e4m3fn or float8_e5m2 beside keys and values of 8 bits or 4 |
    | `key` | (B, Hkv, Skv, D), Hkv divides Hq | as query, or float8_e4m3fn, float8_e5m2, int8 |
    | `value` | (B, Hkv, Skv, Dv) | one of those for `key`, not necessarily that of `key` |
    | `output`, `d_output` | (B, Hq, Sq, Dv) | as query; beside one of 8 bits float16, bfloat16 or float32 |
    | `q_scale`, `k_scale`, `v_scale`, `v_mean` | as of `attention` | float32 |
    | `lse`, `d_lse` | (B, Hq, Sq) | float32 |
    | `sink` | (Hq,) | float16, bfloat16 or float32 |
    | results | as query, key, value, sink, captured arrays | the same, or what `out` has; of 8 bits see below |

    `output` and `lse` are what `attention` returned with `return_lse` for the same arrays,
    `scale`, `causal`, `window`, `align`, `score_mod`, `mask_mod`, `sink`, `dropout_p` and
    `seed`, which are explained there, as is `stream`. The score function is differentiated op
    by op; a function that cannot be differentiated is an error.

    - `wrt`: the gradients to compute, some of "query", "key", "value" and "sink" in this
      order, followed by arrays of floats that the score function captures, named by their
      variables or by their number there, such as "capture0". The result is a tuple of these
      gradients, and nothing that only others need is computed. By default query, key and
      value.
    - `deterministic`: whether gradients have the same bits in each run on one chip. By
      default the value of torch.are_deterministic_algorithms_enabled() for torch's tensors,
      else False.
    - `narrow_products`: whether d_query and d_key are computed from a d_output whose rows are
      rounded to float8_e4m3fn, each with a scale of its own. Hopper then multiplies d_output by
      values of that dtype with its 8-bit instructions. Query, key and value must have the same
      dtype of 8 bits. With "all", P, dS and the d_output of d_value are rounded to as many bits,
      too, with powers of two as scales, so that gradients are those of a training in 8 bits.
    - `q_scale`, `k_scale`, `v_scale`, `v_mean`, `kv_dtype`: those of the forward call. Gradients of
      arrays of 8 bits or 4, and of arrays that have a scale, are with respect to the stored
      numbers times the scale. Their dtype is query's; with a query of 8 bits it is float16 if
      output has that dtype, else bfloat16.
    - `out`: a tuple of arrays for the gradients, of the dtypes above or float32. They must overlap
      neither each other nor other arrays. `value` and its gradient may each have stride 1 along
      keys.

    A captured array has a gradient if all reads of it have the same indices, each of which is b, h,
    q, kv or a number. Other indices are allowed only without q and kv, in dimensions with at most
    65,536 elements together; if these are T elements, the gradient takes memory of 4 x T x Sq x Hq
    x B bytes. If an array is read at q and not at kv, or at kv and not at q, the gradient of all
    pairs is in memory until it is summed: 4 x Sq x Skv bytes, times Hq if h is an index and times B
    if b is one.

    A row without keys has gradients of 0 and adds nothing to other gradients. For torch's tensors,
    the gradients can be differentiated again. Torch's own operators do that, with an array of all
    pairs in memory, and `output` and `lse` count as functions of the other arrays.

    Raises ArgumentError, which names the argument, or Error for what the compiler or
    the GPU cannot do. Source of the formulas: FlashAttention-2 (arXiv 2307.08691).
    """
    if others:
        refuse(attention_backward, others)
    array = adapter_of("query", query)
    if deterministic is None:
        deterministic = array.is_deterministic()
    score_mod, mask_mod = as_score(score_mod), as_mask(mask_mod)
    captures = find_captured(score_mod, mask_mod)
    arrays = (*_arrays_in(locals()), *captures)
    options = options_of(locals())
    known = calls.find(arrays, options, out, stream)
    if known is not NotImplemented:
        return known
    refuse_tensors(locals())
    scale, causal, window, align = check_options(scale, causal, window, align)
    deterministic = as_flag("deterministic", deterministic)
    dropout_p = check_probability(dropout_p)
    narrow_products = as_narrow_products(narrow_products)
    named, wanted = _split_wrt(wrt, score_mod, sink is not None)
    inputs = {"query": query, "key": key, "value": value, "output": output, "lse": lse,
              "d_output": d_output, "d_lse": d_lse}
    if dropout_p != 0 and seed is None:
        raise expected("seed", "the (seed, offset) of the forward call, with dropout_p",
                       "None")
    scales = find_scales(locals())
    check_dropout(scales, dropout_p)
    check_bytes(kv_dtype, key=key, value=value)
    if array.needs_operator(*inputs.values(), sink, seed, *captures, *arrays_of(scales)):
        return array.operate("attention_backward", {
            **arguments_of(attention_backward, locals()), "wrt": named, "captures": wanted})
    _check_outs(out, len(named) + len(wanted))
    found = differentiate(
        LAYOUT, inputs, named, score_mod, mask_mod, sink, scales, kv_dtype=kv_dtype,
        dropout_p=dropout_p, seed=seed, captures=wanted, out=out, stream=stream, scale=scale,
        causal=causal, window=window, align=align, deterministic=deterministic,
        narrow_products=narrow_products)
    if dropout_p == 0 and kv_dtype is None and found.written is not None:
        calls.remember(arrays, options, out, found.kernel, found.operands, found.written, True,
                       ARRAYS)
    return found.results
