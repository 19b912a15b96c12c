//===- FakeDriver.cpp - A fake libcuda ------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements the driver's functions that the runtime uses, in host memory, so
// that the runtime's tests need no GPU. Functions named fake_* make calls fail
// and tell what was called; FAKE_CUDA_ERRORS in the environment, such as
// "cuMemAlloc=2", makes calls of a tool fail. Device memory is host memory,
// kernels do nothing, and a program is any text in which " NAME(" defines a
// kernel; "bad" in it is an error, and "static=N" its static shared memory.
//
// Functions that a launch calls take no lock, since a lock would order threads
// and hide races of the runtime from a sanitizer.
//
//===----------------------------------------------------------------------===//

#include "FakeDriverState.h"

using namespace attnrt;
using namespace fake;

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

FAKE_EXPORT void fake_reset() {
  std::lock_guard<std::mutex> lock(mutex);
  for (int i = 0; i < numFunctions; ++i) {
    errors[i] = 0;
    calls[i] = 0;
  }
  for (FakeContext &context : contexts)
    context.alive = false;
  for (int i = 0; i < numDevices; ++i) {
    primaries[i].alive = false;
    primaryReferences[i] = 0;
  }
  for (FakeStream &stream : streams) {
    stream.id = 0;
    stream.capture = CU_STREAM_CAPTURE_STATUS_NONE;
  }
  ongoingCaptures = 0;
  captureMode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  modules.clear();
  functions.clear();
  // A context's memory is freed with it.
  for (auto [memory, bytes] : allocations)
    std::free(reinterpret_cast<void *>(memory));
  allocations.clear();
  freeMemory = totalMemory;
  paramSizes.clear();
  recorded.clear();
  currentContexts.clear();
}

FAKE_EXPORT void fake_set_error(const char *function, int error) {
  errors[findFunctionIndex(function)] = error;
}

/// Returns how often the function was called or, for null, how often all
/// functions were.
FAKE_EXPORT unsigned fake_calls(const char *function) {
  if (function)
    return calls[findFunctionIndex(function)];
  unsigned sum = 0;
  for (const auto &count : calls)
    sum += count;
  return sum;
}

FAKE_EXPORT unsigned long long fake_recorded(const char *key) {
  std::lock_guard<std::mutex> lock(mutex);
  return recorded[key];
}

/// Creates a context and pushes it on the thread's stack of contexts. If a
/// context has been destroyed, the new one gets its address.
FAKE_EXPORT CUcontext fake_create_context(int device) {
  std::lock_guard<std::mutex> lock(mutex);
  for (FakeContext &context : contexts)
    if (!context.alive) {
      revive(context, device);
      currentContexts.push_back(&context);
      return toHandle(&context);
    }
  std::abort();
}

FAKE_EXPORT void fake_push_context(CUcontext handle) {
  currentContexts.push_back(fromHandle(handle));
}

FAKE_EXPORT void fake_destroy_context(CUcontext handle) {
  std::lock_guard<std::mutex> lock(mutex);
  FakeContext *context = fromHandle(handle);
  context->alive = false;
  if (getCurrent() == context)
    currentContexts.pop_back();
}

FAKE_EXPORT void fake_set_param_sizes(const size_t *sizes, size_t count) {
  std::lock_guard<std::mutex> lock(mutex);
  paramSizes.assign(sizes, sizes + count);
}

/// Returns the address of an argument of the last launch, and in `bytes` a copy
/// of what was there.
FAKE_EXPORT const void *fake_argument(unsigned index, const char **bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  *bytes = argumentBytes.at(index).data();
  return arguments.at(index);
}

/// Begins to capture the work of a stream in a new graph. The stream must have
/// been created by the fake driver.
FAKE_EXPORT CUgraph fake_begin_capture(CUstream stream) {
  FakeStream *found = findStream(stream);
  found->graph = new FakeGraph;
  found->capture = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  ++ongoingCaptures;
  return reinterpret_cast<CUgraph>(found->graph);
}

FAKE_EXPORT void fake_invalidate_capture(CUstream stream) {
  findStream(stream)->capture = CU_STREAM_CAPTURE_STATUS_INVALIDATED;
}

FAKE_EXPORT void fake_end_capture(CUstream stream) {
  findStream(stream)->capture = CU_STREAM_CAPTURE_STATUS_NONE;
  --ongoingCaptures;
}

FAKE_EXPORT void fake_destroy_graph(CUgraph handle) {
  auto *graph = reinterpret_cast<FakeGraph *>(handle);
  for (FakeUserObject *object : graph->objects)
    releaseObject(object, 1);
  delete graph;
}

FAKE_EXPORT unsigned fake_loaded_modules() {
  std::lock_guard<std::mutex> lock(mutex);
  unsigned count = 0;
  for (const FakeModule &module : modules)
    count += module.loaded && module.context->alive &&
             module.context->id == module.contextId;
  return count;
}

