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

/// Converts the type of a tile in registers to a vector of those that a thread
/// holds, that of a padded tile in shared memory to a pointer, and that of a
/// swizzled tile or of a ring to its address, an i32.
class TileTypeConverter : public TypeConverter {
public:
  TileTypeConverter();
};

/// The builder of a function that converts an op. It inserts before the op, and
/// its rewriter replaces the op.
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

/// The layout of a tile in registers, or null.
attn_gpu::LayoutInterface getLayout(Type type);
/// The tile's layout if it is that of an MMA's accumulator, else null.
attn_gpu::MmaLayoutAttr getMmaLayout(RankedTensorType tile);
/// The tile's layout if it is that of an MMA's left operand in registers, else
/// null.
attn_gpu::MmaLayoutAttr getOperandLayout(RankedTensorType tile);

/// The index that an expression computes from `operands`, its dims.
Value applyAffine(NumberBuilder &builder, AffineExpr expr, ValueRange operands);

/// The part of a tile's coordinates along an axis that depends on the thread,
/// an index. The thread is the calling one if none is given.
Value getThreadCoordinate(NumberBuilder &builder, RankedTensorType tile,
                          int64_t axis, Value thread = {});
/// Returns `value` of the lane whose number differs from the calling lane's in
/// the bits of the mask `bits`.
Value readOtherLane(NumberBuilder &builder, Value value, int64_t bits);
/// Exchanges words between lanes whose numbers differ in bit `bit`, which is
/// set in lanes where `isUpper` holds. A lane without it keeps `lower` and
/// receives the other lane's `lower`; a lane with it keeps `upper` and receives
/// the other's `upper`. The first result is the word from the lane without the
/// bit, the second the one from the lane with it.
std::pair<Value, Value> exchangeWords(NumberBuilder &builder, Value isUpper,
                                      Value lower, Value upper, int64_t bit);

/// Reads the thread's number in a way that CSE does not merge with another
/// read: values computed from a shared one would be kept in registers through
/// the loop of MMAs before.
Value readThread(NumberBuilder &builder);

/// Bytes from one row to the next of a tile in shared memory.
int64_t getSharedRowBytes(RankedTensorType tile);

/// The offset in bytes of `column` from the begin of a row of its panel.
int64_t getBytesInPanel(RankedTensorType tile, int64_t column);

/// Whether MMAs read the tile from shared memory, padded or swizzled.
bool isInSharedMemory(RankedTensorType tile);

/// Writes a tile of registers to shared memory, where `result` lies from
/// `memory` on, each run of neighbors in a row with one store.
void writeRuns(NumberBuilder &builder, RankedTensorType tile,
               RankedTensorType result, Value registers, Value memory);

/// Addresses in a tile in shared memory, padded or swizzled: of the calling
/// thread's first element, and of elements at constant distances from it.
class SharedAddresses {
public:
  /// `row` and `column` are the thread's first element, as expressions of d0,
  /// the number of the thread. If the tile is swizzled, `column` is less than
  /// the unit in which distances are given, and `firstColumn`, if there is one,
  /// is a multiple of that unit which is added to it.
  SharedAddresses(NumberBuilder &builder, RankedTensorType tile, Value memory,
                  AffineExpr row, AffineExpr column,
                  AffineExpr firstColumn = AffineExpr());
  /// The address of the element that is `row` rows and `column` columns from
  /// the thread's first one. If the tile is swizzled, `row` is a multiple of 8.
  Value at(int64_t row, int64_t column);

private:
  NumberBuilder &b;
  RankedTensorType tile;
  int64_t elementBytes;
  Value base, swizzle, firstBytes;
};

/// Waits for all warps of `layout`, which must be all that compute.
void synchronizeWarps(NumberBuilder &builder, Operation *op,
                      attn_gpu::MmaLayoutAttr layout);

/// Makes the calling thread's writes to shared memory visible to wgmma and TMA
/// that run after the next barrier.
void fenceAsyncReads(NumberBuilder &builder);

/// Combines `value` of all lanes whose numbers differ in the bits of the masks
/// `distances`, by a shuffle for each mask.
Value combineLanes(NumberBuilder &builder, attn_tile::ReduceKind kind,
                   Value value, ArrayRef<int32_t> distances);

/// Turns the combined elements of a row or column into the reduction's result:
/// a maximum that is NaN, since all elements were, becomes -inf.
Value finishReduction(NumberBuilder &builder, attn_tile::ReduceKind kind,
                      Value value);

/// The registers of a tile, grouped by the register of `slice` that stands for
/// their row or column.
SmallVector<SmallVector<Value>> groupBySlice(NumberBuilder &builder,
                                             Value registers,
                                             RankedTensorType tile,
                                             RankedTensorType slice);

/// For each register of a tile, the index of the register of `slice` that
/// stands for its row or column.
SmallVector<int64_t> getSliceRegisters(RankedTensorType tile,
                                       RankedTensorType slice);

