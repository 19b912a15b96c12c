//===- ONNXAttention.cpp - Read ONNX's attention --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads ONNX's own operator Attention, of versions 23 to 25. The new keys and
// values of a call with a cache are put behind those of the cache before
// attention; a cache that other ops update is the key and value of a call with
// lengths.
//
//===----------------------------------------------------------------------===//

#include "ContribReader.h"
#include "NamedAttention.h"
#include "ShadowBuilder.h"
#include "Shadows.h"
#include "Torch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn::raise;

/// Returns the version of ONNX's operators that an importer wrote to the
/// function (or another op) around `op`, or nothing if there is none.
static std::optional<int64_t> getOpset(Operation *op) {
  for (Operation *parent = op->getParentOp(); parent;
       parent = parent->getParentOp())
    if (auto version = dyn_cast_or_null<IntegerAttr>(
            parent->getAttr("torch.onnx_meta.opset_version")))
      return version.getValue().getSExtValue();
  return std::nullopt;
}

/// Takes query, key and value, which have 4 dimensions, or 3 of which the last
/// one has heads and their columns.
bool ContribReader::takeArrays() {
  call.query = take(0);
  call.key = take(1);
  call.value = take(2);
  if (!call.query || !call.key || !call.value)
    return refuse("expected tensors of query, key and value");
  size_t rank = getShape(call.query).size();
  if ((rank != 3 && rank != 4) || getShape(call.key).size() != rank ||
      getShape(call.value).size() != rank)
    return refuse("expected query, key and value of 3 or 4 dimensions");
  int64_t ofKey = 0;
  if (rank == 3) {
    if (getInt("q_num_heads", 0) < 1 || getInt("kv_num_heads", 0) < 1)
      return refuse("expected q_num_heads and kv_num_heads with 3 dimensions");
    if (!takeHeads("q_num_heads", "kv_num_heads") ||
        !takeColumns(call.query, call.heads, call.headDim) ||
        !takeColumns(call.key, call.kvHeads, ofKey) ||
        !takeColumns(call.value, call.kvHeads, call.valueDim))
      return false;
  } else {
    call.rowsAreHeadsFirst = call.keysAreHeadsFirst = true;
    call.heads = getShape(call.query)[1];
    call.kvHeads = getShape(call.key)[1];
    call.headDim = getShape(call.query)[3];
    call.valueDim = getShape(call.value)[3];
    ofKey = getShape(call.key)[3];
    if (ShapedType::isDynamic(call.heads) ||
        ShapedType::isDynamic(call.kvHeads) || call.headDim < 1 ||
        call.valueDim < 1 || call.kvHeads < 1 || call.heads % call.kvHeads != 0)
      return refuse("expected static heads, of which those of the query are a "
                    "multiple, and static head dims");
    if (!fits(getShape(call.value)[1], call.kvHeads))
      return refuse("expected as many heads of the value as of the key");
  }
  int64_t rows = rank == 3 ? 1 : 2;
  ArrayRef<int64_t> query = getShape(call.query), key = getShape(call.key),
                    value = getShape(call.value);
  if (!fits(ofKey, call.headDim) || !fits(key[0], query[0]) ||
      !fits(value[0], query[0]) || !fits(key[rows], value[rows]))
    return refuse("expected as many batch entries of query, key and value, as "
                  "many rows of key and value, and as many columns of a head "
                  "of the key as of the query");
  return true;
}

/// Takes what says which keys a row may read by their numbers: a cache,
/// lengths, is_causal and windows.
bool ContribReader::takePositions() {
  bool hasPast = isPresent(4) || isPresent(5);
  if (isPresent(6)) {
    Value lengths = take(6);
    if (hasPast)
      return refuse("expected either a past_key or a nonpad_kv_seqlen");
    if (!lengths || getShape(lengths).size() != 1 ||
        !isa<IntegerType>(getElementTypeOrSelf(lengths.getType())) ||
        !fits(getShape(lengths)[0], getShape(call.query)[0]))
      return refuse("expected a nonpad_kv_seqlen of integers, one for each "
                    "batch entry, found " +
                    describe(op->getOperand(6)));
    call.keyLengths = lengths;
    call.rowsEndAtLengths = true;
  }
  if (hasPast) {
    Value pastKey, pastValue;
    if (!takePast(4, pastKey, pastValue))
      return false;
    arrays.prepend(pastKey, pastValue);
  }
  // No sequence is longer than the largest window.
  constexpr int64_t kMost = 1 << 30;
  auto takeWindow = [&](StringRef name, std::optional<int64_t> &size) {
    int64_t found = getInt(name, -1);
    if (found < -1)
      return refuse("expected a " + name + " of -1 or more, found " +
                    Twine(found));
    if (found >= 0 && found < kMost)
      size = found;
    return true;
  };
  if (!takeWindow("left_window_size", call.left) ||
      !takeWindow("right_window_size", call.right))
    return false;
  if (getInt("is_causal", 0) != 0)
    call.right = 0;
  return true;
}

