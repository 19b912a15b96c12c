"""Ring attention: attention over a sequence that the devices of a mesh axis divide."""

from typing import Any, List, Optional, Tuple

import jax
import jax.numpy as jnp

from .._arrays import expected
from .._module import Window
from .._options import as_flag, check_own_options
from .._spellings import refuse
from ._arrays import refuse_traced
from ._attention import MaskMod, ScoreMod, attention, check_inputs
from ._merge import merge


def ring_attention(q: Any, k: Any, v: Any, axis_name: str, *, scale: Optional[float] = None,
                   causal: bool = False, window: Window = None, score_mod: ScoreMod = None,
                   mask_mod: MaskMod = None, sink: Any = None, return_lse: bool = False,
                   deterministic: bool = False, **others: Any) -> Any:
    """`attention` within jax.shard_map, over a sequence that the devices of the mesh axis
    `axis_name` divide into equal parts: device r of n has the rows and the keys from r S / n
    to (r + 1) S / n. There are n steps. After each but the last, keys and values move to the
    next device of the axis. The states (output and lse) of all steps are merged.

    | array | shape on each device | dtype |
    |---|---|---|
    | `q` | (B, Sq / n, Hq, D) | float16, bfloat16 or float32 |
    | `k`, `v` | (B, Skv / n, Hkv, D) and (.., Dv), Hkv divides Hq | as q |
    | `sink` | (Hq,), the same on all | float16, bfloat16 or float32 |
    | result | (B, Sq / n, Hq, Dv) | as q |
    | lse | (B, Hq, Sq / n) | float32 |

    The options mean what they mean in `attention`. Positions, also those that score and mask
    functions get, are counted from the first row and key of the whole sequence. The call has
    derivatives. All devices compute every step, even one in which a causal mask keeps no pair.

    Raises ArgumentError, which names the argument, or Error.
    """
    if others:
        refuse(ring_attention, others)
    refuse_traced(scale=scale, causal=causal, window=window, return_lse=return_lse,
                  deterministic=deterministic)
    scale, causal, window = check_own_options(scale, causal, window)
    return_lse = as_flag("return_lse", return_lse)
    if not isinstance(axis_name, str):
        raise expected("axis_name", "the name of an axis of the mesh",
                       type(axis_name).__qualname__)
    try:
        count = jax.lax.axis_size(axis_name)
        own = jax.lax.axis_index(axis_name)
    except NameError:
        raise expected("axis_name", "an axis of the mesh of a jax.shard_map around the call",
                       repr(axis_name)) from None
    q, k, v, _ = check_inputs(q, k, v)
    rows, keys = q.shape[1], k.shape[1]
    neighbours = [(its, (its + 1) % count) for its in range(count)]
    left, right = (None, None) if window is None else window
    if causal:
        right = 0
    states: List[Tuple[Any, Any]] = []
    for step in range(count):
        # The positions in the whole sequence of this device's first row and of the step's first
        # key. Both are arrays, not Python numbers, since all devices run the same program.
        row = (own * rows).astype(jnp.int32)
        key = ((own - step) % count * keys).astype(jnp.int32)

        def keep(b: Any, h: Any, i: Any, j: Any, row: Any = row, key: Any = key) -> Any:
            i, j = i + row, j + key
            kept = None if mask_mod is None else mask_mod(b, h, i, j)
            for bound in ([] if right is None else [j <= i + right]) + (
                    [] if left is None else [j >= i - left]):
                kept = bound if kept is None else kept & bound
            return kept

        def score(s: Any, b: Any, h: Any, i: Any, j: Any, row: Any = row,
                  key: Any = key) -> Any:
            assert score_mod is not None
            return score_mod(s, b, h, i + row, j + key)

        states.append(attention(
            q, k, v, scale=scale, return_lse=True, deterministic=deterministic,
            score_mod=None if score_mod is None else score,
            mask_mod=None if mask_mod is None and left is None and right is None else keep))
        if step + 1 < count:
            k, v = (jax.lax.ppermute(its, axis_name, neighbours) for its in (k, v))
    return merge(states, sink=sink, return_lse=return_lse)
