//===- Error.cpp - Failures and their messages ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Error.h"
#include "Runtime.h"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

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
  // The returned message stays valid after the lock is released, since only the
  // calling thread can replace it.
  Record *record = find(std::this_thread::get_id());
  return record ? record->message.get() : "";
}

attnrt_status attnrt::getStatus(CUresult error) {
  switch (error) {
#define ATTNRT_CASE(name, value, status)                                       \
  case name:                                                                   \
    return ATTNRT_##status;
    ATTNRT_CUDA_ERRORS(ATTNRT_CASE)
    ATTNRT_CUDA_LOSSES(ATTNRT_CASE)
#undef ATTNRT_CASE
  default:
    return ATTNRT_DRIVER_ERROR;
  }
}

bool attnrt::losesContext(CUresult error) {
  switch (error) {
#define ATTNRT_CASE(name, value, status) case name:
    ATTNRT_CUDA_LOSSES(ATTNRT_CASE)
#undef ATTNRT_CASE
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

attnrt_status attnrt::check(attnrt_runtime &runtime, CUresult result,
                            const char *format, ...) {
  if (result == CUDA_SUCCESS)
    return ATTNRT_SUCCESS;
  Message message;
  va_list arguments;
  va_start(arguments, format);
  message.appendList(format, arguments);
  va_end(arguments);
  appendError(message, runtime.driver, result);
  runtime.errors.set(message);
  return getStatus(result);
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

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

Message::~Message() { std::free(text); }

void Message::append(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  appendList(format, arguments);
  va_end(arguments);
}

void Message::appendList(const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int length = std::vsnprintf(nullptr, 0, format, again);
  va_end(again);
  if (length < 0)
    return;
  auto *grown = static_cast<char *>(std::realloc(text, size + length + 1));
  if (!grown)
    return;
  text = grown;
  std::vsnprintf(text + size, length + 1, format, arguments);
  size += length;
}

void Message::swap(Message &other) {
  std::swap(text, other.text);
  std::swap(size, other.size);
}
