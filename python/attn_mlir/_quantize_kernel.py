"""Arrays that one call of a kernel stores in 8 bits or in 4, with the scales that it makes."""

from typing import Any, Optional, Tuple, Union

from ._arrays import adapter_of
from ._library import DTYPE_NAMES
from ._rows import Operand, array_type, describe, function_text, run, typed

# The widest head dim of kernels on rows.
_WIDEST = 576
_STORED = {"float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2", "int8": "i8", "uint8": "i4"}


def quantize_text(dtype: str, head_dim: int, stored: str, rank: int, block: int = 1,
                  is_centered: bool = False) -> str:
    """A function `main` of an array, what is stored, the scale and with `is_centered` the mean,
    of any sizes and strides. `rank` is the scale's, which with 3 is for each `block` tokens."""
    x = array_type(4, dtype, head_dim)
    of_channels = f"memref<?x?x1x{head_dim}xf32, strided<[?, ?, ?, 1]>>"
    scale = {0: "memref<f32>", 4: of_channels}.get(rank) or array_type(rank, "f32")
    outs = {"stored": array_type(4, stored, head_dim), "scale": scale}
    if is_centered:
        outs["mean"] = of_channels
    lines = [f"attn.quantize ins({typed({'x': x})})"]
    if block > 1:
        lines.append(f"block {block}")
    if is_centered:
        lines.append("centered")
    lines.append(f"outs({typed(outs)})")
    return function_text(lines, {"x": x, **outs})


def has_kernel(x: Any) -> bool:
    """Whether the array can be stored by a kernel: it has elements, rows without gaps, and
    nothing that torch has to see."""
    if 0 in x.shape or x.shape[-1] > _WIDEST:
        return False
    if getattr(getattr(x, "device", None), "type", "cpu") not in ("cpu", "cuda"):
        return False
    if any([its % x.itemsize for its in getattr(x, "strides", ())]):  # of NumPy's records
        return False
    adapter = adapter_of("x", x)
    if adapter.is_followed() or adapter.needs_operator(x):
        return False
    _, sizes, strides, *_ = adapter.describe("x", x)
    return strides[-1] == 1 or sizes[-1] == 1


def store_by_kernel(xp: Any, x: Any, stored: str, kind: Union[str, int],
                    is_centered: bool) -> Tuple[Any, Any, Optional[Any]]:
    """What is stored, the scale and the mean, as `quantize` returns them; `stored` is torch's
    name of the dtype, and `kind` is what each scale is for, or of how many tokens."""
    is_packed = len(x.shape) == 3

    def as_heads(array: Any) -> Any:
        return array.swapaxes(0, 1)[None] if is_packed else array

    batch, heads, tokens, width = as_heads(x).shape
    block = kind if isinstance(kind, int) else 1
    sizes = {"tensor": (), "head": (batch, heads),
             "channel": (batch, heads, 1, width)}.get(
                 kind, (batch, heads, -(-tokens // block)))  # type: ignore[arg-type]
    kv_dtype = "i4" if stored == "uint8" else None
    found = xp.empty(x, (*x.shape[:-1], width // 2 if kv_dtype else width), stored)
    scale = xp.empty(x, sizes, "float32")
    shape = ("B", "H", "S", "D")
    operands = [Operand("x", as_heads(x), shape),
                Operand("stored", as_heads(found), shape, (_STORED[stored],), True, True,
                        kv_dtype),
                Operand("scale", scale, sizes, ("f32",), True)]
    mean = None
    if is_centered:
        mean = xp.empty(x, (batch, heads, 1, width), "float32")
        operands.append(Operand("mean", mean, (batch, heads, 1, width), ("f32",), True))
    described = describe(operands)
    arguments = (DTYPE_NAMES[described[0][3]], width, _STORED[stored], len(sizes), block,
                 is_centered)
    run(("quantize", *arguments), lambda: quantize_text(*arguments), operands, described, None)
    if is_packed:
        if len(sizes) > 1:
            scale = scale[0]
        if len(sizes) == 3:
            scale = xp.contiguous(scale.swapaxes(0, 1))
        if mean is not None:
            mean = mean[:, :, 0]
    return found, scale, mean
