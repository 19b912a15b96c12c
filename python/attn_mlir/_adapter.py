"""Adapters for types of arrays: they describe the memory of arrays, and create new ones like them.

`describe(name, array)` gives (address, sizes, strides in elements, dtype, device type, device, an
object to keep alive), where `name` is the array's name in errors. If a number is an operand, its
bytes take the place of the address.
"""

import contextlib
from typing import Any, Callable, Dict, Optional, Sequence, Tuple, Union

from ._errors import ArgumentError
from ._library import DTYPE_NAMES

Described = Tuple[Union[int, bytes], Sequence[int], Sequence[int], int, int, Optional[int], Any]

# The names here of dtypes of torch and NumPy, which have the same names; for NumPy, the package
# ml_dtypes defines bfloat16 and 8-bit floats.
NUMPY_DTYPES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32",
                "float64": "f64", "bool": "i1", "int8": "i8", "uint8": "u8", "int16": "i16",
                "int32": "i32", "int64": "i64", "float8_e4m3fn": "f8E4M3FN",
                "float8_e5m2": "f8E5M2"}
TYPESTRS = {"f2": "f16", "f4": "f32", "f8": "f64", "b1": "i1", "i1": "i8", "u1": "u8", "i2": "i16",
            "i4": "i32", "i8": "i64"}


# The function that makes an exception of a text. The PyTorch part of the package replaces it, since
# torch.compile supports only some classes of exceptions.
make_error: Callable[[str], Exception] = ArgumentError


def expected(name: str, what: str, found: object) -> Exception:
    return make_error(f"{name}: expected {what}, found {found}")


def wanted_eight_bits(dtype: str) -> str:
    """The text for messages about a dtype of 8 bits or 4 that no NVIDIA chip computes with."""
    if "float8" in dtype or "float4" in dtype or "int4" in dtype:
        return (", or of 8 bits float8_e4m3fn, float8_e5m2 or int8 (attn_mlir.quantize makes "
                "these, and with 'i4' bytes of uint8 with two numbers each)")
    return ""


def find_ml_dtype(dtype: str, argument: str = "out", instead: str = "") -> Any:
    """The NumPy dtype, of the package ml_dtypes, for a dtype of kernels that NumPy itself lacks.
    Without the package, the error names an argument, and what to give instead."""
    name = next(name for name, its in NUMPY_DTYPES.items() if its == dtype)
    try:
        import ml_dtypes
    except ImportError:
        what = instead or f"an array of {name}"
        raise expected(argument, f"{what}, as the package ml_dtypes, by which NumPy has {name}, is "
                       "not installed", "none") from None
    return getattr(ml_dtypes, name)


def find_dtype_name(dtype: Any) -> str:
    """The name that kernels have for a dtype of torch's or NumPy's, or for a name; other names
    stay what they are."""
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
    """The common part of adapters. Those of libraries whose arrays the package can create name
    the library's module, torch or numpy."""

    library: Any = None

    def describe(self, name: str, array: Any) -> Described:
        raise NotImplementedError

    def layout(self, name: str, array: Any) -> Tuple[str, bool]:
        """The dtype's name, and whether elements of the last dimension are
        neighbours."""
        _, _, strides, dtype, _, _, _ = self.describe(name, array)
        return DTYPE_NAMES[dtype], strides[-1:] == (1,)

    def find_read_only(self, array: Any) -> Optional[str]:
        """A description of an array that must not be written, for messages; None for other
        arrays."""
        return None

    def stream(self, array: Any, device: Optional[int]) -> Optional[int]:
        """The stream to launch on if the caller names none."""
        return None

    def move(self, array: Any, like: Any) -> Any:
        """The array, which has one element, copied to the device of `like` if its library
        makes such copies by itself."""
        return array

    def needs_operator(self, *arrays: Any) -> bool:
        """Whether a call on these arrays, some of which may be None, must be an operator of
        their library, so that autograd, dispatch modes and transforms see it."""
        return False

    def is_followed(self) -> bool:
        """Whether a compiler of the library's follows the call, such as torch.compile."""
        return False

    def operate(self, function: str, given: Dict[str, Any]) -> Any:
        """A call of this function as an operator of the arrays' library, by its arguments."""
        raise NotImplementedError

    def is_deterministic(self) -> bool:
        """Whether results must have the same bits in each run, if the caller does not say."""
        return False

    def empty(self, like: Any, head_dim: int, dtype: str = "") -> Any:
        """An output with the sizes of a query, but for the last one, of its dtype if none is
        named."""
        raise expected("out", "an array for the output: none can be made of type "
                       + type(like).__qualname__, "None")

    def recipe(self, result: Any) -> Optional[Tuple[Callable, Optional[Callable], Tuple]]:
        """How to create an array of the same layout as `result`: a function, a faster function
        for the current device or None, and the arguments of both. None if calls are not
        remembered."""
        return None

    def new(self, like: Any, sizes: Sequence[int], dtype: str) -> Any:
        """A new array without gaps on the device of `like`."""
        raise expected("wrt", "arrays of NumPy's or torch's for gradients of what is "
                       "captured, and of sinks", type(like).__qualname__)

    def full(self, like: Any, sizes: Sequence[int], dtype: str, value: float) -> Any:
        made = self.new(like, sizes, dtype)
        made[...] = value
        return made

    def _check_library(self, name: str, what: str, array: Any) -> None:
        if self.library is None:
            raise expected(name, what, type(array).__qualname__)

    def columns(self, array: Any, first: int, end: int) -> Any:
        """A view of the columns `first` to `end`, end exclusive."""
        self._check_library("value_dims", "keys in an array of NumPy's or torch's, or None and a "
                            "view of them as the value", array)
        return array[..., first:end]

    def with_head(self, array: Any) -> Any:
        """A view with a dimension of size 1 inserted after the first one."""
        self._check_library("cache", "an array of NumPy's or torch's, or (B, 1, S, D)", array)
        return array[:, None]

    def concatenate(self, arrays: Sequence[Any]) -> Any:
        """A new array that has the columns of all arrays, one after the other."""
        self._check_library("q", "arrays of NumPy's or torch's, or one array of all columns",
                            arrays[0])
        return self.library.concatenate(list(arrays), -1)

    def on_stream(self, stream: Optional[int], like: Any) -> Any:
        """A context in which copies run on the stream that the caller names."""
        return contextlib.nullcontext()

    def widen(self, array: Any, width: int) -> Any:
        """A view whose last dimension has size `width`. The caller knows that the memory after
        the array has these columns."""
        raise NotImplementedError

    def permute(self, array: Any, order: Sequence[int]) -> Any:
        """A view whose dimension n is the array's `order[n]`."""
        return self.library.moveaxis(array, tuple(order), tuple(range(len(order))))

    def expand(self, array: Any, sizes: Sequence[int]) -> Any:
        """A view in which dimensions of size 1 are repeated."""
        return self.library.broadcast_to(array, tuple(sizes))

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
