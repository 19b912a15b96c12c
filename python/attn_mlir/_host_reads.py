"""Reads of captured arrays on the host while a function is traced.

The value that such a read returns becomes a constant of the kernel, and it may be
different in another call: the function is therefore traced for each call. Reading an
element at a traced index is no such read, since that happens when the kernel runs.
"""

import threading
from functools import lru_cache
from typing import Any

from ._region import element, find_number
from ._values import as_tuple


class _Count(threading.local):
    count = 0


_reads = _Count()


def note() -> None:
    """Counts a read of a captured array on the host by this thread."""
    _reads.count += 1


def count() -> int:
    return _reads.count


# The special methods, without their underscores, by which Python and its builtin functions read
# elements of an array.
_SPECIAL = ("bool", "complex", "contains", "float", "index", "int", "iter", "len")


def watch_numpy(numpy: Any, array: Any) -> Any:
    """Returns a view of a NumPy array whose elements may be read at traced indices. Each read of
    its elements on the host is counted."""
    view = array.view(_watching_class(numpy))
    view.original = array
    return view


@lru_cache(maxsize=1)
def _watching_class(numpy: Any) -> type:
    plain_class = numpy.ndarray

    class Watching(plain_class):  # type: ignore
        def __getattribute__(self, name: str) -> Any:
            if name not in ("original", "__class__", "__array_finalize__"):
                note()
            return super().__getattribute__(name)

        def __array_finalize__(self, array: Any) -> None:
            # NumPy also calls __array_finalize__ for views, such as the transpose of a watched
            # array. A view gets no `original`, so it is captured as a separate array.
            self.original = None

        def __getitem__(self, index: Any) -> Any:
            array = self.original
            if array is None:
                note()
                array = plain(self)
            number = find_number(index)
            if number is not None:
                return element(number._region, array, as_tuple(index))
            note()
            found = array[index]
            return (found.view(Watching) if type(found) is plain_class else found)

        def __array_ufunc__(self, function: Any, method: str, *args: Any,
                            **kwargs: Any) -> Any:
            if find_number(args) is not None:
                return NotImplemented  # then Number computes the result
            note()
            if "out" in kwargs:
                kwargs["out"] = tuple(map(plain, kwargs["out"]))
            return getattr(function, method)(*map(plain, args), **kwargs)

        def __array_function__(self, function: Any, types: Any, args: Any,
                               kwargs: Any) -> Any:
            if find_number([*args, *kwargs.values()]) is not None:
                return NotImplemented
            note()
            return super().__array_function__(function, types, args, kwargs)

    def plain(value: Any) -> Any:
        return value.view(plain_class) if type(value) is Watching else value

    def watch(name: str) -> None:
        inherited = getattr(plain_class, name)

        def special(self: Any, *args: Any) -> Any:
            note()
            return inherited(self, *args)
        setattr(Watching, name, special)

    for name in _SPECIAL:
        watch(f"__{name}__")
    return Watching
