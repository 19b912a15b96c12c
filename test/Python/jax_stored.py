# Queries, keys, values and caches of 8 bits and of 4 in JAX, with scales.
#
# REQUIRES: capi, jax
# RUN: %jax-python -W ignore %s

import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import attn_mlir.jax
import jax
import jax.numpy as jnp
import numpy as np
from jax_reference import Case, attention, in_double, random, rng

LARGEST = {"float8_e4m3fn": 448, "float8_e5m2": 57344, "int8": 127, "int4": 7}


def quantized(shape, dtype, form, of=None):
    """Quantizes random numbers, (B, S, H, D). Returns the stored array, its scale, and the numbers
    that these stand for."""
    x = np.asarray(random(shape)) if of is None else np.asarray(of, np.float32)
    axes = {"tensor": (0, 1, 2, 3), "head": (1, 3), "token": (3,)}[form]
    scale = np.abs(x).max(axes, keepdims=True) / np.float32(LARGEST[dtype])
    stored = x / scale
    if dtype.startswith("int"):
        stored = np.rint(stored)
    stored = jnp.asarray(stored).astype(dtype)
    # Calls take scales of the shapes (), (B, H) or (B, H, S).
    own = scale.transpose(0, 2, 1, 3)
    own = {"tensor": lambda: own.reshape(()), "head": lambda: own[:, :, 0, 0],
           "token": lambda: own[..., 0]}[form]()
    return stored, jnp.asarray(own), jnp.asarray(
        np.asarray(stored.astype("float32"), np.float64) * scale, "float32")


def pack(x):
    low, high = (x[..., first::2].astype("int8").astype("uint8") for first in (0, 1))
    return low & 15 | high << 4


