//===- SweepVariants.h - Random masks and captures --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNC_SWEEPVARIANTS_H
#define ATTN_TOOLS_ATTNC_SWEEPVARIANTS_H

#include "SweepCases.h"

namespace attnc {

/// An argument that is a captured array or scalar.
struct Captured {
  llvm::SmallVector<int64_t> sizes;
  mlir::attn::ArgumentSpec argument;
};

/// Inserts arguments for `captured` after the present inputs, and shifts the
/// sizes and strides of the parameters after these to their new indices.
void appendArguments(SweepCase &drawn, llvm::ArrayRef<Captured> captured);

/// Draws the problem that drawCase() draws, with a mask region, a score region
/// that reads captured arrays, both or neither.
SweepCase drawVariantCase(uint64_t seed, uint64_t number,
                          SizesOf drawSizes = drawPlainSizes);

/// If the problem has no score region, gives it one with captured scalars; asks
/// for gradients of some captures, sometimes without other gradients.
void drawCaptureGradients(uint64_t seed, uint64_t number, SweepCase &drawn);

/// Gives some problems a sink and dropout, as arguments after the captures;
/// problems of gradients also get the gradient of the sink.
void drawSinkAndDropout(uint64_t seed, uint64_t number, SweepCase &drawn);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPVARIANTS_H
