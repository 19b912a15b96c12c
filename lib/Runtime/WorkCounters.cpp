//===- WorkCounters.cpp - Counters of dynamic tile schedulers -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WorkCounters.h"

#include "RelaxedCaptures.h"
#include "Runtime.h"

#include <new>

using namespace attnrt;

static constexpr unsigned pairBytes = 8, chunkBytes = 64 * 1024;

static attnrt_status failCounterMemory(attnrt_runtime &runtime) {
  return fail(runtime, ATTNRT_OUT_OF_MEMORY,
              "host memory is exhausted for the counters of a launch");
}

static void deleteList(Counters *counters) {
  while (counters) {
    Counters *next = counters->next;
    delete counters;
    counters = next;
  }
}

CounterPool *CounterPool::create() { return new (std::nothrow) CounterPool; }

void CounterPool::release() {
  if (references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete this;
}

CounterPool::~CounterPool() {
  deleteList(unused);
  deleteList(returned.load(std::memory_order_acquire));
}

GrowingList<Counters> &CounterPool::getBucket(unsigned long long stream) {
  return streams[stream % 64];
}

/// Fills `memory` with zeros on a new stream. The default stream would wait for
/// all other streams, and must not be used while one of them is captured.
static CUresult clear(const CudaDriver &driver, CUdeviceptr memory) {
  CUstream stream = nullptr;
  CUresult result = driver.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING);
  if (result != CUDA_SUCCESS)
    return result;
  result = driver.cuMemsetD32Async(memory, 0, chunkBytes / 4, stream);
  if (result == CUDA_SUCCESS)
    result = driver.cuStreamSynchronize(stream);
  driver.cuStreamDestroy(stream);
  return result;
}

attnrt_status CounterPool::addChunk(attnrt_runtime &runtime) {
  const CudaDriver &driver = runtime.driver;
  auto *chunk = new (std::nothrow) Chunk;
  if (!chunk)
    return failCounterMemory(runtime);
  RelaxedCaptures relaxed(driver);
  CUdeviceptr memory = 0;
  CUresult result = driver.cuMemAlloc(&memory, chunkBytes);
  if (result == CUDA_SUCCESS) {
    result = clear(driver, memory);
    if (result != CUDA_SUCCESS)
      driver.cuMemFree(memory);
  }
  if (result != CUDA_SUCCESS) {
    delete chunk;
    return check(runtime, result,
                 "allocating %u bytes of device memory for the counters "
                 "of launches",
                 chunkBytes);
  }
  chunk->memory = position = memory;
  end = position + chunkBytes;
  chunks.push(chunk);
  return ATTNRT_SUCCESS;
}

/// Sets `counters` to a pair of counters that no launch uses: a pair that a
/// graph has returned or, if there is none, a new one. The caller must hold the
/// mutex.
attnrt_status CounterPool::take(attnrt_runtime &runtime, Counters *&counters) {
  if (!unused)
    unused = returned.exchange(nullptr, std::memory_order_acquire);
  if (unused) {
    counters = unused;
    unused = counters->next;
    return ATTNRT_SUCCESS;
  }
  if (position == end)
    if (attnrt_status status = addChunk(runtime))
      return status;
  counters = new (std::nothrow) Counters;
  if (!counters)
    return failCounterMemory(runtime);
  counters->memory = position;
  counters->pool = this;
  position += pairBytes;
  return ATTNRT_SUCCESS;
}

attnrt_status CounterPool::getForStream(attnrt_runtime &runtime,
                                        unsigned long long stream,
                                        CUdeviceptr &memory) {
  GrowingList<Counters> &bucket = getBucket(stream);
  auto matches = [&](const Counters &known) { return known.stream == stream; };
  Counters *counters = bucket.find(matches);
  if (!counters) {
    std::lock_guard<std::mutex> lock(mutex);
    counters = bucket.find(matches);
    if (!counters) {
      if (attnrt_status status = take(runtime, counters))
        return status;
      counters->stream = stream;
      bucket.push(counters);
    }
  }
  memory = counters->memory;
  return ATTNRT_SUCCESS;
}

void CounterPool::giveBack(void *given) {
  auto *counters = static_cast<Counters *>(given);
  CounterPool *pool = counters->pool;
  counters->next = pool->returned.load(std::memory_order_relaxed);
  while (!pool->returned.compare_exchange_weak(counters->next, counters,
                                               std::memory_order_release,
                                               std::memory_order_relaxed)) {
  }
  pool->release();
}

