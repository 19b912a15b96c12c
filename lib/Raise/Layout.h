//===- Layout.h - Indices of heads, rows and keys ---------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_LAYOUT_H
#define ATTN_LIB_RAISE_LAYOUT_H

#include "Match.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn::raise {

/// The variables that together are the index of one dimension, the most
/// significant first.
using Digits = SmallVector<unsigned>;

/// An array, and for each of its dimensions the variables that are its index.
struct Arrangement {
  Value array;
  SmallVector<Digits> dims;
};

/// The variables of an attention, by the dimension of the op to which they
/// belong. The query's heads are indexed by `kvHeads` and then `group`.
struct Layout {
  Digits batch, kvHeads, group, rows, keys, headDims, valueDims;
  Arrangement query, key, value;
  /// The arrangement of the sink's logits, if these are in an array.
  std::optional<Arrangement> sink;
  SmallVector<Digits> outputs;
  /// For gradients: the arrangement of the output's gradient, and the variables
  /// of each dimension of the result, which is the gradient of query, key or
  /// value.
  std::optional<Arrangement> outputGradient;
  SmallVector<Digits> gradient;

  Digits getHeads() const {
    Digits heads = kvHeads;
    llvm::append_range(heads, group);
    return heads;
  }
};

/// Finds which variables are batch entries, heads, rows and so on. Fails and
/// sets `reason` if there is no such layout.
FailureOr<Layout> findLayout(Elements &elements, Attention &attention,
                             std::string &reason);

/// Emits ops that rearrange the array `source` to dimensions `target`, and
/// returns the result. The array is repeated along variables of `target` that
/// it lacks; `sizes` has the values of their dynamic sizes.
Value arrange(ImplicitLocOpBuilder &b, Indexing &indexing,
              const Arrangement &source, ArrayRef<Digits> target,
              llvm::DenseMap<unsigned, Value> &sizes);

/// Adds to `sizes` the values of those variables' dynamic sizes that can be
/// read from the array's dimensions.
void addSizes(ImplicitLocOpBuilder &b, Indexing &indexing,
              const Arrangement &source,
              llvm::DenseMap<unsigned, Value> &sizes);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_LAYOUT_H
