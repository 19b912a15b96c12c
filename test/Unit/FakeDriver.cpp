//===- FakeDriver.cpp - A fake libcuda ------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements in host memory what the runtime uses of the driver, so that its
// tests need no GPU. Functions named fake_* make calls fail and tell what was
// called; FAKE_CUDA_ERRORS in the environment, such as "cuMemAlloc=2", makes
// calls of a tool fail. Device memory is host memory, kernels do nothing, and a
// program is any text in which " NAME(" defines a kernel; "bad" in it is an
// error, and "static=N" its static shared memory.
//
// Calls on the way of a launch take no lock: its order would hide races of the
// runtime from a sanitizer.
//
//===----------------------------------------------------------------------===//

#include "../../lib/Runtime/CudaDriver.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace attnrt;

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

enum Index {
#define INDEX(name, parameters, symbol, older) name##Index,
  ATTNRT_REQUIRED_FUNCTIONS(INDEX) ATTNRT_OPTIONAL_FUNCTIONS(INDEX)
#undef INDEX
      numFunctions
};

const char *const functionNames[] = {
#define NAME(name, parameters, symbol, older) #name,
    ATTNRT_REQUIRED_FUNCTIONS(NAME) ATTNRT_OPTIONAL_FUNCTIONS(NAME)
#undef NAME
};

struct FakeContext {
  std::atomic<bool> alive{false};
  std::atomic<unsigned long long> id{0};
  std::atomic<int> device{0};
};

struct FakeModule {
  FakeContext *context;
  unsigned long long contextId;
  bool loaded;
  std::string image;
};

struct FakeFunction {
  FakeModule *module;
  int staticShared;
  int maxDynamicShared;
};

struct FakeUserObject {
  void *data;
  CUhostFn destroy;
  unsigned references;
};

struct FakeGraph {
  std::vector<FakeUserObject *> objects;
};

/// A stream that was created. Any other handle is a stream, too.
struct FakeStream {
  std::atomic<unsigned long long> id{0};
  std::atomic<CUstreamCaptureStatus> capture{CU_STREAM_CAPTURE_STATUS_NONE};
  FakeGraph *graph = nullptr;
};

struct FakeEvent {
  bool recorded = false, waitedFor = false;
  float time = 0;
};

struct FakeLink {
  std::map<CUjit_option, void *> options;
  std::string cubin;
};

constexpr int numDevices = 2;
constexpr size_t totalMemory = size_t(1) << 30;

std::atomic<int> errors[numFunctions];
std::atomic<unsigned> calls[numFunctions];

/// What follows is guarded by it, but for the contexts' own fields.
std::mutex mutex;
FakeContext contexts[8], primaries[numDevices];
int primaryReferences[numDevices];
unsigned long long lastContextId;
unsigned long long lastStreamId;
uintptr_t livePools;
FakeStream streams[64];
std::deque<FakeModule> modules;
std::deque<FakeFunction> functions;
std::map<CUdeviceptr, size_t> allocations;
size_t freeMemory = totalMemory;
std::vector<size_t> paramSizes;
std::vector<const void *> arguments;
std::vector<std::string> argumentBytes;
std::map<std::string, unsigned long long> recorded;
float now;

thread_local std::vector<FakeContext *> currentContexts;

std::atomic<int> ongoingCaptures;
thread_local CUstreamCaptureMode captureMode;

FakeContext *getCurrent() {
  return currentContexts.empty() ? nullptr : currentContexts.back();
}

CUcontext toHandle(FakeContext *context) {
  return reinterpret_cast<CUcontext>(context);
}

FakeContext *fromHandle(CUcontext context) {
  return reinterpret_cast<FakeContext *>(context);
}

CUresult enter(Index index) {
  calls[index].fetch_add(1, std::memory_order_relaxed);
  return CUresult(errors[index].load(std::memory_order_relaxed));
}

