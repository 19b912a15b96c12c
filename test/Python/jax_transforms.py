# Attention in JAX under vmap, on several devices and exported.
#
# REQUIRES: capi, jax
# RUN: env XLA_FLAGS=--xla_force_host_platform_device_count=4 JAX_PLATFORMS=cpu %jax-python -W ignore %s

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import functools
import re

import attn_mlir.jax
import jax
import jax.numpy as jnp
import numpy as np
from jax_reference import (Case, attention, gradients_in_double, in_double, problem, random,
                           rng)
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P


def alibi(slopes, s, b, h, i, j):
    return s + slopes[h] * (j - i)


class Vmap(Case):
    def test_batches(self):
        for axes in ((0, 0, 0), (0, None, None), (None, 2, 2), (1, 0, 3)):
            arrays = [jnp.stack([its, its[::-1], its * 0.5], axis) if axis is not None else its
                      for its, axis in zip(problem(batch=2, rows=19, keys=23), axes)]
            found = jax.jit(jax.vmap(functools.partial(
                attn_mlir.jax.attention, causal=True, return_lse=True), axes))(*arrays)
            wanted = in_double(jax.vmap(lambda *its: attention(
                *its, mask=lambda b, h, i, j: j <= i), axes), *arrays)
            for its, own in zip(found, wanted):
                self.check(its, own)
            text = str(jax.make_jaxpr(jax.vmap(attn_mlir.jax.attention, axes))(*arrays))
            self.assertNotIn("scan", text)

    def test_batched_captures(self):
        q, k, v = problem(batch=2, rows=19, keys=23)
        arrays = [jnp.stack([its, its * 0.5, -its]) for its in (q, k, v)]
        table, slopes = random((3, 2, 19, 23)), random((4,))

        def call(function, q, k, v, table, slopes):
            def score(s, b, h, i, j):
                return alibi(slopes, s, b, h, i, j) + table[b, i, j] * (b + 1)

            return function(q, k, v, score)

        def ours(q, k, v, score):
            return attn_mlir.jax.attention(q, k, v, score_mod=score)

        axes = (0, 0, 0, 0, None)
        found = jax.vmap(functools.partial(call, ours), axes)(*arrays, table, slopes)
        self.assertNotIn("scan", str(jax.make_jaxpr(jax.vmap(
            functools.partial(call, ours), axes))(*arrays, table, slopes)))
        wanted = in_double(jax.vmap(functools.partial(
            call, lambda *its: attention(*its)[0]), axes), *arrays, table, slopes)
        self.check(found, wanted)

    def test_nested(self):
        q, k, v = problem(batch=2, rows=11, keys=13)
        arrays = [jnp.stack([its, its * 0.5, -its]) for its in (q, k, v)]
        arrays = [jnp.stack([its, its[::-1]], 1) for its in arrays]
        table = random((3, 11, 13))

        def call(function, q, k, v, table):
            return function(q, k, v, lambda s, b, h, i, j: s + table[i, j] * (b + 1))

        def twice(function):
            return jax.vmap(jax.vmap(functools.partial(call, function), (0, 0, 0, None)))

        found = twice(lambda q, k, v, f: attn_mlir.jax.attention(q, k, v, score_mod=f))(
            *arrays, table)
        wanted = in_double(twice(lambda *its: attention(*its)[0]), *arrays, table)
        self.check(found, wanted)

    def test_gradients_of_masked_entries(self):
        # The documents differ between the entries of the batch and between those of vmap.
        arrays = [jnp.stack([its, its * 0.5]) for its in problem(batch=2, rows=19, keys=19)]
        documents = jnp.asarray(rng.integers(0, 3, (2, 2, 19)), jnp.int32)

        def call(function, q, k, v, documents):
            return jnp.sum(function(q, k, v, lambda b, h, i, j: (
                documents[b, i] == documents[b, j]) | (b == 1))**2)

        def entries(function):
            return jax.vmap(jax.grad(functools.partial(call, function), (0, 1, 2)))

        ours = entries(lambda q, k, v, f: attn_mlir.jax.attention(q, k, v, mask_mod=f))
        self.assertNotIn("scan", str(jax.make_jaxpr(ours)(*arrays, documents)))
        wanted = in_double(entries(lambda q, k, v, f: attention(q, k, v, mask=f)[0]), *arrays,
                           documents)
        for its, own in zip(jax.jit(ours)(*arrays, documents), wanted):
            self.check(its, own, factor=8)

    def test_gradients_of_entries(self):
        # Per-example gradients: vmap of gradients, also of a captured array and a sink.
        q, k, v = problem(batch=3, rows=11, keys=13)
        table, sink = random((4, 11, 13)), random((4,))

        def loss(function, q, k, v, table, sink):
            return jnp.sum(function(q[None], k[None], v[None], lambda s, b, h, i, j:
                                    s + table[h, i, j], sink)**2)

        def entries(function):
            return jax.vmap(jax.grad(functools.partial(loss, function), range(5)),
                            (0, 0, 0, None, None))

        found = jax.jit(entries(lambda q, k, v, f, sink: attn_mlir.jax.attention(
            q, k, v, score_mod=f, sink=sink)))(q, k, v, table, sink)
        wanted = in_double(entries(lambda q, k, v, f, sink: attention(
            q, k, v, f, sink=sink)[0]), q, k, v, table, sink)
        for its, own in zip(found, wanted):
            self.check(its, own, factor=8)


    def test_gradients_of_several_batches(self):
        """Gradients of vmap, whose entries are batches of two: of arrays that functions read at b
        or at q and kv, of which each entry has one or all entries share one, and a second time
        nested. The score function reads `rates` at several lists of indices."""
        arrays = [jnp.stack([its, its * 0.5, -its]) for its in problem(rows=5, keys=7)]
        own = [random((3, *shape)) for shape in ((4, 5, 7), (2, 4))]
        shared = [random(shape) for shape in ((2, 7), (2, 3))]

        def one(function, q, k, v, bias, rates, keys, pair):
            def score(s, b, h, i, j):
                return s * rates[0, h] + bias[h, i, j] + keys[b, j] * rates[1, h] + pair[b, 2]

            return jnp.sin(function(q, k, v, score)).sum()

        def gradients(function, levels):
            each = functools.partial(one, function)
            for level in range(levels):
                each = jax.vmap(each, (0, 0, 0, 0, 0 if level == 0 else None, None, None))
            return jax.grad(lambda *its: each(*its).sum(), range(7))

        def check(levels, *inputs):
            found = jax.jit(gradients(lambda *its: attn_mlir.jax.attention(
                *its[:3], score_mod=its[3]), levels))(*inputs)
            wanted = in_double(gradients(lambda *its: attention(*its)[0], levels), *inputs)
            for its, expected in zip(found, wanted):
                self.check(its, expected, factor=8)

        check(1, *arrays, *own, *shared)
        arrays = [jnp.stack([its, its[::-1]]) for its in (*arrays, own[0])]
        check(2, *arrays, own[1], *shared)


