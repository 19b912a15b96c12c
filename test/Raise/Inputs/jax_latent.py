"""Modules that JAX makes of attention whose scores are sums of two products, as multi-head latent
attention of DeepSeek-V2 and V3, for make-jax.py."""

import jax
import jax.numpy as jnp
from jax_modules import module

Q, ROPE = (2, 20, 4, 16), (2, 20, 4, 8)
KEY, SHARED = (2, 24, 4, 16), (2, 24, 8)


def causal(s):
    return jnp.where(jnp.tril(jnp.ones(s.shape[-2:], bool), s.shape[-1] - s.shape[-2]), s, -jnp.inf)


@module(Q, ROPE, KEY, SHARED, (2, 24, 4, 12))
def latent(q, q_rope, k, k_rope, v):
    """The key's rotary columns are shared by all heads."""
    s = jnp.einsum("bthd,bshd->bhts", q, k) + jnp.einsum("bthd,bsd->bhts", q_rope, k_rope)
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(causal(s * 24 ** -0.5), axis=-1), v)


@module(Q, ROPE, KEY, (2, 24, 4, 8), (2, 24, 4, 16), ((2, 24), "bool"), dtype="bfloat16")
def latent_heads(q, q_rope, k, k_rope, v, valid):
    """Both products are scaled, the scores are in f32, and keys are masked."""
    s = jnp.einsum("bthd,bshd->bhts", q_rope, k_rope, preferred_element_type=jnp.float32) * 0.2
    s = s + jnp.einsum("bthd,bshd->bhts", q, k, preferred_element_type=jnp.float32) * 0.2
    s = jnp.where(valid[:, None, None], s, -1e30)
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1).astype(v.dtype), v)


@module((2, 1, 4, 32), (2, 1, 4, 8), (2, 24, 32), SHARED, ((2,), "int32"))
def latent_absorbed_padding(q, q_rope, cache, rope, lengths):
    """The absorbed form: keys are a cache that all heads share, and so are the values."""
    s = jnp.einsum("bthc,bsc->bhts", q, cache) + jnp.einsum("bthd,bsd->bhts", q_rope, rope)
    s = jnp.where(jnp.arange(24) <= lengths[:, None, None, None], s * 0.2, -jnp.inf)
    return jnp.einsum("bhts,bsc->bthc", jax.nn.softmax(s, axis=-1), cache)


@module((2, 4, 40), (2, 24, 40))
def latent_columns(q, cache):
    """The absorbed form with one cache: the value is a part of the key."""
    p = jax.nn.softmax(jnp.einsum("bhc,bsc->bhs", q, cache) * 0.2, axis=-1)
    return jnp.einsum("bhs,bsc->bhc", p, cache[..., :32])


@module(Q, ROPE, KEY, SHARED, (2, 24, 4, 12), (2, 20, 4, 12))
def grad_latent(q, q_rope, k, k_rope, v, gradient):
    o, pull = jax.vjp(latent, q, q_rope, k, k_rope, v)
    return o, *pull(gradient)


@module(Q, ROPE, KEY, (2, 24, 4, 8), (2, 24, 4, 12), ((2, 24), "bool"), (2, 20, 4, 12))
def grad_latent_soft_cap(q, q_rope, k, k_rope, v, valid, gradient):
    """Each head has rotary columns of its own; both products are scaled, and scores have a cap."""
    def attend(q, q_rope, k, k_rope, v):
        s = jnp.einsum("bthd,bshd->bhts", q * 0.2, k)
        s = s + 0.2 * jnp.einsum("bthd,bshd->bhts", q_rope, k_rope)
        s = jnp.where(valid[:, None, None], 20 * jnp.tanh(s / 20), -jnp.inf)
        return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)
    o, pull = jax.vjp(attend, q, q_rope, k, k_rope, v)
    return o, *pull(gradient)


