"""What an installed package must do: installed.py SITE VERSION."""

import os
import sys

site, version = sys.argv[1:]
sys.path.insert(0, site)

import attn_mlir
from attn_mlir import _library

assert attn_mlir.__version__ == version, attn_mlir.__version__
assert os.path.samefile(_library.find(), os.path.join(site, "attn_mlir", "libattn-c.so"))
assert os.path.exists(os.path.join(site, "attn_mlir", "py.typed"))
from attn_mlir.bench import __main__ as bench

assert bench.main(["--list", "--shapes", "gpt2"]) == 0
# Neither NumPy nor torch is needed.
assert not {"numpy", "torch"} & set(sys.modules)

kernel = attn_mlir.compile(dtype="f32", head_dim=4, chip="host")
assert "attn.attention" in kernel.ir("source")
assert [argument.name for argument in kernel.arguments] == ["query", "key", "value",
                                                            "output"]
