//===- Targets.h - LLVM's code generators -----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_TARGET_TARGETS_H
#define ATTN_LIB_TARGET_TARGETS_H

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
namespace legacy {
class PassManager;
} // namespace legacy
} // namespace llvm

namespace mlir::attn {

/// Registers LLVM's code generators for X86 and NVPTX.
void initializeTargets();

/// Runs a code generator's passes on the module. Returns the first error that
/// they report to the module's context, for which LLVM would otherwise end the
/// process, or success if there is none.
llvm::Error generateCode(llvm::legacy::PassManager &passes,
                         llvm::Module &module);

} // namespace mlir::attn

#endif // ATTN_LIB_TARGET_TARGETS_H
