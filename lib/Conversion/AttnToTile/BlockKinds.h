//===- BlockKinds.h - What a mask region says of whole blocks ---*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Classifies blocks of pairs by interval arithmetic on the mask region. A value
// that depends on one position alone, such as the read of a vector, is computed
// for each row or key of a block, and its least and largest result are its
// interval. A read at both positions has as its interval that of the array's
// cells that the block overlaps (see attn.summarize). The intervals of other
// values that depend on both positions are computed from those of their
// operands. Integers of magnitudes that f32 does not hold exactly have the
// interval of all numbers.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_BLOCKKINDS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_BLOCKKINDS_H

#include "RegionIntervals.h"

namespace mlir::attn {

class BlockKinds final : RegionIntervals {
public:
  /// The number of blocks that are classified together: a vector has an element
  /// for each.
  static constexpr int64_t kBlocks = 64;

  explicit BlockKinds(AttentionInterface op);

  /// Whether it may find blocks empty, or full.
  bool mayBeEmpty() const { return decided.none; }
  bool mayBeFull() const { return decided.all; }
  /// Whether the region has reads of arrays, at positions, whose values it can
  /// bound.
  bool readsArrays() const { return hasReads; }
  /// Reads of integers with both positions as their last indices.
  ArrayRef<ReadOp> getPairReads() const { return pairReads; }
  /// Sets the summary (attn.summarize) of the array of one of these reads. It
  /// is needed unless the read has bounds.
  void setSummary(ReadOp read, Value summary) { summaries[read] = summary; }
  /// Whether the region depends on the batch entry or the head.
  bool usesBatch() const { return uses(RegionDependence::OnBatch); }
  bool usesHead() const { return uses(RegionDependence::OnHead); }

  /// Positions along an axis, in the larger problem: `size` positions from
  /// `first` on, an index, or from each element of it on, a vector with an
  /// element for each block. Positions past `last` count as `last`. That is the
  /// last position of all or, with one `first` for all blocks, the last of
  /// these.
  struct Positions {
    Value first, last;
    int64_t size = 0;
    /// Whether `first` is a multiple of a summary cell's size.
    bool isOfCells = false;
  };
  using RegionIntervals::emitUniform;
  void setPositions(bool ofRows, const Positions &given) {
    positions[ofRows ? 0 : 1] = given;
  }
  /// Vectors of i1: whether any pair of a block may be kept, and whether all
  /// are. Null is unknown: `may` is then true and `must` false for all blocks.
  using Kinds = Truth;
  Kinds emit(TileBuilder &b);

private:
  bool isSource(Value value) const override { return isLeaf(value); }
  Interval getSource(Value value) override;
  bool isBounded(Operation *op) const override { return true; }
  Interval keepInRange(Interval result, ArrayRef<Interval> operands,
                       unsigned width) override;

  bool uses(uint8_t position) const {
    return dependence.get(getCondition()) & position;
  }
  bool isOfRows(Value value) const {
    return dependence.getOfPair(value) == RegionDependence::OnRow;
  }
  /// Whether a value depends on one position at most.
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
  Value isAny(Interval found, int64_t least, int64_t most);
  Interval widen(Interval found, Value isWild);
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
  /// Tiles of values, by the value and the strip's first position.
  llvm::DenseMap<std::pair<Value, int64_t>, Value> tiles;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_BLOCKKINDS_H
