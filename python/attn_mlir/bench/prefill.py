"""python -m attn_mlir.bench.prefill

Times chunked prefill: a chunk of each prompt's rows attends causally to a cache that holds the
keys before the chunk, contiguous and in pages, beside the other libraries that can do it here."""

import argparse
import functools
import sys
from typing import Any, List, Optional

import attn_mlir

from .._errors import Error
from . import _machine
from ._caches import STORED, place, store, widen
from ._machine import Function
from ._pages import make_pages
from ._peers import Arrays, Implementation, Problem
from ._reference import attend
from ._run import explain, measure
from ._shapes import SIZES, Shape, select

DEFAULT = "8,32:8,512:16384,128"


class Prefill(Shape):
    """A shape with a causal mask that is aligned at the bottom right: the last row sees all
    keys."""

    @property
    def diagonal(self) -> int:
        return self.keys - self.rows

    @property
    def flops(self) -> float:
        """The number of FLOPs: 2 B H (D + Dv) for each pair of a row and a key that the mask
        keeps."""
        pairs = self.rows * self.keys - self.rows * (self.rows - 1) / 2
        return 2 * self.batch * self.heads * (self.head_dim + self.value_head_dim) * pairs


class Own(Implementation):
    """This project's attention over a contiguous cache of the query's dtype."""

    name = "attn-mlir"

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v = arrays[:3]
        lengths = self.machine.array([shape.keys] * shape.batch, "i32")
        return lambda: attn_mlir.decode(q, k, v, lengths=lengths, causal=True)


class Paged(Implementation):
    def __init__(self, machine: Any, page: int) -> None:
        super().__init__(machine)
        self.page, self.name = page, f"attn-mlir, pages of {page}"

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v = arrays[:3]
        *pools, table = make_pages(self.machine, k, v, self.page)
        lengths = self.machine.array([shape.keys] * shape.batch, "i32")
        return lambda: attn_mlir.decode(q, *pools, lengths=lengths, page_table=table,
                                        causal=True)


class Stored(Implementation):
    """This project's attention over a cache of 8 or 4 bits, contiguous or, if `page` is not 0, in
    pages of `page` keys."""

    def __init__(self, machine: Any, dtype: str, page: int = 0) -> None:
        super().__init__(machine)
        self.dtype, self.page = dtype, page
        self.name = f"attn-mlir, {dtype}" + (f", pages of {page}" if page else "")

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, *_, k, v, scale = arrays
        k, v, table = place(self.machine, (k, v), self.page)
        lengths = self.machine.array([shape.keys] * shape.batch, "i32")
        return lambda: attn_mlir.decode(q, k, v, lengths=lengths, page_table=table,
                                        causal=True, k_scale=scale, v_scale=scale,
                                        kv_dtype="i4" if self.dtype == "i4" else None)


def _make_problem(machine: Any, shape: Shape, dtype: str) -> Problem:
    """Returns the problem of a shape with a cache of `dtype`. Its arrays are query, key, value,
    then key and value as the cache stores them, and their scale. The first key and value have the
    numbers that the cache stores, in the query's dtype."""
    q, *wide = machine.make_arrays(shape)
    stored, scale = store(machine, wide, dtype)
    wide = widen(machine, stored, scale, dtype, shape.dtype)
    reference, _ = attend(machine, shape, (q, *wide))
    return Problem(shape, (q, *wide, *stored, scale), [reference])


class _Peer(Implementation):
    def __init__(self, machine: Any, page: int) -> None:
        super().__init__(machine)
        if machine.name != "cuda":
            raise Error("expected a CUDA device")


