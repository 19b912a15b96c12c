"""Describes the operands of a kernel besides query, key and value: captured arrays, a sink, the
seed and the offset of dropout, and scales."""

import struct
from typing import Any, List, NamedTuple, Sequence, Tuple

from ._adapter import Described
from ._arrays import adapter_of, expected
from ._dropout import check_seed
from ._inbounds import within_bounds
from ._library import CPU, DTYPE_NAMES, DTYPES
from ._module import DTYPES as FLOATS
from ._module import Features
from ._rope import describe_rope, is_rope
from ._rows import Device, Operand, describe_on
from ._scales import Scale, describe_scale
from ._tracing import MaskMod, ScoreMod, as_mask, as_score

I64 = DTYPES["i64"]


class Call(NamedTuple):
    """The score and mask regions of a call, as text, and its kernel's operands besides query, key,
    value and the arrays that describe sequences."""

    score: str
    mask: str
    features: Features
    operands: List[Operand]
    described: List[Described]


def find_call(like: Any, place: Device, score_mod: ScoreMod,
              mask_mod: MaskMod, sink: Any = None, scales: Sequence[Scale] = (),
              sizes: Sequence[Sequence[int]] = (), dropout_p: float = 0.0, seed: Any = None,
              problem: Sequence[int] = ()) -> Call:
    """Records a call's score and mask functions as regions. Describes the kernel's operands besides
    query, key, value and sequences: the arrays that both functions capture, the sink, the seed and
    the offset of dropout, and scales. All must be on the device `place`, which is that of the array
    `like`; only arrays without dimensions are copied to that device. `sizes` are those of query,
    key and value, and are needed only for scales. If `problem` gives the numbers of batch entries,
    heads, rows and keys, reads of captured arrays that are large enough for these are marked as in
    bounds."""
    regions = as_score(score_mod), as_mask(mask_mod)
    where = like, place, "the query"
    found = [(name, describe_on(name, array, *where)) for its in regions if its
             for name, array in zip(its.names, its.arrays)]
    features = Features()
    if sink is not None:
        its = describe_on("sink", sink, *where)
        features = Features(DTYPE_NAMES[its[3]])
        if len(its[1]) != 1:
            raise expected("sink", "rank 1: (Hq,)", f"sizes {tuple(its[1])}")
        if features.sink not in FLOATS:
            raise expected("sink", "dtype " + ", ".join(FLOATS), features.sink)
        found.append(("sink", its))
    if dropout_p:
        seeds, type_ = _describe_seed(check_seed(seed), like, place)
        found += [("seed", its) for its in seeds]
        features = features._replace(dropout_p=dropout_p, seed=type_)
    of_scales: List[Tuple[str, str, int]] = []
    for scale in scales:
        name = scale.declared.name
        its = describe_on(name, scale.array, *where)
        if is_rope(scale):
            code = adapter_of("q", like).describe("q", like)[3]
            its, type_ = describe_rope(scale, its, code, sizes)
        else:
            its, type_ = describe_scale(scale, its, sizes)
        found.append((name, its))
        of_scales.append((scale.declared.clause, type_, scale.block))
    # The texts of regions are used as keys of caches, so they must not refer to the captured
    # arrays, which would then stay alive.
    score, mask = ["" if not its else within_bounds(its, problem) if problem else its.text
                   for its in regions]
    return Call(score, mask, features._replace(scales=tuple(of_scales)),
                [Operand(name, None, ()) for name, _ in found], [its for _, its in found])


def _describe_seed(seed: Any, like: Any, place: Device) -> Tuple[List[Described], str]:
    """Returns descriptions of the seed and of the offset, and the MLIR type that each of them has
    in the kernel: i64 if `seed` is a pair of numbers, a memref if it is an array of both."""
    if isinstance(seed, tuple):
        return [(struct.pack("q", its), (), (), I64, CPU, 0, None) for its in seed], "i64"
    # If the seed is an array, the kernel gets the addresses of the seed and of the offset, not
    # their values, and reads both from memory when it runs. So replays of a CUDA graph may use
    # other seeds.
    data, _, strides, dtype, *rest = describe_on("seed", seed, like, place, "the query")
    if dtype != I64:
        raise expected("seed", "dtype int64", DTYPE_NAMES[dtype])
    return [(data + 8 * strides[0] * n, (), (), I64, *rest)  # type: ignore[operator, misc]
            for n in range(2)], "memref<i64>"


def find_captured(*regions: Any) -> Tuple[Any, ...]:
    """Returns the arrays that the traced functions `regions` capture, one function's after the
    other's."""
    return tuple([array for its in regions if its is not None for array in its.arrays])


def sources_of(arrays: Tuple, first: int, given: Sequence[Any],
               captures: Sequence[Any]) -> List[int]:
    """Returns the positions, among the arrays of a call, of a kernel's operands after query, key
    and value. First come the captured arrays, which are the last arrays of the call. They are
    followed by those of `given` (a sink and scales) that are not None; `given[0]` is at position
    `first`."""
    return [*range(len(arrays) - len(captures), len(arrays)),
            *[first + number for number, its in enumerate(given) if its is not None]]