/// Takes the products of query and key as the last result.
bool ContribReader::takeScores() {
  if (!isStandard)
    return refuse("its scores or probabilities are a result");
  int64_t mode = getInt("qk_matmul_output_mode", 0);
  if (mode != 0 && mode != 1)
    return refuse("its qk_matmul_output, which is used, has masks or is the "
                  "probabilities (qk_matmul_output_mode " +
                  Twine(mode) + ")");
  constexpr unsigned kScores = 3;
  RankedTensorType type = getTensorType(op->getResult(kScores).getType());
  arrays.putHeadsFirst();
  Value scores = arrays.getScores(/*isCapped=*/mode == 1);
  if (!scores || !type ||
      failed(verifyCompatibleShape(type, scores.getType())) ||
      type.getElementType() != getElementTypeOrSelf(scores.getType()))
    return refuse("expected a qk_matmul_output of batch entries, heads, rows "
                  "and all keys, in the type of the query");
  replacements[kScores] = scores;
  return true;
}

bool ContribReader::readStandard() {
  isStandard = true;
  if (!checkKnown({"is_causal", "kv_num_heads", "left_window_size",
                   "q_num_heads", "qk_matmul_output_mode", "right_window_size",
                   "scale", "softcap", "softmax_precision"}))
    return false;
  for (unsigned i = 7, e = op->getNumOperands(); i < e; ++i)
    if (isPresent(i))
      return refuse("expected no operand after nonpad_kv_seqlen");
  if (!takeArrays() || !takeOptions() || !takePositions())
    return false;
  // A scale of 0 is one, unlike those of the operators of com.microsoft.
  if (getAttr("scale"))
    call.scale = getFloat("scale", 0);
  if (!isPresent(3))
    return true;
  call.scoreMask = take(3);
  call.opset = getOpset(op);
  call.hasSizesOfScores = isShadow(op);
  if (call.scoreMask && !call.hasSizesOfScores)
    arrays.requireMaskSizes(/*mayEnd=*/call.opset.value_or(0) >= 24);
  return true;
}

void ContribArrays::requireMaskSizes(bool mayEnd) {
  static constexpr StringLiteral kWholes[] = {"batch entries", "query heads",
                                              "rows", "keys"};
  ArrayRef<int64_t> shape = getShape(call.scoreMask);
  std::pair<Value, int64_t> wholes[] = {
      {call.query, 0},
      {nullptr, 0},
      {call.query, call.rowsAreHeadsFirst ? 2 : 1},
      {call.key, call.keysAreHeadsFirst ? 2 : 1}};
  for (int64_t dim = 0, rank = shape.size(); dim < rank && rank <= 4; ++dim) {
    int64_t position = 4 - rank + dim;
    auto [array, arrayDim] = wholes[position];
    int64_t whole = array ? getShape(array)[arrayDim] : call.heads;
    bool isOpen = ShapedType::isDynamic(shape[dim]) ||
                  (ShapedType::isDynamic(whole) && shape[dim] != 1);
    if (!isOpen)
      continue;
    Value found = b.createOrFold<tensor::DimOp>(call.scoreMask, dim);
    Value expected = array
                         ? b.createOrFold<tensor::DimOp>(array, arrayDim)
                         : arith::ConstantIndexOp::create(b, whole).getResult();
    bool mayBeLess = mayEnd && position == 3;
    auto compare = [&](arith::CmpIPredicate predicate, Value with) -> Value {
      return arith::CmpIOp::create(b, predicate, found, with);
    };
    Value fits = compare(mayBeLess ? arith::CmpIPredicate::sle
                                   : arith::CmpIPredicate::eq,
                         expected);
    if (!mayBeLess)
      fits =
          arith::OrIOp::create(b, fits,
                               compare(arith::CmpIPredicate::eq,
                                       arith::ConstantIndexOp::create(b, 1)));
    cf::AssertOp::create(b, fits,
                         (kStandardAttention + ": expected dimension " +
                          Twine(dim) + " of attn_mask to be " +
                          (mayBeLess ? "no more than" : "1 or") +
                          " the number of " + kWholes[position])
                             .str());
  }
}

