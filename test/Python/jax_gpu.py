# Attention in JAX on a GPU, against plain JAX in double precision on the CPU: calls, derivatives,
# caches, and XLA's CUDA graphs (command buffers). With ATTN_JAX_DEVICE=cpu the same calls run on
# the CPU, but for the graphs.
#
# REQUIRES: capi, jax, jax-gpu
# RUN: %jax-python -W ignore %s

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import functools
import glob
import re
import subprocess
import tempfile
import unittest

import attn_mlir
import attn_mlir.jax
import jax
import jax.numpy as jnp
import numpy as np
from jax_reference import Case, attention, gradients_in_double, in_double, problem, random


def find_device():
    """Returns the device and "" or, if there is none, None and the reason."""
    platform = os.environ.get("ATTN_JAX_DEVICE", "cuda")
    try:
        return jax.devices(platform)[0], ""
    except RuntimeError as error:
        return None, str(error).strip().splitlines()[0]


DEVICE, REASON = find_device()
IS_GPU = DEVICE is not None and DEVICE.platform != "cpu"
if DEVICE is not None:
    jax.config.update("jax_default_device", DEVICE)
SIZES = {"batch": 2, "rows": 130, "keys": 201, "heads": 8, "kv_heads": 2}


def on_cpu(function, *arrays):
    """Returns the function's results in double precision, computed on the CPU."""
    with jax.default_device(jax.devices("cpu")[0]):
        return in_double(function, *map(np.asarray, arrays))


def gradients_on_cpu(function, arrays, cotangents):
    with jax.default_device(jax.devices("cpu")[0]):
        return gradients_in_double(function, [np.asarray(its) for its in arrays],
                                   [np.asarray(its) for its in cotangents])


def causal(b, h, i, j):
    return j <= i


def on_device(function):
    """Calls a compiled function twice, the second time without any transfer from or to the host."""
    def call(*arrays):
        compiled = jax.jit(function)
        jax.block_until_ready(compiled(*arrays))
        with jax.transfer_guard("disallow"):
            return jax.block_until_ready(compiled(*arrays))

    return call


