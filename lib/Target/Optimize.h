//===- Optimize.h - Optimisations of LLVM IR --------------------*- C++ -*-===//
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

/// Optimises the module for `machine`: by LLVM's O3 pipeline, or O1 if that is
/// the machine's level, and by the passes below.
void optimize(llvm::Module &module, llvm::TargetMachine &machine);

/// Whether an instruction is inline assembly of this kind; see AssemblyKinds.h.
bool isOfKind(const llvm::Instruction &instruction, llvm::StringRef kind);

/// `isMma`: whether an instruction is an MMA, of a warp or of a warpgroup.
/// `isWarpgroupMma`: whether it is one of a warpgroup.
bool isMma(const llvm::Instruction &instruction);
bool isWarpgroupMma(const llvm::Instruction &instruction);

/// Returns the number of 32-bit registers for a value of the type. Predicates
/// have their own registers, and struct results of assembly are counted where
/// they are extracted.
int getNumRegisters(llvm::Type *type);

/// Moves stack slots of constant size to the entry blocks of functions.
void hoistAllocas(llvm::Module &module);

/// Vectors of bytes that phis have become vectors of words.
void carryWords(llvm::Module &module);

/// Says of branches around masks that they are unlikely.
void keepBranches(llvm::Module &module);

/// Compares 16-bit floats as f32, so that PTX treats subnormal numbers as the
/// function requires.
void widenComparisons(llvm::Module &module);

/// Extends bf16 to f32 by integer instructions, which are faster than PTX's
/// conversions.
void extendBf16(llvm::Module &module);

/// Gives the role with the fewest registers copies of a kernel's 64-bit
/// arguments (sizes and strides), so that LLVM does not share values that are
/// computed from these with other roles.
llvm::FunctionPass *createOwnArgumentsPass();

/// Whether an instruction is such a copy.
bool isOwnArgument(const llvm::Instruction &instruction);

/// Moves instructions from before a loop of MMAs or copies to where their
/// values are used, if the loop itself does not use these, or only in few
/// iterations.
llvm::FunctionPass *createSinkAroundLoopsPass();

/// Moves the wait for the previous kernel as far down as possible.
void sinkLaunchWaits(llvm::Module &module);

/// Moves additions of constants from 32-bit addresses to pointers into shared
/// memory.
void foldSharedOffsets(llvm::Module &module);

/// Orders instructions so that fewer registers are live.
void orderInstructions(llvm::Module &module);

} // namespace mlir::attn

#endif // ATTN_LIB_TARGET_OPTIMIZE_H
