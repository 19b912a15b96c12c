"""Attention over a union of keys, from attention over its parts."""

from typing import Any, List, Optional, Sequence, Tuple

from ._arrays import adapter_of, expected
from ._frames import Calls, check_dtype
from ._library import DTYPE_NAMES
from ._module import DTYPES
from ._rows import Operand, array_type, describe, names_of, op_text, run
from ._attend import find_results
from ._spellings import arguments_of, refuse

calls = Calls()
_OUTPUT = ("B", "H", "S", "D")
_LSE = _OUTPUT[:3]


def merge_text(dtype: str, head_dim: int, count: int, *, sink: str = "",
               out: str = "", return_lse: bool = True) -> str:
    """A function `main` of `count` outputs, each with its lse, the sink, the output of
    dtype `out`, by default theirs, and its lse, with any batch size, heads, lengths and
    strides. `sink` is its dtype, "" for none."""
    own, lse = array_type(4, dtype, head_dim), array_type(3, "f32")
    outs = {"output": array_type(4, out or dtype, head_dim)}
    if return_lse:
        outs["lse"] = lse
    return op_text(
        "attn.merge", ("ins", {f"{name}{number}": type_ for number in range(count)
                               for name, type_ in (("o", own), ("lse", lse))}),
        ("sink", {"sink": f"memref<?x{sink}>"} if sink else {}), ("outs", outs))


def check_states(states: Any) -> List[Tuple[Any, Any]]:
    pairs = [tuple(its) if isinstance(its, (tuple, list)) else its
             for its in (states if isinstance(states, (tuple, list)) else ())]
    if not pairs:
        raise expected("states", "pairs (output, lse)", type(states).__qualname__
                       if not isinstance(states, (tuple, list)) else "none")
    for number, pair in enumerate(pairs):
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise expected(f"states[{number}]", "a pair (output, lse)",
                           type(pair).__qualname__)
    return pairs


def merge(states: Sequence[Tuple[Any, Any]], *, sink: Any = None,
          return_lse: bool = True, out: Any = None,
          stream: Optional[int] = None, **others: Any) -> Any:
    """Attention over a union of keys, from attention over its parts.

    | array | sizes | dtype |
    |---|---|---|
    | outputs of `states` | (B, H, S, D) | float16, bfloat16 or float32, all the same |
    | their lse | (B, H, S) | float32 |
    | `sink` | (H,) | float16, bfloat16 or float32 |
    | result | (B, H, S, D) | as the outputs |
    | lse | (B, H, S) | float32 |

    Each state is a pair (output, lse), which `attention` returns with `return_lse` for
    some of the keys. No key may be in two states; there may be any number of states.

        lse    = ln sum_n exp(lse_n)
        output = sum_n exp(lse_n - lse) * output_n

    in float32, rounded once. A state with an lse of -inf adds nothing, whatever its output
    is; a row in which all states have an lse of -inf has output 0 and lse -inf.

    - `sink`: the logit for each head, as in `attention`. The states must be computed
      without it.
    - `return_lse`: False for the output alone.
    - `out`: an array for the output, or with `return_lse` a pair of arrays. They must not
      overlap the others; the output's dtype may be float32 as well, or any of the three
      for states of float32. Needed for arrays other than torch's and NumPy's.
    - `stream`: as in `attention`.

    For torch tensors that require gradients the call is an operator that autograd knows.
    Within torch.compile, use attn_mlir.torch.merge. Raises ArgumentError, which names the
    argument, or Error.
    """
    if others:
        refuse(merge, others)
    pairs = check_states(states)
    first = pairs[0][0]
    adapter = adapter_of("states[0]", first)
    tensors = [array for pair in pairs for array in pair]
    arrays, flags = (*tensors, sink), (len(pairs), return_lse)
    known = calls.find(arrays, flags, out, stream)
    if known is not NotImplemented:
        return known
    if adapter.needs_operator(*tensors, sink):
        return adapter.operate("merge", {**arguments_of(merge, locals()), "states": pairs})

    operands: List[Operand] = []
    for number, (output, lse) in enumerate(pairs):
        operands += [Operand(f"states[{number}]", output, _OUTPUT),
                     Operand(f"states[{number}]: lse", lse, _LSE, ("f32",))]
    _, sizes, _, code, _, _, _ = adapter.describe("states[0]", first)
    check_dtype(code, "states[0]")
    dtype = DTYPE_NAMES[code]
    if sink is not None:
        operands.append(Operand("sink", sink, ("H",), DTYPES))
    if len(sizes) != 4:
        describe(operands)  # which says so
    results = find_results(first, out, return_lse, sizes[3])
    floats = DTYPES if dtype == "f32" else (dtype, "f32")
    operands += [Operand("out", results[0], _OUTPUT, floats, is_written=True)]
    operands += [Operand("out: lse", lse, _LSE, ("f32",), is_written=True)
                 for lse in results[1:]]
    described = describe(operands)
    of_sink = "" if sink is None else DTYPE_NAMES[described[2 * len(pairs)][3]]
    of_out = DTYPE_NAMES[described[2 * len(pairs) + (sink is not None)][3]]
    arguments = (dtype, sizes[3], len(pairs))
    options = {"sink": of_sink, "out": of_out, "return_lse": return_lse}
    kernel = run(("merge", *arguments, *options.values()),
                 lambda: merge_text(*arguments, **options), operands, described, stream)
    sources = [*range(len(tensors) + (sink is not None)), -1, -2]
    calls.remember(arrays, flags, out, kernel, described, sources[:len(described)], results,
                   return_lse, names_of(operands))
    return tuple(results) if return_lse else results[0]
