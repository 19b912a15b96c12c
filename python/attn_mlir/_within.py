"""Finds values that are columns of the keys' array. Keys and values then share memory, so that
kernels load it only once."""

from typing import Any, Optional, Sequence, Tuple

from ._adapter import Described
from ._arrays import adapter_of, expected
from ._constants import refuse_tensors
from ._library import binding
from ._options import as_python_integer
from ._scales import check_kv_dtype

ValueDims = Optional[Tuple[int, int]]


def find_columns(key: Described, value: Described, takes_all: bool = False) -> ValueDims:
    """If `value` is a view of fewer columns of `key`, or of all columns with `takes_all`, returns
    the number of the first column and the one past the last. Returns None otherwise, and for arrays
    of 4 bits, of which a byte has two columns."""
    first = binding.find_columns((key, value), takes_all)
    return None if first < 0 else (first, first + value[1][-1])


def check_value_dims(value_dims: Any, width: int, key: str = "key") -> Tuple[int, int]:
    """Returns `value_dims` as a pair of Python's integers. Raises if they are not columns of keys
    of `width` columns."""
    refuse_tensors({"value_dims": value_dims})
    is_pair = isinstance(value_dims, (tuple, list)) and len(value_dims) == 2
    first, end = map(as_python_integer, value_dims) if is_pair else (0, 0)
    if not (type(first) is int and type(end) is int and 0 <= first < end <= width):
        raise expected("value_dims", f"(first, end), columns of {key} with "
                       f"0 <= first < end <= {width}", repr(value_dims))
    return first, end


def _check_columns(name: str, array: Any) -> None:
    """Raises unless the value is an array with a dimension of columns."""
    adapter_of(name, array)
    if len(array.shape) == 0:
        raise expected(name, "an array with columns", "sizes ()")


def find_values(key: Any, value: Any, value_dims: ValueDims, names: Sequence[str],
                kv_dtype: Optional[str] = None) -> Any:
    """Returns the array of values or, if there is none, the view of the keys' columns `value_dims`.
    Raises if there are both or neither. `names` are the names of key and value in messages."""
    if value_dims is None:
        if value is None:
            raise expected(names[1], "an array, or value_dims", "None")
        return value
    check_kv_dtype(kv_dtype)
    if kv_dtype is not None:  # bytes have two columns each
        raise expected("value_dims", f"None with kv_dtype={kv_dtype!r}", repr(value_dims))
    if value is not None:
        raise expected("value_dims", f"None beside {names[1]}", repr(value_dims))
    _check_columns(names[0], key)
    first, end = check_value_dims(value_dims, key.shape[-1], names[0])
    return adapter_of(names[0], key).columns(key, first, end)


def _split_columns(key: Any, cache: Any, value_dims: Any,
                   has_rotary: bool) -> Tuple[Any, Any, Any, Any]:
    """Divides the columns of new keys, and those of their cache, into two arrays each, which
    `append` copies as keys and values; only the first one can be rotated. If the columns outside of
    `value_dims` lie at one end, the first array has exactly these. Otherwise, columns are divided
    anywhere, since all are copied alike, and rotation (`has_rotary`) is an error."""
    first, end = value_dims
    width = key.shape[-1]
    if cache.shape[-1] != width:
        raise expected("k_cache", f"{width} columns, as k has", cache.shape[-1])
    is_before = first > 0 and end == width
    if has_rotary and not is_before and (first > 0 or end == width):
        raise expected("value_dims", "columns of k from its first on or to its last, beside "
                       "some that are turned", repr(value_dims))
    if width == 1:
        raise expected("k", "at least 2 columns with value_dims", width)
    split = first if is_before else end if end < width else width // 2
    halves = [(0, split), (split, width)]
    if not is_before:
        halves.reverse()
    return tuple([adapter_of(name, its).columns(its, *half)  # type: ignore[return-value]
                  for name, its in (("k", key), ("k_cache", cache)) for half in halves])


def find_arrays(key: Any, value: Any, key_cache: Any, value_cache: Any,
                value_dims: ValueDims, has_rotary: bool,
                kv_dtype: Optional[str] = None) -> Tuple[Any, Any, Any, Any]:
    """Returns the arrays that `append` copies, and the caches to which it copies them, for its
    arguments: key, value, cache of keys, cache of values. With `value_dims`, these are parts of one
    array and one cache."""
    find_values(key, value, value_dims, ("k", "v"), kv_dtype)
    if value_dims is None:
        find_values(key_cache, value_cache, None, ("k_cache", "v_cache"))
        return key, value, key_cache, value_cache
    if value_cache is not None:
        raise expected("value_dims", "None beside v_cache", repr(value_dims))
    value_dims = check_value_dims(value_dims, key.shape[-1], "k")
    _check_columns("k_cache", key_cache)
    return _split_columns(key, key_cache, value_dims, has_rotary)
