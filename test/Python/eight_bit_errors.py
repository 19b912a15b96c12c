# Error messages of calls with arrays of 8 and of 4 bits, for wrong scales, devices, dtypes and
# head dims. Each is one message, which says what was expected and what was found. On the GPU if
# there is one, else on the CPU.
#
# REQUIRES: capi, pytorch, numpy
# RUN: %pytorch-python -W ignore %s

import ctypes
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "Inputs"))

import attn_mlir
import numpy as np
import torch
from tensors import DEVICE

E4M3 = torch.float8_e4m3fn
Q, NEW = torch.randn(1, 4, 5, 64).half().to(DEVICE), torch.randn(1, 2, 3, 64).half().to(DEVICE)
K = torch.randn(1, 2, 17, 64).to(DEVICE)
ROWS, TOKENS = torch.randn(9, 4, 64).half().to(DEVICE), torch.randn(9, 2, 64).to(DEVICE)
CU = torch.tensor([0, 9], dtype=torch.int32, device=DEVICE)


def attention(k=None, **options):
    k = K.to(E4M3) if k is None else k
    return attn_mlir.attention(options.pop("q", Q), k, options.pop("v", k), **options)


def decode(k=None, **options):
    k = K.to(E4M3) if k is None else k
    return attn_mlir.decode(options.pop("q", Q), k, options.pop("v", k), **options)


def varlen(k=None, **options):
    k = TOKENS.to(E4M3) if k is None else k
    return attn_mlir.varlen(options.pop("q", ROWS), k, options.pop("v", k), CU, **options)


def append(k=None, **options):
    """Calls append() with K as its cache, as other calls have K as their keys."""
    cache = K.to(E4M3) if k is None else k
    new, lengths = options.pop("q", NEW), torch.tensor([3], dtype=torch.int32, device=DEVICE)
    if "k_scale" in options:
        options.setdefault("v_scale", torch.ones(1, 2, device=DEVICE))
    before = cache.clone()
    try:
        return attn_mlir.append(new, new, cache, options.pop("v", cache.clone()), lengths,
                                **options)
    except attn_mlir.Error:  # Then nothing is written.
        assert torch.equal(before.view(torch.uint8), cache.view(torch.uint8))
        assert lengths.tolist() == [3]
        raise


def quantize(k_scale="head", **options):
    return attn_mlir.quantize(options.pop("q", NEW), "e4m3", scale=k_scale, **options)


CALLS = {"attention": attention, "decode": decode, "varlen": varlen, "append": append,
         "quantize": quantize}


class OnGpu:
    """An array in CPU memory that claims to be on a GPU, while the others are on the CPU. No call
    may read it."""

    def __init__(self, array):
        self.array, self.shape, self.dtype = array, array.shape, array.dtype

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, stream=None, **options):
        capsule = self.array.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
        # In a DLTensor, the device follows the 8 bytes of the elements' address.
        ctypes.c_int32.from_address(pointer(capsule, b"dltensor") + 8).value = 2
        return capsule


def elsewhere(array):
    return array.cpu() if DEVICE == "cuda" else OnGpu(array)


