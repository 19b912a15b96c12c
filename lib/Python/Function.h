//===- Function.h - Functions whose calls repeat ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PYTHON_FUNCTION_H
#define ATTN_LIB_PYTHON_FUNCTION_H

#include "Ref.h"

namespace attn::python {

/// Adds the Python type `Function` to the module. Returns false, with a Python
/// error, if that fails.
bool addFunctionType(PyObject *module);

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_FUNCTION_H
