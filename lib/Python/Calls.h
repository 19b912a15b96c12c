//===- Calls.h - Repeated calls ---------------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PYTHON_CALLS_H
#define ATTN_LIB_PYTHON_CALLS_H

#include "Ref.h"

namespace attn::python {

/// Adds the Python type `Calls` to the module. Returns false, with a Python
/// error, if that fails.
bool addCallsType(PyObject *module);

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_CALLS_H
