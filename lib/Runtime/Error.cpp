//===- Error.cpp - Failures and their messages ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Error.h"

#include "Runtime.h"

#include <new>

using namespace attnrt;

ErrorLog::~ErrorLog() {
  while (Record *record = records) {
    records = record->next;
    delete record;
  }
}

ErrorLog::Record *ErrorLog::find(std::thread::id thread) const {
  Record *record = records;
  while (record && record->thread != thread)
    record = record->next;
  return record;
}

void ErrorLog::set(Message &message) {
  std::thread::id thread = std::this_thread::get_id();
  std::lock_guard<std::mutex> lock(mutex);
  Record *record = find(thread);
  if (!record) {
    record = new (std::nothrow) Record{thread, {}, records};
    if (!record)
      return;
    records = record;
  }
  record->message.swap(message);
}

const char *ErrorLog::get() {
  std::lock_guard<std::mutex> lock(mutex);
  // The text outlives the lock: only its own thread replaces it.
  Record *record = find(std::this_thread::get_id());
  return record ? record->message.get() : "";
}

attnrt_status attnrt::getStatus(CUresult error) {
  switch (error) {
  case CUDA_SUCCESS:
    return ATTNRT_SUCCESS;
  case CUDA_ERROR_STUB_LIBRARY:
  case CUDA_ERROR_CALL_REQUIRES_NEWER_DRIVER:
  case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
  case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
    return ATTNRT_NO_DRIVER;
  case CUDA_ERROR_DEVICE_UNAVAILABLE:
  case CUDA_ERROR_NO_DEVICE:
  case CUDA_ERROR_INVALID_DEVICE:
  case CUDA_ERROR_DEVICE_NOT_LICENSED:
  case CUDA_ERROR_INVALID_CONTEXT:
  case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    return ATTNRT_NO_DEVICE;
  case CUDA_ERROR_INVALID_IMAGE:
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
  case CUDA_ERROR_INVALID_PTX:
  case CUDA_ERROR_JIT_COMPILER_NOT_FOUND:
  case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
  case CUDA_ERROR_JIT_COMPILATION_DISABLED:
  case CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC:
  case CUDA_ERROR_INVALID_SOURCE:
  case CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND:
  case CUDA_ERROR_SHARED_OBJECT_INIT_FAILED:
  case CUDA_ERROR_NOT_FOUND:
    return ATTNRT_BAD_PROGRAM;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return ATTNRT_OUT_OF_MEMORY;
  case CUDA_ERROR_INVALID_VALUE:
  case CUDA_ERROR_INVALID_HANDLE:
  case CUDA_ERROR_INVALID_CLUSTER_SIZE:
    return ATTNRT_INVALID_ARGUMENT;
  case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
  case CUDA_ERROR_LAUNCH_INCOMPATIBLE_TEXTURING:
  case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
    return ATTNRT_LAUNCH_FAILED;
  default:
    return losesContext(error) ? ATTNRT_LAUNCH_FAILED : ATTNRT_DRIVER_ERROR;
  }
}

bool attnrt::losesContext(CUresult error) {
  switch (error) {
  case CUDA_ERROR_ECC_UNCORRECTABLE:
  case CUDA_ERROR_NVLINK_UNCORRECTABLE:
  case CUDA_ERROR_CONTAINED:
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_LAUNCH_TIMEOUT:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED:
  case CUDA_ERROR_TENSOR_MEMORY_LEAK:
  case CUDA_ERROR_MPS_CLIENT_TERMINATED:
  case CUDA_ERROR_EXTERNAL_DEVICE:
    return true;
  default:
    return false;
  }
}

void attnrt::appendError(Message &message, const CudaDriver &driver,
                         CUresult error) {
  const char *name = nullptr, *text = nullptr;
  if (driver.cuGetErrorName &&
      driver.cuGetErrorName(error, &name) == CUDA_SUCCESS && name)
    message.append(": %s", name);
  else
    message.append(": CUDA error %d", error);
  if (driver.cuGetErrorString &&
      driver.cuGetErrorString(error, &text) == CUDA_SUCCESS && text)
    message.append(": %s", text);
  if (losesContext(error))
    message.append(" (an earlier kernel may be at fault; the CUDA context is "
                   "lost: nothing more can run in it)");
}

attnrt_status attnrt::fail(attnrt_runtime &runtime, attnrt_status status,
                           const char *format, ...) {
  Message message;
  va_list arguments;
  va_start(arguments, format);
  message.appendList(format, arguments);
  va_end(arguments);
  runtime.errors.set(message);
  return status;
}

attnrt_status attnrt::failDriver(attnrt_runtime &runtime, CUresult error,
                                 const char *format, ...) {
  Message message;
  va_list arguments;
  va_start(arguments, format);
  message.appendList(format, arguments);
  va_end(arguments);
  appendError(message, runtime.driver, error);
  runtime.errors.set(message);
  return getStatus(error);
}

attnrt_status attnrt::failMissing(attnrt_runtime &runtime, const char *symbol,
                                  const char *purpose) {
  int version = 0;
  runtime.driver.cuDriverGetVersion(&version);
  return fail(runtime, ATTNRT_NO_DRIVER,
              "%s: the CUDA driver has no function %s: it is too old (driver "
              "%d.%d)",
              purpose, symbol, version / 1000, version % 1000 / 10);
}
