"""Draws the benchmark's chart as an SVG file, without any library for drawing."""

import math
import xml.etree.ElementTree as ET
from typing import Callable, List, Tuple

from ._series import COLORS, MARGIN, Panel

WIDTH, HEIGHT = 320, 230  # of a panel
PANELS = 3  # beside each other
LEFT, RIGHT, TOP, BOTTOM = 48, 14, 28, 34  # around a panel's axes
LEGEND = 54


def _text(parent: ET.Element, x: float, y: float, text: str, anchor: str = "middle",
          **attributes: str) -> None:
    element = ET.SubElement(parent, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}",
                                             "text-anchor": anchor, **attributes})
    element.text = text


def _line(parent: ET.Element, points: List[Tuple[float, float]], **style: str) -> None:
    ET.SubElement(parent, "polyline", {
        "points": " ".join(f"{x:.2f},{y:.2f}" for x, y in points), "fill": "none",
        **{name.replace("_", "-"): value for name, value in style.items()}})


def _nice_step(most: float) -> float:
    """Returns the distance of the ticks of an axis from 0 to `most`: 1, 2 or 5 times a power of 10,
    of which at most five fit into `most`."""
    rough = most / 5
    unit = 10.0 ** math.floor(math.log10(rough))
    return next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)


def _format_length(length: float) -> str:
    if length >= 1024 and length % 1024 == 0:
        return f"{length / 1024:.0f}k"
    return f"{length:g}"


class _Axis:
    """An axis of the chart: maps numbers from `low` to `high` to positions from `start` to `end`,
    linearly in `scale` of the number."""

    def __init__(self, low: float, high: float, start: float, end: float,
                 scale: Callable[[float], float]) -> None:
        self.scale = scale
        self.low, self.start = scale(low), start
        self.factor = (end - start) / (scale(high) - self.low)

    def __call__(self, value: float) -> float:
        return self.start + (self.scale(value) - self.low) * self.factor


def _draw_axes(group: ET.Element, panel: Panel, x: _Axis, y: _Axis,
               x_ticks: List[Tuple[float, str]], y_ticks: List[Tuple[float, str]],
               x_label: str, width: float) -> None:
    bottom, right = HEIGHT - BOTTOM, width - RIGHT
    _text(group, (LEFT + right) / 2, TOP - 10, panel.title, **{"font-weight": "bold"})
    for value, label in y_ticks:
        _line(group, [(LEFT, y(value)), (right, y(value))], stroke="#ddd")
        _text(group, LEFT - 5, y(value) + 3.5, label, "end")
    for value, label in x_ticks:
        _line(group, [(x(value), bottom), (x(value), bottom + 4)], stroke="#444")
        _text(group, x(value), bottom + 15, label)
    _text(group, (LEFT + right) / 2, bottom + 28, x_label)
    _text(group, LEFT, TOP - 10, "TFLOP/s")
    _line(group, [(LEFT, TOP), (LEFT, bottom), (right, bottom)], stroke="#444")


def _draw_data(group: ET.Element, panel: Panel, x: _Axis, y: _Axis,
               joined: bool) -> None:
    for i, (label, points) in enumerate(panel.roofs):
        _line(group, [(x(px), y(py)) for px, py in points], stroke="#666",
              stroke_dasharray="5 3", **{"class": "roof"})
        px, py = x(points[-1][0]), y(points[-1][1]) - 4
        if not joined:  # several roofs would lie on one another's labels
            py = HEIGHT - BOTTOM - 6 - 12 * i
        _text(group, px, py, label, "end", fill="#666")
    for name, points in panel.series.items():
        if joined and len(points) > 1:
            _line(group, [(x(p.x), y(p.y)) for p in points], stroke=COLORS[name],
                  stroke_width="1.5")
        for point in points:
            mark = ET.SubElement(group, "circle", {
                "class": f"point {name}", "cx": f"{x(point.x):.2f}",
                "cy": f"{y(point.y):.2f}", "r": "3", "fill": COLORS[name]})
            ET.SubElement(mark, "title").text = point.label


def _draw_lengths(group: ET.Element, panel: Panel) -> None:
    points = [point for series in panel.series.values() for point in series]
    lengths = sorted({point.x for point in points})
    most = max([point.y for point in points] + [y for _, ends in panel.roofs
                                                for _, y in ends])
    step = _nice_step(most)
    top = step * math.ceil(most * 1.05 / step)
    x = _Axis(lengths[0] / MARGIN, lengths[-1] * MARGIN, LEFT, WIDTH - RIGHT, math.log2)
    y = _Axis(0, top, HEIGHT - BOTTOM, TOP, float)
    y_ticks = [(i * step, f"{i * step:g}") for i in range(round(top / step) + 1)]
    _draw_axes(group, panel, x, y, [(n, _format_length(n)) for n in lengths], y_ticks,
               "length", WIDTH)
    _draw_data(group, panel, x, y, joined=True)


def _draw_roofline(group: ET.Element, panel: Panel) -> None:
    places = [(p.x, p.y) for series in panel.series.values() for p in series]
    places += [end for _, ends in panel.roofs for end in ends]
    xs, ys = [x for x, _ in places], [y for _, y in places]
    low, high = math.floor(math.log10(min(ys))), math.ceil(math.log10(max(ys) * 1.2))
    width = WIDTH * PANELS
    x = _Axis(min(xs) / 1.2, max(xs) * 1.2, LEFT, width - RIGHT, math.log2)
    y = _Axis(10.0 ** low, 10.0 ** high, HEIGHT - BOTTOM, TOP, math.log10)
    first, last = math.ceil(math.log2(min(xs))), math.floor(math.log2(max(xs)))
    x_ticks = [(2.0 ** i, f"{2.0 ** i:g}") for i in range(first, last + 1)]
    y_ticks = [(10.0 ** i, f"{10.0 ** i:g}") for i in range(low, high + 1)]
    _draw_axes(group, panel, x, y, x_ticks, y_ticks, "FLOPs per byte", width)
    _draw_data(group, panel, x, y, joined=False)


def draw(title: str, names: List[str], panels: List[Panel], roofline: Panel) -> str:
    """Returns the text of the SVG file. The legend has the implementations `names`."""
    rows = math.ceil(len(panels) / PANELS)
    width, height = WIDTH * PANELS, LEGEND + HEIGHT * (rows + 1)
    svg = ET.Element("svg", {
        "xmlns": "http://www.w3.org/2000/svg", "width": str(width),
        "height": str(height), "viewBox": f"0 0 {width} {height}",
        "font-family": "sans-serif", "font-size": "10"})
    ET.SubElement(svg, "rect", {"width": "100%", "height": "100%", "fill": "white"})
    _text(svg, width / 2, 18, title, **{"font-size": "13"})
    for i, name in enumerate(names):
        ET.SubElement(svg, "circle", {"class": "legend", "cx": str(LEFT + 110 * i),
                                      "cy": "36", "r": "4", "fill": COLORS[name]})
        _text(svg, LEFT + 110 * i + 8, 39.5, name, "start")
    for i, panel in enumerate(panels):
        place = f"translate({i % PANELS * WIDTH} {LEGEND + i // PANELS * HEIGHT})"
        _draw_lengths(ET.SubElement(svg, "g", {"class": "panel", "transform": place}),
                      panel)
    place = f"translate(0 {LEGEND + rows * HEIGHT})"
    _draw_roofline(ET.SubElement(svg, "g", {"class": "panel", "transform": place}),
                   roofline)
    ET.indent(svg)
    return ET.tostring(svg, encoding="unicode") + "\n"
