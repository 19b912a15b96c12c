//===- Targets.h - LLVM's code generators -----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_TARGET_TARGETS_H
#define ATTN_LIB_TARGET_TARGETS_H

namespace mlir::attn {

/// Makes the code generators for X86 and NVPTX known to LLVM.
void initializeTargets();

} // namespace mlir::attn

#endif // ATTN_LIB_TARGET_TARGETS_H
