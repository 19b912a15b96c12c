//===- Watch.cpp - What a Python function reads ---------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Watch.h"

#include <cstring>
#include <type_traits>
#include <utility>

using namespace attn::python;

namespace {

/// The result of a step: the values are found, cannot be found, or Python has
/// raised an exception.
enum class Step { Found, Unknown, Failed };

/// The elements of the tuple `rules`. Those that name a class are that class,
/// or None if its library is not loaded.
struct Rules {
  PyObject *functionType, *partialType, *moduleType, *preparedMaskType,
      *numpyArray, *torchTensor;
  /// Tuples of classes: the values of the exact classes never change, and
  /// neither do those of the others and of classes that are derived from these.
  PyObject *exact, *constant;
  /// A frozenset of the identities of functions that read nothing but their
  /// arguments.
  PyObject *pure;
  /// A function that returns the uses of variables in a code object, or None.
  PyObject *findUses;
  /// A frozenset of the names of attributes that any value may be asked for.
  PyObject *attributes;
  /// The name of this package, and the module `builtins`.
  PyObject *own, *builtins;
};

/// Collects the values that a function reads.
class Walk {
public:
  Walk(const Rules &rules)
      : rules(rules), parts(Ref::take(PyList_New(0))),
        values(Ref::take(PyList_New(0))), kept(Ref::take(PyList_New(0))),
        seen(Ref::take(PyDict_New())) {}

  PyObject *run(PyObject *function);

private:
  Step visit(PyObject *value);
  Step visitOnce(PyObject *value);
  Step visitFunction(PyObject *function);
  Step visitUses(PyObject *function, PyObject *code);
  Step visitAttribute(Ref value, PyObject *attributes);
  Step visitSequence(PyObject *sequence);
  Step visitNamed(PyObject *value, const char *name);
  Step visitValues(PyObject *dict);
  Step addLayout(PyObject *array, bool isTensor);

  /// Adds an element, which may be null after an exception, to the signature.
  bool add(Ref part) { return part && !PyList_Append(parts.get(), part.get()); }
  bool addNumber(Py_ssize_t number) {
    return add(Ref::take(PyLong_FromSsize_t(number)));
  }
  bool addIdentity(PyObject *value);

  const Rules &rules;
  /// The signature, the values that were found, each once, and the values whose
  /// identities are in the signature.
  Ref parts, values, kept;
  /// The number of each element of `values`, by its identity.
  Ref seen;
};

} // namespace

static Ref getIdentity(PyObject *object) {
  return Ref::take(PyLong_FromVoidPtr(object));
}

static Ref getAttribute(PyObject *object, const char *name) {
  return Ref::take(PyObject_GetAttrString(object, name));
}

static bool isType(PyObject *value, PyObject *type) {
  return reinterpret_cast<PyObject *>(Py_TYPE(value)) == type;
}

static bool isOneOf(PyObject *value, PyObject *types) {
  for (Py_ssize_t i = 0; i < PyTuple_Size(types); ++i)
    if (isType(value, PyTuple_GetItem(types, i)))
      return true;
  return false;
}

/// Whether an object is a tuple of Python's integers.
static bool isConstantTuple(PyObject *tuple) {
  if (!PyTuple_Check(tuple))
    return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); ++i)
    if (!PyLong_CheckExact(PyTuple_GetItem(tuple, i)))
      return false;
  return true;
}

/// Returns Unknown, and removes the present exception, if that is of the class
/// `expected`; else Failed.
static Step forgive(PyObject *expected) {
  if (!PyErr_ExceptionMatches(expected))
    return Step::Failed;
  PyErr_Clear();
  return Step::Unknown;
}

/// Returns a new reference to the value of a dictionary's key, or null, also
/// with an exception.
static Ref getItem(PyObject *dict, PyObject *key) {
  return Ref::borrow(PyDict_GetItemWithError(dict, key));
}

Step Walk::visit(PyObject *value) {
  if (PyLong_CheckExact(value) || PyFloat_CheckExact(value) ||
      PyBool_Check(value)) {
    // A float is compared by its text, since 0.0 equals -0.0, and NaN does not
    // equal itself. Large integers have no text.
    Ref number = PyFloat_CheckExact(value) ? Ref::take(PyObject_Repr(value))
                                           : Ref::borrow(value);
    bool isAdded =
        number &&
        add(Ref::take(PyTuple_Pack(
            2, reinterpret_cast<PyObject *>(Py_TYPE(value)), number.get())));
    return isAdded ? Step::Found : Step::Failed;
  }
  Ref identity = getIdentity(value);
  if (!identity)
    return Step::Failed;
  // A value that was found before is its number, below 0 to differ from an
  // identity.
  if (Ref number = getItem(seen.get(), identity.get()))
    return add(std::move(number)) ? Step::Found : Step::Failed;
  // `values` keeps the objects alive, so that no new object can get one of
  // their identities.
  Ref number = Ref::take(PyLong_FromSsize_t(-1 - PyList_Size(values.get())));
  if (PyErr_Occurred() || PyList_Append(values.get(), value) ||
      PyDict_SetItem(seen.get(), identity.get(), number.get()) ||
      Py_EnterRecursiveCall(" while looking at what a function reads"))
    return Step::Failed;
  Step step = visitOnce(value);
  Py_LeaveRecursiveCall();
  return step;
}

