"""Calls of attention and of `append` on JAX's arrays whose elements have 8 or 4 bits, or with
scales."""

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple

import jax.numpy as jnp

from .._append import append_text
from .._arrays import expected
from .._attend import PACKED, cache_sequences, find_groups
from .._library import DTYPES
from .._module import FEW_KEYS, FEW_ROWS, NARROW_QUERIES, Arrays, module_text
from .._options import as_flag
from .._output import as_out_dtype, choose_dtype
from .._scales import (NAMES, check_bytes, describe_scale, describe_sizes, find_form,
                       find_scales, is_bytes)
from ._call_regions import Options, capture_arguments, make_regions
from ._layouts import argument, order_of, ordered
from ._ops import Labels, Part, Shape, call, is_few, sizes_of
from ._target import ELEMENTS, STORED, Array, Launch

# JAX's names of the dtypes of keys and values that kernels take as bytes with two numbers of 4 bits
# each: arrays of uint8 have such bytes, and arrays of int4 are packed into them. `_EIGHT_BITS` are
# JAX's names of the dtypes of 8 bits.
_BYTES = ("uint8", "int4")
_EIGHT_BITS = ("int8", *[name for name in STORED if name not in _BYTES])
_ELEMENTS = {**ELEMENTS, **STORED}
_NAMES = {its: name for name, its in _ELEMENTS.items()}


def stored_names(own: Tuple[str, ...]) -> Tuple[str, ...]:
    """Returns the names of the dtypes that keys and values may have. `own` has the name of the
    query's dtype, which they may have, too, unless the query has 8 bits."""
    return (*own, *_EIGHT_BITS, *_BYTES)


def query_names(own: Tuple[str, ...]) -> Tuple[str, ...]:
    return (*own, *[_NAMES[its] for its in NARROW_QUERIES])


class Given(NamedTuple):
    """Arguments of `attention`, `decode` and `varlen` that only calls on arrays of 8 or 4 bits, of
    several dtypes, with scales, or with values along keys have. `operands` has the operands in the
    op's clause `with` by name, without further columns; those that are not given are None."""

    operands: Dict[str, Any]
    out_dtype: Any = None
    kv_dtype: Optional[str] = None
    fast_accumulate: bool = False
    value_along_keys: bool = False


def given_of(values: Mapping[str, Any]) -> Given:
    """Returns the arguments that Given has of a function whose local variables are `values`."""
    given = Given({name: values.get(name) for name in NAMES},
                  **{name: values[name] for name in Given._fields if name in values})
    return given._replace(
        value_along_keys=as_flag("value_along_keys", given.value_along_keys))


def is_stored(q: Any, k: Any, v: Any, given: Given) -> bool:
    """Whether a call needs the kernels of this file: its query has 8 bits, its arrays have several
    dtypes, it has one of the scales, dtypes or other arguments in `given`, or its values are
    contiguous along keys."""
    names = [str(getattr(its, "dtype", "")) for its in (q, k, v) if its is not None]
    others = *given.operands.values(), given.out_dtype, given.kv_dtype
    return given.value_along_keys or any([its is not None for its in others]) \
        or len(set(names)) > 1 or any([its in _EIGHT_BITS for its in names[:1]])


def refuse_beside(**others: Any) -> None:
    """Raises if one of these arguments is not None. Calls on arrays of 8 or 4 bits, of several
    dtypes, with scales, or with values along keys do not take them."""
    for name, its in others.items():
        if its is not None:
            raise expected(name, "none beside arrays of 8 bits or 4, of several dtypes, with "
                           "scales, or value_along_keys", type(its).__name__)


def describe_array(array: Any) -> Tuple:
    """Describes an array of JAX's for the checks of scales, which read its shape, its strides (in
    elements) and its dtype. The address in the description is 0."""
    strides = [1] * array.ndim
    for dim in range(array.ndim - 2, -1, -1):
        strides[dim] = strides[dim + 1] * max(1, array.shape[dim + 1])
    code = DTYPES.get(_ELEMENTS.get(array.dtype.name, ""))
    if code is None:
        raise expected("scales", "dtype float32", array.dtype.name)
    return 0, tuple(array.shape), tuple(strides), code, 0, 0, None


