"""Masks with their summaries, as `prepare_mask` makes them."""

from typing import Any, Dict, Optional, Tuple

from . import _host_reads
from ._errors import ArgumentError
from ._region import element, find_number
from ._values import as_tuple


def _version(array: Any) -> Optional[int]:
    """Returns how often the array was changed in place, as torch counts, or None where there is no
    count."""
    try:
        return getattr(array, "_version", None)
    except RuntimeError:  # tensors made in inference mode have no count
        return None


class PreparedMask:
    """The result of `prepare_mask`: the mask `array` and its `summary`. Mask functions read
    elements of this object as they read elements of the array."""

    def __init__(self, array: Any, summary: Any) -> None:
        self.array, self.summary = array, summary
        self._prepared = _version(array)

    def __reduce__(self) -> Any:
        # A copied or unpickled tensor counts its changes in place from 0 again, so the copy is made
        # by `__init__`, which reads that count.
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
        """Raises ArgumentError, which calls the array `name`, if the array is known to have changed
        since it was prepared."""
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
        """Calls the function of torch with the array in place of the prepared mask."""
        plain = [its.array if isinstance(its, cls) else its for its in args]
        return function(*plain, **{name: its.array if isinstance(its, cls) else its
                                   for name, its in (kwargs or {}).items()})
