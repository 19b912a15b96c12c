//===- BenchShapes.h - Shapes that attnc bench times ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_BENCHSHAPES_H
#define ATTN_DRIVER_BENCHSHAPES_H

#include "attn/Support/ArrayView.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>
#include <vector>

namespace mlir::attn {

/// A problem to time: the sizes of attention without score or mask regions. If
/// it has a causal mask, the mask's diagonal begins at the top left.
struct BenchShape {
  /// The name of the set in the table of shapes to which the shape belongs, or
  /// "given" for a shape from the command line.
  std::string set;
  DType dtype = DType::BF16;
  int64_t batch = 1;
  int64_t queryHeads = 1, kvHeads = 1;
  int64_t queryLength = 1, kvLength = 1;
  int64_t headDim = 64, valueHeadDim = 64;
  bool causal = false;

  /// Returns the shape as text, for example "gpt2 f16 4,12,1024,64 causal".
  std::string describe() const;
  /// Returns the head dim as text, such as "64". If values have a different
  /// head dim, the text has both, such as "192:128".
  std::string describeHeadDims() const;
};

/// The masks with which each shape is timed: the mask that the table lists for
/// it (`AsListed`), no mask (`Full`), a causal mask, or no mask and then a
/// causal mask (`Both`).
enum class BenchMasks { AsListed, Full, Causal, Both };

/// Returns the shapes that `names` select. A name is that of a set ("gpt2",
/// "llama", "flux", "grid", "decode", "heldout", or "all" of these) or a shape
/// B,H[:HK],S[:SK],D[:DV]. Shapes of the second kind are in bf16 and without a
/// mask, unless `dtype` and `masks` say otherwise. No shape is returned twice.
llvm::Expected<std::vector<BenchShape>>
selectBenchShapes(llvm::ArrayRef<std::string> names, std::optional<DType> dtype,
                  BenchMasks masks);

} // namespace mlir::attn

#endif // ATTN_DRIVER_BENCHSHAPES_H
