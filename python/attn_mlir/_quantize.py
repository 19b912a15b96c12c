"""Arrays in 8 bits and in 4, with scales and without their means."""

import math
from typing import Any, NamedTuple, Optional, Sequence, Tuple, Union

from ._arrays import adapter_of, expected
from ._checks import check_finite
from ._options import as_flag
from ._quantize_kernel import has_kernel, store_by_kernel


class _Stored(NamedTuple):
    """A stored dtype and the range of its numbers. Scales map the largest magnitude of a block
    to `largest`."""

    name: str
    smallest: float
    largest: float


_DTYPES = {"float8_e4m3fn": _Stored("float8_e4m3fn", -448.0, 448.0),
           "float8_e5m2": _Stored("float8_e5m2", -57344.0, 57344.0),
           "int8": _Stored("int8", -128.0, 127.0),
           # Two numbers to a byte.
           "i4": _Stored("uint8", -8.0, 7.0)}
_SPELLINGS = {"e4m3": "float8_e4m3fn", "f8E4M3FN": "float8_e4m3fn", "e5m2": "float8_e5m2",
              "f8E5M2": "float8_e5m2", "i8": "int8", "int4": "i4"}
# The smallest scale, which attn.quantize and attn.append use, too.
_LEAST = 2.0**-126
_FLOATS = ("float16", "bfloat16", "float32")
_KINDS = ("tensor", "head", "token", "channel")


class _Torch:
    owner = "torch's"

    def __init__(self, torch: Any) -> None:
        self.torch, self.where = torch, torch.where
        self.isfinite, self.int8 = torch.isfinite, torch.int8

    def widen(self, x: Any) -> Any:
        return x.to(self.torch.float32)

    def largest(self, x: Any, axes: Sequence[int]) -> Any:
        return x.abs().amax(tuple(axes), keepdim=True)

    def sum(self, x: Any, axis: int) -> Any:
        return x.sum(axis, keepdim=True)

    def repeat(self, x: Any, count: int, axis: int) -> Any:
        return x.repeat_interleave(count, axis)

    def pad(self, x: Any, axis: int, count: int) -> Any:
        sizes = [*x.shape]
        sizes[axis] = count
        return self.torch.cat([x, x.new_zeros(sizes)], axis)

    def ones(self, like: Any, sizes: Sequence[int]) -> Any:
        return self.torch.ones(sizes, dtype=self.torch.float32, device=like.device)

    def store(self, x: Any, stored: _Stored) -> Any:
        x = x.clamp(stored.smallest, stored.largest)
        if stored.name == "uint8":
            found = self.torch.nan_to_num(x).round().to(self.torch.int8)
            return _pack(found).view(self.torch.uint8)
        if stored.name == "int8":
            return self.torch.nan_to_num(x).round().to(self.torch.int8)
        return x.to(getattr(self.torch, stored.name))

    def narrow(self, x: Any, like: Any) -> Any:
        return x.to(like.dtype)

    def stack(self, arrays: Sequence[Any]) -> Any:
        return self.torch.stack(list(arrays), -1)

    def contiguous(self, x: Any) -> Any:
        return x.contiguous()

    def empty(self, like: Any, sizes: Sequence[int], dtype: str) -> Any:
        return like.new_empty(sizes, dtype=getattr(self.torch, dtype))


class _NumPy:
    owner = "NumPy's"

    def __init__(self, numpy: Any) -> None:
        self.numpy, self.where = numpy, numpy.where
        self.isfinite, self.int8 = numpy.isfinite, numpy.int8

    def widen(self, x: Any) -> Any:
        return x.astype(self.numpy.float32)

    def largest(self, x: Any, axes: Sequence[int]) -> Any:
        return self.numpy.abs(x).max(tuple(axes), keepdims=True)

    def sum(self, x: Any, axis: int) -> Any:
        return x.sum(axis, keepdims=True)

    def repeat(self, x: Any, count: int, axis: int) -> Any:
        return self.numpy.repeat(x, count, axis)

    def pad(self, x: Any, axis: int, count: int) -> Any:
        widths = [(0, count if axis == its else 0) for its in range(x.ndim)]
        return self.numpy.pad(x, widths)

    def ones(self, like: Any, sizes: Sequence[int]) -> Any:
        return self.numpy.ones(sizes, self.numpy.float32)

    def store(self, x: Any, stored: _Stored) -> Any:
        with self.numpy.errstate(invalid="ignore"):
            x = x.clip(stored.smallest, stored.largest)
            if stored.name in ("int8", "uint8"):
                found = self.numpy.nan_to_num(self.numpy.rint(x)).astype(self.numpy.int8)
                return _pack(found).view(self.numpy.uint8) if stored.name == "uint8" else found
            return x.astype(_find_ml_dtype(stored.name))

    def narrow(self, x: Any, like: Any) -> Any:
        return x.astype(like.dtype)

    def stack(self, arrays: Sequence[Any]) -> Any:
        return self.numpy.stack(list(arrays), -1)

    def contiguous(self, x: Any) -> Any:
        return self.numpy.ascontiguousarray(x)

    def empty(self, like: Any, sizes: Sequence[int], dtype: str) -> Any:
        own = _find_ml_dtype(dtype) if dtype.startswith("float8") else dtype
        return self.numpy.empty(sizes, own)


