//===- EmitGradient.cpp - attn.attention_backward for what was matched ----===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Gradient.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

/// Encodes which index variables the dimensions of an array have, so that
/// arrays with different layouts can be compared. For each dimension, the
/// result has -1, followed by a number for each variable. The number encodes
/// the variable's role (batch, heads, rows and so on) and its index among the
/// variables of that role.
static SmallVector<int64_t> getRoles(const Layout &layout,
                                     const Arrangement &array) {
  SmallVector<int64_t> roles;
  const Digits *all[] = {&layout.batch,     &layout.kvHeads, &layout.group,
                         &layout.rows,      &layout.keys,    &layout.headDims,
                         &layout.valueDims, &layout.ropeDims};
  for (const Digits &digits : array.dims) {
    roles.push_back(-1);
    for (unsigned digit : digits)
      for (auto [role, ofRole] : llvm::enumerate(all)) {
        const unsigned *found = llvm::find(*ofRole, digit);
        if (found != ofRole->end())
          roles.push_back(16 * role + (found - ofRole->begin()));
      }
  }
  return roles;
}

bool mlir::attn::raise::isSameOfLse(const GradientMatch &lhs,
                                    const GradientMatch &rhs) {
  auto depends = [](const GradientMatch &match) {
    return match.of != Gradients::Value;
  };
  if (!depends(lhs) || !depends(rhs))
    return true;
  const std::optional<Arrangement> &left = lhs.layout.lseGradient,
                                   &right = rhs.layout.lseGradient;
  return left.has_value() == right.has_value() &&
         (!left ||
          (left->array == right->array &&
           getRoles(lhs.layout, *left) == getRoles(rhs.layout, *right)));
}

bool mlir::attn::raise::haveSameArrays(const GradientMatch &lhs,
                                       const GradientMatch &rhs) {
  auto isSame = [&](const Arrangement &left, const Arrangement &right) {
    return left.array == right.array && left.steps == right.steps &&
           getRoles(lhs.layout, left) == getRoles(rhs.layout, right);
  };
  auto areSame = [&](const std::optional<Arrangement> &left,
                     const std::optional<Arrangement> &right) {
    return left.has_value() == right.has_value() &&
           (!left || isSame(*left, *right));
  };
  return isSame(lhs.layout.query, rhs.layout.query) &&
         areSame(lhs.layout.queryRope, rhs.layout.queryRope) &&
         areSame(lhs.layout.keyRope, rhs.layout.keyRope) &&
         isSame(lhs.layout.key, rhs.layout.key) &&
         (!lhs.attention->value || !rhs.attention->value ||
          isSame(lhs.layout.value, rhs.layout.value)) &&
         isSame(*lhs.layout.outputGradient, *rhs.layout.outputGradient) &&
         lhs.layout.sink.has_value() == rhs.layout.sink.has_value() &&
         (!lhs.layout.sink ||
          lhs.layout.sink->array == rhs.layout.sink->array) &&
         isSameOfLse(lhs, rhs) && lhs.attention->scale == rhs.attention->scale;
}

SmallVector<Digits>
mlir::attn::raise::getGradientDims(const GradientMatch &match) {
  const Layout &layout = match.layout;
  if (match.of == Gradients::Sink)
    return {layout.getHeads()};
  switch (match.of) {
  case Gradients::Query:
    return {layout.batch, layout.getHeads(), layout.rows, layout.headDims};
  case Gradients::QueryRope:
    return {layout.batch, layout.getHeads(), layout.rows, layout.ropeDims};
  case Gradients::KeyRope:
    return {layout.batch, layout.ropeHeads, layout.keys, layout.ropeDims};
  case Gradients::Value:
    return {layout.batch, layout.kvHeads, layout.keys, layout.valueDims};
  default:
    return {layout.batch, layout.kvHeads, layout.keys, layout.headDims};
  }
}

bool mlir::attn::raise::hasDimsOfGradient(const GradientMatch &match) {
  auto getSorted = [](ArrayRef<Digits> dims) {
    Digits all;
    for (const Digits &digits : dims)
      llvm::append_range(all, digits);
    llvm::sort(all);
    return all;
  };
  Digits found = getSorted(match.layout.gradient),
         whole = getSorted(getGradientDims(match));
  // The value of a gradient of the value is not known, so its indices are not.
  bool mayBeSum = match.of != Gradients::Value && match.of != Gradients::Sink;
  return mayBeSum ? std::includes(whole.begin(), whole.end(), found.begin(),
                                  found.end())
                  : found == whole;
}

