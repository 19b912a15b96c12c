"""The operators of torch's: what they compute, on fake tensors too, and their
derivatives.

attn_mlir::attention            the output
attn_mlir::attention_lse        the output and the lse
attn_mlir::attention_backward   the gradients that `wrt` says
"""

from typing import Any, Callable, List, Optional, Sequence, Tuple

import torch

from . import _attention, _gradients
from ._arrays import adapters, expected
from ._errors import Error
from ._autograd import call, define, register
from ._module import NAMED_GRADIENTS
from ._library import DTYPES
from ._output import choose_dtype, find_output, match_out
from ._scales import SCALES as SCALE_NAMES
from ._scales import Extras, check_no_derivative, join_scales, width_of
from ._tensor_kinds import InKernel
from ._torch_adapter import TorchAdapter
from ._traced import types_of
from .mask import Mask
from .score import Score

adapter = TorchAdapter(torch)
# Known from the first graph on, which torch.compile guards.
for _kind in (torch.Tensor, torch.nn.Parameter):
    adapters.setdefault(_kind, adapter)


# Arguments of the attention operators besides query, key and value, in the notation of torch's
# schemas.
REGIONS = "str score, str mask, Tensor[] captures"
SCALES = ("Tensor? q_scale=None, Tensor? k_scale=None, Tensor? v_scale=None, "
          "SymInt[]? blocks=None")
# As _scales.Extras.
REST = ("Tensor? out_scale=None, str? out_dtype=None, str? kv_dtype=None, "
         "bool fast_accumulate=False")
EXTRAS = f"{SCALES}, {REST}"


def join_options(scale: Optional[float], causal: Any, left: Optional[int],
                 right: Optional[int], score: str, mask: str,
                 captures: Sequence[torch.Tensor], sink: Optional[torch.Tensor]) -> dict:
    """Converts the arguments of an operator's schema to arguments of a call. `captures` are
    the arrays of the score region, followed by those of the mask region."""
    count = len(types_of(score))
    return {"scale": scale, "causal": causal or False,
            "window": None if left is None and right is None else (left, right),
            "score_mod": Score(score, captures[:count]) if score else None,
            "mask_mod": Mask(mask, captures[count:]) if mask else None,
            "sink": None if sink is None else with_dense_rows(sink)}


def _options(scale: Optional[float], causal: str, left: Optional[int],
             right: Optional[int], align: str, score: str, mask: str,
             captures: Sequence[torch.Tensor], sink: Optional[torch.Tensor],
             dropout_p: float, seed: Optional[torch.Tensor]) -> dict:
    return {**join_options(scale, causal, left, right, score, mask, captures, sink),
            "align": align, "dropout_p": dropout_p, "seed": seed}


def check_context() -> None:
    """Raises within context_parallel: an operator in a graph has the rows of this rank
    only."""
    if _attention.replacements and _attention.replacements[-1] is not None:
        raise Error("attn_mlir::attention: expected no operator of a graph within "
                    "context_parallel; call attn_mlir.attention outside of torch.compile")


def with_dense_rows(tensor: torch.Tensor) -> torch.Tensor:
    """A copy if elements of rows are not adjacent. Gradients may have any strides: the
    gradient of a sum has stride 0 in all dimensions."""
    return tensor if tensor.stride(-1) == 1 else tensor.contiguous()


def with_dense_values(value: torch.Tensor, dim: int) -> torch.Tensor:
    """A copy of a value if neither rows nor its columns, along the keys in dimension `dim`, are
    dense."""
    is_read = value.stride(dim) == 1 and value.dtype != torch.uint8
    return value if is_read else with_dense_rows(value)


def run_lse(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *options: Any,
            return_lse: bool = True) -> Any:
    check_context()
    with InKernel():
        return _attention.attention(q, k, v, return_lse=return_lse,
                                    **_options(*options[:11]),
                                    **Extras(*options[11:]).keywords())


def _run(*arguments: Any) -> torch.Tensor:
    return run_lse(*arguments, return_lse=False)


def fake_output(q: torch.Tensor, v: torch.Tensor, extras: Extras) -> torch.Tensor:
    """As the call makes it."""
    dtype = choose_dtype(adapter.names[q.dtype], extras.out_dtype, extras.out_scale)
    return adapter.empty(q, width_of(v), dtype)


