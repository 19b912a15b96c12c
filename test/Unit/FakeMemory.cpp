//===- FakeMemory.cpp - A fake libcuda's memory ---------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDriverState.h"

using namespace attnrt;
using namespace fake;

static CUresult allocate(CUdeviceptr *memory, size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!bytes)
    return CUDA_ERROR_INVALID_VALUE;
  if (bytes > freeMemory)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *memory = reinterpret_cast<uintptr_t>(std::malloc(bytes));
  allocations[*memory] = bytes;
  freeMemory -= bytes;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *memory, size_t bytes) {
  ENTER_IN_CONTEXT(cuMemAlloc);
  if (CUresult error = requireNoCapture())
    return error;
  return allocate(memory, bytes);
}

FAKE_EXPORT CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  ENTER_IN_CONTEXT(cuMemGetInfo);
  std::lock_guard<std::mutex> lock(mutex);
  *free = freeMemory;
  *total = totalMemory;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemFree_v2(CUdeviceptr memory) {
  ENTER_IN_CONTEXT(cuMemFree);
  std::lock_guard<std::mutex> lock(mutex);
  auto allocation = allocations.find(memory);
  if (allocation == allocations.end())
    return CUDA_ERROR_INVALID_VALUE;
  freeMemory += allocation->second;
  allocations.erase(allocation);
  std::free(reinterpret_cast<void *>(memory));
  return CUDA_SUCCESS;
}

/// The allocated memory holds NaN. The call need not wait for earlier work of
/// the stream, since the fake driver's kernels do nothing.
FAKE_EXPORT CUresult cuMemAllocAsync(CUdeviceptr *memory, size_t bytes,
                                     CUstream stream) {
  ENTER_IN_CONTEXT(cuMemAllocAsync);
  if (CUresult error = allocate(memory, bytes))
    return error;
  std::memset(reinterpret_cast<void *>(*memory), 0xff, bytes);
  std::lock_guard<std::mutex> lock(mutex);
  recorded["stream"] = reinterpret_cast<uintptr_t>(stream);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemPoolCreate(CUmemoryPool *pool,
                                     const CUmemPoolProps *properties) {
  ENTER_IN_CONTEXT(cuMemPoolCreate);
  if (CUresult error = requireNoCapture())
    return error;
  if (properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
      properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard<std::mutex> lock(mutex);
  recorded["pool.device"] = properties->location.id;
  *pool = reinterpret_cast<CUmemoryPool>(++livePools);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemPoolDestroy(CUmemoryPool) {
  ENTER_IN_CONTEXT(cuMemPoolDestroy);
  std::lock_guard<std::mutex> lock(mutex);
  --livePools;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemPoolSetAttribute(CUmemoryPool,
                                           CUmemPool_attribute attribute,
                                           void *value) {
  ENTER_IN_CONTEXT(cuMemPoolSetAttribute);
  if (attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard<std::mutex> lock(mutex);
  recorded["pool.threshold"] = *static_cast<uint64_t *>(value);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemPoolTrimTo(CUmemoryPool, size_t keep) {
  ENTER_IN_CONTEXT(cuMemPoolTrimTo);
  std::lock_guard<std::mutex> lock(mutex);
  recorded["pool.keep"] = keep;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemAllocFromPoolAsync(CUdeviceptr *memory, size_t bytes,
                                             CUmemoryPool pool,
                                             CUstream stream) {
  ENTER_IN_CONTEXT(cuMemAllocFromPoolAsync);
  return pool ? cuMemAllocAsync(memory, bytes, stream)
              : CUDA_ERROR_INVALID_VALUE;
}

FAKE_EXPORT CUresult cuMemFreeAsync(CUdeviceptr memory, CUstream stream) {
  ENTER_IN_CONTEXT(cuMemFreeAsync);
  if (CUresult error = cuMemFree_v2(memory))
    return error;
  std::lock_guard<std::mutex> lock(mutex);
  recorded["stream"] = reinterpret_cast<uintptr_t>(stream);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from,
                                     size_t bytes) {
  ENTER_IN_CONTEXT(cuMemcpyHtoD);
  std::memcpy(reinterpret_cast<void *>(to), from, bytes);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  ENTER_IN_CONTEXT(cuMemcpyDtoH);
  std::memcpy(to, reinterpret_cast<void *>(from), bytes);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from,
                                          size_t bytes, CUstream stream) {
  ENTER_IN_CONTEXT(cuMemcpyDtoDAsync);
  std::memcpy(reinterpret_cast<void *>(to), reinterpret_cast<void *>(from),
              bytes);
  std::lock_guard<std::mutex> lock(mutex);
  recorded["stream"] = reinterpret_cast<uintptr_t>(stream);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuMemsetD32Async(CUdeviceptr memory, unsigned value,
                                      size_t count, CUstream stream) {
  ENTER_IN_CONTEXT(cuMemsetD32Async);
  for (size_t i = 0; i < count; ++i)
    reinterpret_cast<unsigned *>(memory)[i] = value;
  std::lock_guard<std::mutex> lock(mutex);
  recorded["stream"] = reinterpret_cast<uintptr_t>(stream);
  return CUDA_SUCCESS;
}
