"""Adapters for NumPy arrays and for objects with `__cuda_array_interface__` or `__dlpack__`, and
the choice of the adapter for an array. Each adapter is for one type of array."""

import sys
from typing import Any, Callable, Dict, Optional, Sequence, Tuple

from . import _cuda
from ._adapter import (DTYPE_TITLES, NUMPY_DTYPES, TYPESTRS, Adapter, Described, dense_strides,
                       element_strides, expected, find_ml_dtype, is_traced_by_jax,
                       wanted_eight_bits)
from ._errors import ArgumentError
from ._library import ANY, CPU, DTYPES, binding
from ._torch_adapter import TorchAdapter

__all__ = ["Adapter", "adapter_of", "adapters", "array_type", "expected", "is_array",
           "writable_adapter_of"]


# The dtypes of kernels that the package ml_dtypes defines for NumPy, which lacks them.
_OF_ML_DTYPES = ("bf16", "f8E4M3FN", "f8E5M2")


class NumpyAdapter(Adapter):
    def __init__(self, numpy: Any) -> None:
        self.library = self.numpy = numpy
        binding.know_numpy(numpy.ndarray)

    def describe(self, name: str, array: Any) -> Described:
        found = binding.describe(array)
        if found is not None:
            return found
        dtype = array.dtype
        known = NUMPY_DTYPES.get(dtype.name)
        if known is None or not dtype.isnative:
            raise expected(name, "dtype float16, bfloat16 or float32" + wanted_eight_bits(
                dtype.name), dtype.name if dtype.kind == "V" else dtype.str)
        code = DTYPES[known]
        binding.know_dtype(dtype, code)
        strides = element_strides(name, array.strides, dtype.itemsize)
        address = array.__array_interface__["data"][0]
        return address, array.shape, strides, code, CPU, 0, None

    def find_read_only(self, array: Any) -> Optional[str]:
        return None if array.flags.writeable else "one that may only be read"

    def empty(self, like: Any, head_dim: int, dtype: str = "") -> Any:
        own = self._dtype(like, dtype)
        if like.shape[-1] == head_dim:
            made = self.numpy.empty_like(like, own, subok=False)
            if made.strides[-1] == made.itemsize:
                return made
        return self.numpy.empty((*like.shape[:-1], head_dim), own)

    def recipe(self, result: Any) -> Tuple[Callable, Optional[Callable], Tuple]:
        # The numbers of the array's dimensions, from the largest stride to the smallest.
        order = sorted(range(result.ndim), key=lambda dim: -result.strides[dim])
        sizes = tuple([result.shape[dim] for dim in order])
        if order == sorted(order):
            return self.numpy.empty, None, (sizes, result.dtype)
        inverse = tuple([order.index(dim) for dim in range(result.ndim)])

        def make(sizes: Any, dtype: Any) -> Any:
            return self.numpy.empty(sizes, dtype).transpose(inverse)

        return make, None, (sizes, result.dtype)

    def _dtype(self, like: Any, dtype: str) -> Any:
        if not dtype:
            return like.dtype
        if dtype not in _OF_ML_DTYPES:
            return self.numpy.dtype(DTYPE_TITLES[dtype])
        return (like.dtype if NUMPY_DTYPES.get(like.dtype.name) == dtype
                else find_ml_dtype(dtype))

    def new(self, like: Any, sizes: Sequence[int], dtype: str) -> Any:
        return self.numpy.empty(sizes, self._dtype(like, dtype))

    def widen(self, array: Any, width: int) -> Any:
        return self.numpy.lib.stride_tricks.as_strided(array, (*array.shape[:-1], width),
                                                       array.strides, subok=False)

    def convert(self, array: Any, dtype: str) -> Any:
        return self.numpy.asarray(array, self._dtype(array, dtype))


class _ForeignAdapter(Adapter):
    """The base class of adapters for arrays of other libraries. JAX's are immutable, which neither
    `__dlpack__` nor the adapters' other sources tell."""

    def find_read_only(self, array: Any) -> Optional[str]:
        jax = sys.modules.get("jax")
        if jax is not None and isinstance(array, jax.Array):
            return "one of JAX, which is immutable (functions of attn_mlir.jax return new arrays)"
        return None


