"""The variants of the set `masks`. The score and mask functions of a variant are used by this
project, by FlexAttention and by the reference."""

from typing import Any, Callable, Dict, List, NamedTuple

import attn_mlir

from ._philox import make_keep
from ._reference import Rule
from ._shapes import Shape

# The lengths of the documents into which 16384 tokens are divided. Other numbers of tokens are
# divided in the same proportions.
DOCUMENTS = (1600, 432, 3400, 1200, 4552, 800, 2400, 2000)
WINDOW = 1024
DROPOUT, SEED = 0.1, (1234, 5)


class Variant(NamedTuple):
    """A variant of a shape: the rule for the reference, and `own`, the arguments of
    attn_mlir.attention besides query, key, value and `causal`."""

    rule: Rule
    own: Dict[str, Any]


def _of_mask(mask_mod: Callable[..., Any]) -> Variant:
    return Variant(Rule(mask_mod=mask_mod), {"mask_mod": mask_mod})


def _of_score(score_mod: Callable[..., Any]) -> Variant:
    return Variant(Rule(score_mod=score_mod), {"score_mod": score_mod})


def _plain(machine: Any, shape: Shape) -> Variant:
    return Variant(Rule(), {})


def _causal_mod(machine: Any, shape: Shape) -> Variant:
    return _of_mask(lambda b, h, q, kv: kv <= q)


def _width(shape: Shape) -> int:
    """Returns the number of keys in the window of a row: WINDOW, or a quarter of the keys if that
    is less."""
    return min(WINDOW, max(1, shape.keys // 4))


def _window_mod(machine: Any, shape: Shape) -> Variant:
    width = _width(shape)
    return _of_mask(lambda b, h, q, kv: (kv <= q) & (q - kv < width))


def _window(machine: Any, shape: Shape) -> Variant:
    return _window_mod(machine, shape)._replace(own={"window": (_width(shape) - 1, 0)})


def document_ends(shape: Shape) -> List[List[int]]:
    """Returns, for each batch entry, the ends of its documents: for each document, the number of
    the token after its last one. Batch entries have the documents in different orders."""
    ends = []
    for b in range(shape.batch):
        turn = b % len(DOCUMENTS)
        lengths = DOCUMENTS[turn:] + DOCUMENTS[:turn]
        ends.append([sum(lengths[:n + 1]) * shape.keys // sum(lengths)
                     for n in range(len(lengths))])
    return ends


def make_documents(machine: Any, shape: Shape) -> Variant:
    numbers = [[number for number, (first, end) in enumerate(zip([0, *ends], ends))
                for _ in range(first, end)] for ends in document_ends(shape)]
    document = machine.array(numbers, "i32")
    return _of_mask(lambda b, h, q, kv: document[b, q] == document[b, kv])


def _prefix(machine: Any, shape: Shape) -> Variant:
    """Returns the variant PrefixLM: each row sees the first quarter of the keys, and the keys up to
    its own position."""
    lengths = machine.array([shape.keys // 4] * shape.batch, "i32")
    return _of_mask(lambda b, h, q, kv: (kv < lengths[b]) | (kv <= q))


def _alibi(machine: Any, shape: Shape) -> Variant:
    slopes = machine.array([2 ** (-8 * (h + 1) / shape.heads)
                            for h in range(shape.heads)], "f32")
    return _of_score(lambda score, b, h, q, kv: score + slopes[h] * (kv - q))


def _softcap(machine: Any, shape: Shape) -> Variant:
    tanh = machine.library.tanh
    return _of_score(lambda score, b, h, q, kv: 30 * tanh(score / 30))


def _softcap_approximate(machine: Any, shape: Shape) -> Variant:
    approximate = {"score_mod": lambda score, b, h, q, kv:
                   30 * attn_mlir.score.tanh(score / 30, approximate=True)}
    return _softcap(machine, shape)._replace(own=approximate)


def _sinks(machine: Any, shape: Shape) -> Variant:
    sink = machine.normal(3, (shape.heads,), shape.dtype)
    return Variant(Rule(sink=sink), {"sink": sink})


def _dropout(machine: Any, shape: Shape) -> Variant:
    keep, factor = make_keep(machine.library, shape.heads, DROPOUT, SEED)
    return Variant(Rule(keep=keep, factor=factor), {"dropout_p": DROPOUT, "seed": SEED})


def _bias(machine: Any, shape: Shape) -> Variant:
    bias = machine.normal(4, (1, shape.heads, shape.rows, shape.keys), shape.dtype)
    return _of_score(lambda score, b, h, q, kv: score + bias[0, h, q, kv])


def _lower_triangle(machine: Any, shape: Shape) -> Any:
    return machine.arange(0, shape.keys) <= machine.arange(0, shape.rows)[:, None]


def _boolean(machine: Any, shape: Shape) -> Variant:
    kept = _lower_triangle(machine, shape)
    return _of_mask(lambda b, h, q, kv: kept[q, kv])


def _prepared(machine: Any, shape: Shape) -> Variant:
    kept = _lower_triangle(machine, shape)
    prepared = attn_mlir.prepare_mask(kept)
    return Variant(Rule(mask_mod=lambda b, h, q, kv: kept[q, kv]),
                   {"mask_mod": lambda b, h, q, kv: prepared[q, kv]})


VARIANTS = {"plain": _plain, "causal-mod": _causal_mod, "window": _window,
            "window-mod": _window_mod, "documents": make_documents, "prefix": _prefix,
            "alibi": _alibi, "softcap": _softcap,
            "softcap-approximate": _softcap_approximate, "sinks": _sinks, "dropout": _dropout,
            "bias": _bias, "boolean": _boolean, "prepared": _prepared}
