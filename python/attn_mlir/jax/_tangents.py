"""Derivatives of attention: in forward mode by JAX's own operations, and in reverse mode by
kernels.

A primitive computes the derivative of a call of attention in the direction of tangents, in which
it is linear. For reverse mode, JAX transposes the primitive: its transpose is the kernel of
gradients. For forward mode (jvp), JAX computes the primitive, by the derivative of attention in
JAX's own operations (_plain.py), of which JAX also knows higher derivatives."""

import functools
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import jax
import jax.numpy as jnp
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir, xla

from ._ops import Labels, Shape, batch_rule, call_p, shapes_rule


class Tangent(NamedTuple):
    """The derivative of a call in the direction of tangents, as the parameter of the primitive
    `tangent_p`. Its operands are those of the call, the output and lse that the call returned, and
    the tangents of the operands whose numbers are in `linear`."""

    call: Any
    linear: Tuple[int, ...]

    @property
    def operands(self) -> Tuple[Labels, ...]:
        own = self.call.operands
        return (*own, *self.call.output_labels, *[own[number] for number in self.linear])

    @property
    def captured(self) -> Tuple[int, ...]:
        return tuple(getattr(self.call, "captured", ()))

    def results(self, sizes: Dict[str, int]) -> List[Tuple[Labels, Shape, Any]]:
        return self.call.results(sizes)

    def merged(self, sizes: Dict[str, int],
               batched: Sequence[Optional[int]]) -> Optional["Tangent"]:
        count = len(self.call.operands)
        if not all([self.call.operands[number][:1] == ("b",) and number not in self.captured
                    for number in self.linear]):
            return None
        other = self.call.merged(sizes, batched[:count])
        return other and Tangent(other, self.linear)


def _evaluate(op: Tangent, *operands: Any) -> List[Any]:
    inputs, tangents = operands[:len(op.call.operands)], operands[-len(op.linear):]

    def function(*some: Any) -> Tuple[Any, ...]:
        given = list(inputs)
        for number, its in zip(op.linear, some):
            given[number] = its
        return tuple(op.call.plain(*given)[:1 + op.call.return_lse])

    return list(jax.jvp(function, tuple([inputs[number] for number in op.linear]),
                        tuple(tangents))[1])


tangent_p = Primitive("attn_mlir_tangent")
tangent_p.multiple_results = True
tangent_p.def_impl(functools.partial(xla.apply_primitive, tangent_p))
tangent_p.def_abstract_eval(shapes_rule)
batching.primitive_batchers[tangent_p] = functools.partial(batch_rule, tangent_p)
mlir.register_lowering(tangent_p, mlir.lower_fun(
    lambda *operands, op: _evaluate(op, *operands), multiple_results=True))


def _differentiate(function: Callable[..., List[Any]], primals: Sequence[Any],
                   tangents: Sequence[Any]) -> List[Any]:
    """Returns the tangents of the results of `function`, which consists of JAX's own operations,
    for these primals and their tangents."""
    numbers = [number for number, its in enumerate(tangents) if type(its) is not ad.Zero]

    def of_some(*some: Any) -> Tuple[Any, ...]:
        given = list(primals)
        for number, its in zip(numbers, some):
            given[number] = its
        return tuple(function(*given))

    # With jax.checkpoint, reverse mode stores only the operands, and computes intermediate values
    # again.
    return list(jax.jvp(jax.checkpoint(of_some), tuple([primals[number] for number in numbers]),
                        tuple([tangents[number] for number in numbers]))[1])


def _jvp_of_tangent(primals: Any, tangents: Any, *, op: Tangent) -> Any:
    return (tangent_p.bind(*primals, op=op),
            _differentiate(functools.partial(_evaluate, op), primals, tangents))


ad.primitive_jvps[tangent_p] = _jvp_of_tangent


def differentiate_attention(op: Any, primals: Sequence[Any],
                            tangents: Sequence[Any]) -> Tuple[Any, Any]:
    """Returns the results of a call and their tangents, for a class that has `plain`, `pull_back`
    and `output_labels`. The tangents are results of the primitive `tangent_p`, so that kernels
    compute gradients."""
    linear = tuple([number for number, its in enumerate(tangents) if type(its) is not ad.Zero])
    found = call_p.bind(*primals, op=op._replace(return_lse=True))
    own = found[:1 + op.return_lse]
    return own, tangent_p.bind(*primals, *found, *[tangents[number] for number in linear],
                               op=Tangent(op, linear))


def _transpose(cotangents: Sequence[Any], *operands: Any, op: Tangent) -> List[Any]:
    count = len(op.call.operands)
    results: List[Any] = [None] * len(operands)
    first = len(operands) - len(op.linear)
    if all([type(its) is ad.Zero for its in cotangents]):
        return results
    d_output, *rest = cotangents
    inputs, (output, lse) = operands[:count], operands[count:first]
    if type(d_output) is ad.Zero:
        d_output = jnp.zeros(output.shape, output.dtype)
    d_lse = None if not rest or type(rest[0]) is ad.Zero else rest[0]
    results[first:] = op.call.pull_back(op.linear, inputs, output, lse, d_output, d_lse)
    return results


ad.primitive_transposes[tangent_p] = _transpose


def differentiate_plain(op: Any, primals: Sequence[Any],
                        tangents: Sequence[Any]) -> Tuple[Any, Any]:
    """Returns the results of a call and their tangents, for a class that has `plain` alone: JAX
    differentiates `plain` in both modes."""
    return (call_p.bind(*primals, op=op),
            _differentiate(op.plain, primals, tangents))
