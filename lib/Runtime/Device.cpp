//===- Device.cpp - Devices and their primary contexts --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

using namespace attnrt;

/// Sets `handle` to the CUDA driver's handle of device number `device`.
static attnrt_status getDevice(attnrt_runtime &runtime, int device,
                               CUdevice &handle) {
  CUresult result = runtime.driver.cuDeviceGet(&handle, device);
  if (result == CUDA_SUCCESS)
    return ATTNRT_SUCCESS;
  int count = 0;
  runtime.driver.cuDeviceGetCount(&count);
  return check(runtime, result, "getting device %d of %d", device, count);
}

/// Does as getDevice(), and fails if the runtime is null or has no driver.
static attnrt_status findDevice(attnrt_runtime *runtime, int device,
                                CUdevice &handle) {
  attnrt_status status = requireDriver(runtime);
  return status == ATTNRT_SUCCESS ? getDevice(*runtime, device, handle)
                                  : status;
}

attnrt_status attnrt_get_device_count(attnrt_runtime *runtime, int *count) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  return check(*runtime, runtime->driver.cuDeviceGetCount(count),
               "counting the devices");
}

attnrt_status attnrt_get_device_info(attnrt_runtime *runtime, int device,
                                     attnrt_device_info *info) {
  CUdevice handle = 0;
  if (attnrt_status status = findDevice(runtime, device, handle))
    return status;

  const CudaDriver &driver = runtime->driver;
  attnrt_device_info found = {};
  const struct {
    int &value;
    CUdevice_attribute attribute;
  } attributes[] = {
      {found.compute_major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR},
      {found.compute_minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR},
      {found.sm_count, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT},
      {found.max_shared_bytes_per_block,
       CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN},
      {found.l2_bytes, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE},
      {found.clock_khz, CU_DEVICE_ATTRIBUTE_CLOCK_RATE},
  };
  size_t bytes = 0;
  CUresult result =
      driver.cuDeviceGetName(found.name, sizeof(found.name), handle);
  if (result == CUDA_SUCCESS)
    result = driver.cuDeviceTotalMem(&bytes, handle);
  if (result == CUDA_SUCCESS)
    result = driver.cuDriverGetVersion(&found.driver_version);
  for (const auto &entry : attributes)
    if (result == CUDA_SUCCESS)
      result =
          driver.cuDeviceGetAttribute(&entry.value, entry.attribute, handle);
  if (attnrt_status status =
          check(*runtime, result, "describing device %d", device))
    return status;
  found.memory_bytes = bytes;
  *info = found;
  return ATTNRT_SUCCESS;
}

attnrt_status attnrt_get_compute_capability(attnrt_runtime *runtime, int device,
                                            int *major, int *minor) {
  CUdevice handle = 0;
  if (attnrt_status status = findDevice(runtime, device, handle))
    return status;
  const CudaDriver &driver = runtime->driver;
  CUresult result = driver.cuDeviceGetAttribute(
      major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, handle);
  if (result == CUDA_SUCCESS)
    result = driver.cuDeviceGetAttribute(
        minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, handle);
  return check(*runtime, result,
               "asking for the compute capability of device %d", device);
}

attnrt_status attnrt_get_current_device(attnrt_runtime *runtime, int *device) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  Context *context = runtime->modules.findContext(runtime->driver);
  // The driver's handle of a device (CUdevice) equals the device's number.
  CUdevice handle = context ? context->device.load() : -1;
  if (handle < 0)
    if (attnrt_status status =
            check(*runtime, runtime->driver.cuCtxGetDevice(&handle),
                  "asking for the device of the current context"))
      return status;
  if (context)
    context->device = handle;
  *device = handle;
  return ATTNRT_SUCCESS;
}

attnrt_status attnrt_open_device(attnrt_runtime *runtime, int device,
                                 attnrt_context *context) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  const CudaDriver &driver = runtime->driver;
  if (!driver.cuDevicePrimaryCtxRetain || !driver.cuDevicePrimaryCtxRelease)
    return failMissing(*runtime, "cuDevicePrimaryCtxRetain",
                       "opening a device");
  CUdevice handle = 0;
  if (attnrt_status status = getDevice(*runtime, device, handle))
    return status;
  CUcontext primary = nullptr;
  CUresult result = driver.cuDevicePrimaryCtxRetain(&primary, handle);
  if (attnrt_status status =
          check(*runtime, result, "retaining the primary context of device %d",
                device))
    return status;
  result = driver.cuCtxSetCurrent(primary);
  if (result != CUDA_SUCCESS) {
    driver.cuDevicePrimaryCtxRelease(handle);
    return check(*runtime, result,
                 "making the primary context of device %d current", device);
  }
  if (context)
    *context = primary;
  return ATTNRT_SUCCESS;
}

attnrt_status attnrt_close_device(attnrt_runtime *runtime, int device) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  const CudaDriver &driver = runtime->driver;
  if (!driver.cuDevicePrimaryCtxRelease || !driver.cuDevicePrimaryCtxGetState)
    return failMissing(*runtime, "cuDevicePrimaryCtxGetState",
                       "closing a device");
  CUdevice handle = 0;
  if (attnrt_status status = getDevice(*runtime, device, handle))
    return status;

  std::lock_guard<std::mutex> lock(runtime->closing);
  // Only cuDevicePrimaryCtxRetain returns the primary context, and it would
  // create one. So cuDevicePrimaryCtxGetState is asked first whether there is
  // one.
  unsigned flags = 0;
  int active = 0;
  CUcontext primary = nullptr, current = nullptr;
  CUresult result = driver.cuDevicePrimaryCtxGetState(handle, &flags, &active);
  if (result == CUDA_SUCCESS && !active)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "closing device %d, which is not open", device);
  if (result == CUDA_SUCCESS)
    result = driver.cuDevicePrimaryCtxRetain(&primary, handle);
  if (result == CUDA_SUCCESS)
    driver.cuDevicePrimaryCtxRelease(handle);
  if (result == CUDA_SUCCESS)
    result = driver.cuDevicePrimaryCtxRelease(handle);
  if (result == CUDA_SUCCESS)
    result = driver.cuDevicePrimaryCtxGetState(handle, &flags, &active);
  if (attnrt_status status =
          check(*runtime, result, "releasing the primary context of device %d",
                device))
    return status;
  if (active)
    return ATTNRT_SUCCESS;
  // The last reference to the context was released, so the driver has destroyed
  // the context and its modules. The cache must not use them any more, and the
  // calling thread must not keep the context as its current one.
  runtime->modules.forget(primary);
  if (driver.cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == primary)
    driver.cuCtxSetCurrent(nullptr);
  return ATTNRT_SUCCESS;
}
