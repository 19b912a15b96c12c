"""The operators of torch for attention: their kernels, their results for fake tensors, and their
derivatives.

attn_mlir::attention            returns the output
attn_mlir::attention_lse        returns the output and the lse
attn_mlir::attention_backward   returns the gradients that `wrt` asks for
"""

import dataclasses
import functools
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import torch
from torch.utils.flop_counter import register_flop_formula

from . import _attention, _gradients, _second_derivative, _tangent
from ._arrays import adapters, expected
from ._attend import new_results
from ._errors import Error
from ._frames import Calls
from ._autograd import call, define, for_each_entry, register
from ._output import choose_dtype
from ._replacements import find_replacement
from ._scales import FORWARD_ONLY, NAMES, check_no_derivative, width_of
from ._scales import SCALES as SCALE_NAMES
from ._schema import Given, Schema, has_dense_rows, kernel_of, of_call, save, saved
from ._spellings import parameters_of
from ._tensor_kinds import are_plain
from ._torch_adapter import TorchAdapter
from ._traced import types_of

adapter = TorchAdapter(torch)
# Adds the adapter of torch's tensors now and not at the first call: torch.compile guards on
# `adapters`, and would compile a graph again if the dictionary changed.
for _kind in (torch.Tensor, torch.nn.Parameter):
    adapters.setdefault(_kind, adapter)


# Arguments of the attention operators besides query, key and value, in the notation of torch's
# schemas. New arguments are added at the end, with a default, so that programs that were exported
# before still load.
REGIONS = "str score, str mask, Tensor[] captures"
SCALES = ("Tensor? q_scale=None, Tensor? k_scale=None, Tensor? v_scale=None, "
          "SymInt[]? blocks=None")
REST = ("Tensor? out_scale=None, str? out_dtype=None, str? kv_dtype=None, "
        "bool fast_accumulate=False, Tensor? v_mean=None")
EXTRAS = f"{SCALES}, {REST}"


def later(function: Callable[..., Any]) -> str:
    """Returns the end of the schema of the operator of `function`: the operands in the op's clause
    `with` that no text above has, since they were added later."""
    names = [its.name for its in parameters_of(function)]
    return "".join([f", Tensor? {name}=None" for name in NAMES
                    if name in names and f" {name}=" not in f" {EXTRAS}"])


_OPTIONS = f"float? scale, str causal, SymInt? left, SymInt? right, str align, {REGIONS}"
_DROPOUT = "Tensor? sink, float dropout_p, Tensor? seed"
_ARGUMENTS = f"Tensor q, Tensor k, Tensor v, {_OPTIONS}, {_DROPOUT}, {EXTRAS}" \
    + later(_attention.attention)
OUTPUT = Schema(f"({_ARGUMENTS}) -> Tensor")
LSE = Schema(f"({_ARGUMENTS}) -> (Tensor, Tensor)")
BACKWARD = Schema(
    "(Tensor q, Tensor k, Tensor v, Tensor o, Tensor lse, Tensor d_o, Tensor? d_lse, "
    f"{_OPTIONS}, bool[] wrt, bool? deterministic, {_DROPOUT}, {SCALES}, "
    "str? kv_dtype=None, str? narrow_products=None, Tensor? v_mean=None"
    f"{later(_gradients.attention_backward)}) -> Tensor[]")


def _attend(*arrays: Any, **options: Any) -> Any:
    """Calls `attention`. Raises within context_parallel, where an operator in a graph would see
    only the rows of its rank."""
    if find_replacement() is not None:
        raise Error("attn_mlir::attention: expected no operator of a graph within "
                    "context_parallel; call attn_mlir.attention outside of torch.compile")
    return _attention.attention(*arrays, **options)


def fake(given: Given) -> Tuple[torch.Tensor, ...]:
    """Makes, for fake tensors, an output and an lse like those of an operator with the arguments
    `given`, without data."""
    q, v = given["q"], given["v" if "v" in given else "v_cache"]
    dtype = choose_dtype(adapter.names[q.dtype], given["out_dtype"], given["out_scale"])
    return tuple(new_results(adapter, q, True, width_of(v), dtype))


