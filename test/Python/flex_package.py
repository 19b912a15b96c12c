# AOTInductor packages of FlexAttention's call, run by another process; on the GPU if there is
# one, else on the CPU.
#
# REQUIRES: capi, pytorch, build-tree
# RUN: %pytorch-python -W ignore %s

import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs"))

import attn_mlir.torch
import torch
from attn_mlir import flex
from flex_reference import attend, check

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

RUN = """
import sys
import torch
if sys.argv[2] == "imports":
    import attn_mlir.torch
load = attn_mlir.torch if sys.argv[2] == "imports" else torch._inductor
arrays = torch.load(sys.argv[1] + "/arrays.pt")
run = load.aoti_load_package(sys.argv[1] + "/package.pt2")
torch.save(run(*arrays), sys.argv[1] + "/result.pt")
"""


def causal(b, h, q, kv):
    return q >= kv


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.slopes = torch.nn.Parameter(torch.randn(4, device=DEVICE))

    def score(self, s, b, h, q, kv):
        return s + self.slopes[h] * (kv - q) * 0.1

    def forward(self, q, k, v):
        mask = flex.create_block_mask(causal, None, None, q.shape[2], k.shape[2],
                                      device=q.device)
        return flex.flex_attention(q, k, v, score_mod=self.score, block_mask=mask)


class Package(unittest.TestCase):
    def test_package(self):
        layer = Layer()
        arrays = [torch.randn(2, 4, rows, 32, device=DEVICE) for rows in (37, 53, 53)]
        rows = torch.export.Dim("rows", min=2, max=500)
        with torch.no_grad(), tempfile.TemporaryDirectory() as folder:
            program = torch.export.export(layer, tuple(arrays),
                                          dynamic_shapes=({2: rows}, None, None))
            attn_mlir.torch.aoti_compile_and_package(
                program, package_path=os.path.join(folder, "package.pt2"),
                inductor_configs={"aot_inductor.compile_wrapper_opt_level": "O0",
                                  # Precompiling headers is disabled: for a single C++ file, it
                                  # takes longer than it saves.
                                  "aot_inductor.precompile_headers": False,
                                  "cpp_cache_precompile_headers": False})
            arrays[0] = torch.randn(2, 4, 61, 32, device=DEVICE)  # another length
            torch.save(arrays, os.path.join(folder, "arrays.pt"))

            cache = os.path.join(folder, "cache")

            def run(how):
                # Runs the package in another directory and with an empty cache of compiled kernels.
                return subprocess.run([sys.executable, "-W", "ignore", "-c", RUN, folder, how],
                                      capture_output=True, text=True, cwd=folder,
                                      env={**os.environ, "ATTN_MLIR_CACHE": cache,
                                           "PYTHONPATH": os.pathsep.join(sys.path)})

            with zipfile.ZipFile(os.path.join(folder, "package.pt2")) as archive:
                packed = sorted([os.path.basename(name) for name in archive.namelist()
                                 if name.endswith(".attn")])
            self.assertEqual(len(packed), 1)
            done = run("imports")
            self.assertEqual(done.returncode, 0, done.stderr)
            # The cache has only the package's kernels, so the process has compiled none.
            self.assertEqual(sorted([its for its in os.listdir(cache)
                                     if its.endswith(".attn")]), packed)
            check(torch.load(os.path.join(folder, "result.pt")),
                  attend(*arrays, layer.score, causal)[0])
            # A process that does not import attn_mlir lacks the operators, which are defined in
            # Python.
            self.assertIn("attn_mlir::attention", run("does not").stderr)


if __name__ == "__main__":
    unittest.main()
