"""The function `merge`: attention over a union of sets of keys, from attention over each set,
on JAX's arrays."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import jax
import jax.numpy as jnp

from .._arrays import expected
from .._merge import merge_text
from .._options import as_flag
from .._spellings import refuse
from ._arrays import as_array, check_devices, float_names, refuse_traced
from ._ops import Labels, Part, Shape, call, sizes_of
from ._serving import _orders
from ._tangents import differentiate_plain
from ._target import ELEMENTS, Launch


class Merge(NamedTuple):
    """The call of `merge`. Its operands are the outputs, each followed by its lse, and the sink if
    there is one."""

    count: int
    dtype: str
    sink: str
    return_lse: bool

    @property
    def operands(self) -> Tuple[Labels, ...]:
        return ((("b", "s", "h", "d"), ("b", "h", "s")) * self.count
                + ((("h",),) if self.sink else ()))

    def results(self, sizes: Dict[str, int]) -> List[Tuple[Labels, Shape, Any]]:
        b, s, h, d = (sizes[label] for label in "bshd")
        found = [(("b", "s", "h", "d"), (b, s, h, d), self.dtype)]
        return found + ([(("b", "h", "s"), (b, h, s), "float32")] if self.return_lse else [])

    def plain(self, *operands: Any) -> Tuple[Any, ...]:
        return _merge_plain(self, operands)

    def differentiate(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        return differentiate_plain(self, primals, tangents)

    def merged(self, sizes: Dict[str, int],
               batched: Sequence[Optional[int]]) -> Optional["Merge"]:
        return self if all([its is None for its in batched]) else None

    def launch(self, avals: Sequence[Any], part: Part) -> Tuple[Launch, List[Any]]:
        sizes = sizes_of(self, avals)
        text = merge_text(ELEMENTS[self.dtype], sizes["d"], self.count,
                          sink=self.sink and ELEMENTS[self.sink], return_lse=self.return_lse)
        made = self.results(sizes)
        shapes = [its.shape for its in avals] + [its for _, its, _ in made]
        arguments = _orders(range(len(shapes)), [len(its) for its in shapes])
        return Launch(text, text, tuple(arguments),
                      tuple([(its, own) for _, its, own in made])), []


def _merge_plain(op: "Merge", arrays: Sequence[Any]) -> Tuple[Any, ...]:
    """Computes the results of a call of `merge` by JAX's own ops, which JAX differentiates."""
    outputs, lses = arrays[0:2 * op.count:2], arrays[1:2 * op.count:2]
    lse = jnp.stack(lses)
    if op.sink:
        sink = arrays[-1].astype(jnp.float32)[None, None, :, None]
        lse = jnp.concatenate([lse, jnp.broadcast_to(sink, (1, *lse.shape[1:]))])
    most = jax.lax.stop_gradient(jnp.max(lse, 0))
    most = jnp.where(jnp.isfinite(most), most, 0)
    weights = jnp.exp(lse - most)
    total = jnp.sum(weights, 0)
    is_empty = total == 0
    total = jnp.where(is_empty, 1, total)
    rows = [(its / total).transpose(0, 2, 1)[..., None] for its in weights[:op.count]]
    output = sum([jnp.where(its == 0, 0, its * o.astype(jnp.float32))
                  for its, o in zip(rows, outputs)])
    found = (output.astype(outputs[0].dtype),)
    if op.return_lse:
        found += (jnp.where(is_empty, -jnp.inf, most + jnp.log(total)),)
    return found


def merge(states: Sequence[Tuple[Any, Any]], *, sink: Any = None, return_lse: bool = True,
          **others: Any) -> Any:
    """Computes attention over the union of several sets of keys from the results for each set,
    as attn_mlir.merge. `states` are pairs (output, lse) of shapes (B, S, H, D) and (B, H, S), the
    lse of float32."""
    if others:
        refuse(merge, others)
    refuse_traced(return_lse=return_lse)
    if not isinstance(states, (tuple, list)) or not states or not all(
            [isinstance(its, (tuple, list)) and len(its) == 2 for its in states]):
        raise expected("states", "pairs (output, lse)", type(states).__qualname__
                       if not isinstance(states, (tuple, list)) else "others")
    sizes: Dict[str, int] = {}
    arrays: List[Any] = []
    dtypes = float_names()
    for number, (output, lse) in enumerate(states):
        arrays.append(as_array(f"states[{number}]", output, ("B", "S", "H", "D"), sizes,
                               dtypes))
        dtypes = (arrays[0].dtype.name,)
        arrays.append(as_array(f"states[{number}]: lse", lse, ("B", "H", "S"), sizes,
                               ("float32",)))
    if sink is not None:
        arrays.append(as_array("sink", sink, ("H",), sizes, float_names()))
    check_devices({f"states[{number // 2}]{': lse' * (number % 2)}": its
                   for number, its in enumerate(arrays[:2 * len(states)])})
    op = Merge(len(states), arrays[0].dtype.name, "" if sink is None else sink.dtype.name,
               as_flag("return_lse", return_lse))
    found = call(op, *arrays)
    return tuple(found) if return_lse else found[0]
