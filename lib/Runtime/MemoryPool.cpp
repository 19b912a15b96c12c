//===- MemoryPool.cpp - Memory that launches allocate ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryPool.h"
#include "RelaxedCaptures.h"

#include <cstdint>
#include <new>

using namespace attnrt;

/// The largest total size in bytes of free blocks that are kept, for all
/// streams together.
static constexpr uint64_t kMostFreeBytes = 64 << 20;

/// Whether the driver can tell that the stream is not being captured, so that
/// its launches run in the order of calls. If so, sets `id` to the stream's id.
static bool isOrdered(const CudaDriver &driver, CUstream stream,
                      unsigned long long &id) {
  if (!driver.cuStreamGetId || !driver.cuStreamGetCaptureInfo)
    return false;
  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  return driver.cuStreamGetCaptureInfo(stream, &capture, nullptr, nullptr,
                                       nullptr, nullptr) == CUDA_SUCCESS &&
         capture == CU_STREAM_CAPTURE_STATUS_NONE &&
         driver.cuStreamGetId(stream, &id) == CUDA_SUCCESS;
}

MemoryPool::~MemoryPool() {
  while (Block *block = blocks) {
    blocks = block->next;
    delete block;
  }
}

CUresult MemoryPool::get(const CudaDriver &driver, CUmemoryPool &result) {
  result = nullptr;
  if (!driver.cuMemPoolCreate || !driver.cuMemPoolDestroy ||
      !driver.cuMemPoolSetAttribute || !driver.cuMemAllocFromPoolAsync)
    return CUDA_SUCCESS;
  std::lock_guard<std::mutex> lock(mutex);
  if (!pool) {
    CUdevice device = 0;
    CUresult error = driver.cuCtxGetDevice(&device);
    if (error != CUDA_SUCCESS)
      return error;
    RelaxedCaptures relaxed(driver);
    CUmemPoolProps properties = {};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, device};
    CUmemoryPool created = nullptr;
    error = driver.cuMemPoolCreate(&created, &properties);
    if (error != CUDA_SUCCESS)
      return error;
    uint64_t kept = UINT64_MAX;
    error = driver.cuMemPoolSetAttribute(
        created, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &kept);
    if (error != CUDA_SUCCESS) {
      driver.cuMemPoolDestroy(created);
      return error;
    }
    pool = created;
  }
  result = pool;
  return CUDA_SUCCESS;
}

CUresult MemoryPool::allocateNew(const CudaDriver &driver, uint64_t bytes,
                                 CUstream stream, CUdeviceptr &memory) {
  CUmemoryPool from = nullptr;
  CUresult error = get(driver, from);
  if (error != CUDA_SUCCESS)
    return error;
  return from ? driver.cuMemAllocFromPoolAsync(&memory, bytes, from, stream)
              : driver.cuMemAllocAsync(&memory, bytes, stream);
}

CUresult MemoryPool::allocate(const CudaDriver &driver, uint64_t bytes,
                              CUstream stream, CUdeviceptr &memory) {
  unsigned long long id = 0;
  if (bytes > kMostFreeBytes || !isOrdered(driver, stream, id))
    return allocateNew(driver, bytes, stream, memory);
  {
    std::lock_guard<std::mutex> lock(mutex);
    for (Block *block = blocks; block; block = block->next)
      if (block->isFree && block->stream == id && block->bytes >= bytes &&
          block->bytes / 2 <= bytes) {
        block->isFree = false;
        freeBytes -= block->bytes;
        memory = block->memory;
        return CUDA_SUCCESS;
      }
  }
  CUresult error = allocateNew(driver, bytes, stream, memory);
  if (error == CUDA_ERROR_OUT_OF_MEMORY && freeSome(driver))
    error = allocateNew(driver, bytes, stream, memory);
  if (error != CUDA_SUCCESS)
    return error;
  // The block is recorded, so that it can be reused when it is free. If there
  // is no host memory for the record, the memory is returned without one.
  if (auto *block = new (std::nothrow)
          Block{memory, bytes, id, /*isFree=*/false, nullptr}) {
    std::lock_guard<std::mutex> lock(mutex);
    block->next = blocks;
    blocks = block;
  }
  return CUDA_SUCCESS;
}

void MemoryPool::forget(Block *block) {
  Block **link = &blocks;
  while (*link != block)
    link = &(*link)->next;
  *link = block->next;
  if (block->isFree)
    freeBytes -= block->bytes;
  delete block;
}

CUresult MemoryPool::makeRoom(const CudaDriver &driver, uint64_t bytes,
                              CUstream stream, unsigned long long id) {
  for (Block *block = blocks, *next;
       block && freeBytes + bytes > kMostFreeBytes; block = next) {
    next = block->next;
    if (!block->isFree || block->stream != id)
      continue;
    CUresult error = driver.cuMemFreeAsync(block->memory, stream);
    if (error != CUDA_SUCCESS)
      return error;
    forget(block);
  }
  return CUDA_SUCCESS;
}

CUresult MemoryPool::free(const CudaDriver &driver, CUdeviceptr memory,
                          CUstream stream) {
  unsigned long long id = 0;
  bool isKept = isOrdered(driver, stream, id);
  {
    std::lock_guard<std::mutex> lock(mutex);
    Block *block = blocks;
    while (block && block->memory != memory)
      block = block->next;
    if (block && block->isFree)
      return CUDA_ERROR_INVALID_VALUE;
    if (block && isKept && block->stream == id) {
      CUresult error = makeRoom(driver, block->bytes, stream, id);
      if (error != CUDA_SUCCESS)
        return error;
      if (freeBytes + block->bytes <= kMostFreeBytes) {
        block->isFree = true;
        freeBytes += block->bytes;
        return CUDA_SUCCESS;
      }
    }
    if (block)
      forget(block);
  }
  return driver.cuMemFreeAsync(memory, stream);
}

bool MemoryPool::freeSome(const CudaDriver &driver) {
  std::lock_guard<std::mutex> lock(mutex);
  return freeBytes && freeBlocks(driver) == CUDA_SUCCESS;
}

CUresult MemoryPool::freeBlocks(const CudaDriver &driver) {
  if (!freeBytes)
    return CUDA_SUCCESS;
  // Waits for the whole context, since kernels that use free blocks may still
  // be running, and the streams of these kernels may have been destroyed.
  CUresult result = driver.cuCtxSynchronize();
  if (result != CUDA_SUCCESS)
    return result;
  for (Block *block = blocks, *next; block; block = next) {
    next = block->next;
    if (!block->isFree)
      continue;
    CUresult error = driver.cuMemFree(block->memory);
    if (result == CUDA_SUCCESS)
      result = error;
    forget(block);
  }
  return result;
}

CUresult MemoryPool::trim(const CudaDriver &driver, uint64_t keep) {
  std::lock_guard<std::mutex> lock(mutex);
  CUresult error = keep < freeBytes ? freeBlocks(driver) : CUDA_SUCCESS;
  if (error != CUDA_SUCCESS || !pool || !driver.cuMemPoolTrimTo)
    return error;
  return driver.cuMemPoolTrimTo(pool, keep);
}

void MemoryPool::destroy(const CudaDriver &driver) {
  std::lock_guard<std::mutex> lock(mutex);
  freeBlocks(driver);
  if (pool)
    driver.cuMemPoolDestroy(pool);
  pool = nullptr;
}
