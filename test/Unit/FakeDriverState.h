//===- FakeDriverState.h - What a fake libcuda knows ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_FAKEDRIVERSTATE_H
#define ATTN_TEST_UNIT_FAKEDRIVERSTATE_H

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

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

#define ENTER(name)                                                            \
  if (CUresult error = enter(name##Index))                                     \
  return error
#define ENTER_IN_CONTEXT(name)                                                 \
  ENTER(name);                                                                 \
  if (CUresult error = requireContext())                                       \
  return error

/// The symbols are hidden, so that several copies of the library in one process
/// have separate states.
namespace [[gnu::visibility("hidden")]] fake {

using namespace attnrt;

enum Index {
#define INDEX(name, parameters, suffix, older) name##Index,
  ATTNRT_REQUIRED_FUNCTIONS(INDEX) ATTNRT_OPTIONAL_FUNCTIONS(INDEX)
#undef INDEX
      numFunctions
};

inline const char *const functionNames[] = {
#define NAME(name, parameters, suffix, older) #name,
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

/// A stream that cuStreamCreate() made. Other handles are accepted as streams,
/// too.
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

inline constexpr int numDevices = 2;
inline constexpr size_t totalMemory = size_t(1) << 30;

inline std::atomic<int> errors[numFunctions];
inline std::atomic<unsigned> calls[numFunctions];

/// Guards the variables below, except the fields of contexts.
inline std::mutex mutex;
inline FakeContext contexts[8], primaries[numDevices];
inline int primaryReferences[numDevices];
inline unsigned long long lastContextId;
inline unsigned long long lastStreamId;
inline uintptr_t livePools;
inline FakeStream streams[64];
inline std::deque<FakeModule> modules;
inline std::deque<FakeFunction> functions;
inline std::map<CUdeviceptr, size_t> allocations;
inline size_t freeMemory = totalMemory;
inline std::vector<size_t> paramSizes;
inline std::vector<const void *> arguments;
inline std::vector<std::string> argumentBytes;
inline std::map<std::string, unsigned long long> recorded;
inline float now;

inline thread_local std::vector<FakeContext *> currentContexts;

inline std::atomic<int> ongoingCaptures;
inline thread_local CUstreamCaptureMode captureMode;

inline FakeContext *getCurrent() {
  return currentContexts.empty() ? nullptr : currentContexts.back();
}

inline CUcontext toHandle(FakeContext *context) {
  return reinterpret_cast<CUcontext>(context);
}

inline FakeContext *fromHandle(CUcontext context) {
  return reinterpret_cast<FakeContext *>(context);
}

inline CUresult enter(Index index) {
  calls[index].fetch_add(1, std::memory_order_relaxed);
  return CUresult(errors[index].load(std::memory_order_relaxed));
}

/// Sleeps, so that the first use of something takes long enough for other
/// threads to use it at the same time.
inline void takeTime() {
  std::this_thread::sleep_for(std::chrono::microseconds(200));
}

inline CUresult requireContext() {
  FakeContext *context = getCurrent();
  if (!context)
    return CUDA_ERROR_INVALID_CONTEXT;
  return context->alive ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

/// Whether the module may be used in the current context. If not, records a
/// misuse, and the fixture makes the test fail.
inline bool isUsable(const FakeModule &module) {
  FakeContext *context = getCurrent();
  bool usable = module.loaded && module.context == context && context->alive &&
                module.contextId == context->id;
  recorded["misuse"] += !usable;
  return usable;
}

/// Returns the stream with that handle, or null if the fake driver has not
/// created it.
inline FakeStream *findStream(CUstream handle) {
  for (FakeStream &stream : streams)
    if (reinterpret_cast<CUstream>(&stream) == handle)
      return &stream;
  return nullptr;
}

/// Returns the error that CUDA gives for a call that cannot be captured, while
/// some stream is being captured. There is no error if the thread has set the
/// relaxed capture mode.
inline CUresult requireNoCapture() {
  return ongoingCaptures && captureMode != CU_STREAM_CAPTURE_MODE_RELAXED
             ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
             : CUDA_SUCCESS;
}

inline void releaseObject(FakeUserObject *object, unsigned count) {
  if (object->references -= count)
    return;
  object->destroy(object->data);
  delete object;
}

inline int findFunctionIndex(const char *name) {
  for (int i = 0; i < numFunctions; ++i)
    if (std::strcmp(functionNames[i], name) == 0)
      return i;
  std::abort();
}

inline void revive(FakeContext &context, int device) {
  context.device = device;
  context.id = ++lastContextId;
  context.alive = true;
}

inline void writeLog(const std::map<CUjit_option, void *> &options,
                     CUjit_option key, CUjit_option sizeKey,
                     const std::string &text) {
  auto buffer = options.find(key), size = options.find(sizeKey);
  if (buffer == options.end() || size == options.end())
    return;
  auto room = reinterpret_cast<uintptr_t>(size->second);
  // As in the CUDA driver, a log that does not fit is cut off without a
  // terminating zero.
  std::strncpy(static_cast<char *>(buffer->second), text.c_str(), room);
}

inline CUresult compile(const std::map<CUjit_option, void *> &options,
                        const std::string &image) {
  if (image.find("bad") == std::string::npos)
    return CUDA_SUCCESS;
  writeLog(options, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
           "ptxas application ptx input, line 7; error   : Unknown symbol "
           "'bad'\n");
  return CUDA_ERROR_INVALID_PTX;
}

inline std::map<CUjit_option, void *>
collect(unsigned count, CUjit_option *keys, void **values) {
  std::map<CUjit_option, void *> options;
  for (unsigned i = 0; i < count; ++i)
    options[keys[i]] = values[i];
  return options;
}

inline CUresult launch(CUfunction handle, const unsigned (&shape)[7],
                       CUstream stream, void **args) {
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

} // namespace fake

#endif // ATTN_TEST_UNIT_FAKEDRIVERSTATE_H
