"""Captured arrays as operands of a kernel."""

from typing import Any, List, Optional, Tuple

from ._arrays import adapter_of, expected
from ._frames import place_name
from ._library import DTYPES
from ._traced import Traced, types_of


class Operands:
    """The arrays that a call's regions capture, in the order of the kernel's operands:
    the score region's and then the mask region's."""

    __slots__ = ("arrays", "names", "types")

    def __init__(self, *regions: Optional[Traced]) -> None:
        self.arrays: Tuple[Any, ...] = ()
        self.names: Tuple[str, ...] = ()
        self.types: Tuple[str, ...] = ()
        for region in regions:
            if region:
                self.arrays += region.arrays
                self.names += region.names
                self.types += tuple(types_of(region.text))

    def describe(self, like: Any, device_type: int,
                 device: Optional[int]) -> List[Tuple]:
        """Where they lie; they must be where the array `like` is."""
        return [self._describe(name, array, like, device_type, device)
                for name, array in zip(self.names, self.arrays)]

    def _describe(self, name: str, array: Any, like: Any, device_type: int,
                  device: Optional[int]) -> Tuple:
        adapter = adapter_of(name, array)
        described = adapter.describe(name, array)
        if described[4:6] == (device_type, device):
            return described
        if tuple(described[1]) == ():
            array = adapter.move(array, like)
            # The array must live as long as the call.
            described = (*adapter.describe(name, array)[:6], array)
            if described[4:6] == (device_type, device):
                return described
        raise expected(name, f"an array on {place_name(device_type, device)}, as the "
                       "query is", f"one on {place_name(*described[4:6])}")


def signature(types: Tuple[str, ...]) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
    """Ranks and dtypes of operands of these types."""
    elements = [type_[:-1].split(",")[0].split("<")[-1].split("x") for type_ in types]
    return (tuple([len(its) - 1 for its in elements]),
            tuple([DTYPES[its[-1]] for its in elements]))
