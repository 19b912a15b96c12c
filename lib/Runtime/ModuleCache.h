//===- ModuleCache.h - Programs loaded into contexts ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_MODULECACHE_H
#define ATTN_LIB_RUNTIME_MODULECACHE_H

#include "CudaDriver.h"
#include "MemoryPool.h"
#include "WorkCounters.h"

#include <mutex>

namespace attnrt {

/// The number of bytes of shared memory, dynamic and static, that a CTA may
/// have unless the function's limit is raised.
constexpr unsigned defaultSharedBytes = 48 * 1024;

struct Module;

/// A kernel of a program, as it is loaded in one CUDA context.
struct Function {
  ~Function();

  CUfunction handle = nullptr;
  char *name = nullptr;
  Module *module = nullptr;
  unsigned staticSharedBytes = 0;
  /// The kernel's present limit of dynamic shared memory of a CTA, in bytes.
  std::atomic<unsigned> maxSharedBytes{0};
  /// Whether the sizes of a launch's arguments were checked against the
  /// kernel's parameters.
  std::atomic<bool> argumentsChecked{false};
  Function *next = nullptr;
};

/// A CUDA module: the machine code of all kernels of one compiled program,
/// loaded in one CUDA context.
struct Module {
  const attnrt_program *program = nullptr;
  /// Held while the driver loads the module or changes its functions. Each
  /// module has a mutex, so that threads which use other programs or contexts
  /// need not wait for the driver's compiler.
  std::mutex mutex;
  CUmodule handle = nullptr;
  GrowingList<Function> functions;
  Module *next = nullptr;
};

/// The record of a CUDA context in which programs were loaded.
struct Context {
  ~Context();
  GrowingList<Module> &getBucket(const attnrt_program *program);

  CUcontext handle = nullptr;
  /// The context's id, which distinguishes it from an earlier one at the same
  /// address; 0 if the driver is too old to have ids.
  unsigned long long id = 0;
  /// Whether the CUDA context is known to be destroyed.
  std::atomic<bool> lost{false};
  /// The device of the context, or -1 until it is asked for, and the number of
  /// its SMs, or 0 until it is asked for.
  std::atomic<int> device{-1}, smCount{0};
  CounterPool *counters = nullptr;
  MemoryPool memory;
  GrowingList<Module> modules[64];
  Context *next = nullptr;
};

/// A cache of loaded programs. It loads each program when the program is first
/// used in a context.
class ModuleCache {
public:
  /// Sets `function` to the kernel, which is loaded in the calling thread's
  /// current context if it is not yet.
  attnrt_status get(attnrt_runtime &runtime, const attnrt_program &program,
                    const char *kernel, Function *&function);
  /// Sets `context` to the record of the calling thread's current context, and
  /// creates the record if there is none. Fails if no context is current.
  attnrt_status getContext(attnrt_runtime &runtime, Context *&context);
  /// Returns the record of the calling thread's current context, by a single
  /// call of the driver, which returns the context's id. Returns null if there
  /// is no record, or if the driver does not return ids.
  Context *findContext(const CudaDriver &driver);
  /// Unloads the modules of all CUDA contexts that still exist, and frees the
  /// device memory of their work counters (see WorkCounters.h) and memory
  /// pools.
  void unload(const CudaDriver &driver);
  /// Marks the record of a CUDA context that was destroyed as lost.
  void forget(CUcontext context);
  void forgetAll();

private:
  attnrt_status getModule(attnrt_runtime &runtime, Context &context,
                          const attnrt_program &program, Module *&module);

  /// Held while a context or a module is added to its list.
  std::mutex mutex;
  GrowingList<Context> contexts;
};

/// Raises the limit of a kernel's dynamic shared memory if it is below `bytes`
/// bytes. Fails if the device does not offer that much.
attnrt_status raiseSharedBytes(attnrt_runtime &runtime, Function &function,
                               unsigned bytes);

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_MODULECACHE_H
