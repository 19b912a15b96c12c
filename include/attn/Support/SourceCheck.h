//===- SourceCheck.h - Texts that a parser survives -------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_SOURCECHECK_H
#define ATTN_SUPPORT_SOURCECHECK_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mlir::attn {

/// Levels of brackets, of whatever kind, that a module may have: far more than
/// programs do, and far fewer than the stacks of the parser and of passes bear.
/// An operator outside of braces is a level until the next comma, since affine
/// expressions nest without brackets; so is what an alias stands for.
inline constexpr unsigned kMaxNesting = 256;

/// Something in a text, and what is wrong with it.
struct SourceFault {
  size_t offset;
  std::string message;
};

/// The first thing in a module's text that would end the process in MLIR's
/// parser, or behind it: too many levels, a resource that has data of alignment
/// 0, a dense array of index, a vector of more than 2^24 elements, a position
/// in a struct above 2^32, or what is no number in linalg's dimensions.
std::optional<SourceFault> findSourceFault(llvm::StringRef text);

} // namespace mlir::attn

#endif // ATTN_SUPPORT_SOURCECHECK_H
