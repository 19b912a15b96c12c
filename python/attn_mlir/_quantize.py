"""Stores arrays in 8 bits or 4, with scales, and with `center` after subtracting their means."""

import math
from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple, Union

from ._adapter import find_dtype_name, find_ml_dtype
from ._arrays import Adapter, adapter_of, expected
from ._checks import check_finite
from ._constants import refuse_tensors
from ._frames import Calls
from ._module import DTYPES as FLOATS
from ._module import array_type, op_text, rows_type
from ._options import as_flag, as_python_integer
from ._rows import Operand, describe, run

calls = Calls()


class _Stored(NamedTuple):
    """A dtype in which arrays are stored, and the range of its numbers. The scale of a block maps
    the block's largest magnitude to `largest`."""

    name: str
    smallest: float
    largest: float


_DTYPES = {its.name: its for its in (
    _Stored("f8E4M3FN", -448.0, 448.0), _Stored("f8E5M2", -57344.0, 57344.0),
    _Stored("i8", -128.0, 127.0), _Stored("i4", -8.0, 7.0))}
# The smallest scale that `quantize` computes. The ops attn.quantize and attn.append have the same
# limit.
_LEAST = 2.0**-126
# The largest head dim for which the kernel of attn.quantize can be compiled.
_WIDEST = 576
_KINDS = ("tensor", "head", "token", "channel")
_OWNERS = {"torch": "torch's", "numpy": "NumPy's"}


def _repeat(adapter: Adapter, x: Any, count: int, axis: int) -> Any:
    """Returns an array that has each element of dimension `axis` of `x` `count` times, one after
    the other."""
    before, size, after = x.shape[:axis], x.shape[axis], x.shape[axis + 1:]
    spread = adapter.expand(x.reshape((*before, size, 1, *after)), (*before, size, count, *after))
    return spread.reshape((*before, size * count, *after))


def _store(adapter: Adapter, x: Any, stored: _Stored) -> Any:
    x = x.clip(stored.smallest, stored.largest)
    if stored.name[0] == "f":
        return adapter.convert(x, stored.name)
    found = adapter.convert(adapter.library.nan_to_num(x).round(), "i8")
    if stored.name == "i8":
        return found
    # Each byte stores two columns of 4 bits, the one with the even number in its low half.
    return (found[..., ::2] & 15 | found[..., 1::2] << 4).view(adapter.library.uint8)


def unpack(x: Any) -> Any:
    """Returns an array of int8 with twice as many columns, from an array of uint8 whose bytes have
    two signed numbers of 4 bits each."""
    xp = adapter_of("x", x).require_library("x", x).library
    signed = x.view(xp.int8)
    return xp.stack((signed << 4 >> 4, signed >> 4), -1).reshape(
        (*x.shape[:-1], 2 * x.shape[-1]))


def _check_block(block: Any) -> None:
    if type(block) is not int or block < 16 or block & (block - 1):
        raise expected("scale", "a power of two of at least 16 as the tokens of a block", block)


def has_kernel(x: Any) -> bool:
    """Whether a kernel can store the array: it has elements, a head dim of at most _WIDEST, and
    contiguous rows, it is in the memory of a CPU or a CUDA device, and neither autograd,
    torch.compile nor a mode of torch has to see the operations on it."""
    if 0 in x.shape or x.shape[-1] > _WIDEST:
        return False
    if getattr(getattr(x, "device", None), "type", "cpu") not in ("cpu", "cuda"):
        return False
    if any([its % x.itemsize for its in getattr(x, "strides", ())]):  # fields of NumPy's records
        return False
    adapter = adapter_of("x", x)
    if adapter.is_followed() or adapter.needs_operator(x):
        return False
    _, sizes, strides, *_ = adapter.describe("x", x)
    return strides[-1] == 1 or sizes[-1] == 1


