# Quotients and remainders in functions that JAX traces equal those that JAX computes on the host,
# exactly and for every divisor: 0, -1 with the smallest integer, and numbers of either sign. No
# division traps.
#
# REQUIRES: capi, jax
# RUN: env JAX_PLATFORMS=cpu %jax-python -W ignore %s
# RUN: env JAX_PLATFORMS=cpu JAX_ENABLE_X64=1 %jax-python -W ignore %s

import unittest

import jax
import jax.numpy as jnp
import numpy as np
from attn_mlir.jax import attention

OF_INTEGERS = jnp.floor_divide, jnp.remainder, jnp.fmod, jax.lax.div, jax.lax.rem
OF_FLOATS = jnp.remainder, jnp.fmod, jax.lax.rem, jnp.floor_divide


def zeros(rows):
    return jnp.zeros((1, rows, 1, 8), jnp.float32)


def find_others(call, x, y, functions):
    """Returns the numbers of the pairs of `x` and `y` for which a kernel finds another result of
    `functions` than JAX. Both may be NaN."""
    with jax.ensure_compile_time_eval():
        wanted = [function(x, y) for function in functions]

    def agrees(i):
        kept = True
        for function, want in zip(functions, wanted):
            found, its = function(x[i], y[i]), want[i]
            kept = kept & ((found == its) | ((found != found) & (its != its)))
        return kept

    q, k = zeros(len(x)), zeros(1)
    _, lse = call(q, k, agrees)
    return np.flatnonzero(np.asarray(lse)[0, 0] != 0)


def by_score(q, k, agrees):
    return attention(q, k, k, return_lse=True,
                     score_mod=lambda s, b, h, i, j: jnp.where(agrees(i), 0.0, -jnp.inf))


def by_mask(q, k, agrees):
    return attention(q, k, k, return_lse=True, mask_mod=lambda b, h, i, j: agrees(i))


def pairs_of(dtype):
    limits = np.iinfo(dtype)
    values = np.array([0, 1, -1, 2, -2, 3, -7, limits.max, limits.min, limits.min + 1], dtype)
    return (jnp.asarray(its.ravel()) for its in np.meshgrid(values, values))


class Divisions(unittest.TestCase):
    def check(self, *arguments):
        np.testing.assert_array_equal(find_others(*arguments), [])

    def test_integers(self):
        for dtype in ("int8", "int16", "int32", *(
                ["int64"] if jax.config.jax_enable_x64 else [])):
            for call in (by_score, by_mask)[:1 + (dtype == "int32")]:
                with self.subTest(dtype, call=call):
                    self.check(call, *pairs_of(dtype), OF_INTEGERS)

    def test_constant_divisors(self):
        x, _ = pairs_of("int32")
        functions = [lambda x, _, f=f, y=y: f(x, jnp.int32(y)) for f in OF_INTEGERS
                     for y in (0, 1, -1, 3, -3)]
        for call in (by_score, by_mask):
            self.check(call, x, x, functions)

    def test_overflow_beside_positions(self):
        """A mask function computes with positions in 64 bits."""
        x = jnp.asarray([-2**31, 5], "int32")

        def keeps(b, h, i, j):
            y = j - 1
            return (x[i] // y == x[i]) & (jax.lax.div(x[i], y) == x[i])

        _, lse = attention(zeros(2), *[zeros(1)] * 2,
                           mask_mod=keeps, return_lse=True)
        np.testing.assert_array_equal(lse[0, 0], [0, -np.inf])

    def test_unsigned(self):
        numbers = jnp.arange(12, dtype="int32")
        values = numbers.astype("uint8") * 20, (numbers % 3).astype("uint8")
        functions = [lambda x, y, f=f: f(x, y).astype("int32") for f in (
            jnp.floor_divide, jnp.remainder, jax.lax.div, jax.lax.rem)]
        with jax.ensure_compile_time_eval():
            results = [f(*values) for f in functions]

        def agrees(i):
            x, y = i.astype("uint8") * 20, (i % 3).astype("uint8")
            kept = True
            for f, its in zip(functions, results):
                kept = kept & (f(x, y) == its[i])
            return kept

        _, lse = by_score(zeros(12), zeros(1), agrees)
        np.testing.assert_array_equal(np.flatnonzero(np.asarray(lse)[0, 0] != 0), [])

    def test_names_of_divisions(self):
        """A caller's functions with the names of JAX's divisions keep their meanings."""
        @jax.jit
        def floor_divide(x, y):
            return x * y

        @jax.jit
        def remainder(x, y):
            return x + y

        for call in (by_score, by_mask):
            self.check(call, *[jnp.arange(-3, 4, dtype="int32")] * 2, (floor_divide, remainder))

    def test_positions(self):
        """Divisors that are 0 and -1 at some pairs."""
        def score(s, b, h, i, j):
            x, y = i - 3, j - 2
            return s + (jax.lax.div(x, y) + 10 * jax.lax.rem(x, y) + 100 * (x // y)
                        + 1000 * (x % y)) / 4000

        rng = np.random.default_rng(0)
        q, k, v = (jnp.asarray(rng.normal(size=(1, size, 1, 8)), "float32")
                   for size in (7, 9, 9))
        i, j = jnp.arange(7, dtype="int32")[:, None], jnp.arange(9, dtype="int32")[None]
        scores = score(jnp.einsum("bihd,bjhd->ij", q, k) / 8**0.5, 0, 0, i, j)
        np.testing.assert_allclose(attention(q, k, v, score_mod=score)[0, :, 0],
                                   jax.nn.softmax(scores, -1) @ v[0, :, 0],
                                   atol=1e-5, rtol=1e-5)

    def test_floats(self):
        rng = np.random.default_rng(0)
        x = rng.normal(size=500) * 10.0**rng.integers(-3, 4, 500)
        y = rng.normal(size=500) + np.sign(rng.normal(size=500)) * 0.2
        x[:12] = [1, -1, 0.3, -0.3, 6, -6, np.inf, 5, -5, 1, 0, -0.0]
        y[:12] = [0.1, 0.1, 0.1, 0.1, 3, 3, 2, np.inf, np.inf, 0, 0, 3]
        self.check(by_score, jnp.asarray(x, "float32"), jnp.asarray(y, "float32"), OF_FLOATS)


if __name__ == "__main__":
    unittest.main()
