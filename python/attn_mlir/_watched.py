"""Decides whether recording a function would give the same region as an earlier recording, also of
another function with the same code, such as a lambda that each call makes.

The region of a function is kept only if everything that the function reads is known: default
arguments, and variables of its module and of enclosing functions. The variables are looked up again
in each call. Their values may be:

| value | what is compared |
|---|---|
| a number | itself |
| a string, a dtype, a number of NumPy's, ... (they do not change) | its identity |
| a tuple, a list | its elements |
| a function, `functools.partial` | what it reads |
| a function that computes with its arguments alone, of a library | its identity |
| an array of NumPy's, a tensor | its dtype, sizes and strides, and whether it is one that was found before; reads of it on the host are counted (`_host_reads`) |

If a variable is a module, the attribute that the function reads from it must be such a value. A
function that reads anything else is recorded in each call. Since kernels are looked up by the text
of their regions, that costs some 30 microseconds, but no compilation.

What a function reads can be found only if all of its instructions compute with values, choose among
them or call them. Other instructions (an import, a store into an object, `with`, `try`), and reads
from other values of attributes that traced numbers do not have, might read or change anything.
"""

import builtins
import dis
import functools
import math
import sys
import types
from typing import Any, FrozenSet, List, NamedTuple, Optional, Tuple

from ._library import binding
from ._prepared import PreparedMask
from ._region import FUNCTIONS, Number
from ._signatures import ALIASES

_CONSTANTS = (str, bytes, type(None), type(Ellipsis), types.CodeType)
_PURE = frozenset((abs, all, any, bool, dict, divmod, enumerate, filter, float, int, isinstance,
                   len, list, map, max, min, pow, range, reversed, set, slice, sorted, sum,
                   tuple, zip))
_ALLOWED = frozenset((
    "RESUME NOP CACHE EXTENDED_ARG COPY_FREE_VARS MAKE_CELL POP_TOP COPY SWAP PUSH_NULL "
    "LOAD_CONST LOAD_SMALL_INT LOAD_CLOSURE DELETE_FAST PRECALL KW_NAMES MAKE_FUNCTION "
    "SET_FUNCTION_ATTRIBUTE COMPARE_OP IS_OP CONTAINS_OP TO_BOOL NOT_TAKEN LIST_APPEND "
    "LIST_EXTEND LIST_TO_TUPLE SET_ADD SET_UPDATE MAP_ADD DICT_MERGE DICT_UPDATE GET_ITER "
    "FOR_ITER END_FOR POP_ITER GEN_START YIELD_VALUE RERAISE LOAD_ASSERTION_ERROR "
    "RAISE_VARARGS").split())
_ALLOWED_PREFIXES = ("LOAD_FAST", "STORE_FAST", "BINARY_", "INPLACE_", "UNARY_", "POP_JUMP_",
                     "JUMP_", "BUILD_", "CALL", "ROT_", "DUP_", "UNPACK_", "RETURN_")
# The names of the attributes of traced numbers, which arrays have, too. A function's code may read
# these from any value, since `_host_reads` counts such reads of arrays. `shape` is left out: the
# recording itself reads shapes of tensors, so these reads are not counted.
_ATTRIBUTES: FrozenSet[str] = frozenset(
    name for name in dir(Number) if not name.startswith("_")) - {"shape"}


class _Use(NamedTuple):
    """A read of a variable of the module (`is_global`) or of an enclosing function, and of the
    attributes that the next instructions read: the first one from the variable's value, each
    further one from the attribute before it."""

    is_global: bool
    name: str
    attributes: Tuple[str, ...]


@functools.lru_cache(maxsize=1024)
def _find_uses(code: types.CodeType) -> Optional[Tuple[_Use, ...]]:
    """Returns the uses (see _Use) of variables in a function's code, each once, or None if the code
    might also read something that is neither an argument nor such a variable."""
    uses: List[_Use] = []
    if not _collect(code, frozenset(), uses):
        return None
    return tuple(dict.fromkeys(uses))


def _collect(code: types.CodeType, outer: FrozenSet[str], uses: List[_Use]) -> bool:
    """Adds the uses in `code`, and in functions that it defines, to `uses`. Returns False if the
    code may read something else. `outer` are the variables of functions that enclose `code` and
    that lie within the function whose uses are collected; reads of these variables are not uses."""
    own = outer | frozenset(code.co_cellvars)
    chain: Optional[_Use] = None
    for instruction in dis.get_instructions(code):
        op, name = instruction.opname, instruction.argval
        if op in ("LOAD_ATTR", "LOAD_METHOD"):
            if chain is not None:
                chain = chain._replace(attributes=(*chain.attributes, name))
                uses[-1] = chain
            elif name not in _ATTRIBUTES:
                return False
            continue
        if op in ("CACHE", "EXTENDED_ARG"):
            continue
        chain = None
        if op == "LOAD_GLOBAL" or (op == "LOAD_DEREF" and name not in own):
            chain = _Use(op == "LOAD_GLOBAL", name, ())
            uses.append(chain)
        elif op == "LOAD_DEREF" or (op == "STORE_DEREF" and name in own):
            pass
        elif op not in _ALLOWED and not op.startswith(_ALLOWED_PREFIXES):
            return False
    return all(_collect(constant, own, uses) for constant in code.co_consts
               if isinstance(constant, types.CodeType))


@functools.lru_cache(maxsize=None)
def _rules(numpy: Any, torch: Any) -> Tuple[Any, ...]:
    """Returns what the binding's function `watch` has to know, in the order of the struct Rules of
    lib/Python/Watch.cpp. `numpy` or `torch` is None if the library is not loaded."""
    functions = [*_PURE, *[getattr(math, name) for name in dir(math)]]
    constants: Tuple[type, ...] = ()
    for library in (numpy, torch, getattr(getattr(torch, "nn", None), "functional", None)):
        functions += [getattr(library, name, None) for name in (*FUNCTIONS, *ALIASES)]
    if numpy is not None:
        constants += numpy.number, numpy.bool_, numpy.dtype, numpy.ufunc
        functions += [numpy.bool_, *map(numpy.dtype, "bhilfd")]
        functions += [getattr(numpy, f"{kind}{bits}") for kind in ("int", "float")
                      for bits in (16, 32, 64)]
    if torch is not None:
        constants += torch.dtype, torch.device
    return (types.FunctionType, functools.partial, types.ModuleType, PreparedMask,
            getattr(numpy, "ndarray", None), getattr(torch, "Tensor", None), _CONSTANTS, constants,
            frozenset(id(its) for its in functions if its is not None), _find_uses, _ATTRIBUTES,
            __name__.partition(".")[0], builtins)


def watch(function: Any) -> Optional[Tuple[Tuple[Any, ...], List[Any], List[Any]]]:
    """Returns a signature of what a function reads, and two lists: the values that were found,
    each once, and those whose identities are in the signature, which must live as long as it is
    compared with others. Returns None if what the function reads cannot be found.

    Two functions, which may be one, have equal signatures only if their recordings are equal,
    except that the values, such as arrays, may be others. These are at equal places in the
    lists."""
    return binding.watch(function, _rules(sys.modules.get("numpy"), sys.modules.get("torch")))
