# Calls in JAX on arrays (B, H, S, D).
#
# REQUIRES: capi, jax
# RUN: env XLA_FLAGS=--xla_force_host_platform_device_count=4 JAX_PLATFORMS=cpu %jax-python -W ignore %s

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import functools

import attn_mlir
import attn_mlir.jax
import jax
import jax.numpy as jnp
import numpy as np
from jax_reference import Case, attention, in_double, problem, random
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

BHSD = functools.partial(attn_mlir.jax.attention, layout="BHSD")


def heads_first(array):
    """Exchanges rows and heads of an array of four dimensions; others stay as they are."""
    return array.swapaxes(1, 2) if array.ndim == 4 else array


def all_heads_first(arrays):
    return jax.tree.map(heads_first, arrays)


def of_heads_first(function):
    """Returns a function on arrays (B, H, S, D) that computes what `function` does on (B, S, H,
    D)."""
    return lambda *arrays: all_heads_first(function(*all_heads_first(arrays)))


def score(bias, s, b, h, i, j):
    return s + bias[h, i, j] * (b + 1)


class Attention(Case):
    def setUp(self):
        # No two of the numbers of batch entries, rows, keys and heads are equal.
        self.arrays = all_heads_first(problem(2, 19, 23, 6, 3, 16, 8))
        self.bias, self.sink = random((6, 19, 23)), random((6,))

    def ours(self, q, k, v, bias, sink):
        return BHSD(q, k, v, causal=True, return_lse=True, sink=sink,
                    score_mod=functools.partial(score, bias))

    def plain(self, q, k, v, bias, sink):
        return of_heads_first(lambda q, k, v: attention(
            q, k, v, functools.partial(score, bias), lambda b, h, i, j: j <= i, sink=sink))(q, k, v)

    def check_all(self, found, wanted, factor=8):
        found, wanted = jax.tree.leaves(found), jax.tree.leaves(wanted)
        for number, (its, own) in enumerate(zip(found, wanted, strict=True)):
            self.check(its, own, factor=factor, name=str(number))

    def test_forward_and_derivatives(self):
        """Also the first derivative in forward mode, and a second one."""
        arrays = *self.arrays, self.bias, self.sink

        def derivatives(function):
            def loss(*its):
                return sum([jnp.sin(one).sum() for one in function(*its)])

            return lambda *its: (
                function(*its), jax.grad(loss, range(5))(*its), jax.jvp(function, its, its)[1],
                jax.jvp(jax.grad(loss, range(5)), its, its)[1])

        self.check_all(jax.jit(derivatives(self.ours))(*arrays),
                       in_double(derivatives(self.plain), *arrays), 64)

    def test_nothing_is_transposed(self):
        def gradients(*its):
            return jax.vjp(BHSD, *its)[1](its[0][..., :8])

        for function in (BHSD, gradients):
            text = jax.jit(function).lower(*self.arrays).as_text()
            self.assertIn("@attn_mlir_c", text)
            self.assertNotIn("transpose", text)

    def test_vmap(self):
        arrays = [jnp.stack([its, its * 0.5, -its], 2) for its in self.arrays]

        def entries(function):
            return jax.vmap(jax.grad(lambda *its: jnp.sin(function(*its)).sum(), range(3)),
                            (2, 2, 2))

        self.assertNotIn("scan", str(jax.make_jaxpr(entries(BHSD))(*arrays)))
        self.check_all(jax.jit(entries(BHSD))(*arrays), in_double(entries(
            of_heads_first(lambda *its: attention(*its)[0])), *arrays))

    def test_dropout(self):
        """Drops the probabilities that the call on (B, S, H, D) drops, also for gradients and for
        derivatives in forward mode."""
        def both(function):
            return lambda *its: (function(*its), jax.grad(
                lambda *its: jnp.sin(function(*its)).sum(), range(3))(*its),
                jax.jvp(function, its, its)[1])

        options = {"dropout_p": 0.3, "seed": (3, 4)}
        self.check_all(
            both(functools.partial(BHSD, **options))(*self.arrays),
            both(of_heads_first(functools.partial(attn_mlir.jax.attention, **options)))(
                *self.arrays))

    def test_further_columns(self):
        q, k, _ = self.arrays
        for heads in (1, 3):
            rope = all_heads_first((random((2, 19, 6, 8)), random((2, 23, heads, 8))))

            def plain(q, k, q_rope, k_rope):
                k_rope = jnp.broadcast_to(k_rope, (2, 23, 3, 8))
                return attention(jnp.concatenate([q, q_rope], 3),
                                 jnp.concatenate([k, k_rope], 3), k[..., 3:11])[0]

            self.check(BHSD(q, k, value_dims=(3, 11), q_rope=rope[0], k_rope=rope[1]),
                       in_double(of_heads_first(plain), q, k, *rope))

    def test_eight_bits(self):
        """Also with scales of tokens, and with values whose keys are adjacent."""
        q, k, v = self.arrays
        k, v = ((16 * its).astype("int8") for its in (k, v))
        scales = {"k_scale": jnp.abs(random((2, 3, 23))) / 16, "v_scale": jnp.full((2, 3), 0.1)}
        wide = [k * scales["k_scale"][..., None], v * scales["v_scale"][..., None, None]]
        wanted = in_double(of_heads_first(attention), q, *wide)
        for values, options in ((v, {}), (v.swapaxes(2, 3), {"value_along_keys": True})):
            self.check_all(BHSD(q, k, values, return_lse=True, **scales, **options), wanted)

    def test_devices(self):
        mesh = Mesh(np.array(jax.devices()[:4]).reshape(2, 2), ("data", "model"))
        q, k, v = all_heads_first(problem(4, 19, 23, 4, 2))
        bias, spec = random((4, 19, 23)), P("data", "model", None, None)

        def gradients(function):
            return jax.grad(lambda *its: jnp.sin(function(*its)).sum(), range(4))

        def ours(q, k, v, bias):
            return BHSD(q, k, v, score_mod=lambda s, b, h, i, j: s + bias[h, i, j])

        def plain(q, k, v, bias):
            return of_heads_first(lambda q, k, v: attention(
                q, k, v, lambda s, b, h, i, j: s + bias[h, i, j])[0])(q, k, v)

        specs = spec, spec, spec, P("model", None, None)
        wanted = in_double(gradients(plain), q, k, v, bias)
        placed = [jax.device_put(its, NamedSharding(mesh, spec))
                  for its, spec in zip((q, k, v, bias), specs)]
        for function in (ours, jax.shard_map(ours, mesh=mesh, in_specs=specs, out_specs=spec)):
            divided = jax.jit(gradients(function))
            text = divided.lower(*placed).compile().as_text()
            self.assertNotIn("all-gather", text)
            self.assertIn("f32[2,2,19,16]", text)
            self.check_all(divided(*placed), wanted)

    def test_ring(self):
        mesh = Mesh(np.array(jax.devices()), ("ring",))
        arrays = all_heads_first(problem(1, 24, 24, 6, 3))
        rows = P(None, None, "ring")
        found = jax.jit(jax.shard_map(lambda *its: attn_mlir.jax.ring_attention(
            *its, "ring", causal=True, return_lse=True, layout="BHSD"), mesh=mesh,
            in_specs=rows, out_specs=(rows, rows)))(*arrays)
        self.check_all(found, in_double(of_heads_first(lambda *its: attention(
            *its, mask=lambda b, h, i, j: j <= i)), *arrays))

    def test_export(self):
        """With a symbolic number of rows."""
        rows, = jax.export.symbolic_shape("s")
        shapes = [(2, heads, size, 16) for heads, size in ((6, rows), (3, 23), (3, 23))]
        exported = jax.export.export(
            jax.jit(functools.partial(BHSD, causal=True)), platforms=["cpu", "cuda"],
            disabled_checks=[jax.export.DisabledSafetyCheck.custom_call(name)
                             for name in attn_mlir.jax.TARGET_NAMES])(
            *[jax.ShapeDtypeStruct(shape, "float32") for shape in shapes])
        arrays = *self.arrays[:2], random((2, 3, 23, 16))
        found = jax.export.deserialize(exported.serialize()).call(*arrays)
        self.check(found, in_double(of_heads_first(lambda *its: attention(
            *its, mask=lambda b, h, i, j: j <= i)[0]), *arrays))

    def test_merge(self):
        states = [(random((2, 19, 6, 8)), random((2, 6, 19))) for _ in range(2)]

        def plain(*states):
            lse = jnp.logaddexp(states[0][1], states[1][1])
            return sum([o * jnp.exp(own - lse).swapaxes(1, 2)[..., None]
                        for o, own in states]), lse

        def both(function):
            return lambda *its: (function(its[:2], its[2:]), jax.grad(
                lambda *its: jnp.sin(function(its[:2], its[2:])[0]).sum(), range(4))(*its))

        arrays = all_heads_first([*states[0], *states[1]])
        self.check_all(
            both(lambda *its: attn_mlir.jax.merge(its, layout="BHSD"))(*arrays),
            in_double(both(of_heads_first(plain)), *arrays))


