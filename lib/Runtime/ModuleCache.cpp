//===- ModuleCache.cpp - Programs loaded into contexts --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleCache.h"

#include "Program.h"
#include "RelaxedCaptures.h"
#include "Runtime.h"

#include <cstdlib>
#include <cstring>
#include <new>

using namespace attnrt;

Function::~Function() { std::free(name); }

Context::~Context() {
  if (counters)
    counters->release();
}

GrowingList<Module> &Context::getBucket(const attnrt_program *program) {
  // Programs are constants of 32 bytes, which may be adjacent. So the hash, one
  // of 64 lists, is the program's address divided by 32, modulo 64.
  return modules[reinterpret_cast<uintptr_t>(program) / 32 % 64];
}

static Function *findFunction(const Module &module, const char *kernel) {
  return module.functions.find([&](const Function &function) {
    return std::strcmp(function.name, kernel) == 0;
  });
}

static attnrt_status failCacheMemory(attnrt_runtime &runtime) {
  return fail(runtime, ATTNRT_OUT_OF_MEMORY,
              "host memory is exhausted in the cache of programs");
}

Context *ModuleCache::findContext(const CudaDriver &driver) {
  // The context's record is found by its id, which no other context of the
  // process ever has. If its first argument is null, cuCtxGetId returns the id
  // of the current context.
  unsigned long long id = 0;
  if (!driver.cuCtxGetId || driver.cuCtxGetId(nullptr, &id) != CUDA_SUCCESS)
    return nullptr;
  return contexts.find(
      [&](const Context &known) { return known.id == id && !known.lost; });
}

attnrt_status ModuleCache::getContext(attnrt_runtime &runtime,
                                      Context *&context) {
  const CudaDriver &driver = runtime.driver;
  context = findContext(driver);
  if (context)
    return ATTNRT_SUCCESS;
  CUcontext handle = nullptr;
  unsigned long long id = 0;
  if (attnrt_status status = check(runtime, driver.cuCtxGetCurrent(&handle),
                                   "getting the current CUDA context"))
    return status;
  if (!handle)
    return fail(runtime, ATTNRT_NO_DEVICE,
                "no CUDA context is current on the calling thread");
  if (driver.cuCtxGetId)
    if (attnrt_status status = check(runtime, driver.cuCtxGetId(handle, &id),
                                     "identifying the current CUDA context"))
      return status;

  auto matches = [&](const Context &known) {
    return known.handle == handle && known.id == id && !known.lost;
  };
  context = contexts.find(matches);
  if (context)
    return ATTNRT_SUCCESS;
  std::lock_guard<std::mutex> lock(mutex);
  context = contexts.find(matches);
  if (context)
    return ATTNRT_SUCCESS;
  context = new (std::nothrow) Context;
  if (!context)
    return failCacheMemory(runtime);
  context->counters = CounterPool::create();
  if (!context->counters) {
    delete context;
    return failCacheMemory(runtime);
  }
  context->handle = handle;
  context->id = id;
  contexts.push(context);
  return ATTNRT_SUCCESS;
}

attnrt_status ModuleCache::getModule(attnrt_runtime &runtime, Context &context,
                                     const attnrt_program &program,
                                     Module *&module) {
  GrowingList<Module> &bucket = context.getBucket(&program);
  auto matches = [&](const Module &known) { return known.program == &program; };
  module = bucket.find(matches);
  if (module)
    return ATTNRT_SUCCESS;
  std::lock_guard<std::mutex> lock(mutex);
  module = bucket.find(matches);
  if (module)
    return ATTNRT_SUCCESS;
  module = new (std::nothrow) Module;
  if (!module)
    return failCacheMemory(runtime);
  module->program = &program;
  bucket.push(module);
  return ATTNRT_SUCCESS;
}

/// Loads the module if it is not loaded yet, and looks up the kernel in it. The
/// caller holds the module's mutex.
static attnrt_status load(attnrt_runtime &runtime, Module &module,
                          const char *kernel, Function *&function) {
  const CudaDriver &driver = runtime.driver;
  const attnrt_program &program = *module.program;
  if (!module.handle) {
    attnrt_status status = loadProgram(runtime, program, module.handle);
    if (status != ATTNRT_SUCCESS)
      return status;
  }
  CUfunction handle = nullptr;
  int staticSharedBytes = 0;
  CUresult result = driver.cuModuleGetFunction(&handle, module.handle, kernel);
  if (result == CUDA_SUCCESS)
    result = driver.cuFuncGetAttribute(
        &staticSharedBytes, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, handle);
  if (attnrt_status status =
          check(runtime, result, "getting kernel '%s' of program '%s'", kernel,
                getName(program)))
    return status;

  function = new (std::nothrow) Function;
  if (!function)
    return failCacheMemory(runtime);
  function->handle = handle;
  function->module = &module;
  function->name = strdup(kernel);
  if (!function->name) {
    delete function;
    return failCacheMemory(runtime);
  }
  function->staticSharedBytes = staticSharedBytes;
  if (function->staticSharedBytes < defaultSharedBytes)
    function->maxSharedBytes = defaultSharedBytes - function->staticSharedBytes;
  module.functions.push(function);
  return ATTNRT_SUCCESS;
}

