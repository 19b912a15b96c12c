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

/// Whether the four lanes that hold a row of a product's left operand must
/// exchange columns with each other. The operand is a computed tile of 8-bit
/// floats with `layout`, in which each row is in the same four lanes as in the
/// result. But a lane has pairs of columns, while the MMA needs four adjacent
/// columns in a lane. No op but this product may read the tile.
bool isExchangedInRows(attn_tile::DotOp dot, MmaLayoutAttr layout);

/// Whether the product's left operand, a computed tile, must not stay in
/// registers. ptxas 13.0 may give its registers to another MMA
/// (fitsRegisters()) if the tile is computed before a loop in which consumers
/// wait for each wgmma at once. They do so without overlap, or if they write
/// right operands of MMAs to shared memory. `writesRight` says whether
/// consumers do the latter.
bool isLostInLoop(attn_tile::DotOp dot, ScheduleAttr schedule,
                  bool writesRight);

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
