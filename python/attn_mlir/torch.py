"""Attention for PyTorch: operators that torch.compile keeps whole and autograd knows,
and a mode in which scaled_dot_product_attention is attn_mlir's."""

from typing import Any, Optional, Sequence, Tuple

import torch
from torch.overrides import TorchFunctionMode

from . import _attention, _functions, _operators
from ._arrays import expected
from ._dropout import check_probability, check_seed
from ._errors import Error
from ._module import NAMED_GRADIENTS, Causal, Window, check_options
from ._prepared import PreparedMask
from ._reads import find_dims
from ._row_operators import append, merge
from ._serving_operators import decode, varlen
from ._spellings import refuse
from ._torch_regions import argument_error, find_regions
from ._tracing import Mask, MaskMod, Score, ScoreMod

__all__ = ["append", "attention", "decode", "merge", "sdpa", "varlen"]


def _check_gradients(text: str, names: Sequence[str], captures: Sequence[torch.Tensor],
                     q: torch.Tensor, k: torch.Tensor) -> None:
    """Raises for a captured array that requires a gradient and has none."""
    if not torch.is_grad_enabled():
        return
    problem = (q.shape[0], q.shape[1], q.shape[2], k.shape[2])
    for number, (name, array) in enumerate(zip(names, captures)):
        if array.requires_grad:
            found = find_dims(text, number, array.shape, problem)
            if isinstance(found, str):
                raise argument_error(f"{name}: {found}")


def _seed(like: torch.Tensor, dropout_p: float, generator: Any,
          seed: Any) -> Optional[torch.Tensor]:
    """The seed and the offset of dropout, where the device can read them."""
    if not torch.compiler.is_compiling():
        dropout_p = check_probability(dropout_p)
    if dropout_p == 0:
        return None
    if generator is not None and torch.compiler.is_compiling():
        raise argument_error("generator: expected None within torch.compile, which has no "
                              "generators in its graphs (seed may be a tensor)")
    if seed is None:
        return _operators.adapter.draw_seed(like, generator)
    if not isinstance(seed, torch.Tensor):
        seed = torch.stack([
            torch.full((), its, dtype=torch.int64, device=like.device)
            for its in (seed if torch.compiler.is_compiling() else check_seed(seed))])
    if tuple(seed.shape) != (2,) or seed.dtype != torch.int64 or seed.device != like.device:
        raise expected(
            "seed", "a pair of integers (seed, offset), or an array of these two in int64 "
            f"on {like.device}",
            f"{seed.dtype} of sizes {tuple(seed.shape)} on {seed.device}")
    return seed


def _arguments(q: torch.Tensor, k: torch.Tensor, *, scale: Optional[float],
               causal: Causal, window: Window, align: str, score_mod: ScoreMod,
               mask_mod: MaskMod, sink: Optional[torch.Tensor], dropout_p: float,
               seed: Any, generator: Any = None) -> Tuple[Any, ...]:
    """What the operators take besides query, key and value."""
    if not torch.compiler.is_compiling():
        scale, causal, window, align = check_options(scale, causal, window, align)
    elif not isinstance(causal, (bool, str)):  # NumPy's are tensors of the graph
        raise argument_error("causal: expected False, True, 'top_left' or 'bottom_right', "
                             "Python's own within torch.compile")
    left, right = (None, None) if window is None else window
    if causal is True:
        causal = align
    score, mask, captures, names = find_regions(score_mod, mask_mod, q)
    _check_gradients(score, names, captures, q, k)
    seed = _seed(q, dropout_p, generator, seed)
    return (None if scale is None else float(scale), causal or "", left, right, align,
            score, mask, captures, sink, float(dropout_p), seed)


def differentiate(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *,
                  return_lse: bool, **options: Any) -> Any:
    """`attention` as the operator that keeps what gradients need."""
    o, lse = _functions.attention_lse(q, k, v, *_arguments(q, k, **options))
    return (o, lse) if return_lse else o


def differentiate_backward(*arrays: torch.Tensor, wrt: Sequence[str],
                           captures: Sequence[int], deterministic: Optional[bool],
                           **options: Any) -> Tuple[torch.Tensor, ...]:
    """`attention_backward` as the operator that has no derivative."""
    d_lse = arrays[6] if len(arrays) > 6 else None
    arguments = _arguments(*arrays[:2], **options)
    flags = [name in wrt for name in NAMED_GRADIENTS] + [
        number in captures for number in range(1 + max(captures, default=-1))]
    found = _functions.attention_backward(
        *arrays[:6], d_lse, *arguments[:-3], flags, deterministic, *arguments[-3:])
    # Those of captured arrays come in the order of these.
    return (*found[:len(wrt)],
            *[found[len(wrt) + sorted(captures).index(number)] for number in captures])


