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

/// A text that is built by printf. If memory is exhausted, the text is
/// truncated, while std::string would end the process, since exceptions are
/// disabled.
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

/// Keeps the message of the last failure of each thread that had one.
class ErrorLog {
public:
  ErrorLog() = default;
  ErrorLog(const ErrorLog &) = delete;
  ErrorLog &operator=(const ErrorLog &) = delete;
  ~ErrorLog();

  /// Sets the last failure of the calling thread to `message`, whose text it
  /// takes over.
  void set(Message &message);
  /// Returns the message of the calling thread's last failure, or "".
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

/// Returns the runtime's status that corresponds to an error of the driver.
attnrt_status getStatus(CUresult error);
/// Whether an error of the driver leaves the current context unusable.
bool losesContext(CUresult error);
/// Appends the name and the text of the driver's error to a message, as in ":
/// NAME: text", and a remark if the context is lost.
void appendError(Message &message, const CudaDriver &driver, CUresult error);

/// Stores the message of a failure for the calling thread, and returns
/// `status`.
[[gnu::format(printf, 3, 4)]] attnrt_status
fail(attnrt_runtime &runtime, attnrt_status status, const char *format, ...);
/// Returns ATTNRT_SUCCESS if `result` is no error of the driver. Otherwise
/// stores the error as the calling thread's failure, with the action that
/// failed, which `format` describes, and returns the corresponding status.
[[gnu::format(printf, 3, 4)]] attnrt_status
check(attnrt_runtime &runtime, CUresult result, const char *format, ...);
/// Stores as the calling thread's failure that the driver lacks the function
/// `symbol`, which `purpose` needs, and returns ATTNRT_NO_DRIVER.
attnrt_status failMissing(attnrt_runtime &runtime, const char *symbol,
                          const char *purpose);

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_ERROR_H
