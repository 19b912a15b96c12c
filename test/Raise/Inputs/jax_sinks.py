"""Modules that JAX makes of attention with sinks, and of attention that returns an lse, for
make-jax.py."""

import jax
import jax.numpy as jnp
from jax_modules import module


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16))
def hand_lse(q, k, v):
    """The function also returns the lse."""
    s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
    lse = jax.nn.logsumexp(s, axis=-1)
    return jnp.exp(s - lse[..., None]) @ v, lse


@module((2, 24, 4, 16), (2, 24, 2, 16), (2, 24, 2, 16), dtype="bfloat16")
def lse_grouped(q, k, v):
    """The lse is the row's maximum plus the logarithm of the sum, in another layout than the
    output; and is also returned negated."""
    k, v = (jnp.repeat(x, 2, axis=2) for x in (k, v))
    s = jnp.einsum("bthd,bshd->bhts", q, k).astype(jnp.float32) * 0.25
    s = jnp.where(jnp.tril(jnp.ones((24, 24), bool)), s, -jnp.inf)
    most = s.max(-1, keepdims=True)
    e = jnp.exp(s - most)
    total = e.sum(-1, keepdims=True)
    o = jnp.einsum("bhts,bshd->bthd", (e / total).astype(v.dtype), v)
    lse = (most + jnp.log(total))[..., 0]
    return o.reshape(2, 24, 64), lse.transpose(0, 2, 1), -lse.reshape(2, 2, 2, 24)


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), ((2, 24), "int32"))
def lse_binary(q, k, v, segment):
    """The lse to the base 2, of exponentials from which nothing is subtracted; the softmax
    subtracts the maximum."""
    s = jnp.einsum("bhid,bhjd->bhij", q, k) * (0.25 * 1.4426950408889634)
    s = jnp.where((segment[:, :, None] == segment[:, None, :])[:, None], s, -jnp.inf)
    e = jnp.exp2(s - s.max(-1, keepdims=True))
    o = jnp.einsum("bhij,bhjd->bhid", e / e.sum(-1, keepdims=True), v)
    return o, jnp.log2(jnp.exp2(s).sum(-1))


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), (4,))
def lse_sink(q, k, v, sink):
    """The lse includes the sink."""
    s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
    column = jnp.broadcast_to(sink[None, :, None, None], (2, 4, 24, 1))
    s = jnp.concatenate([s, column], -1)
    return jax.nn.softmax(s, axis=-1)[..., :-1] @ v, jax.nn.logsumexp(s, axis=-1)


@module((2, 24, 4, 16), (2, 24, 4, 16), (2, 24, 4, 16), (2, 24, 4, 16))
def lse_grad(q, k, v, gradient):
    """Gradients of the output; the lse is another result."""
    def attend(q, k, v):
        s = jnp.einsum("bthd,bshd->bhts", q * 0.25, k)
        o = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)
        return o, jax.nn.logsumexp(s, axis=-1)
    o, pull, lse = jax.vjp(attend, q, k, v, has_aux=True)
    return o, lse, *pull(gradient)


@module(*[(2, 4, 24, 16)] * 4, (2, 4, 24))
def grad_of_lse(q, k, v, gradient, of_lse):
    """Gradients of the output and of the lse, which share the exponentials."""
    def attend(q, k, v):
        s = jnp.einsum("bhtd,bhsd->bhts", q, k) * 0.25
        s = jnp.where(jnp.tril(jnp.ones((24, 24), bool)), s, -jnp.inf)
        most = jax.lax.stop_gradient(s.max(-1, keepdims=True))
        e = jnp.exp(s - most)
        total = e.sum(-1, keepdims=True)
        return jnp.einsum("bhts,bhsd->bhtd", e / total, v), (most + jnp.log(total))[..., 0]
    (o, lse), pull = jax.vjp(attend, q, k, v)
    return o, lse, *pull((gradient, of_lse))