class Devices(Case):
    def setUp(self):
        self.mesh = Mesh(np.array(jax.devices()[:4]).reshape(2, 2), ("data", "model"))

    def put(self, array, *spec):
        return jax.device_put(array, NamedSharding(self.mesh, P(*spec)))

    def test_shard_map(self):
        arrays = problem(batch=4, rows=19, keys=23)
        spec = P("data", None, "model", None)
        slopes = random((4,))

        def part(q, k, v, slopes):
            return attn_mlir.jax.attention(
                q, k, v, causal=True, score_mod=functools.partial(alibi, slopes))

        divided = jax.jit(jax.shard_map(part, mesh=self.mesh,
                                        in_specs=(spec, spec, spec, P("model")),
                                        out_specs=spec))
        wanted = in_double(lambda q, k, v, slopes: attention(
            q, k, v, functools.partial(alibi, slopes), lambda b, h, i, j: j <= i)[0],
            *arrays, slopes)
        self.check(divided(*arrays, slopes), wanted)
        self.assertNotIn("all-gather", divided.lower(*arrays, slopes).compile().as_text())

    def test_append(self):
        # Devices that divide the heads of caches have the same lengths.
        new, cache = random((2, 3, 4, 16)), jnp.zeros((2, 9, 4, 16))
        query, lengths = random((2, 3, 8, 16)), jnp.asarray([1, 4], jnp.int32)
        angles, scales = jnp.ones((9, 8)), jnp.zeros((2, 4, 9))
        heads = (None, None, "model", None)

        def place(dtype):
            return [*[self.put(its, *heads) for its in (new, 2 * new)],
                    *[self.put(cache.astype(dtype), *heads)] * 2]

        for dtype, options, sharded in (
                ("float32", {}, {}),
                ("float32", {"q": query, "cos": angles, "sin": angles},
                 {"q": self.put(query, *heads)}),
                ("int8", {"k_scale": scales, "v_scale": scales},
                 {name: self.put(scales, None, "model", None)
                  for name in ("k_scale", "v_scale")})):
            wanted = attn_mlir.jax.append(new, 2 * new, *[cache.astype(dtype)] * 2, lengths,
                                          **options)
            found = jax.jit(attn_mlir.jax.append)(*place(dtype), lengths,
                                                  **{**options, **sharded})
            self.assertEqual(found[2].tolist(), [4, 7])
            for its, own in zip(found, wanted, strict=True):
                np.testing.assert_array_equal(its, own)

    def test_append_in_shard_map(self):
        """Lengths vary over the axes that divide them, and not over those that divide heads."""
        mesh = Mesh(np.array(jax.devices()[:2]).reshape(1, 2), ("batch", "heads"))
        new, cache, lengths = random((3, 2, 4, 16)), jnp.zeros((3, 9, 4, 16)), jnp.asarray(
            [1, 4, 8], jnp.int32)
        counts, scales = jnp.asarray([2, 1, 2], jnp.int32), jnp.zeros((3, 4, 9))
        heads = P("batch", None, "heads")
        for dtype, options, specs in (
                ("float32", {}, {}), ("float32", {"counts": counts}, {"counts": P("batch")}),
                ("int8", {"k_scale": scales, "v_scale": scales},
                 {"k_scale": P("batch", "heads"), "v_scale": P("batch", "heads")})):
            names = list(options)

            def part(k, cache, lengths, *rest, names=names):
                return attn_mlir.jax.append(k, 2 * k, cache, cache, lengths,
                                            **dict(zip(names, rest)))

            arrays = new, cache.astype(dtype), lengths, *options.values()
            made = [specs[name] for name in names if name != "counts"]
            divided = jax.jit(jax.shard_map(
                part, mesh=mesh, in_specs=(heads, heads, P("batch"), *specs.values()),
                out_specs=(heads, heads, P("batch"), *made)))
            for its, own in zip(divided(*arrays), part(*arrays), strict=True):
                np.testing.assert_array_equal(its, own)

    def test_gradients_in_shard_map(self):
        # The gradient of an array that is the same on all devices is the sum of the devices'
        # gradients.
        arrays = problem(batch=4, rows=19, keys=23)
        table = random((19, 23))
        spec = P(("data", "model"))

        def part(q, k, v, table):
            return attn_mlir.jax.attention(
                q, k, v, score_mod=lambda s, b, h, i, j: s + table[i, j])

        divided = jax.shard_map(part, mesh=self.mesh, in_specs=(spec, spec, spec, P()),
                                out_specs=spec)
        found = jax.jit(jax.grad(lambda *its: divided(*its).sum(), range(4)))(*arrays, table)
        wanted = gradients_in_double(
            lambda q, k, v, table: attention(
                q, k, v, lambda s, b, h, i, j: s + table[i, j])[:1], (*arrays, table),
            (jnp.ones(arrays[0].shape),))
        for its, own in zip(found, wanted):
            self.check(its, own, factor=8)

    def check_divided(self, kv_heads, specs, gathers, wrt=3, rows=19, keys=23):
        """Checks the call and its gradients on arrays with the shardings `specs`, and with
        functions that depend on b and h."""
        q, k, v = problem(batch=4, rows=rows, keys=keys, heads=4, kv_heads=kv_heads)
        table, offsets, sink = random((4, rows, keys)), random((4, keys)), random((4,))
        arrays = (q, k, v, table, offsets, sink)

        def call(function, q, k, v, table, offsets, sink):
            def score(s, b, h, i, j):
                return s + table[h, i, j] + offsets[b, j] * (h + 1) + 0.1 * b

            return function(q, k, v, score, lambda b, h, i, j: (j + b + h) % 3 != 0, sink)

        ours = functools.partial(call, lambda q, k, v, score, mask, sink:
                                 attn_mlir.jax.attention(q, k, v, score_mod=score,
                                                         mask_mod=mask, sink=sink))
        plain = functools.partial(call, lambda *its: attention(*its[:5], sink=its[5])[0])

        def both(function):
            return lambda *its: (function(*its), jax.grad(
                lambda *its: (function(*its)**2).sum(), range(wrt))(*its))

        placed = [self.put(its, *spec) for its, spec in zip(arrays, specs)]
        divided = jax.jit(both(ours))
        text = divided.lower(*placed).compile().as_text()
        self.assertEqual("all-gather" in text, gathers, text)
        found, wanted = divided(*placed), in_double(both(
            lambda q, k, v, table, offsets, sink: plain(q, k, v, table, offsets, sink)),
            *arrays)
        self.check(found[0], wanted[0])
        for number, (its, own) in enumerate(zip(found[1], wanted[1])):
            self.check(its, own, factor=16, name=f"gradient {number}")
        return text

    def test_batch_and_heads(self):
        spec = ("data", None, "model", None)
        for wrt in (3, 6):
            with self.subTest(wrt):
                text = self.check_divided(2, [spec] * 3 + [
                    ("model", None, None), ("data", None), ("model",)], False, wrt)
                # Each device computes two batch entries and two heads.
                calls = re.findall(r".* custom-call\(.*attn_mlir_cpu.*", text)
                self.assertTrue(calls)
                for call in calls:
                    self.assertIn("f32[2,19,2,16]", call)

    def test_replicated_captures(self):
        spec = ("data", None, "model", None)
        self.check_divided(2, [spec] * 3 + [(), (), ()], False, 6)

    def test_one_head_of_keys(self):
        spec, keys = ("data", None, "model", None), ("data", None, None, None)
        self.check_divided(1, [spec, keys, keys, (), (), ()], False, 6)

    def test_rows_are_gathered(self):
        spec = ("data", "model", None, None)
        self.check_divided(2, [spec] * 3 + [(), (), ()], True, 3, 20, 22)

    def test_explicit_axes(self):
        # In a mesh with explicit axes, where shardings are part of types, results have the
        # shardings of operands.
        arrays = problem(batch=4, rows=19, keys=23)
        spec = P("data", None, "model", None)
        mesh = jax.make_mesh((2, 2), ("data", "model"),
                             axis_types=(jax.sharding.AxisType.Explicit,) * 2)
        with jax.set_mesh(mesh):
            placed = [jax.device_put(its, spec) for its in arrays]
            found = jax.jit(jax.grad(lambda *its: (attn_mlir.jax.attention(*its)**2).sum(),
                                     range(3)))(*placed)
            for its in found:
                self.assertEqual(jax.typeof(its).sharding.spec, spec)
            found = [np.asarray(its) for its in found]
        wanted = in_double(jax.grad(lambda *its: (attention(*its)[0]**2).sum(), range(3)),
                           *arrays)
        for its, own in zip(found, wanted):
            self.check(its, own, factor=8)

    def test_heads_that_do_not_divide(self):
        q, k, v = problem(batch=3, rows=19, keys=23, heads=3, kv_heads=3)
        placed = [self.put(its, None, None, None, "model") for its in (q, k, v)]
        found = jax.jit(attn_mlir.jax.attention)(*placed)
        self.check(found, in_double(lambda *its: attention(*its)[0], q, k, v))

    def test_more_devices_than_key_heads(self):
        # Key heads are gathered, as no axis of the mesh can divide them.
        q, k, v = problem(batch=4, rows=19, keys=23, heads=4, kv_heads=2)
        slopes, lengths = random((4,)), jnp.asarray([1, 7, 0, 23], jnp.int32)

        def call(q, k, v, slopes):
            return attn_mlir.jax.attention(q, k, v, score_mod=lambda s, b, h, i, j: s + b
                                           + slopes[h] * j / 8)

        def gradients(*its):
            return jax.grad(lambda *its: (call(*its)**2).sum(), range(4))(*its)

        def batched(q, k, v, slopes):
            return jax.vmap(call, (None, None, None, 0))(q, k, v, jnp.stack([slopes, -slopes]))

        def decode(q, k, v, slopes):
            return attn_mlir.jax.decode(q, k, v, lengths=lengths)

        for sizes, names in (((4,), ("model",)), ((1, 4), ("data", "model"))):
            mesh = Mesh(np.array(jax.devices()[:4]).reshape(sizes), names)
            for spec in (P(None, None, "model"), P("model")):
                placed = [jax.device_put(its, NamedSharding(mesh, spec if its is q else P()))
                          for its in (q, k, v, slopes)]
                placed[3] = jax.device_put(slopes, NamedSharding(mesh, P("model")))
                for function in (call, gradients, batched, decode):
                    with self.subTest(f"{function.__name__} {sizes} {spec}"):
                        found, wanted = jax.jit(function)(*placed), function(q, k, v, slopes)
                        for its, own in zip(jax.tree.leaves(found), jax.tree.leaves(wanted)):
                            self.check(its, own, factor=16)


