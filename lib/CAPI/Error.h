//===- Error.h - Failures of the C interface --------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CAPI_ERROR_H
#define ATTN_LIB_CAPI_ERROR_H

#include "attn-c/attn.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace mlir::attn {

/// Stores the message of a failure for the calling thread, and returns
/// `status`.
attn_status fail(attn_status status, const llvm::Twine &message);
attn_status fail(attn_status status, llvm::Error error);

/// Whether `size` may be that of a caller's structure: it has all fields of
/// `Struct` or, in an older version, ends where one of `fields` (never the
/// first field) begins. Any other size would end within a field.
template <typename Struct>
bool isStructSize(size_t size, std::initializer_list<size_t> fields) {
  return size >= sizeof(Struct) || llvm::is_contained(fields, size);
}

/// Copies as many bytes as the caller's structure has, whose version may be
/// older or newer. Its first field, which is kept, is its size.
template <typename Info> void copyInfo(const Info &from, Info &to) {
  size_t size = to.struct_size;
  std::memcpy(&to, &from, std::min(size, sizeof(Info)));
  to.struct_size = size;
}

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_ERROR_H
