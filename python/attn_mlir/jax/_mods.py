"""Makes regions of score and mask functions that compute with JAX."""

import re
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import jax

from .. import mask as masks
from .. import score as scores
from .._arrays import expected
from .._reads import (COMPUTED, MOST_PLACES, POSITIONS, Dims, find_dims, find_places,
                      find_reads)
from .._region import Number, Region
from .._traced import Traced, record_region
from ._elements import elements_of
from ._residual import ARGUMENTS, Capture, Residual, Value, make_residual
from ._scalars import call
from ._target import ELEMENTS

_INTEGERS = {"score_mod": "i32", "mask_mod": "index"}


# An array that a region captures: its number among all arrays of the residual program, and the
# number of its copy, of which most arrays have one, 0.
Place = Tuple[int, int]


class Captured(NamedTuple):
    """The shape of a captured array, and the name that JAX gives its dtype."""

    shape: Tuple[int, ...]
    dtype: str


class _Array:
    """A captured array as a region sees it. `computed` are the sizes of its first dimensions if
    its MLIR type has them as static sizes: the region reads these dimensions at computed indices,
    and the array has a gradient. All other sizes are dynamic."""

    def __init__(self, shape: Sequence[int], dtype: str, place: Optional[Place] = None,
                 computed: Sequence[int] = ()) -> None:
        self.shape, self.dtype, self.place = tuple(shape), ELEMENTS[dtype], place
        self.computed = computed


class _Region(Region):
    wraps = False

    def capture(self, array: Any, last: str = "?") -> str:
        for number, known in enumerate(self.arrays):
            if known is array:
                return f"%c{number}"
        rank = len(array.shape)
        sizes = [str(size) for size in array.computed]
        sizes += ["?"] * (rank - len(sizes))
        type_ = f"memref<{array.dtype}>" if rank == 0 else (
            f"memref<{'x'.join(sizes)}x{array.dtype}, "
            f"strided<[{', '.join(['?'] * (rank - 1) + ['1'])}]>>")
        self.arrays.append(array)
        self.elements.append(array.dtype)
        self.types.append(type_)
        return f"%c{len(self.arrays) - 1}"

    def name_of(self, array: Any) -> str:
        number = "" if array.place is None else f" {array.place[0]}"
        return f"{self.argument}: captured array{number} of shape {array.shape}"


class View(NamedTuple):
    """A view of a captured array, which a kernel reads instead of the array: it can compute the
    gradient of the view, from which JAX derives that of the array. The view has first the
    dimensions that the region reads at computed indices, then some of batch entries, heads,
    rows and keys."""

    dims: Dims
    # For each dimension of the view after those with computed indices, the position that is its
    # index, by its number among (b, h, q, kv).
    positions: Tuple[int, ...]
    sizes: Tuple[int, ...]
    # The dimension of the view along which the array is repeated, so that the view's gradient is
    # summed over it, or None.
    repeated: Optional[int]


def make_view(text: str, number: int, shape: Sequence[int], problem: Sequence[int],
              name: str) -> Optional[View]:
    """Returns the view through which the region `text` can read its captured array `number`, or
    None if it does not read the array. Raises if there is no such view."""
    try:
        dims = find_dims(text, number, shape, problem)
    except jax.errors.InconclusiveDimensionOperation:
        raise expected(name, "numbers of rows, keys, heads and batch entries that are constants, "
                       "for a gradient", "symbolic ones of jax.export") from None
    if isinstance(dims, str):
        raise expected(name, *dims.removeprefix("expected ").split(", found ", 1))
    if dims is None:
        return None
    own = [position for position in dims.positions if position is not None]
    missing = {2, 3} - set(own) if {2, 3} & set(own) else set()
    positions = sorted([its for its in [*own, *missing] if its != COMPUTED])
    computed = [shape[dim] for dim, its in enumerate(dims.positions) if its == COMPUTED]
    repeated = len(computed) + positions.index(min(missing)) if missing else None
    return View(dims, tuple(positions),
                (*computed, *[problem[position] for position in positions]), repeated)


def view_of(array: Any, view: View, problem: Sequence[int]) -> Any:
    """Computes the view of an array by JAX's operations: slices and transposes the array, and
    repeats it along `view.repeated`."""
    import jax.numpy as jnp

    part = tuple([element if position is None else
                  slice(0, array.shape[dim] if position == COMPUTED else problem[position])
                  for dim, (position, element) in enumerate(zip(*view.dims))])
    own = [position for position in view.dims.positions if position is not None]
    order = sorted(range(len(own)), key=lambda dim: own[dim])
    found = array[part].transpose(order)
    if view.repeated is None:
        return found
    return jnp.broadcast_to(jnp.expand_dims(found, view.repeated), view.sizes)


