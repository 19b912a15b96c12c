//===- Ref.h - A reference to an object of Python's ---------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PYTHON_REF_H
#define ATTN_LIB_PYTHON_REF_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <utility>

namespace attn::python {

/// A reference to a Python object, which the Ref owns, or null. All operations
/// except moving a Ref need the interpreter's lock.
class Ref {
public:
  Ref() = default;
  /// Takes over a new reference, as Python's C functions return it; it may be
  /// null.
  static Ref take(PyObject *object) {
    Ref ref;
    ref.object = object;
    return ref;
  }
  static Ref borrow(PyObject *object) {
    Py_XINCREF(object);
    return take(object);
  }
  Ref(Ref &&other) : object(std::exchange(other.object, nullptr)) {}
  Ref &operator=(Ref &&other) {
    std::swap(object, other.object);
    return *this;
  }
  ~Ref() { Py_XDECREF(object); }

  PyObject *get() const { return object; }
  PyObject *release() { return std::exchange(object, nullptr); }
  explicit operator bool() const { return object; }

private:
  PyObject *object = nullptr;
};

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_REF_H
