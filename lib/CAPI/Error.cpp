//===- Error.cpp - Failures of the C interface ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Error.h"

using namespace mlir::attn;

/// Returns the message of the last failure of the C interface on the calling
/// thread.
static std::string &getMessage() {
  static thread_local std::string message;
  return message;
}

attn_status mlir::attn::fail(attn_status status, const llvm::Twine &message) {
  // The text is built before the message is replaced, since the text may quote
  // the old message.
  std::string text = message.str();
  getMessage() = std::move(text);
  return status;
}

attn_status mlir::attn::fail(attn_status status, llvm::Error error) {
  return fail(status, llvm::toString(std::move(error)));
}

const char *attn_last_error() { return getMessage().c_str(); }

const char *attn_version() { return ATTN_VERSION; }
