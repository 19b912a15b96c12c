"""Calls of attention that are operators of torch's."""

from typing import Any, Dict, Optional, Sequence, Tuple

import torch

from . import _attention, _flops, _functions, _operators  # noqa: F401
from ._arrays import expected
from ._dropout import check_probability, check_seed
from ._module import NAMED_GRADIENTS, Causal, Window, check_options
from ._reads import find_dims, split_reads
from ._rope import join
from ._output import as_out_dtype
from ._scales import SCALES, Extras, check_bytes, find_extras
from ._torch_calls import (check_no_gradient, check_operands, deliver, find_captures,
                           for_graphs, on_stream)
from ._torch_regions import argument_error, find_regions
from ._tracing import MaskMod, ScoreMod
from ._within import ValueDims, find_values


def _check_gradients(text: str, names: Sequence[str], captures: Sequence[torch.Tensor],
                     q: torch.Tensor, k: torch.Tensor) -> None:
    """Raises for a captured array that requires a gradient if the compiler has none for it."""
    if not torch.is_grad_enabled():
        return
    problem = (q.shape[0], q.shape[1], q.shape[2], k.shape[2])
    for number, (name, array) in enumerate(zip(names, captures)):
        if array.requires_grad:
            found = find_dims(text, number, array.shape, problem)
            if isinstance(found, str):
                raise argument_error(f"{name}: {found}")


def find_seed(like: torch.Tensor, dropout_p: float, generator: Any,
          seed: Any) -> Optional[torch.Tensor]:
    """The seed and the offset of dropout, where the device can read them."""
    if not torch.compiler.is_compiling():
        dropout_p = check_probability(dropout_p)
    if dropout_p == 0:
        return None
    if generator is not None and torch.compiler.is_compiling():
        raise argument_error("generator: expected None within torch.compile, which has no "
                              "generators in its graphs (seed may be a tensor)")
    if seed is None:
        return _operators.adapter.draw_seed(like, generator)
    if not isinstance(seed, torch.Tensor):
        seed = torch.stack([
            torch.full((), its, dtype=torch.int64, device=like.device)
            for its in (seed if torch.compiler.is_compiling() else check_seed(seed))])
    if tuple(seed.shape) != (2,) or seed.dtype != torch.int64 or seed.device != like.device:
        raise expected(
            "seed", "a pair of integers (seed, offset), or an array of these two in int64 "
            f"on {like.device}",
            f"{seed.dtype} of sizes {tuple(seed.shape)} on {seed.device}")
    return seed


def _arguments(q: torch.Tensor, k: torch.Tensor, *, scale: Optional[float] = None,
               causal: Causal = False, window: Window = None, align: str = "top_left",
               score_mod: ScoreMod = None, mask_mod: MaskMod = None,
               sink: Optional[torch.Tensor] = None, dropout_p: float = 0.0,
               seed: Any = None, generator: Any = None,
               splits_reads: bool = True) -> Tuple[Any, ...]:
    """The arguments of the operators besides query, key and value. With `splits_reads`, a captured
    array that requires a gradient is passed once for each set of indices at which it is read."""
    if not torch.compiler.is_compiling():
        scale, causal, window, align = check_options(scale, causal, window, align)
    elif not isinstance(causal, (bool, str)):  # NumPy's are tensors of the graph
        raise argument_error("causal: expected False, True, 'top_left' or 'bottom_right', "
                             "Python's own within torch.compile")
    left, right = (None, None) if window is None else window
    if causal is True:
        causal = align
    score, mask, captures, names = find_regions(score_mod, mask_mod, q)
    if splits_reads and score and torch.is_grad_enabled():
        own = len(names)
        score, extra = split_reads(score, [number for number in range(own)
                                           if captures[number].requires_grad])
        captures = [*captures[:own], *[captures[number] for number in extra],
                    *captures[own:]]
        names = [*names, *[names[number] for number in extra]]
    _check_gradients(score, names, captures, q, k)
    seed = find_seed(q, dropout_p, generator, seed)
    return (None if scale is None else float(scale), causal or "", left, right, align,
            score, mask, captures, sink, float(dropout_p), seed)


