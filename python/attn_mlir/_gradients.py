"""The gradients of attention on arrays."""

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from ._arrays import adapter_of, expected, writable_adapter_of
from ._captures import Operands, find_captured, sources_of
from ._dropout import check_probability
from ._frames import Calls, check_alike, check_dtype, find_kernel, launch, place_name
from ._inbounds import within_bounds
from ._kernel import compile
from ._library import DTYPE_NAMES, DTYPES, F32
from ._module import DTYPES as FLOATS
from ._module import (GRADIENTS, NAMED_GRADIENTS, NARROW_QUERIES, Causal, Window,
                      backward_text, check_wrt)
from ._options import as_flag, as_stream, check_options
from ._quantize import unpack
from ._reads import CaptureGradient
from ._scales import (NARROW_CODES, arrays_of, check_bytes, check_mean, features_of, find_scales,
                      is_bytes)
from ._spellings import arguments_of, refuse
from ._tracing import MaskMod, ScoreMod, as_mask, as_score
from ._value_order import lies_along_keys
from .score import Score


calls = Calls()


def find_products(query: str, output: str) -> str:
    """The dtype of products, and of gradients, by those of query and output."""
    return query if query in FLOATS else "f16" if output == "f16" else "bf16"


def _outs(out: Any, names: Sequence[str]) -> Dict[str, Any]:
    """The arrays of `out`, by the gradients' names; None for a gradient whose array is to be
    created."""
    if out is None:
        return {name: None for name in names}
    if not (isinstance(out, (tuple, list)) and len(out) == len(names)):
        found = (f"{len(out)} in a {type(out).__name__}"
                 if isinstance(out, (tuple, list)) else type(out).__qualname__)
        raise expected("out", f"a tuple of {len(names)} arrays, as wrt lists them", found)
    for name, its in zip(names, out):
        writable_adapter_of(name, its)
    return dict(zip(names, out))


def _check_out(name: str, out: Any, sizes: Sequence[int], dtype: int,
               place: Tuple[int, Optional[int]]) -> Tuple:
    """Checks the caller's array for a gradient that does not have the four dimensions of
    query, key and value, such as d_sink."""
    described = writable_adapter_of(name, out).describe(name, out)
    if tuple(described[1]) != tuple(sizes):
        raise expected(name, f"sizes {tuple(sizes)}", tuple(described[1]))
    if described[3] not in (dtype, F32):
        raise expected(name, "dtype " + " or ".join(dict.fromkeys(
            DTYPE_NAMES[code] for code in (dtype, F32))), DTYPE_NAMES[described[3]])
    if described[4:6] != place:
        raise expected(name, f"an array on {place_name(*place)}, as query is",
                       f"one on {place_name(*described[4:6])}")
    return described


class _Captured:
    """Gradients of captured arrays: what the kernel reads and writes for them."""

    def __init__(self, score: Any, wanted: Sequence[int], problem: Sequence[int],
                 outs: Sequence[Any], place: Tuple[int, Optional[int]]) -> None:
        self.results: Dict[int, Any] = {}
        self.buffers: List[Tuple[CaptureGradient, str, Any, Any]] = []
        self.score = score
        arrays = list(score.arrays) if wanted else []
        text = score.text if wanted else ""
        for number, out in sorted(zip(wanted, outs), key=lambda its: its[0]):
            name = score.names[number]
            described = adapter_of(name, arrays[number]).describe(name, arrays[number])
            dtype = DTYPE_NAMES[described[3]]
            if dtype not in FLOATS:
                raise expected(name, "an array of floats for a gradient", dtype)
            if out is not None:
                its = _check_out("d_" + name_in(name), out, described[1], described[3],
                                 place)
                dtype = DTYPE_NAMES[its[3]]
            gradient = CaptureGradient(text, number, name, arrays[number], problem)
            if gradient.dims is None:
                self.results[number] = gradient.zeros(dtype, out)
                continue
            self.buffers.append((gradient, dtype, gradient.buffer(dtype), out))
            arrays[number] = gradient.view()
            text = gradient.rewrite(text, arrays[number])
        if wanted:
            self.score = Score(text, arrays, score.names)

    def signature(self) -> Tuple[Tuple[int, int, str], ...]:
        """The number, rank and dtype of each gradient of a captured array, for the kernel's
        key."""
        return tuple([(gradient.number, len(gradient.sizes),
                       dtype if gradient.repeated is None else "f32")
                      for gradient, dtype, _, _ in self.buffers])

    def describe(self) -> List[Tuple]:
        return [gradient.adapter.describe("d_" + name_in(gradient.name), buffer)
                for gradient, _, buffer, _ in self.buffers]

    def finish(self) -> Dict[int, Any]:
        for gradient, dtype, buffer, out in self.buffers:
            self.results[gradient.number] = gradient.finish(buffer, dtype, out)
        return self.results


