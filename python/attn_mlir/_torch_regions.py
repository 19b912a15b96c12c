"""Makes score and mask functions operands of torch's operators. torch.compile traces this code,
too: Python numbers that it represents by symbols become constants of a region."""

import contextlib
import functools
import operator
from typing import Any, Callable, List, NamedTuple, Sequence, Tuple

import torch

from . import _adapter
from . import mask as _mask
from . import score as _score
from ._arrays import expected
from ._errors import ArgumentError
from ._region import Number, Region
from ._tensor_reads import TensorReads
from ._traced import Traced, record_region
from ._tracing import MaskMod, ScoreMod, as_mask, as_score

_COMPARISONS = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)


def _fix(value: Any) -> Any:
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
    """Lets Dynamo compare traced numbers with symbols, from this point of the graph's tracing
    on."""
    # If a version of torch lacks these objects, a comparison with a symbol is an error.
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


def argument_error(text: str) -> Exception:
    """Returns the exception for an argument's error. Within torch.compile it is a ValueError, since
    torch.compile shows only the texts of Python's built-in exceptions."""
    return ValueError(text) if torch.compiler.is_compiling() else ArgumentError(text)


_adapter.make_error = argument_error


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
