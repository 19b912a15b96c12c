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

/// Converts the types of tiles and rings. A tile in registers becomes a vector
/// of the elements that a thread holds. A padded tile in shared memory becomes
/// a pointer. A swizzled tile or a ring becomes its address in shared memory,
/// an i32.
class TileTypeConverter : public TypeConverter {
public:
  TileTypeConverter();
};

/// The builder that FunctionConversion passes to the function that converts an
/// op. It inserts new ops before the converted op, and its member `rewriter` is
/// used to replace that op.
struct ConversionBuilder : NumberBuilder {
  ConversionBuilder(Location loc, ConversionPatternRewriter &rewriter,
                    const TypeConverter &converter)
      : NumberBuilder(loc, rewriter), rewriter(rewriter), converter(converter) {
  }
  ConversionPatternRewriter &rewriter;
  const TypeConverter &converter;
};

/// A conversion pattern that converts an op by calling the function `convert`.
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

/// Returns the layout of the type if the type is that of a tile in registers,
/// else null.
attn_gpu::LayoutInterface getLayout(Type type);
/// Returns the layout of the tile if it is the layout of an MMA's accumulator,
/// else null.
attn_gpu::MmaLayoutAttr getMmaLayout(RankedTensorType tile);
/// Returns the layout of the tile if it is the layout of an MMA's left operand
/// in registers, else null.
attn_gpu::MmaLayoutAttr getOperandLayout(RankedTensorType tile);

/// Emits code that evaluates an affine expression, in which `operands` are the
/// dimensions d0, d1 and so on. Returns the result, an index.
Value applyAffine(NumberBuilder &builder, AffineExpr expr, ValueRange operands);

/// Returns, as an index, the part of a tile's coordinates along an axis that
/// depends on the thread: the coordinate of the thread's first element.
/// `thread` is the thread's number, by default that of the calling thread.
Value getThreadCoordinate(NumberBuilder &builder, RankedTensorType tile,
                          int64_t axis, Value thread = {});
/// The part of the coordinate of a thread's first element of a tile that
/// depends on the thread, as a sum of affine expressions of d0, the thread's
/// number: the coordinate of its warp's first element, and the offset of its
/// lane from that.
struct ThreadOffset {
  /// Takes the layout's own map (LayoutInterface::getThreadOffset).
  ThreadOffset(attn_gpu::MmaLayoutAttr layout, ArrayRef<int64_t> shape,
               int64_t axis)
      : ThreadOffset(layout, layout.getFirstWarp(), shape, axis) {}
  ThreadOffset(attn_gpu::LayoutInterface layout, int64_t firstWarp,
               ArrayRef<int64_t> shape, int64_t axis);
  AffineExpr ofWarp, ofLane;
};
/// Emits a butterfly shuffle of `value`. Each lane gets the value of the lane
/// whose number differs from its own in exactly the bits that are set in
/// `bits`.
Value readOtherLane(NumberBuilder &builder, Value value, int64_t bits);
/// Emits a butterfly exchange between lanes whose numbers differ only in bit
/// `bit`. `isUpper` must say whether that bit is set in the calling lane. A
/// lane in which the bit is 0 keeps its `lower` and receives the other lane's
/// `lower`; a lane in which the bit is 1 keeps its `upper` and receives the
/// other lane's `upper`. Of the two returned words, the first comes from the
/// lane in which the bit is 0, the second from the lane in which it is 1.
std::pair<Value, Value> exchangeWords(NumberBuilder &builder, Value isUpper,
                                      Value lower, Value upper, int64_t bit);

/// Reads the thread's number by an instruction that CSE does not merge with
/// other reads of it. If the reads were merged, values that are computed from
/// the number would stay in registers through a loop of MMAs before their use.
Value readThread(NumberBuilder &builder);

/// Returns the distance in bytes between rows of a padded tile in shared
/// memory.
int64_t getSharedRowBytes(RankedTensorType tile);

/// Returns the offset in bytes at which `column` of a swizzled tile begins in a
/// row of its panel, before the swizzle is applied.
int64_t getBytesInPanel(RankedTensorType tile, int64_t column);

/// Whether the tile lies in shared memory, in the padded or the swizzled layout
/// from which MMAs read operands.
bool isInSharedMemory(RankedTensorType tile);

/// Writes a tile from registers to shared memory at `memory`, in the padded or
/// swizzled layout of `result`, with one store of at most 16 bytes for each run
/// of neighboring elements of a row. If several threads hold the same elements,
/// one of them writes.
void writeRuns(NumberBuilder &builder, RankedTensorType tile,
               RankedTensorType result, Value registers, Value memory);

