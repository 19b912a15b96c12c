"""Computes with NumPy what attn_mlir.merge and attn_mlir.append compute, and makes test problems.
In these, memory that must not be read is NaN, or a number that would be a wrong index."""

import itertools

import numpy as np

NOWHERE = -2**31


def merge(states, sink=None):
    """Returns the merged output and lse, in fp64."""
    lses = np.stack([np.asarray(lse, np.float64) for _, lse in states])
    if sink is not None:
        own = np.broadcast_to(np.asarray(sink, np.float64)[None, None, :, None],
                              (1, *lses.shape[1:]))
        lses = np.concatenate([lses, own])
    top = lses.max(0)
    top = np.where(np.isneginf(top), 0, top)
    with np.errstate(divide="ignore", invalid="ignore"):
        lse = top + np.log(np.exp(lses - top).sum(0))
        total = 0
        for (o, own), weight in zip(states, lses):
            weight = np.exp(weight - lse)[..., None]
            is_none = np.isneginf(np.asarray(own))[..., None]
            total = total + np.where(is_none, 0, weight * np.asarray(o, np.float64))
    return total, lse


def turn(x, cos, sin, positions, interleaved):
    """Applies the rotary embedding for (B, T) positions to x, (B, H, T, D), in f32."""
    rows = np.clip(positions, 0, len(cos) - 1)
    c, s = (np.asarray(table)[rows][:, None].astype(np.float32) for table in (cos, sin))
    width = cos.shape[1]
    first, second = slice(0, width), slice(width, 2 * width)
    if interleaved:
        first, second = slice(0, 2 * width, 2), slice(1, 2 * width, 2)
    result = x.astype(np.float32)
    a, b = result[..., first].copy(), result[..., second].copy()
    result[..., first] = a * c - b * s
    result[..., second] = b * c + a * s
    return result.astype(x.dtype)


def append(k, v, k_cache, v_cache, lengths, page_table=None, counts=None, q=None, cos=None,
           sin=None, interleaved=False):
    """Appends to copies of the caches and lengths, and returns them with the rotated q."""
    k_cache, v_cache, new_lengths = k_cache.copy(), v_cache.copy(), lengths.copy()
    batch, _, tokens, _ = k.shape
    size = k_cache.shape[2]
    room = size if page_table is None else size * page_table.shape[1]
    positions = np.maximum(lengths, 0).astype(np.int64)[:, None] + np.arange(tokens)
    if cos is not None:
        k = turn(k, cos, sin, positions, interleaved)
        q = None if q is None else turn(q, cos, sin, positions, interleaved)
    for b in range(batch):
        count = tokens if counts is None else min(max(int(counts[b]), 0), tokens)
        for t in range(count):
            p = positions[b, t]
            if p >= room:
                continue
            page, slot = (b, p) if page_table is None else (page_table[b, p // size],
                                                            p % size)
            if 0 <= page < len(k_cache):
                k_cache[page, :, slot] = k[b, :, t]
                v_cache[page, :, slot] = v[b, :, t]
        length = min(max(int(lengths[b]), 0), room)
        new_lengths[b] = min(length + count, room)
    return k_cache, v_cache, new_lengths, q


def states(seed, count, batch=2, heads=3, rows=21, dim=80, dtype=np.float32):
    """Makes random states (output and lse). Some states of a row have no keys, and their outputs
    are NaN. In the first row none has keys, and in the last row only the last state."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        o = rng.standard_normal((batch, heads, rows, dim)).astype(dtype)
        lse = (3 * rng.standard_normal((batch, heads, rows))).astype(np.float32)
        is_none = rng.random(lse.shape) < 0.3
        is_none[:, :, 0] = True
        is_none[:, :, -1] = number + 1 < count
        lse[is_none] = -np.inf
        o[is_none] = np.nan
        found.append((o, lse))
    return found


def with_gaps(array, poison):
    """Returns memory that has poison between rows and around the array, and a view of it with the
    same numbers as the array."""
    sizes = [size + 1 for size in array.shape[:-1]] + [array.shape[-1] + 8]
    memory = np.full(sizes, poison, array.dtype)
    view = memory[tuple(slice(0, size) for size in array.shape)]
    view[...] = array
    return memory, view


def cases():
    """Yields arguments for `problem`. They need only a few kernels, but each kernel gets all page
    sizes and both numbers of tokens."""
    kinds = [(64, 64, None), (64, 64, (1.0, False)), (80, 48, (1.0, True)),
             (128, 128, (0.4, False)), (80, 80, (0.4, True)), (48, 80, (1.0, False))]
    problems = itertools.product((None, 1, 7, 16, 64), (1, 5))
    for number, (dims, size) in enumerate(itertools.product(kinds, problems)):
        # Each kind needs one kernel for contiguous caches and one for pages.
        yield {"seed": number, "dim": dims[0], "value_dim": dims[1], "rotary": dims[2],
               "page": size[0], "tokens": size[1], "with_counts": dims[0] == 80,
               "table_dtype": dims[0] == 64, "with_query": dims[0] != 128,
               "heads": (1, 3, 8, 20)[number % 4]}


def problem(seed, dim, value_dim, tokens, page, rotary, with_counts, table_dtype, with_query,
            heads, dtype=np.float16):
    """Makes arguments of attn_mlir.append. Lengths are 0, around the end of a page, nearly full,
    full and beyond. Some entries of a table are not pages of the pool."""
    rng = np.random.default_rng(seed)

    def draw(*sizes):
        return rng.standard_normal(sizes).astype(dtype)

    page_size, columns = page or 23, 3
    room = page_size * columns if page else page_size
    lengths = np.array([0, page_size - 1, page_size, page_size + 1, room - 2, room,
                        room + 9, -3], np.int32)
    batch = len(lengths)
    found = {"k": draw(batch, heads, tokens, dim), "v": draw(batch, heads, tokens, value_dim)}
    places = batch
    if page:
        places = batch * columns + 3
        table = rng.permutation(places)[:batch * columns].reshape(batch, columns)
        table = table.astype(np.int32)
        table[1, 1], table[3, 1] = -1, places
        # Entries after the pages that this call uses are no pages.
        for b in range(batch):
            table[b, (max(lengths[b], 0) + tokens - 1) // page_size + 1:] = NOWHERE
        found["page_table"] = table
    found["k_cache"] = draw(places, heads, page_size, dim)
    found["v_cache"] = draw(places, heads, page_size, value_dim)
    found["lengths"] = lengths
    if with_counts:
        found["counts"] = np.array([tokens, 1, 0, tokens + 3, -1, 1, 2, 1], np.int32)
    if rotary:
        share, found["interleaved"] = rotary
        width = int(dim * share) // 2
        angles = rng.standard_normal((room - 1, width))
        kind = np.float32 if table_dtype else dtype
        found["cos"], found["sin"] = np.cos(angles).astype(kind), np.sin(angles).astype(kind)
        if with_query:
            found["q"] = draw(batch, 2 * heads + 1, tokens, dim)
    return found
