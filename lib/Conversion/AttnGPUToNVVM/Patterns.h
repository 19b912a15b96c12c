//===- Patterns.h - Tiles as registers of a thread --------------*- C++ -*-===//
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

/// A tile in registers becomes a vector of those a thread holds, a tile in
/// shared memory a pointer to its first element or, if swizzled, its address,
/// an i32, as a ring.
class TileTypeConverter : public TypeConverter {
public:
  TileTypeConverter();
};

/// What converts an op: it builds before the op, and replaces it.
struct ConversionBuilder : NumberBuilder {
  ConversionBuilder(Location loc, ConversionPatternRewriter &rewriter,
                    const TypeConverter &converter)
      : NumberBuilder(loc, rewriter), rewriter(rewriter), converter(converter) {
  }
  ConversionPatternRewriter &rewriter;
  const TypeConverter &converter;
};

/// The pattern of a function that converts an op.
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

/// The layout of a tile in registers, or null.
attn_gpu::LayoutInterface getLayout(Type type);
/// That of a tile as an MMA has it, or null.
attn_gpu::MmaLayoutAttr getMmaLayout(RankedTensorType tile);
/// That of a tile as an MMA has its left operand, or null.
attn_gpu::MmaLayoutAttr getOperandLayout(RankedTensorType tile);

/// An index computed of others, the dims of the expression.
Value applyAffine(NumberBuilder &builder, AffineExpr expr, ValueRange operands);

/// The calling thread's coordinate along an axis of a tile, an index.
Value getThreadCoordinate(NumberBuilder &builder, RankedTensorType tile,
                          int64_t axis, Value thread = {});
/// What the lane has whose number differs in these bits.
Value readOtherLane(NumberBuilder &builder, Value value, int64_t bits);
/// Of two words that each lane has, the lower stays with lanes whose bit is 0
/// and the upper with others, for which `isUpper` holds. What it gets is the
/// same of the lane that differs in that bit. The result is that of the lane
/// with bit 0, and of that with 1.
std::pair<Value, Value> exchangeWords(NumberBuilder &builder, Value isUpper,
                                      Value lower, Value upper, int64_t bit);

/// The thread's number, read anew: what is calculated with another would be
/// kept in registers through a loop of MMAs before.
Value readThread(NumberBuilder &builder);

/// Bytes from one row to the next of a tile in shared memory.
int64_t getSharedRowBytes(RankedTensorType tile);

/// Bytes from the begin of a row of the panel that holds `column` to it.
int64_t getBytesInPanel(RankedTensorType tile, int64_t column);

/// Whether MMAs read the tile from shared memory, padded or swizzled.
bool isInSharedMemory(RankedTensorType tile);

/// Addresses in a tile in shared memory, padded or swizzled: of the calling
/// thread's own element, and of those at constant distances.
class SharedAddresses {
public:
  /// The thread's row and column are expressions of d0, its number. Of a
  /// swizzled tile, `column` is below the granule of constant distances, and
  /// `firstColumn`, if given, is any multiple of that.
  SharedAddresses(NumberBuilder &builder, RankedTensorType tile, Value memory,
                  AffineExpr row, AffineExpr column,
                  AffineExpr firstColumn = AffineExpr());
  /// Of a swizzled tile, `row` is a multiple of 8.
  Value at(int64_t row, int64_t column);

private:
  NumberBuilder &b;
  RankedTensorType tile;
  int64_t elementBytes;
  Value base, swizzle, firstBytes;
};

/// Waits for all warps that compute, of which a layout has all.
void synchronizeWarps(NumberBuilder &builder, Operation *op,
                      attn_gpu::MmaLayoutAttr layout);

/// What the thread wrote to shared memory is seen by wgmma, after a barrier.
void fenceAsyncReads(NumberBuilder &builder);

/// What lanes have, combined, whose numbers differ in bits that are given.
Value combineLanes(NumberBuilder &builder, attn_tile::ReduceKind kind,
                   Value value, ArrayRef<int32_t> distances);

/// The result of a reduction, from the combined elements of a row or column:
/// the maximum of NaN alone is NaN where it is computed, and -inf as a result.
Value finishReduction(NumberBuilder &builder, attn_tile::ReduceKind kind,
                      Value value);

/// A tile's registers, by the registers of their rows or columns in a slice.
SmallVector<SmallVector<Value>> groupBySlice(NumberBuilder &builder,
                                             Value registers,
                                             RankedTensorType tile,
                                             RankedTensorType slice);

/// For each register of a tile, the register of its row or column in a slice.
SmallVector<int64_t> getSliceRegisters(RankedTensorType tile,
                                       RankedTensorType slice);

