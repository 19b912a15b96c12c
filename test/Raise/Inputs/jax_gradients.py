"""Modules that JAX makes of gradients: of softmaxes in other forms than that of jax.nn.softmax, and
of biases and arrays that are shared, for make-jax.py."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax_modules import module

Q = (2, 4, 24, 16)


@module(Q, (2, 2, 24, 16), (2, 2, 24, 16), Q)
def grad_by_lse(q, k, v, gradient):
    """Probabilities are exponentials of scores minus their lse."""
    def attend(q, k, v):
        k, v = (jnp.repeat(x, 2, axis=1) for x in (k, v))
        s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
        s = jnp.where(jnp.tril(jnp.ones((24, 24), bool)), s, -jnp.inf)
        return jnp.exp(s - jax.nn.logsumexp(s, axis=-1, keepdims=True)) @ v
    o, pull = jax.vjp(attend, q, k, v)
    return o, *pull(gradient)


@module(Q, Q, Q, (4, 24, 24), Q)
def grad_bias(q, k, v, bias, gradient):
    """Gradients of query, key, value and bias."""
    def loss(q, k, v, bias):
        s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25 + bias
        return ((jax.nn.softmax(s, axis=-1) @ v) * gradient).sum()
    return jax.grad(loss, (0, 1, 2, 3))(q, k, v, bias)


@module(Q, Q, Q, Q)
def grad_log_softmax(q, k, v, gradient):
    def attend(q, k, v):
        s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
        return jnp.exp(jax.nn.log_softmax(s, axis=-1)) @ v
    o, pull = jax.vjp(attend, q, k, v)
    return o, *pull(gradient)


@module((2, 24, 8, 16), (2, 24, 2, 16), (2, 24, 2, 16), (2, 24, 8, 16))
def grad_late_quotient(q, k, v, gradient):
    """MaxText: the output is divided by the sum of the exponentials, and gradients also pass
    through the row's maximum, which changes nothing."""
    def attend(q, k, v):
        s = jnp.einsum("btkgd,bskd->bkgts", q.reshape(2, 24, 2, 4, 16), k) * 0.25
        s = s + jnp.where(jnp.tril(jnp.ones((24, 24), bool)), 0, -2.4e38)
        e = jnp.exp(s - s.max(-1, keepdims=True))
        o = jnp.einsum("bkgts,bskd->btkgd", e, v).reshape(2, 24, 8, 16)
        return o / jnp.moveaxis(e.sum(-1, keepdims=True), -2, 1).reshape(2, 24, 8, 1)
    o, pull = jax.vjp(attend, q, k, v)
    return o, *pull(gradient)


@module((3, 12, 16), (3, 12), (12, 12, 8), (8, 4), *[(16, 4, 8)] * 4)
def grad_pair_bias(x, mask, pairs, of_bias, *weights):
    """AlphaFold: a bias for each pair of row and key is itself a product, numbers mask keys, and a
    gate multiplies the output."""
    def loss(x, pairs, of_bias, *weights):
        q, k, v, gate = (jnp.einsum("bia,ahd->bihd", x, w) for w in weights)
        s = jnp.einsum("bihd,bjhd->bhij", q * 8 ** -0.5, k)
        s = s + (1e9 * (mask - 1))[:, None, None] + jnp.einsum("ijc,ch->hij", pairs, of_bias)
        o = jnp.einsum("bhij,bjhd->bihd", jax.nn.softmax(s), v)
        return ((o * jax.nn.sigmoid(gate)) ** 2).sum()
    return jax.value_and_grad(loss, tuple(range(7)))(x, pairs, of_bias, *weights)


@module((8, 2, 16), (3, 12, 2, 16), (3, 12, 2, 16), (3, 8, 2, 16))
def grad_shared_query(q, k, v, gradient):
    """Perceiver: all batch entries share the query, so that its gradient is a sum over them."""
    def attend(q, k, v):
        s = jnp.einsum("thd,bshd->bhts", q, k) * 0.25
        return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)
    o, pull = jax.vjp(attend, q, k, v)
    return o, *pull(gradient)