/// Accesses a tile of registers in memory by runs: neighbors in a row that a
/// thread holds, up to 16 bytes at once. This is allowed where isValid() holds
/// at run time, which says that all of the tile lies in the view and each run
/// is aligned to its size.
class RunAccess {
public:
  /// Whether the layout has runs and types do not rule them out.
  static bool isPossible(RankedTensorType tile, Value view, ValueRange indices);
  /// Whether elements are integers of one byte. Rows of such a tile may begin
  /// and end anywhere in the view, while for other tiles the view's type must
  /// show that whole rows are in it.
  static bool isByBytes(RankedTensorType tile);
  RunAccess(NumberBuilder &builder, RankedTensorType tile, Value view,
            ValueRange indices, Value thread = {});
  /// Returns an i1, which is the same in each thread of the launch, that says
  /// whether runs can be accessed at once.
  Value isValid() { return valid; }
  /// The number of elements in a run.
  int64_t getLength() const { return length; }
  int64_t getAlignment() const { return length * elementBytes; }
  /// Calls `visit` with the first register of each run and its address.
  void forEach(NumberBuilder &builder,
               llvm::function_ref<void(int64_t, Value)> visit);

private:
  /// Whether types tell that the view has all columns of the tile.
  static bool isWholeRow(RankedTensorType tile, Value view, ValueRange indices);

  RankedTensorType tile;
  int64_t elementBytes, length;
  /// The address of the thread's first element, and the distance of rows in
  /// bytes.
  Value first, rowBytes, valid;
};

/// Whether the calling thread is the one that writes its elements, of all
/// threads that hold them. Null if each element is in one thread only.
Value isWriter(NumberBuilder &builder, RankedTensorType tile);

/// Returns the size of a dimension minus `index`.
Value getRemaining(NumberBuilder &builder, Value view, int64_t dim,
                   Value index);

/// Whether `lhs` is less than `rhs`, as signed integers or indices.
Value isLess(NumberBuilder &builder, Value lhs, Value rhs);

/// Returns a value that LLVM can store: 8-bit floats as i8 with the same bits,
/// others as they are.
Value getStorable(NumberBuilder &builder, Value value);

/// Bytes of an element in memory: 1 for an i1.
int64_t getElementBytes(Type element);

/// Addresses in a swizzled tile for ldmatrix and stmatrix. Each warp along the
/// rows of `layout` has `rowsOfWarp` rows, a multiple of 16.
class SwizzledFragments {
public:
  SwizzledFragments(NumberBuilder &builder, RankedTensorType tile, Value memory,
                    int64_t rowsOfWarp, attn_gpu::MmaLayoutAttr layout);
  /// The calling lane's address for the fragment of 16 rows and 32 bytes of
  /// columns that begins at `row` of the warp's rows and at `column`.
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

/// The address of the CTA's dynamic shared memory, an i32.
Value getSharedMemory(NumberBuilder &builder);

/// The sum of an i32 and a constant.
Value addWord(NumberBuilder &builder, Value word, int64_t constant);

/// The pointer to an address in shared memory.
Value getSharedPointer(NumberBuilder &builder, Value address);

/// The number of the calling thread's warpgroup, which is the same for all of
/// its threads, and the thread's number in the warpgroup, both i32.
Value getWarpgroup(NumberBuilder &builder);
Value getThreadOfWarpgroup(NumberBuilder &builder);

/// Loads two or four matrices of eight rows of 16 bytes by ldmatrix, one
/// register of each. Only matrices of 16-bit elements may be transposed.
SmallVector<Value> loadMatrices(NumberBuilder &builder, Value address,
                                bool transpose, int64_t count = 4);

/// A vector of the elements that 32-bit words hold.
Value joinWords(NumberBuilder &builder, ArrayRef<Value> words, VectorType type);
/// Whether one of a thread's conditions, a vector of i1, holds; null if they
/// are no such vector.
Value joinConditions(NumberBuilder &builder, Value conditions);

/// The address of a view's element at `indices`, or its first, in the memory
/// space of `pointer`.
Value getAddress(NumberBuilder &builder, Value view, Type pointer,
                 ValueRange indices = {});

/// `pointer` advanced by a number of bytes, a constant or an index.
Value addBytes(NumberBuilder &builder, Value pointer, OpFoldResult bytes);

/// The address of an element in global memory, as an i64.
Value getGlobalAddress(NumberBuilder &builder, Value view, ValueRange indices);
/// Adds one f32, or two neighbors, to global memory, `bytes` after the address.
/// The instruction has no result and is not ordered with other accesses. LLVM's
/// atomicrmw cannot add two.
void addToGlobal(NumberBuilder &builder, Value address, int64_t bytes,
                 ValueRange elements);

/// Emits an op at the beginning of a kernel that says how many registers
/// threads have at the launch, or how many CTAs share an SM, if ptxas must
/// know.
void sayRegisters(attn_gpu::KernelOp kernel);

/// Element-wise ops, constants, row reductions and broadcasts.
void populateRegisterPatterns(const TileTypeConverter &converter,
                              RewritePatternSet &patterns);
/// Coordinates, and conversions to f32 and comparisons of their sums.
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
/// Tiles and columns that warps exchange through shared memory.
void populateExchangePatterns(const TileTypeConverter &converter,
                              RewritePatternSet &patterns);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_PATTERNS_H