def name_in(description: str) -> str:
    """The name of a captured array in errors: that of its variable."""
    return description.partition("'")[2].rstrip("'") or "capture"


def _split_wrt(wrt: Union[str, Sequence[str]], score: Any,
               has_sink: bool) -> Tuple[Tuple[str, ...], Tuple[int, ...], List[str]]:
    """Divides `wrt` into names of inputs and numbers of captured arrays; also returns all
    names. A captured array is named by its variable or, by its number, "capture0"."""
    numbers = {}
    for number, name in enumerate(score.names if score else ()):
        numbers[f"capture{number}"] = number
        numbers.setdefault(name_in(name), number)
    wrt = check_wrt(wrt, tuple(numbers), has_sink)
    named = tuple([name for name in wrt if name in NAMED_GRADIENTS])
    captures = tuple([numbers[name] for name in wrt[len(named):]])
    if len(set(captures)) != len(captures):
        raise expected("wrt", "each captured array once", wrt)
    return named, captures, [f"d_{name}" for name in wrt]


def attention_backward(query: Any, key: Any, value: Any, output: Any, lse: Any,
                       d_output: Any, d_lse: Any = None, *,
                       scale: Optional[float] = None, causal: Causal = False,
                       window: Window = None, align: str = "top_left",
                       score_mod: ScoreMod = None, mask_mod: MaskMod = None,
                       sink: Any = None, dropout_p: float = 0.0, seed: Any = None,
                       q_scale: Any = None, k_scale: Any = None, v_scale: Any = None,
                       v_mean: Any = None, kv_dtype: Optional[str] = None,
                       wrt: Union[str, Sequence[str]] = GRADIENTS,
                       deterministic: Optional[bool] = None, narrow_products: bool = False,
                       out: Any = None, stream: Optional[int] = None,
                       **others: Any) -> Tuple[Any, ...]:
    """The gradients of `attention`: of a scalar whose gradient with respect to the
    output is `d_output`, and with respect to the lse `d_lse`.

    | array | sizes | dtype |
    |---|---|---|
    | `query` | (B, Hq, Sq, D) | float16, bfloat16 or float32; float8_e4m3fn or float8_e5m2 beside keys and values of 8 bits or 4 |
    | `key` | (B, Hkv, Skv, D), Hkv divides Hq | as query, or float8_e4m3fn, float8_e5m2, int8 |
    | `value` | (B, Hkv, Skv, Dv) | one of these, perhaps another than `key` |
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
      rounded to float8_e4m3fn, each with a scale, which Hopper multiplies by values of that
      dtype in 8 bits. Query, key and value must have the same dtype of 8 bits.
    - `q_scale`, `k_scale`, `v_scale`, `v_mean`, `kv_dtype`: those of the forward call. Gradients of
      arrays of 8 bits or 4, and of arrays that have a scale, are with respect to the stored
      numbers times the scale. Their dtype is query's; with a query of 8 bits it is float16 if
      output has that dtype, else bfloat16.
    - `out`: a tuple of arrays for the gradients, of these dtypes or float32. They
      must overlap neither each other nor other arrays. The strides of `value` and of its
      gradient may each be 1 along keys.

    A captured array has a gradient where the function reads it at some of b, h, q and kv,
    or at numbers, the same in all reads, and at other places of dimensions that have at most
    65,536 elements together, T, which take 4 bytes times T x Sq, Hq and B. Of one that is
    read at q and not at kv, or at kv and not at q, the gradient of all pairs is in memory
    until it is summed up: 4 bytes times Sq x Skv, and times Hq and B if h and b are indices.

    A row without keys has gradients of 0 and adds nothing to others. For torch's tensors, the
    gradients can be differentiated again: torch's own operators do that, with all pairs in
    memory, and `output` and `lse` count as functions of the other arrays.

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
    arrays = (query, key, value, output, lse, d_output, d_lse, sink, q_scale, k_scale,
              v_scale, v_mean, *captures)
    options = (scale, causal, window, align, score_mod and score_mod.text,
               mask_mod and mask_mod.text, dropout_p,
               tuple(wrt) if type(wrt) is list else wrt, deterministic, kv_dtype,
               narrow_products)
    known = calls.find(arrays, options, out, stream)
    if known is not NotImplemented:
        return known
    scale, causal, window, align = check_options(scale, causal, window, align)
    dropout_p = check_probability(dropout_p)
    narrow_products = as_flag("narrow_products", narrow_products)
    named, wanted, names = _split_wrt(wrt, score_mod, sink is not None)
    inputs = {"query": query, "key": key, "value": value, "output": output, "lse": lse,
              "d_output": d_output}
    if d_lse is not None:
        inputs["d_lse"] = d_lse
    if dropout_p != 0 and seed is None:
        raise expected("seed", "the (seed, offset) of the forward call, with dropout_p",
                       "None")
    check_mean(v_mean, dropout_p)
    scales = find_scales(q_scale, k_scale, v_scale, v_mean)
    if array.needs_operator(*inputs.values(), sink, seed, *captures, *arrays_of(scales)):
        check_bytes(kv_dtype, key=key, value=value)
        return array.operate("attention_backward", {
            **arguments_of(attention_backward, locals()), "wrt": named, "captures": wanted})
    is_unpacked = kv_dtype is not None
    if is_unpacked:
        check_bytes(kv_dtype, key=key, value=value)
        with array.on_stream(stream, query):
            for name in ("key", "value"):
                if is_bytes(inputs[name]):
                    inputs[name] = unpack(inputs[name])
    described = {name: adapter_of(name, its).describe(name, its)
                 for name, its in inputs.items()}
    _, sizes, _, dtype, device_type, device, _ = described["query"]
    products = find_products(*[DTYPE_NAMES[described[name][3]]
                               for name in ("query", "output")])
    of_output = dtype if DTYPE_NAMES[dtype] in FLOATS else described["output"][3]
    check_dtype(of_output, "output", NARROW_QUERIES if of_output == dtype else ())
    for names_, own, others in (
            (("query", "key", "value", "lse", "d_lse"), dtype, NARROW_CODES),
            (("output", "d_output"), of_output, ())):
        check_alike({name: its for name, its in described.items() if name in names_}, own,
                    device_type, device, "query", others, NARROW_QUERIES)

    types = [DTYPE_NAMES[described[name][3]] for name in GRADIENTS]
    if narrow_products and (len(set(types)) > 1 or types[0] not in NARROW_QUERIES):
        raise expected("narrow_products", "False, or query, key and value of one dtype of 8 bits",
                       types)
    outs = _outs(out, names)
    problem = (*sizes[:3], described["key"][1][2])
    captured = _Captured(
        score_mod, wanted, problem,
        [outs[name] for name in names[len(named):]], (device_type, device))
    operands, features = Operands(
        captured.score, mask_mod, sink=sink, dropout_p=dropout_p, seed=seed,
        scales=scales).describe(query, device_type, device, [
            described[name][1] for name in GRADIENTS])
    features = features._replace(along_keys=lies_along_keys(described["value"]), **features_of(
        *[DTYPE_NAMES[described[name][3]] for name in (*GRADIENTS, "output")]))
    gradients = {}
    for name in named:
        if outs[f"d_{name}"] is None:
            outs[f"d_{name}"] = adapter_of(name, sink).new(
                sink, tuple(sink.shape), features.sink) if name == "sink" else adapter_of(
                    name, inputs[name]).empty(inputs[name], described[name][1][3], products)
        its = outs[f"d_{name}"]
        gradients[name] = (
            _check_out("d_sink", its, tuple(sink.shape), DTYPES[features.sink],
                       (device_type, device)) if name == "sink"
            else writable_adapter_of(f"d_{name}", its).describe(f"d_{name}", its))
    check_alike({f"d_{name}": its for name, its in gradients.items() if name != "sink"},
                DTYPES[products], device_type, device, "query", (F32,))

    score, mask = [region and within_bounds(region, problem)
                   for region in (captured.score, mask_mod)]
    if named or captured.buffers:
        check_dtype(dtype, "query", NARROW_QUERIES)
        widths = sizes[3], described["value"][1][3]
        dtypes = [DTYPE_NAMES[its[3]] for its in gradients.values()]
        of_captures = captured.signature()
        turns = "value" in gradients and lies_along_keys(gradients["value"])
        kernel = find_kernel(
            ("backward", dtype, *widths, device_type, device, scale, causal, window, align,
             d_lse is not None, named, tuple(dtypes), of_captures, bool(deterministic),
             narrow_products, score, mask, features, turns), device_type, device,
            lambda chip: compile(backward_text(
                DTYPE_NAMES[dtype], *widths, causal=causal, window=window, align=align,
                scale=scale, score=score or "", mask=mask or "", wrt=named,
                d_lse=d_lse is not None, deterministic=bool(deterministic),
                narrow_products=narrow_products, gradient_dtypes=dtypes, features=features,
                captures=of_captures, turns_d_value=turns), chip=chip))
        arguments = [*described.values(), *operands, *gradients.values(),
                     *captured.describe()]
        launch(kernel, array.stream(query, device) if stream is None else as_stream(stream),
               arguments, written=() if out is None else [outs[f"d_{name}"] for name in named])
        if dropout_p == 0 and not wanted and not is_unpacked:
            sources = [*range(len(inputs)),
                       *sources_of(arrays, 7, arrays[7:12], captures),
                       *range(-1, -1 - len(named), -1)]
            calls.remember(arrays, options, out, kernel, arguments, sources,
                           [outs[f"d_{name}"] for name in named], True)
    found = captured.finish()
    return (*[outs[f"d_{name}"] for name in named], *[found[number] for number in wanted])
