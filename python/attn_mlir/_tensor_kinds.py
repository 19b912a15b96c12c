"""Tells tensors that are plain memory from others, and finds calls that torch's dispatcher must
see.

A kernel reads memory at an address by sizes and strides. A call may launch a kernel directly where
nothing else matters: tensors of the exact types `PLAIN`, no dispatch mode, no transform of
torch.func, no trace, and no forward-mode AD. All other calls are operators of torch, so that
subclasses, modes and transforms see them; the kernels of these operators run within `InKernel`."""

import contextlib
import threading
from typing import Any, Iterable, Iterator, List, Optional, Sequence, Tuple

import torch
import torch.autograd.forward_ad as forward_ad

PLAIN = frozenset((torch.Tensor, torch.nn.Parameter))

_count_modes = torch._C._len_torch_dispatch_stack
_is_traced = torch._C._is_tracing
# Returns whether a transform of torch.func is active, within which tensors are wrappers.
is_transformed = torch._C._are_functorch_transforms_active


# Functions that return true, or a number above 0, if a dispatch mode, a transform or a trace is
# active. torch's dispatcher must then get all calls, even those on plain tensors.
OBSERVERS = _count_modes, is_transformed, _is_traced


def are_plain(tensors: Iterable[Any]) -> bool:
    """Whether a call on these arguments, some of which may not be tensors, may launch a kernel
    directly, without torch's dispatcher: all tensors are of a type in PLAIN, and no dispatch mode,
    transform of torch.func, trace or forward-mode AD is active."""
    if _count_modes() > 0 or is_transformed() or _is_traced() or forward_ad._current_level >= 0:
        return False
    for tensor in tensors:
        if tensor is not None and type(tensor) not in PLAIN and isinstance(tensor, torch.Tensor):
            return False
    return True


@torch.compiler.assume_constant_result  # type: ignore[untyped-decorator]
def find_transforms() -> Tuple[str, ...]:
    """Returns the names of the active transforms of torch.func, the outermost first. torch.compile
    calls the function while it traces a call within these transforms."""
    stack = torch._C._functorch.get_interpreter_stack() if is_transformed() else None
    return tuple([its.key().name for its in stack or ()])


def needs_function() -> bool:
    """Whether a call must use an autograd.Function in place of an operator: forward-mode AD needs
    that, and so does the innermost transform of torch.func, unless it is functionalize."""
    if not is_transformed():
        return forward_ad._current_level >= 0
    return (torch._C._functorch.peek_interpreter_stack().key()
            != torch._C._functorch.TransformType.Functionalize)


def _primals_of(tensors: Sequence[torch.Tensor]) -> List[torch.Tensor]:
    """Returns the tensors without tangents of the innermost level of forward mode. Within torch's
    vmap, levels of which may be within that level, they are the entries' tensors."""
    functorch = torch._C._functorch
    innermost = functorch.peek_interpreter_stack()
    if innermost.key() != functorch.TransformType.Vmap:
        return [forward_ad.unpack_dual(its).primal for its in tensors]
    from torch._functorch.pyfunctorch import retrieve_current_functorch_interpreter

    level = innermost.level()
    pairs = [functorch._unwrap_batched(its, level) for its in tensors]
    with retrieve_current_functorch_interpreter().lower():
        primals = _primals_of([its for its, _ in pairs])
    return [its if dim is None else functorch._add_batch_dim(its, dim, level)
            for its, (_, dim) in zip(primals, pairs)]


@contextlib.contextmanager
def nested_forward_mode(tensors: Sequence[torch.Tensor]) -> Iterator[Sequence[torch.Tensor]]:
    """A context for the method `jvp` of an autograd.Function. Its value is `tensors`, those that
    the function has saved, as the method should use them. Torch calls the method with forward mode
    turned off. Where a transform of torch.func in forward mode is within another one, as in
    jvp of jvp, the result would then lack tangents of the outer one. The context therefore turns
    forward mode on there, and removes the inner tangents of the tensors."""
    stack = torch._C._functorch.get_interpreter_stack() if is_transformed() else None
    forward = torch._C._functorch.TransformType.Jvp
    if sum([its.key() == forward for its in stack or ()]) < 2:
        yield tensors
        return
    with forward_ad._set_fwd_grad_enabled(True):
        yield _primals_of(tensors)


class _Local(threading.local):
    is_in_kernel = False


_local = _Local()


def is_in_kernel() -> bool:
    return _local.is_in_kernel


class InKernel:
    """A context in which the kernel of an operator runs. The dispatcher and autograd have handled
    the operator's call already, so that calls within the context launch kernels directly."""

    __slots__ = ("_before", "_had_grad")

    def __enter__(self) -> None:
        self._before, self._had_grad = _local.is_in_kernel, torch.is_grad_enabled()
        _local.is_in_kernel = True
        torch._C._set_grad_enabled(False)

    def __exit__(self, *_: Any) -> None:
        _local.is_in_kernel = self._before
        torch._C._set_grad_enabled(self._had_grad)


# The dispatch keys of tensors that are not plain memory, each with a description of such a tensor
# for messages.
_KINDS = {"ZeroTensor": "a tensor of zeros without memory",
          "Functionalize": "a functional tensor", "Conjugate": "a conjugate view",
          "FuncTorchBatched": "a batched tensor of torch.vmap, used outside of it",
          "FuncTorchGradWrapper": "a tensor of a transform of torch.func, used outside of it"}


def find_unsupported(tensor: torch.Tensor) -> Optional[str]:
    """Returns a description, for messages, of a tensor that no operator accepts, even if the tensor
    is of a subclass: a nested, sparse or quantized one. Returns None for other tensors."""
    with torch._C.DisableTorchFunctionSubclass():
        if tensor.is_nested:
            return f"a nested tensor of layout {tensor.layout}"
        if tensor.layout != torch.strided:
            return f"a tensor of layout {tensor.layout}"
        return f"a quantized tensor of {tensor.dtype}" if tensor.is_quantized else None


def find_kind(tensor: torch.Tensor) -> Optional[str]:
    """Returns a description of a tensor that is not plain memory, or None for one that is. A tensor
    with torch's negative bit counts as plain memory, since `resolve_neg` makes a copy without the
    bit."""
    found = find_unsupported(tensor)
    if found is not None:
        return found
    keys, key = torch._C._dispatch_keys(tensor), torch._C.DispatchKey
    if type(tensor) not in PLAIN and keys.has(key.Python):
        kind = type(tensor)
        return f"a tensor of the subclass {kind.__module__}.{kind.__qualname__}"
    for name, text in _KINDS.items():
        if keys.has(getattr(key, name)):
            return text
    return None


def has_tangent(*tensors: Any) -> bool:
    """Whether forward-mode AD is active and one of the tensors has a tangent."""
    return forward_ad._current_level >= 0 and any(
        [isinstance(tensor, torch.Tensor)
         and forward_ad.unpack_dual(tensor).tangent is not None for tensor in tensors])
