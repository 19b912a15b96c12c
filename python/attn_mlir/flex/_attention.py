"""The function `flex_attention`."""

from typing import Any, Dict, Optional

import torch
from torch.nn.attention.flex_attention import AuxOutput, AuxRequest, BlockMask

from .. import torch as attention
from .._errors import ArgumentError
from .._schema import with_dense_rows
from .._options import as_flag, as_scale
from .._torch_calls import refuse_unknown
from ._block_mask import FunctionMask, check_has_function, lengths_of, mask_function
from ._max_scores import max_scores
from ._nested import attend, check_nested, ragged_length

_FLOATS = (torch.float16, torch.bfloat16, torch.float32)


def _expect(name: str, what: str, found: Any) -> Exception:
    return ArgumentError(f"{name}: expected {what}, found {found}")


def _autocast(tensor: Any) -> Any:
    """Converts a tensor as torch's autocast does. Where autocast is enabled for its device, returns
    floats other than float64 in the autocast dtype; else returns the tensor as it is."""
    if not isinstance(tensor, torch.Tensor) or not tensor.is_floating_point() \
            or tensor.dtype == torch.float64:
        return tensor
    device = tensor.device.type
    if device not in ("cpu", "cuda") or not torch.is_autocast_enabled(device):
        return tensor
    return tensor.to(torch.get_autocast_dtype(device))


def _check_tensors(tensors: Dict[str, torch.Tensor]) -> None:
    query = tensors["query"]
    for name, tensor in tensors.items():
        if not isinstance(tensor, torch.Tensor):
            raise _expect(name, "a tensor", type(tensor).__qualname__)
        if tensor.dim() != 4:
            raise _expect(name, "rank 4: (B, H, S, D)", f"rank {tensor.dim()}")
        if not tensor.is_nested and tensor.layout != torch.strided:
            raise _expect(name, "a strided tensor of memory", f"one of layout {tensor.layout}")
        if tensor.dtype not in _FLOATS:
            raise _expect(name, "dtype float16, bfloat16 or float32", tensor.dtype)
        if tensor.dtype != query.dtype:
            raise _expect(name, f"dtype {query.dtype}, as query has", tensor.dtype)
        if tensor.device != query.device:
            raise _expect(name, f"a tensor on {query.device}, as query is",
                          f"one on {tensor.device}")
        if tensor.is_nested != query.is_nested:
            raise _expect(name, "a nested tensor, as query is" if query.is_nested else
                          "no nested tensor, as query is none",
                          "a nested one" if tensor.is_nested else "another one")


def _check_sizes(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor,
                 enable_gqa: bool, has_mask: bool) -> None:
    heads, kv_heads = query.shape[1], key.shape[1]
    if key.shape[3] != query.shape[3]:
        raise _expect("key", f"{query.shape[3]} elements in a row, as query has",
                      key.shape[3])
    for dim, what in enumerate(("batch entries", "heads", "keys")):
        if value.shape[dim] == key.shape[dim]:
            continue
        if query.is_nested and dim == 2:  # sizes of nested tensors are offsets
            raise _expect("value", "as many keys in each sequence as key has (by the same "
                          "tensor of offsets)", "others")
        raise _expect("value", f"{key.shape[dim]} {what}, as key has", value.shape[dim])
    if heads != kv_heads and not enable_gqa:
        raise _expect("key", f"{heads} heads, as query has (enable_gqa=True lets groups of "
                      "query heads share one)", kv_heads)
    if heads != kv_heads and (kv_heads == 0 or heads % kv_heads):
        raise _expect("key", f"a number of heads that divides {heads}, as query has",
                      kv_heads)
    if key.shape[0] != query.shape[0] and (key.shape[0] != 1 or not has_mask):
        raise _expect("key", f"{query.shape[0]} batch entries, as query has"
                      + (", or 1" if has_mask else ""), key.shape[0])


def _check_mask(block_mask: Any, query: torch.Tensor, rows: int, keys: int) -> None:
    if not isinstance(block_mask, BlockMask):
        raise _expect("block_mask", "a BlockMask, as create_block_mask makes of a mask "
                      "function", type(block_mask).__qualname__)
    check_has_function(block_mask)
    *shared, _, _ = block_mask.shape
    mask_rows, mask_keys = lengths_of(block_mask)
    if block_mask.BLOCK_SIZE[0] < 2 ** 30 and (mask_rows, mask_keys) != (rows, keys):
        raise _expect("block_mask", f"one of {rows} rows and {keys} keys, as query and key "
                      "have (create_block_mask makes one at no cost)",
                      f"{mask_rows} rows and {mask_keys} keys")
    if not isinstance(block_mask, FunctionMask) and block_mask.BLOCK_SIZE[0] < 2 ** 30 \
            and block_mask.kv_indices.device != query.device:
        raise _expect("block_mask", f"one on {query.device}, as query is (block_mask.to moves "
                      "its lists)", f"one on {block_mask.kv_indices.device}")
    batch = 1 if query.is_nested else query.shape[0]
    for what, size, its in zip(("batch entries", "heads"), (batch, query.shape[1]),
                               (1, *shared)[-2:]):
        if its != 1 and its != size:
            raise _expect("block_mask", f"one of {size} {what}, as query has, or 1", its)


