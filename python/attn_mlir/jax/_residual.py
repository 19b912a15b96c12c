"""Finds the part of a score or mask function that a kernel computes: the ops that depend on the
function's arguments.

JAX traces the function to a jaxpr, and computes all ops of the jaxpr that depend on none of the
arguments, outside of the kernel and with JAX's own derivatives. The arrays among their results
that other ops read are the arrays that the kernel captures."""

import inspect
import itertools
import os
from typing import Any, Callable, Dict, List, NamedTuple, Sequence, Tuple, Union

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import Literal

from .._arrays import expected
from .._errors import Error

ARGUMENTS = {"score_mod": ("score", "b", "h", "q", "kv"), "mask_mod": ("b", "h", "q", "kv")}


class Value(NamedTuple):
    """A value in a score or mask function, by its number: an argument of the function, or the
    result of an op. Arguments have the first numbers."""

    number: int


class Capture(NamedTuple):
    """A captured array, by its number among all arrays that the function captures."""

    number: int


# An operand of an op: a value, a captured array, or a Python number, which is a constant.
Input = Union[Value, Capture, bool, int, float]


class Op(NamedTuple):
    name: str
    params: Dict[str, Any]
    inputs: Tuple[Input, ...]
    input_shapes: Tuple[Tuple[int, ...], ...]
    result: int
    shape: Tuple[int, ...]
    # The kind of the dtype of each of the op's inputs, as kind_of returns it: NumPy's letter, but
    # "f" for all floats, also for those that NumPy itself lacks, such as bfloat16.
    input_kinds: Tuple[str, ...]
    kind: str
    # The name of the result's dtype.
    dtype: str


class Residual(NamedTuple):
    """The part of a score or mask function that a kernel computes: its ops in their order, and the
    operand that is the function's result. `own_rule` names what gives the function another
    derivative than that of its ops, or is ""."""

    argument: str
    ops: Tuple[Op, ...]
    result: Input
    result_kind: str
    own_rule: str


def kind_of(dtype: Any) -> str:
    """Returns the kind of a dtype: "f" for all floats, else NumPy's letter ("b" for bool, "i" and
    "u" for signed and unsigned integers)."""
    if jnp.issubdtype(dtype, jnp.floating):
        return "f"
    return np.dtype(dtype).kind


def error_of(argument: str, text: str) -> Error:
    return Error(f"{argument}: {text}")


# The names in jaxprs of those of JAX's functions for which one op is recorded instead of the ops of
# their body.
_WHOLE = ("floor_divide", "remainder")

# The ops by which JAX marks, within shard_map, that a value may differ between devices. They are
# ignored here, since `vary_alike` marks the operands of the kernel's call.
_SAME = ("pvary", "pcast")


_OWN_FOLDER = os.path.join(os.path.dirname(jax.__file__), "")


def _is_own(function: Any) -> bool:
    """Whether a function, given as a jaxpr or as JAX wraps it, is one of JAX's."""
    return _OWN_FOLDER in _source_of(function)


def _source_of(function: Any) -> str:
    return function.debug_info.func_src_info or ""


# JAX's functions that subtract the largest number of a softmax under stop_gradient. They do not
# depend on what they subtract, so that their derivatives are those of their ops.
_SHIFTED = ("logsumexp", "softmax", "_softmax", "log_softmax", "logmeanexp")


def _is_shift(equation: Any) -> bool:
    """Whether one of the functions in _SHIFTED, called by the caller's code, has made an op."""
    traceback = equation.source_info.traceback
    for frame in traceback.frames if traceback is not None else ():
        if not frame.file_name.startswith(_OWN_FOLDER):
            return False
        if frame.function_name in _SHIFTED:
            return True
    return False


def _find_own_rule(name: str, inner: Any, params: Dict[str, Any]) -> str:
    """Returns text for errors that names what gives the op `name` another derivative than that of
    the jaxpr `inner`, which computes the op: stop_gradient, or a custom derivative, of which the
    function or a rule in `params` is a caller's. Returns "" for other ops, also for JAX's own
    functions with custom derivatives: these are the same as those of the jaxpr, except for the
    functions in _KINKS."""
    if name == "stop_gradient":
        return "jax.lax.stop_gradient"
    if not name.startswith(("custom_jvp_call", "custom_vjp_call")):
        return ""
    rules = [params[key] for key in ("jvp_jaxpr_fun", "fwd_jaxpr_thunk", "bwd")
             if hasattr(params.get(key), "debug_info")]
    body = getattr(inner, "jaxpr", inner)
    # jax.custom_gradient wraps a caller's function in one of its file, which has no others. Its name
    # there is "wrapped_fun" or, from JAX 0.11 on, that of the caller's function.
    if _is_own(body) and "custom_derivatives.py:" in _source_of(body):
        return "jax.custom_gradient"
    for its in (body, *rules):
        if not _is_own(its):
            return f"jax.{name.removesuffix('_call')}, {_source_of(its)}"
    return ""


