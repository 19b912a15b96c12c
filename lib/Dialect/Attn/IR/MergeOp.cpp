//===- MergeOp.cpp - The op that merges states ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionVerify.h"

#include "attn/Support/ElementDType.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// RowwiseInterface
//===----------------------------------------------------------------------===//

int64_t MergeOp::getHostRows() {
  return fitTile(64, cast<ShapedType>(getOutput().getType()).getDimSize(2));
}

/// Returns a scale of attn.merge as an extra operand, in the form of
/// attention's output_scale that has the scale's rank.
static ExtraOperand getScale(Value scale) {
  ExtraOperand operand;
  operand.value = scale;
  if (scale)
    operand.form = findForm(Extra::OutputScale,
                            cast<ShapedType>(scale.getType()).getRank())
                       .value_or("");
  return operand;
}

ExtraOperand MergeOp::getStateScale(unsigned i) {
  return getScale(i < getScales().size() ? getScales()[i] : Value());
}

ExtraOperand MergeOp::getScaleOfOutput() { return getScale(getOutputScale()); }

/// Returns the scales of an attn.merge with their names in messages: those of
/// the outputs of the states first, then that of the merged output.
static SmallVector<std::pair<std::string, ExtraOperand>>
getNamedScales(MergeOp op) {
  SmallVector<std::pair<std::string, ExtraOperand>> scales;
  for (auto [i, scale] : llvm::enumerate(op.getScales()))
    scales.emplace_back("scale " + std::to_string(i), getScale(scale));
  if (ExtraOperand scale = op.getScaleOfOutput())
    scales.emplace_back("output_scale", scale);
  return scales;
}

SmallVector<ArrayOperand> MergeOp::getArrays() {
  MLIRContext *context = getContext();
  SmallVector<Type, 3> floats = getFloats(context);
  Type f32 = floats.back();
  SmallVector<Type, 3> elements = floats;
  elements.append(
      {Float8E4M3FNType::get(context), Float8E5M2Type::get(context)});
  Type element = getElementTypeOrSelf(getStateOutput(0));
  bool isKnown = llvm::is_contained(elements, element);
  SmallVector<ArrayOperand> arrays;
  for (unsigned i = 0, e = getNumStates(); i < e; ++i) {
    std::string number = std::to_string(i);
    SmallVector<Type, 3> own = elements;
    if (i > 0 && isKnown)
      own = {element};
    arrays.push_back({"output " + number, getStateOutput(i), 4, own,
                      /*hasHeadDim=*/true});
    arrays.push_back({"lse " + number, getStateLse(i), 3, {f32}});
  }
  for (const auto &[name, scale] : getNamedScales(*this))
    arrays.push_back({name,
                      scale.value,
                      cast<ShapedType>(scale.value.getType()).getRank(),
                      {f32},
                      /*hasHeadDim=*/false,
                      /*hasAnyStride=*/true});
  if (Value sink = getSink())
    arrays.push_back({"sink", sink, 1, floats});
  SmallVector<Type, 3> results = elements;
  if (element.isF16() || element.isBF16())
    llvm::erase_if(results, [&](Type own) {
      return own != element && own != f32 && !isFloat8(own);
    });
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
  auto first = [&](int64_t dim) -> EqualSizes::Dim {
    return {arrays.front().name, arrays.front().value, dim};
  };
  SmallVector<std::pair<std::string, ExtraOperand>> scales =
      getNamedScales(*this);
  for (const ArrayOperand &array : llvm::drop_begin(arrays)) {
    if (llvm::is_contained(llvm::make_first_range(scales), array.name))
      continue;
    bool isSink = array.rank == 1;
    for (int64_t dim = isSink ? 1 : 0; dim < (isSink ? 2 : array.rank); ++dim)
      requireEqual(sizes, kNames[dim], first(dim),
                   {{array.name, array.value, isSink ? 0 : dim}});
  }
  for (const auto &[name, scale] : scales)
    for (auto [letter, dim] : {std::pair('b', 0), {'h', 1}})
      if (scale.findDim(letter))
        requireEqual(sizes, kNames[dim], first(dim),
                     {{name, scale.value, dim}});
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
  const ExtraDeclaration &declaration = getDeclaration(Extra::OutputScale);
  for (const auto &[name, scale] : getNamedScales(*this)) {
    auto type = cast<ShapedType>(scale.value.getType());
    if (!findForm(Extra::OutputScale, type.getRank()))
      return emitOpError("expected ")
             << name << " to be "
             << describeForms(declaration, /*isPaged=*/false) << ", found "
             << type;
  }
  if (failed(verifyRowwise(*this)))
    return failure();
  Type element = getElementTypeOrSelf(getStateOutput(0));
  size_t numScales = isFloat8(element) ? getNumStates() : 0;
  if (getScales().size() != numScales) {
    InFlightDiagnostic diag = emitOpError("expected ");
    if (numScales == 0)
      diag << "no scales beside outputs of " << element;
    else
      diag << "a scale for each of " << numScales << " outputs of " << element;
    return diag << ", found " << getScales().size()
                << (numScales == 0 ? "; scales are of outputs of 8 bits" : "");
  }
  return verifyScaleOfOutput(*this, getElementTypeOrSelf(getOutput()),
                             bool(getOutputScale()));
}