class Merge(NamedTuple):
    """Describes how the calls of a vmap were joined to one call. The batch of that call has, one
    after another, the `batch` entries of each joined call. The captured arrays whose numbers are in
    `captures` have the vmap's dimension first; all joined calls share the other captured arrays."""

    batch: int
    captures: frozenset


class Mod:
    """A traced score or mask function. Functions with equal text, shapes and dtypes are equal, and
    compile to equal kernels.

    `captures` are the arrays that the function's region reads, in the region's order. `numbers`
    has the number of each among all arrays that the residual program captures. Of the arrays whose
    numbers are in `divided`, the region captures a copy for each list of indices at which it reads
    them, and `places` has the array's number and that of the copy."""

    def __init__(self, residual: Residual, captured: Sequence[Captured],
                 merges: Tuple[Merge, ...] = (), divided: frozenset = frozenset()) -> None:
        self.residual, self.captured, self.merges = residual, tuple(captured), merges
        self.divided = divided
        self.text, self.places = self.emit()
        self.numbers = tuple([number for number, _ in self.places])
        self.captures = tuple([self.captured[number] for number in self.numbers])
        self._key = (residual.argument, self.text, self.captures, residual.own_rule)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mod) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<{self.residual.argument} with {len(self.captures)} captured arrays>"

    def name_of(self, number: int) -> str:
        """Returns the description of the region's captured array `number` for error messages."""
        return (f"{self.residual.argument}: captured array {number} of shape "
                f"{self.captures[number].shape}")

    def merged(self, batch: int, batched: Sequence[Optional[int]]) -> "Mod":
        """Returns this function for a call that joins the calls of a vmap, each of which has
        `batch` batch entries. `batched` has an element for each captured array: None, or the size
        of the vmap's dimension, which the array then has first."""
        captured = list(self.captured)
        for number, size in zip(self.numbers, batched):
            if size is not None:
                its = captured[number]
                captured[number] = Captured((size, *its.shape), its.dtype)
        its = frozenset(number for number, size in zip(self.numbers, batched)
                        if size is not None)
        return Mod(self.residual, captured, (*self.merges, Merge(batch, its)), self.divided)

    def with_copies(self, numbers: Sequence[int]) -> "Mod":
        """Returns this function with a copy of each of the captured arrays `numbers` for each list
        of indices at which the region reads it, so that each copy has a gradient. An array with
        more lists than MOST_PLACES has no copies, and so no gradient."""
        lines = self.text.split("\n")
        divided = frozenset(self.numbers[number] for number in numbers
                            if 1 < len(find_places(lines, number)) <= MOST_PLACES)
        return Mod(self.residual, self.captured, self.merges, divided) if divided else self

    def reads(self, position: int) -> bool:
        """Whether the region uses the position with this number: 0 is b, 1 is h, 2 is q and 3 is
        kv."""
        name, body = f"%{'bhij'[position]}", self.text.partition("\n")[2]
        used = re.findall(r"%\w+", body)
        # Each score region begins with a conversion of every position to i32. The conversion counts
        # as a use of the position only if its result is used.
        cast = re.search(rf"(%\d+) = arith.index_cast {name} : index to i32\n", body)
        return used.count(name) > (cast is not None) or (
            cast is not None and used.count(cast[1]) > 1)

    def dims_at(self, number: int) -> List[Tuple[Any, ...]]:
        return find_reads(self.text, number)

    def region(self, problem: Sequence[int], views: Dict[int, View] = {},
               offsets: Sequence[int] = (), local: Dict[int, Tuple[Optional[str], ...]] = {}
               ) -> Traced:
        """Returns the region's text, with the shapes of the arrays that it captures. A captured
        array in `views` is read through its view. For each position in `offsets` the region
        captures a scalar, after all arrays, and adds it to the position. `local` has labels of the
        dimensions of captured arrays: devices divide those with "b" or "h"."""
        text, _ = self.emit(views, offsets, local)
        shapes = [views[number].sizes if number in views else its.shape
                  for number, its in enumerate(self.captures)]
        arrays = [_Array(shape, its.dtype) for shape, its in zip(shapes, self.captures)]
        arrays += [_Array((), "int32")] * len(offsets)
        return Traced(text, arrays)

    def emit(self, views: Dict[int, View] = {}, offsets: Sequence[int] = (),
             local: Dict[int, Tuple[Optional[str], ...]] = {}
             ) -> Tuple[str, Tuple[Place, ...]]:
        """Returns the region's text, as the method `region` does, and the places of the arrays that
        the region captures, in the order of its arguments."""
        argument = self.residual.argument
        region = _Region(argument, _INTEGERS[argument])
        order: Dict[Place, int] = {}
        arrays: Dict[Place, _Array] = {}
        if views or offsets:
            # With views or offsets, the region first captures all arrays, in the order of the
            # region without views and offsets. So each array has the same number in both regions.
            order = {place: number for number, place in enumerate(self.places)}
            for place, number in order.items():
                view, its = views.get(number), self.captures[number]
                sizes = its.shape if view is None else view.sizes
                computed = () if view is None else sizes[:len(sizes) - len(view.positions)]
                arrays[place] = _Array(sizes, its.dtype, place, computed)
                region.capture(arrays[place])
        extra = [_Array((), "int32") for _ in offsets]
        for array in extra:
            region.capture(array)
        emitter = _Emitter(self, region, arrays, views, order,
                           dict(zip(offsets, extra)), local)
        record = scores.record if argument == "score_mod" else masks.record
        text = record_region(region, emitter.emit, record)
        return text, tuple([array.place for array in region.arrays if array.place is not None])