_run_lse = kernel_of(_attend, "sink", return_lse=True)
_op = define("attention", OUTPUT, kernel_of(_attend, "sink"), lambda given: fake(given)[0])
_op_lse = define("attention_lse", LSE, _run_lse, fake)


def _differentiate(q: Any, k: Any, v: Any, o: Any, lse: Any, d_o: Any, **given: Any) -> Any:
    return _gradients.attention_backward(q, k, v, o, lse, d_o, **given)


def fake_gradients(given: Given) -> List[torch.Tensor]:
    """Makes, for fake tensors, the gradients of query, key, value, the sink and captured arrays
    that `wrt` asks for, without data."""
    arrays, wrt = [given[name] for name in "qkv"], given["wrt"]
    products = _gradients.find_products(*[adapter.names[given[name].dtype] for name in "qo"])
    found = [adapter.empty(array, width_of(array), products)
             for array, is_wanted in zip(arrays, wrt) if is_wanted]
    return found + [array.new_empty(array.shape) for array, is_wanted in
                    zip((given["sink"], *given["captures"]), wrt[3:])
                    if is_wanted and array is not None]


_run_backward = kernel_of(_differentiate, "q k o lse d_o d_lse sink", keys=2)
_op_backward = define("attention_backward", BACKWARD, _run_backward, fake_gradients)


def check_gradients(given: Given, needs: Sequence[bool]) -> None:
    """Raises if query, key or value needs a gradient, as `needs` says, and the compiler computes
    none for it: an array of 8 bits or with a scale, a query of 8 bits, or an output of another
    dtype than the query's."""
    for name, is_needed in zip("qkv", needs):
        if is_needed and given[name].element_size() == 1:
            raise expected(name, "a dtype of 16 or 32 bits where it requires a gradient, which "
                           "8 bits would round away; convert it first, or detach() it",
                           given[name].dtype)
    own = given["q"].dtype
    if own.itemsize == 1:
        raise expected("q", "a dtype of 16 or 32 bits where gradients are needed", own)
    check_no_derivative([given[name] is not None for name in SCALE_NAMES], needs)
    for name in FORWARD_ONLY:
        if given.get(name) is not None:
            raise expected(name, "None where gradients are needed, which are not computed beside "
                           "it", "an array")
    if given["out_dtype"] not in (None, adapter.names[own]):
        raise expected("out_dtype", "None where gradients are needed, which are of an output of "
                       "q's dtype", given["out_dtype"])


def needs_of(schema: Schema, ctx: Any) -> List[bool]:
    """Returns a list of booleans that say which gradients autograd wants: that of query, key,
    value, the sink and each captured array, in this order."""
    needs = schema.named(ctx.needs_input_grad)
    return [bool(its) for its in (needs["q"], needs["k"], needs["v"], needs["sink"],
                                  *(needs["captures"] or ()))]


def differentiate(given: Given, needs: Sequence[bool], d_o: Optional[torch.Tensor],
                  d_lse: Optional[torch.Tensor], backward: str, schema: Schema = BACKWARD,
                  run: Optional[Callable[[Given], Any]] = None) -> Given:
    """Computes gradients of attention and returns them by name, None for those that are not needed.
    `given` has the arguments of attention and its results `o` and `lse`. `needs` is as needs_of()
    returns it. `backward` is the name of an operator whose arguments `schema` declares. If `run` is
    given, it computes what the operator does, and is called in its place for plain tensors where
    no derivative of the gradients is needed."""
    wrt = _find_wrt(given, needs, schema)
    if (d_o is None and d_lse is None) or not any(wrt):
        return {}
    check_gradients(given, wrt)
    deterministic = None if schema is BACKWARD else torch.are_deterministic_algorithms_enabled()

    def pull(d_o: Optional[torch.Tensor], d_lse: Optional[torch.Tensor]) -> Given:
        if d_o is None:
            d_o = torch.zeros_like(given["o"])
        its = {**schema.defaults, **given, "d_o": d_o, "d_lse": d_lse, "wrt": wrt,
               "deterministic": deterministic}
        is_direct = run and not torch.is_grad_enabled() and are_plain((d_o, d_lse))
        return _named(run({name: its[name] for name in schema.names}) if is_direct
                      else call(backward, *schema.listed(its)), wrt)

    return for_each_entry(pull, d_o, d_lse)


