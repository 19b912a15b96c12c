"""Functions that were traced before, so that a call need not do it again."""

import weakref
from typing import Any, Callable, Optional, Tuple, Type, TypeVar, Union

from . import mask, score
from ._closures import Captures
from ._traced import Traced
from .mask import Mask, MaskMod
from .score import Score

__all__ = ["Mask", "MaskMod", "Score", "ScoreMod", "as_mask", "as_score"]

ScoreMod = Union[Score, Callable[..., Any], None]
_Kind = TypeVar("_Kind", bound=Traced)

# Of each kind and function: what it captured when it was traced, and the region.
_traced: "weakref.WeakKeyDictionary[Any, dict]" = weakref.WeakKeyDictionary()


def _trace_once(kind: Type[_Kind], trace: Callable[[Any], _Kind], function: Any) -> _Kind:
    try:
        captures = Captures(function)
        known: Optional[Tuple[Captures, _Kind]] = _traced.setdefault(
            function, {}).get(kind)
    except (TypeError, ValueError):  # not hashable, or an empty cell
        return trace(function)
    if captures.signature is None:
        return trace(function)
    if known is None or known[0].signature != captures.signature:
        region = trace(function)
        # What the function makes anew each time, or reads of an object, may be another
        # array the next time.
        if not all(id(array) in captures.arrays for array in region.arrays):
            return region
        known = captures, region
        _traced[function][kind] = known
    return known[1]


def _check(region: _Kind) -> _Kind:
    """A region whose prepared masks are what they were."""
    for mask_ in region.prepared:
        mask_.check()
    return region


def as_score(score_mod: ScoreMod) -> Optional[Score]:
    if score_mod is None:
        return None
    return _check(score_mod if isinstance(score_mod, Score)
                  else _trace_once(Score, score.trace, score_mod))


def as_mask(mask_mod: MaskMod) -> Optional[Mask]:
    if mask_mod is None:
        return None
    return _check(mask_mod if isinstance(mask_mod, Mask)
                  else _trace_once(Mask, mask.trace, mask_mod))
