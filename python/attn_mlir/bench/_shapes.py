"""What is timed. `attnc bench` has the same table: lib/Driver/BenchShapes.cpp."""

from typing import Iterable, List, NamedTuple, Optional, Tuple

SIZES = {"f16": 2, "bf16": 2, "f32": 4}
MASKS = {"no": (False,), "yes": (True,), "both": (False, True)}


def _pair(first: int, second: int) -> str:
    return f"{first}" if first == second else f"{first}:{second}"


class Shape(NamedTuple):
    """Plain attention; causal masks are aligned at the top left."""

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

    def __str__(self) -> str:
        return (f"{self.set} {self.dtype} {self.batch},{_pair(self.heads, self.kv_heads)}"
                f",{_pair(self.rows, self.keys)},{self.head_dims} {self.mask}")

    @property
    def head_dims(self) -> str:
        return _pair(self.head_dim, self.value_head_dim)

    @property
    def mask(self) -> str:
        return "causal" if self.causal else "full"

    @property
    def diagonal(self) -> int:
        """The last key that the first row sees, if causal."""
        return 0

    @property
    def flops(self) -> float:
        """2 B H Sq Skv (D + Dv), halved when causal."""
        all_ = (2 * self.batch * self.heads * self.rows * self.keys
                * (self.head_dim + self.value_head_dim))
        return all_ / 2 if self.causal else all_

    @property
    def bytes(self) -> int:
        """Query, key, value and output, each once."""
        return (self.batch * (self.head_dim + self.value_head_dim) * SIZES[self.dtype]
                * (self.heads * self.rows + self.kv_heads * self.keys))


def _table() -> List[Shape]:
    def llama(batch: int, heads: int, length: int) -> Shape:
        return Shape("llama", "bf16", batch, heads, 8, length, length, 128, 128,
                     True)

    table = [Shape("gpt2", "f16", 4, 12, 12, 1024, 1024, 64, 64, True),
             # Llama 3: 8B, and 70B as the last.
             llama(8, 32, 2048), llama(4, 32, 4096), llama(2, 32, 8192),
             llama(1, 64, 8192),
             Shape("flux", "bf16", 1, 24, 24, 4608, 4608, 128, 128, False)]
    # H D = 2048 and B S = 16384.
    for head_dim in (64, 128, 256):
        for causal in (False, True):
            for length in (512, 1024, 2048, 4096, 8192, 16384):
                heads = 2048 // head_dim
                table.append(Shape("grid", "bf16", 16384 // length, heads, heads, length,
                                   length, head_dim, head_dim, causal))
    for batch, heads, keys in ((1, 32, 4096), (1, 32, 65536), (16, 32, 8192),
                               (64, 32, 4096), (16, 64, 16384)):
        table.append(Shape("decode", "bf16", batch, heads, 8, 1, keys, 128, 128, False))
    # Beside the grid, by which schedules are chosen: odd lengths, head dims between, few
    # heads, keys of another length, models' own.
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


def _sizes(text: str, most: int) -> Tuple[int, ...]:
    """N or, where two are allowed, N:M."""
    sizes = tuple(int(part) for part in text.split(":") if part.isdecimal())
    if len(sizes) != text.count(":") + 1 or len(sizes) > most or not all(sizes):
        raise ValueError(text)
    return sizes[0], sizes[-1]


def _parse(text: str) -> Shape:
    try:
        batch, heads, length, head_dim = text.split(",")
        (b, _), (hq, hkv) = _sizes(batch, 1), _sizes(heads, 2)
        (sq, skv), (d, dv) = _sizes(length, 2), _sizes(head_dim, 2)
        if hq % hkv:
            raise ValueError(text)
    except ValueError:
        raise ValueError("expected gpt2, llama, flux, grid, decode, heldout, all or "
                         f"B,H[:HK],S[:SK],D[:DV] (HK divides H), found '{text}'") from None
    return Shape("given", "bf16", b, hq, hkv, sq, skv, d, dv, False)


def select(names: Iterable[str], dtype: Optional[str] = None,
           causal: Optional[str] = None) -> List[Shape]:
    """The shapes of sets ("all" is every set) and those given as
    B,H[:HK],S[:SK],D[:DV],
    which are in bf16 and without a mask unless `dtype` and `causal` say otherwise.
    Each shape comes once. ValueError names what is neither."""
    table, shapes = _table(), {}
    for name in names:
        listed = [shape for shape in table if name in ("all", shape.set)]
        for shape in listed or [_parse(name)]:
            for mask in MASKS[causal] if causal else (shape.causal,):
                chosen = shape._replace(dtype=dtype or shape.dtype, causal=mask)
                shapes[chosen] = None
    return list(shapes)
