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

/// Operand numbers of an attn_tile.dot.
inline constexpr unsigned kLeft = 0, kRight = 1;

/// Whether an MMA reads the tile, or a slice of it, as its left or right
/// operand.
bool isOperand(OpOperand &use);

/// Whether MMAs read the tile, or a slice of it, as their right operand only.
bool isRightOperand(OpOperand &use);

/// Copies left operands that do not change within a loop to registers before
/// the loop, as long as the schedule leaves enough registers. The kernel's
/// tiles have layouts already. `reduced` are the ops of a reducer, whose
/// accumulators take no registers of the computing warps. `apart` are the
/// products of multipliers, which read their left operands from shared memory.
void keepLeftOperands(KernelOp kernel, ScheduleAttr schedule,
                      const attn::Chip &chip, ArrayRef<attn_tile::LoadOp> loads,
                      const llvm::SetVector<Operation *> &reduced,
                      const llvm::DenseMap<Operation *, RoleAttr> &apart);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LEFTOPERANDS_H
