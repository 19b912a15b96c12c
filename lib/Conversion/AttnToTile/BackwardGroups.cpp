//===- BackwardGroups.cpp - Programs for parts of a group's heads ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The query heads of a group (GQA) share the gradients of one head of keys and
// values. The program of a block of keys goes through all query heads of the
// group or, if programs add d_query in memory anyway, through some of them.
// Programs that share a group add their d_key and d_value in f32 memory, and a
// last grid rounds these sums. The host chooses the number of programs when it
// knows the sizes.
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

/// The largest number of query heads that one backward program, which computes
/// the gradients of a tile of keys, visits under a causal mask (without a
/// window). Programs of different keys then see different numbers of rows, and
/// so soon read different heads, not all of which fit the L2 cache. Measured at
/// head dim 128, relative to programs of one head: 8 heads take 1.5 times as
/// long, 4 heads 0.96 times.
static constexpr int64_t kHeadsUnderDiagonal = 4;
/// The number of programs for each SM at which divideGroup() aims. The number
/// of programs that share a group is rounded up if the mask has only an upper
/// diagonal, since programs then differ in length. Otherwise it is rounded
/// down, to at least 1.
static constexpr int64_t kProgramsPerProcessor = 2;
/// The number of blocks from which on programs share a group if blocks have
/// rows of several heads. A group then has so few rows that a program soon
/// visits all of them, while sums in memory take three more launches and more
/// than twice as many bytes as the gradients themselves. Estimated.
static constexpr int64_t kBlocksOfSharedGroup = 8;

/// Sets `headsOfPart`, the number of query heads of a group (of tiles of heads,
/// if blocks have rows of several) that each program of d_key and d_value
/// visits, and `partsOfGroup`, the number of programs that share the group.
///
/// Both stay null, so that each program visits all heads in a fixed order, in
/// these cases: if a group is one head; if programs do not add d_query in
/// memory, since results must then be deterministic; if they add d_query from
/// registers; in ragged batches; with a mask region; and if blocks have rows of
/// several heads, so that a group has only few of them.
void BackwardPrograms::divideGroup() {
  Value group = getHeadTiles();
  if (!group || !querySums || schedule.addsFromRegisters() || op.isRagged() ||
      op.hasMaskRegion())
    return;
  if (ofBlock.heads > 1 && *getConstantIntValue(group) < kBlocksOfSharedGroup)
    return;
  Value programs = asValue(getSize(op.getKey(), 0));
  for (OpFoldResult count :
       {getSize(op.getKey(), 1),
        apply(dim(0).ceilDiv(own), {getSize(op.getKey(), 2)})})
    programs = b.muliOrFold(programs, asValue(count));
  Value wanted =
      b.muli(attn_tile::ProcessorsOp::create(b, /*schedule=*/Attribute()),
             b.index(kProgramsPerProcessor));
  programs = b.maxuiOrFold(programs, b.index(1));
  Value parts;
  MaskAttr mask = op.getMaskAttr();
  if (mask && !mask.getLowerDiagonal())
    parts = b.maxui(b.ceildivui(wanted, programs),
                    b.ceildivuiOrFold(group, b.index(kHeadsUnderDiagonal)));
  else
    parts = b.maxui(b.divui(wanted, programs), b.index(1));
  // `headsOfPart` becomes the largest of these counts, from 1 to 32, that
  // divides the size of the group and is at most `most`, or the whole group if
  // `parts` is 1. `most` is the group's size divided by `parts`, the wanted
  // number of programs for each group, and rounded up.
  Value most = b.ceildivui(group, b.minui(parts, b.maxui(group, b.index(1))));
  headsOfPart = b.index(1);
  for (int64_t count : {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 24, 32}) {
    Value rest = b.remui(group, b.index(count));
    Value divides = b.andi(b.eq(rest, b.index(0)), b.ule(b.index(count), most));
    headsOfPart = b.select(divides, b.index(count), headsOfPart);
  }
  Value isWhole = b.ule(parts, b.index(1));
  headsOfPart = b.select(isWhole, group, headsOfPart);
  // If the op has no query heads, `headsOfPart` becomes 0, so that programs of
  // d_key and d_value visit no head and store zeros.
  headsOfPart = b.minui(headsOfPart, group);
  partsOfGroup = b.ceildivui(group, b.maxui(headsOfPart, b.index(1)));
  partsOfGroup = b.maxui(partsOfGroup, b.index(1));
}

/// Returns the key and value head of the program whose coordinate along heads
/// is `head`. Each key and value head has partsOfGroup consecutive coordinates.
Value BackwardPrograms::getHeadOfPart(Value head) {
  return divideHeads(head, partsOfGroup);
}

/// Returns an i1: whether several programs share a group of query heads, so
/// that they add d_key and d_value in memory.
Value BackwardPrograms::isDivided() { return b.ugt(partsOfGroup, b.index(1)); }

/// Allocates an f32 array of zeros with `columns` columns, to which the
/// programs that share a group add d_key or d_value. Records it in `keySums`
/// together with the gradient `out`. If only one program has a group, it stores
/// the gradient itself, and the array has size 0 in the dimension of heads.
Value BackwardPrograms::createKeySums(Value out, int64_t columns,
                                      Gradients of) {
  SmallVector<OpFoldResult> sizes = b.getMixedSizes(out);
  sizes[1] = b.select(isDivided(), asValue(sizes[1]), b.index(0));
  sizes[3] = b.getIndexAttr(columns);
  Value sums = createWorkspace(sizes);
  emitZeros(sums);
  keySums.push_back({sums, out, columns, of});
  return sums;
}

/// Emits grids that multiply the f32 sums of d_key and d_value by their
/// factors, round them and store them as the gradients. Keys past the last
/// valid one get zeros.
void BackwardPrograms::emitKeyRounding() {
  for (const KeySums &own : keySums)
    roundSums(own.sums, own.sums, own.columns, own.out, all.numKeys, own.of);
}
