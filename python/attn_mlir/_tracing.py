"""Keeps the regions of functions that were traced, so that a later call need not trace a function
again."""

import weakref
from typing import Any, Callable, Optional, Tuple, Type, TypeVar, Union

from . import _host_reads, mask, score
from ._traced import Traced
from ._watched import Watched, watch
from .mask import Mask, MaskMod
from .score import Score

__all__ = ["Mask", "MaskMod", "Score", "ScoreMod", "as_mask", "as_score"]

ScoreMod = Union[Score, Callable[..., Any], None]
_Kind = TypeVar("_Kind", bound=Traced)

# For each function, and each class of region, a pair: the values that the function read when it was
# traced, and the region that was recorded.
_traced: "weakref.WeakKeyDictionary[Any, dict]" = weakref.WeakKeyDictionary()


def _trace_once(kind: Type[_Kind], trace: Callable[[Any], _Kind], function: Any) -> _Kind:
    watched = watch(function)
    if watched is None:
        return trace(function)
    # The key in `_traced` is a function or a functools.partial object; both support weak
    # references.
    by_kind = _traced.setdefault(function, {})
    known: Optional[Tuple[Watched, _Kind]] = by_kind.get(kind)
    if known is None or known[0].signature != watched.signature:
        reads = _host_reads.count()
        region = trace(function)
        # The region is not stored if the function read an array's elements on the host or captures
        # an array that it created itself: these may be different in the next call.
        if _host_reads.count() != reads or not all(
                [id(array) in watched.arrays for array in region.arrays]):
            by_kind.pop(kind, None)
            return region
        known = by_kind[kind] = watched, region
    return known[1]


def _as_region(kind: Type[_Kind], trace: Callable[[Any], _Kind], mod: Any) -> Optional[_Kind]:
    """Returns the region of `mod`, which is such a region, a function or None. Raises if a prepared
    mask that the region reads has changed since the mask was prepared."""
    if mod is None:
        return None
    region = mod if isinstance(mod, kind) else _trace_once(kind, trace, mod)
    for mask_ in region.prepared:
        mask_.check()
    return region


def as_score(score_mod: ScoreMod) -> Optional[Score]:
    return _as_region(Score, score.trace, score_mod)


def as_mask(mask_mod: MaskMod) -> Optional[Mask]:
    return _as_region(Mask, mask.trace, mask_mod)