/// Returns the sum of a gradient over the index variables of `source` that
/// `dims`, those of the matched result, lack, in f32. They are the indices
/// along which the source repeats the array. Returns `source` if there are
/// none.
static Arrangement sumRepeated(ImplicitLocOpBuilder &b, Indexing &indexing,
                               const Arrangement &source, ArrayRef<Digits> dims,
                               llvm::DenseMap<unsigned, Value> &sizes) {
  llvm::SmallDenseSet<unsigned> kept = getAllDigits(dims);
  // Each dimension is divided into runs of digits that are all kept or all
  // summed.
  SmallVector<Digits> runs, left;
  SmallVector<int64_t> summed;
  for (const Digits &digits : source.dims)
    for (auto [i, digit] : llvm::enumerate(digits)) {
      bool isKept = kept.contains(digit);
      if (i == 0 || isKept != kept.contains(runs.back().back())) {
        if (!isKept)
          summed.push_back(runs.size());
        runs.emplace_back();
      }
      runs.back().push_back(digit);
    }
  if (summed.empty())
    return source;
  Value array =
      convert(b, arrange(b, indexing, source, runs, sizes), b.getF32Type());
  SmallVector<OpFoldResult> shape;
  for (auto [dim, run] : llvm::enumerate(runs)) {
    if (llvm::is_contained(summed, dim))
      continue;
    left.push_back(run);
    shape.push_back(tensor::getMixedSize(b, b.getLoc(), array, dim));
  }
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  Value empty = tensor::EmptyOp::create(b, shape, b.getF32Type());
  Value zeros = linalg::FillOp::create(b, zero, empty).getResult(0);
  auto reduce = linalg::ReduceOp::create(
      b, array, zeros, summed,
      [](OpBuilder &inner, Location loc, ValueRange x) {
        linalg::YieldOp::create(
            inner, loc,
            arith::AddFOp::create(inner, loc, x[0], x[1]).getResult());
      });
  return {reduce->getResult(0), left};
}

/// Returns the last op of the block that computes one of `values`, itself or in
/// one of its regions. Returns null if all values are computed outside of the
/// block.
static Operation *findLast(Block *block, ArrayRef<Value> values) {
  Operation *last = nullptr;
  for (Value value : values)
    if (Operation *op = value.getDefiningOp())
      if (Operation *own = block->findAncestorOpInBlock(*op))
        if (!last || last->isBeforeInBlock(own))
          last = own;
  return last;
}

