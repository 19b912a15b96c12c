//===- JoinedColumns.h - Gradients of two-array operands --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_JOINEDCOLUMNS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_JOINEDCOLUMNS_H

#include "ProgramBuilder.h"

namespace mlir::attn {

/// Replaces an op of gradients whose query and key are in two arrays each,
/// `query_rope` and `key_rope` with the last columns, by one whose query and
/// key are in one array each.
class JoinedColumns : ProgramBuilder {
public:
  JoinedColumns(AttentionBackwardOp op, OpBuilder &builder)
      : ProgramBuilder(op, builder), op(op) {}

  /// Whether the op has such arrays.
  bool areNeeded() { return hasColumns() || hasValueGradientAlongKeys(); }
  /// Emits grids that copy the columns of query and key to memory, and the op
  /// that reads that memory instead and writes gradients to further memory.
  AttentionBackwardOp emit();
  /// Emits grids that copy the columns of these gradients to the op's own outs,
  /// and frees all workspace. Call it after the programs of the op that emit()
  /// returned were emitted.
  void emitGradients();

private:
  /// The gradient of all columns, `all`, and the op's outs for the first and
  /// for the last columns, of which one may be null.
  struct Gradient {
    Value all, first, last;
  };

  bool hasColumns() { return bool(op.getExtra(Extra::QueryRope)); }
  /// Whether the stride of d_value is 1 along keys. The op then writes rows to
  /// workspace.
  bool hasValueGradientAlongKeys();
  /// Returns workspace for as many rows as the array has, which `emitGradients`
  /// frees.
  Value allocateColumns(Value array, int64_t columns, Type element);
  Value viewColumns(Value array, int64_t first, int64_t count);
  /// Whether several heads share the last columns of the key.
  bool sharesRope();
  Value join(Value first, Value last, bool isRepeated = false);
  void copyColumns(Value from, Value to, bool isRepeated = false,
                   bool isSum = false);
  Gradient createGradient(Gradients ofFirst, Gradients ofLast, Value array);

  AttentionBackwardOp op;
  SmallVector<Gradient, 2> gradients;
  SmallVector<Value> workspace;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_JOINEDCOLUMNS_H
