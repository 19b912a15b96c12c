"""Makes the data of the benchmark's chart, for all formats in which it is drawn."""

from typing import Dict, List, NamedTuple, Tuple

from ._run import Ceilings, Result

# The colour of each implementation, of Okabe and Ito's palette, which colour-blind readers can
# distinguish.
COLORS = {"attn-mlir": "#d55e00", "cudnn": "#0072b2", "fa2": "#009e73",
          "flex": "#cc79a7", "mosaic": "#e69f00"}
# The factor by which the axis of lengths extends past the shortest and the longest length.
MARGIN = 1.3


class Point(NamedTuple):
    x: float
    y: float
    label: str


class Panel(NamedTuple):
    """A panel of the chart: a series of points for each implementation, by its name, and lines for
    upper bounds, `roofs`: the label of each and the points that it connects."""

    title: str
    series: Dict[str, List[Point]]
    roofs: List[Tuple[str, List[Tuple[float, float]]]]


def _point(x: float, result: Result) -> Point:
    return Point(x, result.tflops,
                 f"{result.name}, {result.shape}: {result.tflops:.4g} TFLOP/s")


def make_length_panels(results: List[Result], ceilings: Ceilings) -> List[Panel]:
    """Returns panels that show TFLOP/s against the sequence length, one for each set, dtype, number
    of heads, head dim, mask and variant. Shapes with other numbers of rows than of keys have no
    single length, and are left out."""
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
    """Returns a panel that shows TFLOP/s against FLOPs per byte of query, key, value and output,
    with the bounds by matrix products and copies as lines."""
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
