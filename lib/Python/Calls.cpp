//===- Calls.cpp - Repeated calls -----------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Makes calls of the package that repeat. The first call on arrays of some
// layout is made in Python, which checks the arguments, compiles and launches a
// kernel. It then has the call remembered by its key: all that the call depends
// on except addresses and contents of memory. The next call with the same key
// is made by this file: it allocates the results, passes addresses as the
// kernel's arguments, and launches the kernel.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"

#include "Described.h"
#include "Known.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>

using namespace attn::python;

namespace {

using KnownCalls = std::unordered_map<uint64_t, std::shared_ptr<Known>>;

struct Calls {
  PyObject_HEAD
      /// The state of the Python module, which lives as long as the Python
      /// type.
      State *state;
  KnownCalls *known;
  /// The call that was found or remembered last. The next call is compared with
  /// it first.
  std::shared_ptr<Known> *last;
  /// The number of the operand that has further columns of query or key, or -1;
  /// see CallKey::read().
  int further;
};

} // namespace

static Calls &getCalls(PyObject *self) {
  return *reinterpret_cast<Calls *>(self);
}

/// The method find(operands, options, out, stream) of `Calls`: if a call with
/// the same key is known, makes the call and returns its results. If none is
/// known, or if Python must make the call, returns NotImplemented.
static PyObject *findCall(PyObject *self, PyObject *const *args,
                          Py_ssize_t count) {
  Calls &calls = getCalls(self);
  if (count != 4) {
    PyErr_SetString(PyExc_TypeError, "expected 4 arguments");
    return nullptr;
  }
  State &state = *calls.state;
  CallKey key(state.arrays, state.library);
  PyObject *out = args[2];
  if (!key.read(args[0], args[1], out, calls.further))
    return giveUp();
  // Holds a reference to the known call, since other threads may make `Calls`
  // forget it while the interpreter's lock is released.
  std::shared_ptr<Known> known = *calls.last;
  if (!known || !key.matches(known->key)) {
    auto entry = calls.known->find(key.hash());
    if (entry == calls.known->end() || !key.matches(entry->second->key))
      return giveUp();
    known = entry->second;
  }
  // Keeps the call that was found before until this function returns. If it
  // were destroyed now, the destructor of a Python object might make `Calls`
  // forget all calls.
  std::shared_ptr<Known> before = std::exchange(*calls.last, known);
  PyObject *results = launchKnown(state, key, *known, out, args[3]);
  if (results && results != Py_NotImplemented)
    Pending::tell(self, key, known);
  return results;
}

/// Appends a result to `known.results` for each tuple of the list. A tuple has
/// a function that creates the result, and a faster one for the current device
/// or None. It also has their arguments, and the result of the launched call,
/// for its layout. Returns false if the list is too long, or if a tuple or its
/// array cannot be read.
static bool readResults(ArrayReader &reader, PyObject *list, Known &known) {
  Py_ssize_t count = PyTuple_Size(list);
  if (count < 0 || count > kMaxResults)
    return false;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject *make, *makeHere, *arguments, *array;
    if (!PyArg_ParseTuple(PyTuple_GetItem(list, i), "OOO!O", &make, &makeHere,
                          &PyTuple_Type, &arguments, &array))
      return false;
    Result result;
    attn_buffer buffer;
    if (!reader.read(array, /*isWritten=*/true, buffer))
      return false;
    result.setLayout(buffer);
    result.make = Ref::borrow(make);
    if (makeHere != Py_None)
      result.makeHere = Ref::borrow(makeHere);
    result.arguments = Ref::borrow(arguments);
    known.results.push_back(std::move(result));
  }
  return true;
}

static bool readNumbers(PyObject *tuple, std::vector<int> &numbers) {
  Py_ssize_t count = PyTuple_Size(tuple);
  numbers.reserve(std::max<Py_ssize_t>(count, 0));
  for (Py_ssize_t i = 0; i < count; ++i)
    numbers.push_back(PyLong_AsLong(PyTuple_GetItem(tuple, i)));
  return count >= 0 && !PyErr_Occurred();
}

/// Stores a known call, of object `self`, by its key.
static void store(Calls &calls, PyObject *self, const CallKey &key,
                  std::shared_ptr<Known> known) {
  known->key = key.keep();
  // Calls that are forgotten here are destroyed when this function returns: the
  // destructor of a kernel runs Python code, which may use `Calls`, and during
  // which other threads may.
  KnownCalls forgotten;
  if (calls.known->size() >= kMaxKnown)
    calls.known->swap(forgotten);
  std::shared_ptr<Known> before = std::exchange(*calls.last, known);
  Pending::tell(self, key, known);
  (*calls.known)[key.hash()].swap(known);
}

