"""The current CUDA context, by the driver. As the CUDA runtime does, a thread
without a context is given the primary one of the device that it works on."""

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
    """Makes the primary context of `device` current (None: any context, or else
    device 0's). A context that was current before is so again afterwards."""
    must_leave = binding.enter_device(device)
    try:
        yield
    finally:
        if must_leave:
            binding.leave_device()
