# Wrong arguments: exceptions that name them. Nothing is written, nothing crashes.
#
# REQUIRES: capi, numpy
# RUN: %numpy-python %s

import inspect
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import numpy as np
import reference


class Arguments(unittest.TestCase):
    def setUp(self):
        self.arrays = dict(zip("qkv", reference.problem()))

    def expect(self, text, error=attn_mlir.ArgumentError, **arguments):
        with self.assertRaisesRegex(error, text) as caught:
            attn_mlir.attention(**{**self.arrays, **arguments})
        return caught.exception

    def test_arrays(self):
        q, k, v = self.arrays.values()
        self.expect("^q: expected an array .* found int", q=1)
        self.expect("^k: expected an array .* found NoneType", k=None)
        self.expect("^v: expected an array .* found list", v=v.tolist())
        self.expect("^q: expected rank 4: .* found sizes .4, 19, 16.", q=q[0])
        self.expect("^k: expected rank 4", k=k[..., None])
        self.expect("^v: expected rank 4", v=np.zeros((), np.float32))

    def test_dtypes(self):
        q, k, v = self.arrays.values()
        self.expect("^q: expected dtype .* found f64", q=q.astype(np.float64))
        self.expect("^k: expected dtype f32 or f8E4M3FN or f8E5M2 or i8 or i4, found f16",
                    k=k.astype(np.float16))
        self.expect("^v: expected dtype f32 or f8E4M3FN or f8E5M2 or i8 or i4, found i32",
                    v=v.astype(np.int32))
        self.expect("^k: expected dtype .* found [<|>]c8", k=k.astype(np.complex64))
        self.expect("^v: expected dtype .* found >f4", v=v.astype(">f4"))
        self.expect("^k: expected dtype .* found .O", k=k.astype(object))

    def test_sizes(self):
        q, k, v = self.arrays.values()
        self.expect(r"^k: expected size 16 in dimension 3 \(D\), as q has, found 15$",
                    k=k[..., :15])
        self.expect(r"^k: expected size 2 in dimension 0 \(B\), as q has, found 1$", k=k[:1])
        self.expect(r"^v: expected size 37 in dimension 2 \(Skv\), as k has, found 5$",
                    v=v[:, :, :5])
        self.expect(r"^v: expected size 2 in dimension 1 \(Hkv\), as k has, found 1$",
                    v=v[:, :1])
        self.expect("heads", q=q[:, :3])

    def test_strides(self):
        q, k, v = self.arrays.values()
        wide = np.zeros((2, 4, 19, 32), np.float32)
        self.expect("^q: expected rows without gaps, found stride 2 in dimension 3",
                    q=wide[..., ::2])
        self.expect("^k: expected rows without gaps, found stride -1 in dimension 3",
                    k=k[..., ::-1])
        shared = np.zeros(2 * 2 * 37 * 16 * 4 + 8, np.uint8)
        odd = shared[1:-7].view(np.float32).reshape(v.shape)
        self.expect("^v.*multiple of 4", v=odd)
        records = np.zeros(v.shape, [("x", "f4"), ("y", "i1")])["x"]
        self.expect("^v: expected strides that are multiples of 4 bytes", v=records)

    def test_options(self):
        self.expect("^causal: expected False, True, .* found 'left'", causal="left")
        self.expect("^causal: expected", causal=None)
        self.expect("^align: expected .* found 'left'", align="left")
        self.expect("^window: expected .* found .-1, 0.", window=(-1, 0))
        self.expect("^window: expected", window=3)
        self.expect("^window: expected", window=(1, 2, 3))
        self.expect("^window: expected", window=(1.5, None))
        self.expect("^window: expected", window=(True, 1))
        self.expect("^window: expected", window=np.zeros(2, np.float32))
        self.expect("^window: expected", window="ab")
        self.expect("^causal: expected", causal=1)
        self.expect("^causal: expected", causal=[True])
        self.expect("^return_lse: expected False or True, found .1.", return_lse=[1])
        self.expect("^scale: expected a finite number, found ndarray of sizes .2,.",
                    scale=np.zeros(2))
        self.expect("^dropout_p: expected a number from 0 to 1", dropout_p=np.zeros(2))
        self.expect("^dropout_p: expected a number from 0 to 1", dropout_p=[0.1])
        self.expect("^dropout_p: expected a number from 0 to 1", dropout_p=None)
        self.expect("^scale: expected a finite number", scale=float("nan"))
        self.expect("^scale: expected a finite number", scale="1")
        self.expect("^scale: expected a finite number", scale=10**400)
        self.expect("stream", stream=1)
        self.expect("^stream: expected a CUDA stream's handle", stream="1")

    def test_flags(self):
        """Each argument that is a flag is False or True, and not another value that Python counts
        as one of these."""
        q, k, v = self.arrays.values()
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        lengths, table = np.array([3, 4], np.int32), np.ones((9, 8), np.float32)
        for name, call in (
                ("check", lambda **flag: attn_mlir.attention(q, k, v, **flag)),
                ("check", lambda **flag: attn_mlir.decode(q, k, v, lengths=lengths, **flag)),
                ("check", lambda **flag: attn_mlir.append(k, v, k.copy(), v.copy(), lengths,
                                                          **flag)),
                ("interleaved", lambda **flag: attn_mlir.append(
                    k, v, k.copy(), v.copy(), lengths, cos=table, sin=table, **flag)),
                ("return_lse", lambda **flag: attn_mlir.merge([(o, lse)], **flag)),
                ("deterministic", lambda **flag: attn_mlir.attention_backward(
                    q, k, v, o, lse, o, **flag))):
            for flag in ("no", 1, [True]):
                with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                            f"^{name}: expected False or True, found"):
                    call(**{name: flag})
            self.assertEqual(lengths.tolist(), [3, 4])
            call(**{name: np.False_})
            lengths[:] = 3, 4

    def test_numbers_of_numpy(self):
        """All calls accept numbers of NumPy for options as they accept those of Python."""
        q, k, v = self.arrays.values()
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        packed = [np.ascontiguousarray(its[0].swapaxes(0, 1)) for its in (q, k, v)]
        cu_q, cu_kv = (np.array([0, its.shape[2]], np.int32) for its in (q, k))
        calls = {
            "attention": lambda **more: attn_mlir.attention(q, k, v, **more),
            "backward": lambda **more: attn_mlir.attention_backward(q, k, v, o, lse, o,
                                                                    **more)[0],
            "varlen": lambda **more: attn_mlir.varlen(*packed, cu_q, cu_kv, **more),
            "decode": lambda **more: attn_mlir.decode(q, k, v, **more)}
        for name, call in calls.items():
            with self.subTest(name):
                for given, plain in (
                        ({"window": (np.int64(3), np.uint8(1))}, {"window": (3, 1)}),
                        ({"window": [np.int32(3), None]}, {"window": (3, None)}),
                        ({"window": np.array([3, 1])}, {"window": (3, 1)}),
                        ({"causal": np.bool_(True)}, {"causal": True}),
                        ({"scale": np.float32(0.5)}, {"scale": 0.5}),
                        ({"scale": np.int64(2)}, {"scale": 2.0})):
                    for _ in range(2):
                        np.testing.assert_array_equal(call(**given), call(**plain))
        kernel = attn_mlir.compile(dtype="f32", head_dim=np.int64(16), chip="host",
                                   return_lse=np.True_, window=[np.int64(3), 3])
        self.assertEqual(kernel.arguments[0].sizes[3], 16)
        dropped = attn_mlir.attention(q, k, v, dropout_p=np.float16(0.5),
                                      seed=(np.int64(1), np.int32(2)))
        np.testing.assert_array_equal(
            dropped, attn_mlir.attention(q, k, v, dropout_p=0.5, seed=(1, 2)))
        integers, scale = (np.int64(0), np.int32(8)), np.ones((*k.shape[:2], 1), "float32")
        for call in (
                lambda one, two, many: attn_mlir.attention(q, k, value_dims=(one, two)),
                lambda one, two, many: attn_mlir.attention(q, k, v, k_scale=(scale, many)),
                lambda one, two, many: attn_mlir.quantize(k, "i8", scale=many)[0],
                lambda one, two, many: attn_mlir.quantize(k, "i8", scale=(scale, many))[0],
                lambda one, two, many: attn_mlir.mla_decode(q, k[:, 0], scale=1.0,
                                                            latent_dim=two)):
            np.testing.assert_array_equal(call(*integers, np.int16(256)), call(0, 8, 256))

    def test_names_of_others(self):
        """If an argument has the name that another library uses for it, the error says what to
        pass."""
        for name, text in (
                ("is_causal", "expected causal=True"), ("casual", "expected causal="),
                ("attn_mask", "expected mask_mod=a function"),
                ("alibi_slopes", "expected score_mod=a function"),
                ("softmax_scale", "expected scale="), ("softcap", "score.tanh"),
                ("window_size", r"expected window=\(left, right\)"),
                ("dropout", "expected dropout_p="), ("return_attn_probs", "return_lse=True"),
                ("enable_gqa", "no such argument: k and v"),
                ("nothing_like_it", "expected some of q, k, v, scale")):
            self.expect(rf"^attention\(\) got an unexpected keyword argument '{name}'.*{text}",
                        error=TypeError, **{name: None})
        for function, name, text in (
                (attn_mlir.varlen, "cu_seqlens_q", "cu_q="),
                (attn_mlir.decode, "cache_seqlens", "lengths="),
                (attn_mlir.decode, "block_table", "page_table="),
                (attn_mlir.append, "rotary_cos", "cos="),
                (attn_mlir.merge, "s_aux", "sink="),
                (attn_mlir.attention_backward, "is_causal", "causal=True"),
                (attn_mlir.compile, "is_causal", "causal=True")):
            needed = [its for its in inspect.signature(function).parameters.values()
                      if its.kind is its.POSITIONAL_OR_KEYWORD and its.default is its.empty]
            with self.assertRaisesRegex(TypeError, f"'{name}'.*{text}"):
                function(*[None] * len(needed), **{name: None})

    def test_out(self):
        q, k, v = self.arrays.values()
        out = np.full(q.shape, 7, np.float32)
        self.expect("^out: expected an array", out=1)
        self.expect("^out: expected dtype f32, found f16", out=out.astype(np.float16))
        self.expect("^out: expected rank 4", out=out[0])
        self.expect(r"^out: expected size 19 in dimension 2 \(Sq\), as q has, found 18$",
                    out=out[:, :, :-1])
        self.expect("^out: lse: expected rank 3", out=(out, out), return_lse=True)
        self.expect("^out: lse: expected dtype f32", return_lse=True,
                    out=(out, np.zeros(q.shape[:3], np.float64)))
        self.expect("^out: lse: expected size 19 in dimension 2", return_lse=True,
                    out=(out, np.zeros((2, 4, 18), np.float32)))
        self.expect("^out: expected a pair", out=out[0, 0, 0], return_lse=True)
        self.assertTrue((out == 7).all())

    def test_arrays_of_gradients(self):
        q, k, v = self.arrays.values()
        o, lse = attn_mlir.attention(q, k, v, return_lse=True)
        names = ("q", "k", "v", "o", "lse", "d_o")
        for number, name in enumerate(names):
            arrays = [q, k, v, o, lse, o]
            arrays[number] = None
            with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                        ": expected an array .* found NoneType", msg=name):
                attn_mlir.attention_backward(*arrays)

        for wrt in (None, 3, [None], np.zeros((2, 3))):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, "^wrt: expected some of"):
                attn_mlir.attention_backward(q, k, v, o, lse, o, wrt=wrt)

    def test_missing_arrays(self):
        """Arrays that are read for their columns, before the kernel's arrays are checked."""
        q, k, v = self.arrays.values()
        caches, lengths = (k.copy(), v.copy()), np.zeros(2, np.int32)
        latents = np.zeros((2, 9, 16), np.float32)
        pair = latents[..., :12], latents[..., 12:]
        for wrong in (None, 3, "x", object()):
            for name, call in (
                    ("k", lambda: attn_mlir.attention(q, wrong, value_dims=(0, 4))),
                    ("k_cache", lambda: attn_mlir.decode(q, wrong, value_dims=(0, 4))),
                    ("k", lambda: attn_mlir.append(wrong, None, caches[0], None, lengths,
                                                   value_dims=(0, 4))),
                    ("k_cache", lambda: attn_mlir.append(k, None, wrong, None, lengths,
                                                         value_dims=(0, 4))),
                    ("cache", lambda: attn_mlir.mla_decode(q, wrong, scale=1.0, latent_dim=8)),
                    ("q", lambda: attn_mlir.mla_decode(wrong, pair, scale=1.0)),
                    ("k", lambda: attn_mlir.dropout_mask(q, wrong, 0.5, (1, 2)))):
                with self.subTest(name, wrong=wrong), self.assertRaisesRegex(
                        attn_mlir.ArgumentError, f"^{name}: expected an array"):
                    call()
        self.expect("^k: expected an array with columns, found sizes ..$", k=np.zeros(()), v=None,
                    value_dims=(0, 4))

    def test_read_only_output(self):
        out = np.zeros(self.arrays["q"].shape, np.float32)
        out.flags.writeable = False
        self.expect("^out: expected an array that may be written", out=out)

    def test_all_errors_are_of_one_type(self):
        error = self.expect("", q=None)
        self.assertIsInstance(error, attn_mlir.Error)
        self.assertIsInstance(error, ValueError)
        self.assertEqual(error.status, "INVALID_ARGUMENT")


