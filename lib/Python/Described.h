//===- Described.h - Arrays as Python describes them -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PYTHON_DESCRIBED_H
#define ATTN_LIB_PYTHON_DESCRIBED_H

#include "attn-c/attn.h"

#include "Ref.h"

#include <string>
#include <vector>

namespace attn::python {

/// Buffers for arrays that Python's adapters have described.
struct Described {
  std::vector<attn_buffer> buffers;
  /// Sizes and strides.
  std::vector<int64_t> words;

  /// Reads a sequence of tuples (address, sizes, strides, dtype, device type,
  /// device or None, ...), in which a number has its bytes for the address;
  /// false with an error of Python's.
  bool read(PyObject *list);

private:
  bool readWords(PyObject *numbers);
};

/// A tuple of numbers, with None for those that are `none`.
Ref asTuple(const int64_t *numbers, unsigned count, int64_t none);

/// Functions of the module:
/// describe(array): (address, sizes, strides, dtype, device type, device,
/// None), or None for an array that Python must look at.
PyObject *describeArray(PyObject *module, PyObject *array);
/// describe_dlpack(capsule): (address, sizes, strides or None, dtype, device
/// type, device). The capsule is not consumed.
PyObject *describeDLPack(PyObject *module, PyObject *capsule);

/// Reads a sequence of strings; false with an error of Python's.
bool readNames(PyObject *list, std::vector<std::string> &names);

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_DESCRIBED_H