@module((3, 8, 2, 16), (12, 2, 16), (3, 12, 2, 16), (3, 8, 2, 16))
def grad_shared_keys(q, k, v, gradient):
    """All batch entries share the keys, but not the values."""
    def attend(q, k, v):
        s = jnp.einsum("bthd,shd->bhts", q, k) * 0.25
        return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)
    o, pull = jax.vjp(attend, q, k, v)
    return o, *pull(gradient)


def buckets(size):
    """The relative positions' buckets of T5."""
    distance = np.arange(size)[None] - np.arange(size)[:, None]
    large = 4 + (np.log(np.maximum(np.abs(distance), 1) / 4) / np.log(4) * 4).astype(np.int32)
    near = np.where(np.abs(distance) < 4, np.abs(distance), np.minimum(large, 7))
    return (distance > 0) * 8 + near


@module((2, 12, 2, 8), (2, 12, 2, 8), (2, 12, 2, 8), (16, 2), (2, 12, 2, 8))
def grad_table(q, k, v, table, gradient):
    """T5: the gradient of a bias is added up to that of the table from which it is gathered."""
    def attend(q, k, v, table):
        bias = table[jnp.asarray(buckets(12))].transpose(2, 0, 1)
        s = jnp.einsum("bthd,bshd->bhts", q, k) + bias
        return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)
    o, pull = jax.vjp(attend, q, k, v, table)
    return o, *pull(gradient)


@module((8, 2, 9, 8), (8, 2, 9, 8), (8, 2, 9, 8), (25, 2), (8, 2, 9, 8))
def grad_windows(q, k, v, table, gradient):
    """Swin: windows of an image with a table of relative positions, and a mask for each of four."""
    at = np.stack(np.meshgrid(np.arange(3), np.arange(3), indexing="ij")).reshape(2, -1)
    place = (at[0][:, None] - at[0] + 2) * 5 + at[1][:, None] - at[1] + 2
    parts = np.array([[(w // 2 * (i // 3 > 1)) * 2 + w % 2 * (i % 3 > 1) for i in range(9)]
                      for w in range(4)])
    mask = np.where(parts[:, None] != parts[:, :, None], -100.0, 0.0).astype(np.float32)

    def attend(q, k, v, table):
        bias = table[place.reshape(-1)].reshape(9, 9, 2).transpose(2, 0, 1)
        s = (q * 8 ** -0.5) @ k.swapaxes(-1, -2) + bias
        s = (s.reshape(2, 4, 2, 9, 9) + mask[:, None]).reshape(8, 2, 9, 9)
        return jax.nn.softmax(s, axis=-1) @ v
    o, pull = jax.vjp(attend, q, k, v, table)
    return o, *pull(gradient)


@module((8, 2, 9, 8), (8, 2, 9, 8), (8, 2, 9, 8), (2,), (2, 9, 9), (8, 2, 9, 8))
def grad_cosine(q, k, v, factors, bias, gradient):
    """Swin v2: cosines of query and key are multiplied by a learnt number for each head, and the
    bias is the sigmoid of an array. Gradients are those of factor and bias, from which the source
    computes those of its arrays."""
    def unit(x):
        return x * jax.lax.rsqrt((x * x).sum(-1, keepdims=True) + 1e-6)

    def attend(q, k, v, factors, bias):
        s = unit(q) @ unit(k).swapaxes(-1, -2) * jnp.exp(jnp.minimum(factors, 4))[:, None, None]
        return jax.nn.softmax(s + 16 * jax.nn.sigmoid(bias), axis=-1) @ v
    o, pull = jax.vjp(attend, q, k, v, factors, bias)
    return o, *pull(gradient)


def scan_layers(attend, x, *weights, wrap=lambda layer: layer):
    """The loss of a loop over layers, each of which has attention, and its gradients."""
    def layer(x, w):
        q, k, v = (jnp.reshape(x @ w[i], (2, 12, 2, 16)) for i in range(3))
        return x + attend(q, k, v).reshape(2, 12, 32) @ w[3], None

    def loss(x, *weights):
        return (jax.lax.scan(wrap(layer), x, weights)[0] ** 2).mean()
    return jax.value_and_grad(loss, tuple(range(5)))(x, *weights)


@module((2, 12, 32), *[(3, 32, 32)] * 4)
def grad_scan(*arrays):
    """Probabilities of all layers are kept."""
    def attend(q, k, v):
        s = jnp.einsum("bthd,bshd->bhts", q, k) * 0.25
        s = jnp.where(jnp.tril(jnp.ones((12, 12), bool)), s, -1e30)
        return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)
    return scan_layers(attend, *arrays)


@module((2, 12, 32), *[(3, 32, 32)] * 4)
def grad_scan_saved(*arrays):
    """Results of products are kept."""
    return scan_layers(functools.partial(jax.nn.dot_product_attention, is_causal=True), *arrays,
                       wrap=functools.partial(
                           jax.checkpoint, policy=jax.checkpoint_policies.dots_saveable))


@module((2, 12, 32), (3, 32, 32), (3, 32, 16), (3, 32, 16), (3, 32, 32))
def grad_scan_repeated(x, *weights):
    """Layers from the last to the first, with heads that share keys, a soft cap and a window."""
    def layer(x, w):
        q, k, v = (jnp.reshape(x @ w[i], (2, 12, -1, 8)) for i in range(3))
        k, v = (jnp.repeat(x, 2, axis=2) for x in (k, v))
        s = jnp.tanh(jnp.einsum("bthd,bshd->bhts", q, k) * 0.015625) * 32
        i, j = jnp.arange(12)[:, None], jnp.arange(12)[None]
        s = jnp.where((j <= i) & (i - j < 5), s, -2.3819763e38)
        o = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)
        return x + o.reshape(2, 12, 32) @ w[3], None

    def loss(x, *weights):
        return (jax.lax.scan(layer, x, weights, reverse=True)[0] ** 2).mean()
    return jax.value_and_grad(loss, tuple(range(5)))(x, *weights)


