"""The set `masks`: attention with masks, score functions, sinks and dropout."""

from typing import Any

import attn_mlir

from .._errors import Error
from ._flash_peers import FlexFlash
from ._machine import Function
from ._peers import FA2, Arrays, CuDNN, Flex, Kind, OfTorch, Own, Problem, by_name
from ._reference import attend
from ._shapes import Shape
from ._variants import VARIANTS


def _make_problem(machine: Any, shape: Shape) -> Problem:
    variant = VARIANTS[shape.variant](machine, shape)
    arrays = machine.make_arrays(shape)
    reference, pairs = attend(machine, shape, arrays, variant.rule)
    return Problem(shape._replace(pairs=pairs), (*arrays, variant), [reference])


class _Own(Own):
    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v, variant = arrays
        causal = "top_left" if shape.causal else False
        return lambda: attn_mlir.attention(q, k, v, causal=causal, **variant.own)


class _SDPA(OfTorch):
    """torch's scaled_dot_product_attention, which has none of the variants except a causal
    mask."""

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        if shape.variant not in ("plain", "causal-mod"):
            raise Error("expected no variant but plain and causal-mod")
        causal = shape.causal or shape.variant == "causal-mod"
        return super().prepare(shape._replace(causal=causal), arrays[:3])


class _CuDNN(_SDPA, CuDNN):
    pass


class _FA2(_SDPA, FA2):
    pass


class _Flex(Flex):
    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v, variant = arrays
        if variant.rule.sink is not None or variant.rule.keep is not None:
            raise Error("expected a score function or a mask function")
        attention = self.compile(shape, q.device, variant.rule.mask_mod,
                                 score_mod=variant.rule.score_mod)
        return lambda: attention(q, k, v)


class _FlexFlash(_Flex, FlexFlash):
    pass


KIND = Kind(_make_problem, _Own, by_name(_CuDNN, _FA2, _Flex, _FlexFlash))