class Caches(Case):
    """Results are those of the same call on arrays (B, S, H, D), bit for bit."""

    def check_same(self, function, *arrays):
        found = jax.jit(functools.partial(function, layout="BHSD"))(*all_heads_first(arrays))
        wanted = all_heads_first(jax.jit(function)(*arrays))
        for its, own in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
            self.assertFalse(np.isnan(np.asarray(its, np.float32)).any())
            np.testing.assert_array_equal(its, own)

    def setUp(self):
        self.lengths = jnp.asarray([3, 9], jnp.int32)
        self.table = jnp.asarray([[4, 1, 0], [3, 2, 5]], jnp.int32)
        self.q, self.k, self.v = random((2, 4, 6, 16)), random((2, 4, 3, 16)), random((2, 4, 3, 8))
        self.caches = random((2, 23, 3, 16)), random((2, 23, 3, 8))
        self.pools = random((6, 8, 3, 16)), random((6, 8, 3, 8))

    def test_decode(self):
        lengths, table = self.lengths, self.table
        for caches, options in ((self.caches, {}), (self.pools, {"page_table": table})):
            # Keys from an entry's length on are NaN.
            if not options:
                behind = jnp.arange(23)[None, :, None, None] >= lengths[:, None, None, None]
                caches = [jnp.where(behind, jnp.nan, its) for its in caches]
            self.check_same(lambda q, k, v, layout="BSHD": attn_mlir.jax.decode(
                q, k, v, lengths=lengths, counts=jnp.asarray([4, 1], jnp.int32), causal=True,
                return_lse=True, layout=layout, **options), self.q, *caches)

    def test_decode_of_shared_columns(self):
        for heads in (1, 3):
            rope = random((2, 4, 6, 8)), random((2, 23, heads, 8))
            self.check_same(lambda q, k, q_rope, k_rope, layout="BSHD": attn_mlir.jax.decode(
                q, k, value_dims=(0, 8), q_rope=q_rope, k_rope=k_rope, lengths=self.lengths,
                layout=layout), self.q, self.caches[0], *rope)

    def test_decode_of_eight_bits(self):
        pools = [(16 * its).astype("int8") for its in self.pools]
        self.check_same(lambda q, k, v, layout="BSHD": attn_mlir.jax.decode(
            q, k, v, lengths=self.lengths, page_table=self.table, k_scale=jnp.ones((6, 3, 8)) / 16,
            v_scale=jnp.ones((6, 3)) / 8, layout=layout), self.q, *pools)

    def test_append(self):
        """Also with rotary embedding, in pages, and to caches of 8 bits, whose scales are given or
        made."""
        angles = random((24, 8))
        rotary = {"cos": jnp.cos(angles), "sin": jnp.sin(angles)}
        paged = {"page_table": self.table, "counts": jnp.asarray([2, 4], jnp.int32)}
        narrow = [jnp.zeros(its.shape, "int8") for its in self.pools]
        for caches, options in (
                (self.caches, {}), (self.pools, paged),
                (narrow, {"k_scale": jnp.full((2, 3), 0.1), "v_scale": jnp.full((), 0.2), **paged}),
                (narrow, {"k_scale": jnp.zeros((6, 3, 8)), "v_scale": jnp.zeros((6, 3, 8)),
                          **paged})):
            for turned in ({}, rotary):
                def function(k, v, k_cache, v_cache, q, layout="BSHD"):
                    q = {"q": q} if turned else {}
                    return attn_mlir.jax.append(k, v, k_cache, v_cache, self.lengths,
                                                layout=layout, **q, **turned, **options)

                self.check_same(function, self.k, self.v, *caches, self.q)

    def test_append_in_shard_map(self):
        """JAX computes the lengths if devices divide heads, which the lengths do not have."""
        mesh = Mesh(np.array(jax.devices()[:3]), ("heads",))
        rows = P(None, "heads")

        def part(k, v, k_cache, v_cache):
            return attn_mlir.jax.append(k, v, k_cache, v_cache, self.lengths, layout="BHSD")

        arrays = all_heads_first((self.k, self.v, *self.caches))
        divided = jax.jit(jax.shard_map(part, mesh=mesh, in_specs=rows,
                                        out_specs=(rows, rows, P())))
        for its, own in zip(divided(*arrays), part(*arrays), strict=True):
            np.testing.assert_array_equal(its, own)

    def test_latents(self):
        latents, rotary = random((2, 23, 1, 32)), random((2, 23, 1, 8))
        for q in (random((2, 4, 6, 40)), (random((2, 4, 6, 32)), random((2, 4, 6, 8)))):
            for cache in ((latents, rotary), jnp.concatenate([latents, rotary], 3),
                          (latents[:, :, 0], rotary[:, :, 0])):
                self.check_same(lambda q, cache, layout="BSHD": attn_mlir.jax.mla_decode(
                    q, cache, scale=0.2, latent_dim=None if isinstance(cache, tuple) else 32,
                    lengths=self.lengths, return_lse=True, layout=layout), q, cache)


