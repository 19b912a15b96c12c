"""Divides a call among the devices of a mesh, by batch entries and by heads.

If XLA's partitioner wants to divide other dimensions of an operand, all devices get that operand
whole along these dimensions. If devices divide batch entries or heads, a result that is a sum over
batch entries or heads is summed over the devices, unless the call's attribute `adds_up` is False:
then such a result is the same on all devices."""

import math
from typing import Any, Callable, Dict, List, Sequence, Tuple

import jax
from jax.experimental.custom_partitioning import (ArrayMapping, CompoundFactor,
                                                  SdyShardingRule, custom_partitioning)
from jax.sharding import NamedSharding, PartitionSpec


def _axes(spec: Any) -> Tuple[str, ...]:
    return () if spec is None else tuple(spec) if isinstance(spec, (tuple, list)) else (spec,)


def _choose(op: Any, mesh: Any, shapes: Sequence[Any]) -> Dict[str, Tuple[str, ...]]:
    """Returns the axes of the mesh that divide dimensions with the labels "b", "h" and "g": batch
    entries, query heads and key heads. The first operand whose dimension is divided decides, but
    axes whose number of devices does not divide the sizes are not used."""
    axes: Dict[str, Tuple[str, ...]] = {"b": (), "h": ()}
    if getattr(op, "is_whole", False):
        return {**axes, "g": ()}
    sizes: Dict[str, int] = {}
    for labels, its in zip(op.operands, shapes):
        for dim, label in enumerate(labels):
            sizes.setdefault(label, its.shape[dim])
            label = "h" if label == "g" else label
            spec = getattr(its.sharding, "spec", ())
            if label in axes and not axes[label] and dim < len(spec):
                axes[label] = _axes(spec[dim])
    heads = [sizes[label] for label in ("h", "g") if label in sizes]
    for label, dividends in (("b", [sizes.get("b", 1)]), ("h", [
            size for size in heads if size != 1 or size == max(heads)])):
        count = math.prod([mesh.shape[axis] for axis in axes[label]])
        if any([size % count for size in dividends]):
            axes[label] = ()
    axes["h"] = tuple([axis for axis in axes["h"] if axis not in axes["b"]])
    axes["g"] = axes["h"] if sizes.get("g", 2) != 1 else ()
    return axes


def _shardings(mesh: Any, axes: Dict[str, Tuple[str, ...]],
               labels: Sequence[Sequence[str]]) -> Tuple[Any, ...]:
    return tuple([NamedSharding(mesh, PartitionSpec(*[
        axes.get(label) or None for label in its])) for its in labels])


def _result_labels(op: Any, shapes: Sequence[Any]) -> List[Any]:
    sizes: Dict[str, int] = {}
    for labels, its in zip(op.operands, shapes):
        for label, size in zip(labels, its.shape):
            sizes.setdefault(label, size)
    return [labels for labels, _, _ in op.results(sizes)]


def _rule(op: Any, mesh: Any, operands: Sequence[Any], results: Sequence[Any]) -> Any:
    """Returns the call's sharding rule for Shardy, XLA's partitioner. Devices may divide batch
    entries and heads; operands must be gathered along all other dimensions."""
    shapes = [jax.ShapeDtypeStruct(tuple(its.shape), jax.numpy.float32) for its in operands]
    labels = _result_labels(op, shapes)
    sizes: Dict[str, int] = {}
    for its, shape in zip(op.operands, shapes):
        for label, size in zip(its, shape.shape):
            sizes.setdefault(label, size)
    group = sizes.get("h", 1) // max(1, sizes.get("g", sizes.get("h", 1)))
    is_whole = getattr(op, "is_whole", False)
    has_groups = "g" in sizes and group > 1 and sizes["g"] > 1 and not is_whole
    # Shardy divides an axis whose number of devices does not divide the key heads: one part of it
    # divides these, and the other the query heads of each. JAX has no sharding by a part of an
    # axis, and raises an error. Where the mesh has such an axis, query heads and key heads
    # therefore have unrelated shardings.
    is_related = has_groups and not any([sizes["g"] % its for its in mesh.shape.values()])
    others: List[str] = []

    def factor(label: str) -> Any:
        if is_whole:
            label = ""
        if label == "b":
            return "b"
        if label == "h" and is_related:
            return CompoundFactor("g", "r")
        if label == "h" or label == "g" and sizes["g"] == sizes.get("h", sizes["g"]):
            return "h"
        if label == "g" and has_groups:
            return "g"
        others.append(f"x{len(others)}")
        return others[-1]

    mappings = [ArrayMapping(*map(factor, its)) for its in [*op.operands, *labels]]
    count = len(op.operands)
    return SdyShardingRule(tuple(mappings[:count]), tuple(mappings[count:]),
                           need_replication_factors=tuple(others),
                           **({"r": group} if is_related else {}))


def partitioned(run: Callable[..., List[Any]]) -> Callable[..., Any]:
    """Returns a function of (op, *operands) that JAX's partitioner can divide among the devices of
    a mesh. Each device calls `run` on its part of the operands; the argument `part` says which."""

    def whole(op: Any, *operands: Any) -> Tuple[Any, ...]:
        return tuple(run(op, *operands))

    function = custom_partitioning(whole, static_argnums=(0,))

    def partition(op: Any, mesh: Any, shapes: Any, result_shapes: Any) -> Any:
        axes = _choose(op, mesh, shapes)
        labels = _result_labels(op, shapes)

        def lower(*operands: Any) -> Tuple[Any, ...]:
            offsets = {}
            for label in ("b", "h"):
                # A call of `append` without a query has no query heads.
                sizes = [array.shape[its.index(label)]
                         for its, array in zip(op.operands, operands) if label in its]
                if axes[label] and sizes:
                    offsets[label] = jax.lax.axis_index(axes[label]) * sizes[0]
            found = run(op, *operands, part=(offsets.get("b"), offsets.get("h")))
            return tuple([_add_up(its, own, axes) for its, own in zip(found, labels)]
                         if getattr(op, "adds_up", True) else found)

        return (mesh, lower, _shardings(mesh, axes, labels),
                _shardings(mesh, axes, op.operands))

    def infer(op: Any, mesh: Any, shapes: Any, result_shapes: Any) -> Any:
        return _shardings(mesh, _choose(op, mesh, shapes), _result_labels(op, shapes))

    function.def_partition(partition, infer_sharding_from_operands=infer,
                           sharding_rule=_rule)
    return function


def _add_up(array: Any, labels: Sequence[str], axes: Dict[str, Tuple[str, ...]]) -> Any:
    """Returns a result as the whole call has it: summed over the devices that divide batch entries
    if the result has no dimension of batch entries, and over the devices that divide heads if it
    has no dimension of query heads or key heads."""
    summed: Tuple[str, ...] = ()
    if "b" not in labels:
        summed += axes["b"]
    if "h" not in labels and not ("g" in labels and axes["g"]):
        summed += axes["h"]
    return jax.lax.psum(array, summed) if summed else array
