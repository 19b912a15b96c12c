//===- Memory.cpp - Device memory -----------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocates, frees and copies device memory. Memory of 0 bytes is a null
// pointer, and calls on it do nothing: problems may be empty, and some of the
// driver's functions reject sizes of zero.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"

using namespace attnrt;

/// Reports a failed allocation of device memory and, if that memory was
/// exhausted, how much of it is free.
static attnrt_status failAllocation(attnrt_runtime &runtime, CUresult error,
                                    uint64_t bytes) {
  Message message;
  message.append("allocating %llu bytes of device memory",
                 static_cast<unsigned long long>(bytes));
  size_t free = 0, total = 0;
  auto getInfo = runtime.driver.cuMemGetInfo;
  if (error == CUDA_ERROR_OUT_OF_MEMORY && getInfo &&
      getInfo(&free, &total) == CUDA_SUCCESS)
    message.append(", of which %zu of %zu are free", free, total);
  appendError(message, runtime.driver, error);
  runtime.errors.set(message);
  return getStatus(error);
}

attnrt_status attnrt_allocate(attnrt_runtime *runtime, uint64_t bytes,
                              attnrt_device_ptr *memory) {
  *memory = 0;
  attnrt_status status = requireDriver(runtime);
  if (status || !bytes)
    return status;
  CUdeviceptr allocated = 0;
  CUresult result = runtime->driver.cuMemAlloc(&allocated, bytes);
  if (result != CUDA_SUCCESS)
    return failAllocation(*runtime, result, bytes);
  *memory = allocated;
  return ATTNRT_SUCCESS;
}

attnrt_status attnrt_free(attnrt_runtime *runtime, attnrt_device_ptr memory) {
  attnrt_status status = requireDriver(runtime);
  if (status || !memory)
    return status;
  return check(*runtime, runtime->driver.cuMemFree(memory),
               "freeing the device memory at %#llx",
               static_cast<unsigned long long>(memory));
}

attnrt_status attnrt_allocate_async(attnrt_runtime *runtime,
                                    attnrt_stream stream, uint64_t bytes,
                                    attnrt_device_ptr *memory) {
  *memory = 0;
  attnrt_status status = requireDriver(runtime);
  if (status || !bytes)
    return status;
  if (Workspace *workspace = runtime->workspaces.find()) {
    if (workspace->allocate(bytes, *memory))
      return ATTNRT_SUCCESS;
    return fail(*runtime, ATTNRT_OUT_OF_MEMORY,
                "workspace: expected at least %llu bytes, found %llu",
                static_cast<unsigned long long>(workspace->getNeeded()),
                static_cast<unsigned long long>(workspace->getBytes()));
  }
  if (!runtime->driver.cuMemAllocAsync || !runtime->driver.cuMemFreeAsync)
    return failMissing(*runtime, "cuMemAllocAsync",
                       "allocating memory in the order of a stream");
  Context *context = nullptr;
  if (attnrt_status status = runtime->modules.getContext(*runtime, context))
    return status;
  CUdeviceptr allocated = 0;
  if (attnrt_status status = check(
          *runtime,
          context->memory.allocate(runtime->driver, bytes, stream, allocated),
          "allocating %llu bytes of device memory for a stream",
          static_cast<unsigned long long>(bytes)))
    return status;
  *memory = allocated;
  return ATTNRT_SUCCESS;
}

attnrt_status attnrt_free_async(attnrt_runtime *runtime, attnrt_stream stream,
                                attnrt_device_ptr memory) {
  attnrt_status status = requireDriver(runtime);
  if (status || !memory)
    return status;
  if (Workspace *workspace = runtime->workspaces.find())
    if (workspace->free(memory))
      return ATTNRT_SUCCESS;
  if (!runtime->driver.cuMemFreeAsync)
    return failMissing(*runtime, "cuMemFreeAsync",
                       "freeing memory in the order of a stream");
  Context *context = nullptr;
  if (attnrt_status status = runtime->modules.getContext(*runtime, context))
    return status;
  return check(*runtime, context->memory.free(runtime->driver, memory, stream),
               "freeing the device memory of a stream at %#llx",
               static_cast<unsigned long long>(memory));
}

attnrt_status attnrt_trim_memory(attnrt_runtime *runtime, uint64_t keep) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  Context *context = nullptr;
  if (attnrt_status status = runtime->modules.getContext(*runtime, context))
    return status;
  return check(*runtime, context->memory.trim(runtime->driver, keep),
               "giving device memory back to the system");
}

attnrt_status attnrt_copy_to_device(attnrt_runtime *runtime,
                                    attnrt_device_ptr to, const void *from,
                                    uint64_t bytes) {
  attnrt_status status = requireDriver(runtime);
  if (status || !bytes)
    return status;
  return check(*runtime, runtime->driver.cuMemcpyHtoD(to, from, bytes),
               "copying %llu bytes to the device",
               static_cast<unsigned long long>(bytes));
}

attnrt_status attnrt_copy_from_device(attnrt_runtime *runtime, void *to,
                                      attnrt_device_ptr from, uint64_t bytes) {
  attnrt_status status = requireDriver(runtime);
  if (status || !bytes)
    return status;
  return check(*runtime, runtime->driver.cuMemcpyDtoH(to, from, bytes),
               "copying %llu bytes from the device",
               static_cast<unsigned long long>(bytes));
}

attnrt_status attnrt_fill_u32(attnrt_runtime *runtime, attnrt_device_ptr memory,
                              uint32_t value, uint64_t count,
                              attnrt_stream stream) {
  attnrt_status status = requireDriver(runtime);
  if (status || !count)
    return status;
  return check(*runtime,
               runtime->driver.cuMemsetD32Async(memory, value, count, stream),
               "filling %llu words of device memory",
               static_cast<unsigned long long>(count));
}

attnrt_status attnrt_copy_on_device(attnrt_runtime *runtime,
                                    attnrt_device_ptr to,
                                    attnrt_device_ptr from, uint64_t bytes,
                                    attnrt_stream stream) {
  attnrt_status status = requireDriver(runtime);
  if (status || !bytes)
    return status;
  return check(*runtime,
               runtime->driver.cuMemcpyDtoDAsync(to, from, bytes, stream),
               "copying %llu bytes on the device",
               static_cast<unsigned long long>(bytes));
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

attnrt_status attnrt_create_stream(attnrt_runtime *runtime,
                                   attnrt_stream *stream) {
  if (attnrt_status status = requireDriver(runtime))
    return status;
  // The stream is created without CU_STREAM_NON_BLOCKING. So its work waits for
  // earlier copies by this runtime, which use the default stream.
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