/// Neighbours in a row that a thread holds of a tile in registers, in memory,
/// up to 16 bytes at a time: where all of the tile lies in the view and each
/// run at a multiple of its size, which is to be asked first.
class RunAccess {
public:
  /// Whether that may be, as far as types tell, and the layout has runs.
  static bool isPossible(RankedTensorType tile, Value view, ValueRange indices);
  /// Whether elements are bytes, of which runs may begin and end anywhere.
  static bool isByBytes(RankedTensorType tile);
  RunAccess(NumberBuilder &builder, RankedTensorType tile, Value view,
            ValueRange indices, Value thread = {});
  /// An i1, the same in each thread of the launch.
  Value isValid() { return valid; }
  /// Elements of a run.
  int64_t getLength() const { return length; }
  int64_t getAlignment() const { return length * elementBytes; }
  /// Calls `visit` with the first register of each run and its address.
  void forEach(NumberBuilder &builder,
               llvm::function_ref<void(int64_t, Value)> visit);

private:
  /// Whether types tell that rows of the tile lie within the view.
  static bool isWholeRow(RankedTensorType tile, Value view, ValueRange indices);

  RankedTensorType tile;
  int64_t elementBytes, length;
  /// The thread's first element, and bytes from row to row.
  Value first, rowBytes, valid;
};

/// Whether the calling thread is the one, of all that hold its elements of a
/// tile, that writes them. Null if no other thread holds any of them.
Value isWriter(NumberBuilder &builder, RankedTensorType tile);

/// Elements of a view from `index` on, along a dimension.
Value getRemaining(NumberBuilder &builder, Value view, int64_t dim,
                   Value index);

/// Whether `lhs` is less than `rhs`, as signed integers or indices.
Value isLess(NumberBuilder &builder, Value lhs, Value rhs);

/// A value of elements that LLVM has, with the same bits: bytes for floats of 8
/// bits.
Value getStorable(NumberBuilder &builder, Value value);

/// Of an element in memory; an i1 is a byte.
int64_t getElementBytes(Type element);

/// Addresses for ldmatrix and stmatrix of fragments of a swizzled tile: each
/// warp along the rows of `layout` has as many rows, a multiple of 16.
class SwizzledFragments {
public:
  SwizzledFragments(NumberBuilder &builder, RankedTensorType tile, Value memory,
                    int64_t rowsOfWarp, attn_gpu::MmaLayoutAttr layout);
  /// Of 16 of its warp's rows and 32 bytes of columns, from `row` and `column`
  /// on, in the calling lane.
  Value getAddress(int64_t row, int64_t column);

private:
  NumberBuilder &b;
  RankedTensorType tile;
  Value memory, rowOffset, swizzle;
};

/// Writes the transpose of a swizzled tile of 8-bit elements, as
/// `attn_gpu.transpose` has it, with the four warps of a warpgroup. `source`
/// and `target` are addresses in shared memory, i32.
void writeTransposed(NumberBuilder &builder, RankedTensorType tile,
                     Value source, RankedTensorType transposed, Value target);

/// Bytes from a swizzled tile's begin to that of the panel that holds `column`.
int64_t getPanelOffset(RankedTensorType tile, int64_t column);

/// The address of the block's dynamic shared memory, an i32.
Value getSharedMemory(NumberBuilder &builder);

/// The sum of an i32 and a constant.
Value addWord(NumberBuilder &builder, Value word, int64_t constant);

/// The pointer to an address in shared memory.
Value getSharedPointer(NumberBuilder &builder, Value address);

/// The calling thread's warpgroup, which all its threads have in common, and
/// its number within; i32.
Value getWarpgroup(NumberBuilder &builder);
Value getThreadOfWarpgroup(NumberBuilder &builder);

/// Two or four matrices of eight rows of 16 bytes by ldmatrix, one register of
/// each; only those of 16-bit elements are transposed.
SmallVector<Value> loadMatrices(NumberBuilder &builder, Value address,
                                bool transpose, int64_t count = 4);

/// The elements that words of 32 bits hold.
Value joinWords(NumberBuilder &builder, ArrayRef<Value> words, VectorType type);

/// The address of a view's element at `indices`, or its first, in the memory
/// space of `pointer`.
Value getAddress(NumberBuilder &builder, Value view, Type pointer,
                 ValueRange indices = {});

/// `pointer` and a number of bytes, a constant or an index.
Value addBytes(NumberBuilder &builder, Value pointer, OpFoldResult bytes);

/// The address of an element of global memory, as a number.
Value getGlobalAddress(NumberBuilder &builder, Value view, ValueRange indices);
/// Adds an f32, or two neighbors, to global memory, `bytes` behind the address:
/// without a result and in no order with other accesses, which LLVM's own
/// instruction has no form of for two.
void addToGlobal(NumberBuilder &builder, Value address, int64_t bytes,
                 ValueRange elements);

/// Says at the beginning of a kernel how many registers its threads have at the
/// launch, or how many CTAs share an SM, where ptxas must know.
void sayRegisters(attn_gpu::KernelOp kernel);

/// Element-wise ops, constants, row reductions and broadcasts.
void populateRegisterPatterns(const TileTypeConverter &converter,
                              RewritePatternSet &patterns);
/// Coordinates, and floats and comparisons of sums of them.
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
/// Reads of elements whose places the program computes.
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
/// What passes through shared memory between warps.
void populateExchangePatterns(const TileTypeConverter &converter,
                              RewritePatternSet &patterns);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_PATTERNS_H
