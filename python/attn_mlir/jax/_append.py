"""Appends new keys and values to caches, which are JAX's arrays."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import jax.numpy as jnp

from .._append import append_text
from .._arrays import expected
from .._options import as_flag
from .._spellings import refuse
from ._arrays import as_array, check_devices, float_names, refuse_traced
from ._layouts import BSHD, argument, as_layout, ordered
from ._ops import Labels, Part, Shape, axes_of, call, sizes_of
from ._serving import _only_whole
from ._stored import given_of, is_stored
from ._target import ELEMENTS, Launch


class Append(NamedTuple):
    """A call of `append` on caches of floats of 16 or 32 bits, as the parameter of the primitive in
    _ops.py. Its operands are key, value, each of query, counts, page table, cosines and sines that
    is given, then both caches and the lengths. Its results are the rotated query, if a query is
    given, both caches and the lengths."""

    dtype: str
    query: bool
    counts: bool
    pages: bool
    rotary: str
    interleaved: bool
    layout: str

    merged = _only_whole
    # Lengths do not depend on heads, so that devices that divide heads have equal ones.
    adds_up = False

    @property
    def operands(self) -> Tuple[Labels, ...]:
        # Devices may divide dimensions with the label "b". With pages, the batch has the label "a"
        # instead, so that devices do not divide it: each device would need a separate page pool.
        b = "a" if self.pages else "b"
        found = [ordered(self.layout, b, "s", "g", "d"), ordered(self.layout, b, "s", "g", "e")]
        found += [ordered(self.layout, b, "s", "h", "d")] if self.query else []
        found += [(b,)] if self.counts else []
        found += [(b, "c")] if self.pages else []
        found += [("r", "f")] * 2 if self.rotary else []
        cache = "p" if self.pages else b
        return (*found, *[ordered(self.layout, cache, "t", "g", its) for its in "de"], (b,))

    def results(self, sizes: Dict[str, int]) -> List[Tuple[Labels, Shape, Any]]:
        labels = self.operands[-3:]
        if self.query:
            labels = (self.operands[2], *labels)
        return [(its, tuple([sizes[label] for label in its]),
                 "int32" if len(its) == 1 else self.dtype) for its in labels]

    def launch(self, avals: Sequence[Any], part: Part) -> Tuple[Launch, List[Any]]:
        sizes = sizes_of(self, avals)
        rotary = (sizes["f"], ELEMENTS[self.rotary]) if self.rotary else None
        text = append_text(ELEMENTS[self.dtype], sizes["d"], sizes["e"], counts=self.counts,
                           pages=self.pages, query=self.query, rotary=rotary,
                           interleaved=self.interleaved)
        made, count = self.results(sizes), len(avals)
        first = count + self.query
        outs = [first, first + 1, *([count] if self.query else []), first + 2]
        ranks = [len(its.shape) for its in avals] + [len(its) for _, its, _ in made]
        arguments = [argument(self.layout, number, ranks[number])
                     for number in [*range(count - 3), *outs]]
        aliases = tuple([(count - 3 + i, self.query + i) for i in range(3)])
        return Launch(text, text, tuple(arguments),
                      tuple([(its, own) for _, its, own in made]), aliases), []


def as_new(k: Any, v: Any, sizes: Dict[str, int], *, page_table: Any, counts: Any, q: Any,
           cos: Any, sin: Any, interleaved: Any, layout: str) -> Tuple[List[Any], bool]:
    """Checks the arguments of `append` except caches, lengths and scales. Returns those of them
    that are given as arrays, and whether pairs of columns are interleaved. `sizes` gets the sizes
    of dimensions by name."""
    k = as_array("k", k, ordered(layout, "B", "T", "Hkv", "D"), sizes, float_names())
    own = (k.dtype.name,)
    v = as_array("v", v, ordered(layout, "B", "T", "Hkv", "Dv"), sizes, own)
    if (cos is None) != (sin is None):
        name, other = ("cos", "sin") if cos is None else ("sin", "cos")
        raise expected(name, f"an array beside {other}", "None")
    interleaved = as_flag("interleaved", interleaved)
    if cos is None and (q is not None or interleaved):
        raise expected("q" if q is not None else "interleaved", "cos and sin beside it",
                       "none")
    rest = [as_array(name, its, shape, sizes, dtypes) for name, its, shape, dtypes in (
        ("q", q, ordered(layout, "B", "T", "Hq", "D"), own), ("counts", counts, ("B",), ("int32",)),
        ("page_table", page_table, ("B", "columns"), ("int32",)),
        ("cos", cos, ("R", "D' / 2"), ("float32", *own)),
        ("sin", sin, ("R", "D' / 2"), () if cos is None else (str(cos.dtype),)))
        if its is not None]
    if cos is not None and not 1 <= sizes["D' / 2"] <= sizes["D"] // 2:
        raise expected("cos", f"from 1 column to half as many as k has, {sizes['D'] // 2}",
                       sizes["D' / 2"])
    if cos is not None and not sizes["R"]:
        raise expected("cos", "at least one row", "none")
    return [k, v, *rest], interleaved


def _with_own_axes(found: Tuple[Any, ...], k: Any, k_cache: Any, lengths: Any, counts: Any,
                   page_table: Any, layout: str) -> Tuple[Any, ...]:
    """Returns the results of `append`, of which the third are the new lengths. Within shard_map,
    all results of a kernel vary over each axis of the mesh over which one of its operands does. The
    lengths of devices that divide heads only are equal, and JAX sees that if its own operations
    compute them."""
    axes = axes_of(lengths) | (frozenset() if counts is None else axes_of(counts))
    if axes_of(found[2]) == axes:
        return found
    (_, rows, _, _), (_, new, _, _) = (ordered(layout, *its.shape) for its in (k_cache, k))
    capacity = rows * (1 if page_table is None else page_table.shape[1])
    tokens = new if counts is None else jnp.clip(counts, 0, new)
    own = jnp.minimum(jnp.clip(lengths, 0, capacity) + tokens, capacity)
    return (*found[:2], own.astype(jnp.int32), *found[3:])


def append(k: Any, v: Any, k_cache: Any, v_cache: Any, lengths: Any, *,
           page_table: Any = None, counts: Any = None, q: Any = None, cos: Any = None,
           sin: Any = None, interleaved: bool = False, k_scale: Any = None,
           v_scale: Any = None, kv_dtype: Optional[str] = None, layout: str = BSHD,
           **others: Any) -> Tuple[Any, ...]:
    """Writes new keys and values after those in a cache, as attn_mlir.append. Since JAX's
    arrays are immutable, it returns (k_cache, v_cache, lengths), or with `q` (k_cache,
    v_cache, lengths, rotated q). Within jit, caches that are donated, or have no other use,
    are updated in place.

    `k` is (B, T, Hkv, D), caches are (B, S, Hkv, D), or with `page_table`
    (pages, P, Hkv, D), `q` is (B, T, Hq, D); `lengths`, `counts` and `page_table` are
    int32. With layout="BHSD", heads are before tokens: caches are (B, Hkv, S, D), or
    (pages, Hkv, P, D), and so on. There are no gradients.

    Caches may have elements of 8 bits or, with kv_dtype="i4", be uint8 arrays of two 4-bit
    numbers in each byte. `k_scale` and `v_scale` of shapes () or (B, Hkv) are read. Scales of
    shapes (B, Hkv, S), or with pages (pages, Hkv, P), are updated: those of the new tokens are
    computed, and both arrays are returned as the last two results."""
    if others:
        refuse(append, others)
    given_scales = given_of(locals())
    refuse_traced(interleaved=interleaved, kv_dtype=kv_dtype, layout=layout)
    layout = as_layout(layout)
    check_devices({"k": k, "v": v, "k_cache": k_cache, "v_cache": v_cache, "lengths": lengths,
                   "page_table": page_table, "counts": counts, "q": q, "cos": cos, "sin": sin,
                   "k_scale": k_scale, "v_scale": v_scale})
    if is_stored(k, k_cache, v_cache, given_scales):
        from . import _stored_calls

        return _with_own_axes(_stored_calls.append(
            k, v, k_cache, v_cache, lengths, given_scales, page_table=page_table,
            counts=counts, q=q, cos=cos, sin=sin, interleaved=interleaved, layout=layout), k,
            k_cache, lengths, counts, page_table, layout)
    sizes: Dict[str, int] = {}
    new, interleaved = as_new(k, v, sizes, page_table=page_table, counts=counts, q=q, cos=cos,
                              sin=sin, interleaved=interleaved, layout=layout)
    dtype = new[0].dtype.name
    where = ("B", "S") if page_table is None else ("N", "P")
    written = [as_array(name, its, shape, sizes, (of,)) for name, its, shape, of in (
        ("k_cache", k_cache, ordered(layout, *where, "Hkv", "D"), dtype),
        ("v_cache", v_cache, ordered(layout, *where, "Hkv", "Dv"), dtype),
        ("lengths", lengths, ("B",), "int32"))]
    op = Append(dtype, q is not None, counts is not None, page_table is not None,
                "" if cos is None else str(cos.dtype), interleaved, layout)
    found = call(op, *new, *written)
    return _with_own_axes((*found[-3:], *found[:-3]), k, k_cache, lengths, counts, page_table,
                          layout)