/// Loads a tile from shared memory at `memory`, where it has the padded or
/// swizzled layout of `input`, to registers, with one load for each run of
/// neighboring elements of a row. Returns the registers, a vector of `type`.
Value readRuns(NumberBuilder &builder, RankedTensorType input, Value memory,
               RankedTensorType tile, VectorType type);

/// Computes addresses in a padded or swizzled tile in shared memory: that of
/// the calling thread's first element, and those of elements at constant
/// distances from it.
class SharedAddresses {
public:
  /// `row` and `column` are the position of the calling thread's first element
  /// in the tile, as affine expressions of d0, the thread's number. `column` is
  /// less than `columns`, a power of two. `firstColumn`, if given, is added to
  /// `column`. In a swizzled tile, some power of two must be larger than
  /// `column` and divide `firstColumn` and all `column` arguments of at(); it
  /// is `columns` where so many columns are wider than a panel.
  SharedAddresses(NumberBuilder &builder, RankedTensorType tile, Value memory,
                  AffineExpr row, AffineExpr column, int64_t columns,
                  AffineExpr firstColumn = AffineExpr());
  /// Returns the address of the element that is `row` rows and `column` columns
  /// after the calling thread's first element. If the tile is swizzled, the row
  /// of that element and `row` must have no bit in common among the lowest
  /// three.
  Value at(int64_t row, int64_t column);

private:
  NumberBuilder &b;
  RankedTensorType tile;
  int64_t elementBytes;
  Value base, swizzle, firstBytes;
};

/// Emits a barrier for all warps of `layout`. These must be all warps of the
/// kernel that compute: all its warps or, with roles, all consumers.
void synchronizeWarps(NumberBuilder &builder, Operation *op,
                      attn_gpu::MmaLayoutAttr layout);

/// Makes the calling thread's earlier writes to shared memory visible to wgmma
/// and TMA that run after the next barrier (a fence of the async proxy).
void fenceAsyncReads(NumberBuilder &builder);

/// Returns `value` combined over lanes by the operation of `kind`. Each mask in
/// `distances` stands for one butterfly shuffle, in which lane n combines its
/// value with that of lane n xor mask. The masks {1, 2}, for example, combine
/// the four lanes of a quad, and each of the four gets the result. `value` may
/// be an i1.
Value combineLanes(NumberBuilder &builder, attn_tile::ReduceKind kind,
                   Value value, ArrayRef<int32_t> distances);

/// Returns the result of a reduction, given `value`, the combination of all
/// elements of a row or column. The result is `value`, with one exception: if
/// the maximum is NaN, because all elements are NaN, the result is -inf.
Value finishReduction(NumberBuilder &builder, attn_tile::ReduceKind kind,
                      Value value);

/// Returns the registers of `tile` in groups, one for each register of `slice`,
/// a vector over the tile's rows or columns. A group has the registers of
/// `tile` that are in the row or column of that register of `slice`.
SmallVector<SmallVector<Value>> groupBySlice(NumberBuilder &builder,
                                             Value registers,
                                             RankedTensorType tile,
                                             RankedTensorType slice);

/// Returns, for each register of `tile`, the index of the register of `slice`
/// that belongs to the same row or column. `slice` is a vector over the tile's
/// rows or columns.
SmallVector<int64_t> getSliceRegisters(RankedTensorType tile,
                                       RankedTensorType slice);

/// Accesses in global memory the elements of a tile that a thread holds in
/// registers, by runs: neighboring elements of a row, up to 16 bytes of them in
/// one load or store. Such accesses are allowed only if isValid() is true at
/// run time: the tile lies in the view as a whole, and each run is aligned to
/// its size.
class RunAccess {
public:
  /// Whether the tile can be accessed by runs as far as static types show: its
  /// layout has runs, and the types do not exclude that isValid() is true.
  static bool isPossible(RankedTensorType tile, Value view, ValueRange indices);
  /// Whether the tile has rank 2 and integer elements that take one byte each
  /// in memory (i8 or i1). Rows of such a tile may begin and end at any column
  /// of the view. For other tiles, the view's type must show that it has all
  /// columns of the tile.
  static bool isByBytes(RankedTensorType tile);
  RunAccess(NumberBuilder &builder, RankedTensorType tile, Value view,
            ValueRange indices, Value thread = {});
  /// Returns an i1 that says whether the tile can be accessed by runs. It has
  /// the same value in all threads of a CTA.
  Value isValid() { return valid; }
  /// Returns the number of elements in a run.
  int64_t getLength() const { return length; }
  int64_t getAlignment() const { return length * elementBytes; }
  /// Calls `visit` for each run that the thread holds, with the index of the
  /// register of the run's first element and with the run's address in global
  /// memory.
  void forEach(NumberBuilder &builder,
               llvm::function_ref<void(int64_t, Value)> visit);

