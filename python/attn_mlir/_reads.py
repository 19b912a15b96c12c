"""Finds where a score function reads a captured array, to compute the array's gradient.

The compiler adds up the gradient of an array that is read at some of b, h, q and kv, in this order,
with both of q and kv or none, and at any other indices of dimensions that together have at most
65,536 elements. For other arrays, if the index of each dimension is known, the kernel gets a view,
and the gradient of the array is derived from that of the view:

| dimension | view |
|---|---|
| of one element, or read at a constant | that element, without the dimension |
| read at a position, but longer than the problem | as long as the problem |
| in another order | in the order of positions, computed indices first |
| missing: q beside kv, or kv beside q | repeated, and the gradient summed |

The last case takes memory for a gradient of all pairs. Larger tables that are read at computed
indices have no gradient; an array of all pairs, which the caller makes from the table before the
call, has one.
"""

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._arrays import Adapter, adapter_of, array_type
from ._errors import ArgumentError
from ._traced import types_of

POSITIONS = ("b", "h", "q", "kv")
# Takes the place of the number of a position for a dimension whose index is computed, that is, none
# of b, h, q and kv. A dimension whose index is a position that indexes an earlier dimension, too,
# counts as such a dimension.
COMPUTED = -1
# The largest allowed product of the sizes of the dimensions whose index is computed. The gradient
# has a separate sum for each element of these dimensions in each query row.
MOST_COMPUTED = 2 ** 16
# The largest number of different lists of indices at which a region may read an array that has a
# gradient. The gradient is computed separately for each list, and the parts are added.
MOST_PLACES = 8
# The index of a dimension in a read: the name of a position, the number of an element, or None if
# the index is computed.
Index = Union[int, str, None]


def _names(header: str) -> List[str]:
    return [part.split(":")[0] for part in header.partition("(")[2].split("%")[1:]]


def find_reads(text: str, number: int) -> List[Tuple[Index, ...]]:
    """Returns the indices of each read of captured array `number`: for each dimension the name of a
    position, an element's number, or None for a computed index. torch.compile traces this code."""
    lines = text.split("\n")
    names = _names(lines[0])
    # The index of the first position in the region's list of arguments. The list has the score
    # (only in a score region), the positions, and then the captured arrays.
    first = len(names) - len(types_of(text)) - len(POSITIONS)
    known: dict = {f"%{name}": position
                   for name, position in zip(names[first:], POSITIONS)}
    prefix = f"attn.read %{names[first + len(POSITIONS) + number]}["
    found = []
    for line in lines[1:]:
        result, _, op = line.strip().partition(" = ")
        if op.startswith("arith.constant ") and op.endswith(" : index"):
            known[result] = int(op.split(" ")[1])
        if op.startswith(prefix):
            indices = op[len(prefix):].partition("]")[0]
            found.append(tuple([known.get(index.strip()) for index in indices.split(",")]
                               if indices else []))
    return found


def find_places(lines: Sequence[str], number: int) -> List[str]:
    """Returns the different lists of indices at which the lines of a region read captured array
    `number`, as text. torch.compile traces this code."""
    prefix, found = f" = attn.read %c{number}[", []
    for line in lines:
        place = line.partition(prefix)[2].partition("]")[0]
        if prefix in line and place not in found:
            found.append(place)
    return found


def split_reads(text: str, numbers: Sequence[int]) -> Tuple[str, List[int]]:
    """Rewrites the region so that each of the captured arrays `numbers` is read at one list of
    indices only. For each further list of indices, the array is captured once more, as a further
    argument. Also returns, for each further argument, the number of the array. torch.compile traces
    this code."""
    types, extra = types_of(text), []
    header, *lines = text.split("\n")
    for number in numbers:
        prefix = f" = attn.read %c{number}["
        found = find_places(lines, number)
        # Each list of indices but the first gets a separate captured array, and so a separate
        # gradient. With more lists than MOST_PLACES nothing changes, and find_dims() then returns
        # an error.
        for place in found[1:] if len(found) <= MOST_PLACES else ():
            name = f"%c{len(types) + len(extra)}"
            header = header[:-len("):")] + f", {name}: {types[number]}):"
            lines = [line.replace(f"{prefix}{place}]", f" = attn.read {name}[{place}]")
                     for line in lines]
            extra.append(number)
    return "\n".join([header, *lines]), extra


