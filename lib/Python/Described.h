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

/// The buffers of arrays that the package's adapters in Python have described
/// by tuples.
struct Described {
  std::vector<attn_buffer> buffers;
  /// The sizes and strides of all buffers, which the buffers refer to.
  std::vector<int64_t> words;

  /// Reads a sequence of tuples (address, sizes, strides, dtype, device type,
  /// device or None, ...). The tuple of a scalar has its bytes in place of the
  /// address. Returns false, with a Python error, if that fails.
  bool read(PyObject *list);

private:
  bool readWords(PyObject *numbers);
};

/// Returns a tuple of the numbers, in which each number that equals `none` is
/// None.
Ref asTuple(const int64_t *numbers, unsigned count, int64_t none);

/// The module's function describe(array): returns (address, sizes, strides,
/// dtype, device type, device, None), or None for an array that Python must
/// describe.
PyObject *describeArray(PyObject *module, PyObject *array);
/// The module's function describe_dlpack(capsule): returns (address, sizes,
/// strides or None, dtype, device type, device). The capsule is not consumed.
PyObject *describeDLPack(PyObject *module, PyObject *capsule);

/// The module's function find_columns((other, array), takes_all): what
/// findColumns() returns for these two described arrays.
PyObject *findDescribedColumns(PyObject *module, PyObject *args);

/// Appends a sequence of Python strings to `names`. Returns false, with a
/// Python error, if that fails.
bool readNames(PyObject *list, std::vector<std::string> &names);

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_DESCRIBED_H
