//===- Watch.h - What a Python function reads -------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PYTHON_WATCH_H
#define ATTN_LIB_PYTHON_WATCH_H

#include "Ref.h"

namespace attn::python {

/// The module's function watch(function, rules): returns the present values of
/// what a Python function reads, as a tuple (signature, arrays, objects), or
/// None if they cannot be found. attn_mlir/_watched.py says what these are,
/// which values may be read, and what `rules` has.
PyObject *watchFunction(PyObject *, PyObject *const *args, Py_ssize_t count);

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_WATCH_H
