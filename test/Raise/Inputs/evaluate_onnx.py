"""Evaluates attention ops of the domain com.microsoft in double precision, by their specification."""

import math

import numpy as np
from evaluate_attention import softmax


def contrib(name, attributes, operands):
    """Returns the results of Attention, GroupQueryAttention or MultiHeadAttention. `attributes` has
    numbers and lists of numbers by their names, and operands that are not given are None."""
    operands = list(operands) + [None] * (16 - len(operands))
    if name == "GroupQueryAttention":
        return grouped(attributes, *operands[:6], *operands[7:12], *operands[14:16])
    if name == "Attention":
        return projected(attributes, *operands[:6])
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


def grouped(attributes, q, k, v, past_k, past_v, last, cosines, sines, positions, bias, sink,
            of_q=None, of_k=None):
    heads, kv_heads = int(attributes["num_heads"]), int(attributes["kv_num_heads"])
    if k is None:
        width = q.shape[2] // (heads + 2 * kv_heads)
        q, k, v = np.split(q, [heads * width, (heads + kv_heads) * width], 2)
    q, k, v = split(q, heads), split(k, kv_heads), split(v, kv_heads)
    batch, rows, width = q.shape[0], q.shape[2], q.shape[3]
    counts = [int(x) + 1 for x in np.ravel(last)]
    firsts = [0 if past_k is None else max(count - rows, 0) for count in counts]
    if of_q is not None:
        epsilon = attributes.get("qk_norm_epsilon", 1e-6)
        q, k = (x / np.sqrt(np.mean(x ** 2, -1, keepdims=True) + epsilon) * weight
                for x, weight in ((q, of_q), (k, of_k)))
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
    kept = None
    if mask is not None and mask.ndim == 1:
        kept = np.arange(k.shape[2]) < mask[:len(k), None]
        mask = None
    return merge(attend(attributes, q, k, v, first, kept, mask, attention_bias)), k, v


def projected(attributes, x, weights, bias, mask, past, attention_bias):
    heads, batch, rows = int(attributes["num_heads"]), x.shape[0], x.shape[1]
    columns = weights.shape[1]
    widths = [int(n) for n in attributes.get("qkv_hidden_sizes", [columns // 3] * 3)]
    x = x @ weights + (0 if bias is None else bias)
    q, k, v = (split(part, heads) for part in np.split(x, np.cumsum(widths)[:2], 2))
    first = 0
    if past is not None:
        first = past.shape[3]
        k, v = (np.concatenate([old, new], 2) for old, new in zip(past, (k, v)))
    keys, kept = k.shape[2], None
    if mask is not None and mask.ndim == 1:
        j = np.arange(keys)
        kept = j < mask[:batch, None]
        if len(mask) == 2 * batch:
            kept &= j >= mask[batch:, None]
        mask = None
    elif mask is not None and mask.ndim == 2 and mask.shape[1] == 1:
        mask = None
    elif mask is not None and mask.ndim == 4:
        mask = mask[:, 0, first:first + rows, :keys]
    output = merge(attend(attributes, q, k, v, first, kept, mask, attention_bias))
    return output, np.stack([k, v]) if k.shape == v.shape else None


def attend(attributes, q, k, v, first, kept, mask, bias):
    """Returns the attention of arrays of batch entries, heads, rows and columns. Row 0 comes after
    `first` keys. `kept` says which keys of batch entries are read, and a row that reads none is 0;
    `mask` has numbers above 0 for pairs, perhaps of all rows, whose score stays."""
    scale = attributes.get("scale", 0) or 1 / math.sqrt(q.shape[3])
    s = np.einsum("bhid,bhjd->bhij", q, k) * scale
    if bias is not None:
        s = s + bias
    if mask is not None:
        stays = mask[:, None, None] if mask.ndim == 2 else mask[:, None]
        s = s + np.where(stays > 0, 0, attributes.get("mask_filter_value", -10000.0))
    if kept is not None:
        s = np.where(kept[:, None, None], s, -np.inf)
    if attributes.get("unidirectional", 0):
        i, j = np.indices(s.shape[2:])
        s = np.where(j <= i + first, s, -np.inf)
    empty = np.isneginf(s).all(-1, keepdims=True)
    return np.where(empty, 0, softmax(np.where(empty, 0, s))) @ v