class Attention(Case):
    def test_keys_and_values(self):
        for number, (of_k, of_v, form, dtype, rows, keys) in enumerate((
                ("float8_e4m3fn", "float8_e4m3fn", "head", "bfloat16", 37, 53),
                ("int8", "float8_e5m2", "token", "float16", 1, 300),
                ("int4", "int4", "tensor", "float32", 5, 70),
                ("int4", "int8", "token", "float16", 40, 41))):
            q = random((2, rows, 4, 32), dtype)
            k, k_scale, wide_k = quantized((2, keys, 2, 32), of_k, form)
            v, v_scale, wide_v = quantized((2, keys, 2, 16), of_v, form)
            wanted = in_double(attention, q, wide_k, wide_v)
            function = jax.jit(lambda q, k, v, ks, vs: attn_mlir.jax.attention(
                q, k, v, k_scale=ks, v_scale=vs, return_lse=True))
            for found, own in zip(function(q, k, v, k_scale, v_scale), wanted):
                self.check(found, own, dtype, 2, (number, of_k))
            if of_k == of_v == "int4":
                found = attn_mlir.jax.attention(q, pack(k), pack(v), k_scale=k_scale,
                                                v_scale=v_scale, kv_dtype="i4")
                self.check(found, wanted[0], dtype, 2, "bytes")

    def test_queries_and_outputs(self):
        q, q_scale, wide_q = quantized((2, 33, 4, 32), "float8_e4m3fn", "token")
        k, k_scale, wide_k = quantized((2, 40, 2, 32), "float8_e4m3fn", "head")
        v, v_scale, wide_v = quantized((2, 40, 2, 32), "float8_e5m2", "head")
        wanted, _ = in_double(lambda q, k, v: attention(
            q, k, v, mask=lambda b, h, i, j: j <= i + 7), wide_q, wide_k, wide_v)
        options = {"q_scale": q_scale, "k_scale": k_scale, "v_scale": v_scale,
                   "causal": "bottom_right", "fast_accumulate": True}
        self.check(attn_mlir.jax.attention(q, k, v, **options), wanted, "bfloat16", 2)
        self.check(attn_mlir.jax.attention(q, k, v, out_dtype="f32", **options), wanted,
                   "float16", 2)
        scale = jnp.full((1, 4), 0.01)
        found = attn_mlir.jax.attention(q, k, v, out_scale=scale, **options)
        self.assertEqual(found.dtype, "float8_e4m3fn")
        np.testing.assert_allclose(np.asarray(found.astype("float32")) * 0.01, wanted,
                                   rtol=0.07, atol=0.003)

    def test_means(self):
        """A mean of values within jit, and of a cache and of its pages, with a sink."""
        q, k = random((2, 5, 4, 32), "float16"), random((2, 40, 2, 32), "float16")
        v, scale, wide = quantized((2, 40, 2, 24), "int8", "head")
        sink = jnp.asarray([-1.0, 0.0, 1.0, 3.0])
        for sizes in ((2, 2, 1, 24), (1, 2, 1, 24)):
            mean = random(sizes) + 10
            meant = jnp.asarray(wide) + jnp.swapaxes(mean, 1, 2)
            wanted, _ = in_double(attention, q, k, meant)
            found = jax.jit(lambda q, k, v, mean: attn_mlir.jax.attention(
                q, k, v, v_scale=scale, v_mean=mean, out_dtype="f32"))(q, k, v, mean)
            self.check(found, wanted, "float16", 2, sizes)
            wanted, _ = in_double(lambda q, k, v: attention(
                q, k, v, sink=sink, mask=lambda b, h, i, j: j <= i + 35), q, k, meant)
            found = attn_mlir.jax.decode(q, k, v, v_scale=scale, v_mean=mean, sink=sink,
                                         causal=True, out_dtype="f32")
            self.check(found, wanted, "float16", 2, sizes)
        # Values in pages have the same mean for all batch entries.
        table = jnp.array([[3, 0, 1], [4, 2, 5]])
        pools = [jnp.zeros((6, 16, 2, its.shape[3]), its.dtype).at[table.reshape(-1)].set(
            jnp.pad(its, ((0, 0), (0, 8), (0, 0), (0, 0))).reshape(6, 16, 2, -1))
            for its in (k, wide.astype("float16"))]
        wanted, _ = in_double(lambda q, k, v: attention(q, k, v, sink=sink), q, k, jnp.asarray(
            wide.astype("float16"), "float32") + jnp.swapaxes(mean, 1, 2))
        found = attn_mlir.jax.decode(q, *pools, page_table=table, lengths=jnp.array([40, 40]),
                                     v_mean=mean, sink=sink, out_dtype="f32")
        self.check(found, wanted, "float16", 2, "pages")
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^v_mean: expected sizes"):
            attn_mlir.jax.attention(q, k, v, v_mean=random((2, 4, 1, 24)))
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "^dropout_p: expected none beside"):
            attn_mlir.jax.attention(q, k, k, v_mean=mean, dropout_p=0.5, seed=(1, 2))

    def test_values_along_keys(self):
        for number, (of_q, of_v, form, keys) in enumerate((
                ("float16", "float16", None, 1), ("float32", "float32", None, 131),
                ("bfloat16", "float8_e4m3fn", "head", 300), ("float16", "int8", "token", 67))):
            q, k = random((2, 5, 4, 32), of_q), random((2, keys, 2, 32), of_q)
            v, scale = random((2, keys, 2, 24), of_v), None
            wide = v
            if form:
                v, scale, wide = quantized((2, keys, 2, 24), of_v, form)
            wanted = in_double(attention, q, k, wide)
            function = jax.jit(lambda q, k, v: attn_mlir.jax.attention(
                q, k, v, v_scale=scale, value_along_keys=True, return_lse=True))
            turned = jnp.transpose(v, (0, 2, 3, 1))
            for found, own in zip(function(q, k, turned), wanted):
                self.check(found, own, of_q, 2, (number, of_v))
        found = jax.vmap(lambda v: attn_mlir.jax.attention(q, k, v, v_scale=scale,
                                                           value_along_keys=True))(
            jnp.stack([turned, -turned]))
        self.check(found[1], -wanted[0], of_q, 2, "vmap")
        # A cache, and the same keys in pages in another order. Keys past the lengths are NaN.
        lengths, table = jnp.array([67, 20]), jnp.array([[3, 0, 1, 5, 2], [4, 7, 9, 8, 6]])
        wanted = in_double(lambda q, k, v: attention(
            q, k, v, mask=lambda b, h, i, j: j < lengths[b]), q, k, wide)
        past = jnp.arange(67)[None, :, None, None] >= lengths[:, None, None, None]
        k, v = jnp.where(past, jnp.nan, k), jnp.where(past, 127, v.astype("int32")).astype("int8")
        rows = dict(v_scale=scale, value_along_keys=True, lengths=lengths)
        turned = jnp.transpose(v, (0, 2, 3, 1))
        self.check(attn_mlir.jax.decode(q, k, turned, **rows), wanted[0], of_q, 2, "decode")
        pages = [jnp.zeros((10, 16, 2, its.shape[3]), its.dtype).at[table.reshape(-1)].set(
            jnp.pad(its, ((0, 0), (0, 13), (0, 0), (0, 0))).reshape(10, 16, 2, -1))
            for its in (k, v)]
        of_pages = jnp.zeros((10, 2, 16)).at[table.reshape(-1)].set(jnp.pad(
            scale, ((0, 0), (0, 0), (0, 13))).reshape(2, 2, 5, 16).transpose(
                0, 2, 1, 3).reshape(10, 2, 16))
        rows.update(v_scale=of_pages, page_table=table)
        found = jax.jit(lambda q, k, v: attn_mlir.jax.decode(q, k, v, **rows))(
            q, pages[0], jnp.transpose(pages[1], (0, 2, 3, 1)))
        self.check(found, wanted[0], of_q, 2, "pages")
        turned = jnp.transpose(v, (0, 2, 3, 1))
        for message, call in (
                ("v: expected 2 in dimension 1, Hkv, found 67", lambda: v),
                ("value_along_keys: expected False with values of 4 bits, found True",
                 lambda: turned.astype("int4"))):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, message):
                attn_mlir.jax.attention(q, k, call(), value_along_keys=True)
        with self.assertRaisesRegex(attn_mlir.Error, "expected no derivative of it"):
            jax.grad(lambda q: attn_mlir.jax.attention(
                q, k, turned, value_along_keys=True).sum())(q)

    def test_vmap_and_functions(self):
        q = random((3, 2, 20, 4, 16), "float16")
        k, _, wide = quantized((6, 30, 2, 16), "int8", "tensor")
        k, wide = (its.reshape((3, 2, 30, 2, 16)) for its in (k, wide))
        slopes = random((4,))
        scale = jnp.float32(float(np.abs(np.asarray(wide)).max()) / 127)

        def call(q, k):
            return attn_mlir.jax.attention(
                q, k, k, k_scale=scale, v_scale=scale,
                score_mod=lambda s, b, h, i, j: s + slopes[h] * (j - i))

        found = jax.vmap(call)(q, k)
        for n in range(3):
            wanted, _ = in_double(lambda q, k, slopes: attention(
                q, k, k, score=lambda s, b, h, i, j: s + slopes[h] * (j - i)),
                q[n], wide[n], slopes)
            self.check(found[n], wanted, "float16", 2, n)

    def test_errors(self):
        q = random((1, 9, 4, 16), "float16")
        k, scale, _ = quantized((1, 9, 2, 16), "float8_e4m3fn", "token")
        attend = attn_mlir.jax.attention
        for message, call in (
                ("k_scale: expected dtype f32",
                 lambda: attend(q, k, k, k_scale=scale.astype("float16"))),
                (r"k_scale: expected sizes \(\), \(B, Hkv\)",
                 lambda: attend(q, k, k, k_scale=scale[:, :, :5])),
                ("out_scale: expected an array of float32 beside an output of",
                 lambda: attend(q, k, k, out_dtype="float8_e5m2")),
                ("k: expected kv_dtype='i4' beside an array of uint8",
                 lambda: attend(q, pack(k), k)),
                ("kv_dtype: expected None without keys or values of uint8",
                 lambda: attend(q, k, k, kv_dtype="i4")),
                ("k: expected 16 columns, as q has, found 32",
                 lambda: attend(q, k.astype("uint8"), k.astype("uint8"), kv_dtype="i4")),
                ("q: expected dtype .* found int8", lambda: attend(k.astype("int8"), k, k)),
                ("k: expected dtype .* found float8_e4m3b11fnuz",
                 lambda: attend(q, k.astype("float8_e4m3b11fnuz"), k)),
                ("deterministic: expected False or True, found 3",
                 lambda: attend(q, k, k, deterministic=3)),
                ("k_scale: expected an array of float32, found float",
                 lambda: attn_mlir.jax.append(q[:, :, :2], q[:, :, :2], k, k,
                                              jnp.zeros((1,), "int32"), k_scale=0.5,
                                              v_scale=jnp.ones(()))),
                ("cache: expected latents of the same dtype as keys with rotary embedding",
                 lambda: attn_mlir.jax.mla_decode(q, (k[:, :, 0], q[:, :, 0]), scale=1.0)),
                ("expected no derivative of it",
                 lambda: jax.grad(lambda q: attend(q, k, k).sum())(q))):
            with self.subTest(message), self.assertRaisesRegex(attn_mlir.Error, message):
                call()


