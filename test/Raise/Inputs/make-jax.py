"""Writes the modules that JAX made: `make-jax.py FOLDER` with jax 0.10.2 and flax 0.12.8.

Each is a function of its arrays, weights included, lowered to StableHLO and printed in the
generic form. A module's first line says who wrote it, and the next ones are what the
function's arguments are, for check-raised.py.
"""

import sys

import jax
import jax.numpy as jnp
import numpy as np

MODULES = {}


def module(*arguments, dtype="float32"):
    """Arguments are shapes, or pairs of a shape and a type."""
    def add(function):
        specs = [a if isinstance(a[0], tuple) else (a, dtype) for a in arguments]
        MODULES["jax-" + function.__name__.replace("_", "-")] = (function, specs)
        return function
    return add


@module((2, 24, 4, 16), (2, 24, 2, 16), (2, 24, 2, 16), dtype="bfloat16")
def nn_causal_grouped(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


@module((2, 20, 4, 16), (2, 37, 4, 16), (2, 37, 4, 16), ((2, 4, 20, 37), "float32"))
def nn_bias(q, k, v, bias):
    return jax.nn.dot_product_attention(q, k, v, bias=bias)


@module((2, 24, 4, 16), (2, 24, 4, 16), (2, 24, 4, 16), ((2, 1, 24, 24), "bool"))
def nn_mask(q, k, v, mask):
    return jax.nn.dot_product_attention(q, k, v, mask=mask)


@module((2, 40, 2, 16), (2, 40, 2, 16), (2, 40, 2, 16))
def nn_window(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True, local_window_size=(8, 0))


@module((2, 24, 4, 16), (2, 24, 4, 16), (2, 24, 4, 16), ((2, 24), "int32"))
def nn_segments(q, k, v, segment):
    """Each row keeps its own key at least, whatever the segments are."""
    mask = segment[:, None, :, None] == segment[:, None, None, :]
    return jax.nn.dot_product_attention(q, k, v, mask=mask, is_causal=True)


@module((2, 24, 4, 16), (2, 24, 4, 16), (2, 24, 4, 16), dtype="bfloat16")
def flax_causal(q, k, v):
    from flax import linen
    mask = linen.make_causal_mask(jnp.ones((2, 24)))
    return linen.dot_product_attention(q, k, v, mask=mask)


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16))
def hand_exp2(q, k, v):
    s = jnp.einsum("bhid,bhjd->bhij", q, k) * (0.25 * 1.4426950408889634)
    e = jnp.exp2(s - s.max(-1, keepdims=True))
    return jnp.einsum("bhij,bhjd->bhid", e * (1 / e.sum(-1, keepdims=True)), v)


@module((2, 4, 12, 16), (2, 4, 12, 16), (2, 4, 12, 16), (2, 12, 12, 8), (8, 4))
def pair_bias(q, k, v, pairs, w):
    """A bias of pairs that is a product, too."""
    s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25 + jnp.einsum("bijc,ch->bhij", pairs, w)
    return jnp.einsum("bhij,bhjd->bhid", jax.nn.softmax(s, axis=-1), v)


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16))
def hand_causal(q, k, v):
    s = jnp.einsum("bhid,bhjd->bhij", q, k) / jnp.sqrt(16.0)
    s = jnp.where(jnp.tril(jnp.ones((24, 24), bool)), s, -1e9)
    return jnp.einsum("bhij,bhjd->bhid", jax.nn.softmax(s, axis=-1), v)


@module((3, 2, 17, 8), (3, 2, 29, 8), (3, 2, 29, 12), dtype="bfloat16")
def hand_late_quotient(q, k, v):
    s = jnp.einsum("bhid,bhjd->bhij", q * 0.25, k).astype(jnp.float32)
    e = jnp.exp(s - s.max(-1, keepdims=True))
    o = jnp.einsum("bhij,bhjd->bhid", e.astype(v.dtype), v)
    return (o / e.sum(-1, keepdims=True)).astype(v.dtype)


@module((2, 30, 8, 16), (2, 30, 2, 16), (2, 30, 2, 16))
def gemma_soft_cap(q, k, v):
    """Gemma 2: capped scores, a sliding window, heads repeated."""
    k, v = (jnp.repeat(x, 4, axis=2) for x in (k, v))
    s = jnp.einsum("bthd,bshd->bhts", q, k) * 16 ** -0.5
    s = 50.0 * jnp.tanh(s / 50.0)
    i, j = jnp.arange(30)[:, None], jnp.arange(30)[None, :]
    s = jnp.where((j <= i) & (j > i - 8), s, jnp.finfo(jnp.float32).min)
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)


@module((2, 12, 32), (32, 2, 16), (32, 2, 16), (32, 2, 16), (2, 16, 32))
def flax_self_attention(x, wq, wk, wv, wo):
    from flax import linen
    layer = linen.MultiHeadDotProductAttention(num_heads=2, use_bias=False)
    params = {"params": {"query": {"kernel": wq}, "key": {"kernel": wk},
                         "value": {"kernel": wv}, "out": {"kernel": wo}}}
    return layer.apply(params, x, x)


@module((2, 10, 24), (2, 14, 24), ((2, 14), "bool"), (24, 3, 8), (24, 3, 8), (24, 3, 8),
        (3, 8, 24))
def flax_cross_attention(x, y, valid, wq, wk, wv, wo):
    from flax import linen
    layer = linen.MultiHeadDotProductAttention(num_heads=3, use_bias=False)
    params = {"params": {"query": {"kernel": wq}, "key": {"kernel": wk},
                         "value": {"kernel": wv}, "out": {"kernel": wo}}}
    return layer.apply(params, x, y, mask=valid[:, None, None, :])


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), ((4,), "float32"))
def alibi(q, k, v, slopes):
    s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
    distance = jnp.arange(24)[None, :] - jnp.arange(24)[:, None]
    s = s + slopes[None, :, None, None] * distance
    s = jnp.where(distance <= 0, s, -jnp.inf)
    return jnp.einsum("bhij,bhjd->bhid", jax.nn.softmax(s, axis=-1), v)


@module((32, 16), (48, 16), (48, 8))
def one_head(q, k, v):
    return jax.nn.softmax(q @ k.T, axis=-1) @ v


# What is no attention, or none that is certain.
@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16))
def not_sigmoid(q, k, v):
    p = jax.nn.sigmoid(jnp.einsum("bhid,bhjd->bhij", q, k))
    return jnp.einsum("bhij,bhjd->bhid", p, v)


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16))
def not_over_rows(q, k, v):
    p = jax.nn.softmax(jnp.einsum("bhid,bhjd->bhij", q, k), axis=-2)
    return jnp.einsum("bhij,bhjd->bhid", p, v)


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 24))
def not_gated(q, k, v, gate):
    p = jax.nn.softmax(jnp.einsum("bhid,bhjd->bhij", q, k), axis=-1)
    return jnp.einsum("bhij,bhjd->bhid", p * gate, v)


def main():
    from jax._src.lib.mlir import ir  # noqa: F401
    folder = sys.argv[1]
    for name, (function, specs) in MODULES.items():
        arguments = [jax.ShapeDtypeStruct(shape, jnp.dtype(dtype)) for shape, dtype in specs]
        lowered = jax.jit(function).lower(*arguments)
        text = lowered.compiler_ir("stablehlo").operation.get_asm(
            print_generic_op_form=True)
        with open(f"{folder}/{name}.mlir", "w") as file:
            file.write(f"// Written by `make-jax.py` with jax {jax.__version__}.\n" + text)


if __name__ == "__main__":
    main()
