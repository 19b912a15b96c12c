"""Adapters for types of arrays: they describe the memory of arrays, and create new ones like them.

`describe(name, array)` returns a tuple: address, sizes, strides in elements, dtype, device type,
device, and an object to keep alive. `name` is the array's name in errors. A number that is an
operand of a kernel is described by the same tuple, with its bytes in place of the address.
"""

import contextlib
import sys
from typing import Any, Callable, Dict, Optional, Sequence, Tuple, Union

from ._errors import ArgumentError
from ._library import DTYPE_NAMES

Described = Tuple[Union[int, bytes], Sequence[int], Sequence[int], int, int, Optional[int], Any]

# Maps a dtype's name in torch and NumPy, which use the same names, to its name in this package and
# in MLIR. For NumPy, the package ml_dtypes defines bfloat16 and 8-bit floats.
NUMPY_DTYPES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32",
                "float64": "f64", "bool": "i1", "int8": "i8", "uint8": "u8", "int16": "i16",
                "int32": "i32", "int64": "i64", "float8_e4m3fn": "f8E4M3FN",
                "float8_e5m2": "f8E5M2"}
# Maps the names in this package to those of torch and NumPy.
DTYPE_TITLES = {its: name for name, its in NUMPY_DTYPES.items()}
TYPESTRS = {"f2": "f16", "f4": "f32", "f8": "f64", "b1": "i1", "i1": "i8", "u1": "u8", "i2": "i16",
            "i4": "i32", "i8": "i64"}


def expected(name: str, what: str, found: object) -> Exception:
    return ArgumentError(f"{name}: expected {what}, found {found}")


def is_traced_by_jax(value: Any) -> bool:
    """Whether a value, or an element of a tuple or a list, has no value yet, since a transform of
    JAX, such as jax.jit, traces it."""
    jax = sys.modules.get("jax")
    if jax is not None and isinstance(value, (tuple, list)):
        return any(map(is_traced_by_jax, value))
    return jax is not None and isinstance(value, jax.core.Tracer)


def expected_constant(name: str, instead: str = "") -> Exception:
    """Returns the exception for an option whose value JAX traces. `instead` says in the error what
    may be traced in the option's place."""
    return expected(name, "a constant (static_argnames of jax.jit makes one of an argument"
                    f"{instead})", "a traced value")


def wanted_eight_bits(dtype: str) -> str:
    """Returns the end of an error message for an array of a dtype that is not supported. If its
    name, `dtype`, is that of a float8, float4 or int4 type, the text lists the supported dtypes of
    8 and 4 bits; otherwise it is ""."""
    if "float8" in dtype or "float4" in dtype or "int4" in dtype:
        return (", or of 8 bits float8_e4m3fn, float8_e5m2 or int8 (attn_mlir.quantize makes "
                "these, and with 'i4' bytes of uint8 with two numbers each)")
    return ""


def find_ml_dtype(dtype: str, argument: str = "out", instead: str = "") -> Any:
    """Returns the NumPy dtype, from the package ml_dtypes, for the MLIR name of a dtype that NumPy
    itself lacks. If the package is not installed, raises an error that names the argument
    `argument` and says what to pass instead."""
    name = DTYPE_TITLES[dtype]
    try:
        import ml_dtypes
    except ImportError:
        what = instead or f"an array of {name}"
        raise expected(argument, f"{what}, as the package ml_dtypes, by which NumPy has {name}, is "
                       "not installed", "none") from None
    return getattr(ml_dtypes, name)


def find_dtype_name(dtype: Any) -> str:
    """Returns the name that kernels use for `dtype`, which is a dtype of torch or NumPy or a
    dtype's name. A name that is not known is returned as it is."""
    text = str(getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or dtype)
    text = text.rpartition(".")[2]
    others = {"e4m3": "f8E4M3FN", "e5m2": "f8E5M2", "int4": "i4"}
    return NUMPY_DTYPES.get(text) or others.get(text, text)