LogicalResult mlir::attn::raise::emitGradients(
    ArrayRef<GradientMatch *> matches, bool keepsRounding,
    llvm::DenseMap<Value, Value> &replaced, llvm::DenseSet<Value> &shifted,
    SmallVectorImpl<Value> &captured, std::string &reason) {
  GradientMatch &leader = *matches.front();
  Elements &elements = *leader.elements;
  Attention &attention = *leader.attention;
  Layout &layout = leader.layout;
  Indexing &indexing = elements.getIndexing();
  for (GradientMatch *match : matches)
    if (!haveSameArrays(leader, *match)) {
      reason = "its gradients are of other arrangements of the same arrays";
      return failure();
    }
  for (const Arrangement *array : {&layout.key, &layout.value})
    if (getElementTypeOrSelf(array->array.getType()).getIntOrFloatBitWidth() <
        16) {
      reason = "it has gradients beside keys or values of 8 bits";
      return failure();
    }
  // In a row whose scores are all large numbers, rounding makes the lse that
  // number, and exp(score - lse) is no probability then. Such scores are
  // shifted by a number for each row. If there is a sink, the lse is about the
  // sink's logit there.
  Node *terms = attention.sink ? nullptr : findLargeTerms(elements, attention);
  if (!terms && !attention.sink) {
    reason = "gradients of rows that may keep no key, which are means where a "
             "large finite number masks, are not exact from an lse";
    return failure();
  }
  bool shiftsRows = terms && !elements.isZero(terms);
  SmallVector<Arrangement *> arrays = {&layout.query, &layout.key,
                                       &layout.value};
  for (std::optional<Arrangement> *array :
       {&layout.outputGradient, &layout.lseGradient, &layout.queryRope,
        &layout.keyRope})
    if (*array)
      arrays.push_back(&**array);
  SmallVector<Value> needed;
  for (Arrangement *array : arrays) {
    if (Value value = replaced.lookup(array->array))
      array->array = value;
    needed.push_back(array->array);
  }
  // The attn.attention_backward op is inserted before the first op that
  // computes one of the gradients, since all ops that compute what the score
  // reads come before that.
  Operation *first = attention.result.getDefiningOp();
  Block *block = first->getBlock();
  for (GradientMatch *match : matches) {
    Operation *op = match->attention->result.getDefiningOp();
    if (op->getBlock() != block) {
      reason = "its gradients are in several blocks";
      return failure();
    }
    if (op->isBeforeInBlock(first))
      first = op;
  }
  Operation *last = findLast(block, needed);
  if (last && !last->isBeforeInBlock(first)) {
    reason = "a gradient is computed before all of what the others need";
    return failure();
  }

  ImplicitLocOpBuilder b(attention.result.getLoc(), first);
  llvm::DenseMap<unsigned, Value> sizes;
  Type resultElement =
      getElementTypeOrSelf(layout.outputGradient->array.getType());
  SmallVector<Value> own;
  for (GradientMatch *match : matches)
    if (match->captured && isSummed(*match))
      own.push_back(match->captured);
  attention.score = readFrom(elements, attention.score, attention.product, own);
  AttentionOp forward = emitForward(
      b, elements, attention, layout, /*pages=*/nullptr, keepsRounding,
      shiftsRows, /*hasLse=*/true, resultElement, sizes, reason);
  if (!forward)
    return failure();
  llvm::append_range(captured, own);
  if (shiftsRows)
    for (GradientMatch *match : matches)
      shifted.insert(match->weights.begin(), match->weights.end());
  Digits heads = layout.getHeads();
  addSizes(b, indexing, *layout.outputGradient, sizes);
  Value output = forward.getResult(0);
  Type outElement = getElementTypeOrSelf(output.getType());
  Value outputGradient = convert(
      b,
      arrange(b, indexing, *layout.outputGradient,
              {layout.batch, heads, layout.rows, layout.valueDims}, sizes),
      outElement);

  Value lseGradient;
  if (layout.lseGradient)
    lseGradient = convert(b,
                          arrange(b, indexing, *layout.lseGradient,
                                  {layout.batch, heads, layout.rows}, sizes),
                          b.getF32Type());

  Gradients wrt = {};
  SmallVector<Value> outs;
  SmallVector<GradientMatch *> ordered;
  for (auto pair :
       {std::pair(Gradients::Query, forward.getQuery()),
        {Gradients::Key, forward.getKey()},
        {Gradients::Value, forward.getValue()},
        {Gradients::Sink, forward.getSink()},
        {Gradients::QueryRope, forward.getExtra(Extra::QueryRope).value},
        {Gradients::KeyRope, forward.getExtra(Extra::KeyRope).value}}) {
    Gradients of = pair.first;
    Value array = pair.second;
    auto *found = llvm::find_if(
        matches, [&](GradientMatch *match) { return match->of == of; });
    if (found == matches.end())
      continue;
    auto type = cast<RankedTensorType>(array.getType());
    Type element = getElementTypeOrSelf((*found)->attention->result.getType());
    if (element != type.getElementType())
      element = b.getF32Type();
    SmallVector<Value> open;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        open.push_back(tensor::DimOp::create(b, array, dim));
    outs.push_back(tensor::EmptyOp::create(b, type.getShape(), element, open));
    wrt = wrt | of;
    ordered.push_back(*found);
  }
  SmallVector<int64_t> captureWrt;
  for (auto [number, array] : llvm::enumerate(forward.getCaptures()))
    for (GradientMatch *match : matches) {
      if (match->captured != array || !isSummed(*match))
        continue;
      auto type = cast<RankedTensorType>(array.getType());
      Type element = getElementTypeOrSelf(match->attention->result.getType());
      if (element != type.getElementType())
        element = b.getF32Type();
      outs.push_back(tensor::EmptyOp::create(b, type.getShape(), element));
      captureWrt.push_back(number);
      ordered.push_back(match);
      break;
    }
  auto backward = AttentionBackwardOp::create(
      b, TypeRange(ValueRange(outs)), forward.getQuery(), forward.getKey(),
      forward.getValue(), output, forward.getResult(1), outputGradient,
      lseGradient, forward.getSink(), /*seed=*/Value(),
      /*offset=*/Value(), forward.getCaptures(), /*origin=*/ValueRange(),
      /*lengths=*/ValueRange(), /*packed=*/ValueRange(), forward.getExtras(),
      outs, forward.getScaleAttr(), forward.getMaskAttr(),
      /*dropout=*/FloatAttr(), wrt, captureWrt,
      /*deterministic=*/false,
      /*schedule=*/TileSizesAttrInterface(),
      /*fallback=*/TileSizesAttrInterface(), forward.getExtraNamesAttr(),
      forward.getExtraBlocksAttr(),
      /*narrow_products=*/NarrowProductsAttr(), /*few_rows=*/false);
  IRMapping mapping;
  forward.getScore().cloneInto(&backward.getScore(), mapping);
  forward.getMaskRegion().cloneInto(&backward.getMaskRegion(), mapping);

  for (auto [match, gradient] : llvm::zip(ordered, backward.getResults())) {
    if (match->captured) {
      Value result = match->attention->result;
      result.replaceAllUsesWith(
          convert(b, gradient, getElementTypeOrSelf(result.getType())));
      continue;
    }
    Layout &itsLayout = match->layout;
    Indexing &ofMatch = match->elements->getIndexing();
    SmallVector<Digits> dims = getGradientDims(*match);
    llvm::DenseMap<unsigned, Value> open;
    addSizes(b, ofMatch, {gradient, dims}, open);
    Value result = match->attention->result;
    Arrangement summed =
        sumRepeated(b, ofMatch, {gradient, dims}, itsLayout.gradient, open);
    Value value = arrangeResult(b, ofMatch, summed, itsLayout.gradient,
                                cast<RankedTensorType>(result.getType()), open);
    result.replaceAllUsesWith(value);
    replaced[result] = value;
  }
  return success();
}
