"""The set `backward`: times the gradients of attention, without the forward pass, which runs
before."""

from typing import Any, List, Tuple

import attn_mlir

from .._errors import Error
from ._flash_peers import FA3, FA4, Flash, FlexFlash, without_lse
from ._machine import Function
from ._peers import Arrays, Flex, Kind, OfTorch, Own, Problem, by_name
from ._reference import differentiate
from ._shapes import Shape


def _make_problem(machine: Any, shape: Shape) -> Problem:
    d_output = machine.make_heads(shape, 3, shape.heads, shape.rows, shape.value_head_dim)
    arrays = *machine.make_arrays(shape), d_output
    return Problem(shape, arrays, differentiate(machine, shape, arrays)[0])


class _Own(Own):
    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v, d_o = arrays
        causal = "top_left" if shape.causal else False
        o, lse = attn_mlir.attention(q, k, v, causal=causal, return_lse=True)
        return lambda: attn_mlir.attention_backward(q, k, v, o, lse, d_o, causal=causal)


class _CuDNN(OfTorch):
    """cuDNN's gradients by torch's backward operator, which is called directly, so that its time
    does not include autograd's overhead."""

    name = "cudnn"

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v, d_o = arrays
        ops, causal = self.machine.torch.ops.aten, shape.causal
        o, lse, *lengths, seed, offset, _ = ops._scaled_dot_product_cudnn_attention(
            q, k, v, None, True, 0.0, causal, False)
        return lambda: ops._scaled_dot_product_cudnn_attention_backward(
            d_o, q, k, v, o, lse, seed, offset, None, *lengths, 0.0, causal)


class _FA2(OfTorch):
    name = "fa2"

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v, d_o = arrays
        ops, causal = self.machine.torch.ops.aten, shape.causal
        o, lse, *lengths, seed, offset, _ = ops._scaled_dot_product_flash_attention(
            q, k, v, 0.0, causal, False)
        return lambda: ops._scaled_dot_product_flash_attention_backward(
            d_o, q, k, v, o, lse, *lengths, 0.0, causal, seed, offset)


def with_gradients(arrays: Tuple[Any, ...]) -> List[Any]:
    """Returns tensors with the same memory that require gradients, as leaves of autograd's
    graph."""
    return [array.detach().requires_grad_() for array in arrays]


def of_autograd(output: Any, inputs: List[Any], d_output: Any) -> Function:
    if not output.requires_grad:
        raise Error("has no gradients")
    import torch

    return lambda: torch.autograd.grad(output, inputs, d_output, retain_graph=True)


class _Flex(Flex):
    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        import torch._functorch.config as config

        inputs = with_gradients(arrays[:3])
        attention = self.compile(shape, arrays[0].device)
        # Turns off donated buffers, so that torch.compile does not reuse the memory of tensors that
        # the forward pass saved: the backward pass runs several times.
        with config.patch(donated_buffer=False):
            return of_autograd(attention(*inputs), inputs, arrays[3])


class _FlexFlash(_Flex, FlexFlash):
    pass


class _Flash(Flash):
    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        causal = self.check_causal(shape)
        *inputs, d_o = (array.transpose(1, 2) for array in arrays)
        inputs = with_gradients(tuple(inputs))
        output = without_lse(self.module.flash_attn_func(*inputs, causal=causal))
        return of_autograd(output, inputs, d_o)

    def get_output(self, result: Any) -> Any:
        return [array.transpose(1, 2) for array in result]


class _FA3(_Flash, FA3):
    pass


class _FA4(_Flash, FA4):
    pass


KIND = Kind(_make_problem, _Own, by_name(_CuDNN, _FA2, _Flex, _FA3, _FA4, _FlexFlash))
