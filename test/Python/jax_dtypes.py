# Dtypes in functions that JAX traces: integers wrap around, and floats are rounded, as in JAX, and
# argmax and argmin find NaNs. With jax_enable_x64, integers of 64 bits do not wrap around at 32.
#
# REQUIRES: capi, jax
# RUN: env JAX_PLATFORMS=cpu %jax-python -W ignore %s
# RUN: env JAX_PLATFORMS=cpu JAX_ENABLE_X64=1 %jax-python -W ignore %s

import unittest

import attn_mlir
import jax
import jax.numpy as jnp
import numpy as np
from attn_mlir.jax import attention

RANDOM = np.random.default_rng(0)
B, H, S, T, D = 1, 2, 9, 11, 8
Q, K, V = (jnp.asarray(RANDOM.normal(size=(B, size, H, D)), "float32") for size in (S, T, T))
I8 = jnp.asarray([-128, 127, *RANDOM.integers(-128, 128, 9)], "int8")
I16 = jnp.asarray([-2**15, 2**15 - 1, *RANDOM.integers(-2**15, 2**15, 9)], "int16")
F16 = jnp.asarray(RANDOM.normal(size=T), "float16")
NAN = jnp.asarray([1, np.nan, 3, 0, np.nan, 2], "float32")


def triple(s, j):
    return jnp.stack([s, jnp.where(j % 3 == 1, jnp.nan, s + 1.0),
                      jnp.where(j % 2 == 1, jnp.nan, s - 1.0)])


def as_float(x, scale=1.0):
    return x.astype("float32") / np.float32(scale)