def _find_wrt(given: Given, needs: Sequence[bool], schema: Schema) -> List[bool]:
    """Returns which of the needed gradients there are. Arrays that the mask function captures have
    none. Where sequences are packed, no captured array has one."""
    count = 4 + len(types_of(given["score"]) if schema is BACKWARD else ())
    return [is_wanted and number < count for number, is_wanted in enumerate(needs)]


def _named(gradients: Sequence[torch.Tensor], wrt: Sequence[bool]) -> Given:
    """Returns the gradients that `wrt` asks for by the names of their arrays."""
    found = iter(gradients)
    q, k, v, sink, *captures = [next(found) if is_wanted else None for is_wanted in wrt]
    return {"q": q, "k": k, "v": v, "sink": sink, "captures": captures}


def register_attention(op: Any, schema: Schema, backward: str, of_backward: Schema,
                       push: Optional[Callable[..., Any]] = None) -> None:
    """Registers the derivative of an operator that returns the output, or output and lse: the
    operator attn_mlir::`backward`, whose schema is `of_backward`. `push` is the derivative in
    forward mode."""

    def save_results(ctx: Any, inputs: Tuple, output: Any) -> None:
        results = dict(zip(("o", "lse"), output)) if isinstance(output, tuple) else {}
        save(ctx, {**schema.named(inputs), **results})

    def pull(ctx: Any, d_o: Optional[torch.Tensor],
             d_lse: Optional[torch.Tensor] = None) -> Tuple[Any, ...]:
        given, needs = saved(ctx), needs_of(schema, ctx)
        if "lse" not in given and d_o is not None:
            # The backward pass needs the lse, which attn_mlir::attention does not return, so
            # attention is computed again. Callers who know that they need gradients call
            # `attention_lse` instead.
            check_gradients(given, needs)
            given["o"], given["lse"] = call("attention_lse", *LSE.listed(given))
        return schema.gradients(
            differentiate(given, needs, d_o, d_lse, backward, of_backward), given)

    register(op, save_results, pull, push)


def _save_backward(ctx: Any, inputs: Tuple, output: Any) -> None:
    # The output and the lse are functions of the other arguments. The second derivative computes
    # them again, so they are not saved.
    given = BACKWARD.named(inputs)
    save(ctx, {name: its for name, its in given.items() if name not in ("o", "lse")})
    ctx.set_materialize_grads(True)


def _check_is_plain(given: Given) -> None:
    names = [name for name in (*NAMES, "kv_dtype") if given.get(name) is not None]
    if names:
        raise Error(f"attention_backward: expected a first derivative beside {', '.join(names)}, "
                    "of which there is no second one")


def _backward_backward(ctx: Any, *gradients: Any) -> Tuple[Any, ...]:
    """Computes the derivative of attn_mlir::attention_backward, that is, second derivatives of
    attention."""
    given = saved(ctx)
    _check_is_plain(given)
    if len(gradients) == 1 and isinstance(gradients[0], (list, tuple)):
        gradients = tuple(gradients[0])

    def pull(*its: torch.Tensor) -> Given:
        return _second_derivative.differentiate(given, its)

    return BACKWARD.gradients(for_each_entry(pull, *gradients), given)


def _push(arguments: Sequence[Any], results: Sequence[torch.Tensor],
          tangents: Sequence[Any]) -> Tuple[torch.Tensor, ...]:
    return _tangent.of_attention(LSE.named(arguments), LSE.named(tangents),
                                 results[0].dtype)[:len(results)]


