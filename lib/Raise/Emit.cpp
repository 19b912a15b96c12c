//===- Emit.cpp - attn.attention for what was matched ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Pages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

namespace {
/// How the constraints of a mask are divided: a mask attribute that expresses
/// some of them, or null, and the constraints that the mask region has to
/// express.
struct Structured {
  MaskAttr attr;
  SmallVector<AffineExpr> rest;
};

/// The bounds by constants that constraints give a difference of positions.
struct Bounds {
  Bounds(const Indexing &indexing, ArrayRef<AffineExpr> constraints,
         AffineExpr difference) {
    for (AffineExpr constraint : constraints) {
      Sum above = indexing.flatten(constraint + difference),
          below = indexing.flatten(constraint - difference);
      if (above.isConstant())
        upper = std::min(upper.value_or(above.constant), above.constant);
      else if (below.isConstant())
        lower = std::min(lower.value_or(below.constant), below.constant);
      else
        rest.push_back(constraint);
    }
  }
  /// The largest values of the difference, and of its negative.
  std::optional<int64_t> upper, lower;
  /// The constraints that are no such bounds.
  SmallVector<AffineExpr> rest;
};
} // namespace

/// Returns the mask attribute that keeps `right` keys to the right of a
/// diagonal and `left` to its left, or all keys where a number is absent.
/// Returns null if the attribute cannot have these numbers.
static MaskAttr makeMask(MLIRContext *context, Alignment alignment,
                         std::optional<int64_t> right,
                         std::optional<int64_t> left) {
  for (std::optional<int64_t> bound : {right, left})
    if (bound.value_or(0) < 0 || bound.value_or(0) > MaskAttr::kMaxBound)
      return {};
  bool isCausal = right == 0;
  return MaskAttr::get(context, alignment, isCausal, left,
                       isCausal ? std::nullopt : right);
}

/// Returns a mask attribute for the constraints that bound by constants by how
/// much the distances of key and row from the ends of keys and rows differ,
/// where one of their numbers is dynamic. The attribute is null if there are
/// no such constraints, or if it cannot have these bounds.
static Structured findFromEnd(const Positions &positions,
                              ArrayRef<AffineExpr> constraints) {
  const Indexing &indexing = positions.getIndexing();
  MLIRContext *context = indexing.getContext();
  std::optional<AffineExpr> more = positions.getMoreKeys();
  if (!more || indexing.flatten(*more).isConstant())
    return {};
  AffineExpr row = getAffineDimExpr(2, context),
             key = getAffineDimExpr(3, context);
  if (positions.getSize(2) == 1)
    row = indexing.getConstant(0);
  Bounds bounds(indexing, constraints, key - row - *more);
  if (!bounds.upper && !bounds.lower)
    return {};
  return {makeMask(context, Alignment::BottomRight, bounds.upper, bounds.lower),
          bounds.rest};
}

/// Returns a mask attribute for the constraints that bound the difference of
/// key and row by constants, if the attribute can have these bounds. The other
/// constraints are returned for the mask region.
static Structured findStructured(const Positions &positions,
                                 ArrayRef<AffineExpr> constraints) {
  const Indexing &indexing = positions.getIndexing();
  MLIRContext *context = indexing.getContext();
  int64_t numRows = positions.getSize(2), numKeys = positions.getSize(3);
  bool areKnown =
      !ShapedType::isDynamic(numRows) && !ShapedType::isDynamic(numKeys);
  AffineExpr row = getAffineDimExpr(2, context),
             key = getAffineDimExpr(3, context);
  if (numRows == 1)
    row = indexing.getConstant(0);
  Structured result = findFromEnd(positions, constraints);
  if (result.attr)
    return result;
  Bounds bounds(indexing, constraints, key - row);
  std::optional<int64_t> upper = bounds.upper, lower = bounds.lower;
  result.rest = bounds.rest;
  // Bounds on the difference of key and row that hold for all pairs of row and
  // key are dropped.
  if (areKnown && upper && *upper >= numKeys - 1)
    upper.reset();
  if (areKnown && lower && *lower >= numRows - 1)
    lower.reset();
  auto keepRest = [&] {
    if (upper)
      result.rest.push_back(row - key + *upper);
    if (lower)
      result.rest.push_back(key - row + *lower);
    return result;
  };
  if (!upper && !lower)
    return result;
  int64_t shift = areKnown ? numKeys - numRows : 0;
  for (bool isBottom : {shift != 0 && upper == shift, false}) {
    int64_t diagonal = isBottom ? shift : 0;
    std::optional<int64_t> right, left;
    if (upper)
      right = *upper - diagonal;
    if (lower)
      left = *lower + diagonal;
    result.attr = makeMask(
        context, isBottom ? Alignment::BottomRight : Alignment::TopLeft, right,
        left);
    if (result.attr)
      return result;
  }
  return keepRest();
}

