"""tile-backward.py MODULE DTYPE KEYS QUERIES DIM SCHEDULE

Prints test/Programs/backward.mlir for programs of KEYS keys, steps of QUERIES query rows, head
dim DIM and elements of DTYPE. SCHEDULE is the text of the fields of an #attn_gpu.schedule."""

import re
import sys


def retile(text, dtype, keys, queries, dim, schedule):
    types = {"keys": f"{keys}x{dim}xf16", "queries": f"{queries}x{dim}xf16",
             "scores": f"{keys}x{queries}xf32", "rounded": f"{keys}x{queries}xf16",
             "grad": f"{keys}x{dim}xf32", "rounded_grad": f"{keys}x{dim}xf16",
             "query_grad": f"{queries}x{dim}xf32"}
    for name, shape in types.items():
        text = re.sub(rf"^!{name} = .*$", f"!{name} = tensor<{shape}>", text, flags=re.M)
    for old, new in (("x32x", f"x{dim}x"), ("tensor<64x64xi", f"tensor<{keys}x{queries}xi"),
                     ("tensor<64xf32>", f"tensor<{queries}xf32>"),
                     ("step [1, 64]", f"step [1, {keys}]"), ("(j + 64, n)", f"(j + {keys}, n)"),
                     ("domain<64>", f"domain<{queries}>")):
        text = text.replace(old, new)
    text = re.sub(r"schedule<.*>", f"schedule<{schedule}>", text)
    if dtype == "f32":
        text = text.replace("arith.truncf", "tensor.cast")
    return text.replace("f16", dtype)


if __name__ == "__main__":
    module, dtype, keys, queries, dim, schedule = sys.argv[1:]
    print(retile(open(module).read(), dtype, int(keys), int(queries), int(dim), schedule))
