"""Attention by JAX's own operations, of which JAX knows derivatives of any order and mode.

A loop goes over parts of the keys, so that no array of all pairs is needed, and computes in
float32. Kernels are faster: this code is for derivatives that no kernel computes."""

import functools
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import jax
import jax.numpy as jnp

from .._region_values import Evaluator
from ._layouts import swapped
from ._mods import Mod, View
from ._ops import vary_alike

# The largest number of pairs that a step of the loop over keys computes, and the smallest and the
# largest number of keys of a step.
_PAIRS = 2**24
_FEWEST, _MOST = 16, 512

_DTYPES = {"f32": "float32", "f16": "float16", "bf16": "bfloat16", "i32": "int32",
           "true": "bool", "false": "bool"}


def _dtype_of(type_: str) -> Any:
    """Returns the dtype for an MLIR type. Integers of 64 bits, and of type index, are of int32
    unless JAX has int64 (jax_enable_x64)."""
    return jax.dtypes.canonicalize_dtype(_DTYPES.get(type_, "int64"))


def _absolute(x: Any) -> Any:
    """The absolute value. Its derivative at 0 is 0, as that of the op math.absf is in kernels; that
    of jnp.abs is 1."""
    return jnp.where(x == 0, 0.0, jnp.abs(x))


_evaluate = Evaluator(
    jnp, {"math.erf": jax.scipy.special.erf, "math.erfc": jax.scipy.special.erfc,
          "math.cbrt": jnp.cbrt, "math.absf": _absolute}, jnp.equal,
    lambda value, type_, like: jnp.asarray(value, _dtype_of(type_)),
    lambda value, type_: value.astype(_dtype_of(type_))).evaluate


class Places(NamedTuple):
    """The positions of rows, of shape (B, 1, S, 1), and of keys, of shape (T,), as score and mask
    functions get them. `batch` has the number of each row's batch entry or packed sequence. For
    causal masks and windows, the diagonal at row i is the key i + `diagonal`."""

    batch: Any
    rows: Any
    keys: Any
    diagonal: Any
    # The number of the packed sequence that each key is in, or -1 for keys outside of sequences.
    # None if sequences are not packed.
    of_key: Any = None


def _places(options: Any, shape: Sequence[int], lengths: Sequence[Any]) -> Places:
    b, s, t = shape
    align = options.causal if isinstance(options.causal, str) else options.align
    is_last = align == "bottom_right"
    rows, keys = jnp.arange(s), jnp.arange(t)
    if not lengths:
        return Places(jnp.arange(b).reshape(-1, 1, 1, 1), rows.reshape(1, 1, -1, 1), keys,
                      t - s if is_last else 0)
    found = []
    for cu, count, own in zip(lengths, (s, t), (rows, keys)):
        cu = jnp.clip(jax.lax.cummax(cu), 0, count)
        number = jnp.searchsorted(cu, own, side="right").astype(jnp.int32) - 1
        is_one = (number >= 0) & (number < len(cu) - 1)
        number = jnp.where(is_one, number, 0)
        found.append((jnp.where(is_one, number, -1), own - cu[number], jnp.diff(cu)))
    (of_row, row, row_counts), (of_key, key, key_counts) = found
    which = jnp.maximum(of_row, 0)
    diagonal = (key_counts - row_counts)[which].reshape(1, 1, -1, 1) if is_last else 0
    return Places(of_row.reshape(1, 1, -1, 1), row.reshape(1, 1, -1, 1), key, diagonal, of_key)


def _kept(options: Any, places: Places, key: Any, of_key: Any) -> List[Any]:
    """Returns the conditions that causal mask, window and packed sequences put on a pair of row and
    key. A pair counts only if all of them hold, and the mask function, too, keeps it. `key`, of
    shape (1, 1, 1, C), has the positions of C keys, and `of_key` the numbers of their sequences."""
    left, right = (None, None) if options.window is None else options.window
    diagonal = places.rows + places.diagonal
    found = []
    if options.causal or right is not None:
        found.append(key <= diagonal + (0 if options.causal else right))
    if left is not None:
        found.append(key >= diagonal - left)
    if of_key is not None:
        found.append((of_key == places.batch) & (of_key >= 0))
    return found


def _emit(mod: Optional[Mod], views: Dict[int, View]) -> str:
    return "" if mod is None else mod.emit(views)[0] if views else mod.text


