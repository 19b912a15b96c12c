"""Modules with masks that may leave rows without keys, for make-jax.py."""

import jax
import jax.numpy as jnp
from jax_modules import module


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), ((2, 24), "bool"))
def hand_masked_after(q, k, v, valid):
    """The mask adds a large number to scores, and its 0s and 1s multiply probabilities, as in
    Keras. A causal mask from the second key on leaves the first row no key."""
    mask = valid[:, None, None] & jnp.tril(jnp.ones((24, 24), bool)) & (jnp.arange(24) > 0)
    mask = mask.astype(q.dtype)
    s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25 + (1 - mask) * -3e38
    return (jax.nn.softmax(s, axis=-1) * mask) @ v


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), ((2, 24), "bool"))
def hand_nan_to_num(q, k, v, valid):
    """Rows without keys are 0 instead of NaN."""
    mask = valid[:, None, None] & jnp.tril(jnp.ones((24, 24), bool)) & (jnp.arange(24) > 0)
    s = jnp.where(mask, jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25, -jnp.inf)
    return jnp.nan_to_num(jax.nn.softmax(s, axis=-1)) @ v


@module((2, 13, 4, 8), (2, 13, 2, 8), (2, 13, 2, 8), ((2,), "int32"), (2, 13, 4, 8))
def grad_padding(q, k, v, lengths, gradient):
    """Rows and keys after an entry's length are masked by the lowest number, so that rows after it
    have no key. Rows of a causal mask by -inf read one key fewer than usual, so that the first row
    has only a key that is masked."""
    def attend(q, k, v):
        k, v = (jnp.repeat(x, 2, axis=2) for x in (k, v))
        s = jnp.einsum("bthd,bshd->bhts", q, k) * 0.25
        valid = jnp.arange(13) < lengths[:, None]
        valid = (valid[:, None] & valid[:, :, None])[:, None] & (jnp.arange(13) > 0)
        s = jnp.where(valid, s, jnp.finfo(s.dtype).min)
        s = jnp.where(jnp.tril(jnp.ones((13, 13), bool)), s, -jnp.inf)
        return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)
    o, pull = jax.vjp(attend, q, k, v)
    return o, *pull(gradient)


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), ((24,), "bool"))
def grad_valid_keys(q, k, v, valid):
    """The same keys are masked in all rows."""
    def loss(q, k, v):
        s = jnp.where(valid, jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25, -1e30)
        return ((jax.nn.softmax(s, axis=-1) @ v) ** 2).mean()
    return jax.value_and_grad(loss, (0, 1, 2))(q, k, v)


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), ((2, 24), "bool"))
def not_masked_twice(q, k, v, valid):
    """Probabilities are masked by a part of the mask of scores, and rows without keys are means."""
    causal, valid = jnp.tril(jnp.ones((24, 24), bool)), valid[:, None, None]
    s = jnp.where(causal & valid, jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25, -1e30)
    return jnp.where(causal, jax.nn.softmax(s, axis=-1), 0) @ v