class CuDNNFrontend(_Peer):
    """cuDNN by its own Python package, which has causal masks that are aligned at the bottom
    right."""

    name = "cudnn"

    def __init__(self, machine: Any, page: int) -> None:
        super().__init__(machine, page)
        import cudnn

        self.cudnn = cudnn

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        cudnn, torch = self.cudnn, self.machine.torch
        q, k, v = arrays[:3]
        dtypes = {"f16": cudnn.data_type.HALF, "bf16": cudnn.data_type.BFLOAT16}
        if shape.dtype not in dtypes:
            raise Error("expected f16 or bf16")
        graph = cudnn.pygraph(io_data_type=dtypes[shape.dtype],
                              intermediate_data_type=cudnn.data_type.FLOAT,
                              compute_data_type=cudnn.data_type.FLOAT)
        ins = [graph.tensor_like(its) for its in (q, k, v)]
        out, _ = graph.sdpa(name="sdpa", q=ins[0], k=ins[1], v=ins[2], is_inference=True,
                            attn_scale=shape.head_dim ** -0.5,
                            use_causal_mask_bottom_right=True)
        o = torch.empty_like(q)
        out.set_output(True).set_dim(list(o.shape)).set_stride(list(o.stride()))
        graph.validate()
        graph.build_operation_graph()
        graph.create_execution_plans([cudnn.heur_mode.A])
        graph.check_support()
        graph.build_plans()
        workspace = torch.empty(graph.get_workspace_size(), device="cuda",
                                dtype=torch.uint8)
        places = {**dict(zip(ins, (q, k, v))), out: o}

        def run() -> Any:
            graph.execute(places, workspace)
            return o

        return run


class CuDNNBias(_Peer):
    """cuDNN through torch, which has no causal masks that are aligned at the bottom right, so that
    it gets the mask as an array of all pairs."""

    name = "cudnn, mask in memory (torch)"

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        from torch.nn.attention.bias import causal_lower_right
        from torch.nn.functional import scaled_dot_product_attention

        q, k, v = arrays[:3]
        keep = causal_lower_right(shape.rows, shape.keys)._materialize(q.device)
        bias = q.new_zeros(keep.shape).masked_fill_(~keep, float("-inf"))
        bias = bias[None, None]
        return lambda: scaled_dot_product_attention(q, k, v, attn_mask=bias,
                                                    enable_gqa=True)

    def context(self) -> Any:
        from torch.nn.attention import SDPBackend, sdpa_kernel

        return sdpa_kernel(SDPBackend.CUDNN_ATTENTION)


class FA2(_Peer):
    name = "fa2 (torch)"

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        from torch.nn.attention.bias import causal_lower_right
        from torch.nn.functional import scaled_dot_product_attention

        q, k, v = arrays[:3]
        bias = causal_lower_right(shape.rows, shape.keys)
        return lambda: scaled_dot_product_attention(q, k, v, bias, enable_gqa=True)

    def context(self) -> Any:
        from torch.nn.attention import SDPBackend, sdpa_kernel

        return sdpa_kernel(SDPBackend.FLASH_ATTENTION)


class FA3(_Peer):
    """FlashAttention-3, by its module flash_attn_interface, whose arrays are (batch, row, head,
    head dim)."""

    name = "fa3"

    def __init__(self, machine: Any, page: int) -> None:
        super().__init__(machine, page)
        import flash_attn_interface

        self.module = flash_attn_interface

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v = (its.transpose(1, 2) for its in arrays[:3])
        return lambda: self.module.flash_attn_func(q, k, v, causal=True)

    def get_output(self, result: Any) -> Any:
        return (result[0] if isinstance(result, tuple) else result).transpose(1, 2)


class FA3Paged(FA3):
    def __init__(self, machine: Any, page: int) -> None:
        super().__init__(machine, page)
        self.page, self.name = page, f"fa3, pages of {page}"

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v = arrays[:3]
        k_pool, v_pool, table = make_pages(self.machine, k, v, self.page)
        k_pool, v_pool = (its.transpose(1, 2).contiguous() for its in (k_pool, v_pool))
        lengths = self.machine.array([shape.keys] * shape.batch, "i32")
        q = q.transpose(1, 2)
        return lambda: self.module.flash_attn_with_kvcache(
            q, k_pool, v_pool, cache_seqlens=lengths, page_table=table, causal=True)


