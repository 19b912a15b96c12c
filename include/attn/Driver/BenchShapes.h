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

/// A shape of attention without score or mask regions. A causal mask is aligned
/// at the top left.
struct BenchShape {
  /// The name of the table's set that contains the shape, or "given" for one
  /// from the command line.
  std::string set;
  DType dtype = DType::BF16;
  int64_t batch = 1;
  int64_t queryHeads = 1, kvHeads = 1;
  int64_t queryLength = 1, kvLength = 1;
  int64_t headDim = 64, valueHeadDim = 64;
  bool causal = false;

  /// Returns for example "gpt2 f16 4,12,1024,64 causal".
  std::string describe() const;
  /// Returns the head dim as text, such as "64", or "192:128" if values have
  /// another one.
  std::string describeHeadDims() const;
};

/// Which masks to time: the one that the table lists for a shape or, whatever
/// that is, no mask, a causal mask, or one after the other.
enum class BenchMasks { AsListed, Full, Causal, Both };

/// Returns the shapes of named sets ("gpt2", "llama", "flux", "grid", "decode",
/// "heldout", or "all" of these) and those given as B,H[:HK],S[:SK],D[:DV]. The
/// latter are in bf16 and without a mask unless `dtype` and `masks` say
/// otherwise. No shape comes twice.
llvm::Expected<std::vector<BenchShape>>
selectBenchShapes(llvm::ArrayRef<std::string> names, std::optional<DType> dtype,
                  BenchMasks masks);

} // namespace mlir::attn

#endif // ATTN_DRIVER_BENCHSHAPES_H
