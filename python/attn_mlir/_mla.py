"""Multi-head latent attention over a cache of latents."""

from typing import Any, Optional, Tuple

from ._arrays import adapter_of, expected
from ._library import DTYPE_BYTES, DTYPE_NAMES
from ._module import Window
from ._serving import decode
from ._spellings import refuse
from ._tracing import MaskMod, ScoreMod


def mla_decode(q: Any, cache: Any, *, scale: float, latent_dim: Optional[int] = None,
               lengths: Any = None, page_table: Any = None, counts: Any = None,
               causal: bool = True, window: Window = None, score_mod: ScoreMod = None,
               mask_mod: MaskMod = None, sink: Any = None, cache_scale: Any = None,
               return_lse: bool = False, check: bool = False, out: Any = None,
               stream: Optional[int] = None, **others: Any) -> Any:
    """The absorbed form of multi-head latent attention: `decode` with one head of keys,
    whose first `latent_dim` columns are the values.

    | array | sizes | dtype |
    |---|---|---|
    | `q` | (B, H, Sq, D): absorbed queries, then those with rotary embedding; or a pair of these | float16 or bfloat16 |
    | `cache` | (B, S, D) or (B, 1, S, D): latents, then keys with rotary embedding | as q, or float8_e4m3fn, float8_e5m2 or int8 |
    | the same with `page_table` | (N, P, D) or (N, 1, P, D) | the same |
    | `cache_scale` | as `k_scale` of `decode`, or without its heads: (), (B,), (B, S), with pages (N,), (N, P) | float32 |
    | `lengths`, `counts` | (B,) | int32 |
    | `page_table` | (B, columns) | int32 |
    | result | (B, H, Sq, latent_dim) | as q |
    | lse | (B, H, Sq) | float32 |

    In DeepSeek-V3 D is 576 = 512 + 64 and `scale` is 1 / sqrt(192), times what the rotary
    embedding's extension asks for: there is no default, as D does not tell it. `latent_dim`
    is 512 by default. With `causal`, the default, the last row sees all keys of its entry,
    the one before it one less. A chunk of prefill is the same call, of any number of rows. Of
    the cache each row is loaded once. `counts` and other options are those of `decode`, which
    this calls.

    - `q` as a pair (q_nope, q_pe) is copied into one array.
    - `cache` as a pair (c_kv, k_pe): views of one array's columns, in which the latter come
      right after the former, as `cache[..., :512]` and `cache[..., 512:]` do. `latent_dim`
      is what the former has. Kernels read one array: two in memory of their own are an error.
    - `cache_scale`: what stored latents and keys are multiplied with, both.

    Within torch.compile, use attn_mlir.torch.mla_decode. Source: "DeepSeek-V2: A Strong,
    Economical, and Efficient Mixture-of-Experts Language Model" (arXiv 2405.04434).
    """
    if others:
        refuse(mla_decode, others)
    q, cache, cache_scale, latent_dim = find_arrays(q, cache, cache_scale, latent_dim)
    return decode(q, cache, value_dims=(0, latent_dim), lengths=lengths,
                  page_table=page_table, counts=counts, scale=scale, causal=causal,
                  window=window, score_mod=score_mod, mask_mod=mask_mod, sink=sink,
                  k_scale=cache_scale, v_scale=cache_scale, return_lse=return_lse,
                  check=check, out=out, stream=stream)


def find_arrays(q: Any, cache: Any, cache_scale: Any,
                latent_dim: Optional[int]) -> Tuple[Any, Any, Any, int]:
    """Query, cache and its scale as `decode` takes them, and the latents' columns."""
    if isinstance(q, (tuple, list)):
        q = _join_query(q)
    if isinstance(cache, (tuple, list)):
        if latent_dim is not None:
            raise expected("latent_dim", "None beside a pair as the cache, which tells it",
                           repr(latent_dim))
        cache, latent_dim = _join_cache(cache)
    elif latent_dim is None:
        latent_dim = 512
    rank = len(cache.shape)
    if rank == 3:
        cache = adapter_of("cache", cache).with_head(cache)
    elif rank != 4 or cache.shape[1] != 1:
        raise expected("cache", "(B, S, D) or (B, 1, S, D), and N and P with pages",
                       f"sizes {tuple(cache.shape)}")
    width = cache.shape[3]
    if type(latent_dim) is not int or not 1 <= latent_dim <= width:
        raise expected("latent_dim", f"an integer from 1 to {width}", repr(latent_dim))
    if hasattr(cache_scale, "shape") and 1 <= len(cache_scale.shape) <= 2:
        # Of one head, which the caller need not have.
        first, *rest = cache_scale.shape
        if rest != [1]:
            cache_scale = adapter_of("cache_scale", cache_scale).with_head(cache_scale)
    return q, cache, cache_scale, latent_dim


def _join_query(pair: Any) -> Any:
    if len(pair) != 2 or not all([hasattr(its, "shape") for its in pair]):
        raise expected("q", "an array, or a pair (absorbed query, query with rotary "
                       "embedding)", f"{len(pair)} in a {type(pair).__name__}")
    nope, rotary = pair
    if len(nope.shape) != 4 or tuple(nope.shape[:3]) != tuple(rotary.shape[:3]) \
            or nope.dtype != rotary.dtype:
        raise expected("q", "a pair of arrays of one dtype and of sizes (B, H, Sq, latent "
                       "columns) and (B, H, Sq, others)",
                       f"{nope.dtype} of sizes {tuple(nope.shape)} and {rotary.dtype} of "
                       f"{tuple(rotary.shape)}")
    return adapter_of("q", nope).concatenate(pair)


def _join_cache(pair: Any) -> Tuple[Any, int]:
    """One array of which a pair are views, and the columns of the first."""
    if len(pair) != 2 or not all([hasattr(its, "shape") for its in pair]):
        raise expected("cache", "an array, or a pair (latents, keys with rotary embedding)",
                       f"{len(pair)} in a {type(pair).__name__}")
    latents, rotary = pair
    adapter = adapter_of("cache", latents)
    address, sizes, strides, dtype, *place = adapter.describe("cache", latents)[:6]
    its_address, its_sizes, its_strides, its_dtype, *its_place = adapter_of(
        "cache", rotary).describe("cache", rotary)[:6]
    size = DTYPE_BYTES[DTYPE_NAMES[dtype]]
    if (tuple(sizes[:-1]) != tuple(its_sizes[:-1]) or dtype != its_dtype
            or place != its_place or its_address - address != size * sizes[-1]
            or tuple(strides) != tuple(its_strides) or strides[-1] != 1):
        raise expected(
            "cache", "one array, or a pair of views of one's columns, (cache[..., :512], "
            "cache[..., 512:]): kernels read latents and rotary keys in one array, into "
            "which attn_mlir.append writes both", "two arrays in memory of their own")
    return adapter.widen(latents, sizes[-1] + its_sizes[-1]), sizes[-1]
