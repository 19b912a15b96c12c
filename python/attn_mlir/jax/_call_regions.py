"""Options of a call of attention, and its score and mask functions as regions of its kernel."""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

import jax.numpy as jnp

from .._inbounds import within_bounds
from .._module import Causal, Features, Window
from ._dropout import as_operands, make_keep
from ._layouts import BSHD, argument, ordered
from ._mods import Mod, View
from ._ops import Labels, Part, Shape, is_few
from ._target import ELEMENTS, Array


class Options(NamedTuple):
    scale: Optional[float]
    causal: Causal
    window: Window
    align: str
    score: Optional[Mod]
    mask: Optional[Mod]
    # JAX's name of the dtype of the sink, or "" if the call has no sink.
    sink: str
    dropout_p: float = 0.0
    # The order of the dimensions of query, key, value and output.
    layout: str = BSHD

    def labels(self, batch: str, rows: str, heads: str, columns: str) -> Labels:
        """Returns the labels of the dimensions of query, key, value or output."""
        return ordered(self.layout, batch, rows, heads, columns)

    def argument(self, number: int, rank: int) -> Array:
        return argument(self.layout, number, rank)

    @property
    def num_captures(self) -> int:
        return sum([len(mod.captures) for mod in (self.score, self.mask) if mod])

    def keywords(self) -> Dict[str, Any]:
        return {"causal": self.causal, "window": self.window, "align": self.align,
                "scale": self.scale,
                "features": Features(self.sink and ELEMENTS[self.sink], self.dropout_p,
                                     "memref<i64>")}

    @property
    def last_labels(self) -> Tuple[Labels, ...]:
        """The labels of the operands that follow the captured arrays: those of the sink, if there
        is one, and with dropout those of the array with the words of its seed and offset."""
        return (*([("h",)] if self.sink else []), *([("",)] if self.dropout_p else []))

    def split(self, operands: Sequence[Any], first: int) -> Tuple[Tuple[Any, ...],
                                                                  Tuple[Any, ...], Any]:
        """Divides a call's operands, among which the captured arrays begin at number `first`.
        Returns query, key, value and, if there is one, the sink; the captured arrays; and the
        function that gives dropout's factor of each pair, or None without dropout."""
        end, keep = first + self.num_captures, None
        last = len(operands) - bool(self.dropout_p)
        if self.dropout_p:
            heads = ordered(self.layout, *operands[0].shape)[2]
            keep = make_keep(operands[last], heads, self.dropout_p)
        return (*operands[:3], *operands[end:last]), tuple(operands[first:end]), keep


def capture_labels(mod: Optional[Mod], batch: int, heads: int) -> List[Labels]:
    """Returns labels for the dimensions of the arrays that the function `mod` captures. A dimension
    gets "b" if all reads index it by b, its size is the number of batch entries (more than one),
    and this holds for no other dimension of the array. Likewise a dimension gets "h" for query
    heads. All other dimensions get ""."""
    if mod is None:
        return []
    found = []
    for number, its in enumerate(mod.captures):
        reads = mod.dims_at(number)
        labels = ["" for _ in its.shape]
        for label, size in (("b", batch), ("h", heads)):
            dims = [dim for dim in range(len(labels)) if its.shape[dim] == size
                    and all([read[dim] == label for read in reads])]
            if len(dims) == 1 and not is_few(size, 1):
                labels[dims[0]] = label
        found.append(tuple(labels))
    return found


def view_labels(view: View) -> Labels:
    computed = len(view.sizes) - len(view.positions)
    return ("",) * computed + tuple([("b", "h", "", "")[its] for its in view.positions])


