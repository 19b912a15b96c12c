//===- BackwardGroups.cpp - Programs of parts of a group's heads ----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Query heads of a group share the gradients of one head of keys and values. A
// program of keys goes through all of them, or, where programs add to memory
// anyway, through some; their sums are then added in f32 and rounded at last.
// The host decides when it knows the sizes.
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::attn;

/// Query heads of a group that programs under a diagonal go through: they see
/// different numbers of rows, and are soon at different heads, which the cache
/// does not hold all (d128, 8 heads: 1.5 times slower, 4: 0.96).
static constexpr int64_t kHeadsUnderDiagonal = 4;
/// Programs for each processor that are wanted: where they are of different
/// lengths at least so many, else about as many.
static constexpr int64_t kProgramsPerProcessor = 2;

/// Programs of the query heads of a group, where they add in memory; others go
/// through all of them, in an order that is always the same.
void BackwardPrograms::divideGroup() {
  Value group = getGroup();
  if (!group || !querySums || schedule.addsFromRegisters() || op.isRagged() ||
      op.hasMaskRegion())
    return;
  Value programs = asValue(getSize(op.getKey(), 0));
  for (OpFoldResult count :
       {getSize(op.getKey(), 1),
        apply(dim(0).ceilDiv(own), {getSize(op.getKey(), 2)})})
    programs = b.createOrFold<arith::MulIOp>(programs, asValue(count));
  Value wanted = b.muli(attn_tile::ProcessorsOp::create(b),
                        b.index(kProgramsPerProcessor));
  programs = b.createOrFold<arith::MaxUIOp>(programs, b.index(1));
  Value parts;
  MaskAttr mask = op.getMaskAttr();
  if (mask && !mask.getLowerDiagonal())
    parts = b.maxui(b.ceildivui(wanted, programs),
                    b.createOrFold<arith::CeilDivUIOp>(
                        group, b.index(kHeadsUnderDiagonal)));
  else
    parts = b.maxui(b.divui(wanted, programs), b.index(1));
  // As many heads for each program.
  Value most = b.ceildivui(group, b.minui(parts, b.maxui(group, b.index(1))));
  headsOfPart = b.index(1);
  for (int64_t count : {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32}) {
    Value rest = b.remui(group, b.index(count));
    Value divides = b.andi(b.eq(rest, b.index(0)), b.ule(b.index(count), most));
    headsOfPart = b.select(divides, b.index(count), headsOfPart);
  }
  Value isWhole = b.ule(parts, b.index(1));
  headsOfPart = b.select(isWhole, group, headsOfPart);
  // Without query heads, programs store zeros.
  headsOfPart = b.minui(headsOfPart, group);
  partsOfGroup = b.ceildivui(group, b.maxui(headsOfPart, b.index(1)));
  partsOfGroup = b.maxui(partsOfGroup, b.index(1));
}

/// The head of keys that a program is of.
Value BackwardPrograms::getHeadOfPart(Value head) {
  return divideHeads(head, partsOfGroup);
}

/// Whether programs of a group add to memory.
Value BackwardPrograms::isDivided() { return b.ugt(partsOfGroup, b.index(1)); }

/// Where programs of parts of a group add to a gradient of the keys. It has no
/// heads if groups are not divided.
Value BackwardPrograms::createKeySums(Value out, int64_t columns,
                                      double factor) {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), out);
  sizes[1] = b.select(isDivided(), asValue(sizes[1]), b.index(0));
  sizes[3] = b.getIndexAttr(columns);
  Value sums = createWorkspace(sizes);
  emitZeros(sums);
  keySums.push_back({sums, out, columns, factor});
  return sums;
}

/// The gradients of what was added up.
void BackwardPrograms::emitKeyRounding() {
  for (const KeySums &own : keySums)
    roundSums(own.sums, own.sums, own.columns, own.out, numKeys, own.factor);
}
