//===- Runtime.h - The state of an attnrt_runtime ---------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_RUNTIME_H
#define ATTN_LIB_RUNTIME_RUNTIME_H

#include "CudaDriver.h"
#include "Error.h"
#include "ModuleCache.h"
#include "TensorMaps.h"
#include "Workspace.h"

#include <mutex>

struct attnrt_runtime {
  attnrt::CudaDriver driver;
  attnrt::ErrorLog errors;
  attnrt::ModuleCache modules;
  attnrt::WorkspaceList workspaces;
  attnrt::TensorMaps maps;
  /// The driver's version as cuDriverGetVersion returns it; 0 if it is not
  /// known.
  int driverVersion = 0;
  /// Held by attnrt_close_device while it closes a device.
  std::mutex closing;
  /// The status and the message that each call returns if there is no driver.
  /// The message is kept with the runtime, and not for a thread, since it must
  /// reach all threads.
  attnrt_status readiness = ATTNRT_SUCCESS;
  attnrt::Message unreadiness;
  /// The result of getProcess() in the process that created the runtime.
  unsigned process;
};

namespace attnrt {

/// Returns the number of forks between the process that loaded this code and
/// the calling process.
unsigned getProcess();

inline constexpr char kForked[] =
    "expected a process of its own for CUDA, found one that was forked after "
    "CUDA was used (Python's multiprocessing has the start method 'spawn')";

/// Fails unless `runtime` is not null, its driver is loaded, and this process
/// created it. Each function of the interface calls this first.
inline attnrt_status requireDriver(attnrt_runtime *runtime) {
  if (!runtime)
    return ATTNRT_INVALID_ARGUMENT;
  if (runtime->readiness != ATTNRT_SUCCESS)
    return fail(*runtime, runtime->readiness, "%s", runtime->unreadiness.get());
  if (runtime->process != getProcess())
    return fail(*runtime, ATTNRT_DRIVER_ERROR, "%s", kForked);
  return ATTNRT_SUCCESS;
}

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_RUNTIME_H
