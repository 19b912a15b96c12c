# Packed sequences of 8 bits and of 4 in JAX, with scales.
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
from jax_reference import Case, attention, in_double, random

LARGEST = {"float8_e4m3fn": 448, "float8_e5m2": 57344, "int8": 127, "int4": 7}
CU = (0, 17, 17, 18, 71)


def quantized(shape, dtype, form):
    """Quantizes random numbers, (T, H, D). Returns the stored array, its scale, and the numbers
    that these stand for."""
    x = np.asarray(random(shape))
    axes = {"tensor": (0, 1, 2), "head": (0, 2), "token": (2,), "block": (2,)}[form]
    scale = np.abs(x).max(axes, keepdims=True)
    if form == "block":
        for first in range(0, shape[0], 16):
            scale[first:first + 16] = scale[first:first + 16].max(0)
    scale = scale / np.float32(LARGEST[dtype])
    stored = x / scale
    if dtype.startswith("int"):
        stored = np.rint(stored)
    stored = jnp.asarray(stored).astype(dtype)
    own = {"tensor": lambda: scale.reshape(()), "head": lambda: scale[0, :, 0],
           "token": lambda: scale[..., 0], "block": lambda: scale[::16, :, 0]}[form]()
    meant = np.asarray(stored.astype("float32"), np.float64) * scale
    return stored, jnp.asarray(own), jnp.asarray(meant, "float32")


def pack(x):
    low, high = (x[..., first::2].astype("int8").astype("uint8") for first in (0, 1))
    return low & 15 | high << 4


def varlen(q, k, v, cu_q, cu_kv, causal=False, score=None, sink=None):
    """Computes each packed sequence by itself."""
    outputs, lses = [], []
    for n in range(len(cu_q) - 1):
        part = [q[None, cu_q[n]:cu_q[n + 1]],
                *(its[None, cu_kv[n]:cu_kv[n + 1]] for its in (k, v))]
        shift = part[1].shape[1] - part[0].shape[1]
        mask = (lambda b, h, i, j, s=shift: j <= i + s) if causal else None
        own = (lambda s, b, h, i, j, n=n: score(s, n, h, i, j)) if score else None
        o, lse = attention(*part, score=own, mask=mask, sink=sink)
        outputs.append(o[0])
        lses.append(lse[0])
    return jnp.concatenate(outputs), jnp.concatenate(lses, 1)