@unittest.skipUnless(DEVICE, f"JAX has no GPU: {REASON}")
class OnGPU(Case):
    def check_all(self, found, wanted, dtype="float32", factor=1, name=""):
        self.assertEqual(len(found), len(wanted))
        for its, own in zip(found, wanted):
            self.assertEqual(its.devices(), {DEVICE}, name)
            self.check(its, own, dtype, factor, name)

    def test_attention(self):
        slopes, sink = random((8,)), random((8,))

        def score(slopes, s, b, h, i, j):
            return 5 * jnp.tanh(s / 5) + slopes[h] * (j - i) * 0.05

        for dtype, dim in (("bfloat16", 128), ("float16", 64), ("bfloat16", 256),
                           ("float32", 32)):
            arrays = (*problem(head_dim=dim, dtype=dtype, **SIZES), slopes, sink)
            for name, ours, plain in (
                    ("plain", lambda q, k, v, slopes, sink: {},
                     lambda slopes, sink: {}),
                    ("causal", lambda q, k, v, slopes, sink: {"causal": True},
                     lambda slopes, sink: {"mask": causal}),
                    ("window", lambda q, k, v, slopes, sink: {"causal": True,
                                                              "window": (60, None)},
                     lambda slopes, sink: {
                         "mask": lambda b, h, i, j: causal(b, h, i, j) & (j >= i - 60)}),
                    ("functions", lambda q, k, v, slopes, sink: {
                        "score_mod": functools.partial(score, slopes), "sink": sink,
                        "mask_mod": lambda b, h, i, j: (i + j) % 3 != 0},
                     lambda slopes, sink: {
                         "score": functools.partial(score, slopes), "sink": sink,
                         "mask": lambda b, h, i, j: (i + j) % 3 != 0})):
                found = on_device(lambda q, k, v, *rest, ours=ours: attn_mlir.jax.attention(
                    q, k, v, return_lse=True, **ours(q, k, v, *rest)))(*arrays)
                wanted = on_cpu(lambda q, k, v, *rest, plain=plain: attention(
                    q, k, v, **plain(*rest)), *arrays)
                self.check_all(found, wanted, dtype, 3 if dtype == "float32" else 1,
                               f"{dtype} {dim} {name}")

    def test_gradients(self):
        def ours(q, k, v, slopes, sink):
            return attn_mlir.jax.attention(
                q, k, v, causal=True, sink=sink, return_lse=True, deterministic=True,
                score_mod=lambda s, b, h, i, j: s + slopes[h] * (j - i) * 0.1)

        def plain(q, k, v, slopes, sink):
            return attention(q, k, v, lambda s, b, h, i, j: s + slopes.reshape(1, -1, 1, 1)
                             * (j - i) * 0.1, causal, sink=sink)

        for dtype, dim in (("bfloat16", 128), ("float16", 64), ("float32", 32)):
            arrays = (*problem(head_dim=dim, dtype=dtype, **SIZES), abs(random((8,))),
                      random((8,)))
            cotangents = random((2, 130, 8, dim), dtype), random((2, 8, 130))
            pull = on_device(lambda *both: jax.vjp(ours, *both[:5])[1](both[5:]))
            found = pull(*arrays, *cotangents)
            wanted = gradients_on_cpu(plain, arrays, cotangents)
            # The gradient of slopes sums terms of both signs with factors of up to 13, so it is
            # compared relative to its largest element.
            self.check_all(found[:3], wanted[:3], dtype, 6, f"{dtype} {dim}")
            for number in (3, 4):
                largest = np.abs(wanted[number]).max()
                self.check(found[number] / largest, wanted[number] / largest, dtype, 6,
                           f"{dtype} {dim} {number}")
            # With deterministic=True, a second call gives the same bits.
            for its, own in zip(pull(*arrays, *cotangents), found):
                np.testing.assert_array_equal(np.asarray(its), np.asarray(own))

    def test_varlen(self):
        cu = np.array([0, 70, 70, 101, 264], np.int32)
        arrays = [random((264, heads, 64), "bfloat16") for heads in (8, 2, 2)]
        cotangents = random((264, 8, 64), "bfloat16"), random((8, 264))

        def plain(q, k, v):
            found = [attention(*[its[None, first:end] for its in (q, k, v)], mask=causal)
                     for first, end in zip(cu, cu[1:])]
            return (jnp.concatenate([o[0] for o, _ in found]),
                    jnp.concatenate([lse[0] for _, lse in found], 1))

        ours = functools.partial(attn_mlir.jax.varlen, causal=True, return_lse=True)
        lengths = jnp.asarray(cu)
        self.check_all(on_device(ours)(*arrays, lengths), on_cpu(plain, *arrays), "bfloat16")
        found = on_device(lambda q, k, v, cu, *outs: jax.vjp(
            lambda *its: ours(*its, cu), q, k, v)[1](outs))(*arrays, lengths, *cotangents)
        self.check_all(found, gradients_on_cpu(plain, arrays, cotangents), "bfloat16", 4)

    def test_decode(self):
        for rows, dtype in ((1, "bfloat16"), (3, "float16")):
            q, k, v = problem(batch=3, rows=rows, keys=300, heads=8, kv_heads=2, head_dim=128,
                              dtype=dtype)
            lengths = jnp.asarray([300, 5, 137], jnp.int32)
            # Keys past a length are NaN and must not be read.
            past = jnp.arange(300)[None, :, None, None] >= lengths[:, None, None, None]
            holes = [jnp.where(past, jnp.nan, its).astype(dtype) for its in (k, v)]
            found = on_device(lambda q, k, v, lengths: attn_mlir.jax.decode(
                q, k, v, lengths=lengths, causal=True, return_lse=True))(q, *holes, lengths)
            wanted = on_cpu(lambda q, k, v, lengths, rows=rows: attention(
                q, k, v, mask=lambda b, h, i, j: j <= i + lengths[b] - rows), q, k, v, lengths)
            self.check_all(found, wanted, dtype, 1, f"{rows} rows")

    def test_pages_and_append(self):
        """Tokens are appended in place to a cache in pages of 16, which is then read."""
        tokens, dim, dtype = 5, 64, "float16"
        numbers = np.random.default_rng(5).permutation(12).reshape(3, 4)
        table = jnp.asarray(numbers, jnp.int32)
        old = np.array([0, 9, 50])
        k, v = (random((3, 64, 2, dim), dtype) for _ in "kv")
        q = random((3, tokens, 8, dim), dtype)

        def pool(array, spoil):
            its = np.array(array, np.float32)
            if spoil:  # positions of new tokens are not read before they are written
                its[np.arange(64) >= old[:, None]] = np.nan
            made = np.zeros((12, 16, 2, dim), np.float32)
            made[numbers] = its.reshape(3, 4, 16, 2, dim)
            return jnp.asarray(made, dtype)

        positions = old[:, None] + np.arange(tokens)
        new = [jnp.asarray(np.take_along_axis(np.asarray(its), positions[..., None, None], 1))
               for its in (k, v)]

        @functools.partial(jax.jit, donate_argnums=(0, 1, 2))
        def step(k_pool, v_pool, lengths, new_k, new_v, q):
            k_pool, v_pool, lengths = attn_mlir.jax.append(
                new_k, new_v, k_pool, v_pool, lengths, page_table=table)
            return k_pool, v_pool, lengths, attn_mlir.jax.decode(
                q, k_pool, v_pool, lengths=lengths, page_table=table, causal=True)

        *_, lengths, output = step(pool(k, True), pool(v, True), jnp.asarray(old, jnp.int32),
                                   *new, q)
        np.testing.assert_array_equal(lengths, old + tokens)
        wanted = on_cpu(lambda q, k, v, old: attention(
            q, k, v, mask=lambda b, h, i, j: j <= i + old[b]), q, k, v, old)
        self.check_all([output], wanted[:1], dtype)

    def test_latents(self):
        """Calls mla_decode on latents whose first columns are the values."""
        q, cache = random((2, 1, 16, 576), "bfloat16"), random((2, 150, 576), "bfloat16")
        lengths = jnp.asarray([150, 31], jnp.int32)
        found = on_device(lambda q, cache, lengths: attn_mlir.jax.mla_decode(
            q, cache, scale=0.05, latent_dim=512, lengths=lengths, return_lse=True))(
                q, cache, lengths)
        wanted = on_cpu(lambda q, cache, lengths: attention(
            q, cache[:, :, None], cache[:, :, None, :512], scale=0.05,
            mask=lambda b, h, i, j: j < lengths[b] + 0 * i), q, cache, lengths)
        self.check_all(found, wanted, "bfloat16")

    def test_merge(self):
        q, k, v = problem(head_dim=64, dtype="float16", **SIZES)

        def parts(q, k, v):
            return attn_mlir.jax.merge([attn_mlir.jax.attention(q, k[:, its], v[:, its],
                                                                return_lse=True)
                                        for its in (slice(0, 70), slice(70, None))])

        self.check_all(on_device(parts)(q, k, v), on_cpu(attention, q, k, v), "float16", 2)

    def test_dropout(self):
        """The GPU drops the same probabilities as the CPU, gives the same bits in each call, and
        drops the same ones for gradients."""
        probability, seed = 0.3, (12345678901234567, 2**33 + 77)
        arrays = problem(head_dim=64, dtype="float16", **SIZES)
        kept = np.asarray(attn_mlir.dropout_mask(*[
            np.ascontiguousarray(np.asarray(its).transpose(0, 2, 1, 3)) for its in arrays[:2]],
            probability, seed))
        factor = 65536 / (65536 - int(65536 * probability + 0.5))
        self.assertTrue(0.6 < kept.mean() < 0.8)

        def plain(q, k, v):
            k, v = (jnp.repeat(its, 4, 2) for its in (k, v))
            scores = jnp.einsum("bshd,bthd->bhst", q, k) * 0.125
            scores = jnp.where(jnp.arange(201) <= jnp.arange(130)[:, None], scores, -jnp.inf)
            return (jnp.einsum("bhst,bthd->bshd", jax.nn.softmax(scores) * kept * factor, v),)

        def ours(q, k, v):
            return (attn_mlir.jax.attention(q, k, v, causal=True, dropout_p=probability,
                                            seed=seed),)

        found = on_device(ours)(*arrays)
        self.check_all(found, on_cpu(plain, *arrays), "float16", 2)
        np.testing.assert_array_equal(np.asarray(ours(*arrays)[0]), np.asarray(found[0]))
        d_o = random((2, 130, 8, 64), "float16")
        found = on_device(lambda q, k, v, d_o: jax.vjp(ours, q, k, v)[1]((d_o,)))(*arrays, d_o)
        self.check_all(found, gradients_on_cpu(plain, arrays, [d_o]), "float16", 8)

    def test_stored(self):
        """Keys and values of 8 and of 4 bits, with a scale for each head."""
        for dtype, most in (("float8_e4m3fn", 448), ("float8_e5m2", 57344), ("int8", 127),
                            ("int4", 7)):
            for rows in (1, 130):
                q = random((2, rows, 8, 128), "bfloat16")
                stored, scales, meant = [], [], []
                for _ in "kv":
                    x = np.asarray(random((2, 201, 2, 128)))
                    scale = np.abs(x).max((1, 3), keepdims=True) / np.float32(most)
                    its = np.rint(x / scale) if dtype.startswith("int") else x / scale
                    stored.append(jnp.asarray(its).astype(dtype))
                    scales.append(jnp.asarray(scale[:, 0, :, 0]))
                    meant.append(np.asarray(stored[-1].astype("float32"), np.float64) * scale)
                found = on_device(lambda q, k, v, ks, vs: attn_mlir.jax.attention(
                    q, k, v, k_scale=ks, v_scale=vs, return_lse=True))(q, *stored, *scales)
                self.check_all(found, on_cpu(attention, q, *meant), "bfloat16", 2,
                               f"{dtype}, {rows} rows")

    def test_stored_queries(self):
        """Both products have operands of e4m3, so probabilities are rounded to 4 significant
        bits."""
        stored = [jnp.clip(random((2, 130, heads, 128)), -6, 6).astype("float8_e4m3fn")
                  for heads in (8, 2, 2)]
        one = jnp.ones(())
        found = on_device(lambda q, k, v, one: attn_mlir.jax.attention(
            q, k, v, q_scale=one, k_scale=one, v_scale=one, out_dtype="bf16"))(*stored, one)
        wanted, _ = on_cpu(attention, *[its.astype("float32") for its in stored])
        self.check_all([found], [wanted], "bfloat16", 4)

    def test_tangents(self):
        arrays = problem(head_dim=64, dtype="float32", **SIZES)
        tangents = [random(its.shape) for its in arrays]

        def push(function):
            return lambda *both: jax.jvp(function, both[:3], both[3:])[1]

        ours = functools.partial(attn_mlir.jax.attention, causal=True, return_lse=True)
        with jax.default_matmul_precision("highest"):
            found = on_device(push(ours))(*arrays, *tangents)
        wanted = on_cpu(push(functools.partial(attention, mask=causal)), *arrays, *tangents)
        self.check_all(found, wanted, "float32", 10)

    def test_vmap(self):
        arrays = [jnp.stack([its, -its, its[::-1]]) for its in problem(
            head_dim=64, dtype="float16", **SIZES)]
        found = on_device(jax.vmap(functools.partial(attn_mlir.jax.attention, causal=True)))(
            *arrays)
        wanted = on_cpu(jax.vmap(lambda *its: attention(*its, mask=causal)[0]), *arrays)
        self.check_all([found], [wanted], "float16")


