"""Writes the text of MLIR modules that have one attention op."""

import struct
from typing import Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from ._errors import ArgumentError
from ._options import Causal, Window, as_scale, check_options
from ._scales import scales_text
from ._traced import types_of, with_captures

DTYPES = ("f16", "bf16", "f32")
# The dtypes that queries may have besides DTYPES if keys and values have 8 bits or 4.
NARROW_QUERIES = ("f8E4M3FN", "f8E5M2")
# GRADIENTS are the operands whose gradients are computed by default. NAMED_GRADIENTS are all
# operands whose gradients the caller may choose by name, in the order of results.
GRADIENTS = ("query", "key", "value")
NAMED_GRADIENTS = (*GRADIENTS, "sink")
# A size in a type, or "?" for one that is dynamic.
Size = Union[int, str]


class Arrays(NamedTuple):
    """Query, key, value and output of a kernel: their dtypes, where "" stands for the query's,
    `dtype`, and their sizes, where "?" stands for one that each launch chooses: rows of a query
    head, keys of a key head or of a page, and heads of queries and of keys. With `along_keys`, the
    array of values has stride 1 along keys instead of along its columns."""

    dtype: str
    head_dim: int
    value_head_dim: int
    key: str = ""
    value: str = ""
    output: str = ""
    along_keys: bool = False
    rows: Size = "?"
    keys: Size = "?"
    heads: Tuple[Size, Size] = ("?", "?")

    def types(self) -> Dict[str, str]:
        """Returns the memref types of these arrays, by name."""
        of_query, of_key = self.heads
        return {
            "query": rows_type(self.rows, self.head_dim, self.dtype, heads=of_query),
            "key": rows_type(self.keys, self.head_dim, self.key or self.dtype, heads=of_key),
            "value": rows_type(self.keys, self.value_head_dim, self.value or self.dtype,
                               self.along_keys, of_key),
            "output": rows_type(self.rows, self.value_head_dim, self.output or self.dtype,
                                heads=of_query)}


class Sequences(NamedTuple):
    """Describes, in a kernel's text, sequences that are not batch entries of one length: the types
    of the arrays that describe them (by name), the op's clauses about these arrays, and lines of
    code before the op."""

    types: Dict[str, str]
    clauses: List[str]
    before: str = ""


class Features(NamedTuple):
    """Features of a kernel for which its text has operands, types or clauses, besides masks and
    regions."""

    # The dtype of the sink, or "" without a sink.
    sink: str = ""
    dropout_p: float = 0.0
    # The MLIR type that both the seed and the offset of dropout have: a number or a memref.
    seed: str = "i64"
    # The operands of the op's clause `with`, such as scales: for each its name, its type, and the
    # number of rows that share one of its elements.
    scales: Tuple[Tuple[str, str, int], ...] = ()


def mask_text(causal: Causal, window: Window, align: str) -> str:
    _, causal, window, align = check_options(None, causal, window, align)
    if isinstance(causal, str):
        causal, align = True, causal
    bounds = (None, None) if window is None else window
    parts = ["causal"] if causal else []
    parts += [f"{side} = {bound}" for side, bound in zip(("left", "right"), bounds)
              if bound is not None]
    return f"mask <{', '.join([align, *parts])}>" if parts else ""


def check_wrt(wrt: Union[str, Sequence[str]], captures: Sequence[str] = (),
              has_sink: bool = True) -> Tuple[str, ...]:
    """Checks `wrt`, the names of the gradients that a caller wants, and returns it as a tuple.
    Names of operands come first, and those of `captures`, the names of captured arrays, may
    follow."""
    names = (wrt,) if isinstance(wrt, str) else tuple(wrt) if isinstance(
        wrt, (tuple, list)) and all([isinstance(its, str) for its in wrt]) else ()
    named = tuple(name for name in NAMED_GRADIENTS if name in names)
    rest = names[len(named):]
    if not names or named != names[:len(named)] or len(set(rest)) != len(rest) \
            or not set(rest) <= set(captures):
        known = f", or of the captured {', '.join(captures)} behind these" \
            if captures else ""
        raise ArgumentError("wrt: expected some of 'query', 'key', 'value' and 'sink' in "
                            f"this order, each once{known}, found {wrt!r}")
    if "sink" in named and not has_sink:
        raise ArgumentError("wrt: expected no 'sink' without a sink")
    return names