FAKE_EXPORT CUresult cuGetErrorName(CUresult error, const char **name) {
  ENTER(cuGetErrorName);
  switch (error) {
#define CASE(name_)                                                            \
  case name_:                                                                  \
    *name = #name_;                                                            \
    return CUDA_SUCCESS;
    CASE(CUDA_ERROR_INVALID_VALUE)
    CASE(CUDA_ERROR_OUT_OF_MEMORY)
    CASE(CUDA_ERROR_NO_DEVICE)
    CASE(CUDA_ERROR_INVALID_DEVICE)
    CASE(CUDA_ERROR_NO_BINARY_FOR_GPU)
    CASE(CUDA_ERROR_INVALID_PTX)
    CASE(CUDA_ERROR_INVALID_HANDLE)
    CASE(CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
    CASE(CUDA_ERROR_NOT_FOUND)
    CASE(CUDA_ERROR_ILLEGAL_ADDRESS)
    CASE(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)
    CASE(CUDA_ERROR_CONTEXT_IS_DESTROYED)
    CASE(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)
    CASE(CUDA_ERROR_UNKNOWN)
#undef CASE
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

FAKE_EXPORT CUresult cuGetErrorString(CUresult error, const char **text) {
  ENTER(cuGetErrorString);
  *text = error == CUDA_ERROR_NO_BINARY_FOR_GPU
              ? "no kernel image is available for execution on the device"
              : "text of the error";
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuInit(unsigned) {
  if (const char *given = std::getenv("FAKE_CUDA_ERRORS")) {
    std::istringstream list(given);
    std::string name, error;
    while (std::getline(list, name, '=') && std::getline(list, error, ','))
      errors[findFunctionIndex(name.c_str())] = std::atoi(error.c_str());
  }
  ENTER(cuInit);
  // As with CUDA, a forked process cannot use the driver if its parent has
  // initialised it.
  static const pid_t process = getpid();
  return process == getpid() ? CUDA_SUCCESS : CUDA_ERROR_NOT_INITIALIZED;
}

FAKE_EXPORT CUresult cuDriverGetVersion(int *version) {
  ENTER(cuDriverGetVersion);
  *version = 13010;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  ENTER(cuDeviceGet);
  if (ordinal < 0 || ordinal >= numDevices)
    return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuDeviceGetCount(int *count) {
  ENTER(cuDeviceGetCount);
  *count = numDevices;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuDeviceGetName(char *name, int size, CUdevice) {
  ENTER(cuDeviceGetName);
  std::strncpy(name, "Fake H100", size);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice) {
  ENTER(cuDeviceTotalMem);
  *bytes = totalMemory;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuDeviceGetAttribute(int *value,
                                          CUdevice_attribute attribute,
                                          CUdevice device) {
  ENTER(cuDeviceGetAttribute);
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *value = device == 0 ? 9 : 8;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    *value = 0;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
    *value = device == 0 ? 132 : 108;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
    *value = 232448;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
    *value = 52428800;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_CLOCK_RATE:
    *value = 1980000;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

FAKE_EXPORT CUresult cuDevicePrimaryCtxRetain(CUcontext *context,
                                              CUdevice device) {
  ENTER(cuDevicePrimaryCtxRetain);
  std::lock_guard<std::mutex> lock(mutex);
  if (!primaryReferences[device]++)
    revive(primaries[device], device);
  *context = toHandle(&primaries[device]);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  ENTER(cuDevicePrimaryCtxRelease);
  std::lock_guard<std::mutex> lock(mutex);
  if (!primaryReferences[device])
    return CUDA_ERROR_INVALID_CONTEXT;
  if (!--primaryReferences[device])
    primaries[device].alive = false;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuDevicePrimaryCtxGetState(CUdevice device,
                                                unsigned *flags, int *active) {
  ENTER(cuDevicePrimaryCtxGetState);
  *flags = 0;
  *active = primaries[device].alive;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuCtxGetCurrent(CUcontext *context) {
  ENTER(cuCtxGetCurrent);
  *context = toHandle(getCurrent());
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuCtxSetCurrent(CUcontext context) {
  ENTER(cuCtxSetCurrent);
  if (!currentContexts.empty())
    currentContexts.pop_back();
  if (context)
    currentContexts.push_back(fromHandle(context));
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuCtxPushCurrent_v2(CUcontext context) {
  ENTER(cuCtxPushCurrent);
  if (!fromHandle(context)->alive)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  currentContexts.push_back(fromHandle(context));
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  ENTER_IN_CONTEXT(cuCtxPopCurrent);
  *context = toHandle(getCurrent());
  currentContexts.pop_back();
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuCtxGetDevice(CUdevice *device) {
  ENTER_IN_CONTEXT(cuCtxGetDevice);
  *device = getCurrent()->device;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuCtxSynchronize() {
  if (CUresult result = requireContext())
    return result;
  std::lock_guard<std::mutex> lock(mutex);
  ++recorded["synchronized"];
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
  ENTER(cuCtxGetId);
  if (!context) {
    if (CUresult result = requireContext())
      return result;
    context = toHandle(getCurrent());
  }
  if (!fromHandle(context)->alive)
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  *id = fromHandle(context)->id;
  return CUDA_SUCCESS;
}
