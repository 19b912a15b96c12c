"""Partial results of parts of a tensor, until all are there."""

from typing import Any, Dict, List, Optional, Sequence, Tuple

import torch

from .. import _merge
from ._schedule import cut_points

# The number of partial results that are merged at once: two, and the result of the previous merge.
# A larger number would take more memory, a smaller one more passes over memory.
_MOST_STATES = 3
Range = Tuple[int, int]


class States:
    """Outputs in f32 with their lse, of some of the rows each."""

    def __init__(self, rows: int, ranges: List[Range]) -> None:
        self._states: Dict[Range, List[Tuple[torch.Tensor, torch.Tensor]]] = {
            block: [] for block in cut_points(rows, ranges)}

    def add(self, begin: int, end: int, output: torch.Tensor, lse: torch.Tensor) -> None:
        for (first, last), known in self._states.items():
            if begin <= first and last <= end:
                known.append((output[:, :, first - begin:last - begin],
                              lse[:, :, first - begin:last - begin]))

    def reduce(self) -> None:
        """Merges the partial results of rows that have many; called while the device has other
        work."""
        for known in self._states.values():
            if len(known) >= _MOST_STATES:
                known[:] = [_merge.merge(known)]

    def finish(self, output: torch.Tensor, lse: torch.Tensor,
               sink: Optional[torch.Tensor]) -> None:
        """Writes the result over all keys, with the sink, rounded once."""
        for (first, last), known in self._states.items():
            own = output[:, :, first:last], lse[:, :, first:last]
            if known:
                _merge.merge(known, sink=sink, out=own)
                continue
            own[0].zero_()
            own[1].fill_(-torch.inf)
            if sink is not None:
                wide = sink.float()
                own[1].copy_(torch.where(wide.isfinite(), wide, -torch.inf)[:, None])


class Sums:
    """Gradients in f32: sums over parts that are of some heads and rows each."""

    def __init__(self, heads: List[Range], rows: int, ranges: List[Range]) -> None:
        self._parts: Dict[Tuple[Range, Range], List[torch.Tensor]] = {
            (its, block): [] for its in heads for block in cut_points(rows, ranges)}

    def add(self, heads: Range, begin: int, end: int,
            part: Optional[torch.Tensor]) -> None:
        """Adds a part of a gradient. The sum may keep and change `part`."""
        if part is None:
            return
        for ((h0, h1), (first, last)), known in self._parts.items():
            if heads[0] <= h0 and h1 <= heads[1] and begin <= first and last <= end:
                known.append(part[:, h0 - heads[0]:h1 - heads[0],
                                  first - begin:last - begin])
                if len(known) > 2:
                    known[0].add_(known.pop(1))

    def read(self, begin: int, end: int, like: torch.Tensor) -> torch.Tensor:
        """The sum of all heads and of these rows, in f32."""
        if len(self._parts) == 1:
            part, = self._parts.values()
            if len(part) == 1 and part[0].shape[2] == end - begin:
                return part[0]
        found = like.new_empty((*like.shape[:2], end - begin, like.shape[3]),
                               dtype=torch.float32)
        self.write(found, begin, end)
        return found

    def write(self, result: torch.Tensor, begin: int, end: int) -> None:
        """Writes the sums of these rows, rounded once."""
        for ((h0, h1), (first, last)), known in self._parts.items():
            if not (begin <= first and last <= end):
                continue
            own = result[:, h0:h1, first - begin:last - begin]
            if len(known) == 2:
                torch.add(*known, out=own)
            elif known:
                own.copy_(known[0])
            else:
                own.zero_()


def halves(heads: int, group: int) -> List[Tuple[Range, Range]]:
    """Key heads, and the query heads that share them, in two parts if there are two."""
    cut = heads // 2
    keys = [its for its in ((0, cut), (cut, heads)) if its[0] < its[1]]
    return [(its, (its[0] * group, its[1] * group)) for its in keys]


def all_heads(parts: Sequence[Tuple[Range, Range]]) -> Any:
    return (0, parts[-1][0][1]), (0, parts[-1][1][1])
