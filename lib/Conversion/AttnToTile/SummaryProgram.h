//===- SummaryProgram.h - Bounds of an array's cells ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_SUMMARYPROGRAM_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_SUMMARYPROGRAM_H

#include "attn/Dialect/Attn/IR/Attn.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {

/// Sizes of an array's summary.
SmallVector<OpFoldResult> getSummarySizes(ImplicitLocOpBuilder &b, Value array);

/// Emits the grid that writes an array's summary: what attn.summarize is. The
/// least and the largest number lie next to each other in the last dimension.
void emitSummaryGrid(ImplicitLocOpBuilder &b, Value array, Value summary,
                     TileSizesAttrInterface rowwise);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SUMMARYPROGRAM_H