def dtype_of_out(out: Any, return_lse: bool, wanted: Optional[str],
                 q: torch.Tensor) -> Optional[str]:
    """As _output.dtype_of_out, of tensors that may have no memory."""
    found = adapter.names.get(getattr(find_output(out, return_lse), "dtype", None))
    return wanted if found is None else match_out(found, wanted, adapter.names.get(q.dtype, ""))


def _fake(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor,
          *options: Any) -> torch.Tensor:
    return fake_output(q, v, Extras(*options[11:]))


def _fake_lse(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor,
              *options: Any) -> Tuple[torch.Tensor, torch.Tensor]:
    return _fake(q, k, v, *options), adapter.empty_lse(q)


_OPTIONS = f"float? scale, str causal, SymInt? left, SymInt? right, str align, {REGIONS}"
_DROPOUT = "Tensor? sink, float dropout_p, Tensor? seed"
_ARGUMENTS = f"Tensor q, Tensor k, Tensor v, {_OPTIONS}, {_DROPOUT}, {EXTRAS}"
# How many of the arguments of attention and of its gradients are at the end.
NUM_EXTRAS, _BACKWARD_EXTRAS = 8, 5
_op = define("attention", f"({_ARGUMENTS}) -> Tensor", _run, _fake)
_op_lse = define("attention_lse", f"({_ARGUMENTS}) -> (Tensor, Tensor)", run_lse, _fake_lse)


def _names(wrt: Sequence[bool]) -> List[str]:
    """The names of the gradients that are wanted, given flags for query, key, value, sink and
    captured arrays in the order of the kernel's operands. Missing flags at the end count as
    false."""
    names = [*NAMED_GRADIENTS, *[f"capture{n}" for n in range(len(wrt))]]
    return [name for name, is_wanted in zip(names, wrt) if is_wanted]


def run_backward(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, o: torch.Tensor,
                 lse: torch.Tensor, d_o: torch.Tensor, d_lse: Optional[torch.Tensor],
                 *options: Any) -> List[torch.Tensor]:
    options, extras = options[:13], options[13:]
    *options, wrt, deterministic, sink, dropout_p, seed = options
    with InKernel():
        q, k, v, o, lse, d_o = map(with_dense_rows, (q, k, v, o, lse, d_o))
        return list(_gradients.attention_backward(
            q, k, v, o, lse, d_o, None if d_lse is None else with_dense_rows(d_lse),
            wrt=_names(wrt), deterministic=deterministic,
            **_options(*options, sink, dropout_p, seed), **join_scales(*extras[:4]),
            kv_dtype=extras[4] if len(extras) > 4 else None))


def _fake_backward(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor,
                   *others: Any) -> List[torch.Tensor]:
    *_, captures, wrt, _, sink, _, _ = others[:17]
    products = _gradients.find_products(*[adapter.names[its.dtype]
                                          for its in (q, others[0])])
    found = [adapter.empty(array, width_of(array), products)
             for array, is_wanted in zip((q, k, v), wrt) if is_wanted]
    return found + [array.new_empty(array.shape) for array, is_wanted in
                    zip((sink, *captures), wrt[3:]) if is_wanted and array is not None]


_op_backward = define(
    "attention_backward",
    "(Tensor q, Tensor k, Tensor v, Tensor o, Tensor lse, Tensor d_o, Tensor? d_lse, "
    f"{_OPTIONS}, bool[] wrt, bool? deterministic, {_DROPOUT}, {SCALES}, "
    "str? kv_dtype=None) -> Tensor[]",
    run_backward, _fake_backward)


def check_gradients(inputs: Sequence[torch.Tensor], needs: Sequence[bool],
                    extras: Extras) -> None:
    """Raises for query, key and value that need a gradient, by `needs`, and have none; where
    any is needed, the output has the query's dtype."""
    for name, its, is_needed in zip("qkv", inputs, needs):
        if is_needed and its.element_size() == 1:
            raise expected(name, "a dtype of 16 or 32 bits where it requires a gradient, which "
                           "8 bits would round away; convert it first, or detach() it",
                           its.dtype)
    if inputs[0].element_size() == 1:
        raise expected("q", "a dtype of 16 or 32 bits where gradients are needed",
                       inputs[0].dtype)
    check_no_derivative([its is not None for its in extras.scales], needs)
    wanted = extras.out_dtype
    if extras.out_scale is not None or wanted not in (None, adapter.names[inputs[0].dtype]):
        name = "out_dtype" if extras.out_scale is None else "out_scale"
        raise expected(name, "None where gradients are needed, which are of an output of q's "
                       "dtype", wanted or "a scale")


