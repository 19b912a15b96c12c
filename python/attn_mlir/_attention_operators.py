"""Calls of `attention` and its gradients as operators of torch, for autograd and torch.compile."""

import functools
from typing import Any, Optional, Sequence, Tuple

import torch

from . import _attention, _operators
from ._arrays import expected
from ._autograd import call
from ._dropout import check_seed, check_sources
from ._errors import ArgumentError
from ._module import NAMED_GRADIENTS
from ._reads import find_dims, split_reads
from ._rope import join
from ._scales import check_bytes
from ._schema import Given, of_operator
from ._torch_calls import for_graphs, needs_gradients, operate, operators
from ._within import find_values


def _check_gradients(text: str, names: Sequence[str], captures: Sequence[torch.Tensor],
                     q: torch.Tensor, k: torch.Tensor) -> None:
    """Raises for a captured array that requires a gradient which the compiler cannot compute.
    Checks nothing where torch records no gradients (torch.no_grad)."""
    if not torch.is_grad_enabled():
        return
    for name, its in (("q", q), ("k", k)):
        if its.dim() != 4:
            raise ArgumentError(f"{name}: expected rank 4: (B, H, S, D), found sizes "
                                f"{tuple(its.shape)}")
    problem = (q.shape[0], q.shape[1], q.shape[2], k.shape[2])
    for number, (name, array) in enumerate(zip(names, captures)):
        if array.requires_grad:
            found = find_dims(text, number, array.shape, problem)
            if isinstance(found, str):
                raise ArgumentError(f"{name}: {found}")


def find_seed(like: torch.Tensor, dropout_p: float, generator: Any,
              seed: Any) -> Optional[torch.Tensor]:
    """Returns the seed and the offset of dropout as one tensor of int64 on the device of `like`, or
    None without dropout. If `seed` is None, both are drawn from `generator`."""
    if dropout_p == 0:
        return None
    check_sources(generator, seed)
    if generator is not None and torch.compiler.is_compiling():
        raise expected("generator", "None within torch.compile, which has no generators in its "
                       "graphs (seed may be a tensor)", "one")
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


def _arguments(given: Given, splits_reads: bool = True) -> Given:
    """Returns the operators' arguments for the arguments `given` of a call. With `splits_reads`, a
    captured array that requires a gradient is passed once for each different list of indices at
    which the score function reads it."""
    q, k, causal = given["q"], given["k"], given["causal"]
    if not isinstance(causal, (bool, str)):  # NumPy's bools are tensors in a graph
        raise expected("causal", "False, True, 'top_left' or 'bottom_right', Python's own within "
                       "torch.compile", type(causal).__qualname__)
    found = of_operator(given, q)
    found["causal"] = given["align"] if causal is True else causal or ""
    score, captures, names = found["score"], found["captures"], found["names"]
    if splits_reads and score and torch.is_grad_enabled():
        own = len(names)
        score, extra = split_reads(score, [number for number in range(own)
                                           if captures[number].requires_grad])
        captures = [*captures[:own], *[captures[number] for number in extra],
                    *captures[own:]]
        names = [*names, *[names[number] for number in extra]]
    _check_gradients(score, names, captures, q, k)
    found.update(score=score, captures=captures, dropout_p=float(given["dropout_p"]),
                 seed=find_seed(q, given["dropout_p"], given["generator"], given["seed"]))
    return found


def _call(given: Given) -> Any:
    """Calls the operator that returns output and lse if the caller asks for the lse or gradients
    are needed, and else the operator that returns the output alone."""
    if given["check"] and torch.compiler.is_compiling():
        raise expected("check", "False within torch.compile", "True")
    k, kv_dtype = given["k"], given["kv_dtype"]
    v = find_values(k, given["v"], given["value_dims"], ("k", "v"), kv_dtype)
    check_bytes(kv_dtype, k=k, v=v)
    given = _arguments(join({**given, "v": v}))
    if not needs_gradients(given) and not given["return_lse"]:
        return call("attention", *_operators.OUTPUT.listed(given))
    o, lse = _operators.ATTENTION(given)
    return (o, lse) if given["return_lse"] else o


def _call_backward(given: Given) -> Tuple[torch.Tensor, ...]:
    """Calls the operator for gradients. In `given`, `wrt` has the names of inputs, and `captures`
    the numbers of captured arrays, whose gradients are computed."""
    names = {"query": "q", "key": "k", "value": "v", "output": "o", "d_output": "d_o"}
    given = {names.get(name, name): its for name, its in given.items()}
    wrt, captures = given["wrt"], given["captures"]
    found = _arguments({**given, "generator": None}, splits_reads=False)
    found["wrt"] = [name in wrt for name in NAMED_GRADIENTS] + [
        number in captures for number in range(1 + max(captures, default=-1))]
    made = call("attention_backward", *_operators.BACKWARD.listed(found))
    # The operator returns the gradients of captured arrays by increasing number of the array. The
    # caller gets them in the order of `captures`.
    return (*made[:len(wrt)], *[made[len(wrt) + sorted(captures).index(number)]
                                for number in captures])


operators["attention_backward"] = functools.partial(
    operate, "attention_backward", _call_backward, dtypes=(torch.float32,))


attention = for_graphs(_attention.attention, _call, """\
attn_mlir::attention, or attn_mlir::attention_lse with `return_lse` or where gradients are
needed, whose derivative is attn_mlir::attention_backward.

Sizes, dtypes and errors are those of attn_mlir.attention. Of dropout, the seed and the offset
are drawn by torch.randint, from its `generator`. A score function that captures values is
best traced outside, by attn_mlir.score.trace, whose result may be given for it.""")