class Dims(NamedTuple):
    """How a score function reads the dimensions of a captured array, if all of its reads have the
    same indices."""

    # For each dimension: the number of the position that is its index, COMPUTED, or None if only
    # one element of the dimension is read.
    positions: Tuple[Optional[int], ...]
    # For each dimension of which only one element is read, the element's index; 0 for the others.
    elements: Tuple[int, ...]


def find_dims(text: str, number: int, sizes: Sequence[int],
              problem: Sequence[int]) -> Union[Dims, str, None]:
    """Returns the Dims of captured array `number`, given the array's sizes and those of the problem
    (batch entries, heads, rows, keys). Returns None if nothing reads the array, or a text that says
    why the array has no gradient."""
    found: Union[Dims, str, None] = None
    for indices in find_reads(text, number):
        its = _dims_of(indices, sizes, problem)
        if isinstance(its, str):
            return its
        if found is not None and its != found:
            return ("expected the same indices in all reads, for a gradient (a copy may be "
                    "read in its place), found others")
        found = its
    return found


def _dims_of(indices: Tuple[Index, ...], sizes: Sequence[int],
             problem: Sequence[int]) -> Union[Dims, str]:
    positions: List[Optional[int]] = []
    elements: List[int] = []
    computed = 1
    for dim, (index, size) in enumerate(zip(indices, sizes)):
        if size == 1 or isinstance(index, int):
            positions.append(None)
            elements.append(min(index, size - 1) if isinstance(index, int) else 0)
            continue
        if index is None or POSITIONS.index(index) in positions:
            computed *= size
            if computed > MOST_COMPUTED:
                what = "a computed one" if index is None else f"{index} twice"
                return ("expected as indices b, h, q, kv, each once, or numbers, and others "
                        f"for dimensions of at most {MOST_COMPUTED} elements together, for "
                        "a gradient (an array of all pairs, made before by indexing this "
                        f"one, has one), found {what} for dimension {dim} of {size}")
            positions.append(COMPUTED)
            elements.append(0)
            continue
        position = POSITIONS.index(index)
        if size < problem[position]:
            return (f"expected at least {problem[position]} elements in dimension {dim}, "
                    f"which {index} is the index of, for a gradient, found {size}")
        positions.append(position)
        elements.append(0)
    if COMPUTED in positions and {2, 3} & set(positions):
        return ("expected neither q nor kv beside a computed index, for a gradient (an "
                "array of all pairs, made before by indexing this one, has one), found one")
    return Dims(tuple(positions), tuple(elements))