def _pack(numbers: Any) -> Any:
    """Packs pairs of columns of 4-bit numbers into bytes, the first column in the low half."""
    return numbers[..., ::2] & 15 | numbers[..., 1::2] << 4


def unpack(x: Any) -> Any:
    """Two columns of int8 for each of bytes that have two numbers of 4 bits."""
    xp = _library_of("x", x)
    signed = x.view(xp.int8)
    return xp.stack((signed << 4 >> 4, signed >> 4)).reshape(
        (*x.shape[:-1], 2 * x.shape[-1]))


def _find_ml_dtype(name: str) -> Any:
    try:
        import ml_dtypes
    except ImportError:
        raise expected("dtype", "'i8' or 'i4' for NumPy's arrays where the package ml_dtypes, "
                       "which has floats of 8 bits, is not installed", repr(name)) from None
    return getattr(ml_dtypes, name)


def _library_of(name: str, x: Any) -> Any:
    adapter = adapter_of(name, x)
    for module, kind in (("torch", _Torch), ("numpy", _NumPy)):
        if hasattr(adapter, module):
            return kind(getattr(adapter, module))
    raise expected(name, "an array of NumPy's or torch's", type(x).__qualname__)


def _dtype_name(dtype: Any) -> str:
    """The name that torch and NumPy have for it."""
    text = str(getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or dtype)
    text = text.rpartition(".")[2]
    return _SPELLINGS.get(text, text)


def _check_block(block: Any) -> None:
    if type(block) is not int or block < 16 or block & (block - 1):
        raise expected("scale", "a power of two of at least 16 as the tokens of a block", block)


def _check_kind(kind: Union[str, int], rank: int) -> None:
    if isinstance(kind, int):
        _check_block(kind)
    elif kind not in _KINDS or kind == "channel" and rank == 3:
        raise expected("scale", "'tensor', 'head', 'token', 'channel' (of 4 dimensions), a "
                       "number of tokens, or an array", repr(kind))


