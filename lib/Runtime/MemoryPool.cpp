//===- MemoryPool.cpp - Memory in the order of streams --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemoryPool.h"

#include <cstdint>

using namespace attnrt;

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

CUresult MemoryPool::allocate(const CudaDriver &driver, uint64_t bytes,
                              CUstream stream, CUdeviceptr &memory) {
  CUmemoryPool from = nullptr;
  CUresult error = get(driver, from);
  if (error != CUDA_SUCCESS)
    return error;
  return from ? driver.cuMemAllocFromPoolAsync(&memory, bytes, from, stream)
              : driver.cuMemAllocAsync(&memory, bytes, stream);
}

CUresult MemoryPool::trim(const CudaDriver &driver, uint64_t keep) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!pool || !driver.cuMemPoolTrimTo)
    return CUDA_SUCCESS;
  return driver.cuMemPoolTrimTo(pool, keep);
}

void MemoryPool::destroy(const CudaDriver &driver) {
  std::lock_guard<std::mutex> lock(mutex);
  if (pool)
    driver.cuMemPoolDestroy(pool);
  pool = nullptr;
}