def run_many():
    """Returns the results of compiled functions with several calls in a row, each run with several
    inputs."""
    q, k, v = problem(batch=2, rows=256, keys=256, heads=8, kv_heads=2, head_dim=64,
                      dtype="bfloat16")
    lengths = jnp.asarray([256, 77], jnp.int32)

    def layers(q, k, v):
        for _ in range(6):
            q = q + attn_mlir.jax.attention(q, k, v, causal=True, deterministic=True)
        return q

    def loss(q, k, v):
        return layers(q, k, v).astype("float32").sum()

    def steps(q, k_cache, v_cache, lengths):
        for _ in range(3):
            k_cache, v_cache, lengths = attn_mlir.jax.append(
                q[:, :, ::4], q[:, :, ::4], k_cache, v_cache, lengths)
            q = attn_mlir.jax.decode(q, k_cache, v_cache, lengths=lengths, causal=True)
        return q, k_cache, v_cache, lengths

    found = []
    for function, arrays in ((layers, (q, k, v)), (jax.grad(loss, (0, 1, 2)), (q, k, v)),
                             (steps, (q[:, :1], k, v, lengths - 6))):
        compiled = jax.jit(function)
        for factor in (1, 0.5, -1):  # other inputs, at other addresses
            own = [its * jnp.asarray(factor, its.dtype) if jnp.issubdtype(
                its.dtype, jnp.floating) else its for its in arrays]
            found += jax.tree.leaves(compiled(*own))
    return [np.asarray(its.astype("float32")) for its in found]


