"""Derivatives of operators, and their calls under torch.func's transforms.

Operators registered with torch.library are one node of a torch.compile graph, are seen by
dispatch modes and work on fake tensors. torch.func's transforms need an autograd.Function with
a setup_context, which torch.library does not make: `register` makes one from the same
derivative.
"""

import re
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

import torch
import torch.autograd.forward_ad as forward_ad

from ._adapter import expected
from ._errors import Error
from ._schema import Given, Schema, has_dense_rows, with_dense_rows
from ._tensor_kinds import find_transforms, needs_function, nested_forward_mode

_functions: Dict[str, Any] = {}
# The names of operators that have a derivative in forward mode.
forward_mode: Set[str] = set()
_defaults: Dict[str, List[Any]] = {}

# The dispatch key of the tensors within torch.autograd.grad with `is_grads_batched`, and the
# possible numbers of levels of these, which may be nested.
_BATCHED: Any = torch._C._parse_dispatch_key("Batched")
_LEVELS = range(1, 65)

# For each argument of an operator, the number of elements if the argument is a list, or None if it
# is not.
Counts = Tuple[Optional[int], ...]


class _Hidden:
    """Wraps the lengths of list arguments (Counts) in an object, so that torch.func's transforms do
    not search them for tensors."""

    __slots__ = ("counts",)

    def __init__(self, counts: Counts) -> None:
        self.counts = counts


class _Context:
    """Wraps the context of an autograd.Function, and has saved tensors of its own in place of the
    context's."""

    def __init__(self, context: Any, saved_tensors: Sequence[Any] = ()) -> None:
        self.__dict__.update(_context=context, saved_tensors=saved_tensors)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._context, name, value)

    def save_for_backward(self, *tensors: Any) -> None:
        self.__dict__["saved_tensors"] = tensors


def _flatten(arguments: Sequence[Any], counts: Counts) -> List[Any]:
    """Returns the arguments, with each list replaced by its elements. None in place of a list of n
    elements becomes n times None."""
    leaves: List[Any] = []
    for value, count in zip(arguments, counts):
        leaves += [value] if count is None else [None] * count if value is None else value
    return leaves


def _unflatten(leaves: Sequence[Any], counts: Counts) -> Tuple[Any, ...]:
    rest = iter(leaves)
    return tuple([next(rest) if count is None else [next(rest) for _ in range(count)]
                  for count in counts])


def _check_devices(names: Sequence[str], arguments: Sequence[Any]) -> None:
    """Raises for the first of an operator's tensors that is on another device than the first one.
    Kernels read those without dimensions from any device. Fake tensors have no memory, so that no
    kernel checks them."""
    first: Any = None
    for name, value in zip(names, arguments):
        for number, its in enumerate(value if isinstance(value, (list, tuple)) else [value]):
            if not isinstance(its, torch.Tensor) or its.dim() == 0:
                continue
            if first is None:
                first = name, its.device
            elif its.device != first[1]:
                raise expected(f"{name}[{number}]" if its is not value else name,
                               f"a tensor on {first[1]}, as {first[0]} is", f"one on {its.device}")


def define(name: str, schema: Schema, run: Callable[[Given], Any],
           fake: Callable[[Given], Any]) -> Any:
    """Defines the operator attn_mlir::`name`. `run` computes the operator on tensors that have
    memory, and `fake` returns results of the same sizes and strides without data. Both take a
    dictionary of all arguments by name. The operator also gets a rule for torch.vmap."""
    op = torch.library.custom_op(
        f"attn_mlir::{name}", lambda *arguments: run(schema.named(arguments)), schema=schema.text,
        mutates_args=re.findall(r"\w+!\) (\w+)", schema.text))

    def checked(*arguments: Any) -> Any:
        _check_devices(schema.names, arguments)
        return fake(schema.named(arguments))

    op.register_fake(checked)
    _register_vmap(op)
    return op


