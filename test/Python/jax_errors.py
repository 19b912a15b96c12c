# Bad input of calls in JAX: one message each, which names the argument.
#
# REQUIRES: capi, jax
# RUN: env XLA_FLAGS=--xla_force_host_platform_device_count=2 JAX_PLATFORMS=cpu %jax-python -W ignore %s

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import functools

import attn_mlir.jax
import jax
import jax.numpy as jnp
import numpy as np
from attn_mlir.jax import append, attention, decode, dot_product_attention, merge, varlen
from jax_reference import Case, problem, random

q, k, v = problem()
integers = jnp.zeros((4,), jnp.int32)


class Foreign:
    """An array of an unknown package."""

    def __init__(self, array):
        self.shape, self.dtype = array.shape, array.dtype


class Errors(Case):
    def refuses(self, message, function, *args, kind=attn_mlir.Error, **kwargs):
        with self.assertRaisesRegex(kind, message) as context:
            function(*args, **kwargs)
        self.assertNotIn("\n", str(context.exception))

    def test_arrays(self):
        wrong = attn_mlir.ArgumentError
        for message, arrays in (
                ("k: expected dtype float32 or int8 or float8_e4m3fn or float8_e5m2 or uint8 or "
                 "int4, found bfloat16", (q, k.astype("bfloat16"), v)),
                ("v: expected dtype float32 or int8 or float8_e4m3fn or float8_e5m2 or uint8 or "
                 "int4, found float16", (q, k, v.astype("float16"))),
                ("q: expected dtype float16 or bfloat16 or float32 or float8_e4m3fn or "
                 "float8_e5m2, found int32", (q.astype(int), k, v)),
                (r"q: expected rank 4: \(B, Sq, Hq, D\), found shape \(37, 4, 16\)",
                 (q[0], k, v)),
                ("k: expected 2 in dimension 0, B, found 1", (q, k[:1], v)),
                ("k: expected 16 in dimension 3, D, found 8", (q, k[..., :8], v)),
                ("v: expected 53 in dimension 1, Skv, found 52", (q, k, v[:, 1:])),
                ("k: expected a number of heads that divides q's, 3, found 2",
                 (q[:, :, :3], k, v)),
                ("q: expected an array of shape .*, found list", ([1.0], k, v)),
                ("k: expected an array of JAX's or NumPy's .jax.dlpack.from_dlpack makes one., "
                 "found Foreign", (q, Foreign(k), v))):
            self.refuses(message, attention, *arrays, kind=wrong)
        self.refuses("sink: expected 4 in dimension 0, Hq, found 3", attention, q, k, v,
                     sink=random((3,)))

    def test_constants(self):
        # Options that are needed to compile the kernel must not be traced values.
        cu = jnp.asarray([0, 37], jnp.int32)
        calls = {
            attention: ((q, k, v), ("scale", "causal", "window", "align", "return_lse",
                                    "dropout_p", "deterministic")),
            dot_product_attention: ((q, k, v), ("scale", "is_causal", "local_window_size",
                                                "return_residual")),
            varlen: ((q[0], k[0], v[0], cu), ("scale", "causal", "window", "return_lse",
                                              "deterministic")),
            decode: ((q, k, v), ("scale", "causal", "window", "return_lse", "value_dims")),
            append: ((k, v, k, v, integers[:2]), ("interleaved",)),
            merge: (([(q, q[..., 0].transpose(0, 2, 1))],), ("return_lse",)),
            attn_mlir.jax.mla_decode: ((q, k[:, :, 0]), ("scale", "causal", "window",
                                                         "return_lse", "latent_dim"))}
        for call, (arrays, names) in calls.items():
            for name in names:
                def traced(value, name=name):
                    required = {"scale": 1.0} if call is attn_mlir.jax.mla_decode else {}
                    return call(*arrays, **{**required, name: value})

                with self.subTest(call=call.__name__, name=name):
                    for value in ((1, 2) if name in ("window", "value_dims") else 1.0,):
                        self.refuses(
                            f"{name}: expected a constant .static_argnames of jax.jit makes one "
                            "of an argument., found a traced value", jax.jit(traced), value,
                            kind=attn_mlir.ArgumentError)

    def test_more_constants(self):
        traced = "expected a constant .static_argnames of jax.jit makes one of an argument.*, found"
        lse = q[..., 0].transpose(0, 2, 1)
        for name, function in (
                ("seed", lambda its: attention(q, k, v, dropout_p=0.5, seed=(its, 0))),
                ("kv_dtype", lambda its: attention(q, k, v, kv_dtype=its)),
                ("out_dtype", lambda its: decode(q, k, v, out_dtype=its)),
                ("kv_dtype", lambda its: append(k, v, k, v, integers[:2], kv_dtype=its)),
                ("out_dtype", lambda its: merge([(q, lse)], out_dtype=its)),
                ("implementation", lambda its: dot_product_attention(q, k, v,
                                                                     implementation=its))):
            with self.subTest(name):
                self.refuses(f"^{name}: {traced} a traced value", jax.jit(function), 1,
                             kind=attn_mlir.ArgumentError)

    def test_functions_of_any_library(self):
        """Functions that are not attn_mlir.jax's read arrays, which traced values are not."""
        its = np.asarray(q.swapaxes(1, 2))
        for name, function in (
                ("q", lambda its: attn_mlir.attention(its, its, its)),
                ("k_cache", lambda k: attn_mlir.decode(its, k, its)),
                (r"states\[0\]", lambda its: attn_mlir.merge([(its, its[..., 0])]))):
            for transform in (jax.jit, jax.vmap, lambda its: jax.grad(lambda x: its(x).sum())):
                self.refuses(f"^{name}: expected an array with elements, .*attn_mlir.jax",
                             transform(function), its[None] if transform is jax.vmap else its,
                             kind=attn_mlir.ArgumentError)

    def test_traced_values_in_functions_of_any_library(self):
        """Options, and what score and mask functions capture, with arrays of NumPy's as the
        others."""
        arrays = [np.asarray(its.swapaxes(1, 2)) for its in (q, k, v)]
        call = functools.partial(attn_mlir.attention, *arrays)
        for name, function in (
                ("scale", lambda its: call(scale=its)), ("causal", lambda its: call(causal=its)),
                ("window", lambda its: call(window=(its, 0))),
                ("return_lse", lambda its: call(return_lse=its)),
                ("dropout_p", lambda its: call(dropout_p=its, seed=(1, 2))),
                ("seed", lambda its: call(dropout_p=0.5, seed=(its, 2))),
                ("seed", lambda its: call(dropout_p=0.5, seed=jnp.stack([its, its])))):
            self.refuses(f"^{name}: expected a constant .static_argnames of jax.jit makes one of "
                         "an argument., found a traced value$", jax.jit(function), 1,
                         kind=attn_mlir.ArgumentError)
        for function in (lambda its: lambda s, b, h, i, j: s + its[h],
                         lambda its: lambda s, b, h, i, j: s * its[0],
                         lambda its: lambda s, b, h, i, j: s * float(its[0]),
                         lambda its: lambda s, b, h, i, j: s if its[0] > 0 else -s,
                         lambda its: lambda s, b, h, i, j: attn_mlir.score.read(its, h)):
            self.refuses("^score_mod: captured array 'its': expected an array with elements, not "
                         "one that jax.jit, .* traces .the functions of attn_mlir.jax take these.",
                         jax.jit(lambda its: call(score_mod=function(its))), jnp.ones(4),
                         kind=attn_mlir.ArgumentError)
        self.refuses("^mask_mod: captured array 'its': expected an array with elements, not one",
                     jax.jit(lambda its: call(mask_mod=lambda b, h, i, j: its[i] == j)), integers)
        slopes = jnp.ones(4)
        self.refuses(r"^score_mod: .*attn_mlir.score.read.slopes, .indices. reads arrays of other",
                     call, score_mod=lambda s, b, h, i, j: s + slopes[h])

    def test_devices(self):
        here, there = jax.devices()[:2]
        cu = jnp.asarray([0, 37], jnp.int32)
        on = [jax.device_put(its, here) for its in (q, k, v)]
        other = jax.device_put(v, there)

        def message(name, first):
            return (f"^{name}: expected an array on {here}, as {first} is .jax.device_put moves "
                    f"one., found {there}$".replace("(", ".").replace(")", "."))

        wrong = attn_mlir.ArgumentError
        self.refuses(message("v", "q"), attention, *on[:2], other, kind=wrong)
        self.refuses(message("value", "query"), dot_product_attention, *on[:2], other, kind=wrong)
        self.refuses(message("v", "q"), varlen, on[0][0], on[1][0], other[0], cu, kind=wrong)
        self.refuses(message("v_cache", "q"), decode, *on[:2], other, kind=wrong)
        self.refuses(message("v_cache", "k"), append, *on[1:], on[1], other, integers[:2],
                     kind=wrong)
        lse = on[0][..., 0].transpose(0, 2, 1)
        self.refuses(message(r"states.1.", r"states.0."), merge, [
            (on[0], lse), (jax.device_put(q, there), lse)], kind=wrong)
        table = jax.device_put(random((53,)), there)
        self.refuses(message("score_mod: captured array 0 of shape .53,.", "q"), attention, *on,
                     score_mod=lambda s, b, h, i, j: s + table[j], kind=wrong)
        # JAX moves arrays that are not committed to a device, so they are no error.
        attention(on[0], np.asarray(k), v)

    def test_immutable(self):
        """Functions for arrays of any library do not write to those of JAX."""
        arrays = [np.asarray(its.swapaxes(1, 2)) for its in (q, k, v)]
        written, lse = jnp.zeros(arrays[0].shape), jnp.zeros(arrays[0].shape[:3])
        for name, call in (
                ("out", lambda: attn_mlir.attention(*arrays, out=written)),
                ("out: lse", lambda: attn_mlir.attention(
                    *arrays, return_lse=True, out=(np.zeros(written.shape, "f"), lse))),
                ("k_cache", lambda: attn_mlir.append(*arrays[1:], jnp.zeros(arrays[1].shape),
                                                     arrays[2].copy(), np.zeros(2, "i")))):
            self.refuses(f"^{name}: expected an array that may be written, found one of JAX, "
                         "which is immutable .functions of attn_mlir.jax return new arrays.$", call,
                         kind=attn_mlir.ArgumentError)
        self.assertFalse(np.any(written) or np.any(lse))
        attn_mlir.attention(written, *arrays[1:], out=np.zeros(written.shape, "f"))

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
                ("score_mod: expected one number as the result, found none",
                 lambda s, b, h, i, j: None),
                ("score_mod: expected one number as the result",
                 lambda s, b, h, i, j: s + numbers),
                ("score_mod: expected an op that has a kernel, found erf_inv",
                 lambda s, b, h, i, j: jax.lax.erf_inv(s)),
                ("score_mod: expected sums of 1 to 64 products of floats or of integers, found "
                 "dot_general of 1000", lambda s, b, h, i, j: jnp.dot(numbers * s, numbers)),
                ("score_mod: expected an op that has a kernel, found pad",
                 lambda s, b, h, i, j: jax.lax.pad(
                     jnp.stack([s, 1.0]), 0.0, [(0, 0, 1)])[i % 3]),
                ("score_mod: expected int32, bool or floats, found uint32",
                 lambda s, b, h, i, j: s + (j.astype("uint32") * 3 < 5)),
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
        self.refuses(r"mask_mod: expected a function of \(b, h, q, kv\): too many positional",
                     attention, q, k, v, mask_mod=lambda b, h: b == h)

    def test_gradients(self):
        table = random((53, 53))

        def of(table, read):
            return attention(q, k, v, score_mod=lambda s, b, h, i, j: s + read(
                table, i, j)).sum()

        for message, read in (
                ("expected neither q nor kv beside a computed index",
                 lambda table, i, j: table[i, j // 2]),
                ("expected the same indices in all reads",
                 lambda table, i, j: sum(table[i, its] for its in range(9)) + 0 * j)):
            self.refuses("score_mod: captured array 0 of shape .*" + message,
                         jax.grad(of), table, read)
        # So do functions whose derivatives are not those of their ops.
        @jax.custom_jvp
        def straight(x):
            return jnp.round(x)

        straight.defjvp(lambda primals, tangents: (jnp.round(*primals), *tangents))
        # The function itself may be JAX's, with a derivative of the caller's.
        forward, both = jax.custom_jvp(jnp.floor), jax.custom_vjp(jax.lax.floor)
        forward.defjvp(lambda primals, tangents: (jnp.floor(*primals), *tangents))
        both.defvjp(lambda x: (jnp.floor(x), None), lambda _, cotangent: (cotangent,))
        gradient = jax.custom_gradient(lambda x: (jnp.floor(x), lambda cotangent: cotangent))
        for message, own in (("jax.lax.stop_gradient", jax.lax.stop_gradient),
                             ("jax.custom_gradient", gradient),
                             ("jax.custom_jvp, straight at", straight),
                             ("jax.custom_jvp, <lambda> at", forward),
                             ("jax.custom_vjp, <lambda> at", both)):
            score = lambda s, b, h, i, j, own=own: s * own(s)  # noqa: E731
            attention(q, k, v, score_mod=score)
            self.refuses("score_mod: expected a function whose derivative is that of its ops, "
                         f"found {message}",
                         jax.grad(lambda q: attention(q, k, v, score_mod=score).sum()), q)
        jax.grad(lambda q: attention(q, k, v, score_mod=lambda s, b, h, i, j: (
            s * jax.lax.stop_gradient(table)[h, 0])).sum())(q)
        # A function without a derivative raises an error; its derivative is not 0.
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
        self.refuses("cos: expected at least one row", append, k, v, k, v, integers[:2],
                     cos=random((0, 8)), sin=random((0, 8)))
        latents = random((2, 53, 24))
        for message, options in (
                ("latent_dim: expected an integer from 1 to 24, found 25", {"latent_dim": 25}),
                ("cache: expected dtype float32, as q has, found bfloat16",
                 {"cache": latents.astype("bfloat16"), "latent_dim": 8}),
                ("latent_dim: expected None beside a pair", {"cache": (latents, latents),
                                                             "latent_dim": 8}),
                (r"q: expected 24 \+ 24 columns, as the cache has, found 16",
                 {"cache": (latents, latents)}),
                (r"cache: expected \(B, S, D\) or \(B, S, 1, D\), .*, found shape \(53, 24\)",
                 {"cache": latents[0]}),
                ("k_cache: expected 16 in dimension 3, D, found 24", {"latent_dim": 8})):
            self.refuses(message, attn_mlir.jax.mla_decode, q,
                         **{"cache": latents, "scale": 0.1, **options})
        self.refuses("value_dims: expected None beside v_cache", decode, q, k, v,
                     value_dims=(0, 8))
        self.refuses(r"value_dims: expected \(first, end\), columns of k ", attention, q, k,
                     value_dims=(0, 17))
        self.refuses("v: expected an array, or value_dims, found None", attention, q, k)
        self.refuses("k_rope: expected an array beside q_rope", attention, q, k, v, q_rope=q)
        self.refuses("k_rope: expected 16 in dimension 3, D2, found 8", attention, q, k, v,
                     q_rope=q, k_rope=k[..., :8])
        self.refuses("lengths: expected an array", append, k, v, k, v, None)


if __name__ == "__main__":
    import unittest
    unittest.main()
