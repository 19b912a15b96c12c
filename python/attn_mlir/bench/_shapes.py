"""The shapes that are timed. The table of those for plain forward passes is the same as that of
`attnc bench`, in lib/Driver/BenchShapes.cpp."""

from typing import Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple

SIZES = {"f16": 2, "bf16": 2, "f32": 4}
MASKS = {"no": (False,), "yes": (True,), "both": (False, True)}
PLAIN_SETS = ("gpt2", "llama", "flux", "grid", "decode", "heldout")
# For each set whose shapes are timed in several variants, the variants: a name, and whether a
# causal mask is added.
ROWS: Dict[str, Tuple[Tuple[str, bool], ...]] = {
    "backward": (("", False),),
    "masks": (("plain", False), ("plain", True), ("causal-mod", False), ("window", True),
              ("window-mod", False), ("documents", False), ("documents", True),
              ("prefix", False), ("alibi", False), ("softcap", False),
              ("softcap-approximate", False), ("sinks", False),
              ("dropout", False), ("bias", False), ("boolean", False),
              ("prepared", False)),
    "packed": (("forward", False), ("forward", True), ("backward", False),
               ("backward", True)),
    "pages": (("contiguous", False), ("pages-16", False), ("pages-64", False),
              ("pages-256", False)),
    "quantized": (("contiguous-e4m3", False), ("contiguous-i8", False),
                  ("contiguous-i4", False), ("pages-64-e4m3", False), ("pages-64-i8", False),
                  ("pages-64-i4", False)),
    # The variant "pages-64-e4m3-split" has latents of e4m3, and rotary keys in the query's dtype in
    # a second array.
    "latent": (("pages-64", False), ("pages-64-e4m3", False), ("pages-64-e4m3-split", False)),
    "eight-bits": (("e4m3", False), ("e4m3", True), ("e4m3-fast", False),
                   ("e4m3-fast", True)),
}
VARIANTS = {name: tuple(dict.fromkeys(variant for variant, _ in rows))
            for name, rows in ROWS.items() if name != "backward"}
_CACHES = ("pages", "quantized", "latent")
# The sets in which rows and keys are those of the same tokens, so that their numbers are equal.
_SQUARE = ("masks", "packed")


def _pair(first: int, second: int) -> str:
    return f"{first}" if first == second else f"{first}:{second}"


class Shape(NamedTuple):
    """A problem of attention that is timed, with the features that its set and its variant say.
    Causal masks are aligned at the top left, or, in sets with caches, at the bottom right."""

    set: str
    dtype: str
    batch: int
    heads: int
    kv_heads: int
    rows: int
    keys: int
    head_dim: int
    value_head_dim: int
    causal: bool
    variant: str = ""
    # How many of the B Hq Sq Skv pairs of a row and a key the mask keeps, or None if they have not
    # been counted.
    pairs: Optional[int] = None

    def __str__(self) -> str:
        return (f"{self.set} {self.dtype} {self.batch},{_pair(self.heads, self.kv_heads)}"
                f",{_pair(self.rows, self.keys)},{self.head_dims} {self.mask} "
                + self.variant).rstrip()

    @property
    def head_dims(self) -> str:
        return _pair(self.head_dim, self.value_head_dim)

    @property
    def mask(self) -> str:
        return "causal" if self.causal else "full"

    @property
    def diagonal(self) -> int:
        """The index of the last key that row 0 sees under a causal mask."""
        return self.keys - self.rows if self.set in _CACHES else 0

    @property
    def is_backward(self) -> bool:
        return "backward" in (self.set, self.variant)

    @property
    def passes(self) -> str:
        return "bwd" if self.is_backward else "fwd"

    @property
    def flops(self) -> float:
        """The number of FLOPs: 2 (D + Dv) for each pair, or 2 (3 D + 2 Dv) for gradients. If pairs
        have been counted, these count; else all pairs do, or half of them if the mask is causal."""
        pairs: float = self.batch * self.heads * self.rows * self.keys
        if self.pairs is not None:
            pairs = self.pairs
        elif self.causal:
            pairs /= 2
        width = self.head_dim + self.value_head_dim
        if self.is_backward:
            width = 3 * self.head_dim + 2 * self.value_head_dim
        return 2 * width * pairs

    @property
    def bytes(self) -> int:
        """The number of bytes of query, key, value and output, each counted once; twice as many
        with gradients."""
        # In a latent cache, values are columns of the keys, so that only keys count.
        width = self.head_dim + self.value_head_dim
        of_keys: float = self.head_dim if self.set == "latent" else width
        own = SIZES[self.dtype]
        stored: float = own
        if "e4m3" in self.variant or self.variant.endswith("-i8"):
            stored = 1
        elif self.variant.endswith("-i4"):
            stored = 0.5
        of_rows = width * own
        if self.set == "eight-bits":
            of_rows = self.head_dim + self.value_head_dim * own
        of_keys = of_keys * stored
        if self.variant.endswith("-split"):
            of_keys += (self.head_dim - self.value_head_dim) * (own - 1)
        forward = self.batch * (of_rows * self.heads * self.rows
                                + of_keys * self.kv_heads * self.keys)
        return int(2 * forward if self.is_backward else forward)


