//===- AttnTile.h - The attn_tile dialect -----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_IR_ATTNTILE_H
#define ATTN_DIALECT_ATTNTILE_IR_ATTNTILE_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include "attn/Dialect/AttnTile/IR/AttnTileDialect.h.inc"
#include "attn/Dialect/AttnTile/IR/AttnTileEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "attn/Dialect/AttnTile/IR/AttnTileTypes.h.inc"

#define GET_OP_CLASSES
#include "attn/Dialect/AttnTile/IR/AttnTileOps.h.inc"

namespace mlir::attn_tile {

/// Verifies an op that moves a tile between registers and a view of memory.
/// There must be an index for each dimension of the view. The view's rank must
/// be at least the tile's, and its element type that of the tile, which is an
/// integer or a float.
LogicalResult verifyAccess(Operation *op, MemRefType view, OperandRange indices,
                           RankedTensorType tile);

/// Verifies the operands `list` and `entry` of a load that may take the numbers
/// of its rows from a list, from entry number `entry` on. Both must be given or
/// neither. If they are given, the tile must have one part and rank 2.
LogicalResult verifyRowList(Operation *op, Value list, Value entry,
                            int64_t parts, RankedTensorType tile);

/// Verifies the element types and sizes of a matrix product's operands.
LogicalResult verifyProduct(Operation *op, RankedTensorType lhs,
                            RankedTensorType rhs, RankedTensorType acc,
                            bool transposeLhs, bool transposeRhs);

/// Whether a reduction combines conditions (`and`, `or`) and not floats.
inline bool isOfConditions(ReduceKind kind) {
  return kind == ReduceKind::And || kind == ReduceKind::Or;
}

/// Verifies that a reduction of `kind` can combine elements of the type: i1 if
/// the kind is `and` or `or`, else floats of 16 bits or more.
LogicalResult verifyElements(Operation *op, ReduceKind kind, Type element);

/// Verifies that a vector fits a tile of rank 2. For axis 1 the vector is over
/// the tile's rows, for axis 0 over its columns. It must have the tile's
/// element type, and the tile's length along the axis that is not `axis`.
LogicalResult verifySlice(Operation *op, RankedTensorType tile,
                          RankedTensorType slice, uint64_t axis);

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_IR_ATTNTILE_H
