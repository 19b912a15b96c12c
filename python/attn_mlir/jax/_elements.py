"""Translates the ops of a jaxpr, a traced score or mask function, into ops of a region, which
have single elements as operands.

An array within the jaxpr is represented by a Python function that maps indices to the element
at them. Each index is a Python integer, or a number that the region computes. Only elements
that are read are computed."""

import itertools
import math
from typing import Any, Callable, Dict, List, Sequence, Tuple

import jax.numpy as jnp
import numpy as np
from jax.lax import RoundingMethod

from .._errors import Error
from .._region import Number, Region
from ._dtypes import check_conversion, fit, widen
from ._functions import bend, cast, magnitude, power, round_away, shift, sign, times_log
from ._reductions import REDUCTIONS, Elements, Index, dot, find_extreme, of_bools, reduce
from ._residual import Op, error_of
from ._scalars import at_zero, call, divide, floor_divide, less, remainder, select


def _element_of(region: Region, which: Any, cases: Sequence[Elements], index: Index) -> Any:
    """Emits ops that choose among the elements at `index` of all `cases`. Returns that of the case
    with the number `which`, of the first case if that is negative, and of the last if it is too
    large."""
    result = cases[-1](index)
    for number in reversed(range(len(cases) - 1)):
        result = select(region, call(region, "less_equal", which, number),
                        cases[number](index), result)
    return result


def _choose(region: Region, op: Op, inputs: List[Elements]) -> Elements:
    """Returns the elements of the result of select_n, which chooses among arrays. If the number
    of the chosen array is known during tracing, elements of other arrays are not computed."""

    def at(index: Index) -> Any:
        which = inputs[0](() if op.input_shapes[0] == () else index)
        cases = inputs[1:]
        if not isinstance(which, Number):
            return cases[int(which)](index)
        if which._type == "i1":
            return select(region, which, cases[1](index), cases[0](index))
        return _element_of(region, which, cases, index)

    return at


# Maps the names of element-wise ops of JAX's to the names of the functions with the same meaning
# that regions have.
_SAME = {"add": "add", "add_any": "add", "sub": "subtract", "mul": "multiply",
         "max": "maximum", "min": "minimum", "eq": "equal", "ne": "not_equal",
         "le": "less_equal", "gt": "greater", "and": "bitwise_and", "or": "bitwise_or",
         "xor": "bitwise_xor", "not": "bitwise_not", "neg": "negative",
         "logistic": "sigmoid", "pow": "power"}
_SAME.update({name: name for name in (
    "exp exp2 expm1 log log1p sqrt rsqrt erf erfc tanh sin cos tan sinh cosh asin acos atan asinh "
    "acosh atanh atan2 cbrt floor ceil round logaddexp logaddexp2").split()})
_COPIES = ("copy", "copy_p", "stop_gradient", "reduce_precision", "optimization_barrier",
           "real", "pvary", "pcast")


def _no_kernel(region: Region, op: Op) -> Error:
    return error_of(region.argument, f"expected an op that has a kernel, found {op.name} of "
                    "JAX's; compute it outside of the function into an array that the function "
                    "reads")


def _elementwise(region: Region, op: Op, values: Sequence[Any]) -> Any:
    name, kind = op.name, op.input_kinds[0]
    if name == "lt":
        return less(region, *values)
    if name == "ge":
        below = less(region, *values) if isinstance(values[1], int) else None
        return True if below is False else call(region, "greater_equal", *values)
    if name == "round" and op.params["rounding_method"] == RoundingMethod.AWAY_FROM_ZERO:
        return round_away(region, values[0])
    if name in _SAME:
        return call(region, of_bools(_SAME[name], kind), *values)
    if name in _COPIES:
        return values[0]
    if name == "convert_element_type":
        check_conversion(region, op, values[0])
        return cast(region, values[0], op.kind)
    if name == "div":
        return divide(region, op, *values)
    if name == "floor_divide":
        return floor_divide(region, op, *values)
    if name == "rem":
        return remainder(region, op, *values)
    if name == "remainder":  # jnp.remainder by 0 is 0
        return at_zero(region, values[1], lambda: 0,
                       lambda: call(region, "remainder", *values))
    if name == "sign":
        return sign(region, values[0], kind)
    if name == "integer_pow":
        return power(region, values[0], op.params["y"], kind)
    if name == "square":
        return call(region, "multiply", values[0], values[0])
    if name in ("relu", "relu6"):
        return bend(region, values[0], name == "relu6")
    if name in ("shift_left", "shift_right_arithmetic", "shift_right_logical"):
        return shift(region, op, *values)
    if name in ("lt_to", "le_to") and kind != "f":
        return call(region, "less" if name == "lt_to" else "less_equal", *values)
    if name == "abs":
        return magnitude(region, values[0], kind)
    if name in ("xlogy", "xlog1py"):
        return times_log(region, *values, "log" if name == "xlogy" else "log1p")
    if name == "clamp" and kind == "f":
        # Where a float is equal to a bound, the result is the bound and not the float. So the
        # derivative of jax.lax.clamp there is 0, as in JAX.
        below = select(region, call(region, "less_equal", values[1], values[0]), values[0],
                       values[1])
        return select(region, call(region, "greater_equal", values[1], values[2]), values[2],
                      below)
    if name == "clamp":
        most, least = (of_bools(its, kind) for its in ("maximum", "minimum"))
        return call(region, least, call(region, most, values[1], values[0]), values[2])
    if name == "is_finite":
        return call(region, "less", call(region, "absolute", values[0]), math.inf)
    raise _no_kernel(region, op)


