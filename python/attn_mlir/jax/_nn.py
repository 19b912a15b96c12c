"""jax.nn.dot_product_attention, computed by this package's kernels."""

from typing import Any, Callable, List, Optional, Sequence, Tuple, Union

import jax
import jax.numpy as jnp

from .._arrays import expected
from .._options import as_flag, as_integer, as_scale
from ._arrays import as_array, check_devices, refuse_traced
from ._attention import check_inputs, run_attention

OURS = "attn_mlir"
OTHERS = ("xla", "cudnn")


def _as_window(size: Any) -> Optional[Tuple[int, int]]:
    if size is None:
        return None
    what = "None, an integer of at least 0, or a pair (left, right) of these"
    pair = size if isinstance(size, (tuple, list)) else (size, size)
    if len(pair) != 2:
        raise expected("local_window_size", what, size)
    left, right = (as_integer("local_window_size", its, 0, 2**31, what) for its in pair)
    return left, right


def _as_four(name: str, array: Any, sizes: Sequence[int]) -> Any:
    """Returns a bias or a mask as an array of four dimensions, each of which has the size in
    `sizes` (of batch, heads, rows and keys) or 1. Raises for other shapes."""
    if not hasattr(array, "shape") or not hasattr(array, "dtype"):
        raise expected(name, "an array", type(array).__qualname__)
    array = jnp.asarray(array)
    shape = tuple(array.shape)
    if array.ndim < 4:
        array = array.reshape((1,) * (4 - array.ndim) + shape)
    if array.ndim != 4 or any([its not in (1, size)
                               for its, size in zip(array.shape, sizes)]):
        raise expected(name, "a shape that broadcasts to (B, N, T, S) = "
                       f"{tuple(sizes)}", shape)
    return array


def _reader(array: Any) -> Callable[..., Any]:
    """Returns a function of (b, h, q, kv) that reads the array at these indices, but at 0 in
    dimensions of one element."""

    def read(*position: Any) -> Any:
        return array[tuple([0 if size == 1 else its
                            for size, its in zip(array.shape, position)])]

    return read


def dot_product_attention(
        query: Any, key: Any, value: Any, bias: Any = None, mask: Any = None, *,
        scale: Optional[float] = None, is_causal: bool = False,
        query_seq_lengths: Any = None, key_value_seq_lengths: Any = None,
        local_window_size: Union[int, Tuple[int, int], None] = None,
        implementation: Optional[str] = None, return_residual: bool = False) -> Any:
    """jax.nn.dot_product_attention, with the same arguments and results.

    | array | shape | dtype |
    |---|---|---|
    | `query` | (B, T, N, H) or (T, N, H) | float16, bfloat16 or float32 |
    | `key`, `value` | (B, S, K, H) or (S, K, H), K divides N | as query |
    | `bias` | broadcasts to (B, N, T, S) | float16, bfloat16 or float32 |
    | `mask` | broadcasts to (B, N, T, S) | bool |
    | `query_seq_lengths`, `key_value_seq_lengths` | (B,) | int32 |
    | result | as query | as query |
    | residual | (B, T, N) or (T, N) | as query |

    - `implementation`: None or "attn_mlir" is this package; "xla" and "cudnn" are
      jax.nn's own.
    - `return_residual`: also return the residual, the logarithm of each softmax's sum (the
      lse), which has no gradient.

    No array of all pairs is allocated. A row without any key that counts has output 0 and
    residual -inf, while in jax.nn its output is the mean of all values. The gradient of
    `bias` is computed only if it is needed. Raises ArgumentError, which names the argument,
    or Error.
    """
    refuse_traced(implementation=implementation)
    if implementation in OTHERS:
        return jax.nn.dot_product_attention(
            query, key, value, bias, mask, scale=scale, is_causal=is_causal,
            query_seq_lengths=query_seq_lengths,
            key_value_seq_lengths=key_value_seq_lengths,
            local_window_size=local_window_size, implementation=implementation,  # type: ignore
            return_residual=return_residual)
    if implementation not in (None, OURS):
        raise expected("implementation", f"None, {OURS!r}, 'xla' or 'cudnn'", implementation)
    refuse_traced(scale=scale, is_causal=is_causal, local_window_size=local_window_size,
                  return_residual=return_residual)
    check_devices({"query": query, "key": key, "value": value, "bias": bias, "mask": mask,
                   "query_seq_lengths": query_seq_lengths,
                   "key_value_seq_lengths": key_value_seq_lengths})
    scale = as_scale(scale)
    is_causal, return_residual = (as_flag(name, its) for name, its in (
        ("is_causal", is_causal), ("return_residual", return_residual)))
    window = _as_window(local_window_size)
    shape = tuple(getattr(query, "shape", ()))
    arrays = []
    for name, its in (("query", query), ("key", key), ("value", value)):
        if not hasattr(its, "shape") or len(its.shape) not in (3, 4):
            raise expected(name, "an array of rank 4 or 3", getattr(
                its, "shape", type(its).__qualname__))
        arrays.append(jnp.asarray(its)[None] if len(its.shape) == 3 else its)
    q, k, v, sizes = check_inputs(*arrays, names=("query", "key", "value"))
    if sizes["D"] != sizes["Dv"]:
        raise expected("value", f"{sizes['D']} in dimension 3, as query has", sizes["Dv"])
    pairs = tuple([sizes[name] for name in ("B", "Hq", "Sq", "Skv")])
    lengths = {name: as_array(name, its, ("B",), sizes, ("int32",))
               for name, its in (("query_seq_lengths", query_seq_lengths),
                                 ("key_value_seq_lengths", key_value_seq_lengths))
               if its is not None}
    score_mod = None
    if bias is not None:
        of_pair = _reader(_as_four("bias", bias, pairs))

        def score_mod(score: Any, *position: Any) -> Any:  # noqa: F811
            return score + of_pair(*position)

    kept: List[Callable[..., Any]] = []
    if mask is not None:
        mask = _as_four("mask", mask, pairs)
        if mask.dtype != jnp.bool_:
            raise expected("mask", "dtype bool (bias adds numbers)", mask.dtype.name)
        kept.append(_reader(mask))
    for name, its in lengths.items():
        place = 2 if name == "query_seq_lengths" else 3
        kept.append(lambda *position, its=its, place=place: position[place] < its[position[0]])

    def mask_mod(*position: Any) -> Any:
        found = kept[0](*position)
        for its in kept[1:]:
            found = found & its(*position)
        return found

    found = run_attention(q, k, v, None, scale, is_causal, window, "top_left",
                          return_residual, score_mod, mask_mod if kept else None, False)
    if not return_residual:
        return found.reshape(shape)
    output, lse = found
    lse = jax.lax.stop_gradient(lse).transpose(0, 2, 1).astype(q.dtype)
    return output.reshape(shape), lse.reshape(shape[:-1])
