"""Decoding of one or few query rows on special caches: the set `quantized` has keys and values of 8
or 4 bits, the set `latent` the latents of multi-head latent attention."""

from typing import Any, List, Sequence, Tuple

import attn_mlir

from .._quantize import unpack
from ._machine import Function
from ._pages import make_pages
from ._peers import Arrays, Kind, Own, Problem, by_name
from ._reference import attend
from ._shapes import Shape

# For each dtype of a cache, the scale by which its stored numbers are multiplied. It is a power of
# two, so that the products are exact in 16 bits. Standard normal numbers divided by the scale are
# within the dtype's range; for i4, those outside of -4 to 3.5 are clamped.
_SCALES = {"e4m3": 2.0**-5, "i8": 2.0**-4, "i4": 0.5}
STORED = tuple(_SCALES)


def _split(variant: str) -> Tuple[int, str]:
    """Returns the number of keys in a page that a variant's name has, or 0 without pages, and the
    dtype of its cache, or "" if that is the query's."""
    kind, _, rest = variant.removesuffix("-split").partition("-")
    page, _, dtype = rest.partition("-") if kind == "pages" else ("0", "", rest)
    return int(page), dtype


def place(machine: Any, arrays: Tuple[Any, Any], page: int) -> Tuple[Any, Any, Any]:
    """Returns keys and values in pages of `page` keys, and the page table. If `page` is 0, returns
    the arrays as they are, and None."""
    if not page:
        return (*arrays, None)
    bits = machine.library.uint8
    if arrays[0].dtype.itemsize > 1:
        return make_pages(machine, *arrays, page)
    # Copies arrays of 8-bit numbers to pages as arrays of uint8 (the same bytes), since not all
    # libraries can copy arrays of 8-bit floats.
    k, v, table = make_pages(machine, *[its.view(bits) for its in arrays], page)
    return k.view(arrays[0].dtype), v.view(arrays[1].dtype), table


def store(machine: Any, arrays: Sequence[Any], dtype: str) -> Tuple[List[Any], Any]:
    """Quantizes arrays to `dtype`. Returns the stored arrays, and the scale that all have."""
    scale = machine.array(_SCALES[dtype], "f32")
    return [attn_mlir.quantize(its, dtype, scale=scale)[0] for its in arrays], scale


def widen(machine: Any, stored: Sequence[Any], scale: Any, dtype: str, to: str) -> List[Any]:
    """Returns the numbers that quantized arrays stand for, stored numbers times the scale, in the
    dtype `to`."""
    return [machine.cast(machine.cast(unpack(its) if dtype == "i4" else its, "f32") * scale, to)
            for its in stored]


def _make_problem(machine: Any, shape: Shape) -> Problem:
    """Returns the problem of a shape. Its arrays are query, keys, values, lengths, the page table
    and the scale. For latent caches, the second array has latents and rotary keys, or, in the
    split variant, the second one latents and the third one rotary keys."""
    q, k, v = machine.make_arrays(shape)
    page, dtype = _split(shape.variant)
    scale = None
    if dtype:
        (k, v), scale = store(machine, (k, v), dtype)
    if shape.set == "latent":
        v = k[..., :shape.value_head_dim]
    # The reference is computed from the numbers that the cache stores, so that its limit of error
    # does not have to include their rounding.
    wide = widen(machine, (k, v), scale, dtype, shape.dtype) if dtype else [k, v]
    reference, pairs = attend(machine, shape, (q, *wide))
    lengths = machine.array([shape.keys] * shape.batch, "i32")
    if shape.variant.endswith("-split"):
        width = shape.value_head_dim
        latents, _, table = place(machine, (k[..., :width], k[..., :width]), page)
        rotary, _, _ = place(machine, (wide[0][..., width:], wide[0][..., width:]), page)
        return Problem(shape._replace(pairs=pairs),
                       (q, latents, rotary, lengths, table, scale), [reference])
    if shape.set == "latent":
        v = k  # one array, of which no second one is read
    *pools, table = place(machine, (k, v), page)
    return Problem(shape._replace(pairs=pairs), (q, *pools, lengths, table, scale),
                   [reference])


class _Own(Own):
    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v, lengths, table, scale = arrays
        if shape.set == "latent":
            # In the split variant, `k` has the latents, which are the values, too, and `v` the
            # rotary keys. In others, `k` has both.
            is_split = shape.variant.endswith("-split")
            cache = (k, v) if is_split else k
            return lambda: attn_mlir.mla_decode(
                q, cache, scale=shape.head_dim ** -0.5,
                latent_dim=None if is_split else shape.value_head_dim, lengths=lengths,
                page_table=table, causal=shape.causal, cache_scale=scale)
        kv_dtype = "i4" if shape.variant.endswith("-i4") else None
        return lambda: attn_mlir.decode(q, k, v, lengths=lengths, page_table=table,
                                        causal=shape.causal, k_scale=scale, v_scale=scale,
                                        kv_dtype=kv_dtype)


KIND = Kind(_make_problem, _Own, by_name())