def _push_backward(arguments: Sequence[Any], results: Sequence[torch.Tensor],
                   tangents: Sequence[Any]) -> Tuple[torch.Tensor, ...]:
    """Computes the derivative in forward mode of attn_mlir::attention_backward. Its derivative in
    reverse mode, `_backward_backward`, is linear in the gradients of the results; the derivative of
    this linear function is what pushes tangents forward."""
    given, its = BACKWARD.named(arguments), BACKWARD.named(tangents)
    _check_is_plain(given)

    def every(found: Given) -> List[Any]:
        return [*[found[name] for name in ("q", "k", "v", "sink", "d_o", "d_lse")],
                *found["captures"]]

    given_tangents = every(its)
    numbers = [n for n, tangent in enumerate(given_tangents) if tangent is not None]

    def pull(*gradients: torch.Tensor) -> Tuple[torch.Tensor, ...]:
        found = every(_second_derivative.differentiate(given, gradients))
        return tuple([found[number] for number in numbers])

    return _tangent.push(pull, results, [given_tangents[number] for number in numbers])


register_attention(_op, OUTPUT, "attention_backward", BACKWARD, _push)
register_attention(_op_lse, LSE, "attention_backward", BACKWARD, _push)
register(_op_backward, _save_backward, _backward_backward, _push_backward)


# This is no NamedTuple, whose instances torch.compile does not call before torch 2.11.
@dataclasses.dataclass(eq=False)
class Differentiable:
    """An operator that returns output and lse, and calls of it on plain tensors, which are made
    without the operator, since that takes several times as long as a kernel for few rows runs.

    `schema` declares its arguments, and `run` computes its results from a dictionary of these.
    `backward`, `of_backward` and `pull` are the same for the operator that computes the gradients,
    and `repeat` finds known calls of that. `names` are those of the arguments that are tensors, the
    first ones in the order of `calls`."""

    name: str
    schema: Schema
    run: Callable[[Given], Any]
    backward: str
    of_backward: Schema
    pull: Callable[[Given], Any]
    repeat: "Repeat"
    calls: Calls
    names: Tuple[str, ...]

    def __call__(self, given: Given) -> Tuple[torch.Tensor, torch.Tensor]:
        """Calls the operator with the arguments `given`."""
        names = tuple([name for name in self.names if given[name] is not None])
        tensors = [given[name] for name in names]
        if torch.compiler.is_compiling() or not are_plain((*tensors, *given["captures"])):
            return call(self.name, *self.schema.listed(given))
        options = {name: given[name] for name in (*self.schema.names, *self.names)
                   if name not in names and name != "captures"}
        plan = _Plan(self, names, options, lambda tensors: self.run(plan.named(tensors)), {})
        found = _Plain.apply(plan, *tensors, *given["captures"])
        # A call whose operands are the caller's arrays, and no others or copies, is made again by a
        # function of these.
        order = self.calls.order
        if given.get("remember") and not given["check"] and all(
                [name in order and has_dense_rows(its) for name, its in zip(names, tensors)]):
            given["remember"]((*[given[name] for name in self.names[:len(order)]],
                               *given["captures"]),
                              functools.partial(self._again, names, options, given["return_lse"]))
        return found

    def _again(self, names: Tuple[str, ...], options: Given, return_lse: bool,
               launch: Callable[[Sequence[Any]], Any]) -> Callable[..., Any]:
        order, count = self.calls.order, len(names)
        places = [order.index(name) for name in names]

        def run(tensors: Sequence[Any]) -> Any:
            operands = [None] * len(order)
            for place, its in zip(places, tensors):
                operands[place] = its
            return launch((*operands, *tensors[count:]))

        plan = _Plan(self, names, options, run, {})

        def again(*operands: Any) -> Any:
            found = _apply(plan, *[operands[place] for place in places], *operands[len(order):])
            return found if return_lse else found[0]

        return again


class Repeat(NamedTuple):
    """Repeats calls that compute gradients. `order` names their arrays in the operator's terms, in
    the order of `calls`. `options_of` returns a call's options from its arguments, by their names
    in Python."""

    calls: Calls
    order: Tuple[str, ...]
    options_of: Callable[[Given], Tuple]

    def find(self, given: Given, options: Tuple) -> Any:
        """Computes the gradients as an earlier call did, or returns NotImplemented if no earlier
        call was like this one. `given` has the operator's tensors, and d_o and d_lse."""
        return self.calls.find((*[given.get(name) for name in self.order], *given["captures"]),
                               options, None, None)


