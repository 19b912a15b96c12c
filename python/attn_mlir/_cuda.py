"""Access to the current CUDA context by the driver API. As the CUDA runtime does, this gives a
thread without a context the primary context of the device that it works on."""

import contextlib
from typing import Iterator, Optional

from ._forks import call_in_child
from ._library import binding

call_in_child(binding.forget_driver)
# Returns the device of the thread's current CUDA context, or None without one.
current_device = binding.current_device
# Waits for all work in the primary CUDA contexts of all devices.
synchronize = binding.synchronize


@contextlib.contextmanager
def on_device(device: Optional[int]) -> Iterator[None]:
    """A context manager within which a context of `device` is current: its primary context. For
    None, any context that is current stays so, or else device 0's primary context is made current.
    At the end, the context that was current before is current again."""
    must_leave = binding.enter_device(device)
    try:
        yield
    finally:
        if must_leave:
            binding.leave_device()
