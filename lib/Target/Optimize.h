//===- Optimize.h - Optimisations of LLVM IR --------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_TARGET_OPTIMIZE_H
#define ATTN_LIB_TARGET_OPTIMIZE_H

#include <optional>

namespace llvm {
class Function;
class Instruction;
class Module;
class StringRef;
class TargetMachine;
class Type;
} // namespace llvm

namespace mlir::attn {

/// Optimises the module for `machine`: by LLVM's O3 pipeline, or O1 if that is
/// the machine's level, and by the passes that are declared below.
void optimize(llvm::Module &module, llvm::TargetMachine &machine);

/// Whether an instruction is a statement of inline assembly that is marked with
/// `kind`; see AssemblyKinds.h.
bool isOfKind(const llvm::Instruction &instruction, llvm::StringRef kind);

/// Whether an instruction is an MMA: for isMma, one of a warp or of a
/// warpgroup, for isWarpgroupMma, one of a warpgroup (wgmma).
bool isMma(const llvm::Instruction &instruction);
bool isWarpgroupMma(const llvm::Instruction &instruction);

/// Returns the number of registers that each thread of the consumers has, in
/// kernels whose roles differ in registers, and else none.
std::optional<unsigned> getConsumerRegisters(const llvm::Function &kernel);

/// Returns the number of 32-bit registers that a value of the type takes, two
/// for a pointer. Predicates (i1) count as 0, since they have registers of
/// their own. Structs, the results of assembly, count as 0, too: their elements
/// are counted where they are extracted.
int getNumRegisters(llvm::Type *type);

/// Moves stack slots of constant size (allocas) to the entry blocks of
/// functions.
void hoistAllocas(llvm::Module &module);

/// Marks branches that skip vector computations without side effects, such as
/// masking, as unlikely. LLVM then does not turn them into selects.
void keepBranches(llvm::Module &module);

/// Extends the operands of comparisons of 16-bit floats to f32. LLVM would
/// compare f16 by "setp.ftz.f16", which takes subnormal numbers of f16 as 0,
/// and bf16 by an instruction that PTX does not have.
void widenComparisons(llvm::Module &module);

/// Extends bf16 to f32 by integer instructions, which are faster than PTX's
/// conversions.
void extendBf16(llvm::Module &module);

/// Makes the role with the fewest registers use copies of a kernel's 64-bit
/// arguments (sizes and strides). Otherwise LLVM would compute values from
/// these arguments once, before all roles, and these values would occupy
/// registers of that role. Returns whether the function has changed.
bool giveOwnArguments(llvm::Function &function);

/// Whether an instruction is a copy of a kernel's argument that
/// giveOwnArguments() has made.
bool isOwnArgument(const llvm::Instruction &instruction);

/// Moves instructions from before a loop of MMAs or copies to where their
/// values are used. The loop itself must not use these values, or only in few
/// iterations. Returns whether the function has changed.
bool sinkAroundLoops(llvm::Function &function);

/// Moves a kernel's wait for the previous kernel (programmatic dependent
/// launch) to as late a point as possible.
void sinkLaunchWaits(llvm::Module &module);

/// In addresses of shared memory that are computed as 32-bit integers and
/// converted to pointers, moves additions of constants from the integer to the
/// pointer.
void foldSharedOffsets(llvm::Module &module);

/// Reorders instructions without side effects in kernels with roles, where that
/// lowers the number of live registers.
void orderInstructions(llvm::Module &module);

} // namespace mlir::attn

#endif // ATTN_LIB_TARGET_OPTIMIZE_H