/// Makes a first use long enough for other threads to come upon it.
void takeTime() { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

CUresult requireContext() {
  FakeContext *context = getCurrent();
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  return context->alive ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

/// Whether the module may be used in the current context; a test fails if not.
bool isUsable(const FakeModule &module) {
  FakeContext *context = getCurrent();
  bool usable = module.loaded && module.context == context && context->alive &&
                module.contextId == context->id;
  recorded["misuse"] += !usable;
  return usable;
}

/// The stream of that handle, or null if it was not created here.
FakeStream *findStream(CUstream handle) {
  for (FakeStream &stream : streams)
    if (reinterpret_cast<CUstream>(&stream) == handle)
      return &stream;
  return nullptr;
}

/// What a capture does not see may not happen beside it, unless the thread says
/// that it knows.
CUresult requireNoCapture() {
  return ongoingCaptures && captureMode != CU_STREAM_CAPTURE_MODE_RELAXED
             ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
             : CUDA_SUCCESS;
}

void releaseObject(FakeUserObject *object, unsigned count) {
  if (object->references -= count)
    return;
  object->destroy(object->data);
  delete object;
}

int findFunctionIndex(const char *name) {
  for (int i = 0; i < numFunctions; ++i)
    if (std::strcmp(functionNames[i], name) == 0)
      return i;
  std::abort();
}

void revive(FakeContext &context, int device) {
  context.device = device;
  context.id = ++lastContextId;
  context.alive = true;
}

void writeLog(const std::map<CUjit_option, void *> &options, CUjit_option key,
              CUjit_option sizeKey, const std::string &text) {
  auto buffer = options.find(key), size = options.find(sizeKey);
  if (buffer == options.end() || size == options.end())
    return;
  auto room = reinterpret_cast<uintptr_t>(size->second);
  // As the driver does, without a terminating zero if there is no room.
  std::strncpy(static_cast<char *>(buffer->second), text.c_str(), room);
}

CUresult compile(const std::map<CUjit_option, void *> &options,
                 const std::string &image) {
  if (image.find("bad") == std::string::npos)
    return CUDA_SUCCESS;
  writeLog(options, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
           "ptxas application ptx input, line 7; error   : Unknown symbol "
           "'bad'\n");
  return CUDA_ERROR_INVALID_PTX;
}

std::map<CUjit_option, void *> collect(unsigned count, CUjit_option *keys,
                                       void **values) {
  std::map<CUjit_option, void *> options;
  for (unsigned i = 0; i < count; ++i)
    options[keys[i]] = values[i];
  return options;
}

CUresult launch(CUfunction handle, const unsigned (&shape)[7], CUstream stream,
                void **args) {
  std::lock_guard<std::mutex> lock(mutex);
  auto &function = *reinterpret_cast<FakeFunction *>(handle);
  if (!isUsable(*function.module))
    return CUDA_ERROR_INVALID_HANDLE;
  if (int(shape[6]) > function.maxDynamicShared)
    return CUDA_ERROR_INVALID_VALUE;
  const char *const names[7] = {"grid.x",  "grid.y",  "grid.z", "block.x",
                                "block.y", "block.z", "shared"};
  for (unsigned i = 0; i < 7; ++i)
    recorded[names[i]] = shape[i];
  recorded["stream"] = reinterpret_cast<uintptr_t>(stream);
  arguments.assign(args, args + paramSizes.size());
  argumentBytes.clear();
  for (size_t i = 0; i < paramSizes.size(); ++i)
    argumentBytes.emplace_back(static_cast<char *>(args[i]), paramSizes[i]);
  return CUDA_SUCCESS;
}

} // namespace

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
  // Contexts take their memory with them.
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

/// How often the function was called; null for all of them.
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

/// Creates a context, at the address of a destroyed one if there is one, and
/// pushes it on the thread's stack.
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

/// Address and bytes of an argument of the last launch.
FAKE_EXPORT const void *fake_argument(unsigned index, const char **bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  *bytes = argumentBytes.at(index).data();
  return arguments.at(index);
}

/// Captures what follows on a created stream in a new graph.
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

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

#define ENTER(name)                                                            \
  if (CUresult error = enter(name##Index))                                     \
  return error
#define ENTER_IN_CONTEXT(name)                                                 \
  ENTER(name);                                                                 \
  if (CUresult error = requireContext())                                       \
  return error

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
  // A forked process cannot use what another one has initialised.
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

FAKE_EXPORT CUresult cuModuleLoadDataEx(CUmodule *module, const void *image,
                                        unsigned count, CUjit_option *keys,
                                        void **values) {
  ENTER_IN_CONTEXT(cuModuleLoadDataEx);
  takeTime();
  std::lock_guard<std::mutex> lock(mutex);
  std::string text(static_cast<const char *>(image));
  auto options = collect(count, keys, values);
  recorded["load.lines"] =
      reinterpret_cast<uintptr_t>(options[CU_JIT_GENERATE_LINE_INFO]);
  size_t kernels = 0;
  for (size_t at = 0; (at = text.find(".entry", at)) != std::string::npos; ++at)
    ++kernels;
  recorded["load.kernels"] = kernels;
  if (CUresult error = compile(options, text))
    return error;
  FakeContext *context = getCurrent();
  modules.push_back({context, context->id, true, text});
  *module = reinterpret_cast<CUmodule>(&modules.back());
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuModuleUnload(CUmodule handle) {
  ENTER_IN_CONTEXT(cuModuleUnload);
  std::lock_guard<std::mutex> lock(mutex);
  auto &module = *reinterpret_cast<FakeModule *>(handle);
  if (!isUsable(module))
    return CUDA_ERROR_INVALID_HANDLE;
  module.loaded = false;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuModuleGetFunction(CUfunction *function, CUmodule handle,
                                         const char *name) {
  ENTER_IN_CONTEXT(cuModuleGetFunction);
  std::lock_guard<std::mutex> lock(mutex);
  auto &module = *reinterpret_cast<FakeModule *>(handle);
  if (!isUsable(module))
    return CUDA_ERROR_INVALID_HANDLE;
  if (module.image.find(" " + std::string(name) + "(") == std::string::npos)
    return CUDA_ERROR_NOT_FOUND;
  size_t position = module.image.find("static=");
  int staticShared = position == std::string::npos
                         ? 0
                         : std::atoi(module.image.c_str() + position + 7);
  functions.push_back({&module, staticShared, 49152 - staticShared});
  *function = reinterpret_cast<CUfunction>(&functions.back());
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuFuncGetAttribute(int *value,
                                        CUfunction_attribute attribute,
                                        CUfunction handle) {
  ENTER_IN_CONTEXT(cuFuncGetAttribute);
  std::lock_guard<std::mutex> lock(mutex);
  auto &function = *reinterpret_cast<FakeFunction *>(handle);
  switch (attribute) {
  case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
    *value = 384;
    break;
  case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
    *value = function.staticShared;
    break;
  case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
    *value = 16;
    break;
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *value = 168;
    break;
  case CU_FUNC_ATTRIBUTE_PTX_VERSION:
  case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
    *value = 90 - int(attribute == CU_FUNC_ATTRIBUTE_PTX_VERSION);
    break;
  case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
    *value = function.maxDynamicShared;
    break;
  }
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuFuncSetAttribute(CUfunction handle,
                                        CUfunction_attribute attribute,
                                        int value) {
  ENTER_IN_CONTEXT(cuFuncSetAttribute);
  takeTime();
  std::lock_guard<std::mutex> lock(mutex);
  auto &function = *reinterpret_cast<FakeFunction *>(handle);
  if (!isUsable(*function.module))
    return CUDA_ERROR_INVALID_HANDLE;
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES ||
      value + function.staticShared > 232448)
    return CUDA_ERROR_INVALID_VALUE;
  function.maxDynamicShared = value;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuFuncGetParamInfo(CUfunction, size_t index,
                                        size_t *offset, size_t *size) {
  ENTER_IN_CONTEXT(cuFuncGetParamInfo);
  std::lock_guard<std::mutex> lock(mutex);
  if (index >= paramSizes.size())
    return CUDA_ERROR_INVALID_VALUE;
  *offset = 0;
  *size = paramSizes[index];
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, CUfunction handle, int threads, size_t shared) {
  ENTER_IN_CONTEXT(cuOccupancyMaxActiveBlocksPerMultiprocessor);
  std::lock_guard<std::mutex> lock(mutex);
  auto &function = *reinterpret_cast<FakeFunction *>(handle);
  if (threads <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  *blocks = int(shared) > function.maxDynamicShared ? 0 : 2048 / threads;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuLaunchKernel(CUfunction function, unsigned gridX,
                                    unsigned gridY, unsigned gridZ,
                                    unsigned blockX, unsigned blockY,
                                    unsigned blockZ, unsigned shared,
                                    CUstream stream, void **args, void **) {
  ENTER_IN_CONTEXT(cuLaunchKernel);
  return launch(function, {gridX, gridY, gridZ, blockX, blockY, blockZ, shared},
                stream, args);
}

FAKE_EXPORT CUresult cuLaunchKernelEx(const CUlaunchConfig *config,
                                      CUfunction function, void **args,
                                      void **) {
  ENTER_IN_CONTEXT(cuLaunchKernelEx);
  {
    std::lock_guard<std::mutex> lock(mutex);
    recorded["cluster.x"] = recorded["cluster.y"] = recorded["cluster.z"] = 0;
    recorded["dependent"] = 0;
    recorded["attributes"] = config->numAttrs;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      const CUlaunchAttribute &attribute = config->attrs[i];
      switch (attribute.id) {
      case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
        recorded["cluster.x"] = attribute.value.clusterDim.x;
        recorded["cluster.y"] = attribute.value.clusterDim.y;
        recorded["cluster.z"] = attribute.value.clusterDim.z;
        break;
      case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
        recorded["dependent"] =
            attribute.value.programmaticStreamSerializationAllowed;
        break;
      }
    }
  }
  return launch(function,
                {config->gridDimX, config->gridDimY, config->gridDimZ,
                 config->blockDimX, config->blockDimY, config->blockDimZ,
                 config->sharedMemBytes},
                config->hStream, args);
}

FAKE_EXPORT CUresult cuTensorMapEncodeTiled(
    CUtensorMap *map, unsigned type, unsigned rank, void *address,
    const uint64_t *sizes, const uint64_t *strides, const uint32_t *box,
    const uint32_t *elementStrides, unsigned interleave, unsigned swizzle,
    unsigned promotion, unsigned fill) {
  ENTER(cuTensorMapEncodeTiled);
  // The map is its parameters, so that a test can read them back.
  uint64_t words[16] = {type,
                        rank,
                        reinterpret_cast<uintptr_t>(address),
                        sizes[0],
                        sizes[rank - 1],
                        rank > 1 ? strides[rank - 2] : 0,
                        box[0],
                        box[rank - 1],
                        elementStrides[rank - 1],
                        interleave,
                        swizzle,
                        promotion,
                        fill};
  std::memcpy(map, words, sizeof(words));
  return CUDA_SUCCESS;
}

static CUresult allocate(CUdeviceptr *memory, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!bytes)
    return CUDA_ERROR_INVALID_VALUE;
  if (bytes > freeMemory)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *memory = reinterpret_cast<uintptr_t>(std::malloc(bytes));
  allocations[*memory] = bytes;
  freeMemory -= bytes;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *memory, size_t bytes) {
  ENTER_IN_CONTEXT(cuMemAlloc);
  if (CUresult error = requireNoCapture())
    return error;
  return allocate(memory, bytes);
}

FAKE_EXPORT CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  ENTER_IN_CONTEXT(cuMemGetInfo);
  std::lock_guard<std::mutex> lock(mutex);
  *free = freeMemory;
  *total = totalMemory;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemFree_v2(CUdeviceptr memory) {
  ENTER_IN_CONTEXT(cuMemFree);
  std::lock_guard<std::mutex> lock(mutex);
  auto allocation = allocations.find(memory);
  if (allocation == allocations.end())
    return CUDA_ERROR_INVALID_VALUE;
  freeMemory += allocation->second;
  allocations.erase(allocation);
  std::free(reinterpret_cast<void *>(memory));
  return CUDA_SUCCESS;
}

/// What it allocates holds NaN. Kernels do nothing, so the order of a stream is
/// that of the calls.
FAKE_EXPORT CUresult cuMemAllocAsync(CUdeviceptr *memory, size_t bytes,
                                     CUstream stream) {
  ENTER_IN_CONTEXT(cuMemAllocAsync);
  if (CUresult error = allocate(memory, bytes))
    return error;
  std::memset(reinterpret_cast<void *>(*memory), 0xff, bytes);
  std::lock_guard<std::mutex> lock(mutex);
  recorded["stream"] = reinterpret_cast<uintptr_t>(stream);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemPoolCreate(CUmemoryPool *pool,
                                     const CUmemPoolProps *properties) {
  ENTER_IN_CONTEXT(cuMemPoolCreate);
  if (properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
      properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard<std::mutex> lock(mutex);
  recorded["pool.device"] = properties->location.id;
  *pool = reinterpret_cast<CUmemoryPool>(++livePools);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemPoolDestroy(CUmemoryPool) {
  ENTER_IN_CONTEXT(cuMemPoolDestroy);
  std::lock_guard<std::mutex> lock(mutex);
  --livePools;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemPoolSetAttribute(CUmemoryPool,
                                           CUmemPool_attribute attribute,
                                           void *value) {
  ENTER_IN_CONTEXT(cuMemPoolSetAttribute);
  if (attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard<std::mutex> lock(mutex);
  recorded["pool.threshold"] = *static_cast<uint64_t *>(value);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemPoolTrimTo(CUmemoryPool, size_t keep) {
  ENTER_IN_CONTEXT(cuMemPoolTrimTo);
  std::lock_guard<std::mutex> lock(mutex);
  recorded["pool.keep"] = keep;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemAllocFromPoolAsync(CUdeviceptr *memory, size_t bytes,
                                             CUmemoryPool pool,
                                             CUstream stream) {
  ENTER_IN_CONTEXT(cuMemAllocFromPoolAsync);
  return pool ? cuMemAllocAsync(memory, bytes, stream)
              : CUDA_ERROR_INVALID_VALUE;
}

FAKE_EXPORT CUresult cuMemFreeAsync(CUdeviceptr memory, CUstream stream) {
  ENTER_IN_CONTEXT(cuMemFreeAsync);
  if (CUresult error = cuMemFree_v2(memory))
    return error;
  std::lock_guard<std::mutex> lock(mutex);
  recorded["stream"] = reinterpret_cast<uintptr_t>(stream);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from,
                                     size_t bytes) {
  ENTER_IN_CONTEXT(cuMemcpyHtoD);
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  ENTER_IN_CONTEXT(cuMemcpyDtoH);
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from,
                                          size_t bytes, CUstream stream) {
  ENTER_IN_CONTEXT(cuMemcpyDtoDAsync);
  std::memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
              bytes);
  std::lock_guard<std::mutex> lock(mutex);
  recorded["stream"] = reinterpret_cast<uintptr_t>(stream);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemsetD32Async(CUdeviceptr memory, unsigned value,
                                      size_t count, CUstream stream) {
  ENTER_IN_CONTEXT(cuMemsetD32Async);
  for (size_t i = 0; i < count; ++i)
    reinterpret_cast<unsigned *>(memory)[i] = value;
  std::lock_guard<std::mutex> lock(mutex);
  recorded["stream"] = reinterpret_cast<uintptr_t>(stream);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  ENTER_IN_CONTEXT(cuStreamCreate);
  std::lock_guard<std::mutex> lock(mutex);
  recorded["stream.flags"] = flags;
  // At the address of a destroyed one if there is one.
  for (FakeStream &candidate : streams) {
    if (candidate.id)
      continue;
    candidate.id = ++lastStreamId;
    *stream = reinterpret_cast<CUstream>(&candidate);
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_OUT_OF_MEMORY;
}

FAKE_EXPORT CUresult cuStreamDestroy_v2(CUstream stream) {
  ENTER_IN_CONTEXT(cuStreamDestroy);
  FakeStream *found = findStream(stream);
  if (!found)
    return CUDA_ERROR_INVALID_HANDLE;
  found->id = 0;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  ENTER_IN_CONTEXT(cuStreamGetId);
  FakeStream *found = findStream(stream);
  if (found && found->capture != CU_STREAM_CAPTURE_STATUS_NONE)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  // Handles that were not created have ids far from the others'.
  *id = found ? found->id.load() : ~reinterpret_cast<uintptr_t>(stream);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuStreamGetCaptureInfo_v2(CUstream stream,
                                               CUstreamCaptureStatus *status,
                                               uint64_t *, CUgraph *graph,
                                               const CUgraphNode **, size_t *) {
  ENTER_IN_CONTEXT(cuStreamGetCaptureInfo);
  FakeStream *found = findStream(stream);
  *status = found ? found->capture.load() : CU_STREAM_CAPTURE_STATUS_NONE;
  if (graph && *status == CU_STREAM_CAPTURE_STATUS_ACTIVE)
    *graph = reinterpret_cast<CUgraph>(found->graph);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult
cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  ENTER(cuThreadExchangeStreamCaptureMode);
  std::swap(*mode, captureMode);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuUserObjectCreate(CUuserObject *object, void *data,
                                        CUhostFn destroy, unsigned references,
                                        unsigned flags) {
  ENTER(cuUserObjectCreate);
  if (!references || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
    return CUDA_ERROR_INVALID_VALUE;
  *object = reinterpret_cast<CUuserObject>(
      new FakeUserObject{data, destroy, references});
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  ENTER(cuUserObjectRelease);
  releaseObject(reinterpret_cast<FakeUserObject *>(object), count);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object,
                                             unsigned count, unsigned flags) {
  ENTER(cuGraphRetainUserObject);
  if (count != 1 || flags != CU_GRAPH_USER_OBJECT_MOVE)
    return CUDA_ERROR_INVALID_VALUE;
  reinterpret_cast<FakeGraph *>(graph)->objects.push_back(
      reinterpret_cast<FakeUserObject *>(object));
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuStreamSynchronize(CUstream) {
  ENTER_IN_CONTEXT(cuStreamSynchronize);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuEventCreate(CUevent *event, unsigned flags) {
  ENTER_IN_CONTEXT(cuEventCreate);
  std::lock_guard<std::mutex> lock(mutex);
  recorded["event.flags"] = flags;
  *event = reinterpret_cast<CUevent>(new FakeEvent);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuEventDestroy_v2(CUevent event) {
  ENTER_IN_CONTEXT(cuEventDestroy);
  delete reinterpret_cast<FakeEvent *>(event);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuEventRecord(CUevent handle, CUstream) {
  ENTER_IN_CONTEXT(cuEventRecord);
  std::lock_guard<std::mutex> lock(mutex);
  auto &event = *reinterpret_cast<FakeEvent *>(handle);
  event.recorded = true;
  event.waitedFor = false;
  event.time = now += 1.5f;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuEventSynchronize(CUevent handle) {
  ENTER_IN_CONTEXT(cuEventSynchronize);
  reinterpret_cast<FakeEvent *>(handle)->waitedFor = true;
  return CUDA_SUCCESS;
}

/// Apart from the exported function, which a test may hide from the linker.
static CUresult getElapsed(float *milliseconds, CUevent startHandle,
                           CUevent endHandle) {
  ENTER_IN_CONTEXT(cuEventElapsedTime);
  auto &start = *reinterpret_cast<FakeEvent *>(startHandle);
  auto &end = *reinterpret_cast<FakeEvent *>(endHandle);
  if (!start.recorded || !end.recorded)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!end.waitedFor)
    return CUDA_ERROR_NOT_READY;
  *milliseconds = end.time - start.time;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start,
                                           CUevent end) {
  return getElapsed(milliseconds, start, end);
}

/// What a driver before 12.8 has in the place of the above.
FAKE_EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent start,
                                        CUevent end) {
  return getElapsed(milliseconds, start, end);
}

FAKE_EXPORT CUresult cuLinkCreate_v2(unsigned count, CUjit_option *keys,
                                     void **values, CUlinkState *state) {
  ENTER_IN_CONTEXT(cuLinkCreate);
  std::lock_guard<std::mutex> lock(mutex);
  auto options = collect(count, keys, values);
  recorded["link.target"] = reinterpret_cast<uintptr_t>(options[CU_JIT_TARGET]);
  recorded["link.lines"] =
      reinterpret_cast<uintptr_t>(options[CU_JIT_GENERATE_LINE_INFO]);
  recorded["link.verbose"] =
      reinterpret_cast<uintptr_t>(options[CU_JIT_LOG_VERBOSE]);
  ++recorded["link.states"];
  *state = reinterpret_cast<CUlinkState>(
      new FakeLink{collect(count, keys, values), ""});
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuLinkAddData_v2(CUlinkState state, CUjitInputType type,
                                      void *data, size_t size, const char *,
                                      unsigned, CUjit_option *, void **) {
  ENTER_IN_CONTEXT(cuLinkAddData);
  auto &link = *reinterpret_cast<FakeLink *>(state);
  auto *text = static_cast<char *>(data);
  if (type != CU_JIT_INPUT_PTX || text[size - 1] != '\0')
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult error = compile(link.options, text))
    return error;
  link.cubin = "\177ELF" + std::string(text);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuLinkComplete(CUlinkState state, void **cubin,
                                    size_t *size) {
  ENTER_IN_CONTEXT(cuLinkComplete);
  auto &link = *reinterpret_cast<FakeLink *>(state);
  writeLog(link.options, CU_JIT_INFO_LOG_BUFFER,
           CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
           "ptxas info    : Used 168 registers, 0 bytes spill stores");
  *cubin = link.cubin.data();
  *size = link.cubin.size();
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuLinkDestroy(CUlinkState state) {
  ENTER(cuLinkDestroy);
  delete reinterpret_cast<FakeLink *>(state);
  std::lock_guard<std::mutex> lock(mutex);
  --recorded["link.states"];
  return CUDA_SUCCESS;
}