class FlashAttn(FA3):
    """FlashAttention-2, by the package flash_attn."""

    name = "fa2"

    def __init__(self, machine: Any, page: int) -> None:
        _Peer.__init__(self, machine, page)
        import flash_attn

        self.module = flash_attn


PEERS = (CuDNNFrontend, CuDNNBias, FA3, FA3Paged, FlashAttn, FA2)


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m attn_mlir.bench.prefill", description=__doc__.partition("\n\n")[2],
        epilog="Each result is compared with fp64 first. TFLOP/s count 4 B H D for each "
        "pair that counts. The status is 1 where a result of attn-mlir is missing or wrong.")
    parser.add_argument("--shape", default=DEFAULT, metavar="B,H[:HK],S:SK,D",
                        help=f"rows S on caches of SK keys, these included ({DEFAULT})")
    parser.add_argument("--dtype", choices=list(SIZES), default="bf16")
    parser.add_argument("--page", type=int, default=64, metavar="KEYS",
                        help="keys in a page (default: 64)")
    parser.add_argument("--kv", choices=STORED,
                        help="also on caches of this dtype; all others have the numbers that "
                        "it stores, in --dtype")
    parser.add_argument("--peers", choices=("all", "none"), default="all")
    parser.add_argument("--target", choices=("auto", "host", "cuda"), default="auto")
    parser.add_argument("--rounds", type=int, default=4, metavar="N",
                        help="of ten runs of each in turn (default: 4)")
    parser.add_argument("--sustained", action="store_true",
                        help="instead of rounds: back to back for a second")
    return parser


def main(arguments: Optional[List[str]] = None) -> int:
    parser = _make_parser()
    options = parser.parse_args(arguments)
    for name in ("page", "rounds"):
        if getattr(options, name) < 1:
            parser.error(f"argument --{name}: expected at least 1, found "
                         f"{getattr(options, name)}")
    try:
        shape = Prefill(*select([options.shape], options.dtype, "yes")[0])
    except ValueError:
        shape = None
    if shape is None or shape.set != "given" or shape.rows > shape.keys:
        parser.error("argument --shape: expected B,H[:HK],S:SK,D with S at most SK, found "
                     f"'{options.shape}'")
    try:
        machine = _machine.find(options.target)
    except Error as error:
        print(f"prefill: error: {error}", file=sys.stderr)
        return 1
    found: List[Implementation] = [Own(machine), Paged(machine, options.page)]
    make_problem = None
    if options.kv:
        make_problem = functools.partial(_make_problem, dtype=options.kv)
        found += [Stored(machine, options.kv, page) for page in (0, options.page)]
    own = len(found)
    for peer in PEERS if options.peers == "all" else ():
        try:
            found.append(peer(machine, options.page))
        except Exception as error:  # an import may raise anything
            print(f"prefill: {peer.__name__}: {explain(error)}", file=sys.stderr)
    print(f"{machine.description}\n{shape.rows} rows on {shape.keys} keys, batch "
          f"{shape.batch}, heads {shape.heads}:{shape.kv_heads}, head dim "
          f"{shape.head_dim}, {shape.dtype}, causal bottom-right")
    results = measure(machine, shape, found, options.rounds, options.sustained,
                      make_problem)
    first = results[0].timing
    for result in results:
        if not result.timing:
            print(f"{result.name:30} {result.note}")
            continue
        ratio = f"{first.median / result.timing.median:8.3f}" if first else ""
        print(f"{result.name:30} {result.timing.median * 1e3:9.4f} ms {result.tflops:8.2f} "
              f"TFLOP/s {ratio} of the first's rate, spread {result.timing.spread:.1%}")
    return 0 if all([its.timing for its in results[:own]]) else 1


if __name__ == "__main__":
    sys.exit(main())