attnrt_status CounterPool::getForGraph(attnrt_runtime &runtime, CUgraph graph,
                                       CUdeviceptr &memory) {
  const CudaDriver &driver = runtime.driver;
  Counters *counters = nullptr;
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (attnrt_status status = take(runtime, counters))
      return status;
  }
  // The address of the counters is copied now. Once the pair of counters
  // belongs to the graph, another thread may destroy the graph, which returns
  // the pair to the pool.
  CUdeviceptr taken = counters->memory;
  references.fetch_add(1, std::memory_order_relaxed);
  CUuserObject object = nullptr;
  CUresult result =
      driver.cuUserObjectCreate(&object, counters, giveBack, /*references=*/1,
                                CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
  if (result != CUDA_SUCCESS) {
    giveBack(counters);
  } else {
    result = driver.cuGraphRetainUserObject(graph, object, /*count=*/1,
                                            CU_GRAPH_USER_OBJECT_MOVE);
    if (result != CUDA_SUCCESS)
      driver.cuUserObjectRelease(object, 1);
  }
  if (attnrt_status status = check(
          runtime, result, "giving counters to the graph of a captured launch"))
    return status;
  memory = taken;
  return ATTNRT_SUCCESS;
}

void CounterPool::freeMemory(const CudaDriver &driver) {
  chunks.forEach([&](Chunk &chunk) { driver.cuMemFree(chunk.memory); });
}

//===----------------------------------------------------------------------===//
// Functions that compiled code calls
//===----------------------------------------------------------------------===//

/// Returns the name of a function of the driver that work counters need and the
/// driver lacks, or null if it has all of them.
static const char *findMissing(const CudaDriver &driver) {
  if (!driver.cuStreamGetId)
    return "cuStreamGetId";
  if (!driver.cuStreamGetCaptureInfo)
    return "cuStreamGetCaptureInfo_v2";
  if (!driver.cuThreadExchangeStreamCaptureMode)
    return "cuThreadExchangeStreamCaptureMode";
  if (!driver.cuUserObjectCreate || !driver.cuUserObjectRelease)
    return "cuUserObjectCreate";
  if (!driver.cuGraphRetainUserObject)
    return "cuGraphRetainUserObject";
  return nullptr;
}

attnrt_status attnrt_get_work_counters(attnrt_runtime *runtime,
                                       attnrt_stream stream,
                                       attnrt_device_ptr *counters) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  if (!counters)
    return fail(*runtime, ATTNRT_INVALID_ARGUMENT,
                "asking for a launch's counters: the result pointer is null");
  if (runtime->workspaces.counts()) {
    *counters = 0;
    return ATTNRT_SUCCESS;
  }
  const CudaDriver &driver = runtime->driver;
  if (const char *missing = findMissing(driver))
    return failMissing(*runtime, missing,
                       "launching with a dynamic tile scheduler");
  Context *context = nullptr;
  if (attnrt_status status = runtime->modules.getContext(*runtime, context))
    return status;

  CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
  CUgraph graph = nullptr;
  if (attnrt_status status =
          check(*runtime,
                driver.cuStreamGetCaptureInfo(stream, &capture, nullptr, &graph,
                                              nullptr, nullptr),
                "asking whether a stream is being captured"))
    return status;
  CUdeviceptr memory = 0;
  unsigned long long id = 0;
  attnrt_status status = ATTNRT_SUCCESS;
  switch (capture) {
  case CU_STREAM_CAPTURE_STATUS_NONE:
    status = check(*runtime, driver.cuStreamGetId(stream, &id),
                   "identifying a stream");
    if (status == ATTNRT_SUCCESS)
      status = context->counters->getForStream(*runtime, id, memory);
    break;
  case CU_STREAM_CAPTURE_STATUS_ACTIVE:
    status = context->counters->getForGraph(*runtime, graph, memory);
    break;
  case CU_STREAM_CAPTURE_STATUS_INVALIDATED:
    return fail(*runtime, ATTNRT_LAUNCH_FAILED,
                "launching on a stream whose capture an earlier error ended");
  }
  if (status == ATTNRT_SUCCESS)
    *counters = memory;
  return status;
}
