//===- MergeOp.cpp - The op that merges states ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionVerify.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// RowwiseInterface
//===----------------------------------------------------------------------===//

int64_t MergeOp::getHostRows() {
  return fitTile(64, cast<ShapedType>(getOutput().getType()).getDimSize(2));
}

SmallVector<ArrayOperand> MergeOp::getArrays() {
  SmallVector<Type, 3> floats = getFloats(getContext());
  Type f32 = floats.back();
  Type element = getElementTypeOrSelf(getStateOutput(0));
  bool isFloat = llvm::is_contained(floats, element);
  SmallVector<ArrayOperand> arrays;
  for (unsigned i = 0, e = getNumStates(); i < e; ++i) {
    std::string number = std::to_string(i);
    SmallVector<Type, 3> own = floats;
    if (i > 0 && isFloat)
      own = {element};
    arrays.push_back({"output " + number, getStateOutput(i), 4, own,
                      /*hasHeadDim=*/true});
    arrays.push_back({"lse " + number, getStateLse(i), 3, {f32}});
  }
  if (Value sink = getSink())
    arrays.push_back({"sink", sink, 1, floats});
  SmallVector<Type, 3> results = floats;
  if (isFloat && element != f32)
    results = {element, f32};
  arrays.push_back({"the merged output", getOutput(), 4, results,
                    /*hasHeadDim=*/true});
  if (Value lse = getLse())
    arrays.push_back({"the merged lse", lse, 3, {f32}});
  return arrays;
}

SmallVector<EqualSizes> MergeOp::getEqualSizes() {
  SmallVector<EqualSizes> sizes;
  static constexpr StringLiteral kNames[] = {"batch sizes", "head counts",
                                             "lengths", "head dims"};
  SmallVector<ArrayOperand> arrays = getArrays();
  for (const ArrayOperand &array : llvm::drop_begin(arrays)) {
    bool isSink = array.rank == 1;
    for (int64_t dim = isSink ? 1 : 0; dim < (isSink ? 2 : array.rank); ++dim)
      requireEqual(sizes, kNames[dim],
                   {arrays.front().name, arrays.front().value, dim},
                   {{array.name, array.value, isSink ? 0 : dim}});
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Verifier and effects
//===----------------------------------------------------------------------===//

LogicalResult MergeOp::verify() {
  size_t numStates = getStates().size();
  if (numStates == 0 || numStates % 2 != 0)
    return emitOpError("expected an output and its lse for each of at least "
                       "one state, found ")
           << numStates << " operands";
  size_t numOuts = getOuts().size();
  if (numOuts < 1 || numOuts > 2)
    return emitOpError("expected 1 or 2 outs (output and lse), found ")
           << numOuts;
  return verifyRowwise(*this);
}

//===----------------------------------------------------------------------===//
// Canonical forms
//===----------------------------------------------------------------------===//

namespace {

bool isMinusInfinity(Value array) {
  DenseFPElementsAttr elements;
  if (!matchPattern(array, m_Constant(&elements)) || !elements.isSplat())
    return false;
  APFloat value = elements.getSplatValue<APFloat>();
  return value.isInfinity() && value.isNegative();
}

/// Removes a sink that is a constant of -inf, or one state whose lse is such a
/// constant, unless it is the only state. These add nothing to the result.
struct DropNothing : OpRewritePattern<MergeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MergeOp op,
                                PatternRewriter &rewriter) const override {
    if (Value sink = op.getSink(); sink && isMinusInfinity(sink)) {
      rewriter.modifyOpInPlace(op, [&] { op.getSinkMutable().clear(); });
      return success();
    }
    for (unsigned i = 0, e = op.getNumStates(); i < e && e > 1; ++i)
      if (isMinusInfinity(op.getStateLse(i))) {
        rewriter.modifyOpInPlace(
            op, [&] { op.getStatesMutable().erase(2 * i, 2); });
        return success();
      }
    return failure();
  }
};

/// Replaces a state that is the result of another merge by the states of that
/// merge, so that the result is rounded once less. The states of both merges
/// must have the same element type. The other merge must have no sink, and its
/// output and lse no other use.
struct MergeStatesOfMerge : OpRewritePattern<MergeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(MergeOp op,
                                PatternRewriter &rewriter) const override {
    for (unsigned i = 0, e = op.getNumStates(); i < e; ++i) {
      auto inner = op.getStateOutput(i).getDefiningOp<MergeOp>();
      if (!inner || inner.getSink() || inner->getNumResults() != 2 ||
          op.getStateOutput(i) != inner->getResult(0) ||
          op.getStateLse(i) != inner->getResult(1) ||
          !llvm::all_of(inner->getResults(),
                        [](Value result) { return result.hasOneUse(); }))
        continue;
      Type element = getElementTypeOrSelf(op.getStateOutput(i));
      if (getElementTypeOrSelf(inner.getStateOutput(0)) != element)
        continue;
      SmallVector<Value> states(op.getStates());
      states.erase(states.begin() + 2 * i, states.begin() + 2 * i + 2);
      states.insert(states.begin() + 2 * i, inner.getStates().begin(),
                    inner.getStates().end());
      rewriter.modifyOpInPlace(op,
                               [&] { op.getStatesMutable().assign(states); });
      rewriter.eraseOp(inner);
      return success();
    }
    return failure();
  }
};

} // namespace

void MergeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<DropNothing, MergeStatesOfMerge>(context);
}
