"""The function `decode`: attention of new tokens over a KV cache."""

from typing import Any, Optional

from ._attend import QUERY_COLUMNS, Layout, attend
from ._frames import Calls
from ._module import Causal, Window
from ._spellings import refuse
from ._tracing import MaskMod, ScoreMod
from ._within import ValueDims

calls = Calls(QUERY_COLUMNS)
_QUERY, _KEYS = ("B", "Hq", "Sq"), ("k_cache", "v_cache")
_DENSE = Layout(_QUERY, ("B", "Hkv", "S"), _QUERY, _KEYS, is_cache=True)
_PAGED = Layout(_QUERY, ("N", "Hkv", "P"), _QUERY, _KEYS, is_cache=True)


def align(causal: bool) -> Causal:
    return "bottom_right" if causal else False


@calls.function("q k_cache v_cache sink * counts lengths page_table")
def decode(q: Any, k_cache: Any, v_cache: Any = None, *, lengths: Any = None,
           page_table: Any = None, counts: Any = None, scale: Optional[float] = None,
           causal: bool = False, window: Window = None, score_mod: ScoreMod = None,
           mask_mod: MaskMod = None, sink: Any = None, q_scale: Any = None,
           k_scale: Any = None, v_scale: Any = None, v_mean: Any = None,
           kv_dtype: Optional[str] = None,
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
    | `v_mean` | (B, Hkv, 1, Dv), each of which may be 1; with pages (1, Hkv, 1, Dv) | float32 |
    | `out_scale` | () or (B, Hq), each of which may be 1 | float32 |
    | result | (B, Hq, Sq, Dv) | as q, or `out_dtype` |
    | lse | (B, Hq, Sq) | float32 |

    Key j of batch entry b is k_cache[b, :, j], or with pages k_cache[page_table[b, j // P], :,
    j % P]. The first `lengths[b]` keys of entry b are valid, by default all. These include the keys
    of the new tokens, which `append` has written before. Other keys are never read, so that they
    may be NaN.

    - `v_cache` may have stride 1 along S or P instead of along Dv, unless it has 4 bits.
    - `causal`: the last row sees all keys of its entry, the one before it one less.
      `window` (left, right) counts from the same diagonal.
    - `counts`: the number of valid rows of each entry, from 0 to Sq, by default all, as in
      `append`. For `causal` and `window`, the last valid row counts as the last row. The
      output of other rows is 0, and their lse the sink, or -inf without one. Requires
      `lengths`.
    - `value_dims`: (first, end) in place of `v_cache`: the values are the columns first to end - 1
      of `k_cache`, as in a cache of latents. A `v_cache` that is a view of some columns of
      `k_cache` has the same effect. Columns that are keys and values are loaded once.
    - `q_rope`, `k_rope`: (B, Hq, Sq, D2) and (B, Hkv or 1, S, D2), or with pages, which the same
      table names, (N, Hkv or 1, P, D2): further columns of `q` and `k_cache` in separate arrays of
      q's dtype, which are not copied. `value_dims` are columns of `k_cache`. `append` writes such a
      cache by one call, `append(k_rope's tokens, latents, k_rope, k_cache)`.
    - `score_mod`, `mask_mod`: see `attention`; rows count from 0, keys from the first of
      the cache.
    - `q_scale`, `k_scale`, `v_scale`: as in `attention`; with pages, of sizes (), (N, Hkv)
      or (N, Hkv, P). See `append` for caches of 8 bits.
    - `kv_dtype`: "i4" says that caches of uint8 have two numbers of 4 bits in each byte, as
      in `attention`.
    - `scale`, `v_mean`, `sink`, `return_lse`, `fast_accumulate`, `out_scale`, `out_dtype`, `out`,
      `stream`: as in `attention`.
    - `check`: read lengths, pages and scales on the host, and raise for a length or a page that is
      out of its range, and for scales that are not finite. Without it, lengths are clamped to the
      valid range, and keys in a page that does not exist are masked; nothing outside of the arrays
      is read.

    Each launch reads lengths and pages on the device, so that replays of a captured CUDA graph use
    lengths that have grown. For at most 16 rows, keys are divided among as many programs as the GPU
    has SMs, and query heads that share keys are computed together; results are bitwise the same
    each time. For up to 16 rows, each number of rows has a separate kernel, as has each page size.
    Prefill of new tokens, or of a chunk of them, that attend to the tokens in the cache is the same
    call. There are no gradients. Within torch.compile, use attn_mlir.torch.decode. Raises
    ArgumentError, which names the argument, or Error.
    """
    if others:
        refuse(decode, others)
    return attend(_DENSE if page_table is None else _PAGED, decode, locals(), calls)