def attend(options: Any, inputs: Sequence[Any], captures: Sequence[Any],
           lengths: Sequence[Any] = (), views: Dict[int, View] = {},
           keep: Any = None) -> Tuple[Any, Any]:
    """Computes the output and the lse, (B, H, S). `inputs` are query, key, value and, if there is
    one, the sink. The output, query, key and value have the layout of `options`. `captures` are the
    arrays that the score function and then the mask function capture, or, for those whose numbers
    are in `views`, the view. `lengths` are both cumulative lengths of packed sequences, or empty.
    `keep` is a function of (b, h, i, j) that returns dropout's factor of a pair, or None."""
    q, k, v = (swapped(options.layout, its) for its in inputs[:3])
    sinks = inputs[3:]
    (b, s, h, d), (_, t, g, e) = q.shape, v.shape
    scale = d**-0.5 if options.scale is None else options.scale
    count = len(options.score.captures) if options.score else 0
    score_text, mask_text = _emit(options.score, views), _emit(options.mask, {})
    places = _places(options, (b, s, t), lengths)
    heads = jnp.arange(h).reshape(1, -1, 1, 1)
    # Symbolic sizes of jax.export cannot be compared.
    is_known = all([isinstance(its, int) for its in (b, h, s, t)])
    size = max(1, min(t, _MOST, max(_FEWEST, _PAIRS // max(1, b * h * s)))) \
        if is_known else _FEWEST
    steps = -(-t // size)

    def parts(array: Any, dim: int, fill: Any = 0) -> Any:
        """Divides dimension `dim` of an array, that of the keys, into parts of `size` keys. The
        number of the part becomes the first dimension; `fill` pads the last part."""
        widths = [(0, steps * size - t if its == dim else 0) for its in range(array.ndim)]
        array = jnp.pad(array, widths, constant_values=fill)
        array = array.reshape((*array.shape[:dim], steps, size, *array.shape[dim + 1:]))
        return jnp.moveaxis(array, dim, 0)

    query = q.astype(jnp.float32).reshape(b, s, g, h // g, d) if g else jnp.zeros(
        (b, s, 0, 0, d), jnp.float32)

    def step(state: Any, part: Any) -> Tuple[Any, None]:
        most, total, output = state
        its_key, its_value, key, number, *of_key = part
        scores = jnp.einsum("bsgrd,btgd->bgrst", query, its_key.astype(jnp.float32),
                            precision="highest").reshape(b, h, s, size) * scale
        key = key.reshape(1, 1, 1, -1)
        rows = (jnp.maximum(places.batch, 0), heads, places.rows, key)
        kept = _kept(options, places, key,
                     of_key[0].reshape(1, 1, 1, -1) if of_key else None)
        kept.append((number < t).reshape(1, 1, 1, -1))
        if mask_text:
            kept.append(_evaluate(mask_text, captures[count:], rows))
        is_kept = functools.reduce(jnp.logical_and, kept)
        if score_text:
            scores = _evaluate(score_text, captures[:count], rows, scores, is_kept)
        scores = jnp.where(is_kept, scores, -jnp.inf)
        highest = jax.lax.stop_gradient(jnp.maximum(most, scores.max(-1)))
        shift = jnp.where(jnp.isfinite(highest), highest, 0)
        weights = jnp.exp(scores - shift[..., None])
        before = jnp.exp(most - shift)
        dropped = weights if keep is None else weights * keep(*rows)
        added = jnp.einsum("bgrst,btge->bgrse", dropped.reshape(b, g, h // max(g, 1), s, size),
                           its_value.astype(jnp.float32), precision="highest")
        return (highest, total * before + weights.sum(-1),
                output * before[..., None] + added.reshape(b, h, s, e)), None

    # The loop's initial zeros are made from the query, so that they have its sharding: in a mesh
    # with explicit axes, shardings are part of the types of arrays.
    total = jnp.zeros_like(q[..., 0].transpose(0, 2, 1), jnp.float32)
    empty = jnp.broadcast_to(total[..., None], (b, h, s, e))
    most = jnp.full_like(total, -jnp.inf)
    if sinks:
        sink = jnp.broadcast_to(sinks[0].astype(jnp.float32).reshape(1, -1, 1), (b, h, s))
        most = jax.lax.stop_gradient(sink)
        total = jnp.exp(sink - jnp.where(jnp.isfinite(most), most, 0))
    state, _ = vary_alike((most, total, empty),
                          (q, k, v, *captures, *lengths))
    if steps:
        each = [parts(k, 1), parts(v, 1), parts(places.keys, 0),
                jnp.arange(steps * size).reshape(steps, size)]
        if places.of_key is not None:
            each.append(parts(places.of_key, 0, -1))
        state, _ = jax.lax.scan(jax.checkpoint(step), state, each)
    most, total, output = state
    is_empty = total == 0
    total = jnp.where(is_empty, 1, total)
    lse = jnp.where(is_empty, -jnp.inf, most + jnp.log(total))
    output = output / total[..., None]
    output = output.transpose(0, 2, 1, 3).astype(q.dtype)
    return swapped(options.layout, output), lse
