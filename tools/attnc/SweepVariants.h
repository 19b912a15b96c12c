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

/// An argument that is inserted after those that have been drawn: a captured
/// array or scalar, or another input such as a scale or a sink.
struct Captured {
  llvm::SmallVector<int64_t> sizes;
  mlir::attn::ArgumentSpec argument;
};

/// Appends `captured` to the arguments of the problem. Parameters that follow
/// the arguments (outputs) thereby get larger indices, so their sizes and
/// strides are stored under these.
void appendArguments(SweepCase &drawn, llvm::ArrayRef<Captured> captured);

/// Draws the problem that drawCase() draws, and adds a mask region, a score
/// region that reads captured arrays, both or neither. Only a problem without a
/// score region gets one.
SweepCase drawVariantCase(uint64_t seed, uint64_t number,
                          SizesOf drawSizes = drawPlainSizes);

/// Draws for which captures gradients are computed, and sometimes asks for no
/// other gradients. A problem without score and mask regions sometimes first
/// gets a score region with captured scalars. Does nothing for packed
/// sequences.
void drawCaptureGradients(uint64_t seed, uint64_t number, SweepCase &drawn);

/// Gives some problems a sink or dropout, as arguments after the captures.
/// Problems of gradients mostly get the gradient of the sink, too.
void drawSinkAndDropout(uint64_t seed, uint64_t number, SweepCase &drawn);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPVARIANTS_H