class _Emitter:
    def __init__(self, mod: Mod, region: _Region, arrays: Dict[Place, _Array],
                 views: Dict[int, View], order: Dict[Place, int], offsets: Dict[int, _Array],
                 local: Dict[int, Tuple[Optional[str], ...]]) -> None:
        # For each divided array, the number of the copy that is read at a list of indices.
        self.copies: Dict[int, Dict[Any, int]] = {number: {} for number in mod.divided}
        self.mod, self.region, self.arrays = mod, region, arrays
        self.views, self.order, self.offsets, self.local = views, order, offsets, local

    def emit(self, *arguments: Number) -> Any:
        region, residual = self.region, self.mod.residual
        self.positions = list(arguments[-4:])
        self.own = list(self.positions)
        for position, array in self.offsets.items():
            offset = region.read(array, ())
            self.own[position] = call(region, "add", self.positions[position], offset)
        values: Dict[int, Any] = {}
        batch: Any = self.own[0]
        self.entries: List[Any] = []
        for merge in reversed(self.mod.merges):
            entry = batch if merge.batch == 1 else call(region, "floor_divide", batch,
                                                        merge.batch)
            batch = 0 if merge.batch == 1 else call(region, "remainder", batch, merge.batch)
            self.entries.append((entry, merge.captures))
        names = ARGUMENTS[residual.argument]
        for number, its in enumerate([*arguments[:len(names) - 4], batch, *self.own[1:]]):
            values[number] = lambda index, its=its: its

        def elements(its: Any) -> Any:
            if isinstance(its, Value):
                return values[its.number]
            if isinstance(its, Capture):
                return lambda index: self.read(its.number, index)
            return lambda index: its

        for op in residual.ops:
            values[op.result] = elements_of(region, op, [elements(its) for its in op.inputs])
        result = elements(residual.result)(())
        if isinstance(result, Number):
            return result
        return region.constant(bool(result) if residual.result_kind == "b"
                               else float(result))

    def read(self, number: int, index: Tuple[Any, ...]) -> Any:
        its = self.mod.captured[number]
        if its.dtype not in ELEMENTS:
            raise expected(f"{self.mod.residual.argument}: captured array of shape {its.shape}",
                           f"dtype {', '.join(ELEMENTS)}", its.dtype)
        entries = tuple([entry for entry, captures in self.entries if number in captures])
        index = (*entries, *index)
        copies = self.copies.get(number, {})
        names = tuple([its._name if isinstance(its, Number) else its for its in index])
        place = number, copies.setdefault(names, len(copies)) if number in self.copies else 0
        array = self.arrays.setdefault(place, _Array(its.shape, its.dtype, place))
        captured = self.order.get(place, -1)
        labels = self.local.get(captured)
        if labels:
            # If devices divide a dimension of batch entries or heads, it is indexed by the position
            # within this device's part.
            index = tuple([its if label is None else self.positions["bh".index(label)]
                           for its, label in zip(index, labels)])
        view = self.views.get(captured)
        if view is not None:
            computed = [its for its, position in zip(index, view.dims.positions)
                        if position == COMPUTED]
            index = (*computed, *[self.positions[position] for position in view.positions])
        return self.region.read(array, index)


def trace(function: Optional[Callable[..., Any]],
          argument: str) -> Tuple[Optional[Mod], List[Any]]:
    """Traces a score or mask function. Returns the traced function, and the arrays that its region
    captures, in the region's order. Without a function, returns None and no arrays."""
    if function is None:
        return None, []
    residual, arrays = make_residual(function, argument)
    mod = Mod(residual, [Captured(tuple(its.shape), its.dtype.name) for its in arrays])
    return mod, [arrays[number] for number in mod.numbers]


assert POSITIONS == ("b", "h", "q", "kv")
