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

/// Keeps left operands that loops do not change in registers, where the
/// schedule has enough of these.
class LeftOperands {
public:
  /// Of a kernel whose tiles have layouts; `reduced` and `apart` are the ops of
  /// a reducer and of a multiplier.
  LeftOperands(KernelOp kernel, ScheduleAttr schedule, const attn::Chip &chip,
               const llvm::SetVector<Operation *> &reduced,
               const llvm::SetVector<Operation *> &apart);

  void keepInRegisters(ArrayRef<attn_tile::LoadOp> loads) {
    for (attn_tile::LoadOp load : loads)
      keep(load);
  }

private:
  void keep(attn_tile::LoadOp load);

  KernelOp kernel;
  ScheduleAttr schedule;
  const attn::Chip &chip;
  const llvm::SetVector<Operation *> &apart;
  /// The 32-bit registers of all warps for other tiles, and for left operands
  /// that were moved before.
  int64_t numWords;
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LEFTOPERANDS_H
