"""Finds and remembers the kernels of calls on arrays.

The binding (in C++) remembers a call that was launched. It launches later calls with the same
options, on arrays of the same dtypes and layouts, without running Python."""

import functools
import operator
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar

from . import _cuda
from ._adapter import Described
from ._arrays import adapter_of, expected
from ._forks import Lock
from ._kernel import Kernel
from ._library import CPU, DTYPE_NAMES, binding
from ._module import DTYPES
from ._scales import OPERANDS
from ._spellings import parameters_of

F = TypeVar("F", bound=Callable[..., Any])
# The names of arguments that are no options of known calls: what regions capture is an operand, and
# their texts are options; calls with a generator, or with numbers as the seed, are not remembered.
_APART = ("score_mod", "mask_mod", "generator", "seed")

kernels: Dict[Tuple, Kernel] = {}
_lock = Lock()


def find_kernel(key: Tuple, device_type: int, device: Optional[int],
                build: Callable[[Optional[str]], Kernel]) -> Kernel:
    """Returns the kernel that is stored under `key`. If there is none, compiles one by `build` and
    stores it: `build("host")` for the CPU, else `build(None)`, for the chip of `device`."""
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
    """The calls of one function that were launched. `find` repeats one of them on other arrays and
    returns its result, or returns NotImplemented if no such call is known or if Python must handle
    it."""

    def __init__(self, further: int = -1) -> None:
        self._known, self._further = binding.Calls(further), further
        # The arguments of `find` are: a tuple of operands, each an array, a pair of an array and a
        # number, or None; a tuple of options, each None, a number, a string or a tuple of these;
        # the caller's arrays for results, or None; a stream, or None. If `further` is not -1, calls
        # also differ by which columns of operand 1 (the key) operand 2 (the value) is a view of.
        # All columns count as such a view only if operand `further`, an array of further query
        # columns, is given. Operands count from 0.
        self.find = self._known.find
        self.clear = self._known.clear

    def __len__(self) -> int:
        return len(self._known)

    def function(self, operands: str,
                 replacements: Optional[List[Any]] = None) -> Callable[[F], F]:
        """Returns a decorator for the function whose calls these are: a call that is like an
        earlier one is repeated without running the function. `operands` are the names of the
        arguments that are operands, in the order that `find` takes; an asterisk stands for all
        arguments that are operands in the op's clause `with`. While the list `replacements` has
        elements, the function runs in each call."""

        def wrap(function: F) -> F:
            parameters = parameters_of(function)
            names = tuple([its.name for its in parameters])
            own = " ".join([name for name in OPERANDS if name in names])
            order = operands.replace("*", own).split()
            roles = {**{name: number for number, name in enumerate(order)},
                     "out": -2, "stream": -3}
            assert roles.keys() <= set(names), f"{function}: expected arguments {list(roles)}"
            # These take the operands, and the options, from the function's local variables.
            self.operands_in = operator.itemgetter(*order)
            self.options_in = operator.itemgetter(*[
                name for name in names if name not in (*roles, *_APART)])
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
        """Lets `find` repeat this call. `described` are the kernel's arguments. For each of them,
        `sources` has the number of the operand that it is, or -1, -2, ... for the first, second,
        ... result. Results are allocated in each call unless the caller passes them as `out`.
        `written` are the numbers of operands that the kernel writes. A call is not remembered if an
        argument of the kernel is a number, or an array whose description keeps an object alive (a
        copy on the call's device, or a DLPack capsule)."""
        if any([its[6] is not None or type(its[0]) is bytes for its in described]):
            return  # a copy, or a number
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
    """Raises unless the dtype is a float of 16 or 32 bits or one of `others`."""
    if DTYPE_NAMES[dtype] not in (*DTYPES, *others):
        raise expected(name, "dtype " + ", ".join((*DTYPES, *others)), DTYPE_NAMES[dtype])
