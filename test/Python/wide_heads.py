# Head dims above 256, values that are columns of the keys, and multi-head latent attention, on
# NumPy's arrays.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import numpy as np
import reference
from attn_mlir import _frames

F16 = np.float16


def cache_problem(batch=3, heads=5, rows=2, page=16, columns=6, dim=576, spare=2):
    """Returns queries, a pool of latents, a table of pages and lengths. Elements that must not be
    read are NaN."""
    pages = batch * columns + spare
    rng = np.random.default_rng(7)
    q = reference.random(1, batch, heads, rows, dim, dtype=F16)
    keys = reference.random(2, batch, 1, page * columns, dim, dtype=F16)
    lengths = np.array([rows, page * columns, page * 2 + 5], np.int32)[:batch]
    table = rng.permutation(pages)[:batch * columns].reshape(batch, columns).astype(np.int32)
    pool = np.full((pages, page, dim), np.nan, F16)
    for b in range(batch):
        for j in range(lengths[b]):
            pool[table[b, j // page], j % page] = keys[b, 0, j]
        table[b, -(-lengths[b] // page):] = 2**31 - 1
    return q, keys, lengths, table, pool


def expect(q, keys, lengths, dim, scale):
    """Returns the results of causal attention whose diagonal ends at the last key of each entry."""
    outputs, lses = [], []
    for b, length in enumerate(lengths):
        own = keys[b:b + 1, :, :length]
        o, lse = reference.attention(q[b:b + 1], own, own[..., :dim], scale=scale,
                                     causal=True, align="bottom_right")
        outputs.append(o)
        lses.append(lse)
    return np.concatenate(outputs), np.concatenate(lses)


class Attention(unittest.TestCase):
    def test_wide(self):
        for dim, value_dim in ((512, 512), (320, 300), (576, 64), (64, 400), (257, 257)):
            q, k, v = reference.problem(dim=dim, value_dim=value_dim, dtype=F16)
            o, lse = attn_mlir.attention(q, k, v, causal=True, return_lse=True)
            expected, own = reference.attention(q, k, v, causal=True)
            reference.check(o, expected, F16)
            assert np.abs(lse - own).max() < 1e-3

    def test_columns_of_the_key(self):
        for dim, first, end in ((576, 0, 512), (576, 64, 576), (576, 30, 61), (96, 0, 64),
                                (96, 96 - 17, 96), (40, 0, 40)):
            q, k, _ = reference.problem(dim=dim, dtype=F16)
            expected, _ = reference.attention(q, k, k[..., first:end])
            reference.check(attn_mlir.attention(q, k, value_dims=(first, end)), expected, F16)
            reference.check(attn_mlir.attention(q, k, k[..., first:end]), expected, F16)

    def test_kernels(self):
        """Values that are a view of the key use the kernel of `value_dims`; a copy uses another
        one."""
        q, k, _ = reference.problem(dim=72, dtype=F16)
        attn_mlir.attention(q, k, value_dims=(0, 48), scale=0.37)
        count = len(_frames.kernels)
        attn_mlir.attention(q, k, k[..., :48], scale=0.37)
        self.assertEqual(len(_frames.kernels), count)
        attn_mlir.attention(q, k, k[..., :48].copy(), scale=0.37)
        self.assertEqual(len(_frames.kernels), count + 1)
        attn_mlir.attention(q, k, k[..., 8:56], scale=0.37)
        self.assertEqual(len(_frames.kernels), count + 2)

    def test_compile(self):
        kernel = attn_mlir.compile(dtype="f16", head_dim=576, value_dims=(0, 512),
                                   chip="host")
        self.assertEqual([its.name for its in kernel.arguments], ["query", "key", "output"])
        q, k, _ = reference.problem(dim=576, dtype=F16)
        out = np.full((*q.shape[:3], 512), np.nan, F16)
        kernel.run(q, k, out)
        reference.check(out, reference.attention(q, k, k[..., :512])[0], F16)

    def test_parts(self):
        """Further columns of query and key in separate arrays (q_rope, k_rope). Those of the key
        may be shared by all heads."""
        for dtype, dim, rope in ((F16, 128, 64), (np.float32, 40, 17), (F16, 33, 1)):
            q, k, v = reference.problem(dim=dim + rope, value_dim=24, dtype=dtype)
            arrays = [np.ascontiguousarray(its) for its in (
                q[..., :dim], k[..., :dim], q[..., dim:], k[..., dim:])]
            expected, lse = reference.attention(q, k, v, causal=True)
            for _ in range(2):
                o, own = attn_mlir.attention(*arrays[:2], v, q_rope=arrays[2],
                                             k_rope=arrays[3], causal=True, return_lse=True)
                reference.check(o, expected, dtype)
                assert np.abs(own - lse).max() < 1e-3
            k[..., dim:] = k[:, :1, :, dim:]
            expected, _ = reference.attention(q, k, v)
            shared = np.ascontiguousarray(k[:, :1, :, dim:])
            for rotary in (shared, np.broadcast_to(shared, (*k.shape[:3], rope))):
                for _ in range(2):
                    reference.check(attn_mlir.attention(
                        *arrays[:2], v, q_rope=arrays[2], k_rope=rotary), expected, dtype)
            expected, _ = reference.attention(q, k, k[..., :dim])
            reference.check(attn_mlir.attention(
                *arrays[:2], value_dims=(0, dim), q_rope=arrays[2], k_rope=shared), expected,
                dtype)

    def test_packed_parts(self):
        q, k, v = (reference.random(i, 50, h, 96, dtype=F16) for i, h in enumerate((4, 2, 2)))
        cu = np.array([0, 7, 7, 50], np.int32)
        for heads in (2, 1):
            k[..., 64:] = k[:, :1, 64:] if heads == 1 else k[..., 64:]
            parts = [np.ascontiguousarray(its) for its in (
                q[..., :64], k[..., :64], q[..., 64:], k[:, :heads, 64:])]
            o, lse = attn_mlir.varlen(*parts[:2], v, cu, q_rope=parts[2], k_rope=parts[3],
                                      causal=True, return_lse=True)
            for first, end in ((0, 7), (7, 50)):
                own = [its[None, first:end].swapaxes(1, 2) for its in (q, k, v)]
                expected, its = reference.attention(*own, causal=True)
                reference.check(o[None, first:end].swapaxes(1, 2), expected, F16)
                assert np.abs(lse[None, :, first:end] - its).max() < 1e-3

    def test_errors_of_parts(self):
        q, k, v = reference.problem(dim=40, dtype=F16)
        rope, own = q[..., :16].copy(), k[..., :16].copy()
        for given, message in (
                ((rope, None), "k_rope: expected an array, beside the other one"),
                ((rope, own[..., :15]), "k_rope: expected size 16 in dimension 3, as q_rope"),
                ((rope[:, :, 1:], own), "q_rope: expected rank 4, with the first sizes of q"),
                ((rope, own[:, :, 1:]), "k_rope: expected rank 4, with the first sizes of k"),
                ((rope.astype(np.float32), own), "q_rope: expected dtype f16, as q has"),
                ((rope[..., ::2], own[..., ::2]), "q_rope: expected rows without gaps")):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, message):
                attn_mlir.attention(q, k, v, q_rope=given[0], k_rope=given[1])
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "k_rope: expected dtype f16, as q"):
            attn_mlir.attention(q, k.astype(np.int8), v, q_rope=rope, k_rope=own.astype("f4"))

    def test_narrow_keys(self):
        """Keys of 8 bits with further columns of the query's dtype. The keys' scale does not apply
        to these."""
        q, k, v = reference.problem(dim=40, dtype=F16)
        rope, own = q[..., :16].copy(), k[..., :16].copy()
        eight, scale = (100 * k).clip(-128, 127).astype(np.int8), np.array(0.01, np.float32)
        found = attn_mlir.attention(q, eight, v, q_rope=rope, k_rope=own, k_scale=scale)
        keys = np.concatenate([eight.astype("f4") * scale, own], 3)
        wanted = attn_mlir.attention(np.concatenate([q, rope], 3).astype("f4"), keys,
                                     v.astype("f4"))
        np.testing.assert_allclose(found, wanted, atol=4e-3, rtol=4e-3)

    def test_errors(self):
        q, k, v = reference.problem(dim=40, dtype=F16)
        for given, found in (((0, 41), r"\(0, 41\)"), ((5, 5), r"\(5, 5\)"), (7, "7"),
                             ((-1, 4), r"\(-1, 4\)"), ((0, 4.0), r"\(0, 4.0\)")):
            with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                        r"value_dims: expected \(first, end\), columns of k "
                                        rf"with 0 <= first < end <= 40, found {found}"):
                attn_mlir.attention(q, k, value_dims=given)
        with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                    r"value_dims: expected None beside v, found \(0, 16\)"):
            attn_mlir.attention(q, k, v, value_dims=(0, 16))
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "v: expected an array, or "
                                    "value_dims, found None"):
            attn_mlir.attention(q, k)
        q, k, v = reference.problem(dim=600, dtype=F16)
        with self.assertRaisesRegex(attn_mlir.Error, "expected a head dim of at most 576, "
                                    "found 600"):
            attn_mlir.attention(q, k, v)


