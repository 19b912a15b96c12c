"""Attention on floats of 16 or 32 bits, and its gradients, as calls of the primitive in
_ops.py."""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import jax
import jax.numpy as jnp

from .._inbounds import within_bounds
from .._module import (FEW_KEYS, FEW_ROWS, NAMED_GRADIENTS, Causal, Features, Sequences,
                       Window, backward_text, module_text, rows_type)
from ._dropout import as_operands, make_keep
from ._mods import Mod, View, make_view, view_of
from ._ops import Labels, Part, Shape, call, is_few, sizes_of
from ._plain import attend
from ._tangents import differentiate_attention, differentiate_plain
from ._target import ELEMENTS, Array, Launch

# The permutation from the caller's dimensions (B, S, H, D) to those of kernels, (B, H, S, D).
ROWS = (0, 2, 1, 3)
QUERY, KEY, VALUE = ("b", "s", "h", "d"), ("b", "t", "g", "d"), ("b", "t", "g", "e")
OUTPUT, LSE = ("b", "s", "h", "e"), ("b", "h", "s")


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
            keep = make_keep(operands[last], operands[0].shape[2], self.dropout_p)
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


def _regions(options: Options, problem: Sequence[int], part: Part,
             views: Dict[int, View], shapes: Sequence[Shape],
             labels: Sequence[Labels],
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


def _merge_captures(op: Any, sizes: Dict[str, int],
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


class Forward(NamedTuple):
    """A call of the forward pass of attention, as the parameter of the primitive in _ops.py. Its
    operands are query, key, value, the arrays that the score function and then the mask function
    capture, the sink if there is one, and with dropout the words of its seed and offset."""

    options: Options
    return_lse: bool
    dtype: str
    captures: Tuple[Labels, ...]
    # Whether gradients of the call must have the same bits in each run.
    deterministic: bool = False

    output_labels = (OUTPUT, LSE)

    @property
    def operands(self) -> Tuple[Labels, ...]:
        return (QUERY, KEY, VALUE, *self.captures, *self.options.last_labels)

    @property
    def is_whole(self) -> bool:
        """Whether devices may not divide the call. Calls with dropout may not be divided, since
        which probabilities are dropped depends on the number of heads in the whole problem."""
        return self.options.dropout_p > 0

    def plain(self, *operands: Any) -> Tuple[Any, Any]:
        inputs, captures, keep = self.options.split(operands, 3)
        return attend(self.options, inputs, captures, keep=keep)

    def differentiate(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        return differentiate_attention(self, primals, tangents)

    def pull_back(self, linear: Sequence[int], operands: Sequence[Any], output: Any, lse: Any,
                  d_output: Any, d_lse: Any) -> List[Any]:
        """Computes the gradients of the operands whose numbers are in `linear`, by the kernel of
        gradients. An array that the score function captures but does not read has the gradient
        0."""
        inputs, captures, _ = self.options.split(operands, 3)
        sink = 3 + len(captures)
        wrt = tuple([NAMED_GRADIENTS[number if number < 3 else 3] for number in linear
                     if number < 3 or number == sink])
        options, problem = self.options, _problem(inputs)
        score, labels = options.score, [
            its for mod in (options.score, options.mask)
            for its in capture_labels(mod, problem[0], problem[1])]
        given, views, transposes = list(captures), [], {}
        for number in [number - 3 for number in linear if 3 <= number < sink]:
            assert score is not None  # masks' captures have no gradient
            view = make_view(score.text, number, captures[number].shape, problem,
                             score.name_of(number))
            if view is None:
                continue
            # A repeated array's gradient is summed in float32, and rounded to its dtype afterwards.
            array = captures[number] if view.repeated is None else captures[number].astype(
                jnp.float32)
            repeated, transposes[number] = jax.vjp(
                lambda array, view=view: view_of(array, view, problem), array)
            given[number] = repeated.astype(captures[number].dtype)
            labels[number] = view_labels(view)
            views.append((number, view))
        op = Backward(options, self.dtype, wrt, d_lse is not None, self.deterministic,
                      tuple(labels), tuple(views))
        found = call(op, *inputs[:3], output, lse, d_output,
                     *([] if d_lse is None else [d_lse]), *given, *operands[sink:]) \
            if wrt or views else []
        results: Dict[int, Any] = dict(zip(
            [sink if name == "sink" else NAMED_GRADIENTS.index(name) for name in wrt], found))
        for (number, _), its in zip(views, found[len(wrt):]):
            found, = transposes[number](its)
            results[3 + number] = found.astype(captures[number].dtype)
        return [results[number] if number in results else jnp.zeros_like(operands[number])
                for number in linear]

    @property
    def captured(self) -> range:
        return range(3, 3 + len(self.captures))

    def results(self, sizes: Dict[str, int]) -> List[Tuple[Labels, Shape, Any]]:
        b, s, h, e = (sizes[label] for label in OUTPUT_SIZES)
        found = [(OUTPUT, (b, s, h, e), self.dtype)]
        return found + ([(LSE, (b, h, s), "float32")] if self.return_lse else [])

    def merged(self, sizes: Dict[str, int],
               batched: Sequence[Optional[int]]) -> Optional["Forward"]:
        # Returns None for the two kinds of calls that vmap cannot merge into one. With dropout,
        # results depend on the number of a batch entry, which would change. With a sink for each
        # entry of the vmap, the merged call would need several sinks, but has only one.
        if self.options.dropout_p or self.options.sink and batched[-1] is not None:
            return None
        return _merge_captures(self, sizes, batched)

    def launch(self, avals: Sequence[Any], part: Part) -> Tuple[Launch, List[Any]]:
        sizes = sizes_of(self, avals)
        b, s, h, e = (sizes[label] for label in OUTPUT_SIZES)
        t, d = sizes["t"], sizes["d"]
        count, dtype = len(self.captures), ELEMENTS[self.dtype]
        (score, mask), numbers, behind = _regions(
            self.options, (b, h, s, t), part, {},
            [its.shape for its in avals[3:3 + count]], self.captures)
        keywords = {"return_lse": self.return_lse, "score": score, "mask": mask,
                    **self.options.keywords()}
        text = module_text(dtype, d, e, **keywords)
        cuda = text
        if is_few(s, FEW_ROWS) and not is_few(t, FEW_KEYS):
            cuda = module_text(dtype, d, e, sequences=Sequences(
                {}, [], query=rows_type(s, d, dtype), output=rows_type(s, e, dtype)),
                **keywords)
        results = [(shape, dtype) for _, shape, dtype in self.results(sizes)]
        arguments = [Array(number, ROWS) for number in range(3)]
        arguments += capture_arguments(numbers, avals, 3)
        arguments += last_arguments(self.options, avals, behind)
        operands = len(avals) + len(behind)
        arguments.append(Array(operands, ROWS))
        if self.return_lse:
            arguments.append(Array(operands + 1, (0, 1, 2)))
        return Launch(text, cuda, tuple(arguments), tuple(results)), behind


OUTPUT_SIZES = ("b", "s", "h", "e")


def _problem(inputs: Sequence[Any]) -> Tuple[int, int, int, int]:
    """Returns the problem's numbers of batch entries, query heads, query rows and keys."""
    (b, s, h, _), t = inputs[0].shape, inputs[1].shape[1]
    return b, h, s, t


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


def pull_back_plain(inputs: Sequence[Any], captures: Sequence[Any], wrt: Sequence[str],
                    views: Dict[int, View], d_output: Any, d_lse: Any,
                    function: Callable[[Any, Any], Tuple[Any, Any]]) -> List[Any]:
    """Computes gradients by JAX's own operations: of the inputs that `wrt` names and of the
    captured arrays whose numbers are in `views`. `function` takes the inputs and the captured
    arrays, and returns output and lse."""
    numbers = [NAMED_GRADIENTS.index(name) for name in wrt]

    def of_some(*some: Any) -> Tuple[Any, Any]:
        given, own = list(inputs), list(captures)
        rest = iter(some)
        for number in numbers:
            given[number] = next(rest)
        for number in views:
            own[number] = next(rest)
        return function(given, own)

    (_, lse), pull = jax.vjp(of_some, *[inputs[number] for number in numbers],
                             *[captures[number] for number in views])
    found = pull((d_output, jnp.zeros_like(lse) if d_lse is None else d_lse))
    return [its if view is None or view.repeated is None else its.astype(jnp.float32)
            for its, view in zip(found, [*[None] * len(numbers), *views.values()])]


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


class Backward(NamedTuple):
    """A call of the gradients of attention, as the parameter of the primitive in _ops.py. Its
    operands are query, key, value, output, lse, the gradient of the output, that of the lse if
    `d_lse`, the captured arrays (or the view of each of those in `views`), the sink if there is
    one, and with dropout the words of its seed and offset."""

    options: Options
    dtype: str
    wrt: Tuple[str, ...]
    d_lse: bool
    deterministic: bool
    captures: Tuple[Labels, ...]
    # For each captured array of the score function whose gradient is computed: its number, and the
    # view of it that the kernel reads.
    views: Tuple[Tuple[int, View], ...]

    @property
    def is_whole(self) -> bool:
        return self.options.dropout_p > 0

    def plain(self, *operands: Any) -> List[Any]:
        """Computes the gradients by JAX's own operations. The operands output and lse are not read
        but computed again from the other operands, so that derivatives of the gradients take
        into account that output and lse depend on these."""
        views = dict(self.views)
        inputs, captures, keep = self.options.split(operands, self.first)
        return pull_back_plain(
            inputs, captures, self.wrt, views, operands[5], operands[6] if self.d_lse else None,
            lambda inputs, captures: attend(self.options, inputs, captures, views=views,
                                            keep=keep))

    def differentiate(self, primals: Sequence[Any], tangents: Sequence[Any]) -> Any:
        return differentiate_plain(self, primals, tangents)

    @property
    def first(self) -> int:
        return 7 if self.d_lse else 6

    @property
    def captured(self) -> range:
        return range(self.first, self.first + len(self.captures))

    @property
    def operands(self) -> Tuple[Labels, ...]:
        return (QUERY, KEY, VALUE, OUTPUT, LSE, OUTPUT, *([LSE] if self.d_lse else []),
                *self.captures, *self.options.last_labels)

    def results(self, sizes: Dict[str, int]) -> List[Tuple[Labels, Shape, Any]]:
        known = {"query": QUERY, "key": KEY, "value": VALUE, "sink": ("h",)}
        found = [(known[name], tuple([sizes[label] for label in known[name]]),
                  self.options.sink if name == "sink" else self.dtype) for name in self.wrt]
        for number, view in self.views:
            labels = view_labels(view)
            shape = tuple([sizes[label] if label else size
                           for label, size in zip(labels, view.sizes)])
            assert self.options.score is not None
            found.append((labels, shape, "float32" if view.repeated is not None
                          else self.options.score.captures[number].dtype))
        return found

    def merged(self, sizes: Dict[str, int],
               batched: Sequence[Optional[int]]) -> Optional["Backward"]:
        if self.options.sink or self.options.dropout_p or self.views:
            return None
        return _merge_captures(self, sizes, batched)

    def launch(self, avals: Sequence[Any], part: Part) -> Tuple[Launch, List[Any]]:
        sizes = sizes_of(self, avals)
        b, s, h, e = (sizes[label] for label in OUTPUT_SIZES)
        t, d = sizes["t"], sizes["d"]
        first, count = self.first, len(self.captures)
        (score, mask), numbers, behind = _regions(
            self.options, (b, h, s, t), part, dict(self.views),
            [its.shape for its in avals[first:first + count]], self.captures)
        made = self.results(sizes)
        text = backward_text(
            ELEMENTS[self.dtype], d, e, score=score, mask=mask, wrt=self.wrt,
            d_lse=self.d_lse, deterministic=self.deterministic,
            gradient_dtypes=[ELEMENTS[its] for _, _, its in made[:len(self.wrt)]],
            captures=tuple([(number, len(its[1]), ELEMENTS[its[2]]) for (number, _), its in
                            zip(self.views, made[len(self.wrt):])]),
            **self.options.keywords())
        arguments = [Array(number, ROWS if len(avals[number].shape) == 4 else (0, 1, 2))
                     for number in range(first)]
        arguments += capture_arguments(numbers, avals, first)
        arguments += last_arguments(self.options, avals, behind)
        operands = len(avals) + len(behind)
        for number, (labels, shape, _) in enumerate(made):
            rank = len(shape)
            is_rows = number < len(self.wrt) and rank == 4
            arguments.append(Array(operands + number,
                                   ROWS if is_rows else tuple(range(rank))))
        results = tuple([(shape, its) for _, shape, its in made])
        return Launch(text, text, tuple(arguments), results), behind