def save(ctx: Any, inputs: Sequence[Any], output: Tuple[torch.Tensor, torch.Tensor],
         seed: Optional[torch.Tensor], extras: Extras) -> None:
    """Keeps what gradients need. `inputs` are q, k, v, the sink or None, and what the
    regions capture."""
    ctx.extras = extras._replace(**dict.fromkeys(SCALE_NAMES))
    # Often only one of the two outputs has a gradient; torch need not create zeros for the other.
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(*inputs[:3], *output, inputs[3], seed, *inputs[4:],
                          *extras.scales)


def differentiate(ctx: Any, needs: Sequence[bool], saved: Sequence[torch.Tensor],
                  d_o: Optional[torch.Tensor], d_lse: Optional[torch.Tensor],
                  attention_backward: Callable[..., Any]) -> List[Any]:
    """The gradients of q, k, v, the sink and captured arrays, None for those that need
    none. `saved` is what `save` keeps."""
    q, k, v, o, lse, sink, seed, *captures = saved[:-3]
    extras = ctx.extras._replace(**dict(zip(SCALE_NAMES, saved[-3:])))
    options, dropout_p = ctx.options[:-1], ctx.options[-1]
    # Arrays that masks capture have no gradient.
    count = 4 + len(types_of(options[5]))
    wrt = [is_wanted and number < count for number, is_wanted in enumerate(needs)]
    if (d_o is None and d_lse is None) or not any(wrt):
        return [None] * len(wrt)
    check_gradients((q, k, v), wrt, extras)
    if d_o is None:
        d_o = torch.zeros_like(o)
    rest = extras.of_gradients
    if not any([its is not None for its in (*extras.scales, extras.kv_dtype)]):
        rest = ()
    found = iter(attention_backward(q, k, v, o, lse, d_o, d_lse, *options, captures, wrt,
                                    None, sink, dropout_p, seed, *rest))
    return [next(found) if is_wanted else None for is_wanted in wrt]


def _call_backward(*arguments: Any) -> List[torch.Tensor]:
    return call("attention_backward", *arguments)


def _as_arguments(gradients: List[Any]) -> Tuple[Any, ...]:
    """In the order of the operators' arguments, of which captured arrays are a list."""
    return (*gradients[:3], *[None] * 7, gradients[4:], gradients[3],
            *[None] * (2 + NUM_EXTRAS))


def _needs(ctx: Any) -> List[bool]:
    needs = ctx.needs_input_grad
    return [*needs[:3], needs[11], *needs[10]]


def _save(ctx: Any, inputs: Tuple, output: torch.Tensor) -> None:
    q, k, v, *ctx.options, captures, sink, dropout_p, seed = inputs[:-NUM_EXTRAS]
    extras = Extras(*inputs[-NUM_EXTRAS:])
    ctx.extras = extras._replace(**dict.fromkeys(SCALE_NAMES))
    ctx.options.append(dropout_p)
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(q, k, v, sink, seed, *captures, *extras.scales)


def _backward(ctx: Any, d_o: Optional[torch.Tensor]) -> Tuple[Any, ...]:
    # Who wants gradients had better call the operator that returns the lse.
    saved = ctx.saved_tensors  # Checkpoints let these be asked for once.
    (q, k, v, sink, seed, *captures), scales = saved[:-3], saved[-3:]
    if d_o is None:
        return _as_arguments([None] * (4 + len(captures)))
    extras = ctx.extras._replace(**dict(zip(SCALE_NAMES, scales)))
    check_gradients((q, k, v), _needs(ctx), extras)
    results = call("attention_lse", q, k, v, *ctx.options[:-1], captures, sink,
                   ctx.options[-1], seed, *extras)
    return _as_arguments(differentiate(
        ctx, _needs(ctx), (q, k, v, *results, sink, seed, *captures, *scales), d_o, None,
        _call_backward))


