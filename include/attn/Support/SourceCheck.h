//===- SourceCheck.h - Texts that crash MLIR's parser -----------*- C++ -*-===//
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

/// The largest nesting of brackets of all kinds that a module may have: far
/// more than programs have, and far less than the stacks of the parser and of
/// passes allow. An operator outside of braces counts as a level up to the next
/// comma, since affine expressions nest without brackets. A use of an alias
/// adds the nesting of the alias's value.
inline constexpr unsigned kMaxNesting = 256;

/// A fault in a text: the offset of the character where it is, and a message.
struct SourceFault {
  size_t offset;
  std::string message;
};

/// Finds the first fault in a module's text that would crash MLIR's parser or
/// code that runs after it: too deep nesting, a resource whose data have
/// alignment 0, a dense array of index, a vector of more than 2^24 elements, an
/// index into a struct above 2^32, a symbol table without a block, or something
/// other than numbers in dimensions of linalg ops.
std::optional<SourceFault> findSourceFault(llvm::StringRef text);

} // namespace mlir::attn

#endif // ATTN_SUPPORT_SOURCECHECK_H
