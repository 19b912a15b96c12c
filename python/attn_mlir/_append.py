"""Appends new keys and values to a KV cache."""

from typing import Any, List, Optional, Sequence, Tuple

from ._arrays import adapter_of, expected
from ._attend import I32, STORED
from ._checks import check_append, check_scales
from ._constants import refuse_tensors
from ._frames import Calls
from ._module import DTYPES, array_type, op_text, rows_type
from ._options import as_flag
from ._rows import Operand, check_device, describe, lies_along_keys, present, run
from ._scales import NARROW, check_bytes, describe_sizes, find_scales
from ._spellings import arguments_of, refuse
from ._within import ValueDims, find_arrays

calls = Calls()


def append_text(dtype: str, head_dim: int, value_head_dim: int, *, counts: bool = False,
                pages: bool = False, query: bool = False,
                rotary: Optional[Tuple[int, str]] = None, interleaved: bool = False,
                caches: Optional[Tuple[str, str]] = None,
                scales: Sequence[str] = (), makes_scales: bool = False,
                along_keys: bool = False) -> str:
    """Returns the text of a function `main` with one op attn.append. Its arguments are key, value,
    query, counts, page table, cosines, sines, given scales, both caches, the rotated query, scales
    that the kernel computes, and lengths, in this order. The arguments of this function say which
    of the optional ones there are. Only the last dimensions of key, value, query, caches and tables
    of cosines and sines have a static size. `rotary` is the number of columns and the dtype of
    cosines and sines, `caches` are the dtypes of both caches (by default `dtype`), and `scales` the
    memref types of given scales. With `along_keys`, the cache of values has stride 1 along keys."""
    key, numbers = array_type(4, dtype, head_dim), array_type(1, "i32")
    table = array_type(2, rotary[1], rotary[0]) if rotary else ""
    of_keys, of_values = caches or (dtype, dtype)
    outs = {"key_cache": array_type(4, of_keys, head_dim),
            "value_cache": rows_type("?", value_head_dim, of_values, along_keys)}
    if query:
        outs["query_out"] = key
    if makes_scales:
        outs["key_scale"] = outs["value_scale"] = array_type(3, "f32")
    return op_text(
        "attn.append", ("ins", {"key": key, "value": array_type(4, dtype, value_head_dim)}),
        ("query", {"query": key} if query else {}),
        ("counts", {"counts": numbers} if counts else {}),
        ("pages", {"pages": array_type(2, "i32")} if pages else {}),
        ("rotary", {"cos": table, "sin": table} if rotary else {}),
        "interleaved" if interleaved else "",
        ("scales", dict(zip(("key_scale", "value_scale"), scales))),
        "makes_scales" if makes_scales else "", ("outs", outs), ("lengths", {"lengths": numbers}))


def _check_rotary(q: Any, cos: Any, sin: Any, interleaved: bool, head_dim: int) -> None:
    if (cos is None) != (sin is None):
        name, other = ("cos", "sin") if cos is None else ("sin", "cos")
        raise expected(name, f"an array beside {other}", "None")
    if cos is None:
        for name, value in (("q", q is not None), ("interleaved", interleaved)):
            if value:
                raise expected(name, "cos and sin beside it", "none")
        return
    _, sizes, _, _, _, _, _ = adapter_of("cos", cos).describe("cos", cos)
    if len(sizes) == 2 and not 1 <= sizes[1] <= head_dim // 2:
        raise expected("cos", "from 1 column to half as many as k has, "
                       f"{head_dim // 2}", sizes[1])
    if len(sizes) == 2 and not sizes[0]:
        raise expected("cos", "at least one row", "none")


def _describe_scales(k_scale: Any, v_scale: Any, caches: Sequence[str], first: Operand,
                     are_made: bool) -> Tuple[List[Operand], List[str]]:
    """Returns both scales, as operands that are described as the kernel takes them, and their
    memref types. Both lists are empty without scales, and if the kernel computes the scales
    (`are_made`)."""
    if k_scale is None and v_scale is None:
        return [], []
    found: List[Operand] = []
    types: List[str] = []
    both = k_scale, v_scale
    for name, scale, dtype in zip(("k_scale", "v_scale"), both, caches):
        if scale is None and dtype in NARROW:
            raise expected(name, "an array beside that of the other", "None")
        if scale is None:
            # The op attn.append takes both scales or none, and ignores the scale of a cache that
            # has k's dtype. If only that scale is missing, the other one is passed in its place.
            scale = both[1] if both[0] is None else both[0]
        elif dtype not in NARROW:
            raise expected(name, "None beside a cache of neither 8 bits nor 4",
                           f"a scale, and a cache of {dtype}")
        if are_made:
            continue
        described = adapter_of(name, scale).describe(name, scale)
        check_device(name, described, first)
        its, type_ = describe_sizes(name, described, ((), (0, 1)), first.sizes[:2], ("B", "Hkv"))
        if type_.endswith("?]>>"):
            raise expected(name, "heads without gaps", f"strides {tuple(described[2])}")
        found.append(Operand(name, scale, described=its))
        types.append(type_)
    return found, types


