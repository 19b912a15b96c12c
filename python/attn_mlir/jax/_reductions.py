"""Sums and the like in a score or mask function, which are unrolled: each becomes ops of a region on
single elements."""

import itertools
import math
from typing import Any, Callable, List, Tuple

from .._region import Region
from ._dtypes import fit, widen
from ._residual import Op, error_of
from ._scalars import call, select

Index = Tuple[Any, ...]
Elements = Callable[[Index], Any]
# The largest number of elements that a reduction may have.
_MOST = 64
REDUCTIONS = {"reduce_sum": "add", "reduce_max": "maximum", "reduce_min": "minimum",
               "reduce_prod": "multiply", "reduce_and": "bitwise_and",
               "reduce_or": "bitwise_or"}


def of_bools(name: str, kind: str) -> str:
    """Returns the name of the function of regions that computes the function `name` of operands of
    this kind. Those of "maximum" and "minimum" give integers for two bools."""
    if kind != "b":
        return name
    return {"maximum": "bitwise_or", "minimum": "bitwise_and"}.get(name, name)


def reduce(region: Region, op: Op, inputs: List[Elements]) -> Elements:
    sizes, axes = op.input_shapes[0], op.params["axes"]
    count = math.prod([sizes[axis] for axis in axes])
    if not 1 <= count <= _MOST:
        raise error_of(region.argument, f"expected sums and the like of 1 to {_MOST} "
                       f"elements, found {op.name} of {count}; compute it outside of the "
                       "function into an array that the function reads")

    function = of_bools(REDUCTIONS[op.name], op.kind)

    def at(index: Index) -> Any:
        result = None
        for its in itertools.product(*[range(sizes[axis]) for axis in axes]):
            position, rest = [], iter(index)
            for dim in range(len(sizes)):
                position.append(its[axes.index(dim)] if dim in axes else next(rest))
            element = inputs[0](tuple(position))
            result = element if result is None else call(
                region, function, *widen(op, [result, element]))
        return fit(region, op, result)

    return at


def find_extreme(region: Region, op: Op, inputs: List[Elements]) -> Elements:
    """Emits argmax or argmin along one dimension: the index of the first NaN or, without one, of
    the first of the largest, or of the smallest, elements."""
    axis, = op.params["axes"]
    size = op.input_shapes[0][axis]
    if not 1 <= size <= _MOST:
        raise error_of(region.argument, f"expected {op.name} of 1 to {_MOST} elements, "
                       f"found {size}; compute it outside of the function into an array that "
                       "the function reads")
    is_better = "greater" if op.name == "argmax" else "less"

    def at(index: Index) -> Any:
        result, best = 0, None
        for number in range(size):
            element = inputs[0]((*index[:axis], number, *index[axis:]))
            if best is None:
                best = element
                continue
            found = call(region, is_better, element, best)
            if op.input_kinds[0] == "f":
                is_nan, is_other = (call(region, name, its, its) for name, its in
                                    (("not_equal", element), ("equal", best)))
                found = call(region, "bitwise_or", found, call(
                    region, "bitwise_and", is_nan, is_other))
            result, best = select(region, found, number, result), select(region, found, element,
                                                                         best)
        return result

    return at


def dot(region: Region, op: Op, inputs: List[Elements]) -> Elements:
    """Emits products of arrays, each of whose sums is unrolled."""
    (summed, batches) = op.params["dimension_numbers"]
    count = math.prod([op.input_shapes[0][dim] for dim in summed[0]])
    kinds = {op.kind, *op.input_kinds}
    # Integers times floats are products of floats, as of jnp.dot(positions, weights).
    is_mixed = op.dtype == "float32" and set(op.input_kinds) == {"f", "i"}
    if not 1 <= count <= _MOST or not (is_mixed or kinds in ({"f"}, {"i"})):
        raise error_of(region.argument, f"expected sums of 1 to {_MOST} products of floats "
                       f"or of integers, found dot_general of {count} that is of {op.dtype}; "
                       "compute it outside of the function into an array that the function reads")
    free = [[dim for dim in range(len(shape)) if dim not in (*mine, *shared)]
            for shape, mine, shared in zip(op.input_shapes, summed, batches)]

    def at(index: Index) -> Any:
        shared, rest = index[:len(batches[0])], iter(index[len(batches[0]):])
        places = [dict(zip(its, shared)) for its in batches]
        for place, dims in zip(places, free):
            place.update([(dim, next(rest)) for dim in dims])
        result = None
        for its in itertools.product(*[range(op.input_shapes[0][dim]) for dim in summed[0]]):
            factors = []
            for place, dims, elements in zip(places, summed, inputs):
                place.update(zip(dims, its))
                factors.append(elements(tuple([place[dim] for dim in range(len(place))])))
            product = call(region, "multiply", *widen(op, factors))
            result = product if result is None else call(region, "add", result, product)
        return fit(region, op, result)

    return at
