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
// Each of the driver's allocations and frees costs its stream 0.2 us and more
// (H200), of 15 us for the attention of a token. So what launches of a stream
// have freed is kept for the next of them, which run later, up to a limit.
// A stream is known by its id, which no later one has. What is captured comes
// from the driver, as it belongs to the graph.
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
  MemoryPool() = default;
  MemoryPool(const MemoryPool &) = delete;
  MemoryPool &operator=(const MemoryPool &) = delete;
  ~MemoryPool();

  /// Sets `memory` to `bytes` of the current context, which this belongs to.
  CUresult allocate(const CudaDriver &driver, uint64_t bytes, CUstream stream,
                    CUdeviceptr &memory);
  /// Frees what was allocated for the stream. The driver has cuMemFreeAsync.
  CUresult free(const CudaDriver &driver, CUdeviceptr memory, CUstream stream);
  /// Gives the unused memory beyond `keep` bytes back to the system.
  CUresult trim(const CudaDriver &driver, uint64_t keep);
  /// The context is current; nobody allocates any more.
  void destroy(const CudaDriver &driver);

private:
  /// What a stream's launches use, or used and left for the next of them.
  struct Block {
    CUdeviceptr memory;
    uint64_t bytes;
    unsigned long long stream;
    bool isFree;
    Block *next;
  };

  /// Null if the driver has no pools but its default one.
  CUresult get(const CudaDriver &driver, CUmemoryPool &result);
  CUresult allocateNew(const CudaDriver &driver, uint64_t bytes,
                       CUstream stream, CUdeviceptr &memory);
  /// The mutex is held, as below.
  void forget(Block *block);
  /// Frees blocks of the stream that it does not use, so that `bytes` can be
  /// kept.
  CUresult makeRoom(const CudaDriver &driver, uint64_t bytes, CUstream stream,
                    unsigned long long id);
  /// Waits for all work of the context, and frees what nobody uses.
  CUresult freeBlocks(const CudaDriver &driver);
  /// The same, under the mutex. Whether there was some.
  bool freeSome(const CudaDriver &driver);

  std::mutex mutex;
  CUmemoryPool pool = nullptr;
  Block *blocks = nullptr;
  /// Of those that are free.
  uint64_t freeBytes = 0;
};

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_MEMORYPOOL_H
