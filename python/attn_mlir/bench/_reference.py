"""Computes attention and its gradients in fp64, and how far results may be from them. Arrays are
those of NumPy or torch, whose methods both have the arguments axis= and keepdims=."""

import itertools
import math
from typing import Any, Callable, Iterator, List, NamedTuple, Optional, Tuple

from ._shapes import Shape

# For each dtype, the bits of the mantissa, the leading one included, and the smallest exponent of
# normal numbers.
FORMATS = {"f16": (11, -14), "bf16": (8, -126), "f32": (24, -126)}


class Reference(NamedTuple):
    """The exact result in fp64, and the largest allowed error of other results. `name` is what
    messages call it."""

    exact: Any
    limit: float
    name: str = ""


class Rule(NamedTuple):
    """The changes that a variant makes to scores and probabilities, besides a causal mask. The
    functions take arrays of indices, and otherwise are like those of FlexAttention. `sink` has a
    logit for each query head. Probabilities that `keep` selects are multiplied by `factor`, others
    by 0."""

    score_mod: Optional[Callable[..., Any]] = None
    mask_mod: Optional[Callable[..., Any]] = None
    sink: Any = None
    keep: Optional[Callable[..., Any]] = None
    factor: float = 1.0


PLAIN = Rule()


def _spacing(dtype: str, number: float) -> float:
    digits, least = FORMATS[dtype]
    exponent = math.frexp(number)[1] - 1 if number else least
    return 2.0 ** (max(exponent, least) - (digits - 1))


def error_limit(dtype: str, largest: float, plain_error: float) -> float:
    """Returns the largest allowed error of an output, by the rule in
    include/attn/Oracle/Accuracy.h. `largest` is the largest magnitude in the exact output,
    and `plain_error` the largest error of a plain evaluation in the input's precision."""
    if dtype == "f32":
        return max(5e-5, 2 * plain_error)
    return 2 * plain_error + _spacing(dtype, largest) + 1e-5


def gradient_limit(dtype: str, largest: float, plain_error: float) -> float:
    """Returns the largest allowed error of a gradient, by the rule in
    include/attn/Oracle/GradientAccuracy.h. The arguments are as in `error_limit`."""
    return 3 * plain_error + _spacing(dtype, largest) + 1e-5 * largest


class _Part:
    """A part of a problem: one batch entry, some key heads with the query heads that share them,
    and some rows with all keys. Arrays of its scores are (key head, query head, row, key)."""

    def __init__(self, machine: Any, shape: Shape, rule: Rule, batch: int, heads: slice,
                 rows: slice) -> None:
        self.machine, self.shape, self.rule = machine, shape, rule
        self.batch, self.heads, self.rows = batch, heads, rows
        group = shape.heads // shape.kv_heads
        h = machine.arange(heads.start * group, heads.stop * group)
        h = h.reshape(-1, group, 1, 1)
        i = machine.arange(rows.start, rows.stop)[:, None]
        j = machine.arange(0, shape.keys)
        self.indices = batch, h, i, j
        self.sizes = *h.shape[:2], len(i), len(j)
        self.mask = j <= i + shape.diagonal if shape.causal else None
        if rule.mask_mod:
            mask = rule.mask_mod(*self.indices)
            self.mask = mask if self.mask is None else mask & self.mask
        self.keep = rule.keep and rule.keep(*self.indices)

    def of_rows(self, array: Any) -> Any:
        """Returns this part's rows of an array (batch, key head, query head, row, head dim)."""
        return array[self.batch, self.heads, :, self.rows]

    def of_keys(self, array: Any) -> Any:
        return array[self.batch, self.heads]

    def count_pairs(self) -> int:
        if self.mask is None:
            return math.prod(self.sizes)
        return int(self.machine.library.broadcast_to(self.mask, self.sizes).sum())

    def softmax(self, query: Any, key: Any, dtype: str) -> Tuple[Any, Any]:
        """Returns the exponentials of scores, after dropout, and the softmax's sums, which include
        the sink and are 1 instead of 0 for rows without keys."""
        library, cast = self.machine.library, self.machine.cast
        scores = query @ key.swapaxes(-1, -2) * self.shape.head_dim ** -0.5
        if self.rule.score_mod:
            scores = cast(self.rule.score_mod(scores, *self.indices), dtype)
        if self.mask is not None:
            scores = library.where(self.mask, scores, -math.inf)
        top = library.amax(scores, axis=-1, keepdims=True)
        top = library.where(top == -math.inf, 0.0, top)  # nothing to attend to
        exponentials = library.exp(scores - top)
        total = exponentials.sum(axis=-1, keepdims=True)
        if self.rule.sink is not None:
            sink = cast(self.rule.sink, dtype)[self.indices[1]]
            total = total + library.exp(sink - top)
        if self.keep is not None:
            exponentials = library.where(self.keep, exponentials * self.rule.factor, 0.0)
        return exponentials, library.where(total == 0, 1.0, total)


