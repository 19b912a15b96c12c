//===- DequantisedInputs.h - Gradients of arrays of 8 bits ------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_DEQUANTISEDINPUTS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_DEQUANTISEDINPUTS_H

#include "GradientScales.h"

#include <optional>

namespace mlir::attn {

/// Copies those arrays of an attention_backward op that MMAs cannot multiply as
/// they are: query, key and value of 8 bits, values with a scale for each
/// channel, and a d_output that is wider than the MMAs' operands.
class DequantisedInputs : GradientScales {
public:
  DequantisedInputs(AttentionBackwardOp op, OpBuilder &builder)
      : GradientScales(op, builder, op), op(op) {}

  /// Whether the op has arrays that must be copied.
  bool areNeeded() {
    return isNeeded(Extra::QueryScale, op.getQuery()) ||
           isNeeded(Extra::KeyScale, op.getKey()) ||
           isNeeded(Extra::ValueScale, op.getValue()) ||
           isNeeded(std::nullopt, op.getDOutput());
  }
  /// Emits grids that write the converted arrays, and a copy of the op that
  /// reads these and has no scales. Returns that copy. Programs multiply by the
  /// scales, as GradientScales describes. With `keepsValue`, the copy reads the
  /// value array itself. `ofStored` says whether 8-bit MMAs compute scores from
  /// the 8-bit arrays (`multipliesStored`).
  AttentionBackwardOp emit(bool keepsValue, bool ofStored);

private:
  bool isNeeded(std::optional<Extra> scale, Value array);
  Value dequantise(Value array, std::optional<Extra> which);
  Value loadNumbers(Value array, ArrayRef<int64_t> shape, ValueRange place);
  Value loadScales(const ExtraOperand &scale, ArrayRef<int64_t> shape,
                   Value batch, Value head, Value row, Value column);

  AttentionBackwardOp op;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_DEQUANTISEDINPUTS_H
