"""Formats the benchmark's table and its file of figures, and shows a progress bar on the
terminal."""

import csv
import io
import json
from typing import Any, Dict, List, Optional, TextIO

from ._run import Ceilings, Result
from ._shapes import Shape

# The width of the table's first column in characters.
_NAME = 46
COLUMNS = ("peer", "pass", "dtype", "B", "Hq", "Hkv", "Sq", "Skv", "D", "causal",
           "variant", "ms", "tflops", "spread", "runs", "mode", "gbs", "matmul_share",
           "copy_share", "note")


def format_header(peers: List[str], has_variants: bool = False) -> str:
    return (f"{'shape':<{_NAME}} {'ms':>9} {'spread':>7} {'TFLOP/s':>9} {'of matmul':>9} "
            f"{'GB/s':>8} {'of copy':>8}" + "".join(f" {peer:>15}" for peer in peers)
            + (f" {'of plain':>8}" if has_variants else ""))


def format_row(own: Result, peers: List[Result], ceilings: Ceilings,
               plain: Optional[Result] = None) -> str:
    """Returns a row of the table: this project's rate, and the rate of each peer, followed in
    brackets by the ratio of this project's rate to it. At the end is this project's time divided by
    that of `plain`, if that is given."""
    text = f"{str(own.shape):<{_NAME}} "
    if own.timing:
        product = ceilings.product.get(own.shape.dtype)
        share = f"{own.tflops / product:9.1%}" if product else f"{'-':>9}"
        text += (f"{own.timing.median * 1e3:9.3f} {own.timing.spread:7.1%} "
                 f"{own.tflops:9.4g} {share} {own.gbs:8.1f} "
                 f"{own.gbs / ceilings.copy:8.1%}")
    else:
        text += f"{'failed':>9}{'':46}"
    for peer in peers:
        cell = "-"
        if peer.timing:
            ratio = f" ({own.tflops / peer.tflops:.2f})" if own.timing else ""
            cell = f"{peer.tflops:.4g}{ratio}"
        text += f" {cell:>15}"
    if own.timing and plain and plain.timing:
        text += f" {own.timing.median / plain.timing.median:8.1%}"
    return text


def _ceiling_row(name: str, **figures: Any) -> Dict[str, Any]:
    return {"peer": name, "pass": name, "mode": "burst", **figures}


def format_csv(results: List[Result], ceilings: Ceilings, mode: str,
               conditions: Dict[str, str]) -> str:
    """Returns the file of figures as CSV. The note of the first row has the conditions as JSON.
    The columns matmul_share and copy_share have the ratio of a rate to that of a matrix product and
    of a copy, as a fraction and not in percent. A row without figures has a note that says why."""
    file = io.StringIO()
    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerow({"peer": "conditions", "pass": "conditions", "mode": mode,
                     "note": json.dumps(conditions)})
    for dtype, tflops in ceilings.product.items():
        writer.writerow(_ceiling_row("matmul", dtype=dtype, tflops=f"{tflops:.6g}"))
    writer.writerow(_ceiling_row("copy", gbs=f"{ceilings.copy:.2f}"))
    for result in results:
        shape, product = result.shape, ceilings.product.get(result.shape.dtype)
        row = {"peer": result.name, "dtype": shape.dtype,
               "pass": shape.passes,
               "B": shape.batch, "Hq": shape.heads, "Hkv": shape.kv_heads,
               "Sq": shape.rows, "Skv": shape.keys, "D": shape.head_dims,
               "causal": int(shape.causal), "variant": shape.variant, "mode": mode,
               "note": result.note}
        if result.timing:
            row.update(ms=f"{result.timing.median * 1e3:.6f}",
                       tflops=f"{result.tflops:.6g}",
                       spread=f"{result.timing.spread:.4f}", runs=result.timing.runs,
                       gbs=f"{result.gbs:.2f}",
                       matmul_share=f"{result.tflops / product:.4f}" if product else "",
                       copy_share=f"{result.gbs / ceilings.copy:.4f}")
        writer.writerow(row)
    return file.getvalue()


class Progress:
    """A progress bar in the last line of a terminal. Shows nothing if `file` is no terminal."""

    WIDTH = 20

    def __init__(self, file: TextIO, count: int) -> None:
        self.file = file if file.isatty() else None
        self.count = count

    def show(self, done: int, shape: Shape) -> None:
        if self.file:
            filled = done * self.WIDTH // self.count
            bar = "#" * filled + "." * (self.WIDTH - filled)
            self.file.write(f"\r\033[K[{bar}] {done}/{self.count} {shape}")
            self.file.flush()

    def clear(self) -> None:
        if self.file:
            self.file.write("\r\033[K")
            self.file.flush()
