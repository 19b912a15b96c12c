"""The common part of attention, decode and varlen: checks of arrays, the choice of a kernel, and
results."""

import functools
from typing import Any, Callable, Dict, List, NamedTuple, Sequence, Tuple

from ._arrays import Adapter, adapter_of, expected
from ._captures import find_call, find_captured
from ._checks import check_cache, check_range, check_scales
from ._constants import refuse_tensors
from ._dropout import check_probability, check_seed, check_sources
from ._frames import Calls
from ._library import CUDA
from ._module import (DTYPES, FEW_KEYS, FEW_PACKED_ROWS, FEW_ROWS, NARROW_QUERIES, Arrays,
                      Sequences, Size, array_type, module_text)
from ._options import as_flag, check_options, check_own_options
from ._output import as_out_dtype, choose_dtype, dtype_of_out
from ._rope import check_dtypes
from ._rows import Operand, Shape, describe, lies_along_keys, present, run
from ._scales import (NARROW, OPERANDS, Scale, arrays_of, check_bytes, check_dropout, check_pages,
                      find_scales, has_channels)
from ._spellings import arguments_of
from ._tracing import as_mask, as_score
from ._within import find_columns, find_values

I32 = ("i32",)
# The dtypes of queries, and of keys and values, which may have the query's.
QUERIES = (*DTYPES, *NARROW_QUERIES)
STORED = ("", *NARROW)
_CU = array_type(1, "i32")
# The names of arguments that describe sequences.
_SEQUENCES = ("cu_q", "cu_kv", "counts", "lengths", "page_table")
# The number of q_rope among a call's operands, which are query, key, value, sink and OPERANDS.
QUERY_COLUMNS = 4 + OPERANDS.index("q_rope")
PACKED = Sequences({"cu_q": _CU, "cu_kv": _CU},
                   [f"packed(%cu_q, %cu_kv : {_CU}, {_CU})"])


class Layout(NamedTuple):
    """Describes the arrays of `attention`, `varlen` or `decode`. `query` and `key` (without the
    dimension of columns) and `lse` have a name for each dimension of that array, such as "B";
    `keys` are the names that errors give keys and values."""

    query: Shape
    key: Shape
    lse: Shape
    keys: Tuple[str, str] = ("k", "v")
    is_cache: bool = False
    is_packed: bool = False


def find_groups(query: int, key: int) -> Tuple[Size, Size]:
    """Returns the numbers of query heads and key heads if several query heads share a key head
    (GQA), else "?" for both. A kernel that is compiled for these numbers has the rows of all heads
    of a group in one tile."""
    return (query, key) if 0 < key < query and query % key == 0 else ("?", "?")


def find_few(rows: Any, sequences: Any, query: Any, key: Any) -> Tuple[Size, Size]:
    """Returns the numbers of heads for which gradients are compiled: those of find_groups() if
    there are at most FEW_ROWS query rows or, if `sequences` is not None, at most FEW_PACKED_ROWS
    for each of that many packed sequences on average. Otherwise returns "?" for both. A size that
    is no number, such as the symbolic ones of jax.export, counts as large."""
    is_known = all([isinstance(its, int) for its in (rows, sequences or 0, query, key)])
    most = FEW_ROWS if sequences is None else FEW_PACKED_ROWS * sequences
    return find_groups(query, key) if is_known and rows <= most else ("?", "?")


def new_results(adapter: Adapter, like: Any, return_lse: bool, head_dim: int,
                dtype: str = "") -> List[Any]:
    """Returns new arrays for the results (the output and, with `return_lse`, the lse). The output
    has the dtype `dtype`, or that of the query `like` if `dtype` is "". If sequences are packed,
    the query has rank 3."""
    results = [adapter.empty(like, head_dim, dtype)]
    if return_lse:
        *rows, _ = like.shape
        results.append(adapter.new(like, rows if len(rows) == 3 else rows[::-1], "f32"))
    return results


