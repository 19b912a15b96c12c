"""The adapter for tensors of torch. It is created only where torch has been imported."""

import contextlib
import functools
from typing import Any, Callable, Dict, Optional, Sequence, Tuple

from ._adapter import (NUMPY_DTYPES, Adapter, Described, expected,
                       wanted_eight_bits)
from ._errors import Error
from ._library import CPU, CUDA, DTYPES, binding
from ._options import as_stream


class TorchAdapter(Adapter):
    def __init__(self, torch: Any) -> None:
        if not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
            raise Error(f"torch: expected version 2.10 or later, found {torch.__version__}")
        self.library = self.torch = torch
        # Maps torch's dtypes to their names in kernels.
        self.names = {getattr(torch, name): dtype for name, dtype in NUMPY_DTYPES.items()}
        self.dtypes = {name: dtype for dtype, name in self.names.items()}
        self.get_dtype = {dtype: DTYPES[name] for dtype, name in self.names.items()}.get
        self.is_grad_enabled = torch.is_grad_enabled
        from . import _tensor_kinds

        self.kinds = _tensor_kinds
        self.plain = _tensor_kinds.PLAIN
        # Torch sets the negative bit only on the imaginary part of a conjugate tensor. So tensors
        # of a float dtype that is not the real dtype of any complex one, such as bfloat16, never
        # have it.
        parts = {its.to_real() for its in vars(torch).values()
                 if isinstance(its, torch.dtype) and its.is_complex}
        never = sum([1 << DTYPES[name] for dtype, name in self.names.items()
                     if dtype.is_floating_point and dtype not in parts])
        binding.know_torch(tuple(self.plain), torch.Tensor.__dlpack_c_exchange_api__,
                           _tensor_kinds.OBSERVERS, _tensor_kinds.forward_ad,
                           torch.is_grad_enabled, torch.Tensor.is_neg,
                           torch._C._increment_version, never, (torch.int8, torch.uint8))

    def describe(self, name: str, array: Any) -> Described:
        found = binding.describe(array)
        if found is not None:
            return found
        alive = None
        if type(array) not in self.plain:
            array = alive = self._as_memory(name, array)
        try:
            address, sizes, strides = array.data_ptr(), array.shape, array.stride()
            if address == 0 or array.is_neg():
                array = alive = self._as_memory(name, array)
                address, strides = array.data_ptr(), array.stride()
        except RuntimeError as error:  # no sizes, no strides or no memory
            raise expected(name, "a strided tensor of memory",
                           self.kinds.find_kind(array) or error) from None
        dtype = self.get_dtype(array.dtype)
        if dtype is None:
            raise expected(name, "dtype float16, bfloat16 or float32" + wanted_eight_bits(
                str(array.dtype)), array.dtype)
        if array.requires_grad and self.is_grad_enabled():
            raise expected(name, "a tensor that requires no gradient here "
                           "(torch.no_grad() or detach() says so)", "one that does")
        if array.is_cuda:
            return address, sizes, strides, dtype, CUDA, array.get_device(), alive
        if array.is_cpu:
            return address, sizes, strides, dtype, CPU, 0, alive
        raise expected(name, "a tensor on a CUDA device or on the CPU", array.device)

    def _as_memory(self, name: str, array: Any) -> Any:
        """Returns the tensor or, if it has torch's negative bit, a copy with the values that the
        bit gives it. Raises if the tensor is not plain memory."""
        kind = self.kinds.find_kind(array)
        if kind is not None:
            raise expected(name, "a strided tensor of memory", kind)
        return array.resolve_neg()

    def find_read_only(self, array: Any) -> Optional[str]:
        if array.is_neg():
            return "a view with torch's negative bit (resolve_neg() makes a copy without it)"
        return None

    def layout(self, name: str, array: Any) -> Tuple[str, bool]:
        # torch.compile traces the method `layout`. So the method reads no address, as `describe`
        # does.
        if array.dtype not in self.names:
            raise expected(name, "a dtype that kernels read", array.dtype)
        if array.layout != self.torch.strided or array.is_nested:
            raise expected(name, "a strided tensor", self.kinds.find_kind(array))
        return self.names[array.dtype], array.dim() > 0 and array.stride()[-1] == 1

    def move(self, array: Any, like: Any) -> Any:
        return array.to(like.device, non_blocking=True)

    def needs_operator(self, *arrays: Any) -> bool:
        if self.kinds.is_in_kernel():
            return False
        return not self.kinds.are_plain(arrays) or self.is_grad_enabled() and any(
            [getattr(array, "requires_grad", False) for array in arrays])

    def is_followed(self) -> bool:
        return self.torch.compiler.is_compiling()

    def is_deterministic(self) -> bool:
        return self.torch.are_deterministic_algorithms_enabled()

    def operate(self, function: str, given: Dict[str, Any]) -> Any:
        return self._operators[function](given)

    @functools.cached_property
    def _operators(self) -> Dict[str, Callable[[Dict[str, Any]], Any]]:
        from . import _torch_calls, torch  # noqa: F401; which defines the operators

        return _torch_calls.operators

    def stream(self, array: Any, device: Optional[int]) -> Optional[int]:
        # Code that Inductor generates calls this function of torch, too.
        return self.torch._C._cuda_getCurrentRawStream(device) if array.is_cuda else None

    def empty(self, like: Any, head_dim: int, dtype: str = "") -> Any:
        own = self.dtypes[dtype] if dtype else like.dtype
        if like.shape[-1] == head_dim:
            made = self.torch.empty_like(like, dtype=own)
            if made.stride()[-1] == 1:
                return made
        return like.new_empty((*like.shape[:-1], head_dim), dtype=own)

    def recipe(self, result: Any) -> Tuple[Callable, Optional[Callable], Tuple]:
        return (*self._makers(result.device), (tuple(result.shape), result.stride(), result.dtype))

    @functools.lru_cache(maxsize=None)
    def _makers(self, device: Any) -> Tuple[Callable, Optional[Callable]]:
        empty = self.torch.empty_strided

        def make(sizes: Any, strides: Any, dtype: Any) -> Any:
            return empty(sizes, strides, dtype=dtype, device=device)

        # The function `_empty_strided_cpu` or `_empty_strided_cuda`, by which code that Inductor
        # generates creates tensors faster.
        return make, getattr(self.torch._C._dynamo.guards, f"_empty_strided_{device.type}", None)

    def new(self, like: Any, sizes: Sequence[int], dtype: str) -> Any:
        return like.new_empty(sizes, dtype=self.dtypes[dtype])

    def on_stream(self, stream: Optional[int], like: Any) -> Any:
        if stream is not None:
            stream = as_stream(stream)
        if stream is None or not like.is_cuda or type(like) not in self.plain:
            return contextlib.nullcontext()
        cuda = self.torch.cuda
        return cuda.stream(cuda.ExternalStream(stream, device=like.device))

    def widen(self, array: Any, width: int) -> Any:
        return array.as_strided((*array.shape[:-1], width), array.stride())

    def convert(self, array: Any, dtype: str) -> Any:
        return array.to(self.dtypes[dtype])

    def draw_seed(self, like: Any, generator: Any, stream: Optional[int] = None) -> Any:
        """Draws the seed and the offset from a generator of torch, by default the device's, by a
        kernel on the device. So checkpoints repeat the draws, and each replay of a CUDA graph draws
        new numbers. torch.compile traces this code."""
        if generator is not None and not isinstance(generator, self.torch.Generator):
            raise expected("generator", "a torch.Generator",
                           type(generator).__qualname__)
        if generator is not None and generator.device.type != like.device.type:
            raise expected("generator", f"one of {like.device}, as the query is",
                           generator.device)
        with self.on_stream(stream, like):
            return self.torch.randint(2**63 - 1, (2,), dtype=self.torch.int64,
                                      device=like.device, generator=generator)
