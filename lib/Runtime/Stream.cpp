//===- Stream.cpp - Streams and events ------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

using namespace attnrt;

/// Fails with what was being done unless the driver's `result` is success.
static attnrt_status check(attnrt_runtime &runtime, CUresult result,
                           const char *doing) {
  return result == CUDA_SUCCESS ? ATTNRT_SUCCESS
                                : failDriver(runtime, result, "%s", doing);
}

attnrt_status attnrt_create_stream(attnrt_runtime *runtime,
                                   attnrt_stream *stream) {
  attnrt_status status = requireDriver(runtime);
  if (status != ATTNRT_SUCCESS)
    return status;
  // Copies go through the default stream, so that the new one waits for them
  // only if it is not of the non-blocking kind.
  return check(*runtime, runtime->driver.cuStreamCreate(stream, 0),
               "creating a stream");
}

attnrt_status attnrt_destroy_stream(attnrt_runtime *runtime,
                                    attnrt_stream stream) {
  attnrt_status status = requireDriver(runtime);
  if (status != ATTNRT_SUCCESS || !stream)
    return status;
  return check(*runtime, runtime->driver.cuStreamDestroy(stream),
               "destroying a stream");
}

attnrt_status attnrt_synchronize(attnrt_runtime *runtime,
                                 attnrt_stream stream) {
  attnrt_status status = requireDriver(runtime);
  if (status != ATTNRT_SUCCESS)
    return status;
  return check(*runtime, runtime->driver.cuStreamSynchronize(stream),
               "waiting for a stream");
}

attnrt_status attnrt_create_event(attnrt_runtime *runtime,
                                  attnrt_event *event) {
  attnrt_status status = requireDriver(runtime);
  if (status != ATTNRT_SUCCESS)
    return status;
  return check(*runtime, runtime->driver.cuEventCreate(event, 0),
               "creating an event");
}

attnrt_status attnrt_destroy_event(attnrt_runtime *runtime,
                                   attnrt_event event) {
  attnrt_status status = requireDriver(runtime);
  if (status != ATTNRT_SUCCESS || !event)
    return status;
  return check(*runtime, runtime->driver.cuEventDestroy(event),
               "destroying an event");
}

attnrt_status attnrt_record_event(attnrt_runtime *runtime, attnrt_event event,
                                  attnrt_stream stream) {
  attnrt_status status = requireDriver(runtime);
  if (status != ATTNRT_SUCCESS)
    return status;
  return check(*runtime, runtime->driver.cuEventRecord(event, stream),
               "recording an event");
}

attnrt_status attnrt_elapsed(attnrt_runtime *runtime, attnrt_event start,
                             attnrt_event end, float *milliseconds) {
  attnrt_status status = requireDriver(runtime);
  if (status != ATTNRT_SUCCESS)
    return status;
  CUresult result = runtime->driver.cuEventSynchronize(end);
  if (result == CUDA_SUCCESS)
    result = runtime->driver.cuEventElapsedTime(milliseconds, start, end);
  return check(*runtime, result, "measuring the time between two events");
}
