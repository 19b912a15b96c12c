"""Operands of a kernel besides query, key and value: captured arrays, a sink, and the seed and the
offset of dropout."""

import struct
from typing import Any, List, Optional, Sequence, Tuple

from ._arrays import adapter_of, expected
from ._dropout import check_probability, check_seed
from ._frames import place_name
from ._library import CPU, DTYPE_NAMES, DTYPES
from ._module import DTYPES as FLOATS
from ._module import Features
from ._rope import describe_rope, is_rope
from ._scales import Scale, describe_scale
from ._traced import Traced

I64 = DTYPES["i64"]


class Operands:
    """The operands of one call, in the order of the kernel's: what the score region
    captures, what the mask region does, the sink, the seed, the offset and scales."""

    __slots__ = ("arrays", "names", "sink", "dropout_p", "seed", "scales")

    def __init__(self, *regions: Optional[Traced], sink: Any = None,
                 dropout_p: float = 0.0, seed: Any = None,
                 scales: Sequence[Scale] = ()) -> None:
        self.arrays: Tuple[Any, ...] = ()
        self.names: Tuple[str, ...] = ()
        for region in regions:
            if region:
                self.arrays += region.arrays
                self.names += region.names
        self.sink = sink
        self.dropout_p = check_probability(dropout_p)
        self.seed = check_seed(seed) if self.dropout_p else None
        self.scales = scales

    def all_names(self) -> List[str]:
        """The names of what `describe` describes."""
        seeds = [] if self.seed is None else ["seed", "seed"]
        sinks = [] if self.sink is None else ["sink"]
        return [*self.names, *sinks, *seeds, *[its.declared.name for its in self.scales]]

    def describe(self, like: Any, device_type: int, device: Optional[int],
                 sizes: Sequence[Sequence[int]] = ()) -> Tuple[List[Tuple], Features]:
        """Descriptions of the operands, which must be on the device of the array `like`, and the
        features of a kernel for them. `sizes` are those of query, key and value, if there are
        scales."""
        found, features = self._describe_others(like, device_type, device)
        scales: List[Tuple[str, str, int]] = []
        for scale in self.scales:
            name, clause, _, _ = scale.declared
            its = self._describe(name, scale.array, like, device_type, device)
            if is_rope(scale):
                code = adapter_of("q", like).describe("q", like)[3]
                its, type_ = describe_rope(scale, its, code, sizes)
            else:
                its, type_ = describe_scale(scale, its, sizes)
            found.append(its)
            scales.append((clause, type_, scale.block))
        return found, features._replace(scales=tuple(scales)) if scales else features

    def _describe_others(self, like: Any, device_type: int,
                         device: Optional[int]) -> Tuple[List[Tuple], Features]:
        found = [self._describe(name, array, like, device_type, device)
                 for name, array in zip(self.names, self.arrays)]
        sink = ""
        if self.sink is not None:
            its = self._describe("sink", self.sink, like, device_type, device)
            sink = DTYPE_NAMES[its[3]]
            if len(its[1]) != 1:
                raise expected("sink", "rank 1: (Hq,)", f"sizes {tuple(its[1])}")
            if sink not in FLOATS:
                raise expected("sink", "dtype " + ", ".join(FLOATS), sink)
            found.append(its)
        if self.seed is None:
            return found, Features(sink)
        if isinstance(self.seed, tuple):
            found += [(struct.pack("q", its), (), (), I64, CPU, 0, None)
                      for its in self.seed]
            return found, Features(sink, self.dropout_p, "i64")
        # Passes addresses of the seed and of the offset, not their values: the kernel reads them
        # from memory when it runs, so that replays of a CUDA graph may use other seeds.
        data, _, strides, dtype, *rest = self._describe("seed", self.seed, like,
                                                        device_type, device)
        if dtype != I64:
            raise expected("seed", "dtype int64", DTYPE_NAMES[dtype])
        found += [(data + 8 * strides[0] * n, (), (), I64, *rest) for n in range(2)]
        return found, Features(sink, self.dropout_p, "memref<i64>")

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


def find_captured(*regions: Any) -> Tuple[Any, ...]:
    """The arrays that traced functions capture."""
    return tuple([array for its in regions if its is not None for array in its.arrays])


def sources_of(arrays: Tuple, first: int, given: Sequence[Any],
               captures: Sequence[Any]) -> List[int]:
    """The positions, among the arrays of a call, of a kernel's operands after query, key and
    value: first the captured arrays, which are the last arrays, then those of `given` that are
    not None (a sink and scales), which begin at position `first`."""
    return [*range(len(arrays) - len(captures), len(arrays)),
            *[first + number for number, its in enumerate(given) if its is not None]]
