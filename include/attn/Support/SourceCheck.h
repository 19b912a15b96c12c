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

/// The deepest nesting of brackets, of all kinds together, that a module may
/// have. It is far more than programs have, and far less than the stacks of the
/// parser and of passes allow. Affine expressions nest without brackets, so an
/// operator outside of braces counts as a level up to the next comma. A use of
/// an alias adds the nesting of the alias's value.
inline constexpr unsigned kMaxNesting = 256;

/// A fault in a text: the offset of the character at which the fault is, and a
/// message.
struct SourceFault {
  size_t offset;
  std::string message;
};

/// Returns the first fault in the text of a module that would crash MLIR's
/// parser or code that runs after it. Such faults are: nesting that is too
/// deep, a resource whose data have alignment 0, a dense array of index, a
/// vector of more than 2^24 elements, an index into a struct above 2^32, a
/// symbol table without a block, and anything but numbers in the dimensions of
/// linalg ops.
std::optional<SourceFault> findSourceFault(llvm::StringRef text);

} // namespace mlir::attn

#endif // ATTN_SUPPORT_SOURCECHECK_H
