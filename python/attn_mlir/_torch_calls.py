"""The common part of calls that are operators of torch: checks of their tensors, and results in the
caller's arrays."""

import functools
from typing import Any, Callable, Dict, Iterable, Optional, Sequence, Tuple, TypeVar, cast

import torch
from torch.fx.experimental.symbolic_shapes import guard_or_false

from ._arrays import adapter_of, expected
from ._autograd import forward_mode, no_tangents
from ._constants import NAMES as CONSTANTS
from ._constants import constant_error, refuse_tensors
from ._operators import check_gradients
from ._module import NARROW_QUERIES
from ._output import as_out_dtype, dtype_of_out
from ._scales import NAMES, OPERANDS
from ._schema import Given, array_of
from ._spellings import parameters_of, refuse
from ._tensor_kinds import are_plain, find_unsupported, has_tangent


Function = TypeVar("Function", bound=Callable[..., Any])


# Maps the name of each function, such as "attention", to the function that makes a call of it by
# torch's operators. This takes a dictionary of all arguments of the call, by name.
operators: Dict[str, Callable[[Given], Any]] = {}


def _is_unknown(value: Any) -> bool:
    """Whether a graph reads a number from a tensor, so that it is not known when the graph is made.
    Other symbols of torch.compile have a number then, and become constants by a guard."""
    if isinstance(value, (bool, torch.SymBool)):
        return not (guard_or_false(value) or guard_or_false(value == 0))
    if not isinstance(value, (int, float, torch.SymInt, torch.SymFloat)):
        return False
    # One of the two holds for each known number. The number is one that no caller passes, so that a
    # guard which compares with it does not fail.
    return not (guard_or_false(value != 54321) or guard_or_false(value == 54321))


def refuse_unknown(given: Given) -> None:
    """Raises for the first of a call's arguments `given` that must be a constant, and is a tensor or
    a number that a graph reads from one. torch.compile traces this code."""
    refuse_tensors(given)
    for name in CONSTANTS if torch.compiler.is_compiling() else ():
        value = given.get(name)
        if name in ("window", "seed"):  # which operators take as symbols, or as a tensor
            continue
        for its in value if isinstance(value, (tuple, list)) else (value,):
            if _is_unknown(its):
                raise constant_error(name, "a number that the graph reads from a tensor")


def for_graphs(function: Function, trace: Callable[[Given], Any], text: str,
               has_derivative: bool = True) -> Function:
    """Returns `function`, but with `trace` in its place where torch.compile traces the call, and
    outside of graphs where a call must be an operator; `trace` takes a dictionary of all arguments.
    `text` says, for the docstring, which operators a graph then has."""
    operators[function.__name__] = functools.partial(
        operate, function.__name__, trace, has_derivative=has_derivative)
    parameters = parameters_of(function)
    positional = [its.name for its in parameters if its.kind is its.POSITIONAL_OR_KEYWORD]
    defaults = {its.name: its.default for its in parameters if its.default is not its.empty}
    known = frozenset([its.name for its in parameters])

    @functools.wraps(function)
    def call(*arrays: Any, **options: Any) -> Any:
        if not torch.compiler.is_compiling():
            return function(*arrays, **options)
        others = {name: its for name, its in options.items() if name not in known}
        if others:
            refuse(function, others)
        given = {**defaults, **dict(zip(positional, arrays)), **options}
        if len(arrays) > len(positional) or len(given) < len(known):
            raise TypeError(f"{function.__name__}(): expected the arguments "
                            f"{', '.join(positional)}, and others by name")
        for name in ("out", "stream"):
            if given[name] is not None:
                raise expected(name, "None within torch.compile", type(given[name]).__qualname__)
        refuse_unknown(given)
        if "out_dtype" in given:
            given["out_dtype"] = as_out_dtype(given["out_dtype"])
        return trace(given)

    call.__doc__ = (
        f"attn_mlir.{function.__name__} on tensors, which stays one operator of the graph "
        f"under\ntorch.compile(fullgraph=True), torch.export and fake tensors:\n{text}\n"
        "Within torch.compile `out` and `stream` are None.\n")
    return cast(Function, call)


def check_operands(op: str, tensors: Dict[str, Any], captures: Sequence[Tuple[str, Any]],
                   out: Any, stream: Optional[int]) -> None:
    """Raises for arguments that no call by an operator accepts: arrays that are not tensors,
    tensors that are not strided, tangents for an operator without a derivative in forward mode, and
    `out` or `stream` where tensors require gradients."""
    for name, tensor in tensors.items():
        if tensor is not None and not isinstance(tensor, torch.Tensor):
            why = ("as others require gradients" if are_plain(tensors.values()) else
                   "within modes and transforms, and beside tensors of subclasses")
            raise expected(name, f"a tensor, {why}", type(tensor).__qualname__)
    every = [(name, tensor) for name, tensor in (*tensors.items(), *captures)
             if isinstance(tensor, torch.Tensor)]
    for name, tensor in every:
        kind = find_unsupported(tensor)
        if kind is not None:
            raise expected(name, "a strided tensor", kind)
    if op not in forward_mode and has_tangent(*[tensor for _, tensor in every]):
        raise no_tangents(op)
    if torch.is_grad_enabled() and any([its.requires_grad for _, its in every]):
        for name, value in (("out", out), ("stream", stream)):
            if value is not None:
                raise expected(name, "None where tensors require gradients "
                               "(torch.no_grad() or detach() says that none are needed)",
                               type(value).__qualname__)


