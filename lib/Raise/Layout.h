//===- Layout.h - Which indices are heads, rows and keys --------*- C++ -*-===//
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

/// Variables of one dimension, the most significant first.
using Digits = SmallVector<unsigned>;

/// An array whose dimensions are products of variables.
struct Arrangement {
  Value array;
  SmallVector<Digits> dims;
};

/// The variables of an attention by the op's dimension that they belong to:
/// those of the query's heads are those of the key's and then those of a group.
struct Layout {
  Digits batch, kvHeads, group, rows, keys, headDims, valueDims;
  Arrangement query, key, value;
  /// The arrangement of the sink's logits, if they are in an array.
  std::optional<Arrangement> sink;
  SmallVector<Digits> outputs;
  /// For gradients: the arrangement of the output's gradient, and the
  /// dimensions of the result.
  std::optional<Arrangement> outputGradient;
  SmallVector<Digits> gradient;

  Digits getHeads() const {
    Digits heads = kvHeads;
    llvm::append_range(heads, group);
    return heads;
  }
};

/// Returns the layout, or sets `reason` to why there is none.
FailureOr<Layout> findLayout(Elements &elements, Attention &attention,
                             std::string &reason);

/// The array with these dimensions, of variables that it has. With
/// `broadcasts`, what it does not have is repeated; `sizes` has values of those
/// that are dynamic.
Value arrange(ImplicitLocOpBuilder &b, Indexing &indexing,
              const Arrangement &source, ArrayRef<Digits> target,
              llvm::DenseMap<unsigned, Value> &sizes);

/// Values of the dynamic sizes that the array's dimensions tell.
void addSizes(ImplicitLocOpBuilder &b, Indexing &indexing,
              const Arrangement &source,
              llvm::DenseMap<unsigned, Value> &sizes);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_LAYOUT_H
