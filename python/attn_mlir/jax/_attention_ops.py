"""Attention on floats of 16 or 32 bits, and its gradients, as calls of the primitive in
_ops.py."""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

import jax
import jax.numpy as jnp

from .._attend import find_few
from .._errors import ArgumentError
from .._module import (FEW_KEYS, FEW_ROWS, NAMED_GRADIENTS, Arrays, backward_text,
                       module_text)
from ._call_regions import (Options, capture_arguments, capture_labels, last_arguments,
                            make_regions, merge_captures, view_labels)
from ._layouts import ordered
from ._mods import View, make_view, view_of
from ._ops import Labels, Part, Shape, call, is_few, sizes_of
from ._plain import attend
from ._tangents import differentiate_attention, differentiate_plain
from ._target import ELEMENTS, Array, Launch

LSE = ("b", "h", "s")


def _labels(options: Options) -> Tuple[Labels, Labels, Labels, Labels]:
    """Returns the labels of query, key, value and output."""
    return tuple([options.labels(*its) for its in ("bshd", "btgd", "btge", "bshe")])


class Parts(NamedTuple):
    """The calls that vmap has merged to one: the call `op` of one part, with `batch` batch entries.
    Each part has its own element of the captured operands whose numbers are in `own`, along their
    first dimension; the parts share all other operands without a dimension of batch entries."""

    op: "Forward"
    batch: int
    own: Tuple[int, ...]

    def pull_back(self, merged: "Forward", linear: Sequence[int], operands: Sequence[Any],
                  *behind: Any) -> List[Any]:
        """Computes what `pull_back` of `merged` does, by a loop over the parts. `behind` are the
        arguments of that method after `operands`, of which the last may be None."""
        count = operands[0].shape[0] // self.batch

        def divide(array: Any) -> Any:
            return array.reshape((count, self.batch, *array.shape[1:]))

        has_batch = [labels[:1] == ("b",) and number not in merged.captured
                     for number, labels in enumerate(merged.operands)]
        mapped = {number: divide(its) if has_batch[number] else its
                  for number, its in enumerate(operands)
                  if has_batch[number] or number in self.own}

        def one(parts: Any) -> List[Any]:
            its, after = parts
            return self.op.pull_back(linear, [its.get(number, operand) for number, operand
                                              in enumerate(operands)], *after, *behind[len(after):])

        found = jax.lax.map(one, (mapped, [divide(its) for its in behind if its is not None]))
        return [its.reshape(operands[number].shape) if has_batch[number] else its
                if number in self.own else its.astype(jnp.float32).sum(0).astype(its.dtype)
                for number, its in zip(linear, found)]


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
    # The calls of which vmap has made this one, or None.
    parts: Optional[Parts] = None

    @property
    def output_labels(self) -> Tuple[Labels, Labels]:
        return self.options.labels(*"bshe"), LSE

    @property
    def operands(self) -> Tuple[Labels, ...]:
        return (*_labels(self.options)[:3], *self.captures, *self.options.last_labels)

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
        0, and that of one which is read at several lists of indices is the sum for all lists. If a
        call that vmap has merged has no such gradient, its parts are called one after another."""
        try:
            return self._pull_back_whole(linear, operands, output, lse, d_output, d_lse)
        except ArgumentError:
            if self.parts is None:
                raise
        return self.parts.pull_back(self, linear, operands, output, lse, d_output, d_lse)

    def _pull_back_whole(self, linear: Sequence[int], operands: Sequence[Any], output: Any,
                         lse: Any, d_output: Any, d_lse: Any) -> List[Any]:
        inputs, captures, _ = self.options.split(operands, 3)
        sink = 3 + len(captures)
        wrt = tuple([NAMED_GRADIENTS[number if number < 3 else 3] for number in linear
                     if number < 3 or number == sink])
        options, problem = self.options, _problem(self.options, inputs)
        score, numbers = options.score, [number - 3 for number in linear if 3 <= number < sink]
        origins = list(range(len(captures)))
        if score is not None:  # masks' captures have no gradient
            # `origins` has, for each array that the function with copies captures, the number of
            # the array that this call captures.
            count = len(score.captures)
            score, own = score.with_copies(numbers), score.numbers
            origins[:count] = [own.index(number) for number in score.numbers]
            options = options._replace(score=score)
        labels = [its for mod in (options.score, options.mask)
                  for its in capture_labels(mod, problem[0], problem[1])]
        given, views, transposes = [captures[number] for number in origins], [], {}
        for number, array in enumerate(given):
            if origins[number] not in numbers:
                continue
            assert score is not None
            view = make_view(score.text, number, array.shape, problem,
                             score.name_of(number))
            if view is None:
                continue
            # A repeated array's gradient is summed in float32, and rounded to its dtype afterwards.
            repeated, transposes[number] = jax.vjp(
                lambda array, view=view: view_of(array, view, problem),
                array if view.repeated is None else array.astype(jnp.float32))
            given[number] = repeated.astype(array.dtype)
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
            origin = 3 + origins[number]
            its = transposes[number](its)[0].astype(operands[origin].dtype)
            results[origin] = results[origin] + its if origin in results else its
        return [results[number] if number in results else jnp.zeros_like(operands[number])
                for number in linear]

    @property
    def captured(self) -> range:
        return range(3, 3 + len(self.captures))

    def results(self, sizes: Dict[str, int]) -> List[Tuple[Labels, Shape, Any]]:
        found = zip(self.output_labels, (self.dtype, "float32"))
        return [(labels, tuple([sizes[label] for label in labels]), dtype)
                for labels, dtype in [*found][:1 + self.return_lse]]

    def merged(self, sizes: Dict[str, int],
               batched: Sequence[Optional[int]]) -> Optional["Forward"]:
        # Returns None for the two kinds of calls that vmap cannot merge into one. With dropout,
        # results depend on the number of a batch entry, which would change. With a sink for each
        # entry of the vmap, the merged call would need several sinks, but has only one.
        if self.options.dropout_p or self.options.sink and batched[-1] is not None:
            return None
        merged = merge_captures(self, sizes, batched)
        return merged._replace(parts=Parts(self, sizes["b"], tuple([
            number for number in self.captured if batched[number] is not None])))

    def launch(self, avals: Sequence[Any], part: Part) -> Tuple[Launch, List[Any]]:
        sizes = sizes_of(self, avals)
        b, s, h, e, t, d = (sizes[label] for label in "bshetd")
        count, dtype = len(self.captures), ELEMENTS[self.dtype]
        (score, mask), numbers, behind = make_regions(
            self.options, (b, h, s, t), part, {},
            [its.shape for its in avals[3:3 + count]], self.captures)
        keywords = {"return_lse": self.return_lse, "score": score, "mask": mask,
                    **self.options.keywords()}
        text = module_text(Arrays(dtype, d, e), **keywords)
        cuda = text
        if is_few(s, FEW_ROWS) and not is_few(t, FEW_KEYS):
            cuda = module_text(Arrays(dtype, d, e, rows=s), **keywords)
        results = [(shape, dtype) for _, shape, dtype in self.results(sizes)]
        arguments = [self.options.argument(number, 4) for number in range(3)]
        arguments += capture_arguments(numbers, avals, 3)
        arguments += last_arguments(self.options, avals, behind)
        operands = len(avals) + len(behind)
        arguments += [self.options.argument(operands + number, len(shape))
                      for number, (shape, _) in enumerate(results)]
        return Launch(text, cuda, tuple(arguments), tuple(results)), behind


def _problem(options: Options, inputs: Sequence[Any]) -> Tuple[int, int, int, int]:
    """Returns the problem's numbers of batch entries, query heads, query rows and keys."""
    (b, s, h, _), (_, t, _, _) = (ordered(options.layout, *its.shape) for its in inputs[:2])
    return b, h, s, t


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
        query, key, value, output = _labels(self.options)
        return (query, key, value, output, LSE, output, *([LSE] if self.d_lse else []),
                *self.captures, *self.options.last_labels)

    def results(self, sizes: Dict[str, int]) -> List[Tuple[Labels, Shape, Any]]:
        known: Dict[str, Labels] = dict(zip(NAMED_GRADIENTS, _labels(self.options)))
        known["sink"] = ("h",)
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
        return merge_captures(self, sizes, batched)

    def launch(self, avals: Sequence[Any], part: Part) -> Tuple[Launch, List[Any]]:
        sizes = sizes_of(self, avals)
        b, s, h, e, t, d = (sizes[label] for label in "bshetd")
        first, count = self.first, len(self.captures)
        (score, mask), numbers, behind = make_regions(
            self.options, (b, h, s, t), part, dict(self.views),
            [its.shape for its in avals[first:first + count]], self.captures)
        made = self.results(sizes)
        text = backward_text(
            Arrays(ELEMENTS[self.dtype], d, e, heads=find_few(s, None, h, sizes["g"])),
            score=score, mask=mask, wrt=self.wrt,
            d_lse=self.d_lse, deterministic=self.deterministic,
            gradient_dtypes=[ELEMENTS[its] for _, _, its in made[:len(self.wrt)]],
            captures=tuple([(number, len(its[1]), ELEMENTS[its[2]]) for (number, _), its in
                            zip(self.views, made[len(self.wrt):])]),
            **self.options.keywords())
        arguments = [self.options.argument(number, len(avals[number].shape))
                     for number in range(first)]
        arguments += capture_arguments(numbers, avals, first)
        arguments += last_arguments(self.options, avals, behind)
        operands = len(avals) + len(behind)
        for number, (labels, shape, _) in enumerate(made):
            is_view = number >= len(self.wrt)
            arguments.append(Array(operands + number, tuple(range(len(shape)))) if is_view
                             else self.options.argument(operands + number, len(shape)))
        results = tuple([(shape, its) for _, shape, its in made])
        return Launch(text, text, tuple(arguments), results), behind

