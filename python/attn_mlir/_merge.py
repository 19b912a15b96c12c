"""The function `merge`: attention over a union of keys, from attention over parts of the keys."""

from typing import Any, List, Optional, Sequence, Tuple

from ._arrays import adapter_of, expected
from ._attend import QUERIES, find_results
from ._constants import refuse_tensors
from ._frames import Calls
from ._module import DTYPES, array_type, op_text
from ._options import as_flag
from ._output import MERGED, as_out_dtype, check_scale, choose_dtype, dtype_of_out
from ._rows import Operand, describe, describe_on, present, run
from ._scales import describe_sizes
from ._spellings import arguments_of, refuse

calls = Calls()
_OUTPUT = ("B", "H", "S", "D")
_LSE = _OUTPUT[:3]
# A state of `merge`: the output, the lse, and the scale of an output of 8 bits or None.
State = Tuple[Any, Any, Any]


def merge_text(dtype: str, head_dim: int, count: int, *, scales: Sequence[str] = (),
               sink: str = "", out: str = "", out_scale: str = "",
               return_lse: bool = True) -> str:
    """Returns the text of a function `main` that merges `count` states of dtype `dtype`, for any
    batch size, heads, lengths and strides. Its arguments are each state's output and lse, the
    scales of the states, the sink, the scale of the merged output, the merged output and, with
    `return_lse`, its lse. `scales` are the types of the states' scales, if they have any. `sink` is
    the dtype of the sink, and `out_scale` the type of the merged output's scale; each is "" if
    there is none. The merged output has the dtype `out`, or by default `dtype`."""
    own, lse = array_type(4, dtype, head_dim), array_type(3, "f32")
    outs = {"output": array_type(4, out or dtype, head_dim)}
    if return_lse:
        outs["lse"] = lse
    return op_text(
        "attn.merge", ("ins", {f"{name}{number}": type_ for number in range(count)
                               for name, type_ in (("o", own), ("lse", lse))}),
        ("scales", {f"scale{number}": type_ for number, type_ in enumerate(scales)}),
        ("sink", {"sink": f"memref<?x{sink}>"} if sink else {}),
        ("with output_scale", {"output_scale": out_scale} if out_scale else {}), ("outs", outs))


def check_states(states: Any) -> List[State]:
    """Checks the states and returns each as a tuple (output, lse, scale), where the scale may be
    None."""
    pairs = [tuple(its) if isinstance(its, (tuple, list)) else its
             for its in (states if isinstance(states, (tuple, list)) else ())]
    if not pairs:
        raise expected("states", "pairs (output, lse)", type(states).__qualname__
                       if not isinstance(states, (tuple, list)) else "none")
    for number, pair in enumerate(pairs):
        if not isinstance(pair, tuple) or len(pair) not in (2, 3):
            raise expected(f"states[{number}]", "a pair (output, lse), or (output, lse, scale) "
                           "of 8 bits", type(pair).__qualname__ if not isinstance(pair, tuple)
                           else f"a tuple of {len(pair)}")
    return [(*pair[:2], pair[2] if len(pair) == 3 else None) for pair in pairs]