/// The method remember(operands, options, out, kernel, program, described,
/// sources, results, is_tuple, names, written) of `Calls`. It stores a call
/// that was launched, so that `find` makes later calls with its key. `written`
/// are the numbers of the operands that the call writes. Returns None, also for
/// a call without a key, which is not stored.
static PyObject *rememberCall(PyObject *self, PyObject *args) {
  Calls &calls = getCalls(self);
  State &state = *calls.state;
  PyObject *operands, *options, *out, *kernel, *program, *described, *sources,
      *results, *names, *written;
  int isTuple = 0;
  if (!PyArg_ParseTuple(args, "OOOOOOO!O!pO!O!", &operands, &options, &out,
                        &kernel, &program, &described, &PyTuple_Type, &sources,
                        &PyTuple_Type, &results, &isTuple, &PyTuple_Type,
                        &names, &PyTuple_Type, &written))
    return nullptr;
  CallKey key(state.arrays, state.library);
  const attn_buffer *first = nullptr;
  if (key.read(operands, options, out, calls.further) &&
      !key.getReader().needsGradients())
    first = key.getFirst();
  if (!first) {
    PyErr_Clear();
    Py_RETURN_NONE;
  }
  auto known = std::make_shared<Known>();
  Described arrays;
  if (!arrays.read(described) || !readNumbers(sources, known->sources) ||
      !readNumbers(written, known->written) || !readNames(names, known->names))
    return nullptr;
  if (!readResults(key.getReader(), results, *known) ||
      arrays.buffers.size() > kMaxBuffers) {
    PyErr_Clear();
    Py_RETURN_NONE;
  }
  unsigned made =
      known->results.empty() ? key.getNumResults() : known->results.size();
  bool isRight = known->sources.size() == arrays.buffers.size();
  for (int source : known->sources)
    isRight &= source >= 0 ? unsigned(source) < key.getNumOperands()
                           : unsigned(-1 - source) < made;
  for (int number : known->written)
    isRight &= number >= 0 && unsigned(number) < key.getNumOperands() &&
               known->written.size() <= kMaxBuffers;
  if (!isRight) {
    PyErr_SetString(PyExc_ValueError,
                    "expected an operand or a result for each buffer");
    return nullptr;
  }
  known->target.program =
      static_cast<attn_program *>(PyLong_AsVoidPtr(program));
  known->target.deviceType = first->device_type == ATTN_DEVICE_CUDA
                                 ? ATTN_DEVICE_CUDA
                                 : ATTN_DEVICE_CPU;
  known->target.device = first->device_id;
  known->kernel = Ref::borrow(kernel);
  known->buffers = std::move(arrays.buffers);
  known->words = std::move(arrays.words);
  known->isTuple = isTuple;
  store(calls, self, key, std::move(known));
  Py_RETURN_NONE;
}

/// The method remember_function(operands, options, function) of `Calls`. It
/// stores a call that `find` makes by the function, with the operands as its
/// arguments, if the operands of the same numbers require a gradient. Returns
/// None, also for a call without a key, which is not stored.
static PyObject *rememberFunction(PyObject *self, PyObject *args) {
  Calls &calls = getCalls(self);
  PyObject *operands, *options, *function;
  if (!PyArg_ParseTuple(args, "OOO", &operands, &options, &function))
    return nullptr;
  CallKey key(calls.state->arrays, calls.state->library);
  if (!key.read(operands, options, Py_None, calls.further) ||
      !key.getReader().needsGradients()) {
    PyErr_Clear();
    Py_RETURN_NONE;
  }
  auto known = std::make_shared<Known>();
  known->function = Ref::borrow(function);
  store(calls, self, key, std::move(known));
  Py_RETURN_NONE;
}

static PyObject *clearCalls(PyObject *self, PyObject *) {
  // The calls are destroyed after `Calls` has forgotten all of them; see
  // rememberCall().
  KnownCalls forgotten;
  std::shared_ptr<Known> before;
  getCalls(self).known->swap(forgotten);
  getCalls(self).last->swap(before);
  Py_RETURN_NONE;
}

static Py_ssize_t countCalls(PyObject *self) {
  return getCalls(self).known->size();
}

static PyObject *makeCalls(PyTypeObject *type, PyObject *args,
                           PyObject *keywords) {
  int further = -1;
  static const char *names[] = {"further", nullptr};
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|i",
                                   const_cast<char **>(names), &further))
    return nullptr;
  State *state = nullptr;
  PyObject *self = allocate(type, state);
  if (!self)
    return nullptr;
  Calls &calls = getCalls(self);
  calls.state = state;
  calls.known = new KnownCalls();
  calls.last = new std::shared_ptr<Known>();
  calls.further = further;
  return self;
}

static void destroyCalls(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  delete getCalls(self).known;
  delete getCalls(self).last;
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

bool attn::python::addCallsType(PyObject *module) {
  static PyMethodDef methods[] = {
      {"find",
       reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(findCall)),
       METH_FASTCALL,
       "find(operands, options, out, stream): the results, or NotImplemented"},
      {"remember", rememberCall, METH_VARARGS,
       "remember(operands, options, out, kernel, program, described, sources, "
       "results, is_tuple, names, written)"},
      {"remember_function", rememberFunction, METH_VARARGS,
       "remember_function(operands, options, function)"},
      {"clear", clearCalls, METH_NOARGS, "Forgets all calls."},
      {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char *>("Calls that were launched before.")},
      {Py_tp_new, reinterpret_cast<void *>(makeCalls)},
      {Py_tp_dealloc, reinterpret_cast<void *>(destroyCalls)},
      {Py_tp_methods, methods},
      {Py_sq_length, reinterpret_cast<void *>(countCalls)},
      {0, nullptr}};
  static PyType_Spec spec = {"attn_mlir._binding.Calls", sizeof(Calls), 0,
                             Py_TPFLAGS_DEFAULT, slots};
  Ref type = Ref::take(PyType_FromModuleAndSpec(module, &spec, nullptr));
  return type && PyModule_AddObjectRef(module, "Calls", type.get()) == 0;
}
