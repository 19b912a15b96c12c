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
from ._layouts import BSHD, as_layout, ordered
from ._merge import merge


class _Halves:
    """Divides the work of a causal mask evenly. Each device's part of the sequence has two halves,
    2 r and 2 r + 1 of 2 n. Under a causal mask the last device would compute the most by far.
    After `exchange`, device r has the halves r and 2 n - 1 - r (the order of a zigzag), with which
    each step of the ring computes as many pairs on one device as on another."""

    def __init__(self, axis_name: str, count: int, own: Any) -> None:
        self._axis = axis_name
        self._is_even = own % 2 == 0
        places = [half if half < count else 2 * count - 1 - half for half in range(2 * count)]
        # For the halves of even numbers, and for those of odd numbers, (source, target).
        self._moves = [list(zip(range(count), places[parity::2])) for parity in (0, 1)]

    def exchange(self, array: Any, axis: int) -> Any:
        """Moves the halves of dimension `axis`, the rows, to the devices that compute with them."""
        even, odd = (jax.lax.ppermute(half, self._axis, moves) for half, moves in
                     zip(jnp.split(array, 2, axis=axis), self._moves))
        return self._order(even, odd, axis)

    def restore(self, array: Any, axis: int) -> Any:
        """Moves the halves of dimension `axis` back to where they were before `exchange`."""
        halves = jnp.split(self._order(*jnp.split(array, 2, axis=axis), axis), 2, axis=axis)
        return jnp.concatenate([
            jax.lax.ppermute(half, self._axis, [(target, source) for source, target in moves])
            for half, moves in zip(halves, self._moves)], axis=axis)

    def _order(self, even: Any, odd: Any, axis: int) -> Any:
        return jnp.concatenate([jnp.where(self._is_even, even, odd),
                                jnp.where(self._is_even, odd, even)], axis=axis)


def ring_attention(q: Any, k: Any, v: Any, axis_name: str, *, scale: Optional[float] = None,
                   causal: bool = False, window: Window = None, score_mod: ScoreMod = None,
                   mask_mod: MaskMod = None, sink: Any = None, return_lse: bool = False,
                   deterministic: bool = False, layout: str = BSHD, **others: Any) -> Any:
    """`attention` within jax.shard_map, over a sequence that the devices of the mesh axis
    `axis_name` divide into equal parts: device r of n has the rows and the keys from r S / n
    to (r + 1) S / n. There are n steps. After each but the last, keys and values move to the
    next device of the axis. The states (output and lse) of all steps are merged. Under a causal
    mask without a left end, and if all parts have even numbers of rows and of keys, devices first
    exchange halves of their parts, so that all of them compute the same number of pairs.

    | array | shape on each device | dtype |
    |---|---|---|
    | `q` | (B, Sq / n, Hq, D) | float16, bfloat16 or float32 |
    | `k`, `v` | (B, Skv / n, Hkv, D) and (.., Dv), Hkv divides Hq | as q |
    | `sink` | (Hq,), the same on all | float16, bfloat16 or float32 |
    | result | (B, Sq / n, Hq, Dv) | as q |
    | lse | (B, Hq, Sq / n) | float32 |

    With layout="BHSD", `q`, `k`, `v` and the result have heads before rows: (B, Hq, Sq / n, D).
    The options mean what they mean in `attention`. Positions, also those that score and mask
    functions get, are counted from the first row and key of the whole sequence. The call has
    derivatives.

    Raises ArgumentError, which names the argument, or Error.
    """
    if others:
        refuse(ring_attention, others)
    refuse_traced(scale=scale, causal=causal, window=window, return_lse=return_lse,
                  deterministic=deterministic, layout=layout)
    layout = as_layout(layout)
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
    q, k, v, sizes = check_inputs(q, k, v, layout=layout)
    rows, keys, axis = sizes["Sq"], sizes["Skv"], ordered(layout, 0, 1, 2, 3).index(1)
    neighbours = [(its, (its + 1) % count) for its in range(count)]
    left, right = (None, None) if window is None else window
    if causal:
        right = 0
    halves = None
    if right is not None and left is None and rows % 2 == 0 and keys % 2 == 0:
        halves = _Halves(axis_name, count, own)
        q, k, v = (halves.exchange(its, axis) for its in (q, k, v))

    def begins(part: Any, size: int) -> Tuple[Any, Any]:
        """What to add to the places in a part of `size` rows or keys, in its first half and in its
        second, to get their positions in the whole sequence. Both are arrays, not Python numbers,
        since all devices run the same program."""
        low, high = part * size, part * size
        if halves is not None:
            low, high = part * (size // 2), (2 * count - 2 - part) * (size // 2)
        return low.astype(jnp.int32), high.astype(jnp.int32)

    def position(place: Any, begin: Tuple[Any, Any], size: int) -> Any:
        return place + (begin[0] if halves is None else
                        jnp.where(place < size // 2, *begin))

    row = begins(own, rows)
    states: List[Tuple[Any, Any]] = []
    for step in range(count):
        key = begins((own - step) % count, keys)

        def keep(b: Any, h: Any, i: Any, j: Any, key: Any = key) -> Any:
            i, j = position(i, row, rows), position(j, key, keys)
            kept = None if mask_mod is None else mask_mod(b, h, i, j)
            for bound in ([] if right is None else [j <= i + right]) + (
                    [] if left is None else [j >= i - left]):
                kept = bound if kept is None else kept & bound
            return kept

        def score(s: Any, b: Any, h: Any, i: Any, j: Any, key: Any = key) -> Any:
            assert score_mod is not None
            return score_mod(s, b, h, position(i, row, rows), position(j, key, keys))

        states.append(attention(
            q, k, v, scale=scale, return_lse=True, deterministic=deterministic, layout=layout,
            score_mod=None if score_mod is None else score,
            mask_mod=None if mask_mod is None and left is None and right is None else keep))
        if step + 1 < count:
            k, v = (jax.lax.ppermute(its, axis_name, neighbours) for its in (k, v))
    found = merge(states, sink=sink, return_lse=return_lse, layout=layout)
    if halves is None:
        return found
    if not return_lse:
        return halves.restore(found, axis)
    return halves.restore(found[0], axis), halves.restore(found[1], axis=2)
