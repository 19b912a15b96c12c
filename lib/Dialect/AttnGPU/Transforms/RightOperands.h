//===- RightOperands.h - Right operands in registers ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_RIGHTOPERANDS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_RIGHTOPERANDS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::attn_gpu {

/// The products by mma.sync whose right operand stays in registers: each warp
/// extends or unpacks elements of 8 or 4 bits, which it reads from shared
/// memory, to the registers of its MMAs. They are those products whose warps
/// share all rows, so that no two warps extend the same elements.
class RightOperands {
public:
  RightOperands(KernelOp kernel, ScheduleAttr schedule);

  struct Operand {
    attn_tile::LoadOp load;
    attn_tile::DotOp dot;
    /// The number of neighboring elements of the right operand's rows that a
    /// lane holds.
    int64_t run;

    /// Returns the layouts of the stored tile, `bytes`, and of the product's
    /// right operand, if its result has the layout `result`.
    std::pair<Attribute, Attribute> getLayouts(Value bytes,
                                               MmaLayoutAttr result) const;
  };
  /// Returns the operand that is extended from the tile that `load` reads, or
  /// null if it does not stay in registers.
  const Operand *find(attn_tile::LoadOp load) const;
  /// Returns the number of neighboring columns of the product's result that a
  /// lane has.
  std::optional<int64_t> getResultColumns(attn_tile::DotOp dot) const;
  /// Returns the number of neighboring columns of the product's left operand
  /// that a lane has, if the operand is computed.
  std::optional<int64_t> getLeftColumns(attn_tile::DotOp dot) const;

private:
  llvm::MapVector<Operation *, Operand> operands;
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_RIGHTOPERANDS_H
