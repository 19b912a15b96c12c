"""The set `pages`: decoding of few rows on caches, contiguous and in pages."""

import math
from typing import Any, Tuple

import attn_mlir

from .._errors import Error
from ._flash_peers import FlashInfer
from ._machine import Function
from ._peers import Arrays, CuDNN, Kind, Own, Problem, by_name
from ._reference import attend
from ._shapes import Shape


def make_pages(machine: Any, k: Any, v: Any, page: int) -> Tuple[Any, Any, Any]:
    """Divides keys and values into pages of `page` keys. Returns the pools of both, (pages, heads,
    page, head dim), in which a sequence's pages do not follow each other, and the page table. The
    last page of a sequence may have fewer valid keys."""
    library = machine.library
    batch, heads, keys, _ = k.shape
    columns = -(-keys // page)
    count = batch * columns
    # Numbers the pages by multiples of a step that has no factor in common with the number of
    # pages: this gives each page one number, in an order that is not ascending.
    step = next(its for its in range(count // 3 + 1, count + 2)
                if math.gcd(its, count) == 1)
    table = machine.arange(0, count) * step % count
    pools = []
    for array in (k, v):
        # Fills the last page of each sequence with repeated keys: keys past a sequence's length may
        # have any values.
        repeated = library.concatenate([array] * -(-columns * page // keys), axis=2)
        parts = repeated[:, :, :columns * page].reshape(batch, heads, columns, page, -1)
        parts = parts.swapaxes(1, 2).reshape(count, heads, page, -1)
        pools.append(parts[library.argsort(table)])
    return (*pools, machine.cast(table, "i32").reshape(batch, columns))


def _make_problem(machine: Any, shape: Shape) -> Problem:
    """Returns the problem of a shape. Its arrays are query, keys, values, lengths, and, for pages,
    the number of keys in a page and the page table (else None twice)."""
    q, k, v = machine.make_arrays(shape)
    reference, pairs = attend(machine, shape, (q, k, v))
    lengths = machine.array([shape.keys] * shape.batch, "i32")
    arrays: Arrays = (q, k, v, lengths, None, None)
    if shape.variant != "contiguous":
        page = int(shape.variant.partition("-")[2])
        *pools, table = make_pages(machine, k, v, page)
        arrays = (q, *pools, lengths, page, table)
    return Problem(shape._replace(pairs=pairs), arrays, [reference])


class _Own(Own):
    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v, lengths, _, table = arrays
        return lambda: attn_mlir.decode(q, k, v, lengths=lengths, page_table=table,
                                        causal=shape.causal)


class _CuDNN(CuDNN):
    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        if shape.variant != "contiguous" or shape.causal:
            raise Error("expected contiguous keys and no mask")
        return super().prepare(shape, arrays[:3])


class _FlashInfer(FlashInfer):
    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, *pools, _, page, table = arrays
        if table is None:
            raise Error("expected pages")
        self.check(shape)
        return self.plan(shape, q, pools, "HND", page, table)


KIND = Kind(_make_problem, _Own, by_name(_CuDNN, _FlashInfer))
