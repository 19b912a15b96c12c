"""Records score and mask functions: traced numbers, whose values are known only when a kernel runs,
and the ops of a region that compute them.

Integers are i32 in a score region. In a mask region, numbers that are computed from indices have
the type index; the compiler derives from such numbers the blocks in which a mask keeps no pair or
all pairs. Elements of captured arrays keep their type until an op has operands of different types.
"""

from typing import Any, Callable, Dict, List, Optional, Tuple, Union

from ._arrays import array_type, expected, is_array
from ._conversions import (common_float, convert, round_to, to_f32, to_index, to_integer,
                           wrap)
from ._convertible import Convertible
from ._errors import Error
from ._row import PART, Row, complete, map_rows
from ._signatures import ALIASES, bind
from ._values import as_tuple, f32_text, is_tensor, plain, type_of_constant

# The types of a region's values in ascending order of width. An op on values of two types converts
# both to the wider type.
_WIDTHS = {"i1": 0, "i32": 1, "index": 2, "i64": 3, "f32": 4}
# For each dtype of captured arrays: the MLIR op that converts an element after it is read, with the
# type of the result, or None if elements are not converted.
_ELEMENTS = {"f32": None, "i1": None, "i32": None, "i64": None,
             "f16": ("arith.extf", "f32"), "bf16": ("arith.extf", "f32"),
             "i8": ("arith.extsi", "i32"), "i16": ("arith.extsi", "i32")}