FUNCTIONS = {
    "argmax": lambda s, b, h, i, j: s + as_float(jnp.argmax(triple(s, j))),
    "argmin": lambda s, b, h, i, j: s + as_float(jnp.argmin(triple(s, j))),
    "sign of NaN": lambda s, b, h, i, j: jnp.where(jnp.isnan(jnp.sign(NAN[j % 6])), 0.0, s),
    "sum": lambda s, b, h, i, j: s + as_float(I8[i] + I8[j], 100),
    "product": lambda s, b, h, i, j: s + as_float(I8[i] * I8[j], 100),
    "two widths": lambda s, b, h, i, j: s + as_float(I8[i] * I16[j], 1e4),
    "difference": lambda s, b, h, i, j: s + as_float(I16[i] - I16[j], 1e4),
    "negation": lambda s, b, h, i, j: s + as_float(-I8[i], 100) + as_float(jnp.abs(I8[j]), 100),
    "quotient": lambda s, b, h, i, j: s + as_float(I8[i] // jnp.int8(-1), 100),
    "square": lambda s, b, h, i, j: s + as_float(I8[i] ** 2 + I8[j] ** 3, 100),
    "large powers": lambda s, b, h, i, j: s + as_float((i - 4) ** 9 % 1000, 1000) + as_float(
        I8[j] ** 11, 100),
    "sum of several": lambda s, b, h, i, j: s + as_float(
        jnp.sum(I8[:3] + I8[j], dtype="int8"), 100),
    "conversion": lambda s, b, h, i, j: s + as_float((i * 37 - 100).astype("int8") * I8[j], 100),
    "to wider": lambda s, b, h, i, j: s + as_float(I8[i].astype("int32") * I8[j], 1e4),
    "unsigned": lambda s, b, h, i, j: s + as_float(
        (i > j).astype("uint8") - (j > 2).astype("uint8"), 100) + as_float(
            ~(j * 30).astype("uint8"), 100),
    "bools": lambda s, b, h, i, j: jnp.where(~jnp.maximum(i > j, j < 2), s, 1.5) + jnp.where(
        ~jnp.minimum(i > j, j > 1), s, 0.5) + jnp.where(
            ~jax.lax.clamp(i < 2, j > 3, j < 8), s, 1.0),
    "fill of bools": lambda s, b, h, i, j: jnp.where(
        ~(I8 < 0).at[i + j].get(mode="fill", fill_value=1), s, 1.5),
    "fill of int8": lambda s, b, h, i, j: s + as_float(
        I8.at[i + 2 * j].get(mode="fill", fill_value=300), 100),
    "fill of bf16": lambda s, b, h, i, j: s + as_float(
        I8.astype("bfloat16").at[i + 2 * j].get(mode="fill", fill_value=0.3) * 1000 % 7),
    "reductions of bools": lambda s, b, h, i, j: jnp.where(
        ~jnp.stack([i > j, i == j, j < 2]).max(), s, 1.5) + jnp.where(
            ~jnp.stack([i > j, i != 5, j > 1]).min(), s, 0.5),
    "broadcasts": lambda s, b, h, i, j: (jnp.stack([s]) + jnp.stack([s, 2.0 * j])[:, None]
                                         * jnp.arange(3, dtype="float32")[None])[i % 2, j % 3],
    "f16": lambda s, b, h, i, j: as_float((s * 1000).astype("float16"), 1000),
    "bf16": lambda s, b, h, i, j: as_float(s.astype("bfloat16")),
    "f16 arithmetic": lambda s, b, h, i, j: s + as_float(F16[i] * F16[j] + jnp.float16(100)),
    "reduce_precision": lambda s, b, h, i, j: jax.lax.reduce_precision(s, 8, 7),
    "32 bits": lambda s, b, h, i, j: s + as_float((j + 1) * 1000000000, 1e9),
    "int64": lambda s, b, h, i, j: s + as_float((i.astype(int) + 1) * 1000000000 * (j - 3), 1e10),
    "sum of int64": lambda s, b, h, i, j: s + as_float(
        jnp.sum(jnp.stack([i, j]).astype(int) * 1000000000), 1e10),
    "back to int32": lambda s, b, h, i, j: s + as_float((
        (i.astype(int) + 1) * 3000000000 if jax.config.jax_enable_x64 else i).astype("int32"), 1e9),
}


def reference(function):
    s = (jnp.einsum("bihd,bjhd->bhij", Q, K) / np.float32(D**0.5)).astype("float32")
    for axes in ((0, None, None, None, 0), (0, None, None, 0, None), (0, None, 0, None, None),
                 (0, 0, None, None, None)):
        function = jax.vmap(function, axes)
    s = function(s, *[jnp.arange(size, dtype="int32") for size in (B, H, S, T)])
    return jnp.einsum("bhij,bjhd->bihd", jax.nn.softmax(s.astype("float32"), -1), V)


class Dtypes(unittest.TestCase):
    def test_functions(self):
        for name, function in FUNCTIONS.items():
            with self.subTest(name):
                np.testing.assert_allclose(attention(Q, K, V, score_mod=function),
                                           reference(function), atol=2e-5, rtol=2e-5)

    def test_masks(self):
        for keeps in (lambda b, h, i, j: I8[i] + I8[j] < 0,
                      lambda b, h, i, j: jnp.maximum(i > j, j < 2),
                      lambda b, h, i, j: jnp.stack([i + 2 >= j, i + j != 5, j < 7]).min()):
            np.testing.assert_allclose(
                attention(Q, K, V, mask_mod=keeps),
                reference(lambda s, b, h, i, j: jnp.where(keeps(b, h, i, j), s, -jnp.inf)),
                atol=2e-5, rtol=2e-5)

    def test_gradients(self):
        """Of a rounded score, once and twice."""
        def of(q, call):
            return jnp.sum(jnp.sin(call(q)))

        def score(s, b, h, i, j):
            return as_float(s.astype("bfloat16") * 2) + as_float(I8[i] + I8[j], 100)

        def plain(q):
            s = jnp.einsum("bihd,bjhd->bhij", q, K) / np.float32(D**0.5)
            total = as_float(I8[:S, None] + I8, 100)
            return jnp.einsum("bhij,bjhd->bihd", jax.nn.softmax(
                as_float(s.astype("bfloat16") * 2) + total, -1), V)

        calls = (lambda q: attention(q, K, V, score_mod=score)), plain
        found, wanted = (jax.grad(of)(Q, its) for its in calls)
        # JAX rounds gradients of the converted score to bfloat16, too.
        np.testing.assert_allclose(found, wanted, atol=2e-2, rtol=2**-6)
        found, wanted = (jax.grad(lambda q, its=its: jnp.sum(jax.grad(of)(q, its) ** 2))(Q)
                         for its in calls)
        np.testing.assert_allclose(found, wanted, atol=5e-2, rtol=2**-6)

    def test_errors(self):
        for message, function in (
                ("expected int32, bool or floats, found int8",
                 lambda s, b, h, i, j: s + as_float(s.astype("int8"))),
                ("expected float16, bfloat16, float32, float64, found float8_e4m3fn",
                 lambda s, b, h, i, j: as_float(s.astype("float8_e4m3fn"))),
                ("expected int32, bool or floats, found sub of uint32",
                 lambda s, b, h, i, j: s + as_float(
                     (i > 2).astype("uint32") - (j > 2).astype("uint32"))),
                ("expected reduce_precision to the bits of bfloat16 or float32, found 5 and 3",
                 lambda s, b, h, i, j: jax.lax.reduce_precision(s, 5, 3))):
            with self.assertRaisesRegex(attn_mlir.Error, f"score_mod: {message}"):
                attention(Q, K, V, score_mod=function)


if __name__ == "__main__":
    unittest.main()