def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, *,
              scale: Optional[float] = None, causal: Causal = False,
              window: Window = None, align: str = "top_left", return_lse: bool = False,
              score_mod: ScoreMod = None, mask_mod: MaskMod = None,
              sink: Optional[torch.Tensor] = None, dropout_p: float = 0.0,
              generator: Optional[torch.Generator] = None, seed: Any = None,
              **others: Any) -> Any:
    """attn_mlir.attention on tensors, which stays one operator of the graph under
    torch.compile(fullgraph=True), torch.export and fake tensors: attn_mlir::attention,
    or attn_mlir::attention_lse with `return_lse` or where gradients are needed, whose
    derivative is attn_mlir::attention_backward.

    Sizes, dtypes and errors are those of attn_mlir.attention. Of dropout, the seed and the
    offset are drawn by torch.randint, from its `generator`. Within torch.compile a
    score function that captures values is best traced outside, by
    attn_mlir.score.trace, whose result may be given for it.
    """
    if others:
        refuse(attention, others)
    if not torch.compiler.is_compiling():
        return _attention.attention(q, k, v, scale=scale, causal=causal, window=window,
                                    align=align, return_lse=return_lse,
                                    score_mod=score_mod, mask_mod=mask_mod, sink=sink,
                                    dropout_p=dropout_p, generator=generator, seed=seed)
    return _call(q, k, v, return_lse, *_arguments(
        q, k, scale=scale, causal=causal, window=window, align=align, score_mod=score_mod,
        mask_mod=mask_mod, sink=sink, dropout_p=dropout_p, generator=generator, seed=seed))


def _call(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, return_lse: bool,
          *arguments: Any) -> Any:
    """The operator of a graph: with the lse where it is needed."""
    *_, captures, sink, _, _ = arguments
    needs_gradient = torch.is_grad_enabled() and any(
        [its.requires_grad for its in (q, k, v, *captures) if its is not None]
        + [sink is not None and sink.requires_grad])
    if needs_gradient or return_lse:
        o, lse = _functions.attention_lse(q, k, v, *arguments)
        return (o, lse) if return_lse else o
    return torch.ops.attn_mlir.attention(q, k, v, *arguments)


class sdpa(TorchFunctionMode):
    """A context in which torch.nn.functional.scaled_dot_product_attention is
    attn_mlir's, in the thread that entered it:

        with attn_mlir.torch.sdpa():
            model(x)

    What it cannot serve goes to torch's own: other ranks than 4, other dtypes than
    float16, bfloat16 and float32, other devices than CUDA and the CPU. With `strict` that
    raises Error, which says what it was. `served` and `passed_on` count the calls.
    Dropout is from torch's generator, but leaves out other probabilities than torch's.
    """

    def __init__(self, strict: bool = False) -> None:
        super().__init__()
        self.strict = strict
        self.served = 0
        self.passed_on = 0

    def __torch_function__(self, function: Any, types: Any, args: Tuple = (),
                           kwargs: Optional[dict] = None) -> Any:
        kwargs = kwargs or {}
        if function is not torch.nn.functional.scaled_dot_product_attention:
            return function(*args, **kwargs)
        reason = _find_obstacle(*args, **kwargs)
        if reason is None:
            self.served += 1
            return _serve(*args, **kwargs)
        if self.strict:
            raise Error(f"scaled_dot_product_attention: {reason}")
        self.passed_on += 1
        return function(*args, **kwargs)


_FLOATS = (torch.float16, torch.bfloat16, torch.float32)


def _find_obstacle(query: Any, key: Any, value: Any, attn_mask: Any = None,
                   dropout_p: float = 0.0, is_causal: bool = False,
                   scale: Optional[float] = None,
                   enable_gqa: bool = False) -> Optional[str]:
    """What the compiler lacks for a call of scaled_dot_product_attention."""
    if not 0 <= dropout_p <= 1:
        return f"expected dropout_p from 0 to 1, found {dropout_p}"
    tensors = {"query": query, "key": key, "value": value}
    for name, tensor in tensors.items():
        if not isinstance(tensor, torch.Tensor):
            return f"{name}: expected a tensor, found {type(tensor).__qualname__}"
        if tensor.dim() != 4:
            return f"{name}: expected rank 4, found {tensor.dim()}"
        if tensor.layout != torch.strided:
            return f"{name}: expected a strided tensor, found {tensor.layout}"
        if tensor.dtype not in _FLOATS or tensor.dtype != query.dtype:
            return f"{name}: expected dtype float16, bfloat16 or float32, the same for " \
                f"all, found {tensor.dtype}"
        if not (tensor.is_cuda or tensor.is_cpu) or tensor.device != query.device:
            return f"{name}: expected one CUDA device or the CPU for all, found " \
                f"{tensor.device}"
        if tensor.stride()[3] != 1 and tensor.shape[3] != 1:
            return f"{name}: expected stride 1 in dimension 3, found {tensor.stride()[3]}"
    batch, heads, _, head_dim = query.shape
    kv_heads = key.shape[1]
    if key.shape[:3] != value.shape[:3] or key.shape[0] != batch \
            or key.shape[3] != head_dim:
        return "expected sizes that match without being broadcast"
    if kv_heads != heads and not (enable_gqa and kv_heads and heads % kv_heads == 0):
        return "expected as many heads in key as in query, or with enable_gqa a divisor"
    if max(head_dim, value.shape[3]) > 256 or min(head_dim, value.shape[3]) < 1:
        return f"expected head dimensions from 1 to 256, found {head_dim}"
    return None if attn_mask is None else _find_obstacle_of_mask(
        attn_mask, is_causal, query, (batch, heads, query.shape[2], key.shape[2]))


