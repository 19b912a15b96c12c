"""Finds what a function's code reads besides its arguments.

This is possible only if all of its instructions compute with values, choose among them or call
them. A use is a read of a variable of the module or of an enclosing function, with the attributes
that the next instructions read from its value. Other instructions (an import, a store into an
object, `with`, `try`), and reads from other values of attributes that traced numbers do not have,
might read or change anything.
"""

import dis
import types
from functools import lru_cache
from typing import FrozenSet, List, NamedTuple, Optional, Tuple

from ._region import Number

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
ATTRIBUTES: FrozenSet[str] = frozenset(
    name for name in dir(Number) if not name.startswith("_")) - {"shape"}


class Use(NamedTuple):
    """A read of a variable of the module (`is_global`) or of an enclosing function, and of
    attributes. The first attribute is read from the variable's value, each further one from the
    attribute before it."""

    is_global: bool
    name: str
    attributes: Tuple[str, ...]


@lru_cache(maxsize=1024)
def find_uses(code: types.CodeType) -> Optional[Tuple[Use, ...]]:
    """Returns the uses (see Use) of variables in a function's code, each once, or None if the code
    might also read something that is neither an argument nor such a variable."""
    uses: List[Use] = []
    if not _collect(code, frozenset(), uses):
        return None
    return tuple(dict.fromkeys(uses))


def _collect(code: types.CodeType, outer: FrozenSet[str], uses: List[Use]) -> bool:
    """Adds the uses in `code`, and in functions that it defines, to `uses`. Returns False if the
    code may read something else. `outer` are the variables of functions that enclose `code` and
    that lie within the function whose uses are collected; reads of these variables are not uses."""
    own = outer | frozenset(code.co_cellvars)
    chain: Optional[Use] = None
    for instruction in dis.get_instructions(code):
        op, name = instruction.opname, instruction.argval
        if op in ("LOAD_ATTR", "LOAD_METHOD"):
            if chain is not None:
                chain = chain._replace(attributes=(*chain.attributes, name))
                uses[-1] = chain
            elif name not in ATTRIBUTES:
                return False
            continue
        if op in ("CACHE", "EXTENDED_ARG"):
            continue
        chain = None
        if op == "LOAD_GLOBAL" or (op == "LOAD_DEREF" and name not in own):
            chain = Use(op == "LOAD_GLOBAL", name, ())
            uses.append(chain)
        elif op == "LOAD_DEREF" or (op == "STORE_DEREF" and name in own):
            pass
        elif op not in _ALLOWED and not op.startswith(_ALLOWED_PREFIXES):
            return False
    return all(_collect(constant, own, uses) for constant in code.co_consts
               if isinstance(constant, types.CodeType))