def _scale_text(scale: Optional[float]) -> str:
    scale = as_scale(scale)
    if scale is None:
        return ""
    bits = struct.unpack("<Q", struct.pack("<d", scale))[0]
    return f"scale 0x{bits:016X}"


def array_type(rank: int, dtype: str, head_dim: Optional[int] = None) -> str:
    """Returns the memref type of arrays of rank `rank` whose rows are contiguous. Sizes and other
    strides are dynamic, except that the last size is `head_dim` if that is given."""
    sizes = "?x" * rank if head_dim is None else "?x" * (rank - 1) + f"{head_dim}x"
    return f"memref<{sizes}{dtype}, strided<[{'?, ' * (rank - 1)}1]>>"


def op_text(op: str, *clauses: Union[str, Tuple[str, Mapping[str, str]]],
            arguments: Optional[Mapping[str, str]] = None, before: str = "") -> str:
    """Returns the text of a function `main` with one op, after the lines `before`. Each clause is a
    text, or a pair: the clause's name, after which a further text may follow, and its operands
    (types by name). That text is printed in the parentheses before the operands. Clauses that are
    empty texts, or have no operands, are left out. `arguments` are the function's (types by name),
    by default the operands of all clauses."""
    lines: List[str] = [op]
    operands: Dict[str, str] = {}
    for clause in clauses:
        if isinstance(clause, str):
            lines += [clause] if clause else []
        elif clause[1]:
            name, _, first = clause[0].partition(" ")
            names, types = [", ".join(its) for its in zip(
                *[("%" + operand, type_) for operand, type_ in clause[1].items()])]
            lines.append(f"{name}({first}{' ' if first else ''}{names} : {types})")
            operands.update(clause[1])
    declared = ", ".join([f"%{name}: {type_}" for name, type_ in (arguments or operands).items()])
    body = "\n      ".join(lines)
    return f"func.func @main({declared}) {{\n{before}  {body}\n  return\n}}\n"


def rows_type(rows: Size, head_dim: int, dtype: str, along_keys: bool = False,
              heads: Size = "?") -> str:
    """Returns the memref type of an array of rank 4 with `heads` heads, `rows` rows or keys of a
    head, and the static size `head_dim`. Its batch size is dynamic, and so are its strides, except
    that rows are contiguous or, with `along_keys`, keys have stride 1."""
    strides = "?, ?, 1, ?" if along_keys else "?, ?, ?, 1"
    return f"memref<?x{heads}x{rows}x{head_dim}x{dtype}, strided<[{strides}]>>"


_LSE = array_type(3, "f32")


def _function_text(op: str, attributes: Sequence[str], ins: Mapping[str, str],
                   optional: Mapping[str, str], outs: Mapping[str, str],
                   score: str, mask: str, features: Features,
                   sequences: Optional[Sequences] = None,
                   value_dims: Optional[Tuple[int, int]] = None, few_rows: bool = False) -> str:
    """Returns the text of a function `main` with one attention op. `ins`, `optional` and `outs` map
    names of arrays to types; the arrays in `optional` have clauses with their names. The function's
    arguments are `ins`, `optional`, the arrays that the regions capture, the sink, the seed and the
    offset, scales, the arrays of `sequences`, and `outs`, in this order."""
    of_score, of_mask = types_of(score), types_of(mask)
    captures = {f"capture{i}": type_ for i, type_ in enumerate(of_score + of_mask)}
    sink: Dict[str, str] = {"sink": f"memref<?x{features.sink}>"} if features.sink else {}
    seeds: Dict[str, str] = {"seed": features.seed, "offset": features.seed} \
        if features.dropout_p else {}
    scales = {name: type_ for name, type_, _ in features.scales}
    its = sequences or Sequences({}, [])
    # In the op's text, the block of each region has arguments for the captured arrays of both
    # regions.
    regions = [f"{name} {{\n{region}\n      }}" for name, region in (
        ("score", with_captures(score, [], of_mask)),
        ("mask", with_captures(mask, of_score, []))) if region]
    return op_text(
        " ".join([op, *filter(None, attributes)]), ("ins", ins),
        f"value_dims [{value_dims[0]}, {value_dims[1]}]" if value_dims else "",
        *[(name, {name: type_}) for name, type_ in {**optional, **sink}.items()],
        (f"dropout {features.dropout_p:.17e},", seeds), ("captures", captures), *its.clauses,
        scales_text(features.scales), ("outs", outs), *regions,
        "{few_rows}" if few_rows else "",
        arguments={**ins, **optional, **captures, **sink, **seeds, **scales, **its.types, **outs},
        before=its.before)


