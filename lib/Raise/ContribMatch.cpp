//===- ContribMatch.cpp - Elements of attention of ONNX -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContribAttention.h"
#include "NamedAttention.h"

using namespace mlir;
using namespace mlir::attn::raise;

namespace {
class ContribMatcher {
public:
  ContribMatcher(Elements &elements, const ContribCall &call,
                 Attention &attention)
      : elements(elements), indexing(elements.getIndexing()), call(call),
        attention(attention), b{elements, attention} {}

  /// Returns false and sets `reason` if a size is no index expression.
  bool match(std::string &reason);

private:
  Node *getQuery();
  Node *getOfKey(Value array, AffineExpr column, int64_t columns);
  Node *compare(arith::CmpIPredicate predicate, Node *lhs, Node *rhs);
  Node *getPosition(AffineExpr expr) { return elements.getPosition(expr, i32); }
  Node *getNumber(int64_t number) {
    return elements.getConstant(
        elements.getBuilder().getIntegerAttr(i32, number));
  }
  Node *getOfBatch(Value array);
  std::optional<AffineExpr> getSize(Value array, int64_t dim) {
    Sizes &sizes = elements.getSizes();
    return sizes.getAffine(sizes.getDim(array, dim), indexing.getContext());
  }
  Node *getOfScores(Value array, ArrayRef<AffineExpr> indices);
  void maskByLastKeys(AffineExpr rows);
  void maskByLengths(AffineExpr rows);
  bool addMasks(std::string &reason);
  void addToScores();

  Elements &elements;
  Indexing &indexing;
  const ContribCall &call;
  Attention &attention;
  Parts b;
  Type i32 = elements.getBuilder().getI32Type(),
       f32 = elements.getBuilder().getF32Type(),
       i1 = elements.getBuilder().getI1Type();
  AffineExpr batch, head, row, key;
};
} // namespace

Node *ContribMatcher::getQuery() {
  AffineExpr column =
      b.add(indexing.addVariable(call.headDim), attention.headDims);
  if (call.rowsAreHeadsFirst)
    return b.get(call.query, {batch, head, row, column});
  if (getShape(call.query).size() == 4)
    return b.get(call.query, {batch, row, head, column});
  return b.get(call.query, {batch, row, head * call.headDim + column});
}

Node *ContribMatcher::getOfKey(Value array, AffineExpr column,
                               int64_t columns) {
  AffineExpr shared = indexing.floorDiv(head, call.heads / call.kvHeads);
  if (call.keysAreHeadsFirst)
    return b.get(array, {batch, shared, key, column});
  if (getShape(array).size() == 4)
    return b.get(array, {batch, key, shared, column});
  return b.get(array, {batch, key, shared * columns + column});
}

Node *ContribMatcher::compare(arith::CmpIPredicate predicate, Node *lhs,
                              Node *rhs) {
  NamedAttrList attributes;
  attributes.set("predicate", elements.getBuilder().getI64IntegerAttr(
                                  static_cast<int64_t>(predicate)));
  return elements.getApply("arith.cmpi", i1, {lhs, rhs}, attributes);
}

/// Returns the element for the batch entry of an array that has one for each.
Node *ContribMatcher::getOfBatch(Value array) {
  SmallVector<AffineExpr> indices(getShape(array).size(),
                                  indexing.getConstant(0));
  indices.front() = batch;
  return b.get(array, indices);
}

/// Returns an element of an array whose dimensions are those of scores or 1. An
/// array of fewer keys than the key has is read no further than its end.
Node *ContribMatcher::getOfScores(Value array, ArrayRef<AffineExpr> indices) {
  SmallVector<AffineExpr> at(indices);
  Sizes &sizes = elements.getSizes();
  bool isExact = true;
  for (auto [dim, size] : llvm::enumerate(getShape(array))) {
    auto variable = getVariable(at[dim]);
    if (size == 1) {
      at[dim] = indexing.getConstant(0);
      continue;
    }
    std::optional<Extent> extent =
        variable ? indexing.getExtent(*variable) : std::nullopt;
    Extent its = sizes.getDim(array, dim);
    if (!extent || sizes.areEqual(*extent, its))
      continue;
    // A dynamic size may be 1, or that of the keys of a call.
    isExact = false;
  }
  return isExact ? elements.get(array, at) : elements.getLoad({array, at});
}

/// Adds the masks that `call.lastKeys` gives. The rows of a batch entry begin
/// after the keys that were there before, or at key 0 if there are fewer keys
/// than rows, as in a prompt that is padded.
void ContribMatcher::maskByLastKeys(AffineExpr rows) {
  Node *last = getOfBatch(call.lastKeys);
  // Whether the row is the last one.
  bool isLast = false;
  if (call.right && !call.hasPast) {
    b.addConstraint(key, row);
    if (call.left)
      b.addConstraint(row, key + *call.left);
  } else if (call.right) {
    isLast = rows == indexing.getConstant(1);
    Node *first = last;
    if (!isLast)
      first = elements.getApply(
          "arith.maxsi", i32,
          {elements.getApply("arith.subi", i32, {last, getPosition(rows - 1)}),
           getNumber(0)});
    if (!isLast)
      attention.masks.push_back(
          compare(arith::CmpIPredicate::sle, getPosition(key - row), first));
    if (call.left) {
      // A row after the last key, which is padding, reads the last keys.
      Node *its = last;
      if (!isLast)
        its = elements.getApply(
            "arith.minsi", i32,
            {elements.getApply("arith.addi", i32, {first, getPosition(row)}),
             last});
      attention.masks.push_back(
          compare(arith::CmpIPredicate::sle,
                  elements.getApply("arith.subi", i32, {its, getPosition(key)}),
                  getNumber(*call.left)));
    }
  }
  attention.masks.push_back(
      compare(arith::CmpIPredicate::sle, getPosition(key), last));
}