# The names of arguments that are arrays, or pairs of an array and a number.
_ARRAYS = frozenset((
    "q", "k", "v", "k_cache", "v_cache", "cu_q", "cu_kv", "lengths", "page_table", "counts",
    "sink", "cos", "sin", "mask", *OPERANDS,
    "query", "key", "value", "output", "lse", "d_output", "d_lse"))


# The names of arguments that each call with them needs, except `q` in calls of `append`.
_REQUIRED = ("q", "k", "v", "k_cache", "v_cache", "cu_q")


def operate(op: str, call: Callable[[Given], Any], given: Given, has_derivative: bool = True,
            dtypes: Sequence[torch.dtype] = (), arrays: Optional[Dict[str, Any]] = None,
            free: Tuple[str, ...] = NARROW_QUERIES) -> Any:
    """Makes a call by operators: `call` takes all arguments by name. Results are copied to the
    caller's arrays if there are any, which have the results' dtypes or `dtypes`. `arrays` are the
    call's arrays by name, by default the arguments in _ARRAYS; `free` is that of wide_dtypes()."""
    out, stream = given.get("out"), given["stream"]
    if arrays is None:
        arrays = {name: array_of(its) for name, its in given.items() if name in _ARRAYS}
        for name in _REQUIRED:
            if name in given and given[name] is None and not (op == "append" and name == "q"):
                raise expected(name, "a tensor", "None")
    captures = [pair for region in (given.get("score_mod"), given.get("mask_mod"))
                if region is not None for pair in zip(region.names, region.arrays)]
    check_operands(op, arrays, captures, *((out, stream) if has_derivative else (None, None)))
    name, first = next(iter(arrays.items()))
    adapter = adapter_of(name, first)
    if "out_dtype" in given:
        dtype, _ = adapter.layout(name, first)
        given["out_dtype"] = dtype_of_out(out, given["return_lse"],
                                          as_out_dtype(given["out_dtype"]), dtype, free)
    with adapter.on_stream(stream, first):
        return deliver(call(given), out, *dtypes)


def _describe(tensor: torch.Tensor) -> str:
    return f"a tensor of {tensor.dtype} and sizes {tuple(tensor.shape)} on {tensor.device}"


def deliver(results: Any, out: Any, *dtypes: torch.dtype) -> Any:
    """Returns the results of an operator, copied to the caller's arrays `out` if that is not None.
    Those arrays must have the results' sizes and device, and the results' dtypes or one of
    `dtypes`."""
    if out is None:
        return results
    many = isinstance(results, tuple)
    if many and not (isinstance(out, (tuple, list)) and len(out) == len(results)):
        raise expected("out", f"a tuple of {len(results)} arrays", type(out).__qualname__)
    pairs: Sequence[Tuple[Any, Any]] = list(zip(out, results)) if many else [(out, results)]
    for its, result in pairs:
        if not isinstance(its, torch.Tensor):
            raise expected("out", "a tensor", type(its).__qualname__)
        if (its.shape, its.device) != (result.shape, result.device) \
                or its.dtype not in (result.dtype, *dtypes):
            raise expected("out", _describe(result), _describe(its))
        if its.is_neg():
            raise expected("out", "a tensor that may be written", "one with the negative bit")
    for its, result in pairs:
        its.copy_(result)
    return tuple(out) if many else out


def check_no_gradient(tensors: Iterable[Tuple[str, Any]],
                      where: str = "here (torch.no_grad() or detach() says so)") -> None:
    """Raises if one of the tensors requires a gradient, for a call that does not compute it. The
    text of the error says `where`."""
    for name, tensor in tensors if torch.is_grad_enabled() else ():
        if tensor is not None and tensor.requires_grad:
            raise expected(name, f"a tensor that requires no gradient {where}", "one that does")


def needs_gradients(given: Given) -> bool:
    """Whether a call of attention, with the operators' arguments `given`, needs gradients. Raises
    if one of these gradients is not supported."""
    check_no_gradient([(name, given.get(name)) for name in NAMES])
    needs = [its is not None and its.requires_grad for its in (
        *[given[name] for name in ("q", "k", "v", "sink")], *given["captures"])]
    if not torch.is_grad_enabled() or not any(needs):
        return False
    check_gradients(given, needs[:3])
    return True
