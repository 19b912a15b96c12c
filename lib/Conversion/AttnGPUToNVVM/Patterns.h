//===- Patterns.h - Tiles as registers of a thread -------------*- C++ -*--===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNGPUTONVVM_PATTERNS_H
#define ATTN_LIB_CONVERSION_ATTNGPUTONVVM_PATTERNS_H

#include "../Assembly.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Transforms/DialectConversion.h"

namespace mlir::attn {

/// Converts types of tiles. A tile in registers becomes a vector of the
/// elements that a thread holds, a padded tile in shared memory a pointer, and
/// a swizzled tile or a ring its address in shared memory, an i32.
class TileTypeConverter : public TypeConverter {
public:
  TileTypeConverter();
};

/// The builder that FunctionConversion passes to the function that converts an
/// op. It inserts before the op, and its rewriter replaces the op.
struct ConversionBuilder : NumberBuilder {
  ConversionBuilder(Location loc, ConversionPatternRewriter &rewriter,
                    const TypeConverter &converter)
      : NumberBuilder(loc, rewriter), rewriter(rewriter), converter(converter) {
  }
  ConversionPatternRewriter &rewriter;
  const TypeConverter &converter;
};

/// The conversion pattern that calls a function.
template <auto convert> struct FunctionConversion;
template <typename Op, typename Adaptor,
          LogicalResult (*convert)(ConversionBuilder &, Op, Adaptor)>
struct FunctionConversion<convert> : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(Op op, Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ConversionBuilder b(op->getLoc(), rewriter, *this->getTypeConverter());
    return convert(b, op, adaptor);
  }
};

template <auto... convert>
void addConversions(const TypeConverter &converter, RewritePatternSet &patterns,
                    PatternBenefit benefit = 1) {
  patterns.add<FunctionConversion<convert>...>(converter, patterns.getContext(),
                                               benefit);
}

/// Returns the type's layout if it is that of a tile in registers, else null.
attn_gpu::LayoutInterface getLayout(Type type);
/// Returns the tile's layout if that is the layout of an MMA's accumulator,
/// else null.
attn_gpu::MmaLayoutAttr getMmaLayout(RankedTensorType tile);
/// Returns the tile's layout if that is the layout of an MMA's left operand in
/// registers, else null.
attn_gpu::MmaLayoutAttr getOperandLayout(RankedTensorType tile);

/// Emits an affine expression of `operands`, its dimensions d0, d1 and so on;
/// returns an index.
Value applyAffine(NumberBuilder &builder, AffineExpr expr, ValueRange operands);

/// Returns the part of a tile's coordinates along an axis that depends on the
/// thread, as an index. `thread` is the thread's number, by default that of the
/// calling thread.
Value getThreadCoordinate(NumberBuilder &builder, RankedTensorType tile,
                          int64_t axis, Value thread = {});
/// Returns the `value` of another lane: the one whose number differs from the
/// calling lane's in the bits that are set in `bits`.
Value readOtherLane(NumberBuilder &builder, Value value, int64_t bits);
/// A butterfly exchange between lanes whose numbers differ in bit `bit`.
/// `isUpper` must say whether the bit is set in the calling lane. A lane
/// without the bit keeps `lower` and receives the other lane's `lower`; a lane
/// with it keeps `upper` and receives the other's `upper`. Of the two results,
/// the first is the word from the lane without the bit, the second that from
/// the lane with it.
std::pair<Value, Value> exchangeWords(NumberBuilder &builder, Value isUpper,
                                      Value lower, Value upper, int64_t bit);

/// Reads the thread's number by an instruction that CSE does not merge with
/// another read. If reads were merged, values computed from the number would
/// stay in registers through the loop of MMAs before.
Value readThread(NumberBuilder &builder);

/// Returns the distance in bytes between rows of a padded tile in shared
/// memory.
int64_t getSharedRowBytes(RankedTensorType tile);

/// Returns the offset in bytes of `column` from the beginning of its row in the
/// swizzled panel that holds the column.
int64_t getBytesInPanel(RankedTensorType tile, int64_t column);

/// Whether the tile is in shared memory, padded or swizzled, where MMAs read
/// it.
bool isInSharedMemory(RankedTensorType tile);

/// Writes a tile from registers to shared memory at `memory`, in the padded or
/// swizzled layout of `result`, with one store of at most 16 bytes for each run
/// of neighboring elements of a row. If several threads hold the same elements,
/// one of them writes.
void writeRuns(NumberBuilder &builder, RankedTensorType tile,
               RankedTensorType result, Value registers, Value memory);

/// Computes addresses in a padded or swizzled tile in shared memory: that of
/// the calling thread's first element, and those of elements at constant
/// distances from it.
class SharedAddresses {
public:
  /// `row` and `column` are the position of the thread's first element, as
  /// expressions of d0, the thread's number. If the tile is swizzled, `column`
  /// is less than the unit of which column distances are multiples;
  /// `firstColumn`, if given, is a multiple of that unit and is added to
  /// `column`.
  SharedAddresses(NumberBuilder &builder, RankedTensorType tile, Value memory,
                  AffineExpr row, AffineExpr column,
                  AffineExpr firstColumn = AffineExpr());
  /// Returns the address of the element that is `row` rows and `column` columns
  /// from the thread's first element. If the tile is swizzled, `row` is a
  /// multiple of 8.
  Value at(int64_t row, int64_t column);

private:
  NumberBuilder &b;
  RankedTensorType tile;
  int64_t elementBytes;
  Value base, swizzle, firstBytes;
};

