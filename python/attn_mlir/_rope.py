"""Further columns of queries and keys in separate arrays, such as the columns with rotary embedding
in multi-head latent attention: the operands query_rope and key_rope of the op."""

from typing import Any, Dict, Sequence, Tuple

from ._adapter import Described
from ._arrays import adapter_of, expected
from ._library import DTYPE_NAMES
from ._scales import NARROW, Declared, Scale, find_scales

def check_dtypes(scales: Sequence[Scale], q: str, k: str, joins: bool = False) -> None:
    """Raises for a query of 8 bits beside further columns, which need the query's dtype. With
    `joins`, where all columns are copied into one array, also raises for keys of another dtype than
    the query's."""
    if not any([scale.declared.has_columns for scale in scales]):
        return
    if q in NARROW:
        raise expected("q_rope", "None beside a query of 8 bits", f"q of {q}")
    if joins and q != k:
        raise expected("k_rope", "None beside keys of another dtype than q's where gradients "
                       "are needed, and where the call is an operator", f"k of {k}")


def _as_batch(sizes: Sequence[int]) -> Tuple[int, ...]:
    """Returns the sizes (1, heads, tokens, D) for an array of sizes (tokens, heads, D), or the
    sizes as they are if the rank is not 3."""
    return (1, sizes[1], sizes[0], sizes[2]) if len(sizes) == 3 else tuple(sizes)


def _check(declared: Declared, own: Sequence[int], of: Sequence[int], dtype: str,
           like: str, is_packed: bool = False) -> None:
    """Raises if an array of further columns, of sizes `own` and dtype `dtype`, does not match the
    query or key of sizes `of`, which has rank 4, or has another dtype than `like`, the query's."""
    name, number = declared.name, declared.of
    is_shared = number == 1 and of[1] != 1
    found = tuple(own)
    if len(own) == (3 if is_packed else 4):
        own = _as_batch(own)
    if len(own) != 4 or own[0] != of[0] or own[2] != of[2] or own[3] < 1 \
            or own[1] not in ((of[1], 1) if is_shared else (of[1],)):
        wanted = f"{of[1]} heads" + (" or 1" if is_shared else "")
        sizes = (of[2], of[1]) if is_packed else tuple(of[:3])
        raise expected(name, f"rank {3 if is_packed else 4}, with the first sizes of "
                       f"{'qk'[number]}, {sizes} ({wanted})", f"sizes {found}")
    if dtype != like:
        raise expected(name, f"dtype {like}, as q has", dtype)


def describe_rope(scale: Scale, described: Described, like: str,
                  sizes: Sequence[Sequence[int]]) -> Tuple[Described, str]:
    """Returns the description of an array of further columns as the kernel takes it, and its memref
    type. `like` is the query's dtype, and `sizes` are those of query, key and value."""
    declared, _, _, is_packed, rows = scale
    name, number = declared.name, declared.of
    data, own, strides, dtype, *rest = described
    of = sizes[number]
    is_key = number == 1
    _check(declared, own, of, DTYPE_NAMES[dtype], like, is_packed)
    if is_packed:
        strides = (max(1, own[0] * strides[0]), strides[1], strides[0], strides[2])
        own = _as_batch(own)
    if strides[-1] != 1 and own[-1] > 1 and 0 not in own:
        raise expected(name, "rows without gaps",
                       f"stride {strides[-1]} in dimension 3; pass a copy")
    # An array of further columns of keys whose dimension of heads has stride 0 has the same columns
    # for all heads, and is described as one with a single head.
    if is_key and own[1] > 1 and strides[1] == 0:
        own = (own[0], 1, *own[2:])
    heads = "1" if is_key and own[1] == 1 and of[1] != 1 else "?"
    shape = f"?x{heads}x{rows or '?'}x{own[3]}x{DTYPE_NAMES[dtype]}"
    type_ = f"memref<{shape}, strided<[?, ?, ?, 1]>>"
    return (data, own, (*strides[:3], 1), dtype, *rest), type_  # type: ignore[return-value]


def join(given: Dict[str, Any], is_packed: bool = False) -> Dict[str, Any]:
    """Returns the arguments of a call. If they have further columns of query and key, the returned
    ones have copies of both arrays, each with its further columns after its own, and no further
    columns any more."""
    scales = find_scales({name: given[name] for name in ("q_rope", "k_rope")}, is_packed)
    if not scales:
        return given
    q, k, q_rope, k_rope = [given[name] for name in ("q", "k", "q_rope", "k_rope")]
    dtypes = [adapter_of(name, given[name]).layout(name, given[name])[0]
              for name in ("q", "k", "q_rope", "k_rope")]
    check_dtypes(scales, dtypes[0], dtypes[1], joins=True)
    rank, dims = (3, "T, H, D") if is_packed else (4, "B, H, S, D")
    for name, array in (("q", q), ("k", k)):
        if len(array.shape) != rank:
            raise expected(name, f"rank {rank}: ({dims})", f"sizes {tuple(array.shape)}")
    for scale, array, dtype in zip(scales, (q, k), dtypes[2:]):
        _check(scale.declared, scale.array.shape, _as_batch(array.shape), dtype, dtypes[0],
               is_packed)
    adapter = adapter_of("q", q)
    if k_rope.shape[1] != k.shape[1]:
        k_rope = adapter.expand(k_rope, (*k.shape[:-1], k_rope.shape[-1]))
    return {**given, "q": adapter.concatenate((q, q_rope)),
            "k": adapter.concatenate((k, k_rope)), "q_rope": None, "k_rope": None}