/// Returns the type that the elements of all `arrays` have, or f32 if their
/// types differ. Returns null if one of the types is none of f16, bf16 and f32.
static FloatType findType(ArrayRef<Value> arrays) {
  FloatType common;
  for (Value array : arrays) {
    auto type = dyn_cast<FloatType>(getElementTypeOrSelf(array.getType()));
    if (!type || !(type.isF16() || type.isBF16() || type.isF32()))
      return nullptr;
    if (!common || common == type)
      common = type;
    else
      common = Float32Type::get(type.getContext());
  }
  return common;
}

Value mlir::attn::raise::convert(ImplicitLocOpBuilder &b, Value array,
                                 Type element) {
  auto type = cast<RankedTensorType>(array.getType());
  unsigned from = type.getElementTypeBitWidth(),
           to = element.getIntOrFloatBitWidth();
  if (type.getElementType() == element)
    return array;
  Type result = type.clone(element);
  if (to > from)
    return arith::ExtFOp::create(b, result, array);
  return arith::TruncFOp::create(b, result, array);
}

/// Emits ops that compute the operand `pages` of an attention, and returns it.
static Value emitTable(ImplicitLocOpBuilder &b, Indexing &indexing,
                       const Pages &pages, const Layout &layout,
                       llvm::DenseMap<unsigned, Value> &sizes) {
  Value table =
      arrange(b, indexing, pages.table, {layout.batch, pages.numbers}, sizes);
  auto fill = [&](int64_t number) {
    Value empty = tensor::EmptyOp::create(
        b, tensor::getMixedSizes(b, b.getLoc(), table), b.getI32Type());
    Value value = arith::ConstantOp::create(b, b.getI32IntegerAttr(number));
    return linalg::FillOp::create(b, value, empty).getResult(0);
  };
  if (pages.wraps) {
    Value isBelow =
        arith::CmpIOp::create(b, arith::CmpIPredicate::slt, table, fill(0));
    Value sum = arith::AddIOp::create(b, table, fill(pages.count));
    table = arith::SelectOp::create(b, isBelow, sum, table);
  }
  if (!pages.clamps)
    return table;
  table = arith::MaxSIOp::create(b, table, fill(0));
  return arith::MinSIOp::create(b, table, fill(pages.count - 1));
}