class Region:
    """The ops of a region that are recorded so far, and the arrays that it captures. Equal ops are
    recorded once. `argument` is the name of the recorded function in errors, and `names` has the
    names of arrays in errors, by the arrays' id. `fix` returns a constant for a Python number that
    torch.compile represents by a symbol."""

    # Whether sums and the like of integers of 8 and 16 bits wrap around by `Number._wraps`. JAX's
    # functions do not use it, since a jaxpr says the dtype of each result.
    wraps = True

    def __init__(self, argument: str, integer: str,
                 names: Optional[Dict[int, str]] = None,
                 fix: Optional[Callable[[Any], Any]] = None) -> None:
        self.argument, self.integer, self.names = argument, integer, names or {}
        self.fix = fix
        self.lines: List[str] = []
        self.known: Dict[str, "Number"] = {}
        self.arrays: List[Any] = []
        self.elements: List[str] = []
        self.types: List[str] = []
        # The masks made by prepare_mask() that the function reads; `arrays` has their arrays, too.
        self.prepared: List[Any] = []

    def error(self, text: str) -> Error:
        return Error(f"{self.argument}: {text}")

    def append(self, op: str, type_: str, is_natural: bool = False) -> "Number":
        if op not in self.known:
            number = Number(self, f"%{len(self.lines)}", type_, is_natural)
            self.lines.append(f"      {number._name} = {op}")
            self.known[op] = number
        # A copy, since a function may change its number in place.
        return self.known[op].clone()

    def constant(self, value: Union[bool, int, float], type_: str = "") -> "Number":
        """Records a constant of type `type_` if that type can represent the value, and otherwise of
        the smallest type for the value."""
        if isinstance(value, bool):
            if type_ in ("", "i1"):
                return self.append(f"arith.constant {str(value).lower()}", "i1")
            value = int(value)
        if isinstance(value, int) and type_ != "f32":
            type_ = self.integer if type_ in ("", "i1") else type_
            bits = 31 if type_ == "i32" else 63
            if not -2**bits <= value < 2**bits:
                type_ = "i64"
            if -2**63 <= value < 2**63:
                return self.append(f"arith.constant {value} : {type_}", type_,
                                   is_natural=value >= 0)
        return self.append(f"arith.constant {f32_text(value)} : f32", "f32")

    def plain(self, value: Any) -> Any:
        """Returns a captured scalar as a Python number, and other values as they are. Tensors also
        stay as they are: the kernel reads them when it runs, since their elements may change."""
        if self.fix is not None and isinstance(value, (int, float)):
            return self.fix(value)
        return plain(value)

    def name_of(self, array: Any) -> str:
        """Returns the description of a captured array for messages, with the array's name if it is
        known."""
        name = self.names.get(id(array)) if self.names else None
        return f"{self.argument}: captured array" + (f" '{name}'" if name else "")

    def capture(self, array: Any, last: str = "?") -> str:
        """Adds an array to those that the region captures, unless it is one already, and returns
        its name in the region. In the array's type, the last dimension has size `last`."""
        for number, known in enumerate(self.arrays):
            if known is array:
                return f"%c{number}"
        name = self.name_of(array)
        dtype, type_ = array_type(name, array, last)
        if dtype not in _ELEMENTS:
            raise expected(name, f"dtype {', '.join(_ELEMENTS)}", dtype)
        self.arrays.append(array)
        self.elements.append(dtype)
        self.types.append(type_)
        return f"%c{len(self.arrays) - 1}"

    def index(self, name: str, value: Any) -> str:
        """Records an index of the array called `name`, and returns the name of the value in the
        region."""
        value = self.plain(value)
        if isinstance(value, int) and not isinstance(value, bool):
            if value < 0:
                raise expected(name, "indices of at least 0", value)
            return self.append(f"arith.constant {value} : index", "index")._name
        if not isinstance(value, (Number, Row)) and not is_tensor(value):
            raise expected(name, "an integer or a traced number for each dimension as its "
                           "index", type(value).__qualname__)
        number = number_of(self, value)
        if number._type == "f32":
            raise expected(name, "integers as indices", "f32")
        return to_index(number)._name

    def read(self, array: Any, indices: Tuple[Any, ...], prepared: Any = None) -> "Number":
        """Records a read of the array's element at `indices`. `prepared` is the prepared mask to
        which the array belongs, or None."""
        name = self.name_of(array)
        rank = len(array.shape)
        if len(indices) != rank:
            raise expected(name, f"{rank} indices, as the array has dimensions",
                           len(indices))
        captured = self.capture(array)
        names = [self.index(name, value) for value in indices]
        element, type_ = (its_[int(captured[2:])] for its_ in (self.elements, self.types))
        bounds = "" if prepared is None else self._bounds(prepared, names)
        number = self.append(f"attn.read {captured}[{', '.join(names)}]{bounds} : {type_}",
                             element)
        conversion = _ELEMENTS[element]
        if conversion is None:
            return number
        op, wide = conversion
        number = self.append(f"{op} {number._name} : {element} to {wide}", wide)
        if wide == "f32" or not self.wraps:
            return number
        return Number(self, number._name, wide, wraps=element)

    def _bounds(self, prepared: Any, indices: List[str]) -> str:
        """Returns the `bounds` clause, with the mask's summary, for the read of a prepared mask.
        Returns "" if the summary cannot decide blocks: in a score function, or if the last indices
        are not q and kv."""
        if not any([its is prepared for its in self.prepared]):
            self.prepared.append(prepared)
        if self.argument != "mask_mod" or indices[-2:] != ["%i", "%j"]:
            return ""
        summary = self.capture(prepared.summary, last="2")
        return f" bounds({summary} : {self.types[int(summary[2:])]})"


