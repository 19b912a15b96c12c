"""One primitive for all calls, with its rules for shapes, vmap and meshes.

A call's operands and results have a label for each dimension: "b" for batch entries, "h"
for query heads, and "g" for heads of keys and values, whose number divides that of query
heads. Dimensions with any other label have equal sizes if their labels are equal; "" says
nothing about the size. The result for a batch entry and a head does not depend on others. So
vmap joins calls to one call with a larger batch, and devices may divide both dimensions."""

import functools
from typing import Any, Dict, List, NamedTuple, Optional, Protocol, Sequence, Tuple

import jax
import jax.numpy as jnp
from jax._src.dispatch import prim_requires_devices_during_lowering
from jax.extend.core import Primitive
from jax.interpreters import ad, batching, mlir, xla

from .._errors import Error
from ._partition import partitioned
from ._target import Launch, launch_p, results_like

Labels = Tuple[str, ...]
Shape = Tuple[int, ...]


def is_few(size: Any, most: int) -> bool:
    """Whether a size is at most `most`. The symbolic sizes of jax.export count as large."""
    return isinstance(size, int) and size <= most


class Part(NamedTuple):
    """The part of a call that a device computes, if devices divide the call: the numbers of the
    device's first batch entry and first query head in the whole call. Each is an array, or None if
    devices do not divide that dimension."""

    batch: Any = None
    head: Any = None


class Op(Protocol):
    """A call of a kernel, which is the parameter of the primitive. Two equal objects stand for the
    same kernel. `operands` has, for each operand of the call, the labels of its dimensions."""

    @property
    def operands(self) -> Tuple[Labels, ...]:
        ...

    def results(self, sizes: Dict[str, int]) -> List[Tuple[Labels, Shape, Any]]:
        """Returns the labels, the shape and the dtype of each result. `sizes` maps labels to sizes
        of dimensions."""

    def launch(self, avals: Sequence[Any], part: Part) -> Tuple[Launch, List[Any]]:
        """Returns the launch for operands of the shapes `avals`, and a list of further operands of
        the launch, which come after the call's operands. An element of the list is an array, or a
        function that computes one from the call's operands."""

    def merged(self, sizes: Dict[str, int],
               batched: Sequence[Optional[int]]) -> Optional["Op"]:
        """Returns the call that does the work of this call for all entries of a vmap, whose batches
        follow each other in one batch, or None if there is no such call. `batched` has an element
        for each operand: None if the operand's first label is "b", unless its number is in
        `captured`. For other operands it is the size of the vmap's dimension, which the operand has
        first, or None if all entries share the operand."""


def sizes_of(op: Op, avals: Sequence[Any]) -> Dict[str, int]:
    sizes: Dict[str, int] = {}
    for labels, aval in zip(op.operands, avals):
        for label, size in zip(labels, aval.shape):
            sizes.setdefault(label, size)
    return sizes


call_p = Primitive("attn_mlir_call")
call_p.multiple_results = True
call_p.def_impl(functools.partial(xla.apply_primitive, call_p))


def run(op: Op, *operands: Any, part: Tuple[Any, Any] = (None, None)) -> List[Any]:
    """Launches the kernel of a call on this device's operands. `part` has the fields of Part: it
    says which part of the call the operands are."""
    launch, behind = op.launch([jax.typeof(its) for its in operands], Part(*part))
    return launch_p.bind(*operands, *[its(operands) if callable(its) else its
                                      for its in behind], launch=launch)


@call_p.def_abstract_eval
def shapes_rule(*avals: Any, op: Op) -> List[Any]:
    specs: Dict[str, Any] = {}
    for labels, aval in zip(op.operands, avals):
        for label, its in zip(labels, aval.sharding.spec):
            if label in ("b", "h", "g"):
                specs.setdefault(label, its)
    results = op.results(sizes_of(op, avals))
    return results_like(avals, [(shape, dtype) for _, shape, dtype in results],
                        [[specs.get(label) for label in labels] for labels, _, _ in results])


_partitioned = partitioned(run)


def _run_whole(*operands: Any, op: Op) -> Any:
    return run(op, *operands)


def _run_partitioned(*operands: Any, op: Op) -> Any:
    return _partitioned(op, *operands)


def _lower(ctx: Any, *operands: Any, op: Op) -> Any:
    context = ctx.module_context.axis_context
    # Outside of shard_map, devices may divide the arrays if there are several, and JAX knows which.
    # (During an export it does not, so that arrays count as whole.) Within shard_map, devices may
    # divide them further if some axis of the mesh is not manual.
    is_divided = getattr(context, "num_devices", 1) > 1 and getattr(
        context, "device_assignment", None) is not None
    if isinstance(context, mlir.SPMDAxisContext):
        is_divided = set(context.manual_axes) != set(context.mesh.axis_names)
    function = _run_partitioned if is_divided else _run_whole
    return mlir.lower_fun(function, multiple_results=True)(ctx, *operands, op=op)