# If a call has at most FEW_ROWS query rows and more than FEW_KEYS keys, its kernel is compiled for
# exactly that number of rows, since the compiler then divides the keys among CTAs
# (attn::mayDivideKeys).
FEW_ROWS = 16
FEW_KEYS = 256
# In gradients of at most FEW_ROWS rows, and of packed sequences of at most FEW_PACKED_ROWS rows on
# average, rows of heads that share keys are rows of one tile.
FEW_PACKED_ROWS = 2


def find_products(query: str, output: str) -> str:
    """Returns the dtype of the products' operands in the backward pass, and of gradients: that of
    the query or, beside a query of 8 bits, f16 if the output is f16 and else bf16."""
    return query if query in DTYPES else "f16" if output == "f16" else "bf16"


def module_text(arrays: Arrays, *, causal: Causal, window: Window, align: str,
                scale: Optional[float], return_lse: bool, score: str = "", mask: str = "",
                features: Features = Features(), sequences: Optional[Sequences] = None,
                value_dims: Optional[Tuple[int, int]] = None,
                fast_accumulate: bool = False) -> str:
    """Returns the text of a function `main` with one op attn.attention, for any batch size, lengths
    and strides. Its arguments are query, key, value (only without `value_dims`), the arrays that
    the regions capture, what `features` and `sequences` have, output, and with `return_lse`
    lse."""
    types = arrays.types()
    outs = {"output": types.pop("output"), **({"lse": _LSE} if return_lse else {})}
    if value_dims is not None:
        del types["value"]
    return _function_text(
        "attn.attention",
        [mask_text(causal, window, align), _scale_text(scale),
         "fast_accumulate" if fast_accumulate else ""],
        types, {}, outs, score, mask, features, sequences, value_dims)


def backward_text(arrays: Arrays, *, causal: Causal, window: Window, align: str,
                  scale: Optional[float], score: str = "", mask: str = "",
                  wrt: Sequence[str] = GRADIENTS, d_lse: bool = False,
                  deterministic: bool = False, narrow_products: Optional[str] = None,
                  gradient_dtypes: Optional[Sequence[str]] = None,
                  features: Features = Features(),
                  captures: Sequence[Tuple[int, int, str]] = (),
                  sequences: Optional[Sequences] = None, turns_d_value: bool = False) -> str:
    """Returns the text of a function `main` with one op attn.attention_backward, for any batch
    size, lengths and strides. `arrays` has numbers of heads only if calls have few query rows
    (find_few()); the rows of heads that share keys are then rows of one tile. The function's
    arguments are query, key, value, output, lse, d_output, with `d_lse` the gradient of the lse,
    the arrays that the regions capture, what `features` has, and the gradients that `wrt` and then
    `captures` list. `gradient_dtypes` are the dtypes of the gradients in `wrt`. By default, the
    gradient of the sink has the sink's dtype, and the others that of find_products(). `captures`
    has a number, a rank and a dtype for each captured array with a gradient: the array's number,
    and the gradient's rank and dtype. With `turns_d_value`, the array for d_value has stride 1
    along keys."""
    types = arrays.types()
    products = find_products(arrays.dtype, arrays.output or arrays.dtype)
    own = {"query": (arrays.head_dim, products), "key": (arrays.head_dim, products),
           "value": (arrays.value_head_dim, products), "sink": (0, features.sink)}
    outs = {f"d_{name}": f"memref<?x{its or own[name][1]}>" if name == "sink"
            else rows_type("?", own[name][0], its or own[name][1],
                           turns_d_value and name == "value", arrays.heads[name != "query"])
            for name, its in zip(wrt, gradient_dtypes or [""] * len(wrt))}
    names: List[str] = list(wrt)
    if captures:
        names.append(f"captures[{', '.join([str(number) for number, _, _ in captures])}]")
        outs.update({f"d_capture{number}": f"memref<{'?x' * rank}{its}>"
                     for number, rank, its in captures})
    listed = "" if tuple(names) == GRADIENTS else f"wrt({', '.join(names)})"
    return _function_text(
        "attn.attention_backward",
        [mask_text(causal, window, align), _scale_text(scale), listed,
         "deterministic" if deterministic else "",
         f"narrow_products<{narrow_products}>" if narrow_products else ""],
        {**types, "lse": _LSE, "d_output": types["output"]}, {"d_lse": _LSE} if d_lse else {}, outs,
        score, mask, features, sequences, few_rows=arrays.heads[0] != "?")