def make_regions(options: Options, problem: Sequence[int], part: Part, views: Dict[int, View],
                 shapes: Sequence[Shape], labels: Sequence[Labels],
                 is_whole: bool = True) -> Tuple[List[str], List[List[int]], List[Any]]:
    """Returns three lists: the texts of the score and the mask region; for each region, the numbers
    of what it captures; and further operands of the launch, which come after the call's operands.
    If devices divide batch entries or heads, further operands are the numbers of the device's first
    batch entry and first head. In the second list, n >= 0 stands for captured array n of the call,
    and -n for the n-th further operand. `shapes` and `labels` are those of the captured arrays.
    `is_whole` says that positions in regions are below the sizes in `problem`, so that reads can be
    marked as in bounds; in packed sequences and caches they are not. Reads are not marked either if
    sizes are symbols of jax.export."""
    is_whole = is_whole and all([isinstance(its, int) for its in problem])
    offsets = [(position, its) for position, its in enumerate((part.batch, part.head))
               if its is not None]
    texts, numbers, behind, first = [], [], [], 0
    for mod in (options.score, options.mask):
        if mod is None:
            texts.append("")
            numbers.append([])
            continue
        count = len(mod.captures)
        own = {number - first: view for number, view in views.items()
               if mod is options.score}
        own = {number: view._replace(sizes=tuple(shapes[first + number]))
               for number, view in own.items()}
        local: Dict[int, Any] = {}
        if offsets:
            for number in range(count):
                if number not in own:
                    local[number] = tuple([
                        label or None for label in labels[first + number]])
        region = mod.region(problem, own, tuple([its for its, _ in offsets]), local)
        for array, shape in zip(region.arrays, shapes[first:first + count]):
            array.shape = tuple(shape)
        texts.append(within_bounds(region, problem) if is_whole else region.text)
        its = list(range(first, first + count))
        for _, array in offsets:
            behind.append(jnp.asarray(array, jnp.int32))
            its.append(-len(behind))
        numbers.append(its)
        first += count
    return texts, numbers, behind


def merge_captures(op: Any, sizes: Dict[str, int],
                   batched: Sequence[Optional[int]]) -> Any:
    """Returns the call that computes `op` for all entries of a vmap at once: their batches, each of
    `sizes["b"]` entries, become one batch. An element of `batched` is the size of the vmap's
    dimension, which that operand has first, or None if the operand has no such dimension."""
    options = _merge_mods(op.options, sizes["b"],
                          [batched[number] for number in op.captured])
    return op._replace(options=options, captures=_no_labels(options))


def _merge_mods(options: Options, batch: int,
                batched: Sequence[Optional[int]]) -> Options:
    first = 0
    mods: List[Optional[Mod]] = []
    for mod in (options.score, options.mask):
        if mod is not None:
            its = batched[first:first + len(mod.captures)]
            first += len(mod.captures)
            if mod.reads(0) or any([size is not None for size in its]):
                mod = mod.merged(batch, its)
        mods.append(mod)
    return options._replace(score=mods[0], mask=mods[1])


def _no_labels(options: Options) -> Tuple[Labels, ...]:
    """Returns the label "" for each dimension of each captured array. In a call that vmap has
    merged, regions compute the numbers of batch entries, so that devices may not divide captured
    arrays."""
    return tuple([("",) * len(its.shape) for mod in (options.score, options.mask) if mod
                  for its in mod.captures])


def capture_arguments(numbers: Sequence[Sequence[int]], avals: Sequence[Any],
                      first: int) -> List[Array]:
    """Returns the kernel's arguments for the arrays and scalars that both regions capture. For each
    region, `numbers` has a number for each capture: n >= 0 is the array in operand `first` + n of
    the call, and -n is the n-th of the scalars that follow all operands."""
    found = []
    for number in [number for its in numbers for number in its]:
        if number < 0:
            found.append(Array(len(avals) - number - 1, ()))
        else:
            rank = len(avals[first + number].shape)
            found.append(Array(first + number, tuple(range(rank))))
    return found


def last_arguments(options: Options, avals: Sequence[Any], behind: List[Any]) -> List[Array]:
    """Returns the kernel's arguments that follow the captures of regions: the sink, and dropout's
    seed and offset. The seed and the offset are further operands of the launch. For each, this
    function appends to `behind` a function that computes it from the call's operands."""
    last = len(avals) - 1
    found = [Array(last - bool(options.dropout_p), (0,))] if options.sink else []
    for number in range(2 if options.dropout_p else 0):
        found.append(Array(len(avals) + len(behind), ()))
        behind.append(lambda operands, number=number: as_operands(operands[last])[number])
    return found
