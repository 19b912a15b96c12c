//===- AssemblyKinds.h - Attributes of inline assembly ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes that tell passes on LLVM IR what a statement of inline assembly
// does, so that these do not read its text. They are attributes of the dialect
// attn_nv on `llvm.inline_asm`, which the translation to LLVM IR adds to the
// call. An attribute of a call is kept where LLVM clones the call, and where it
// merges two calls that both have it; metadata is not.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_ASSEMBLYKINDS_H
#define ATTN_TARGET_ASSEMBLYKINDS_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::attn {

/// The assembly issues an MMA of a warpgroup (wgmma).
inline constexpr llvm::StringLiteral kWarpgroupMma = "attn_nv.warpgroup_mma";

/// The assembly waits until the kernels launched before have ended
/// (griddepcontrol.wait).
inline constexpr llvm::StringLiteral kLaunchWait = "attn_nv.launch_wait";

/// The assembly lets the next kernel begin (griddepcontrol.launch_dependents).
inline constexpr llvm::StringLiteral kLaunchNext = "attn_nv.launch_next";

/// The assembly copies a kernel's argument, which hides from LLVM that the two
/// values are equal. It is created in LLVM IR.
inline constexpr llvm::StringLiteral kOwnArgument = "attn_nv.own_argument";

/// Registers the translation of these attributes to LLVM IR.
void registerAssemblyKindTranslation(DialectRegistry &registry);

} // namespace mlir::attn

#endif // ATTN_TARGET_ASSEMBLYKINDS_H