@unittest.skipUnless(IS_GPU, f"JAX has no GPU: {REASON}")
class Graphs(unittest.TestCase):
    def run_child(self, directory, flags):
        path = os.path.join(directory, "found.npz")
        environment = {**os.environ, "ATTN_TEST_SEED": "1",
                       "XLA_FLAGS": f"{os.environ.get('XLA_FLAGS', '')} {flags} "
                       f"--xla_dump_to={directory}"}
        subprocess.run([sys.executable, "-W", "ignore", os.path.abspath(__file__), "child",
                        path], check=True, env=environment)
        with np.load(path) as file:
            return [file[name] for name in file.files]

    def test_command_buffers(self):
        """With CUDA graphs of calls, results have the same bits as without graphs."""
        with tempfile.TemporaryDirectory() as with_graphs, \
                tempfile.TemporaryDirectory() as without:
            found = self.run_child(with_graphs, "--xla_gpu_graph_min_graph_size=1")
            wanted = self.run_child(without, "--xla_gpu_enable_command_buffer=")
            texts = []
            for directory in (with_graphs, without):
                parts = []
                for path in glob.glob(os.path.join(directory, "*thunk_sequence*")):
                    with open(path, encoding="utf-8", errors="replace") as file:
                        parts.append(file.read())
                texts.append("\n".join(parts))
        self.assertEqual(len(found), len(wanted))
        for its, own in zip(found, wanted):
            self.assertFalse(np.isnan(own).any())
            np.testing.assert_array_equal(its, own)
        if not texts[0]:
            self.skipTest("values are equal; this XLA does not write which thunks it has")
        self.assertRegex(texts[0], re.compile("command_?buffer", re.IGNORECASE))
        self.assertNotRegex(texts[1], re.compile("kCommandBuffer"))


if __name__ == "__main__":
    if sys.argv[1:2] == ["child"]:
        np.savez(sys.argv[2], *run_many())
    else:
        unittest.main()
