//===- Launch.cpp - Launches ----------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launch.h"

#include "Described.h"

#include <algorithm>
#include <cctype>

using namespace attn::python;

namespace {
/// The memory through which the kernels of a launch pass data to each other. It
/// is from a pool (Pool) or from the caller (Given). With Count, the bytes that
/// it needs are only counted.
struct Workspace {
  enum class Kind { Pool, Given, Count } kind = Kind::Pool;
  void *data = nullptr;
  uint64_t bytes = 0;
};
} // namespace

/// The workspace of the calling thread, which a `with` block in Python sets.
/// Such a block belongs to one thread.
static thread_local Workspace workspace;

static attn_status launchOnce(const Library &library, const Target &target,
                              const attn_buffer *buffers, unsigned count) {
  auto *stream = static_cast<CUstream_st *>(target.stream);
  switch (workspace.kind) {
  case Workspace::Kind::Pool:
    return library.attn_launch(target.program, stream, buffers, count);
  case Workspace::Kind::Given:
    return library.attn_launch_with_workspace(target.program, stream, buffers,
                                              count, workspace.data,
                                              workspace.bytes);
  case Workspace::Kind::Count:
    uint64_t needed = 0;
    attn_status status = library.attn_program_workspace_size(
        target.program, buffers, count, &needed);
    workspace.bytes = std::max(workspace.bytes, needed);
    return status;
  }
  return ATTN_INVALID_ARGUMENT;
}

/// Launches a program without holding the interpreter's lock.
static attn_status launchUnlocked(const Library &library, const Target &target,
                                  const attn_buffer *buffers, unsigned count) {
  PyThreadState *thread = PyEval_SaveThread();
  attn_status status = launchOnce(library, target, buffers, count);
  PyEval_RestoreThread(thread);
  return status;
}

/// Replaces texts such as "argument 2 (value)" in a message by the names that
/// the caller of the Python function has for these arguments. Argument number i
/// has the name `names[i]`. Numbers without a name stay.
static std::string rename(std::string text,
                          const std::vector<std::string> &names) {
  static const std::string word = "argument ";
  for (size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + 1)) {
    size_t end = at + word.size(), number = 0;
    if ((at && std::isalnum(static_cast<unsigned char>(text[at - 1]))) ||
        !std::isdigit(static_cast<unsigned char>(text[end])))
      continue;
    while (std::isdigit(static_cast<unsigned char>(text[end])))
      number = 10 * number + (text[end++] - '0');
    if (number >= names.size())
      continue;
    size_t close =
        text.compare(end, 2, " (") ? std::string::npos : text.find(')', end);
    if (close != std::string::npos &&
        std::all_of(
            text.begin() + end + 2, text.begin() + close,
            [](unsigned char c) { return std::isalnum(c) || c == '_'; }))
      end = close + 1;
    text.replace(at, end - at, names[number]);
  }
  return text;
}

bool attn::python::launch(State &state, const Target &target,
                          const attn_buffer *buffers, unsigned count,
                          const std::vector<std::string> &names) {
  const Library &library = state.library;
  attn_status status = launchUnlocked(library, target, buffers, count);
  if (status == ATTN_SUCCESS)
    return true;
  std::string message = library.attn_last_error();
  if (target.deviceType != ATTN_DEVICE_CPU) {
    bool isElsewhere = status == ATTN_NO_DEVICE;
    if (status == ATTN_INVALID_ARGUMENT &&
        target.deviceType == ATTN_DEVICE_CUDA) {
      int current = -1;
      Driver::Result result = state.driver.getCurrentDevice(current);
      if (result != Driver::Result::Success)
        return state.raise(result);
      isElsewhere = current != target.device;
    }
    if (isElsewhere) {
      bool mustLeave = false;
      Driver::Result result = state.driver.enter(target.device, mustLeave);
      if (result != Driver::Result::Success)
        return state.raise(result);
      status = launchUnlocked(library, target, buffers, count);
      if (status != ATTN_SUCCESS)
        message = library.attn_last_error();
      if (mustLeave)
        state.driver.leave();
    }
  }
  if (status == ATTN_SUCCESS)
    return true;
  if (status == ATTN_INVALID_ARGUMENT)
    message = rename(std::move(message), names);
  return state.raise(status, message);
}

static bool checkCount(Py_ssize_t found, Py_ssize_t wanted) {
  if (found == wanted)
    return true;
  PyErr_Format(PyExc_TypeError, "expected %zd arguments, found %zd", wanted,
               found);
  return false;
}

PyObject *attn::python::launchDescribed(PyObject *module, PyObject *const *args,
                                        Py_ssize_t count) {
  Described described;
  if (!checkCount(count, 6) || !described.read(args[2]))
    return nullptr;
  Target target;
  target.program = static_cast<attn_program *>(PyLong_AsVoidPtr(args[0]));
  if (args[1] != Py_None)
    target.stream = PyLong_AsVoidPtr(args[1]);
  target.deviceType = PyLong_AsLong(args[3]);
  target.device = args[4] == Py_None ? -1 : PyLong_AsLong(args[4]);
  std::vector<std::string> names;
  if (PyErr_Occurred() || !readNames(args[5], names) ||
      !launch(getState(module), target, described.buffers.data(),
              described.buffers.size(), names))
    return nullptr;
  Py_RETURN_NONE;
}

PyObject *attn::python::countWorkspace(PyObject *module, PyObject *const *args,
                                       Py_ssize_t count) {
  Described described;
  if (!checkCount(count, 2) || !described.read(args[1]))
    return nullptr;
  const State &state = getState(module);
  uint64_t bytes = 0;
  attn_status status = state.library.attn_program_workspace_size(
      static_cast<attn_program *>(PyLong_AsVoidPtr(args[0])),
      described.buffers.data(), described.buffers.size(), &bytes);
  if (status != ATTN_SUCCESS)
    return state.raise(status, state.library.attn_last_error());
  return PyLong_FromUnsignedLongLong(bytes);
}

PyObject *attn::python::swapWorkspace(PyObject *module, PyObject *object) {
  Workspace next;
  if (object != Py_None) {
    if (!PyTuple_Check(object) || PyTuple_Size(object) != 2) {
      PyErr_SetString(PyExc_TypeError, "expected (address or None, bytes)");
      return nullptr;
    }
    PyObject *address = PyTuple_GetItem(object, 0);
    next.kind =
        address == Py_None ? Workspace::Kind::Count : Workspace::Kind::Given;
    if (address != Py_None)
      next.data = PyLong_AsVoidPtr(address);
    next.bytes = PyLong_AsUnsignedLongLong(PyTuple_GetItem(object, 1));
    if (PyErr_Occurred())
      return nullptr;
  }
  std::swap(workspace, next);
  if (next.kind == Workspace::Kind::Pool)
    Py_RETURN_NONE;
  Ref address = next.kind == Workspace::Kind::Count
                    ? Ref::borrow(Py_None)
                    : Ref::take(PyLong_FromVoidPtr(next.data));
  return address ? Py_BuildValue("(OK)", address.get(),
                                 static_cast<unsigned long long>(next.bytes))
                 : nullptr;
}