def _find_obstacle_of_mask(mask: Any, is_causal: bool, query: torch.Tensor,
                           sizes: Tuple[int, ...]) -> Optional[str]:
    if isinstance(mask, PreparedMask):
        mask = mask.array
    if not isinstance(mask, torch.Tensor):
        return f"attn_mask: expected a tensor, found {type(mask).__qualname__}"
    if is_causal:
        return "attn_mask: expected None with is_causal"
    if mask.dtype not in _ELEMENTS:
        return f"attn_mask: expected a dtype of {', '.join(map(str, _ELEMENTS))}, found " \
            f"{mask.dtype}"
    if mask.device != query.device:
        return f"attn_mask: expected a tensor on {query.device}, found {mask.device}"
    if mask.layout != torch.strided:
        return f"attn_mask: expected a strided tensor, found {mask.layout}"
    its = (1,) * (4 - mask.dim()) + tuple(mask.shape)
    if len(its) != 4 or any([size not in (1, whole) for size, whole in zip(its, sizes)]):
        return f"attn_mask: expected sizes that broadcast to {sizes}, found {its}"
    return None


# What a region reads of a mask, and the ops that make an f32 of it.
_ELEMENTS = {torch.bool: "i1", torch.float16: "f16", torch.bfloat16: "bf16",
             torch.float32: "f32"}


def _mask_text(mask: torch.Tensor, has_summary: bool) -> str:
    """The region of a mask of rank 4: of booleans, or of what is added to scores. With
    a summary, it captures that, too."""
    dtype = _ELEMENTS[mask.dtype]
    dense = 1 if mask.stride(3) == 1 else "?"
    type_ = f"memref<?x?x?x?x{dtype}, strided<[?, ?, ?, {dense}]>>"
    at = ", ".join(["%zero" if size == 1 else position
                    for size, position in zip(mask.shape, ("%b", "%h", "%i", "%j"))])
    indices, bounds = "%b: index, %h: index, %i: index, %j: index", ""
    arrays = f"%c0: {type_}"
    if has_summary:
        summary = "memref<?x?x?x?x2xi32, strided<[?, ?, ?, ?, 1]>>"
        arrays += f", %c1: {summary}"
        bounds = f" bounds(%c1 : {summary})"
    read = f"attn.read %c0[{at}]{bounds} : {type_}"
    zero = "      %zero = arith.constant 0 : index\n"
    if mask.dtype == torch.bool:
        return (f"    ^bb0({indices}, {arrays}):\n{zero}      %0 = {read}\n"
                "      attn.yield %0 : i1")
    wide = "" if dtype == "f32" else f"      %1 = arith.extf %0 : {dtype} to f32\n"
    return (f"    ^bb0(%s: f32, {indices}, {arrays}):\n{zero}      %0 = {read}\n{wide}"
            f"      %2 = arith.addf %s, {'%1' if wide else '%0'} : f32\n"
            "      attn.yield %2 : f32")


def _serve(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor,
           attn_mask: Any = None, dropout_p: float = 0.0,
           is_causal: bool = False, scale: Optional[float] = None,
           enable_gqa: bool = False) -> torch.Tensor:
    causal = "top_left" if is_causal else ""
    if attn_mask is None:
        return attention(query, key, value, causal=causal or False, scale=scale,
                         dropout_p=dropout_p)
    arrays, names = [attn_mask], ["attn_mask", "attn_mask: summary"]
    if isinstance(attn_mask, PreparedMask):
        attn_mask.check("attn_mask")
        arrays = [attn_mask.array]
        # Of rows or keys that are broadcast, it decides nothing.
        if attn_mask.dtype == torch.bool and 1 not in attn_mask.shape[-2:]:
            arrays.append(attn_mask.summary)
    new_dims = (None,) * (4 - arrays[0].dim())
    arrays = [array[new_dims] for array in arrays]
    is_mask = arrays[0].dtype == torch.bool
    text = _mask_text(arrays[0], has_summary=len(arrays) > 1)
    if not torch.compiler.is_compiling():
        region = (Mask if is_mask else Score)(text, arrays, names[:len(arrays)])
        regions = {"mask_mod" if is_mask else "score_mod": region}
        return _attention.attention(query, key, value, scale=scale, dropout_p=dropout_p,
                                    **regions)
    texts = ("", text) if is_mask else (text, "")
    return _call(query, key, value, False, None if scale is None else float(scale), "",
                 None, None, "top_left", *texts, arrays, None, float(dropout_p),
                 _seed(query, dropout_p, None, None))
