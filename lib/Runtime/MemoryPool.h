//===- MemoryPool.h - Memory that launches allocate -------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device memory for launches, in a pool that keeps its memory. The driver's
// default pool returns unused memory to the system whenever a stream is
// synchronised, and the next launch maps memory again, which takes 0.1 ms and
// more for a workspace of 128 MB.
//
// Each allocation and each free by the driver takes 0.2 us and more of the
// stream's time (on an H200), where the attention of one token takes 15 us. So
// blocks that launches of a stream have freed are kept, up to a limit, for
// later launches of the same stream, which run after these. A stream is
// identified by its id, which is never reused. Memory of captured launches
// comes from the driver, since it belongs to the graph.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_MEMORYPOOL_H
#define ATTN_LIB_RUNTIME_MEMORYPOOL_H

#include "CudaDriver.h"

#include <mutex>

namespace attnrt {

/// The device memory of one context from which its launches allocate.
class MemoryPool {
public:
  MemoryPool() = default;
  MemoryPool(const MemoryPool &) = delete;
  MemoryPool &operator=(const MemoryPool &) = delete;
  ~MemoryPool();

  /// Sets `memory` to at least `bytes` bytes of device memory for launches of
  /// the stream. They are a free block of the same stream with at most about
  /// twice as many bytes or, if there is none, new memory from the driver. The
  /// pool's context must be current.
  CUresult allocate(const CudaDriver &driver, uint64_t bytes, CUstream stream,
                    CUdeviceptr &memory);
  /// Frees memory that was allocated for the stream. Within the limit of free
  /// blocks, the block is kept for later launches of the stream. Otherwise the
  /// driver, which must have cuMemFreeAsync, frees it in the order of the
  /// stream. Fails if the block is free already.
  CUresult free(const CudaDriver &driver, CUdeviceptr memory, CUstream stream);
  /// Returns unused memory of the pool to the system, as far as the pool then
  /// still has at least `keep` bytes, used and unused together.
  CUresult trim(const CudaDriver &driver, uint64_t keep);
  /// Frees all memory of the pool. The pool's context must be current, and
  /// nothing may be allocated afterwards.
  void destroy(const CudaDriver &driver);

private:
  /// A block of memory that a launch of a stream uses, or that is free for
  /// later launches of that stream.
  struct Block {
    CUdeviceptr memory;
    uint64_t bytes;
    unsigned long long stream;
    bool isFree;
    Block *next;
  };

  /// Sets `result` to the driver's memory pool from which this object
  /// allocates, and which the first call creates. It is null if the driver
  /// supports only its default pool.
  CUresult get(const CudaDriver &driver, CUmemoryPool &result);
  CUresult allocateNew(const CudaDriver &driver, uint64_t bytes,
                       CUstream stream, CUdeviceptr &memory);
  /// Removes a block's record. The caller of forget(), makeRoom() and
  /// freeBlocks() must hold the mutex.
  void forget(Block *block);
  /// Makes room for a further free block of `bytes` bytes within the limit of
  /// free blocks: returns free blocks of the stream to the driver, until there
  /// is enough room or the stream has no more free blocks.
  CUresult makeRoom(const CudaDriver &driver, uint64_t bytes, CUstream stream,
                    unsigned long long id);
  /// Waits for all work in the CUDA context, and frees all free blocks of the
  /// pool.
  CUresult freeBlocks(const CudaDriver &driver);
  /// Locks the mutex and calls freeBlocks(). Returns true if there were free
  /// blocks and all of them were freed.
  bool freeSome(const CudaDriver &driver);

  std::mutex mutex;
  CUmemoryPool pool = nullptr;
  Block *blocks = nullptr;
  /// The size of all free blocks of the pool together, in bytes.
  uint64_t freeBytes = 0;
};

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_MEMORYPOOL_H
