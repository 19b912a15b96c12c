//===- Function.cpp - Functions whose calls repeat ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A function of the package as its callers see it. A call whose arguments are
// like those of an earlier one is made by this file. All others are made by a
// function in Python. That function calls `Calls.find` and `Calls.remember`,
// which tell this file the known call to remember.
//
// Python would have to fill the function's parameters, most of which have their
// defaults, and to put them into tuples. That takes as long as the package
// takes for the rest of a call.
//
//===----------------------------------------------------------------------===//

#include "Function.h"

#include "Known.h"

#include <structmember.h>

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <utility>

using namespace attn::python;

namespace {

/// The flag of types with a vectorcall function (PEP 590). The stable interface
/// has it since CPython 3.12, and it has the same value in 3.11.
constexpr unsigned long kHasVectorcall = 1ul << 11;
using Vectorcall = PyObject *(*)(PyObject * self, PyObject *const *args,
                                 size_t flags, PyObject *names);
constexpr size_t kOffsetFlag = size_t(1) << (8 * sizeof(size_t) - 1);

struct Function {
  PyObject_HEAD
      /// The state of the Python module, which lives as long as the Python
      /// type.
      State *state;
  Vectorcall call;
  /// `attributes` is the function's dictionary of attributes, and
  /// `weakReferences` its list of weak references.
  PyObject *attributes, *weakReferences;
  struct Members *members;
};

/// A call that was made in Python: its key, by the arguments as the caller gave
/// them, and the known call that `Calls` has stored for it. The memo is no
/// longer valid when `Calls` forgets that call.
struct Memo {
  CallKey::Kept key;
  std::weak_ptr<const Known> known;
};

struct Members {
  /// `function` is the function in Python, and `calls` the `Calls` that it
  /// uses. `replacements` is a list that is empty unless Python must make all
  /// calls.
  Ref function, calls, replacements;
  /// The names of the function's parameters.
  std::vector<Ref> names;
  /// The role of each parameter: the number of the operand that it is, or one
  /// of these constants if it is an option, `out` or `stream`.
  enum : int { IsOption = -1, IsOut = -2, IsStream = -3 };
  std::vector<int> roles;
  size_t numPositional = 0;
  unsigned numOperands = 0;
  /// The number of the operand that has further columns of query or key, or -1;
  /// see CallKey::read().
  int further = -1;
  std::unordered_map<uint64_t, std::shared_ptr<const Memo>> memos;
  std::shared_ptr<const Memo> last;

  bool findParameter(PyObject *name, size_t &number) const;
};

/// The arguments of a call, one for each parameter; null if it is not given.
struct Arguments {
  static constexpr size_t kMax = 40;
  PyObject *values[kMax] = {};

  /// Sets `values` to the arguments of a call. `args` has `count` arguments by
  /// position and then those whose names are in `names`, a tuple or null.
  /// Returns false for arguments that Python has to handle, such as an unknown
  /// name.
  bool read(const Members &members, PyObject *const *args, size_t count,
            PyObject *names);
  bool readKey(const Members &members, CallKey &key) const;
  /// Returns the argument of the one parameter that has the role `role`, or
  /// null if it is not given.
  PyObject *get(const Members &members, int role) const;
};

} // namespace

static Function &getFunction(PyObject *self) {
  return *reinterpret_cast<Function *>(self);
}

bool Members::findParameter(PyObject *name, size_t &number) const {
  // Most names are found by identity, since Python interns the names of
  // parameters.
  for (number = 0; number < names.size(); ++number)
    if (names[number].get() == name)
      return true;
  for (number = 0; number < names.size(); ++number)
    if (PyUnicode_Compare(names[number].get(), name) == 0)
      return true;
  return false;
}

bool Arguments::read(const Members &members, PyObject *const *args,
                     size_t count, PyObject *names) {
  if (count > members.numPositional)
    return false;
  std::copy_n(args, count, values);
  size_t numNames = names ? PyTuple_Size(names) : 0;
  for (size_t i = 0; i < numNames; ++i) {
    size_t number;
    if (!members.findParameter(PyTuple_GetItem(names, i), number) ||
        values[number])
      return false;
    values[number] = args[count + i];
  }
  return true;
}

