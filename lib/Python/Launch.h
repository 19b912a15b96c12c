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

/// The parts of a launch other than its arrays: the program, the stream and the
/// device.
struct Target {
  attn_program *program = nullptr;
  void *stream = nullptr;
  /// The attn_device_type of the arrays, and the index of their device, which
  /// is -1 if it is not known.
  int32_t deviceType = ATTN_DEVICE_CPU;
  int device = -1;
};

/// Launches a program with the interpreter's lock released, and with the
/// thread's workspace. If no context is current, or one of another device than
/// the arrays', makes a context of their device current for the launch. Returns
/// false, with a Python error, if the launch fails. The error has `names` in
/// place of the arguments' numbers.
bool launch(State &state, const Target &target, const attn_buffer *buffers,
            unsigned count, const std::vector<std::string> &names);

/// The module's function launch(program, stream, described, device_type,
/// device, names): launches the program on the arrays that `described`
/// describes.
PyObject *launchDescribed(PyObject *module, PyObject *const *args,
                          Py_ssize_t count);
/// The module's function count_workspace(program, described): returns the bytes
/// of workspace that a launch on these arrays needs.
PyObject *countWorkspace(PyObject *module, PyObject *const *args,
                         Py_ssize_t count);
/// The module's function swap_workspace(new): sets the thread's workspace and
/// returns the previous one. A workspace is (address, bytes), (None, bytes) to
/// only count bytes, or None for the pool.
PyObject *swapWorkspace(PyObject *module, PyObject *workspace);

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_LAUNCH_H
