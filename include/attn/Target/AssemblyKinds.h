//===- AssemblyKinds.h - What assembly does, said where it is made -*- C++ -*-//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes on LLVM IR know of a statement of assembly what its attributes say,
// and do not read its text. They are attributes of the dialect attn_nv on
// `llvm.inline_asm`, which the translation to LLVM IR gives to the call. An
// attribute of a call stays where LLVM clones the call, and where it merges two
// that have it, which metadata does not.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_ASSEMBLYKINDS_H
#define ATTN_TARGET_ASSEMBLYKINDS_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::attn {

/// Issues an MMA of a warpgroup.
inline constexpr llvm::StringLiteral kWarpgroupMma = "attn_nv.warpgroup_mma";

/// Waits until the kernels launched before have ended.
inline constexpr llvm::StringLiteral kLaunchWait = "attn_nv.launch_wait";

/// Lets the next kernel begin.
inline constexpr llvm::StringLiteral kLaunchNext = "attn_nv.launch_next";

/// Has the value of a kernel's argument, of which LLVM does not know that it is
/// the argument's. This one is made in LLVM IR.
inline constexpr llvm::StringLiteral kOwnArgument = "attn_nv.own_argument";

/// Has the attributes above translated to LLVM IR.
void registerAssemblyKindTranslation(DialectRegistry &registry);

} // namespace mlir::attn

#endif // ATTN_TARGET_ASSEMBLYKINDS_H
