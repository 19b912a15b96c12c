//===- Error.h - Failures and their messages --------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_ERROR_H
#define ATTN_LIB_RUNTIME_ERROR_H

#include "CudaDriver.h"

#include <cstdarg>
#include <cstddef>
#include <mutex>
#include <thread>

namespace attnrt {

/// A text that grows by printf. It is truncated if memory is exhausted;
/// std::string would end the process, since there are no exceptions.
class Message {
public:
  Message() = default;
  Message(const Message &) = delete;
  Message &operator=(const Message &) = delete;
  ~Message();

  [[gnu::format(printf, 2, 3)]] void append(const char *format, ...);
  void appendList(const char *format, va_list arguments);
  void swap(Message &other);
  const char *get() const { return text ? text : ""; }

private:
  char *text = nullptr;
  size_t size = 0;
};

/// Keeps the last failure of each thread that had one.
class ErrorLog {
public:
  ErrorLog() = default;
  ErrorLog(const ErrorLog &) = delete;
  ErrorLog &operator=(const ErrorLog &) = delete;
  ~ErrorLog();

  /// Sets the calling thread's last failure, and takes ownership of the
  /// message.
  void set(Message &message);
  /// Returns the calling thread's last failure, or "".
  const char *get();

private:
  struct Record {
    std::thread::id thread;
    Message message;
    Record *next;
  };
  Record *find(std::thread::id thread) const;

  std::mutex mutex;
  Record *records = nullptr;
};

/// Returns the runtime's status for an error of the driver.
attnrt_status getStatus(CUresult error);
/// Whether the error leaves the context unusable.
bool losesContext(CUresult error);
/// Appends ": NAME: text", and a remark if the context is lost.
void appendError(Message &message, const CudaDriver &driver, CUresult error);

/// Records a failure of the calling thread and returns `status`.
[[gnu::format(printf, 3, 4)]] attnrt_status
fail(attnrt_runtime &runtime, attnrt_status status, const char *format, ...);
/// Records the driver's error, if `result` is one, during the action that
/// `format` describes.
[[gnu::format(printf, 3, 4)]] attnrt_status
check(attnrt_runtime &runtime, CUresult result, const char *format, ...);
/// Records that the driver lacks `symbol`, which is needed for `purpose`.
attnrt_status failMissing(attnrt_runtime &runtime, const char *symbol,
                          const char *purpose);

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_ERROR_H
