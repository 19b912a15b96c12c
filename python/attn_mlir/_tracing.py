"""Score functions that were traced before, so that a call need not do it again."""

import types
import weakref
from typing import Any, Callable, Optional, Tuple, Union

from .score import Score, trace

ScoreMod = Union[Score, Callable[..., Any], None]

# Of each score function: what it captured when it was traced, and the text.
_traced: "weakref.WeakKeyDictionary[Any, Tuple[Tuple, Score]]" = (
    weakref.WeakKeyDictionary())


def _captures(function: Any) -> Tuple:
    """What a function reads besides its arguments: numbers as they are, all else by
    identity."""
    if not isinstance(function, types.FunctionType):
        return ()
    values = [cell.cell_contents for cell in function.__closure__ or ()]
    values += function.__defaults__ or ()
    names = function.__code__.co_names
    values += [function.__globals__[name] for name in names
               if name in function.__globals__]
    return tuple([(type(value), value) if type(value) in (int, float, bool)
                  else id(value) for value in values])


def trace_once(score_mod: Callable[..., Any]) -> Score:
    try:
        captured, known = _captures(score_mod), _traced.get(score_mod)
    except (TypeError, ValueError):  # not hashable, or an empty cell
        return trace(score_mod)
    if known is None or known[0] != captured:
        known = captured, trace(score_mod)
        _traced[score_mod] = known
    return known[1]


def as_score(score_mod: ScoreMod) -> Optional[Score]:
    if score_mod is None or isinstance(score_mod, Score):
        return score_mod
    return trace_once(score_mod)