class Compilation(unittest.TestCase):
    def expect(self, text, *arguments, error=attn_mlir.Error, **options):
        with self.assertRaisesRegex(error, text) as caught:
            attn_mlir.compile(*arguments, **options)
        return caught.exception

    def test_modules(self):
        self.assertEqual(self.expect("module:1:1", "?", chip="host").status,
                         "INVALID_MODULE")
        self.expect("main", "func.func @other() { return }", chip="host")
        self.expect("source: expected MLIR", 3)
        self.expect("a module or head_dim")
        self.expect("head_dim: expected None beside a module", "", head_dim=64)

    def test_options(self):
        limits = "head_dim: expected an integer from 1 to 2.31 - 1, found "
        self.expect(limits + "0", head_dim=0)
        self.expect(limits + "64.0", head_dim=64.0)
        self.expect(limits + "1099511627776", head_dim=2**40)
        self.expect("dtype: expected .* found 'f64'", dtype="f64", head_dim=64)
        self.expect("sm_70", head_dim=64, chip="sm_70")
        self.expect("chip: expected a string", head_dim=64, chip=b"host")
        self.expect("access", head_dim=64, chip="sm_90", access="wide")
        for name in ("backward", "return_lse", "d_lse", "deterministic"):
            self.expect(f"^{name}: expected False or True, found 'no'", head_dim=64,
                        chip="host", **{name: "no"})

    def test_unsupported(self):
        self.expect("expected a head dim of at most 576, found 600", head_dim=600,
                    chip="sm_90")


class Launches(unittest.TestCase):
    def test_run(self):
        kernel = attn_mlir.compile(dtype="f32", head_dim=16, chip="host")
        q, k, v = reference.problem()
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "expected 4 arguments, found 3"):
            kernel.run(q, k, v)
        with self.assertRaisesRegex(attn_mlir.ArgumentError,
                                    r"argument 2 \(value\): expected an array"):
            kernel.run(q, k, 3.0, q)
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "stage"):
            kernel.ir("ptx")
        with self.assertRaisesRegex(attn_mlir.ArgumentError, "stage"):
            kernel.ir(None)


if __name__ == "__main__":
    unittest.main()
