"""Prints the chip of the first NVIDIA device, such as sm_90.

Fails with the reason where there is no driver or no device.
"""

import ctypes
import sys

COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR = 75, 76

try:
    cuda = ctypes.CDLL("libcuda.so.1")
except OSError as error:
    sys.exit(f"no NVIDIA driver: {error}")


def call(function, *arguments):
    status = getattr(cuda, function)(*arguments)
    if status:
        sys.exit(f"no NVIDIA device: {function} returned {status}")


count, device = ctypes.c_int(), ctypes.c_int()
call("cuInit", 0)
call("cuDeviceGetCount", ctypes.byref(count))
if not count.value:
    sys.exit("no NVIDIA device: the driver has none")
call("cuDeviceGet", ctypes.byref(device), 0)
chip = []
for attribute in (COMPUTE_CAPABILITY_MAJOR, COMPUTE_CAPABILITY_MINOR):
    value = ctypes.c_int()
    call("cuDeviceGetAttribute", ctypes.byref(value), attribute, device)
    chip.append(str(value.value))
print("sm_" + "".join(chip))
