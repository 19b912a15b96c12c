"""The function `mla_decode`: multi-head latent attention over a cache of latents."""

from typing import Any, Optional, Tuple

from ._arrays import adapter_of, expected
from ._constants import refuse_tensors
from ._library import DTYPE_BYTES, DTYPE_NAMES
from ._module import Window
from ._options import as_python_integer
from ._scales import is_bytes
from ._serving import decode
from ._spellings import refuse
from ._tracing import MaskMod, ScoreMod


def mla_decode(q: Any, cache: Any, *, scale: float, latent_dim: Optional[int] = None,
               lengths: Any = None, page_table: Any = None, counts: Any = None,
               causal: bool = True, window: Window = None, score_mod: ScoreMod = None,
               mask_mod: MaskMod = None, sink: Any = None, cache_scale: Any = None,
               q_scale: Any = None, out_scale: Any = None, out_dtype: Any = None,
               fast_accumulate: bool = False, return_lse: bool = False,
               check: bool = False, out: Any = None, stream: Optional[int] = None,
               **others: Any) -> Any:
    """The absorbed form of multi-head latent attention: `decode` with one head of keys,
    whose first `latent_dim` columns are the values.

    | array | sizes | dtype |
    |---|---|---|
    | `q` | (B, H, Sq, D): absorbed queries, then those with rotary embedding; or a pair of these | float16 or bfloat16; float8_e4m3fn or float8_e5m2 beside a cache of 8 bits in one array |
    | `cache` | (B, S, D) or (B, 1, S, D): latents, then keys with rotary embedding | as q, or float8_e4m3fn, float8_e5m2 or int8 |
    | the same with `page_table` | (N, P, D) or (N, 1, P, D) | the same |
    | either as a pair | latents of latent_dim columns, keys of the other columns | the same; or latents of 8 bits and keys of q's dtype |
    | `cache_scale` | as `k_scale` of `decode`, or without its heads: (), (B,), (B, S), with pages (N,), (N, P) | float32 |
    | `lengths`, `counts` | (B,) | int32 |
    | `page_table` | (B, columns) | int32 |
    | result | (B, H, Sq, latent_dim) | as q, or `out_dtype` |
    | lse | (B, H, Sq) | float32 |

    In DeepSeek-V3, D is 576 = 512 + 64 and `scale` is 1 / sqrt(192), times the factor of the rotary
    embedding's extension, if any. `scale` has no default, since it does not depend on D.
    `latent_dim` is 512 by default. With `causal`, the default, the last row sees all keys of its
    batch entry, the row before it one less. A chunk of prefill is the same call, with any number of
    rows. Each row of the cache is loaded once, for keys and values. `counts` and other options are
    those of `decode`, which this function calls.

    - `q` may be a pair (q_nope, q_pe), and `cache` a pair (c_kv, k_pe): separate arrays, as the
      projections make them, or views of one array's columns. They are not copied. One page table
      serves both arrays of the cache. `latent_dim` is then c_kv's number of columns. c_kv may have
      8 bits beside a k_pe of q's dtype. If both have 8 bits, they must be views of one array in
      which k_pe comes right after c_kv, and a pair as `q` is copied into one array. Where the call
      is an operator of torch's, as within torch.compile, a cache of 8 bits must be one tensor, not
      a pair, unless k_pe has q's dtype.
    - `cache_scale`: the scale by which both stored latents and stored keys are multiplied; beside
      keys of q's dtype, only latents of 8 bits are multiplied.

    `append` writes the tokens of either cache by one call: `append(k, None, cache, None,
    value_dims=(0, latent_dim))` to one array, and `append(k_pe, c_kv, k_pe_cache,
    c_kv_cache, v_scale=cache_scale)` to two, each array of rank 4 with one head.

    Within torch.compile, use attn_mlir.torch.mla_decode. Source: "DeepSeek-V2: A Strong,
    Economical, and Efficient Mixture-of-Experts Language Model" (arXiv 2405.04434).
    """
    if others:
        refuse(mla_decode, others)
    q, cache, q_rope, k_rope, cache_scale, latent_dim = find_arrays(
        q, cache, cache_scale, latent_dim, stream=stream)
    return decode(q, cache, value_dims=(0, latent_dim), q_rope=q_rope, k_rope=k_rope,
                  lengths=lengths, page_table=page_table, counts=counts, scale=scale,
                  causal=causal, window=window, score_mod=score_mod, mask_mod=mask_mod, sink=sink,
                  q_scale=q_scale, k_scale=cache_scale, v_scale=cache_scale,
                  out_scale=out_scale, out_dtype=out_dtype, fast_accumulate=fast_accumulate,
                  return_lse=return_lse, check=check, out=out, stream=stream)


