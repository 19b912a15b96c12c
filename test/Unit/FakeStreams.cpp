//===- FakeStreams.cpp - A fake libcuda's streams and events --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDriverState.h"

using namespace attnrt;
using namespace fake;

FAKE_EXPORT CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  ENTER_IN_CONTEXT(cuStreamCreate);
  std::lock_guard<std::mutex> lock(mutex);
  recorded["stream.flags"] = flags;
  // If a stream has been destroyed, the new one gets its address.
  for (FakeStream &candidate : streams) {
    if (candidate.id)
      continue;
    candidate.id = ++lastStreamId;
    *stream = reinterpret_cast<CUstream>(&candidate);
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_OUT_OF_MEMORY;
}

FAKE_EXPORT CUresult cuStreamDestroy_v2(CUstream stream) {
  ENTER_IN_CONTEXT(cuStreamDestroy);
  FakeStream *found = findStream(stream);
  if (!found)
    return CUDA_ERROR_INVALID_HANDLE;
  found->id = 0;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuStreamGetId(CUstream stream, unsigned long long *id) {
  ENTER_IN_CONTEXT(cuStreamGetId);
  FakeStream *found = findStream(stream);
  if (found && found->capture != CU_STREAM_CAPTURE_STATUS_NONE)
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  // Streams that were not created, such as the default stream, have ids that
  // differ from those of created ones.
  *id = found ? found->id.load() : ~reinterpret_cast<uintptr_t>(stream);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuStreamGetCaptureInfo_v2(CUstream stream,
                                               CUstreamCaptureStatus *status,
                                               uint64_t *, CUgraph *graph,
                                               const CUgraphNode **, size_t *) {
  ENTER_IN_CONTEXT(cuStreamGetCaptureInfo);
  FakeStream *found = findStream(stream);
  *status = found ? found->capture.load() : CU_STREAM_CAPTURE_STATUS_NONE;
  if (graph && *status == CU_STREAM_CAPTURE_STATUS_ACTIVE)
    *graph = reinterpret_cast<CUgraph>(found->graph);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult
cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
  ENTER(cuThreadExchangeStreamCaptureMode);
  std::swap(*mode, captureMode);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuUserObjectCreate(CUuserObject *object, void *data,
                                        CUhostFn destroy, unsigned references,
                                        unsigned flags) {
  ENTER(cuUserObjectCreate);
  if (!references || flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
    return CUDA_ERROR_INVALID_VALUE;
  *object = reinterpret_cast<CUuserObject>(
      new FakeUserObject{data, destroy, references});
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  ENTER(cuUserObjectRelease);
  releaseObject(reinterpret_cast<FakeUserObject *>(object), count);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object,
                                             unsigned count, unsigned flags) {
  ENTER(cuGraphRetainUserObject);
  if (count != 1 || flags != CU_GRAPH_USER_OBJECT_MOVE)
    return CUDA_ERROR_INVALID_VALUE;
  reinterpret_cast<FakeGraph *>(graph)->objects.push_back(
      reinterpret_cast<FakeUserObject *>(object));
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuStreamSynchronize(CUstream) {
  ENTER_IN_CONTEXT(cuStreamSynchronize);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuEventCreate(CUevent *event, unsigned flags) {
  ENTER_IN_CONTEXT(cuEventCreate);
  std::lock_guard<std::mutex> lock(mutex);
  recorded["event.flags"] = flags;
  *event = reinterpret_cast<CUevent>(new FakeEvent);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuEventDestroy_v2(CUevent event) {
  ENTER_IN_CONTEXT(cuEventDestroy);
  delete reinterpret_cast<FakeEvent *>(event);
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuEventRecord(CUevent handle, CUstream) {
  ENTER_IN_CONTEXT(cuEventRecord);
  std::lock_guard<std::mutex> lock(mutex);
  auto &event = *reinterpret_cast<FakeEvent *>(handle);
  event.recorded = true;
  event.waitedFor = false;
  event.time = now += 1.5f;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuEventSynchronize(CUevent handle) {
  ENTER_IN_CONTEXT(cuEventSynchronize);
  reinterpret_cast<FakeEvent *>(handle)->waitedFor = true;
  return CUDA_SUCCESS;
}

/// Implements the two exported functions below. They do not call each other,
/// since a test may rename an exported function so that the linker does not
/// find it.
static CUresult getElapsed(float *milliseconds, CUevent startHandle,
                           CUevent endHandle) {
  ENTER_IN_CONTEXT(cuEventElapsedTime);
  auto &start = *reinterpret_cast<FakeEvent *>(startHandle);
  auto &end = *reinterpret_cast<FakeEvent *>(endHandle);
  if (!start.recorded || !end.recorded)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!end.waitedFor)
    return CUDA_ERROR_NOT_READY;
  *milliseconds = end.time - start.time;
  return CUDA_SUCCESS;
}

FAKE_EXPORT CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start,
                                           CUevent end) {
  return getElapsed(milliseconds, start, end);
}

/// The name under which a driver before CUDA 12.8 exports
/// cuEventElapsedTime_v2().
FAKE_EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent start,
                                        CUevent end) {
  return getElapsed(milliseconds, start, end);
}
