//===- Launch.h - Launches --------------------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PYTHON_LAUNCH_H
#define ATTN_LIB_PYTHON_LAUNCH_H

#include "State.h"

#include <string>
#include <vector>

namespace attn::python {

/// The program, the stream and the device of a launch.
struct Target {
  attn_program *program = nullptr;
  void *stream = nullptr;
  /// The attn_device_type of the arrays, and their device's index; -1 if it is
  /// not known.
  int32_t deviceType = ATTN_DEVICE_CPU;
  int device = -1;
};

/// Launches a program with the interpreter's lock released, and with the
/// thread's workspace. If the current context is not that of the arrays'
/// device, or there is none, makes theirs current for the launch. Returns
/// false, with a Python error, if the launch fails; if `names` are given, the
/// error has them in place of the arguments' numbers.
bool launch(State &state, const Target &target, const attn_buffer *buffers,
            unsigned count, const std::vector<std::string> &names);

/// Functions of the module:
/// launch(program, stream, described, device_type, device, names).
PyObject *launchDescribed(PyObject *module, PyObject *const *args,
                          Py_ssize_t count);
/// count_workspace(program, described): bytes.
PyObject *countWorkspace(PyObject *module, PyObject *const *args,
                         Py_ssize_t count);
/// swap_workspace(new): the thread's workspace before.
PyObject *swapWorkspace(PyObject *module, PyObject *workspace);

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_LAUNCH_H