def operate(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *, return_lse: bool,
            q_scale: Any, k_scale: Any, v_scale: Any, q_rope: Any, k_rope: Any,
            kv_dtype: Optional[str], out_scale: Any, out_dtype: Optional[str],
            fast_accumulate: bool, out: Any, stream: Optional[int], **options: Any) -> Any:
    """`attention` as an operator."""
    out_dtype = _operators.dtype_of_out(out, return_lse, out_dtype, q)
    extras = find_extras(q_scale, k_scale, v_scale, out_scale, out_dtype, kv_dtype,
                         fast_accumulate)
    check_operands("attention", {"q": q, "k": k, "v": v, "sink": options["sink"],
                                 **dict(zip(SCALES, extras.scales)),
                                 "out_scale": out_scale, "q_rope": q_rope,
                                 "k_rope": k_rope},
                   find_captures(options["score_mod"], options["mask_mod"]), out, stream)
    with on_stream(stream, q):
        if q_rope is not None:
            q, k = join(q, k, q_rope, k_rope)
        found = call_attention(q, k, v, return_lse, *_arguments(q, k, **options),
                               extras=extras)
    return deliver(found, out)


def operate_backward(arrays: Dict[str, torch.Tensor], *, wrt: Sequence[str],
                     captures: Sequence[int], deterministic: Optional[bool],
                     q_scale: Any, k_scale: Any, v_scale: Any, kv_dtype: Optional[str],
                     out: Any, stream: Optional[int],
                     **options: Any) -> Tuple[torch.Tensor, ...]:
    """`attention_backward` as an operator."""
    extras = find_extras(q_scale, k_scale, v_scale, None, None, kv_dtype)
    check_operands("attention_backward", {**arrays, "sink": options["sink"],
                                          **dict(zip(SCALES, extras.scales))},
                   find_captures(options["score_mod"], options["mask_mod"]), out, stream)
    tensors = list(arrays.values())
    arguments = _arguments(*tensors[:2], splits_reads=False, **options)
    flags = [name in wrt for name in NAMED_GRADIENTS] + [
        number in captures for number in range(1 + max(captures, default=-1))]
    with on_stream(stream, tensors[0]):
        found = _functions.attention_backward(
            *tensors[:6], arrays.get("d_lse"), *arguments[:-3], flags, deterministic,
            *arguments[-3:], *(extras.of_gradients if extras.given else ()))
    # `found` has the gradients of captured arrays in the order of the arrays; the caller gets them
    # in the order of `captures`.
    return deliver((*found[:len(wrt)], *[found[len(wrt) + sorted(captures).index(number)]
                                         for number in captures]), out, torch.float32)


def call_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, return_lse: bool,
                   *arguments: Any, extras: Extras = Extras()) -> Any:
    """The operator: with the lse where it is needed."""
    *_, captures, sink, _, _ = arguments
    needs_gradient = torch.is_grad_enabled() and any(
        [its.requires_grad for its in (q, k, v, *captures) if its is not None]
        + [sink is not None and sink.requires_grad])
    check_no_gradient((*zip(SCALES, extras.scales), ("out_scale", extras.out_scale)))
    if needs_gradient:
        _operators.check_gradients((q, k, v), [its.requires_grad for its in (q, k, v)],
                                   extras)
    if needs_gradient or return_lse:
        o, lse = _functions.attention_lse(q, k, v, *arguments, extras=extras)
        return (o, lse) if return_lse else o
    return _functions.call("attention", q, k, v, *arguments, *extras.given)


def _trace(q: torch.Tensor, k: torch.Tensor, v: Optional[torch.Tensor] = None, *,
           return_lse: bool = False, q_scale: Any = None, k_scale: Any = None,
           v_scale: Any = None, kv_dtype: Optional[str] = None,
           value_dims: ValueDims = None, q_rope: Optional[torch.Tensor] = None,
           k_rope: Optional[torch.Tensor] = None, fast_accumulate: bool = False,
           out_scale: Optional[torch.Tensor] = None, out_dtype: Any = None,
           check: bool = False, **options: Any) -> Any:
    if check:
        raise argument_error("check: expected False within torch.compile, found True")
    v = find_values(k, v, value_dims, ("k", "v"), kv_dtype)
    check_bytes(kv_dtype, k=k, v=v)
    if q_rope is not None or k_rope is not None:
        q, k = join(q, k, q_rope, k_rope)
    return call_attention(q, k, v, return_lse, *_arguments(q, k, **options),
                          extras=find_extras(q_scale, k_scale, v_scale, out_scale,
                                             as_out_dtype(out_dtype), kv_dtype,
                                             fast_accumulate))


attention = for_graphs(_attention.attention, _trace, """\
attn_mlir::attention, or attn_mlir::attention_lse with `return_lse` or where gradients are
needed, whose derivative is attn_mlir::attention_backward.

Sizes, dtypes and errors are those of attn_mlir.attention. Of dropout, the seed and the offset
are drawn by torch.randint, from its `generator`. A score function that captures values is
best traced outside, by attn_mlir.score.trace, whose result may be given for it.""")
