"""The schedule of a ring: which calls of the kernel each rank makes with whose keys, and which keys
are sent.

In step s of n, rank r works on keys of rank r - s. Their owner sends them, not the previous rank of
the ring. So keys that a mask does not need are not sent at all, no rank passes keys on, and no rank
waits for two others. (In a ring in which each rank passes keys on, a step transfers as many bytes
on a switched network.)
"""

from typing import Any, List, NamedTuple, Optional, Tuple

from ._layout import Chunk, chunks


class Call(NamedTuple):
    """One call of the kernel: on rows `q0` to `q1` of a rank, and keys `k0` to `k1` of the rank
    that owns the keys. `origin` has the positions of the first row and of the first key in the
    whole sequence, if the kernel must know them; masks then use positions in the whole sequence.
    Without an origin the only mask is `causal`, which counts from the call's first row and key."""

    q0: int
    q1: int
    k0: int
    k1: int
    causal: bool
    origin: Optional[Tuple[int, int]] = None


class Problem(NamedTuple):
    """The description of a call of attention that is the same on all ranks."""

    ranks: int
    # The number of rows of each rank, which has as many keys.
    rows: int
    layout: str
    causal: bool
    left: Optional[int]
    right: Optional[int]
    # Whether kernels get the positions of rows and keys in the whole sequence. They need these for
    # windows, for regions, and for lengths that a region masks.
    is_placed: bool
    # The largest length of a batch entry if the host knows the lengths, else that of the sequence.
    # Rows from this position on have no keys in any batch entry.
    length: int

    def chunks(self, rank: int) -> Tuple[Chunk, ...]:
        return chunks(rank, self.ranks, self.rows, self.layout)

    def has_pairs(self, rows: Chunk, keys: Chunk) -> bool:
        """Whether a causal mask, a window and the lengths, as far as the host knows these, keep any
        pair of these rows and keys."""
        last_row = min(rows.last, self.length) - 1
        last_key = min(keys.last, self.length) - 1
        if last_row < rows.first or last_key < keys.first:
            return False
        right = 0 if self.causal else self.right
        if right is not None and keys.first > last_row + right:
            return False
        return self.left is None or last_key >= rows.first - self.left

    def calls(self, rank: int, source: int) -> List[Call]:
        """Describes the calls of the kernel on the rows of `rank` and the keys that belong to rank
        `source`: one for each chunk of rows and chunk of keys between which the mask keeps a pair,
        or where no origin is needed one for several chunks."""
        if not self.rows:
            return []
        if self.is_placed:
            return [Call(rows.begin, rows.end, keys.begin, keys.end, self.causal,
                         (rows.first, keys.first))
                    for rows in self.chunks(rank) for keys in self.chunks(source)
                    if self.has_pairs(rows, keys)]
        return self._plain_calls(rank, source)

    def _plain_calls(self, rank: int, source: int) -> List[Call]:
        """Describes the call of the kernel, if there is one, where no origin is needed: the mask is
        causal, or there is none. A rank's chunks are in ascending order, so that a plain causal
        mask is right for its own keys, too."""
        rows, keys = self.chunks(rank), self.chunks(source)
        if rank == source:
            return [Call(0, self.rows, 0, self.rows, self.causal)]
        # Between chunks of different ranks, a causal mask keeps either all pairs or none. All pairs
        # that it keeps between two ranks are those of some last rows of one and some first keys of
        # the other, so one call without a mask computes them. If it keeps none, there is no call.
        kept = [(its, other) for its in rows for other in keys if self.has_pairs(its, other)]
        if not kept:
            return []
        return [Call(min([its.begin for its, _ in kept]), max([its.end for its, _ in kept]),
                     min([its.begin for _, its in kept]), max([its.end for _, its in kept]),
                     False)]

    def needed(self, rank: int, source: int) -> Tuple[int, int]:
        """Returns which keys of `source` the rank `rank` needs: the first one, and the one after
        the last."""
        its = self.calls(rank, source)
        if not its:
            return (0, 0)
        return min([call.k0 for call in its]), max([call.k1 for call in its])


def cut_points(size: int, ranges: List[Tuple[int, int]]) -> List[Tuple[int, int]]:
    """Divides `size` rows into blocks such that each of the given ranges is made of whole
    blocks."""
    points = sorted({0, size, *[point for its in ranges for point in its]})
    return list(zip(points, points[1:]))
