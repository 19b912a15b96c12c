//===- HeadRows.cpp - Tiles with the same tokens of several heads ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Query heads that share keys may be rows of one tile, head by head. Arrays are
// then loaded in parts, each of one head, and rows of results are scattered, so
// that arrays may have any strides.
//
//===----------------------------------------------------------------------===//

#include "SequenceView.h"

#include "attn/Dialect/Attn/IR/RegionDependence.h"

#include <numeric>

using namespace mlir;
using namespace mlir::attn;

/// Whether the score or mask region reads captured arrays at row and key.
/// Forward programs load tiles of such arrays ahead, which is possible only if
/// all rows of a tile belong to one head. Gradients read most of their elements
/// one by one anyway, since programs of keys have keys as rows.
static bool readsPairs(AttentionInterface op) {
  auto reads = [](Region &region) {
    return llvm::any_of(region.front().getOps<ReadOp>(),
                        [](ReadOp read) { return read.isOfPairs(); });
  };
  return (op.hasScore() && reads(op.getScore())) ||
         (op.hasMaskRegion() && reads(op.getMaskRegion()));
}

bool mlir::attn::mayJoinHeads(AttentionInterface op) {
  int64_t kvHeads = op.getKeyType().getDimSize(1);
  return !ShapedType::isDynamic(op.getQueryType().getDimSize(1)) &&
         !ShapedType::isDynamic(kvHeads) && kvHeads != 0 &&
         !(isa<AttentionOp>(op.getOperation()) && readsPairs(op));
}

std::optional<int64_t> mlir::attn::estimateTokens(AttentionInterface op) {
  constexpr int64_t kFewTokens = 16;
  int64_t tokens = op.getQueryType().getDimSize(2);
  if (isPacked(op)) {
    int64_t numbers =
        cast<ShapedType>(op.getPacked()[0].getType()).getDimSize(0);
    if (!ShapedType::isDynamic(tokens) && !ShapedType::isDynamic(numbers) &&
        numbers > 1)
      return llvm::divideCeil(tokens, numbers - 1);
  } else if (!ShapedType::isDynamic(tokens)) {
    return tokens;
  }
  if (op.getFewRows())
    return kFewTokens;
  return std::nullopt;
}

HeadRows mlir::attn::divideTile(AttentionInterface op, int64_t rows,
                                std::optional<int64_t> tokensOfHead,
                                int64_t rowsByToken) {
  constexpr int64_t kPatternRows = 8, kMaxParts = 32;
  HeadRows division = {1, rows, rowsByToken != 0};
  int64_t group =
      op.getQueryType().getDimSize(1) / op.getKeyType().getDimSize(1);
  auto countTiles = [&](int64_t heads, int64_t tokens) -> int64_t {
    return group / heads * llvm::divideCeil(*tokensOfHead, tokens);
  };
  int64_t most = tokensOfHead ? countTiles(1, rows) / 2 : 0;
  int64_t step = rowsByToken ? 1 : kPatternRows;
  int64_t mostHeads = std::min(group, rows / step);
  for (int64_t heads = 2; heads <= mostHeads; ++heads) {
    int64_t tokens = rows / heads / step * step;
    if (group % heads != 0 ||
        (rowsByToken ? rowsByToken % heads != 0
                     : rows / std::gcd(tokens, rows) > kMaxParts))
      continue;
    if (tokensOfHead ? countTiles(heads, tokens) > most
                     : 8 * heads * tokens < 7 * rows)
      continue;
    if (tokensOfHead)
      most = countTiles(heads, tokens) - 1;
    division.heads = heads;
    division.tokens = tokens;
  }
  return division;
}

RowPacking mlir::attn::getPacking(TileBuilder &b, const HeadRows &division) {
  RowPacking packing;
  if (division.heads > 1) {
    packing.rowsOfHead = b.getIndexAttr(division.tokens);
    packing.first = b.index(0);
    packing.heads = division.heads;
    if (division.isByToken) {
      packing.group = packing.tokenStep = b.index(division.heads);
      packing.headStep = b.index(1);
    }
  }
  return packing;
}

