"""The function `merge`: attention over a union of sets of keys, from attention over each set,
on JAX's arrays."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import jax
import jax.numpy as jnp

from .._arrays import expected
from .._merge import check_states, merge_text
from .._module import NARROW_QUERIES
from .._options import as_flag
from .._output import MERGED, as_out_dtype, check_scale, choose_dtype
from .._scales import describe_sizes
from .._spellings import refuse
from ._arrays import as_array, check_devices, float_names, refuse_traced
from ._layouts import BSHD, argument, as_layout, ordered, swapped
from ._ops import Labels, Part, Shape, call, sizes_of
from ._stored import describe_array, label_size, query_names
from ._tangents import differentiate_plain
from ._target import ELEMENTS, STORED, Launch

_ELEMENTS = {**ELEMENTS, **STORED}
_NAMES = {its: name for name, its in _ELEMENTS.items()}


class ScaleOf(NamedTuple):
    """A scale that is an operand of a call of `merge`: its MLIR type, and the labels of its
    dimensions."""

    type: str
    labels: Labels


class Merge(NamedTuple):
    """A call of `merge`, as the parameter of the primitive in _ops.py. Its operands are the
    outputs, each followed by its lse; the outputs' scales, if they have some; the sink, if there is
    one; and the scale of the result, if it has one. `dtype` is the dtype of the outputs, and
    `result` that of the merged output."""

    count: int
    dtype: str
    sink: str
    return_lse: bool
    result: str
    scales: Tuple[ScaleOf, ...] = ()
    out_scale: Optional[ScaleOf] = None
    layout: str = BSHD

    @property
    def operands(self) -> Tuple[Labels, ...]:
        found: List[Labels] = [ordered(self.layout, *"bshd"), ("b", "h", "s")] * self.count
        found += [its.labels for its in self.scales]
        found += [("h",)] if self.sink else []
        return (*found, *([self.out_scale.labels] if self.out_scale else []))

    def results(self, sizes: Dict[str, int]) -> List[Tuple[Labels, Shape, Any]]:
        found = [(labels, tuple([sizes[label] for label in labels]), dtype)
                 for labels, dtype in zip(self.operands[:2], (self.result, "float32"))]
        return found[:1 + self.return_lse]

    def plain(self, *operands: Any) -> Tuple[Any, ...]:
        return _merge_plain(self, operands)

    def differentiate(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        for name, its in (("states", self.dtype), ("out_dtype", self.result)):
            if _ELEMENTS[its] in NARROW_QUERIES:
                raise expected(name, "dtypes of 16 or 32 bits where a derivative is needed, which "
                               "8 bits would round away; convert arrays first, times their "
                               "scales, or use jax.lax.stop_gradient", its)
        return differentiate_plain(self, primals, tangents)

    def merged(self, sizes: Dict[str, int],
               batched: Sequence[Optional[int]]) -> Optional["Merge"]:
        # Calls with scales are not joined. If a call has one batch entry, a scale's dimension of
        # size 1 may mean one element for each batch entry, or one for all of them. In a call with
        # more entries, these differ.
        is_same = not self.scales and not self.out_scale
        return self if is_same and all([its is None for its in batched]) else None

    def launch(self, avals: Sequence[Any], part: Part) -> Tuple[Launch, List[Any]]:
        sizes = sizes_of(self, avals)
        text = merge_text(_ELEMENTS[self.dtype], sizes["d"], self.count,
                          scales=[its.type for its in self.scales],
                          sink=self.sink and ELEMENTS[self.sink], out=_ELEMENTS[self.result],
                          out_scale=self.out_scale.type if self.out_scale else "",
                          return_lse=self.return_lse)
        made = self.results(sizes)
        shapes = [its.shape for its in avals] + [its for _, its, _ in made]
        arguments = [argument(self.layout, number, len(its)) for number, its in enumerate(shapes)]
        return Launch(text, text, tuple(arguments),
                      tuple([(its, own) for _, its, own in made])), []


def _merge_plain(op: "Merge", arrays: Sequence[Any]) -> Tuple[Any, ...]:
    """Computes the results of a call of `merge` by JAX's own ops, which JAX differentiates."""
    outputs, lses = arrays[0:2 * op.count:2], arrays[1:2 * op.count:2]
    lse = jnp.stack(lses)
    if op.sink:
        sink = arrays[-1].astype(jnp.float32)[None, None, :, None]
        # In rows without keys, a sink that is not finite counts as none.
        is_none = (jnp.max(lse, 0, keepdims=True) == -jnp.inf) & ~jnp.isfinite(sink)
        lse = jnp.concatenate([lse, jnp.where(is_none, -jnp.inf, sink)])
    most = jax.lax.stop_gradient(jnp.max(lse, 0))
    most = jnp.where(jnp.isfinite(most), most, 0)
    weights = jnp.exp(lse - most)
    total = jnp.sum(weights, 0)
    is_empty = total == 0
    total = jnp.where(is_empty, 1, total)
    rows = [swapped(op.layout, (its / total).transpose(0, 2, 1)[..., None])
            for its in weights[:op.count]]
    # Outputs of empty states may be NaN, also for derivatives.
    output = sum([its * jnp.where(its == 0, 0, o.astype(jnp.float32))
                  for its, o in zip(rows, outputs)])
    found = (output.astype(op.result),)
    if op.return_lse:
        found += (jnp.where(is_empty, -jnp.inf, most + jnp.log(total)),)
    return found


