//===- ProgramBuilder.h - Base of attention programs ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_PROGRAMBUILDER_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_PROGRAMBUILDER_H

#include "Domains.h"
#include "PackedTiles.h"
#include "PagedKeys.h"
#include "ScoreMasking.h"

namespace mlir::attn {

/// Creates a grid over the batch entries of the array `like`, over `heads`
/// heads, and over the rows of `like`, in steps of `step` rows for each
/// program.
attn_tile::GridOp createGrid(AttentionInterface op, TileBuilder &b, Value like,
                             OpFoldResult heads, int64_t step,
                             TileSizesAttrInterface schedule);

/// Returns the dimensions of a grid, of batch entries and of heads, along which
/// programs read the same elements of captured arrays that regions index by row
/// and key. The last dimension of the grid must be rows, the one before it
/// heads and, if there are three, the first one batch entries.
SmallVector<int64_t> findSharedDims(AttentionInterface op,
                                    attn_tile::GridOp grid);

/// Sets two attributes of a grid whose programs are complete; targets choose
/// the order of programs by them. `shared` are the dimensions along which
/// programs read the same tiles. The other attribute is the number of bytes
/// that a program reads for each position of its loop: `positionBytes`,
/// multiplied by `times` unless `times` is null.
void describePrograms(TileBuilder &b, attn_tile::GridOp grid,
                      ArrayRef<int64_t> shared, int64_t positionBytes,
                      Value times = Value());

/// Returns the number of query heads that share a key and value head, or null
/// if the numbers of query and key heads are known to be equal.
Value getGroup(AttentionInterface op, TileBuilder &b);

/// Returns the index of the key and value head that query head `queryHead`
/// reads.
Value getKvHead(AttentionInterface op, TileBuilder &b, Value queryHead);

/// Base class of the builders of tile programs of an attention op: the op, and
/// what its programs know of it. None of this changes. Functions that get the
/// op and a builder emit code that computes sizes, positions, domains and masks
/// of what a SequenceView describes.
class ProgramBuilder : protected TileProgram {
protected:
  /// The step in columns to which head dims are padded: the number of columns
  /// that one MMA takes along K. Loads fill the padding with zeros.
  static constexpr int64_t kHeadDimStep = 16;

  ProgramBuilder(AttentionInterface op, OpBuilder &builder);

  /// Returns the number of bytes of one key, including its columns of key_rope
  /// and its value, in the element type that MMAs multiply. In gradients, a
  /// query row together with its d_output has the same number of bytes.
  int64_t getKeyBytes() {
    return (headDim + ropeDim + (isValueWithinKey ? 0 : valueHeadDim)) *
           inputType.getIntOrFloatBitWidth() / 8;
  }

  AttentionInterface op;
  /// The element type of the operands that MMAs multiply.
  const Type inputType;
  /// The number of columns of a tile of keys, of values, and of key_rope (0 if
  /// the op has no key_rope).
  const int64_t headDim, valueHeadDim, ropeDim;
  const bool isValueWithinKey;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_PROGRAMBUILDER_H