@module((2, 24, 4, 16), (2, 24, 2, 16), (2, 24, 2, 16), (2, 24, 4, 16))
def grad_of_lse_squared(q, k, v, gradient):
    """The loss has the square of a logsumexp, and an output of its own softmax."""
    def loss(q, k, v):
        g = q.reshape(2, 24, 2, 2, 16)
        s = jnp.einsum("btngd,bsnd->bngts", g, k) * 0.25
        o = jnp.einsum("bngts,bsnd->btngd", jax.nn.softmax(s, axis=-1), v)
        squared = jnp.square(jax.nn.logsumexp(s, axis=-1)).sum()
        return (o.reshape(2, 24, 4, 16) * gradient).sum() + 0.01 * squared
    return jax.grad(loss, (0, 1, 2))(q, k, v)


@module(("b", "s", 4, 16), ("b", "s", 4, 16), ("b", "s", 4, 16))
def lse_dynamic(q, k, v):
    s = jnp.einsum("bthd,bshd->bhts", q, k) * 0.25
    o = jnp.einsum("bhts,bshd->bthd", jax.nn.softmax(s, axis=-1), v)
    return o, jax.nn.logsumexp(s, axis=-1)


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), (4,))
def sink_column(q, k, v, sink):
    """A sink as in gpt-oss: a column of logits that is removed after the softmax."""
    s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
    column = jnp.broadcast_to(sink[None, :, None, None], (2, 4, 24, 1))
    return jax.nn.softmax(jnp.concatenate([s, column], -1), axis=-1)[..., :-1] @ v


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), (4,))
def sink_sum(q, k, v, sink):
    s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
    s = jnp.where(jnp.tril(jnp.ones((24, 24), bool)), s, -jnp.inf)
    sink = sink[None, :, None, None]
    most = jnp.maximum(s.max(-1, keepdims=True), sink)
    e = jnp.exp(s - most)
    return (e / (e.sum(-1, keepdims=True) + jnp.exp(sink - most))) @ v


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16))
def sink_zero(q, k, v):
    """A softmax that may attend to nothing: 1 is added to the sum of exponentials, like a sink of
    0."""
    s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
    most = s.max(-1, keepdims=True)
    e = jnp.exp(s - most)
    return (e / (jnp.exp(-most) + e.sum(-1, keepdims=True))) @ v


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), (4,), (2, 4, 24, 16))
def grad_sink_sum(q, k, v, sink, gradient):
    """Gradients of attention with a sink, also of the sink itself."""
    def attend(q, k, v, sink):
        s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
        s = jnp.where(jnp.tril(jnp.ones((24, 24), bool)), s, -jnp.inf)
        sink = sink[None, :, None, None]
        most = jax.lax.stop_gradient(jnp.maximum(s.max(-1, keepdims=True), sink))
        e = jnp.exp(s - most)
        return (e / (e.sum(-1, keepdims=True) + jnp.exp(sink - most))) @ v
    o, pull = jax.vjp(attend, q, k, v, sink)
    return o, *pull(gradient)


@module((2, 24, 8, 16), (2, 24, 2, 16), (2, 24, 2, 16), ((8,), "float32"), (2, 24, 8, 16),
        dtype="bfloat16")
def grad_sink_column(q, k, v, sink, gradient):
    """Gradients of gpt-oss's attention, where the sink is a column of scores."""
    def attend(q, k, v, sink):
        k, v = (jnp.repeat(x, 4, axis=2) for x in (k, v))
        s = jnp.einsum("bthd,bshd->bhts", q, k).astype(jnp.float32) * 0.25
        s = jnp.where(jnp.tril(jnp.ones((24, 24), bool)), s, -jnp.inf)
        column = jnp.broadcast_to(sink[None, :, None, None], (2, 8, 24, 1))
        p = jax.nn.softmax(jnp.concatenate([s, column], -1), axis=-1)[..., :-1]
        return jnp.einsum("bhts,bshd->bthd", p.astype(v.dtype), v)
    o, pull = jax.vjp(attend, q, k, v, sink)
    return o, *pull(gradient)


