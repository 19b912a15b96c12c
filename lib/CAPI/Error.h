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

/// Stores the message of a failure of the C interface for the calling thread,
/// and returns `status`.
attn_status fail(attn_status status, const llvm::Twine &message);
attn_status fail(attn_status status, llvm::Error error);

/// Whether `size` may be the size of a caller's structure of type `Struct`,
/// whose version may differ from this library's. It must be at least the
/// present size or, for an older version, the offset at which one of `fields`
/// begins. Callers list all fields except the first one, so that sizes which
/// end within a field are rejected.
template <typename Struct>
bool isStructSize(size_t size, std::initializer_list<size_t> fields) {
  return size >= sizeof(Struct) || llvm::is_contained(fields, size);
}

/// Copies `from` to the caller's structure `to`, whose version may be older or
/// newer. The first field of `to`, its size, limits the number of bytes and
/// keeps its value.
template <typename Info> void copyInfo(const Info &from, Info &to) {
  size_t size = to.struct_size;
  std::memcpy(&to, &from, std::min(size, sizeof(Info)));
  to.struct_size = size;
}

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_ERROR_H
