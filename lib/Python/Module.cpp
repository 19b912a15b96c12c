//===- Module.cpp - The package's module in C++ ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The Python module `attn_mlir._binding`, in CPython's stable interface from
// 3.11 on. It does the work on the host that each call of the package needs.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "Described.h"
#include "Function.h"
#include "Launch.h"
#include "Programs.h"
#include "State.h"
#include "Watch.h"

#include "attn/Dialect/Attn/IR/ExtraTable.h"

#include <iterator>

using namespace attn::python;

State &attn::python::getState(PyObject *module) {
  return **static_cast<State **>(PyModule_GetState(module));
}

PyObject *attn::python::allocate(PyTypeObject *type, State *&state) {
  void *found = PyType_GetModuleState(type);
  if (!found)
    return nullptr;
  state = *static_cast<State **>(found);
  return reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc))(type,
                                                                        0);
}

/// The names of attn_status's values, in their order.
static constexpr const char *kStatusNames[] = {
    "SUCCESS",        "NO_DRIVER",        "NO_DEVICE",     "BAD_PROGRAM",
    "OUT_OF_MEMORY",  "INVALID_ARGUMENT", "LAUNCH_FAILED", "DRIVER_ERROR",
    "INVALID_MODULE", "UNSUPPORTED"};
static_assert(std::size(kStatusNames) == ATTN_UNSUPPORTED + 1);

PyObject *State::raise(attn_status status, const std::string &message) const {
  bool isArgument = status == ATTN_INVALID_ARGUMENT;
  const char *name =
      size_t(status) < std::size(kStatusNames) ? kStatusNames[status] : "";
  Ref text = Ref::take(
      PyUnicode_DecodeUTF8(message.data(), message.size(), "replace"));
  if (!text)
    return nullptr;
  Ref raised = Ref::take(
      isArgument ? PyObject_CallFunction(argumentError.get(), "O", text.get())
                 : PyObject_CallFunction(error.get(), "Os", text.get(), name));
  if (raised)
    PyErr_SetObject((isArgument ? argumentError : error).get(), raised.get());
  return nullptr;
}

PyObject *State::raise(Driver::Result result) const {
  return raise(result == Driver::Result::NoDriver ? ATTN_NO_DRIVER
                                                  : ATTN_DRIVER_ERROR,
               driver.getError());
}

/// The module's function open(path, Error, ArgumentError): loads the
/// libattn-c.so at `path`, and sets the exceptions that its failures raise.
/// Raises ImportError if the file is not usable.
static PyObject *openLibrary(PyObject *module, PyObject *args) {
  const char *path;
  PyObject *error, *argumentError;
  if (!PyArg_ParseTuple(args, "sOO", &path, &error, &argumentError))
    return nullptr;
  State &state = getState(module);
  if (const char *fault = state.library.open(path)) {
    PyErr_SetString(PyExc_ImportError, fault);
    return nullptr;
  }
  state.error = Ref::borrow(error);
  state.argumentError = Ref::borrow(argumentError);
  Py_RETURN_NONE;
}

