"""The methods of traced numbers that convert them, or make others, as those of torch's tensors."""

import sys
from typing import Any

from ._conversions import convert, round_to
from ._row import Changeable
from ._values import is_narrow_integer, kind_of_dtype, narrow_float_of


class Convertible(Changeable):
    """A base of traced numbers. As in torch, a conversion to a number's own dtype returns that
    number, which may be changed in place under both names, and others return copies."""

    __slots__ = ()
    _region: Any
    _type: str
    _wraps: str

    @property
    def dtype(self) -> Any:
        """The number's dtype, as torch's if torch is loaded, else the name of its MLIR type."""
        torch = sys.modules.get("torch")
        if torch is None:
            return self._type
        dtypes = {"f32": torch.float32, "i1": torch.bool, "i64": torch.int64, "i8": torch.int8,
                  "i16": torch.int16, "f16": torch.float16, "bf16": torch.bfloat16}
        return dtypes.get(self._wraps or self._type, torch.int32)

    def dim(self) -> int:
        return 0

    ndim = 0

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the number, converted to the kind of the dtype if one is among the arguments."""
        for value in (*args, *kwargs.values()):
            kind = kind_of_dtype(value)
            if is_narrow_integer(value) and self._type != "i1":
                raise self._region.error(f"expected int32, int64, bool or floats, found {value}")
            if kind:
                narrow = narrow_float_of(value)
                found = round_to(self, narrow) if narrow else convert(self, kind)
                is_same = value == self.dtype and not kwargs.get("copy")
                return found if is_same else found.clone()
        return self.clone() if kwargs.get("copy") else self

    def type(self, dtype: Any) -> Any:
        if not kind_of_dtype(dtype):
            raise self._region.error(f"expected a dtype, found {dtype!r}")
        return self.to(dtype)

    def type_as(self, other: Any) -> Any:
        return self.to(other.dtype)

    def float(self) -> Any:
        return convert(self, "float")

    def double(self) -> Any:
        return convert(self, "float").clone()

    def half(self) -> Any:
        return round_to(self, "f16")

    def bfloat16(self) -> Any:
        return round_to(self, "bf16")

    def int(self) -> Any:
        found = convert(self, "int")
        return found.clone() if self._type == "i64" else found

    def long(self) -> Any:
        found = convert(self, "int")
        return found if self._type == "i64" else found.clone()

    def bool(self) -> Any:
        return convert(self, "bool")

    def new_full(self, size: Any = (), fill_value: Any = 0, *, dtype: Any = None,
                 **_: Any) -> Any:
        if tuple(size) != ():
            raise self._region.error(f"expected numbers alone, found sizes {size}")
        kind = kind_of_dtype(dtype)
        own = {"f32": float, "i1": bool}.get(self._type, int)
        fill_value = {"float": float, "int": int, "bool": bool}.get(kind, own)(fill_value)
        return self._region.constant(fill_value, "" if kind else self._type)

    def new_ones(self, size: Any = (), **options: Any) -> Any:
        return self.new_full(size, 1, **options)

    def new_zeros(self, size: Any = (), **options: Any) -> Any:
        return self.new_full(size, 0, **options)
