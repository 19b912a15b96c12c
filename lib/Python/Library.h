//===- Library.h - libattn-c.so by its functions ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_PYTHON_LIBRARY_H
#define ATTN_LIB_PYTHON_LIBRARY_H

#include "attn-c/attn.h"
#include "attn-c/xla.h"

namespace attn::python {

/// The functions of the library libattn-c.so, which is opened at a path that
/// the package finds. So the Python module itself is not linked to the library.
struct Library {
#define ATTN_FUNCTIONS(DO)                                                     \
  DO(attn_last_error)                                                          \
  DO(attn_version)                                                             \
  DO(attn_compile)                                                             \
  DO(attn_program_destroy)                                                     \
  DO(attn_program_chip)                                                        \
  DO(attn_program_ptx)                                                         \
  DO(attn_program_diagnostics)                                                 \
  DO(attn_program_ir)                                                          \
  DO(attn_program_num_arguments)                                               \
  DO(attn_program_argument)                                                    \
  DO(attn_program_num_kernels)                                                 \
  DO(attn_program_kernel)                                                      \
  DO(attn_buffer_from_dlpack)                                                  \
  DO(attn_program_workspace_size)                                              \
  DO(attn_launch)                                                              \
  DO(attn_launch_with_workspace)                                               \
  DO(attn_xla_get_target)
#define ATTN_DECLARE(NAME) decltype(&::NAME) NAME = nullptr;
  ATTN_FUNCTIONS(ATTN_DECLARE)
#undef ATTN_DECLARE

  /// Opens the library at `path`. Returns null, or a message about what is
  /// wrong with the file.
  const char *open(const char *path);
};

} // namespace attn::python

#endif // ATTN_LIB_PYTHON_LIBRARY_H
