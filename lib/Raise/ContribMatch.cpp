//===- ContribMatch.cpp - Elements of attention of ONNX Runtime -----------===//
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
  void addMasks(AffineExpr rows, AffineExpr past);
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
  if (call.isCausal && !call.hasPast) {
    b.addConstraint(key, row);
    if (call.window)
      b.addConstraint(row, key + (*call.window - 1));
  } else if (call.isCausal) {
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
    if (call.window) {
      // A row after the last key, which is padding, reads the last keys.
      Node *its = last;
      if (!isLast)
        its = elements.getApply(
            "arith.minsi", i32,
            {elements.getApply("arith.addi", i32, {first, getPosition(row)}),
             last});
      attention.masks.push_back(
          compare(arith::CmpIPredicate::slt,
                  elements.getApply("arith.subi", i32, {its, getPosition(key)}),
                  getNumber(*call.window)));
    }
  }
  attention.masks.push_back(
      compare(arith::CmpIPredicate::sle, getPosition(key), last));
}

void ContribMatcher::addMasks(AffineExpr rows, AffineExpr past) {
  if (call.lastKeys)
    maskByLastKeys(rows);
  else if (call.isCausal)
    b.addConstraint(key, row + past);
  if (call.keyLengths)
    attention.masks.push_back(compare(arith::CmpIPredicate::slt,
                                      getPosition(key),
                                      getOfBatch(call.keyLengths)));
  if (call.keyStarts)
    attention.masks.push_back(compare(arith::CmpIPredicate::sge,
                                      getPosition(key),
                                      getOfBatch(call.keyStarts)));
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
  std::optional<AffineExpr> rows = getSize(call.query, 1),
                            past = call.past ? getSize(call.past, 2)
                                             : indexing.getConstant(0);
  if (!rows || !past) {
    reason =
        "its number of rows, or of keys before them, is a product of sizes";
    return false;
  }
  batch = attention.outputs[0];
  row = attention.outputs[1];
  head = indexing.floorDiv(attention.outputs[2], call.valueDim);
  AffineExpr ofValue = indexing.mod(attention.outputs[2], call.valueDim);
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
  addMasks(*rows, *past);
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
  for (int64_t dim : {0, 1})
    (void)elements.getSizes().getDim(call.query, dim);
  for (int64_t dim = 0; dim < 3; ++dim)
    attention->outputs.push_back(elements.addVariable(result, dim));
  if (!ContribMatcher(elements, call, *attention).match(reason))
    return nullptr;
  return attention;
}