class Packed(Case):
    def test_mean(self):
        q, k = random((71, 4, 32), "float16"), random((71, 2, 32), "float16")
        v, scale, wide = quantized((71, 2, 16), "int8", "head")
        mean = random((1, 2, 16)) + 10
        cu = jnp.asarray(CU, "int32")
        wanted, _ = in_double(lambda q, k, v: varlen(q, k, v, CU, CU), q, k,
                              jnp.asarray(wide) + mean)
        found = attn_mlir.jax.varlen(q, k, v, cu, v_scale=scale, v_mean=mean, out_dtype="f32")
        self.check(found, wanted, "float16", 2)
        channels = random((1, 2, 16)) / 64
        wanted, _ = in_double(lambda q, k, v: varlen(q, k, v, CU, CU), q, k,
                              v.astype("float32") * channels)
        found = attn_mlir.jax.varlen(q, k, v, cu, v_scale=channels, out_dtype="f32")
        self.check(found, wanted, "float16", 2)

    def test_keys_and_values(self):
        cu_kv = (0, 40, 41, 47, 101)
        for number, (of_k, of_v, form, dtype, heads) in enumerate((
                ("float8_e4m3fn", "float8_e4m3fn", "head", "bfloat16", 2),
                ("int8", "float8_e5m2", "token", "float16", 2),
                ("int4", "int4", "tensor", "float32", 2),
                ("int4", "int8", "token", "float16", 1),
                ("float8_e5m2", "int8", "block", "float16", 2))):
            q = random((71, 4, 32), dtype)
            k, k_scale, wide_k = quantized((101, heads, 32), of_k, form)
            v, v_scale, wide_v = quantized((101, heads, 16), of_v, form)
            slopes, sink = random((4,)), random((4,))

            def score(s, b, h, i, j):
                return s + slopes[h] * (j - i) * 0.1 + 0.25 * b

            wanted = in_double(lambda q, k, v, sink: varlen(
                q, k, v, CU, cu_kv, causal=True, score=score, sink=sink), q, wide_k, wide_v,
                sink)
            scales = [(its, 16) if form == "block" else its for its in (k_scale, v_scale)]
            function = jax.jit(lambda q, k, v, ks, vs, *cu: attn_mlir.jax.varlen(
                q, k, v, *cu, k_scale=(ks, 16) if form == "block" else ks, causal=True,
                v_scale=(vs, 16) if form == "block" else vs, return_lse=True, sink=sink,
                score_mod=score))
            cu = [jnp.asarray(its, "int32") for its in (CU, cu_kv)]
            for found, own in zip(function(q, k, v, k_scale, v_scale, *cu), wanted):
                self.check(found, own, dtype, 2, (number, of_k))
            if of_k == of_v == "int4":
                found = attn_mlir.jax.varlen(
                    q, pack(k), pack(v), *cu, k_scale=scales[0], v_scale=scales[1],
                    kv_dtype="i4", causal=True, sink=sink, score_mod=score)
                self.check(found, wanted[0], dtype, 2, "bytes")

    def test_queries_and_outputs(self):
        q, q_scale, wide_q = quantized((71, 4, 32), "float8_e4m3fn", "token")
        k, k_scale, wide_k = quantized((71, 2, 32), "float8_e4m3fn", "head")
        v, v_scale, wide_v = quantized((71, 2, 32), "float8_e5m2", "head")
        wanted, _ = in_double(lambda q, k, v: varlen(q, k, v, CU, CU), wide_q, wide_k, wide_v)
        cu = jnp.asarray(CU, "int32")
        options = {"q_scale": q_scale, "k_scale": k_scale, "v_scale": v_scale,
                   "fast_accumulate": True}
        found = attn_mlir.jax.varlen(q, k, v, cu, **options)
        self.assertEqual(found.dtype, "bfloat16")
        self.check(found, wanted, "bfloat16", 2)
        self.check(attn_mlir.jax.varlen(q, k, v, cu, out_dtype="f32", **options), wanted,
                   "float16", 2)
        found = attn_mlir.jax.varlen(q, k, v, cu, out_scale=jnp.full((4,), 0.01), **options)
        self.assertEqual(found.dtype, "float8_e4m3fn")
        np.testing.assert_allclose(np.asarray(found.astype("float32")) * 0.01, wanted,
                                   rtol=0.07, atol=0.003)

    def test_what_nobody_may_read(self):
        """Tokens and scales that belong to no sequence are NaN and must not be read. Rows of no
        sequence have an output of 0."""
        q = random((71, 4, 32), "float16")
        k, k_scale, wide_k = quantized((71, 2, 32), "float8_e4m3fn", "token")
        v, v_scale, wide_v = quantized((71, 2, 32), "float8_e4m3fn", "token")
        q, k, v, k_scale, v_scale = (its.at[61:].set(jnp.nan)
                                     for its in (q, k, v, k_scale, v_scale))
        cu = (0, 30, 61)
        found = attn_mlir.jax.varlen(q, k, v, jnp.asarray(cu, "int32"), k_scale=k_scale,
                                     v_scale=v_scale)
        wanted, _ = in_double(lambda *its: varlen(*its, cu, cu), q[:61], wide_k[:61],
                              wide_v[:61])
        self.check(found[:61], wanted, "float16", 2)
        np.testing.assert_array_equal(found[61:], 0)

    def test_vmap(self):
        cu = jnp.asarray([[0, 9, 20], [0, 0, 13]], "int32")
        q = random((2, 20, 4, 16), "float16")
        k, scale, wide = quantized((20, 2, 16), "int8", "head")
        found = jax.vmap(lambda q, cu: attn_mlir.jax.varlen(
            q, k, k, cu, k_scale=scale, v_scale=scale))(q, cu)
        for n in range(2):
            own = [int(its) for its in cu[n]]
            wanted, _ = in_double(lambda q, k: varlen(q, k, k, own, own), q[n], wide)
            self.check(found[n, :own[-1]], wanted, "float16", 2, n)

    def test_errors(self):
        q = random((9, 4, 16), "float16")
        k, scale, _ = quantized((9, 2, 16), "float8_e4m3fn", "token")
        cu = jnp.asarray([0, 9], "int32")

        def call(*arrays, **options):
            return attn_mlir.jax.varlen(*arrays, cu, **options)

        for message, wrong in (
                ("k_scale: expected dtype f32",
                 lambda: call(q, k, k, k_scale=scale.astype("float16"))),
                (r"k_scale: expected sizes \(\), \(H,\) or \(T, H\)",
                 lambda: call(q, k, k, k_scale=scale[:5])),
                (r"v_scale: expected sizes \(\), \(H,\), \(T, H\) or \(1, H, Dv\)",
                 lambda: call(q, k, k, v_scale=jnp.ones((4,)))),
                ("out_scale: expected an array of float32 beside an output of",
                 lambda: call(q, k, k, out_dtype="float8_e5m2")),
                ("k: expected kv_dtype='i4' beside an array of uint8",
                 lambda: call(q, pack(k), k)),
                ("kv_dtype: expected None without keys or values of uint8",
                 lambda: call(q, k, k, kv_dtype="i4")),
                ("k: expected 16 columns, as q has, found 32",
                 lambda: call(q, k.astype("uint8"), k.astype("uint8"), kv_dtype="i4")),
                ("expected an even head dim of int4",
                 lambda: call(q, k[..., :15].astype("int4"), k.astype("int4"))),
                ("q: expected dtype .* found int8", lambda: call(k.astype("int8"), k, k)),
                ("k: expected a number of heads that divides q's",
                 lambda: call(q[:, :3], k, k)),
                ("fast_accumulate: expected False or True, found 3",
                 lambda: call(q, k, k, fast_accumulate=3)),
                ("expected no derivative of it",
                 lambda: jax.grad(lambda q: call(q, k, k).sum())(q))):
            with self.subTest(message), self.assertRaisesRegex(attn_mlir.Error, message):
                wrong()


if __name__ == "__main__":
    unittest.main()
