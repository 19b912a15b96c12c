"""Checks GroupQueryAttention and MultiHeadAttention of com.microsoft with dynamic sizes: raises
modules, runs them on the host with caches and masks of several sizes, and compares the results with
the operators' definition in double precision."""

import sys

import numpy as np
from run_on_host import run
from evaluate_onnx import contrib

HEADS, KV_HEADS, WIDTH = 4, 2, 16
# Batch entries, rows, rows of the cache, last keys, and the total: a prompt with an empty cache, a
# prompt with padding in a cache that has room, one row, several rows, and a cache that grows.
CASES = [(2, 5, 0, (4, 4), 5), (3, 5, 8, (4, 2, 0), 5), (3, 1, 8, (7, 3, 0), 8),
         (1, 4, 9, (6,), 7), (2, 1, 6, (6, 2), 7)]
MODULE = """
!q = tensor<?x?x64xf32>
!k = tensor<?x?x32xf32>
!p = tensor<?x2x?x16xf32>
func.func @main(%q: !q, %k: !k, %v: !k, %pk: !p, %pv: !p, %last: tensor<?xi32>,
                %total: tensor<1xi32>) -> (!q, !p, !p) {
  %0:3 = "onnx.Custom"(%q, %k, %v, %pk, %pv, %last, %total) <{
      function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft",
      num_heads = 4 : si64, kv_num_heads = 2 : si64, local_window_size = 4 : si64} :
      (!q, !k, !k, !p, !p, tensor<?xi32>, tensor<1xi32>) -> (!q, !p, !p)
  return %0#0, %0#1, %0#2 : !q, !p, !p
}
"""
SHARED = """
!q = tensor<?x?x64xf32>
!k = tensor<?x?x16xf32>
func.func @main(%q: !q, %k: !k, %v: !k, %last: tensor<?xi32>, %total: tensor<1xi32>) -> !q {
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.Custom"(%q, %k, %v, %none, %none, %last, %total) <{
      function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft",
      num_heads = 4 : si64, kv_num_heads = 1 : si64, smooth_softmax = 1 : si64} :
      (!q, !k, !k, none, none, tensor<?xi32>, tensor<1xi32>) -> !q
  return %0 : !q
}
"""
LENGTHS = """
!q = tensor<?x?x64xf32>
func.func @main(%q: !q, %k: !q, %mask: tensor<?xi32>) -> !q {
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.Custom"(%q, %k, %k, %none, %mask) <{function_name = "MultiHeadAttention"}> {
      domain_name = "com.microsoft", num_heads = 4 : si64} : (!q, !q, !q, none, tensor<?xi32>) -> !q
  return %0 : !q
}
"""


def check_lengths(random):
    """Checks masks of lengths, with and without offsets of packed sequences after them."""
    for batch, rows, keys, more in ((3, 5, 7, 0), (1, 1, 9, 5), (2, 4, 4, 6)):
        q, k = (random.standard_normal((batch, n, 64)).astype(np.float32) for n in (rows, keys))
        mask = np.concatenate([random.integers(1, keys + 1, batch), random.integers(0, 99, more)])
        found, = run(LENGTHS, [q, k, mask.astype(np.int32)], [q.shape])
        expected, *_ = contrib("MultiHeadAttention", {"num_heads": HEADS},
                               [q.astype(float), *[k.astype(float)] * 2, None, mask])
        error = np.abs(found - expected).max()
        assert error < 1e-5, f"mask of {len(mask)} numbers for {batch} entries: {error}"
        print(f"mask of {len(mask)} numbers: fits")


def check_shared(random):
    """Checks sinks of heads that all share one head of keys."""
    for batch, rows in ((3, 5), (1, 1)):
        arrays = [random.standard_normal((batch, rows, n)).astype(np.float32) for n in (64, 16, 16)]
        last = np.full(batch, rows - 1, np.int32)
        found, = run(SHARED, [*arrays, last, np.array([rows], np.int32)], [arrays[0].shape])
        expected, *_ = contrib("GroupQueryAttention",
                               {"num_heads": 4, "kv_num_heads": 1, "smooth_softmax": 1},
                               [*(x.astype(float) for x in arrays), None, None, last])
        error = np.abs(found - expected).max()
        assert error < 1e-5, f"{rows} rows of {batch} entries that share keys: {error}"
        print(f"{rows} rows that share keys: fits")


def main():
    random = np.random.default_rng(int(sys.argv[1]))
    for batch, rows, room, last, total in CASES:
        def make(*shape):
            return random.standard_normal(shape).astype(np.float32)
        past = [make(batch, KV_HEADS, room, WIDTH) for _ in range(2)]
        arrays = [make(batch, rows, HEADS * WIDTH),
                  *(make(batch, rows, KV_HEADS * WIDTH) for _ in range(2)), *past,
                  np.array(last, np.int32), np.array([total], np.int32)]
        keys = max(total, room)
        results = run(MODULE, arrays, [(batch, rows, HEADS * WIDTH),
                                       *[(batch, KV_HEADS, keys, WIDTH)] * 2])
        expected = contrib("GroupQueryAttention",
                           {"num_heads": HEADS, "kv_num_heads": KV_HEADS,
                            "local_window_size": 4}, [x.astype(float) for x in arrays])
        for number, (x, found) in enumerate(zip(expected, results)):
            if number:
                # Keys for which the cache has no room are zeros.
                assert not found[:, :, x.shape[2]:].any() and not x[:, :, keys:].any()
                x, found = x[:, :, :keys], found[:, :, :x.shape[2]]
            error = np.abs(found - x).max()
            assert error < 1e-5, f"{rows} rows, cache of {room}, result {number}: {error}"
        print(f"{rows} rows, cache of {room}: fits")
    check_lengths(random)
    check_shared(random)


main()
