"""Checks numbers in arrays, for callers who pass `check=True`. The arrays are read on the host."""

import math
from typing import Any, List, Optional, Sequence, Tuple

from ._arrays import expected


def _numbers(name: str, array: Any) -> List[Any]:
    find = getattr(array, "tolist", None)
    if find is None:
        raise expected(name, "an array whose numbers tolist() gives, with check",
                       type(array).__qualname__)
    return find()


def _flat(value: Any) -> List[Any]:
    if not isinstance(value, list):
        return [value]
    return [number for its in value for number in _flat(its)]


def _check_finite(name: str, numbers: Any) -> None:
    for number in _flat(numbers):
        if not math.isfinite(number):
            raise expected(name, "finite numbers", number)


def check_finite(name: str, array: Any) -> None:
    """Raises for the first number of an array that is not finite."""
    _check_finite(name, _numbers(name, array))


def check_scales(scales: Sequence[Any], lengths: Any = None, has_pages: bool = False) -> None:
    """Raises for the first scale of a call that is not a finite number, since results computed from
    what it multiplies would be NaN. Means of values are not checked. If `lengths` are given, which
    are those of a cache, only the scales of the keys that each batch entry has are checked. Scales
    of pages are not checked."""
    ends = None if lengths is None else _numbers("lengths", lengths)
    for scale in scales:
        name, array = scale.declared.name, scale.array
        sizes = getattr(array, "shape", ())
        is_of_keys = name.startswith(("k_", "v_")) and len(sizes) >= 2
        if not name.endswith("_scale") or is_of_keys and has_pages and sizes[0] != 1:
            continue
        entries = _numbers(name, array)
        if ends is None or not is_of_keys or not entries:
            _check_finite(name, entries)
            continue
        for b, end in enumerate(ends):
            of_entry = entries[min(b, len(entries) - 1)]
            if len(sizes) == 3:
                of_entry = [row[:-(-end // scale.block)] for row in of_entry]
            if end > 0:
                _check_finite(name, of_entry)


def check_range(name: str, array: Any, most: int, grows: bool = False) -> List[int]:
    """Returns the numbers of an array of integers. Raises for the first one that is not from 0 to
    `most` or, with `grows`, that is less than the number before it."""
    found, least = _numbers(name, array), 0
    for n, number in enumerate(found):
        if not least <= number <= most:
            raise expected(f"{name}[{n}]", f"a number from {least} to {most}", number)
        least = number if grows else 0
    return found


def _check_pages(page_table: Any, ranges: List[Tuple[int, int]], page: int,
                 pages: int) -> None:
    """Raises for the first page number in the table that names no page of the pool. Only the pages
    that hold the positions `ranges[b]`, (first, end), of batch entry b are checked."""
    for b, row in enumerate(_numbers("page_table", page_table)):
        first, end = ranges[b]
        if first >= end:
            continue
        for column in range(first // page, -(-end // page)):
            if not 0 <= row[column] < pages:
                raise expected(f"page_table[{b}, {column}]",
                               f"a page of the pool, from 0 to {pages - 1}", row[column])


def check_cache(lengths: Any, page_table: Any, batch: int, capacity: int, page: int,
                pages: int) -> None:
    """Raises for the first of the lengths, and of the page numbers of keys that `decode` reads,
    that is out of its range. `capacity` is the largest number of keys that a batch entry can
    hold."""
    used = [capacity] * batch if lengths is None else check_range("lengths", lengths, capacity)
    if page_table is not None:
        _check_pages(page_table, [(0, length) for length in used], page, pages)


def check_append(lengths: Any, counts: Optional[Any], page_table: Any, tokens: int,
                 capacity: int, page: int, pages: int) -> None:
    """Raises for the first batch entry of which `append` could not write all tokens, since its
    length, its count or one of its page numbers is out of range."""
    first = check_range("lengths", lengths, capacity)
    added = [tokens] * len(first) if counts is None else check_range("counts", counts, tokens)
    for b, (length, count) in enumerate(zip(first, added)):
        if length + count > capacity:
            raise expected(f"lengths[{b}]", f"at most {capacity - count}, so that {count} "
                           "tokens have a place", length)
    if page_table is not None:
        _check_pages(page_table, [(length, length + count)
                                  for length, count in zip(first, added)], page, pages)