class CudaInterfaceAdapter(_ForeignAdapter):
    """Describes objects with `__cuda_array_interface__`, version 2 or 3. The interface does not
    tell the device: the array must be on the device of the current CUDA context."""

    def describe(self, name: str, array: Any) -> Described:
        interface = array.__cuda_array_interface__
        typestr = interface["typestr"]
        code = DTYPES.get(TYPESTRS.get(typestr[1:], ""))
        if code is None or typestr[0] == ">":
            # `__cuda_array_interface__` has no type string for bfloat16. Libraries that have
            # bfloat16 also have DLPack.
            raise expected(name, "dtype float16 or float32", typestr)
        sizes, strides = tuple(interface["shape"]), interface.get("strides")
        if strides is None:
            strides = dense_strides(sizes)
        else:
            strides = element_strides(name, strides, int(typestr[2:]))
        device = _cuda.current_device() or 0
        return interface["data"][0], sizes, strides, code, ANY, device, None

    def find_read_only(self, array: Any) -> Optional[str]:
        is_read_only = array.__cuda_array_interface__["data"][1]
        found = super().find_read_only(array)
        return found or ("one that may only be read" if is_read_only else None)

    def stream(self, array: Any, device: Optional[int]) -> Optional[int]:
        return array.__cuda_array_interface__.get("stream")


class DLPackAdapter(_ForeignAdapter):
    """Describes objects with `__dlpack__`. The capsule is read but not consumed, and it is kept
    alive with the description."""

    def describe(self, name: str, array: Any) -> Described:
        # The stream -1 tells the array's library not to make any stream wait for the array.
        on_gpu = hasattr(array, "__dlpack_device__") and array.__dlpack_device__()[0] == 2
        capsule = array.__dlpack__(stream=-1) if on_gpu else array.__dlpack__()
        try:
            data, sizes, strides, *rest = binding.describe_dlpack(capsule)
        except ArgumentError as error:
            raise ArgumentError(f"{name}: {error}") from None
        except ValueError:
            raise expected(name, "a capsule of __dlpack__ with a dltensor",
                           repr(capsule)) from None
        if strides is None:
            strides = dense_strides(sizes)
        return (data, sizes, strides, *rest, capsule)


# Maps the exact type of an array to its adapter. An adapter is added when an array of its type is
# first passed. None is ever removed, since there are only few types.
adapters: Dict[type, Adapter] = {}


# For each library with an adapter of its own: the module, its type of arrays, and the adapter.
_KNOWN = (("torch", "Tensor", TorchAdapter), ("numpy", "ndarray", NumpyAdapter))


def find_adapter(name: str, array: Any) -> Adapter:
    """Returns the adapter for the type of `array`, and adds it to `adapters`. Raises ArgumentError,
    which calls the array `name`, if there is none."""
    found: Optional[Adapter] = None
    if is_traced_by_jax(array):
        raise expected(name, "an array with elements, not one that jax.jit, jax.grad or another "
                       "transform of JAX traces (the functions of attn_mlir.jax take these)",
                       type(array).__qualname__)
    for library, type_, known in _KNOWN:
        module = sys.modules.get(library)
        if module is not None and isinstance(array, getattr(module, type_)):
            if hasattr(array, "filled") and library == "numpy":
                raise expected(name, "an array without a mask (numpy.ma.filled makes one)",
                               type(array).__qualname__)
            found = known(module)
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
    found = adapter.find_read_only(array)
    if found is not None:
        raise expected(name, "an array that may be written", found)
    return adapter


def is_array(value: Any) -> bool:
    """Whether the value is an array of a type for which there is an adapter."""
    try:
        adapter_of("", value)
    except ArgumentError:
        return False
    return True


def array_type(name: str, array: Any, last: str = "?") -> Tuple[str, str]:
    """Returns the dtype's name and the memref type of a captured array. The type has `last` as its
    last size, and 1 as its last stride if the array's last stride is 1. All other sizes and strides
    in the type are dynamic, by default also the last size."""
    dtype, is_dense = adapter_of(name, array).layout(name, array)
    if dtype == "u8":
        raise expected(name, "a dtype that kernels read", "uint8")
    rank = len(array.shape)
    if rank == 0:
        return dtype, f"memref<{dtype}>"
    strides = ["?"] * (rank - 1) + ["1" if is_dense else "?"]
    sizes = "?x" * (rank - 1) + last
    return dtype, f"memref<{sizes}x{dtype}, strided<[{', '.join(strides)}]>>"
