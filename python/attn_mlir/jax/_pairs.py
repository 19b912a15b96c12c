"""Handles queries and keys whose columns are divided between two arrays, and values that are
columns of the keys."""

from typing import Any, Dict, Tuple

import jax.numpy as jnp

from .._arrays import expected
from .._within import check_value_dims
from ._arrays import as_array
from ._layouts import ordered


def take_values(k: Any, v: Any, value_dims: Any, names: Tuple[str, str] = ("k", "v")) -> Any:
    """Returns the values: the array `v`, or, if `value_dims` is (first, end), these columns of the
    keys."""
    if value_dims is None:
        if v is None:
            raise expected(names[1], "an array, or value_dims", "None")
        return v
    first, end = check_columns(k, v, value_dims, names)
    return k[..., first:end]


def check_columns(k: Any, v: Any, value_dims: Any, names: Tuple[str, str]) -> Tuple[int, int]:
    """Returns `value_dims` as a pair of Python's integers, after checks of them and of `v`."""
    if v is not None:
        raise expected("value_dims", f"None beside {names[1]}", repr(value_dims))
    if not getattr(k, "shape", ()):
        raise expected(names[0], "an array", type(k).__qualname__)
    return check_value_dims(value_dims, k.shape[-1], names[0])


def check_rope(q: Any, k: Any, q_rope: Any, k_rope: Any, layout: str,
               key: str = "k") -> Tuple[Any, Any]:
    """Checks the arrays with further columns of queries and keys, and returns both. That of the
    keys has as many heads as the keys, or one for all."""
    for name, other, its in (("q_rope", "k_rope", q_rope), ("k_rope", "q_rope", k_rope)):
        if its is None:
            raise expected(name, f"an array beside {other}", "None")
    for name, its in (("q", q), (key, k)):
        if len(getattr(its, "shape", ())) != 4:
            raise expected(name, "an array of rank 4",
                           getattr(its, "shape", type(its).__qualname__))
    sizes: Dict[str, int] = {}
    dtypes = (str(q.dtype),)
    q_rope = as_array("q_rope", q_rope, (*q.shape[:3], "D2"), sizes, dtypes)
    batch, rows, heads, _ = ordered(layout, *k.shape)
    shape = getattr(k_rope, "shape", ())
    if len(shape) == 4 and ordered(layout, *shape)[2] == 1:
        heads = 1
    return q_rope, as_array("k_rope", k_rope, ordered(layout, batch, rows, heads, "D2"), sizes,
                            dtypes)


def join(q: Any, k: Any, q_rope: Any, k_rope: Any, layout: str) -> Tuple[Any, Any]:
    """Returns query and keys, each with its further columns concatenated to its own."""
    q_rope, k_rope = check_rope(q, k, q_rope, k_rope, layout)
    k_rope = jnp.broadcast_to(k_rope, (*k.shape[:3], k_rope.shape[3]))
    return jnp.concatenate([q, q_rope], 3), jnp.concatenate([k, k_rope], 3)