def element_strides(name: str, strides: Sequence[int], size: int) -> Tuple[int, ...]:
    for stride in strides:
        if stride % size:
            raise expected(name, f"strides that are multiples of {size} bytes", strides)
    return tuple([stride // size for stride in strides])


def dense_strides(sizes: Sequence[int]) -> Tuple[int, ...]:
    strides, stride = [], 1
    for size in reversed(sizes):
        strides.append(stride)
        stride *= max(size, 1)
    return tuple(reversed(strides))


class Adapter:
    """The base class of adapters. In the adapters of torch and NumPy, which can create arrays,
    `library` is the module torch or numpy; in the others it is None."""

    library: Any = None

    def describe(self, name: str, array: Any) -> Described:
        raise NotImplementedError

    def layout(self, name: str, array: Any) -> Tuple[str, bool]:
        """Returns the name that kernels use for the array's dtype, and whether the array's last
        dimension has stride 1."""
        _, _, strides, dtype, _, _, _ = self.describe(name, array)
        return DTYPE_NAMES[dtype], strides[-1:] == (1,)

    def find_read_only(self, array: Any) -> Optional[str]:
        """Returns None if the array may be written. Otherwise returns words for an error message
        that say why it must not be written."""
        return None

    def stream(self, array: Any, device: Optional[int]) -> Optional[int]:
        """Returns the handle of the CUDA stream on which a call with this array is launched if the
        caller names none, or None if the array's library has no current stream."""
        return None

    def move(self, array: Any, like: Any) -> Any:
        """Returns the array, which has one element, copied to the device of `like` if its library
        copies arrays between devices by itself (as torch does). Otherwise returns the array as it
        is."""
        return array

    def needs_operator(self, *arrays: Any) -> bool:
        """Whether a call on these arrays, some of which may be None, must be an operator of
        their library, so that autograd, dispatch modes and transforms see it."""
        return False

    def is_followed(self) -> bool:
        """Whether a compiler of the arrays' library, such as torch.compile, is tracing the current
        call."""
        return False

    def operate(self, function: str, given: Dict[str, Any]) -> Any:
        """Calls the operator of the arrays' library for the package's function named `function`,
        with the arguments `given`, and returns its results. If `given` has a function `remember`,
        it lets later calls like this one be made by a function (Calls.remember_function)."""
        raise NotImplementedError

    def is_deterministic(self) -> bool:
        """Whether the library's settings ask for results that are bitwise the same in each run.
        Calls whose caller does not pass `deterministic` follow these settings."""
        return False

    def empty(self, like: Any, head_dim: int, dtype: str = "") -> Any:
        """Returns a new array for an output: with the sizes of the query `like`, but `head_dim` as
        the last one, and of the dtype `dtype`, or the query's if that is ""."""
        raise expected("out", "an array for the output: none can be made of type "
                       + type(like).__qualname__, "None")

    def recipe(self, result: Any) -> Optional[Tuple[Callable, Optional[Callable], Tuple]]:
        """Returns how a repeated call creates an array of the same layout as `result`: a function,
        a faster function that creates it on the current device (or None), and the arguments that
        both take. Returns None if calls on arrays of this library are not remembered, so that each
        is handled in Python."""
        return None

    def new(self, like: Any, sizes: Sequence[int], dtype: str) -> Any:
        """Returns a new contiguous array of these sizes and this dtype on the device of `like`. Its
        elements are not initialized."""
        raise expected("wrt", "arrays of NumPy's or torch's for gradients of what is "
                       "captured, and of sinks", type(like).__qualname__)

    def full(self, like: Any, sizes: Sequence[int], dtype: str, value: float) -> Any:
        made = self.new(like, sizes, dtype)
        made[...] = value
        return made

    def require_library(self, name: str, array: Any,
                        what: str = "an array of NumPy's or torch's") -> "Adapter":
        """Returns this adapter. Raises for an array, called `name`, of another library than these
        two, whose functions the caller needs."""
        if self.library is None:
            raise expected(name, what, type(array).__qualname__)
        return self

    def columns(self, array: Any, first: int, end: int) -> Any:
        """Returns a view of the columns `first` to `end` - 1, that is, of the last dimension."""
        self.require_library("value_dims", array, "keys in an array of NumPy's or torch's, or None "
                             "and a view of them as the value")
        return array[..., first:end]

    def with_head(self, array: Any) -> Any:
        """Returns a view of the array with a dimension of size 1, for one head, inserted after
        dimension 0."""
        self.require_library("cache", array, "an array of NumPy's or torch's, or (B, 1, S, D)")
        return array[:, None]

    def concatenate(self, arrays: Sequence[Any]) -> Any:
        """Returns a new array with the columns of all arrays, concatenated in the last
        dimension."""
        self.require_library("q", arrays[0],
                             "arrays of NumPy's or torch's, or one array of all columns")
        return self.library.concatenate(list(arrays), -1)

    def on_stream(self, stream: Optional[int], like: Any) -> Any:
        """Returns a context in which the library's copies run on the CUDA stream that the caller
        named, or on the current stream if `stream` is None."""
        return contextlib.nullcontext()

    def widen(self, array: Any, width: int) -> Any:
        """Returns a view of the array with `width` as the size of the last dimension, which may be
        larger than the array's. The caller guarantees that the memory there has these columns."""
        raise NotImplementedError

    def permute(self, array: Any, order: Sequence[int]) -> Any:
        """Returns a view whose dimension n is dimension `order[n]` of the array."""
        return self.library.moveaxis(array, tuple(order), tuple(range(len(order))))

    def expand(self, array: Any, sizes: Sequence[int]) -> Any:
        """Returns a view of sizes `sizes`, to which dimensions of size 1 are broadcast."""
        return self.library.broadcast_to(array, tuple(sizes))

    def convert(self, array: Any, dtype: str) -> Any:
        raise NotImplementedError

    def draw_seed(self, like: Any, generator: Any, stream: Optional[int] = None) -> Any:
        """Draws the seed and the offset of a call's dropout from `generator`, which may be None
        for torch only. The call is launched on the CUDA stream `stream`, or on the current one if
        that is None."""
        draw = getattr(generator, "integers", None)
        if draw is None:
            raise expected("generator", "a numpy.random.Generator, or seed=(seed, offset), "
                           "with dropout_p", type(generator).__qualname__)
        first, second = draw(0, 2**63 - 1, 2)
        return int(first), int(second)
