"""Times implementations in turn, after it has checked their results."""

import statistics
import warnings
from typing import Any, Callable, Dict, List, NamedTuple, Optional

from ._kinds import find_kind
from ._machine import RUNS, Function, sustain
from ._peers import Implementation, Problem
from ._shapes import Shape

SUSTAINED = 1.0  # seconds


class Timing(NamedTuple):
    """The median time of a run in seconds, the distance of the quartiles as a fraction of the
    median, and the number of runs."""

    median: float
    spread: float
    runs: int


class Result(NamedTuple):
    """The result of an implementation for a shape: either a timing, or a note that says why there
    is none."""

    shape: Shape
    name: str
    timing: Optional[Timing]
    note: str = ""

    @property
    def tflops(self) -> float:
        return self.shape.flops / self.timing.median * 1e-12

    @property
    def gbs(self) -> float:
        return self.shape.bytes / self.timing.median * 1e-9


class Ceilings(NamedTuple):
    """Upper bounds with which rates are compared: the TFLOP/s of a matrix product, for each dtype,
    and the GB/s that a copy reads plus those that it writes."""

    product: Dict[str, float]
    copy: float


def summarize(seconds: List[float]) -> Timing:
    median = statistics.median(seconds)
    if len(seconds) < 2:
        return Timing(median, 0.0, len(seconds))
    low, _, high = statistics.quantiles(seconds, n=4, method="inclusive")
    return Timing(median, (high - low) / median if median else 0.0, len(seconds))


def measure_ceilings(machine: Any, dtypes: List[str], rounds: int) -> Ceilings:
    def measure(function: Function) -> float:
        function()
        times = [time for _ in range(rounds) for time in machine.burst(function, RUNS)]
        return summarize(times).median

    copy, moved = machine.make_copy()
    product = {dtype: 2e-12 * machine.product_size ** 3
               / measure(machine.make_product(dtype)) for dtype in dtypes}
    return Ceilings(product, moved / measure(copy) * 1e-9)


def explain(error: Exception) -> str:
    """Returns the first line of an error's message, of at most 200 characters."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__)[:200]


def _check(machine: Any, problem: Problem, outputs: Any) -> None:
    if not isinstance(outputs, (tuple, list)):
        outputs = [outputs]
    if len(outputs) != len(problem.references):
        raise ValueError(f"expected {len(problem.references)} results, found "
                         f"{len(outputs)}")
    for reference, output in zip(problem.references, outputs):
        name = reference.name and reference.name + ": "
        sizes, found = tuple(reference.exact.shape), tuple(output.shape)
        if sizes != found:
            raise ValueError(f"wrong result: {name}expected sizes {sizes}, found {found}")
        error = machine.get_error(reference, output)
        if not error <= reference.limit:  # NaN is none either
            raise ValueError(f"wrong result: {name}expected errors of at most "
                             f"{reference.limit:.3g}, found {error:.3g}")


def _prepare(implementation: Implementation, problem: Problem) -> Function:
    """Returns the function of an implementation for a problem, after two calls and a check of its
    result. An exception says why the implementation cannot be timed."""
    with implementation.context(), warnings.catch_warnings():
        # Ignores warnings: torch warns of each reason why a back end is not used.
        warnings.simplefilter("ignore")
        function = implementation.prepare(problem.shape, problem.arrays)
        function()
        outputs = implementation.get_output(function())
    _check(implementation.machine, problem, outputs)
    return function


def measure(machine: Any, shape: Shape, implementations: List[Implementation],
            rounds: int, sustained: bool = False,
            make_problem: Optional[Callable[[Any, Shape], Problem]] = None) -> List[Result]:
    """Times implementations on a shape. Returns a result for each, in their order. The problem is
    that of the shape's set, unless `make_problem` makes another one."""
    try:
        problem = (make_problem or find_kind(shape).make_problem)(machine, shape)
    except Exception as error:  # such as memory that is exhausted
        return [Result(shape, i.name, None, explain(error)) for i in implementations]
    shape = problem.shape
    functions: Dict[str, Function] = {}
    times: Dict[str, List[float]] = {}
    notes: Dict[str, str] = {}

    def attempt(implementation: Implementation, step: Any) -> None:
        # An implementation may raise any exception, in each step. It is then not timed any more,
        # and its result is a note.
        try:
            step(implementation)
        except Exception as error:
            notes[implementation.name] = explain(error)
            functions.pop(implementation.name, None)

    def prepare(implementation: Implementation) -> None:
        functions[implementation.name] = _prepare(implementation, problem)
        times[implementation.name] = []

    def time(implementation: Implementation) -> None:
        function = functions[implementation.name]
        with implementation.context():
            if sustained:
                found = sustain(lambda count: implementation.run(function, count),
                                SUSTAINED)
            else:
                found = implementation.burst(function, RUNS)
        times[implementation.name] += found

    for implementation in implementations:
        attempt(implementation, prepare)
    problem.references.clear()  # which nobody needs now
    for _ in range(1 if sustained else rounds):
        for implementation in implementations:
            if implementation.name in functions:
                attempt(implementation, time)
    return [Result(shape, i.name, None if i.name in notes else summarize(times[i.name]),
                   notes.get(i.name, "")) for i in implementations]
