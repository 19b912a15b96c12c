//===- Described.cpp - Arrays as Python describes them -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Described.h"

#include "CallKey.h"

#include "State.h"

using namespace attn::python;

bool Described::readWords(PyObject *numbers) {
  bool isTuple = PyTuple_Check(numbers);
  Py_ssize_t count = isTuple ? PyTuple_Size(numbers) : PySequence_Size(numbers);
  for (Py_ssize_t i = 0; i < count; ++i) {
    Ref number = isTuple ? Ref::borrow(PyTuple_GetItem(numbers, i))
                         : Ref::take(PySequence_GetItem(numbers, i));
    words.push_back(number ? PyLong_AsLongLong(number.get()) : -1);
    if (words.back() == -1 && PyErr_Occurred())
      return false;
  }
  return count >= 0;
}

bool Described::read(PyObject *list) {
  Py_ssize_t count = PySequence_Size(list);
  if (count > 0) {
    buffers.reserve(count);
    words.reserve(8 * count);
  }
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

Ref attn::python::asTuple(const int64_t *numbers, unsigned count,
                          int64_t none) {
  Ref tuple = Ref::take(PyTuple_New(count));
  for (unsigned i = 0; tuple && i < count; ++i)
    PyTuple_SetItem(tuple.get(), i,
                    numbers[i] == none ? Py_NewRef(Py_None)
                                       : PyLong_FromLongLong(numbers[i]));
  return tuple;
}

/// Returns a tuple of the given format: address, sizes, strides or None, dtype,
/// device type, device, and None if the format has a seventh element.
static PyObject *asDescription(const attn_buffer &buffer, const char *format) {
  Ref sizes = asTuple(buffer.sizes, buffer.rank, ATTN_DYNAMIC);
  Ref strides = buffer.strides
                    ? asTuple(buffer.strides, buffer.rank, ATTN_DYNAMIC)
                    : Ref::borrow(Py_None);
  Ref address = Ref::take(PyLong_FromVoidPtr(buffer.data));
  if (!sizes || !strides || !address)
    return nullptr;
  return Py_BuildValue(format, address.get(), sizes.get(), strides.get(),
                       int(buffer.dtype), int(buffer.device_type),
                       int(buffer.device_id), Py_None);
}

PyObject *attn::python::describeArray(PyObject *module, PyObject *array) {
  State &state = getState(module);
  ArrayReader reader(state.arrays, state.library);
  attn_buffer buffer;
  if (!reader.describe(array, buffer) ||
      (buffer.device_type != ATTN_DEVICE_CPU &&
       buffer.device_type != ATTN_DEVICE_CUDA)) {
    PyErr_Clear();
    Py_RETURN_NONE;
  }
  return asDescription(buffer, "(OOOiiiO)");
}

PyObject *attn::python::describeDLPack(PyObject *module, PyObject *capsule) {
  // The capsule points to an unversioned DLManagedTensor, whose first member is
  // its DLTensor.
  const auto *tensor =
      static_cast<const DLTensor *>(PyCapsule_GetPointer(capsule, "dltensor"));
  if (!tensor)
    return nullptr;
  const State &state = getState(module);
  attn_buffer buffer;
  attn_status status = state.library.attn_buffer_from_dlpack(tensor, &buffer);
  if (status != ATTN_SUCCESS)
    return state.raise(status, state.library.attn_last_error());
  return asDescription(buffer, "(OOOiii)");
}

PyObject *attn::python::findDescribedColumns(PyObject *, PyObject *args) {
  PyObject *pair;
  int takesAll;
  Described described;
  if (!PyArg_ParseTuple(args, "Op", &pair, &takesAll) || !described.read(pair))
    return nullptr;
  if (described.buffers.size() != 2) {
    PyErr_SetString(PyExc_TypeError, "expected two described arrays");
    return nullptr;
  }
  return PyLong_FromLongLong(
      findColumns(described.buffers[1], described.buffers[0], takesAll));
}
