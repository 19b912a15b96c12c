"""The function `dropout_mask`, which returns for each probability whether dropout keeps it."""

from typing import Any

from ._arrays import adapter_of, expected
from ._attention import attention

# The number of keys for which one call of `attention` tells which probabilities dropout keeps.
_WIDTH = 64


def dropout_mask(q: Any, k: Any, dropout_p: float, seed: Any) -> Any:
    """Returns booleans (B, Hq, Sq, Skv), in an array of q's library, that say which probabilities
    `attention(q, k, ..., dropout_p=dropout_p, seed=seed)` keeps. Of `q` and `k`, only the sizes
    matter.

    The function is for tests and for inspection. It calls `attention` itself, with equal scores,
    and with values in which each key has a separate column.
    """
    adapter = adapter_of("q", q)
    for name, array in (("q", q), ("k", k)):
        adapter_of(name, array)
        if len(array.shape) != 4:
            raise expected(name, "rank 4: (B, H, S, D)", f"sizes {tuple(array.shape)}")
    (batch, heads, rows, _), keys = q.shape, k.shape[2]
    found = adapter.new(q, (batch, heads, rows, keys), "i1")
    query, key = [adapter.full(q, sizes, "f32", 0)
                  for sizes in ((batch, heads, rows, 8), (batch, 1, keys, 8))]
    for first in range(0, keys, _WIDTH):
        count = min(_WIDTH, keys - first)
        value = adapter.full(q, (1, 1, keys, _WIDTH), "f32", 0)
        columns = list(range(count))
        value[0, 0, [first + column for column in columns], columns] = 1
        output = attention(query, key, adapter.expand(value, (batch, 1, keys, _WIDTH)),
                           dropout_p=dropout_p, seed=seed)
        found[..., first:first + count] = output[..., :count] != 0
    return found
