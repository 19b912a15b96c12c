"""Arrays of other libraries as they come: where they lie, and their strides.

An adapter serves one type. Its `describe(name, array)` gives (address, sizes,
strides in elements, dtype, device type, device, what must stay alive), where
`name` is what errors call the array.
"""

import ctypes
import sys
from typing import Any, Dict, NamedTuple, Optional, Sequence, Tuple

from . import _cuda
from ._errors import ArgumentError
from ._library import (ANY, CPU, CUDA, DTYPE_NAMES, DTYPES, Buffer, check,
                       library)

Described = Tuple[int, Sequence[int], Sequence[int], int, int, Optional[int], Any]

# torch has the same names; bfloat16 is ml_dtypes' in NumPy.
NUMPY_DTYPES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32",
                "float64": "f64", "bool": "i1", "int8": "i8", "int16": "i16",
                "int32": "i32", "int64": "i64"}
TYPESTRS = {"f2": "f16", "f4": "f32", "f8": "f64", "b1": "i1", "i1": "i8", "i2": "i16",
            "i4": "i32", "i8": "i64"}


def expected(name: str, what: str, found: object) -> ArgumentError:
    return ArgumentError(f"{name}: expected {what}, found {found}")


def _element_strides(name: str, strides: Sequence[int], size: int) -> Tuple[int, ...]:
    for stride in strides:
        if stride % size:
            raise expected(name, f"strides that are multiples of {size} bytes", strides)
    return tuple([stride // size for stride in strides])


def _dense_strides(sizes: Sequence[int]) -> Tuple[int, ...]:
    strides, stride = [], 1
    for size in reversed(sizes):
        strides.append(stride)
        stride *= max(size, 1)
    return tuple(reversed(strides))


class Adapter:
    """What is the same for all arrays that the package cannot make itself."""

    def describe(self, name: str, array: Any) -> Described:
        raise NotImplementedError

    def layout(self, name: str, array: Any) -> Tuple[str, bool]:
        """The dtype's name, and whether elements of the last dimension are
        neighbours."""
        _, _, strides, dtype, _, _, _ = self.describe(name, array)
        return DTYPE_NAMES[dtype], strides[-1:] == (1,)

    def is_writable(self, array: Any) -> bool:
        return True

    def stream(self, array: Any, device: Optional[int]) -> Optional[int]:
        """The stream to launch on, where the caller names none."""
        return None

    def move(self, array: Any, like: Any) -> Any:
        """An array of one element on another one's device, where its library copies
        such numbers itself."""
        return array

    def needs_gradient(self, *arrays: Any) -> bool:
        """Whether a call on these arrays must be one that autograd knows."""
        return False

    def differentiate(self, *arrays: Any, **options: Any) -> Any:
        """`attention` as an operator of autograd's."""
        raise NotImplementedError

    def differentiate_backward(self, arrays: Dict[str, Any], **options: Any) -> Any:
        """`attention_backward` as one."""
        raise NotImplementedError

    def is_deterministic(self) -> bool:
        """Whether results must be the same bits each time, where the caller does not
        say."""
        return False

    def empty(self, like: Any, head_dim: int) -> Any:
        """An output with the sizes of a query, but for the head dimension."""
        raise expected("out", "an array for the output: none can be made of type "
                       + type(like).__qualname__, "None")

    def empty_lse(self, like: Any) -> Any:
        return self.empty(like, 1)

    def new(self, like: Any, sizes: Sequence[int], dtype: str) -> Any:
        """An array without gaps where `like` is. Arrays of libraries that have this have
        the next three, too."""
        raise expected("wrt", "arrays of NumPy's or torch's for gradients of what is "
                       "captured, and of sinks", type(like).__qualname__)

    def permute(self, array: Any, order: Sequence[int]) -> Any:
        """A view whose dimension n is the array's `order[n]`."""
        raise NotImplementedError

    def expand(self, array: Any, sizes: Sequence[int]) -> Any:
        """A view in which dimensions of size 1 are repeated."""
        raise NotImplementedError

    def convert(self, array: Any, dtype: str) -> Any:
        raise NotImplementedError

    def draw_seed(self, like: Any, generator: Any, stream: Optional[int] = None) -> Any:
        """The seed and the offset of a call with dropout, which is launched on `stream`, or
        on the current one."""
        draw = getattr(generator, "integers", None)
        if draw is None:
            raise expected("generator", "a numpy.random.Generator, or seed=(seed, offset), "
                           "with dropout_p", type(generator).__qualname__)
        first, second = draw(0, 2**63 - 1, 2)
        return int(first), int(second)


class NumpyAdapter(Adapter):
    def __init__(self, numpy: Any) -> None:
        self.numpy = numpy
        # By the dtype itself, for its name takes long to make.
        self.dtypes: Dict[Any, int] = {}

    def _find_dtype(self, name: str, dtype: Any) -> int:
        known = NUMPY_DTYPES.get(dtype.name)
        if known is None or not dtype.isnative:
            raise expected(name, "dtype float16, bfloat16 or float32", dtype.str)
        return self.dtypes.setdefault(dtype, DTYPES[known])

    def describe(self, name: str, array: Any) -> Described:
        dtype = array.dtype
        code = self.dtypes.get(dtype) or self._find_dtype(name, dtype)
        strides = _element_strides(name, array.strides, dtype.itemsize)
        address = array.__array_interface__["data"][0]
        return address, array.shape, strides, code, CPU, 0, None

    def is_writable(self, array: Any) -> bool:
        return array.flags.writeable

    def empty(self, like: Any, head_dim: int) -> Any:
        if like.shape[3] == head_dim:
            made = self.numpy.empty_like(like, subok=False)
            if made.strides[3] == made.itemsize:
                return made
        return self.numpy.empty((*like.shape[:3], head_dim), like.dtype)

    def empty_lse(self, like: Any) -> Any:
        return self.numpy.empty(like.shape[:3], self.numpy.float32)

    def _dtype(self, like: Any, dtype: str) -> Any:
        known = {"f32": self.numpy.float32, "i1": self.numpy.bool_}
        return known.get(dtype, like.dtype)

    def new(self, like: Any, sizes: Sequence[int], dtype: str) -> Any:
        return self.numpy.empty(sizes, self._dtype(like, dtype))

    def permute(self, array: Any, order: Sequence[int]) -> Any:
        return array.transpose(order)

    def expand(self, array: Any, sizes: Sequence[int]) -> Any:
        return self.numpy.broadcast_to(array, sizes)

    def convert(self, array: Any, dtype: str) -> Any:
        return self.numpy.asarray(array, self._dtype(array, dtype))


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


class CudaInterfaceAdapter(Adapter):
    """`__cuda_array_interface__`, version 2 or 3. It does not tell the device: the
    array must be of the current context's."""

    def describe(self, name: str, array: Any) -> Described:
        interface = array.__cuda_array_interface__
        typestr = interface["typestr"]
        code = DTYPES.get(TYPESTRS.get(typestr[1:], ""))
        if code is None or typestr[0] == ">":
            # bfloat16 has no such string; libraries that have it have DLPack.
            raise expected(name, "dtype float16 or float32", typestr)
        sizes, strides = tuple(interface["shape"]), interface.get("strides")
        if strides is None:
            strides = _dense_strides(sizes)
        else:
            strides = _element_strides(name, strides, int(typestr[2:]))
        device = _cuda.current_device() or 0
        return interface["data"][0], sizes, strides, code, ANY, device, None

    def is_writable(self, array: Any) -> bool:
        return not array.__cuda_array_interface__["data"][1]

    def stream(self, array: Any, device: Optional[int]) -> Optional[int]:
        return array.__cuda_array_interface__.get("stream")


_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.restype, _get_pointer.argtypes = ctypes.c_void_p, (ctypes.py_object,
                                                                ctypes.c_char_p)


class DLPackAdapter(Adapter):
    """`__dlpack__`. The capsule is not consumed, only read while it is alive."""

    def describe(self, name: str, array: Any) -> Described:
        # -1: the producer need not wait for anything.
        on_gpu = hasattr(array, "__dlpack_device__") and array.__dlpack_device__()[0] == 2
        capsule = array.__dlpack__(stream=-1) if on_gpu else array.__dlpack__()
        buffer = Buffer()
        # The unversioned DLManagedTensor begins with its DLTensor.
        try:
            tensor = _get_pointer(capsule, b"dltensor")
        except ValueError:
            raise expected(name, "a capsule of __dlpack__ with a dltensor",
                           repr(capsule)) from None
        status = library.attn_buffer_from_dlpack(tensor, ctypes.byref(buffer))
        try:
            check(status)
        except ArgumentError as error:
            raise ArgumentError(f"{name}: {error}") from None
        words = ctypes.c_int64 * buffer.rank
        sizes = tuple(words.from_address(buffer.sizes)) if buffer.rank else ()
        strides = (tuple(words.from_address(buffer.strides)) if buffer.strides
                   else _dense_strides(sizes))
        return (buffer.data or 0, sizes, strides, buffer.dtype, buffer.device_type,
                buffer.device_id, capsule)


# By the exact type. Filled as types are met; types stay few.
adapters: Dict[type, Adapter] = {}


class _Known(NamedTuple):
    module: str
    type: str
    adapter: Any


_KNOWN = (_Known("torch", "Tensor", TorchAdapter),
          _Known("numpy", "ndarray", NumpyAdapter))


def find_adapter(name: str, array: Any) -> Adapter:
    """The adapter for the type of `array`, which is remembered."""
    found: Optional[Adapter] = None
    for known in _KNOWN:
        module = sys.modules.get(known.module)
        if module is not None and isinstance(array, getattr(module, known.type)):
            found = known.adapter(module)
            break
    else:
        if hasattr(array, "__cuda_array_interface__"):
            found = CudaInterfaceAdapter()
        elif hasattr(array, "__dlpack__"):
            found = DLPackAdapter()
    if found is None:
        raise expected(name, "an array of NumPy's or torch's, or one with __dlpack__ or "
                       "__cuda_array_interface__", type(array).__qualname__)
    return adapters.setdefault(type(array), found)


def adapter_of(name: str, array: Any) -> Adapter:
    return adapters.get(type(array)) or find_adapter(name, array)


def writable_adapter_of(name: str, array: Any) -> Adapter:
    adapter = adapter_of(name, array)
    if not adapter.is_writable(array):
        raise expected(name, "an array that may be written", "one that may only be read")
    return adapter


def is_array(value: Any) -> bool:
    """Whether there is an adapter."""
    try:
        adapter_of("", value)
    except ArgumentError:
        return False
    return True


def array_type(name: str, array: Any) -> Tuple[str, str]:
    """The dtype's name, and the memref type of a captured array: of any sizes and
    strides, but that its rows may be known to have no gaps."""
    dtype, is_dense = adapter_of(name, array).layout(name, array)
    rank = len(array.shape)
    if rank == 0:
        return dtype, f"memref<{dtype}>"
    strides = ["?"] * (rank - 1) + ["1" if is_dense else "?"]
    return dtype, f"memref<{'?x' * rank}{dtype}, strided<[{', '.join(strides)}]>>"
