//===- Programs.h - Compiled programs for Python ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PYTHON_PROGRAMS_H
#define ATTN_LIB_PYTHON_PROGRAMS_H

#include "Ref.h"

namespace attn::python {

/// The module's functions on compiled programs. Python has a program's address
/// as an integer. Strings that may be missing are None.

/// The module's function compile(source, chip, access, function, cpu, cache,
/// lineinfo): compiles a program and returns its address.
PyObject *compileSource(PyObject *module, PyObject *args);
PyObject *destroyProgram(PyObject *module, PyObject *program);
/// The module's function texts(program): returns a tuple of the results of
/// attn_program_chip, attn_program_ptx and attn_program_diagnostics.
PyObject *getTexts(PyObject *module, PyObject *program);
/// The module's function ir(program, stage): returns the result of
/// attn_program_ir.
PyObject *getIR(PyObject *module, PyObject *args);
/// The module's function arguments(program): returns for each argument (kind,
/// dtype, sizes, strides, is_contiguous, is_updated, name, type), in which None
/// replaces sizes and strides that each launch chooses.
PyObject *getArguments(PyObject *module, PyObject *program);
/// The module's function kernels(program): returns for each kernel (name,
/// schedule, threads, dynamic shared bytes, static shared bytes, registers,
/// local bytes, CTAs that fit on an SM, reasons). Numbers that are not known
/// are -1.
PyObject *getKernels(PyObject *module, PyObject *program);
PyObject *getVersion(PyObject *module, PyObject *);
/// The module's function xla_target(kind): returns (handler, type name, type
/// id, type info) for XLA, in which all but the name are addresses.
PyObject *getXLATarget(PyObject *module, PyObject *kind);

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_PROGRAMS_H
