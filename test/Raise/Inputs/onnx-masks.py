"""Checks masks of onnx.Attention whose sizes are dynamic: raises a module, runs it on the host with
masks of several shapes, and compares the results with the operator's definition in double
precision."""

import subprocess
import sys
import tempfile

import numpy as np

B, H, I, J, D = 3, 2, 20, 40, 16
# Each dimension of a mask but the last may be 1. Opset 23 repeats a last one of 1, opset 24 masks
# the keys that it lacks.
SHAPES = {23: [(B, H, I, J), (1, H, 1, J), (B, 1, I, 1)],
          24: [(B, H, I, J), (1, 1, I, 25), (B, H, 1, 1)]}
MODULE = """
!q = tensor<?x2x?x16xf32>
!m = tensor<?x?x?x?xTYPE>
func.func @main(%q: !q, %k: !q, %m: !m) -> !q
    attributes {torch.onnx_meta.opset_version = OPSET : si64} {
  %0 = "onnx.Attention"(%q, %k, %k, %m) : (!q, !q, !q, !m) -> !q
  return %0 : !q
}
"""


def attend(q, k, mask, opset):
    if opset >= 24:
        pad = [(0, 0)] * 3 + [(0, J - mask.shape[3])]
        mask = np.pad(mask, pad, constant_values=False if mask.dtype == bool else -np.inf)
    scores = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(D)
    scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ k


def main():
    random = np.random.default_rng(int(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        q, k = (random.standard_normal((B, H, n, D)).astype(np.float32) for n in (I, J))
        np.save(f"{folder}/q.npy", q)
        np.save(f"{folder}/k.npy", k)
        for opset, shapes in SHAPES.items():
            for shape, kind in zip(shapes, ("f32", "i1", "i1")):
                mask = random.standard_normal(shape).astype(np.float32)
                if kind == "i1":
                    mask = mask > -0.5
                    mask[..., 0] = True
                np.save(f"{folder}/m.npy", mask)
                with open(f"{folder}/m.mlir", "w") as file:
                    file.write(MODULE.replace("TYPE", kind).replace("OPSET", str(opset)))
                files = [f"{folder}/{x}.npy" for x in "qkm"]
                done = subprocess.run(
                    ["attnc", "run", f"{folder}/m.mlir", "--raise", *files, "--target", "host",
                     f"--shape=3={B}x{H}x{I}x{D}", "-o", f"{folder}/o.npy"],
                    capture_output=True, text=True)
                if done.returncode:
                    sys.exit(f"{opset} {shape}: {done.stderr}")
                expected = attend(q.astype(float), k.astype(float), mask, opset)
                error = np.abs(np.load(f"{folder}/o.npy") - expected).max()
                assert error < 1e-5, f"opset {opset}, mask {shape} of {kind}: differs by {error}"
                print(f"opset {opset}, mask {shape} of {kind}: {error:.1g}")


main()
