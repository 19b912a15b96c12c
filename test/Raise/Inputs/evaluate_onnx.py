"""Evaluates attention ops of the domain com.microsoft in double precision, by their specification."""

import math

import numpy as np
from evaluate_attention import softmax


def contrib(name, attributes, operands):
    """Returns the results of GroupQueryAttention or MultiHeadAttention. `attributes` has numbers by
    their names, and operands that are not given are None."""
    operands = list(operands) + [None] * (16 - len(operands))
    if name == "GroupQueryAttention":
        return grouped(attributes, *operands[:6], *operands[7:12])
    assert name == "MultiHeadAttention"
    return multi_head(attributes, *operands[:8])


def split(array, heads):
    """Returns batch entries, heads, rows and columns."""
    batch, rows = array.shape[:2]
    return np.moveaxis(array.reshape(batch, rows, heads, -1), 2, 1)


def merge(array):
    return np.moveaxis(array, 1, 2).reshape(array.shape[0], array.shape[2], -1)


def rotate(array, cosines, sines, positions, interleaved):
    """Rotates pairs of the first columns of an array of batch entries, heads, rows and columns, as
    complex numbers are multiplied."""
    pairs = cosines.shape[1]
    first = np.arange(pairs) * (2 if interleaved else 1)
    second = first + (1 if interleaved else pairs)
    factors = (cosines + 1j * sines)[np.clip(positions, 0, len(cosines) - 1)][:, None]
    rotated = (array[..., first] + 1j * array[..., second]) * factors
    result = array.copy()
    result[..., first], result[..., second] = rotated.real, rotated.imag
    return result


def grouped(attributes, q, k, v, past_k, past_v, last, cosines, sines, positions, bias, sink):
    heads, kv_heads = int(attributes["num_heads"]), int(attributes["kv_num_heads"])
    if k is None:
        width = q.shape[2] // (heads + 2 * kv_heads)
        q, k, v = np.split(q, [heads * width, (heads + kv_heads) * width], 2)
    q, k, v = split(q, heads), split(k, kv_heads), split(v, kv_heads)
    batch, rows, width = q.shape[0], q.shape[2], q.shape[3]
    counts = [int(x) + 1 for x in np.ravel(last)]
    firsts = [0 if past_k is None else max(count - rows, 0) for count in counts]
    if attributes.get("do_rotary", 0):
        if positions is None:
            positions = np.add.outer(firsts, np.arange(rows))
        q, k = (rotate(x, cosines, sines, positions, attributes.get("rotary_interleaved", 0))
                for x in (q, k))
    scale = attributes.get("scale", 0) or 1 / math.sqrt(width)
    cap, window = attributes.get("softcap", 0), int(attributes.get("local_window_size", -1))
    causal = attributes.get("causal", 1)
    if sink is None and attributes.get("smooth_softmax", 0) == 1:
        sink = np.zeros(heads)
    room = rows if past_k is None else past_k.shape[2] + rows
    present = [np.zeros((batch, kv_heads, room, x.shape[3])) for x in (k, v)]
    output = np.zeros((batch, heads, rows, v.shape[3]))
    for b in range(batch):
        count, first = counts[b], firsts[b]
        for whole, past, new in zip(present, (past_k, past_v), (k, v)):
            if first:
                whole[b, :, :first] = past[b, :, :first]
            whole[b, :, first:first + rows] = new[b]
        for h in range(heads):
            keys, values = (x[b, h // (heads // kv_heads)] for x in present)
            for i in range(rows):
                end = min(first + i + 1, count) if causal else count
                begin = max(end - window, 0) if window >= 0 else 0
                s = keys[begin:end] @ q[b, h, i] * scale
                if cap > 0:
                    s = cap * np.tanh(s / cap)
                if bias is not None:
                    s = s + bias[b % bias.shape[0], h % bias.shape[1], i, begin:end]
                more = [] if sink is None else [sink[h]]
                p = softmax(np.concatenate([s, more]))[:len(s)]
                output[b, h, i] = p @ values[begin:end]
    return merge(output), present[0], present[1]


def multi_head(attributes, q, k, v, bias, mask, attention_bias, past_k, past_v):
    heads = int(attributes["num_heads"])
    if k is None:
        q, k, v = (np.moveaxis(q[:, :, :, part], 2, 1) for part in range(3))
    else:
        if bias is not None:
            parts = np.cumsum([q.shape[2], k.shape[2]])
            q, k, v = (x + y for x, y in zip((q, k, v), np.split(bias, parts)))
        if k.ndim == 5:
            k, v = (np.moveaxis(k[:, :, :, part], 2, 1) for part in range(2))
        q, k, v = (x if x.ndim == 4 else split(x, heads) for x in (q, k, v))
    first = 0
    if past_k is not None:
        first = past_k.shape[2]
        k, v = np.concatenate([past_k, k], 2), np.concatenate([past_v, v], 2)
    scale = attributes.get("scale", 0) or 1 / math.sqrt(q.shape[3])
    s = np.einsum("bhid,bhjd->bhij", q, k) * scale
    if attention_bias is not None:
        s = s + attention_bias
    if mask is not None and mask.ndim == 1:
        s = np.where(np.arange(k.shape[2]) < mask[:, None, None, None], s, -np.inf)
    elif mask is not None:
        kept = mask[:, None, None] if mask.ndim == 2 else mask[:, None]
        s = s + np.where(kept > 0, 0, attributes.get("mask_filter_value", -10000.0))
    if attributes.get("unidirectional", 0):
        i, j = np.indices(s.shape[2:])
        s = np.where(j <= i + first, s, -np.inf)
    return merge(softmax(s) @ v), k, v
