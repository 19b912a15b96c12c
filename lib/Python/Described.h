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

/// Buffers of arrays of any library, which Python's adapters have described.
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

/// Reads a sequence of strings; false with an error of Python's.
bool readNames(PyObject *list, std::vector<std::string> &names);

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_DESCRIBED_H
