"""Checks Attention of com.microsoft, which has the weights of its projections: draws operators,
raises them, runs them on the host, and compares the results with the operator's definition in
double precision."""

import sys

import numpy as np
from run_on_host import run
from evaluate_onnx import contrib

# The kinds of mask, which the draws have in turn.
MASKS = ("none", "lengths", "ranges", "packed", "keys", "rows", "positions", "one")


def make_mask(random, kind, batch, rows, first):
    """Returns a mask, and the sizes of its type that are static."""
    keys = first + rows
    ends = random.integers(1, keys + 1, batch)
    if kind == "none":
        return None, ()
    if kind in ("lengths", "packed"):
        # The operator does not read the numbers after the lengths of packed sequences.
        more = 2 * batch + 2 if kind == "packed" else 0
        return np.concatenate([ends, random.integers(0, 99, more)]), (None,)
    if kind == "ranges":
        return np.concatenate([ends, random.integers(0, ends)]), (None,)
    if kind == "one":
        return random.integers(0, 2, (batch, 1)), (None, 1)
    if kind == "positions":
        size = keys + int(random.integers(0, 4))
        return random.integers(0, 2, (batch, 1, size, size)), (None, 1, None, None)
    shape = (batch, keys) if kind == "keys" else (batch, rows, keys)
    return random.integers(0, 2, shape), (None,) * len(shape)


def main():
    random = np.random.default_rng(int(sys.argv[1]))
    for number in range(3 * len(MASKS)):
        kind = MASKS[number % len(MASKS)]
        half, dynamic = number % 5 == 4, (number + number // len(MASKS)) % 2 == 1
        batch, rows, heads, width, inner = (int(random.integers(1, n)) for n in (4, 6, 4, 9, 20))
        width *= 4
        past = number % 3 == 1
        present = past or number % 3 == 2
        # Some caches have no rows yet.
        first = int(random.integers(1, 9)) if past and number % 9 != 4 else 0
        of_value = width if present else 4 * int(random.integers(1, 9))
        columns = heads * (2 * width + of_value)
        element, dtype = ("f16", np.float16) if half else ("f32", np.float32)
        attributes = {"num_heads": heads}
        if kind != "positions":
            attributes["unidirectional"] = number // 3 % 2
        if of_value != width or random.random() < 0.5:
            attributes["qkv_hidden_sizes"] = [heads * width, heads * width, heads * of_value]
        if kind in ("keys", "rows", "positions"):
            # Large numbers would make the scores of rows equal whose keys are all masked.
            attributes["mask_filter_value"] = -20.0

        def array(*shape, scale=1.0):
            return (scale * random.standard_normal(shape)).astype(dtype)
        mask, of_mask = make_mask(random, kind, batch, rows, first)
        bias = not past and number % 5 < 2
        operands = {
            "x": (array(batch, rows, inner), (None, None, inner)),
            "w": (array(inner, columns, scale=inner ** -0.5), (inner, columns)),
            "b": (array(columns), (columns,)) if number % 7 else None,
            "mask": (mask.astype(np.int32), of_mask) if mask is not None else None,
            "past": (array(2, batch, heads, first, width), (2, None, heads, None, width))
            if past else None,
            "bias": (array(1, heads, rows, first + rows), (1, heads, None, None)) if bias else None}

        def get_type(shape, static, of):
            sizes = [m if m is not None or dynamic else n for n, m in zip(shape, static)]
            return f"tensor<{''.join(f'{x or chr(63)}x' for x in sizes)}{of}>"
        types = {x: get_type(y[0].shape, y[1], "i32" if x == "mask" else element)
                 for x, y in operands.items() if y}
        shapes = [(batch, rows, heads * of_value)]
        results = [get_type(shapes[0], (None, None, heads * of_value), element)]
        if present:
            shapes.append((2, batch, heads, first + rows, width))
            results.append(get_type(shapes[1], (2, None, heads, None, width), element))
        text = ", ".join(
            f"{x} = {y:.6e} : f32" if isinstance(y, float) else f"{x} = {y} : si64"
            if isinstance(y, int) else f"{x} = [{', '.join(f'{n} : si64' for n in y)}]"
            for x, y in attributes.items())
        names = ", ".join(f"%{x}" if y else "%none" for x, y in operands.items())
        used = ", ".join(f"%r#{n}" if present else "%r" for n in range(len(results)))
        module = (
            f"func.func @main({', '.join(f'%{x}: {y}' for x, y in types.items())}) -> "
            f"({', '.join(results)}) {{\n"
            '%none = "onnx.NoValue"() {value} : () -> none\n'
            f'%r{":2" if present else ""} = "onnx.Custom"({names}) <{{function_name = "Attention"}}> '
            f'{{domain_name = "com.microsoft", {text}}} : '
            f"({', '.join(types.get(x, 'none') for x in operands)}) -> ({', '.join(results)})\n"
            f"return {used} : {', '.join(results)}\n}}\n")
        found = run(module, [y[0] for y in operands.values() if y], shapes)
        expected = contrib("Attention", attributes,
                           [y and y[0].astype(int if x == "mask" else float)
                            for x, y in operands.items()])
        for part, (x, y) in enumerate(zip(found, expected)):
            error = np.abs(x - y).max() / max(1, np.abs(y).max())
            assert error < (4e-3 if half else 1e-5), f"{module}result {part}: {error}"
        print(f"{kind}, {element}{', dynamic' if dynamic else ''}: fits")


main()