attnrt_status ModuleCache::get(attnrt_runtime &runtime,
                               const attnrt_program &program,
                               const char *kernel, Function *&function) {
  Context *context = nullptr;
  Module *module = nullptr;
  if (attnrt_status status = getContext(runtime, context))
    return status;
  if (attnrt_status status = getModule(runtime, *context, program, module))
    return status;
  function = findFunction(*module, kernel);
  if (function)
    return ATTNRT_SUCCESS;
  std::lock_guard<std::mutex> lock(module->mutex);
  function = findFunction(*module, kernel);
  return function ? ATTNRT_SUCCESS : load(runtime, *module, kernel, function);
}

void ModuleCache::unload(const CudaDriver &driver) {
  RelaxedCaptures relaxed(driver);
  contexts.forEach([&](Context &context) {
    if (context.lost)
      return;
    unsigned long long id = 0;
    if (driver.cuCtxGetId &&
        (driver.cuCtxGetId(context.handle, &id) != CUDA_SUCCESS ||
         id != context.id))
      return;
    if (driver.cuCtxPushCurrent(context.handle) != CUDA_SUCCESS)
      return;
    for (GrowingList<Module> &bucket : context.modules)
      bucket.forEach([&](Module &module) {
        if (module.handle)
          driver.cuModuleUnload(module.handle);
      });
    context.counters->freeMemory(driver);
    context.memory.destroy(driver);
    CUcontext popped;
    driver.cuCtxPopCurrent(&popped);
  });
}

void ModuleCache::forget(CUcontext handle) {
  contexts.forEach([&](Context &context) {
    if (context.handle == handle)
      context.lost = true;
  });
}

void ModuleCache::forgetAll() {
  contexts.forEach([](Context &context) { context.lost = true; });
}

attnrt_status attnrt::raiseSharedBytes(attnrt_runtime &runtime,
                                       Function &function, unsigned bytes) {
  if (bytes <= function.maxSharedBytes)
    return ATTNRT_SUCCESS;
  const CudaDriver &driver = runtime.driver;
  const char *program = getName(*function.module->program);
  std::lock_guard<std::mutex> lock(function.module->mutex);
  CUdevice device = 0;
  int offered = 0;
  CUresult result = driver.cuCtxGetDevice(&device);
  if (result == CUDA_SUCCESS)
    result = driver.cuDeviceGetAttribute(
        &offered, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
        device);
  if (attnrt_status status =
          check(runtime, result, "asking for the device's shared memory"))
    return status;
  if (uint64_t(bytes) + function.staticSharedBytes > uint64_t(offered))
    return fail(runtime, ATTNRT_INVALID_ARGUMENT,
                "kernel '%s' of program '%s' asks for %u bytes of dynamic and "
                "%u of static shared memory, but the device offers %d",
                function.name, program, bytes, function.staticSharedBytes,
                offered);
  // Another thread may have raised the kernel's limit of dynamic shared memory
  // before this one got the lock.
  if (bytes <= function.maxSharedBytes)
    return ATTNRT_SUCCESS;
  if (!driver.cuFuncSetAttribute)
    return failMissing(runtime, "cuFuncSetAttribute",
                       "launching with more than 48 KiB of shared memory");
  // The limit is raised to all that the device offers, so that no later launch
  // must raise it again. Occupancy does not depend on the limit, only on the
  // bytes that a launch requests.
  int limit = offered - int(function.staticSharedBytes);
  if (attnrt_status status =
          check(runtime,
                driver.cuFuncSetAttribute(
                    function.handle,
                    CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, limit),
                "raising the shared memory of kernel '%s' of program '%s' to "
                "%d bytes",
                function.name, program, limit))
    return status;
  function.maxSharedBytes = limit;
  return ATTNRT_SUCCESS;
}
