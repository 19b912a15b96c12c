"""Kernels that were compiled for calls on arrays, and their launches.

A call that was launched is remembered by the binding, which launches others like it: on
arrays of the same layouts, with the same options."""

import functools
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar

from . import _cuda
from ._adapter import Described
from ._arrays import adapter_of, expected
from ._forks import Lock
from ._kernel import Kernel
from ._library import ANY, CPU, CUDA, DTYPE_NAMES, binding
from ._module import DTYPES
from ._spellings import parameters_of

F = TypeVar("F", bound=Callable[..., Any])
_PLACES = {ANY: "an unstated device", CPU: "the CPU", CUDA: "GPU"}


kernels: Dict[Tuple, Kernel] = {}
_lock = Lock()


def find_kernel(key: Tuple, device_type: int, device: Optional[int],
                build: Callable[[Optional[str]], Kernel]) -> Kernel:
    """The kernel of `key`. `build` compiles it for a chip if it is new."""
    kernel = kernels.get(key)
    if kernel is not None:
        return kernel
    with _lock:
        kernel = kernels.get(key)
        if kernel is None:
            if device_type == CPU:
                kernel = build("host")
            else:
                with _cuda.on_device(device):
                    kernel = build(None)
            kernels[key] = kernel
    return kernel


class Calls:
    """Calls of one function that were launched. `find` repeats one of them on other arrays and
    returns its result, or NotImplemented for a call that Python must handle."""

    def __init__(self, further: int = -1) -> None:
        self._known = binding.Calls(further)
        self._further = further
        # The arguments of `find` are a tuple of operands (arrays, pairs of an array and a number,
        # or None), options (None, numbers, strings or tuples of these), the caller's arrays for
        # results, and a stream. If `further` is the number of an operand with further query
        # columns, operand 3, the value, may be a view of columns of operand 2, the key.
        self.find = self._known.find
        self.clear = self._known.clear

    def __len__(self) -> int:
        return len(self._known)

    def function(self, operands: str, replacements: Optional[List[Any]] = None) -> Callable[[F], F]:
        """A decorator of the function that makes these calls: one that is like an earlier one
        by its arguments needs no Python. `operands` are the names of its operands, in the order
        that they have in `find`. Where there are `replacements`, all calls are Python's."""
        order = operands.split()
        roles = {**{name: number for number, name in enumerate(order)}, "out": -2, "stream": -3}

        def wrap(function: F) -> F:
            parameters = parameters_of(function)
            names = tuple([its.name for its in parameters])
            assert roles.keys() <= set(names), f"{function}: expected arguments {list(roles)}"
            found = binding.Function(
                function, self._known, [] if replacements is None else replacements, names,
                tuple([roles.get(name, -1) for name in names]),
                len([its for its in parameters if its.kind is its.POSITIONAL_OR_KEYWORD]),
                self._further)
            return functools.update_wrapper(found, function)  # type: ignore[return-value]

        return wrap

    def remember(self, operands: Tuple, options: Tuple, out: Any, kernel: Kernel,
                 described: Sequence[Described], sources: Sequence[int],
                 results: Sequence[Any], is_tuple: bool, names: Sequence[str] = (),
                 written: Sequence[int] = ()) -> None:
        """Lets `find` repeat this call. `described` are the kernel's arguments. `sources` says
        which of the call's arrays each of them is: the number of an operand, or -1, -2, ... for a
        result, which the call allocates unless the caller passes it. `written` are the numbers of
        operands that the kernel writes."""
        if any([its[6] is not None or type(its[0]) is bytes for its in described]):
            return  # copies, and numbers
        made = []
        for its in () if out is not None else results:
            recipe = adapter_of("out", its).recipe(its)
            if recipe is None:
                return
            made.append((*recipe, its))
        self._known.remember(operands, options, out, kernel, kernel._program, described,
                             tuple(sources), tuple(made), is_tuple, tuple(names),
                             tuple(written))


def check_dtype(dtype: int, name: str = "q", others: Sequence[str] = ()) -> None:
    """`others` are dtypes besides those of floats of 16 and 32 bits."""
    if DTYPE_NAMES[dtype] not in (*DTYPES, *others):
        raise expected(name, "dtype " + ", ".join((*DTYPES, *others)), DTYPE_NAMES[dtype])


def place_name(device_type: int, device: Optional[int]) -> str:
    name = _PLACES.get(device_type, "other memory")
    return f"{name} {device}" if device_type == CUDA else name