def _as_bytes(array: Any) -> Any:
    """Returns an array of int4 packed into uint8, two numbers in a byte, the first one in the low
    bits. Returns other arrays as they are."""
    if array.dtype.name != "int4":
        return array
    if array.shape[-1] % 2:
        raise expected("k and v", "an even head dim of int4, two numbers to a byte",
                       array.shape[-1])
    low, high = (array[..., first::2].astype(jnp.uint8) for first in (0, 1))
    return low & 15 | high << 4


def find_halves(kv_dtype: Optional[str], **keys: Any) -> List[Any]:
    """Returns keys and values, where those of int4 have been packed into bytes of two numbers each.
    Raises if `kv_dtype` does not fit the dtypes of keys and values that are not int4."""
    others = {name: its for name, its in keys.items() if its.dtype.name != "int4"}
    if kv_dtype != "i4" or len(others) == len(keys):
        check_bytes(kv_dtype, **others)
    return [_as_bytes(its) for its in keys.values()]


def _element(array: Any) -> str:
    return "i4" if is_bytes(array) else _ELEMENTS[array.dtype.name]


def label_size(size: int, label: str, sizes: Dict[str, int]) -> str:
    """Returns the label of a scale's dimension: `label`, but "" if the dimension has size 1 or
    another size than the array's dimension with that label."""
    return label if size > 1 and sizes[label] == size else ""


# The permutation that takes values whose adjacent elements are those of adjacent keys, (B, H, D,
# S), to the dimensions of kernels, (B, H, S, D).
_COLUMNS = (0, 1, 3, 2)


class ScaleOf(NamedTuple):
    """A scale that is an operand of a call: its name in the op of attention, its MLIR type, how
    many adjacent rows share one of its elements, and the labels of its dimensions."""

    clause: str
    type: str
    block: int
    labels: Labels