class Errors(Case):
    def test_messages(self):
        q, k, v = all_heads_first(problem())
        lengths = jnp.zeros(2, jnp.int32)
        calls = {
            attn_mlir.jax.attention: (q, k, v), attn_mlir.jax.decode: (q, k, v),
            attn_mlir.jax.append: (k, v, k, v, lengths),
            attn_mlir.jax.merge: ([(q, q[..., 0])],),
            attn_mlir.jax.ring_attention: (q, k, v, "axis"),
            functools.partial(attn_mlir.jax.mla_decode, scale=1.0): (q, k[:, 0])}
        for call, arrays in calls.items():
            for layout in ("bhsd", "BSH", 4, None):
                with self.assertRaisesRegex(attn_mlir.ArgumentError, "^layout: expected 'BSHD' or "
                                            f"'BHSD', found {layout!r}$"):
                    call(*arrays, layout=layout)
            with self.assertRaisesRegex(attn_mlir.ArgumentError, "layout: expected a constant"):
                jax.jit(lambda its: call(*arrays, layout=its))(1)
        for message, arrays in (
                (r"q: expected rank 4: \(B, Hq, Sq, D\), found shape \(4, 37, 16\)", (q[0], k, v)),
                ("v: expected 53 in dimension 2, Skv, found 52", (q, k, v[:, :, 1:]))):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, message):
                BHSD(*arrays)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, r"cache: expected \(B, S, D\) or "
                                    r"\(B, 1, S, D\), and N and P with pages"):
            attn_mlir.jax.mla_decode(q, k[:, :1].swapaxes(1, 2), scale=1.0, layout="BHSD")
        with self.assertRaisesRegex(TypeError, "tensor_layout.*: expected layout='BSHD' or"):
            attn_mlir.jax.attention(q, k, v, tensor_layout="HND")


if __name__ == "__main__":
    import unittest
    unittest.main()
