"""Tensors of torch's. Nothing here imports it."""

from typing import Any, Dict, List, Optional, Sequence, Tuple

from ._adapter import NUMPY_DTYPES, Adapter, Described, expected
from ._library import CPU, CUDA, DTYPES


class TorchAdapter(Adapter):
    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.names = {getattr(torch, name): dtype for name, dtype in NUMPY_DTYPES.items()}
        self.get_dtype = {dtype: DTYPES[name] for dtype, name in self.names.items()}.get
        self.is_grad_enabled = torch.is_grad_enabled
        # What code that torch's own compiler writes calls.
        self.raw_stream = getattr(torch._C, "_cuda_getCurrentRawStream", None)

    def describe(self, name: str, array: Any) -> Described:
        dtype = self.get_dtype(array.dtype)
        if dtype is None:
            raise expected(name, "dtype float16, bfloat16 or float32", array.dtype)
        if array.requires_grad and self.is_grad_enabled():
            raise expected(name, "a tensor that requires no gradient here "
                           "(torch.no_grad() or detach() says so)", "one that does")
        try:
            if array.is_cuda:
                return (array.data_ptr(), array.shape, array.stride(), dtype, CUDA,
                        array.get_device(), None)
            if array.is_cpu:
                return array.data_ptr(), array.shape, array.stride(), dtype, CPU, 0, None
        except RuntimeError as error:  # no strides, or no memory
            raise expected(name, "a strided tensor", error) from None
        raise expected(name, "a tensor on a CUDA device or on the CPU", array.device)

    def layouts_of(self, *arrays: Any) -> Optional[Tuple]:
        found: List[Any] = []
        kind, grad = type(arrays[0]), self.is_grad_enabled()
        try:
            for array in arrays:
                if array is None:
                    found.append(None)
                elif type(array) is not kind or array.requires_grad and grad:
                    return None
                else:
                    found += array.shape, array.stride(), array.dtype, array.device
        except RuntimeError:  # no strides
            return None
        return tuple(found)

    def addresses(self, *arrays: Any) -> Optional[List[int]]:
        try:
            return [array.data_ptr() for array in arrays]
        except RuntimeError:
            return None

    def layout(self, name: str, array: Any) -> Tuple[str, bool]:
        # Code that torch.compile follows.
        if array.dtype not in self.names:
            raise expected(name, "a dtype that kernels read", array.dtype)
        if array.layout != self.torch.strided:
            raise expected(name, "a strided tensor", array.layout)
        return self.names[array.dtype], array.dim() > 0 and array.stride()[-1] == 1

    def move(self, array: Any, like: Any) -> Any:
        return array.to(like.device, non_blocking=True)

    def needs_gradient(self, *arrays: Any) -> bool:
        return self.is_grad_enabled() and any(
            [getattr(array, "requires_grad", False) for array in arrays])

    def is_deterministic(self) -> bool:
        return self.torch.are_deterministic_algorithms_enabled()

    def differentiate(self, *arrays: Any, out: Any = None,
                      stream: Optional[int] = None, **options: Any) -> Any:
        from . import torch  # which registers the operators

        named = {**dict(zip("qkv", arrays)), "sink": options["sink"]}
        self._check_differentiable(named, out, stream)
        return torch.differentiate(*arrays, **options)

    def differentiate_backward(self, arrays: Dict[str, Any], *, out: Any = None,
                               stream: Optional[int] = None, **options: Any) -> Any:
        from . import torch

        self._check_differentiable({**arrays, "sink": options["sink"]}, out, stream)
        return torch.differentiate_backward(*arrays.values(), **options)

    def _check_differentiable(self, arrays: Dict[str, Any], out: Any,
                              stream: Optional[int]) -> None:
        for name, value in (("out", out), ("stream", stream)):
            if value is not None:
                raise expected(name, "None where tensors require gradients "
                               "(torch.no_grad() or detach() says that none are needed)",
                               type(value).__qualname__)
        for name, array in arrays.items():
            if not isinstance(array, self.torch.Tensor) and (name, array) != ("sink", None):
                raise expected(name, "a tensor, as others require gradients",
                               type(array).__qualname__)

    def stream(self, array: Any, device: Optional[int]) -> Optional[int]:
        if not array.is_cuda:
            return None
        if self.raw_stream:
            return self.raw_stream(device)
        return self.torch.cuda.current_stream(device).cuda_stream

    def empty(self, like: Any, head_dim: int) -> Any:
        if like.shape[3] == head_dim:
            made = self.torch.empty_like(like)
            if made.stride()[3] == 1:
                return made
        return like.new_empty((*like.shape[:3], head_dim))

    def empty_again(self, like: Any, output: Any) -> Any:
        sizes = output.shape
        if sizes == like.shape and output.stride() == like.stride():
            return self.torch.empty_like
        return lambda like: self.empty(like, sizes[3])

    def empty_lse(self, like: Any) -> Any:
        return like.new_empty(like.shape[:3], dtype=self.torch.float32)

    def _dtype(self, dtype: str) -> Any:
        return next(its for its, name in self.names.items() if name == dtype)

    def new(self, like: Any, sizes: Sequence[int], dtype: str) -> Any:
        return like.new_empty(sizes, dtype=self._dtype(dtype))

    def permute(self, array: Any, order: Sequence[int]) -> Any:
        return array.permute(order)

    def expand(self, array: Any, sizes: Sequence[int]) -> Any:
        return array.expand(sizes)

    def convert(self, array: Any, dtype: str) -> Any:
        return array.to(self._dtype(dtype))

    def draw_seed(self, like: Any, generator: Any, stream: Optional[int] = None) -> Any:
        """From a generator of torch's, by default the device's, where the device can: so
        checkpoints and replays of graphs have their own draws. Code that torch.compile
        follows."""
        if generator is not None and not isinstance(generator, self.torch.Generator):
            raise expected("generator", "a torch.Generator",
                           type(generator).__qualname__)
        if generator is not None and generator.device.type != like.device.type:
            raise expected("generator", f"one of {like.device}, as the query is",
                           generator.device)
        if stream is not None and like.is_cuda:
            cuda = self.torch.cuda
            with cuda.stream(cuda.ExternalStream(stream, device=like.device)):
                return self.draw_seed(like, generator)
        return self.torch.randint(2**63 - 1, (2,), dtype=self.torch.int64,
                                  device=like.device, generator=generator)