AttentionOp mlir::attn::raise::emitForward(
    ImplicitLocOpBuilder &b, Elements &elements, Attention &attention,
    Layout &layout, const Pages *pages, bool keepsRounding, bool shiftsRows,
    bool hasLse, Type resultElement, llvm::DenseMap<unsigned, Value> &sizes,
    std::string &reason) {
  Indexing &indexing = elements.getIndexing();
  // Keys and values of 8 bits, as of a cache, are extended by the op itself.
  // Its further columns of keys have the type of queries.
  auto isNarrow = [](Value array) {
    return isa<Float8E4M3FNType, Float8E5M2Type>(getElementTypeOrSelf(array));
  };
  SmallVector<Value> arrays = {layout.query.array};
  for (const Arrangement *source : {&layout.key, &layout.value})
    if (!isNarrow(source->array))
      arrays.push_back(source->array);
  if (layout.keyRope) {
    arrays.push_back(layout.queryRope->array);
    if (!isNarrow(layout.keyRope->array))
      arrays.push_back(layout.keyRope->array);
  }
  FloatType element = findType(arrays);
  if (!element || !(resultElement.isF16() || resultElement.isBF16() ||
                    resultElement.isF32())) {
    reason = "its elements are not of f16, bf16 or f32";
    return nullptr;
  }
  SmallVector<int64_t, 3> columns;
  for (const Digits *digits :
       {&layout.headDims, &layout.ropeDims, &layout.valueDims}) {
    columns.push_back(1);
    for (unsigned digit : *digits) {
      int64_t size = indexing.getSize(digit);
      if (ShapedType::isDynamic(size) || size == 0) {
        reason = size == 0 ? "a head dim is 0" : "a head dim is not static";
        return nullptr;
      }
      columns.back() *= size;
    }
  }
  int64_t numColumns = columns[2];
  for (auto [ofValue, number] :
       {std::pair(false, columns[0] + (layout.keyRope ? columns[1] : 0)),
        {true, numColumns}}) {
    int64_t most = getMostColumns(element.getWidth(), ofValue);
    if (number <= most)
      continue;
    reason = "a head has " + std::to_string(number) + " columns, of which " +
             (ofValue ? "values" : "queries and keys") + " of " +
             (element.getWidth() > 16 ? "f32" : "16 bits") + " have at most " +
             std::to_string(most);
    return nullptr;
  }
  if (!std::isfinite(static_cast<float>(attention.scale))) {
    reason = "its scale is no finite number of f32";
    return nullptr;
  }

  Positions positions(indexing, layout);
  SmallVector<AffineExpr> constraints;
  SmallVector<Node *> others;
  for (Node *mask : attention.masks) {
    auto found = findConstraints(elements, mask);
    if (!found) {
      others.push_back(mask);
      continue;
    }
    for (AffineExpr constraint : *found)
      constraints.push_back(positions.get(constraint));
  }
  Structured structured = findStructured(positions, constraints);
  for (AffineExpr constraint : structured.rest) {
    bool isKnown = true;
    constraint.walk([&](AffineExpr part) {
      if (auto variable = getVariable(part))
        isKnown &= *variable < 4;
    });
    if (!isKnown) {
      reason = "the mask depends on an index that is none of a batch entry, "
               "head, row or key";
      return nullptr;
    }
  }
  bool hasScore = attention.score != attention.product;
  bool hasMask = !structured.rest.empty() || !others.empty();
  RegionBuilder regions(b, elements, positions, keepsRounding);
  for (AffineExpr constraint : structured.rest)
    if (!regions.collectSizes(constraint, reason))
      return nullptr;
  if (!regions.collect(attention.score, attention.product, reason))
    return nullptr;
  for (Node *mask : others)
    if (!regions.collect(mask, attention.product, reason))
      return nullptr;

  addSizes(b, indexing, layout.query, sizes);
  addSizes(b, indexing, layout.key, sizes);
  addSizes(b, indexing, layout.value, sizes);
  if (layout.keyRope) {
    addSizes(b, indexing, *layout.queryRope, sizes);
    addSizes(b, indexing, *layout.keyRope, sizes);
  }
  auto get = [&](const Arrangement &source, ArrayRef<Digits> dims) {
    Value array = arrange(b, indexing, source, dims, sizes);
    return isNarrow(array) ? array : convert(b, array, element);
  };
  Digits heads = layout.getHeads();
  Value query =
      get(layout.query, {layout.batch, heads, layout.rows, layout.headDims});
  Digits first = layout.batch, keys = layout.keys;
  Value table;
  if (pages) {
    first = pages->count > 1 ? Digits{pages->page} : Digits{};
    keys = pages->offsets;
    table = emitTable(b, indexing, *pages, layout, sizes);
  }
  Value key = get(pages ? pages->pools[0] : layout.key,
                  {first, layout.kvHeads, keys, layout.headDims});
  Value value;
  DenseI64ArrayAttr valueDims;
  if (layout.valueColumns)
    valueDims = b.getDenseI64ArrayAttr(
        {layout.valueColumns->first, layout.valueColumns->second});
  else
    value = get(pages ? pages->pools[1] : layout.value,
                {first, layout.kvHeads, keys, layout.valueDims});
  SmallVector<Value> extras;
  ArrayAttr extraNames;
  DenseI64ArrayAttr extraBlocks;
  if (layout.keyRope) {
    extras = {get(*layout.queryRope,
                  {layout.batch, heads, layout.rows, layout.ropeDims}),
              convert(b,
                      get(pages ? pages->pools[2] : *layout.keyRope,
                          {first, layout.ropeHeads, keys, layout.ropeDims}),
                      element)};
    extraNames = b.getStrArrayAttr({getDeclaration(Extra::QueryRope).name,
                                    getDeclaration(Extra::KeyRope).name});
    extraBlocks = b.getDenseI64ArrayAttr({1, 1});
  }
  Node *terms = shiftsRows ? findLargeTerms(elements, attention) : nullptr;
  if (terms && !elements.isZero(terms)) {
    SmallVector<OpFoldResult, 4> numPositions;
    for (int64_t dim : {0, 1, 2})
      numPositions.push_back(tensor::getMixedSize(b, b.getLoc(), query, dim));
    numPositions.push_back(tensor::getMixedSize(b, b.getLoc(), key, 2));
    if (!regions.shiftRows(terms, numPositions, reason))
      return nullptr;
  }
  Value sink;
  if (layout.sink) {
    sink = arrange(b, indexing, *layout.sink, {heads}, sizes);
    if (!isa<FloatType>(getElementTypeOrSelf(sink.getType())) ||
        getElementTypeOrSelf(sink.getType()).getIntOrFloatBitWidth() > 32) {
      reason = "its sink is not of f16, bf16 or f32";
      return nullptr;
    }
  } else if (attention.sink) {
    int64_t numHeads = cast<RankedTensorType>(query.getType()).getDimSize(1);
    if (ShapedType::isDynamic(numHeads)) {
      reason = "it has a sink, and its heads are not static";
      return nullptr;
    }
    sink = arith::ConstantOp::create(
        b, DenseElementsAttr::get(
               RankedTensorType::get({numHeads}, b.getF32Type()),
               static_cast<float>(attention.sink->number)));
  }
  Type outElement = resultElement == element ? resultElement : b.getF32Type();
  auto queryType = cast<RankedTensorType>(query.getType());
  SmallVector<int64_t> shape(queryType.getShape());
  shape.back() = numColumns;
  SmallVector<Value> open;
  for (unsigned dim = 0; dim < 3; ++dim)
    if (ShapedType::isDynamic(shape[dim]))
      open.push_back(tensor::DimOp::create(b, query, dim));
  SmallVector<Value> outs = {
      tensor::EmptyOp::create(b, shape, outElement, open)};
  if (hasLse)
    outs.push_back(tensor::EmptyOp::create(b, ArrayRef(shape).drop_back(),
                                           b.getF32Type(), open));

  auto op = AttentionOp::create(
      b, TypeRange(ValueRange(outs).getTypes()), query, key, value, sink,
      /*seed=*/Value(), /*offset=*/Value(), regions.getCaptures(),
      /*origin=*/ValueRange(), /*lengths=*/ValueRange(),
      /*packed=*/ValueRange(), /*pages=*/table, extras, outs, valueDims,
      b.getF64FloatAttr(attention.scale), structured.attr,
      /*dropout=*/FloatAttr(), /*schedule=*/TileSizesAttrInterface(),
      /*fallback=*/TileSizesAttrInterface(), extraNames, extraBlocks,
      /*fast_accumulate=*/UnitAttr(), /*few_rows=*/UnitAttr());
  if (hasScore)
    regions.buildScore(op.getScore(), b.getLoc(), attention.score,
                       attention.product);
  if (hasMask)
    regions.buildMask(op.getMaskRegion(), b.getLoc(), others, structured.rest);
  return op;
}