class Stored(NamedTuple):
    """A call of `attention`, `decode` or `varlen` on arrays of 8 or 4 bits or with scales, as the
    parameter of the primitive in _ops.py. Its operands are query, key, value, the captured arrays,
    the sink, and the scales. For a cache, those given of counts, lengths and page table follow; for
    packed sequences, both cumulative lengths follow. Arrays of packed sequences are (1, T, H, D),
    and scales of their tokens (1, T, H)."""

    options: Options
    return_lse: bool
    # The names that kernels give the dtypes of query, key, value and output; "i4" stands for bytes
    # with two numbers each.
    elements: Tuple[str, str, str, str]
    scales: Tuple[ScaleOf, ...]
    counts: bool
    lengths: bool
    pages: bool
    is_packed: bool
    is_cache: bool
    fast_accumulate: bool
    along_keys: bool

    def merged(self, sizes: Dict[str, int], batched: Sequence[Optional[int]]) -> None:
        return None

    @property
    def operands(self) -> Tuple[Labels, ...]:
        own = "" if self.is_packed else "b"
        batch = "p" if self.pages else own
        # Keys that are bytes with two numbers each have half as many columns as the query, and such
        # values have half as many as the output. So the labels of their columns differ from those
        # of query and output.
        keys, values = ("m" if its == "i4" else columns
                        for its, columns in zip(self.elements[1:3], "de"))
        order = self.options.labels
        found: List[Labels] = [order(own, "s", "h", "d"), order(batch, "t", "g", keys),
                               (batch, "g", "e", "t") if self.along_keys else
                               order(batch, "t", "g", "n" if values == "m" else values)]
        for mod in (self.options.score, self.options.mask):
            found += [("",) * len(its.shape) for its in (mod.captures if mod else ())]
        found += [("h",)] if self.options.sink else []
        found += [its.labels for its in self.scales]
        found += [("b",)] * (self.counts + self.lengths) + [("c",)] * (2 * self.is_packed)
        return (*found, *([("b", "c")] if self.pages else []))

    def results(self, sizes: Dict[str, int]) -> List[Tuple[Labels, Shape, Any]]:
        own, b = ("", 1) if self.is_packed else ("b", sizes["b"])
        s, h = (sizes[label] for label in "sh")
        e = sizes["e"] if self.elements[2] != "i4" else 2 * sizes["n"]
        found = [(self.options.labels(own, "s", "h", "e"),
                  ordered(self.options.layout, b, s, h, e), _NAMES[self.elements[3]])]
        return found + ([((own, "h", "s"), (b, h, s), "float32")] if self.return_lse else [])

    def launch(self, avals: Sequence[Any], part: Part) -> Tuple[Launch, List[Any]]:
        sizes, count = sizes_of(self, avals), self.options.num_captures
        s, t = sizes["s"], sizes["t"]
        made = self.results(sizes)
        (score, mask), numbers, behind = make_regions(
            self.options, (made[0][1][0], sizes["h"], s, t), part, {},
            [its.shape for its in avals[3:3 + count]], self.operands[3:3 + count],
            is_whole=False)
        query, key, value, output = self.elements
        d, e = sizes["d"], made[0][1][3]
        rows = s if is_few(s, FEW_ROWS) and (
            self.is_cache or not is_few(t, FEW_KEYS)) else 0
        described = Arrays(
            query, d, e, key, value, output, self.along_keys, rows or "?",
            t if self.pages else "?",
            find_groups(sizes["h"], sizes["g"]) if self.is_packed else ("?", "?"))
        keywords = self.options.keywords()
        keywords["features"] = keywords["features"]._replace(
            scales=tuple([its[:3] for its in self.scales]))
        text = module_text(
            described, return_lse=self.return_lse, score=score, mask=mask,
            fast_accumulate=self.fast_accumulate, sequences=PACKED if self.is_packed else
            cache_sequences(described, self.pages, self.lengths, self.counts), **keywords)
        arguments = [self.options.argument(number, 4) for number in range(3)]
        if self.along_keys:
            arguments[2] = Array(2, _COLUMNS)
        arguments += capture_arguments(numbers, avals, 3)
        # Kernels take the dimensions of a scale in the order in which the caller gives them. The
        # exception are scales of packed tokens, (1, T, H), which kernels take as (1, H, T).
        orders = [tuple(range(len(its.shape))) for its in avals]
        arguments += [Array(number, (0, 2, 1) if self.is_packed and len(orders[number]) == 3
                            else orders[number]) for number in range(3 + count, len(avals))]
        operands = len(avals) + len(behind)
        arguments += [self.options.argument(operands + number, len(its))
                      for number, (_, its, _) in enumerate(made)]
        results = tuple([(its, own) for _, its, own in made])
        return Launch(text, text, tuple(arguments), results), behind


def _find_scales(given: Given, in_kernel: Sequence[Shape],
                 is_packed: bool) -> Tuple[List[Any], List[ScaleOf]]:
    """Checks the given scales, whose shapes are the same as for arrays of other libraries. Returns
    the arrays of those that are not None, and a ScaleOf for each. `in_kernel` are the sizes of
    query, key and value in the kernels' order of dimensions, (B, H, S, D)."""
    found: List[Any] = []
    specs: List[ScaleOf] = []
    for scale in find_scales(given.operands, is_packed):
        name, clause, of = scale.declared[:3]
        if not hasattr(scale.array, "dtype"):
            raise expected(name, "an array of float32", type(scale.array).__qualname__)
        array = jnp.asarray(scale.array)
        described, type_ = describe_scale(scale, describe_array(array), in_kernel)
        sizes = tuple(described[1])
        names = "bg" if of in (1, 2) else "bh"
        full = dict(zip(names, in_kernel[of]))
        labels = [label_size(size, names[dim], full) if dim in (0, 1) else "" for size, dim in zip(
            sizes, find_form(scale.declared.forms, len(sizes)) or ())]
        if is_packed and len(sizes) == 3:  # the caller has tokens first
            sizes, labels = array[None].shape, [labels[0], labels[2], labels[1]]
        found.append(array.reshape(sizes))
        specs.append(ScaleOf(clause, type_, scale.block, tuple(labels)))
    return found, specs


