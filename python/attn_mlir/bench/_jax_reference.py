"""Computes attention and its gradients in fp64 by plain JAX, and how far results may be from
them."""

from typing import Any, List, Sequence, Tuple

import jax
import jax.numpy as jnp

from ._reference import FORMATS, Reference, error_limit, gradient_limit
from ._shapes import Shape

# The number of bits of each dtype's exponent.
_EXPONENTS = {"f16": 5, "bf16": 8, "f32": 8}


def _divide(rows: int, most: int) -> int:
    """Returns the largest divisor of `rows` that is at most `most` (or 1)."""
    return next(its for its in range(min(rows, max(most, 1)), 0, -1) if rows % its == 0)


def _of_head(shape: Shape, part: int, dtype: str, q: Any, k: Any, v: Any, d_o: Any
             ) -> Tuple[Any, Any, Any, Any]:
    """Computes the output and the gradients for one query head, whose arrays are (row, head dim),
    in `dtype`. In f32, the values that kernels round to the shape's dtype are rounded, too."""
    digits = FORMATS[shape.dtype][0] - 1
    scale = shape.head_dim ** -0.5
    count = _divide(shape.rows, part // shape.keys)
    q, k, v, d_o = (its.astype(dtype) for its in (q, k, v, d_o))

    def rounded(array: Any) -> Any:
        if dtype == "float64":
            return array
        # XLA may leave out a conversion to 16 bits and back, but not reduce_precision.
        return jax.lax.reduce_precision(array, _EXPONENTS[shape.dtype], digits)

    def step(sums: Tuple[Any, Any], rows: Tuple[Any, Any, Any]) -> Any:
        first, query, d_output = rows
        scores = query @ k.T * scale
        if shape.causal:
            row, key = first + jnp.arange(count)[:, None], jnp.arange(shape.keys)
            scores = jnp.where(key <= row, scores, -jnp.inf)
        exponentials = jnp.exp(scores - scores.max(-1, keepdims=True))
        total = exponentials.sum(-1, keepdims=True)
        p = exponentials / total
        delta = (rounded(rounded(p) @ v) * d_output).sum(-1, keepdims=True)
        d_s = rounded(p * (d_output @ v.T - delta))
        d_k, d_v = sums
        return ((d_k + d_s.T @ query * scale, d_v + rounded(p).T @ d_output),
                (rounded(exponentials) @ v / total, d_s @ k * scale))

    def parts(array: Any) -> Any:
        return array.reshape(-1, count, array.shape[-1])

    firsts = jnp.arange(0, shape.rows, count)
    (d_k, d_v), (o, d_q) = jax.lax.scan(step, (jnp.zeros_like(k), jnp.zeros_like(v)),
                                        (firsts, parts(q), parts(d_o)))
    return o.reshape(-1, v.shape[-1]), d_q.reshape(q.shape), d_k, d_v


def _of_all(shape: Shape, part: int, dtype: str, arrays: Sequence[Any]) -> List[Any]:
    """Computes the output and the gradients for arrays of (batch, row, head, head dim), in
    `dtype`, head by head."""
    group = shape.heads // shape.kv_heads

    def heads(array: Any) -> Any:
        if array.shape[2] != shape.heads:
            array = jnp.repeat(array, group, 2)
        return array.swapaxes(1, 2).reshape(-1, array.shape[1], array.shape[3])

    found = jax.lax.map(lambda its: _of_head(shape, part, dtype, *its),
                        tuple([heads(its) for its in arrays]))
    o, d_q, d_k, d_v = (its.reshape(shape.batch, shape.heads, *its.shape[1:]).swapaxes(1, 2)
                        for its in found)
    # The gradients of a key head are the sums over the query heads that share it.
    d_k, d_v = (its.reshape(shape.batch, shape.keys, -1, group, its.shape[-1]).sum(3)
                for its in (d_k, d_v))
    return [o, d_q, d_k, d_v]


def differentiate(shape: Shape, arrays: Sequence[Any], part: int) -> List[Reference]:
    """Computes the references of the output and of the gradients of query, key and value. `arrays`
    are query, key, value and the output's gradient, each (batch, row, head, head dim). At most
    `part` scores of a head are computed at a time. As in _reference.py, limits of error follow
    from the errors of a plain evaluation in f32."""
    with jax.enable_x64(True), jax.default_matmul_precision("highest"):
        def run(*arrays: Any) -> Any:
            exact, plain = (_of_all(shape, part, dtype, arrays)
                            for dtype in ("float64", "float32"))
            digits = FORMATS[shape.dtype][0] - 1
            plain = [jax.lax.reduce_precision(its, _EXPONENTS[shape.dtype], digits)
                     for its in plain]
            return exact, [(abs(its).max(), abs(own.astype(its.dtype) - its).max())
                           for its, own in zip(exact, plain)]

        exact, figures = jax.jit(run)(*arrays)
        references = []
        for name, its, (largest, error) in zip(("", "d_query", "d_key", "d_value"), exact,
                                               figures):
            limit = gradient_limit if name else error_limit
            references.append(Reference(its, limit(shape.dtype, float(largest), float(error)),
                                        name))
        return references
