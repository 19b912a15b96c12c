//===- QuantizeProgram.h - Stored arrays as tile programs -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_QUANTIZEPROGRAM_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_QUANTIZEPROGRAM_H

#include "attn/Dialect/Attn/IR/Quantize.h"

namespace mlir::attn {

/// Emits the grids of the op, which must have memrefs and a schedule.
void emitQuantize(QuantizeOp op, OpBuilder &builder);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_QUANTIZEPROGRAM_H
