//===- Scales.h - Scales of elements in programs ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_SCALES_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_SCALES_H

#include "SequenceView.h"

namespace mlir::attn {

/// Returns a vector of `count` scales in f32, gathered at `indices`, each of
/// which is a scalar or a vector. If all indices are scalars, one scale is
/// read and repeated. Otherwise `beside` marks the gather, which then needs
/// registers next to those of the accumulators.
Value gatherScale(TileBuilder &b, const ExtraOperand &scale, int64_t count,
                  ArrayRef<Value> indices, bool beside = false);

/// Whether the array of scales has one element for each token, and these
/// elements are contiguous in memory.
bool isContiguous(const ExtraOperand &scale);

/// Returns a vector of the scales of `count` keys (or of their values), from
/// key `position` of the program's sequence on. The keys must not be in
/// pages. Memory past the last valid key may hold anything, so the scales of
/// keys past it are not read. Such keys get 0 if isContiguous(), else the
/// last key's scale.
Value loadScalesOfKeys(TileBuilder &b, const ExtraOperand &scale,
                       const SequenceView &at, Value head, Value position,
                       int64_t count);

/// Returns a vector of the elements that an operand with an element for each
/// channel has for `count` channels from `first` on, for one batch entry and
/// head. If all channels share one element, it is repeated.
Value loadChannels(TileBuilder &b, const ExtraOperand &operand, Value entry,
                   Value head, Value first, int64_t count);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SCALES_H
