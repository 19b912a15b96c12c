"""Writes the modules that JAX makes: `make-jax.py FOLDER` with jax 0.10.2 and flax 0.12.8.

Each has a function whose arguments are all arrays, including weights. It is lowered to StableHLO
and printed in the generic form. A module's first line says who wrote it.
"""

import functools
import sys

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import jax_gradients  # noqa: F401 (adds to MODULES)
import jax_latent  # noqa: F401 (adds to MODULES)
import jax_padding  # noqa: F401 (adds to MODULES)
import jax_pages  # noqa: F401 (adds to MODULES)
import jax_sinks  # noqa: F401 (adds to MODULES)
from jax_modules import MODULES, module


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
    """Rows attend to keys of the same segment. Each row attends at least to its own key."""
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
    """The bias for each pair of row and key is also computed by a product."""
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
    """Gemma 2: scores with a soft cap, a sliding window, and key heads that are repeated."""
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


@module((2, 1, 4, 16), (2, 32, 2, 16), (2, 32, 2, 16), (2, 1, 2, 16), (2, 1, 2, 16), ((), "int32"))
def decode_cache(q, keys, values, k, v, at):
    """A new token is appended to a cache, and attends to all tokens in it."""
    keys, values = (jax.lax.dynamic_update_slice(cache, x, (0, at, 0, 0))
                    for cache, x in ((keys, k), (values, v)))
    mask = jnp.broadcast_to(jnp.arange(32) <= at, (2, 1, 1, 32))
    return jax.nn.dot_product_attention(q, keys, values, mask=mask)


@module((2, 12, 32), (3, 32, 32), (3, 32, 32), (3, 32, 32), (3, 32, 32))
def scan_layers(x, wq, wk, wv, wo):
    """A loop over layers, each of which has attention."""
    def layer(x, w):
        q, k, v = (jnp.reshape(x @ w[i], (2, 12, 2, 16)) for i in range(3))
        s = jnp.einsum("bthd,bshd->bhts", q, k) * 0.25
        s = jnp.where(jnp.tril(jnp.ones((12, 12), bool)), s, -1e30)
        o = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)
        return x + o.reshape(2, 12, 32) @ w[3], None
    return jax.lax.scan(layer, x, (wq, wk, wv, wo))[0]


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16))
def hand_log_softmax(q, k, v):
    s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
    return jnp.exp(jax.nn.log_softmax(s, axis=-1)) @ v


@module((2, 24, 4, 16), (2, 24, 4, 16), (2, 24, 4, 16), ((2, 1, 1, 24), "bool"))
def softmax_where(q, k, v, mask):
    s = jnp.einsum("bthd,bshd->bhts", q, k) * 0.25
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1, where=mask), v)


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16))
def hand_masked_weights(q, k, v):
    """The mask multiplies the exponentials by 0 or 1."""
    s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
    e = jnp.exp(s - jax.lax.stop_gradient(s.max(-1, keepdims=True))) * jnp.tril(jnp.ones((24, 24)))
    return (e / e.sum(-1, keepdims=True)) @ v


@module((2, 4, 24, 16), (2, 2, 24, 16), (2, 2, 24, 16), (16,), (16,))
def qk_norm(q, k, v, wq, wk):
    """Query and key are normalised first, as in Qwen 3 and Gemma 3."""
    def normalise(x, w):
        return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * (1 + w)
    k, v = (jnp.repeat(x, 2, axis=1) for x in (normalise(k, wk), v))
    s = jnp.einsum("bhid,bhjd->bhij", normalise(q, wq), k)
    return jax.nn.softmax(s * 0.25, axis=-1) @ v


@module((2, 5, 6, 4, 16), (2, 5, 6, 4, 16), (2, 5, 6, 4, 16))
def image(q, k, v):
    """Rows and keys are in two dimensions each, as in a layer on images."""
    s = jnp.einsum("bxyhd,bzwhd->bhxyzw", q, k) * 0.25
    p = jax.nn.softmax(s, axis=(-2, -1))
    return jnp.einsum("bhxyzw,bzwhd->bxyhd", p, v)


