"""Keeps the regions of functions that were traced, so that a later call need not trace a function
again."""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Type, TypeVar, Union

from . import _host_reads, mask, score
from ._traced import Traced
from ._watched import watch
from .mask import Mask, MaskMod
from .score import Score

__all__ = ["Mask", "MaskMod", "Score", "ScoreMod", "as_mask", "as_score"]

ScoreMod = Union[Score, Callable[..., Any], None]
_Kind = TypeVar("_Kind", bound=Traced)

# The largest number of regions that are kept.
_MOST = 1024


class _Known(NamedTuple):
    """The region that was recorded of a function: itself if it has no arrays, else its text, the
    names of its arrays, and the numbers of its arrays and prepared masks among the values that the
    function reads. `kept` are the values that must not be freed, which the arrays are not among."""

    region: Optional[Traced]
    text: str
    names: Tuple[str, ...]
    arrays: Tuple[int, ...]
    prepared: Tuple[int, ...]
    kept: List[Any]


# The known regions by their class and by the signature of their function (see `_watched`).
_traced: Dict[Tuple[Any, Tuple[Any, ...]], _Known] = {}


def _trace_once(kind: Type[_Kind], trace: Callable[[Any], _Kind], function: Any) -> _Kind:
    watched = watch(function)
    if watched is None:
        return trace(function)
    signature, values, kept = watched
    key = kind, signature
    known = _traced.get(key)
    if known is not None:
        return known.region or kind(
            known.text, [values[number] for number in known.arrays], known.names,
            [values[number] for number in known.prepared])
    reads = _host_reads.count()
    region = trace(function)
    numbers = {id(value): number for number, value in enumerate(values)}
    captured = *region.arrays, *region.prepared
    # The region is not stored if the function read an array's elements on the host or captures an
    # array that it created itself: these may be different in the next call.
    if _host_reads.count() != reads or not all([id(its) in numbers for its in captured]):
        return region
    arrays, prepared = (tuple([numbers[id(its)] for its in group])
                        for group in (region.arrays, region.prepared))
    if len(_traced) >= _MOST:
        _traced.clear()
    _traced[key] = _Known(None if arrays else region, region.text, region.names, arrays, prepared,
                          kept)
    return region


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
