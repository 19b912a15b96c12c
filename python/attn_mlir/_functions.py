"""The operators as functions of autograd's.

The operators of torch.library stay whole under torch.compile, are seen by dispatch modes and
work on fake tensors. torch.func's transforms want functions of autograd's with a
setup_context instead, which torch.library makes none of: `register` makes them of the same
derivative. And as a call of an operator takes a few times what a kernel for short rows
does, attention on plain tensors has a function that calls the kernels itself.
"""

from typing import Any, Callable, Dict, List, Sequence, Tuple

import torch
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

from ._errors import Error
from ._tensor_kinds import are_plain, is_transformed

_functions: Dict[str, Any] = {}


def register(op: Any, save: Callable[..., None], backward: Callable[..., Any]) -> None:
    """Gives an operator its derivative: that of torch.library, and of `call`."""
    op.register_autograd(backward, setup_context=save)

    class Function(torch.autograd.Function):
        """Its arguments are the leaves of the operator's, for autograd does not look into
        lists."""

        generate_vmap_rule = True

        @staticmethod
        def forward(spec: Any, *leaves: Any) -> Any:
            found = op(*tree_unflatten(list(leaves), spec))
            return tuple(found) if isinstance(found, list) else found

        @staticmethod
        def setup_context(ctx: Any, inputs: Tuple, output: Any) -> None:
            ctx.spec, *leaves = inputs
            save(ctx, tuple(tree_unflatten(leaves, ctx.spec)), output)

        @staticmethod
        def backward(ctx: Any, *gradients: Any) -> Tuple:
            needs = ctx.needs_input_grad
            try:
                ctx.needs_input_grad = tuple(tree_unflatten(list(needs[1:]), ctx.spec))
                found = backward(ctx, *gradients)
            finally:
                ctx.needs_input_grad = needs
            return (None, *tree_leaves(list(found)))

    _functions[op._opoverload._opname] = Function


def call(name: str, *arguments: Any) -> Any:
    """An operator, of which autograd, modes and transforms know."""
    if torch.compiler.is_compiling() or not is_transformed():
        return getattr(torch.ops.attn_mlir, name)(*arguments)
    leaves, spec = tree_flatten(list(arguments))
    return _functions[name].apply(spec, *leaves)


def register_vmap(op: Any) -> None:
    """One call for each entry of the batch: what regions capture, the seed of dropout and
    lengths may differ between these."""

    def select(value: Any, dim: Any, index: int) -> Any:
        if isinstance(value, (list, tuple)):
            return [select(*its, index) for its in zip(value, dim)]
        return value if dim is None else value.select(dim, index)

    def rule(info: Any, in_dims: Sequence[Any], *arguments: Any) -> Tuple[Any, Any]:
        if info.batch_size == 0:
            raise Error(f"attn_mlir::{op._opoverload._opname}: expected at least one entry "
                        "in the dimension of torch.vmap, found none")
        results = [op(*select(arguments, in_dims, index))
                   for index in range(info.batch_size)]
        if isinstance(results[0], torch.Tensor):
            return torch.stack(results), 0
        stacked = [torch.stack(its) for its in zip(*results)]
        kind = type(results[0])
        return kind(stacked), kind([0] * len(stacked))

    op.register_vmap(rule)


class _Attention(torch.autograd.Function):
    """Results are those of attn_mlir::attention_lse on plain tensors, whose arguments are
    taken apart."""

    @staticmethod
    def forward(q: Any, k: Any, v: Any, sink: Any, seed: Any, options: Tuple,
                *captures: Any) -> Tuple[torch.Tensor, torch.Tensor]:
        from . import _operators

        return _operators.run_lse(q, k, v, *options[:-1], list(captures), sink, options[-1],
                                  seed)

    @staticmethod
    def setup_context(ctx: Any, inputs: Tuple, output: Tuple) -> None:
        from . import _operators

        q, k, v, sink, seed, ctx.options, *captures = inputs
        _operators.save(ctx, (q, k, v, sink, *captures), output, seed)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Tuple:
        from . import _operators

        needs, (d_o, d_lse) = ctx.needs_input_grad, gradients
        found = _operators.differentiate(
            ctx, [*needs[:4], *needs[6:]], ctx.saved_tensors, d_o, d_lse)
        return (*found[:4], None, None, *found[4:])


def attention_lse(*arguments: Any) -> Tuple[torch.Tensor, torch.Tensor]:
    q, k, v, *options, captures, sink, dropout_p, seed = arguments
    if torch.compiler.is_compiling() or not are_plain((q, k, v, sink, seed, *captures)):
        return call("attention_lse", *arguments)
    return _Attention.apply(q, k, v, sink, seed, (*options, dropout_p), *captures)


def attention_backward(*arguments: Any) -> List[torch.Tensor]:
    from . import _operators

    if torch.compiler.is_compiling() or torch.is_grad_enabled():
        return call("attention_backward", *arguments)
    (*_, captures, _, _, sink, _, seed) = arguments
    if are_plain((*arguments[:7], sink, seed, *captures)):
        return _operators.run_backward(*arguments)
    return call("attention_backward", *arguments)
