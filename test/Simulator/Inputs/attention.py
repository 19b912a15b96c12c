"""attention.py CHIP DIRECTORY [SEED...]

Simulates attention as the table schedules it for a chip, at small sizes, and compares
the results with attention in fp64: head dims, element types, masks, static and dynamic
sizes, lse. The last line counts what passed."""

import os
import subprocess
import sys

chip, directory, seeds = sys.argv[1], sys.argv[2], sys.argv[3:] or ["1"]
# A case has the options of attnc gen, the numbers of queries and keys, and the heads (those of
# queries and keys, if they differ).
CASES = [
    ("--dtype bf16 --head-dim 64", 200, 200, "2"),
    ("--dtype f16 --head-dim 64 --causal top-left --lse", 300, 300, "2:1"),
    ("--dtype f16 --head-dim 64 --causal bottom-right", 130, 270, "1"),
    ("--dtype bf16 --head-dim 128 --lse", 150, 260, "2"),
    ("--dtype bf16 --head-dim 128 --causal top-left", 300, 300, "2"),
    ("--dtype f16 --head-dim 128 --causal bottom-right --window 100,0 --lse", 260, 300, "2"),
    ("--dtype f16 --head-dim 128 --window 40,30", 200, 200, "1"),
    ("--dtype bf16 --head-dim 256", 140, 200, "2"),
    ("--dtype f16 --head-dim 256 --causal top-left --lse", 200, 200, "1"),
    ("--dtype bf16 --head-dim 96 --score softcap:30", 130, 130, "1"),
    ("--dtype f16 --head-dim 64 --score alibi --causal top-left", 150, 150, "2"),
    ("--dtype f16 --head-dim 80:48", 100, 90, "1"),
    ("--dtype bf16 --head-dim 128 --causal top-left", 1, 1, "1"),
    ("--dtype f32 --head-dim 64 --causal top-left --lse", 100, 100, "1"),
]
passed = total = 0
for options, queries, keys, heads in CASES:
    for dynamic in (False, True):
        dim = options.split("--head-dim ")[1].split()[0]
        query_dim, value_dim = (dim.split(":") * 2)[:2]
        hq, hkv = (heads.split(":") * 2)[:2]
        path = os.path.join(directory, "case.mlir")
        size = "?" if dynamic else f"{queries}:{keys}"
        generate = ["attnc", "gen", "--heads", heads, "--seq", size, *options.split()]
        with open(path, "w") as file:
            subprocess.run(generate, stdout=file, check=True)
        run = ["attnc", "run", "--target", "simulate", "--chip", chip, path,
               "random:1", "random:2", "random:3", "--check"]
        if dynamic:
            shapes = [(hq, queries, query_dim), (hkv, keys, query_dim),
                      (hkv, keys, value_dim), (hq, queries, value_dim)]
            for i, shape in enumerate(shapes):
                run += ["--shape", f"{i}=1x" + "x".join(map(str, shape))]
        for seed in seeds:
            total += 1
            command = run + ["--seed", seed]
            result = subprocess.run(command, capture_output=True, text=True)
            if result.returncode == 0:
                passed += 1
                continue
            print("FAIL", " ".join(generate), "\n    ", " ".join(command))
            print(result.stdout, result.stderr)
print(f"{passed} of {total} passed")
sys.exit(passed != total)
