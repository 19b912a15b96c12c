//===- Program.h - Programs given to the driver -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_PROGRAM_H
#define ATTN_LIB_RUNTIME_PROGRAM_H

#include "CudaDriver.h"

namespace attnrt {

/// The program's name for messages.
const char *getName(const attnrt_program &program);
/// Loads the program into the current context.
attnrt_status loadProgram(attnrt_runtime &runtime,
                          const attnrt_program &program, CUmodule &module);

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_PROGRAM_H
