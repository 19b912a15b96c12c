//===- Load.h - Loads the kernels of a launch -------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CAPI_LOAD_H
#define ATTN_LIB_CAPI_LOAD_H

#include "attn-c/attn.h"

#include <string>

namespace mlir::attn {

/// Loads the kernels that a launch with these arguments would need into the
/// current CUDA context, without launching them. A launch that is captured into
/// a graph then finds its kernels loaded.
attn_status loadKernels(attn_program *program, const attn_buffer *arguments,
                        uint32_t numArguments);

/// Returns the name of the chip for which attn_compile compiles if its options
/// name none, or "" if there is no such chip.
std::string getCurrentChipName();

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_LOAD_H
