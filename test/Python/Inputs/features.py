"""Evaluates attention with an added bias, a factor of scores, a sink and dropout in fp64, and its
gradients."""

import numpy as np


def evaluate(q, k, v, d_o, d_lse, bias=0.0, factor=1.0, sink=None, keep=None, z=1.0,
             kept=True):
    """Evaluates attention whose scores are factor * q k^T / sqrt(D) + bias where `kept` is true,
    and -inf elsewhere. Returns a dictionary with the output, the lse, and the gradients of q, k, v
    and sink. `pairs` is the gradient of each pair's bias, and `scores` has the scaled products that
    `factor` multiplies."""
    q, d_o, d_lse = (np.asarray(a, np.float64) for a in (q, d_o, d_lse))
    group, scale = q.shape[1] // k.shape[1], q.shape[3] ** -0.5
    k, v = (np.repeat(a.astype(np.float64), group, axis=1) for a in (k, v))
    scores = scale * (q @ k.swapaxes(-1, -2))
    s = np.where(kept, factor * scores + bias, -np.inf)
    logit = np.full(q.shape[:3], -np.inf) if sink is None else np.broadcast_to(
        np.asarray(sink, np.float64)[None, :, None], q.shape[:3])
    top = np.maximum(np.maximum(s.max(-1), logit), -1e300)
    with np.errstate(divide="ignore"):
        lse = top + np.log(np.exp(s - top[..., None]).sum(-1) + np.exp(logit - top))
    p = np.exp(s - np.where(np.isfinite(lse), lse, 0)[..., None])
    dropped = p if keep is None else p * keep * z
    o = dropped @ v
    d_p = d_o @ v.swapaxes(-1, -2)
    if keep is not None:
        d_p = d_p * keep * z
    delta = (o * d_o).sum(-1) - d_lse
    pairs = p * (d_p - delta[..., None])

    def add_heads(a):
        return a.reshape(a.shape[0], -1, group, *a.shape[2:]).sum(2)

    d_s = scale * factor * pairs
    return {"output": o, "lse": lse, "query": d_s @ k,
            "key": add_heads(d_s.swapaxes(-1, -2) @ q),
            "value": add_heads(dropped.swapaxes(-1, -2) @ d_o), "pairs": pairs,
            "scores": scores, "sink": -(np.exp(logit - lse) * delta).sum((0, 2))}