def _plain_table() -> List[Shape]:
    def llama(batch: int, heads: int, length: int) -> Shape:
        return Shape("llama", "bf16", batch, heads, 8, length, length, 128, 128,
                     True)

    table = [Shape("gpt2", "f16", 4, 12, 12, 1024, 1024, 64, 64, True),
             # Three of the following four shapes have the heads of Llama 3 8B. The last one, with
             # 64 query heads, has those of Llama 3 70B.
             llama(8, 32, 2048), llama(4, 32, 4096), llama(2, 32, 8192),
             llama(1, 64, 8192),
             Shape("flux", "bf16", 1, 24, 24, 4608, 4608, 128, 128, False)]
    # In all these shapes, heads times head dim is 2048, and batch times length is 16384.
    for head_dim in (64, 128, 256):
        for causal in (False, True):
            for length in (512, 1024, 2048, 4096, 8192, 16384):
                heads = 2048 // head_dim
                table.append(Shape("grid", "bf16", 16384 // length, heads, heads, length,
                                   length, head_dim, head_dim, causal))
    for batch, heads, keys in ((1, 32, 4096), (1, 32, 65536), (16, 32, 8192),
                               (64, 32, 4096), (16, 64, 16384)):
        table.append(Shape("decode", "bf16", batch, heads, 8, 1, keys, 128, 128, False))
    # Shapes for which the table of schedules was not tuned, unlike for those of the grid: odd
    # lengths, head dims between powers of two, few heads, fewer rows than keys, shapes of models.
    for its in (("bf16", 1, 32, 8, 4096, 4096, 128, 128, True),
                ("bf16", 1, 24, 24, 4608, 4608, 128, 128, False),
                ("bf16", 1, 40, 40, 3000, 3000, 128, 128, False),
                ("bf16", 4, 16, 16, 4096, 4096, 80, 80, False),
                ("bf16", 4, 16, 16, 4096, 4096, 96, 96, False),
                ("bf16", 4, 16, 16, 4096, 4096, 192, 128, True),
                ("bf16", 1, 16, 16, 2000, 10000, 128, 128, False),
                ("bf16", 64, 12, 12, 197, 197, 64, 64, False),
                ("bf16", 1, 2, 2, 65536, 65536, 64, 64, True),
                ("f16", 4, 12, 12, 1024, 1024, 64, 64, False),
                ("f16", 4, 12, 12, 1024, 1024, 64, 64, True)):
        table.append(Shape("heldout", *its))
    return table


def _rows_of(shape: Shape) -> List[Shape]:
    """Returns a shape of these sizes for each variant of its set."""
    return [shape._replace(variant=variant, causal=causal)
            for variant, causal in ROWS.get(shape.set, (("", False),))]


