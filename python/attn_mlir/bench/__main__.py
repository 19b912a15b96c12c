"""The command python -m attn_mlir.bench: times attention beside other implementations."""

import argparse
import pathlib
import sys
from typing import List, Optional

from .._errors import Error
from . import _machine, _png, _report, _series, _svg
from ._kinds import PEERS, find_kind
from ._run import Ceilings, Result, measure_ceilings
from ._shapes import MASKS, PLAIN_SETS, ROWS, SIZES, VARIANTS, select
from ._table import measure_all


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


def _parse_variants(text: str) -> List[str]:
    names = text.split(",")
    known = [its for variants in VARIANTS.values() for its in variants]
    for name in names:
        if name not in known:
            raise argparse.ArgumentTypeError(
                f"expected some of {', '.join(known)}, found '{name}'")
    return names


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
        epilog="TFLOP/s count 2 B H Sq Skv (D + Dv), or 2 B H Sq Skv (3 D + 2 Dv) for "
        "gradients, halved when causal; in the sets masks, packed and pages they count "
        "the pairs that are kept. GB/s count query, key, value and output, and their "
        "gradients, once. Causal masks are aligned at the top left, in sets of caches at "
        "the bottom right. 'of plain' is the time as a part of that of the same shape's "
        "variant plain without a mask.")
    parser.add_argument("--shapes", nargs="+", action="extend", metavar="SHAPE",
                        help=f"plain forward passes: {', '.join(PLAIN_SETS)}, or all "
                        f"for these; {', '.join(ROWS)}, which all leaves out; or "
                        "[SET:]B,H[:HK],S[:SK],D[:DV], where SET is one that all leaves out "
                        "(default: all on a GPU, gpt2 on the host)")
    parser.add_argument("--dtype", choices=list(SIZES),
                        help="default: as listed, bf16 for given shapes")
    parser.add_argument("--causal", choices=list(MASKS),
                        help="default: as listed; for given shapes no, or as in SET")
    parser.add_argument("--variants", type=_parse_variants, metavar="NAME,...",
                        help="of sets that have variants these rows alone: "
                        + "; ".join(f"{name}: {', '.join(its)}"
                                    for name, its in VARIANTS.items()))
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
    parser.add_argument("--commit", default="", metavar="NAME",
                        help="of this project, for the file of figures")
    parser.add_argument("--chart", type=_parse_chart, metavar="FILE.svg|FILE.png|none",
                        default=pathlib.Path("attn_mlir_bench.svg"),
                        help="where to draw rate against length and a roofline "
                        "(default: attn_mlir_bench.svg)")
    parser.add_argument("--list", action="store_true",
                        help="print the shapes and do nothing else")
    return parser


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
                        options.causal, options.variants)
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
    results, is_complete = measure_all(machine, shapes, ceilings, options, find_kind)
    mode = "sustained" if options.sustained else "burst"
    if options.csv:
        options.csv.write_text(_report.format_csv(
            results, ceilings, mode, machine.get_conditions(options.commit)))
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
