//===- MemoryPool.h - Memory in the order of streams ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver's default pool gives what is unused back to the system whenever a
// stream is waited for, so that the next launch maps it again: 0.1 ms and more
// for a workspace of 128 MB. A pool of our own keeps it.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_MEMORYPOOL_H
#define ATTN_LIB_RUNTIME_MEMORYPOOL_H

#include "CudaDriver.h"

#include <mutex>

namespace attnrt {

/// The pool of one context.
class MemoryPool {
public:
  /// Sets `memory` to `bytes` of the current context, which this belongs to.
  CUresult allocate(const CudaDriver &driver, uint64_t bytes, CUstream stream,
                    CUdeviceptr &memory);
  /// Gives the unused memory beyond `keep` bytes back to the system.
  CUresult trim(const CudaDriver &driver, uint64_t keep);
  /// The context is current; nobody allocates any more.
  void destroy(const CudaDriver &driver);

private:
  /// Null if the driver has no pools but its default one.
  CUresult get(const CudaDriver &driver, CUmemoryPool &result);

  std::mutex mutex;
  CUmemoryPool pool = nullptr;
};

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_MEMORYPOOL_H
