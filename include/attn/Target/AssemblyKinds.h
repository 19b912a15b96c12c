//===- AssemblyKinds.h - Attributes for passes on LLVM IR -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes that tell passes on LLVM IR what a statement of inline assembly
// does, so that passes need not read its text. They belong to the dialect
// attn_nv and are set on `llvm.inline_asm`; the translation to LLVM IR adds
// them to the call. LLVM keeps an attribute of a call, but not metadata, when
// it clones the call, and when it merges two calls that both have it.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TARGET_ASSEMBLYKINDS_H
#define ATTN_TARGET_ASSEMBLYKINDS_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::attn {

/// Marks inline assembly that issues an MMA of a warpgroup (wgmma).
inline constexpr llvm::StringLiteral kWarpgroupMma = "attn_nv.warpgroup_mma";

/// Marks inline assembly that waits until kernels that were launched earlier
/// have ended (griddepcontrol.wait).
inline constexpr llvm::StringLiteral kLaunchWait = "attn_nv.launch_wait";

/// Marks inline assembly that allows the next kernel to begin
/// (griddepcontrol.launch_dependents).
inline constexpr llvm::StringLiteral kLaunchNext = "attn_nv.launch_next";

/// Marks inline assembly that copies an argument of a kernel. The assembly
/// hides from LLVM that the copy equals the argument. It is created by a pass
/// on LLVM IR.
inline constexpr llvm::StringLiteral kOwnArgument = "attn_nv.own_argument";

/// Marks an empty statement of inline assembly at the beginning of the program
/// of the producer, in kernels whose roles differ in registers.
inline constexpr llvm::StringLiteral kProducer = "attn_nv.producer";

/// The name of an entry of `passthrough` of kernels whose roles differ in
/// registers: the number of registers that each thread of the consumers has
/// then, as text.
inline constexpr llvm::StringLiteral kConsumerRegisters =
    "attn_nv.consumer_registers";

/// Registers the translation to LLVM IR of the dialect's attributes of inline
/// assembly.
void registerAssemblyKindTranslation(DialectRegistry &registry);

} // namespace mlir::attn

#endif // ATTN_TARGET_ASSEMBLYKINDS_H