def _add(region: Region, start: Any, offset: Any) -> Any:
    if isinstance(offset, int) and offset == 0:
        return start
    if isinstance(start, int) and isinstance(offset, int):
        return start + offset
    return call(region, "add", start, offset)


def _within(region: Region, start: Any, most: int) -> Any:
    """Returns the start of a slice, clamped to the interval from 0 to `most`: within the array."""
    if isinstance(start, int):
        return min(max(start, 0), most)
    return call(region, "minimum", call(region, "maximum", start, 0), most)


def _in_part(region: Region, position: Any, part: int, size: int) -> Any:
    """Returns an index of a slice that has `part` of an array's `size` elements in a dimension. An
    index that the region computes is clamped to the slice, as JAX clamps it. Of whole dimensions,
    and of one element, no clamp is emitted, since reads of captured arrays clamp indices."""
    if part == size or part == 1 or isinstance(position, int):
        return 0 if part == 1 else position
    return _within(region, position, part - 1)


def _dynamic_slice(region: Region, op: Op, inputs: List[Elements]) -> Elements:
    sizes, slices = op.input_shapes[0], op.params["slice_sizes"]

    def at(index: Index) -> Any:
        starts = [its(()) for its in inputs[1:]]
        # JAX clamps the start of a slice, so that the slice lies within the array. No clamp is
        # emitted for a slice of one element, since reads of captured arrays clamp indices anyway.
        return inputs[0](tuple([
            position if size == its else _add(
                region, start if its == 1 else _within(region, start, size - its),
                _in_part(region, position, its, size))
            for start, size, its, position in zip(starts, sizes, slices, index)]))

    return at


def _gather(region: Region, op: Op, inputs: List[Elements]) -> Elements:
    numbers, mode = op.params["dimension_numbers"], str(op.params["mode"])
    sizes, slices = op.input_shapes[0], op.params["slice_sizes"]
    batching = tuple(getattr(numbers, "operand_batching_dims", ()))
    starts_batching = tuple(getattr(numbers, "start_indices_batching_dims", ()))
    fill = op.params.get("fill_value")
    if fill is None:
        fill = math.nan if op.kind == "f" else 0
    # As JAX does, rounds or wraps the fill to the array's dtype.
    with np.errstate(invalid="ignore"):
        rounded = np.asarray(fill).astype(jnp.dtype(op.dtype))
    fill = {"f": float, "b": bool}.get(op.kind, int)(rounded)

    def at(index: Index) -> Any:
        batch = [its for dim, its in enumerate(index) if dim not in numbers.offset_dims]
        offsets = [index[dim] for dim in numbers.offset_dims]
        position: List[Any] = [0] * len(sizes)
        kept = [dim for dim in range(len(sizes))
                if dim not in numbers.collapsed_slice_dims and dim not in batching]
        for dim, offset in zip(kept, offsets):
            position[dim] = _in_part(region, offset, slices[dim], sizes[dim])
        for dim, start_dim in zip(batching, starts_batching):
            position[dim] = batch[start_dim]
        inside: Any = True
        for place, dim in enumerate(numbers.start_index_map):
            start = inputs[1]((*batch, place))
            most = sizes[dim] - slices[dim]
            if "FILL" in mode:
                for outside in (less(region, start, 0),
                                call(region, "greater", start, most)):
                    if outside is not False:
                        kept_here = call(region, "bitwise_not", outside)
                        inside = kept_here if inside is True else call(
                            region, "bitwise_and", inside, kept_here)
            if slices[dim] != 1:
                start = _within(region, start, most)
            position[dim] = _add(region, start, position[dim])
        return select(region, inside, inputs[0](tuple(position)), fill)

    return at


def _concatenate(region: Region, op: Op, inputs: List[Elements]) -> Elements:
    dim = op.params["dimension"]

    def at(index: Index) -> Any:
        ends = list(itertools.accumulate([shape[dim] for shape in op.input_shapes]))
        begins = [0, *ends[:-1]]
        parts = [lambda its=its, begin=begin: its(
            (*index[:dim], _add(region, index[dim], -begin), *index[dim + 1:]))
            for its, begin in zip(inputs, begins)]
        if isinstance(index[dim], int):
            return parts[next(n for n, end in enumerate(ends) if index[dim] < end)]()
        result = parts[-1]()
        for part, end in reversed(list(zip(parts[:-1], ends[:-1]))):
            result = select(region, call(region, "less", index[dim], end), part(), result)
        return result

    return at


