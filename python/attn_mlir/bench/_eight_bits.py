"""Forward passes whose query, keys and values are of e4m3: the set `eight-bits`."""

from typing import Any

import attn_mlir

from .._errors import Error
from ._flash_peers import FA3 as _FA3
from ._flash_peers import without_lse
from ._machine import Function
from ._peers import Arrays, Kind, OfTorch, Own, Problem, by_name
from ._reference import attend
from ._shapes import Shape

# The scale of stored e4m3 numbers. With this scale, stored numbers times the scale are exact in 16
# bits, and normally distributed numbers do not saturate.
_SCALE = 2.0**-5
# The error that is allowed in addition to the reference's limit, relative to the largest output:
# probabilities of e4m3 have 4 bits of mantissa, and those below 2^-18 become 0.
_LIMIT = 2.0**-3


def _make_problem(machine: Any, shape: Shape) -> Problem:
    """Returns the problem of a shape. Its arrays are query, key and value of e4m3, and the scale
    that all three have."""
    scale = machine.array(_SCALE, "f32")
    stored = [attn_mlir.quantize(its, "e4m3", scale=scale)[0]
              for its in machine.make_arrays(shape)]
    wide = [machine.cast(machine.cast(its, "f32") * scale, shape.dtype) for its in stored]
    reference, pairs = attend(machine, shape, wide)
    largest = float(abs(reference.exact).max())
    reference = reference._replace(limit=reference.limit + _LIMIT * largest)
    return Problem(shape._replace(pairs=pairs), (*stored, scale), [reference])


class _Own(Own):
    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        q, k, v, scale = arrays
        fast = shape.variant.endswith("-fast")
        return lambda: attn_mlir.attention(
            q, k, v, causal="top_left" if shape.causal else False, q_scale=scale,
            k_scale=scale, v_scale=scale, out_dtype=shape.dtype, fast_accumulate=fast)


def _check_fast(shape: Shape) -> None:
    if not shape.variant.endswith("-fast"):
        raise Error("its sums are those of the variant e4m3-fast")


class FA3(_FA3):
    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        _check_fast(shape)
        q, k, v = (array.transpose(1, 2) for array in arrays[:3])
        causal = self.check_causal(shape)
        scale = arrays[3].expand(shape.batch, shape.kv_heads).contiguous()
        names = ("q_descale", "k_descale", "v_descale")
        return lambda: self.module.flash_attn_func(q, k, v, causal=causal,
                                                   **dict.fromkeys(names, scale))

    def get_output(self, result: Any) -> Any:
        return without_lse(result).transpose(1, 2)


class CuDNN(OfTorch):
    """cuDNN by its own Python package. Its output has 8 bits, as query, keys and values have."""

    name = "cudnn"

    def __init__(self, machine: Any) -> None:
        super().__init__(machine)
        import cudnn

        self.cudnn = cudnn

    def prepare(self, shape: Shape, arrays: Arrays) -> Function:
        _check_fast(shape)
        cudnn, torch = self.cudnn, self.machine.torch
        q, k, v, scale = arrays
        eight, wide = cudnn.data_type.FP8_E4M3, cudnn.data_type.FLOAT
        graph = cudnn.pygraph(io_data_type=eight, intermediate_data_type=wide,
                              compute_data_type=wide)
        ins = [graph.tensor(name=name, dim=list(its.shape), stride=list(its.stride()),
                            data_type=eight) for name, its in zip("qkv", (q, k, v))]
        # cuDNN stores probabilities, which are at most 1, in 8 bits after it has multiplied them by
        # 2^8, and the output after it has divided it by `scale`.
        of_p = torch.full_like(scale, 256.0)
        given = {"descale_q": scale, "descale_k": scale, "descale_v": scale,
                 "descale_s": 1 / of_p, "scale_s": of_p, "scale_o": 1 / scale}
        given = {name: its.reshape(1, 1, 1, 1) for name, its in given.items()}
        scales = {name: graph.tensor(name=name, dim=[1] * 4, stride=[1] * 4, data_type=wide)
                  for name in given}
        out, _, *largest = graph.sdpa_fp8(
            q=ins[0], k=ins[1], v=ins[2], is_inference=True,
            attn_scale=shape.head_dim ** -0.5, use_causal_mask=shape.causal, **scales)
        sizes = (*q.shape[:3], shape.value_head_dim)
        o = torch.empty((sizes[0], sizes[2], sizes[1], sizes[3]), dtype=torch.uint8,
                        device=q.device).transpose(1, 2)
        out.set_output(True).set_dim(list(sizes)).set_stride(list(o.stride()))
        out.set_data_type(eight)
        places = {out: o}
        for its in largest:
            its.set_output(True).set_dim([1] * 4).set_stride([1] * 4).set_data_type(wide)
            places[its] = torch.zeros((1, 1, 1, 1), device=q.device)
        graph.validate()
        graph.build_operation_graph()
        graph.create_execution_plans([cudnn.heur_mode.A])
        graph.check_support()
        graph.build_plans()
        workspace = torch.empty(graph.get_workspace_size(), device=q.device, dtype=torch.uint8)
        places.update(zip(ins, [its.view(torch.uint8) for its in (q, k, v)]))
        places.update({scales[name]: its for name, its in given.items()})

        def run() -> Any:
            graph.execute(places, workspace)
            return o

        return run

    def get_output(self, result: Any) -> Any:
        return result.view(self.machine.torch.float8_e4m3fn).float() * _SCALE


KIND = Kind(_make_problem, _Own, by_name(FA3, CuDNN))
