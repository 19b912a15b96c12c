//===- Sizes.h - Sizes in messages and types --------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_SIZES_H
#define ATTN_SUPPORT_SIZES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"

#include <limits>
#include <string>

namespace mlir::attn {

/// Returns sizes as text, such as 2x?x64. A dynamic size, which is INT64_MIN as
/// in MLIR's types, is printed as '?'.
inline std::string formatSizes(llvm::ArrayRef<int64_t> sizes,
                               llvm::StringRef separator = "x") {
  return llvm::join(llvm::map_range(sizes,
                                    [](int64_t size) {
                                      bool isDynamic =
                                          size ==
                                          std::numeric_limits<int64_t>::min();
                                      return isDynamic ? std::string("?")
                                                       : std::to_string(size);
                                    }),
                    separator);
}

} // namespace mlir::attn

#endif // ATTN_SUPPORT_SIZES_H
