"""Checks the arguments of calls on JAX's arrays of 8 or 4 bits, of several dtypes or with
scales."""

from typing import Any, Dict, List, Sequence, Tuple

from .._arrays import expected
from .._options import as_flag, check_options, check_own_options
from .._scales import width_of
from .._serving import align
from ._append import as_new
from ._arrays import as_array, float_names
from ._attention import check_heads
from ._call_regions import Options
from ._layouts import BSHD, ordered
from ._mods import trace
from ._stored import (Given, append_stored, attend, find_halves, query_names, stored_names)


def _as_rows(q: Any, k: Any, v: Any, names: Sequence[str], where: Tuple[str, str],
             given: Given, layout: str) -> Tuple[Any, List[Any], Dict[str, int]]:
    """Checks query, keys and values. Returns the query; keys and values, those of int4 packed into
    bytes of two numbers; and the sizes by name."""
    sizes: Dict[str, int] = {}
    q = as_array("q", q, ordered(layout, "B", "Sq", "Hq", "D"), sizes,
                 query_names(float_names()))
    own = stored_names(() if q.dtype.itemsize == 1 else (q.dtype.name,))
    shapes = [ordered(layout, *where, "Hkv", f"columns of {name}") for name in names]
    if given.value_along_keys:
        shapes[1] = (where[0], "Hkv", f"columns of {names[1]}", where[1])
    k, v = (as_array(name, its, shape, sizes, own)
            for name, its, shape in zip(names, (k, v), shapes))
    if given.value_along_keys and v.dtype.name in ("uint8", "int4"):
        raise expected("value_along_keys", "False with values of 4 bits", "True")
    check_heads(sizes, k=names[0])
    return q, find_halves(given.kv_dtype, **dict(zip(names, (k, v)))), sizes


def _as_options(sizes: Dict[str, int], sink: Any, score_mod: Any, mask_mod: Any,
                *options: Any, layout: str = BSHD) -> Tuple[Options, Tuple[Any, ...], Any]:
    """Traces the score and the mask function, and checks the sink. Returns the Options of the call
    (`options`, both traced functions and the layout), the arrays that the functions capture, and
    the sink or None."""
    if sink is not None:
        sink = as_array("sink", sink, ("Hq",), sizes, float_names())
    score, of_score = trace(score_mod, "score_mod")
    mask, of_mask = trace(mask_mod, "mask_mod")
    return Options(*options, score, mask, "" if sink is None else sink.dtype.name,
                   layout=layout), (*of_score, *of_mask), sink


def attention(q: Any, k: Any, v: Any, given: Given, *, scale: Any, causal: Any, window: Any,
              align: Any, return_lse: Any, score_mod: Any, mask_mod: Any, sink: Any,
              layout: str) -> Any:
    options = check_options(scale, causal, window, align)
    q, rows, sizes = _as_rows(q, k, v, ("k", "v"), ("B", "Skv"), given, layout)
    found, captures, sink = _as_options(sizes, sink, score_mod, mask_mod, *options,
                                        layout=layout)
    return attend(q, *rows, found, captures, sink, as_flag("return_lse", return_lse), given)


def decode(q: Any, k_cache: Any, v_cache: Any, given: Given, *, lengths: Any, page_table: Any,
           counts: Any, scale: Any, causal: Any, window: Any, score_mod: Any, mask_mod: Any,
           sink: Any, return_lse: Any, layout: str) -> Any:
    scale, causal, window = check_own_options(scale, causal, window)
    where = ("B", "S") if page_table is None else ("N", "P")
    q, caches, sizes = _as_rows(q, k_cache, v_cache, ("k_cache", "v_cache"), where, given,
                                layout)
    if counts is not None and lengths is None:
        raise expected("counts", "lengths beside it", "None")
    rest = [(name, as_array(name, its, shape, sizes, ("int32",))) for name, its, shape in (
        ("counts", counts, ("B",)), ("lengths", lengths, ("B",)),
        ("page_table", page_table, ("B", "columns"))) if its is not None]
    options, captures, sink = _as_options(sizes, sink, score_mod, mask_mod, scale,
                                          align(causal), window, "bottom_right", layout=layout)
    return attend(q, *caches, options, captures, sink, as_flag("return_lse", return_lse),
                  given, rest, is_cache=True)


def varlen(q: Any, k: Any, v: Any, cu_q: Any, cu_kv: Any, given: Given, *, scale: Any,
           causal: Any, window: Any, score_mod: Any, mask_mod: Any, sink: Any,
           return_lse: Any) -> Any:
    scale, causal, window = check_own_options(scale, causal, window)
    sizes: Dict[str, int] = {}
    q = as_array("q", q, ("Tq", "Hq", "D"), sizes, query_names(float_names()))
    own = stored_names(() if q.dtype.itemsize == 1 else (q.dtype.name,))
    k, v = (as_array(name, its, ("Tkv", "Hkv", f"columns of {name}"), sizes, own)
            for name, its in (("k", k), ("v", v)))
    check_heads(sizes)
    cu_q = as_array("cu_q", cu_q, ("N + 1",), sizes, ("int32",))
    cu_kv = cu_q if cu_kv is None else as_array("cu_kv", cu_kv, ("N + 1",), sizes, ("int32",))
    options, captures, sink = _as_options(sizes, sink, score_mod, mask_mod, scale,
                                          align(causal), window, "bottom_right")
    return_lse = as_flag("return_lse", return_lse)
    found = attend(*[its[None] for its in (q, *find_halves(given.kv_dtype, k=k, v=v))], options,
                   captures, sink, return_lse, given, [("cu_q", cu_q), ("cu_kv", cu_kv)])
    return tuple([its[0] for its in found]) if return_lse else found[0]


def append(k: Any, v: Any, k_cache: Any, v_cache: Any, lengths: Any, given: Given, *,
           page_table: Any, counts: Any, q: Any, cos: Any, sin: Any,
           interleaved: Any, layout: str) -> Tuple[Any, ...]:
    sizes: Dict[str, int] = {}
    new, interleaved = as_new(k, v, sizes, page_table=page_table, counts=counts, q=q, cos=cos,
                              sin=sin, interleaved=interleaved, layout=layout)
    own = (new[0].dtype.name,)
    where = ("B", "S") if page_table is None else ("N", "P")
    caches: List[Any] = []
    for name, cache, width in (("k_cache", k_cache, sizes["D"]),
                               ("v_cache", v_cache, sizes["Dv"])):
        caches.append(as_array(name, cache, ordered(layout, *where, "Hkv", f"columns of {name}"),
                               sizes, stored_names(own)))
        if width_of(caches[-1]) != width:
            raise expected(name, f"{width} columns, as {name[0]} has", width_of(caches[-1]))
    lengths = as_array("lengths", lengths, ("B",), sizes, ("int32",))
    return append_stored(
        new, caches, lengths, given, layout, query=q is not None,
        counts=counts is not None, pages=page_table is not None,
        rotary="" if cos is None else str(cos.dtype), interleaved=interleaved)
