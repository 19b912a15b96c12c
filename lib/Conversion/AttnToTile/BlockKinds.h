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
  /// The number of blocks that are classified together. Vectors have one
  /// element for each of these blocks.
  static constexpr int64_t kBlocks = 64;

  explicit BlockKinds(AttentionInterface op);

  /// mayBeEmpty(): whether emit() may find blocks in which no pair is kept
  /// (empty blocks). mayBeFull(): whether it may find blocks in which all pairs
  /// are kept (full blocks).
  bool mayBeEmpty() const { return decided.none; }
  bool mayBeFull() const { return decided.all; }
  /// Whether the mask region reads arrays whose indices depend on row or key,
  /// and intervals of what it reads can be computed.
  bool readsArrays() const { return hasReads; }
  /// The ops of the mask region that read integers and have row and key, in any
  /// order, as their last two indices.
  ArrayRef<ReadOp> getPairReads() const { return pairReads; }
  /// Sets the summary (attn.summarize) of the array that `read`, one of
  /// getPairReads(), reads. Each such read without the operand `bounds` needs a
  /// summary.
  void setSummary(ReadOp read, Value summary) { summaries[read] = summary; }
  /// Whether the result of the mask region depends on the batch entry
  /// (usesBatch()), and whether it depends on the head (usesHead()).
  bool usesBatch() const { return uses(RegionDependence::OnBatch); }
  bool usesHead() const { return uses(RegionDependence::OnHead); }

  /// The positions of blocks along one axis, counted in the larger problem that
  /// the op is part of. Each block has `size` consecutive positions. `first` is
  /// a vector with the first position of each block or, if all blocks have the
  /// same positions, an index. Positions past `last` do not exist, and are
  /// replaced by it.
  struct Positions {
    Value first, last;
    int64_t size = 0;
    /// Whether all first positions are multiples of the size of a summary's
    /// cell.
    bool isOfCells = false;
  };
  using RegionIntervals::emitUniform;
  void setPositions(bool ofRows, const Positions &given) {
    positions[ofRows ? 0 : 1] = given;
  }
  /// Vectors of i1 with an element for each block: whether the mask region may
  /// keep any pair of the block (`may`), and whether it must keep all pairs
  /// (`must`). A null `may` means true for all blocks, and a null `must` false.
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
  /// Whether the value depends on at most one of row and key: on row alone, on
  /// key alone, or on neither.
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

  /// The positions of blocks along rows (element 0) and along keys (element 1).
  Positions positions[2];
  /// The tiles that evaluate() has emitted. The key is a value of the region
  /// and the offset, relative to the first position of each block, of the first
  /// position that the tile covers.
  llvm::DenseMap<std::pair<Value, int64_t>, Value> tiles;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_BLOCKKINDS_H