def attend(q: Any, k: Any, v: Any, options: Options, captures: Sequence[Any], sink: Any,
           return_lse: bool, given: Given, rest: Sequence[Tuple[str, Any]] = (),
           is_cache: bool = False) -> Any:
    """Computes attention of arrays that the caller has checked. `rest` has further arrays with
    their names: for a cache, those given of counts, lengths and page table; for packed sequences,
    both cumulative lengths."""
    element = _ELEMENTS[q.dtype.name]
    output = choose_dtype(element, as_out_dtype(given.out_dtype), given.operands["out_scale"])
    orders = [order_of(options.layout)] * 3
    if given.value_along_keys:
        orders[2] = _COLUMNS
    in_kernel = [[its.shape[dim] for dim in order] for its, order in zip((q, k, v), orders)]
    for its, sizes in zip((q, k, v), in_kernel):
        sizes[3] *= 2 if is_bytes(its) else 1
    if in_kernel[0][3] != in_kernel[1][3]:
        raise expected("k", f"{in_kernel[0][3]} columns, as q has", in_kernel[1][3])
    names = [name for name, _ in rest]
    scales, specs = _find_scales(given, [tuple(its) for its in in_kernel], "cu_q" in names)
    if "page_table" in names:
        specs = [its._replace(labels=("p" if its.labels[:1] == ("b",) else "", *its.labels[1:]))
                 if its.labels and its.clause in ("key_scale", "value_scale") else its
                 for its in specs]
    op = Stored(options, return_lse, (element, _element(k), _element(v), output),
                tuple(specs),
                *[name in names for name in ("counts", "lengths", "page_table", "cu_q")],
                is_cache, as_flag("fast_accumulate", given.fast_accumulate),
                given.value_along_keys)
    found = call(op, q, k, v, *captures, *([] if sink is None else [sink]), *scales,
                 *[its for _, its in rest])
    return tuple(found) if return_lse else found[0]


class StoredAppend(NamedTuple):
    """A call of `append` where a cache has 8 or 4 bits, as the parameter of the primitive in
    _ops.py. Its operands are key, value, each of query, counts, page table, cosines and sines that
    is given, scales that it reads, both caches, scales that it computes and writes, and the
    lengths. Its results are the rotated query, if a query is given, both caches, scales that it
    writes, and the lengths."""

    dtype: str
    caches: Tuple[str, str]
    query: bool
    counts: bool
    pages: bool
    rotary: str
    interleaved: bool
    scales: Tuple[str, ...]
    makes_scales: bool
    layout: str

    # Lengths do not depend on heads, so that devices that divide heads have equal ones.
    adds_up = False

    def merged(self, sizes: Dict[str, int], batched: Sequence[Optional[int]]) -> None:
        return None

    @property
    def operands(self) -> Tuple[Labels, ...]:
        b = "a"  # Not "b", so that devices do not divide the batch.
        found = [ordered(self.layout, b, "s", "g", "d"), ordered(self.layout, b, "s", "g", "e")]
        found += [ordered(self.layout, b, "s", "h", "d")] if self.query else []
        found += [(b,)] if self.counts else []
        found += [(b, "c")] if self.pages else []
        found += [("r", "f")] * 2 if self.rotary else []
        found += [("",) * its.count("?x") for its in self.scales]
        cache = "p" if self.pages else b
        found += [ordered(self.layout, cache, "t", "g", half if its == "i4" else own)
                  for its, own, half in zip(self.caches, "de", "mn")]
        found += [(cache, "g", "t")] * 2 if self.makes_scales else []
        return (*found, (b,))

    @property
    def _num_written(self) -> int:
        return 5 if self.makes_scales else 3

    def results(self, sizes: Dict[str, int]) -> List[Tuple[Labels, Shape, Any]]:
        labels = self.operands[-self._num_written:]
        dtypes = ["uint8" if its == "i4" else _NAMES[its] for its in self.caches]
        dtypes += ["float32"] * (self._num_written - 3) + ["int32"]
        if self.query:
            labels, dtypes = (self.operands[2], *labels), [self.dtype, *dtypes]
        return [(its, tuple([sizes[label] for label in its]), dtype)
                for its, dtype in zip(labels, dtypes)]

    def launch(self, avals: Sequence[Any], part: Part) -> Tuple[Launch, List[Any]]:
        sizes = sizes_of(self, avals)
        rotary = (sizes["f"], ELEMENTS[self.rotary]) if self.rotary else None
        text = append_text(
            ELEMENTS[self.dtype], sizes["d"], sizes["e"], counts=self.counts,
            pages=self.pages, query=self.query, rotary=rotary, interleaved=self.interleaved,
            caches=self.caches, scales=self.scales, makes_scales=self.makes_scales)
        made, count, written = self.results(sizes), len(avals), self._num_written
        first = count + self.query
        outs = [first, first + 1, *([count] if self.query else []),
                *range(first + 2, first + written)]
        ranks = [len(its.shape) for its in avals] + [len(its) for _, its, _ in made]
        arguments = [argument(self.layout, number, ranks[number])
                     for number in [*range(count - written), *outs]]
        aliases = tuple([(count - written + i, self.query + i) for i in range(written)])
        return Launch(text, text, tuple(arguments),
                      tuple([(its, own) for _, its, own in made]), aliases), []


