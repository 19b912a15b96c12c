//===- BlockKinds.h - What a mask region says of whole blocks ---*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interval arithmetic on the region. What hangs on one position alone, reads of
// arrays among it, is computed for each row or key of a block, and its least
// and largest value are an interval; so are those of the array's cells where a
// read is at both positions. What else hangs on both is computed of intervals.
// Integers of magnitudes that f32 does not hold exactly have the
// interval of all numbers.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_BLOCKKINDS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_BLOCKKINDS_H

#include "TileBuilder.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::attn {

class BlockKinds {
public:
  /// Blocks that are looked at together: a vector has an element for each.
  static constexpr int64_t kBlocks = 64;

  explicit BlockKinds(AttentionInterface op);

  /// Whether there may be blocks that it calls empty, or full.
  bool mayBeEmpty() const { return decided.empty; }
  bool mayBeFull() const { return decided.full; }
  /// Whether the region reads arrays at positions, of which it knows bounds.
  bool readsArrays() const { return hasReads; }
  /// Reads of integers at both positions.
  ArrayRef<ReadOp> getPairReads() const { return pairReads; }
  /// The summary of such a read's array (attn.summarize), which may be needed.
  void setSummary(ReadOp read, Value summary) { summaries[read] = summary; }
  /// Whether the region hangs on the batch entry or the head.
  bool usesBatch() const { return !body.getArgument(0).use_empty(); }
  bool usesHead() const { return !body.getArgument(1).use_empty(); }

  /// Positions of an axis: `size` from each of `first`, in the larger problem,
  /// an index or a vector of them. Those behind `last` count as `last`: it is
  /// the last one of all or, of what blocks share, of those.
  struct Positions {
    Value first, last;
    int64_t size = 0;
    /// Whether `first` is a multiple of a cell's rows or columns.
    bool isOfCells = false;
  };
  /// Emits what hangs on no position, for a batch entry and head.
  void emitUniform(TileBuilder &b, Value batch, Value head);
  void setPositions(bool ofRows, const Positions &given) {
    positions[ofRows ? 0 : 1] = given;
  }
  /// Vectors of i1: whether any pair of a block may be kept, and whether all
  /// are. Null says so of each, and of none.
  struct Kinds {
    Value may, must;
  };
  Kinds emit(TileBuilder &b);

private:
  enum : uint8_t { kOnRow = 1, kOnKey = 2, kOnBoth = 3 };
  /// What a condition decides.
  struct Decided {
    bool empty = false, full = false;
  };
  /// Vectors of index, both bounds included.
  struct Interval {
    Value low, high;
  };

  Decided findDecided(Value condition) const;
  bool hasInterval(Value value) const;
  bool isOfOne(Value value) const;
  bool isPairRead(ReadOp read) const;
  bool hasBounds(Value value) const;

  Value splat(Value scalar, ArrayRef<int64_t> shape);
  Value constant(int64_t number);
  bool isShared(Value value) const;
  SmallVector<int64_t> getShape(Value value) const;
  Value getPositions(Value value, int64_t strip);
  Value evaluate(Value value, int64_t strip, ArrayRef<int64_t> shape);
  Value findLargest(Value tile, bool isShared);
  Interval reduce(Value value);
  Interval keepExact(Interval found);
  SmallVector<Value> getCells(bool ofRows);
  Interval readBounds(ReadOp read);
  Interval getInterval(Value value);
  Interval computeInterval(Operation *op);
  Interval keepInRange(Interval result, ArrayRef<Interval> operands,
                       unsigned width);
  Kinds getKinds(Value condition);
  Kinds compare(Operation *op);

  AttentionInterface op;
  Block &body;
  llvm::DenseMap<Value, uint8_t> dependence;
  Decided decided;
  bool hasReads = false;
  SmallVector<ReadOp> pairReads;
  llvm::DenseMap<Operation *, Value> summaries;

  TileBuilder *builder = nullptr;
  IRMapping uniform;
  /// Of rows and of keys.
  Positions positions[2];
  /// Tiles of the values of strips of positions.
  llvm::DenseMap<std::pair<Value, int64_t>, Value> tiles;
  llvm::DenseMap<Value, Interval> intervals;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_BLOCKKINDS_H
