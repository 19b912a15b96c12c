"""Arrays of masks beside their summaries."""

from typing import Any, Dict, Optional, Tuple

from . import _host_reads
from ._errors import ArgumentError
from ._region import element, find_number
from ._values import as_tuple


def _version(array: Any) -> Optional[int]:
    """torch's count of changes in place; None where nobody counts."""
    try:
        return getattr(array, "_version", None)
    except RuntimeError:  # of tensors made in inference mode
        return None


class PreparedMask:
    """The result of `prepare_mask`: `array` and its summary. Mask functions read it like the
    array."""

    def __init__(self, array: Any, summary: Any) -> None:
        self.array, self.summary = array, summary
        self._prepared = _version(array)

    def __reduce__(self) -> Any:
        # A copy of the array counts its changes from the beginning.
        self.check()
        return PreparedMask, (self.array, self.summary)

    @property
    def shape(self) -> Tuple[int, ...]:
        return tuple(self.array.shape)

    @property
    def dtype(self) -> Any:
        return self.array.dtype

    @property
    def device(self) -> Any:
        return getattr(self.array, "device", None)

    def __repr__(self) -> str:
        return f"<prepared mask of {self.dtype}, sizes {self.shape}>"

    def check(self, name: str = "prepared mask") -> None:
        """Raises ArgumentError where the array is known to have changed."""
        if _version(self.array) != self._prepared:
            raise ArgumentError(f"{name}: expected the array as it was prepared, found it "
                                "changed in place (prepare_mask looks at it again)")

    def __getitem__(self, indices: Any) -> Any:
        number = find_number(indices)
        if number is None:
            _host_reads.note()
            return self.array[indices]
        return element(number._region, self.array, as_tuple(indices), self)

    @classmethod
    def __torch_function__(cls, function: Any, types: Any, args: Tuple = (),
                           kwargs: Optional[Dict[str, Any]] = None) -> Any:
        """Calls torch's function with the array instead."""
        plain = [its.array if isinstance(its, cls) else its for its in args]
        return function(*plain, **{name: its.array if isinstance(its, cls) else its
                                   for name, its in (kwargs or {}).items()})