def _store_by_kernel(adapter: Adapter, x: Any, stored: str, kind: str, block: int,
                    is_centered: bool, options: Tuple[Any, ...]) -> Tuple[Any, Any, Optional[Any]]:
    """Stores the array `x` by a kernel. Returns the stored array of dtype `stored`, the scale, and
    the mean or None, as `quantize` returns them. `kind` says what each scale is for, such as
    "head", and `block` for how many tokens. The call is remembered by `options` if its results are
    those of the kernel."""
    is_packed = len(x.shape) == 3

    def as_heads(array: Any) -> Any:
        return array.swapaxes(0, 1)[None] if is_packed else array

    batch, heads, tokens, width = as_heads(x).shape
    sizes = _forms((batch, heads, tokens, width), 2, block)[kind]
    kv_dtype = stored if stored == "i4" else None
    found = adapter.new(x, (*x.shape[:-1], width // 2 if kv_dtype else width),
                        "u8" if kv_dtype else stored)
    scale = adapter.new(x, sizes, "f32")
    shape = ("B", "H", "S", "D")
    operands = [Operand("x", as_heads(x), shape, FLOATS),
                Operand("stored", as_heads(found), shape, (stored,), True, True, kv_dtype),
                Operand("scale", scale, sizes, ("f32",), True)]
    mean = None
    if is_centered:
        mean = adapter.new(x, (batch, heads, 1, width), "f32")
        operands.append(Operand("mean", mean, (batch, heads, 1, width), ("f32",), True))
    operands = describe(operands)
    dtype, rank = operands[0].dtype, len(sizes)

    def text() -> str:
        of_channels = rows_type(1, width, "f32")
        outs = {"stored": array_type(4, stored, width), "scale": "memref<f32>" if rank == 0 else
                of_channels if rank == 4 else array_type(rank, "f32")}
        if is_centered:
            outs["mean"] = of_channels
        return op_text("attn.quantize", ("ins", {"x": array_type(4, dtype, width)}),
                       f"block {block}" if block > 1 else "", "centered" if is_centered else "",
                       ("outs", outs))

    kernel = run(("quantize", dtype, width, stored, rank, block, is_centered), text, operands, None)
    if not is_packed and block == 1:
        calls.remember((x,), options, None, kernel, operands,
                       (found, scale) if mean is None else (found, scale, mean), True, ("x",))
    if is_packed:
        if len(sizes) > 1:
            scale = scale[0]
        if len(sizes) == 3:
            scale = scale.swapaxes(0, 1)
            scale = scale.reshape(-1).reshape(scale.shape)  # without gaps
        if mean is not None:
            mean = mean[:, :, 0]
    return found, scale, mean


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
    - Numbers are divided by their scale in float32, rounded to nearest even, and saturate, as do
      infinities. NaN stays NaN, or becomes 0 in integers. A kernel computes scales, means and the
      stored array; but with a given scale, for tensors with gradients, and for arrays whose rows
      are not contiguous, operations of torch or NumPy do that.
    - `center`: first subtract each channel's mean over tokens, computed from finite numbers.
      Without the keys' mean, a row's scores all change by the same number, so the output stays the
      same, but the lse does not: `uncenter` corrects it. `attention` takes the values' mean as
      `v_mean`.
    - `check`: raise for a given scale that is not a finite number, after reading the scale on
      the host.

    `attention`, `varlen` and `decode` take stored keys and values with these scales and the
    mean, as `k_scale`, `v_scale` and `v_mean`. Within torch.compile the call is operators of
    torch's. Raises ArgumentError, which names the argument.
    """
    refuse_tensors({"dtype": dtype, "center": center, "check": check})
    adapter = adapter_of("x", x).require_library("x", x)
    name = find_dtype_name(dtype)
    options = name, scale, center, check
    if not adapter.is_followed():
        known = calls.find((x,), options, None, None)
        if known is not NotImplemented:
            return known
    stored = _DTYPES.get(name)
    if stored is None:
        raise expected("dtype", "'e4m3', 'e5m2', 'i8' or 'i4', or torch's or ml_dtypes' of "
                       "the name of one of 8 bits", repr(dtype))
    rank = len(x.shape)
    if rank not in (3, 4):
        raise expected("x", "sizes (B, H, S, D), or (T, H, D)", tuple(x.shape))
    if stored.name == "i4" and x.shape[-1] % 2:
        raise expected("x", "an even head dim for 'i4', two numbers to a byte", x.shape[-1])
    if find_dtype_name(x.dtype) not in FLOATS:
        raise expected("x", "dtype float16, bfloat16 or float32", x.dtype)
    center, check = as_flag("center", center), as_flag("check", check)
    scale = as_python_integer(scale)
    if isinstance(scale, (tuple, list)):
        plain = [as_python_integer(its) for its in scale]
        # A pair of Python's own numbers is returned as it was given.
        if any([one is not other for one, other in zip(plain, scale)]):
            scale = tuple(plain)
    is_made = isinstance(scale, str) or type(scale) is int
    kind, block = ("token", scale) if type(scale) is int else (scale, 1)
    if not is_made:
        _check_given(adapter, x, scale, check)
    elif kind is not scale:
        _check_block(block)
    elif kind not in _KINDS or kind == "channel" and rank == 3:
        raise expected("scale", "'tensor', 'head', 'token', 'channel' (of 4 dimensions), a "
                       "number of tokens, or an array", repr(kind))
    if stored.name[0] == "f" and adapter.library.__name__ == "numpy":
        find_ml_dtype(stored.name, "dtype", "'i8' or 'i4' for NumPy's arrays")
    if is_made and has_kernel(x):
        found, made, mean = _store_by_kernel(adapter, x, stored.name, kind, block, center, options)
        scale = (made, block) if block > 1 else made
        return (found, scale, mean) if center else (found, scale)
    tokens = rank - 2 if rank == 4 else 0
    wide = adapter.convert(x, "f32")
    mean = None
    if center:
        mean = _find_mean(adapter, wide, tokens)
        wide = wide - mean
    if is_made:
        made = _make_scale(adapter, wide, kind, block, tokens, stored)
        scale = (made, block) if block > 1 else made
    found = _store(adapter, wide / _spread(adapter, scale, x.shape, tokens), stored)
    return (found, scale) if mean is None else (found, scale, mean)


def _check_given(adapter: Adapter, x: Any, scale: Any, check: bool) -> None:
    """Raises if a given scale, or the array of a pair, is not of the same library and on the same
    device as `x`; a scale without dimensions may be on any device. With `check`, also raises if it
    is not finite."""
    array = scale[0] if isinstance(scale, (tuple, list)) and len(scale) == 2 else scale
    own = adapter_of("scale", array).require_library("scale", array)
    owners = [_OWNERS[its.library.__name__] for its in (adapter, own)]
    if owners[0] != owners[1]:
        raise expected("scale", f"an array of {owners[0]}, as x is", f"one of {owners[1]}")
    places = [getattr(its, "device", None) for its in (x, array)]
    if places[0] != places[1] and len(array.shape) > 0:
        raise expected("scale", f"an array on {places[0]}, as x is", f"one on {places[1]}")
    if not check:
        return
    if adapter.is_followed():
        raise expected("check", "False within torch.compile", "True")
    check_finite("scale", array)


def _only_finite(adapter: Adapter, wide: Any) -> Any:
    xp = adapter.library
    return xp.where(xp.isfinite(wide), wide, adapter.full(wide, (), "f32", 0))


def _find_mean(adapter: Adapter, wide: Any, tokens: int) -> Any:
    xp, one = adapter.library, adapter.full(wide, (), "f32", 1)
    count = adapter.convert(xp.isfinite(wide), "f32").sum(axis=tokens, keepdims=True)
    whole = _only_finite(adapter, wide).sum(axis=tokens, keepdims=True)
    return whole / xp.where(count > 0, count, one)


def _forms(sizes: Sequence[int], tokens: int, block: int = 1) -> Dict[str, Tuple[int, ...]]:
    """Returns the sizes that a scale of an array of sizes `sizes` has, for each kind of scale.
    `tokens` is the array's dimension of tokens. The kind "token" has one scale for each `block`
    tokens."""
    count = -(-sizes[tokens] // block)
    if len(sizes) == 3:
        return {"tensor": (), "head": (sizes[1],), "token": (count, sizes[1])}
    return {"tensor": (), "head": (*sizes[:2],), "token": (*sizes[:2], count),
            "channel": (*sizes[:2], 1, sizes[3])}


def _make_scale(adapter: Adapter, wide: Any, kind: str, block: int, tokens: int,
                stored: _Stored) -> Any:
    """Computes the scale of an array of f32, with `block` tokens for each."""
    form = _forms(wide.shape, tokens, block)[kind]
    if 0 in wide.shape:
        return adapter.full(wide, form, "f32", 1)
    xp, rank, finite = adapter.library, len(wide.shape), _only_finite(adapter, wide)
    axes: Any = {"tensor": range(rank), "head": (tokens, rank - 1),
                 "channel": (tokens,)}.get(kind, (rank - 1,))
    if block > 1:
        sizes = [*wide.shape]
        sizes[tokens] = -sizes[tokens] % block
        finite = xp.concatenate([finite, adapter.full(wide, sizes, "f32", 0)], tokens)
        sizes[tokens:tokens + 1] = [-1, block]
        finite, axes = finite.reshape(sizes), (tokens + 1, rank)
    # The divisor is an array and not a number. On a GPU, torch would replace a division by a number
    # with a multiplication by its reciprocal, which rounds differently.
    one = adapter.full(wide, (), "f32", 1)
    scale = xp.amax(xp.abs(finite), axis=tuple(axes)) / (stored.largest * one)
    return xp.where(scale > _LEAST, scale, _LEAST * one).reshape(form)


def _spread(adapter: Adapter, scale: Any, sizes: Sequence[int], tokens: int) -> Any:
    """Returns a scale, given in the form that `attention` takes, so that it broadcasts to an array
    of sizes `sizes`, whose dimension of tokens is `tokens`."""
    block = 1
    if isinstance(scale, (tuple, list)):
        if len(scale) != 2:
            raise expected("scale", "an array, or a pair of one and of how many tokens an "
                           "element is for", repr(scale))
        scale, block = scale
        _check_block(block)
    own, rank = len(scale.shape), len(sizes)
    if find_dtype_name(scale.dtype) != "f32":
        raise expected("scale", "dtype float32", scale.dtype)
    forms = _forms(sizes, tokens, block)
    if block > 1:
        forms = {kind: forms[kind] for kind in ("tensor", "token")}
    wanted = {len(its): its for its in forms.values()}
    form = wanted.get(own)
    if form is None or any([size not in (1, full) for size, full in zip(scale.shape, form)]):
        texts = " or ".join([str(its) for its in wanted.values()])
        raise expected("scale", f"sizes {texts}, each of which may be 1", tuple(scale.shape))
    if block > 1 and own and scale.shape[tokens] > 1:
        scale = _repeat(adapter, scale, block, tokens)
        scale = scale[:, :, :sizes[tokens]] if rank == 4 else scale[:sizes[tokens]]
    if own == 0 or own == rank:
        return scale
    return scale[..., None, None] if rank == 4 and own == 2 else scale[..., None]


def uncenter(o: Any, lse: Any = None, *, q: Any = None, k_mean: Any = None,
             v_mean: Any = None, scale: Optional[float] = None, sink: Any = None) -> Any:
    """Adds means to the results of attention over keys and values from which
    `quantize(..., center=True)` has subtracted them. Returns the output, or with `lse` the pair of
    output and lse.

    | array | sizes | dtype |
    |---|---|---|
    | `o` | (B, Hq, Sq, Dv) | float16, bfloat16 or float32 |
    | `lse` | (B, Hq, Sq), or None | float32 |
    | `q` | (B, Hq, Sq, D), with `k_mean` | as o |
    | `k_mean` | (B, Hkv, 1, D), or None | float32 |
    | `v_mean` | (B, Hkv, 1, Dv), or None | float32 |

    scale * (q . k_mean) is added to the lse, with `scale` by default 1 / sqrt(D), and v_mean to the
    output. It is better to pass the values' mean to the attention call as `v_mean`, since the
    output is then rounded only once. Rows without keys, whose lse is -inf, stay as they are: pass
    the lse where there may be such rows. Means cannot be added after a call with a score function,
    a sink or dropout. A sink is an error; score functions and dropout cannot be detected here.
    """
    adapter = adapter_of("o", o).require_library("o", o)
    if sink is not None:
        raise expected("sink", "None: means cannot be added after a call with a sink",
                       type(sink).__qualname__)
    if len(o.shape) != 4:
        raise expected("o", "sizes (B, Hq, Sq, Dv)", tuple(o.shape))
    if find_dtype_name(o.dtype) not in FLOATS:
        raise expected("o", "dtype float16, bfloat16 or float32", o.dtype)
    rows = tuple(o.shape[:3])
    given = {"lse": lse, "q": None if k_mean is None else q, "k_mean": k_mean, "v_mean": v_mean}
    for name, array in given.items():
        if array is not None:
            adapter_of(name, array).require_library(name, array)
    if lse is not None and tuple(lse.shape) != rows:
        raise expected("lse", f"sizes {rows}, as o has", tuple(lse.shape))
    if given["q"] is not None and (len(q.shape) != 4 or tuple(q.shape[:3]) != rows):
        raise expected("q", f"sizes (*{rows}, D), as o has", tuple(q.shape))
    for name, mean, width in (("k_mean", k_mean, q), ("v_mean", v_mean, o)):
        if mean is not None and (len(mean.shape) != 4 or mean.shape[2] != 1
                                 or not mean.shape[1] or o.shape[1] % mean.shape[1]
                                 or mean.shape[0] not in (1, o.shape[0]) or width is not None
                                 and mean.shape[3] not in (1, width.shape[3])):
            raise expected(name, "sizes (B, Hkv, 1, D), where Hkv divides Hq",
                           tuple(mean.shape))
    if v_mean is not None:
        own = adapter.convert(o, "f32")
        wide = own + _repeat(adapter, v_mean, o.shape[1] // v_mean.shape[1], 1)
        o = adapter.convert(wide if lse is None else adapter.library.where(
            (lse == -math.inf)[..., None], own, wide), find_dtype_name(o.dtype))
    if lse is None:
        return o
    if k_mean is not None:
        if q is None:
            raise expected("q", "the query, with k_mean and lse", "None")
        if scale is None:
            scale = q.shape[3] ** -0.5
        mean = _repeat(adapter, k_mean, q.shape[1] // k_mean.shape[1], 1)
        lse = lse + scale * (adapter.convert(q, "f32") * mean).sum(3)
    return o, lse
