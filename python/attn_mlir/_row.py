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


class Row(Changeable):
    """A row of sizes `shape`, whose element at all of its indices `read` returns as a traced
    number. `name` is that of its array in errors."""

    def __init__(self, region: Any, name: str, shape: Tuple[int, ...], read: Read) -> None:
        self.region, self.name, self.shape, self.read = region, name, shape, read

    def become(self, other: "Row") -> "Row":
        """Takes the elements of another row, as in torch a tensor that is changed in place."""
        self.shape, self.read = other.shape, other.read
        return self

    def clone(self, **_: Any) -> "Row":
        return Row(self.region, self.name, self.shape, self.read)

    def __getitem__(self, index: Any) -> Any:
        # Copies, since a function may change the numbers in place after it has indexed the row.
        index = tuple([_copy(its) for its in complete(self.name, len(self.shape), as_tuple(index))])
        if len(index) >= len(self.shape):
            return self.read(index)
        read = self.read
        return Row(self.region, self.name, self.shape[len(index):], lambda at: read(index + at))


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
        return value[at] if tuple(getattr(value, "shape", ())) == first.shape else value

    return Row(first.region, first.name, first.shape,
               lambda at: function(*[element(its, at) for its in values]))