def register(op: Any, save: Callable[..., None], backward: Callable[..., Any],
             push: Optional[Callable[..., Any]] = None) -> None:
    """Registers an operator's derivative with torch.library, and for `call`, by which torch.func's
    transforms see the operator. `save` and `backward` are as in register_autograd. `push` is the
    derivative in forward mode, or None if there is none. It takes tuples of arguments, results and
    the arguments' tangents (None for an argument without one), and returns a tuple of the results'
    tangents."""

    def backward_of_given(ctx: Any, *gradients: Any) -> Any:
        # Before torch 2.15, an operator's inputs do not include trailing arguments that have their
        # default values. The gradients of these, the last ones, are dropped.
        return backward(ctx, *gradients)[:len(ctx.needs_input_grad)]

    op.register_autograd(backward_of_given, setup_context=save)
    name = op._opoverload._opname
    if push is not None:
        forward_mode.add(name)

    class Function(torch.autograd.Function):
        """The autograd.Function of an operator. Lists among the operator's arguments are replaced
        by their elements, since autograd does not search lists for tensors."""

        generate_vmap_rule = True

        @staticmethod
        def forward(hidden: _Hidden, *leaves: Any) -> Any:
            found = op(*_unflatten(leaves, hidden.counts))
            return tuple(found) if isinstance(found, list) else found

        @staticmethod
        def setup_context(ctx: Any, inputs: Tuple, output: Any) -> None:
            hidden, *leaves = inputs
            ctx.counts, ctx.number = hidden.counts, 0
            if push is None:
                save(ctx, _unflatten(leaves, ctx.counts), output)
                return
            its_own = _Context(ctx)
            save(its_own, _unflatten(leaves, ctx.counts), output)
            ctx.others = [None if isinstance(its, torch.Tensor) else (its,) for its in leaves]
            ctx.is_one = not isinstance(output, tuple)
            # torch.func's vmap knows only one list of saved tensors for backward and forward mode,
            # so both modes save the same list.
            tensors = [*[its for its in leaves if isinstance(its, torch.Tensor)],
                       *((output,) if ctx.is_one else output)]
            ctx.number = len(tensors)
            tensors += its_own.saved_tensors
            ctx.save_for_backward(*tensors)
            ctx.save_for_forward(*tensors)

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Tuple:
            needs = ctx.needs_input_grad
            try:
                ctx.needs_input_grad = _unflatten(needs[1:], ctx.counts)
                found = backward(_Context(ctx, ctx.saved_tensors[ctx.number:]), *gradients)
            finally:
                ctx.needs_input_grad = needs
            return (None, *_flatten(found, ctx.counts))

        @staticmethod
        def jvp(ctx: Any, *tangents: Any) -> Any:
            if push is None:
                raise no_tangents(name)
            with nested_forward_mode(ctx.saved_tensors[:ctx.number]) as primals:
                tensors = iter(primals)
                leaves = [next(tensors) if its is None else its[0] for its in ctx.others]
                found = push(_unflatten(leaves, ctx.counts), tuple(tensors),
                             _unflatten(tangents[1:], ctx.counts))
            return found[0] if ctx.is_one else tuple(found)

    _functions[name] = Function
    _defaults[name] = [its.default_value for its in op._opoverload._schema.arguments]


def refuse(op: Any, what: str) -> None:
    """Registers a derivative that raises an error, for an operator that has no derivative. The
    error's text is "expected" followed by `what`, such as "a mask that requires no gradient"."""

    def backward(ctx: Any, *gradients: Any) -> Any:
        raise Error(f"{op._opoverload._opname}: expected {what}")

    register(op, lambda *_, **__: None, backward)


def _is_batched(tensor: Any) -> bool:
    return tensor is not None and torch._C._dispatch_keys(tensor).has(_BATCHED)