class Export(Case):
    def test_round_trip(self):
        arrays = (*problem(), random((4,)))

        def call(q, k, v, slopes):
            return jax.vjp(lambda *its: attn_mlir.jax.attention(
                *its, causal=True, score_mod=functools.partial(alibi, slopes)), q, k, v)[1](q)

        checks = [jax.export.DisabledSafetyCheck.custom_call(name)
                  for name in attn_mlir.jax.TARGET_NAMES]
        exported = jax.export.export(jax.jit(call), disabled_checks=checks,
                                     platforms=["cpu", "cuda"])(*arrays)
        again = jax.export.deserialize(exported.serialize())
        found = again.call(*arrays)
        for its, own in zip(found, jax.jit(call)(*arrays)):
            np.testing.assert_array_equal(its, own)
        text = again.mlir_module()
        # If the module is exported on a machine without a GPU, launches allocate memory from a
        # pool.
        self.assertTrue(re.search("attn_mlir_cuda(_pool)?", text))

    def test_symbolic_sizes(self):
        """Of batch entries, rows and keys, with gradients; a captured array must have numbers."""
        q, k, v = problem()
        slopes, bias = random((q.shape[2],)), random((k.shape[1],))

        def gradients(q, k, v, slopes):
            return jax.grad(lambda *its: attn_mlir.jax.attention(
                *its[:3], causal=True, score_mod=functools.partial(alibi, its[3])).sum(),
                range(4))(q, k, v, slopes)

        def biased(q, k, v, bias):
            return attn_mlir.jax.attention(q, k, v, score_mod=lambda s, b, h, i, j: s + bias[j])

        batch, rows, keys = jax.export.symbolic_shape("b, s, t")

        def export(function, last):
            shapes = [(batch, size, *its.shape[2:])
                      for size, its in ((rows, q), (keys, k), (keys, v))]
            return jax.export.export(jax.jit(function), disabled_checks=[
                jax.export.DisabledSafetyCheck.custom_call(name)
                for name in attn_mlir.jax.TARGET_NAMES], platforms=["cpu", "cuda"])(
                    *[jax.ShapeDtypeStruct(shape, "float32") for shape in (*shapes, last)])

        for function, last in ((gradients, slopes), (biased, bias)):
            exported = export(function, last.shape)
            for size in (1, k.shape[1]):
                given = q[:1, :size], k[:1, :size], v[:1, :size], last
                for its, own in zip(jax.tree.leaves(exported.call(*given)),
                                    jax.tree.leaves(jax.jit(function)(*given))):
                    np.testing.assert_allclose(its, own, atol=1e-6, rtol=1e-6)
        with self.assertRaisesRegex(attn_mlir.Error, "score_mod: expected captured arrays of "
                                    "constant sizes, found shape .t,., which jax.export has made "
                                    "symbolic"):
            export(biased, (keys,))
        with self.assertRaisesRegex(attn_mlir.Error, "score_mod: captured array 0 of shape .*: "
                                    "expected numbers of rows, keys, heads and batch entries that "
                                    "are constants, for a gradient, found symbolic ones"):
            export(jax.grad(lambda *its: biased(*its).sum(), 3), bias.shape)

    def test_no_callback(self):
        text = jax.jit(attn_mlir.jax.attention).lower(*problem()).as_text()
        self.assertIn("@attn_mlir_c", text)
        self.assertNotIn("callback", text)


if __name__ == "__main__":
    import unittest
    unittest.main()
