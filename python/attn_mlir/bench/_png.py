"""Draws the benchmark's chart as a PNG file, by matplotlib."""

import math
import pathlib
from typing import Any, List

from .._errors import Error
from ._series import COLORS, Panel

PANELS = 3  # beside each other


def import_pyplot() -> Any:
    try:
        import matplotlib
    except ImportError as error:
        raise Error(f"expected matplotlib for a .png chart ({error}); .svg needs "
                    "none") from None
    matplotlib.use("Agg")
    from matplotlib import pyplot
    return pyplot


def _draw(axes: Any, panel: Panel, line: str) -> None:
    axes.set_title(panel.title, fontsize="small")
    axes.set_xscale("log", base=2)
    axes.set_ylabel("TFLOP/s")
    for label, ends in panel.roofs:
        axes.plot([x for x, _ in ends], [y for _, y in ends], "--", color="#666",
                  label=label)
    for name, points in panel.series.items():
        axes.plot([point.x for point in points], [point.y for point in points], "o",
                  linestyle=line, color=COLORS[name], label=name)


def draw(path: pathlib.Path, title: str, panels: List[Panel], roofline: Panel) -> None:
    pyplot = import_pyplot()
    rows = math.ceil(len(panels) / PANELS) + 1
    figure = pyplot.figure(figsize=(4 * PANELS, 3 * rows), layout="constrained")
    figure.suptitle(title)
    grid = figure.add_gridspec(rows, PANELS)
    for i, panel in enumerate(panels):
        axes = figure.add_subplot(grid[i // PANELS, i % PANELS])
        _draw(axes, panel, "-")
        axes.set_ylim(bottom=0)
        axes.set_xlabel("length")
    axes = figure.add_subplot(grid[rows - 1, :])
    _draw(axes, roofline, "none")
    axes.set_yscale("log")
    axes.set_xlabel("FLOPs per byte")
    axes.legend(fontsize="small")
    figure.savefig(path, format="png")
    pyplot.close(figure)