Value mlir::attn::loadHeads(TileBuilder &b, Value array,
                            const HeadRows &division, ArrayRef<int64_t> shape,
                            Value batch, Value head, Value token, bool clears,
                            int64_t firstColumn) {
  int64_t rows = shape.front();
  SmallVector<Value> sources, indices;
  int64_t rowsOfPart = std::gcd(division.tokens, rows);
  for (int64_t first = 0; first < rows; first += rowsOfPart) {
    int64_t number = std::min(first / division.tokens, division.heads - 1);
    bool isBehind = first >= division.heads * division.tokens;
    Value ofHead = b.asValue(b.apply(b.dim(0) + b.constant(number), {head}));
    Value own =
        clears && isBehind
            ? b.asValue(b.getSize(array, 2))
            : b.asValue(b.apply(b.dim(0) + b.constant(first % division.tokens),
                                {token}));
    sources.push_back(array);
    indices.append({batch, ofHead, own, b.index(firstColumn)});
  }
  Type element = cast<MemRefType>(array.getType()).getElementType();
  return attn_tile::LoadOp::create(b, b.tileType(shape, element), sources,
                                   indices);
}

std::pair<Value, Value>
mlir::attn::placeHeads(AttentionInterface op, TileBuilder &b,
                       const SequenceView &at, const HeadRows &division,
                       Value head, Value row, int64_t rows) {
  RankedTensorType type = b.tileType({rows}, b.getIndexType());
  Value numbers = at.packing.getHeads(b, type);
  Value heads = b.addi(numbers, b.splat(head, type));
  if (division.heads * division.tokens < rows)
    heads =
        b.select(b.ult(numbers, b.splat(b.index(division.heads), type)), heads,
                 b.splat(b.asValue(b.getSize(op.getQuery(), 1)), type));
  return {heads, b.addi(at.packing.getTokens(b, type), b.splat(row, type))};
}

Value mlir::attn::findStoredRows(TileBuilder &b, const SequenceView &at,
                                 OpFoldResult stored, Value row, int64_t rows) {
  if (!at.packing || b.isAtMost(b.dim(0), {stored}, at.numRows))
    return b.findRealRows(stored, at.numRows, row, rows);
  RankedTensorType type = b.tileType({rows}, b.getIndexType());
  Value bound = b.asValue(b.apply(b.dim(0) - b.dim(1), {at.numRows, row}));
  return b.slt(at.packing.getTokens(b, type), b.splat(bound, type));
}

//===----------------------------------------------------------------------===//
// Numbers of rows
//===----------------------------------------------------------------------===//

/// Returns a tile of `type` with the index `size` in all elements.
static Value splatSize(TileBuilder &b, OpFoldResult size,
                       RankedTensorType type) {
  Type element = type.getElementType();
  if (std::optional<int64_t> value = getConstantIntValue(size))
    return b.integer(type, *value);
  Value scalar = b.asValue(size);
  if (!element.isIndex())
    scalar = b.createOrFold<arith::IndexCastOp>(element, scalar);
  return splatScalar(b, scalar, type.getShape());
}

/// Returns a tile of the row numbers `first`, `first` + 1, ... along `axis`,
/// divided by `step` unless `step` is null.
static Value divideRows(TileBuilder &b, Value first, Value step,
                        RankedTensorType type, int64_t axis) {
  Value numbers = b.addi(b.coordinate(type, axis), splatSize(b, first, type));
  return step ? b.divui(numbers, splatSize(b, step, type)) : numbers;
}

Value RowPacking::getTokens(TileBuilder &b, RankedTensorType type,
                            int64_t axis) const {
  return b.remui(divideRows(b, first, tokenStep, type, axis),
                 splatSize(b, rowsOfHead, type));
}

Value RowPacking::getHeads(TileBuilder &b, RankedTensorType type,
                           int64_t axis) const {
  Value numbers = divideRows(b, first, headStep, type, axis);
  if (!headStep)
    return b.divui(numbers, splatSize(b, rowsOfHead, type));
  return b.remui(numbers, splatSize(b, group, type));
}
