"""Converts the arguments of calls to those of torch's operators, and back.

A call's arguments are a dictionary by their names in Python. Those of an operator have the names
and the order of its schema. In a schema a window is `left` and `right`, a traced function is its
text, and `captures` has what both functions capture. A scale for several rows is an array, and the
number of rows is in `blocks`."""

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

# The names of arguments that are texts of regions. Operators get such a text as one line, with tabs
# in place of line breaks, since Inductor before torch 2.12 writes the strings of a call unchanged
# into comments of the code that it generates.
_TEXTS = ("score", "mask")


class Schema:
    """The names and the defaults of an operator's arguments, from its schema in torch's
    notation."""

    def __init__(self, text: str) -> None:
        self.text = text
        declared = text[1:text.rindex(") ->")].split(", ")
        self.names = tuple([its.split()[-1].partition("=")[0] for its in declared])
        self.defaults = {name: False if its.endswith("=False") else None
                         for name, its in zip(self.names, declared) if "=" in its}
        # The names of all arguments, each with what an argument is that a dictionary lacks.
        self._pairs = [(name, self.defaults.get(name)) for name in self.names]

    def named(self, arguments: Sequence[Any]) -> Given:
        """Returns the operator's arguments as a dictionary by their names. `arguments` may lack
        the last ones that have defaults: the dictionary then has their defaults."""
        given = {**self.defaults, **dict(zip(self.names, arguments))}
        for name in _TEXTS:
            if isinstance(given.get(name), str):
                given[name] = given[name].replace("\t", "\n")
        return given

    def listed(self, given: Given) -> List[Any]:
        """Returns the operator's arguments as a list. An argument that `given` lacks has its
        default, or is None. Those with defaults are left out if all of them are None or False."""
        texts = {name: given[name].replace("\n", "\t") for name in _TEXTS if given.get(name)}
        if texts:
            given = {**given, **texts}
        found = [given.get(name, default) for name, default in self._pairs]
        count = len(found) - len(self.defaults)
        if any([its is not None and its is not False for its in found[count:]]):
            return found
        return found[:count]

    def gradients(self, found: Given, given: Given) -> Tuple[Any, ...]:
        """Returns the gradients `found`, by name, as a tuple with one element for each argument,
        None for those without a gradient. `given` are the operator's arguments."""
        none = [None] * len(given["captures"])
        return tuple([found.get(name, none if name == "captures" else None)
                      for name in self.names])


def has_dense_rows(tensor: torch.Tensor) -> bool:
    return tensor.stride()[-1:] in ((), (1,))


def with_dense_rows(tensor: torch.Tensor) -> torch.Tensor:
    """Returns the tensor, or a contiguous copy if its last stride is not 1. Gradients may have any
    strides: the gradient of a sum has stride 0 in all dimensions."""
    return tensor if has_dense_rows(tensor) else tensor.contiguous()


def array_of(scale: Any) -> Any:
    """Returns the array of a scale, which may be a pair of an array and the number of rows that
    share one of its elements."""
    return scale[0] if isinstance(scale, (tuple, list)) and len(scale) == 2 else scale


def of_operator(given: Given, like: torch.Tensor) -> Given:
    """Converts the arguments of a call to those of an operator, both by name. `like` is the
    query."""
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
    """Converts the arguments of an operator to those of a call, both by name: the inverse of
    of_operator()."""
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


def kernel_of(function: Callable[..., Any], dense: str = "", keys: Optional[int] = None,
              **options: Any) -> Callable[[Given], Any]:
    """Returns the implementation of an operator: a function of a dictionary of its arguments, which
    it may change. It calls `function` with these arguments and with `options`. Tensors whose names
    `dense` lists are first copied if their last stride is not 1. If `keys` is given, it is the
    number of `v`'s dimension of keys: `v` is then copied if neither its last stride nor that of
    this dimension is 1, and `v` of uint8 if its last stride is not 1."""
    names = dense.split()

    def run(given: Given) -> Any:
        with InKernel():
            for name in names:
                if given[name] is not None:
                    given[name] = with_dense_rows(given[name])
            if keys is not None:
                v = given["v"]
                if v.dim() <= keys or v.stride(keys) != 1 or v.dtype == torch.uint8:
                    given["v"] = with_dense_rows(v)
            return function(**of_call(given), **options)

    return run


def save(ctx: Any, given: Given) -> None:
    """Saves an operator's arguments, and the other values in `given`, in the context for the
    derivative."""
    tensors = {name: its for name, its in given.items() if isinstance(its, torch.Tensor)}
    ctx.options = {name: its for name, its in given.items()
                  if name not in tensors and name != "captures"}
    ctx.tensors = tuple(tensors)
    # Gradients of outputs that are not needed stay None. Often only one of two outputs has a
    # gradient, and torch need not create zeros for the other.
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(*tensors.values(), *given["captures"])


def saved(ctx: Any) -> Given:
    tensors = ctx.saved_tensors  # Checkpoints let these be asked for once.
    return {**ctx.options, **dict(zip(ctx.tensors, tensors)),
            "captures": list(tensors[len(ctx.tensors):])}
