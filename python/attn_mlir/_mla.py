"""Multi-head latent attention over a cache of latents."""

from typing import Any, Optional

from ._arrays import adapter_of, expected
from ._module import Window
from ._serving import decode
from ._spellings import refuse
from ._tracing import MaskMod, ScoreMod


def mla_decode(q: Any, cache: Any, *, scale: float, latent_dim: int = 512,
               lengths: Any = None, page_table: Any = None, counts: Any = None,
               causal: bool = True, window: Window = None, score_mod: ScoreMod = None,
               mask_mod: MaskMod = None, sink: Any = None, return_lse: bool = False,
               check: bool = False, out: Any = None, stream: Optional[int] = None,
               **others: Any) -> Any:
    """The absorbed form of multi-head latent attention: `decode` with one head of keys,
    whose first `latent_dim` columns are the values.

    | array | sizes | dtype |
    |---|---|---|
    | `q` | (B, H, Sq, D): absorbed queries, then those with rotary embedding | float16 or bfloat16 |
    | `cache` | (B, S, D) or (B, 1, S, D): latents, then keys with rotary embedding | as q |
    | the same with `page_table` | (N, P, D) or (N, 1, P, D) | as q |
    | `lengths`, `counts` | (B,) | int32 |
    | `page_table` | (B, columns) | int32 |
    | result | (B, H, Sq, latent_dim) | as q |
    | lse | (B, H, Sq) | float32 |

    In DeepSeek-V3 D is 576 = 512 + 64 and `scale` is 1 / sqrt(192), times what the rotary
    embedding's extension asks for: there is no default, as D does not tell it. With
    `causal`, the default, the last row sees all keys of its entry, the one before it one
    less. A chunk of prefill is the same call, of any number of rows. Of the cache each row is
    loaded once. `counts` and other options are those of `decode`, which this calls.

    Source: "DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language
    Model" (arXiv 2405.04434).
    """
    if others:
        refuse(mla_decode, others)
    rank = len(cache.shape)
    if rank == 3:
        cache = adapter_of("cache", cache).with_head(cache)
    elif rank != 4 or cache.shape[1] != 1:
        raise expected("cache", "(B, S, D) or (B, 1, S, D), and N and P with pages",
                       f"sizes {tuple(cache.shape)}")
    width = cache.shape[3]
    if type(latent_dim) is not int or not 1 <= latent_dim <= width:
        raise expected("latent_dim", f"an integer from 1 to {width}", repr(latent_dim))
    return decode(q, cache, value_dims=(0, latent_dim), lengths=lengths,
                  page_table=page_table, counts=counts, scale=scale, causal=causal,
                  window=window, score_mod=score_mod, mask_mod=mask_mod, sink=sink,
                  return_lse=return_lse, check=check, out=out, stream=stream)
