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

// The project has its own reader of .npy files, since the libraries in Debian
// that read them abort or throw on malformed files.

/// The header of a .npy file.
struct NpyHeader {
  /// NumPy's notation of the element type, such as "<f4".
  std::string descriptor;
  llvm::SmallVector<int64_t> shape;
  bool fortranOrder = false;
  /// The offset in bytes, from the beginning of the file, of the array's
  /// elements.
  uint64_t dataOffset = 0;
};

/// Parses the header at the beginning of `contents`, in the form in which NumPy
/// writes it. Neither the product of the sizes nor the element type is checked.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef contents);

/// An array that was read from a .npy file.
class NpyArray {
public:
  NpyArray(std::unique_ptr<llvm::WritableMemoryBuffer> memory, ArrayView array)
      : memory(std::move(memory)), array(std::move(array)) {}

  /// Returns the array, which is row-major and contiguous. Writing to it does
  /// not change the file.
  const ArrayView &view() const { return array; }

private:
  std::unique_ptr<llvm::WritableMemoryBuffer> memory;
  ArrayView array;
};

/// Reads a .npy file of version 1.0, which is the version that NumPy writes.
/// The file must contain nothing but an array whose elements are little-endian
/// and of the type `expected`.
///
/// NumPy has no bf16: elements of that type are two-byte voids ("|V2" or "<V2")
/// or integers ("<u2"). It has no 8-bit floats either; their elements are bytes
/// ("|u1" or "|V1"). For i4, the elements of the file are bytes ("|u1" or
/// "|i1"), and the returned array has two columns for each byte of a row.
llvm::Expected<NpyArray> readNpy(llvm::StringRef path, DType expected);

/// Writes an array to a .npy file in row-major order. Elements of bf16 are
/// written as "|V2", and those of i4 as bytes. The file is written atomically,
/// unless `path` is a device or a pipe.
llvm::Error writeNpy(llvm::StringRef path, const ArrayView &array);

} // namespace mlir::attn

#endif // ATTN_SUPPORT_NPY_H