# Functions of JAX's that have custom derivatives for points at which those of the ops of their
# jaxprs differ. One op is recorded for each, in place of the ops of its jaxpr.
_KINKS = ("relu", "relu6", "xlogy", "xlog1py", "logaddexp", "logaddexp2")


class _Builder:
    def __init__(self, argument: str) -> None:
        self.argument, self.own_rule = argument, ""
        self.ops: List[Op] = []
        self.arrays: List[Any] = []
        self.numbers = itertools.count(len(ARGUMENTS[argument]))

    def run(self, jaxpr: Any, consts: Sequence[Any], values: Sequence[Any]) -> List[Any]:
        """Goes through the ops of a jaxpr, and records those that depend on a Value. `consts` and
        `values` are its constants and arguments. Returns its results. Each is a Value (of a
        recorded op), or an array or a number of NumPy's that JAX has computed."""
        known: Dict[Any, Any] = {}

        def read(atom: Any) -> Any:
            return np.asarray(atom.val, atom.aval.dtype)[()] if isinstance(atom, Literal) \
                else known[atom]

        known.update(zip(jaxpr.constvars, consts))
        known.update(zip(jaxpr.invars, values))
        for equation in jaxpr.eqns:
            inputs = [read(atom) for atom in equation.invars]
            for var, result in zip(equation.outvars, self._step(equation, inputs)):
                known[var] = result
        return [read(atom) for atom in jaxpr.outvars]

    def _step(self, equation: Any, inputs: List[Any]) -> Sequence[Any]:
        if equation.primitive.name in _SAME:
            return inputs
        if not any([isinstance(its, Value) for its in inputs]):
            return self._evaluate(equation, inputs)
        name, params = equation.primitive.name, equation.params
        if any([jnp.issubdtype(atom.aval.dtype, jax.dtypes.extended)
                for atom in (*equation.invars, *equation.outvars)]):
            raise error_of(self.argument, "expected random numbers that do not depend on the "
                           f"score or positions, found {name} of one; make an array of them "
                           "outside of the function")
        if name == "cond":
            return self._choose(equation, inputs)
        inner = next((params[key] for key in ("jaxpr", "call_jaxpr", "fun_jaxpr")
                      if key in params), None)
        integers = all([kind_of(atom.aval.dtype) == "i" for atom in equation.invars])
        own_rule = "" if name == "stop_gradient" and _is_shift(equation) else \
            _find_own_rule(name, inner, params)
        self.own_rule = self.own_rule or own_rule
        if name == "custom_jvp_call" and not own_rule:
            kink = inner.jaxpr.debug_info.func_name
            shapes = [atom.aval.shape for atom in (*equation.outvars, *equation.invars)]
            if kink in _KINKS and all([its in ((), shapes[0]) for its in shapes]):
                return [self._append(kink, {}, equation, inputs)]
        if inner is not None and name not in ("scan", "while"):
            body = getattr(inner, "jaxpr", inner)
            if params.get("name") in _WHOLE and integers and _is_own(body):
                return [self._append(params["name"], {}, equation, inputs)]
            return self.run(body, getattr(inner, "consts", ()), inputs)
        if name == "split":
            return self._split(equation, inputs)
        if len(equation.outvars) != 1 or inner is not None:
            raise error_of(self.argument, f"expected ops on single elements, found {name}, "
                           "which this package cannot compile; unroll it, or compute it "
                           "outside of the function into an array that the function reads")
        return [self._append(name, params, equation, inputs)]

    def _evaluate(self, equation: Any, inputs: List[Any]) -> Sequence[Any]:
        is_static = all([isinstance(its, np.generic) for its in inputs]) and all(
            [var.aval.shape == () and not jnp.issubdtype(var.aval.dtype, jax.dtypes.extended)
             for var in equation.outvars])
        if is_static:
            with jax.ensure_compile_time_eval():
                found = self._bind(equation, inputs)
        else:
            found = self._bind(equation, inputs)
        results = found if equation.primitive.multiple_results else [found]
        return [np.asarray(its)[()] for its in results] if is_static else results

    def _bind(self, equation: Any, inputs: List[Any]) -> Any:
        params = equation.primitive.get_bind_params(equation.params)
        functions: Tuple = ()
        if isinstance(params, tuple):  # of other versions of JAX
            functions, params = params
        return equation.primitive.bind(*functions, *inputs, **params)

    def _choose(self, equation: Any, inputs: List[Any]) -> Sequence[Any]:
        """Records lax.cond or lax.switch on a traced number: the ops of all branches, and for each
        result an op that chooses among those of the branches."""
        branches = [self.run(its.jaxpr, its.consts, inputs[1:])
                    for its in equation.params["branches"]]
        results = []
        for number, var in enumerate(equation.outvars):
            values = [branch[number] for branch in branches]
            shapes = ((), *[var.aval.shape] * len(values))
            results.append(self._add("select_n", {}, [inputs[0], *values], shapes,
                                     ("i", *[kind_of(var.aval.dtype)] * len(values)),
                                     var.aval))
        return results

    def _split(self, equation: Any, inputs: List[Any]) -> Sequence[Any]:
        """Records lax.split, which has several results, as slices."""
        axis, begin, results = equation.params["axis"], 0, []
        its = equation.invars[0].aval
        for size, var in zip(equation.params["sizes"], equation.outvars):
            starts = [begin if dim == axis else 0 for dim in range(len(its.shape))]
            results.append(self._add("slice", {"start_indices": starts, "strides": None}, inputs,
                                     (its.shape,), (kind_of(its.dtype),), var.aval))
            begin += size
        return results

    def _append(self, name: str, params: Dict[str, Any], equation: Any,
                inputs: Sequence[Any]) -> Value:
        avals = [atom.aval for atom in equation.invars]
        return self._add(name, params, inputs, tuple([its.shape for its in avals]),
                         tuple([kind_of(its.dtype) for its in avals]),
                         equation.outvars[0].aval)

    def _add(self, name: str, params: Dict[str, Any], inputs: Sequence[Any], shapes: Any,
             kinds: Any, aval: Any) -> Value:
        number = next(self.numbers)
        self.ops.append(Op(name, params, tuple([self.as_input(its) for its in inputs]),
                           shapes, number, aval.shape, kinds, kind_of(aval.dtype),
                           aval.dtype.name))
        return Value(number)

    def as_input(self, value: Any) -> Input:
        if isinstance(value, Value):
            return value
        if isinstance(value, np.generic):
            return value.item() if kind_of(value.dtype) != "f" else float(value)
        for number, array in enumerate(self.arrays):
            if array is value:
                return Capture(number)
        self.arrays.append(value)
        return Capture(len(self.arrays) - 1)


