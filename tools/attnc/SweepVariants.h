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

/// The argument for a captured array or number.
struct Captured {
  llvm::SmallVector<int64_t> sizes;
  mlir::attn::ArgumentSpec argument;
};

/// Inserts arguments after the present inputs; the sizes and strides of later
/// parameters move with these.
void appendArguments(SweepCase &drawn, llvm::ArrayRef<Captured> captured);

/// Draws drawCase's problem with a mask region, a score region that reads
/// captured arrays, both or neither.
SweepCase drawVariantCase(uint64_t seed, uint64_t number,
                          SizesOf drawSizes = drawPlainSizes);

/// Gives the problem a score region with captured numbers, if it has no region,
/// and asks for gradients of some captures, sometimes without other gradients.
void drawCaptureGradients(uint64_t seed, uint64_t number, SweepCase &drawn);

/// Adds to some problems a sink and dropout after the captures, and to
/// gradients that of the sink.
void drawSinkAndDropout(uint64_t seed, uint64_t number, SweepCase &drawn);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPVARIANTS_H
