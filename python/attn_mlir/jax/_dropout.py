"""Dropout: converts JAX's seeds, and computes by JAX's own operations which probabilities are
kept."""

from typing import Any, Callable, List, Optional, Tuple

import jax
import jax.numpy as jnp
import numpy as np

from .._arrays import expected
from .._dropout import as_i64, check_probability
from ._arrays import refuse_traced

_WHAT = "a key of jax.random, or a pair of integers (seed, offset)"


def find_seed(dropout_p: Any, seed: Any) -> Tuple[float, Optional[Any]]:
    """Checks `dropout_p` and `seed`. Returns the probability and an array of four words of 32
    bits: the lower and the upper word of the seed, then those of the offset. Without dropout,
    None takes the array's place."""
    dropout_p = check_probability(dropout_p)
    if dropout_p == 0:
        return 0.0, None
    if isinstance(seed, (tuple, list)) and len(seed) == 2:
        refuse_traced("; a key of jax.random may be traced", seed=seed)
        pair = [as_i64(its) % 2**64 for its in seed]
        return dropout_p, jnp.asarray([its >> shift & 0xFFFFFFFF for its in pair
                                       for shift in (0, 32)], jnp.uint32)
    if not hasattr(seed, "shape") or not hasattr(seed, "dtype"):
        raise expected("seed", f"{_WHAT}, beside dropout_p",
                       "None" if seed is None else type(seed).__qualname__)
    is_key = jnp.issubdtype(seed.dtype, jax.dtypes.prng_key)
    words = jax.random.key_data(seed) if is_key else jnp.asarray(seed)
    if words.dtype != jnp.uint32 or words.shape not in ((2,), (4,)):
        raise expected("seed", _WHAT, f"{seed.dtype} of shape {tuple(seed.shape)}")
    return dropout_p, jnp.pad(words, (0, 4 - words.shape[0]))


def as_operands(words: Any) -> List[Any]:
    """Returns seed and offset as kernels take them, as scalars of int64. JAX has this dtype only
    with jax_enable_x64, which is therefore enabled for the conversion."""
    with jax.enable_x64(True):
        both = jax.lax.bitcast_convert_type(words.reshape(2, 2), np.dtype(np.int64))
        return [jax.lax.squeeze(jax.lax.slice(both, (its,), (its + 1,)), (0,))
                for its in range(2)]


def _multiply(factor: int, x: Any) -> Tuple[Any, Any]:
    """Returns the upper and the lower 32 bits of the product of two unsigned integers of 32
    bits."""
    low, high = x & 0xFFFF, x >> 16
    first, second = np.uint32(factor & 0xFFFF), np.uint32(factor >> 16)
    middle = first * high + (first * low >> 16)
    other = second * low + (middle & 0xFFFF)
    return second * high + (middle >> 16) + (other >> 16), x * np.uint32(factor)


def make_keep(words: Any, heads: int, dropout_p: float) -> Callable[..., Any]:
    """Returns a function of batch entry, head, row and key (b, h, i, j) that computes the factor
    by which dropout multiplies a probability: 0, or 1 / (1 - p) for those that it keeps. The op
    attn.attention defines the random bits: Philox 4x32-10 (Salmon et al., "Parallel Random
    Numbers: As Easy as 1, 2, 3", SC 2011)."""
    threshold = int(65536 * dropout_p + 0.5)
    factor = 65536 / (65536 - threshold) if threshold < 65536 else 0.0

    def keep(b: Any, h: Any, i: Any, j: Any) -> Any:
        counter = [its.astype(jnp.uint32) for its in (j // 8, i, b * heads + h)]
        counter.append(words[2])
        for step in range(10):
            upper, lower = _multiply(0xD2511F53, counter[0])
            its_upper, its_lower = _multiply(0xCD9E8D57, counter[2])
            first, second = (words[n] + np.uint32(step * weyl & 0xFFFFFFFF)
                             for n, weyl in ((0, 0x9E3779B9), (1, 0xBB67AE85)))
            counter = [its_upper ^ counter[1] ^ first, its_lower,
                       upper ^ counter[3] ^ second, lower]
        number = j % 8
        word = jnp.select([number // 2 == n for n in range(4)], counter)
        bits = word >> (16 * (number % 2)).astype(jnp.uint32) & 0xFFFF
        return jnp.where(bits >= threshold, factor, 0.0)

    return keep
