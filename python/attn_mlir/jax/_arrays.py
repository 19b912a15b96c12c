"""Checks arrays and options that callers pass to the functions of attn_mlir.jax."""

from typing import Any, Dict, Mapping, Sequence, Tuple

import jax
import jax.numpy as jnp
import numpy as np

from .._adapter import expected, expected_constant
from .._module import DTYPES as FLOATS
from ._target import ELEMENTS


def as_array(name: str, value: Any, shape: Sequence[Any], sizes: Dict[str, int],
             dtypes: Sequence[str] = ()) -> Any:
    """Returns `value` as an array of JAX's. Raises if its rank, a size or its dtype is not the
    expected one. `shape` has a number or a name for each dimension. A name is for one size: the
    first array that has it enters the size into `sizes`, and others must agree. `dtypes` are
    the allowed dtypes, by JAX's names; if it is empty, any dtype is allowed."""
    if not hasattr(value, "shape") or not hasattr(value, "dtype"):
        raise expected(name, f"an array of shape ({', '.join(map(str, shape))})",
                       type(value).__qualname__)
    if not isinstance(value, (jax.Array, np.ndarray, np.generic)) \
            and not hasattr(value, "__jax_array__"):
        raise expected(name, "an array of JAX's or NumPy's (jax.dlpack.from_dlpack makes one)",
                       type(value).__qualname__)
    array = jnp.asarray(value)
    if array.dtype != value.dtype:  # JAX has narrowed 64 bits
        raise expected(name, f"dtype {' or '.join(dtypes)}", value.dtype)
    if array.ndim != len(shape):
        raise expected(name, f"rank {len(shape)}: ({', '.join(map(str, shape))})",
                       f"shape {tuple(array.shape)}")
    if dtypes and array.dtype.name not in dtypes:
        raise expected(name, f"dtype {' or '.join(dtypes)}", array.dtype.name)
    for dim, (wanted, size) in enumerate(zip(shape, array.shape)):
        known = sizes.setdefault(wanted, size) if isinstance(wanted, str) else wanted
        if known != size:
            raise expected(name, f"{known} in dimension {dim}"
                           + (f", {wanted}" if isinstance(wanted, str) else ""), size)
    return array


def float_names() -> Tuple[str, ...]:
    return tuple([name for name, its in ELEMENTS.items() if its in FLOATS])


def refuse_traced(instead: str = "", **options: Any) -> None:
    """Raises for an option whose value JAX traces (an argument of a jitted function, for
    example): options are constants of the kernel. `instead` says in the error what may be traced
    in the option's place."""
    for name, value in options.items():
        if any([isinstance(its, jax.core.Tracer) for its in jax.tree.leaves(value)]):
            raise expected_constant(name, instead)


def check_devices(arrays: Mapping[str, Any]) -> None:
    """Raises if an array is committed to (was put by the caller on) other devices than the first
    committed array. Traced arrays and those that are not committed are not checked."""
    first = None
    for name, its in arrays.items():
        if isinstance(its, jax.core.Tracer) or not getattr(its, "committed", False):
            continue
        devices = its.devices()
        first = first or (name, devices)
        if devices != first[1]:
            here, there = (", ".join(sorted(map(str, both))) for both in (first[1], devices))
            raise expected(name, f"an array on {here}, as {first[0]} is (jax.device_put moves "
                           "one)", there)
