"""Attention over packed sequences (`varlen`) and over caches (`decode`), on JAX's arrays."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import jax

from .._arrays import expected
from .._attend import PACKED, cache_sequences, find_few, find_groups
from .._errors import Error
from .._module import (FEW_ROWS, Arrays, Features, NAMED_GRADIENTS, Window, backward_text,
                       module_text)
from .._options import as_flag, check_own_options
from .._serving import align
from .._spellings import refuse
from .._within import ValueDims
from ._arrays import as_array, check_devices, float_names, refuse_traced
from ._attention import check_heads
from ._attention_ops import pull_back_plain
from ._call_regions import Options, capture_arguments, make_regions
from ._layouts import BSHD, as_layout, ordered
from ._mods import trace
from ._ops import Labels, Part, Shape, call, is_few, sizes_of
from ._pairs import check_columns, check_rope, take_values
from ._plain import attend
from ._stored import given_of, is_stored, refuse_beside
from ._tangents import differentiate_attention, differentiate_plain
from ._target import ELEMENTS, Array, Launch


def _only_whole(self: Any, sizes: Dict[str, int], batched: Sequence[Optional[int]]) -> Any:
    """The method `merged` of calls that vmap cannot join to one call. It returns None, so that vmap
    makes the calls one after another."""
    return None


class Varlen(NamedTuple):
    """A call of `varlen`, as the parameter of the primitive in _ops.py, or of its gradients if
    `wrt` has names of operands. Its operands are query, key and value of (1, T, H, D), the captured
    arrays, the sink if there is one, and both cumulative lengths. For gradients, value is followed
    by output, lse, the gradient of the output, and that of the lse if `d_lse`."""

    options: Options
    return_lse: bool
    dtype: str
    wrt: Tuple[str, ...] = ()
    d_lse: bool = False
    deterministic: bool = False

    merged = _only_whole
    output_labels = (("n", "s", "h", "e"), ("n", "h", "s"))

    @property
    def first(self) -> int:
        return 3 + (3 + self.d_lse if self.wrt else 0)

    @property
    def operands(self) -> Tuple[Labels, ...]:
        rows, keys = ("n", "s", "h", "d"), ("n", "t", "g", "d")
        values, out, lse = ("n", "t", "g", "e"), ("n", "s", "h", "e"), ("n", "h", "s")
        found = [rows, keys, values]
        if self.wrt:
            found += [out, lse, out, *([lse] if self.d_lse else [])]
        for mod in (self.options.score, self.options.mask):
            found += [("",) * len(its.shape) for its in (mod.captures if mod else ())]
        return (*found, *([("h",)] if self.options.sink else []), ("m",), ("m",))

    def split(self, operands: Sequence[Any]) -> Tuple[Tuple[Any, ...], ...]:
        """Divides the operands of the call into three tuples, which it returns: query, key, value
        and, if there is one, the sink; the captured arrays; and both cumulative lengths."""
        first, end = self.first, self.first + self.options.num_captures
        return ((*operands[:3], *operands[end:-2]), tuple(operands[first:end]),
                tuple(operands[-2:]))

    def plain(self, *operands: Any) -> Sequence[Any]:
        inputs, captures, lengths = self.split(operands)
        if not self.wrt:
            return attend(self.options, inputs, captures, lengths)
        return pull_back_plain(
            inputs, captures, self.wrt, {}, operands[5], operands[6] if self.d_lse else None,
            lambda inputs, captures: attend(self.options, inputs, captures, lengths))

    def differentiate(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        rule = differentiate_plain if self.wrt else differentiate_attention
        return rule(self, primals, tangents)

    def pull_back(self, linear: Sequence[int], operands: Sequence[Any], output: Any, lse: Any,
                  d_output: Any, d_lse: Any) -> List[Any]:
        """Computes the gradients of the operands whose numbers are in `linear`. Raises if one of
        these operands is a captured array."""
        inputs, captures, lengths = self.split(operands)
        sink = 3 + len(captures)
        if any([3 <= number < sink for number in linear]):
            raise Error("score_mod: expected captured arrays without a gradient, which varlen "
                        "does not have (jax.lax.stop_gradient takes it away), found one")
        wrt = tuple([NAMED_GRADIENTS[min(number, 3)] for number in linear])
        op = self._replace(wrt=wrt, d_lse=d_lse is not None)
        return call(op, *inputs[:3], output, lse, d_output,
                    *([] if d_lse is None else [d_lse]), *captures, *inputs[3:], *lengths)

    def results(self, sizes: Dict[str, int]) -> List[Tuple[Labels, Shape, Any]]:
        known = {"query": ("n", "s", "h", "d"), "key": ("n", "t", "g", "d"),
                 "value": ("n", "t", "g", "e"), "sink": ("h",)}
        if self.wrt:
            return [(known[name], tuple([sizes[label] for label in known[name]]),
                     self.options.sink if name == "sink" else self.dtype)
                    for name in self.wrt]
        n, s, h, e = (sizes[label] for label in "nshe")
        found = [(("n", "s", "h", "e"), (n, s, h, e), self.dtype)]
        return found + ([(("n", "h", "s"), (n, h, s), "float32")] if self.return_lse else [])

    def launch(self, avals: Sequence[Any], part: Part) -> Tuple[Launch, List[Any]]:
        sizes, first, count = sizes_of(self, avals), self.first, self.options.num_captures
        (score, mask), numbers, behind = make_regions(
            self.options, (1, sizes["h"], sizes["s"], sizes["t"]), part, {},
            [its.shape for its in avals[first:first + count]],
            self.operands[first:first + count], is_whole=False)
        keywords = {"score": score, "mask": mask, "sequences": PACKED,
                    **self.options.keywords()}
        made = self.results(sizes)
        heads = sizes["h"], sizes["g"]
        arrays = Arrays(ELEMENTS[self.dtype], sizes["d"], sizes["e"])
        if self.wrt:
            arrays = arrays._replace(heads=find_few(sizes["s"], sizes["m"] - 1, *heads))
            text = backward_text(
                arrays, wrt=self.wrt, d_lse=self.d_lse, deterministic=self.deterministic,
                gradient_dtypes=[ELEMENTS[its] for _, _, its in made], **keywords)
        else:
            arrays = arrays._replace(heads=find_groups(*heads))
            text = module_text(arrays, return_lse=self.return_lse, **keywords)
        arguments = [self.options.argument(number, len(avals[number].shape))
                     for number in range(first)]
        arguments += capture_arguments(numbers, avals, first)
        arguments += [Array(number, (0,)) for number in range(first + count, len(avals))]
        operands = len(avals) + len(behind)
        arguments += [self.options.argument(operands + number, len(its))
                      for number, (_, its, _) in enumerate(made)]
        results = tuple([(its, dtype) for _, its, dtype in made])
        return Launch(text, text, tuple(arguments), results), behind


def varlen(q: Any, k: Any, v: Any, cu_q: Any, cu_kv: Any = None, *,
           scale: Optional[float] = None, causal: bool = False, window: Window = None,
           score_mod: Any = None, mask_mod: Any = None, sink: Any = None,
           return_lse: bool = False, deterministic: bool = False, q_scale: Any = None,
           k_scale: Any = None, v_scale: Any = None, v_mean: Any = None,
           out_scale: Any = None, out_dtype: Any = None, kv_dtype: Optional[str] = None,
           fast_accumulate: bool = False, **others: Any) -> Any:
    """Attention of packed sequences, which follow each other in each array, as
    attn_mlir.varlen: the rows of a sequence attend to its own keys only. `q` is (Tq, Hq, D), `k`
    and `v` are (Tkv, Hkv, D), cumulative lengths int32, and the lse (Hq, Tq) of float32. In
    reverse mode, arrays that functions capture have no gradient here. Arrays may have elements
    of 8 or 4 bits, with scales as of attn_mlir.varlen: (), (H,) or (T, H), and a mean of values,
    (1, Hkv, Dv). Such calls have no derivatives."""
    if others:
        refuse(varlen, others)
    given = given_of(locals())
    refuse_traced(scale=scale, causal=causal, window=window, return_lse=return_lse,
                  deterministic=deterministic, fast_accumulate=fast_accumulate,
                  out_dtype=out_dtype, kv_dtype=kv_dtype)
    check_devices({"q": q, "k": k, "v": v, "cu_q": cu_q, "cu_kv": cu_kv, "sink": sink,
                   **given.operands})
    deterministic = as_flag("deterministic", deterministic)
    fast_accumulate = as_flag("fast_accumulate", fast_accumulate)
    if is_stored(q, k, v, given):
        from . import _stored_calls

        return _stored_calls.varlen(
            q, k, v, cu_q, cu_kv, given, scale=scale, causal=causal, window=window,
            score_mod=score_mod, mask_mod=mask_mod, sink=sink, return_lse=return_lse)
    scale, causal, window = check_own_options(scale, causal, window)
    return_lse = as_flag("return_lse", return_lse)
    sizes: Dict[str, int] = {}
    q = as_array("q", q, ("Tq", "Hq", "D"), sizes, float_names())
    own = (q.dtype.name,)
    k = as_array("k", k, ("Tkv", "Hkv", "D"), sizes, own)
    v = as_array("v", v, ("Tkv", "Hkv", "Dv"), sizes, own)
    check_heads(sizes)
    cu_q = as_array("cu_q", cu_q, ("N + 1",), sizes, ("int32",))
    cu_kv = cu_q if cu_kv is None else as_array("cu_kv", cu_kv, ("N + 1",), sizes, ("int32",))
    inputs = [its[None] for its in (q, k, v)]
    if sink is not None:
        inputs.append(as_array("sink", sink, ("Hq",), sizes, float_names()))
    options, captures = _options(scale, align(causal), window, score_mod, mask_mod, sink)
    op = Varlen(options, return_lse, q.dtype.name, deterministic=deterministic)
    found = call(op, *inputs[:3], *captures, *inputs[3:], cu_q, cu_kv)
    found = [its[0] for its in found]
    return tuple(found) if return_lse else found[0]


def _options(scale: Any, causal: Any, window: Window, score_mod: Any, mask_mod: Any,
             sink: Any, layout: str = BSHD) -> Tuple[Options, List[Any]]:
    score, of_score = trace(score_mod, "score_mod")
    mask, of_mask = trace(mask_mod, "mask_mod")
    return Options(scale, causal, window, "bottom_right", score, mask,
                   "" if sink is None else sink.dtype.name, layout=layout), [
                       *of_score, *map(jax.lax.stop_gradient, of_mask)]


class Decode(NamedTuple):
    """A call of `decode` on floats of 16 or 32 bits, as the parameter of the primitive in _ops.py.
    Its operands are query and both caches (or that of the keys alone, with `value_dims`), the
    captured arrays, the sink, the further columns of query and keys, the counts (the number of
    rows of each batch entry), the lengths of caches and the page table, each if it is given."""

    options: Options
    return_lse: bool
    dtype: str
    counts: bool
    lengths: bool
    pages: bool
    # If the values are columns of the keys, the number of their first column and the one past the
    # last; None if the values are a separate operand.
    value_dims: Optional[Tuple[int, int]] = None
    # `rope` is the number of columns of query and keys that are in separate arrays, or 0.
    # `is_shared` says whether the separate array of the keys has one head for several heads of
    # keys.
    rope: int = 0
    is_shared: bool = False

    merged = _only_whole

    @property
    def first(self) -> int:
        return 3 if self.value_dims is None else 2

    @property
    def operands(self) -> Tuple[Labels, ...]:
        batch, labels = "p" if self.pages else "b", self.options.labels
        found: List[Labels] = [labels("b", "s", "h", "d"), labels(batch, "t", "g", "d"),
                               labels(batch, "t", "g", "e")][:self.first]
        for mod in (self.options.score, self.options.mask):
            found += [("",) * len(its.shape) for its in (mod.captures if mod else ())]
        found += [("h",)] if self.options.sink else []
        if self.rope:
            found += [labels("b", "s", "h", "r"),
                      labels(batch, "t", "" if self.is_shared else "g", "r")]
        found += [("b",)] * (self.counts + self.lengths)
        return (*found, *([("b", "c")] if self.pages else []))

    def value_columns(self, sizes: Dict[str, int]) -> int:
        return sizes["e"] if self.value_dims is None else \
            self.value_dims[1] - self.value_dims[0]

    def features(self, rows: int, page: Optional[int]) -> Features:
        its = self.options.keywords()["features"]
        types = [f"memref<?x{heads}x{count or '?'}x{self.rope}x{ELEMENTS[self.dtype]}, "
                 "strided<[?, ?, ?, 1]>>"
                 for heads, count in (("?", rows), ("1" if self.is_shared else "?", page))]
        return its._replace(scales=tuple(
            [(name, type_, 1) for name, type_ in zip(("query_rope", "key_rope"), types)])
            if self.rope else ())

    def results(self, sizes: Dict[str, int]) -> List[Tuple[Labels, Shape, Any]]:
        b, s, h = (sizes[label] for label in "bsh")
        e = self.value_columns(sizes)
        found = [(self.options.labels("b", "s", "h", "e"),
                  ordered(self.options.layout, b, s, h, e), self.dtype)]
        return found + ([(("b", "h", "s"), (b, h, s), "float32")] if self.return_lse else [])

    def launch(self, avals: Sequence[Any], part: Part) -> Tuple[Launch, List[Any]]:
        sizes, first, count = sizes_of(self, avals), self.first, self.options.num_captures
        (score, mask), numbers, behind = make_regions(
            self.options, (sizes["b"], sizes["h"], sizes["s"], sizes["t"]), part, {},
            [its.shape for its in avals[first:first + count]],
            self.operands[first:first + count], is_whole=False)
        dtype, d, e = ELEMENTS[self.dtype], sizes["d"], self.value_columns(sizes)
        rows = sizes["s"] if is_few(sizes["s"], FEW_ROWS) else 0
        page = sizes["t"] if self.pages else None
        arrays = Arrays(dtype, d, e, rows=rows or "?", keys="?" if page is None else page)
        text = module_text(
            arrays, return_lse=self.return_lse, score=score, mask=mask, value_dims=self.value_dims,
            sequences=cache_sequences(arrays, self.pages, self.lengths, self.counts),
            **{**self.options.keywords(), "features": self.features(rows, page)})
        made = self.results(sizes)
        arguments = [self.options.argument(number, 4) for number in range(first)]
        arguments += capture_arguments(numbers, avals, first)
        arguments += [self.options.argument(number, len(avals[number].shape))
                      for number in range(first + count, len(avals))]
        operands = len(avals) + len(behind)
        arguments += [self.options.argument(operands + number, len(its))
                      for number, (_, its, _) in enumerate(made)]
        results = tuple([(its, own) for _, its, own in made])
        return Launch(text, text, tuple(arguments), results), behind


def decode(q: Any, k_cache: Any, v_cache: Any = None, *, lengths: Any = None,
           page_table: Any = None, counts: Any = None, scale: Optional[float] = None,
           causal: bool = False, window: Window = None, score_mod: Any = None,
           mask_mod: Any = None, sink: Any = None, return_lse: bool = False,
           q_scale: Any = None, k_scale: Any = None, v_scale: Any = None, v_mean: Any = None,
           out_scale: Any = None, out_dtype: Any = None, kv_dtype: Optional[str] = None,
           fast_accumulate: bool = False, value_dims: ValueDims = None, q_rope: Any = None,
           k_rope: Any = None, value_along_keys: bool = False, layout: str = BSHD,
           **others: Any) -> Any:
    """Attention of new tokens over a cache of keys and values, as attn_mlir.decode: `q` is
    (B, Sq, Hq, D), caches are (B, S, Hkv, D), or with `page_table` (pages, P, Hkv, D); the
    result is as q and the lse (B, Hq, Sq). With `value_dims`, (first, end), the values are these
    columns of `k_cache`, which are loaded once. `q_rope`, (B, Sq, Hq, D2), has further columns of
    the query, and `k_rope` those of the keys: its shape is that of `k_cache` with D2 columns, and
    with the same heads or one. With layout="BHSD", heads are before rows in all of these arrays
    and in the result: caches are (B, Hkv, S, D), or (pages, Hkv, P, D). There are no gradients.

    Caches may have elements of 8 or 4 bits, with scales of the shapes of attn_mlir.decode: (),
    (B, H) or (B, H, S), with pages (pages, H) or (pages, H, P). The mean of values is (B, Hkv, 1,
    Dv), or with pages (1, Hkv, 1, Dv). With `value_along_keys`, `v_cache` is (B, Hkv, Dv, S), or
    with pages (pages, Hkv, Dv, P), so that elements of adjacent keys are adjacent in memory."""
    if others:
        refuse(decode, others)
    refuse_traced(scale=scale, causal=causal, window=window, return_lse=return_lse,
                  value_dims=value_dims, fast_accumulate=fast_accumulate,
                  value_along_keys=value_along_keys, out_dtype=out_dtype, kv_dtype=kv_dtype,
                  layout=layout)
    layout = as_layout(layout)
    given = given_of(locals())
    check_devices({"q": q, "k_cache": k_cache, "v_cache": v_cache, "lengths": lengths,
                   "page_table": page_table, "counts": counts, "sink": sink, "q_rope": q_rope,
                   "k_rope": k_rope, **given.operands})
    fast_accumulate = as_flag("fast_accumulate", fast_accumulate)
    if is_stored(q, k_cache, v_cache, given):
        from . import _stored_calls

        refuse_beside(value_dims=value_dims, q_rope=q_rope, k_rope=k_rope)
        return _stored_calls.decode(
            q, k_cache, v_cache, given, lengths=lengths, page_table=page_table, counts=counts,
            scale=scale, causal=causal, window=window, score_mod=score_mod,
            mask_mod=mask_mod, sink=sink, return_lse=return_lse, layout=layout)
    scale, causal, window = check_own_options(scale, causal, window)
    return_lse = as_flag("return_lse", return_lse)
    sizes: Dict[str, int] = {}
    q = as_array("q", q, ordered(layout, "B", "Sq", "Hq", "D"), sizes, float_names())
    own = (q.dtype.name,)
    where = ("B", "S") if page_table is None else ("N", "P")
    k_cache = as_array("k_cache", k_cache, ordered(layout, *where, "Hkv", "D"), sizes, own)
    caches = [k_cache]
    if value_dims is not None:
        value_dims = check_columns(k_cache, v_cache, value_dims, ("k_cache", "v_cache"))
        if q_rope is None and k_rope is None and value_dims == (0, sizes["D"]):
            v_cache, value_dims = k_cache, None
    if value_dims is None:
        v_cache = take_values(k_cache, v_cache, None, ("k_cache", "v_cache"))
        caches.append(as_array("v_cache", v_cache, ordered(layout, *where, "Hkv", "Dv"), sizes,
                               own))
    rope: List[Any] = []
    if q_rope is not None or k_rope is not None:
        rope = list(check_rope(q, k_cache, q_rope, k_rope, layout, "k_cache"))
    check_heads(sizes, k="k_cache")
    if counts is not None and lengths is None:
        raise expected("counts", "lengths beside it", "None")
    rest = [as_array(name, its, shape, sizes, ("int32",)) for name, its, shape in (
        ("counts", counts, ("B",)), ("lengths", lengths, ("B",)),
        ("page_table", page_table, ("B", "columns"))) if its is not None]
    sinks = [] if sink is None else [as_array("sink", sink, ("Hq",), sizes, float_names())]
    options, captures = _options(scale, align(causal), window, score_mod, mask_mod, sink, layout)
    op = Decode(options, return_lse, q.dtype.name, counts is not None, lengths is not None,
                page_table is not None, value_dims, rope[0].shape[3] if rope else 0,
                bool(rope) and sizes["Hkv"] != 1 and ordered(layout, *rope[1].shape)[2] == 1)
    found = call(op, q, *caches, *captures, *sinks, *rope, *rest)
    return tuple(found) if return_lse else found[0]
