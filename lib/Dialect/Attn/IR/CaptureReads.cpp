//===- CaptureReads.cpp - Captured arrays that have gradients -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/CaptureReads.h"

using namespace mlir;
using namespace mlir::attn;

using Position = CaptureReads::Position;

static StringRef getName(Position position) {
  static constexpr StringLiteral kNames[] = {"1", "b", "h", "i", "j"};
  return kNames[1 + position];
}

/// Returns the static size of the problem along a position: the number of batch
/// entries, query heads, rows or keys, or kDynamic.
static int64_t getSize(AttentionInterface op, Position position) {
  if (position == CaptureReads::Key)
    return op.getKeyType().getDimSize(2);
  return op.getQueryType().getDimSize(position);
}

/// Returns a limit for each dimension of the array that is read: the first, in
/// the order b, h, i, j, of the positions that index later dimensions of
/// dynamic size, or Key + 1 if there is none.
static SmallVector<unsigned> findLimits(ReadOp read, ShapedType type) {
  SmallVector<unsigned> limits(type.getRank(), CaptureReads::Key + 1);
  for (int64_t dim = type.getRank() - 1; dim > 0; --dim) {
    limits[dim - 1] = limits[dim];
    if (type.isDynamicDim(dim))
      limits[dim - 1] =
          std::min(limits[dim], read.getPosition(dim).value_or(limits[dim]));
  }
  return limits;
}

/// Returns what indexes each dimension of the array that a score region reads.
/// It is a position (batch entry, head, row or key), One for a dimension of
/// size 1, or Computed for another index into a small dimension of static size.
/// Fails with an error if the read has no gradient.
static FailureOr<SmallVector<Position>> findDims(AttentionInterface op,
                                                 ReadOp read) {
  auto type = cast<ShapedType>(read.getArray().getType());
  SmallVector<Position> dims;
  SmallVector<unsigned> limits = findLimits(read, type);
  int64_t numComputed = 1;
  for (int64_t dim = 0, rank = type.getRank(); dim < rank; ++dim) {
    if (type.getDimSize(dim) == 1) {
      dims.push_back(CaptureReads::One);
      continue;
    }
    std::optional<unsigned> number = read.getPosition(dim);
    auto position = Position(number.value_or(CaptureReads::Batch));
    // Indices that are positions must be in the order b, h, i, j. Any other
    // index counts as computed. All dimensions with computed indices must be
    // static and have at most kMostComputed elements together. If two positions
    // are not in order, one of a static dimension counts as computed, so that
    // one of a dynamic dimension remains a position.
    bool isLater = !type.isDynamicDim(dim) && unsigned(position) >= limits[dim];
    if (!number || isLater ||
        (!dims.empty() && position <= *llvm::max_element(dims))) {
      int64_t size = type.getDimSize(dim);
      if (!ShapedType::isDynamic(size) &&
          size <= CaptureReads::kMostComputed / numComputed) {
        numComputed *= std::max<int64_t>(size, 1);
        dims.push_back(CaptureReads::Computed);
        continue;
      }
      InFlightDiagnostic diag = read.emitOpError(
          "has no gradient with respect to its array: expected as indices some "
          "of b, h, i and j of the region, in this order, and any for "
          "dimensions of static sizes with at most ");
      diag << CaptureReads::kMostComputed
           << " elements together, found another for dimension " << dim;
      return diag;
    }
    int64_t expected = getSize(op, position), found = type.getDimSize(dim);
    if (!ShapedType::isDynamic(expected) && !ShapedType::isDynamic(found) &&
        expected != found)
      return read.emitOpError("has no gradient with respect to its array: "
                              "expected size ")
             << expected << " of dimension " << dim << ", which "
             << getName(position) << " is the index of, found " << found;
    dims.push_back(position);
  }
  return dims;
}

/// If the reads have only one of row and key as an index, or at least one of
/// them beside a computed index, counts rows and keys as computed indices,
/// provided that their dimensions are static and small. Otherwise changes
/// nothing.
static void countAsComputed(CaptureReads &found) {
  if (found.has(CaptureReads::Row) == found.has(CaptureReads::Key) &&
      !(found.has(CaptureReads::Computed) && found.isOfPairs()))
    return;
  SmallVector<Position> dims = found.dims;
  int64_t numComputed = 1;
  for (auto [position, size] :
       llvm::zip_equal(dims, found.getType().getShape())) {
    if (position == CaptureReads::Row || position == CaptureReads::Key)
      position = CaptureReads::Computed;
    if (position != CaptureReads::Computed)
      continue;
    if (ShapedType::isDynamic(size) ||
        size > CaptureReads::kMostComputed / numComputed)
      return;
    numComputed *= std::max<int64_t>(size, 1);
  }
  found.dims = dims;
}

FailureOr<CaptureReads> mlir::attn::findCaptureReads(AttentionInterface op,
                                                     int64_t number) {
  BlockArgument array =
      op.getScore().front().getArgument(kNumScoreArguments + number);
  CaptureReads found;
  for (Operation &inner : op.getScore().front()) {
    auto read = dyn_cast<ReadOp>(inner);
    if (!read || read.getArray() != array)
      continue;
    FailureOr<SmallVector<Position>> dims = findDims(op, read);
    if (failed(dims))
      return failure();
    if (!found.reads.empty() && *dims != found.dims) {
      InFlightDiagnostic diag = read.emitOpError(
          "has no gradient with respect to its array: expected the indices of "
          "its other reads");
      diag.attachNote(found.reads.front().getLoc()) << "which are here";
      return diag;
    }
    found.dims = *dims;
    found.reads.push_back(read);
  }
  if (!found.reads.empty())
    countAsComputed(found);
  if (found.has(CaptureReads::Computed) && found.isOfPairs())
    return found.reads.front().emitOpError(
        "has no gradient with respect to its array: expected neither i nor j "
        "beside a computed index, found one");
  if (found.has(CaptureReads::Row) != found.has(CaptureReads::Key))
    return found.reads.front().emitOpError(
        "has no gradient with respect to its array: expected both i and j as "
        "indices, or neither");
  if (!op.getOrigin().empty() && !found.reads.empty())
    return op->emitOpError("expected no origin where captured arrays have "
                           "gradients, found one, and one of capture ")
           << number;
  if (found.reads.empty())
    found.dims.assign(cast<ShapedType>(array.getType()).getRank(),
                      CaptureReads::One);
  return found;
}
