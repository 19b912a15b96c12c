"""Modules that JAX makes of attention on pages, for make-jax.py."""

import jax
import jax.numpy as jnp
from jax_modules import module


def attend_pages(q, k, v, lengths):
    s = jnp.einsum("bthd,bshd->bhts", q, k) * 0.25
    s = jnp.where(jnp.arange(k.shape[1]) < lengths[:, None, None, None] + 20, s, -jnp.inf)
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)


@module((2, 3, 4, 16), (10, 8, 2, 16), (10, 8, 2, 16), ((2, 3), "int32"), ((2,), "int32"))
def pages(q, keys, values, table, lengths):
    """Keys and values in pages of 8 tokens, for groups of two heads."""
    k, v = (jnp.repeat(x.at[table].get(mode="promise_in_bounds", wrap_negative_indices=False)
                       .reshape(2, 24, 2, 16), 2, axis=2) for x in (keys, values))
    return attend_pages(q, k, v, lengths)


@module((2, 3, 4, 16), (10, 4, 8, 16), (10, 4, 8, 16), ((2, 3), "int32"), ((2,), "int32"))
def pages_wrapped(q, keys, values, table, lengths):
    """Negative numbers count from the last page; the heads of a page come before its tokens."""
    k, v = (x[table].transpose(0, 1, 3, 2, 4).reshape(2, 24, 4, 16) for x in (keys, values))
    return attend_pages(q, k, v, lengths)


@module((2, 3, 4, 16), (50, 4, 16), (50, 4, 16), ((2, 24), "int32"), ((2,), "int32"))
def pages_of_tokens(q, keys, values, table, lengths):
    """The table has a number for each token."""
    k, v = (x.at[table].get(mode="promise_in_bounds", wrap_negative_indices=False)
            for x in (keys, values))
    return attend_pages(q, k, v, lengths)


@module((1, 3, 4, 16), (10, 8, 4, 16), (10, 8, 4, 16), ((1, 3), "int32"), ((1,), "int32"))
def pages_of_one_entry(q, keys, values, table, lengths):
    """One batch entry, and as many heads of keys as of queries."""
    k, v = (x.at[table].get(mode="promise_in_bounds", wrap_negative_indices=False)
            .reshape(1, 24, 4, 16) for x in (keys, values))
    return attend_pages(q, k, v, lengths)


@module((1, 3, 4, 16), (10, 8, 4, 16), (10, 8, 4, 16), ((1, 3), "int32"), (4,))
def sink_of_one_entry(q, keys, values, table, sink):
    """One batch entry, whose heads are those of the sinks, and pages."""
    k, v = (x[table].reshape(1, 24, 4, 16) for x in (keys, values))
    s = jnp.einsum("bthd,bshd->bhts", q, k) * 0.25
    s = jnp.concatenate([s, jnp.broadcast_to(sink[None, :, None, None], (1, 4, 3, 1))], -1)
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1)[..., :-1], v)


@module((2, 3, 4, 16), (10, 24, 4, 16), (10, 24, 4, 16), ((2,), "int32"), ((2,), "int32"))
def pages_of_sequences(q, keys, values, table, lengths):
    """Each sequence is one page."""
    k, v = (x.at[table].get(mode="promise_in_bounds", wrap_negative_indices=False)
            for x in (keys, values))
    return attend_pages(q, k, v, lengths)


