"""The current CUDA context, by the driver. As the CUDA runtime does, a thread
without a context is given the primary one of the device that it works on."""

import contextlib
import ctypes
import functools
from typing import Iterator, Optional

from ._errors import Error
from ._forks import FORKED, call_in_child

# What the driver answers in a process that was forked after its use.
_NOT_INITIALIZED = 3


@functools.lru_cache(maxsize=None)
def _driver() -> ctypes.CDLL:
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise Error(f"expected a CUDA driver: {error}", "NO_DRIVER") from None
    _check(driver.cuInit(0), "cuInit")
    return driver


def _check(result: int, function: str) -> None:
    if result:
        forked = f": {FORKED}" if result == _NOT_INITIALIZED else ""
        raise Error(f"{function} failed with error {result}{forked}", "DRIVER_ERROR")


@functools.lru_cache(maxsize=None)
def _primary_context(device: int) -> ctypes.c_void_p:
    """Retained until the process ends, as by the CUDA runtime."""
    handle, context = ctypes.c_int(), ctypes.c_void_p()
    _check(_driver().cuDeviceGet(ctypes.byref(handle), device), "cuDeviceGet")
    _check(_driver().cuDevicePrimaryCtxRetain(ctypes.byref(context), handle),
           "cuDevicePrimaryCtxRetain")
    return context


def _forget() -> None:
    _driver.cache_clear()
    _primary_context.cache_clear()


call_in_child(_forget)


def current_device() -> Optional[int]:
    """The device of the thread's current context, None without one."""
    device = ctypes.c_int()
    return None if _driver().cuCtxGetDevice(ctypes.byref(device)) else device.value


@contextlib.contextmanager
def on_device(device: Optional[int]) -> Iterator[None]:
    """Makes the primary context of `device` current (None: any context, or else
    device 0's). A context that was current before is so again afterwards."""
    current = current_device()
    if current is None:
        _check(_driver().cuCtxSetCurrent(_primary_context(device or 0)),
               "cuCtxSetCurrent")
    if current is None or device is None or current == device:
        yield
        return
    _check(_driver().cuCtxPushCurrent_v2(_primary_context(device)), "cuCtxPushCurrent")
    try:
        yield
    finally:
        _driver().cuCtxPopCurrent_v2(ctypes.byref(ctypes.c_void_p()))


def synchronize() -> None:
    """Waits for all work in the primary contexts of all devices."""
    driver = _driver()
    count, flags, is_active = ctypes.c_int(), ctypes.c_uint(), ctypes.c_int()
    driver.cuDeviceGetCount(ctypes.byref(count))
    for device in range(count.value):
        driver.cuDevicePrimaryCtxGetState(device, ctypes.byref(flags),
                                          ctypes.byref(is_active))
        if is_active.value:
            with on_device(device):
                driver.cuCtxSynchronize()
