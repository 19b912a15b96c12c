//===- Npy.h - NumPy array files ------------------------------ -*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_NPY_H
#define ATTN_SUPPORT_NPY_H

#include "attn/Support/ArrayView.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>

namespace mlir::attn {

// The reader is written here, since Debian's libraries that read these files
// abort or throw on malformed ones.

/// The header of a .npy file.
struct NpyHeader {
  /// NumPy's spelling of the element type, such as "<f4".
  std::string descriptor;
  llvm::SmallVector<int64_t> shape;
  bool fortranOrder = false;
  /// The offset of the array's elements in the file, in bytes.
  uint64_t dataOffset = 0;
};

/// Parses the header at the start of `contents`, in the form that NumPy writes.
/// Checks neither the product of the sizes nor the element type.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef contents);

/// An array read from a file.
class NpyArray {
public:
  NpyArray(std::unique_ptr<llvm::WritableMemoryBuffer> memory, ArrayView array)
      : memory(std::move(memory)), array(std::move(array)) {}

  /// The array, row-major and contiguous. Writing to it does not change the
  /// file.
  const ArrayView &view() const { return array; }

private:
  std::unique_ptr<llvm::WritableMemoryBuffer> memory;
  ArrayView array;
};

/// Reads a file of version 1.0, which NumPy writes. It must contain nothing but
/// an array of little-endian elements of the `expected` type. NumPy lacks bf16,
/// whose elements are two-byte voids ("|V2" or "<V2") or integers ("<u2"), and
/// 8-bit floats, whose elements are bytes ("|u1" or "|V1"). For i4, elements
/// are bytes ("|u1" or "|i1"), and the returned array has two columns for each
/// byte of a row.
llvm::Expected<NpyArray> readNpy(llvm::StringRef path, DType expected);

/// Writes the array to a file in row-major order, bf16 as "|V2" and i4 as
/// bytes. The file is written atomically, unless `path` is a device or a pipe.
llvm::Error writeNpy(llvm::StringRef path, const ArrayView &array);

} // namespace mlir::attn

#endif // ATTN_SUPPORT_NPY_H