  /// Whether static types show that the view has all columns of the tile.
  static bool isWholeRow(RankedTensorType tile, Value view, ValueRange indices);

private:
  RankedTensorType tile;
  int64_t elementBytes, length;
  /// `first` is the address of the thread's first element, `rowBytes` the
  /// distance of rows in bytes, and `valid` the i1 that isValid() returns.
  Value first, rowBytes, valid;
};

/// Returns an i1 that chooses one writer among threads that hold the same
/// elements of a tile: it is true in exactly one of them. Returns null if no
/// two threads hold the same element.
Value isWriter(NumberBuilder &builder, RankedTensorType tile);

/// Returns the size of dimension `dim` of a view minus `index`.
Value getRemaining(NumberBuilder &builder, Value view, int64_t dim,
                   Value index);

/// Returns whether `lhs` is less than `rhs`, as signed integers or indices.
Value isLess(NumberBuilder &builder, Value lhs, Value rhs);

/// Returns a value that LLVM can store: 8-bit floats as i8 with the same bits,
/// others as they are.
Value getStorable(NumberBuilder &builder, Value value);

/// Returns the number of bytes that an element takes in memory. An i1 takes 1
/// byte.
int64_t getElementBytes(Type element);

/// Computes the addresses that lanes pass to ldmatrix and stmatrix for a
/// swizzled tile. The tile's rows are divided among warps by `layout`; each
/// warp has `rowsOfWarp` rows, a multiple of 16.
class SwizzledFragments {
public:
  SwizzledFragments(NumberBuilder &builder, RankedTensorType tile, Value memory,
                    int64_t rowsOfWarp, attn_gpu::MmaLayoutAttr layout);
  /// Returns the address that the calling lane passes to ldmatrix or stmatrix,
  /// for a fragment of 16 rows and 32 bytes of columns. The fragment begins at
  /// row `row` of the warp's rows and at column `column` of the tile.
  Value getAddress(int64_t row, int64_t column);

private:
  NumberBuilder &b;
  RankedTensorType tile;
  Value memory, rowOffset, swizzle;
};

/// Writes the transpose of a swizzled tile of 8-bit elements to shared memory,
/// as attn_gpu.transpose defines it. The four warps of a warpgroup share the
/// work. `source` and `target` are shared-memory addresses, i32.
void writeTransposed(NumberBuilder &builder, RankedTensorType tile,
                     Value source, RankedTensorType transposed, Value target);

/// Returns the distance in bytes from the beginning of a swizzled tile to the
/// panel that holds `column`.
int64_t getPanelOffset(RankedTensorType tile, int64_t column);

/// Returns the address of the CTA's dynamic shared memory, as an i32.
Value getSharedMemory(NumberBuilder &builder);

/// Returns the sum of an i32 and a constant.
Value addWord(NumberBuilder &builder, Value word, int64_t constant);

/// Returns the pointer to an address in shared memory that is given as an i32.
Value getSharedPointer(NumberBuilder &builder, Value address);

/// getWarpgroup() returns the number of the calling thread's warpgroup, in a
/// form that lets ptxas see that it is the same in all lanes.
/// getThreadOfWarpgroup() returns the thread's number within its warpgroup.
/// Both are i32.
Value getWarpgroup(NumberBuilder &builder);
Value getThreadOfWarpgroup(NumberBuilder &builder);

/// Loads two or four matrices of eight rows of 16 bytes by one ldmatrix.
/// Returns an i32 register for each matrix. ldmatrix transposes units of 16
/// bits, so `transpose` exchanges rows and columns of 16-bit elements only;
/// bytes move in pairs.
SmallVector<Value> loadMatrices(NumberBuilder &builder, Value address,
                                bool transpose, int64_t count = 4);

/// Returns a vector with the elements that are packed in the 32-bit words, in
/// the order of the words.
Value joinWords(NumberBuilder &builder, ArrayRef<Value> words, VectorType type);
/// Returns an i1 that says whether any of the conditions that the calling
/// thread holds is true. Returns null if `conditions` is not a vector of i1.
Value joinConditions(NumberBuilder &builder, Value conditions);

