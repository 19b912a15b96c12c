"""Score and mask functions of JAX's as regions."""

import re
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from .. import mask as masks
from .. import score as scores
from .._arrays import expected
from .._reads import COMPUTED, POSITIONS, Dims, find_dims, find_reads
from .._region import Number, Region
from .._traced import Traced, record_region
from ._elements import _call, elements_of
from ._residual import ARGUMENTS, Capture, Residual, Value, make_residual
from ._target import ELEMENTS

_INTEGERS = {"score_mod": "i32", "mask_mod": "index"}


class Captured(NamedTuple):
    """A captured array's shape and dtype, as JAX names that."""

    shape: Tuple[int, ...]
    dtype: str


class _Array:
    """A captured array in a region. `computed` are the static sizes of its first dimensions,
    which the type has."""

    def __init__(self, shape: Sequence[int], dtype: str, number: int,
                 computed: Sequence[int] = ()) -> None:
        self.shape, self.dtype, self.number = tuple(shape), ELEMENTS[dtype], number
        self.computed = computed


class _Region(Region):
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
        return f"{self.argument}: captured array {array.number} of shape {array.shape}"


class View(NamedTuple):
    """The view that a kernel reads instead of a captured array, and whose gradient it computes."""

    dims: Dims
    # Numbers of positions, after computed dimensions.
    positions: Tuple[int, ...]
    sizes: Tuple[int, ...]
    # The dimension to sum over, or None.
    repeated: Optional[int]


def make_view(text: str, number: int, shape: Sequence[int], problem: Sequence[int],
              name: str) -> Optional[View]:
    """None where nothing reads the array."""
    dims = find_dims(text, number, shape, problem)
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
    """The view of an array of JAX's."""
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
    """Says how a vmap's entries were joined to one batch: each has `batch` batch entries, and
    the arrays in `captures` have the vmap's dimension first."""

    batch: int
    captures: frozenset


class Mod:
    """A traced function. Equal ones compile to equal kernels.

    `captures` are the arrays that its region reads, in the region's order; `numbers` are
    theirs among those of the residual program."""

    def __init__(self, residual: Residual, captured: Sequence[Captured],
                 merges: Tuple[Merge, ...] = ()) -> None:
        self.residual, self.captured, self.merges = residual, tuple(captured), merges
        self.text, self.numbers = self.emit()
        self.captures = tuple([self.captured[number] for number in self.numbers])
        self._key = (residual.argument, self.text, self.captures)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Mod) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __repr__(self) -> str:
        return f"<{self.residual.argument} with {len(self.captures)} captured arrays>"

    def name_of(self, number: int) -> str:
        """The name of a capture of the region in messages."""
        return (f"{self.residual.argument}: captured array {number} of shape "
                f"{self.captures[number].shape}")

    def merged(self, batch: int, batched: Sequence[Optional[int]]) -> "Mod":
        """The function for a batch that joins the entries of a vmap, each with `batch` batch
        entries. Captures whose element of `batched` is not None have the vmap's dimension, of that
        size, first."""
        captured = list(self.captured)
        for number, size in zip(self.numbers, batched):
            if size is not None:
                its = captured[number]
                captured[number] = Captured((size, *its.shape), its.dtype)
        its = frozenset(number for number, size in zip(self.numbers, batched)
                        if size is not None)
        return Mod(self.residual, captured, (*self.merges, Merge(batch, its)))

    def reads(self, position: int) -> bool:
        """Whether the region has the number of a position."""
        name, body = f"%{'bhij'[position]}", self.text.partition("\n")[2]
        used = re.findall(r"%\w+", body)
        # A score region also converts each position to i32. That conversion counts as a use of the
        # position only if its result is used.
        cast = re.search(rf"(%\d+) = arith.index_cast {name} : index to i32\n", body)
        return used.count(name) > (cast is not None) or (
            cast is not None and used.count(cast[1]) > 1)

    def dims_at(self, number: int) -> List[Tuple[Any, ...]]:
        return find_reads(self.text, number)

    def region(self, problem: Sequence[int], views: Dict[int, View] = {},
               offsets: Sequence[int] = (), local: Dict[int, Tuple[Optional[str], ...]] = {}
               ) -> Traced:
        """The region's text and shapes of captures. Captures that have a view are read through it.
        `offsets` are the positions to which a number is added; these numbers are captured after the
        other captures."""
        text, _ = self.emit(views, offsets, local)
        shapes = [views[number].sizes if number in views else its.shape
                  for number, its in enumerate(self.captures)]
        arrays = [_Array(shape, its.dtype, 0) for shape, its in zip(shapes, self.captures)]
        arrays += [_Array((), "int32", 0)] * len(offsets)
        return Traced(text, arrays)

    def emit(self, views: Dict[int, View] = {}, offsets: Sequence[int] = (),
             local: Dict[int, Tuple[Optional[str], ...]] = {}) -> Tuple[str, Tuple[int, ...]]:
        """The text, and numbers of captured arrays in the order in which it reads them."""
        argument = self.residual.argument
        region = _Region(argument, _INTEGERS[argument])
        order: Dict[int, int] = {}
        if views or offsets:
            order = {number: place for place, number in enumerate(self.numbers)}
        arrays: Dict[int, _Array] = {}
        for number, its in enumerate(self.captured):
            if its.dtype not in ELEMENTS:
                continue
            view = views.get(order.get(number, -1))
            if view is None:
                arrays[number] = _Array(its.shape, its.dtype, number)
            else:
                computed = len(view.sizes) - len(view.positions)
                arrays[number] = _Array(view.sizes, its.dtype, number, view.sizes[:computed])
        if views or offsets:
            # Captures the arrays first, in the order of the text that was made without views, since
            # captures are numbered in that order.
            for number in self.numbers:
                region.capture(arrays[number])
        extra = [_Array((), "int32", -1) for _ in offsets]
        for array in extra:
            region.capture(array)
        emitter = _Emitter(self, region, arrays, views, order,
                           dict(zip(offsets, extra)), local)
        record = scores.record if argument == "score_mod" else masks.record
        text = record_region(region, emitter.emit, record)
        return text, tuple([array.number for array in region.arrays if array.number >= 0])