def quantize(x: Any, dtype: Any, *, scale: Union[str, int, Any] = "head",
             center: bool = False, check: bool = False) -> Tuple[Any, ...]:
    """Stores an array in 8 bits, or in 4: (stored, scale), or with `center` (stored, scale,
    mean), such that x is about stored * scale + mean.

    | array | sizes | dtype |
    |---|---|---|
    | `x` | (B, H, S, D), or packed (T, H, D) | float16, bfloat16 or float32 |
    | stored | as x | what `dtype` says; of "i4" uint8, with D / 2 columns |
    | mean | (B, H, 1, D), or (1, H, D) | float32 |

    | `scale` | sizes of the result's, float32 | packed |
    |---|---|---|
    | "tensor" | () | () |
    | "head" | (B, H) | (H,) |
    | "token" | (B, H, S) | (T, H) |
    | a number n of tokens, a power of two from 16 on | a pair: (B, H, S / n) rounded up, and n | a pair: (T / n, H), and n |
    | "channel" | (B, H, 1, D) | |
    | an array, or a pair, of these sizes, each of which may be 1 | itself | itself |

    - `dtype`: "e4m3", "e5m2" or "i8", or torch's or ml_dtypes' of that name, or "i4": two
      numbers to a byte, the one with the even column in the low half, as `attention` takes
      them with `kv_dtype="i4"`. D is even.
    - A scale is the largest finite magnitude of the numbers that share it, divided by the
      largest number of the dtype (448, 57344, 127, 7), and at least 2^-126.
    - Numbers are divided by their scale in float32, rounded to nearest even, and saturate;
      infinities do, too. NaN stays NaN, or is 0 in integers. Scales that are made, means and
      what is stored come from kernels of one call; with a given scale, of tensors with gradients
      and of arrays whose rows have gaps, from operations of torch's or NumPy's.
    - `center`: subtract each channel's mean over tokens, of finite numbers, first. Softmax
      does not see a mean of keys, and that of values is added to the output: `uncenter` does
      both.
    - `check`: raise for a given scale that is not a finite number, after reading the scale on
      the host.

    `attention`, `varlen` and `decode` take stored keys and values with these scales, as
    `k_scale` and `v_scale`. Within torch.compile the call is operators of torch's. Raises
    ArgumentError, which names the argument.
    """
    xp = _library_of("x", x)
    stored = _DTYPES.get(_dtype_name(dtype))
    if stored is None:
        raise expected("dtype", "'e4m3', 'e5m2', 'i8' or 'i4', or torch's or ml_dtypes' of "
                       "the name of one of 8 bits", repr(dtype))
    rank = len(x.shape)
    if rank not in (3, 4):
        raise expected("x", "sizes (B, H, S, D), or (T, H, D)", tuple(x.shape))
    if stored.name == "uint8" and x.shape[-1] % 2:
        raise expected("x", "an even head dim for 'i4', two numbers to a byte", x.shape[-1])
    if _dtype_name(x.dtype) not in _FLOATS:
        raise expected("x", "dtype float16, bfloat16 or float32", x.dtype)
    center, check = as_flag("center", center), as_flag("check", check)
    is_made = isinstance(scale, str) or type(scale) is int
    if is_made:
        _check_kind(scale, rank)
        if has_kernel(x):
            found, made, mean = store_by_kernel(xp, x, stored.name, scale, center)
            if type(scale) is int:
                made = made, scale
            return (found, made, mean) if center else (found, made)
    tokens = rank - 2 if rank == 4 else 0
    if not is_made:
        _check_given(xp, x, scale, check)
    wide = xp.widen(x)
    mean = None
    if center:
        mean = _find_mean(xp, wide, tokens)
        wide = wide - mean
    if is_made:
        scale, spread = _make_scale(xp, wide, scale, tokens, stored)
    else:
        spread = _spread(xp, scale, x.shape, tokens)
    found = xp.store(wide / spread, stored)
    return (found, scale) if mean is None else (found, scale, mean)


def _check_given(xp: Any, x: Any, scale: Any, check: bool) -> None:
    """Raises for a scale, or the array of a pair, of another library or device than `x`, and with
    `check` for one that is not finite."""
    array = scale[0] if isinstance(scale, (tuple, list)) and len(scale) == 2 else scale
    own = _library_of("scale", array)
    if own.owner != xp.owner:
        raise expected("scale", f"an array of {xp.owner}, as x is", f"one of {own.owner}")
    places = [getattr(its, "device", None) for its in (x, array)]
    if places[0] != places[1] and len(array.shape) > 0:
        raise expected("scale", f"an array on {places[0]}, as x is", f"one on {places[1]}")
    if not check:
        return
    if adapter_of("x", x).is_followed():
        raise expected("check", "False within torch.compile", "True")
    check_finite("scale", array)


def _only_finite(xp: Any, wide: Any) -> Any:
    return xp.where(xp.isfinite(wide), wide, 0 * xp.ones(wide, ()))


def _find_mean(xp: Any, wide: Any, tokens: int) -> Any:
    count = xp.sum(xp.widen(xp.isfinite(wide)), tokens)
    return xp.sum(_only_finite(xp, wide), tokens) / xp.where(
        count > 0, count, xp.ones(wide, ()))


