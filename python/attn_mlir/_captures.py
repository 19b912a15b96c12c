"""Describes the operands of a kernel besides query, key and value: captured arrays, a sink, the
seed and the offset of dropout, and scales."""

import struct
from typing import Any, List, NamedTuple, Sequence, Tuple

from ._arrays import expected
from ._dropout import check_seed
from ._inbounds import within_bounds
from ._library import CPU
from ._library import DTYPES as CODES
from ._module import DTYPES, Features
from ._rope import describe_rope
from ._rows import Operand, describe, describe_on
from ._scales import Scale, describe_scale
from ._tracing import MaskMod, ScoreMod, as_mask, as_score


class Call(NamedTuple):
    """The score and mask regions of a call, as text, and its kernel's operands besides query, key,
    value and the arrays that describe sequences."""

    score: str
    mask: str
    features: Features
    operands: List[Operand]


def find_call(query: Operand, score_mod: ScoreMod, mask_mod: MaskMod, sink: Any = None,
              scales: Sequence[Scale] = (), sizes: Sequence[Sequence[int]] = (),
              dropout_p: float = 0.0, seed: Any = None, problem: Sequence[int] = ()) -> Call:
    """Records a call's score and mask functions as regions. Describes the kernel's operands besides
    query, key, value and sequences: the arrays that both functions capture, the sink, the seed and
    the offset of dropout, and scales. All must be on the device of `query`, a described operand;
    only arrays without dimensions are copied to that device. `sizes` are those of query, key and
    value, and are needed only for scales. If `problem` gives the numbers of batch entries, heads,
    rows and keys, reads of captured arrays that are large enough for these are marked as in
    bounds."""
    regions = as_score(score_mod), as_mask(mask_mod)
    operands = [describe_on(name, array, query, "the query") for its in regions if its
                for name, array in zip(its.names, its.arrays)]
    features = Features()
    if sink is not None:
        operands += describe([Operand("sink", sink, ("Hq",), DTYPES)], [query])
        features = Features(operands[-1].dtype)
    if dropout_p:
        seeds, type_ = _describe_seed(check_seed(seed), query)
        operands += seeds
        features = features._replace(dropout_p=dropout_p, seed=type_)
    of_scales: List[Tuple[str, str, int]] = []
    for scale in scales:
        its = describe_on(scale.declared.name, scale.array, query, "the query")
        its.described, type_ = (
            describe_rope(scale, its.described, query.dtype, sizes) if scale.declared.has_columns
            else describe_scale(scale, its.described, sizes))
        operands.append(its)
        of_scales.append((scale.declared.clause, type_, scale.block))
    # The texts of regions are used as keys of caches, so they must not refer to the captured
    # arrays, which would then stay alive.
    score, mask = ["" if not its else within_bounds(its, problem) if problem else its.text
                   for its in regions]
    return Call(score, mask, features._replace(scales=tuple(of_scales)), operands)


def _describe_seed(seed: Any, query: Operand) -> Tuple[List[Operand], str]:
    """Returns the seed and the offset as described operands, and the MLIR type that each of them
    has in the kernel: i64 if `seed` is a pair of numbers, a memref if it is an array of both."""
    if isinstance(seed, tuple):
        return [number_operand("seed", its) for its in seed], "i64"
    # If the seed is an array, the kernel gets the addresses of the seed and of the offset, not
    # their values, and reads both from memory when it runs. So replays of a CUDA graph may use
    # other seeds.
    its = describe_on("seed", seed, query, "the query")
    data, _, strides, dtype, *rest = its.described
    if its.dtype != "i64":
        raise expected("seed", "dtype int64", its.dtype)
    return [its.with_description((data + 8 * strides[0] * n, (), (), dtype, *rest))
            for n in range(2)], "memref<i64>"


def number_operand(name: str, value: int) -> Operand:
    """Returns an operand of a kernel that is a number of i64."""
    return Operand(name, None, described=(struct.pack("q", value), (), (), CODES["i64"],
                                          CPU, 0, None))


def find_captured(*regions: Any) -> Tuple[Any, ...]:
    """Returns the arrays that the traced functions `regions` capture, one function's after the
    other's."""
    return tuple([array for its in regions if its is not None for array in its.arrays])
