"""Dropout: its probability, and the seeds and offsets of its random numbers."""

import numbers
from typing import Any

from ._adapter import expected_constant, is_traced_by_jax
from ._arrays import expected, is_array
from ._options import option_error


def check_probability(dropout_p: Any) -> float:
    if not isinstance(dropout_p, numbers.Real) or not 0 <= float(dropout_p) <= 1:
        raise option_error("dropout_p", "a number from 0 to 1", dropout_p)
    return float(dropout_p)


def as_i64(value: Any) -> int:
    """Returns the signed 64-bit integer with the same bits as the signed or unsigned 64-bit integer
    `value`. Raises for other values."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) \
            or not -2**63 <= int(value) < 2**64:
        raise option_error("seed", "integers of 64 bits", value)
    return (int(value) + 2**63) % 2**64 - 2**63


def check_sources(generator: Any, seed: Any) -> None:
    """Raises if dropout has both a generator and a seed."""
    if generator is not None and seed is not None:
        raise expected("generator", "None beside seed, which takes its place (give one of the two)",
                       type(generator).__qualname__)


def check_seed(seed: Any) -> Any:
    """Returns the seed and the offset: a pair of numbers as two signed 64-bit integers, or an array
    of two elements as it is. Raises for other values."""
    if isinstance(seed, (tuple, list)) and len(seed) == 2:
        return as_i64(seed[0]), as_i64(seed[1])
    found = type(seed).__qualname__
    if seed is not None and is_array(seed):
        if tuple(seed.shape) == (2,):
            return seed
        found = f"sizes {tuple(seed.shape)}"
    if is_traced_by_jax(seed):
        raise expected_constant("seed")
    raise expected("seed", "a pair of integers (seed, offset), or an array of these two "
                   "in int64", found)
