//===- Programs.cpp - Compiled programs for Python ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "Described.h"
#include "State.h"

#include <cstring>
#include <functional>

using namespace attn::python;

static PyObject *raiseLast(const State &state, attn_status status) {
  return state.raise(status, state.library.attn_last_error());
}

static attn_program *getProgram(PyObject *program) {
  return static_cast<attn_program *>(PyLong_AsVoidPtr(program));
}

/// Converts a text from the library to a Python string, and null to None. The
/// text may contain any bytes that the user's module had, so invalid UTF-8 is
/// replaced.
static Ref asText(const char *text) {
  if (!text)
    return Ref::borrow(Py_None);
  return Ref::take(PyUnicode_DecodeUTF8(text, strlen(text), "replace"));
}

PyObject *attn::python::compileSource(PyObject *module, PyObject *args) {
  const char *source;
  Py_ssize_t length;
  attn_compile_options options = {};
  options.struct_size = sizeof(options);
  if (!PyArg_ParseTuple(args, "y#zzzzzz", &source, &length, &options.chip,
                        &options.access, &options.function, &options.cpu,
                        &options.cache, &options.lineinfo))
    return nullptr;
  const State &state = getState(module);
  attn_program *program = nullptr;
  PyThreadState *thread = PyEval_SaveThread();
  attn_status status =
      state.library.attn_compile(source, length, &options, &program);
  PyEval_RestoreThread(thread);
  return status == ATTN_SUCCESS ? PyLong_FromVoidPtr(program)
                                : raiseLast(state, status);
}

PyObject *attn::python::destroyProgram(PyObject *module, PyObject *program) {
  getState(module).library.attn_program_destroy(getProgram(program));
  Py_RETURN_NONE;
}

PyObject *attn::python::getTexts(PyObject *module, PyObject *object) {
  const Library &library = getState(module).library;
  const attn_program *program = getProgram(object);
  Ref chip = asText(library.attn_program_chip(program));
  Ref ptx = asText(library.attn_program_ptx(program));
  Ref diagnostics = asText(library.attn_program_diagnostics(program));
  return chip && ptx && diagnostics
             ? PyTuple_Pack(3, chip.get(), ptx.get(), diagnostics.get())
             : nullptr;
}

PyObject *attn::python::getIR(PyObject *module, PyObject *args) {
  PyObject *object;
  const char *stage;
  if (!PyArg_ParseTuple(args, "Oz", &object, &stage))
    return nullptr;
  attn_program *program = getProgram(object);
  if (PyErr_Occurred())
    return nullptr;
  const State &state = getState(module);
  const char *text = nullptr;
  PyThreadState *thread = PyEval_SaveThread();
  attn_status status = state.library.attn_program_ir(program, stage, &text);
  PyEval_RestoreThread(thread);
  return status == ATTN_SUCCESS ? asText(text).release()
                                : raiseLast(state, status);
}

/// Returns a list of the objects that `describe` returns for the numbers from 0
/// to count - 1.
static PyObject *makeList(unsigned count,
                          const std::function<PyObject *(unsigned)> &describe) {
  Ref list = Ref::take(PyList_New(0));
  for (unsigned i = 0; list && i < count; ++i) {
    Ref entry = Ref::take(describe(i));
    if (!entry || PyList_Append(list.get(), entry.get()))
      return nullptr;
  }
  return list.release();
}

PyObject *attn::python::getArguments(PyObject *module, PyObject *object) {
  const State &state = getState(module);
  const attn_program *program = getProgram(object);
  return makeList(
      state.library.attn_program_num_arguments(program),
      [&](unsigned index) -> PyObject * {
        attn_argument_info info = {};
        info.struct_size = sizeof(info);
        attn_status status =
            state.library.attn_program_argument(program, index, &info);
        if (status != ATTN_SUCCESS)
          return raiseLast(state, status);
        Ref sizes = asTuple(info.sizes, info.rank, ATTN_DYNAMIC);
        Ref strides = asTuple(info.strides, info.rank, ATTN_DYNAMIC);
        Ref name = asText(info.name), type = asText(info.type);
        if (!sizes || !strides || !name || !type)
          return nullptr;
        return Py_BuildValue("(iiOOiiOO)", int(info.kind), int(info.dtype),
                             sizes.get(), strides.get(),
                             int(info.is_contiguous), int(info.is_updated),
                             name.get(), type.get());
      });
}

PyObject *attn::python::getKernels(PyObject *module, PyObject *object) {
  const State &state = getState(module);
  attn_program *program = getProgram(object);
  return makeList(
      state.library.attn_program_num_kernels(program),
      [&](unsigned index) -> PyObject * {
        attn_kernel_info info = {};
        info.struct_size = sizeof(info);
        attn_status status =
            state.library.attn_program_kernel(program, index, &info);
        // Without a GPU, attn_program_kernel fails, but it has filled in the
        // fields that the compiler knows.
        if (status != ATTN_SUCCESS && !info.name)
          return raiseLast(state, status);
        Ref name = asText(info.name), schedule = asText(info.schedule);
        Ref reasons = asText(info.reasons);
        if (!name || !schedule || !reasons)
          return nullptr;
        return Py_BuildValue("(OOiiiiiiO)", name.get(), schedule.get(),
                             int(info.threads), int(info.dynamic_shared_bytes),
                             int(info.static_shared_bytes), int(info.registers),
                             int(info.local_bytes), int(info.ctas_per_sm),
                             reasons.get());
      });
}

PyObject *attn::python::getVersion(PyObject *module, PyObject *) {
  return asText(getState(module).library.attn_version()).release();
}

PyObject *attn::python::getXLATarget(PyObject *module, PyObject *kind) {
  const State &state = getState(module);
  attn_xla_target target = {};
  attn_status status =
      state.library.attn_xla_get_target(PyLong_AsLong(kind), &target);
  if (PyErr_Occurred())
    return nullptr;
  if (status != ATTN_SUCCESS)
    return raiseLast(state, status);
  Ref handler = Ref::take(PyLong_FromVoidPtr(target.handler));
  Ref id = Ref::take(PyLong_FromVoidPtr(target.type_id));
  Ref info = Ref::take(PyLong_FromVoidPtr(target.type_info));
  return handler && id && info
             ? Py_BuildValue("(OsOO)", handler.get(), target.type_name,
                             id.get(), info.get())
             : nullptr;
}
