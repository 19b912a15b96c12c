"""The gradients of attention on arrays."""

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from ._arrays import adapter_of, expected, writable_adapter_of
from ._captures import Operands, signature
from ._frames import Frame, check_alike, check_dtype, frames, launch, make_frame
from ._kernel import Kernel, compile
from ._library import DTYPE_NAMES, F32
from ._module import GRADIENTS, Causal, Window, backward_text, check_wrt
from ._traced import types_of
from ._tracing import MaskMod, ScoreMod, as_mask, as_score


def _make_frame(key: Tuple) -> Frame:
    (_, dtype, head_dim, value_head_dim, device_type, device, scale, causal, window, align,
     has_d_lse, wrt, gradient_dtypes, deterministic, score, mask) = key
    check_dtype(dtype, "query")

    def build(chip: Optional[str]) -> Kernel:
        return compile(backward_text(
            DTYPE_NAMES[dtype], head_dim, value_head_dim, causal=causal, window=window,
            align=align, scale=scale, score=score or "", mask=mask or "", wrt=wrt,
            d_lse=has_d_lse, deterministic=deterministic,
            gradient_dtypes=[DTYPE_NAMES[code] for code in gradient_dtypes]), chip=chip)

    ranks, dtypes = signature(tuple(types_of(score or "") + types_of(mask or "")))
    d_lse = ((3,), (F32,)) if has_d_lse else ((), ())
    return make_frame(key, device_type, device, build,
                      (4, 4, 4, 4, 3, 4) + d_lse[0] + ranks + (4,) * len(wrt),
                      (dtype,) * 4 + (F32, dtype) + d_lse[1] + dtypes + gradient_dtypes)


def _outs(out: Any, wrt: Tuple[str, ...], inputs: Dict[str, Any],
          described: Dict[str, Tuple]) -> Dict[str, Any]:
    """The arrays of `out` by the gradients' names, or new ones like the inputs."""
    names = [f"d_{name}" for name in wrt]
    if out is None:
        return {f"d_{name}": adapter_of(name, inputs[name]).empty(
            inputs[name], described[name][1][3]) for name in wrt}
    if not (isinstance(out, (tuple, list)) and len(out) == len(names)):
        found = (f"{len(out)} in a {type(out).__name__}"
                 if isinstance(out, (tuple, list)) else type(out).__qualname__)
        raise expected("out", f"a tuple of {len(names)} arrays, as wrt lists them", found)
    return dict(zip(names, out))


def attention_backward(query: Any, key: Any, value: Any, output: Any, lse: Any,
                       d_output: Any, d_lse: Any = None, *,
                       scale: Optional[float] = None, causal: Causal = False,
                       window: Window = None, align: str = "top_left",
                       score_mod: ScoreMod = None, mask_mod: MaskMod = None,
                       wrt: Union[str, Sequence[str]] = GRADIENTS,
                       deterministic: Optional[bool] = None, out: Any = None,
                       stream: Optional[int] = None) -> Tuple[Any, ...]:
    """The gradients of `attention`: of a scalar whose gradient with respect to the
    output is `d_output`, and with respect to the lse `d_lse`.

    | array | sizes | dtype |
    |---|---|---|
    | `query` | (B, Hq, Sq, D) | float16, bfloat16 or float32 |
    | `key` | (B, Hkv, Skv, D), Hkv divides Hq | as query |
    | `value` | (B, Hkv, Skv, Dv) | as query |
    | `output`, `d_output` | (B, Hq, Sq, Dv) | as query |
    | `lse`, `d_lse` | (B, Hq, Sq) | float32 |
    | results | as query, key and value | the same, or what `out` has |

    `output` and `lse` are what `attention` returned with `return_lse` for the same
    arrays, `scale`, `causal`, `window`, `align`, `score_mod` and `mask_mod`, which are
    explained there, as `stream` is. The derivative of the score function is that of its
    own arithmetic; a function that has none is an error. Captured arrays are constants.

    - `wrt`: which gradients are wanted, of "query", "key" and "value" in this order.
      The result is a tuple of these; what only others need is not computed.
    - `deterministic`: the same bits in each run on one chip. By default what
      torch.are_deterministic_algorithms_enabled says, for torch's tensors, else False.
    - `out`: a tuple of arrays for the gradients, of the inputs' dtype or float32. They
      must overlap neither each other nor other arrays.

    A row with nothing to attend to has gradients of 0 and adds nothing to others. The
    result has no derivative: asking autograd for one is an error.

    Raises ArgumentError, which names the argument, or Error for what the compiler or
    the GPU cannot do. Source of the formulas: FlashAttention-2 (arXiv 2307.08691).
    """
    wrt = check_wrt(wrt)
    inputs = {"query": query, "key": key, "value": value, "output": output, "lse": lse,
              "d_output": d_output}
    if d_lse is not None:
        inputs["d_lse"] = d_lse
    array = adapter_of("query", query)
    if array.needs_gradient(*inputs.values()):
        return array.differentiate_backward(
            inputs, scale=scale, causal=causal, window=window, align=align,
            score_mod=score_mod, mask_mod=mask_mod, wrt=wrt,
            deterministic=deterministic, out=out, stream=stream)
    described = {name: adapter_of(name, its).describe(name, its)
                 for name, its in inputs.items()}
    _, sizes, _, dtype, device_type, device, _ = described["query"]
    check_alike(described, dtype, device_type, device, "query")

    outs = _outs(out, wrt, inputs, described)
    gradients = {name: writable_adapter_of(name, its).describe(name, its)
                 for name, its in outs.items()}
    check_alike(gradients, dtype, device_type, device, "query", (F32,))
    score_mod, mask_mod = as_score(score_mod), as_mask(mask_mod)
    captured = Operands(score_mod, mask_mod).describe(query, device_type, device)
    if deterministic is None:
        deterministic = array.is_deterministic()

    frame_key = ("backward", dtype, sizes[3], described["value"][1][3], device_type, device,
                 scale, causal, window, align, d_lse is not None, wrt,
                 tuple([its[3] for its in gradients.values()]), bool(deterministic),
                 score_mod, mask_mod)
    try:
        frame = frames.by_key.get(frame_key)
    except TypeError:
        raise expected("scale, causal, window or align", "what can be hashed",
                       frame_key[6:10]) from None
    if frame is None:
        frame = _make_frame(frame_key)
    if stream is None:
        stream = array.stream(query, device)
    elif not isinstance(stream, int):
        raise expected("stream", "a CUDA stream's handle as an integer", repr(stream))

    # From here on the frame is in use, and nothing may come in between.
    words, word = frame.words, 0
    shapes: List[int] = []
    for its in (*described.values(), *captured, *gradients.values()):
        words[word] = its[0]
        word += 5
        shapes += its[1]
        shapes += its[2]
    frame.pack(frame.shapes, 0, *shapes)
    status = launch(frame.program, stream, frame.address, frame.count)
    if status:
        frame.recover(status, stream, device_type, device)
    return tuple(outs.values())