class CaptureGradient:
    """The gradient of one captured array, in a new array of `dtype` or in the caller's array `out`.
    The kernel reads a view of the captured array, and writes the view's gradient to a buffer."""

    def __init__(self, text: str, number: int, name: str, array: Any, problem: Sequence[int],
                 dtype: str, out: Any) -> None:
        self.number, self.name, self.array = number, name, array
        self.dtype, self.out = dtype, out
        self.adapter: Adapter = adapter_of(name, array)
        sizes = tuple(array.shape)
        dims = find_dims(text, number, sizes, problem)
        if isinstance(dims, str):
            raise ArgumentError(f"{name}: {dims}")
        self.dims = dims
        # Whether the gradient is what the kernel writes to the buffer.
        self.is_buffer = False
        if dims is None:
            return
        # The index `part` selects the part of the array that the kernel reads. `order` lists the
        # part's dimensions in the order that the kernel has them.
        self.part = tuple([
            element if position is None else
            slice(0, size if position == COMPUTED else problem[position])
            for position, element, size in zip(*dims, sizes)])
        self.kept = [dim for dim, position in enumerate(dims.positions)
                     if position is not None]
        own = [position for position in dims.positions if position is not None]
        self.order = tuple(sorted(range(len(own)), key=lambda dim: own[dim]))
        self.is_whole = self.order == tuple(range(len(own))) and all([
            size == (1 if position is None else
                     size if position == COMPUTED else problem[position])
            for position, size in zip(dims.positions, sizes)])
        missing = {2, 3} - set(own) if {2, 3} & set(own) else set()
        self.positions = sorted([*own, *missing])
        # The sizes of the dimensions that are read at a computed index. The kernel has these
        # dimensions first.
        self.computed = [sizes[self.kept[dim]] for dim in self.order
                         if own[dim] == COMPUTED]
        self.sizes = tuple([*self.computed, *[problem[position] for position in self.positions
                                         if position != COMPUTED]])
        # The dimension of the buffer that the array lacks (q or kv) and over which the gradient is
        # summed, or None.
        self.repeated = self.positions.index(missing.pop()) if missing else None
        # The buffer to which the kernel writes the gradient. Its dtype is f32 if it is summed
        # afterwards, else the dtype of the gradient.
        self.computed_in = dtype if self.repeated is None else "f32"
        self.buffer = self.adapter.new(array, self.sizes, self.computed_in)
        self.is_buffer = (self.is_whole and self.repeated is None and out is None
                          and self.sizes == sizes)

    def _read_part(self, array: Any) -> Any:
        # The ellipsis in the index makes NumPy return a view even if the index selects a single
        # element.
        return self.adapter.permute(array[(*self.part, Ellipsis)], self.order)

    def view(self) -> Any:
        """Returns the view that the kernel reads in place of the array."""
        found = self._read_part(self.array)
        if self.repeated is None:
            return found
        found = found[(slice(None),) * self.repeated + (None,)]
        return self.adapter.expand(found, self.sizes)

    def rewrite(self, text: str, view: Any) -> str:
        """Returns the region's text, changed so that it reads the view `view` in place of the
        array."""
        lines = text.split("\n")
        names = _names(lines[0])
        captured = f"%{names[5 + self.number]}"
        type_ = array_type(self.name, view)[1]
        for size in self.computed:
            type_ = type_.replace("?x", f"{size}x", 1)
        _, begin, rest = lines[0].partition(f"{captured}: ")
        end = rest.index(", %") if ", %" in rest else rest.index("):")
        lines[0] = (lines[0][:len(lines[0]) - len(begin + rest)] + begin + type_
                    + rest[end:])
        for number, line in enumerate(lines):
            result, found, its = line.partition(f" = attn.read {captured}[")
            if not found:
                continue
            before = its.partition("]")[0].split(", ")
            computed = [before[self.kept[dim]]
                        for dim in self.order[:len(self.computed)]]
            others = [f"%{names[1 + position]}" for position in self.positions
                      if position != COMPUTED]
            indices = ", ".join([*computed, *others])
            lines[number] = f"{result}{found}{indices}] : {type_}"
        return "\n".join(lines)

    def finish(self) -> Any:
        """Returns the gradient of the whole array, made from the buffer. It is 0 for elements that
        the kernel does not read."""
        if self.dims is None:
            return self._zeros()
        found = self.buffer if self.repeated is None else self.buffer.sum(self.repeated)
        if self.out is None and self.is_whole:
            return self.adapter.convert(found, self.dtype).reshape(tuple(self.array.shape))
        result = self._zeros()
        self._read_part(result)[...] = found
        return result

    def _zeros(self) -> Any:
        if self.out is None:
            return self.adapter.full(self.array, tuple(self.array.shape), self.dtype, 0)
        self.out[...] = 0
        return self.out
