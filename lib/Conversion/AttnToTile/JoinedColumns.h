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

/// Replaces an attention_backward op whose query and key are in two arrays
/// each, with the last columns in `query_rope` and `key_rope`, by an op whose
/// query and key are in one array each. Also replaces an op whose d_value has
/// keys as the contiguous dimension, by one that writes d_value to workspace
/// with columns as the contiguous dimension. Grids copy the arrays.
class JoinedColumns : ProgramBuilder {
public:
  JoinedColumns(AttentionBackwardOp op, OpBuilder &builder)
      : ProgramBuilder(op, builder), op(op) {}

  /// Whether the op is one of those that have to be replaced.
  bool areNeeded() { return hasColumns() || hasValueGradientAlongKeys(); }
  /// Emits grids that copy the columns of query and key into joined arrays in
  /// workspace, and an op that reads these arrays and writes gradients to
  /// workspace. Returns that op.
  AttentionBackwardOp emit();
  /// Emits grids that copy the columns of the gradients from workspace to the
  /// outs of the original op. To be called after the programs of the op that
  /// emit() returned have been emitted.
  void emitGradients();

private:
  /// The gradient of all columns (`all`), and the original op's outs for the
  /// first and for the last columns, one of which may be null.
  struct Gradient {
    Value all, first, last;
  };

  bool hasColumns() { return bool(op.getExtra(Extra::QueryRope)); }
  /// Whether d_value has keys as its contiguous dimension. The op that emit()
  /// returns then writes d_value to workspace, with columns as the contiguous
  /// dimension.
  bool hasValueGradientAlongKeys();
  Value viewColumns(Value array, int64_t first, int64_t count);
  /// Whether several key heads share the columns of key_rope.
  bool sharesRope();
  Value join(Value first, Value last, bool isRepeated = false);
  void copyColumns(Value from, Value to, bool isRepeated = false,
                   bool isSum = false);
  Gradient createGradient(Gradients ofFirst, Gradients ofLast, Value array);

  AttentionBackwardOp op;
  SmallVector<Gradient, 2> gradients;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_JOINEDCOLUMNS_H
