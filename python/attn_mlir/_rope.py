"""Further columns of queries and keys in arrays of their own, as those with rotary embedding
are in multi-head latent attention: operands query_rope and key_rope of the op."""

from typing import Any, Sequence, Tuple

from ._adapter import Described
from ._arrays import adapter_of, expected
from ._library import DTYPE_NAMES, DTYPES
from ._scales import Declared, Scale

NAMES = ("q_rope", "k_rope")
_TABLE = (Declared("q_rope", "query_rope", 0, ()), Declared("k_rope", "key_rope", 1, ()))


def find_rope(q_rope: Any, k_rope: Any, rows: int = 0, page: int = 0) -> Tuple[Scale, ...]:
    """Both as extra operands of a call, or nothing. `rows` and `page` are how many rows
    the kernel's query and pages have, or 0 for any number."""
    if q_rope is None and k_rope is None:
        return ()
    for name, its in zip(NAMES, (q_rope, k_rope)):
        if its is None:
            raise expected(name, "an array, beside the other one of q_rope and k_rope",
                           "None")
    q, k = [its.shape[-1] if getattr(its, "shape", ()) else 0 for its in (q_rope, k_rope)]
    if q and k and q != k:
        raise expected("k_rope", f"size {q} in dimension 3, as q_rope has", k)
    return tuple([Scale(declared, array, 1, False, static) for declared, array, static
                  in zip(_TABLE, (q_rope, k_rope), (rows, page))])


def is_rope(scale: Scale) -> bool:
    return scale.declared in _TABLE


def check_dtypes(scales: Sequence[Scale], q: int, k: int) -> None:
    """Raises for keys of another dtype than the query's beside further columns."""
    if q != k and any([is_rope(scale) for scale in scales]):
        raise expected("k_rope", "None beside keys of another dtype than q's, which have all "
                       "columns in one array", f"k of {DTYPE_NAMES[k]}")


def _check(declared: Declared, own: Sequence[int], of: Sequence[int], dtype: int,
           like: int) -> None:
    """Raises for sizes or a dtype that do not match the array of sizes `of` and q's dtype."""
    name, _, number, _ = declared
    is_shared = number == 1 and of[1] != 1
    if len(own) != 4 or own[0] != of[0] or own[2] != of[2] or own[3] < 1 \
            or own[1] not in ((of[1], 1) if is_shared else (of[1],)):
        wanted = f"{of[1]} heads" + (" or 1" if is_shared else "")
        raise expected(name, f"rank 4, with the first sizes of {'qk'[number]}, "
                       f"{tuple(of[:3])} ({wanted})", f"sizes {tuple(own)}")
    if dtype != like:
        raise expected(name, f"dtype {DTYPE_NAMES[like]}, as q has", DTYPE_NAMES[dtype])


def describe_rope(scale: Scale, described: Described, like: int,
                  sizes: Sequence[Sequence[int]]) -> Tuple[Described, str]:
    """Such an array as the kernel takes it, and its type. `like` is q's dtype, and `sizes`
    are those of q, k and v."""
    (name, _, number, _), _, _, _, rows = scale
    data, own, strides, dtype, *rest = described
    of = sizes[number]
    is_key = number == 1
    _check(scale.declared, own, of, dtype, like)
    if strides[-1] != 1 and own[-1] > 1 and 0 not in own:
        raise expected(name, "rows without gaps",
                       f"stride {strides[-1]} in dimension 3; pass a copy")
    # All heads may share those of keys: one that is repeated by a stride of 0 is one.
    if is_key and own[1] > 1 and strides[1] == 0:
        own = (own[0], 1, *own[2:])
    heads = "1" if is_key and own[1] == 1 and of[1] != 1 else "?"
    shape = f"?x{heads}x{rows or '?'}x{own[3]}x{DTYPE_NAMES[dtype]}"
    type_ = f"memref<{shape}, strided<[?, ?, ?, 1]>>"
    return (data, own, (*strides[:3], 1), dtype, *rest), type_  # type: ignore[return-value]


def _dtype_of(name: str, array: Any) -> int:
    return DTYPES[adapter_of(name, array).layout(name, array)[0]]


def join(q: Any, k: Any, q_rope: Any, k_rope: Any) -> Tuple[Any, Any]:
    """Query and keys with all columns in one array each, which are copies."""
    scales = find_rope(q_rope, k_rope)
    dtypes = [_dtype_of(name, array) for name, array in
              (("q", q), ("k", k), ("q_rope", q_rope), ("k_rope", k_rope))]
    check_dtypes(scales, dtypes[0], dtypes[1])
    for name, array in (("q", q), ("k", k)):
        if len(array.shape) != 4:
            raise expected(name, "rank 4: (B, H, S, D)", f"sizes {tuple(array.shape)}")
    for scale, array, dtype in zip(scales, (q, k), dtypes[2:]):
        _check(scale.declared, scale.array.shape, array.shape, dtype, dtypes[0])
    adapter = adapter_of("q", q)
    if k_rope.shape[1] != k.shape[1]:
        k_rope = adapter.expand(k_rope, (*k.shape[:3], k_rope.shape[3]))
    return adapter.concatenate((q, q_rope)), adapter.concatenate((k, k_rope))
