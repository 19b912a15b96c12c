"""The arrays that a Python function captures."""

import functools
import types
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

from ._arrays import is_array
from ._prepared import PreparedMask

_NUMBERS = (int, float, bool)
# Functions of these packages are not searched for captured arrays: their module variables are not
# arrays of the caller.
_LIBRARIES = ("attn_mlir", "numpy", "torch", "transformers")
# Types of values that cannot contain arrays.
_FIXED = (str, bytes, type(None), type, types.ModuleType, types.BuiltinFunctionType)


def _names_of(code: types.CodeType) -> List[str]:
    """Names that code may look up in its module, also in functions that are defined within
    it."""
    names = list(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names += _names_of(constant)
    return names


def _globals_of(function: types.FunctionType) -> List[str]:
    """Names of its module that a function may read."""
    if (function.__module__ or "").partition(".")[0] in _LIBRARIES:
        return []
    return [name for name in _names_of(function.__code__) if name in function.__globals__]


def _values_of(function: types.FunctionType) -> Iterator[Tuple[str, Any]]:
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
        yield name, cell.cell_contents
    defaults = function.__defaults__ or ()
    code = function.__code__
    names = code.co_varnames[:code.co_argcount]
    yield from zip(names[len(names) - len(defaults):], defaults)
    yield from (function.__kwdefaults__ or {}).items()
    for name in _globals_of(function):
        yield name, function.__globals__[name]


def _parts_of(name: str, value: Any) -> Optional[Iterator[Tuple[str, Any]]]:
    """The parts of a value with their names, or None if its type is not known."""
    if isinstance(value, types.FunctionType):
        return _values_of(value)
    if isinstance(value, functools.partial):
        parts = [("", value.func), *((name, its) for its in value.args),
                 *value.keywords.items()]
        return iter(parts)
    if type(value) in (tuple, list):
        return ((f"{name}[{i}]", its) for i, its in enumerate(value))
    if isinstance(value, PreparedMask):
        return iter([(name, value.array), (f"{name}.summary", value.summary)])
    return None


def find_arrays(function: Any) -> Dict[int, Tuple[str, Any]]:
    """The arrays that a function and the functions that it captures are known to read, with the
    names of their variables, keyed by `id`."""
    arrays: Dict[int, Tuple[str, Any]] = {}
    seen: Dict[int, Any] = {}

    def visit(name: str, value: Any) -> None:
        if type(value) in _NUMBERS or id(value) in seen:
            return
        seen[id(value)] = value
        parts = _parts_of(name, value)
        if parts is not None:
            for its_name, its in parts:
                visit(its_name, its)
        elif not isinstance(value, _FIXED) and is_array(value):
            arrays[id(value)] = name, value

    visit("", function)
    return arrays


def replace(value: Any, change: Callable[[Any], Any],
            known: Optional[Dict[int, Any]] = None) -> Any:
    """A copy of a function that reads `change(x)` for each array x that it captures, in
    functions that it captures, too."""
    known = {} if known is None else known
    if id(value) in known:
        return known[id(value)]
    known[id(value)] = value  # within itself, a function is what it was
    if isinstance(value, types.FunctionType):
        result: Any = _replace_in_function(value, change, known)
    elif isinstance(value, functools.partial):
        result = functools.partial(
            replace(value.func, change, known),
            *(replace(its, change, known) for its in value.args),
            **{name: replace(its, change, known)
               for name, its in value.keywords.items()})
    elif type(value) in (tuple, list):
        result = type(value)(replace(its, change, known) for its in value)
    else:
        result = change(value)
    known[id(value)] = result
    return result


def _replace_in_function(function: types.FunctionType, change: Callable[[Any], Any],
                         known: Dict[int, Any]) -> types.FunctionType:
    def of(value: Any) -> Any:
        return replace(value, change, known)

    cells = [types.CellType(of(cell.cell_contents)) for cell in function.__closure__ or ()]
    changed = {name: of(function.__globals__[name]) for name in _globals_of(function)}
    copy = types.FunctionType(function.__code__, {**function.__globals__, **changed},
                              function.__name__, of(function.__defaults__ or ()),
                              tuple(cells))
    copy.__kwdefaults__ = function.__kwdefaults__ and {
        name: of(value) for name, value in function.__kwdefaults__.items()}
    return copy