def _stack(region: Region, op: Op, inputs: List[Elements]) -> Elements:
    dim = op.params["axis"]

    def at(index: Index) -> Any:
        which, rest = index[dim], (*index[:dim], *index[dim + 1:])
        if isinstance(which, int):
            return inputs[which](rest)
        return _element_of(region, which, inputs, rest)

    return at


def _pad(region: Region, op: Op, inputs: List[Elements]) -> Elements:
    """Emits lax.pad. An index of a dimension with padding between elements must be known during
    tracing."""
    sizes, config = op.input_shapes[0], op.params["padding_config"]

    def at(index: Index) -> Any:
        position: List[Any] = []
        inside: Any = True
        for its, size, (low, high, between) in zip(index, sizes, config):
            place = _add(region, its, -low)
            if isinstance(place, int):
                place, rest = divmod(place, between + 1)
                if rest or not 0 <= place < size:
                    inside = False
                position.append(place)
                continue
            if between:
                raise _no_kernel(region, op)
            for is_here, test in ((low > 0, lambda: call(region, "greater_equal", place, 0)),
                                  (high > 0, lambda: call(region, "less", place, size))):
                if is_here and inside is not False:
                    inside = test() if inside is True else call(
                        region, "bitwise_and", inside, test())
            position.append(_within(region, place, size - 1))
        if inside is False or 0 in sizes:
            return inputs[1](())
        return select(region, inside, inputs[0](tuple(position)), inputs[1](()))

    return at


def _reshape(region: Region, op: Op, inputs: List[Elements]) -> Elements:
    before, after = op.input_shapes[0], op.shape
    kept = [size for size in before if size != 1]
    if kept != [size for size in after if size != 1]:
        raise error_of(region.argument, "expected reshapes that add or remove dimensions of "
                       f"one element, found one of {before} to {after}")

    def at(index: Index) -> Any:
        rest = iter([its for its, size in zip(index, after) if size != 1])
        return inputs[0](tuple([0 if size == 1 else next(rest) for size in before]))

    return at


def _move(region: Region, op: Op, inputs: List[Elements]) -> Elements:
    """Returns the elements of the result of broadcast_in_dim, squeeze, rev or transpose. Each is an
    element of the input, which is read at other indices."""
    params, rank = op.params, len(op.input_shapes[0])
    if op.name == "broadcast_in_dim":
        sizes, dims = op.input_shapes[0], params["broadcast_dimensions"]
        return lambda index: inputs[0](tuple(
            [0 if size == 1 else index[dim] for dim, size in zip(dims, sizes)]))
    if op.name == "squeeze":
        kept = [dim for dim in range(rank) if dim not in params["dimensions"]]

        def at(index: Index) -> Any:
            position: List[Any] = [0] * rank
            for dim, its in zip(kept, index):
                position[dim] = its
            return inputs[0](tuple(position))

        return at
    if op.name == "rev":
        return lambda index: inputs[0](tuple(
            [its if dim not in params["dimensions"] else size - 1 - its
             if isinstance(its, int) else call(region, "subtract", size - 1, its)
             for dim, (its, size) in enumerate(zip(index, op.shape))]))
    order = params["permutation"]
    return lambda index: inputs[0](tuple([index[order.index(dim)] for dim in range(rank)]))


def elements_of(region: Region, op: Op, inputs: List[Elements]) -> Elements:
    """Returns the function that maps indices to the elements of the result of `op`, from such
    functions of its inputs."""
    if op.name in ("broadcast_in_dim", "rev", "squeeze", "transpose"):
        return _move(region, op, inputs)
    makers: Dict[str, Callable[..., Elements]] = {
        "dynamic_slice": _dynamic_slice, "gather": _gather, "reshape": _reshape,
        "concatenate": _concatenate, "select_n": _choose, "stack": _stack,
        "dot_general": dot, "pad": _pad,
        "argmax": find_extreme, "argmin": find_extreme,
        **{name: reduce for name in REDUCTIONS}}
    if op.name in makers:
        return makers[op.name](region, op, inputs)
    if op.name == "slice":
        starts, strides = op.params["start_indices"], op.params["strides"]
        if strides is None or set(strides) <= {1}:
            return lambda index: inputs[0](tuple(
                [_add(region, _in_part(region, its, part, size), start) for its, start, part, size
                 in zip(index, starts, op.shape, op.input_shapes[0])]))
    for shape in op.input_shapes:
        if shape and (len(shape) != len(op.shape) or any(
                [size not in (1, whole) for size, whole in zip(shape, op.shape)])):
            raise _no_kernel(region, op)
    known: Dict[Tuple[Any, ...], Any] = {}

    def at(index: Index) -> Any:
        key = tuple([its._name if isinstance(its, Number) else its for its in index])
        if key not in known:
            # Dimensions of one element are broadcast.
            values = [its(tuple([0 if size == 1 else position
                                 for position, size in zip(index, shape)]))
                      for its, shape in zip(inputs, op.input_shapes)]
            known[key] = fit(region, op, _elementwise(region, op, widen(op, values)))
        return known[key]

    return at
