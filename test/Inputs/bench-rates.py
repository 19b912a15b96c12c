"""Recomputes the rates in a CSV file that `attnc bench --csv` wrote, and compares them with the
file's."""

import csv
import sys

SIZES = {"f16": 2, "bf16": 2, "f32": 4}

with open(sys.argv[1], newline="") as file:
    rows = [row for row in csv.DictReader(file) if row["pass"] in ("fwd", "bwd")]
assert rows
for row in rows:
    b, hq, hkv, sq, skv, d, causal = (
        int(row[name]) for name in ("B", "Hq", "Hkv", "Sq", "Skv", "D", "causal"))
    seconds = float(row["ms"]) / 1e3
    is_backward = row["pass"] == "bwd"
    flops = (10 if is_backward else 4) * b * hq * sq * skv * d / (2 if causal else 1)
    # Gradients move the arrays of the forward pass and as many bytes again for d_query, d_key,
    # d_value and d_output. The lse adds one f32 number for each row.
    moved = 2 * b * d * (hq * sq + hkv * skv) * SIZES[row["dtype"]]
    if is_backward:
        moved = 2 * moved + 4 * b * hq * sq
    assert abs(float(row["tflops"]) / (flops / seconds / 1e12) - 1) < 1e-3, row
    # The file has rates in GB/s with two digits after the point.
    assert abs(float(row["gbs"]) - moved / seconds / 1e9) < 0.01, row
    assert 0 < float(row["copy_share"]) < 10, row
