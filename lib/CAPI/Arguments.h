//===- Arguments.h - Arguments of a launch ----------------------*- C++ -*-===//
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
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <cstdint>

namespace mlir::attn {

/// Describes which bytes an array's elements take, to compare it with other
/// arrays.
struct StridedBytes {
  /// The address of the array's element whose indices are all 0.
  int64_t address = 0;
  /// The size of an element of the array in bytes.
  int64_t size = 0;
  /// The sizes of the array's dimensions, and their strides in elements. The
  /// stride of a dimension of size 1 is 0.
  llvm::SmallVector<int64_t, 5> sizes, strides;
};

/// The addresses of the first and the last byte of an array. The range is empty
/// if the array has no elements, or if it is larger than any memory, so that
/// accessing it fails anyway.
struct ByteRange {
  int64_t first = 0, last = -1;

  bool isEmpty() const { return last < first; }
  bool meets(const ByteRange &other) const {
    return !isEmpty() && !other.isEmpty() && first <= other.last &&
           other.first <= last;
  }
};
ByteRange getRange(const StridedBytes &array);

/// Whether two arrays have elements that share a byte. Arrays whose elements
/// are interleaved, such as parts of one packed array, do not. Also returns
/// false if the search takes too many steps because of unusual strides.
bool haveCommonBytes(const StridedBytes &a, const StridedBytes &b);

/// Whether two elements of an array share a byte. Also returns false if the
/// search takes too many steps, as haveCommonBytes() does.
bool haveCommonElements(const StridedBytes &array);

/// The kind of memory that a program's arrays must lie in.
struct Place {
  bool isHost;
  /// The index of the GPU in whose memory arrays must lie, or -1 for any GPU.
  int device = -1;
};

/// The description of one argument of a program: its kind, element type, sizes
/// and strides. It does not refer to MLIR's context.
class Argument {
public:
  /// Returns the description of the entry point's parameter `position`. Fails
  /// if its element type is not one of the C interface.
  static llvm::Expected<Argument> create(const EntryPoint &entry,
                                         unsigned position);

  /// Creates an empty description of an argument, whose fields visitFields()
  /// sets afterwards.
  Argument() = default;
  /// Calls `visit` with a reference to each field of `self`; `visit` reads or
  /// writes the field.
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

  /// The number of 64-bit words that describe the argument in a launch: those
  /// of a memref descriptor, or 1 for a scalar.
  unsigned getNumWords() const { return isScalar() ? 1 : 3 + 2 * sizes.size(); }

  /// Checks a caller's buffer against this description and writes the buffer's
  /// descriptor, getNumWords() numbers, to `words`. Returns an error if the
  /// buffer does not fit, and allocates memory only for such an error.
  llvm::Error bind(const attn_buffer &buffer, Place place,
                   int64_t *words) const;

  /// Whether the program writes the array: outputs, scratch memory, and inputs
  /// that are updated.
  bool isWritten() const {
    return kind == ATTN_OUTPUT || kind == ATTN_SCRATCH || isUpdated;
  }
  /// Describes which bytes an array takes; `words` is its memref descriptor.
  StridedBytes getBytes(const int64_t *words) const;
  llvm::Error expected(const llvm::Twine &what, const llvm::Twine &found) const;

  /// Returns a name of the argument for messages, such as "argument 1 (key)".
  std::string describe() const;
  /// Returns the array's sizes for a message, such as "; argument 1 (key) has
  /// sizes 2x4x100x64", or "" for a scalar.
  std::string describeSizes(const attn_buffer &buffer) const;

  bool isScalar() const { return kind == ATTN_SCALAR; }

private:
  /// Returns the number of bytes of `elements` elements; two elements of i4
  /// share a byte.
  int64_t getBytes(int64_t elements) const {
    return dtype == ATTN_I4 ? elements / 2 : elements * elementSize;
  }
  llvm::Error bindScalar(const attn_buffer &buffer, int64_t *words) const;
  llvm::Error checkPlace(const attn_buffer &buffer, Place place) const;

  attn_argument_kind kind = ATTN_INPUT;
  /// Whether the argument is an input that the program also writes.
  bool isUpdated = false;
  attn_dtype dtype = ATTN_F16;
  /// The size of an element in bytes; 1 for i4, of which two elements share a
  /// byte.
  int64_t elementSize = 0;
  /// The distance, in elements, from the aligned address in an array's memref
  /// descriptor to the array's first element.
  int64_t offset = 0;
  bool isContiguous = false;
  SmallVector<int64_t, 4> sizes, strides;
  std::string position, name, type;
};

/// Fails if an array that the program writes shares memory with another array,
/// or if two of its elements share a byte. `words` are the descriptors of all
/// arguments, one after the other, as bind() wrote them.
llvm::Error checkOverlaps(ArrayRef<Argument> arguments, const int64_t *words);

/// Fails unless the caller of a launch has given one buffer for each argument.
llvm::Error checkCount(ArrayRef<Argument> arguments, uint32_t count,
                       const attn_buffer *buffers);

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_ARGUMENTS_H
