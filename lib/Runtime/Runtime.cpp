//===- Runtime.cpp - Creation and destruction of a runtime ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "CudaDriver.h"

#include <atomic>
#include <dlfcn.h>
#include <new>
#include <pthread.h>

using namespace attnrt;

static std::atomic<unsigned> process{0};

namespace {
struct ForkCounter {
  ForkCounter() {
    pthread_atfork(nullptr, nullptr, [] { ++process; });
  }
};
} // namespace

// The global object whose constructor registers the fork handler when the
// library is loaded. The initialisation of a function's static variable would
// take a lock, which another thread could hold at the time of a fork.
static ForkCounter forkCounter;

unsigned attnrt::getProcess() { return process; }

/// Opens the driver's library and initialises the driver. Sets `message` if
/// that fails.
static attnrt_status load(CudaDriver &driver, const char *name,
                          Message &message) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    // The message of dlerror() contains the library's name.
    const char *error = dlerror();
    message.append("loading the CUDA driver: %s", error ? error : name);
    return ATTNRT_NO_DRIVER;
  }
  if (const char *symbol = driver.load(library)) {
    message.append("loading the CUDA driver: %s has no function %s: it is too "
                   "old, or no CUDA driver",
                   name, symbol);
    dlclose(library);
    return ATTNRT_NO_DRIVER;
  }
  // After cuInit, the library must stay open, even if cuInit fails, since
  // threads of the driver run in it.
  CUresult result = driver.cuInit(0);
  if (result == CUDA_SUCCESS)
    return ATTNRT_SUCCESS;
  message.append("initializing the CUDA driver %s", name);
  appendError(message, driver, result);
  // The driver returns CUDA_ERROR_NOT_INITIALIZED in a process that was forked
  // after the driver was used.
  if (result == CUDA_ERROR_NOT_INITIALIZED)
    message.append(": %s", kForked);
  return getStatus(result);
}

attnrt_status attnrt_create(const char *library, attnrt_runtime **runtime) {
  if (!runtime)
    return ATTNRT_INVALID_ARGUMENT;
  *runtime = new (std::nothrow) attnrt_runtime;
  if (!*runtime)
    return ATTNRT_OUT_OF_MEMORY;
  attnrt_runtime &created = **runtime;
  created.process = getProcess();
  created.readiness = load(created.driver, library ? library : "libcuda.so.1",
                           created.unreadiness);
  if (created.readiness == ATTNRT_SUCCESS &&
      created.driver.cuDriverGetVersion(&created.driverVersion) != CUDA_SUCCESS)
    created.driverVersion = 0;
  return requireDriver(&created);
}

void attnrt_destroy(attnrt_runtime *runtime) {
  // A forked process must not release the resources of its parent.
  if (!runtime || runtime->process != getProcess())
    return;
  runtime->modules.unload(runtime->driver);
  delete runtime;
}

void attnrt_forget_programs(attnrt_runtime *runtime) {
  if (!runtime || runtime->process != getProcess())
    return;
  runtime->modules.unload(runtime->driver);
  runtime->modules.forgetAll();
}

const char *attnrt_last_error(attnrt_runtime *runtime) {
  return runtime ? runtime->errors.get() : "no runtime";
}

attnrt_status attnrt_fail(attnrt_runtime *runtime, attnrt_status status,
                          const char *message) {
  if (!runtime)
    return status;
  return fail(*runtime, status, "%s", message ? message : "");
}

//===----------------------------------------------------------------------===//
// The driver's functions
//===----------------------------------------------------------------------===//

/// Looks up a function in the driver's library by `symbol` or, if the
/// library does not have that and `older` is true, by `name`.
template <class Function>
static bool find(Function &function, void *library, const char *symbol,
                 const char *name, bool older) {
  void *address = dlsym(library, symbol);
  if (!address && older)
    address = dlsym(library, name);
  function = reinterpret_cast<Function>(address);
  return address != nullptr;
}

const char *CudaDriver::load(void *library) {
#define ATTNRT_FIND_OPTIONAL(name, parameters, suffix, older)                  \
  find(name, library, #name suffix, #name, older);
#define ATTNRT_FIND_REQUIRED(name, parameters, suffix, older)                  \
  if (!find(name, library, #name suffix, #name, older))                        \
    return #name suffix;
  ATTNRT_OPTIONAL_FUNCTIONS(ATTNRT_FIND_OPTIONAL)
  ATTNRT_REQUIRED_FUNCTIONS(ATTNRT_FIND_REQUIRED)
#undef ATTNRT_FIND_REQUIRED
#undef ATTNRT_FIND_OPTIONAL
  return nullptr;
}