@module((3, 24, 16), (3, 24, 16), (3, 24, 16), (4, 4, 16), (6, 6, 16))
def image_bias(q, k, v, high, wide):
    """SAM: products of the query with an array for each line and one for each column are added."""
    s, x = jnp.einsum("bid,bjd->bij", q * 0.25, k), q.reshape(3, 4, 6, 16)
    s = s.reshape(3, 4, 6, 4, 6) + jnp.einsum("bhwd,hyd->bhwy", x, high)[..., None]
    s = s + jnp.einsum("bhwd,wxd->bhwx", x, wide)[..., None, :]
    return jax.nn.softmax(s.reshape(3, 24, 24), axis=-1) @ v


@module(*[(2, 4, 24, 16)] * 5, ((), "float32"))
def differential(q1, k1, q2, k2, v, factor):
    """Differential attention: probabilities are the difference of two softmaxes."""
    def softmax(q, k):
        s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
        return jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((24, 24), bool)), s, -jnp.inf), axis=-1)
    return (softmax(q1, k1) - (jnp.exp(factor) + 0.2) * softmax(q2, k2)) @ v


@module((2, 24, 8, 8), (2, 24, 8, 8), (2, 24, 4, 16), (4,))
def differential_heads(q, k, v, factors):
    """Differential attention of every second head of one softmax, with a number for each head."""
    s = jnp.einsum("bthd,bshd->bhts", q, k) * 8 ** -0.5
    s = jnp.where(jnp.tril(jnp.ones((24, 24), bool)), s, -jnp.inf)
    p = jax.nn.softmax(s, axis=-1).reshape(2, 4, 2, 24, 24)
    p = p[:, :, 0] - factors[:, None, None] * p[:, :, 1]
    return jnp.einsum("bhts,bshd->bthd", p, v)


@module((2, 24, 4, 16), (2, 24, 4, 16), (2, 24, 4, 16))
def chunked_local(q, k, v):
    """Llama 4: rows attend to the keys of their own chunk, up to themselves."""
    i, j = jnp.arange(24)[:, None], jnp.arange(24)[None]
    s = jnp.einsum("bthd,bshd->bhts", q, k) * 0.25
    s = jnp.where((i // 8 == j // 8) & (j <= i), s, jnp.finfo(s.dtype).min)
    return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)


@module((2, 32, 4, 16), (2, 32, 4, 16), (2, 32, 4, 16))
def query_chunks(q, k, v):
    """A loop over blocks of the query, each of which attends to all keys."""
    def attend(block):
        s = jnp.einsum("bthd,bshd->bhts", block, k) * 0.25
        return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)
    o = jax.lax.map(attend, q.reshape(2, 4, 8, 4, 16).transpose(1, 0, 2, 3, 4))
    return o.transpose(1, 0, 2, 3, 4).reshape(2, 32, 4, 16)


@module(("b", "s", 4, 16), ("b", "s", 4, 16), ("b", "s", 4, 16))
def dynamic(q, k, v):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16))
def vjp(q, k, v, gradient):
    def attend(q, k, v):
        s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
        return jnp.einsum("bhij,bhjd->bhid", jax.nn.softmax(s, axis=-1), v)
    o, pull = jax.vjp(attend, q, k, v)
    return o, *pull(gradient)


@module((2, 24, 8, 16), (2, 24, 2, 16), (2, 24, 2, 16), (2, 24, 8, 16), dtype="bfloat16")
def grad_grouped(q, k, v, gradient):
    o, pull = jax.vjp(lambda *qkv: jax.nn.dot_product_attention(*qkv, is_causal=True), q, k, v)
    return o, *pull(gradient)


@module((2, 24, 32), (32, 32), (32, 32), (32, 32))
def grad_step(x, wq, wk, wv):
    """A loss and its gradients with regard to weights; attention is recomputed for the
    gradients."""
    @jax.checkpoint
    def attend(q, k, v):
        return jax.nn.dot_product_attention(q, k, v, is_causal=True)

    def loss(wq, wk, wv):
        q, k, v = ((x @ w).reshape(2, 24, 2, 16) for w in (wq, wk, wv))
        return (attend(q, k, v) ** 2).mean()
    return jax.value_and_grad(loss, (0, 1, 2))(wq, wk, wv)


