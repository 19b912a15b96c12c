//===- BlockKinds.h - Blocks classified by a mask region --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Classifies blocks of pairs as empty, partial or full by interval arithmetic
// on the mask region. A value that depends on one position alone, such as the
// read of a vector, is computed for each row or key of a block, and its least
// and largest result are its interval. The interval of a read at row and key is
// that of the array's cells that the block overlaps (see attn.summarize). The
// intervals of other values that depend on both positions are computed from
// those of their operands. Integers whose magnitudes f32 does not hold exactly
// have the interval of all numbers.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_BLOCKKINDS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_BLOCKKINDS_H

#include "RegionIntervals.h"

namespace mlir::attn {

class BlockKinds final : RegionIntervals {
public:
  /// The number of blocks that are classified together: vectors have an element
  /// for each of them.
  static constexpr int64_t kBlocks = 64;

  explicit BlockKinds(AttentionInterface op);

  /// Whether emit() may find blocks in which no pair is kept, or blocks in
  /// which all are.
  bool mayBeEmpty() const { return decided.none; }
  bool mayBeFull() const { return decided.all; }
  /// Whether the mask region reads arrays at rows or keys such that intervals
  /// of what it reads can be computed.
  bool readsArrays() const { return hasReads; }
  /// The mask region's reads of integers that have row and key as their last
  /// two indices.
  ArrayRef<ReadOp> getPairReads() const { return pairReads; }
  /// Sets the summary (attn.summarize) of the array that one of getPairReads()
  /// reads. It is needed unless the read has the operand `bounds`.
  void setSummary(ReadOp read, Value summary) { summaries[read] = summary; }
  /// Whether the mask region depends on the batch entry or on the head.
  bool usesBatch() const { return uses(RegionDependence::OnBatch); }
  bool usesHead() const { return uses(RegionDependence::OnHead); }

  /// The positions of blocks along one axis, in the problem that the op is a
  /// part of. Each block has `size` positions from `first` on, a vector with an
  /// element for each block; if `first` is an index, all blocks have the same
  /// positions. Positions past `last`, which is the last one of the problem or,
  /// if blocks share them, of these positions, are replaced by it.
  struct Positions {
    Value first, last;
    int64_t size = 0;
    /// Whether `first` is a multiple of the size of a summary's cell.
    bool isOfCells = false;
  };
  using RegionIntervals::emitUniform;
  void setPositions(bool ofRows, const Positions &given) {
    positions[ofRows ? 0 : 1] = given;
  }
  /// Vectors of i1: `may`, whether any pair of a block may be kept, and `must`,
  /// whether all are. A null `may` is to be taken as true, and a null `must` as
  /// false, for all blocks.
  using Kinds = Truth;
  Kinds emit(TileBuilder &b);

private:
  bool isSource(Value value) const override { return isLeaf(value); }
  Interval getSource(Value value) override;
  bool isBounded(Operation *op) const override { return true; }
  Interval keepInRange(Interval result, ArrayRef<Interval> operands,
                       Operation *op) override {
    return keepFitting(result, operands, getWidth(op));
  }

  bool uses(uint8_t position) const {
    return dependence.get(getCondition()) & position;
  }
  bool isOfRows(Value value) const {
    return dependence.getOfPair(value) == RegionDependence::OnRow;
  }
  /// Whether a value depends on at most one of row and key.
  bool isOfOne(Value value) const {
    return dependence.getOfPair(value) != RegionDependence::OnPair;
  }
  bool isPairRead(ReadOp read) const;
  bool hasBounds(Value value) const;
  bool isLeaf(Value value) const { return isOfOne(value) || hasBounds(value); }

  Value splat(Value scalar, ArrayRef<int64_t> shape);
  Value constant(int64_t number);
  bool isShared(Value value) const;
  SmallVector<int64_t> getShape(Value value) const;
  Value getPositions(Value value, int64_t strip);
  Value evaluate(Value value, int64_t strip, ArrayRef<int64_t> shape);
  Value findLargest(Value tile, bool isShared);
  std::pair<Value, Value> reduce(Value value);
  Interval keepExact(Interval found);
  SmallVector<Value> getCells(bool ofRows);
  Interval readBounds(ReadOp read);
  Kinds getKindsOf(Value part);

  Decided decided;
  bool hasReads = false;
  SmallVector<ReadOp> pairReads;
  llvm::DenseMap<Operation *, Value> summaries;

  /// The positions of rows and of keys.
  Positions positions[2];
  /// The tiles that evaluate() has emitted, by the region's value and by the
  /// offset in each block of the first of the positions that the tile is for.
  llvm::DenseMap<std::pair<Value, int64_t>, Value> tiles;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_BLOCKKINDS_H
