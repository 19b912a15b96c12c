"""Support for torch.compile to trace score and mask functions. Python numbers that torch.compile
represents by symbols become constants of a region."""

import functools
import operator
from typing import Any

from ._region import Number

_COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)


def fix(value: Any) -> Any:
    """Returns the number that a symbol of torch.compile stands for. torch.compile traces this code,
    and adds a guard to the graph: for another number it makes another graph."""
    from torch.fx.experimental.symbolic_shapes import guard_scalar

    return guard_scalar(value)


def _compare(op: Any, tx: Any, a: Any, b: Any) -> Any:
    """Applies the comparison `op` to a traced number of a region and the number that a symbol of
    Dynamo stands for, in either order. Returns the result as a variable of Dynamo's, or None if
    neither operand is a traced number: another handler of Dynamo then compares them."""
    from torch._dynamo.variables import BuiltinVariable, SymNodeVariable
    from torch._dynamo.variables.base import VariableTracker

    if not any([isinstance(getattr(its, "value", None), Number) for its in (a, b)]):
        return None
    sides = [VariableTracker.build(tx, its.evaluate_expr())
             if isinstance(its, SymNodeVariable) else its for its in (a, b)]
    return BuiltinVariable(op).call_function(tx, sides, {})


@functools.lru_cache(maxsize=None)
def _install() -> None:
    """Registers comparisons of traced numbers and symbols with Dynamo. Without this, Dynamo assumes
    that a symbol is unequal to every object, even if the object defines comparison operators (torch
    2.15)."""
    from torch._dynamo.variables import (BuiltinVariable, SymNodeVariable,
                                         UserDefinedObjectVariable)

    for op in _COMPARISONS:
        compare = functools.partial(_compare, op)
        BuiltinVariable._binop_handlers()[op][:0] = [
            ((UserDefinedObjectVariable, SymNodeVariable), compare),
            ((SymNodeVariable, UserDefinedObjectVariable), compare)]
    BuiltinVariable.call_function_handler_cache.clear()


def _prepare(context: Any) -> None:
    try:
        _install()
    except (AttributeError, ImportError, KeyError):
        pass  # of another version of torch: a comparison with a symbol is an error there


def follow_comparisons() -> None:
    """Lets Dynamo compare traced numbers with symbols, from this point of the graph's tracing
    on."""
    from torch._dynamo.comptime import comptime

    comptime(_prepare)
