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

/// Records the calling thread's failure and returns `status`.
attn_status fail(attn_status status, const llvm::Twine &message);
attn_status fail(attn_status status, llvm::Error error);

/// Whether a structure of `size` bytes, as its caller knows it, ends where one
/// of the fields begins, behind the first, or is at least all of `Struct`.
/// Another size would cut a field in two.
template <typename Struct>
bool isStructSize(size_t size, std::initializer_list<size_t> fields) {
  return size >= sizeof(Struct) || llvm::is_contained(fields, size);
}

/// Copies what fits into a structure that begins with its size, as the caller
/// knows it; the caller's version may be older or newer.
template <typename Info> void copyInfo(const Info &from, Info &to) {
  size_t size = to.struct_size;
  std::memcpy(&to, &from, std::min(size, sizeof(Info)));
  to.struct_size = size;
}

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_ERROR_H