@module((2, 24, 4, 16), (2, 24, 2, 16), (2, 24, 2, 16), (2, 24, 4, 16))
def grad_soft_cap(q, k, v, gradient):
    """Gradients of Gemma 2's attention, in which the derivative of the soft cap is a factor."""
    def attend(q, k, v):
        k, v = (jnp.repeat(x, 2, axis=2) for x in (k, v))
        s = jnp.tanh(jnp.einsum("bthd,bshd->bhts", q * 0.25, k) / 50) * 50
        i, j = jnp.arange(24)[:, None], jnp.arange(24)[None]
        s = jnp.where((j <= i) & (j > i - 8), s, -2.3819763e38)
        return jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)
    o, pull = jax.vjp(attend, q, k, v)
    return o, *pull(gradient)


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), (4,), (2, 4, 24, 16))
def grad_alibi(q, k, v, slopes, gradient):
    """Gradients of ALiBi with slopes that are learnt."""
    def attend(q, k, v, slopes):
        distance = jnp.arange(24)[None] - jnp.arange(24)[:, None]
        s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25 + slopes[:, None, None] * distance
        s = jnp.where(distance <= 0, s, -jnp.inf)
        return jax.nn.softmax(s, axis=-1) @ v
    o, pull = jax.vjp(attend, q, k, v, slopes)
    return o, *pull(gradient)


@module((2, 24, 4, 16), (2, 24, 4, 16), (2, 24, 4, 16), ((2, 1, 24, 24), "bool"), (2, 24, 4, 16))
def pulled_mask(q, k, v, mask, gradient):
    """A row may have no key, and is then the mean of all values."""
    o, pull = jax.vjp(lambda *qkv: jax.nn.dot_product_attention(*qkv, mask=mask), q, k, v)
    return o, *pull(gradient)


@module((2, 24, 32), (32, 96))
def grad_saved(x, w):
    """Results of products are saved for the gradients, others are recomputed."""
    @functools.partial(jax.checkpoint, policy=jax.checkpoint_policies.dots_saveable)
    def layer(x, w):
        q, k, v = (y.reshape(2, 24, 2, 16) for y in jnp.split(x @ w, 3, axis=-1))
        return jax.nn.dot_product_attention(q, k, v, is_causal=True)
    return jax.value_and_grad(lambda *a: (layer(*a) ** 2).mean(), (0, 1))(x, w)


@module((2, 24, 32), (32, 32), (32, 32), (32, 32))
def grad_weights_first(x, wq, wk, wv):
    """Weights are left operands, as of Equinox's layers: gradients have channels before rows."""
    def loss(*weights):
        q, k, v = (jnp.moveaxis(jnp.tensordot(w, x, ((1,), (2,))), 0, 2).reshape(2, 24, 4, 8)
                   for w in weights)
        return (jax.nn.dot_product_attention(q, k, v) ** 2).mean()
    return jax.value_and_grad(loss, (0, 1, 2))(wq, wk, wv)


@module((2, 24, 4, 16), (2, 24, 4, 16), (2, 24, 4, 16), dtype="bfloat16")
def grad_wider_loss(q, k, v):
    """The loss converts the output to f32."""
    def loss(*qkv):
        return (jax.nn.dot_product_attention(*qkv).astype(jnp.float32) ** 2).mean()
    return jax.value_and_grad(loss, (0, 1, 2))(q, k, v)


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16))
def straight_through(q, k, v, gradient):
    """The gradients ignore the soft cap, so they are not those of attention with the cap, and are
    not raised."""
    def attend(q, k, v):
        s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
        s = s + jax.lax.stop_gradient(20 * jnp.tanh(s / 20) - s)
        return jax.nn.softmax(s, axis=-1) @ v
    o, pull = jax.vjp(attend, q, k, v)
    return o, *pull(gradient)


# Functions that are not attention, or only under conditions that are not known.
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


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), (24,))
def not_gated_difference(q, k, v, gate):
    """One of two probabilities that are added is multiplied by a number for each key."""
    s = jnp.einsum("bhid,bhjd->bhij", q, k)
    p = jax.nn.softmax(s, axis=-1) - gate * jax.nn.softmax(s * 0.5, axis=-1)
    return jnp.einsum("bhij,bhjd->bhid", p, v)