class Number(Convertible):
    """A traced number: a value of the region, which is known only when the kernel runs."""
    __slots__ = ("_region", "_name", "_type", "_is_natural", "_absolute_of", "_wraps")
    # `__array_priority__` makes operators between a scalar of NumPy and a traced number those of
    # this class instead of NumPy's.
    __array_priority__ = 1000
    shape = ()
    device = None

    def __init__(self, region: Region, name: str, type_: str, is_natural: bool = False,
                 wraps: str = "") -> None:
        self._region, self._name, self._type = region, name, type_
        # Whether the number is known to be an integer of at least 0.
        self._is_natural = is_natural
        # The integer whose absolute value this number is, or None.
        self._absolute_of: Optional[Number] = None
        # "i8", "i16", "f16" or "bf16" for a number of that dtype, which the region holds in a wider
        # type: results of arithmetic on such numbers wrap around, or are rounded, as the dtype's
        # are. "" for other numbers.
        self._wraps = wraps

    def __repr__(self) -> str:
        return f"<{self._name} : {self._type}>"

    def _become(self, other: "Number") -> "Number":
        """Takes the value of another number, as in torch a tensor that is changed in place."""
        for name in Number.__slots__:
            setattr(self, name, getattr(other, name))
        return self

    def clone(self, **_: Any) -> "Number":
        return Number(self._region, "", "")._become(self)

    def part(self) -> "Number":
        """Returns a copy that is the element of a row, which a change in place would change."""
        return _Part(self._region, "", "")._become(self)

    def _change(self, result: Any) -> "Number":
        """Takes the value of the result of a function of this number, with this number's dtype. As
        in torch, a condition cannot become an integer, nor either a float."""
        result = number_of(self._region, result)
        own, its = [("bool" if type_ == "i1" else "float" if type_ == "f32" else "int")
                    for type_ in (self._type, result._type)]
        order = ("bool", "int", "float")
        if order.index(its) > order.index(own):
            raise self._region.error(f"expected a result of {own} for a traced {own} that is "
                                     f"changed in place, found one of {its}")
        wraps = self._wraps
        if own == "float" and wraps:
            return self._become(round_to(to_f32(result), wraps))
        self._become(convert(result, own) if its != own else result)
        return self._become(wrap(self, wraps, needs_ops=result._wraps != wraps)) if wraps else self

    def copy_(self, other: Any) -> "Number":
        return self._change(convert(number_of(self._region, other), {
            "i1": "bool", "f32": "float"}.get(self._type, "int")))

    fill_ = copy_

    def __bool__(self) -> bool:
        raise self._region.error(
            "expected no branch on a traced number; write (x) & (y) for `x and y`, "
            "(x) | (y) for `x or y`, ~(x) for `not x`, (0 <= x) & (x < 5) for the chain "
            "`0 <= x < 5`, and attn_mlir.score.where, minimum and maximum for `if`, min and "
            "max")

    def _no_value(self, *_: Any) -> Any:
        raise self._region.error(
            "expected no use of a traced number's value, as an index of what is no "
            "captured array or by Python's math; make an array of a captured list or tuple "
            "(numpy.array, torch.tensor), compute with the functions of attn_mlir.score, and "
            "read arrays that objects have by attn_mlir.score.read(array, *indices)")

    __float__ = __int__ = __index__ = __complex__ = __iter__ = __len__ = _no_value
    item = tolist = numpy = _no_value
    __hash__ = object.__hash__

    def where(self, condition: Any, other: Any) -> "Number":
        """Returns the number where the condition holds, else `other`."""
        return call("where", (condition, self, other), {})

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Tuple = (),
                           kwargs: Any = None) -> Any:
        if function.__name__ == "getitem":
            # `getitem` is the function of Python's module operator. torch.export calls it where it
            # traces that a model's parameter is indexed with traced numbers.
            return element(region_of(args[1]), args[0], as_tuple(args[1]))
        return call(function.__name__, args, kwargs or {})

    def __array_ufunc__(self, function: Any, method: str, *args: Any,
                        **kwargs: Any) -> Any:
        if method != "__call__":
            return NotImplemented
        return call(function.__name__, args, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Tuple,
                           kwargs: Any) -> Any:
        return call(function.__name__, args, kwargs)


class _Part(Number):
    __slots__ = ()

    def _change(self, result: Any) -> Number:
        raise self._region.error(PART)


# FUNCTIONS are the functions that accept traced numbers, by their name in torch or NumPy.
# attn_mlir.score fills them.
FUNCTIONS: Dict[str, Callable[..., Any]] = {}


def call(name: str, args: Tuple, kwargs: Dict[str, Any]) -> Any:
    """Calls the function that torch, or NumPy, has by this name, with the library's arguments."""
    base = name[:-1] if name.endswith("_") and not name.endswith("__") else name
    own = ALIASES.get(base, base)
    if own not in FUNCTIONS:
        raise region_of(*args, *kwargs.values()).error(
            f"expected a function of attn_mlir.score, found {name}")
    found = bind(own, args, kwargs)
    if isinstance(found, str):
        raise region_of(*args, *kwargs.values()).error(f"{name}: {found}")
    values, options, in_place = found
    if in_place or base != name:
        return change(lambda *its: FUNCTIONS[own](*its, **options), *values)
    return apply(FUNCTIONS[own], *values, **options)


