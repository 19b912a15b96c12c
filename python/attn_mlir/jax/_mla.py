"""Multi-head latent attention over a cache of latents, on JAX's arrays."""

from typing import Any, Optional

import jax.numpy as jnp

from .._arrays import expected
from .._mla import check_pair
from .._module import Window
from .._options import as_python_integer
from .._spellings import refuse
from ._arrays import refuse_traced
from ._layouts import BSHD, as_layout, ordered
from ._serving import decode


def _with_head(cache: Any, layout: str) -> Any:
    shape = getattr(cache, "shape", ())
    if len(shape) == 3:
        return jnp.expand_dims(cache, 2 if layout == BSHD else 1)
    if len(shape) != 4 or ordered(layout, *shape)[2] != 1:
        sizes = ", ".join(ordered(layout, "B", "S", "1", "D"))
        raise expected("cache", f"(B, S, D) or ({sizes}), and N and P with pages",
                       f"shape {tuple(shape)}" if shape else type(cache).__qualname__)
    return cache


def mla_decode(q: Any, cache: Any, *, scale: float, latent_dim: Optional[int] = None,
               lengths: Any = None, page_table: Any = None, counts: Any = None,
               causal: bool = True, window: Window = None, score_mod: Any = None,
               mask_mod: Any = None, sink: Any = None, return_lse: bool = False,
               layout: str = BSHD, **others: Any) -> Any:
    """The absorbed form of multi-head latent attention, as attn_mlir.mla_decode: `decode` with
    one head of keys, whose first `latent_dim` columns, by default 512, are the values.

    `q` is (B, Sq, H, D): its columns are those of the absorbed query, then those with rotary
    embedding. `cache` is (B, S, D) or (B, S, 1, D), with `page_table` (N, P, D) or (N, P, 1, D):
    its columns are those of the latents, then those of keys with rotary embedding. Each may also
    be a pair of arrays with these two groups of columns. A cache that is a pair is read without
    a copy, and tells `latent_dim`, which must then be None. A query that is a pair is
    concatenated if the cache is one array. `scale` has no default, since it does not depend on
    D. The result is (B, Sq, H, latent_dim), and the lse (B, H, Sq). With layout="BHSD", heads are
    before tokens in `q`, in the result and in a cache of four dimensions. There are no
    gradients."""
    if others:
        refuse(mla_decode, others)
    refuse_traced(scale=scale, causal=causal, window=window, return_lse=return_lse,
                  latent_dim=latent_dim, layout=layout)
    layout = as_layout(layout)
    rotary = None
    if isinstance(cache, (tuple, list)):
        if latent_dim is not None:
            raise expected("latent_dim", "None beside a pair as the cache, which tells it",
                           repr(latent_dim))
        check_pair("cache", cache, "latents, keys with rotary embedding")
        latents, rotary = (_with_head(its, layout) for its in cache)
        if latents.dtype != rotary.dtype:
            raise expected("cache", "latents of the same dtype as keys with rotary embedding",
                           f"{latents.dtype} and {rotary.dtype}")
        latent_dim = latents.shape[3]
    else:
        latents = _with_head(cache, layout)
        latent_dim = 512 if latent_dim is None else as_python_integer(latent_dim)
        width = latents.shape[3]
        if type(latent_dim) is not int or not 1 <= latent_dim <= width:
            raise expected("latent_dim", f"an integer from 1 to {width}", repr(latent_dim))
    q_rope = None
    if isinstance(q, (tuple, list)):
        check_pair("q", q, "absorbed query, query with rotary embedding")
        q, q_rope = q
    if len(getattr(q, "shape", ())) != 4:
        sizes = ", ".join(ordered(layout, "B", "Sq", "H", "D"))
        raise expected("q", f"rank 4: ({sizes}), or a pair of such arrays",
                       getattr(q, "shape", type(q).__qualname__))
    if latents.dtype != q.dtype:
        raise expected("cache", f"dtype {q.dtype}, as q has", latents.dtype)
    if rotary is None and q_rope is not None:
        q, q_rope = jnp.concatenate([q, q_rope], 3), None
    if rotary is not None and q_rope is None:
        if q.shape[3] != latent_dim + rotary.shape[3]:
            raise expected("q", f"{latent_dim} + {rotary.shape[3]} columns, as the cache has",
                           q.shape[3])
        q, q_rope = q[..., :latent_dim], q[..., latent_dim:]
    return decode(q, latents, value_dims=(0, latent_dim), q_rope=q_rope, k_rope=rotary,
                  lengths=lengths, page_table=page_table, counts=counts, scale=scale,
                  causal=causal, window=window, score_mod=score_mod, mask_mod=mask_mod,
                  sink=sink, return_lse=return_lse, layout=layout)