Value mlir::attn::raise::arrangeResult(ImplicitLocOpBuilder &b,
                                       Indexing &indexing,
                                       const Arrangement &source,
                                       ArrayRef<Digits> dims,
                                       RankedTensorType type,
                                       llvm::DenseMap<unsigned, Value> &sizes) {
  Value result = arrange(b, indexing, source, dims, sizes);
  result = convert(b, result, type.getElementType());
  if (result.getType() != type)
    result = tensor::CastOp::create(b, type, result);
  return result;
}

SmallVector<Value>
mlir::attn::raise::emitAttention(ImplicitLocOpBuilder &b, Elements &elements,
                                 Attention &attention, Layout &layout,
                                 ArrayRef<LseMatch> ofLse, bool keepsRounding,
                                 bool shiftsRows, std::string &reason) {
  auto type = cast<RankedTensorType>(attention.result.getType());
  llvm::DenseMap<unsigned, Value> sizes;
  std::optional<Pages> pages = findPages(elements, attention, layout);
  AttentionOp op =
      emitForward(b, elements, attention, layout, pages ? &*pages : nullptr,
                  keepsRounding, shiftsRows && ofLse.empty() && !pages,
                  !ofLse.empty(), type.getElementType(), sizes, reason);
  if (!op)
    return {};
  Indexing &indexing = elements.getIndexing();
  SmallVector<Digits> dims = {layout.batch, layout.getHeads(), layout.rows};
  Arrangement output{op.getResult(0), dims};
  output.dims.push_back(layout.valueDims);
  SmallVector<Value> values = {
      arrangeResult(b, indexing, output, layout.outputs, type, sizes)};
  for (const LseMatch &match : ofLse) {
    Value lse = op.getResult(1);
    auto itsType = cast<RankedTensorType>(match.value.getType());
    if (match.factor != 1) {
      Value factor = arith::ConstantOp::create(
          b, b.getF32FloatAttr(static_cast<float>(match.factor)));
      Value empty = tensor::EmptyOp::create(
          b, tensor::getMixedSizes(b, b.getLoc(), lse), b.getF32Type());
      Value factors = linalg::FillOp::create(b, factor, empty).getResult(0);
      lse = arith::MulFOp::create(b, lse, factors);
    }
    values.push_back(
        arrangeResult(b, indexing, {lse, dims}, match.dims, itsType, sizes));
  }
  return values;
}