def _save_lse(ctx: Any, inputs: Tuple, output: Tuple[torch.Tensor, torch.Tensor]) -> None:
    q, k, v, *ctx.options, captures, sink, dropout_p, seed = inputs[:-NUM_EXTRAS]
    ctx.options.append(dropout_p)
    save(ctx, (q, k, v, sink, *captures), output, seed, Extras(*inputs[-NUM_EXTRAS:]))


def _backward_lse(ctx: Any, d_o: Optional[torch.Tensor],
                  d_lse: Optional[torch.Tensor]) -> Tuple[Any, ...]:
    return _as_arguments(differentiate(ctx, _needs(ctx), ctx.saved_tensors, d_o, d_lse,
                                       _call_backward))


def _save_backward(ctx: Any, inputs: Tuple, output: Any) -> None:
    (q, k, v, _, _, d_o, d_lse, *ctx.options, captures, wrt, _, sink, dropout_p,
     seed) = inputs[:-_BACKWARD_EXTRAS]
    ctx.is_plain = not any([its is not None for its in inputs[-_BACKWARD_EXTRAS:]])
    ctx.wrt, ctx.dropout_p = list(wrt), dropout_p
    ctx.save_for_backward(q, k, v, d_o, d_lse, sink, seed, *captures)


def _no_second_derivative() -> Error:
    return Error("attention_backward: expected a first derivative of attention with scales, "
                 "which has no second one")


def _backward_backward(ctx: Any, *gradients: Any) -> Tuple[Any, ...]:
    """The derivative of attention_backward, in which the output and the lse count as functions
    of the other arguments."""
    from . import _second_derivative

    if not ctx.is_plain:
        raise _no_second_derivative()
    q, k, v, d_o, d_lse, sink, seed, *captures = ctx.saved_tensors
    if len(gradients) == 1 and isinstance(gradients[0], (list, tuple)):
        gradients = tuple(gradients[0])
    found, d_d_o, d_d_lse = _second_derivative.differentiate(
        q, k, v, d_o, d_lse, ctx.options, captures, ctx.wrt, sink, ctx.dropout_p, seed,
        gradients)
    return (*found[:3], None, None, d_d_o, d_d_lse, *[None] * 7, found[4:], None, None,
            found[3], *[None] * (2 + _BACKWARD_EXTRAS))


def _push(arguments: Sequence[Any], results: Sequence[torch.Tensor],
          tangents: Sequence[Any]) -> Tuple[torch.Tensor]:
    # Who wants derivatives had better call the operator that returns the lse.
    return (_push_lse(arguments, call("attention_lse", *arguments), tangents)[0],)


def _push_lse(arguments: Sequence[Any], results: Sequence[torch.Tensor],
              tangents: Sequence[Any]) -> Tuple[torch.Tensor, torch.Tensor]:
    from . import _tangent

    return _tangent.of_attention(arguments, results, tangents)


def _push_backward(arguments: Sequence[Any], results: Sequence[torch.Tensor],
                   tangents: Sequence[Any]) -> Tuple[torch.Tensor, ...]:
    """The derivative of what `_backward_backward` computes, which is linear in the gradients of
    the results."""
    from . import _second_derivative

    if any([its is not None for its in arguments[20:]]):
        raise _no_second_derivative()
    (q, k, v, _, _, d_o, d_lse, *options, captures, wrt, _, sink, dropout_p,
     seed) = arguments[:20]
    d_inputs = [*tangents[:3], tangents[17], *tangents[14]]
    every = [*d_inputs, tangents[5], tangents[6]]
    numbers = [n for n, its in enumerate(every) if its is not None]

    def pull(*gradients: torch.Tensor) -> Tuple[torch.Tensor, ...]:
        found, d_d_o, d_d_lse = _second_derivative.differentiate(
            q, k, v, d_o, d_lse, options, captures, wrt, sink, dropout_p, seed, gradients)
        return tuple([[*found, d_d_o, d_d_lse][number] for number in numbers])

    _, again = torch.func.vjp(pull, *[torch.zeros_like(its) for its in results])
    return again(tuple([every[number] for number in numbers]))


register(_op, _save, _backward, _push)
register(_op_lse, _save_lse, _backward_lse, _push_lse)
register(_op_backward, _save_backward, _backward_backward, _push_backward)