class States(Case):
    """Merges states whose outputs have 8 bits, and merges states to results of 8 bits."""

    def setUp(self):
        self.lses = [jnp.asarray(random((2, 4, 9))) for _ in range(2)]
        o, scale, wide = quantized((2, 9, 4, 32), "float8_e4m3fn", "head")
        other, one, of_other = quantized((2, 9, 4, 32), "float8_e4m3fn", "tensor")
        self.states = [(o, self.lses[0], scale), (other, self.lses[1], one)]
        self.wide = [(wide, self.lses[0]), (of_other, self.lses[1])]

    def wanted(self):
        weights = np.exp(np.asarray(self.lses, np.float64))
        weights = weights / weights.sum(0)
        return sum([weight.transpose(0, 2, 1)[..., None] * np.asarray(own, np.float64)
                    for weight, (own, _) in zip(weights, self.wide)])

    def test_merge(self):
        merge, wanted = attn_mlir.jax.merge, self.wanted()
        lse = np.log(np.exp(np.asarray(self.lses, np.float64)).sum(0))
        found = jax.jit(merge)(self.states)
        self.assertEqual(found[0].dtype, "bfloat16")
        self.check(found[0], wanted, "bfloat16")
        self.check(found[1], lse)
        found = merge(self.states, out_dtype="f32", return_lse=False)
        self.check(found, wanted, factor=4)
        for dtype, sizes, half in (("float8_e4m3fn", (1, 4), 2**-4), ("float8_e5m2", (), 2**-3)):
            scale = jnp.full(sizes, 0.02)
            for own in (self.states, self.wide):
                found = jax.jit(lambda own, scale: merge(
                    own, out_scale=scale, out_dtype=dtype, return_lse=False))(own, scale)
                self.assertEqual(found.dtype, dtype)
                np.testing.assert_allclose(np.asarray(found.astype("float32")) * 0.02, wanted,
                                           rtol=1.01 * half, atol=0.02 * 2**-9)

    def test_vmap(self):
        """vmap maps the scale of one state, while all entries share the other state's scale."""
        (o, lse, scale), (other, its, one) = self.states
        scales = jnp.stack([scale, 2 * scale, 0.5 * scale])
        found = jax.vmap(lambda scale: attn_mlir.jax.merge(
            [(o, lse, scale), (other, its, one)], out_dtype="f32", return_lse=False))(scales)
        for n in range(3):
            wanted = attn_mlir.jax.merge([(o, lse, scales[n]), (other, its, one)],
                                         out_dtype="f32", return_lse=False)
            np.testing.assert_array_equal(found[n], wanted)

    def test_derivatives(self):
        """A merge has no derivative if its states or its result have 8 bits. A merge of states of
        float16 to a result of float32 has derivatives."""
        def total(lse):
            return attn_mlir.jax.merge([(*self.states[0][:1], lse, self.states[0][2]),
                                        self.states[1]])[1].sum()

        with self.assertRaisesRegex(attn_mlir.Error, "^states: expected dtypes of 16 or 32 bits "
                                    "where a derivative is needed"):
            jax.grad(total)(self.lses[0])
        with self.assertRaisesRegex(attn_mlir.Error, "^out_dtype: expected dtypes of 16 or 32"):
            jax.grad(lambda lse: attn_mlir.jax.merge(
                [(self.wide[0][0], lse), self.wide[1]], out_scale=jnp.ones(()))[1].sum())(
                    self.lses[0])
        halves = [(own.astype("float16"), lse) for own, lse in self.wide]
        value, grad = jax.value_and_grad(lambda own: attn_mlir.jax.merge(
            [(own, halves[0][1]), halves[1]], out_dtype="f32", return_lse=False).sum())(
                halves[0][0])
        self.assertEqual((value.dtype, grad.dtype), ("float32", "float16"))
        weights = jax.nn.softmax(jnp.stack(self.lses), 0)[0]
        self.check(grad, jnp.broadcast_to(jnp.swapaxes(weights, 1, 2)[..., None], grad.shape),
                   "float16")

    def test_errors(self):
        merge, (state, other) = attn_mlir.jax.merge, self.states
        for message, call in (
                (r"states\[1\]: scale: expected an array of float32 beside an output of "
                 "float8_e4m3fn", lambda: merge([state, other[:2]])),
                (r"states\[0\]: scale: expected an array of float32, found float",
                 lambda: merge([(*state[:2], 0.5)])),
                (r"states\[0\]: scale: expected sizes \(\) or \(B, H\)",
                 lambda: merge([(*state[:2], jnp.ones((2, 3)))])),
                (r"states\[0\]: scale: expected None beside an output of neither",
                 lambda: merge([(*self.wide[0], state[2])])),
                ("out_scale: expected an array of float32 beside an output of float8_e5m2",
                 lambda: merge(self.states, out_dtype="float8_e5m2"))):
            with self.subTest(message), self.assertRaisesRegex(attn_mlir.Error, message):
                call()


