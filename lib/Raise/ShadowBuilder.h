//===- ShadowBuilder.h - Builds ops on tensors ------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_SHADOWBUILDER_H
#define ATTN_LIB_RAISE_SHADOWBUILDER_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn::raise {

/// Converts a scalar to another type of scalars: floats to floats, integers to
/// both. i1 is 0 or 1. Returns null for other conversions.
Value castScalar(ImplicitLocOpBuilder &b, Value value, Type type);
bool canCastScalar(Type from, Type to);

/// Builds ops of linalg and tensor from operands that no verifier has seen.
/// Each function returns null if the operands have ranks or static sizes that
/// do not fit, or if a dynamic size of the result is not known.
class ShadowBuilder {
public:
  /// Creates a builder that inserts ops after `op`, or after those that it has
  /// inserted already.
  explicit ShadowBuilder(Operation *op) : b(op->getLoc(), op->getContext()) {
    b.setInsertionPointAfter(op);
  }
  /// Creates a builder that inserts ops where `at` does.
  explicit ShadowBuilder(const ImplicitLocOpBuilder &at) : b(at) {}

  /// Computes a scalar of the result from scalars of the operands.
  using Body = llvm::function_ref<Value(ImplicitLocOpBuilder &, ValueRange)>;

  /// Returns a tensor whose element at the indices d0, d1 and so on is what
  /// `body` computes from the operands' elements at the indices that `maps`
  /// give.
  Value map(RankedTensorType type, ArrayRef<Value> operands,
            ArrayRef<AffineMap> maps, Body body, ArrayRef<Value> sizes = {});
  /// As map(), with operands of the result's shape or of one that numpy's
  /// rules broadcast to it. `sizes` has the sizes of the result, or is empty:
  /// these are then those of operands.
  Value broadcast(RankedTensorType type, ArrayRef<Value> operands, Body body,
                  ArrayRef<Value> sizes = {});
  /// Returns a tensor with the elements of `operand` at the indices that `map`
  /// gives.
  Value move(RankedTensorType type, Value operand, AffineMap map);
  /// Returns a tensor that has, for the indices that `result` selects from all
  /// loops, the sum of what `body` computes, or its maximum. The other loops
  /// are reduced. The maximum of bools is whether any is true.
  Value reduce(RankedTensorType type, AffineMap result,
               ArrayRef<Value> operands, ArrayRef<AffineMap> maps, bool isSum,
               Body body);
  /// Returns `operand` with the same elements in row-major order in another
  /// shape. Each of the shapes may have one dynamic size.
  Value reshape(RankedTensorType type, Value operand);
  /// Returns the elements of `operand` as `type` has them.
  Value convert(Value operand, Type element);
  /// Returns a softmax of floats along dimension `dim`, computed in f32. It is
  /// built from exponentials and their sum, since a forward pass and its
  /// gradients are recognised by the exponentials that they share. Sets `lse`,
  /// if it is not null, to the logarithm of each row's sum of exponentials.
  Value softmax(Value operand, int64_t dim, Value *lse = nullptr);

  AffineExpr dim(unsigned i) { return b.getAffineDimExpr(i); }
  /// Returns a map from `loops` loops to some of them, or to constants.
  AffineMap getMap(unsigned loops, ArrayRef<AffineExpr> results) {
    return AffineMap::get(loops, 0, results, b.getContext());
  }
  AffineMap getIdentity(unsigned rank) {
    return b.getMultiDimIdentityMap(rank);
  }
  ImplicitLocOpBuilder &getBuilder() { return b; }

private:
  Value makeEmpty(RankedTensorType type, AffineMap result,
                  ArrayRef<Value> operands, ArrayRef<AffineMap> maps,
                  ArrayRef<Value> known = {});
  Value getDim(Value tensor, int64_t dim);

  ImplicitLocOpBuilder b;
};

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_SHADOWBUILDER_H