/// Returns the address of a view's element at `indices`, by default its first
/// element, as a pointer of type `pointer`.
Value getAddress(NumberBuilder &builder, Value view, Type pointer,
                 ValueRange indices = {});

/// Returns `pointer` plus a number of bytes, which is a constant or a value of
/// type index.
Value addBytes(NumberBuilder &builder, Value pointer, OpFoldResult bytes);
inline Value addBytes(NumberBuilder &builder, Value pointer, int64_t bytes) {
  return addBytes(builder, pointer, builder.getIndexAttr(bytes));
}

/// Returns the address of an element of a view of global memory, as an i64.
Value getGlobalAddress(NumberBuilder &builder, Value view, ValueRange indices);
/// Adds one f32, or two neighboring ones, to global memory at `address` plus
/// the constant `bytes`, by the instruction red. The instruction returns
/// nothing and is not ordered with other accesses. LLVM's atomicrmw is not
/// used, since it cannot add two numbers at once.
void addToGlobal(NumberBuilder &builder, Value address, int64_t bytes,
                 ValueRange elements);

/// Emits, at the beginning of a kernel, an op that limits the registers of its
/// threads for ptxas. If roles divide registers, the op states the number of
/// registers of each thread at the launch, else the number of CTAs that must
/// fit an SM. Nothing is emitted if ptxas may choose.
void sayRegisters(attn_gpu::KernelOp kernel);

/// Fails with an error at an MMA of wgmma that ptxas would reject, since the
/// threads of the kernel have too few registers at the launch for its results.
LogicalResult checkWgmma(attn_gpu::KernelOp kernel);

/// Fails with an error at a product, reduction, broadcast or scatter of rows if
/// more than four lanes share a row of its tile, or if a vector has another
/// layout than the tile's rows or columns.
LogicalResult checkLayouts(attn_gpu::KernelOp kernel);

/// Adds patterns for element-wise ops, constants, reductions of rows and
/// broadcasts.
void populateRegisterPatterns(const TileTypeConverter &converter,
                              RewritePatternSet &patterns);
/// Adds patterns for coordinates, and for conversions to f32, products and
/// comparisons of sums of coordinates.
void populateCoordinatePatterns(const TileTypeConverter &converter,
                                RewritePatternSet &patterns);
/// Adds patterns for unpacked integers of 4 bits, and for right operands of
/// mma.sync that are extended in registers.
void populateExtensionPatterns(const TileTypeConverter &converter,
                               RewritePatternSet &patterns);
/// Adds patterns for mma.sync and its operands.
void populateMmaSyncPatterns(const TileTypeConverter &converter,
                             RewritePatternSet &patterns);
/// Adds patterns for mma.sync with right operands in registers.
void populateMmaRegisterPatterns(const TileTypeConverter &converter,
                                 RewritePatternSet &patterns);
/// Adds patterns for wgmma and its operands.
void populateWgmmaPatterns(const TileTypeConverter &converter,
                           RewritePatternSet &patterns);
/// Rings of tiles.
void populateRingPatterns(const TileTypeConverter &converter,
                          RewritePatternSet &patterns);
void populateTileNumberPatterns(const TileTypeConverter &converter,
                                RewritePatternSet &patterns);
void populateStagedStorePatterns(const TileTypeConverter &converter,
                                 RewritePatternSet &patterns);
/// Adds the pattern that turns roles into branches on the warpgroup's number.
void populateRolePatterns(const TileTypeConverter &converter,
                          RewritePatternSet &patterns);
/// Adds patterns for loads from global memory to registers, and of tiles and
/// vectors in shared memory.
void populateMemoryPatterns(const TileTypeConverter &converter,
                            RewritePatternSet &patterns);
/// Adds patterns for reads of array elements at computed indices (gather).
void populateGatherPatterns(const TileTypeConverter &converter,
                            RewritePatternSet &patterns);
void populateScatterPatterns(const TileTypeConverter &converter,
                             RewritePatternSet &patterns);
/// Adds patterns for the random bits of dropout.
void populateRandomPatterns(const TileTypeConverter &converter,
                            RewritePatternSet &patterns);
/// Adds patterns for stores from registers to global memory.
void populateStorePatterns(const TileTypeConverter &converter,
                           RewritePatternSet &patterns);
/// Adds patterns for ops in which warps exchange tiles, or results of rows or
/// columns, through shared memory.
void populateExchangePatterns(const TileTypeConverter &converter,
                              RewritePatternSet &patterns);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_PATTERNS_H