def _parts(machine: Any, shape: Shape, rule: Rule) -> Iterator[_Part]:
    """Divides a problem into parts, each with about as many scores as the machine's `part`
    says."""
    of_row = shape.heads // shape.kv_heads * shape.keys
    heads = min(max(1, machine.part // (of_row * shape.rows)), shape.kv_heads)
    rows = min(max(1, machine.part // of_row), shape.rows)
    for b, h, i in itertools.product(range(shape.batch), range(0, shape.kv_heads, heads),
                                     range(0, shape.rows, rows)):
        yield _Part(machine, shape, rule, b, slice(h, min(h + heads, shape.kv_heads)),
                    slice(i, min(i + rows, shape.rows)))


def _group(shape: Shape, array: Any) -> Any:
    """Divides the dimension of query heads of an array (batch, query head, ...) into two: the key
    head, and the query heads that share it."""
    return array.reshape(shape.batch, shape.kv_heads, -1, *array.shape[2:])


def _ungroup(array: Any) -> Any:
    return array.reshape(array.shape[0], -1, *array.shape[3:])


def _compare(machine: Any, dtype: str, exact: Any, plain: Any, name: str = "",
             get_limit: Callable[..., float] = error_limit) -> Reference:
    """Returns the reference for an exact result, with its limit of error. `plain` is the result of
    a plain evaluation, whose sums are in f32, and which is rounded to `dtype` here."""
    exact, plain = _ungroup(exact), _ungroup(plain)
    plain = machine.cast(machine.cast(plain, dtype), "f64")
    largest = float(abs(exact).max())
    limit = get_limit(dtype, largest, float(abs(plain - exact).max()))
    return Reference(exact, limit, name)


def attend(machine: Any, shape: Shape, arrays: Tuple[Any, Any, Any],
           rule: Rule = PLAIN) -> Tuple[Reference, int]:
    """Computes the reference of the output, and how many pairs count. The plain evaluation rounds
    exponentials to the input's dtype, and has sums in f32."""
    cast = machine.cast
    q, k, v = _group(shape, arrays[0]), *(its[:, :, None] for its in arrays[1:])
    sizes = (*q.shape[:4], shape.value_head_dim)
    exact, plain = machine.zeros(sizes, "f64"), machine.zeros(sizes, "f32")
    pairs = 0
    for part in _parts(machine, shape, rule):
        pairs += part.count_pairs()
        for dtype, result in (("f64", exact), ("f32", plain)):
            query, key, value = (cast(its, dtype) for its in (
                part.of_rows(q), part.of_keys(k), part.of_keys(v)))
            exponentials, total = part.softmax(query, key, dtype)
            if dtype == "f32":
                exponentials = cast(cast(exponentials, shape.dtype), dtype)
            part.of_rows(result)[...] = exponentials @ value / total
    return _compare(machine, shape.dtype, exact, plain), pairs


def differentiate(machine: Any, shape: Shape, arrays: Tuple[Any, Any, Any, Any],
                  rule: Rule = PLAIN) -> Tuple[List[Reference], int]:
    """Computes the references of the gradients of query, key and value, and how many pairs count.
    `arrays` are query, key, value and the output's gradient. `rule` may have a mask and nothing
    else. The plain evaluation rounds the output, probabilities and gradients of scores to the
    input's dtype, and has sums in f32."""
    cast, scale = machine.cast, shape.head_dim ** -0.5
    q, d_o = (_group(shape, its) for its in (arrays[0], arrays[3]))
    k, v = (its[:, :, None] for its in arrays[1:3])
    exact, plain = ([machine.zeros(its.shape, dtype) for its in (q, k, v)]
                    for dtype in ("f64", "f32"))
    pairs = 0
    for part in _parts(machine, shape, rule):
        pairs += part.count_pairs()
        for dtype, (d_q, d_k, d_v) in (("f64", exact), ("f32", plain)):
            def rounded(array: Any, dtype: str = dtype) -> Any:
                return array if dtype == "f64" else cast(cast(array, shape.dtype), dtype)

            query, d_output, key, value = (cast(its, dtype) for its in (
                part.of_rows(q), part.of_rows(d_o), part.of_keys(k), part.of_keys(v)))
            exponentials, total = part.softmax(query, key, dtype)
            p = exponentials / total
            delta = (rounded(rounded(p) @ value) * d_output).sum(axis=-1, keepdims=True)
            d_s = rounded(p * (d_output @ value.swapaxes(-1, -2) - delta))
            part.of_rows(d_q)[...] = d_s @ key * scale
            # Adds this part's gradients of key and value to those of all parts. They are summed
            # over the query heads that share a key head.
            for sums, weights, rows in ((d_k, d_s, query * scale),
                                        (d_v, rounded(p), d_output)):
                part.of_keys(sums)[...] += (weights.swapaxes(-1, -2) @ rows).sum(
                    axis=1, keepdims=True)
    references = [_compare(machine, shape.dtype, *its, gradient_limit) for its in zip(
        exact, plain, ("d_query", "d_key", "d_value"))]
    return references, pairs
