//===- Arguments.h - What a launch passes to a program ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CAPI_ARGUMENTS_H
#define ATTN_LIB_CAPI_ARGUMENTS_H

#include "attn-c/attn.h"
#include "attn/Driver/EntryPoint.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace mlir::attn {

/// The bytes of an array's elements.
struct StridedBytes {
  /// Of the element whose indices are all 0.
  int64_t address = 0;
  /// Of an element.
  int64_t size = 0;
  /// Strides in elements, as many as sizes. 0 where the size is 1.
  llvm::ArrayRef<int64_t> sizes, strides;
};

/// Whether two arrays have a byte in common. Arrays that lie between each
/// other's elements, as parts of one packed array do, have none. Where strides
/// are so odd that it takes long to tell, the answer is no.
bool haveCommonBytes(const StridedBytes &a, const StridedBytes &b);

/// Where a program's arrays must lie.
struct Place {
  bool isHost;
  /// The number of the GPU, or -1 if it does not matter.
  int device = -1;
};

/// One argument of a program, free of MLIR's context.
class Argument {
public:
  /// Fails if the type cannot be described in C.
  static llvm::Expected<Argument> create(const EntryPoint &entry,
                                         unsigned position);

  /// To be filled in by `visitFields`.
  Argument() = default;
  /// Calls `visit` with each field, which it reads or writes.
  template <typename Self, typename Visitor>
  static void visitFields(Self &self, Visitor &visit) {
    visit(self.kind);
    visit(self.isUpdated);
    visit(self.dtype);
    visit(self.elementSize);
    visit(self.offset);
    visit(self.isContiguous);
    visit(self.sizes);
    visit(self.strides);
    visit(self.position);
    visit(self.name);
    visit(self.type);
  }

  attn_argument_info getInfo() const;

  /// Words of the memref descriptor, or one of a scalar.
  unsigned getNumWords() const { return isScalar() ? 1 : 3 + 2 * sizes.size(); }

  /// Checks the buffer and writes the words. Nothing is allocated unless it
  /// fails.
  llvm::Error bind(const attn_buffer &buffer, Place place,
                   int64_t *words) const;

  /// Whether it is an array that somebody reads before or after the launch.
  bool isObserved() const { return kind == ATTN_INPUT || kind == ATTN_OUTPUT; }
  bool isWritten() const { return kind == ATTN_OUTPUT || isUpdated; }
  /// The bytes of the array that `words` are of.
  StridedBytes getBytes(const int64_t *words) const;
  llvm::Error expected(const llvm::Twine &what, const llvm::Twine &found) const;

  /// "argument 1 (key)".
  std::string describe() const;
  /// "; argument 1 (key) has sizes 2x4x100x64", nothing for a scalar.
  std::string describeSizes(const attn_buffer &buffer) const;

  bool isScalar() const { return kind == ATTN_SCALAR; }

private:
  llvm::Error bindScalar(const attn_buffer &buffer, int64_t *words) const;
  llvm::Error checkPlace(const attn_buffer &buffer, Place place) const;

  attn_argument_kind kind = ATTN_INPUT;
  /// Whether an input is written, too.
  bool isUpdated = false;
  attn_dtype dtype = ATTN_F16;
  /// In bytes.
  int64_t elementSize = 0;
  /// Elements from the address in the descriptor to the first one.
  int64_t offset = 0;
  bool isContiguous = false;
  SmallVector<int64_t, 4> sizes, strides;
  std::string position, name, type;
};

/// Fails if an array that is written shares memory with another. `words` are
/// those of all arguments, as `bind` wrote them.
llvm::Error checkOverlaps(ArrayRef<Argument> arguments, const int64_t *words);

/// Fails unless there are as many buffers as arguments.
llvm::Error checkCount(ArrayRef<Argument> arguments, uint32_t count,
                       const attn_buffer *buffers);

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_ARGUMENTS_H
