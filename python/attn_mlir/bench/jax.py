"""python -m attn_mlir.bench.jax

Times attention in JAX beside jax.nn's and tokamax's, forward and with gradients, and small calls
under jit. It needs no torch."""

import argparse
import contextlib
import functools
import pathlib
import sys
from typing import Any, Callable, ContextManager, List, Optional

try:
    import jax

    import attn_mlir.jax
except ImportError as error:
    sys.exit(f"bench.jax: error: expected JAX: {error}")

from .._errors import Error
from . import _jax_machine, _jax_reference, _report
from ._machine import Function
from ._peers import Arrays, Implementation, Kind, Problem, by_name
from ._run import measure_ceilings
from ._shapes import MASKS, SIZES, Shape, select
from ._table import measure_all

PASSES = ("forward", "gradients")
# The variants in which a small call is timed: "call" waits for each result, "queued" does not
# wait, and "loop" is one executable whose loop makes REPEATS calls, timed per call.
SMALL = ("call", "queued", "loop")
REPEATS = 16
# The largest number of scores for which plain XLA, which keeps all of them in memory, is timed.
_MOST_SCORES = 1 << 31


class JaxShape(Shape):
    """A shape that is timed in JAX. The variant `gradients` is the forward pass together with the
    gradients of query, key and value."""

    @property
    def passes(self) -> str:
        return "fwd+bwd" if self.variant == "gradients" else "fwd"

    @property
    def flops(self) -> float:
        both = super().flops
        if self.variant == "gradients":
            both += self._replace(variant="backward").flops
        return both

    @property
    def bytes(self) -> int:
        return super().bytes * (2 if self.variant == "gradients" else 1)


def _make_problem(machine: Any, shape: Shape) -> Problem:
    """Returns the problem of a shape, whose arrays are query, key, value and the output's
    gradient."""
    d_output = machine.make_heads(shape, 3, shape.heads, shape.rows, shape.value_head_dim)
    arrays = (*machine.make_arrays(shape), d_output)
    references = _jax_reference.differentiate(shape, arrays, machine.part)
    return Problem(shape, arrays, references if shape.variant == "gradients"
                   else references[:1])


class _OfJax(Implementation):
    # How many calls of attention one run of the timed function makes.
    calls = 1

    def attend(self, shape: Shape) -> Callable[..., Any]:
        """Returns this implementation of attention, as a function of query, key and value."""
        raise NotImplementedError

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        attend, (q, k, v, d_o) = self.attend(shape), arrays
        self.calls = REPEATS if shape.variant == "loop" else 1
        inputs = arrays if shape.variant == "gradients" else arrays[:3]

        def with_gradients(q: Any, k: Any, v: Any, d_o: Any) -> Any:
            output, pull = jax.vjp(attend, q, k, v)
            return (output, *pull(d_o))

        def loop(q: Any, k: Any, v: Any) -> Any:
            # The output of each call is the query of the next one, so that XLA can neither leave
            # out a call nor move it out of the loop.
            first = attend(q, k, v)
            return first, jax.lax.fori_loop(1, REPEATS, lambda _, its: attend(its, k, v), first)

        compiled = jax.jit({"gradients": with_gradients, "loop": loop}.get(
            shape.variant, attend))
        self.tune(compiled, inputs)
        if shape.variant == "call":
            return lambda: jax.block_until_ready(compiled(*inputs))
        return lambda: compiled(*inputs)

    def tune(self, function: Callable[..., Any], inputs: Arrays) -> None:
        pass

    def get_output(self, result: Any) -> Any:
        return result[0] if self.calls > 1 else result

    def burst(self, function: Function, count: int) -> List[float]:
        return [its / self.calls for its in self.machine.burst(function, count)]

    def run(self, function: Function, count: int) -> float:
        return self.machine.run(function, count) / self.calls


class Own(_OfJax):
    name = "attn-mlir"

    def attend(self, shape: Shape) -> Callable[..., Any]:
        return functools.partial(attn_mlir.jax.attention, causal=shape.causal)


class XLA(_OfJax):
    """jax.nn's attention in plain XLA operations."""

    name = "xla"

    def attend(self, shape: Shape) -> Callable[..., Any]:
        if shape.batch * shape.heads * shape.rows * shape.keys > _MOST_SCORES:
            raise Error(f"expected at most {_MOST_SCORES} scores, which it keeps in memory")
        return functools.partial(jax.nn.dot_product_attention, is_causal=shape.causal,
                                 implementation=self.name)


class CuDNN(_OfJax):
    name = "cudnn"

    def __init__(self, machine: Any) -> None:
        super().__init__(machine)
        if machine.name != "cuda":
            raise Error("expected a CUDA device")

    def attend(self, shape: Shape) -> Callable[..., Any]:
        return functools.partial(jax.nn.dot_product_attention, is_causal=shape.causal,
                                 implementation=self.name)


class Tokamax(_OfJax):
    """tokamax's attention, with the implementation that tokamax chooses."""

    name = "tokamax"
    implementation: Optional[str] = None
    # Whether tokamax first measures its configurations for each shape, and takes the fastest one.
    is_tuned = False

    def __init__(self, machine: Any) -> None:
        super().__init__(machine)
        try:
            import tokamax
        except ImportError as error:
            raise Error(f"expected the package tokamax: {error}") from None
        with contextlib.suppress(ImportError):
            from absl import flags

            # Parses no flags but the program's name: tokamax would else parse this program's
            # arguments.
            flags.FLAGS(sys.argv[:1])
        self.tokamax = tokamax
        self.tuned: ContextManager[Any] = contextlib.nullcontext()

    def attend(self, shape: Shape) -> Callable[..., Any]:
        return functools.partial(self.tokamax.dot_product_attention,
                                 is_causal=shape.causal, implementation=self.implementation)

    def tune(self, function: Callable[..., Any], inputs: Arrays) -> None:
        self.tuned = contextlib.nullcontext()
        if self.is_tuned:
            self.tuned = self.tokamax.autotune(function, *inputs)
        # Calls the function within the context of the configurations that were found: they take
        # effect when the function is traced, in its first call.
        with self.tuned:
            function(*inputs)


