# Bad input of calls in JAX: one message each, which names the argument.
#
# REQUIRES: capi, jax
# RUN: %jax-python -W ignore %s

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir.jax
import jax
import jax.numpy as jnp
import numpy as np
from attn_mlir.jax import append, attention, decode, dot_product_attention, merge, varlen
from jax_reference import Case, problem, random

q, k, v = problem()
integers = jnp.zeros((4,), jnp.int32)


class Errors(Case):
    def refuses(self, message, function, *args, kind=attn_mlir.Error, **kwargs):
        with self.assertRaisesRegex(kind, message) as context:
            function(*args, **kwargs)
        self.assertNotIn("\n", str(context.exception))

    def test_arrays(self):
        wrong = attn_mlir.ArgumentError
        for message, arrays in (
                ("k: expected dtype float32, found bfloat16", (q, k.astype("bfloat16"), v)),
                ("v: expected dtype float32, found float16", (q, k, v.astype("float16"))),
                ("q: expected dtype float16 or bfloat16 or float32, found int32",
                 (q.astype(int), k, v)),
                (r"q: expected rank 4: \(B, Sq, Hq, D\), found shape \(37, 4, 16\)",
                 (q[0], k, v)),
                ("k: expected 2 in dimension 0, B, found 1", (q, k[:1], v)),
                ("k: expected 16 in dimension 3, D, found 8", (q, k[..., :8], v)),
                ("v: expected 53 in dimension 1, Skv, found 52", (q, k, v[:, 1:])),
                ("k: expected a number of heads that divides q's, 3, found 2",
                 (q[:, :, :3], k, v)),
                ("q: expected an array of shape .*, found list", ([1.0], k, v))):
            self.refuses(message, attention, *arrays, kind=wrong)
        self.refuses("sink: expected 4 in dimension 0, Hq, found 3", attention, q, k, v,
                     sink=random((3,)))

    def test_constants(self):
        # Traced values where the kernel needs numbers.
        for message, options in (
                ("scale: expected a finite number, found ", {"scale": 1.0}),
                ("window: expected ", {"window": (2, 1)}),
                ("causal: expected False, True", {"causal": True}),
                ("return_lse: expected False or True", {"return_lse": True})):
            name, value = next(iter(options.items()))

            def traced(value, name=name):
                return attention(q, k, v, **{name: value})

            self.refuses(message, jax.jit(traced), value)

    def test_options(self):
        self.refuses("causal: expected", attention, q, k, v, causal="left")
        self.refuses("expected causal=True", attention, q, k, v, is_causal=True,
                     kind=TypeError)
        for message, options in (
                ("implementation: expected", {"implementation": "flash"}),
                ("local_window_size: expected", {"local_window_size": (1, 2, 3)}),
                ("local_window_size: expected", {"local_window_size": -1}),
                (r"bias: expected a shape that broadcasts to \(B, N, T, S\) = "
                 r"\(2, 4, 37, 53\), found \(2, 2, 37, 53\)",
                 {"bias": random((2, 2, 37, 53))}),
                ("mask: expected dtype bool .*, found float32",
                 {"mask": random((1, 1, 37, 53))}),
                ("query_seq_lengths: expected 2 in dimension 0, B, found 4",
                 {"query_seq_lengths": integers}),
                ("key_value_seq_lengths: expected dtype int32, found float32",
                 {"key_value_seq_lengths": random((2,))}),
                ("is_causal: expected False or True", {"is_causal": 2})):
            self.refuses(message, dot_product_attention, q, k, v, **options)
        self.refuses("value: expected 16 in dimension 3", dot_product_attention, q, k,
                     v[..., :8])

    def test_functions(self):
        table, numbers = np.zeros((4, 4)), random((1000,))
        for message, function in (
                ("score_mod: expected no branch on a traced number",
                 lambda s, b, h, i, j: s if i > j else 0.0),
                ("score_mod: expected no use of a traced number's value",
                 lambda s, b, h, i, j: s + table[h, h]),
                ("score_mod: expected no use of a traced number's value",
                 lambda s, b, h, i, j: s + [1.0, 2.0][h]),
                ("score_mod: expected a score, found a condition",
                 lambda s, b, h, i, j: i > j),
                ("score_mod: expected one number as the result",
                 lambda s, b, h, i, j: (s, s)),
                ("score_mod: expected one number as the result",
                 lambda s, b, h, i, j: s + numbers),
                ("score_mod: expected an op that has a kernel, found erf_inv",
                 lambda s, b, h, i, j: jax.lax.erf_inv(s)),
                ("score_mod: expected sums and the like of 1 to 64 elements, found "
                 "reduce_sum of 1000", lambda s, b, h, i, j: jnp.sum(numbers * s)),
                ("score_mod: expected an op that has a kernel, found while of JAX.s",
                 lambda s, b, h, i, j: jax.lax.while_loop(lambda x: x < 3, lambda x: x + 1, s)),
                ("score_mod: captured array of shape .*: expected dtype",
                 lambda s, b, h, i, j: s + numbers.astype("float8_e4m3fn")[j].astype(float))):
            self.refuses(message, attention, q, k, v, score_mod=function)
        self.refuses("mask_mod: expected a condition, found a number", attention, q, k, v,
                     mask_mod=lambda b, h, i, j: i - j)
        self.refuses("mask_mod: expected no branch", attention, q, k, v,
                     mask_mod=lambda b, h, i, j: i > j and h > 0)
        self.refuses(r"score_mod: expected a function of \(score, b, h, q, kv\), found int",
                     attention, q, k, v, score_mod=3)

    def test_gradients(self):
        table = random((53, 53))

        def of(table, read):
            return attention(q, k, v, score_mod=lambda s, b, h, i, j: s + read(
                table, i, j)).sum()

        for message, read in (
                ("expected neither q nor kv beside a computed index",
                 lambda table, i, j: table[i, j // 2]),
                ("expected the same indices in all reads",
                 lambda table, i, j: table[i, j] + table[0, j])):
            self.refuses("score_mod: captured array 0 of shape .*" + message,
                         jax.grad(of), table, read)
        def packed(q):
            return varlen(q[0], k[0], v[0], jnp.asarray([0, 37], jnp.int32),
                          jnp.asarray([0, 53], jnp.int32))

        def merged(q):
            return merge([(q, q[..., 0].transpose(0, 2, 1))])[0]

        for name, function in (("attention", lambda q: attention(q, k, v)),
                               ("varlen", packed), ("merge", merged)):
            message = f"{name}: expected derivatives in reverse mode alone"
            self.refuses(message, jax.jvp, function, (q,), (q,))
            self.refuses(message, jax.jacfwd(function), q)
            # Of a function that is jitted JAX itself says so, when it is lowered.
            with self.assertRaisesRegex(TypeError, "forward-mode"):
                jax.jvp(jax.jit(function), (q,), (q,))

        # What has no derivative is no zero.
        twice = jax.grad(lambda q: jax.grad(lambda q: attention(q, k, v).sum())(q).sum())
        self.refuses("expected first derivatives in reverse mode alone", twice, q)
        self.refuses("decode: expected no derivative of it", jax.grad(
            lambda q: decode(q, k, v).sum()), q)
        self.refuses("append: expected no derivative of it", jax.grad(
            lambda k: append(k, v, k, v, integers[:2])[0].sum()), k)
        cu = jnp.asarray([0, 37], jnp.int32)
        self.refuses("score_mod: expected captured arrays without a gradient", jax.grad(
            lambda table: varlen(q[0], k[0], v[0], cu, score_mod=lambda s, b, h, i, j:
                                 s + table[j, j]).sum()), table)

    def test_serving(self):
        cu = jnp.asarray([0, 5], jnp.int32)
        self.refuses("cu_q: expected dtype int32, found float32", varlen, q[0], k[0], v[0],
                     random((2,)))
        self.refuses("q: expected rank 3", varlen, q, k[0], v[0], cu)
        self.refuses(r"cu_kv: expected 2 in dimension 0, N \+ 1, found 4", varlen, q[0],
                     k[0], v[0], cu, integers)
        self.refuses("counts: expected lengths beside it", decode, q, k, v,
                     counts=jnp.zeros((2,), jnp.int32))
        self.refuses("lengths: expected 2 in dimension 0, B, found 4", decode, q, k, v,
                     lengths=integers)
        self.refuses("states: expected pairs", merge, [])
        self.refuses(r"states\[0\]: lse: expected", merge, [(q, q)])
        self.refuses("cos: expected an array beside sin", append, k, v, k, v, integers[:2],
                     sin=random((9, 8)))
        self.refuses("lengths: expected an array", append, k, v, k, v, None)


if __name__ == "__main__":
    import unittest
    unittest.main()
