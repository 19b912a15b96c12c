"""Philox 4x32-10 in NumPy, by the paper (Salmon et al., "Parallel Random Numbers: As Easy
as 1, 2, 3", SC 2011), and the mask of dropout by the definition of attn.attention."""

import numpy as np


def philox(counter, key):
    """Returns four arrays of 32-bit random integers, for a counter of four integers or arrays and a
    key of two integers."""
    words = [np.asarray(word, np.uint64) for word in counter]
    key = [np.uint64(word) for word in key]
    low, shift = np.uint64(0xFFFFFFFF), np.uint64(32)
    for _ in range(10):
        even, odd = np.uint64(0xD2511F53) * words[0], np.uint64(0xCD9E8D57) * words[2]
        words = [(odd >> shift) ^ words[1] ^ key[0], odd & low,
                 (even >> shift) ^ words[3] ^ key[1], even & low]
        key = [(key[0] + np.uint64(0x9E3779B9)) & low,
               (key[1] + np.uint64(0xBB67AE85)) & low]
    return words


def keep(batch, heads, rows, keys, dropout_p, seed):
    """Returns which probabilities dropout keeps, and the factor that multiplies these."""
    first, offset = (int(word) % 2**64 for word in seed)
    threshold = min(65536, int(np.floor(65536 * dropout_p + 0.5)))
    b, h, i, j = np.ogrid[:batch, :heads, :rows, :keys]
    words = philox((j // 8 + 0 * (b + h + i), i + 0 * j, b * heads + h + 0 * j,
                    np.full_like(j, offset % 2**32, np.uint64)),
                   (first % 2**32, first // 2**32))
    words = [np.broadcast_to(word, (batch, heads, rows, keys)) for word in words]
    word = np.choose(np.broadcast_to((j % 8) // 2, words[0].shape), words)
    bits = np.where(j % 2 == 1, word >> np.uint64(16), word) & np.uint64(0xFFFF)
    return bits >= threshold, 65536 / (65536 - threshold) if threshold < 65536 else 0.0