class TokamaxTriton(Tokamax):
    """tokamax's attention by kernels in Triton, for the forward pass and for gradients."""

    name, implementation = "tokamax-triton", "triton"

    def __init__(self, machine: Any) -> None:
        super().__init__(machine)
        if machine.name != "cuda":
            raise Error("expected a CUDA device")


PEERS = by_name(CuDNN, Tokamax, TokamaxTriton, XLA)
KIND = Kind(_make_problem, Own, PEERS)


def _make_shapes(names: List[str], dtype: str, causal: str) -> List[Shape]:
    """Returns the shapes that `names` select: those of "grid", those of "small", or a shape
    B,H[:HK],S,D. Raises ValueError for other names."""
    found: List[Shape] = []
    for name in names:
        if name == "small":
            one = JaxShape("jax", dtype, 1, 8, 8, 128, 128, 64, 64, False)
            found += [one._replace(variant=its) for its in SMALL]
            continue
        if name == "grid":
            # In all shapes, heads times head dim is 2048, and batch times length is 16384.
            its = [f"{16384 // length},{2048 // dim},{length},{dim}"
                   for dim in (64, 128) for length in (1024, 2048, 4096, 8192, 16384)]
        else:
            its = [name]
        for text in its:
            try:
                shape = select([text], dtype)[0]
            except ValueError:
                shape = None
            if shape is None or shape.set != "given" or shape.rows != shape.keys:
                raise ValueError(f"expected grid, small or B,H[:HK],S,D, found '{name}'")
            if shape.head_dim != shape.value_head_dim:
                raise ValueError("expected one head dim, which jax.nn's arrays share, found "
                                 f"'{name}'")
            for mask in MASKS[causal]:
                found += [JaxShape(*shape._replace(set="jax", causal=mask, variant=variant))
                          for variant in PASSES]
    return list(dict.fromkeys(found))


def _parse_peers(text: str) -> List[str]:
    names = {"all": list(PEERS), "none": []}.get(text, text.split(","))
    for name in names:
        if name not in PEERS:
            raise argparse.ArgumentTypeError(
                f"expected all, none or some of {', '.join(PEERS)}, found '{name}'")
    return list(dict.fromkeys(names))


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m attn_mlir.bench.jax", description=__doc__.partition("\n\n")[2],
        epilog="Each result is compared with fp64 first. TFLOP/s count 4 B H S S D for the "
        "forward pass and 14 with gradients, halved when causal. Times are the host's, of "
        "calls in a row with warm caches; of a small call (1,8,128,64) with a wait for each "
        f"result (call), without (queued), and as one of {REPEATS} in a loop of one executable "
        "(loop). The status is 1 where a result of attn-mlir is missing or wrong.")
    parser.add_argument("--shapes", nargs="+", action="extend", metavar="SHAPE",
                        help="grid (d64 and d128, 1k to 16k), small, or B,H[:HK],S,D "
                        "(default: both on a GPU, small on the host)")
    parser.add_argument("--dtype", choices=list(SIZES), default="bf16")
    parser.add_argument("--causal", choices=list(MASKS), default="both")
    parser.add_argument("--peers", type=_parse_peers, default=list(PEERS),
                        metavar="all|none|NAME,...",
                        help=f"what to time beside: {', '.join(PEERS)} (default: all)")
    parser.add_argument("--autotune", action="store_true",
                        help="let tokamax measure its configurations for each shape first, "
                        "which takes minutes")
    parser.add_argument("--target", choices=("auto", "host", "cuda"), default="auto")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--rounds", type=int, default=4, metavar="N",
                     help="of ten measurements of each in turn (default: 4)")
    how.add_argument("--sustained", action="store_true",
                     help="instead of rounds: back to back for a second")
    parser.add_argument("--csv", type=pathlib.Path, metavar="FILE",
                        help="where to write the figures")
    parser.add_argument("--commit", default="", metavar="NAME",
                        help="of this project, for the file of figures")
    return parser


def main(arguments: Optional[List[str]] = None) -> int:
    parser = _make_parser()
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error(f"argument --rounds: expected at least 1, found {options.rounds}")
    if options.csv and not options.csv.parent.is_dir():
        parser.error(f"expected a directory at '{options.csv.parent}' for '{options.csv}'")
    try:
        machine = _jax_machine.Machine(options.target)
    except Error as error:
        print(f"bench.jax: error: {error}", file=sys.stderr)
        return 1
    default = ["small"] if machine.name == "host" else ["grid", "small"]
    try:
        shapes = _make_shapes(options.shapes or default, options.dtype, options.causal)
    except ValueError as error:
        parser.error(f"argument --shapes: {error}")
    Tokamax.is_tuned = options.autotune
    ceilings = measure_ceilings(machine, [options.dtype], options.rounds)
    print(f"target     {machine.description}")
    print(f"copy       {ceilings.copy:.1f} GB/s read and written")
    print(f"matmul     {ceilings.product[options.dtype]:.4g} TFLOP/s, {machine.product_size} "
          f"cubed, {options.dtype}")
    results, is_complete = measure_all(machine, shapes, ceilings, options, lambda _: KIND)
    if options.csv:
        options.csv.write_text(_report.format_csv(
            results, ceilings, "sustained" if options.sustained else "burst",
            machine.get_conditions(options.commit)))
    return 0 if is_complete else 1


if __name__ == "__main__":
    sys.exit(main())