@module((2, 24, 4, 2, 8), (2, 24, 4, 2, 8), (2, 24, 4, 16), (2, 4, 24, 1))
def not_difference_of_rows(q, k, v, gate):
    """What multiplies the second term differs from row to row."""
    p = jax.nn.softmax(jnp.einsum("bthzd,bshzd->bhzts", q, k), axis=-1)
    return jnp.einsum("bhts,bshd->bthd", p[:, :, 0] - gate * p[:, :, 1], v)


@module((2, 24, 4, 2, 8), (2, 24, 4, 2, 8), (2, 24, 4, 16))
def not_difference_over_heads(q, k, v):
    """The softmax is over the pairs of heads."""
    p = jax.nn.softmax(jnp.einsum("bthzd,bshzd->bhzts", q, k), axis=2)
    return jnp.einsum("bhts,bshd->bthd", p[:, :, 0] - 0.5 * p[:, :, 1], v)


@module((2, 24, 4, 2, 8), (2, 24, 4, 2, 8), (2, 24, 4, 16), (24, 24))
def not_difference_masked(q, k, v, gate):
    """The first term is multiplied by numbers after the softmax."""
    p = jax.nn.softmax(jnp.einsum("bthzd,bshzd->bhzts", q, k), axis=-1)
    return jnp.einsum("bhts,bshd->bthd", gate * p[:, :, 0] - 0.5 * p[:, :, 1], v)


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16))
def not_more_in_sum(q, k, v):
    s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
    e = jnp.exp(s - s.max(-1, keepdims=True))
    return (e / (e.sum(-1, keepdims=True) + 1e-6)) @ v


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), (4, 4))
def not_mixed_heads(q, k, v, w):
    """Talking heads: the scores of different heads are mixed by a matrix."""
    s = jnp.einsum("bhid,bhjd,hg->bgij", q, k, w)
    return jax.nn.softmax(s, axis=-1) @ v


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16))
def not_online(q, k, v):
    """A loop over blocks of keys, which carries the maximum, the sum and the output."""
    def step(carried, block):
        most, total, o = carried
        s = jnp.einsum("bhid,bhjd->bhij", q, block[0])
        larger = jnp.maximum(most, s.max(-1))
        factor, p = jnp.exp(most - larger), jnp.exp(s - larger[..., None])
        return (larger, total * factor + p.sum(-1), o * factor[..., None] + p @ block[1]), None
    blocks = [x.reshape(2, 4, 3, 8, 16).transpose(2, 0, 1, 3, 4) for x in (k, v)]
    rows = jnp.zeros((2, 4, 24))
    (_, total, o), _ = jax.lax.scan(step, (rows - jnp.inf, rows, q * 0), tuple(blocks))
    return o / total[..., None]


def main():
    from jax._src.interpreters import mlir
    from jax._src.lib.mlir import ir
    folder = sys.argv[1]
    symbols = dict(zip("bs", jax.export.symbolic_shape("b, s")))
    for name, (function, specs) in MODULES.items():
        if len(sys.argv) > 2 and name not in sys.argv[2:]:
            continue
        arguments = [jax.ShapeDtypeStruct([symbols.get(n, n) for n in shape], jnp.dtype(dtype))
                     for shape, dtype in specs]
        if any(n in symbols for shape, _ in specs for n in shape):
            # The sizes are symbols, so the module has dynamic sizes.
            with mlir.make_ir_context():
                exported = jax.export.export(jax.jit(function))(*arguments)
                module = ir.Module.parse(exported.mlir_module())
                text = module.operation.get_asm(print_generic_op_form=True)
        else:
            lowered = jax.jit(function).lower(*arguments)
            text = lowered.compiler_ir("stablehlo").operation.get_asm(
                print_generic_op_form=True)
        with open(f"{folder}/{name}.mlir", "w") as file:
            file.write(f"// Written by `make-jax.py` with jax {jax.__version__}.\n" + text)


if __name__ == "__main__":
    main()
