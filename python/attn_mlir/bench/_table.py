"""Measures shapes in turn, and prints a table with a row for each."""

import argparse
import sys
from typing import Callable, Dict, List, Tuple

from . import _report
from ._peers import Implementation, Kind
from ._run import Ceilings, Result, explain, measure
from ._shapes import Shape


class _Complaints:
    """Prints messages on standard error, each only once."""

    def __init__(self, progress: _report.Progress) -> None:
        self.progress = progress
        self.said: Dict[Tuple[str, str], None] = {}

    def add(self, name: str, reason: str, where: str = "") -> None:
        if (name, reason) not in self.said:
            self.said[name, reason] = None
            self.progress.clear()
            print(f"bench: {name}: {where}{reason}", file=sys.stderr)


def _find_peers(kind: Kind, names: List[str], machine: object, complaints: _Complaints
                ) -> Tuple[List[Implementation], Dict[str, str]]:
    """Returns the peers of these names that can be used, and, for each of the others, the reason
    why it cannot."""
    found, absent = [], {}
    for name in names:
        if name not in kind.peers:
            absent[name] = "not timed on such shapes"
            continue
        try:
            found.append(kind.peers[name](machine))
        except Exception as error:  # an import may raise anything
            absent[name] = explain(error)
            complaints.add(name, absent[name])
    return found, absent


def measure_all(machine: object, shapes: List[Shape], ceilings: Ceilings,
                options: argparse.Namespace, find_kind: Callable[[Shape], Kind]
                ) -> Tuple[List[Result], bool]:
    """Measures all shapes and prints the table. `options` say which peers are measured, in how many
    rounds, and whether runs are sustained. Returns the results, and whether this project has a rate
    for every shape. Ctrl-C ends the measurement and keeps the results so far."""
    progress = _report.Progress(sys.stderr, len(shapes))
    complaints = _Complaints(progress)
    print(_report.format_header(options.peers, any(
        shape.set == "masks" for shape in shapes)), flush=True)
    all_results, is_complete = [], True
    peers_of: Dict[str, Tuple[List[Implementation], Dict[str, str]]] = {}
    plain: Dict[Shape, Result] = {}
    for i, shape in enumerate(shapes):
        kind = find_kind(shape)
        if shape.set not in peers_of:
            peers_of[shape.set] = _find_peers(kind, options.peers, machine, complaints)
        peers, absent = peers_of[shape.set]
        progress.show(i, shape)
        try:
            results = measure(machine, shape, [kind.own(machine), *peers], options.rounds,
                              options.sustained, kind.make_problem)
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
        plain[shape] = own
        print(_report.format_row(own, beside, ceilings, plain.get(
            shape._replace(variant="plain", causal=False))), flush=True)
        all_results += [own, *beside]
    return all_results, is_complete