bool Walk::addIdentity(PyObject *value) {
  return !PyList_Append(kept.get(), value) && add(getIdentity(value));
}

Step Walk::visitOnce(PyObject *value) {
  Ref identity = getIdentity(value);
  int isConstant = identity ? PySet_Contains(rules.pure, identity.get()) : -1;
  if (!isConstant)
    isConstant = isOneOf(value, rules.exact);
  if (!isConstant)
    isConstant = PyObject_IsInstance(value, rules.constant);
  if (isConstant)
    return isConstant > 0 && addIdentity(value) ? Step::Found : Step::Failed;
  if (!add(Ref::borrow(reinterpret_cast<PyObject *>(Py_TYPE(value)))))
    return Step::Failed;
  if (isType(value, rules.functionType))
    return visitFunction(value);
  if (isType(value, rules.numpyArray))
    return addLayout(value, /*isTensor=*/false);
  if (PyTuple_CheckExact(value) || PyList_CheckExact(value))
    return visitSequence(value);
  int isTensor = rules.torchTensor == Py_None
                     ? 0
                     : PyObject_IsInstance(value, rules.torchTensor);
  if (isTensor)
    return isTensor > 0 ? addLayout(value, /*isTensor=*/true) : Step::Failed;
  if (isType(value, rules.partialType)) {
    for (const char *name : {"func", "args"})
      if (Step step = visitNamed(value, name); step != Step::Found)
        return step;
    Ref keywords = getAttribute(value, "keywords");
    return keywords ? visitValues(keywords.get()) : Step::Failed;
  }
  if (!isType(value, rules.preparedMaskType))
    return Step::Unknown;
  Step step = visitNamed(value, "array");
  return step == Step::Found ? visitNamed(value, "summary") : step;
}

/// Adds an array's dtype, sizes and strides.
Step Walk::addLayout(PyObject *array, bool isTensor) {
  Ref dtype = getAttribute(array, "dtype"),
      sizes = getAttribute(array, "shape"),
      strides = isTensor
                    ? Ref::take(PyObject_CallMethod(array, "stride", nullptr))
                    : getAttribute(array, "strides");
  if (isTensor && sizes)
    sizes = Ref::take(PySequence_Tuple(sizes.get()));
  if (!dtype || !sizes || !strides) // a tensor without strides
    return isTensor ? forgive(PyExc_RuntimeError) : Step::Failed;
  // Sizes and strides may be symbols of torch, which have no value yet.
  if (!isConstantTuple(sizes.get()) || !isConstantTuple(strides.get()))
    return Step::Unknown;
  bool isAdded =
      add(std::move(dtype)) && add(std::move(sizes)) && add(std::move(strides));
  return isAdded ? Step::Found : Step::Failed;
}

Step Walk::visitSequence(PyObject *sequence) {
  Py_ssize_t size = PySequence_Size(sequence);
  if (!addNumber(size))
    return Step::Failed;
  for (Py_ssize_t i = 0; i < size; ++i) {
    Ref element = Ref::take(PySequence_GetItem(sequence, i));
    Step step = element ? visit(element.get()) : Step::Failed;
    if (step != Step::Found)
      return step;
  }
  return Step::Found;
}

Step Walk::visitNamed(PyObject *value, const char *name) {
  Ref found = getAttribute(value, name);
  return found ? visit(found.get()) : Step::Failed;
}

/// Adds the names and the values of a dictionary.
Step Walk::visitValues(PyObject *dict) {
  Py_ssize_t position = 0;
  PyObject *key, *value;
  if (!addNumber(PyDict_Size(dict)))
    return Step::Failed;
  while (PyDict_Next(dict, &position, &key, &value)) {
    if (!add(Ref::borrow(key)))
      return Step::Failed;
    Ref kept = Ref::borrow(value);
    if (Step step = visit(kept.get()); step != Step::Found)
      return step;
  }
  return Step::Found;
}

