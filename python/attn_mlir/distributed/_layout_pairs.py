"""Which rank computes which pairs of rows and keys, and how many these are. Nothing here needs
torch.

A sequence is cut into chunks of equal length. With the layout "contiguous", rank r of n holds
chunk r of n; with "balanced" chunks r and 2n - 1 - r of 2n, so that under a causal mask all
ranks have equally many pairs (zigzag, as in ring attention for causal masks). In step s rank r
works on keys of rank (r - s) mod n.

Masks are those of self-attention: a row i keeps keys j with i - left <= j <= i + right, and j
<= i if it is causal, so the pairs of two chunks depend only on the distance of the chunks.
"""

import functools
from typing import Dict, List, NamedTuple, Optional, Tuple

Window = Optional[Tuple[Optional[int], Optional[int]]]


class Step(NamedTuple):
    """One step of a ring. `pairs` has, for each rank, how many pairs of its rows and the step's
    keys the mask keeps. `keys` has how many keys the rank needs: those of whole chunks in which the
    mask keeps a pair. In step 0, they are the rank's own keys, in others another rank's."""

    number: int
    pairs: List[int]
    keys: List[int]

    @property
    def is_empty(self) -> bool:
        """Whether no rank has anything to compute or to transfer in the step."""
        return not any(self.pairs)


def held(rank: int, ranks: int, layout: str) -> Tuple[int, ...]:
    """Returns the numbers of the chunks that a rank holds, in the order in which it holds them."""
    return (rank,) if layout == "contiguous" else (rank, 2 * ranks - 1 - rank)


def chunk_count(ranks: int, layout: str) -> int:
    """Returns the number of chunks into which a sequence is cut."""
    return ranks * len(held(0, ranks, layout))


def of_ranks(layout: str, ranks: int) -> str:
    """Returns the layout that a call uses: `layout`, but "contiguous" for one rank, which holds one
    chunk of any length."""
    return layout if ranks > 1 else "contiguous"


def bounds(causal: bool, window: Window) -> Tuple[Optional[int], Optional[int]]:
    """Returns the least and the largest difference j - i of key j and row i at which a mask keeps
    the pair. None says that there is no such bound."""
    left, right = window or (None, None)
    if causal:
        right = 0 if right is None else min(right, 0)
    return None if left is None else -left, right


def count_pairs(rows: int, keys: int, offset: int, causal: bool, window: Window) -> int:
    """Returns how many pairs a mask keeps of `rows` rows and `keys` keys, of which the first key is
    `offset` positions after the first row."""
    low, high = bounds(causal, window)
    kept = rows * keys if high is None else _count_up_to(rows, keys, high - offset)
    return kept - (0 if low is None else min(_count_up_to(rows, keys, low - 1 - offset), kept))


def _count_up_to(rows: int, keys: int, limit: int) -> int:
    """Returns the number of pairs with j - i <= limit, where row i and key j count from 0. Row i
    has i + limit + 1 such keys, but at least 0 and at most `keys`."""
    first = min(max(-limit, 0), rows)  # the first row that has any
    full = min(max(keys - 1 - limit, first), rows)  # the first that has all
    count = full - first
    return count * (limit + 1) + (first + full - 1) * count // 2 + (rows - full) * keys


@functools.lru_cache(maxsize=8)
def steps(ranks: int, layout: str, causal: bool, window: Window,
          chunk: int) -> Tuple[Step, ...]:
    """Returns all steps of n ranks, empty ones included. `chunk` is the length of a chunk in rows:
    the sequence's length, divided by n, or by 2n for the balanced layout."""
    count = chunk_count(ranks, layout)
    kept: Dict[int, int] = {
        distance: count_pairs(chunk, chunk, distance * chunk, causal, window)
        for distance in range(1 - count, count)}
    result = []
    for number in range(ranks):
        sources = [rank - number + ranks * (rank < number) for rank in range(ranks)]
        if layout == "contiguous":
            pairs = [kept[source - rank] for rank, source in enumerate(sources)]
            keys = [chunk * (its > 0) for its in pairs]
        else:  # the same of each two chunks, without loops over these: n may be large
            last = count - 1
            first = [kept[source - rank] + kept[source + rank - last]
                     for rank, source in enumerate(sources)]
            second = [kept[last - source - rank] + kept[rank - source]
                      for rank, source in enumerate(sources)]
            pairs = [one + two for one, two in zip(first, second)]
            keys = [chunk * ((one > 0) + (two > 0)) for one, two in zip(first, second)]
        result.append(Step(number, pairs, keys))
    return tuple(result)
