//===- Runtime.h - The CUDA driver of one program ---------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CAPI_RUNTIME_H
#define ATTN_LIB_CAPI_RUNTIME_H

#include "attn-c/attn.h"

#include "attn/Runtime/attnrt.h"

#include <atomic>

namespace mlir::attn {

/// A runtime that loads the CUDA driver when it is first needed. Each program
/// has a runtime of its own, so that its modules are unloaded when the program
/// is destroyed.
class LazyRuntime {
public:
  LazyRuntime() = default;
  LazyRuntime(const LazyRuntime &) = delete;
  LazyRuntime &operator=(const LazyRuntime &) = delete;
  ~LazyRuntime() { attnrt_destroy(runtime); }

  /// Returns the runtime, which the first call creates; null only if memory is
  /// exhausted. The runtime's functions fail if there is no driver. No lock is
  /// used, since it could be held for ever in a forked process. If several
  /// threads make the first call at the same time, each creates a runtime, and
  /// all but one of these are destroyed.
  attnrt_runtime *get() {
    if (attnrt_runtime *known = runtime)
      return known;
    attnrt_runtime *created = nullptr, *expected = nullptr;
    attnrt_create(nullptr, &created);
    if (runtime.compare_exchange_strong(expected, created))
      return created;
    attnrt_destroy(created);
    return expected;
  }

private:
  std::atomic<attnrt_runtime *> runtime = nullptr;
};

static_assert(int(ATTN_NO_DRIVER) == ATTNRT_NO_DRIVER &&
              int(ATTN_NO_DEVICE) == ATTNRT_NO_DEVICE &&
              int(ATTN_BAD_PROGRAM) == ATTNRT_BAD_PROGRAM &&
              int(ATTN_OUT_OF_MEMORY) == ATTNRT_OUT_OF_MEMORY &&
              int(ATTN_INVALID_ARGUMENT) == ATTNRT_INVALID_ARGUMENT &&
              int(ATTN_LAUNCH_FAILED) == ATTNRT_LAUNCH_FAILED &&
              int(ATTN_DRIVER_ERROR) == ATTNRT_DRIVER_ERROR);

/// Converts a status of the runtime to the status of the C interface with the
/// same number.
inline attn_status getStatus(attnrt_status status) {
  return static_cast<attn_status>(status);
}

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_RUNTIME_H
