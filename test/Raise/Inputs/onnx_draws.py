"""Draws calls of ONNX's operator Attention."""

from dataclasses import dataclass

import numpy as np

NAMES = ("query", "key", "value", "mask", "past_key", "past_value", "lengths")


@dataclass
class Call:
    """A call: attributes by their names, operands in the operator's order (None where one is not
    given), the version of the operators, and what follows from the others: whether the cache is a
    result, and whether the products are."""
    attributes: dict
    operands: list
    opset: int
    has_present: bool
    has_products: bool


def draw(random):
    def make(*shape):
        return random.standard_normal(shape).astype(np.float32)

    def chance(probability):
        return random.random() < probability
    opset = int(random.choice([23, 24, 25]))
    batch, kv_heads, group = (int(random.integers(1, n)) for n in (4, 3, 4))
    heads = kv_heads * group
    rows = 1 if chance(0.3) else int(random.integers(2, 9))
    width, of_value = (4 * int(random.integers(1, 5)) for _ in range(2))
    is_flat, kind = chance(0.5), random.choice(["none", "past", "lengths"], p=[0.3, 0.4, 0.3])
    if kind == "lengths" and opset == 23:
        kind = "past"
    past, lengths, attributes = 0, None, {}
    new = rows if kind == "past" or chance(0.5) else int(random.integers(1, 17))
    caches = [None, None]
    if kind == "past":
        past = int(random.integers(0, 12))
        caches = [make(batch, kv_heads, past, n) for n in (width, of_value)]
    elif kind == "lengths":
        new = int(random.integers(1, 20))
        lengths = random.integers(0, new + 1, batch).astype(np.int64)
    keys = past + new
    if is_flat:
        attributes |= {"q_num_heads": heads, "kv_num_heads": kv_heads}
        arrays = [make(batch, n, h * d) for n, h, d in
                  ((rows, heads, width), (new, kv_heads, width), (new, kv_heads, of_value))]
    else:
        arrays = [make(batch, h, n, d) for h, n, d in
                  ((heads, rows, width), (kv_heads, new, width), (kv_heads, new, of_value))]
    if chance(0.6):
        attributes["is_causal"] = 1
    if chance(0.4):
        attributes["softcap"] = float(random.choice([1.5, 4.0]))
    if chance(0.4):
        attributes["scale"] = float(random.choice([0.25, 0.5]))
    if opset == 25 and chance(0.5):
        attributes["left_window_size"] = int(random.integers(0, 6))
    if opset == 25 and chance(0.3):
        attributes["right_window_size"] = int(random.integers(0, 6))
    mask = None
    if chance(0.5):
        shape = [n if chance(0.6) else 1 for n in (batch, heads, rows)] + [keys]
        least = 1 if lengths is None else max(int(lengths.max()), 1)
        if opset > 23 and chance(0.4):
            shape[3] = int(random.integers(least, keys + 1))
        mask = make(*shape[int(random.integers(0, 3)):])
        if chance(0.5):
            mask = mask > -0.7
        elif chance(0.3):
            mask[mask < -1] = -np.inf
    has_products = chance(0.3)
    if has_products:
        attributes["qk_matmul_output_mode"] = int(random.integers(0, 2))
    # The operator has no present keys beside lengths.
    has_present = kind == "past" or (kind == "none" and chance(0.3))
    return Call(attributes, [*arrays, mask, *caches, lengths], opset, has_present, has_products)