def gather_tokens(table, x, shift=0, **options):
    """Computes each token's page and its place in the page from the token's number."""
    token = jnp.arange(24)
    return x.at[table.at[:, token // 8].get(**options), (token + shift) % 8].get(**options)


@module((2, 3, 4, 16), (10, 8, 4, 16), (10, 8, 4, 16), ((2, 3), "int32"), ((2,), "int32"))
def pages_by_quotients(q, keys, values, table, lengths):
    k, v = (gather_tokens(table, x, mode="promise_in_bounds", wrap_negative_indices=False)
            for x in (keys, values))
    return attend_pages(q, k, v, lengths)


@module((2, 3, 4, 16), (10, 8, 4, 16), (10, 8, 4, 16), ((2, 3), "int32"), ((2,), "int32"))
def pages_by_wrapped_quotients(q, keys, values, table, lengths):
    k, v = (gather_tokens(table, x) for x in (keys, values))
    return attend_pages(q, k, v, lengths)


@module((2, 3, 4, 16), (10, 8, 4, 16), (10, 8, 4, 16), ((2, 3), "int32"), ((2,), "int32"))
def gathered_shifted(q, keys, values, table, lengths):
    """The tokens of each page are rotated, so that they are gathered before attention."""
    k, v = (gather_tokens(table, x, shift=3) for x in (keys, values))
    return attend_pages(q, k, v, lengths)


@module((2, 3, 4, 16), (10, 8, 4, 16), (10, 8, 4, 16), ((2, 3), "int32"), ((2, 3), "int32"),
        ((2,), "int32"))
def gathered_apart(q, keys, values, of_keys, of_values, lengths):
    """Keys and values have different tables, so that they are gathered before attention."""
    k, v = (x.at[table].get(mode="promise_in_bounds", wrap_negative_indices=False)
            .reshape(2, 24, 4, 16) for x, table in ((keys, of_keys), (values, of_values)))
    return attend_pages(q, k, v, lengths)


@module((2, 3, 4, 16), (10, 8, 4, 16), (10, 8, 4, 16), ((2, 3), "int32"), ((2,), "int32"))
def gathered_strided(q, keys, values, table, lengths):
    """Neighbouring keys are of different pages, so that they are gathered before attention."""
    k, v = (x.at[table].get(mode="promise_in_bounds", wrap_negative_indices=False)
            .transpose(0, 2, 1, 3, 4).reshape(2, 24, 4, 16) for x in (keys, values))
    return attend_pages(q, k, v, lengths)


@module((2, 1, 4, 32), (2, 1, 4, 8), (10, 8, 32), (10, 8, 8), ((2, 3), "int32"), ((2,), "int32"))
def pages_of_latents(q, q_rope, latents, rope, table, lengths):
    """The absorbed form of latent attention, whose keys are in two pools."""
    k, k_rope = (x[table].reshape(2, 24, -1) for x in (latents, rope))
    s = jnp.einsum("bthc,bsc->bhts", q, k) + jnp.einsum("bthd,bsd->bhts", q_rope, k_rope)
    s = jnp.where(jnp.arange(24) < lengths[:, None, None, None] + 20, s * 0.25, -jnp.inf)
    return jnp.einsum("bhts,bsc->bthc", jax.nn.softmax(s, axis=-1), k)


@module((2, 1, 4, 40), (10, 8, 40), ((2, 3), "int32"), ((2,), "int32"))
def pages_of_latent_columns(q, latents, table, lengths):
    """The absorbed form with one pool, of which values are a part of the columns."""
    k = latents[table].reshape(2, 24, 40)
    s = jnp.einsum("bthc,bsc->bhts", q, k) * 0.25
    s = jnp.where(jnp.arange(24) < lengths[:, None, None, None] + 20, s, -jnp.inf)
    return jnp.einsum("bhts,bsc->bthc", jax.nn.softmax(s, axis=-1), k[..., :32])


@module((2, 3, 4, 16), (2, 3, 4, 8), (10, 8, 4, 16), (10, 8, 8), (10, 8, 4, 12),
        ((2, 3), "int32"), ((2,), "int32"))
def pages_of_shared_columns(q, q_rope, keys, rope, values, table, lengths):
    """The pool of the key's rotary columns has no heads."""
    k, v = (x[table].reshape(2, 24, 4, -1) for x in (keys, values))
    s = jnp.einsum("bthd,bshd->bhts", q, k)
    s = s + jnp.einsum("bthd,bsd->bhts", q_rope, rope[table].reshape(2, 24, 8))
    s = jnp.where(jnp.arange(24) < lengths[:, None, None, None] + 20, s * 0.25, -jnp.inf)
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)


@module((2, 1, 4, 32), (2, 1, 4, 8), (10, 8, 32), (10, 8, 8), ((2, 3), "int32"),
        ((2, 3), "int32"), ((2,), "int32"))
def gathered_latents(q, q_rope, latents, rope, table, of_rope, lengths):
    """The two pools have different tables, so that they are gathered before attention."""
    k, k_rope = latents[table].reshape(2, 24, 32), rope[of_rope].reshape(2, 24, 8)
    s = jnp.einsum("bthc,bsc->bhts", q, k) + jnp.einsum("bthd,bsd->bhts", q_rope, k_rope)
    s = jnp.where(jnp.arange(24) < lengths[:, None, None, None] + 20, s * 0.25, -jnp.inf)
    return jnp.einsum("bhts,bsc->bthc", jax.nn.softmax(s, axis=-1), k)