/// Emits a barrier for all warps of `layout`, which must be all warps that
/// compute.
void synchronizeWarps(NumberBuilder &builder, Operation *op,
                      attn_gpu::MmaLayoutAttr layout);

/// Makes the calling thread's earlier writes to shared memory visible to wgmma
/// and TMA that run after the next barrier (a fence of the async proxy).
void fenceAsyncReads(NumberBuilder &builder);

/// Returns `value` combined over lanes by butterfly shuffles, one for each mask
/// in `distances`: lane n combines its value with that of lane n xor mask. The
/// masks {1, 2}, for example, combine the four lanes of a quad, each of which
/// gets the result. A value of type i1 is allowed.
Value combineLanes(NumberBuilder &builder, attn_tile::ReduceKind kind,
                   Value value, ArrayRef<int32_t> distances);

/// Returns the reduction's result for the combined elements of a row or column:
/// `value`, except that a maximum that is NaN, because all elements were,
/// becomes -inf.
Value finishReduction(NumberBuilder &builder, attn_tile::ReduceKind kind,
                      Value value);

/// Returns the registers of `tile` in groups: a group for each register of
/// `slice`, a vector over rows or columns, with the registers of that row or
/// column.
SmallVector<SmallVector<Value>> groupBySlice(NumberBuilder &builder,
                                             Value registers,
                                             RankedTensorType tile,
                                             RankedTensorType slice);

/// For each register of `tile`, returns the index of the register of `slice`, a
/// vector over rows or columns, that belongs to its row or column.
SmallVector<int64_t> getSliceRegisters(RankedTensorType tile,
                                       RankedTensorType slice);

/// Accesses a tile of registers in global memory by runs, the neighboring
/// elements of a row that a thread holds: up to 16 bytes at once. It may be
/// used only if isValid() holds at run time: all of the tile lies in the view,
/// and each run is aligned to its size.
class RunAccess {
public:
  /// Whether the tile's layout has runs, and static types do not exclude that
  /// isValid() holds.
  static bool isPossible(RankedTensorType tile, Value view, ValueRange indices);
  /// Whether the tile has two dimensions and integers of one byte. Rows of such
  /// a tile may begin and end at any column of the view, while for other tiles
  /// the view's type must show that it has whole rows of the tile.
  static bool isByBytes(RankedTensorType tile);
  RunAccess(NumberBuilder &builder, RankedTensorType tile, Value view,
            ValueRange indices, Value thread = {});
  /// Returns an i1 that says whether the tile can be accessed by runs. It is
  /// the same in all threads of a CTA.
  Value isValid() { return valid; }
  /// The number of elements in a run.
  int64_t getLength() const { return length; }
  int64_t getAlignment() const { return length * elementBytes; }
  /// Calls `visit` for each run of the thread, with the index of its first
  /// register and the run's address in global memory.
  void forEach(NumberBuilder &builder,
               llvm::function_ref<void(int64_t, Value)> visit);

  /// Whether types show that the view has all columns of the tile.
  static bool isWholeRow(RankedTensorType tile, Value view, ValueRange indices);

private:
  RankedTensorType tile;
  int64_t elementBytes, length;
  /// The address of the thread's first element, the distance of rows in bytes,
  /// and what isValid() returns.
  Value first, rowBytes, valid;
};

/// Returns an i1: whether the calling thread is the one of those that hold the
/// same elements of the tile that writes them. Null if each element is in one
/// thread only.
Value isWriter(NumberBuilder &builder, RankedTensorType tile);

/// Returns the size of dimension `dim` of a view minus `index`.
Value getRemaining(NumberBuilder &builder, Value view, int64_t dim,
                   Value index);

/// Returns whether `lhs` is less than `rhs`, as signed integers or indices.
Value isLess(NumberBuilder &builder, Value lhs, Value rhs);

/// Returns a value that LLVM can store: 8-bit floats as i8 with the same bits,
/// others as they are.
Value getStorable(NumberBuilder &builder, Value value);

/// Bytes of an element in memory: 1 for an i1.
int64_t getElementBytes(Type element);

/// Computes addresses in a swizzled tile for ldmatrix and stmatrix. Each of the
/// warps that divide the tile's rows in `layout` has `rowsOfWarp` rows, a
/// multiple of 16.
class SwizzledFragments {
public:
  SwizzledFragments(NumberBuilder &builder, RankedTensorType tile, Value memory,
                    int64_t rowsOfWarp, attn_gpu::MmaLayoutAttr layout);
  /// Returns the address that the calling lane passes to ldmatrix or stmatrix
  /// for the fragment of 16 rows and 32 bytes of columns that begins at row
  /// `row` of the warp and at `column`.
  Value getAddress(int64_t row, int64_t column);

private:
  NumberBuilder &b;
  RankedTensorType tile;
  Value memory, rowOffset, swizzle;
};