def find_results(like: Any, out: Any, return_lse: bool, head_dim: int,
                 dtype: str = "") -> List[Any]:
    """Returns the arrays for the results: the caller's `out`, or those of new_results() if that is
    None."""
    if out is None:
        return new_results(adapter_of("q", like), like, return_lse, head_dim, dtype)
    if not return_lse:
        return [out]
    if isinstance(out, (tuple, list)) and len(out) == 2:
        return list(out)
    raise expected("out", "a pair of arrays, with return_lse", type(out).__qualname__)


def cache_sequences(arrays: Arrays, pages: bool, lengths: bool, counts: bool) -> Sequences:
    """Returns the types and clauses by which a kernel's text describes a KV cache with these
    arrays, in pages or not, with an array of lengths and one of counts or not."""
    types: Dict[str, str] = {}
    clauses: List[str] = []
    before, array = "", array_type(1, "i32")
    if lengths:
        numbers = ("%counts", array) if counts else ("%rows", "index")
        if counts:
            types["counts"] = array
        else:
            before = ("  %dim = arith.constant 2 : index\n"
                      f"  %rows = memref.dim %query, %dim : {arrays.types()['query']}\n")
        types["lengths"] = array
        clauses.append(f"lengths({numbers[0]}, %lengths : {numbers[1]}, {array})")
    if pages:
        types["pages"] = array_type(2, "i32")
        clauses.append(f"pages(%pages : {types['pages']})")
    return Sequences(types, clauses, before)


def as_batch(operand: Operand) -> Operand:
    """Describes an array of packed sequences, (tokens, heads, D) or (heads, tokens), as the kernel
    takes it: (1, heads, tokens, D) or (1, heads, tokens). Arrays of rank 1 stay as they are."""
    data, sizes, strides, *rest = operand.described
    if len(sizes) == 1:
        return operand
    if len(sizes) == 3:
        (tokens, heads, width), (token, head, element) = sizes, strides
        sizes, strides = (heads, tokens, width), (head, token, element)
    sizes, strides = (1, *sizes), (max(1, sizes[0] * strides[0]), *strides)
    return operand.with_description((data, sizes, strides, *rest))


def _sequence_operands(layout: Layout, cu_q: Any = None, cu_kv: Any = None, counts: Any = None,
                       lengths: Any = None, page_table: Any = None) -> List[Operand]:
    """Returns the operands that describe sequences, in the order of the kernel's arguments: cu_q
    and cu_kv for packed sequences, else those of counts, lengths and page_table that are not
    None."""
    if layout.is_packed:
        return [Operand("cu_q", cu_q, ("N + 1",), I32), Operand("cu_kv", cu_kv, ("N + 1",), I32)]
    if counts is not None and lengths is None:
        raise expected("counts", "lengths beside it", "None")
    return present(Operand("counts", counts, ("B",), I32), Operand("lengths", lengths, ("B",), I32),
                   Operand("page_table", page_table, ("B", "columns"), I32))


def _check_numbers(layout: Layout, scales: Sequence[Scale], query: Sequence[int],
                   key: Sequence[int], cu_q: Any = None, cu_kv: Any = None, counts: Any = None,
                   lengths: Any = None, page_table: Any = None) -> None:
    """Makes the checks of the option `check` for calls with a cache or packed sequences, which read
    arrays on the host. `query` and `key` are the sizes of these arrays."""
    if not layout.is_cache:
        if layout.is_packed:
            check_scales(scales)
            check_range("cu_q", cu_q, query[0], grows=True)
            check_range("cu_kv", cu_kv, key[0], grows=True)
        return
    check_scales(scales, lengths, page_table is not None)
    columns = 1 if page_table is None else page_table.shape[1]
    check_cache(lengths, page_table, query[0], key[2] * columns, key[2], key[0])
    if counts is not None:
        check_range("counts", counts, query[2])