def _table() -> List[Shape]:
    table = _plain_table()
    gpt2 = table[0]
    backward = [shape for shape in table if shape.set == "grid"]
    backward += [gpt2._replace(causal=False), gpt2,
                 Shape("", "bf16", 4, 32, 8, 4096, 4096, 128, 128, True)]
    table += [shape._replace(set="backward") for shape in backward]
    for batch, length in ((4, 4096), (1, 16384)):
        table += _rows_of(Shape("masks", "bf16", batch, 16, 16, length, length, 128, 128,
                                False))
    table += _rows_of(Shape("packed", "bf16", 1, 16, 16, 16384, 16384, 128, 128, False))
    for batch in (16, 64):
        table += _rows_of(Shape("pages", "bf16", batch, 32, 8, 1, 4096, 128, 128, False))
    for batch, keys in ((16, 16384), (64, 4096), (1, 65536)):
        table += _rows_of(Shape("quantized", "bf16", batch, 32, 8, 1, keys, 128, 128, False))
    for heads, batch, rows, keys in (
            (128, 16, 4, 16384), (128, 128, 2, 4096), (128, 128, 1, 16384), (128, 128, 1, 4096),
            (128, 1, 1, 16384), (128, 1, 1, 65536), (64, 128, 1, 4096), (64, 1, 1, 65536),
            (16, 128, 1, 4096), (16, 1, 1, 65536)):
        # Shapes with several rows (new tokens) have a causal mask, so that a token does not see the
        # tokens after it. Shapes with one row need no mask.
        table += [its._replace(causal=rows > 1) for its in _rows_of(
            Shape("latent", "bf16", batch, heads, 1, rows, keys, 576, 512, False))]
    # In all these shapes, heads times head dim is 2048, and batch times length is 16384.
    for head_dim in (64, 128, 256):
        for length in (1024, 4096, 16384):
            heads = 2048 // head_dim
            table += _rows_of(Shape("eight-bits", "bf16", 16384 // length, heads, heads, length,
                                    length, head_dim, head_dim, False))
    return table


def _sizes(text: str, most: int) -> Tuple[int, ...]:
    """Parses a text N or, if `most` is 2, also N:M, of numbers above 0. Returns (N, M), or (N, N)
    without M. Raises ValueError for other texts."""
    sizes = tuple(int(part) for part in text.split(":") if part.isdecimal())
    if len(sizes) != text.count(":") + 1 or len(sizes) > most or not all(sizes):
        raise ValueError(text)
    return sizes[0], sizes[-1]


def _parse(text: str) -> List[Shape]:
    set_, _, given = text.partition(":")
    if set_ not in ROWS:
        set_, given = "given", text
    try:
        batch, heads, length, head_dim = given.split(",")
        (b, _), (hq, hkv) = _sizes(batch, 1), _sizes(heads, 2)
        (sq, skv), (d, dv) = _sizes(length, 2), _sizes(head_dim, 2)
        if hq % hkv or set_ in _SQUARE and sq != skv:
            raise ValueError(text)
    except ValueError:
        raise ValueError(
            f"expected {', '.join(PLAIN_SETS)}, all, {', '.join(ROWS)} or "
            "[SET:]B,H[:HK],S[:SK],D[:DV] (SET is one of the names after all; HK divides H; "
            f"{' and '.join(_SQUARE)} have no SK), found '{text}'") from None
    return _rows_of(Shape(set_, "bf16", b, hq, hkv, sq, skv, d, dv, False))


def select(names: Iterable[str], dtype: Optional[str] = None,
           causal: Optional[str] = None,
           variants: Optional[Sequence[str]] = None) -> List[Shape]:
    """Returns the shapes that `names` select, each once. A name is that of a set ("all" is every
    set of plain forward passes), or a shape [SET:]B,H[:HK],S[:SK],D[:DV]. Such a shape is in bf16
    and has the masks of the set's variants, without a set none. `dtype` and `causal` replace a
    shape's dtype and mask. `variants` leaves, of sets that have variants, only these. Raises
    ValueError for other names, and if `variants` leave no shape."""
    table = _table()
    shapes: Dict[Shape, None] = {}
    for name in names:
        sets = PLAIN_SETS if name == "all" else (name,)
        for shape in [its for its in table if its.set in sets] or _parse(name):
            for mask in MASKS[causal] if causal else (shape.causal,):
                if variants is None or not shape.variant or shape.variant in variants:
                    chosen = shape._replace(dtype=dtype or shape.dtype, causal=mask)
                    shapes[chosen] = None
    if not shapes:
        raise ValueError("expected a set that has one of the variants "
                         + ", ".join(variants or ()))
    return list(shapes)
