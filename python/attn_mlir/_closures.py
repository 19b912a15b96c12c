"""Finds and replaces the values that a Python function captures."""

import functools
import operator
import types
from typing import Any, Callable, Dict, List, Tuple

# The module variables of functions of these packages are not searched for captured arrays, since
# they are not arrays of the caller.
_LIBRARIES = ("attn_mlir", "numpy", "torch", "transformers")
# Types of values that are not arrays and cannot contain any.
_FIXED = (bool, int, float, str, bytes, type(None), type, types.ModuleType,
          types.BuiltinFunctionType)


def _names_of(code: types.CodeType) -> List[str]:
    """Returns the names that code may look up among its module's variables. Those in the code of
    functions that it defines are included."""
    return [*code.co_names, *[name for constant in code.co_consts
                              if isinstance(constant, types.CodeType)
                              for name in _names_of(constant)]]


def _globals_of(function: types.FunctionType) -> List[str]:
    """Returns the names of the module variables that a function may read, none for a function of
    one of _LIBRARIES."""
    if (function.__module__ or "").partition(".")[0] in _LIBRARIES:
        return []
    return [name for name in _names_of(function.__code__) if name in function.__globals__]


def replace(function: Any, change: Callable[[str, Any], Any]) -> Any:
    """Returns the function with each array or other object x that it captures replaced by
    `change(name, x)`; `name` is the variable's name. Functions, functools.partial objects, lists
    and tuples that it captures are searched in turn. Copies are made only where something changes.
    Raises ValueError for a captured variable without a value."""
    # Maps the id of each visited value to the value itself, which must stay alive, and its
    # replacement.
    known: Dict[int, Tuple[Any, Any]] = {}

    def visit(name: str, value: Any) -> Any:
        if isinstance(value, _FIXED):
            return value
        if id(value) not in known:
            known[id(value)] = value, value  # a function that captures itself
            known[id(value)] = value, find(name, value)
        return known[id(value)][1]

    def find(name: str, value: Any) -> Any:
        if isinstance(value, types.FunctionType):
            return _replace_in_function(value, visit)
        if isinstance(value, functools.partial):
            before = [value.func, *value.args, *value.keywords.values()]
            names = ["", *[name] * len(value.args), *value.keywords]
        elif type(value) in (tuple, list):
            before, names = value, [f"{name}[{i}]" for i in range(len(value))]
        else:
            return change(name, value)
        after = list(map(visit, names, before))
        if all(map(operator.is_, before, after)):
            return value
        if type(value) in (tuple, list):
            return type(value)(after)
        count = 1 + len(value.args)
        return functools.partial(*after[:count], **dict(zip(value.keywords, after[count:])))

    return visit("", function)


def _replace_in_function(function: types.FunctionType,
                         visit: Callable[[str, Any], Any]) -> types.FunctionType:
    code, scope = function.__code__, function.__globals__
    defaults = function.__defaults__ or ()
    parts = [dict(zip(code.co_freevars, [its.cell_contents for its in function.__closure__ or ()])),
             dict(zip(code.co_varnames[code.co_argcount - len(defaults):], defaults)),
             function.__kwdefaults__ or {}, {name: scope[name] for name in _globals_of(function)}]
    found = [{name: visit(name, its) for name, its in part.items()} for part in parts]
    if all([its is part[name] for part, own in zip(parts, found) for name, its in own.items()]):
        return function
    cells, of_arguments, by_name, of_scope = found
    copy = types.FunctionType(code, {**scope, **of_scope}, function.__name__,
                              tuple(of_arguments.values()),
                              tuple(map(types.CellType, cells.values())))
    copy.__kwdefaults__ = by_name or None
    return copy
