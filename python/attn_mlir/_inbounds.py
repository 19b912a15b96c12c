"""Marks reads of captured arrays that are known to be in bounds. The compiler turns such reads into
loads of tiles and vectors. A call knows whether an array is at least as large as the problem; there
is one kernel for arrays that are, and another for arrays that are not."""

from functools import lru_cache
from typing import Optional, Sequence, Tuple

from ._reads import POSITIONS, find_reads
from ._traced import Traced, types_of


@lru_cache(maxsize=256)
def _needs(text: str) -> Tuple[Optional[Tuple[Tuple[int, int, int], ...]], ...]:
    """Returns, for each captured array of a region, the sizes that the array needs so that all
    reads are in bounds. Each is (dimension, n, least): the dimension needs as many elements as
    position n (0 to 3: batch entry, head, row, key) has values, or at least `least` elements if n
    is -1. Returns None for an array that is read at a computed index, or not at all."""
    needs = []
    for number in range(len(types_of(text))):
        its: Optional[set] = set()
        for indices in find_reads(text, number):
            for dim, index in enumerate(indices):
                if index is None:
                    its = None
                elif its is not None:
                    its.add((dim, POSITIONS.index(index), 0) if isinstance(index, str)
                            else (dim, -1, index + 1))
        needs.append(tuple(sorted(its)) if its else None)
    return tuple(needs)


@lru_cache(maxsize=256)
def _marked(text: str, within: Tuple[bool, ...]) -> str:
    header, line, body = text.partition("\n")
    for number, is_within in enumerate(within):
        if is_within:
            parts = body.split(f"attn.read %c{number}[")
            body = f"attn.read %c{number}[".join(
                [parts[0]] + [part.replace("]", "] inbounds", 1) for part in parts[1:]])
    return header + line + body


def within_bounds(region: Traced, problem: Sequence[int]) -> str:
    """Returns the region's text. Reads of captured arrays that are large enough are marked
    `inbounds`; `problem` has the numbers of batch entries, heads, rows and keys. Equal texts are
    one object, so that the hash is computed once. Unlike a Traced, the text keeps no array alive as
    a cache's key."""
    within = []
    for array, needs in zip(region.arrays, _needs(region.text)):
        sizes = array.shape
        within.append(needs is not None and all(
            [sizes[dim] >= (problem[position] if position >= 0 else least)
             for dim, position, least in needs]))
    if True not in within:
        return region.text
    return _marked(region.text, tuple(within))