class Latents(unittest.TestCase):
    def test_decode(self):
        scale = 192**-0.5
        for heads, rows in ((5, 2), (16, 1), (1, 16), (3, 20)):
            q, keys, lengths, table, pool = cache_problem(heads=heads, rows=rows)
            expected, lse = expect(q, keys, lengths, 512, scale)
            for cache in (pool, pool[:, None]):
                o, own = attn_mlir.mla_decode(q, cache, scale=scale, lengths=lengths,
                                              page_table=table, return_lse=True)
                reference.check(o, expected, F16)
                assert np.abs(own - lse).max() < 1e-3
            again = attn_mlir.decode(q, pool[:, None], pool[:, None, :, :512], scale=scale,
                                     causal=True, lengths=lengths, page_table=table)
            assert again.tobytes() == o.tobytes()

    def test_without_pages(self):
        q, keys, lengths, _, _ = cache_problem()
        expected, _ = expect(q, keys, lengths, 512, 0.1)
        for b, length in enumerate(lengths):
            keys[b, 0, length:] = np.nan
        o = attn_mlir.mla_decode(q, keys[:, 0], scale=0.1, lengths=lengths)
        reference.check(o, expected, F16)

    def test_other_sizes(self):
        """Pages of any size, latents whose number of columns is no multiple of a panel, and latents
        that are the whole key."""
        for page, dim, latent in ((3, 576, 512), (16, 96, 33), (64, 320, 320)):
            q, keys, lengths, table, pool = cache_problem(page=page, dim=dim, columns=4)
            expected, _ = expect(q, keys, lengths, latent, 0.1)
            o = attn_mlir.mla_decode(q, pool, scale=0.1, latent_dim=latent, lengths=lengths,
                                     page_table=table)
            reference.check(o, expected, F16)

    def test_pairs(self):
        """The query is in two arrays, and the cache is given as two views of one array."""
        q, keys, lengths, table, pool = cache_problem()
        parts = q[..., :512].copy(), q[..., 512:].copy()
        wide = np.concatenate([pool, pool], 2)[..., :576]  # rows with gaps between them
        for cache, options in ((pool, {"page_table": table}), (keys, {}),
                               (wide, {"page_table": table})):
            options = {"scale": 0.1, "lengths": lengths, "return_lse": True, **options}
            expected = attn_mlir.mla_decode(q, cache, **options)
            found = attn_mlir.mla_decode(parts, (cache[..., :512], cache[..., 512:]),
                                         **options)
            for mine, its in zip(found, expected):  # whose sums have another order
                assert np.abs(mine.astype(float) - its).max() < 2e-3
        for given, message in (
                ((keys[..., :512], keys[:, :, 1:, 512:]), "cache: expected a pair of arrays"),
                ((keys[..., :512], keys[..., 512:].astype(np.float32)),
                 "cache: expected a pair of arrays"),
                ((keys,), "cache: expected an array, or a pair")):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, message):
                attn_mlir.mla_decode(q, given, scale=0.1)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "q: expected a pair of arrays"):
            attn_mlir.mla_decode((parts[0], parts[1][:, 1:]), keys, scale=0.1)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "latent_dim: expected None"):
            attn_mlir.mla_decode(q, (keys[..., :512], keys[..., 512:]), scale=0.1,
                                 latent_dim=512)

    def test_arrays_of_their_own(self):
        """Kernels read the two arrays of query and cache without copies. There is NaN around them,
        and gaps between rows."""
        for heads, rows, page, latent, rope in ((5, 2, 16, 512, 64), (128, 1, 64, 512, 64),
                                                (1, 20, 16, 96, 17), (16, 1, 3, 40, 1)):
            q, keys, lengths, table, pool = cache_problem(heads=heads, rows=rows, page=page,
                                                          dim=latent + rope)
            expected, lse = expect(q, keys, lengths, latent, 0.1)
            options = {"scale": 0.1, "lengths": lengths, "return_lse": True}

            def apart(array):
                wide = np.full((*array.shape[:-1], array.shape[-1] + 8), np.nan, F16)
                wide[..., :-8] = array
                return wide[..., :-8]

            def parts(array):
                return apart(array[..., :latent]), apart(array[..., latent:])

            dense = np.concatenate([keys[..., :latent], keys[..., latent:]], -1)
            for b, length in enumerate(lengths):
                dense[b, 0, length:] = np.nan
            for query in (parts(q), q, apart(q)):
                for cache, table_ in ((parts(pool), table), (parts(dense[:, 0]), None),
                                      (parts(dense), None)):
                    o, own = attn_mlir.mla_decode(query, cache, page_table=table_, **options)
                    reference.check(o, expected, F16)
                    assert np.abs(own - lse).max() < 1e-3
            o, _ = attn_mlir.mla_decode(parts(q), pool, page_table=table, latent_dim=latent,
                                        **options)
            reference.check(o, expected, F16)

    def test_append(self):
        """One call of append writes the latents and the rotary keys of a cache to two arrays."""
        q, keys, lengths, table, _ = cache_problem()
        latents = np.full((20, 1, 16, 512), np.nan, F16)
        rotary = np.full((20, 1, 16, 64), np.nan, F16)
        counts = np.zeros(3, np.int32)
        table = np.arange(18, dtype=np.int32).reshape(3, 6)
        attn_mlir.append(keys[..., 512:], keys[..., :512], rotary, latents, counts,
                         page_table=table)
        o = attn_mlir.mla_decode(q, (latents[:, 0], rotary[:, 0]), scale=0.1, lengths=lengths,
                                 page_table=table)
        reference.check(o, expect(q, keys, lengths, 512, 0.1)[0], F16)

    def test_errors(self):
        q, keys, lengths, _, _ = cache_problem()
        with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                    "latent_dim: expected an integer from 1 to 576, found 577"):
            attn_mlir.mla_decode(q, keys, scale=0.1, latent_dim=577)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, r"cache: expected \(B, S, D\)"):
            attn_mlir.mla_decode(q, np.concatenate([keys, keys], 1), scale=0.1)
        with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                    r"k_cache: expected size 576 in dimension 3 \(D\), as q has"):
            attn_mlir.mla_decode(q, keys[..., :512], scale=0.1)


