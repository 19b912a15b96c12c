//===- State.h - State of the Python module ---------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PYTHON_STATE_H
#define ATTN_LIB_PYTHON_STATE_H

#include "Arrays.h"
#include "Driver.h"
#include "Library.h"
#include "Ref.h"

#include <string>

namespace attn::python {

/// The state of one object of the Python module.
struct State {
  Library library;
  Driver driver;
  ArrayTypes arrays;
  /// The package's exception classes: Error, and ArgumentError for invalid
  /// arguments.
  Ref error, argumentError;

  /// Raises the Python exception for a failed call of libattn-c.so; returns
  /// null.
  PyObject *raise(attn_status status, const std::string &message) const;
  /// Raises the Python exception for a failed call of the CUDA driver; returns
  /// null.
  PyObject *raise(Driver::Result result) const;
};

/// Returns the state of a module object, which a function of the module gets.
State &getState(PyObject *module);

/// Returns a new object of a type of the module, whose memory is zeros, and
/// sets `state` to the module's state. Returns null, with an exception, if that
/// fails.
PyObject *allocate(PyTypeObject *type, State *&state);

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_STATE_H