Value ContribArrays::getScores(bool isCapped) {
  ShadowBuilder s(b);
  Type f32 = b.getF32Type(), element = getElementTypeOrSelf(call.query);
  ArrayRef<int64_t> query = getShape(call.query);
  auto type = RankedTensorType::get({query[0], call.heads,
                                     query[call.rowsAreHeadsFirst ? 2 : 1],
                                     getShape(call.key)[2]},
                                    f32);
  AffineExpr batch = s.dim(0), head = s.dim(1), row = s.dim(2), key = s.dim(3),
             column = s.dim(4);
  AffineMap ofQuery =
      call.rowsAreHeadsFirst
          ? s.getMap(5, {batch, head, row, column})
          : s.getMap(5, {batch, row, head * call.headDim + column});
  AffineExpr shared = head.floorDiv(call.heads / call.kvHeads);
  Value scores = s.reduce(
      type, s.getMap(5, {batch, head, row, key}), {call.query, call.key},
      {ofQuery, s.getMap(5, {batch, shared, key, column})}, /*isSum=*/true,
      [&](ImplicitLocOpBuilder &inner, ValueRange x) {
        return arith::MulFOp::create(inner, castScalar(inner, x[0], f32),
                                     castScalar(inner, x[1], f32))
            .getResult();
      });
  if (!scores)
    return nullptr;
  return s.map(
      type.clone(element), {scores}, {s.getIdentity(4)},
      [&](ImplicitLocOpBuilder &inner, ValueRange x) {
        auto number = [&](double value) -> Value {
          return arith::ConstantOp::create(inner, inner.getF32FloatAttr(value));
        };
        Value score = arith::MulFOp::create(inner, x[0], number(call.scale));
        if (isCapped && call.softCap > 0) {
          Value part =
              arith::DivFOp::create(inner, score, number(call.softCap));
          score = arith::MulFOp::create(
              inner, math::TanhOp::create(inner, part), number(call.softCap));
        }
        return castScalar(inner, score, element);
      });
}

/// A dynamic size of the mask may turn out to be 1, so the mask is then read
/// from memory, where a region clamps indices to the array: that repeats the
/// only element.
bool mlir::attn::raise::addScoreMask(Parts &b, const ContribCall &call,
                                     ArrayRef<AffineExpr> positions,
                                     std::string &reason) {
  Value mask = call.scoreMask;
  auto type = dyn_cast<RankedTensorType>(mask.getType());
  if (!type || type.getRank() > 4 || type.getRank() < 2) {
    reason = "expected a mask of 2 to 4 dimensions";
    return false;
  }
  Indexing &indexing = b.elements.getIndexing();
  Sizes &sizes = b.elements.getSizes();
  int64_t rows = call.rowsAreHeadsFirst ? 2 : 1;
  constexpr int64_t kKeys = 3;
  // A key that has heads after rows is that of a call without a cache.
  int64_t ofKeys = call.keysAreHeadsFirst ? 2 : 1;
  int64_t wholes[] = {getShape(call.query)[0], call.heads,
                      getShape(call.query)[rows], getShape(call.key)[ofKeys]};
  Extent extents[] = {
      sizes.getDim(call.query, 0), Sizes::getConstant(call.heads),
      sizes.getDim(call.query, rows), sizes.getDim(call.key, ofKeys)};
  SmallVector<AffineExpr> indices;
  bool isExact = true;
  for (int64_t dim = 0, rank = type.getRank(); dim < rank; ++dim) {
    unsigned position = 4 - rank + dim;
    int64_t size = type.getDimSize(dim), whole = wholes[position];
    bool areStatic =
        !ShapedType::isDynamic(size) && !ShapedType::isDynamic(whole);
    Extent its = sizes.getDim(mask, dim);
    AffineExpr index = positions[position];
    bool isEqual = sizes.areEqual(its, extents[position]) ||
                   (call.hasSizesOfScores && !areStatic && size != 1);
    if (!isEqual && position == kKeys) {
      if (!call.opset) {
        reason = "the mask may be of fewer keys, which opset 23 repeats and "
                 "opset 24 masks, and no torch.onnx_meta.opset_version of the "
                 "function says which";
        return false;
      }
      if (*call.opset >= 24) {
        auto end = sizes.getAffine(its, indexing.getContext());
        if (!end || (areStatic && size > whole)) {
          reason = "expected a mask of no more keys than the key has";
          return false;
        }
        b.addConstraint(index, *end - 1);
        indices.push_back(index);
        continue;
      }
    }
    if (!isEqual && size == 1) {
      indices.push_back(indexing.getConstant(0));
      continue;
    }
    if (!isEqual && areStatic) {
      reason = ("expected a mask whose size of dimension " + Twine(dim) +
                " is 1" + (whole == 1 ? Twine() : " or " + Twine(whole)) +
                ", found " + Twine(size))
                   .str();
      return false;
    }
    if (isEqual || !ShapedType::isDynamic(size))
      sizes.unite(extents[position], its);
    else
      isExact = false;
    indices.push_back(index);
  }
  b.addMask(isExact ? b.elements.get(mask, indices)
                    : b.elements.getLoad({mask, indices}));
  return true;
}
