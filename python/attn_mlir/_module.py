"""Modules of one attention op, as text."""

import numbers
import struct
from typing import Optional, Tuple, Union

from ._errors import ArgumentError

Causal = Union[bool, str]
Window = Optional[Tuple[Optional[int], Optional[int]]]

ALIGNMENTS = ("top_left", "bottom_right")
DTYPES = ("f16", "bf16", "f32")


def mask_text(causal: Causal, window: Window, align: str) -> str:
    if causal in ALIGNMENTS:
        causal, align = True, str(causal)
    if not isinstance(causal, bool):
        raise ArgumentError("causal: expected False, True, 'top_left' or "
                            f"'bottom_right', found {causal!r}")
    if align not in ALIGNMENTS:
        raise ArgumentError("align: expected 'top_left' or 'bottom_right', found "
                            f"{align!r}")
    bounds = (None, None) if window is None else window
    if not (isinstance(bounds, tuple) and len(bounds) == 2
            and all(b is None or type(b) is int and 0 <= b < 2**31 for b in bounds)):
        raise ArgumentError("window: expected (left, right), each None or from 0 to "
                            f"2^31 - 1, found {window!r}")
    parts = ["causal"] if causal else []
    parts += [f"{side} = {bound}" for side, bound in zip(("left", "right"), bounds)
              if bound is not None]
    return f"mask <{', '.join([align, *parts])}>" if parts else ""


def module_text(dtype: str, head_dim: int, value_head_dim: int, *, causal: Causal,
                window: Window, align: str, scale: Optional[float], return_lse: bool,
                score: str) -> str:
    """A function `main` of query, key, value, output and perhaps lse, with any
    batch size, heads, lengths and strides."""
    for name, size in (("head_dim", head_dim), ("value_head_dim", value_head_dim)):
        if type(size) is not int or not 0 < size < 2**31:
            raise ArgumentError(f"{name}: expected an integer from 1 to 2^31 - 1, "
                                f"found {size!r}")
    if dtype not in DTYPES:
        raise ArgumentError(f"dtype: expected f16, bf16 or f32, found {dtype!r}")

    def array(size: int) -> str:
        return f"memref<?x?x?x{size}x{dtype}, strided<[?, ?, ?, 1]>>"

    outs = [("%output", "!vo")]
    if return_lse:
        outs.append(("%lse", "!lse"))
    parts = [mask_text(causal, window, align)]
    if scale is not None:
        if not isinstance(scale, numbers.Real) or not abs(scale) < 1e300:
            raise ArgumentError(f"scale: expected a finite number, found {scale!r}")
        bits = struct.unpack("<Q", struct.pack("<d", scale))[0]
        parts.append(f"scale 0x{bits:016X}")
    parts = [f" {part}" for part in parts if part]
    names = ", ".join(name for name, _ in outs)
    types = ", ".join(type_ for _, type_ in outs)
    region = f"\n      score {{\n{score}\n      }}" if score else ""
    return f"""\
!qk = {array(head_dim)}
!vo = {array(value_head_dim)}
!lse = memref<?x?x?xf32, strided<[?, ?, 1]>>
func.func @main(%query: !qk, %key: !qk, %value: !vo, \
{", ".join(f"{name}: {type_}" for name, type_ in outs)}) {{
  attn.attention{"".join(parts)}
      ins(%query, %key, %value : !qk, !qk, !vo) outs({names} : {types}){region}
  return
}}
"""
