//===- FakeDriver.h - The fake driver and runtimes over it ------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fake driver is libfakecuda.so, made of FakeDriver.cpp and the other
// Fake*.cpp, beside this program.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_FAKEDRIVER_H
#define ATTN_TEST_UNIT_FAKEDRIVER_H

#include "attn/Runtime/attnrt.h"

#include "gtest/gtest.h"

#include <dlfcn.h>
#include <string>
#include <unistd.h>

/// Numbers of the CUDA driver's errors. They are repeated here to test those
/// that the runtime declares.
inline constexpr int invalidValue = 1, outOfMemory = 2, noDevice = 100,
                     noBinaryForGpu = 209, illegalAddress = 700,
                     outOfResources = 701, launchFailed = 719,
                     driverMismatch = 803, captureUnsupported = 900,
                     unknownError = 999;

/// Returns the path of the fake driver, a library beside the test program.
inline const char *fakeDriverPath() {
  static const std::string path = [] {
    char program[4096] = {};
    EXPECT_GT(readlink("/proc/self/exe", program, sizeof(program) - 1), 0);
    std::string path(program);
    return path.substr(0, path.rfind('/')) + "/libfakecuda.so";
  }();
  return path.c_str();
}

/// Owns a runtime, which is destroyed at the end of the test.
struct Runtime {
  explicit Runtime(const char *library) {
    status = attnrt_create(library, &handle);
  }
  ~Runtime() { attnrt_destroy(handle); }
  Runtime(const Runtime &) = delete;
  Runtime &operator=(const Runtime &) = delete;
  operator attnrt_runtime *() const { return handle; }
  const char *getError() const { return attnrt_last_error(handle); }

  attnrt_runtime *handle = nullptr;
  attnrt_status status;
};

/// The functions of a loaded fake driver by which a test controls it.
struct FakeDriver {
  explicit FakeDriver(const char *path) : library(dlopen(path, RTLD_NOW)) {
    EXPECT_NE(library, nullptr) << dlerror();
    find(reset, "fake_reset");
    find(setError, "fake_set_error");
    find(calls, "fake_calls");
    find(recorded, "fake_recorded");
    find(createContext, "fake_create_context");
    find(destroyContext, "fake_destroy_context");
    find(pushContext, "fake_push_context");
    find(setParamSizes, "fake_set_param_sizes");
    find(argument, "fake_argument");
    find(loadedModules, "fake_loaded_modules");
    find(beginCapture, "fake_begin_capture");
    find(invalidateCapture, "fake_invalidate_capture");
    find(endCapture, "fake_end_capture");
    find(destroyGraph, "fake_destroy_graph");
    reset();
  }
  ~FakeDriver() { dlclose(library); }
  FakeDriver(const FakeDriver &) = delete;
  FakeDriver &operator=(const FakeDriver &) = delete;

  template <class Function> void find(Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    EXPECT_NE(function, nullptr) << name;
  }

  void *library;
  void (*reset)();
  void (*setError)(const char *function, int error);
  unsigned (*calls)(const char *function);
  unsigned long long (*recorded)(const char *key);
  attnrt_context (*createContext)(int device);
  void (*destroyContext)(attnrt_context context);
  void (*pushContext)(attnrt_context context);
  void (*setParamSizes)(const size_t *sizes, size_t count);
  const void *(*argument)(unsigned index, const char **bytes);
  unsigned (*loadedModules)();
  struct CUgraph_st *(*beginCapture)(attnrt_stream stream);
  void (*invalidateCapture)(attnrt_stream stream);
  void (*endCapture)(attnrt_stream stream);
  void (*destroyGraph)(struct CUgraph_st *graph);
};

#endif // ATTN_TEST_UNIT_FAKEDRIVER_H
