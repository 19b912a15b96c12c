"""Records score and mask functions in Python as regions of the attention op."""

import contextlib
import re
import sys
from typing import Any, Callable, Dict, List, Sequence, Tuple, Type, TypeVar

from ._adapter import is_traced_by_jax
from ._arrays import adapter_of, expected, is_array
from ._closures import replace
from ._errors import Error
from ._host_reads import watch_numpy
from ._prepared import PreparedMask
from ._region import Number, Region, find_number
from ._row import Changeable


class Traced(str):
    """The text of a region, with the arrays that it captures and their names in errors. Regions for
    which kernels are the same have equal texts."""

    # The region's text as a plain string, which torch.compile treats as a constant.
    text: str
    arrays: Tuple[Any, ...]
    names: Tuple[str, ...]
    # The prepared masks that the function reads; their arrays are among `arrays`.
    prepared: Tuple[PreparedMask, ...]

    def __new__(cls, text: str, arrays: Sequence[Any] = (), names: Sequence[str] = (),
                prepared: Sequence[PreparedMask] = ()) -> "Traced":
        return super().__new__(cls, text)

    def __init__(self, text: str, arrays: Sequence[Any] = (), names: Sequence[str] = (),
                 prepared: Sequence[PreparedMask] = ()) -> None:
        self.text, self.arrays, self.prepared = str(text), tuple(arrays), tuple(prepared)
        self.names = tuple(names) or ("captured array",) * len(self.arrays)


_Kind = TypeVar("_Kind", bound=Traced)
_HEADERS = {"score_mod": "%s: f32, %b: index, %h: index, %i: index, %j: index",
            "mask_mod": "%b: index, %h: index, %i: index, %j: index"}
# Matches one captured array, with its type, among the arguments in a region's header. Captured
# arrays follow the arguments of _HEADERS.
_CAPTURE = re.compile(r", %c\d+: (memref<.*?>)(?=, %|\):)")


def types_of(text: str) -> List[str]:
    """Returns the types of the arrays that a region captures, in the order of its arguments."""
    return _CAPTURE.findall(text.partition("\n")[0])


def with_captures(text: str, before: Sequence[str], behind: Sequence[str]) -> str:
    """Returns the region's text with further arguments for the arrays that the other region
    captures: `before` and `behind` are the types of those before and after its own captured
    arrays."""
    if not text:
        return ""
    header, line, body = text.partition("\n")
    own = [match.group(0) for match in _CAPTURE.finditer(header)]
    begin = _CAPTURE.sub("", header).removesuffix("):")
    arguments = ([f", %x{i}: {type_}" for i, type_ in enumerate(before)] + own
                 + [f", %y{i}: {type_}" for i, type_ in enumerate(behind)])
    return begin + "".join(arguments) + "):" + line + body


def _tensor_reads() -> Any:
    """Returns a context in which tensors may be read at traced indices."""
    if "torch" not in sys.modules:
        return contextlib.nullcontext()
    from ._tensor_reads import WatchedTensorReads

    return WatchedTensorReads()


Record = Callable[[Region, Callable[..., Any]], Number]


def region_text(argument: str, types: Sequence[str], lines: Sequence[str], result: str) -> str:
    """Returns the text of a region: `types` are the types of the arrays that it captures, `lines`
    its ops, and `result` is the value that it yields, with its type."""
    arguments = _HEADERS[argument] + "".join(
        [f", %c{i}: {type_}" for i, type_ in enumerate(types)])
    return "\n".join([f"    ^bb0({arguments}):", *lines, f"      attn.yield {result}"])


def record_region(region: Region, function: Callable[..., Any], record: Record) -> str:
    """Has `record` call the function with traced numbers of `region`, and returns the region's
    text, which yields the number that `record` returns. torch.compile traces this code, too."""
    result = record(region, function)
    return region_text(region.argument, region.types, region.lines,
                       f"{result._name} : {result._type}")


def trace_region(kind: Type[_Kind], function: Callable[..., Any], argument: str,
                 integer: str, record: Record) -> _Kind:
    """Records a function as a region, and returns it as an object of the class `kind`. `argument`
    is the function's name in errors, and `integer` the MLIR type of integers in the region."""
    if not callable(function):
        raise expected(argument, "a function, or what attn_mlir.score.trace and "
                       "attn_mlir.mask.trace return", type(function).__qualname__)
    names: Dict[int, str] = {}
    # The captured arrays of libraries other than NumPy and torch, by the variables' names.
    others: Dict[str, Any] = {}

    def watch(name: str, value: Any) -> Any:
        """Returns a NumPy array as one that may be read at traced indices, and other values as they
        are."""
        if is_traced_by_jax(value):
            names.setdefault(id(value), name)
            others[name] = value
        elif isinstance(value, PreparedMask):
            names.setdefault(id(value.array), name)
            names.setdefault(id(value.summary), f"{name}.summary")
        elif is_array(value):
            names.setdefault(id(value), name)
            if adapter_of(name, value).library is None:
                others[name] = value
            numpy = sys.modules.get("numpy")
            if numpy is not None and type(value) is numpy.ndarray:
                return watch_numpy(numpy, value)
        return value

    with contextlib.suppress(ValueError):  # an empty cell
        function = replace(function, watch)
    region = Region(argument, integer, names)
    try:
        with _tensor_reads():
            text = record_region(region, function, record)
    except (IndexError, TypeError) as error:
        for name, value in others.items():
            adapter_of(region.name_of(value), value)  # raises if JAX traces the array
        hint = [f" (attn_mlir.score.read({name}, *indices) reads arrays of other libraries)"
                for name in others]
        raise Error(f"{argument}: {error}{''.join(hint[:1])}") from error
    except AttributeError as error:
        if not isinstance(error.obj, Changeable):
            raise
        what = ("a function of attn_mlir.score" if isinstance(error.obj, Number) else
                "an index for each dimension of a captured array before its methods")
        raise region.error(f"expected {what}, found {error.name}") from error
    except KeyError as error:
        if find_number(error.args) is None:
            raise
        raise region.error("expected no traced number as a key; make an array of a captured "
                           "dictionary (numpy.array, torch.tensor)") from error
    return kind(text, region.arrays, [region.name_of(array) for array in region.arrays],
                region.prepared)
