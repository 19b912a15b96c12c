"""Attention over caches, and what packed sequences share with it."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ._adapter import Described
from ._arrays import adapter_of, expected
from ._captures import Operands, find_captured, sources_of
from ._checks import check_cache, check_counts, check_scales_of_cache
from ._frames import Calls, check_dtype
from ._library import DTYPE_NAMES
from ._module import (Causal, FEW_ROWS, NARROW_QUERIES, Features, Sequences, Window,
                      module_text, rows_type)
from ._options import as_flag, check_own_options
from ._output import as_out_dtype, choose_dtype, dtype_of_out
from ._rows import Operand, array_type, describe, names_of, run
from ._rope import check_dtypes, find_rope
from ._scales import (NARROW, Scale, arrays_of, check_bytes, check_halves, check_kv_dtype,
                      features_of, find_scales)
from ._spellings import arguments_of, refuse
from ._tracing import MaskMod, ScoreMod, as_mask, as_score
from ._value_order import lies_along_keys, value_type
from ._within import ValueDims, find_columns, find_values

I32 = ("i32",)
calls = Calls(further=8)


class Call(NamedTuple):
    """Describes a kernel's operands besides the arrays of sequences."""

    score: str
    mask: str
    features: Features
    operands: List[Operand]
    described: List[Described]


def find_call(like: Any, place: Tuple[int, Optional[int]], score_mod: ScoreMod,
              mask_mod: MaskMod, sink: Any, scales: Sequence[Scale] = (),
              sizes: Sequence[Sequence[int]] = ()) -> Call:
    """Records the regions and describes the operands of a call. `sizes` are those of query,
    key and value, and are given if there are scales."""
    score, mask = as_score(score_mod), as_mask(mask_mod)
    own = Operands(score, mask, sink=sink, scales=scales)
    described, features = own.describe(like, *place, sizes)
    names = [*own.names, *(["sink"] if sink is not None else []),
             *[its.declared.name for its in scales]]
    arrays = [*own.arrays, *([sink] if sink is not None else []), *arrays_of(scales)]
    # The texts of regions are used as keys of caches, so they must not refer to the captured
    # arrays, which would then stay alive.
    return Call(score.text if score else "", mask.text if mask else "", features,
                [Operand(name, array, ()) for name, array in zip(names, arrays)],
                list(described))


def align(causal: bool) -> Causal:
    return "bottom_right" if causal else False


def find_results(like: Any, out: Any, return_lse: bool, head_dim: int,
                 dtype: str = "") -> List[Any]:
    """The caller's arrays for the results, or new ones. `dtype` is that of a new output; "" is that
    of `like`."""
    if out is None:
        adapter = adapter_of("q", like)
        return [adapter.empty(like, head_dim, dtype)] + (
            [adapter.empty_lse(like)] if return_lse else [])
    if not return_lse:
        return [out]
    if isinstance(out, (tuple, list)) and len(out) == 2:
        return list(out)
    raise expected("out", "a pair of arrays, with return_lse", type(out).__qualname__)


def _cache_sequences(dtype: str, head_dim: int, value_head_dim: int, rows: int,
                     page: Optional[int], lengths: bool, counts: bool,
                     stored: Sequence[str] = (), of_output: str = "",
                     along_keys: bool = False) -> Sequences:
    """`rows` of a query head are 0 where a kernel takes any number; keys and values have the
    dtypes `stored`, and the output `of_output`, or else `dtype`; with `along_keys`, neighbours of
    values are along keys."""
    types: Dict[str, str] = {}
    clauses: List[str] = []
    before = key = value = query = output = ""
    if rows:
        query = rows_type(rows, head_dim, dtype)
        output = rows_type(rows, value_head_dim, of_output or dtype)
    if page is not None:
        of_key, of_value = stored or (dtype, dtype)
        key = rows_type(page, head_dim, of_key)
        value = value_type(of_value, value_head_dim, along_keys, page)
    if lengths:
        numbers, array = ("%rows", "index"), array_type(1, "i32")
        if counts:
            types["counts"], numbers = array, ("%counts", array)
        else:
            before = ("  %dim = arith.constant 2 : index\n"
                      "  %rows = memref.dim %query, %dim : "
                      f"{query or array_type(4, dtype, head_dim)}\n")
        types["lengths"] = array
        clauses.append(f"lengths({numbers[0]}, %lengths : {numbers[1]}, {array})")
    if page is not None:
        types["pages"] = array_type(2, "i32")
        clauses.append(f"pages(%pages : {types['pages']})")
    return Sequences(types, clauses, before, query, key, value, output)


@calls.function("q k_cache v_cache sink q_scale k_scale v_scale out_scale q_rope k_rope "
                "counts lengths page_table")
