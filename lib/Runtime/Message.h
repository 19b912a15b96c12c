//===- Message.h - Text without exceptions ----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_MESSAGE_H
#define ATTN_LIB_RUNTIME_MESSAGE_H

#include <cstdarg>
#include <cstddef>

namespace attnrt {

/// Text that grows by printf. Exhausted memory cuts it short instead of ending
/// the process, as std::string would without exceptions.
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

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_MESSAGE_H
