"""Reads of captured arrays that are known to be in bounds, which the compiler turns into loads of
tiles and vectors. Whether an array is as large as the problem is known when a call is made; there
is one kernel for arrays that are, and another for arrays that are not."""

from functools import lru_cache
from typing import Optional, Sequence, Tuple

from ._reads import POSITIONS, find_reads
from ._traced import Traced, types_of


@lru_cache(maxsize=256)
def _needs(text: str) -> Tuple[Optional[Tuple[Tuple[int, int, int], ...]], ...]:
    """For each captured array, the sizes that its reads need to be in bounds: (dimension, number of
    the position that is its index, or -1, and the least size). None if reads may be out of
    bounds."""
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
    """The region's text, with reads marked `inbounds` where the captured arrays are large enough
    for a problem of these batch entries, heads, rows and keys. The same text is always the same
    object, so that its hash is cached, and as a key it keeps no array alive."""
    within = []
    for array, needs in zip(region.arrays, _needs(region.text)):
        sizes = array.shape
        within.append(needs is not None and all(
            [sizes[dim] >= (problem[position] if position >= 0 else least)
             for dim, position, least in needs]))
    if True not in within:
        return region.text
    return _marked(region.text, tuple(within))