bool Arguments::readKey(const Members &members, CallKey &key) const {
  PyObject *operands[kMax] = {};
  for (size_t i = 0; i < members.roles.size(); ++i)
    if (members.roles[i] >= 0)
      operands[members.roles[i]] = values[i];
  if (!key.readOperands(operands, members.numOperands, members.further))
    return false;
  for (size_t i = 0; i < members.roles.size(); ++i)
    if (members.roles[i] == Members::IsOption && !key.readOption(values[i]))
      return false;
  return key.readResults(get(members, Members::IsOut));
}

PyObject *Arguments::get(const Members &members, int role) const {
  for (size_t i = 0; i < members.roles.size(); ++i)
    if (members.roles[i] == role)
      return values[i];
  return nullptr;
}

/// Calls a Python function with `count` arguments by position, which are
/// followed in `args` by arguments for `names`.
static PyObject *callPython(PyObject *function, PyObject *const *args,
                            size_t count, PyObject *names) {
  Ref positional = Ref::take(PyTuple_New(count));
  Ref keywords = Ref::take(names ? PyDict_New() : nullptr);
  if (!positional || (names && !keywords))
    return nullptr;
  for (size_t i = 0; i < count; ++i)
    PyTuple_SetItem(positional.get(), i, Py_NewRef(args[i]));
  for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); ++i)
    if (PyDict_SetItem(keywords.get(), PyTuple_GetItem(names, i),
                       args[count + i]))
      return nullptr;
  return PyObject_Call(function, positional.get(), keywords.get());
}

/// Makes the call in Python and returns its result. If `Calls` then knows the
/// call and `key` is not null, remembers the known call by `key`.
static PyObject *callNew(Members &members, PyObject *const *args, size_t count,
                         PyObject *names, const CallKey *key) {
  std::shared_ptr<const Known> known;
  Pending pending = {members.calls.get(), key, known};
  Pending *before = Pending::swap(&pending);
  PyObject *found = callPython(members.function.get(), args, count, names);
  Pending::swap(before);
  if (!found || !known)
    return found;
  auto memo = std::make_shared<Memo>(Memo{key->keep(), known});
  if (members.memos.size() >= kMaxKnown)
    members.memos.clear();
  members.last = memo;
  members.memos[key->hash()] = std::move(memo);
  return found;
}

static PyObject *call(PyObject *self, PyObject *const *args, size_t flags,
                      PyObject *names) {
  size_t count = flags & ~kOffsetFlag;
  Function &function = getFunction(self);
  Members &members = *function.members;
  Arguments arguments;
  if (PyList_Size(members.replacements.get()) != 0 ||
      !arguments.read(members, args, count, names))
    return callNew(members, args, count, names, nullptr);
  CallKey key(function.state->arrays, function.state->library);
  if (!arguments.readKey(members, key)) {
    PyErr_Clear();
    return callNew(members, args, count, names, nullptr);
  }
  // Holds a reference to the memo, since other threads may remove it while the
  // interpreter's lock is released.
  std::shared_ptr<const Memo> memo = members.last;
  if (!memo || !key.matches(memo->key)) {
    auto entry = members.memos.find(key.hash());
    if (entry == members.memos.end() || !key.matches(entry->second->key))
      return callNew(members, args, count, names, &key);
    memo = entry->second;
  }
  std::shared_ptr<const Known> known = memo->known.lock();
  if (!known)
    return callNew(members, args, count, names, &key);
  members.last = std::move(memo);
  PyObject *found = launchKnown(*function.state, key, *known,
                                arguments.get(members, Members::IsOut),
                                arguments.get(members, Members::IsStream));
  if (found != Py_NotImplemented)
    return found;
  Py_DECREF(found);
  return callNew(members, args, count, names, nullptr);
}

/// Does as call() for a call with a tuple of arguments and a dictionary of
/// keywords, such as `f(*args)`.
static PyObject *callWithTuple(PyObject *self, PyObject *args,
                               PyObject *keywords) {
  Py_ssize_t count = PyTuple_Size(args);
  std::vector<PyObject *> values;
  for (Py_ssize_t i = 0; i < count; ++i)
    values.push_back(PyTuple_GetItem(args, i));
  Ref names =
      Ref::take(keywords ? PyTuple_New(PyDict_Size(keywords)) : nullptr);
  if (keywords && !names)
    return nullptr;
  PyObject *name, *value;
  for (Py_ssize_t at = 0, i = 0;
       keywords && PyDict_Next(keywords, &at, &name, &value); ++i) {
    PyTuple_SetItem(names.get(), i, Py_NewRef(name));
    values.push_back(value);
  }
  return call(self, values.data(), count, names.get());
}