/// Writes the transpose of a swizzled tile of 8-bit elements, as
/// attn_gpu.transpose defines it, by the four warps of a warpgroup. `source`
/// and `target` are addresses in shared memory, i32.
void writeTransposed(NumberBuilder &builder, RankedTensorType tile,
                     Value source, RankedTensorType transposed, Value target);

/// Returns the distance in bytes from the beginning of a swizzled tile to the
/// panel that holds `column`.
int64_t getPanelOffset(RankedTensorType tile, int64_t column);

/// The address of the CTA's dynamic shared memory, an i32.
Value getSharedMemory(NumberBuilder &builder);

/// The sum of an i32 and a constant.
Value addWord(NumberBuilder &builder, Value word, int64_t constant);

/// The pointer to an address in shared memory.
Value getSharedPointer(NumberBuilder &builder, Value address);

/// Return the number of the calling thread's warpgroup, which ptxas sees to be
/// the same in all lanes, and the thread's number within the warpgroup; both
/// i32.
Value getWarpgroup(NumberBuilder &builder);
Value getThreadOfWarpgroup(NumberBuilder &builder);

/// Loads two or four matrices of eight rows of 16 bytes by ldmatrix. Returns
/// one register, an i32, for each matrix. Only matrices of 16-bit elements may
/// be transposed.
SmallVector<Value> loadMatrices(NumberBuilder &builder, Value address,
                                bool transpose, int64_t count = 4);

/// Returns a vector of the elements that are packed in 32-bit words.
Value joinWords(NumberBuilder &builder, ArrayRef<Value> words, VectorType type);
/// Returns an i1: whether any of the calling thread's conditions holds. Null if
/// `conditions` is no vector of i1.
Value joinConditions(NumberBuilder &builder, Value conditions);

/// Returns the address of a view's element at `indices`, by default its first
/// element, as a pointer of type `pointer`.
Value getAddress(NumberBuilder &builder, Value view, Type pointer,
                 ValueRange indices = {});

/// Returns `pointer` plus a number of bytes, a constant or an index.
Value addBytes(NumberBuilder &builder, Value pointer, OpFoldResult bytes);

/// The address of an element in global memory, as an i64.
Value getGlobalAddress(NumberBuilder &builder, Value view, ValueRange indices);
/// Adds one f32, or two neighboring ones, to global memory at `address` plus
/// the constant `bytes`. The instruction (red) returns nothing and is not
/// ordered with other accesses. It is not LLVM's atomicrmw, which cannot add
/// two numbers.
void addToGlobal(NumberBuilder &builder, Value address, int64_t bytes,
                 ValueRange elements);

/// Emits, at the beginning of a kernel, an op that tells ptxas how many
/// registers threads have at the launch or, if roles do not determine that, how
/// many CTAs share an SM. Emits nothing if ptxas may choose.
void sayRegisters(attn_gpu::KernelOp kernel);

/// Element-wise ops, constants, row reductions and broadcasts.
void populateRegisterPatterns(const TileTypeConverter &converter,
                              RewritePatternSet &patterns);
/// Adds patterns for coordinates, and for conversions to f32, products and
/// comparisons of sums of coordinates.
void populateCoordinatePatterns(const TileTypeConverter &converter,
                                RewritePatternSet &patterns);
/// mma.sync and its operands.
void populateMmaSyncPatterns(const TileTypeConverter &converter,
                             RewritePatternSet &patterns);
/// wgmma and its operands.
void populateWgmmaPatterns(const TileTypeConverter &converter,
                           RewritePatternSet &patterns);
/// Rings of tiles.
void populateRingPatterns(const TileTypeConverter &converter,
                          RewritePatternSet &patterns);
void populateTileNumberPatterns(const TileTypeConverter &converter,
                                RewritePatternSet &patterns);
void populateStagedStorePatterns(const TileTypeConverter &converter,
                                 RewritePatternSet &patterns);
/// Roles of warpgroups.
void populateRolePatterns(const TileTypeConverter &converter,
                          RewritePatternSet &patterns);
/// Loads and copies.
void populateMemoryPatterns(const TileTypeConverter &converter,
                            RewritePatternSet &patterns);
/// Reads of elements at computed indices.
void populateGatherPatterns(const TileTypeConverter &converter,
                            RewritePatternSet &patterns);
void populateScatterPatterns(const TileTypeConverter &converter,
                             RewritePatternSet &patterns);
/// Random bits of dropout.
void populateRandomPatterns(const TileTypeConverter &converter,
                            RewritePatternSet &patterns);
/// Stores to global memory.
void populateStorePatterns(const TileTypeConverter &converter,
                           RewritePatternSet &patterns);
/// Patterns for ops in which warps exchange tiles, row results or column
/// results through shared memory.
void populateExchangePatterns(const TileTypeConverter &converter,
                              RewritePatternSet &patterns);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_PATTERNS_H