def find_arrays(q: Any, cache: Any, cache_scale: Any, latent_dim: Optional[int],
                joins: bool = True,
                stream: Optional[int] = None) -> Tuple[Any, Any, Any, Any, Any, int]:
    """Returns the arrays as `decode` takes them: query, cache, further columns of both or None, the
    cache's scale, and the number of latent columns. If the cache is a pair of arrays that are
    adjacent columns of one array, that array is returned, but not without `joins` or where the call
    must be an operator of torch. If both parts of a query must be copied into one array, the copy
    is made on `stream`."""
    is_pair = isinstance(cache, (tuple, list))
    if is_pair:
        if latent_dim is not None:
            raise expected("latent_dim", "None beside a pair as the cache, which tells it",
                           repr(latent_dim))
        check_pair("cache", cache, "latents, keys with rotary embedding")
        latents, rotary = [_with_head(its) for its in cache]
        latent_dim = latents.shape[3]
    else:
        latents, rotary = _with_head(cache), None
        refuse_tensors({"latent_dim": latent_dim})
        latent_dim = 512 if latent_dim is None else as_python_integer(latent_dim)
        width = latents.shape[3]
        if type(latent_dim) is not int or not 1 <= latent_dim <= width:
            raise expected("latent_dim", f"an integer from 1 to {width}", repr(latent_dim))
    if is_bytes(latents):
        raise expected("cache", "q's dtype, float8_e4m3fn, float8_e5m2 or int8", "uint8")
    if hasattr(cache_scale, "shape") and 1 <= len(cache_scale.shape) <= 2:
        # A scale that the caller passes without the cache's dimension of heads gets such a
        # dimension, of size 1.
        first, *rest = cache_scale.shape
        if rest != [1]:
            cache_scale = adapter_of("cache_scale", cache_scale).with_head(cache_scale)
    nope, q_rope = q, None
    if isinstance(q, (tuple, list)):
        nope, q_rope = _check_query(q)
    one = latents
    if is_pair:
        adapter_of("q", nope)
        _check_alike(latents, rotary, nope)
        joins = joins and latents.dtype == rotary.dtype
        joins = joins and not adapter_of("cache", latents).needs_operator(latents, rotary)
        one = _join_cache(latents, rotary) if joins else None
    is_narrow = (is_pair or q_rope is not None) and (
        latents.dtype != nope.dtype or nope.dtype.itemsize == 1)
    # Whether only the latents have 8 bits, while the keys with rotary embedding have the query's
    # dtype.
    is_mixed = is_narrow and is_pair and rotary.dtype != latents.dtype
    is_narrow = is_narrow and not is_mixed
    if one is not None and (q_rope is None or is_narrow or nope.shape[3] != latent_dim
                            or latent_dim == one.shape[3]):
        if q_rope is not None:
            adapter = adapter_of("q", nope)
            with adapter.on_stream(stream, nope):
                nope = adapter.concatenate(q)
        return nope, one, None, None, cache_scale, latent_dim
    if is_narrow and not joins:
        raise expected("cache", "one tensor within torch.compile, modes and transforms, of "
                       "another dtype than q's", f"a pair of tensors of {latents.dtype}")
    if is_narrow:
        raise expected("cache", "one array, or a pair of views of one's columns, "
                       "(cache[..., :512], cache[..., 512:]), of another dtype than q's",
                       f"two arrays of {latents.dtype} in memory of their own")
    # The parts of the query and of the cache are views of columns, so nothing is copied.
    if q_rope is None:
        width = nope.shape[3]
        if len(nope.shape) != 4 or width != latent_dim + rotary.shape[3]:
            raise expected("q", f"{latent_dim} + {rotary.shape[3]} columns, as the cache has",
                           f"sizes {tuple(nope.shape)}")
        adapter = adapter_of("q", nope)
        nope, q_rope = (adapter.columns(nope, 0, latent_dim),
                        adapter.columns(nope, latent_dim, width))
    if rotary is None:
        adapter = adapter_of("cache", latents)
        latents, rotary = (adapter.columns(latents, 0, latent_dim),
                           adapter.columns(latents, latent_dim, latents.shape[3]))
    return nope, latents, q_rope, rotary, cache_scale, latent_dim


def check_pair(name: str, pair: Any, parts: str) -> None:
    if len(pair) != 2 or not all([hasattr(its, "shape") for its in pair]):
        raise expected(name, f"an array, or a pair ({parts})",
                       f"{len(pair)} in a {type(pair).__name__}")


def _with_head(cache: Any) -> Any:
    adapter = adapter_of("cache", cache)
    rank = len(cache.shape)
    if rank == 3:
        return adapter.with_head(cache)
    if rank != 4 or cache.shape[1] != 1:
        raise expected("cache", "(B, S, D) or (B, 1, S, D), and N and P with pages",
                       f"sizes {tuple(cache.shape)}")
    return cache


def _check_query(pair: Any) -> Tuple[Any, Any]:
    check_pair("q", pair, "absorbed query, query with rotary embedding")
    nope, rotary = pair
    if len(nope.shape) != 4 or tuple(nope.shape[:3]) != tuple(rotary.shape[:3]) \
            or nope.dtype != rotary.dtype:
        raise expected("q", "a pair of arrays of one dtype and of sizes (B, H, Sq, latent "
                       "columns) and (B, H, Sq, others)",
                       f"{nope.dtype} of sizes {tuple(nope.shape)} and {rotary.dtype} of "
                       f"{tuple(rotary.shape)}")
    return nope, rotary


def _check_alike(latents: Any, rotary: Any, query: Any) -> None:
    if tuple(latents.shape[:-1]) != tuple(rotary.shape[:-1]) \
            or rotary.dtype not in (latents.dtype, query.dtype):
        raise expected("cache", "a pair of arrays of one dtype, or the second of q's, whose "
                       "first sizes are the same",
                       f"{latents.dtype} of sizes {tuple(latents.shape)} and "
                       f"{rotary.dtype} of {tuple(rotary.shape)}")


def _join_cache(latents: Any, rotary: Any) -> Any:
    """Returns an array of which `latents` and `rotary` are views, with the columns of `rotary`
    right after those of `latents`, or None if they do not lie in memory like that."""
    adapter = adapter_of("cache", latents)
    address, sizes, strides, dtype, *place = adapter.describe("cache", latents)[:6]
    its_address, its_sizes, its_strides, _, *its_place = adapter_of(
        "cache", rotary).describe("cache", rotary)[:6]
    size = DTYPE_BYTES[DTYPE_NAMES[dtype]]
    if (place != its_place or its_address - address != size * sizes[-1]
            or tuple(strides) != tuple(its_strides) or strides[-1] != 1):
        return None
    return adapter.widen(latents, sizes[-1] + its_sizes[-1])
