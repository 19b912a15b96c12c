"""Collects the partial results of the steps of a ring, each for some rows of a tensor, and merges
or adds them."""

from typing import Any, Dict, List, Optional, Sequence, Tuple

import torch

from .. import _merge
from ._schedule import cut_points

# The number of partial results of a range of rows that are merged at once: the result of the
# previous merge, and two further ones. A larger number would take more memory, a smaller one more
# passes over memory.
_MOST_STATES = 3
Range = Tuple[int, int]


class States:
    """Partial results of attention, which are merged: outputs in f32 with their lse, each of some
    of the rows."""

    def __init__(self, rows: int, ranges: List[Range]) -> None:
        self._states: Dict[Range, List[Tuple[torch.Tensor, torch.Tensor]]] = {
            block: [] for block in cut_points(rows, ranges)}

    def add(self, begin: int, end: int, output: torch.Tensor, lse: torch.Tensor) -> None:
        for (first, last), known in self._states.items():
            if begin <= first and last <= end:
                known.append((output[:, :, first - begin:last - begin],
                              lse[:, :, first - begin:last - begin]))

    def reduce(self) -> None:
        """Merges the partial results of those ranges of rows that have at least _MOST_STATES of
        them. Before each step, this call limits their number."""
        for known in self._states.values():
            if len(known) >= _MOST_STATES:
                known[:] = [_merge.merge(known)]

    def finish(self, output: torch.Tensor, lse: torch.Tensor,
               sink: Optional[torch.Tensor]) -> None:
        """Merges all partial results and the sink into `output` and `lse`; only this rounds the
        output to its dtype. Rows without partial results get 0, and as lse the sink or -inf."""
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
    """A gradient in f32 that is the sum of parts, each of which is that of some heads and rows."""

    def __init__(self, heads: List[Range], rows: int, ranges: List[Range]) -> None:
        self._parts: Dict[Tuple[Range, Range], List[torch.Tensor]] = {
            (its, block): [] for its in heads for block in cut_points(rows, ranges)}

    def add(self, heads: Range, begin: int, end: int,
            part: Optional[torch.Tensor]) -> None:
        """Adds a part of the gradient, or nothing if it is None. The sum may keep the tensor `part`
        and write to it."""
        if part is None:
            return
        for ((h0, h1), (first, last)), known in self._parts.items():
            if heads[0] <= h0 and h1 <= heads[1] and begin <= first and last <= end:
                known.append(part[:, h0 - heads[0]:h1 - heads[0],
                                  first - begin:last - begin])
                if len(known) > 2:
                    known[0].add_(known.pop(1))

    def read(self, begin: int, end: int, like: torch.Tensor) -> torch.Tensor:
        """Returns the sum of all parts for all heads and these rows, in f32."""
        if len(self._parts) == 1:
            part, = self._parts.values()
            if len(part) == 1 and part[0].shape[2] == end - begin:
                return part[0]
        found = like.new_empty((*like.shape[:2], end - begin, like.shape[3]),
                               dtype=torch.float32)
        self.write(found, begin, end)
        return found

    def write(self, result: torch.Tensor, begin: int, end: int) -> None:
        """Writes the sum of all parts for these rows to `result`. Only this rounds it to the dtype
        of `result`."""
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
    """Divides key heads into two parts, or one if there is only one head. Returns the range of key
    heads of each part, and the range of the query heads that share these."""
    cut = heads // 2
    keys = [its for its in ((0, cut), (cut, heads)) if its[0] < its[1]]
    return [(its, (its[0] * group, its[1] * group)) for its in keys]


def all_heads(parts: Sequence[Tuple[Range, Range]]) -> Any:
    return (0, parts[-1][0][1]), (0, parts[-1][1][1])
