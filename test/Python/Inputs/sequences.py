"""Problems of packed sequences and of caches, and attention on them in fp64."""

import numpy as np

LENGTHS = (0, 1, 5, 63, 64, 65, 127, 130, 200)


def attention(q, k, v, causal=False, window=None, sink=None, keep=None, score=None):
    """Returns output and lse of one sequence: q is (H, Sq, D), k and v are (Hkv, Skv, ...). The
    diagonal of a mask ends at the last row and key. `keep` says which keys exist, and `score` is a
    function of (scores, h, i, j)."""
    heads, rows, width = q.shape
    kv_heads, keys, _ = k.shape
    o = np.zeros((heads, rows, v.shape[2]))
    lse = np.full((heads, rows), -np.inf)
    i, j = np.arange(rows)[:, None], np.arange(keys)[None, :]
    counts = np.ones((rows, keys), bool) if keep is None else keep[None, :] & (i >= 0)
    diagonal = i + keys - rows
    if causal:
        counts = counts & (j <= diagonal)
    for bound, sign in zip(window or (None, None), (-1, 1)):
        if bound is not None:
            counts = counts & (sign * (j - diagonal) <= bound)
    for h in range(heads):
        own = k[h * kv_heads // heads].astype(np.float64)
        value = v[h * kv_heads // heads].astype(np.float64)
        scores = q[h].astype(np.float64) @ np.where(counts.any(0)[:, None], own, 0).T
        scores /= np.sqrt(width)
        if score is not None:
            scores = score(scores, h, i, j)
        scores = np.where(counts, scores, -np.inf)
        largest = scores.max(1, initial=-np.inf)
        if sink is not None:
            largest = np.maximum(largest, sink[h])
        safe = np.where(np.isneginf(largest), 0, largest)[:, None]
        weights = np.exp(scores - safe)
        total = weights.sum(1)
        if sink is not None:
            total = total + np.exp(sink[h] - safe[:, 0])
        some = total > 0
        value = np.where((weights > 0).any(0)[:, None], value, 0)
        o[h][some] = (weights @ value)[some] / total[some, None]
        lse[h][some] = safe[some, 0] + np.log(total[some])
    return o, lse


def bounds(cumulative, tokens):
    """Returns the beginning and end of each sequence: running maxima of the offsets, which are
    clipped to the number of tokens."""
    its = np.maximum.accumulate(np.clip(cumulative, 0, tokens))
    return list(zip(its[:-1], its[1:]))


class Packed:
    """Random packed sequences. Tokens that belong to no sequence are NaN."""

    def __init__(self, rng, dtype, heads=4, kv_heads=2, width=64, value_width=None,
                 is_self=False):
        count = int(rng.integers(1, 5))
        rows = rng.choice(LENGTHS, count)
        keys = rows if is_self else rng.choice(LENGTHS, count)
        first, last = rng.choice((0, 0, 3, 70), 2), rng.choice((0, 9), 2)
        self.cu_q, self.cu_kv = (
            np.concatenate([[begin], begin + np.cumsum(its)]).astype(np.int32)
            for begin, its in zip(first, (rows, keys)))
        tokens = [max(1, int(its[-1] + behind))
                  for its, behind in zip((self.cu_q, self.cu_kv), last)]
        if is_self:
            self.cu_kv, tokens[1] = self.cu_q, tokens[0]
        value_width = value_width or width
        self.q, self.k, self.v, self.d_o = (
            rng.standard_normal((tokens[n], its, wide)).astype(dtype)
            for n, its, wide in ((0, heads, width), (1, kv_heads, width),
                                 (1, kv_heads, value_width), (0, heads, value_width)))
        for array, its, n in ((self.q, self.cu_q, 0), (self.k, self.cu_kv, 1),
                              (self.v, self.cu_kv, 1), (self.d_o, self.cu_q, 0)):
            array[:its[0]] = np.nan
            array[its[-1]:] = np.nan

    def sequences(self):
        return [(slice(*rows), slice(*keys)) for rows, keys in
                zip(bounds(self.cu_q, len(self.q)), bounds(self.cu_kv, len(self.k)))]

    def reference(self, **options):
        o = np.zeros((*self.q.shape[:2], self.v.shape[2]))
        lse = np.full((self.q.shape[1], len(self.q)), -np.inf)
        for rows, keys in self.sequences():
            its, lse[:, rows] = attention(
                *(x.swapaxes(0, 1) for x in (self.q[rows], self.k[keys], self.v[keys])),
                **options)
            o[rows] = its.swapaxes(0, 1)
        return o, lse


class Cache:
    """A random cache, in which each batch entry has some number of keys. It is contiguous or in
    pages of `page` keys in any order. Elements that must not be read are NaN."""

    def __init__(self, rng, dtype, rows=1, size=300, batch=3, heads=4, kv_heads=2,
                 width=64, page=None, missing=False):
        near = (0, 1, size) if page is None else (0, 1, page - 1, page, page + 1, size)
        self.lengths = np.minimum(rng.choice([*near, *rng.integers(0, size + 1, 3)], batch),
                                  size).clip(0).astype(np.int32)
        self.q = rng.standard_normal((batch, heads, rows, width)).astype(dtype)
        self.k, self.v = (
            rng.standard_normal((batch, kv_heads, size, width)).astype(dtype)
            for _ in range(2))
        for b, length in enumerate(self.lengths):
            self.k[b, :, length:] = self.v[b, :, length:] = np.nan
        self.k_cache, self.v_cache, self.table = self.k, self.v, None
        self.keep = [np.ones(length, bool) for length in self.lengths]
        if page is None:
            return
        columns = -(-size // page) + 1
        count = batch * columns + 2
        numbers = rng.permutation(count)[:batch * columns].reshape(batch, columns)
        # Entries of the table after an entry's last key are random numbers, which must not be used.
        self.table = rng.integers(-2**31, 2**31, (batch, columns)).astype(np.int32)
        self.k_cache, self.v_cache = (np.full((count, kv_heads, page, width), np.nan, dtype)
                                      for _ in range(2))
        for b, length in enumerate(self.lengths):
            for column in range(-(-length // page)):
                keys = slice(column * page, min((column + 1) * page, length))
                if missing and rng.integers(3) == 0:
                    self.table[b, column] = rng.choice((-1, count, 2**31 - 1, -2**31))
                    self.keep[b][keys] = False
                    continue
                number = self.table[b, column] = numbers[b, column]
                place = (number, slice(None), slice(0, keys.stop - keys.start))
                self.k_cache[place], self.v_cache[place] = (
                    its[b, :, keys] for its in (self.k, self.v))

    def reference(self, **options):
        o = np.zeros((*self.q.shape[:3], self.v.shape[3]))
        lse = np.full(self.q.shape[:3], -np.inf)
        for b, length in enumerate(self.lengths):
            o[b], lse[b] = attention(self.q[b], self.k[b, :, :length],
                                     self.v[b, :, :length], keep=self.keep[b], **options)
        return o, lse
