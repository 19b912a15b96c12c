"""Writes the modules that an importer of ONNX, IREE, and torch-mlir with tm_tensor make:
`make-named.py FOLDER` with onnx 1.23, torch 2.15, torch-mlir 20261001 and IREE 3.13, whose tools
(torch-mlir-opt, iree-compile and the like) are beside the interpreter.

`torch.export` keeps scaled_dot_product_attention where the table of decompositions lacks it:
torch-mlir then has `tm_tensor.attention`, and IREE `iree_linalg_ext.attention`.
"""

import os
import shutil
import subprocess
import sys

import onnx
import torch
import torch.nn.functional as F
from onnx import TensorProto, helper
from torch import nn
from torch_mlir import fx
from torch_mlir.extras.fx_decomp_util import get_decomposition_table

TABLE = {k: v for k, v in get_decomposition_table().items() if "scaled_dot" not in str(k)}
TOOLS = os.path.dirname(sys.executable)
Q = (2, 4, 24, 16)


def run(tool, *arguments):
    done = subprocess.run([os.path.join(TOOLS, tool), *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{tool}: {done.stderr[:2000]}")
    return done.stdout


def write(folder, name, text, comment):
    with open(f"{folder}/{name}.mlir", "w") as file:
        file.write(f"// Written by `make-named.py`: {comment}.\n{text}")


class Attention(nn.Module):
    def __init__(self, **options):
        super().__init__()
        self.options = options

    def forward(self, q, k, v, *mask):
        return F.scaled_dot_product_attention(q, k, v, *mask, **self.options)


def export(model, shapes, output_type):
    arguments = tuple(torch.randn(shape) for shape in shapes)
    return fx.export_and_import(torch.export.export(model, arguments), output_type=output_type,
                                func_name="main", decomposition_table=TABLE)


def torch_mlir(folder):
    for name, model, shapes in [
            ("plain", Attention(), [Q, Q, Q]), ("causal", Attention(is_causal=True), [Q, Q, Q]),
            ("mask", Attention(), [Q, Q, Q, (2, 1, 24, 24)])]:
        module = export(model, shapes, "linalg-on-tensors")
        write(folder, f"tm-tensor-{name}",
              module.operation.get_asm(print_generic_op_form=True),
              "torch's sdpa by torch-mlir")


def iree(folder):
    for name, model, shapes in [("plain", Attention(), [Q, Q, Q]),
                                ("mask", Attention(), [Q, Q, Q, (2, 4, 24, 24)])]:
        path = f"{folder}/torch.tmp"
        with open(path, "w") as file:
            file.write(str(export(model, shapes, "torch")))
        # Converts the torch dialect to IREE's dialect, without the passes that make buffers of
        # arguments.
        text = run("iree-opt", "--pass-pipeline=builtin.module(func.func("
                   "torch-iree-tm-tensor-to-linalg-ext))", "--allow-unregistered-dialect",
                   "--mlir-print-op-generic", lower_to_tensors(folder, path))
        write(folder, f"iree-{name}", text, "torch's sdpa by IREE's importer of tm_tensor")
        os.remove(path)


def lower_to_tensors(folder, path):
    text = run("torch-mlir-opt", "--pass-pipeline=builtin.module("
               "torch-backend-to-linalg-on-tensors-backend-pipeline)", path)
    with open(path, "w") as file:
        file.write(text)
    return path


def onnx_modules(folder):
    def value(name, shape):
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

    node = helper.make_node
    pattern = [node("Transpose", ["k"], ["kt"], perm=[0, 1, 3, 2]),
               node("MatMul", ["q", "kt"], ["s"]), node("Mul", ["s", "c"], ["t"]),
               node("Add", ["t", "m"], ["u"]), node("Softmax", ["u"], ["p"], axis=-1),
               node("MatMul", ["p", "v"], ["o"])]
    # BERT's attention as exporters write it: query and key are both scaled, and heads are made by
    # Reshape.
    bert = [node("MatMul", ["x", "wq"], ["q0"]), node("MatMul", ["x", "wk"], ["k0"]),
            node("MatMul", ["x", "wv"], ["v0"]),
            *[node("Reshape", [a + "0", "heads"], [a + "1"]) for a in "qkv"],
            node("Transpose", ["q1"], ["q2"], perm=[0, 2, 1, 3]),
            node("Transpose", ["k1"], ["k2"], perm=[0, 2, 3, 1]),
            node("Transpose", ["v1"], ["v2"], perm=[0, 2, 1, 3]),
            node("Mul", ["q2", "half"], ["q3"]), node("Mul", ["k2", "half"], ["k3"]),
            node("MatMul", ["q3", "k3"], ["s"]), node("Softmax", ["s"], ["p"], axis=3),
            node("MatMul", ["p", "v2"], ["o0"]),
            node("Transpose", ["o0"], ["o1"], perm=[0, 2, 1, 3]),
            node("Reshape", ["o1", "flat"], ["o2"]), node("MatMul", ["o2", "wo"], ["o"])]

    def number(name, x):
        return helper.make_tensor(name, TensorProto.FLOAT, [], [x])

    def numbers(name, x):
        return helper.make_tensor(name, TensorProto.INT64, [len(x)], x)

    for name, nodes, inputs, result, constants in [
            ("pattern", pattern, [value("q", Q), value("k", Q), value("v", Q),
                                  value("m", [2, 1, 1, 24])], Q, [number("c", 0.25)]),
            ("bert", bert, [value("x", [2, 20, 32]), *[value("w" + a, [32, 32]) for a in "qkvo"]],
             [2, 20, 32], [number("half", 0.5), numbers("heads", [2, 20, 2, 16]),
                           numbers("flat", [2, 20, 32])])]:
        graph = helper.make_graph(nodes, "main", inputs, [value("o", result)], constants)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)],
                                  ir_version=10)
        onnx.checker.check_model(model)
        path = f"{folder}/{name}.tmp"
        onnx.save(model, path)
        run("torch-mlir-import-onnx", path, "-o", path + ".mlir")
        text = run("torch-mlir-opt", "--pass-pipeline=builtin.module("
                   "torch-onnx-to-torch-backend-pipeline,"
                   "torch-backend-to-linalg-on-tensors-backend-pipeline)", path + ".mlir")
        write(folder, f"onnx-{name}", text, "a graph of ONNX by torch-mlir")
        os.remove(path)
        os.remove(path + ".mlir")
    shutil.rmtree(f"{folder}/onnx-importer-temp", ignore_errors=True)


def main():
    folder = sys.argv[1]
    torch.manual_seed(0)
    torch_mlir(folder)
    onnx_modules(folder)
    iree(folder)


if __name__ == "__main__":
    main()
