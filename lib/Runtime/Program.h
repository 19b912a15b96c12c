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
#include "Error.h"

namespace attnrt {

/// Returns the program's name for messages.
const char *getName(const attnrt_program &program);
/// Loads the program into the current context, and sets `module` to it.
attnrt_status loadProgram(attnrt_runtime &runtime,
                          const attnrt_program &program, CUmodule &module);

/// Options for the driver's compiler. With them, the compiler writes its errors
/// to a buffer of this object, and its report about registers and spills to the
/// buffer `information`, if that is given. It writes to both until the module
/// is loaded or the linker's state is destroyed.
class JitOptions {
public:
  JitOptions(char *information = nullptr, size_t informationSize = 0);
  JitOptions(const JitOptions &) = delete;
  JitOptions &operator=(const JitOptions &) = delete;

  /// Makes the compiler compile for this target, and not for the device of the
  /// current context.
  void setTarget(size_t target) { add(CU_JIT_TARGET, target); }

  /// Makes the compiler keep the line table, if the PTX has one.
  void keepLines(const char *ptx);

  unsigned getCount() const { return count; }
  CUjit_option *getKeys() { return keys; }
  void **getValues() { return values; }

  /// Appends the device, the driver's version and the compiler's errors to a
  /// message.
  void appendDetails(Message &message, const CudaDriver &driver);

private:
  void add(CUjit_option key, const void *value);
  void add(CUjit_option key, size_t value);

  char errors[8192];
  CUjit_option keys[7];
  void *values[7];
  unsigned count = 0;
};

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_PROGRAM_H