class Errors(unittest.TestCase):
    def expect(self, what, message, call, *arguments, **options):
        with self.subTest(what):
            with self.assertRaisesRegex(attn_mlir.ArgumentError, message) as found:
                call(*arguments, **options)
            # The error is a single message in one line.
            self.assertNotIn("\n", str(found.exception))

    def test_shapes(self):
        sizes = {"attention": r"\(\), \(B, Hkv\) or \(B, Hkv, Skv\)",
                 "varlen": r"\(\), \(H,\) or \(T, H\)", "append": r"\(\) or \(B, Hkv\)",
                 "quantize": r"\(\) or \(1, 2\) or \(1, 2, 3\) or \(1, 2, 1, 64\)"}
        sizes["decode"] = sizes["attention"]
        for name, call in CALLS.items():
            scale = "scale" if name == "quantize" else "k_scale"
            heads = (7,) if name == "varlen" else (1, 7)
            for shape in (heads, (1, 1, 1, 1, 2)):
                self.expect((name, shape), f"^{scale}: expected sizes {sizes[name]}, each of "
                            f"which may be 1,.* found {re.escape(str(shape))}$", call,
                            k_scale=torch.ones(shape, device=DEVICE))
        for name in ("attention", "decode"):
            q_scale = torch.ones(1, 2, device=DEVICE)
            self.expect((name, "q"), r"^q_scale: expected sizes \(\), \(B, Hq\)", CALLS[name],
                        q_scale=q_scale)
            self.expect((name, "v"), r"^v_scale: expected .* or \(B, Hkv, 1, Dv\)", CALLS[name],
                        v_scale=torch.ones(1, 4, device=DEVICE))
            self.expect((name, "out"), r"^out_scale: expected sizes \(\) or \(B, Hq\)",
                        CALLS[name], out_scale=q_scale)
        # If each token has a scale, `append` writes the new scales, so their arrays must have an
        # element for each position of the cache.
        made = torch.ones(1, 2, 16, device=DEVICE)
        self.expect("made", "^k_scale: expected size 17 in dimension 2", append, k_scale=made,
                    v_scale=made.clone())
        self.expect("one made", "^k_scale: expected an array of rank 3", append,
                    k_scale=made[:, :, 0], v_scale=made)
        self.expect("none beside one made", r"^v_scale: expected sizes \(\) or \(B, Hkv\), since "
                    "k_scale is None", append, q=NEW.float(), k=K.float(), v=K.to(torch.int8),
                    k_scale=None, v_scale=made)
        self.expect("one", "^v_scale: expected an array beside that of the other", append,
                    k_scale=torch.ones(1, 2, device=DEVICE), v_scale=None)

    def test_dtypes_of_scales(self):
        for name, call in CALLS.items():
            scale = "scale" if name == "quantize" else "k_scale"
            shape = (2,) if name == "varlen" else (1, 2)
            self.expect(name, f"^{scale}: expected dtype f(loat)?32, found .*f(loat)?16", call,
                        k_scale=torch.ones(shape, device=DEVICE).half())
            for number in (0.5, True):
                self.expect((name, number), f"^{scale}: expected an array of NumPy's or torch's",
                            call, k_scale=number)
            self.expect((name, "pair"), f"^{scale}: expected a power of two", call,
                        k_scale=(torch.ones(shape, device=DEVICE), 10)) \
                if name != "append" else None

    def test_devices(self):
        places = ("GPU 0", "the CPU") if DEVICE == "cuda" else ("the CPU", "GPU 0")
        for name, call in CALLS.items():
            if name == "quantize":
                continue
            shape = (2,) if name == "varlen" else (1, 2)
            self.expect(name, f"^k_scale: expected an array on {places[0]}, as (the query|k) "
                        f"is, found one on {places[1]}", call,
                        k_scale=elsewhere(torch.ones(shape, device=DEVICE)))
            self.expect((name, "meta"), "^k_scale: expected a tensor on a CUDA device or on the "
                        "CPU, found meta", call, k_scale=torch.ones(shape, device="meta"))
        self.expect("quantize", f"^scale: expected an array on {DEVICE}.*, as x is, found one "
                    "on meta", quantize, k_scale=torch.ones(1, 2, device="meta"))
        self.expect("quantize a pair", f"^scale: expected an array on {DEVICE}.*, as x is",
                    quantize, k_scale=(torch.ones(1, 2, 1, device="meta"), 16))
        self.expect("another library", "^scale: expected an array of torch's, as x is, found "
                    "one of NumPy's", quantize, k_scale=np.ones((1, 2), "float32"))
        self.expect("another library", "^scale: expected an array of NumPy's, as x is, found "
                    "one of torch's", quantize, q=np.ones((1, 2, 3, 8), "float16"),
                    k_scale=torch.ones(1, 2))
        # A scale with one number may be on the CPU.
        o = attention(k_scale=torch.full((), 2.0), v_scale=torch.ones(()))
        assert torch.equal(o, attention(k_scale=torch.full((), 2.0, device=DEVICE)))

    def test_types_that_no_chip_reads(self):
        """The message about a type that no chip reads says which types to use instead."""
        names = ("float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu", "float4_e2m1fn_x2")
        instead = (r"float16, bfloat16 or float32, or of 8 bits float8_e4m3fn, float8_e5m2 or "
                   r"int8 \(attn_mlir.quantize makes these")
        for its in [getattr(torch, its) for its in names if hasattr(torch, its)]:
            for name, call in CALLS.items():
                if name == "quantize":
                    continue
                of_bytes = (TOKENS if name == "varlen" else K).to(torch.int8).view(its)
                key = "k_cache" if name in ("decode", "append") else "k"
                self.expect((name, its), f"^{key}: expected dtype {instead}.*found {its}", call,
                            of_bytes)
                if name != "append":
                    rows = (ROWS if name == "varlen" else Q).to(torch.int8).view(its)
                    self.expect((name, its, "q"), f"^q: expected dtype {instead}", call, q=rows)
                    self.expect((name, its, "out"), "^out_dtype: expected None, .*or "
                                "float8_e5m2, found", call, out_dtype=its)
            self.expect(("quantize", its), "^dtype: expected 'e4m3', 'e5m2', 'i8' or 'i4'",
                        attn_mlir.quantize, NEW, its)
            self.expect(("quantize x", its), "^x: expected dtype float16, bfloat16 or float32",
                        attn_mlir.quantize, NEW.to(torch.int8).view(its), "e4m3")
        # Types that chips read, but that are not allowed for this argument.
        for name in ("attention", "decode", "varlen"):
            rows = ROWS if name == "varlen" else Q
            self.expect((name, "int8"), "^q: expected dtype f16 or bf16 or f32 or f8E4M3FN or "
                        "f8E5M2, found i8", CALLS[name], q=rows.to(torch.int8))
            self.expect((name, "f64"), "^q: expected dtype", CALLS[name], q=rows.double())
        self.expect("append", "^k: expected dtype", append, q=NEW.to(E4M3))
        self.expect("quantize", "^x: expected dtype float16", quantize, q=NEW.double())
        with self.assertRaisesRegex(attn_mlir.Error, "chip 'sm_75' is older than sm_80, the "
                                    "first that has what kernels need"):
            attn_mlir.compile(dtype="f16", head_dim=64, chip="sm_75")

    def test_odd_head_dims(self):
        halves = torch.zeros(1, 2, 17, 32, dtype=torch.uint8, device=DEVICE)
        packed = torch.zeros(9, 2, 32, dtype=torch.uint8, device=DEVICE)
        self.expect("attention", r"^k: expected size 63 in dimension 3 \(D\), as q has, found "
                    "64", attention, halves, q=Q[..., :63], kv_dtype="i4")
        self.expect("decode", r"^k_cache: expected size 63 in dimension 3 \(D\), as q has, found "
                    "64", decode, halves, q=Q[..., :63], kv_dtype="i4")
        self.expect("varlen", r"^k: expected size 63 in dimension 2 \(D\), as q has, found 64",
                    varlen, packed, q=ROWS[..., :63], kv_dtype="i4")
        self.expect("append", r"^k_cache: expected size 63 in dimension 3 \(D\), as k has, found "
                    "64", append, halves, q=NEW[..., :63], kv_dtype="i4")
        self.expect("quantize", "^x: expected an even head dim for 'i4', two numbers to a byte, "
                    "found 63", attn_mlir.quantize, NEW[..., :63], "i4")

    def test_numbers_that_are_not_finite(self):
        for name, call in CALLS.items():
            scale = "scale" if name == "quantize" else "k_scale"
            shape = (2,) if name == "varlen" else (1, 2)
            for number in (torch.nan, torch.inf, -torch.inf):
                some = torch.ones(shape, device=DEVICE)
                some[..., 1] = number
                for its in (some, torch.full((), number, device=DEVICE)):
                    self.expect((name, number), f"^{scale}: expected finite numbers, found "
                                f"{number}", call, k_scale=its, check=True)
            self.expect((name, "check"), "^check: expected False or True, found 3", call,
                        k_scale=torch.ones(shape, device=DEVICE), check=3) \
                if name == "quantize" else None
        for name in ("attention", "decode", "varlen"):
            shape = (2,) if name == "varlen" else (1, 2)
            some = torch.ones(shape, device=DEVICE)
            some[..., 1] = torch.nan
            o = CALLS[name](v_scale=some)
            halves = o.split(2, 1)
            assert halves[0].isfinite().all() and halves[1].isnan().all(), name
            self.expect((name, "v"), "^v_scale: expected finite numbers, found nan", CALLS[name],
                        v_scale=some, check=True)
            self.expect((name, "out"), "^out_scale: expected finite numbers, found nan",
                        CALLS[name], check=True, out_scale=torch.full((), torch.nan,
                                                                      device=DEVICE))
        stored, _ = quantize(k_scale=some[None])
        assert stored[:, 0].float().isfinite().all() and stored[:, 1].float().isnan().all()


if __name__ == "__main__":
    unittest.main()