/// The constructor Function(function, calls, replacements, names, roles,
/// num_positional, further) of the Python type.
static PyObject *makeFunction(PyTypeObject *type, PyObject *args,
                              PyObject *keywords) {
  PyObject *function, *calls, *replacements, *names, *roles;
  Py_ssize_t numPositional;
  int further;
  if (!PyArg_ParseTuple(args, "OOO!O!O!ni", &function, &calls, &PyList_Type,
                        &replacements, &PyTuple_Type, &names, &PyTuple_Type,
                        &roles, &numPositional, &further))
    return nullptr;
  auto members = std::make_unique<Members>();
  members->function = Ref::borrow(function);
  members->calls = Ref::borrow(calls);
  members->replacements = Ref::borrow(replacements);
  members->numPositional = numPositional;
  members->further = further;
  for (Py_ssize_t i = 0; i < PyTuple_Size(names); ++i)
    members->names.push_back(Ref::borrow(PyTuple_GetItem(names, i)));
  for (Py_ssize_t i = 0; i < PyTuple_Size(roles); ++i) {
    members->roles.push_back(PyLong_AsLong(PyTuple_GetItem(roles, i)));
    members->numOperands += members->roles.back() >= 0;
  }
  if (PyErr_Occurred())
    return nullptr;
  auto isOperand = [&](int role) {
    return role < static_cast<int>(members->numOperands);
  };
  if (members->names.size() != members->roles.size() ||
      members->names.size() > Arguments::kMax || numPositional < 0 ||
      members->numPositional > members->names.size() ||
      !std::all_of(members->roles.begin(), members->roles.end(), isOperand)) {
    PyErr_SetString(PyExc_ValueError, "expected a role for each parameter");
    return nullptr;
  }
  State *state = nullptr;
  PyObject *self = allocate(type, state);
  if (!self)
    return nullptr;
  getFunction(self).state = state;
  getFunction(self).call = call;
  getFunction(self).members = members.release();
  return self;
}

static void destroyFunction(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  if (getFunction(self).weakReferences)
    PyObject_ClearWeakRefs(self);
  delete getFunction(self).members;
  Py_XDECREF(getFunction(self).attributes);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

/// The type's `__get__`: returns the function itself for any instance, since it
/// is no method of a class. With this attribute, `help` and `inspect` treat an
/// object of the type as a function.
static PyObject *getBound(PyObject *self, PyObject *, PyObject *) {
  return Py_NewRef(self);
}

static PyObject *getName(PyObject *self, PyObject *) {
  // copy and pickle refer to a `Function` object by its name.
  return PyObject_GetAttrString(self, "__qualname__");
}

bool attn::python::addFunctionType(PyObject *module) {
  static PyMethodDef methods[] = {
      {"__reduce__", getName, METH_NOARGS, "The function's name."},
      {nullptr, nullptr, 0, nullptr}};
  static PyMemberDef members[] = {
      {"__dictoffset__", T_PYSSIZET, offsetof(Function, attributes), READONLY,
       nullptr},
      {"__weaklistoffset__", T_PYSSIZET, offsetof(Function, weakReferences),
       READONLY, nullptr},
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(Function, call), READONLY,
       nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyGetSetDef attributes[] = {
      {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr,
       nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void *>(makeFunction)},
      {Py_tp_dealloc, reinterpret_cast<void *>(destroyFunction)},
      {Py_tp_call, reinterpret_cast<void *>(callWithTuple)},
      {Py_tp_descr_get, reinterpret_cast<void *>(getBound)},
      {Py_tp_methods, methods},
      {Py_tp_members, members},
      {Py_tp_getset, attributes},
      {0, nullptr}};
  static PyType_Spec spec = {"attn_mlir._binding.Function", sizeof(Function), 0,
                             unsigned(Py_TPFLAGS_DEFAULT | kHasVectorcall),
                             slots};
  Ref type = Ref::take(PyType_FromModuleAndSpec(module, &spec, nullptr));
  return type && PyModule_AddObjectRef(module, "Function", type.get()) == 0;
}
