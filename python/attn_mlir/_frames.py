"""Finds and remembers the kernels of calls on arrays.

The binding (in C++) remembers a call that was launched. It launches later calls with the same
options, on arrays of the same dtypes and layouts, without running Python."""

import functools
import operator
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar

from . import _cuda
from ._arrays import adapter_of
from ._forks import Lock
from ._kernel import Kernel
from ._library import CPU, binding
from ._scales import OPERANDS
from ._spellings import parameters_of
from ._traced import types_of
from .mask import Mask
from .score import Score

F = TypeVar("F", bound=Callable[..., Any])
# The names of arguments that are no options of known calls: what regions capture is an operand, and
# their texts are options; calls with a generator, or with numbers as the seed, are not remembered.
_APART = ("score_mod", "mask_mod", "generator", "seed")
# For an argument that may be None, the one whose array then takes its place in the kernel.
_INSTEAD = {"cu_kv": "cu_q", "k_scale": "v_scale", "v_scale": "k_scale"}

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
        self._order: Tuple[str, ...] = ()
        self._options: Tuple[str, ...] = ()
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
            order = tuple(operands.replace("*", own).split())
            roles = {**{name: number for number, name in enumerate(order)},
                     "out": -2, "stream": -3}
            assert roles.keys() <= set(names), f"{function}: expected arguments {list(roles)}"
            # Both getters take values from the function's local variables: one the operands, the
            # other one the options.
            self.operands_in = operator.itemgetter(*order)
            self._order, self._function = order, function
            self._options = tuple([name for name in names if name not in (*roles, *_APART)])
            self.options_in = operator.itemgetter(*self._options)
            found = binding.Function(
                function, self._known, [] if replacements is None else replacements, names,
                tuple([roles.get(name, -1) for name in names]),
                len([its for its in parameters if its.kind is its.POSITIONAL_OR_KEYWORD]),
                self._further)
            return functools.update_wrapper(found, function)  # type: ignore[return-value]

        return wrap

    @property
    def order(self) -> Tuple[str, ...]:
        """The names of the arguments that are operands, in the order that `find` takes."""
        return self._order

    def remember_function(self, arrays: Tuple, options: Tuple, operands: Sequence[Any],
                          make: Callable[[Callable[[Sequence[Any]], Any]], Any]) -> None:
        """Lets `find` make the calls that are like this one of `arrays` and `options`, and some of
        whose tensors require gradients, by the function that `make` returns. The function takes the
        call's operands. `make` gets a function of a sequence of these that launches the call's
        kernel, without gradients, and returns output and lse. Does nothing if `operands`, on which
        the caller has made the call, are others than `arrays` (or that _INSTEAD names)."""
        count, at = len(self._order), self._options.index("return_lse")
        numbers = {name: number for number, name in enumerate(self._order)}
        # The number of the caller's array that each operand is.
        places = [n if n >= count or arrays[n] is its else
                  numbers.get(_INSTEAD.get(self._order[n], ""), n)
                  for n, its in enumerate(operands)]
        if len(arrays) != len(operands) or not all(
                [arrays[n] is its for n, its in zip(places, operands)]):
            return
        with_lse = (*options[:at], True, *options[at + 1:])

        def launch(operands: Sequence[Any]) -> Any:
            operands = tuple(operands)
            found = self.find(operands, with_lse, None, None)
            if found is not NotImplemented:
                return found
            score, mask = with_lse[-2:]
            of_score = count + len(types_of(score or ""))
            return self._function(
                **dict(zip(self._order, operands)), **dict(zip(self._options, with_lse)),
                score_mod=score and Score(score, operands[count:of_score]),
                mask_mod=mask and Mask(mask, operands[of_score:]))

        again = make(launch)
        self._known.remember_function(arrays, options,
                                      lambda *arrays: again(*[arrays[n] for n in places]))

    def remember(self, arrays: Tuple, options: Tuple, out: Any, kernel: Kernel,
                 operands: Sequence[Any], results: Sequence[Any], is_tuple: bool,
                 order: Sequence[str] = ()) -> None:
        """Lets `find` repeat this call. `operands` are the kernel's arguments, as described
        Operands. `order` has the names of the first of the call's arrays, by default those that
        `function` takes. An operand of such a name is the array there or, if that is None, the one
        that _INSTEAD names; an operand that is no result is the next of the other arrays. Results
        are allocated in each call unless the caller passes them as `out`. A call is not remembered
        if an argument of the kernel is a number, or an array whose description keeps an object
        alive (a copy on the call's device, or a DLPack capsule)."""
        if any([its.described[6] is not None or type(its.described[0]) is bytes
                for its in operands]):
            return  # a copy, or a number
        made = []
        for its in () if out is not None else results:
            recipe = adapter_of("out", its).recipe(its)
            if recipe is None:
                return
            made.append((*recipe, its))
        numbers = {name: number for number, name in enumerate(order or self._order)}
        of_results = {id(its): -1 - number for number, its in enumerate(results)}
        others = iter(range(len(numbers), len(arrays)))
        sources = []
        for its in operands:
            number, result = numbers.get(its.name), of_results.get(id(its.array))
            # The gradient of a captured array may have one of these names, after a variable.
            if result is not None and (number is None or arrays[number] is not its.array):
                number = result
            elif number is None:
                number = next(others)
            elif arrays[number] is None:
                number = numbers[_INSTEAD[its.name]]
            sources.append(number)
        self._known.remember(
            arrays, options, out, kernel, kernel._program, [its.described for its in operands],
            tuple(sources), tuple(made), is_tuple, tuple([its.name for its in operands]),
            tuple([number for number, its in zip(sources, operands)
                   if its.is_written and number >= 0]))