//===----------------------------------------------------------------------===//
// Canonical forms
//===----------------------------------------------------------------------===//

namespace {

/// Drops from an attn.merge a sink that is a constant of -inf, or one state
/// whose lse is such a constant, unless it is the only state. These add nothing
/// to the result.
LogicalResult dropNothing(MergeOp op, PatternRewriter &rewriter) {
  if (Value sink = op.getSink(); sink && matchPattern(sink, m_NegInfFloat())) {
    rewriter.modifyOpInPlace(op, [&] { op.getSinkMutable().clear(); });
    return success();
  }
  for (unsigned i = 0, e = op.getNumStates(); i < e && e > 1; ++i)
    if (matchPattern(op.getStateLse(i), m_NegInfFloat())) {
      rewriter.modifyOpInPlace(op, [&] {
        op.getStatesMutable().erase(2 * i, 2);
        if (!op.getScales().empty())
          op.getScalesMutable().erase(i);
      });
      return success();
    }
  return failure();
}

/// Replaces a state that is the result of another merge by the states of that
/// merge, so that the result is rounded once less. The states of both merges
/// must have the same element type. The other merge must have no sink, and its
/// output and lse no other use. If its output has 8 bits, the scale by which
/// that merge divides it must be the scale that this merge has for the state.
LogicalResult mergeStatesOfMerge(MergeOp op, PatternRewriter &rewriter) {
  for (unsigned i = 0, e = op.getNumStates(); i < e; ++i) {
    auto inner = op.getStateOutput(i).getDefiningOp<MergeOp>();
    if (!inner || inner.getSink() || inner->getNumResults() != 2 ||
        op.getStateOutput(i) != inner->getResult(0) ||
        op.getStateLse(i) != inner->getResult(1) ||
        !llvm::all_of(inner->getResults(),
                      [](Value result) { return result.hasOneUse(); }))
      continue;
    Type element = getElementTypeOrSelf(op.getStateOutput(i));
    if (getElementTypeOrSelf(inner.getStateOutput(0)) != element ||
        inner.getOutputScale() != op.getStateScale(i).value)
      continue;
    auto replace = [](OperandRange own, unsigned first, unsigned count,
                      OperandRange others) {
      SmallVector<Value> all(own.take_front(first));
      llvm::append_range(all, others);
      llvm::append_range(all, own.drop_front(first + count));
      return all;
    };
    SmallVector<Value> states =
        replace(op.getStates(), 2 * i, 2, inner.getStates());
    SmallVector<Value> scales(op.getScales());
    if (!scales.empty())
      scales = replace(op.getScales(), i, 1, inner.getScales());
    rewriter.modifyOpInPlace(op, [&] {
      op.getStatesMutable().assign(states);
      op.getScalesMutable().assign(scales);
    });
    rewriter.eraseOp(inner);
    return success();
  }
  return failure();
}

} // namespace

void MergeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *) {
  patterns.add(dropNothing).add(mergeStatesOfMerge);
}