@module((2, 4, 24, 16), (2, 2, 24, 16), (2, 2, 24, 16), (4,), (2, 24, 4, 16))
def grad_sink_largest(q, k, v, sink, gradient):
    """Gradients of gpt-oss's attention as transformers writes it: a mask of -inf is added, and
    gradients pass through the largest of the scores and the sink."""
    def attend(q, k, v, sink):
        k, v = (jnp.repeat(x, 2, axis=1) for x in (k, v))
        i = jnp.arange(24)
        keeps = (i[None] <= i[:, None]) & (i[None] > i[:, None] - 6)
        s = q @ k.swapaxes(2, 3) * 0.25 + jnp.where(keeps, 0, -jnp.inf)
        column = jnp.broadcast_to(sink[None, :, None, None], (2, 4, 24, 1))
        s = jnp.concatenate([s, column], -1)
        p = jax.nn.softmax(s - s.max(-1, keepdims=True), axis=-1)[..., :-1]
        return (p @ v).swapaxes(1, 2)
    o, pull = jax.vjp(attend, q, k, v, sink)
    return o, *pull(gradient)


@module((2, 4, 24, 16), (2, 4, 24, 16), (2, 4, 24, 16), (4,), (2, 4, 24, 16))
def grad_sink_near(q, k, v, sink, gradient):
    """Gradients of query, key and value, and arrays that are almost gradients of the sink: with
    another sign, not divided by the sum, with another exponential, and of squares."""
    def attend(q, k, v):
        s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
        column = jnp.broadcast_to(sink[None, :, None, None], (2, 4, 24, 1))
        most = jax.lax.stop_gradient(jnp.maximum(s.max(-1, keepdims=True), column))
        e, own = jnp.exp(s - most), jnp.exp(column - most)
        total = e.sum(-1, keepdims=True) + own
        return (e / total) @ v, (e, own, total)
    o, pull, (e, own, total) = jax.vjp(attend, q, k, v, has_aux=True)
    dp = jnp.einsum("bhid,bhjd->bhij", gradient, v)
    row = (e / total * dp).sum(-1, keepdims=True)
    near = [own / total * row, -own * row, -jnp.exp(sink)[:, None, None] / total * row,
            -own / total * row * row]
    return o, *pull(gradient), *(x.sum((0, 2, 3)) for x in near)


@module(*[(2, 4, 24, 16)] * 3, (2, 4, 24, 16))
def grad_by_hand(q, k, v, gradient):
    """A backward pass as FlashAttention's: the probabilities are recomputed from the lse, and the
    sum of P dP is that of the output and its gradient."""
    s = jnp.einsum("bhid,bhjd->bhij", q, k) * 0.25
    s = jnp.where(jnp.tril(jnp.ones((24, 24), bool)), s, -jnp.inf)
    most = s.max(-1, keepdims=True)
    e = jnp.exp(s - most)
    total = e.sum(-1, keepdims=True)
    o = jnp.einsum("bhij,bhjd->bhid", e, v) / total
    p = jnp.exp(s - (most + jnp.log(total)))
    delta = (gradient * o).sum(-1, keepdims=True)
    ds = p * (jnp.einsum("bhid,bhjd->bhij", gradient, v) - delta)
    return (o, jnp.einsum("bhij,bhjd->bhid", ds, k) * 0.25,
            jnp.einsum("bhij,bhid->bhjd", ds, q) * 0.25,
            jnp.einsum("bhij,bhid->bhjd", p, gradient))


@module((2, 24, 4, 16), (2, 24, 2, 16), (2, 24, 2, 12), (2, 24, 4, 12), dtype="bfloat16")
def grad_by_hand_grouped(q, k, v, gradient):
    """As above in bf16, with probabilities that are divided before the product."""
    g, w = q.reshape(2, 24, 2, 2, 16), gradient.reshape(2, 24, 2, 2, 12)
    s = jnp.einsum("btngd,bsnd->bngts", g, k).astype(jnp.float32) * 0.25
    p = jax.nn.softmax(s, axis=-1)
    o = jnp.einsum("bngts,bsnd->btngd", p.astype(v.dtype), v)
    delta = jnp.einsum("btngd,btngd->bngt", w.astype(jnp.float32), o.astype(jnp.float32))
    dp = jnp.einsum("btngd,bsnd->bngts", w, v).astype(jnp.float32)
    ds = (p * (dp - delta[..., None]) * 0.25).astype(q.dtype)
    return (o.reshape(2, 24, 4, 12), jnp.einsum("bngts,bsnd->btngd", ds, k).reshape(2, 24, 4, 16),
            jnp.einsum("bngts,btngd->bsnd", ds, g),
            jnp.einsum("bngts,btngd->bsnd", p.astype(v.dtype), w))