def apply(function: Callable[..., Any], *values: Any, **options: Any) -> Any:
    """Returns the function's result, which is none of the values, since each may be changed in
    place. Of rows of captured arrays, the result is a row, unless the function takes rows."""
    if function is not FUNCTIONS["dot"] and any([isinstance(its, Row) for its in values]):
        return map_rows(lambda *its: apply(function, *its, **options), values)
    result = function(*values, **options)
    narrow = common_float(*values)
    if narrow and isinstance(result, Number) and result._type == "f32" and "dtype" not in options:
        result = round_to(result, narrow)
    return result.clone() if any(
        [isinstance(its, Number) and its is result for its in values]) else result


def change(function: Callable[..., Any], value: Any, *others: Any) -> Any:
    """Gives a traced number, or a row, the value of a function of it and others, and returns it."""
    if isinstance(value, Row):
        return value.become(map_rows(lambda number, *its: change(function, number.clone(), *its),
                                     (value, *others)))
    if not isinstance(value, Number):
        raise Error("score_mod: expected a traced number as what is changed in place, found "
                    f"{type(value).__qualname__}")
    return value._change(apply(function, value, *others))


def find_number(values: Any) -> Optional[Number]:
    """Returns the first traced number among the values, which is also looked for within lists and
    tuples, or None."""
    if isinstance(values, Number):
        return values
    if isinstance(values, (tuple, list)):
        for value in values:
            found = find_number(value)
            if found is not None:
                return found
    return None


def region_of(*values: Any) -> Region:
    number = find_number(values)
    if number is None:
        for value in values:
            if isinstance(value, Row):
                return value.region
        raise Error("score_mod: expected a traced number, found "
                    + ", ".join(type(value).__name__ for value in values))
    return number._region


def element(region: Region, array: Any, indices: Tuple[Any, ...],
            prepared: Any = None) -> Any:
    """Records a read of the array's element at `indices` and returns it. If there are fewer indices
    than the array has dimensions, returns a Row."""
    indices = complete(region.name_of(array), len(array.shape), indices)
    row = Row(region, region.name_of(array), tuple(array.shape),
              lambda at: region.read(array, at, prepared))
    return row[indices]


def number_of(region: Region, value: Any, type_: str = "") -> Number:
    """Returns the value as a traced number of this region. Constants are recorded, with `type_` if
    that can represent the constant; captured tensors of one element are read."""
    if isinstance(value, Number):
        if value._region is not region:
            raise region.error("expected numbers of one call, found one of another")
        return value
    if isinstance(value, Row):
        return value.read(())
    if is_tensor(value) and value.numel() == 1:
        return region.read(value, (0,) * value.dim())
    value = region.plain(value)
    if isinstance(value, (bool, int, float)):
        return region.constant(value, type_)
    if is_array(value):
        raise region.error("expected captured scalars, or elements of arrays by their "
                           f"indices, found an array of shape {tuple(value.shape)}")
    raise region.error("expected a number, found "
                       f"{type(value).__module__}.{type(value).__qualname__}")


def operands_of(*values: Any, least: str = "i32") -> Tuple[Number, ...]:
    """Converts all values to one type and returns them as traced numbers. The type is the widest of
    the values' types and the type `least`, where a constant counts with the smallest type that
    represents it. Booleans become integers unless `least` is i1."""
    region = region_of(*values)
    numbers = [value if isinstance(value, (bool, int, float))
               else number_of(region, value) for value in map(region.plain, values)]
    widest = least
    for number in numbers:
        its = number._type if isinstance(number, Number) else type_of_constant(number)
        if its == "i1" and least != "i1":
            its = region.integer
        widest = max(widest, its, key=_WIDTHS.__getitem__)
    return tuple([_widen(number_of(region, number, widest), widest)
                  for number in numbers])


def read_all(*values: Any) -> Tuple[Any, ...]:
    """Returns the values, with captured scalars and elements of arrays as traced numbers."""
    region = region_of(*values)
    return tuple([number_of(region, its) if isinstance(its, Row) or is_tensor(its) else its
                  for its in values])


def emit(op: str, *operands: Number, flags: str = "") -> Number:
    """Records an op on numbers of one type, whose result has that type."""
    names = ", ".join(number._name for number in operands)
    type_ = operands[0]._type
    return operands[0]._region.append(f"{op} {names}{flags} : {type_}", type_)


def _widen(number: Number, type_: str) -> Number:
    if number._type == type_:
        return number
    return to_f32(number) if type_ == "f32" else to_integer(number, type_)