class Append(unittest.TestCase):
    def test_one_array(self):
        """append writes latents whose last or first columns get the rotary embedding, and nothing
        else."""
        k = reference.random(3, 2, 1, 4, 96, dtype=F16)
        q = reference.random(4, 2, 8, 4, 32, dtype=F16)
        angles = reference.random(5, 50, 16)
        cos, sin = np.cos(angles), np.sin(angles)
        for value_dims, own in (((0, 64), slice(64, 96)), ((32, 96), slice(0, 32))):
            cache = np.full((2, 1, 30, 96), np.nan, F16)
            lengths = np.array([3, 28], np.int32)
            expected = cache.copy()
            turned = attn_mlir.append(k, None, cache, None, lengths, value_dims=value_dims,
                                      q=q, cos=cos, sin=sin)
            for b, first in enumerate((3, 28)):
                for t in range(min(4, 30 - first)):
                    expected[b, :, first + t] = k[b, :, t]
                    c, s = cos[first + t], sin[first + t]
                    x = k[b, :, t, own].astype(np.float32)
                    expected[b, :, first + t, own] = np.concatenate(
                        [x[:, :16] * c - x[:, 16:] * s, x[:, 16:] * c + x[:, :16] * s], -1)
            assert (np.isnan(cache) == np.isnan(expected)).all()
            kept = ~np.isnan(cache)
            assert np.abs(cache[kept].astype(float) - expected[kept]).max() < 4e-3
            assert lengths.tolist() == [7, 30] and turned.shape == q.shape

    def test_without_rotary(self):
        for dim, value_dims in ((2, (0, 2)), (96, (0, 96)), (96, (7, 50)), (17, (16, 17))):
            k = reference.random(3, 2, 1, 4, dim, dtype=F16)
            cache = np.zeros((2, 1, 30, dim), F16)
            lengths = np.array([3, 20], np.int32)
            attn_mlir.append(k, None, cache, None, lengths, value_dims=value_dims)
            for b, first in enumerate((3, 20)):
                assert (cache[b, :, first:first + 4] == k[b]).all()
                cache[b, :, first:first + 4] = 0
            assert (cache == 0).all() and lengths.tolist() == [7, 24]

    def test_errors(self):
        k = reference.random(3, 2, 1, 4, 96, dtype=F16)
        cache = np.zeros((2, 1, 30, 96), F16)
        lengths = np.array([3, 20], np.int32)
        table = np.ones((50, 8), np.float32)
        for what, options in (
                ("k_cache: expected 96 columns, as k has, found 95",
                 {"k_cache": cache[..., :95], "value_dims": (0, 64)}),
                (r"value_dims: expected None beside v_cache, found \(0, 64\)",
                 {"v_cache": cache, "value_dims": (0, 64)}),
                ("v: expected an array, or value_dims, found None", {}),
                (r"value_dims: expected columns of k from its first on or to its last, beside "
                 r"some that are turned, found \(16, 64\)",
                 {"value_dims": (16, 64), "cos": table, "sin": table})):
            arguments = {"k_cache": cache, "v_cache": None, **options}
            with self.assertRaisesRegex(attn_mlir.ArgumentError, what):
                attn_mlir.append(k, None, lengths=lengths, **arguments)


if __name__ == "__main__":
    unittest.main()
