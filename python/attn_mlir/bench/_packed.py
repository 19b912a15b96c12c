"""The set `packed`: attention of documents that follow each other in one array, and its
gradients."""

from typing import Any

import attn_mlir

from .._packed import varlen_backward
from ._flash_peers import FA3, FA4, Flash, without_lse
from ._gradients import of_autograd, with_gradients
from ._machine import Function
from ._peers import Arrays, Kind, Own, Problem, by_name
from ._reference import attend, differentiate
from ._shapes import Shape
from ._variants import document_ends, make_documents


def _pack(array: Any) -> Any:
    """Converts an array (batch, head, row, head dim) to a packed one, (token, head, head dim)."""
    batch, heads, rows, width = array.shape
    return array.swapaxes(1, 2).reshape(batch * rows, heads, width)


def _make_problem(machine: Any, shape: Shape) -> Problem:
    """Returns the problem of a shape. Its arrays are query, key, value and the output's gradient,
    the tokens at which documents begin and end, and the number of tokens of the longest document.
    The reference is attention with a mask by documents."""
    rule = make_documents(machine, shape).rule
    heads = (*machine.make_arrays(shape),
             machine.make_heads(shape, 3, shape.heads, shape.rows, shape.value_head_dim))
    if shape.is_backward:
        references, pairs = differentiate(machine, shape, heads, rule)
    else:
        reference, pairs = attend(machine, shape, heads[:3], rule)
        references = [reference]
    ends = [0] + [b * shape.rows + end for b, its in enumerate(document_ends(shape))
                  for end in its]
    longest = max(end - first for first, end in zip(ends, ends[1:]))
    return Problem(
        shape._replace(pairs=pairs),
        (*map(_pack, heads), machine.array(ends, "i32"), longest),
        [its._replace(exact=_pack(its.exact)) for its in references])


class _Own(Own):
    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v, d_o, ends, _ = arrays
        causal = shape.causal
        if not shape.is_backward:
            return lambda: attn_mlir.varlen(q, k, v, ends, causal=causal)
        o, lse = attn_mlir.varlen(q, k, v, ends, causal=causal, return_lse=True)
        return lambda: varlen_backward(q, k, v, o, lse, d_o, ends, ends, causal=causal)


class _Flash(Flash):
    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        *inputs, d_o, ends, longest = arrays

        def attend_packed(*inputs: Any) -> Any:
            return self.module.flash_attn_varlen_func(
                *inputs, cu_seqlens_q=ends, cu_seqlens_k=ends, max_seqlen_q=longest,
                max_seqlen_k=longest, causal=shape.causal)

        if not shape.is_backward:
            return lambda: without_lse(attend_packed(*inputs))
        inputs = with_gradients(tuple(inputs))
        return of_autograd(without_lse(attend_packed(*inputs)), inputs, d_o)

    def get_output(self, result: Any) -> Any:
        return result


class _FA3(_Flash, FA3):
    pass


class _FA4(_Flash, FA4):
    pass


KIND = Kind(_make_problem, _Own, by_name(_FA3, _FA4))
