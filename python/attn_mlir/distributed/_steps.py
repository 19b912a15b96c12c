"""Runs the kernels of one step of a ring, on some of a rank's rows and some of another rank's keys.

Results are in f32, and are rounded when the results of all steps are merged or added. An origin may
give the positions of the first row and key in the whole sequence, from which masks and regions then
count.
"""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import torch

from .._arrays import adapter_of
from .._captures import find_call, number_operand
from .._module import Arrays, Sequences, backward_text, module_text
from .._rows import Operand, run
from .._traced import Traced

# The origin of a step's arrays: the positions in the whole problem of their first batch entry,
# head, row and key. `_PLACE` has the names of the kernel's operands for these, and for the
# positions after the arrays' last row and last key.
Place = Tuple[int, int, int, int]
_PLACE = ("origin_b", "origin_h", "origin_q", "origin_kv", "end_q", "end_kv")
_LENGTHS = "memref<?xi32, strided<[1]>>"


class Options(NamedTuple):
    """The options of a call that are the same in all steps of its ring: a step computes attention
    of a rank's rows to the keys of one rank."""

    scale: Optional[float]
    left: Optional[int]
    right: Optional[int]
    score: Optional[Traced]
    mask: Optional[Traced]


def _sequences(is_placed: bool, has_lengths: bool) -> Sequences:
    types: Dict[str, str] = {}
    clauses: List[str] = []
    before = ""
    if is_placed:
        types.update({name: "i64" for name in _PLACE})
        before = "".join([f"  %at_{name} = arith.index_cast %{name} : i64 to index\n"
                          for name in _PLACE])
        clauses = [f"origin({', '.join(['%at_' + name for name in _PLACE[:4]])})",
                   f"lengths({', '.join(['%at_' + name for name in _PLACE[4:]])})"]
    elif has_lengths:
        types = {"len_q": _LENGTHS, "len_kv": _LENGTHS}
        clauses = [f"lengths(%len_q, %len_kv : {_LENGTHS}, {_LENGTHS})"]
    return Sequences(types, clauses, before)


def _placed(place: Place, rows: int, keys: int) -> List[Operand]:
    """Returns the kernel's operands `_PLACE`, for arrays of `rows` rows and `keys` keys with the
    origin `place`: scalars of i64 on the CPU."""
    return [number_operand(name, its) for name, its in
            zip(_PLACE, (*place, place[2] + rows, place[3] + keys))]


class _Arguments:
    """The operands of a kernel that follow the op's arrays (captured arrays, and an origin or
    lengths), and the texts of regions for which the kernel is compiled."""

    def __init__(self, q: torch.Tensor, k: torch.Tensor, options: Options,
                 place: Optional[Place],
                 lengths: Optional[Tuple[torch.Tensor, torch.Tensor]]) -> None:
        query, = _described({"q": q})
        self.dtype = query.dtype
        first = place or (0, 0, 0, 0)
        problem = (first[0] + q.shape[0], first[1] + q.shape[1], first[2] + q.shape[2],
                   first[3] + k.shape[2])
        self.score, self.mask, self.features, self.operands = find_call(
            query, options.score, options.mask, problem=problem)
        if place is not None:
            self.operands += _placed(place, q.shape[2], k.shape[2])
        elif lengths is not None:
            self.operands += _described(dict(zip(("lengths of rows", "lengths of keys"), lengths)))


def _described(arrays: Dict[str, torch.Tensor]) -> List[Operand]:
    return [Operand(name, array, described=adapter_of(name, array).describe(name, array))
            for name, array in arrays.items()]


def _run(key: Tuple, text: Any, before: Dict[str, torch.Tensor], own: _Arguments,
         outs: Dict[str, torch.Tensor]) -> None:
    run(key, text, [*_described(before), *own.operands, *_described(outs)], None)


def _bounds(options: Options, place: Optional[Place]) -> Any:
    bounds = (options.left, options.right)
    return None if place is None or bounds == (None, None) else bounds


def forward(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool,
            options: Options, place: Optional[Place] = None,
            lengths: Optional[Tuple[torch.Tensor, torch.Tensor]] = None,
            ) -> Tuple[torch.Tensor, torch.Tensor]:
    """Computes the output, in f32, and the lse of attention over these keys alone.

    q (B, Hq, Sq, D), k (B, Hkv, Skv, D) and v (B, Hkv, Skv, Dv) have contiguous rows. `place`, the
    origin, says which batch entry, head, row and key of the whole problem the first ones of these
    tensors are; windows and regions need it. `lengths` are two tensors (B,) of int32: how many
    rows, and how many keys, each batch entry has. A call has at most one of `place` and `lengths`.
    """
    own = _Arguments(q, k, options, place, lengths)
    output = torch.empty_like(q, dtype=torch.float32) if v.shape[3] == q.shape[3] else \
        q.new_empty((*q.shape[:3], v.shape[3]), dtype=torch.float32)
    if output.stride(3) != 1:
        output = output.new_empty(output.shape)
    lse = q.new_empty(q.shape[:3], dtype=torch.float32)
    dtype, sizes = own.dtype, (q.shape[3], v.shape[3])
    bounds = _bounds(options, place)
    key = ("ring", dtype, *sizes, causal, bounds, options.scale, own.score, own.mask,
           place is not None, lengths is not None)

    def text() -> str:
        return module_text(
            Arrays(dtype, *sizes, output="f32"), causal=causal, window=bounds, align="top_left",
            scale=options.scale, return_lse=True, score=own.score, mask=own.mask,
            features=own.features,
            sequences=_sequences(place is not None, lengths is not None))

    _run(key, text, {"q": q, "k": k, "v": v}, own, {"out": output, "lse": lse})
    return output, lse


_ORDER = ("query", "key", "value")


def backward(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, o: torch.Tensor,
             lse: torch.Tensor, d_o: torch.Tensor, d_lse: Optional[torch.Tensor],
             causal: bool, options: Options, wrt: Sequence[bool],
             place: Optional[Place] = None,
             lengths: Optional[Tuple[torch.Tensor, torch.Tensor]] = None,
             ) -> List[Optional[torch.Tensor]]:
    """Computes, in f32, what these keys add to the gradient of q, and what these rows add to those
    of k and v. A gradient for which `wrt` is False is None. `o` and `lse` are results of attention
    over all keys."""
    own = _Arguments(q, k, options, place, lengths)
    names = tuple([name for name, is_wanted in zip(_ORDER, wrt) if is_wanted])
    outs = {f"d_{name}": its.new_empty(its.shape, dtype=torch.float32)
            for name, its in zip(_ORDER, (q, k, v)) if name in names}
    dtype, sizes = own.dtype, (q.shape[3], v.shape[3])
    bounds = _bounds(options, place)
    deterministic = torch.are_deterministic_algorithms_enabled()
    key = ("ring_backward", dtype, *sizes, causal, bounds, options.scale, own.score,
           own.mask, place is not None, lengths is not None, names, d_lse is not None,
           deterministic)

    def text() -> str:
        return backward_text(
            Arrays(dtype, *sizes), causal=causal, window=bounds, align="top_left",
            scale=options.scale, score=own.score, mask=own.mask, wrt=names,
            d_lse=d_lse is not None, deterministic=deterministic,
            gradient_dtypes=["f32"] * len(names), features=own.features,
            sequences=_sequences(place is not None, lengths is not None))

    before = {"q": q, "k": k, "v": v, "output": o, "lse": lse, "d_output": d_o}
    if d_lse is not None:
        before["d_lse"] = d_lse
    _run(key, text, before, own, outs)
    return [outs.get(f"d_{name}") for name in _ORDER]
