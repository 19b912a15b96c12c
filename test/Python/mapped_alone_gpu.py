# Arrays on a GPU directly after or before unmapped addresses, so that an access outside of them
# is an illegal address. Results are compared with those of arrays in ordinary memory.
#
# REQUIRES: capi, torch, pytorch
# RUN: %pytorch-python -W ignore %s

import ctypes
import math
import unittest

import attn_mlir
import torch
from attn_mlir._packed import varlen_backward

CASES = [(dtype, dim) for dtype in (torch.float16, torch.bfloat16) for dim in (64, 128, 256)]
NAMES = {torch.float16: "f16", torch.bfloat16: "bf16"}


class Location(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("id", ctypes.c_int)]


class Properties(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("handles", ctypes.c_int), ("location", Location),
                ("metadata", ctypes.c_void_p), ("flags", ctypes.c_ubyte * 8)]


class Access(ctypes.Structure):
    _fields_ = [("location", Location), ("flags", ctypes.c_int)]


class Memory:
    """GPU memory of `count` bytes that ends directly before an unmapped range of addresses, or
    begins directly after one."""

    def __init__(self, count, at_end):
        driver = ctypes.CDLL("libcuda.so.1")

        def call(name, *arguments):
            status = getattr(driver, name)(*arguments)
            assert status == 0, (name, status)

        own = Location(1, torch.cuda.current_device())
        properties = Properties(1, 0, own)
        unit = ctypes.c_size_t()
        call("cuMemGetAllocationGranularity", ctypes.byref(unit), ctypes.byref(properties), 0)
        self.size = max(1, -(-count // unit.value)) * unit.value
        base, handle = ctypes.c_uint64(), ctypes.c_uint64()
        call("cuMemAddressReserve", ctypes.byref(base), ctypes.c_size_t(self.size + 2 * unit.value),
             ctypes.c_size_t(0), ctypes.c_uint64(0), ctypes.c_uint64(0))
        call("cuMemCreate", ctypes.byref(handle), ctypes.c_size_t(self.size),
             ctypes.byref(properties), ctypes.c_uint64(0))
        self.first = base.value + unit.value
        call("cuMemMap", ctypes.c_uint64(self.first), ctypes.c_size_t(self.size),
             ctypes.c_size_t(0), handle, ctypes.c_uint64(0))
        access = Access(own, 3)
        call("cuMemSetAccess", ctypes.c_uint64(self.first), ctypes.c_size_t(self.size),
             ctypes.byref(access), ctypes.c_size_t(1))
        place = self.first + ((self.size - count) // 16 * 16 if at_end else 0)
        self.__cuda_array_interface__ = {"shape": (count,), "typestr": "|u1", "version": 3,
                                         "data": (place, False)}
        self.driver, self.handle = driver, handle

    def free(self):
        self.driver.cuMemUnmap(ctypes.c_uint64(self.first), ctypes.c_size_t(self.size))
        self.driver.cuMemRelease(self.handle)


class Alone(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.memories = []

    def tearDown(self):
        torch.cuda.synchronize()
        for memory in self.memories:
            memory.free()

    def move(self, tensor, at_end):
        """Returns a copy of the tensor in memory next to an unmapped range of addresses."""
        memory = Memory(tensor.numel() * tensor.element_size(), at_end)
        self.memories.append(memory)
        copy = torch.as_tensor(memory, device="cuda").view(tensor.dtype).view(tensor.shape)
        copy.copy_(tensor)
        return copy

    def check(self, function, arrays, poisoned=()):
        """Compares the results of `function` on arrays in ordinary memory and in memory next to
        unmapped addresses. The arrays in `poisoned`, which it writes, are NaN before."""
        expected = function(*arrays)
        for at_end in (False, True):
            moved = [self.move(array, at_end) for array in arrays]
            for index in poisoned:
                moved[index].fill_(math.nan)
            found = function(*moved)
            torch.cuda.synchronize()
            for its, own in zip(found, expected):
                self.assertTrue(torch.equal(its, own))
                self.assertTrue(its.isfinite().all() or its.dtype == torch.float32)

    def gradients(self, lengths, dtype, dim, causal):
        """Checks gradients of batch entries with lengths of rows and of keys. Rows past the lengths
        are NaN."""
        shape = (len(lengths), 2, 300, dim)
        array = f"memref<{'x'.join(map(str, shape))}x{NAMES[dtype]}>"
        own = f"memref<{len(lengths)}xi32>"
        lse = f"memref<{'x'.join(map(str, shape[:3]))}xf32>"
        mask = "mask <top_left, causal> " if causal else ""
        sequences = f"lengths(%rows, %keys : {own}, {own})"
        text = f"""
func.func @main(%q: {array}, %k: {array}, %v: {array}, %rows: {own}, %keys: {own},
                %o: {array}, %lse: {lse}, %do: {array}, %dq: {array}, %dk: {array},
                %dv: {array}) {{
  attn.attention {mask}ins(%q, %k, %v : {array}, {array}, {array}) {sequences}
      outs(%o, %lse : {array}, {lse})
  attn.attention_backward {mask}deterministic
      ins(%q, %k, %v, %o, %lse, %do : {array}, {array}, {array}, {array}, {lse}, {array})
      {sequences} outs(%dq, %dk, %dv : {array}, {array}, {array})
  return
}}"""
        kernel = attn_mlir.compile(text)
        q, k, v, d_output = (torch.randn(shape, device="cuda").to(dtype) for _ in range(4))
        for batch, (rows, keys) in enumerate(lengths):
            for its, length in ((q, rows), (d_output, rows), (k, keys), (v, keys)):
                its[batch, :, length:] = math.nan
        rows, keys = (torch.tensor(its, dtype=torch.int32, device="cuda")
                      for its in zip(*lengths))
        outs = [torch.full(shape, math.nan, dtype=dtype, device="cuda") for _ in range(4)]
        its_lse = torch.full(shape[:3], math.nan, device="cuda")

        def run(*arrays):
            kernel.run(*arrays)
            return [arrays[i] for i in (5, 6, 8, 9, 10)]

        self.check(run, [q, k, v, rows, keys, outs[0], its_lse, d_output, *outs[1:]],
                   poisoned=(5, 6, 8, 9, 10))

    def test_gradients_with_lengths(self):
        for dtype, dim in CASES:
            for causal in (False, True):
                with self.subTest(dtype=dtype, dim=dim, causal=causal):
                    self.gradients([(300, 0), (0, 300), (129, 128), (1, 1), (256, 17), (300, 300)],
                                   dtype, dim, causal)

    def test_packed(self):
        for dtype, dim in CASES:
            with self.subTest(dtype=dtype, dim=dim):
                cu = torch.tensor([0, 0, 128, 129, 129, 500, 637], dtype=torch.int32,
                                  device="cuda")
                q, k, v, d_output = (torch.randn(700, 4, dim, device="cuda").to(dtype)
                                     for _ in range(4))

                def run(q, k, v, d_output, cu):
                    o, lse = attn_mlir.varlen(q, k, v, cu, causal=True, return_lse=True)
                    return (o, lse, *varlen_backward(q, k, v, o, lse, d_output, cu, cu,
                                                     causal=True, deterministic=True))

                self.check(run, [q, k, v, d_output, cu])

    def test_lengths_of_caches(self):
        for dtype, dim in CASES:
            for rows in (1, 200):
                with self.subTest(dtype=dtype, dim=dim, rows=rows):
                    q = torch.randn(4, 8, rows, dim, device="cuda").to(dtype)
                    k, v = (torch.randn(4, 2, 1000, dim, device="cuda").to(dtype)
                            for _ in "kv")
                    lengths = torch.tensor([0, 1, 513, 1000], dtype=torch.int32, device="cuda")
                    self.check(lambda q, k, v, lengths: [attn_mlir.decode(q, k, v, lengths=lengths)],
                               [q, k, v, lengths])

    def test_pages(self):
        """Some pages are missing: one among other pages of a tile, or the only page of a tile."""
        for dtype, dim in CASES:
            for size in (16, 64, 128, 256):
                for rows in (1, 200):
                    with self.subTest(dtype=dtype, dim=dim, size=size, rows=rows):
                        columns = 2048 // size
                        q = torch.randn(3, 8, rows, dim, device="cuda").to(dtype)
                        pools = [torch.randn(2 * columns, 2, size, dim, device="cuda").to(dtype)
                                 for _ in "kv"]
                        table = torch.randint(2 * columns, (3, columns), dtype=torch.int32,
                                              device="cuda")
                        table[0, 1::3] = -1
                        table[1, 2 * columns // 4:3 * columns // 4] = 1 << 30
                        lengths = torch.tensor([2048, 2000, 1], dtype=torch.int32, device="cuda")
                        self.check(lambda q, k, v, table, lengths: [attn_mlir.decode(
                            q, k, v, lengths=lengths, page_table=table)],
                            [q, *pools, table, lengths])

    def test_whole(self):
        for dtype, dim in CASES:
            with self.subTest(dtype=dtype, dim=dim):
                q, k, v, d_output = (torch.randn(2, 2, 333, dim, device="cuda").to(dtype)
                                     for _ in range(4))

                def run(q, k, v, d_output):
                    o, lse = attn_mlir.attention(q, k, v, causal=True, return_lse=True)
                    return (o, lse, *attn_mlir.attention_backward(
                        q, k, v, o, lse, d_output, causal=True, deterministic=True))

                self.check(run, [q, k, v, d_output])


if __name__ == "__main__":
    unittest.main()