def _check_given(given: Dict[str, Any]) -> Tuple[Dict[str, Any], str]:
    """Checks and converts those of a call's arguments `given` for which kernels are compiled, such
    as `causal` and `scale`. Returns `given`, with these replaced, and the alignment of masks. A
    function without an argument `align` aligns the last row with the last key ("bottom_right")."""
    options = given["scale"], given["causal"], given["window"]
    if "align" in given:
        scale, causal, window, aligned = check_options(*options, given["align"])
        given["dropout_p"] = check_probability(given["dropout_p"])
    else:
        scale, causal, window = check_own_options(*options)
        aligned = "bottom_right"
    given.update(scale=scale, causal=causal, window=window)
    for name in ("return_lse", "fast_accumulate", "check"):
        given[name] = as_flag(name, given[name])
    return given, aligned


def attend(layout: Layout, function: Callable[..., Any], values: Dict[str, Any],
           calls: Calls) -> Any:
    """Makes a call of `function`, and lets `calls` repeat it for later calls on other arrays with
    the same options. `values` are the function's local variables by name."""
    # A debugger that reads the caller's frame would undo changes of its dictionary of locals.
    values = values.copy()
    values["out_dtype"] = as_out_dtype(values["out_dtype"])
    score, mask = as_score(values["score_mod"]), as_mask(values["mask_mod"])
    values["score_mod"], values["mask_mod"] = score, mask
    captures = find_captured(score, mask)
    # Query, key, value, sink, scales, further columns of query and key, the arrays that describe
    # sequences, and those that score and mask functions capture.
    arrays = (*calls.operands_in(values), *captures)
    options = (*calls.options_in(values), score and score.text, mask and mask.text)
    if list in map(type, options):
        options = tuple([tuple(its) if type(its) is list else its for its in options])
    known = calls.find(arrays, options, values["out"], values["stream"])
    if known is not NotImplemented:
        return known
    refuse_tensors(values)
    q, k, v, sink = arrays[:4]
    sequences = {name: values[name] for name in _SEQUENCES if name in values}
    if layout.is_packed and sequences["cu_kv"] is None:
        sequences["cu_kv"] = sequences["cu_q"]
    apart = options
    if "value_dims" in values and (v is None or values["value_dims"] is not None):
        v = find_values(k, v, values["value_dims"], layout.keys, values["kv_dtype"])
        # If the values are columns of the keys but the kernel loads them apart from keys, the call
        # is remembered under both arrays, `k` and the view of its columns, and with one more
        # option, True. Without that option, a wrong call that passes both `v` and `value_dims`
        # would be taken for this one.
        apart = (*options, True)
        found = calls.find((q, k, v, *arrays[3:]), apart, values["out"], values["stream"])
        if found is not NotImplemented:
            return found
        values.update({layout.keys[1]: v, "value_dims": None})
    given, aligned = _check_given(values)
    check, kv_dtype, out, return_lse = [given[name] for name in (
        "check", "kv_dtype", "out", "return_lse")]
    dropout_p, seed = given.get("dropout_p", 0.0), given.get("seed")
    adapter, is_packed = adapter_of("q", q), layout.is_packed
    scales = find_scales(given, is_packed)
    # The number of the first of the arrays that follow the operands of the clause `with`.
    after = len(arrays) - len(captures) - len(sequences)
    check_bytes(kv_dtype, **dict(zip(layout.keys, (k, v))))
    check_dropout(scales, dropout_p)
    if dropout_p:
        check_sources(given.get("generator"), seed)
    if check and not sequences:
        check_scales(scales)
    if adapter.needs_operator(q, k, v, sink, seed, *arrays_of(scales), *arrays[after:]):
        return adapter.operate(function.__name__, {
            **arguments_of(function, given),
            "remember": functools.partial(calls.remember_function, arrays, options)})
    seeds: Tuple[Any, ...] = ()
    if dropout_p:
        if seed is None:
            seed = adapter.draw_seed(q, given["generator"], given["stream"])
        seed = check_seed(seed)
        # If the seed is an array, the call is remembered under two further arrays, the seed and the
        # offset. A call whose seed and offset are numbers is not remembered.
        if not isinstance(seed, tuple) and adapter_of("seed", seed).library is not None:
            seeds = seed[:1], seed[1:]
            found = calls.find((q, k, v, *arrays[3:], *seeds), apart, out, given["stream"])
            if found is not NotImplemented:
                return found

    first = describe([
        Operand("q", q, (*layout.query, "D"), QUERIES),
        Operand(layout.keys[0], k, (*layout.key, "D"), STORED, False, True, kv_dtype),
        Operand(layout.keys[1], v, (*layout.key, "Dv"), STORED, False, True, kv_dtype,
                layout.key[0 if is_packed else 2])])
    query, key, value = first
    sizes, of_key, dtypes = query.sizes, key.sizes, [its.dtype for its in first]
    of_output = choose_dtype(dtypes[0], dtype_of_out(
        out, return_lse, given["out_dtype"], dtypes[0]), given["out_scale"])
    has_pages = sequences.get("page_table") is not None
    if has_pages:
        check_pages(scales)
    check_dtypes(scales, *dtypes[:2])
    widths = dtypes[0], sizes[-1], value.sizes[-1]
    page, rows = of_key[2] if has_pages else None, 0
    if not is_packed and sizes[2] <= FEW_ROWS and (
            layout.is_cache or query.device[0] == CUDA and of_key[2] > FEW_KEYS):
        rows = sizes[2]
    if not is_packed:  # `rows` and `page` are static in the types of further columns, too
        scales = tuple([its._replace(rows=(rows, page or 0)[its.declared.of])
                        if its.declared.has_columns else its for its in scales])
    in_kernel = [as_batch(its) for its in first] if is_packed else first
    call = find_call(query, given["score_mod"], given["mask_mod"], sink, scales,
                     [its.sizes for its in in_kernel], dropout_p, seed,
                     () if sequences else (*sizes[:3], of_key[2]))
    described = Arrays(
        *widths, *dtypes[1:], of_output, lies_along_keys(in_kernel[2]), rows or "?",
        page if has_pages else "?",
        find_groups(sizes[1], of_key[1]) if is_packed else ("?", "?"))
    results = find_results(q, out, return_lse, widths[2], of_output)
    rest = _sequence_operands(layout, **sequences) if sequences else []
    outs = [Operand("out", results[0], (*layout.query, "Dv"), (of_output,), out is not None),
            *[Operand("out: lse", lse, layout.lse, ("f32",), out is not None)
              for lse in results[1:]]]
    # New arrays need no checks.
    describe([*rest, *outs] if out is not None else rest, first)
    for its in outs if out is None else ():
        its.described = adapter.describe("out", its.array)
    rest += outs
    if check:
        _check_numbers(layout, scales, sizes, of_key, **sequences)
    # Values with a scale for each channel, or with a mean, are loaded apart from keys. Other values
    # that are columns of the keys' array are passed to the kernel as `value_dims`, unless sequences
    # are packed.
    within = None if is_packed or has_channels(scales) else find_columns(
        key.described, value.described, given["q_rope"] is not None)
    operands = [*in_kernel[:3 if within is None else 2], *call.operands,
                *(map(as_batch, rest) if is_packed else rest)]
    settings = {"causal": given["causal"], "window": given["window"], "align": aligned,
                "scale": given["scale"], "return_lse": return_lse, "score": call.score,
                "mask": call.mask, "value_dims": within,
                "fast_accumulate": given["fast_accumulate"], "features": call.features}
    of_cache = [has_pages, *[sequences.get(name) is not None for name in ("lengths", "counts")]]

    def text() -> str:
        return module_text(described, **settings, sequences=PACKED if is_packed else
                           cache_sequences(described, *of_cache))

    kernel = run((is_packed, described, *of_cache, *settings.values()), text, operands,
                 given["stream"])
    if (not dropout_p or seeds) and not check:
        if within is None or seeds:
            arrays, options = (q, k, v, *arrays[3:], *seeds), apart
        calls.remember(arrays, options, out, kernel, operands, results, return_lse)
    return tuple(results) if return_lse else results[0]
