//===- Known.cpp - Calls that were launched -------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Known.h"

#include <utility>

using namespace attn::python;

/// The call of a `Function` that this thread is making in Python, or null.
static thread_local Pending *pending = nullptr;

PyObject *attn::python::giveUp() {
  PyErr_Clear();
  Py_INCREF(Py_NotImplemented);
  return Py_NotImplemented;
}

/// Sets `target.stream` to the stream of a launch. It is the one that the
/// caller gave as an integer or, if it gave none, torch's current stream. A
/// launch on the host needs no stream. Returns false if Python must find the
/// stream.
static bool findStream(const State &state, CallKey &key, PyObject *given,
                       Target &target) {
  if (given && given != Py_None) {
    if (!PyLong_CheckExact(given))
      return false;
    unsigned long long handle = PyLong_AsUnsignedLongLong(given);
    target.stream = reinterpret_cast<void *>(handle);
    return !PyErr_Occurred();
  }
  return target.deviceType == ATTN_DEVICE_CPU ||
         (key.getReader().hasTensors() &&
          state.arrays.torch.exchange->getStream(
              target.deviceType, target.device, &target.stream) == 0);
}

static bool isHere(State &state, const Target &target) {
  if (target.deviceType == ATTN_DEVICE_CPU)
    return true;
  int current = -1;
  return state.driver.getCurrentDevice(current) == Driver::Result::Success &&
         current == target.device;
}

/// Tells torch that the operands in `known.written` and the caller's arrays for
/// results were written.
static bool noteWritten(const State &state, const CallKey &key,
                        const Known &known) {
  PyObject *arrays[2 * kMaxBuffers];
  unsigned count = 0;
  for (int number : known.written)
    arrays[count++] = key.getObject(number);
  for (unsigned i = 0; known.results.empty() && i < key.getNumResults(); ++i)
    arrays[count++] = key.getObject(key.getNumOperands() + i);
  return state.arrays.noteWritten(arrays, count);
}

/// Makes a known call that has a function.
static PyObject *callFunction(const CallKey &key, const Known &known) {
  Ref operands = Ref::take(PyTuple_New(key.getNumOperands()));
  for (unsigned i = 0; operands && i < key.getNumOperands(); ++i)
    PyTuple_SetItem(operands.get(), i, Py_NewRef(key.getObject(i)));
  return operands ? PyObject_CallObject(known.function.get(), operands.get())
                  : nullptr;
}

PyObject *attn::python::launchKnown(State &state, CallKey &key,
                                    const Known &known, PyObject *out,
                                    PyObject *stream) {
  if (known.function)
    return stream && stream != Py_None ? giveUp() : callFunction(key, known);
  Target target = known.target;
  if (!findStream(state, key, stream, target))
    return giveUp();

  attn_buffer buffers[kMaxBuffers];
  std::copy(known.buffers.begin(), known.buffers.end(), buffers);
  void *made[kMaxResults] = {};
  Ref results[kMaxResults];
  unsigned numResults = known.results.size();
  bool here = numResults && isHere(state, target);
  for (unsigned i = 0; i < numResults; ++i) {
    const Result &result = known.results[i];
    PyObject *make =
        here && result.makeHere ? result.makeHere.get() : result.make.get();
    results[i] = Ref::take(PyObject_CallObject(make, result.arguments.get()));
    if (!results[i])
      return nullptr;
    attn_buffer array;
    if (!key.getReader().readMade(results[i].get(), array) ||
        !result.matches(array))
      return giveUp();
    made[i] = array.data;
  }
  for (size_t i = 0; i < known.sources.size(); ++i) {
    int source = known.sources[i];
    buffers[i].data = source >= 0  ? key.getOperand(source).data
                      : numResults ? made[-1 - source]
                                   : key.getResult(-1 - source).data;
  }
  if (!launch(state, target, buffers, known.buffers.size(), known.names))
    return nullptr;
  if (!noteWritten(state, key, known))
    return nullptr;

  if (!numResults)
    return Py_NewRef(out ? out : Py_None);
  if (!known.isTuple)
    return results[0].release();
  Ref tuple = Ref::take(PyTuple_New(numResults));
  for (unsigned i = 0; tuple && i < numResults; ++i)
    PyTuple_SetItem(tuple.get(), i, results[i].release());
  return tuple.release();
}

void Pending::tell(PyObject *calls, const CallKey &key,
                   const std::shared_ptr<const Known> &known) {
  if (pending && pending->key && pending->calls == calls &&
      key.hasSameOperands(*pending->key))
    pending->known = known;
}

Pending *Pending::swap(Pending *next) { return std::exchange(pending, next); }