def merge(states: Sequence[Tuple[Any, ...]], *, sink: Any = None,
          return_lse: bool = True, out_scale: Any = None, out_dtype: Any = None,
          out: Any = None, stream: Optional[int] = None, **others: Any) -> Any:
    """Attention over a union of keys, from attention over its parts.

    | array | sizes | dtype |
    |---|---|---|
    | outputs of `states` | (B, H, S, D) | float16, bfloat16, float32, float8_e4m3fn or float8_e5m2, all the same |
    | their lse | (B, H, S) | float32 |
    | their scales, if they are of 8 bits | () or (B, H), each of which may be 1 | float32 |
    | `sink` | (H,) | float16, bfloat16 or float32 |
    | `out_scale` | () or (B, H), each of which may be 1 | float32 |
    | result | (B, H, S, D) | as the outputs (bfloat16 if those have 8 bits), or as `out_dtype` says |
    | lse | (B, H, S) | float32 |

    Each state is a pair (output, lse), which `attention` returns with `return_lse` for
    some of the keys, or (output, lse, scale) of an output of 8 bits, whose `scale` is the
    `out_scale` of that call. No key may be in two states. There may be any number of states, but
    at least one.

        lse    = ln sum_n exp(lse_n)
        output = sum_n exp(lse_n - lse) * scale_n * output_n / out_scale

    in float32, rounded once. A state with an lse of -inf adds nothing, whatever its output
    is; a row in which all states have an lse of -inf has output 0 and lse -inf.

    - `sink`: the logit for each head, as in `attention`. The states must be computed
      without it.
    - `return_lse`: False for the output alone.
    - `out_scale`, `out_dtype`: as in `attention`. With `out_scale` the result has 8 bits,
      float8_e4m3fn by default. Without `out_scale`, the result has the states' dtype or float32;
      for states of float32 or 8 bits, it may have any of float16, bfloat16 and float32.
    - `out`: an array for the output, or with `return_lse` a pair of arrays. They must not
      overlap the others; the output's dtype may be any that `out_dtype` may name. Needed for
      arrays other than torch's and NumPy's.
    - `stream`: as in `attention`.

    For torch tensors that require gradients the call is an operator that autograd knows. There is
    no gradient if states or the result have 8 bits. Within torch.compile, use
    attn_mlir.torch.merge. Raises ArgumentError, which names the argument, or Error.
    """
    if others:
        refuse(merge, others)
    triples = check_states(states)
    if out_dtype is not None:
        out_dtype = as_out_dtype(out_dtype)
    first = triples[0][0]
    adapter = adapter_of("states[0]", first)
    tensors = [array for state in triples for array in state[:2]]
    factors = [state[2] for state in triples]
    arrays, flags = (*tensors, *factors, sink, out_scale), (len(triples), return_lse, out_dtype)
    known = calls.find(arrays, flags, out, stream)
    if known is not NotImplemented:
        return known
    refuse_tensors(locals())
    return_lse = as_flag("return_lse", return_lse)
    if adapter.needs_operator(*arrays):
        return adapter.operate("merge", {**arguments_of(merge, locals()), "states": triples})

    outputs = describe([Operand("states[0]", first, _OUTPUT, QUERIES)])
    outputs += describe([Operand(f"states[{number}]", output, _OUTPUT)
                         for number, (output, _, _) in enumerate(triples[1:], 1)], outputs)
    of_first = outputs[0]
    dtype, sizes = of_first.dtype, of_first.sizes
    for number, scale in enumerate(factors):
        check_scale(f"states[{number}]: scale", dtype, scale)
    of_out = choose_dtype(dtype, dtype_of_out(out, return_lse, out_dtype, dtype, MERGED),
                          out_scale, "states[0]", MERGED)
    results = find_results(first, out, return_lse, sizes[3], of_out)
    rest = describe([
        *[Operand(f"states[{number}]: lse", lse, _LSE, ("f32",))
          for number, (_, lse, _) in enumerate(triples)],
        *present(Operand("sink", sink, ("H",), DTYPES)),
        Operand("out", results[0], _OUTPUT, (of_out,), is_written=True),
        *[Operand("out: lse", lse, _LSE, ("f32",), is_written=True) for lse in results[1:]]],
        outputs)
    names = [*[f"states[{number}]: scale" for number in range(len(triples))], "out_scale"]
    scales, types = [], []
    for name, scale in zip(names, (*factors, out_scale)):
        if scale is not None:
            its = describe_on(name, scale, of_first)
            its.described, type_ = describe_sizes(name, its.described, ((), (0, 1)), sizes[:2],
                                                  ("B", "H"))
            scales.append(its)
            types.append(type_)
    # The kernel's arguments have the scales of states right after the outputs and lse of all
    # states, and the scale of the merged output after the sink.
    of_states = [its for pair in zip(outputs, rest) for its in pair]
    count = len(scales) - (out_scale is not None)
    of_sink, of_outs = rest[len(triples):-len(results)], rest[-len(results):]
    operands = [*of_states, *scales[:count], *of_sink, *scales[count:], *of_outs]
    arguments = (dtype, sizes[3], len(triples))
    options = {"scales": tuple(types[:count]), "sink": "".join([its.dtype for its in of_sink]),
               "out": of_out, "out_scale": "".join(types[count:]), "return_lse": return_lse}
    kernel = run(("merge", *arguments, *options.values()),
                 lambda: merge_text(*arguments, **options), operands, stream)
    calls.remember(arrays, flags, out, kernel, operands, results, return_lse,
                   [*[its.name for its in of_states], *names[:-1], "sink", "out_scale"])
    return tuple(results) if return_lse else results[0]