class _Plan(NamedTuple):
    """A call of an operator on plain tensors: the names of those that it has, the operator's other
    arguments, and the function that computes the results from the tensors. `gradients` has, for
    each set of gradients that was computed, the options of the call that computed it and which
    gradients these are; see _Plain."""

    of: Differentiable
    names: Tuple[str, ...]
    options: Given
    run: Callable[[Sequence[Any]], Tuple[torch.Tensor, torch.Tensor]]
    gradients: Dict[Tuple, Tuple[Tuple, List[bool]]]

    def named(self, tensors: Sequence[Any]) -> Given:
        return {**self.options, **dict(zip(self.names, tensors)),
                "captures": [*tensors[len(self.names):]]}


class _Plain(torch.autograd.Function):
    """Computes the results of a _Plan. Its tensors, those that an operator captures last, are
    separate arguments, as autograd needs them."""

    # `forward` takes the context, and there is no `setup_context`. Otherwise torch would bind the
    # arguments of each call to the signature of `forward`, which takes longer than everything else
    # here.
    @staticmethod
    def forward(ctx: Any, plan: _Plan, *tensors: Any) -> Tuple[torch.Tensor, torch.Tensor]:
        o, lse = plan.run(tensors)
        ctx.plan = plan
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*tensors, o, lse)
        return o, lse

    @staticmethod
    def backward(ctx: Any, d_o: Any, d_lse: Any) -> Tuple:
        plan, (*tensors, o, lse) = ctx.plan, ctx.saved_tensors
        of, names, (_, *needs) = plan.of, plan.names, ctx.needs_input_grad
        given = {**plan.named(tensors), "o": o, "lse": lse}
        deterministic = torch.are_deterministic_algorithms_enabled()
        key = (*needs, deterministic)
        results: Any = NotImplemented
        if key in plan.gradients and d_o is not None and not torch.is_grad_enabled() \
                and are_plain((d_o, d_lse)):
            options, wrt = plan.gradients[key]
            results = of.repeat.find({**given, "d_o": d_o, "d_lse": d_lse}, options)
        if results is not NotImplemented:
            found = _named(results, wrt)
        else:
            wanted = [name in names and needs[names.index(name)]
                      for name in ("q", "k", "v", "sink")] + needs[len(names):]
            found = differentiate(given, wanted, d_o, d_lse, of.backward, of.of_backward, of.pull)
            wrt = _find_wrt(given, wanted, of.of_backward)
            plan.gradients[key] = of.repeat.options_of(of_call(
                {**of.of_backward.defaults, **given, "wrt": wrt,
                 "deterministic": deterministic})), wrt
        return (None, *[found.get(name) for name in names],
                *found.get("captures", [None] * (len(tensors) - len(names))))


# What _Plain.apply calls after it has replaced wrappers of transforms that have ended. Known calls
# have no such tensors.
_apply = super(torch.autograd.Function, _Plain).apply

ATTENTION = Differentiable(
    "attention_lse", LSE, _run_lse, "attention_backward", BACKWARD, _run_backward,
    Repeat(_gradients.calls, _gradients.TENSORS, _gradients.options_of),
    _attention.calls, (*_attention.calls.order, "seed"))


def _count_flops(q: Any, k: Any, v: Any) -> int:
    """Returns the number of floating-point operations of a forward pass, as torch's FlopCounterMode
    counts them: 2 for a multiplication with its addition, for all pairs of a row and a key,
    including the pairs that masks leave out."""
    batch, heads, rows, width = q.shape
    return 2 * batch * heads * rows * k.shape[2] * (width + width_of(v))


@register_flop_formula([torch.ops.attn_mlir.attention, torch.ops.attn_mlir.attention_lse],
                       get_raw=True)
def _(q: Any, k: Any, v: Any, *_: Any, **__: Any) -> int:
    return _count_flops(q, k, v)


@register_flop_formula(torch.ops.attn_mlir.attention_backward, get_raw=True)
def _(q: Any, k: Any, v: Any, *_: Any, **__: Any) -> int:
    # Beside the products of the forward pass, query x key is computed again, and each of the
    # forward pass's two products has two gradients, each a product of the same size.
    return 2 * _count_flops(q, k, v) + 2 * q.numel() * k.shape[2]
