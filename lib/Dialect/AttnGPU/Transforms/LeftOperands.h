//===- LeftOperands.h - Operands that stay in registers ---------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LEFTOPERANDS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LEFTOPERANDS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {

/// The operand numbers of the left and the right operand of attn_tile.dot.
inline constexpr unsigned kLeft = 0, kRight = 1;

/// Whether this use of a tile is the left or right operand of an MMA, or a
/// slice that MMAs read as such operands only.
bool isOperand(OpOperand &use);

/// Whether this use of a tile is the right operand of an MMA, or a slice that
/// MMAs read as right operands only.
bool isRightOperand(OpOperand &use);

/// Copies left operands that do not change within a loop to registers before
/// the loop, as long as the schedule leaves enough registers. The kernel's
/// tiles have layouts already. `reduced` are the ops of a reducer, whose
/// accumulators take no registers of the computing warps. `owners` has the
/// products of multipliers, which read their left operands from shared memory.
void keepLeftOperands(KernelOp kernel, ScheduleAttr schedule,
                      const attn::Chip &chip, ArrayRef<attn_tile::LoadOp> loads,
                      const llvm::SetVector<Operation *> &reduced,
                      const llvm::DenseMap<Operation *, RoleAttr> &owners);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LEFTOPERANDS_H
