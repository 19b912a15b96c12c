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

/// The index variables that together are the index of one dimension of an
/// array, the most significant first (digits in a mixed radix).
using Digits = SmallVector<unsigned>;

/// Which elements of a dimension of an array are read: every `stride`th one
/// from `offset` on.
struct Steps {
  int64_t offset = 0, stride = 1;

  bool operator==(const Steps &other) const {
    return offset == other.offset && stride == other.stride;
  }
};

/// An array, with the index variables that are the index of each of its
/// dimensions. If `steps` is not empty, it has the steps in each dimension, and
/// the variables number these. Sizes of dimensions in steps are static.
struct Arrangement {
  Value array;
  SmallVector<Digits> dims;
  SmallVector<Steps> steps = {};
};

/// The index variables of an attention, divided by the dimension of the
/// attention op to which they belong. A head of the query is given by `kvHeads`
/// and, within that, `group`.
struct Layout {
  Digits batch, kvHeads, group, rows, keys, headDims, valueDims;
  Arrangement query, key, value;
  /// The further columns of query and key, their index variables, and the heads
  /// of the key's, which are none if all heads share them; nothing if query and
  /// key are one array each.
  std::optional<Arrangement> queryRope, keyRope;
  Digits ropeDims, ropeHeads;
  /// The columns of the key that are the value, as `value_dims` of an attention
  /// op has them; nothing if the value is an array of its own.
  std::optional<std::pair<int64_t, int64_t>> valueColumns;
  /// The array with the sink's logits and its index variables; nothing if there
  /// is no sink or its logit is a constant.
  std::optional<Arrangement> sink;
  SmallVector<Digits> outputs;
  /// Only for gradients: the array with the output's gradient, and the index
  /// variables of each dimension of the result, which is the gradient of the
  /// query, key or value.
  std::optional<Arrangement> outputGradient;
  /// Only for gradients: the array with the gradient of the lse, on which the
  /// gradient of scores depends. Nothing if there is none.
  std::optional<Arrangement> lseGradient;
  SmallVector<Digits> gradient;

  Digits getHeads() const {
    Digits heads = kvHeads;
    llvm::append_range(heads, group);
    return heads;
  }
};

/// Finds which index variables of an attention are batch entries, heads, rows
/// and so on. Fails and sets `reason` if they cannot be divided in such a way.
FailureOr<Layout> findLayout(Elements &elements, Attention &attention,
                             std::string &reason);

/// Returns the first column of the key that is the value, and the one after the
/// last, if the value is some columns of the key, or all of the first of two
/// key arrays. Returns nothing for other values.
std::optional<std::pair<int64_t, int64_t>>
findValueColumns(Elements &elements, const Attention &attention,
                 const Layout &layout);

/// As findLayout(), for an attention without gradients, whose value may be
/// columns of the key (findValueColumns()). If the source puts query and key
/// together from two arrays each, as multi-head latent attention does, and
/// heads share the key's second array or the value is columns of its first one,
/// the arrays become the attention's, and nothing is put together any more.
FailureOr<Layout> findForwardLayout(Elements &elements, Attention &attention,
                                    std::string &reason);

/// Returns the index variables of all dimensions.
llvm::SmallDenseSet<unsigned> getAllDigits(ArrayRef<Digits> dims);

/// Returns the first of the tensors from which the node is read (its sources)
/// whose indices run over the whole tensor or, if there is none, over elements
/// in steps, with the index variables of each dimension. The first source is
/// the one nearest to the function's arguments. Returns nothing if there is no
/// such tensor.
std::optional<Arrangement> findArray(Elements &elements, Node *node);

/// Returns the index variables of which `expr`, the index in dimension `dim` of
/// an array, is a sum, the most significant first. Returns nothing unless the
/// sum takes each index of that dimension exactly once.
std::optional<Digits> findDigits(Elements &elements, AffineExpr expr,
                                 Value array, int64_t dim);

/// Emits ops that rearrange the array `source` such that its dimensions have
/// the index variables `target`, and returns the result. The array is repeated
/// along variables of `target` that it lacks; `sizes` has the dynamic sizes of
/// these.
Value arrange(ImplicitLocOpBuilder &b, Indexing &indexing,
              const Arrangement &source, ArrayRef<Digits> target,
              llvm::DenseMap<unsigned, Value> &sizes);

/// Adds to `sizes` the dynamic sizes of index variables that can be read from
/// the sizes of the array `source`.
void addSizes(ImplicitLocOpBuilder &b, Indexing &indexing,
              const Arrangement &source,
              llvm::DenseMap<unsigned, Value> &sizes);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_LAYOUT_H
