//===- Stream.cpp - Streams and events ------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

using namespace attnrt;

attnrt_status attnrt_create_stream(attnrt_runtime *runtime,
                                   attnrt_stream *stream) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  // Copies go through the default stream, so that the new one waits for them
  // only if it is not of the non-blocking kind.
  return check(*runtime, runtime->driver.cuStreamCreate(stream, 0),
               "creating a stream");
}

attnrt_status attnrt_destroy_stream(attnrt_runtime *runtime,
                                    attnrt_stream stream) {
  attnrt_status status = requireDriver(runtime);
  if (status || !stream)
    return status;
  return check(*runtime, runtime->driver.cuStreamDestroy(stream),
               "destroying a stream");
}

attnrt_status attnrt_synchronize(attnrt_runtime *runtime,
                                 attnrt_stream stream) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  return check(*runtime, runtime->driver.cuStreamSynchronize(stream),
               "waiting for a stream");
}

attnrt_status attnrt_create_event(attnrt_runtime *runtime,
                                  attnrt_event *event) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  return check(*runtime, runtime->driver.cuEventCreate(event, 0),
               "creating an event");
}

attnrt_status attnrt_destroy_event(attnrt_runtime *runtime,
                                   attnrt_event event) {
  attnrt_status status = requireDriver(runtime);
  if (status || !event)
    return status;
  return check(*runtime, runtime->driver.cuEventDestroy(event),
               "destroying an event");
}

attnrt_status attnrt_record_event(attnrt_runtime *runtime, attnrt_event event,
                                  attnrt_stream stream) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  return check(*runtime, runtime->driver.cuEventRecord(event, stream),
               "recording an event");
}

attnrt_status attnrt_elapsed(attnrt_runtime *runtime, attnrt_event start,
                             attnrt_event end, float *milliseconds) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  CUresult result = runtime->driver.cuEventSynchronize(end);
  if (result == CUDA_SUCCESS)
    result = runtime->driver.cuEventElapsedTime(milliseconds, start, end);
  return check(*runtime, result, "measuring the time between two events");
}