def attend_joined(q, q_rope, k, k_rope, v):
    """DeepSeek-V2 and V3 in transformers: query and key are put together first, and heads share the
    key's rotary columns. A mask is added, and the softmax is in f32."""
    q, q_rope, k, v = (x.swapaxes(1, 2) for x in (q, q_rope, k, v))
    k_rope = jnp.broadcast_to(k_rope[:, None], (2, 4, 24, 8))
    s = jnp.concatenate([q, q_rope], -1) @ jnp.concatenate([k, k_rope], -1).swapaxes(2, 3)
    i = jnp.arange(20)[:, None] + 4
    s = s * 24 ** -0.5 + jnp.where(jnp.arange(24) <= i, 0, jnp.finfo(s.dtype).min).astype(s.dtype)
    p = jax.nn.softmax(s.astype(jnp.float32), axis=-1).astype(s.dtype)
    return (p @ v).swapaxes(1, 2).reshape(2, 20, 48)


@module(Q, ROPE, KEY, SHARED, (2, 24, 4, 12))
def latent_joined(*arguments):
    return attend_joined(*arguments)


@module(Q, ROPE, KEY, SHARED, (2, 24, 4, 12), (2, 20, 48))
def grad_latent_joined(*arguments):
    """The gradients are of the arrays that are put together."""
    o, pull = jax.vjp(attend_joined, *arguments[:-1])
    return o, *pull(arguments[-1])


@module((2, 1, 4, 8), (2, 1, 4, 32), SHARED, (2, 24, 32), ((2,), "int32"))
def latent_absorbed_joined_padding(q_rope, q, rope, cache, lengths):
    """The absorbed form. The rotary columns come first."""
    q, k = jnp.concatenate([q_rope, q], -1), jnp.concatenate([rope, cache], -1)
    s = jnp.einsum("bthc,bsc->bhts", q, k)
    s = jnp.where(jnp.arange(24) <= lengths[:, None, None, None], s * 0.2, -jnp.inf)
    return jnp.einsum("bhts,bsc->bthc", jax.nn.softmax(s, axis=-1), cache)


@module(Q, ROPE, KEY, (2, 24, 4, 8), (2, 24, 4, 12))
def latent_rotated(q, q_rope, k, k_rope, v):
    """No head shares a part of the key, as where a part of the columns is rotated. Query and key
    stay put together."""
    q, k = jnp.concatenate([q, q_rope], -1), jnp.concatenate([k, k_rope], -1)
    p = jax.nn.softmax(jnp.einsum("bthd,bshd->bhts", q, k) * 0.2, axis=-1)
    return jnp.einsum("bhts,bshd->bthd", p, v)


# The second product is no further columns of query and key. It stays before attention, or no
# attention is raised.
@module(Q, ROPE, KEY, SHARED, (2, 24, 4, 12))
def sum_of_scales(q, q_rope, k, k_rope, v):
    """The two products have different scales."""
    s = jnp.einsum("bthd,bshd->bhts", q, k) + 0.3 * jnp.einsum("bthd,bsd->bhts", q_rope, k_rope)
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s * 0.2, axis=-1), v)


@module(Q, ROPE, KEY, (2, 20, 24, 8), (2, 24, 4, 12))
def sum_of_rows(q, q_rope, k, k_rope, v):
    """The second key depends on the row, as that of relative positions does."""
    s = jnp.einsum("bthd,bshd->bhts", q, k) + jnp.einsum("bthd,btsd->bhts", q_rope, k_rope)
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s * 0.2, axis=-1), v)


@module(Q, ROPE, KEY, SHARED, (2, 24, 4, 12))
def sum_used_twice(q, q_rope, k, k_rope, v):
    """The second product also has another part in the score."""
    r = jnp.einsum("bthd,bsd->bhts", q_rope, k_rope)
    s = jnp.einsum("bthd,bshd->bhts", q, k) + r - jnp.tanh(r)
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s * 0.2, axis=-1), v)


@module(Q, ROPE, KEY, SHARED, (2, 24, 4, 12))
def not_sum_of_softmaxes(q, q_rope, k, k_rope, v):
    """The second product is added after the softmax."""
    p = jax.nn.softmax(jnp.einsum("bthd,bshd->bhts", q, k), axis=-1)
    p = p + jnp.einsum("bthd,bsd->bhts", q_rope, k_rope)
    return jnp.einsum("bhts,bshd->bthd", p, v)
