//===- Described.cpp - Arrays as Python describes them -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Described.h"

using namespace attn::python;

bool Described::readWords(PyObject *numbers) {
  Py_ssize_t count = PySequence_Size(numbers);
  for (Py_ssize_t i = 0; i < count; ++i) {
    Ref number = Ref::take(PySequence_GetItem(numbers, i));
    words.push_back(number ? PyLong_AsLongLong(number.get()) : -1);
    if (words.back() == -1 && PyErr_Occurred())
      return false;
  }
  return count >= 0;
}

bool Described::read(PyObject *list) {
  Py_ssize_t count = PySequence_Size(list);
  for (Py_ssize_t i = 0; i < count; ++i) {
    Ref entry = Ref::take(PySequence_GetItem(list, i));
    if (!entry || !PyTuple_Check(entry.get()) ||
        PyTuple_Size(entry.get()) < 6) {
      if (!PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "expected a described array");
      return false;
    }
    auto item = [&](unsigned at) { return PyTuple_GetItem(entry.get(), at); };
    attn_buffer buffer = {};
    buffer.data = PyBytes_Check(item(0)) ? PyBytes_AsString(item(0))
                                         : PyLong_AsVoidPtr(item(0));
    Py_ssize_t rank = PySequence_Size(item(1));
    if (rank < 0 || !readWords(item(1)) || !readWords(item(2)))
      return false;
    buffer.rank = rank;
    buffer.dtype = PyLong_AsLong(item(3));
    buffer.device_type = PyLong_AsLong(item(4));
    buffer.device_id = item(5) == Py_None ? 0 : PyLong_AsLong(item(5));
    if (PyErr_Occurred())
      return false;
    buffers.push_back(buffer);
  }
  if (count < 0)
    return false;
  const int64_t *next = words.data();
  for (attn_buffer &buffer : buffers) {
    buffer.sizes = next;
    buffer.strides = next + buffer.rank;
    next += 2 * buffer.rank;
  }
  return true;
}

bool attn::python::readNames(PyObject *list, std::vector<std::string> &names) {
  Py_ssize_t count = PySequence_Size(list);
  for (Py_ssize_t i = 0; i < count; ++i) {
    Ref name = Ref::take(PySequence_GetItem(list, i));
    const char *text =
        name ? PyUnicode_AsUTF8AndSize(name.get(), nullptr) : nullptr;
    if (!text)
      return false;
    names.push_back(text);
  }
  return count >= 0;
}