class _Emitter:
    def __init__(self, mod: Mod, region: _Region, arrays: Dict[int, _Array],
                 views: Dict[int, View], order: Dict[int, int], offsets: Dict[int, _Array],
                 local: Dict[int, Tuple[Optional[str], ...]]) -> None:
        self.mod, self.region, self.arrays = mod, region, arrays
        self.views, self.order, self.offsets, self.local = views, order, offsets, local

    def emit(self, *arguments: Number) -> Any:
        region, residual = self.region, self.mod.residual
        self.positions = list(arguments[-4:])
        self.own = list(self.positions)
        for position, array in self.offsets.items():
            offset = region.read(array, ())
            self.own[position] = _call(region, "add", self.positions[position], offset)
        values: Dict[int, Any] = {}
        batch: Any = self.own[0]
        self.entries: List[Any] = []
        for merge in reversed(self.mod.merges):
            entry = batch if merge.batch == 1 else _call(region, "floor_divide", batch,
                                                         merge.batch)
            batch = 0 if merge.batch == 1 else _call(region, "remainder", batch, merge.batch)
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
        if number not in self.arrays:
            raise expected(f"{self.mod.residual.argument}: captured array of shape "
                           f"{self.mod.captured[number].shape}",
                           f"dtype {', '.join(ELEMENTS)}", self.mod.captured[number].dtype)
        entries = tuple([entry for entry, captures in self.entries if number in captures])
        index = (*entries, *index)
        place = self.order.get(number, -1)
        labels = self.local.get(place)
        if labels:
            # A dimension of batch entries or heads that is divided among devices is indexed by the
            # position within the device's part.
            index = tuple([its if label is None else self.positions["bh".index(label)]
                           for its, label in zip(index, labels)])
        view = self.views.get(place)
        if view is not None:
            computed = [its for its, position in zip(index, view.dims.positions)
                        if position == COMPUTED]
            index = (*computed, *[self.positions[position] for position in view.positions])
        return self.region.read(self.arrays[number], index)


def trace(function: Optional[Callable[..., Any]],
          argument: str) -> Tuple[Optional[Mod], List[Any]]:
    """The function's region, and the arrays that it captures."""
    if function is None:
        return None, []
    residual, arrays = make_residual(function, argument)
    mod = Mod(residual, [Captured(tuple(its.shape), its.dtype.name) for its in arrays])
    return mod, [arrays[number] for number in mod.numbers]


assert POSITIONS == ("b", "h", "q", "kv")
