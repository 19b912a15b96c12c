//===- GradientScales.h - Scales in programs of gradients -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_GRADIENTSCALES_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_GRADIENTSCALES_H

#include "ProgramBuilder.h"

namespace mlir::attn {

/// Base of the builders that copy arrays of 8 bits and that read the copies:
/// says which factor of a scale is in the copy, and where programs multiply by
/// the rest.
class GradientScales : protected ProgramBuilder {
protected:
  /// `stored` is the op with the caller's arrays and their scales.
  GradientScales(AttentionBackwardOp op, OpBuilder &builder,
                 AttentionBackwardOp stored)
      : ProgramBuilder(op, builder), stored(stored) {}

  /// Whether the array has a scale for each token or block of tokens.
  bool isOfTokens(Extra which) {
    return bool(stored.getExtra(which).findDim('s'));
  }
  /// Whether the value has a scale for each channel. Its copy is then the
  /// product of numbers and scales, since dP is a sum over channels.
  bool hasChannelScales() {
    return bool(stored.getExtra(Extra::ValueScale).findDim('d'));
  }
  /// Whether the scale of query or key differs between the addends of a
  /// gradient: key scales in d_query, or query scales in d_key. If all addends
  /// share the scale, it multiplies the sum, in f32.
  bool differsInAddends(Extra which);
  /// Whether the array that `which` scales is copied to 16 bits as the product
  /// of its numbers and their scales.
  bool scalesCopy(Extra which);
  /// Whether the scale multiplies the gradients of scores before these are
  /// rounded.
  bool scalesAddends(Extra which) {
    return differsInAddends(which) && !scalesCopy(which);
  }
  /// Whether the numbers in the copy of the array are multiplied by the power
  /// of two of their scale.
  bool hasPowers(Extra which);
  /// Divides scales, an f32 number or tile, into the power of two by which the
  /// copy is multiplied, and the remaining factor. Without hasPowers(), the
  /// power is null and the remaining factor is the scale.
  std::pair<Value, Value> splitScale(Extra which, Value scale);

  AttentionBackwardOp stored;
  /// Whether 8-bit MMAs compute scores from the arrays of 8 bits. Otherwise
  /// scores are computed from the copies that the products for d_query and
  /// d_key read.
  bool multipliesStored = false;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_GRADIENTSCALES_H
