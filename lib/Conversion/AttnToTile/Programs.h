//===- Programs.h - Attention ops as tile programs --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_PROGRAMS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_PROGRAMS_H

#include "TileBuilder.h"

namespace mlir::attn {

/// Emits the grid of a forward op, which must have memref operands and a
/// schedule. Returns whether the grid's program contains code that masks
/// scores.
bool emitForward(AttentionOp op, OpBuilder &builder);

/// Emits the grids of a backward op, which must have memref operands and a
/// schedule. Fails with an error if the op's score region has no derivative.
LogicalResult emitBackward(AttentionBackwardOp op, OpBuilder &builder);

/// Emits the grids that compute the gradient of a backward op's sink and store
/// it to `out`; these grids compute none of the op's other gradients.
void emitSinkGradient(AttentionBackwardOp op, OpBuilder &builder, Value out);

/// Emit the grids of rowwise ops (merge, append, summarize), which must have
/// memref operands and a schedule.
void emitMerge(MergeOp op, OpBuilder &builder);
void emitAppend(AppendOp op, OpBuilder &builder);
void emitSummarize(SummarizeOp op, OpBuilder &builder);

/// Returns the sizes of the summary (attn.summarize) of an array.
SmallVector<OpFoldResult> getSummarySizes(TileBuilder &b, Value array);

/// Emits the grid that writes an array's summary, as attn.summarize does: the
/// minimum and the maximum of each cell, next to each other in the summary's
/// last dimension. Nothing is emitted for an array that is statically empty.
void emitSummaryGrid(TileBuilder &b, Value array, Value summary,
                     TileSizesAttrInterface rowwise);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_PROGRAMS_H