mlir.register_lowering(call_p, _lower)
# JAX tells the lowering of a primitive the devices only if the set
# prim_requires_devices_during_lowering has the primitive. `_lower` needs the devices to choose a
# function, and the partitioner's rules need them.
prim_requires_devices_during_lowering.add(call_p)


def axes_of(array: Any) -> Any:
    """Returns the manual axes of a mesh over which an array varies, within shard_map."""
    aval = jax.typeof(array)
    its = getattr(aval, "manual_axis_type", None)
    return getattr(aval, "vma", frozenset()) if its is None else its.varying


def vary_alike(*groups: Sequence[Any]) -> List[Tuple[Any, ...]]:
    """Makes all arrays vary over the same manual axes of the mesh, within shard_map: over each axis
    over which any of them varies. Applies jax.lax.pcast to arrays that do not vary over an axis.
    In reverse mode, JAX sums the gradient of such an array over that axis."""
    axes: set = set()
    for arrays in groups:
        for array in arrays:
            axes |= axes_of(array)
    return [tuple([_vary(array, tuple(sorted(axes - axes_of(array)))) for array in arrays])
            for arrays in groups]


def _vary(array: Any, axes: Tuple[str, ...]) -> Any:
    return jax.lax.pcast(array, axes, to="varying") if axes else array


def call(op: Op, *operands: Any) -> List[Any]:
    """Applies the primitive, with the call `op` as its parameter, to the call's operands, and
    returns the results."""
    return call_p.bind(*vary_alike(operands)[0], op=op)


def _jvp(primals: Any, tangents: Any, *, op: Op) -> Any:
    rule = getattr(op, "differentiate", None)
    if rule is None:
        raise Error(f"{type(op).__name__.lower()}: expected no derivative of it, for it has none; "
                    "jax.lax.stop_gradient takes it away")
    score = getattr(getattr(op, "options", None), "score", None)
    if score is not None and score.residual.own_rule:
        raise Error(f"score_mod: expected a function whose derivative is that of its ops, found "
                    f"{score.residual.own_rule} of a value that depends on the score or positions")
    return rule(primals, tangents)


ad.primitive_jvps[call_p] = _jvp


def _one_by_one(primitive: Primitive, op: Op, operands: Sequence[Any],
                dims: Sequence[Optional[int]]) -> List[Any]:
    mapped = [its for its, dim in zip(operands, dims) if dim is not None]

    def one(values: Sequence[Any]) -> List[Any]:
        rest = iter(values)
        return primitive.bind(*[its if dim is None else next(rest)
                                for its, dim in zip(operands, dims)], op=op)

    return jax.lax.map(one, mapped)


def batch_rule(primitive: Primitive, operands: Sequence[Any], dims: Sequence[Optional[int]], *,
               op: Op) -> Tuple[List[Any], List[int]]:
    """Applies a primitive whose parameter is `op` to all entries of a vmap. `dims` has, for each
    operand, the number of its vmapped dimension, or None. Returns the results, and for each result
    the number of its vmapped dimension."""
    count = next(its.shape[dim] for its, dim in zip(operands, dims) if dim is not None)
    operands = [its if dim is None else jnp.moveaxis(its, dim, 0)
                for its, dim in zip(operands, dims)]
    dims = [None if dim is None else 0 for dim in dims]
    avals = [its if dim is None else jax.ShapeDtypeStruct(its.shape[1:], its.dtype)
             for its, dim in zip(operands, dims)]
    sizes = sizes_of(op, avals)
    # The calls of a vmap become one call with a larger batch only if each result has a dimension of
    # batch entries, the batch is not empty, and `op.merged` returns such a call. Otherwise the
    # calls are made one after another.
    has_batches = all([labels[:1] == ("b",) for labels, _, _ in op.results(sizes)])
    is_merged = [labels[:1] == ("b",) for labels in op.operands]
    for number in getattr(op, "captured", ()):
        is_merged[number] = False
    other = op.merged(sizes, [None if merged or dim is None else count
                              for merged, dim in zip(is_merged, dims)]) \
        if has_batches and sizes["b"] else None
    if other is None:
        found = _one_by_one(primitive, op, operands, dims)
        return found, [0] * len(found)
    merged = []
    for its, dim, has_batch in zip(operands, dims, is_merged):
        if has_batch:
            if dim is None:
                its = jnp.broadcast_to(its, (count, *its.shape))
            its = its.reshape((its.shape[0] * its.shape[1], *its.shape[2:]))
        merged.append(its)
    found = [its.reshape((count, sizes["b"], *its.shape[1:]))
             for its in primitive.bind(*merged, op=other)]
    return found, [0] * len(found)


batching.primitive_batchers[call_p] = functools.partial(batch_rule, call_p)