/// Masks the keys far from a row whose key is that of the row's number, plus
/// the length of its batch entry, less the number of rows.
void ContribMatcher::maskByLengths(AffineExpr rows) {
  Node *length = elements.getCast(getOfBatch(call.keyLengths), i32);
  AffineExpr distance = key - row + rows;
  if (call.right)
    attention.masks.push_back(compare(arith::CmpIPredicate::sle,
                                      getPosition(distance - *call.right),
                                      length));
  if (call.left)
    attention.masks.push_back(compare(
        arith::CmpIPredicate::sge, getPosition(distance + *call.left), length));
}

bool ContribMatcher::addMasks(std::string &reason) {
  std::optional<AffineExpr> rows = getSize(call.query,
                                           call.rowsAreHeadsFirst ? 2 : 1),
                            past = call.past ? getSize(call.past, 2)
                                             : indexing.getConstant(0);
  bool hasDistances = call.left || call.right,
       readsRows = call.lastKeys || (call.rowsEndAtLengths && hasDistances);
  if ((readsRows && !rows) || (hasDistances && !past)) {
    reason =
        "its number of rows, or of keys before them, is a product of sizes";
    return false;
  }
  if (call.lastKeys) {
    maskByLastKeys(*rows);
  } else if (readsRows) {
    maskByLengths(*rows);
  } else {
    if (call.right)
      b.addConstraint(key, row + *past + *call.right);
    if (call.left)
      b.addConstraint(row + *past, key + *call.left);
  }
  if (call.keyLengths)
    attention.masks.push_back(
        compare(arith::CmpIPredicate::slt, getPosition(key),
                elements.getCast(getOfBatch(call.keyLengths), i32)));
  if (call.keyStarts)
    attention.masks.push_back(compare(arith::CmpIPredicate::sge,
                                      getPosition(key),
                                      getOfBatch(call.keyStarts)));
  return !call.scoreMask ||
         addScoreMask(b, call, {batch, head, row, key}, reason);
}

void ContribMatcher::addToScores() {
  auto add = [&](Node *term) {
    attention.score = elements.getApply(
        "arith.addf", f32, {attention.score, elements.getCast(term, f32)});
  };
  if (call.softCap > 0) {
    Node *most = elements.getFloat(f32, call.softCap);
    Node *part = elements.getApply("arith.divf", f32, {attention.score, most});
    attention.score = elements.getApply(
        "arith.mulf", f32, {elements.getApply("math.tanh", f32, part), most});
  }
  if (call.bias)
    add(getOfScores(call.bias, {batch, head, row, key}));
  if (!call.mask)
    return;
  SmallVector<AffineExpr> indices = {batch, row, key};
  if (getShape(call.mask).size() == 2)
    indices = {batch, key};
  Node *kept = compare(arith::CmpIPredicate::sgt,
                       getOfScores(call.mask, indices), getNumber(0));
  add(elements.getApply("arith.select", f32,
                        {kept, elements.getFloat(f32, 0),
                         elements.getFloat(f32, call.maskedScore)}));
}

bool ContribMatcher::match(std::string &reason) {
  if (Sizes &sizes = elements.getSizes(); call.past)
    sizes.unite(sizes.getDim(call.past, 2), sizes.getDim(call.pastValue, 2));
  batch = attention.outputs[0];
  AffineExpr ofValue;
  if (call.rowsAreHeadsFirst) {
    head = attention.outputs[1];
    row = attention.outputs[2];
    ofValue = attention.outputs[3];
  } else {
    row = attention.outputs[1];
    head = indexing.floorDiv(attention.outputs[2], call.valueDim);
    ofValue = indexing.mod(attention.outputs[2], call.valueDim);
  }
  key = b.addSum(call.key, call.keysAreHeadsFirst ? 2 : 1, attention.keys);
  attention.query = getQuery();
  AffineExpr column = indexing.getConstant(0);
  if (!attention.headDims.empty())
    column =
        getAffineDimExpr(attention.headDims.front(), indexing.getContext());
  attention.key = getOfKey(call.key, column, call.headDim);
  attention.value = getOfKey(call.value, ofValue, call.valueDim);
  b.setProduct(call.scale);
  addToScores();
  if (!addMasks(reason))
    return false;
  if (call.hasSink)
    attention.sink =
        Sink{call.sink ? b.get(call.sink, {head}) : nullptr, /*number=*/0};
  return true;
}

std::unique_ptr<Attention>
mlir::attn::raise::matchContrib(Elements &elements, Value result,
                                const ContribCall &call, std::string &reason) {
  auto attention = std::make_unique<Attention>();
  attention->result = result;
  // Sizes are expressed by those that are known first. The result's would be
  // computed after they are needed.
  int64_t rank = getShape(result).size();
  for (int64_t dim = 0; dim + 1 < rank; ++dim)
    (void)elements.getSizes().getDim(call.query, dim);
  for (int64_t dim = 0; dim < rank; ++dim)
    attention->outputs.push_back(elements.addVariable(result, dim));
  if (!ContribMatcher(elements, call, *attention).match(reason))
    return nullptr;
  return attention;
}