def _make_scale(xp: Any, wide: Any, kind: Union[str, int], tokens: int,
                stored: _Stored) -> Tuple[Any, Any]:
    """Computes the scale, as it is returned and as it is broadcast to the array."""
    rank = len(wide.shape)
    finite = _only_finite(xp, wide)
    axes = {"tensor": range(rank), "head": (tokens, rank - 1), "token": (rank - 1,),
            "channel": (tokens,)}.get(kind, ())
    if not isinstance(kind, int):
        largest = _largest(xp, finite, axes, stored)
        if kind == "tensor":
            return largest.reshape(()), largest
        if kind == "head":
            return largest.reshape(wide.shape[:2] if rank == 4 else wide.shape[1:2]), largest
        return (largest if kind == "channel" else largest[..., 0]), largest
    count = wide.shape[tokens]
    blocks = -(-count // kind)
    padded = xp.pad(finite, tokens, blocks * kind - count)
    sizes = [*wide.shape]
    sizes[tokens:tokens + 1] = [blocks, kind]
    largest = _largest(xp, padded.reshape(sizes), (tokens + 1, rank), stored)
    largest = largest.reshape([*sizes[:tokens + 1], *sizes[tokens + 2:-1]])
    return (largest, kind), _spread(xp, (largest, kind), wide.shape, tokens)


def _largest(xp: Any, finite: Any, axes: Sequence[int], stored: _Stored) -> Any:
    """The scales of blocks along `axes`, which have size 1 in the result."""
    sizes = [1 if dim in axes else size for dim, size in enumerate(finite.shape)]
    if 0 in finite.shape:
        return xp.ones(finite, sizes)
    # Divides by an array, not by a number: on a GPU, torch replaces a division by a number with a
    # multiplication by its reciprocal, which rounds differently.
    one = xp.ones(finite, ())
    largest = xp.largest(finite, axes) / (stored.largest * one)
    return xp.where(largest > _LEAST, largest, _LEAST * one)


def _spread(xp: Any, scale: Any, sizes: Sequence[int], tokens: int) -> Any:
    """Broadcasts a scale, in the form that attention takes, to an array of these sizes."""
    block = 1
    if isinstance(scale, (tuple, list)):
        if len(scale) != 2:
            raise expected("scale", "an array, or a pair of one and of how many tokens an "
                           "element is for", repr(scale))
        scale, block = scale
        _check_block(block)
    own, rank = len(scale.shape), len(sizes)
    if _dtype_name(scale.dtype) != "float32":
        raise expected("scale", "dtype float32", scale.dtype)
    if own == 0:
        return scale
    count = -(-sizes[tokens] // block)
    if rank == 4:
        wanted = {2: sizes[:2], 3: (*sizes[:2], count), 4: (*sizes[:2], 1, sizes[3])}
    else:
        wanted = {1: sizes[1:2], 2: (count, sizes[1])}
    form = wanted.get(own)
    if form is None or any([size not in (1, full) for size, full in zip(scale.shape, form)]):
        texts = [str(tuple(its)) for its in wanted.values()]
        raise expected("scale", f"sizes () or {' or '.join(texts)}, each of which may be 1",
                       tuple(scale.shape))
    if block > 1 and scale.shape[tokens] > 1:
        scale = xp.repeat(scale, block, tokens)
        scale = scale[:, :, :sizes[tokens]] if rank == 4 else scale[:sizes[tokens]]
    if own == rank:
        return scale
    if rank == 4 and own == 2:
        return scale[..., None, None]
    return scale[..., None]


def uncenter(o: Any, lse: Any = None, *, q: Any = None, k_mean: Any = None,
             v_mean: Any = None, scale: Optional[float] = None, sink: Any = None) -> Any:
    """The output, and with `lse` a pair with the lse, of attention over keys and values
    from which `quantize(..., center=True)` has taken the means.

    | array | sizes | dtype |
    |---|---|---|
    | `o` | (B, Hq, Sq, Dv) | float16, bfloat16 or float32 |
    | `lse` | (B, Hq, Sq), or None | float32 |
    | `q` | (B, Hq, Sq, D), with `k_mean` | as o |
    | `k_mean` | (B, Hkv, 1, D), or None | float32 |
    | `v_mean` | (B, Hkv, 1, Dv), or None | float32 |

    The lse grows by scale * (q . k_mean), with `scale` by default 1 / sqrt(D), the output by
    v_mean. Rows with nothing to attend to, whose lse is -inf, stay as they are: give the lse
    where there may be some. Means cannot be added after a call with a score function, a sink
    or dropout. A sink is an error; score functions and dropout cannot be detected here.
    """
    xp = _library_of("o", o)
    if sink is not None:
        raise expected("sink", "None: means cannot be added after a call with a sink",
                       type(sink).__qualname__)
    if len(o.shape) != 4:
        raise expected("o", "sizes (B, Hq, Sq, Dv)", tuple(o.shape))
    for name, mean in (("k_mean", k_mean), ("v_mean", v_mean)):
        if mean is not None and (len(mean.shape) != 4 or mean.shape[2] != 1
                                 or not mean.shape[1] or o.shape[1] % mean.shape[1]):
            raise expected(name, "sizes (B, Hkv, 1, D), where Hkv divides Hq",
                           tuple(mean.shape))
    if v_mean is not None:
        wide = xp.widen(o) + xp.repeat(v_mean, o.shape[1] // v_mean.shape[1], 1)
        o = xp.narrow(wide if lse is None else xp.where(
            (lse == -math.inf)[..., None], xp.widen(o), wide), o)
    if lse is None:
        return o
    if k_mean is not None:
        if q is None:
            raise expected("q", "the query, with k_mean and lse", "None")
        if scale is None:
            scale = q.shape[3] ** -0.5
        mean = xp.repeat(k_mean, q.shape[1] // k_mean.shape[1], 1)
        lse = lse + scale * xp.sum(xp.widen(q) * mean, 3)[..., 0]
    return o, lse