Step Walk::visitFunction(PyObject *function) {
  Ref code = getAttribute(function, "__code__");
  if (!code || !addIdentity(code.get()))
    return Step::Failed;
  Ref defaults = getAttribute(function, "__defaults__"),
      named = getAttribute(function, "__kwdefaults__"),
      module = getAttribute(function, "__module__"),
      closure = getAttribute(function, "__closure__");
  if (!defaults || !named || !module || !closure)
    return Step::Failed;
  if (Step step = visit(defaults.get()); step != Step::Found)
    return step;
  if (named.get() != Py_None)
    if (Step step = visitValues(named.get()); step != Step::Found)
      return step;
  Ref parts =
      PyUnicode_Check(module.get())
          ? Ref::take(PyUnicode_Partition(
                module.get(), Ref::take(PyUnicode_FromString(".")).get()))
          : Ref();
  if (PyErr_Occurred())
    return Step::Failed;
  int isOther =
      parts ? PyUnicode_Compare(PyTuple_GetItem(parts.get(), 0), rules.own) : 1;
  if (isOther)
    return visitUses(function, code.get());
  // A function of this package reads only its arguments and the variables of
  // its closure, so only these are visited.
  for (Py_ssize_t i = 0;
       closure.get() != Py_None && i < PyTuple_Size(closure.get()); ++i) {
    Ref value =
        getAttribute(PyTuple_GetItem(closure.get(), i), "cell_contents");
    Step step = value ? visit(value.get()) : forgive(PyExc_ValueError);
    if (step != Step::Found)
      return step;
  }
  return Step::Found;
}

Step Walk::visitUses(PyObject *function, PyObject *code) {
  Ref uses =
      Ref::take(PyObject_CallFunctionObjArgs(rules.findUses, code, nullptr));
  if (!uses)
    return Step::Failed;
  if (uses.get() == Py_None)
    return Step::Unknown;
  Ref globals = getAttribute(function, "__globals__"),
      closure = getAttribute(function, "__closure__"),
      names = getAttribute(code, "co_freevars");
  if (!globals || !closure || !names)
    return Step::Failed;
  for (Py_ssize_t i = 0; i < PyTuple_Size(uses.get()); ++i) {
    PyObject *use = PyTuple_GetItem(uses.get(), i);
    PyObject *name = PyTuple_GetItem(use, 1);
    Ref value;
    if (PyTuple_GetItem(use, 0) == Py_True) {
      value = getItem(globals.get(), name);
      if (!value && !PyErr_Occurred())
        value = getItem(PyModule_GetDict(rules.builtins), name);
    } else {
      Py_ssize_t number = PySequence_Index(names.get(), name);
      if (number < 0)
        return Step::Failed;
      value =
          getAttribute(PyTuple_GetItem(closure.get(), number), "cell_contents");
      if (!value) // a variable that has no value yet
        return forgive(PyExc_ValueError);
    }
    if (!value)
      return PyErr_Occurred() ? Step::Failed : Step::Unknown;
    Step step = visitAttribute(std::move(value), PyTuple_GetItem(use, 2));
    if (step != Step::Found)
      return step;
  }
  return Step::Found;
}

/// Visits the value from which a function reads `attributes`, each from the one
/// before: the value itself or, if it is a module, the first of them that is
/// none.
Step Walk::visitAttribute(Ref value, PyObject *attributes) {
  for (Py_ssize_t i = 0; i < PyTuple_Size(attributes); ++i) {
    PyObject *name = PyTuple_GetItem(attributes, i);
    if (isType(value.get(), rules.moduleType)) {
      value = getItem(PyModule_GetDict(value.get()), name);
      if (!value)
        return PyErr_Occurred() ? Step::Failed : Step::Unknown;
      continue;
    }
    // Attributes that are read from a value other than a module must be among
    // those that traced numbers have, and the value must not be callable:
    // attributes of functions may change.
    int isAllowed = PyCallable_Check(value.get())
                        ? 0
                        : PySet_Contains(rules.attributes, name);
    if (isAllowed <= 0)
      return isAllowed ? Step::Failed : Step::Unknown;
  }
  return visit(value.get());
}

PyObject *Walk::run(PyObject *function) {
  if (!parts || !values || !kept || !seen)
    return nullptr;
  bool isKnown = isType(function, rules.functionType) ||
                 isType(function, rules.partialType);
  Step step = isKnown ? visit(function) : Step::Unknown;
  if (step == Step::Failed)
    return nullptr;
  if (step == Step::Unknown)
    Py_RETURN_NONE;
  Ref signature = Ref::take(PyList_AsTuple(parts.get()));
  return signature ? PyTuple_Pack(3, signature.get(), values.get(), kept.get())
                   : nullptr;
}

PyObject *attn::python::watchFunction(PyObject *, PyObject *const *args,
                                      Py_ssize_t count) {
  constexpr Py_ssize_t numRules = sizeof(Rules) / sizeof(PyObject *);
  if (count != 2 || !PyTuple_Check(args[1]) ||
      PyTuple_Size(args[1]) != numRules) {
    PyErr_SetString(PyExc_TypeError, "expected a function and its rules");
    return nullptr;
  }
  PyObject *given[numRules];
  for (Py_ssize_t i = 0; i < numRules; ++i)
    given[i] = PyTuple_GetItem(args[1], i);
  Rules rules;
  static_assert(std::is_trivially_copyable_v<Rules>);
  std::memcpy(&rules, given, sizeof(rules));
  return Walk(rules).run(args[0]);
}