def for_each_entry(pull: Callable[..., Dict[str, Any]], *gradients: Any) -> Dict[str, Any]:
    """Calls `pull` with gradients of results, and returns the gradients of arguments that it
    returns, by name. If torch.autograd.grad was called with `is_grads_batched`, as it is by
    torch.autograd.functional.jacobian with `vectorize`, `pull` is called once for each entry of the
    batch. The tensors of such a batch are not those of torch.vmap: operators have no rule for
    them, and they have no memory."""
    batched = [] if torch.compiler.is_compiling() else [
        its for its in gradients if _is_batched(its)]
    if not batched:
        return pull(*gradients)

    def remove(its: torch.Tensor, level: int, count: int) -> torch.Tensor:
        return torch._remove_batch_dim(its, level, count, 0)

    # A tensor that has no batch dimension of a level is expanded to `count` entries. A tensor that
    # has one gets as many entries as it has, whatever `count` is.
    level = next(its for its in _LEVELS if remove(batched[0], its, 1).shape[0]
                 == remove(batched[0], its, 2).shape[0])
    count = remove(batched[0], level, 1).shape[0]
    if count == 0:
        raise Error("expected at least one entry in a batch of gradients, found none")
    entries = [None if its is None else remove(its, level, count) for its in gradients]
    found = [for_each_entry(pull, *[None if its is None else its[number] for its in entries])
             for number in range(count)]

    def stack(values: Sequence[Any]) -> Any:
        if isinstance(values[0], list):
            return [stack(its) for its in zip(*values)]
        return None if values[0] is None else torch._add_batch_dim(torch.stack(values), 0, level)

    return {name: stack([its[name] for its in found]) for name in found[0]}


def no_tangents(name: str) -> Error:
    return Error(f"{name}: expected tensors without tangents; it has no derivative in forward "
                 "mode (torch.func.jvp, jacfwd and hessian)")


@torch.compiler.allow_in_graph
def _apply(name: str, *arguments: Any) -> Any:
    """Calls the autograd.Function of the operator `name`. In a graph of torch.compile this is one
    call, which transforms of torch.func see when the graph runs, as they do outside of graphs:
    torch.compile would compute 0 for second derivatives, and lose tangents, of an
    autograd.Function that it traces itself."""
    arguments += tuple(_defaults[name][len(arguments):])
    counts = tuple([len(value) if isinstance(value, (list, tuple)) else None
                    for value in arguments])
    return _functions[name].apply(_Hidden(counts), *_flatten(arguments, counts))


def call(name: str, *arguments: Any) -> Any:
    """Calls the operator `name`, so that autograd, dispatch modes and torch.func's transforms see
    the call."""
    if torch.compiler.is_compiling():
        is_function = bool(find_transforms()) or forward_ad._current_level >= 0
    else:
        is_function = needs_function()
    if is_function:
        return _apply(name, *arguments)
    return getattr(torch.ops.attn_mlir, name)(*arguments)


def _register_vmap(op: Any) -> None:
    """Registers a rule for torch.vmap that calls the operator once for each entry of the vmapped
    dimension. One call for all entries is not possible, since the arrays that regions capture, the
    seed of dropout and lengths may differ between entries."""
    name = op._opoverload._opname
    written = [number for number, its in enumerate(op._opoverload._schema.arguments)
               if its.alias_info is not None and its.alias_info.is_write]

    def select(value: Any, dim: Any, index: int) -> Any:
        if isinstance(value, (list, tuple)):
            return [select(*its, index) for its in zip(value, dim)]
        if dim is None:
            return value
        # The last stride of an entry can differ from 1 if torch.vmap's dimension is the last one of
        # the whole array.
        return with_dense_rows(value.select(dim, index))

    def rule(info: Any, in_dims: Sequence[Any], *arguments: Any) -> Tuple[Any, Any]:
        if info.batch_size == 0:
            raise Error(f"{name}: expected at least one entry in the dimension of "
                        "torch.vmap, found none")
        for number in written:
            if in_dims[number] is None:
                raise Error(f"{name}: expected an array of its own for each entry of "
                            "torch.vmap's dimension where the call writes to it, found one "
                            "for all")
        results = []
        for index in range(info.batch_size):
            given = select(arguments, in_dims, index)
            results.append(op(*given))
            for number in written:
                entry = arguments[number].select(in_dims[number], index)
                if not has_dense_rows(entry):
                    entry.copy_(given[number])
        if results[0] is None:
            return None, None
        if isinstance(results[0], torch.Tensor):
            return torch.stack(results), 0
        stacked = [torch.stack(its) for its in zip(*results)]
        kind = type(results[0])
        return kind(stacked), kind([0] * len(stacked))

    op.register_vmap(rule)
