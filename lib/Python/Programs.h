//===- Programs.h - Programs and what they say of themselves -----*- C++
//-*-===//
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

/// The module's functions on programs, which are addresses as integers. Strings
/// that may be missing are None.

/// compile(source, chip, access, function, cpu, cache, lineinfo): a program.
PyObject *compileSource(PyObject *module, PyObject *args);
PyObject *destroyProgram(PyObject *module, PyObject *program);
/// Returns a tuple of attn_program_chip, attn_program_ptx and
/// attn_program_diagnostics.
PyObject *getTexts(PyObject *module, PyObject *program);
/// ir(program, stage)
PyObject *getIR(PyObject *module, PyObject *args);
/// (kind, dtype, sizes, strides, is_contiguous, name, type) of each argument,
/// where sizes and strides that launches choose are None.
PyObject *getArguments(PyObject *module, PyObject *program);
/// (name, schedule, threads, dynamic shared bytes, static ones, registers,
/// local bytes, CTAs of an SM, reasons) of each kernel, -1 for what is not
/// known.
PyObject *getKernels(PyObject *module, PyObject *program);
PyObject *getVersion(PyObject *module, PyObject *);
/// xla_target(kind): (handler, type name, type id, type info), by their
/// addresses.
PyObject *getXLATarget(PyObject *module, PyObject *kind);

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_PROGRAMS_H
