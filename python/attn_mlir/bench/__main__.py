"""python -m attn_mlir.bench"""

import argparse
import pathlib
import sys
from typing import Dict, List, Optional, Tuple

from .._errors import Error
from . import _machine, _png, _report, _series, _svg
from ._flash_peers import FLASH_PEERS
from ._peers import TORCH_PEERS, Implementation, Own
from ._run import Ceilings, Result, explain, measure, measure_ceilings
from ._shapes import MASKS, SIZES, Shape, select

PEERS = {**TORCH_PEERS, **FLASH_PEERS}


def _parse_rounds(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"expected at least 1, found '{text}'")
    return int(text)


def _parse_peers(text: str) -> List[str]:
    if text in ("all", "none"):
        return list(PEERS) if text == "all" else []
    names = text.split(",")
    for name in names:
        if name not in PEERS:
            raise argparse.ArgumentTypeError(
                f"expected all, none or some of {', '.join(PEERS)}, found '{name}'")
    return list(dict.fromkeys(names))


def _parse_chart(text: str) -> Optional[pathlib.Path]:
    if text in ("", "none"):
        return None
    path = pathlib.Path(text)
    if path.suffix not in (".svg", ".png"):
        raise argparse.ArgumentTypeError(f"expected none or a name that ends in .svg or "
                                         f".png, found '{text}'")
    return path


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m attn_mlir.bench",
        description="Times attention beside other implementations, checks every result "
        "against fp64 first, and writes a table, figures and a chart.",
        epilog="TFLOP/s count 2 B H Sq Skv (D + Dv), halved when causal; GB/s count query, "
        "key, value and output once. Causal masks are aligned at the top left.")
    parser.add_argument("--shapes", nargs="+", action="extend", metavar="SHAPE",
                        help="gpt2, llama, flux, grid, decode, heldout, all, or "
                        "B,H[:HK],S[:SK],D[:DV] (default: all on a GPU, gpt2 on the host)")
    parser.add_argument("--dtype", choices=list(SIZES),
                        help="default: as listed, bf16 for given shapes")
    parser.add_argument("--causal", choices=list(MASKS),
                        help="default: as listed, no for given shapes")
    parser.add_argument("--peers", type=_parse_peers, default=list(PEERS),
                        metavar="all|none|NAME,...",
                        help=f"what to time beside: {', '.join(PEERS)} (default: all)")
    parser.add_argument("--target", choices=("auto", "host", "cuda"), default="auto")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--rounds", type=_parse_rounds, default=4, metavar="N",
                     help="rounds in which each implementation in turn has ten runs, "
                     "after 60 ms without work (default: 4)")
    how.add_argument("--sustained", action="store_true",
                     help="instead of rounds: back to back for a second, with warm "
                     "caches; the second half counts")
    parser.add_argument("--csv", type=pathlib.Path, metavar="FILE",
                        help="where to write the figures")
    parser.add_argument("--chart", type=_parse_chart, metavar="FILE.svg|FILE.png|none",
                        default=pathlib.Path("attn_mlir_bench.svg"),
                        help="where to draw rate against length and a roofline "
                        "(default: attn_mlir_bench.svg)")
    parser.add_argument("--list", action="store_true",
                        help="print the shapes and do nothing else")
    return parser


class _Complaints:
    """Says each thing once, on standard error."""

    def __init__(self, progress: _report.Progress) -> None:
        self.progress = progress
        self.said: Dict[Tuple[str, str], None] = {}

    def add(self, name: str, reason: str, where: str = "") -> None:
        if (name, reason) not in self.said:
            self.said[name, reason] = None
            self.progress.clear()
            print(f"bench: {name}: {where}{reason}", file=sys.stderr)


def _find_peers(names: List[str], machine: object, complaints: _Complaints
                ) -> Tuple[List[Implementation], Dict[str, str]]:
    """Those that are there, and why the others are not."""
    found, absent = [], {}
    for name in names:
        try:
            found.append(PEERS[name](machine))
        except Exception as error:  # an import may raise anything
            absent[name] = explain(error)
            complaints.add(name, absent[name])
    return found, absent


def _measure_all(machine: object, shapes: List[Shape], ceilings: Ceilings,
                 options: argparse.Namespace) -> Tuple[List[Result], bool]:
    """The results, and whether all of ours are there. Ctrl-C leaves what is done."""
    progress = _report.Progress(sys.stderr, len(shapes))
    complaints = _Complaints(progress)
    peers, absent = _find_peers(options.peers, machine, complaints)
    print(_report.format_header(options.peers), flush=True)
    all_results, is_complete = [], True
    for i, shape in enumerate(shapes):
        progress.show(i, shape)
        try:
            results = measure(machine, shape, [Own(machine), *peers], options.rounds,
                              options.sustained)
        except KeyboardInterrupt:
            complaints.add("interrupted", f"{i} of {len(shapes)} shapes are done")
            return all_results, False
        progress.clear()
        by_name = {result.name: result for result in results}
        for name, reason in absent.items():
            by_name[name] = Result(shape, name, None, reason)
        for result in results:
            if not result.timing:
                complaints.add(result.name, result.note, f"{shape}: ")
        own = results[0]
        is_complete &= own.timing is not None
        beside = [by_name[name] for name in options.peers]
        print(_report.format_row(own, beside, ceilings), flush=True)
        all_results += [own, *beside]
    return all_results, is_complete


def _draw(path: pathlib.Path, title: str, results: List[Result],
          ceilings: Ceilings) -> None:
    panels = _series.make_length_panels(results, ceilings)
    roofline = _series.make_roofline(results, ceilings)
    if path.suffix == ".png":
        _png.draw(path, title, panels, roofline)
    else:
        path.write_text(_svg.draw(title, list(roofline.series), panels, roofline))


def _run(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    machine = None if options.list else _machine.find(options.target)
    is_host = machine is not None and machine.name == "host"
    try:
        shapes = select(options.shapes or ["gpt2" if is_host else "all"], options.dtype,
                        options.causal)
    except ValueError as error:
        parser.error(f"argument --shapes: {error}")
    if options.list:
        print(*shapes, sep="\n")
        return 0
    for path in filter(None, (options.csv, options.chart)):
        if not path.parent.is_dir():
            parser.error(f"expected a directory at '{path.parent}' for '{path}'")
    if options.chart and options.chart.suffix == ".png":
        _png.import_pyplot()  # better now than after minutes

    dtypes = list(dict.fromkeys(shape.dtype for shape in shapes))
    ceilings = measure_ceilings(machine, dtypes, options.rounds)
    print(f"target     {machine.description}")
    print(f"copy       {ceilings.copy:.1f} GB/s read and written")
    for dtype, tflops in ceilings.product.items():
        print(f"matmul     {tflops:.4g} TFLOP/s, {machine.product_size} cubed, "
              + getattr(machine, "product_dtype", dtype))
    results, is_complete = _measure_all(machine, shapes, ceilings, options)
    mode = "sustained" if options.sustained else "burst"
    if options.csv:
        options.csv.write_text(_report.format_csv(results, ceilings, mode))
    if options.chart and any(result.timing for result in results):
        _draw(options.chart, f"{machine.description}, {mode}", results, ceilings)
        print(f"chart      {options.chart}")
    return 0 if is_complete else 1


def main(arguments: Optional[List[str]] = None) -> int:
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["distributed"]:
        from . import _distributed

        return _distributed.main(arguments[1:])
    parser = _make_parser()
    options = parser.parse_args(arguments)
    try:
        return _run(parser, options)
    except (Error, OSError) as error:
        print(f"bench: error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
