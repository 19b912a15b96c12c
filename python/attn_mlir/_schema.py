"""The arguments of calls as those of torch's operators, and back.

A call's arguments are a dictionary by their names in Python. Those of an operator have the names
and the order of its schema: there a window is `left` and `right`, a traced function is its text,
with what both functions capture in `captures`, and a scale for several rows is an array, with a
number in `blocks`."""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import torch

from ._module import NAMED_GRADIENTS
from ._scales import SCALES
from ._tensor_kinds import InKernel
from ._torch_regions import find_regions
from ._traced import types_of
from .mask import Mask
from .score import Score

Given = Dict[str, Any]

# The names of arguments that are texts of regions. Operators take such a text as one line, with
# tabs: Inductor before torch 2.12 writes a call's strings unchanged into comments of the code that
# it generates.
_TEXTS = ("score", "mask")


class Schema:
    """An operator's schema, in torch's notation."""

    def __init__(self, text: str) -> None:
        self.text = text
        declared = text[1:text.rindex(") ->")].split(", ")
        self.names = tuple([its.split()[-1].partition("=")[0] for its in declared])
        self.defaults = {name: False if its.endswith("=False") else None
                         for name, its in zip(self.names, declared) if "=" in its}

    def named(self, arguments: Sequence[Any]) -> Given:
        """The arguments by name; some with defaults may be missing at the end."""
        given = {**self.defaults, **dict(zip(self.names, arguments))}
        for name in _TEXTS:
            if given.get(name):
                given[name] = given[name].replace("\t", "\n")
        return given

    def listed(self, given: Given) -> List[Any]:
        """The operator's arguments: all, or only those without defaults where that says the
        same. What `given` lacks has its default, or is None."""
        given = {**given, **{name: given[name].replace("\n", "\t")
                             for name in _TEXTS if given.get(name)}}
        found = [given.get(name, self.defaults.get(name)) for name in self.names]
        count = len(found) - len(self.defaults)
        if any([its is not None and its is not False for its in found[count:]]):
            return found
        return found[:count]

    def gradients(self, found: Given, given: Given) -> Tuple[Any, ...]:
        """Gradients by name, as a derivative returns them for arguments `given`."""
        none = [None] * len(given["captures"])
        return tuple([found.get(name, none if name == "captures" else None)
                      for name in self.names])


def with_dense_rows(tensor: torch.Tensor) -> torch.Tensor:
    """A copy if elements of rows are not adjacent. Gradients may have any strides: the
    gradient of a sum has stride 0 in all dimensions."""
    return tensor if tensor.stride(-1) == 1 else tensor.contiguous()


def array_of(scale: Any) -> Any:
    """The array of what may be a pair of one and of how many rows an element is for."""
    return scale[0] if isinstance(scale, (tuple, list)) and len(scale) == 2 else scale


def of_operator(given: Given, like: torch.Tensor) -> Given:
    """A call's arguments as those of an operator."""
    scale, window = given["scale"], given["window"]
    left, right = (None, None) if window is None else window
    regions = find_regions(given["score_mod"], given["mask_mod"], like)
    found = {**given, "scale": None if scale is None else float(scale), "left": left,
             "right": right, "score": regions.score, "mask": regions.mask,
             "captures": regions.captures, "names": regions.names}
    blocks = []
    for name in SCALES:
        found[name] = array_of(given[name])
        blocks.append(1 if found[name] is given[name] else given[name][1])
    found["blocks"] = None if blocks == [1, 1, 1] else blocks
    return found


def of_call(given: Given) -> Given:
    """The inverse."""
    found = dict(given)
    if "score" in found:
        left, right, score, mask, captures = [
            found.pop(name) for name in ("left", "right", "score", "mask", "captures")]
        count = len(types_of(score))
        found["causal"] = found["causal"] or False
        found["window"] = None if left is None and right is None else (left, right)
        found["score_mod"] = Score(score, captures[:count]) if score else None
        found["mask_mod"] = Mask(mask, captures[count:]) if mask else None
    for name, block in zip(SCALES, found.pop("blocks", None) or ()):
        if block != 1:
            found[name] = found[name], block
    if "wrt" in found:
        names = [*NAMED_GRADIENTS, *[f"capture{n}" for n in range(len(found["wrt"]))]]
        found["wrt"] = [name for name, is_wanted in zip(names, found["wrt"]) if is_wanted]
    return found


def kernel_of(schema: Schema, function: Callable[..., Any], dense: str = "",
              keys: Optional[int] = None, **options: Any) -> Callable[..., Any]:
    """What an operator computes: `function` with its arguments, and with `options`. Tensors of
    the names in `dense` are copied if elements of their rows are not adjacent, and the value if
    neither these nor those along its dimension `keys` are."""
    names = dense.split()

    def run(*arguments: Any) -> Any:
        given = schema.named(arguments)
        with InKernel():
            for name in names:
                if given[name] is not None:
                    given[name] = with_dense_rows(given[name])
            if keys is not None and (given["v"].stride(keys) != 1
                                     or given["v"].dtype == torch.uint8):
                given["v"] = with_dense_rows(given["v"])
            return function(**of_call(given), **options)

    return run


def save(ctx: Any, given: Given) -> None:
    """Keeps an operator's arguments, and what else a derivative needs."""
    tensors = {name: its for name, its in given.items() if isinstance(its, torch.Tensor)}
    ctx.options = {name: its for name, its in given.items()
                  if name not in tensors and name != "captures"}
    ctx.tensors = tuple(tensors)
    # Absent gradients of outputs stay None: often only one of two outputs has a gradient, and torch
    # need not create zeros for the other.
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(*tensors.values(), *given["captures"])


def saved(ctx: Any) -> Given:
    tensors = ctx.saved_tensors  # Checkpoints let these be asked for once.
    return {**ctx.options, **dict(zip(ctx.tensors, tensors)),
            "captures": list(tensors[len(ctx.tensors):])}