def _trace(function: Callable[..., Any], argument: str, avals: Sequence[Any]) -> Any:
    errors = jax.errors
    try:
        return jax.make_jaxpr(function)(*avals)
    except errors.TracerBoolConversionError:
        text = ("expected no branch on a traced number; write (x) & (y) for `x and y`, (x) | "
                "(y) for `x or y`, ~(x) for `not x`, and jnp.where, jnp.minimum and "
                "jnp.maximum for `if`, min and max")
    except (errors.TracerArrayConversionError, errors.TracerIntegerConversionError,
            errors.ConcretizationTypeError):
        text = ("expected no use of a traced number's value; make a captured array, list or "
                "tuple an array of JAX's (jnp.asarray) before it is indexed, and compute with "
                "the functions of jax.numpy")
    raise error_of(argument, text) from None


def _check_parameters(function: Callable[..., Any], argument: str,
                      names: Sequence[str]) -> None:
    """Raises an error if the function does not take as many arguments as there are names."""
    try:
        inspect.signature(function).bind(*names)
    except TypeError as error:
        text = f"expected a function of ({', '.join(names)}): {error}"
    except ValueError:  # A function that is written in C has no signature.
        return
    else:
        return
    raise error_of(argument, text)


def make_residual(function: Callable[..., Any],
                  argument: str) -> Tuple[Residual, List[Any]]:
    """Traces a score or mask function. Returns the part of it that a kernel computes, and the
    arrays that this part captures."""
    if not callable(function):
        raise expected(argument, f"a function of ({', '.join(ARGUMENTS[argument])})",
                       type(function).__qualname__)
    names = ARGUMENTS[argument]
    _check_parameters(function, argument, names)
    avals = [jax.ShapeDtypeStruct((), jnp.float32 if name == "score" else jnp.int32)
             for name in names]
    closed = _trace(function, argument, avals)
    if len(closed.out_avals) != 1 or closed.out_avals[0].shape != ():
        found = ", ".join([str(its) for its in closed.out_avals]) or "none"
        raise error_of(argument, f"expected one number as the result, found {found}")
    kind = kind_of(closed.out_avals[0].dtype)
    if (kind == "b") != (argument == "mask_mod"):
        raise error_of(argument, "expected a score, found a condition; jnp.where makes a "
                       "score of one" if kind == "b" else "expected a condition, found a "
                       "number; a comparison makes a condition of one, and score_mod takes "
                       "scores")
    for its in closed.consts:
        if not all([isinstance(size, int) for size in its.shape]):
            raise error_of(argument, "expected captured arrays of constant sizes, found shape "
                           f"{tuple(its.shape)}, which jax.export has made symbolic; give the "
                           "array numbers as sizes in the call of jax.export")
    builder = _Builder(argument)
    result, = builder.run(closed.jaxpr, closed.consts,
                          [Value(number) for number in range(len(names))])
    if not isinstance(result, (Value, np.generic)) and not hasattr(result, "dtype"):
        raise error_of(argument, "expected a number as the result")
    result = builder.as_input(result)
    return Residual(argument, tuple(builder.ops), result, kind, builder.own_rule), builder.arrays