def append_stored(arrays: Sequence[Any], caches: Sequence[Any], lengths: Any,
                  given: Given, layout: str, **options: Any) -> Tuple[Any, ...]:
    """Appends to caches of 8 or 4 bits. `arrays` are key, value, and each of query, counts, page
    table, cosines and sines that is given; the caller has checked them. Returns both caches, the
    lengths, the rotated query if there is one, and both scales if the call writes them."""
    for name, its in zip(("k_cache", "v_cache"), caches):
        if its.dtype.name == "int4":
            raise expected(name, "uint8 and kv_dtype='i4', whose bytes have two numbers each",
                           "int4")
    check_bytes(given.kv_dtype, k_cache=caches[0], v_cache=caches[1])
    of_caches = {name: given.operands[name] for name in ("k_scale", "v_scale")}
    for name, its in of_caches.items():
        if its is not None and not hasattr(its, "dtype"):
            raise expected(name, "an array of float32", type(its).__qualname__)
    scales = [None if its is None else jnp.asarray(its)
              for its in of_caches.values()]
    has_scales = any(its is not None for its in scales)
    for name, its, cache in zip(("k_scale", "v_scale"), scales, caches):
        is_narrow = cache.dtype != arrays[0].dtype
        if its is None and is_narrow and has_scales:
            raise expected(name, "an array beside that of the other", "None")
        if its is not None and not is_narrow:
            raise expected(name, "None beside a cache of neither 8 bits nor 4",
                           f"a scale, and a cache of {cache.dtype}")
    # The op attn.append takes both scales or none, and ignores the scale of a cache that has k's
    # dtype. If only that scale is missing, the other one is passed in its place.
    given_scales = [its for its in scales if its is not None]
    if len(given_scales) == 1:
        if given_scales[0].ndim == 3:
            made, missing = ("v_scale", "k_scale") if scales[0] is None else ("k_scale", "v_scale")
            raise expected(made, f"sizes () or (B, Hkv), since {missing} is None and scales are "
                           "made for both caches or none", "an array of rank 3")
        scales = given_scales * 2
    # Scales of rank 3, with an element for each token and head, are computed and written by the
    # call; others are read.
    is_made = scales[0] is not None and scales[0].ndim == 3
    types: List[str] = []
    for number, (name, its) in enumerate(zip(("k_scale", "v_scale"), scales)):
        if its is None:
            continue
        b, _, h, _ = ordered(layout, *arrays[0].shape)
        n, s, _, _ = ordered(layout, *caches[0].shape)
        if is_made:
            if its.dtype != jnp.float32 or its.shape != (n, h, s):
                raise expected(name, f"float32 of shape {(n, h, s)}",
                               f"{its.dtype} of {its.shape}")
            continue
        described, type_ = describe_sizes(name, describe_array(its), ((), (0, 1)), (b, h),
                                          ("B", "Hkv"))
        scales[number] = its.reshape(described[1])
        types.append(type_)
    op = StoredAppend(arrays[0].dtype.name, (_element(caches[0]), _element(caches[1])),
                      scales=tuple(types), makes_scales=is_made, layout=layout, **options)
    found = call(op, *arrays, *(scales if types else []), *caches,
                 *(scales if is_made else []), lengths)
    rotated = found[:1] if op.query else []
    found = found[len(rotated):]
    return (*found[:2], found[-1], *rotated, *found[2:-1])
