//===- Message.cpp - Text without exceptions ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

using namespace attnrt;

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
