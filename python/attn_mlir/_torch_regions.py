"""Makes score and mask functions operands of torch's operators. torch.compile traces this code,
too: Python numbers that it represents by symbols become constants of a region."""

import contextlib
import functools
import operator
from typing import Any, Callable, List, NamedTuple, Sequence, Tuple

import torch

from . import mask as _mask
from . import score as _score
from ._arrays import expected
from ._region import FUNCTIONS, Number, Region
from ._row import Row
from ._signatures import ALIASES
from ._tensor_reads import TensorReads
from ._traced import Traced, record_region
from ._tracing import MaskMod, ScoreMod, as_mask, as_score

_COMPARISONS = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
_ARITHMETIC = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor",
               "lshift", "rshift")
# The operators with the names of their methods, of the left operand and of the right one.
_OPERATORS = {**{getattr(operator, name): (name, right) for name, right in _COMPARISONS.items()},
              **{getattr(operator, f"__{name}__"): (name, f"r{name}") for name in _ARITHMETIC},
              **{getattr(operator, f"__i{name}__"): (f"i{name}", "") for name in _ARITHMETIC}}


def _fix(value: Any) -> Any:
    """Returns the number that a symbol of torch.compile stands for. torch.compile traces this code,
    and adds a guard to the graph: for another number it makes another graph."""
    from torch.fx.experimental.symbolic_shapes import guard_scalar

    return guard_scalar(value)


def _is_traced(variable: Any) -> bool:
    return isinstance(getattr(variable, "value", None), (Number, Row))


def _operate(op: Any, tx: Any, a: Any, b: Any) -> Any:
    """Applies the operator `op` to a traced number, or a row, and another operand, in either order,
    by the former's method. Returns the result as a variable of Dynamo's, or None if neither operand
    is traced: another handler of Dynamo's then applies the operator."""
    from torch._dynamo.variables import SymNodeVariable
    from torch._dynamo.variables.base import VariableTracker

    left, right = _OPERATORS[op]
    if not _is_traced(a):
        if not _is_traced(b) or not right:
            return None
        a, b, left = b, a, right
    # A symbol becomes a constant, with a guard.
    if isinstance(b, SymNodeVariable):
        b = VariableTracker.build(tx, b.evaluate_expr())
    return a.call_method(tx, f"__{left}__", [b], {})


@functools.lru_cache(maxsize=None)
def _install() -> None:
    """Registers operators of traced numbers with Dynamo. Without this, Dynamo assumes that a symbol
    is unequal to every object, even if the object defines comparison operators, and calls the
    tensor's method where one operand is a tensor: `x -= tensor` would be `x = x - tensor`, which
    other names of `x` do not see (torch 2.15)."""
    from torch._dynamo.variables import (BuiltinVariable, SymNodeVariable, TensorVariable,
                                         UserDefinedObjectVariable)
    from torch._dynamo.variables.torch import get_overridable_functions

    known = BuiltinVariable.call_function_handler_cache
    known.clear()
    for op, (name, _) in _OPERATORS.items():
        operate = functools.partial(_operate, op)
        own = UserDefinedObjectVariable
        for types in ((own, TensorVariable), (TensorVariable, own)):
            known[op, *types] = functools.partial(
                _or_else, operate, BuiltinVariable._make_handler(op, list(types), False))
        if name in _COMPARISONS:
            BuiltinVariable._binop_handlers()[op][:0] = [
                ((own, SymNodeVariable), operate), ((SymNodeVariable, own), operate)]
    # Dynamo lacks functions such as torch.clamp_ among those that a class may define.
    functions = get_overridable_functions()
    for name in (*FUNCTIONS, *ALIASES):
        function = getattr(torch, f"{name}_", None)
        if function is not None:
            functions.add(function)


def _or_else(operate: Any, handler: Any, tx: Any, args: Any, kwargs: Any) -> Any:
    found = operate(tx, *args)
    return handler(tx, args, kwargs) if found is None else found


def _prepare(context: Any) -> None:
    """Lets Dynamo apply operators to traced numbers, from this point of the graph's tracing on."""
    # If a version of torch lacks these objects, some operators are errors.
    with contextlib.suppress(AttributeError, ImportError, KeyError):
        _install()


def _tracer(context: Any) -> Any:
    return context._ComptimeContext__tx.output.current_tracer


def _allow_modes(context: Any) -> None:
    """Lets the function that Dynamo traces enter and leave a mode of torch within a checkpoint.
    Dynamo allows no change there that outlives it, and does not see that the mode is left again."""
    # If a version of torch lacks these objects, a mode within a checkpoint is an error.
    with contextlib.suppress(AttributeError):
        tracer = _tracer(context)
        tracer.attn_mlir_allowed = tracer.allow_side_effects_in_hop
        tracer.allow_side_effects_in_hop = True


def _restore(context: Any) -> None:
    # The caller has no `finally`, since Dynamo cannot resume after a graph break within `try`. After
    # an error of the function the flag stays set, on a tracer whose graph Dynamo usually gives up.
    with contextlib.suppress(AttributeError):
        tracer = _tracer(context)
        tracer.allow_side_effects_in_hop = tracer.attn_mlir_allowed


class Regions(NamedTuple):
    """The texts of the score and the mask region, and the arrays that they capture: first those of
    the score region, whose names in errors are `names`, then those of the mask region."""

    score: str
    mask: str
    captures: List[torch.Tensor]
    names: Sequence[str]


def _region(mod: Any, argument: str, as_region: Callable[..., Any],
            record: Callable[..., Any]) -> Tuple[str, Sequence[Any], Sequence[str]]:
    """Returns the text of the region of `mod`, the arrays that it captures, and their names in
    errors. Within torch.compile, the function is traced as a part of the graph: arrays that it
    captures are the graph's, and Python numbers get guards."""
    if mod is None:
        return "", (), ()
    if not torch.compiler.is_compiling():
        mod = as_region(mod)
    if isinstance(mod, Traced):
        return mod.text, mod.arrays, mod.names
    if isinstance(mod, tuple):  # these three results, from a graph
        return mod
    from torch._dynamo.comptime import comptime

    comptime(_prepare)
    comptime(_allow_modes)
    region = Region(argument, "i32" if argument == "score_mod" else "index", fix=_fix)
    with TensorReads():
        text = record_region(region, mod, record)
    comptime(_restore)
    return text, region.arrays, [f"{argument}: captured array"] * len(region.arrays)


def _check_capture(name: str, array: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """Returns a captured array as a tensor. Raises if it is not on the device of the query `like`;
    a scalar may be on any device."""
    if not isinstance(array, torch.Tensor):
        array = torch.as_tensor(array)
    if array.device != like.device and array.dim():
        raise expected(name, f"a tensor on {like.device}, as the query is",
                       f"one on {array.device}")
    return array


def find_regions(score_mod: ScoreMod, mask_mod: MaskMod, like: torch.Tensor) -> Regions:
    score, of_score, score_names = _region(score_mod, "score_mod", as_score,
                                           _score.record)
    mask, of_mask, mask_names = _region(mask_mod, "mask_mod", as_mask, _mask.record)
    captures = [_check_capture(name, array, like) for name, array in
                zip([*score_names, *mask_names], [*of_score, *of_mask])]
    # Arrays that the mask function captures have no gradient, since conditions have no derivative.
    captures = [array if number < len(score_names) else array.detach()
                for number, array in enumerate(captures)]
    return Regions(score, mask, captures, score_names)
