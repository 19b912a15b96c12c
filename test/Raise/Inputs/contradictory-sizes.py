"""Checks that GroupQueryAttention of com.microsoft on arrays whose dynamic sizes contradict each other
ends with one message."""

import subprocess
import tempfile

import numpy as np

MODULE = """
!q = tensor<?x?x64xf32>
!k = tensor<?x?x32xf32>
!p = tensor<?x2x?x16xf32>
func.func @main(%q: !q, %k: !k, %pk: !p, %last: tensor<?xi32>, %total: tensor<1xi32>) -> (!q, !p) {
  %0:3 = "onnx.Custom"(%q, %k, %k, %pk, %pk, %last, %total) <{function_name = "GroupQueryAttention"}> {domain_name = "com.microsoft",
      num_heads = 4 : si64, kv_num_heads = 2 : si64} : (!q, !k, !k, !p, !p, tensor<?xi32>, tensor<1xi32>) -> (!q, !p, !p)
  return %0#0, %0#1 : !q, !p
}
"""
# Rows of the key, batch entries of the cache and of the last keys, and the message.
CASES = [(5, 3, 2, "equal batch sizes in query and seqlens_k"),
         (4, 3, 3, "equal numbers of rows in query and key"),
         (5, 4, 3, "equal batch sizes in query and past_key")]


def main():
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/m.mlir", "w") as file:
            file.write(MODULE)
        for rows, past, last, message in CASES:
            arrays = [np.ones(shape, np.float32)
                      for shape in ((3, 5, 64), (3, rows, 32), (past, 2, 7, 16))]
            arrays += [np.full(last, 4, np.int32), np.array([5], np.int32)]
            files = [f"{folder}/{number}.npy" for number in range(len(arrays))]
            for name, array in zip(files, arrays):
                np.save(name, array)
            done = subprocess.run(
                ["attnc", "run", f"{folder}/m.mlir", "--raise", *files, "--target", "host",
                 "--shape=5=3x5x64", f"--shape=6={past}x2x7x16"], capture_output=True, text=True)
            sizes = "; ".join(f"argument {number} has sizes {'x'.join(map(str, array.shape))}"
                              for number, array in enumerate(arrays))
            expected = f"attnc: error: GroupQueryAttention: expected {message}; {sizes}"
            assert done.returncode == 1 and done.stderr.startswith(expected), done.stderr
            assert done.stderr.count("error:") == 1, done.stderr


main()