/// The module's function operands(): returns the table of operands in the op's
/// clause `with`. A row is a tuple: the operand's name there, the name of its
/// array, whether rows may share an element, whether it holds further columns,
/// whether gradients take it, whether it excludes dropout, and a tuple with the
/// letters of each form that it may have.
static PyObject *getOperands(PyObject *, PyObject *) {
#define ATTN_EXTRA(ID, NAME, OF, TRAITS, ...)                                  \
  static constexpr const char *formsOf##ID[] = {__VA_ARGS__};
  ATTN_EXTRA_OPERANDS(ATTN_EXTRA)
#undef ATTN_EXTRA
  struct Row {
    const char *name, *of;
    unsigned traits;
    const char *const *forms;
    size_t numForms;
  };
#define ATTN_EXTRA(ID, NAME, OF, TRAITS, ...)                                  \
  {NAME, OF, mlir::attn::TRAITS, formsOf##ID, std::size(formsOf##ID)},
  static constexpr Row rows[] = {ATTN_EXTRA_OPERANDS(ATTN_EXTRA)};
#undef ATTN_EXTRA
  Ref table = Ref::take(PyTuple_New(std::size(rows)));
  if (!table)
    return nullptr;
  for (size_t i = 0; i < std::size(rows); ++i) {
    const Row &row = rows[i];
    Ref forms = Ref::take(PyTuple_New(row.numForms));
    if (!forms)
      return nullptr;
    for (size_t number = 0; number < row.numForms; ++number) {
      PyObject *text = PyUnicode_FromString(row.forms[number]);
      if (!text || PyTuple_SetItem(forms.get(), number, text))
        return nullptr;
    }
    PyObject *made = Py_BuildValue(
        "(ssNNNNO)", row.name, row.of,
        PyBool_FromLong(row.traits & mlir::attn::kTakesBlocks),
        PyBool_FromLong(row.traits & mlir::attn::kHasColumns),
        PyBool_FromLong(!(row.traits & mlir::attn::kForwardOnly)),
        PyBool_FromLong(row.traits & mlir::attn::kExcludesDropout),
        forms.get());
    if (!made || PyTuple_SetItem(table.get(), i, made))
      return nullptr;
  }
  return table.release();
}

static bool keepAll(PyObject *tuple, std::vector<Ref> &kept) {
  kept.clear();
  Py_ssize_t count = PyTuple_Size(tuple);
  for (Py_ssize_t i = 0; i < count; ++i)
    kept.push_back(Ref::borrow(PyTuple_GetItem(tuple, i)));
  return count >= 0;
}

/// The module's function know_torch(types, exchange, observers, forward_ad,
/// is_grad_enabled, is_neg, increment_version=None, never_negative=0,
/// bytes=()): from now on, this module reads tensors of these types itself, by
/// the C functions of `exchange`.
static PyObject *knowTorch(PyObject *module, PyObject *args) {
  PyObject *types, *capsule, *observers, *forwardAD, *isGradEnabled,
      *isNegative, *incrementVersion = Py_None, *bytes = nullptr;
  unsigned neverNegative = 0;
  if (!PyArg_ParseTuple(args, "O!OO!OOO|OIO!", &PyTuple_Type, &types, &capsule,
                        &PyTuple_Type, &observers, &forwardAD, &isGradEnabled,
                        &isNegative, &incrementVersion, &neverNegative,
                        &PyTuple_Type, &bytes))
    return nullptr;
  const auto *exchange = static_cast<const DLPackExchange *>(
      PyCapsule_GetPointer(capsule, "dlpack_exchange_api"));
  while (exchange && exchange->major != 1)
    exchange = exchange->previous;
  // If torch has no table for DLPack's major version 1, or one without
  // `borrow`, Python describes all tensors.
  if (!exchange || !exchange->borrow) {
    PyErr_Clear();
    Py_RETURN_NONE;
  }
  ArrayTypes::Torch &torch = getState(module).arrays.torch;
  if (!keepAll(types, torch.types) || (bytes && !keepAll(bytes, torch.bytes)))
    return nullptr;
  torch.observers.clear();
  for (Py_ssize_t i = 0; i < PyTuple_Size(observers); ++i)
    torch.observers.emplace_back(PyTuple_GetItem(observers, i),
                                 /*isMethod=*/false);
  torch.exchange = exchange;
  torch.forwardAD = Ref::borrow(forwardAD);
  torch.isGradEnabled = Question(isGradEnabled, /*isMethod=*/false);
  torch.isNegative = Question(isNegative, /*isMethod=*/true);
  torch.neverNegative = neverNegative;
  torch.incrementVersion =
      incrementVersion == Py_None ? Ref() : Ref::borrow(incrementVersion);
  torch.currentLevel = Ref::take(PyUnicode_InternFromString("_current_level"));
  torch.requiresGrad = Ref::take(PyUnicode_InternFromString("requires_grad"));
  torch.dtype = Ref::take(PyUnicode_InternFromString("dtype"));
  Py_RETURN_NONE;
}

/// The module's function note_written(arrays): tells torch that the arrays of a
/// tuple were written, as far as they are tensors.
static PyObject *noteWritten(PyObject *module, PyObject *tuple) {
  if (!PyTuple_Check(tuple)) {
    PyErr_SetString(PyExc_TypeError, "expected a tuple of arrays");
    return nullptr;
  }
  std::vector<PyObject *> arrays;
  for (Py_ssize_t i = 0; i < PyTuple_Size(tuple); ++i)
    arrays.push_back(PyTuple_GetItem(tuple, i));
  if (!getState(module).arrays.noteWritten(arrays.data(), arrays.size()))
    return nullptr;
  Py_RETURN_NONE;
}

/// The module's function know_numpy(ndarray): from now on, this module reads
/// arrays of this type itself.
static PyObject *knowNumpy(PyObject *module, PyObject *type) {
  getState(module).arrays.numpyArray = Ref::borrow(type);
  Py_RETURN_NONE;
}

/// The module's function know_dtype(dtype, code): stores `code` as the
/// attn_dtype of one of NumPy's dtype objects.
static PyObject *knowDtype(PyObject *module, PyObject *args) {
  PyObject *dtype;
  int code;
  if (!PyArg_ParseTuple(args, "Oi", &dtype, &code))
    return nullptr;
  ArrayTypes &arrays = getState(module).arrays;
  // Only 64 dtypes are stored, since a program may create dtype objects without
  // end.
  if (arrays.numpyKept.size() < 64 &&
      arrays.numpyTypes.emplace(dtype, code).second)
    arrays.numpyKept.push_back(Ref::borrow(dtype));
  Py_RETURN_NONE;
}

/// The module's function current_device(): returns the device of the thread's
/// current CUDA context, or None.
static PyObject *getCurrentDevice(PyObject *module, PyObject *) {
  State &state = getState(module);
  int device;
  Driver::Result result = state.driver.getCurrentDevice(device);
  if (result != Driver::Result::Success)
    return state.raise(result);
  if (device < 0)
    Py_RETURN_NONE;
  return PyLong_FromLong(device);
}

/// The module's function enter_device(device or None): makes a context of the
/// device current, and returns whether leave_device() must be called
/// afterwards. With None, keeps the current context, or takes that of device 0
/// if there is none.
static PyObject *enterDevice(PyObject *module, PyObject *device) {
  State &state = getState(module);
  int number = device == Py_None ? -1 : PyLong_AsLong(device);
  if (PyErr_Occurred())
    return nullptr;
  bool mustLeave;
  Driver::Result result = state.driver.enter(number, mustLeave);
  return result == Driver::Result::Success ? PyBool_FromLong(mustLeave)
                                           : state.raise(result);
}

static PyObject *leaveDevice(PyObject *module, PyObject *) {
  getState(module).driver.leave();
  Py_RETURN_NONE;
}

static PyObject *synchronize(PyObject *module, PyObject *) {
  State &state = getState(module);
  Driver::Result result = state.driver.synchronize();
  if (result != Driver::Result::Success)
    return state.raise(result);
  Py_RETURN_NONE;
}

static PyObject *forgetDriver(PyObject *module, PyObject *) {
  getState(module).driver.forget();
  Py_RETURN_NONE;
}

template <typename Function> static PyCFunction asFunction(Function function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

static int execute(PyObject *module) {
  auto **state = static_cast<State **>(PyModule_GetState(module));
  *state = new State();
  return addCallsType(module) && addFunctionType(module) ? 0 : -1;
}

static void destroy(void *module) {
  if (auto **state = static_cast<State **>(
          PyModule_GetState(static_cast<PyObject *>(module))))
    delete *state;
}

PyMODINIT_FUNC PyInit__binding() {
  static PyMethodDef methods[] = {
      {"open", openLibrary, METH_VARARGS, "open(path, Error, ArgumentError)"},
      {"operands", getOperands, METH_NOARGS,
       "operands(): (name, array, takes blocks, has columns, is of gradients, "
       "excludes dropout, forms) of each operand in the clause `with`"},
      {"know_torch", knowTorch, METH_VARARGS,
       "know_torch(types, exchange, observers, forward_ad, is_grad_enabled, "
       "is_neg, increment_version=None, never_negative=0, bytes=any)"},
      {"note_written", noteWritten, METH_O, "note_written(arrays)"},
      {"know_numpy", knowNumpy, METH_O, "know_numpy(ndarray)"},
      {"know_dtype", knowDtype, METH_VARARGS, "know_dtype(dtype, code)"},
      {"describe", describeArray, METH_O,
       "describe(array): (address, sizes, strides, dtype, device type, device, "
       "None), or None"},
      {"version", getVersion, METH_NOARGS, "The library's."},
      {"compile", compileSource, METH_VARARGS,
       "compile(source, chip, access, function, cpu, cache, lineinfo)"},
      {"destroy", destroyProgram, METH_O, "destroy(program)"},
      {"texts", getTexts, METH_O,
       "texts(program): the chip, PTX or None, and diagnostics"},
      {"ir", getIR, METH_VARARGS, "ir(program, stage)"},
      {"arguments", getArguments, METH_O,
       "arguments(program): (kind, dtype, sizes, strides, is_contiguous, "
       "is_updated, name, type) of each"},
      {"kernels", getKernels, METH_O,
       "kernels(program): (name, schedule, threads, dynamic shared bytes, "
       "static "
       "ones, registers, local bytes, CTAs of an SM, reasons) of each"},
      {"describe_dlpack", describeDLPack, METH_O,
       "describe_dlpack(capsule): (address, sizes, strides or None, dtype, "
       "device type, device)"},
      {"xla_target", getXLATarget, METH_O,
       "xla_target(kind): (handler, type name, type id, type info)"},
      {"launch", asFunction(launchDescribed), METH_FASTCALL,
       "launch(program, stream, described, device_type, device, names)"},
      {"count_workspace", asFunction(countWorkspace), METH_FASTCALL,
       "count_workspace(program, described): bytes"},
      {"find_columns", findDescribedColumns, METH_VARARGS,
       "find_columns((other, array), takes_all): the first column, or -1"},
      {"watch", asFunction(watchFunction), METH_FASTCALL,
       "watch(function, rules): (signature, arrays, objects), or None"},
      {"swap_workspace", swapWorkspace, METH_O,
       "swap_workspace(None, (address, bytes) or (None, bytes)): the one "
       "before"},
      {"current_device", getCurrentDevice, METH_NOARGS,
       "The device of the thread's current CUDA context, None without one."},
      {"enter_device", enterDevice, METH_O,
       "enter_device(device or None): whether leave_device() is to follow"},
      {"leave_device", leaveDevice, METH_NOARGS, "leave_device()"},
      {"synchronize", synchronize, METH_NOARGS,
       "Waits for all work in the primary contexts of all devices."},
      {"forget_driver", forgetDriver, METH_NOARGS,
       "In a forked process, before all else."},
      {nullptr, nullptr, 0, nullptr}};
  static PyModuleDef_Slot slots[] = {
      {Py_mod_exec, reinterpret_cast<void *>(execute)}, {0, nullptr}};
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                   "_binding",
                                   "What a call costs the host each time.",
                                   sizeof(State *),
                                   methods,
                                   slots,
                                   nullptr,
                                   nullptr,
                                   destroy};
  return PyModuleDef_Init(&definition);
}