def decode(q: Any, k_cache: Any, v_cache: Any = None, *, lengths: Any = None,
           page_table: Any = None, counts: Any = None, scale: Optional[float] = None,
           causal: bool = False, window: Window = None, score_mod: ScoreMod = None,
           mask_mod: MaskMod = None, sink: Any = None, q_scale: Any = None,
           k_scale: Any = None, v_scale: Any = None, kv_dtype: Optional[str] = None,
           return_lse: bool = False, check: bool = False, value_dims: ValueDims = None,
           q_rope: Any = None, k_rope: Any = None, fast_accumulate: bool = False,
           out_scale: Any = None, out_dtype: Any = None, out: Any = None,
           stream: Optional[int] = None, **others: Any) -> Any:
    """Attention of new tokens over a cache of keys and values.

    | array | sizes | dtype |
    |---|---|---|
    | `q` | (B, Hq, Sq, D) | float16, bfloat16 or float32; float8_e4m3fn or float8_e5m2 beside caches of 8 bits or 4 |
    | `k_cache`, `v_cache` | (B, Hkv, S, D) and (B, Hkv, S, Dv), Hkv divides Hq | as q, or each float8_e4m3fn, float8_e5m2 or int8 |
    | the same with `page_table` | (N, Hkv, P, D) and (N, Hkv, P, Dv) | the same |
    | either with `kv_dtype="i4"` | D / 2 or Dv / 2 columns | uint8 |
    | `lengths`, `counts` | (B,) | int32 |
    | `page_table` | (B, columns) | int32 |
    | `out_scale` | () or (B, Hq), each of which may be 1 | float32 |
    | result | (B, Hq, Sq, Dv) | as q, or `out_dtype` |
    | lse | (B, Hq, Sq) | float32 |

    Key j of entry b is k_cache[b, :, j], or with pages k_cache[page_table[b, j // P], :, j %
    P]. The first `lengths[b]` keys of entry b are valid, by default all; these include the
    keys of the new tokens, which `append` has written before. Keys past these are never read,
    even if they are NaN.

    - The stride of `v_cache` may be 1 along S or P instead of along Dv, but of 4 bits.
    - `causal`: the last row sees all keys of its entry, the one before it one less.
      `window` (left, right) counts from the same diagonal.
    - `counts`: the number of valid rows of each entry, from 0 to Sq, by default all, as in
      `append`. For `causal` and `window`, the last valid row counts as the last row. The
      output of other rows is 0, and their lse the sink, or -inf without one. Requires
      `lengths`.
    - `value_dims`: (first, end) in place of `v_cache`: the values are the columns of
      `k_cache` from first to end, as those of a latent cache are. A `v_cache` that is a view
      of some columns of `k_cache` is the same. Such keys are loaded once.
    - `q_rope`, `k_rope`: (B, Hq, Sq, D2) and (B, Hkv or 1, S, D2), with pages (N, Hkv or 1,
      P, D2) by the same table: further columns of `q` and `k_cache` in arrays of their own,
      of q's dtype, which are read where they lie. `value_dims` are columns of `k_cache`.
      `append` writes such a cache by one call, `append(k_rope's tokens, latents, k_rope,
      k_cache)`.
    - `score_mod`, `mask_mod`: see `attention`; rows count from 0, keys from the first of
      the cache.
    - `q_scale`, `k_scale`, `v_scale`: as in `attention`; with pages, of sizes (), (N, Hkv)
      or (N, Hkv, P). See `append` for caches of 8 bits.
    - `kv_dtype`: "i4" says that caches of uint8 have two numbers of 4 bits in each byte, as
      in `attention`.
    - `scale`, `sink`, `return_lse`, `fast_accumulate`, `out_scale`, `out_dtype`, `out`,
      `stream`: as in `attention`.
    - `check`: raise for a length or a page that is out of its range, and for scales that are
      not finite, after reading them on the host. Without it, lengths are clamped to the valid
      range, and keys in a page that does not exist are masked; nothing outside of the arrays
      is read.

    Lengths and pages are read on the device, by each launch anew, so a captured CUDA graph
    replays with lengths that grow. Where there are at most 16 rows, keys are divided among
    as many programs as the GPU has SMs, and query heads that share keys are computed
    together; results are the same bits each time. A kernel is for one number of rows up to
    16, and for one page size. Prefill of new tokens, or of a chunk of them, with what is in
    the cache before them is the same call. There are no gradients. Within torch.compile,
    use attn_mlir.torch.decode. Raises ArgumentError, which names the argument, or Error.
    """
    if others:
        refuse(decode, others)
    if value_dims is not None or v_cache is None:
        v_cache = find_values(k_cache, v_cache, value_dims, ("k_cache", "v_cache"),
                              kv_dtype)
    if out_dtype is not None:
        out_dtype = as_out_dtype(out_dtype)
    score_mod, mask_mod = as_score(score_mod), as_mask(mask_mod)
    captures = find_captured(score_mod, mask_mod)
    arrays = (q, k_cache, v_cache, sink, q_scale, k_scale, v_scale, out_scale, q_rope, k_rope,
              counts, lengths, page_table, *captures)
    options = (scale, causal, window, return_lse, check, score_mod and score_mod.text,
               mask_mod and mask_mod.text, kv_dtype, fast_accumulate, out_dtype)
    known = calls.find(arrays, options, out, stream)
    if known is not NotImplemented:
        return known
    scale, causal, window = check_own_options(scale, causal, window)
    return_lse = as_flag("return_lse", return_lse)
    fast_accumulate = as_flag("fast_accumulate", fast_accumulate)
    adapter = adapter_of("q", q)
    scales = find_scales(q_scale, k_scale, v_scale, out_scale) + find_rope(q_rope, k_rope)
    check_kv_dtype(kv_dtype)
    if adapter.needs_operator(q, k_cache, v_cache, lengths, page_table, counts, sink,
                              *captures, *arrays_of(scales)):
        check_bytes(kv_dtype, k_cache=k_cache, v_cache=v_cache)
        from . import _serving_operators

        return _serving_operators.operate_decode(arguments_of(decode, locals()))
    _, sizes, _, code, device_type, device, _ = adapter.describe("q", q)
    check_dtype(code, "q", NARROW_QUERIES)
    dtype = DTYPE_NAMES[code]
    of_output = choose_dtype(dtype, dtype_of_out(out, return_lse, out_dtype, dtype),
                             out_scale)
    aligned = align(causal)
    where = ("B", "Hkv", "S") if page_table is None else ("N", "Hkv", "P")
    operands = [Operand("q", q, ("B", "Hq", "Sq", "D")),
                Operand("k_cache", k_cache, (*where, "D"), (dtype, *NARROW), False, True,
                        kv_dtype),
                Operand("v_cache", v_cache, (*where, "Dv"), (dtype, *NARROW), False, True,
                        kv_dtype, "S" if page_table is None else "P")]
    first = describe(operands)
    check_halves(kv_dtype, [its[3] for its in first[1:]])
    rows = sizes[2] if sizes[2] <= FEW_ROWS else 0
    page = first[1][1][2] if page_table is not None else None
    if q_rope is not None:
        check_dtypes(scales, code, first[1][3])
        scales = scales[:-2] + find_rope(q_rope, k_rope, rows, page or 0)
    call = find_call(q, (device_type, device), score_mod, mask_mod, sink, scales,
                     [its[1] for its in first])
    stored = [DTYPE_NAMES[its[3]] for its in first[1:]]
    features = call.features._replace(along_keys=lies_along_keys(first[2]),
                                      **features_of(dtype, *stored, of_output))
    head_dim, value_head_dim = sizes[3], first[2][1][3]
    results = find_results(q, out, return_lse, value_head_dim, of_output)
    rest: List[Operand] = []
    if counts is not None:
        if lengths is None:
            raise expected("counts", "lengths beside it", "None")
        rest.append(Operand("counts", counts, ("B",), I32))
    if lengths is not None:
        rest.append(Operand("lengths", lengths, ("B",), I32))
    if page_table is not None:
        rest.append(Operand("page_table", page_table, ("B", "columns"), I32))
    rest.append(Operand("out", results[0], ("B", "Hq", "Sq", "Dv"), (of_output,), True))
    rest += [Operand("out: lse", lse, ("B", "Hq", "Sq"), ("f32",), is_written=True)
             for lse in results[1:]]
    within = find_columns(first[1], first[2], q_rope is not None)
    described = describe([*operands, *rest])
    described[3:3] = call.described
    if within is not None:
        del operands[2], described[2]
    if check:
        check_scales_of_cache(scales, lengths, page_table is not None)
        columns = 1 if page_table is None else page_table.shape[1]
        pages, _, size, _ = first[1][1]
        check_cache(lengths, page_table, sizes[0], size * columns, size, pages)
        if counts is not None:
            check_counts(counts, sizes[2])
    key = ("decode", dtype, head_dim, value_head_dim, rows, page, lengths is not None,
           counts is not None, scale, aligned, window, return_lse, call.score, call.mask,
           features, within, fast_accumulate)

    def text() -> str:
        return module_text(
            dtype, head_dim, value_head_dim, causal=aligned, window=window,
            align="bottom_right", scale=scale, return_lse=return_lse, score=call.score,
            mask=call.mask, features=features, value_dims=within,
            fast_accumulate=fast_accumulate,
            sequences=_cache_sequences(dtype, head_dim, value_head_dim, rows, page,
                                       lengths is not None, counts is not None, stored,
                                       of_output, features.along_keys))

    operands[len(operands):] = [*call.operands, *rest]
    kernel = run(key, text, operands, described, stream)
    if not check:
        sources = [*range(2 if within else 3),
                   *sources_of(arrays, 3, arrays[3:13], captures)]
        calls.remember(arrays, options, out, kernel, described,
                       [*sources, -1, -2][:len(described)], results, return_lse,
                       names_of(operands))
    return tuple(results) if return_lse else results[0]
