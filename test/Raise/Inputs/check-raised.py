"""Raises modules and checks that their results stay the same:

    check-raised.py SEED [--simulate] MODULE...

evaluate.py computes the results before and after, in double precision, from random arguments. If
no op of another dialect is left, `attnc run` must compute the same results on the host and, with
--simulate, by kernels for sm_90a in the simulator. Modules whose name contains `-not-` must not
be changed.
"""

import os
import re
import subprocess
import sys
import tempfile

import numpy as np
from evaluate import load
from evaluate_scalar import parse_type
from evaluate_torch import builtin_types


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout, done.stderr


def random_argument(random, text, most):
    shape, element = parse_type(text)
    # All arrays get the same sizes for dynamic dimensions: 3 for the first one, 13 for others.
    shape = [n or (3 if dim == 0 else 13) for dim, n in enumerate(shape)]
    if element == "i1":
        # In a mask, the first element of each row is true, so that each row attends to some key.
        value = random.random(shape) < 0.7
        value[..., 0] = True
        return value
    if element[0] == "i":
        if most > 1:
            return random.integers(0, most + 1, shape)
        return (random.random(shape) < 0.7).astype(np.int64)
    value = random.standard_normal(shape) * 0.5
    kind = {"f16": np.float16, "f32": np.float32}.get(element)
    if kind:
        return value.astype(kind).astype(np.float64)
    bits = value.astype(np.float32).view(np.uint32) & 0xFFFF0000
    return bits.view(np.float32).astype(np.float64)


def save(path, value, element):
    if element == "bf16":
        bits = (value.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        np.save(path, bits.view(np.dtype("V2")))
        return
    np.save(path, value.astype({"f16": np.float16, "f32": np.float32, "i1": np.bool_,
                                "i32": np.int32}[element]))


def read_result(path):
    value = np.load(path)
    if value.dtype.kind == "V":
        value = (value.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return value.astype(np.float64)


def difference(expected, found):
    """Returns the largest difference, relative to the largest expected element (or 1); infinity if
    a NaN is found."""
    error = np.abs(expected - found).max() / max(1, np.abs(expected).max())
    return np.inf if np.isnan(found).any() else error


def check(path, seed, simulates):
    name = os.path.basename(path)[:-5]
    random = np.random.default_rng(seed)
    generic = ["attn-opt", "-allow-unregistered-dialect", "-linalg-generalize-named-ops",
               "-mlir-print-op-generic"]
    before, _ = run(*generic, path)
    # Upstream's passes lower TOSA. Functions of torch-mlir get builtin tensors, which attnc needs.
    lowering = ["-attn-lower-tosa"] if name.startswith("tosa-") else []
    borders = ["-attn-torch-borders"] if name.startswith(("aten-", "contrib-", "core-")) else []
    raised, remarks = run("attn-opt", "-allow-unregistered-dialect", *lowering, "-attn-raise",
                          *borders, path)
    count = len(re.findall(r"attn\.attention ", raised))
    if "-not-" in name:
        original, _ = run("attn-opt", "-allow-unregistered-dialect", *lowering, path)
        assert count == 0 and original == raised, f"{name}: expected it to stay as it is"
        assert "attention was not raised" in remarks, f"{name}: no remark"
        print(f"{name}: untouched")
        return
    assert count, f"{name}: not raised\n{remarks}"
    if "-grad" in name or "-vjp" in name:
        assert "attn.attention_backward " in raised, f"{name}: gradients not raised\n{remarks}"
    after, _ = run(*generic, text=raised)
    types = re.search(r"function_type = \(([^)]*)\)", builtin_types(before))[1]
    types = re.findall(r"tensor<[^>]*>", types)
    # Lengths of sequences are larger than numbers of pages, documents or tokens.
    most = 12 if "-padding" in name else 1
    arguments = [random_argument(random, t, most) for t in types]
    expected = load(before).call("main", arguments)
    found = load(after).call("main", arguments)
    error = max(difference(x, y) for x, y in zip(expected, found))
    assert error < 1e-7, f"{name}: meaning differs by {error}"
    line = f"{name}: raised {count}, meaning {error:.1g}"
    # attnc does not run modules with arrays of i64.
    if not re.search(r'"\w+\.\w+"\(', raised) and "xi64>" not in "".join(types):
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for number, (value, text) in enumerate(zip(arguments, types)):
                files.append(f"{folder}/{number}.npy")
                save(files[-1], value, parse_type(text)[1])
            with open(f"{folder}/raised.mlir", "w") as file:
                file.write(raised)
            targets = [["host"]]
            if simulates:
                targets.append(["simulate", "--chip", "sm_90a"])
            # If types have dynamic sizes, attnc needs the shapes of all results.
            shapes = [f"--shape={len(types) + number}={'x'.join(map(str, x.shape))}"
                      for number, x in enumerate(expected)] if "?" in "".join(types) else []
            outputs = [f"{folder}/o{number}.npy" for number in range(len(expected))]
            for target in targets:
                run("attnc", "run", f"{folder}/raised.mlir", *files, "--target", *target, *shapes,
                    *[x for output in outputs for x in ("-o", output)])
                error = max(difference(x, read_result(y)) for x, y in zip(expected, outputs))
                narrow = any(parse_type(t)[1] in ("f16", "bf16") for t in types)
                bound = 2e-2 if "bf16" in types[0] else 4e-3 if narrow else 2e-5
                assert error < bound, f"{name}: {target[0]} differs by {error}"
                line += f", {target[0]} {error:.1g}"
    print(line)


def main():
    seed, *paths = sys.argv[1:]
    simulates = "--simulate" in paths
    for path in paths:
        if path != "--simulate":
            check(path, int(seed), simulates)


main()
