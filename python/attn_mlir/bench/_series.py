"""The data of a chart, for all ways of drawing it."""

from typing import Dict, List, NamedTuple, Tuple

from ._run import Ceilings, Result

# The palette of Okabe and Ito, which colour-blind readers can distinguish.
COLORS = {"attn-mlir": "#d55e00", "cudnn": "#0072b2", "fa2": "#009e73",
          "flex": "#cc79a7", "mosaic": "#e69f00"}
# The factor by which the axis of lengths extends past the shortest and the longest length.
MARGIN = 1.3


class Point(NamedTuple):
    x: float
    y: float
    label: str


class Panel(NamedTuple):
    """Series by the name of the implementation. `roofs` are lines: a label and its
    ends."""

    title: str
    series: Dict[str, List[Point]]
    roofs: List[Tuple[str, List[Tuple[float, float]]]]


def _point(x: float, result: Result) -> Point:
    return Point(x, result.tflops,
                 f"{result.name}, {result.shape}: {result.tflops:.4g} TFLOP/s")


def make_length_panels(results: List[Result], ceilings: Ceilings) -> List[Panel]:
    """TFLOP/s against length, a panel for each head dim, mask, variant and kind of
    heads. Where queries and keys differ in length, there is no one length."""
    panels: Dict[Tuple, Dict[str, List[Point]]] = {}
    for result in results:
        shape = result.shape
        if result.timing and shape.rows == shape.keys:
            key = (shape.set, shape.dtype, shape.heads, shape.kv_heads, shape.head_dims,
                   shape.mask, shape.variant)
            series = panels.setdefault(key, {})
            series.setdefault(result.name, []).append(_point(shape.keys, result))
    made = []
    for key, series in panels.items():
        set_, dtype, heads, kv_heads, head_dims, mask, variant = key
        for points in series.values():
            points.sort()
        grouped = f" H={heads}:{kv_heads}" if heads != kv_heads else ""
        lengths = [point.x for points in series.values() for point in points]
        product = ceilings.product.get(dtype)
        roofs = [("matrix product", [(min(lengths) / MARGIN, product),
                                     (max(lengths) * MARGIN, product)])]
        title = f"{set_} {dtype}{grouped} D={head_dims} {mask} {variant}".rstrip()
        made.append(Panel(title, series, roofs if product else []))
    return made


def make_roofline(results: List[Result], ceilings: Ceilings) -> Panel:
    """TFLOP/s against FLOPs per byte of query, key, value and output."""
    series: Dict[str, List[Point]] = {}
    for result in results:
        if result.timing:
            intensity = result.shape.flops / result.shape.bytes
            series.setdefault(result.name, []).append(_point(intensity, result))
    xs = [point.x for points in series.values() for point in points] or [1.0]
    slope = ceilings.copy * 1e-3  # TFLOP/s at one FLOP per byte
    roofs = []
    for dtype, product in ceilings.product.items():
        ridge = product / slope
        low, high = min(*xs, ridge) / 2, max(*xs, ridge) * 2
        roofs.append((f"{dtype}: {product:.3g} TFLOP/s, {ceilings.copy:.4g} GB/s",
                      [(low, low * slope), (ridge, product), (high, product)]))
    return Panel("roofline", series, roofs)
