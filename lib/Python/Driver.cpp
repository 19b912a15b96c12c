//===- Driver.cpp - The current CUDA context -----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Driver.h"

#include <algorithm>
#include <dlfcn.h>

using namespace attn::python;

/// The error code CUDA_ERROR_NOT_INITIALIZED, which the driver returns in a
/// process that was forked after the driver had been used.
static constexpr int kNotInitialized = 3;

Driver::Result Driver::check(int result, const char *function) {
  if (result == 0)
    return Result::Success;
  error =
      std::string(function) + " failed with error " + std::to_string(result);
  if (result == kNotInitialized)
    error += ": expected a process of its own for CUDA, found one that was "
             "forked after CUDA was used (Python's multiprocessing has the "
             "start method 'spawn')";
  return Result::Failure;
}

Driver::Result Driver::load() {
  if (isReady)
    return Result::Success;
  if (!handle)
    handle = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    error = std::string("expected a CUDA driver: ") + dlerror();
    return Result::NoDriver;
  }
#define ATTN_FIND(NAME)                                                        \
  NAME = reinterpret_cast<decltype(NAME)>(dlsym(handle, #NAME));               \
  if (!NAME) {                                                                 \
    error = "expected a CUDA driver that has " #NAME;                          \
    return Result::NoDriver;                                                   \
  }
  ATTN_FIND(cuInit)
  ATTN_FIND(cuCtxGetDevice)
  ATTN_FIND(cuCtxSetCurrent)
  ATTN_FIND(cuCtxPushCurrent_v2)
  ATTN_FIND(cuCtxPopCurrent_v2)
  ATTN_FIND(cuCtxSynchronize)
  ATTN_FIND(cuDeviceGet)
  ATTN_FIND(cuDeviceGetCount)
  ATTN_FIND(cuDevicePrimaryCtxRetain)
  ATTN_FIND(cuDevicePrimaryCtxGetState)
#undef ATTN_FIND
  Result result = check(cuInit(0), "cuInit");
  isReady = result == Result::Success;
  return result;
}

Driver::Result Driver::getCurrentDevice(int &device) {
  device = -1;
  Result result = load();
  if (result == Result::Success && cuCtxGetDevice(&device) != 0)
    device = -1;
  return result;
}

Driver::Result Driver::findPrimary(int device, void *&context) {
  if (device >= kMaxDevices) {
    error = "expected a device below " + std::to_string(kMaxDevices) +
            ", found " + std::to_string(device);
    return Result::Failure;
  }
  void *&known = primaries[device];
  int handle = 0;
  Result result = Result::Success;
  if (!known)
    result = check(cuDeviceGet(&handle, device), "cuDeviceGet");
  if (!known && result == Result::Success)
    result = check(cuDevicePrimaryCtxRetain(&known, handle),
                   "cuDevicePrimaryCtxRetain");
  context = known;
  return result;
}

Driver::Result Driver::enter(int device, bool &mustLeave) {
  mustLeave = false;
  int current = -1;
  Result result = getCurrentDevice(current);
  if (result != Result::Success)
    return result;
  if (current >= 0 && (device < 0 || current == device))
    return Result::Success;
  void *context = nullptr;
  result = findPrimary(std::max(device, 0), context);
  if (result != Result::Success)
    return result;
  if (current < 0)
    return check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  result = check(cuCtxPushCurrent_v2(context), "cuCtxPushCurrent");
  mustLeave = result == Result::Success;
  return result;
}

void Driver::leave() {
  void *context = nullptr;
  cuCtxPopCurrent_v2(&context);
}

Driver::Result Driver::synchronize() {
  Result result = load();
  if (result != Result::Success)
    return result;
  int count = 0, before = -1;
  cuDeviceGetCount(&count);
  getCurrentDevice(before);
  for (int device = 0; device < count; ++device) {
    unsigned flags = 0;
    int isActive = 0;
    cuDevicePrimaryCtxGetState(device, &flags, &isActive);
    bool mustLeave = false;
    if (!isActive || enter(device, mustLeave) != Result::Success)
      continue;
    cuCtxSynchronize();
    if (mustLeave)
      leave();
  }
  // If the thread had no current context before this function, it has none
  // afterwards. Kernels may be destroyed on any thread, and later calls of that
  // thread must not find the context of another device.
  if (before < 0)
    cuCtxSetCurrent(nullptr);
  return Result::Success;
}

void Driver::forget() {
  isReady = false;
  std::fill(std::begin(primaries), std::end(primaries), nullptr);
}
