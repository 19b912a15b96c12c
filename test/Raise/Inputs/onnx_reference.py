"""Evaluates ONNX's operator Attention (versions 23 to 25) in double precision, by its
specification."""

import math

import numpy as np


def heads_first(array, heads):
    """Returns batch entries, heads, rows and columns."""
    if array.ndim == 4:
        return array
    batch, rows, columns = array.shape
    return array.reshape(batch, rows, heads, columns // heads).swapaxes(1, 2)


def attention(attributes, query, key, value, mask=None, past_key=None, past_value=None,
              lengths=None):
    """Returns the output, present keys, present values, and the output of the product of query and
    key. A mask of fewer keys than there are masks the others, as from version 24 on."""
    is_flat = query.ndim == 3
    query = heads_first(query, attributes.get("q_num_heads"))
    key, value = (heads_first(x, attributes.get("kv_num_heads")) for x in (key, value))
    past = 0
    if past_key is not None:
        past = past_key.shape[2]
        key, value = np.concatenate([past_key, key], 2), np.concatenate([past_value, value], 2)
    batch, heads, rows, width = query.shape
    keys, group = key.shape[2], heads // key.shape[1]
    scale, cap = attributes.get("scale", 1 / math.sqrt(width)), attributes.get("softcap", 0)
    left, right = (attributes.get(f"{x}_window_size", -1) for x in ("left", "right"))
    if attributes.get("is_causal", 0):
        right = 0
    output = np.zeros((batch, heads, rows, value.shape[3]))
    products = np.zeros((batch, heads, rows, keys))
    if mask is not None:
        missing = keys - mask.shape[-1]
        whole = np.ones((batch, heads, rows, keys - missing), bool if mask.dtype == bool else float)
        mask = whole * mask
    for b in range(batch):
        # The number of the first row's key.
        first = past if lengths is None else int(lengths[b]) - rows
        for h in range(heads):
            for i in range(rows):
                scores = key[b, h // group] @ query[b, h, i] * scale
                raw = scores
                if cap > 0:
                    scores = cap * np.tanh(scores / cap)
                if attributes.get("qk_matmul_output_mode", 0) == 1:
                    raw = scores
                products[b, h, i] = raw
                kept = []
                for j in range(keys):
                    distance = j - (first + i)
                    is_read = (left < 0 or distance >= -left) and (right < 0 or distance <= right)
                    is_read &= lengths is None or j < lengths[b]
                    if mask is not None:
                        is_read &= j < mask.shape[3]
                        is_read = is_read and (mask.dtype != bool or mask[b, h, i, j])
                    if is_read:
                        kept.append(j)
                if not kept:
                    continue
                scores = scores[kept]
                if mask is not None and mask.dtype != bool:
                    scores = scores + mask[b, h, i, kept]
                if np.isneginf(scores).all():
                    continue
                weights = np.exp(scores - scores.max())
                output[b, h, i] = weights / weights.sum() @ value[b, h // group, kept]
    if is_flat:
        output = output.swapaxes(1, 2).reshape(batch, rows, -1)
    return output, key, value, products