def _find_scale(name: str, scale: Any, sizes: Dict[str, int]) -> Tuple[Any, ScaleOf]:
    """Checks the scale called `name`. Returns it as an array, and its type and labels. `sizes` has
    the numbers of batch entries ("B") and heads ("H")."""
    if not hasattr(scale, "dtype"):
        raise expected(name, "an array of float32", type(scale).__qualname__)
    array = jnp.asarray(scale)
    described, type_ = describe_sizes(name, describe_array(array), ((), (0, 1)),
                                      (sizes["B"], sizes["H"]), ("B", "H"))
    own = tuple(described[1])
    full = {"b": sizes["B"], "h": sizes["H"]}
    return array.reshape(own), ScaleOf(type_, tuple([
        label_size(size, label, full) for size, label in zip(own, full)]))


def merge(states: Sequence[Tuple[Any, ...]], *, sink: Any = None, return_lse: bool = True,
          out_scale: Any = None, out_dtype: Any = None, layout: str = BSHD,
          **others: Any) -> Any:
    """Computes attention over the union of several sets of keys from the results for each set,
    as attn_mlir.merge. `states` are pairs (output, lse) of shapes (B, S, H, D) and (B, H, S), the
    lse of float32, or triples (output, lse, scale), whose outputs are of 8 bits and whose scales
    are of shape () or (B, H). With layout="BHSD", outputs and the result are (B, H, S, D)."""
    if others:
        refuse(merge, others)
    refuse_traced(return_lse=return_lse, out_dtype=out_dtype, layout=layout)
    layout = as_layout(layout)
    sizes: Dict[str, int] = {}
    arrays: List[Any] = []
    triples = check_states(states)
    dtypes = query_names(float_names())
    for number, (output, lse, _) in enumerate(triples):
        arrays.append(as_array(f"states[{number}]", output,
                               ordered(layout, "B", "S", "H", "D"), sizes, dtypes))
        dtypes = (arrays[0].dtype.name,)
        arrays.append(as_array(f"states[{number}]: lse", lse, ("B", "H", "S"), sizes,
                               ("float32",)))
    check_devices({f"states[{number // 2}]{': lse' * (number % 2)}": its
                   for number, its in enumerate(arrays)})
    dtype = _ELEMENTS[arrays[0].dtype.name]
    scales: List[ScaleOf] = []
    for number, (_, _, scale) in enumerate(triples):
        check_scale(f"states[{number}]: scale", dtype, scale)
        if scale is not None:
            its, own = _find_scale(f"states[{number}]: scale", scale, sizes)
            arrays.append(its)
            scales.append(own)
    if sink is not None:
        arrays.append(as_array("sink", sink, ("H",), sizes, float_names()))
    result = choose_dtype(dtype, as_out_dtype(out_dtype), out_scale, "states[0]", MERGED)
    of_result = None
    if out_scale is not None:
        its, of_result = _find_scale("out_scale", out_scale, sizes)
        arrays.append(its)
    op = Merge(len(triples), arrays[0].dtype.name, "" if sink is None else sink.dtype.name,
               as_flag("return_lse", return_lse), _NAMES[result], tuple(scales), of_result, layout)
    found = call(op, *arrays)
    return tuple(found) if return_lse else found[0]
