"""Checks ONNX's operator Attention with caches, lengths, masks, windows and products as a result:
draws calls, raises them, runs them on the host, and compares the results with the operator's
definition in double precision."""

import sys

import numpy as np
from onnx_draws import NAMES, draw
from onnx_reference import attention
from run_on_host import run

KINDS = {"float32": "f32", "bool": "i1", "int64": "i64"}


def get_type(array, static, dynamic):
    """Returns the type of an array. With `dynamic`, its other dimensions than `static` are."""
    sizes = ["?" if dynamic and dim not in static else size for dim, size in enumerate(array.shape)]
    return f"tensor<{''.join(f'{x}x' for x in sizes)}{KINDS[array.dtype.name]}>"


def get_static(name, array):
    # Heads and columns are static, and so are the dimensions of masks that are 1 or heads.
    if name == "lengths":
        return ()
    if name == "mask":
        return [dim for dim, size in enumerate(array.shape) if size == 1 or dim == array.ndim - 3]
    return (2,) if array.ndim == 3 else (1, 3)


def make_module(call, expected, dynamic):
    given = {name: x for name, x in zip(NAMES, call.operands) if x is not None}
    types = {name: get_type(x, get_static(name, x), dynamic) for name, x in given.items()}
    used = [0] + [1, 2] * call.has_present + [3] * call.has_products
    results = []
    for number, x in enumerate(expected):
        static = (1,) if number == 3 else (2,) if x.ndim == 3 else (1, 3)
        results.append(get_type(x.astype(np.float32), static, dynamic))
    results = results[:max(used) + 1]
    text = ", ".join(f"{name} = {x:.6e} : f32" if isinstance(x, float) else
                     f"{name} = {x} : si64" for name, x in call.attributes.items())
    operands = ", ".join(f"%{name}" if name in given else "%none" for name in NAMES)
    outputs = ", ".join("%r" if len(results) == 1 else f"%r#{n}" for n in used)
    module = (
        f"func.func @main({', '.join(f'%{name}: {x}' for name, x in types.items())}) -> "
        f"({', '.join(results[n] for n in used)}) attributes "
        f"{{torch.onnx_meta.opset_version = {call.opset} : si64}} {{\n"
        '%none = "onnx.NoValue"() {value} : () -> none\n'
        f'%r{f":{len(results)}" if len(results) > 1 else ""} = "onnx.Attention"({operands}) '
        f"{{{text}}} : ({', '.join(types.get(name, 'none') for name in NAMES)}) -> "
        f"({', '.join(results)})\n"
        f"return {outputs} : {', '.join(results[n] for n in used)}\n}}\n")
    return module, list(given.values()), used


def main():
    random = np.random.default_rng(int(sys.argv[1]))
    for number in range(int(sys.argv[2])):
        call = draw(random)
        expected = attention(call.attributes, *(
            x.astype(float) if x is not None and x.dtype == np.float32 else x
            for x in call.operands))
        module, arrays, used = make_module(call, expected, dynamic=number % 2 == 1)
        found = run(module, arrays, [expected[n].shape for n in used])
        for n, x in zip(used, found):
            error = np.abs(x - expected[n]).max(initial=0)
            assert error < 1e-5, f"{module}draw {number}, result {n}: differs by {error}"
    print(f"{number + 1} calls: fit")


main()
