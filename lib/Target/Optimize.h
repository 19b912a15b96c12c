//===- Optimize.h - LLVM's own optimisations --------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_TARGET_OPTIMIZE_H
#define ATTN_LIB_TARGET_OPTIMIZE_H

namespace llvm {
class FunctionPass;
class Instruction;
class Module;
class StringRef;
class TargetMachine;
class Type;
} // namespace llvm

namespace mlir::attn {

/// Runs LLVM's O3 pipeline for `machine`.
void optimize(llvm::Module &module, llvm::TargetMachine &machine);

/// Whether an instruction is assembly of this kind, of AssemblyKinds.h.
bool isOfKind(const llvm::Instruction &instruction, llvm::StringRef kind);

/// Whether an instruction is an MMA, of a warp's or of a warpgroup's, or one
/// of a warpgroup's.
bool isMma(const llvm::Instruction &instruction);
bool isWarpgroupMma(const llvm::Instruction &instruction);

/// Registers of 32 bits that a value of the type takes. Predicates are
/// registers of their own, and results of assembly are counted as they are
/// extracted.
int getNumRegisters(llvm::Type *type);

/// Moves stack slots of constant size to the beginnings of functions.
void hoistAllocas(llvm::Module &module);

/// Vectors of bytes that phis have become vectors of words.
void carryWords(llvm::Module &module);

/// Says of branches around masks that they are unlikely.
void keepBranches(llvm::Module &module);

/// Compares bf16 as f32, which PTX does with the function's own treatment of
/// subnormal numbers.
void widenComparisons(llvm::Module &module);

/// Extends bf16 to f32 by integer instructions, which are faster than PTX's
/// conversions.
void extendBf16(llvm::Module &module);

/// Gives the role with the fewest registers a kernel's sizes and strides, of 64
/// bits, of its own, so that nothing made of them is shared with others.
llvm::FunctionPass *createOwnArgumentsPass();

/// Whether an instruction is such an argument.
bool isOwnArgument(const llvm::Instruction &instruction);

/// Moves what a loop of MMAs or of copies needs in few iterations or not at all
/// from in front of it to where it is needed.
llvm::FunctionPass *createSinkAroundLoopsPass();

/// Lets kernels wait for the one in front of them as late as they can.
void sinkLaunchWaits(llvm::Module &module);

/// Adds constants to pointers into shared memory, not to what they are made of.
void foldSharedOffsets(llvm::Module &module);

/// Orders instructions so that few registers are live.
void orderInstructions(llvm::Module &module);

} // namespace mlir::attn

#endif // ATTN_LIB_TARGET_OPTIMIZE_H
