"""Rows of captured arrays in score and mask functions: arrays with their first indices, which are
fewer than their dimensions, such as table[h] of an array of rank 2, and what functions compute of
each element of such rows. Further indices complete a row to a read."""

from typing import Any, Callable, Sequence, Tuple

from ._arrays import expected
from ._values import as_tuple

Read = Callable[[Tuple[Any, ...]], Any]


class Changeable:
    """The base of what a function may change in place: traced numbers, and rows of them."""

    __slots__ = ()

    def __pos__(self) -> Any:
        return self

    def zero_(self) -> Any:
        return self.copy_(0)  # type: ignore[attr-defined]


PART = ("expected no change in place of an element or row that integers alone index in another "
        "row, or of that row afterwards; change a copy (clone)")


class Row(Changeable):
    """A row of sizes `shape`, whose element at all of its indices `read` returns as a traced
    number. `name` is that of its array in errors."""

    def __init__(self, region: Any, name: str, shape: Tuple[int, ...], read: Read) -> None:
        self.region, self.name, self.shape, self.read = region, name, shape, read
        # Whether another row, or a number, has the same elements in torch.
        self.is_shared = False

    def become(self, other: "Row") -> "Row":
        """Takes the elements of another row, as in torch a tensor that is changed in place."""
        if self.is_shared:
            raise self.region.error(PART)
        self.shape, self.read = other.shape, other.read
        return self

    def clone(self, **_: Any) -> "Row":
        return Row(self.region, self.name, self.shape, self.read)

    def copy_(self, other: Any) -> "Row":
        return self.become(map_rows(lambda number, its: number.clone().copy_(its), (self, other)))

    fill_ = copy_

    def __bool__(self) -> bool:
        raise self.region.error("expected no branch on a row of a captured array; write where(x, "
                                "y, z) for `y if x else z`")

    def __getitem__(self, index: Any) -> Any:
        # Copies, since a function may change the numbers in place after it has indexed the row.
        index = tuple([_copy(its) for its in complete(self.name, len(self.shape), as_tuple(index))])
        is_part = not any([isinstance(its, Changeable) for its in index])
        self.is_shared |= is_part
        if len(index) >= len(self.shape):
            return self.read(index).part() if is_part else self.read(index)
        read = self.read
        found = Row(self.region, self.name, self.shape[len(index):], lambda at: read(index + at))
        found.is_shared = is_part
        return found


def _copy(value: Any) -> Any:
    return value.clone() if isinstance(value, Changeable) else value


def complete(name: str, rank: int, indices: Tuple[Any, ...]) -> Tuple[Any, ...]:
    """Returns the indices, of an array of this rank, without an ellipsis at their begin. Raises for
    others than integers and traced numbers."""
    if indices and indices[0] is Ellipsis:
        indices = (slice(None),) * (rank - len(indices) + 1) + indices[1:]
    for value in indices:
        if value is None or isinstance(value, (slice, type(Ellipsis))):
            raise expected(name, "an integer or a traced number for each dimension as its index",
                           "a slice, an ellipsis or None")
    return indices


def map_rows(function: Callable[..., Any], values: Sequence[Any]) -> Row:
    """Returns the row of a function of the elements of rows and arrays, which have the same sizes,
    and of numbers."""
    first = next(its for its in values if isinstance(its, Row))
    values = [_copy(its) for its in values]
    for its in values:
        shape = tuple(getattr(its, "shape", ()))
        if shape not in ((), (1,), first.shape):
            raise expected(first.name, f"rows of sizes {first.shape} alone beside its rows", shape)

    def element(value: Any, at: Tuple[Any, ...]) -> Any:
        if isinstance(value, Row):
            return value.read(at)
        is_array = tuple(getattr(value, "shape", ())) == first.shape
        return first.region.read(value, at) if is_array else value

    return Row(first.region, first.name, first.shape,
               lambda at: function(*[element(its, at) for its in values]))