@module(*[(2, 24, 4, 16)] * 3, ((2, 24), "bool"), (2, 24, 4, 16))
def grad_softmax_where(q, k, v, valid, gradient):
    """The softmax has a mask of its own, which it applies to scores, exponentials and quotients."""
    def attend(q, k, v):
        s = jnp.einsum("bthd,bshd->bhts", q, k) * 0.25
        p = jax.nn.softmax(s, axis=-1, where=valid[:, None, None])
        return jnp.einsum("bhts,bshd->bthd", p, v)
    o, pull = jax.vjp(attend, q, k, v)
    return o, *pull(gradient)


@module(*[(4, 2, 24, 16)] * 4)
def grad_map_heads(q, k, v, gradient):
    """A loop over heads, whose iterations share nothing."""
    def attend(arrays):
        q, k, v = arrays
        s = jnp.einsum("btd,bsd->bts", q, k) * 0.25
        s = jnp.where(jnp.tril(jnp.ones((24, 24), bool)), s, -jnp.inf)
        return jax.nn.softmax(s, axis=-1) @ v
    o, pull = jax.vjp(lambda *arrays: jax.lax.map(attend, arrays), q, k, v)
    return o, *pull(gradient)


@module(*[(2, 24, 4, 16)] * 4)
def grad_map_rows(q, k, v, gradient):
    """A loop over blocks of rows, which adds up gradients of keys and values."""
    def attend(q, k, v):
        def block(arguments):
            rows, q = arguments
            s = jnp.einsum("bthd,bshd->bhts", q, k) * 0.25
            s = jnp.where(rows[:, None] >= jnp.arange(24), s, -jnp.inf)
            return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)
        blocks = q.reshape(2, 3, 8, 4, 16).swapaxes(0, 1)
        o = jax.lax.map(block, (jnp.arange(24).reshape(3, 8), blocks))
        return o.swapaxes(0, 1).reshape(2, 24, 4, 16)
    o, pull = jax.vjp(attend, q, k, v)
    return o, *pull(gradient)