def _check_options(score_mod: Any, return_aux: Any, return_lse: bool,
                   kernel_options: Any) -> None:
    if score_mod is not None and not callable(score_mod):
        raise _expect("score_mod", "a function of (score, b, h, q_idx, kv_idx)",
                      type(score_mod).__qualname__)
    if kernel_options is not None and not isinstance(kernel_options, dict):
        raise _expect("kernel_options", "a dictionary, or None",
                      type(kernel_options).__qualname__)
    if return_aux is not None:
        if not isinstance(return_aux, AuxRequest):
            raise _expect("return_aux", "an AuxRequest, or None",
                          type(return_aux).__qualname__)
        if return_lse:
            raise _expect("return_lse", "False beside return_aux, which has lse, too", True)


def flex_attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor,
                   score_mod: Any = None, block_mask: Optional[BlockMask] = None,
                   scale: Optional[float] = None, enable_gqa: bool = False,
                   return_lse: bool = False, kernel_options: Optional[dict] = None, *,
                   return_aux: Optional[AuxRequest] = None) -> Any:
    """Attention with scores that `score_mod` changes, over the pairs that `block_mask` keeps.

    | tensor | sizes | dtype |
    |---|---|---|
    | `query` | (B, Hq, Sq, D) | float16, bfloat16 or float32 |
    | `key` | (B, Hkv, Skv, D) | as query |
    | `value` | (B, Hkv, Skv, Dv) | as query |
    | result | (B, Hq, Sq, Dv) | as query |
    | lse, max_scores | (B, Hq, Sq) | float32 |

    All tensors may be nested tensors of layout torch.jagged, with Sq and Skv jagged. Tensors
    may have any strides; those whose rows are not contiguous are copied.

    - `score_mod`: a function of (score, b, h, q_idx, kv_idx). Tensors that it captures have
      gradients under the conditions that attn_mlir.attention_backward states.
    - `block_mask`: what create_block_mask or create_nested_block_mask made, or torch's own
      BlockMask. A pair is kept if both the BlockMask's lists of blocks and its function keep
      it, as in torch's kernels. With a block mask, key and value may have one batch entry
      that all batch entries of query share.
    - `scale`: by default 1 / sqrt(D).
    - `enable_gqa`: whether Hkv may be a divisor of Hq.
    - `return_lse`: also return the lse, ln sum_j exp(score). The lse of a row without keys is
      -inf, and its output is 0.
    - `return_aux`: an AuxRequest; the second result is then an AuxOutput with the results
      that it requests. `max_scores` has no gradient, and torch's operators compute it from
      the scores of all pairs.
    - `kernel_options`: a dictionary, which is ignored: the compiler schedules kernels.

    Within torch.compile(fullgraph=True) and torch.export, the call is the operator
    attn_mlir::attention or attn_mlir::attention_lse. Raises ArgumentError, which names the
    argument, or Error.
    """
    query, key, value = map(_autocast, (query, key, value))
    tensors = {"query": query, "key": key, "value": value}
    _check_tensors(tensors)
    refuse_unknown({"scale": scale, "enable_gqa": enable_gqa, "return_lse": return_lse})
    if not torch.compiler.is_compiling():
        scale = as_scale(scale)
        enable_gqa = as_flag("enable_gqa", enable_gqa)
        return_lse = as_flag("return_lse", return_lse)
    _check_options(score_mod, return_aux, return_lse, kernel_options)
    is_nested = query.is_nested
    if is_nested:
        check_nested(tensors)
    _check_sizes(query, key, value, enable_gqa, block_mask is not None)
    mask_mod = None
    if block_mask is not None:
        rows, keys = ((ragged_length(query), ragged_length(key)) if is_nested else
                      (query.shape[2], key.shape[2]))
        _check_mask(block_mask, query, rows, keys)
        mask_mod = mask_function(block_mask)

    wants_max = return_aux is not None and return_aux.max_scores
    wants_lse = return_lse or (return_aux is not None and return_aux.lse)
    if is_nested:
        if wants_max:
            raise _expect("return_aux", "no max_scores of nested tensors", return_aux)
        o, lse = attend(query, key, value, score_mod, block_mask, mask_mod, scale,
                        wants_lse)
    else:
        if key.shape[0] != query.shape[0]:
            key, value = (its.expand(query.shape[0], -1, -1, -1) for its in (key, value))
        query, key, value = map(with_dense_rows, (query, key, value))
        found = attention.attention(query, key, value, scale=scale, score_mod=score_mod,
                                    mask_mod=mask_mod, return_lse=wants_lse)
        o, lse = found if wants_lse else (found, None)
    if return_aux is not None:
        return o, AuxOutput(lse=lse, max_scores=max_scores(
            query, key, scale, score_mod, mask_mod) if wants_max else None)
    return (o, lse) if return_lse else o
