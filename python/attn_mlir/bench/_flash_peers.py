"""Implementations in packages that users install beside torch. Their arrays are (batch, row, head,
head dim), which is the order in memory of the benchmark's arrays."""

import importlib
import math
from typing import Any, List

from .._errors import Error
from ._machine import Function
from ._peers import Arrays, Flex, OfTorch, by_name
from ._shapes import Shape


def _import_first(names: List[str]) -> Any:
    """Returns the first of these modules that can be imported. If none can, raises an Error with
    the message of the first one."""
    problem = None
    for name in names:
        try:
            return importlib.import_module(name)
        except ImportError as error:
            problem = problem or error
    raise Error(f"{problem} (or {', '.join(names[1:])})" if names[1:] else str(problem))


class Flash(OfTorch):
    """An implementation by the first module in `modules` that can be imported. Such a module has
    the functions flash_attn_func and flash_attn_varlen_func."""

    modules: List[str]

    def __init__(self, machine: Any) -> None:
        super().__init__(machine)
        self.module = _import_first(self.modules)

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v = (array.transpose(1, 2) for array in arrays)
        causal = self.check_causal(shape)
        return lambda: self.module.flash_attn_func(q, k, v, causal=causal)

    def check_causal(self, shape: Shape) -> bool:
        # These libraries align the diagonal of a causal mask at the last row and the last key,
        # while the benchmark's masks are aligned at the first ones.
        if shape.causal and shape.rows != shape.keys:
            raise Error("expected as many rows as keys with a causal mask, whose diagonal "
                        "is the lower right one there")
        return shape.causal

    def get_output(self, result: Any) -> Any:
        return without_lse(result).transpose(1, 2)


def without_lse(result: Any) -> Any:
    return result[0] if isinstance(result, (tuple, list)) else result


class FA3(Flash):
    """FlashAttention-3: the package fa3-fwd of PyPI, or the module that the sources of
    FlashAttention build."""

    name, modules = "fa3", ["fa3_fwd_interface", "flash_attn_interface"]


class FA4(Flash):
    """FlashAttention-4: the package flash-attn-4 of PyPI."""

    name, modules = "fa4", ["flash_attn.cute"]


class FlexFlash(Flex):
    """torch's FlexAttention, with the back end that uses FlashAttention-4's kernels."""

    name = "flex-flash"
    options = {"BACKEND": "FLASH"}

    def __init__(self, machine: Any) -> None:
        super().__init__(machine)
        _import_first(FA4.modules)


class FlashInfer(OfTorch):
    """FlashInfer's kernels for decoding, which read pages. Contiguous keys and values are given to
    them as pages that follow each other in memory."""

    name = "flashinfer"
    WORKSPACE = 128 << 20

    def __init__(self, machine: Any) -> None:
        super().__init__(machine)
        self.module = _import_first(["flashinfer"])

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v = arrays
        self.check(shape)
        page = math.gcd(shape.keys, 64)
        pools = [array.transpose(1, 2).reshape(-1, page, shape.kv_heads, shape.head_dim)
                 for array in (k, v)]
        table = self.machine.arange(0, len(pools[0])).reshape(shape.batch, -1)
        return self.plan(shape, q, pools, "NHD", page, table)

    def check(self, shape: Shape) -> None:
        if shape.rows != 1 or shape.causal or shape.head_dim != shape.value_head_dim:
            raise Error("expected one row, no mask and values of the same head dim")

    def plan(self, shape: Shape, q: Any, pools: List[Any], layout: str, page: int,
             table: Any) -> Function:
        """Returns a function that computes attention over pages. `table`, (batch, columns), has the
        numbers of each sequence's pages."""
        torch = self.machine.torch
        batch, columns = table.shape
        ends = torch.arange(0, (batch + 1) * columns, columns, dtype=torch.int32,
                            device=q.device)
        last = torch.full_like(ends[1:], shape.keys - (columns - 1) * page)
        decode = self.module.BatchDecodeWithPagedKVCacheWrapper(
            torch.empty(self.WORKSPACE, dtype=torch.uint8, device=q.device), layout,
            use_tensor_cores=shape.heads > shape.kv_heads)
        decode.plan(ends, table.flatten().to(torch.int32), last, shape.heads,
                    shape.kv_heads, shape.head_dim, page, q_data_type=q.dtype,
                    kv_data_type=q.dtype)
        rows = q[:, :, 0].contiguous()
        return lambda: decode.run(rows, tuple(pools))

    def get_output(self, result: Any) -> Any:
        return result[:, :, None]


FLASH_PEERS = by_name(FA3, FA4, FlexFlash, FlashInfer)
