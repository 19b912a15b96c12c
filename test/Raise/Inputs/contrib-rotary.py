"""Checks GroupQueryAttention of com.microsoft that rotates query and key (do_rotary), and perhaps
normalizes them before: draws operators, raises them, runs them on the host, and compares the
results with the operator's definition in double precision."""

import sys

import numpy as np
from run_on_host import run
from evaluate_onnx import contrib

# The kinds of step, which the draws have in turn.
STEPS = ("prompt", "padded prompt", "prompt in a cache", "one row", "several rows")


def draw(random, number):
    """Returns a dictionary that describes an operator and its operands. The number of the draw says
    which options it has, so that all are tested with each seed."""
    step = STEPS[number % len(STEPS)]
    width = int(random.choice([8, 16, 24]))
    rows = 1 if step == "one row" else int(random.integers(2, 7))
    batch = 1 if step == "several rows" else int(random.integers(1, 4))
    room = int(random.integers(rows, 12))
    if step.endswith("prompt"):
        room = None
    if step in ("one row", "several rows"):
        last = random.integers(rows - 1, room + 1, batch)
    else:
        last = np.full(batch, rows - 1)
        if step != "prompt":
            last[1:] = random.integers(0, rows, batch - 1)
    partial = number % 3 == 2
    return {"step": step, "width": width, "rows": rows, "batch": batch, "room": room, "last": last,
            "total": int(last.max()) + 1, "kv_heads": int(random.integers(1, 3)),
            "group": int(random.integers(1, 4)),
            "pairs": int(random.integers(1, width // 2)) if partial else width // 2,
            "interleaved": number // 5 % 2, "packed": number // 2 % 2 == 1,
            "half": number // 3 % 2 == 1, "positions": number % 4 == 3,
            "dynamic": number // 4 % 2 == 1,
            "norms": number % 5 == number // 5}


def write(case):
    """Returns a module with the operator, and the attributes of the reference."""
    element = "f16" if case["half"] else "f32"
    heads = case["kv_heads"] * case["group"]

    def tensor(*sizes, of=element):
        return f"tensor<{'x'.join('?' if x is None else str(x) for x in sizes)}x{of}>"
    batch = None if case["dynamic"] else case["batch"]
    rows = None if case["dynamic"] else case["rows"]
    wide, narrow = heads * case["width"], case["kv_heads"] * case["width"]
    if case["packed"]:
        operands = {"q": tensor(batch, rows, wide + 2 * narrow)}
    else:
        operands = {"q": tensor(batch, rows, wide), "k": tensor(batch, rows, narrow),
                    "v": tensor(batch, rows, narrow)}
    room = present = rows
    if case["room"] is not None:
        room, present = ((None, None) if case["dynamic"] else
                         (case["room"], max(case["room"], case["total"])))
        past = tensor(batch, case["kv_heads"], room, case["width"])
        operands |= {"pk": past, "pv": past}
    operands |= {"last": tensor(batch, of="i32"), "total": "tensor<i32>"}
    cache = tensor(None if case["dynamic"] else case["most"], case["pairs"])
    operands |= {"c": cache, "s": cache}
    if case["positions"]:
        operands |= {"at": tensor(batch, rows, of="i32")}
    order = ["q", "k", "v", "pk", "pv", "last", "total", "c", "s", "at"]
    if case["norms"]:
        operands |= {x: tensor(case["width"]) for x in ("of_q", "of_k")}
        order += ["bias", "sink", "scale_k", "scale_v", "of_q", "of_k"]
    results = [tensor(batch, rows, wide),
               *[tensor(batch, case["kv_heads"], present, case["width"])] * 2]
    types = dict(operands)
    body = '%none = "onnx.NoValue"() {value} : () -> none\n'
    if case["positions"]:
        # attnc does not run modules with arrays of i64 as arguments.
        types["at"] = tensor(batch, rows, of="i64")
        body += f"%long = arith.extsi %at : {operands['at']} to {types['at']}\n"
    names = ", ".join(("%long" if x == "at" else f"%{x}") if x in operands else "%none"
                      for x in order)
    attributes = {"num_heads": heads, "kv_num_heads": case["kv_heads"], "do_rotary": 1,
                  "rotary_interleaved": case["interleaved"]}
    text = ", ".join(f"{x} = {y} : si64" for x, y in attributes.items())
    if case["norms"]:
        attributes["qk_norm_epsilon"] = 0.25
        text += ", qk_norm_epsilon = 2.5e-1 : f32"
    arrow = f"({', '.join(types.get(x, 'none') for x in order)}) -> ({', '.join(results)})"
    body += (f'%0:3 = "onnx.Custom"({names}) <{{function_name = "GroupQueryAttention"}}> '
             f'{{domain_name = "com.microsoft", {text}}} : {arrow}\n')
    parameters = ", ".join(f"%{x}: {y}" for x, y in operands.items())
    return (f"func.func @main({parameters}) -> ({', '.join(results)}) {{\n{body}"
            f"return %0#0, %0#1, %0#2 : {', '.join(results)}\n}}\n"), attributes


def main():
    random = np.random.default_rng(int(sys.argv[1]))
    for number in range(20):
        case = draw(random, number)
        batch, rows, width, kv_heads = (case[x] for x in ("batch", "rows", "width", "kv_heads"))
        case["most"] = max(case["total"], rows) + int(random.integers(0, 4))
        heads = kv_heads * case["group"]
        kind = np.float16 if case["half"] else np.float32

        def make(*shape):
            return random.standard_normal(shape).astype(kind)
        q = make(batch, rows, heads * width)
        k, v = (make(batch, rows, kv_heads * width) for _ in range(2))
        past = [None, None]
        if case["room"] is not None:
            past = [make(batch, kv_heads, case["room"], width) for _ in range(2)]
        angles = random.uniform(0, 6, (case["most"], case["pairs"]))
        at = random.integers(0, case["most"], (batch, rows)) if case["positions"] else None
        operands = [*([np.concatenate([q, k, v], 2), None, None] if case["packed"] else [q, k, v]),
                    *past, case["last"].astype(np.int32), np.array(case["total"], np.int32),
                    np.cos(angles).astype(kind), np.sin(angles).astype(kind),
                    None if at is None else at.astype(np.int32)]
        if case["norms"]:
            operands += [None] * 4 + [make(width), make(width)]
        keys = max(case["room"], case["total"]) if case["room"] is not None else rows
        module, attributes = write(case)
        found = run(module, [x for x in operands if x is not None],
                    [(batch, rows, heads * width), *[(batch, kv_heads, keys, width)] * 2])
        wide = [x if x is None or x.dtype.kind == "i" else x.astype(float) for x in operands]
        expected = contrib("GroupQueryAttention", attributes, wide)
        for part, (x, y) in enumerate(zip(found, expected)):
            y = y[:, :, :keys] if part else y
            if part:
                x = x[:, :, :y.shape[2]]
            error = np.abs(x - y).max()
            assert error < (8e-3 if case["half"] else 1e-5), f"{case}, result {part}: {error}"
        print(f"{case['step']}: fits")


main()