class Caches(Case):
    def test_append_and_decode(self):
        for number, (stored, makes, pages) in enumerate((
                ("float8_e4m3fn", False, True), ("uint8", True, False),
                ("int8", True, True), ("uint8", False, False))):
            is_i4 = stored == "uint8"
            kind, kv_dtype = ("int4", "i4") if is_i4 else (stored, None)
            width = 16 if is_i4 else 32
            shape = (10, 16, 2) if pages else (2, 80, 2)
            caches = [jnp.zeros((*shape, width), stored) for _ in range(2)]
            table = jnp.asarray(rng.permutation(10).reshape(2, 5), "int32") if pages else None
            new = [random((2, 70, 2, 32), "float16") for _ in range(2)]
            scales = [jnp.zeros((shape[0], 2, shape[1])) if makes else
                      jnp.full((1, 2), {"int4": 0.5}.get(kind, 0.03)) for _ in range(2)]
            step = jax.jit(lambda k, v, kc, vc, n, ks, vs: attn_mlir.jax.append(
                k, v, kc, vc, n, page_table=table, k_scale=ks, v_scale=vs, kv_dtype=kv_dtype))
            lengths = jnp.zeros((2,), "int32")
            for first, last in ((0, 69), (69, 70)):
                found = step(*[its[:, first:last] for its in new], *caches, lengths, *scales)
                caches, lengths = list(found[:2]), found[2]
                self.assertEqual(len(found), 5 if makes else 3)
                scales = list(found[3:]) or scales
            np.testing.assert_array_equal(lengths, [70, 70])
            wide = []
            for its, cache, scale in zip(new, caches, scales):
                if makes:
                    _, _, meant = quantized(None, kind, "token", of=its)
                else:
                    x = np.asarray(its, np.float32) / np.asarray(scale)[0, 0]
                    x = x.clip(*((-8, 7) if is_i4 else (-448, 448)))
                    x = jnp.asarray(np.rint(x) if is_i4 else x).astype(
                        "float32" if is_i4 else stored)
                    meant = x.astype("float32") * scale[0, 0]
                wide.append(meant)
            q = random((2, 3, 4, 32), "float16")
            found = attn_mlir.jax.decode(
                q, *caches, lengths=lengths, page_table=table, causal=True,
                k_scale=scales[0], v_scale=scales[1], kv_dtype=kv_dtype)
            wanted, _ = in_double(lambda q, k, v: attention(
                q, k, v, mask=lambda b, h, i, j: j <= i + 67), q, *wide)
            self.check(found, wanted, "float16", 2, number)

    def test_append_to_one_cache_of_8_bits(self):
        """If one cache has the dtype of k, only the other one has a scale."""
        new, lengths = random((1, 3, 2, 32), "float16"), jnp.zeros((1,), "int32")
        wide, narrow = jnp.zeros((1, 10, 2, 32), "float16"), jnp.zeros((1, 10, 2, 32), "int8")
        scale = jnp.full((), 0.03)
        stored = np.rint(np.asarray(new, np.float32) / np.float32(0.03)).clip(-128, 127)
        for caches, name in (((wide, narrow), "v_scale"), ((narrow, wide), "k_scale")):
            found = attn_mlir.jax.append(new, new, *caches, lengths, **{name: scale})
            for cache in found[:2]:
                wanted = stored if cache.dtype == "int8" else np.asarray(new)
                np.testing.assert_array_equal(cache[:, :3], wanted)
            with self.assertRaisesRegex(attn_mlir.Error, f"^{name}: expected sizes"):
                attn_mlir.jax.append(new, new, *caches, lengths, **{name: jnp.zeros((1, 2, 10))})
            other = "v_scale" if name == "k_scale" else "k_scale"
            with self.assertRaisesRegex(attn_mlir.Error, "_scale: expected (None|an array) beside"):
                attn_mlir.jax.append(new, new, *caches, lengths, **{other: scale})


if __name__ == "__main__":
    unittest.main()