def _are_made(k_scale: Any, v_scale: Any) -> bool:
    """Whether the kernel computes the scales of new tokens and writes them. This is so if the
    arrays of scales have rank 3: they have an element for each head and position of the caches."""
    ranks = [len(getattr(scale, "shape", ())) for scale in (k_scale, v_scale)]
    if ranks.count(3) == 1:
        pairs = ("k_scale", k_scale), ("v_scale", v_scale)
        (made, _), (name, other) = pairs if ranks[0] == 3 else pairs[::-1]
        if other is None:
            raise expected(made, f"sizes () or (B, Hkv), since {name} is None and scales are made "
                           "for both caches or none", "an array of rank 3")
        raise expected(name, "an array of rank 3, as that of the other, which is made",
                       f"one of rank {min(ranks)}")
    return ranks[0] == 3


@calls.function("k v q counts page_table cos sin k_scale v_scale k_cache v_cache lengths")
def append(k: Any, v: Any, k_cache: Any, v_cache: Any, lengths: Any, *,
           page_table: Any = None, counts: Any = None, q: Any = None, cos: Any = None,
           sin: Any = None, interleaved: bool = False, k_scale: Any = None,
           v_scale: Any = None, kv_dtype: Optional[str] = None, check: bool = False,
           value_dims: ValueDims = None, out: Any = None, stream: Optional[int] = None,
           **others: Any) -> Any:
    """Writes new keys and values into a cache, after those that it has, and adds to its
    lengths. Returns the rotated `q`, or None without one.

    | array | sizes | dtype |
    |---|---|---|
    | `k` | (B, Hkv, T, D) | float16, bfloat16 or float32 |
    | `v` | (B, Hkv, T, Dv) | as k |
    | `k_cache`, `v_cache` | (B, Hkv, S, D) and (B, Hkv, S, Dv) | as k, or each float8_e4m3fn, float8_e5m2 or int8 |
    | the same with `page_table` | (N, Hkv, P, D) and (N, Hkv, P, Dv) | the same |
    | the caches with `kv_dtype="i4"` | D / 2 and Dv / 2 columns | uint8 |
    | `lengths` | (B,) | int32 |
    | `page_table` | (B, columns) | int32 |
    | `counts` | (B,) | int32 |
    | `q`, and the result | (B, Hq, T, D) | as k |
    | `cos`, `sin` | (R, D' / 2), D' at most D | float32, or as k |
    | `k_scale`, `v_scale` | (), or (B, Hkv), each of which may be 1; or written by the call: (B, Hkv, S), or (N, Hkv, P) | float32 |

    Token t of batch entry b goes to position p = lengths[b] + t: to k_cache[b, :, p], or with pages
    to k_cache[page_table[b, p // P], :, p % P]. Then lengths[b] is increased by T or, if `counts`
    is given, by counts[b], the entry's number of tokens (0 to T); but never beyond S, or P times
    the number of columns of the table. Tokens are not written where the cache is full or the table
    names no page of the pool.

    - `cos`, `sin`: rotary embedding of the first D' elements of k and q, by the row of
      position p, or the last row if the tables have fewer rows. Pairs are elements i and i + D' /
      2, as in GPT-NeoX and Llama, or with `interleaved` 2 i and 2 i + 1. All T tokens of q are
      rotated, whatever `counts` says.
    - `value_dims`: (first, end): values are the columns first to end - 1 of k and of k_cache, and
      `v` and `v_cache` are None. The rotary embedding then applies to the other columns, which must
      be at one end of k, and `q` has only these columns. A cache of latents is written this way.
    - `k_scale`, `v_scale`: for caches of 8 bits or 4, both or neither (only one if the other cache
      has k's dtype, such as rotary keys beside latents of 8 bits): k_cache[b, h, p] = k[b, h, t] /
      k_scale[b, h], rounded to nearest even and saturated; NaN stays NaN, or becomes 0 in integers.
      `attention` and `decode` take the same scales. Scales of rank 3 are not read but written, at
      the positions of the tokens, for both caches or none: each token and head has its own scale,
      which is the token's largest finite magnitude in that head divided by the largest number of
      the cache's dtype (448, 57344, 127 or 7), and at least 2^-126.
    - `kv_dtype`: "i4" says that caches of uint8 have two numbers of 4 bits in each byte, as
      in `attention`.
    - `check`: read lengths, counts, pages and scales on the host before anything is written, and
      raise for a batch entry of which not all tokens can be written, and for given scales that are
      not finite.
    - `out`: an array for the rotated `q`, which must not overlap it.
    - `stream`: as in `attention`.

    A pool of (N, P, Hkv, D) is passed as pool.transpose(1, 2): arrays may have any strides, except
    that rows (D) have stride 1. `v_cache` may have stride 1 along S or P instead, unless it has 4
    bits. Lengths are read and written by the kernel: on a GPU the call does not wait for the
    kernel, and each replay of a CUDA graph continues from the lengths in memory.
    There are no gradients. Within torch.compile, use attn_mlir.torch.append. Raises ArgumentError,
    which names the argument, or Error.
    """
    if others:
        refuse(append, others)
    k, v, k_cache, v_cache = find_arrays(k, v, k_cache, v_cache, value_dims, cos is not None,
                                         kv_dtype)
    value_dims = None  # these are separate arrays now
    arrays = (k, v, q, counts, page_table, cos, sin, k_scale, v_scale, k_cache, v_cache,
              lengths)
    options = interleaved, check, kv_dtype
    known = calls.find(arrays, options, out, stream)
    if known is not NotImplemented:
        return known
    refuse_tensors(locals())
    interleaved, check = as_flag("interleaved", interleaved), as_flag("check", check)
    check_bytes(kv_dtype, k_cache=k_cache, v_cache=v_cache)
    adapter = adapter_of("k", k)
    given = out
    is_made = _are_made(k_scale, v_scale)
    if adapter.needs_operator(*arrays):
        return adapter.operate("append", arguments_of(append, locals()))
    key, = describe([Operand("k", k, ("B", "Hkv", "T", "D"), DTYPES)])
    head_dim = key.sizes[3]
    _check_rotary(q, cos, sin, interleaved, head_dim)
    if q is None and out is not None:
        raise expected("out", "None without q", type(out).__qualname__)
    if q is not None and out is None:
        out = adapter_of("q", q).empty(q, head_dim)
    where = ("B", "Hkv", "S") if page_table is None else ("N", "Hkv", "P")
    tables, of_query = ("f32", ""), ("B", "Hq", "T", "D")
    operands = [key, *describe([
        Operand("v", v, ("B", "Hkv", "T", "Dv")),
        *present(Operand("q", q, of_query), Operand("counts", counts, ("B",), I32),
                 Operand("page_table", page_table, ("B", "columns"), I32),
                 Operand("cos", cos, ("R", "D' / 2"), tables),
                 Operand("sin", sin, ("R", "D' / 2"), tables)),
        Operand("k_cache", k_cache, (*where, "D"), STORED, True, True, kv_dtype),
        Operand("v_cache", v_cache, (*where, "Dv"), STORED, True, True, kv_dtype, where[2]),
        *present(Operand("out", out, of_query, is_written=True)),
        *[Operand(name, scale, where, ("f32",), True)
          for name, scale in (("k_scale", k_scale), ("v_scale", v_scale)) if is_made],
        Operand("lengths", lengths, ("B",), I32, is_written=True)], [key])]
    described = {its.name: its for its in operands}
    caches = [described[name] for name in ("k_cache", "v_cache")]
    types = tuple([its.dtype for its in caches])
    rotary = None
    if cos is not None:
        of_cos, of_sin = described["cos"], described["sin"]
        if of_cos.dtype != of_sin.dtype:
            raise expected("sin", f"dtype {of_cos.dtype}, as cos", of_sin.dtype)
        rotary = of_cos.sizes[1], of_cos.dtype
    scales, of_scales = _describe_scales(k_scale, v_scale, types, key, is_made)
    at = list(described).index("k_cache")
    operands[at:at] = scales
    if check:
        if scales:
            check_scales(find_scales({"k_scale": k_scale, "v_scale": v_scale}))
        columns = 1 if page_table is None else page_table.shape[1]
        pages, _, size, _ = k_cache.shape
        check_append(lengths, counts, page_table, key.sizes[2], size * columns, size, pages)
    settings = {"counts": counts is not None, "pages": page_table is not None,
                "query": q is not None, "rotary": rotary, "interleaved": interleaved,
                "caches": types, "scales": tuple(of_scales), "makes_scales": is_made,
                "along_keys": lies_along_keys(caches[1])}
    arguments = (key.dtype, head_dim, described["v"].sizes[3])
    kernel = run(("append", *arguments, *settings.values()),
                 lambda: append_text(*arguments, **settings), operands, stream)
    if not check:
        calls.remember(arrays, options, given, kernel, operands, [] if q is None else [out], False)
    return out
