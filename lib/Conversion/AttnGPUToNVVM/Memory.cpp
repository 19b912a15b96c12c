//===- Memory.cpp - Loads and copies of tiles -----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListedRows.h"

#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

Value attn::getRemaining(NumberBuilder &b, Value view, int64_t dim,
                         Value index) {
  OpFoldResult size = memref::getMixedSize(b, b.getLoc(), view, dim);
  return b.subiOrFold(b.asValue(size), index);
}

Value attn::isLess(NumberBuilder &b, Value lhs, Value rhs) {
  return b.slt(lhs, rhs);
}

/// The number of bytes of the widest load or store that a thread makes.
static constexpr int64_t kAccessBytes = 16;

bool RunAccess::isPossible(RankedTensorType tile, Value view,
                           ValueRange indices) {
  auto type = cast<MemRefType>(view.getType());
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
  int64_t bits = tile.getElementTypeBitWidth();
  bool isAnywhere = isByBytes(tile);
  bool isFloat = isFloat8(tile.getElementType()) || bits == 16 || bits == 32;
  return layout && (isAnywhere || isFloat) &&
         type.getStridesAndOffset().first.back() == 1 &&
         (isAnywhere || isWholeRow(tile, view, indices));
}

bool RunAccess::isByBytes(RankedTensorType tile) {
  return tile.getRank() == 2 && isa<IntegerType>(tile.getElementType()) &&
         getElementBytes(tile.getElementType()) == 1;
}

bool RunAccess::isWholeRow(RankedTensorType tile, Value view,
                           ValueRange indices) {
  std::optional<int64_t> first = getConstantIntValue(indices.back());
  return first && *first >= 0 &&
         cast<MemRefType>(view.getType()).getShape().back() >=
             *first + tile.getDimSize(1);
}

RunAccess::RunAccess(NumberBuilder &b, RankedTensorType tile, Value view,
                     ValueRange indices, Value thread)
    : tile(tile), elementBytes(getElementBytes(tile.getElementType())),
      length(std::min(cast<MmaLayoutAttr>(tile.getEncoding()).getColumns(),
                      kAccessBytes / elementBytes)) {
  int64_t rowDim = cast<MemRefType>(view.getType()).getRank() - 2;
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(), 1);
  auto metadata = memref::ExtractStridedMetadataOp::create(b, view);
  auto asWord = [&](Value index) -> Value {
    return b.indexCast(b.getI64Type(), index);
  };
  Value stride = b.asValue(metadata.getConstifiedMixedStrides()[rowDim]);
  rowBytes = b.muliOrFold(asWord(stride), b.i64(elementBytes));
  Value origin = LLVM::PtrToIntOp::create(
      b, b.getI64Type(), getAddress(b, view, pointer, indices));
  Value bits = b.andi(b.ori(origin, rowBytes), b.i64(getAlignment() - 1));
  Value isAligned = b.eq(bits, b.i64(0));
  Value isInside = b.sge(getRemaining(b, view, rowDim, indices[rowDim]),
                         b.index(tile.getDimSize(0)));
  if (!isWholeRow(tile, view, indices))
    isInside = b.andi(
        isInside, b.sge(getRemaining(b, view, rowDim + 1, indices[rowDim + 1]),
                        b.index(tile.getDimSize(1))));
  valid = b.andi(isAligned, isInside);
  Value row = b.muli(asWord(getThreadCoordinate(b, tile, 0, thread)), rowBytes);
  Value column = b.muli(asWord(getThreadCoordinate(b, tile, 1, thread)),
                        b.i64(elementBytes));
  first = b.addi(origin, b.addi(row, column));
}

void RunAccess::forEach(NumberBuilder &b,
                        llvm::function_ref<void(int64_t, Value)> visit) {
  LayoutInterface layout = getLayout(tile);
  SmallVector<int64_t> rows = layout.getRegisterOffsets(tile.getShape(), 0),
                       columns = layout.getRegisterOffsets(tile.getShape(), 1);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(), 1);
  llvm::SmallDenseMap<int64_t, Value> rowPointers;
  for (int64_t i = 0, e = rows.size(); i < e; i += length) {
    Value &row = rowPointers[rows[i]];
    if (!row)
      row = LLVM::IntToPtrOp::create(
          b, pointer, b.addi(first, b.muli(rowBytes, b.i64(rows[i]))));
    visit(i, addBytes(b, row, columns[i] * elementBytes));
  }
}

namespace {

/// Replaces a load whose tile already lies in shared memory by the tile's
/// address.
LogicalResult convertSharedLoad(ConversionBuilder &b, LoadOp op,
                                LoadOp::Adaptor) {
  bool isAtStart =
      llvm::all_of(op.getIndices(), [](Value v) { return isZeroInteger(v); });
  if (!isInSharedMemory(op.getResult().getType()) || !isAtStart ||
      op.isListed())
    return b.rewriter.notifyMatchFailure(
        op, "expects a tile at the start of a view of shared memory");
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(), 3);
  Value address = getAddress(b, op.getSource(), pointer);
  Type type = b.converter.convertType(op.getResult().getType());
  if (type != pointer)
    address = LLVM::PtrToIntOp::create(b, type, address);
  b.rewriter.replaceOp(op, address);
  return success();
}

/// Packs the elements of a vector that take one byte each in memory (i8 or i1),
/// and returns a vector of i32 with four of them in each, the first in the
/// lowest byte.
Value packBytes(NumberBuilder &b, Value elements) {
  auto type = cast<VectorType>(elements.getType());
  SmallVector<Value> words;
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    Value byte =
        b.extui(b.getI32Type(), vector::ExtractOp::create(b, elements, i));
    if (i % 4 == 0) {
      words.push_back(byte);
      continue;
    }
    Value shift = b.word(i % 4 * 8);
    words.back() = b.ori(words.back(), b.shli(byte, shift));
  }
  auto packed =
      VectorType::get(static_cast<int64_t>(words.size()), b.getI32Type());
  return vector::FromElementsOp::create(b, packed, words);
}

Value unpackBytes(NumberBuilder &b, Value words, VectorType type) {
  SmallVector<Value> elements;
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    Value shift = b.word(i % 4 * 8);
    Value byte = b.shrui(vector::ExtractOp::create(b, words, i / 4), shift);
    elements.push_back(b.trunci(type.getElementType(), byte));
  }
  return vector::FromElementsOp::create(b, type, elements);
}

/// Loads the runs of neighboring elements of a row that a thread holds. If
/// elements take one byte and a run is a multiple of four bytes, returns a
/// vector of i32 with packed bytes. LLVM would split a load of a vector of
/// bytes of which single bits are used.
Value loadRuns(NumberBuilder &b, RunAccess &runs, VectorType type) {
  bool isOfWords =
      getElementBytes(type.getElementType()) == 1 && runs.getLength() % 4 == 0;
  if (isOfWords)
    type = VectorType::get({type.getNumElements() / 4}, b.getI32Type());
  int64_t length = runs.getLength() / (isOfWords ? 4 : 1);
  auto runType = VectorType::get({length}, type.getElementType());
  SmallVector<Value> elements;
  runs.forEach(b, [&](int64_t, Value address) {
    Value run = LLVM::LoadOp::create(b, runType, address, runs.getAlignment());
    for (int64_t i = 0; i < length; ++i)
      elements.push_back(vector::ExtractOp::create(b, run, i));
  });
  return vector::FromElementsOp::create(b, type, elements);
}

/// Loads each element of the tile that the calling thread holds by a load of
/// its own. Elements outside of the view become zero. With `isWhole`, the
/// caller guarantees that no element is outside, and bounds are not tested.
Value loadElements(NumberBuilder &b, LoadOp op, VectorType type,
                   bool isWhole = false) {
  RankedTensorType tile = op.getResult().getType();
  LayoutInterface layout = getLayout(tile);
  Value view = op.getSource();
  int64_t firstDim =
      cast<MemRefType>(view.getType()).getRank() - tile.getRank();
  Value zero = b.zero(tile.getElementType());
  // For each axis of the tile, a map from the offset of a register to the
  // register's index in the view and to whether that index is in bounds.
  // Registers with the same offset thus share these values.
  SmallVector<llvm::SmallDenseMap<int64_t, std::pair<Value, Value>>> known(
      tile.getRank());
  SmallVector<SmallVector<int64_t>> offsets;
  SmallVector<Value> threads;
  for (int64_t axis = 0; axis < tile.getRank(); ++axis) {
    offsets.push_back(layout.getRegisterOffsets(tile.getShape(), axis));
    threads.push_back(getThreadCoordinate(b, tile, axis));
  }
  ListedRows listed(view, op.getIndices(), op.getList(), op.getEntry());
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    SmallVector<Value> indices(op.getIndices());
    Value isInside;
    for (int64_t axis = 0; axis < tile.getRank(); ++axis) {
      auto [entry, isNew] = known[axis].try_emplace(offsets[axis][i]);
      if (isNew) {
        Value index = op.getIndices()[firstDim + axis];
        Value own = b.addiOrFold(threads[axis], b.index(offsets[axis][i]));
        if (axis == 0 && op.isListed()) {
          auto [distance, isRow] = listed.read(b, own);
          entry->second = {b.addi(index, distance), isRow};
        } else {
          entry->second = {
              b.addi(index, own),
              isLess(b, own, getRemaining(b, view, firstDim + axis, index))};
        }
      }
      auto [position, isValid] = entry->second;
      indices[firstDim + axis] = position;
      isInside = isInside ? b.andi(isInside, isValid) : isValid;
    }
    if (isWhole) {
      elements.push_back(memref::LoadOp::create(b, view, indices));
      continue;
    }
    auto read = scf::IfOp::create(
        b, isInside,
        [&](OpBuilder &inner, Location loc) {
          Value element = memref::LoadOp::create(inner, loc, view, indices);
          scf::YieldOp::create(inner, loc, element);
        },
        [&](OpBuilder &inner, Location loc) {
          scf::YieldOp::create(inner, loc, zero);
        });
    elements.push_back(read.getResult(0));
  }
  return vector::FromElementsOp::create(b, type, elements);
}

/// Loads a tile from global memory to registers: each thread reads the elements
/// that it holds, and gets zeros for those outside of the view.
LogicalResult convertRegisterLoad(ConversionBuilder &b, LoadOp op,
                                  LoadOp::Adaptor) {
  RankedTensorType tile = op.getResult().getType();
  LayoutInterface layout = getLayout(tile);
  auto type = b.converter.convertType<VectorType>(tile);
  if (!layout || !type)
    return failure();
  if (op.getNumParts() != 1)
    return b.rewriter.notifyMatchFailure(
        op, "expects a tile of one part in registers");
  // Rows that a list names are not adjacent in memory, so their elements are
  // loaded one by one.
  if (op.isListed()) {
    b.rewriter.replaceOp(op, loadElements(b, op, type));
    return success();
  }
  // Each further form of the loads, in a branch of its own, takes registers.
  // Tiles in an accumulator's layout therefore have no branch that loads runs.
  // Vectors (tiles of rank 1) of floats have a single form: element by element,
  // with a test of the bounds for each element.
  auto ofTile = dyn_cast<MmaLayoutAttr>(tile.getEncoding());
  bool isPossible =
      ofTile && !ofTile.isOfMma() &&
      RunAccess::isPossible(tile, op.getSource(), op.getIndices());
  if (!isPossible && tile.getRank() == 1 &&
      isa<FloatType>(tile.getElementType())) {
    b.rewriter.replaceOp(op, loadElements(b, op, type));
    return success();
  }
  // Branches yield i8 and i1 elements packed as i32: ptxas would take a
  // predicate register for each element of a vector of i1 that leaves a branch.
  // 8-bit floats that are loaded as runs are packed as i32, too.
  bool isOfFloats = isPossible && isFloat8(tile.getElementType());
  bool isPacked = (RunAccess::isByBytes(tile) || isOfFloats) &&
                  type.getNumElements() % 4 == 0;
  auto pack = [&](NumberBuilder &b, Value loaded) -> Value {
    if (!isPacked || loaded.getType() != type)
      return loaded;
    if (!isOfFloats)
      return packBytes(b, loaded);
    auto words = VectorType::get({type.getNumElements() / 4}, b.getI32Type());
    return vector::BitCastOp::create(b, words, loaded);
  };
  auto unpack = [&](Value loaded) -> Value {
    if (!isPacked)
      return loaded;
    if (!isOfFloats)
      return unpackBytes(b, loaded, type);
    return vector::BitCastOp::create(b, type, loaded);
  };
  // Loads the tile element by element, in one of two branches that are chosen
  // at run time. If all of the tile lies in the view, as it mostly does, no
  // element is tested; else each element is tested against the bounds.
  auto loadBounded = [&](NumberBuilder &b) -> Value {
    Value isInside;
    for (int64_t axis = 0; axis < tile.getRank(); ++axis) {
      int64_t dim = op.getIndices().size() - tile.getRank() + axis;
      Value isOwn =
          b.sge(getRemaining(b, op.getSource(), dim, op.getIndices()[dim]),
                b.index(tile.getDimSize(axis)));
      isInside = isInside ? b.andi(isInside, isOwn) : isOwn;
    }
    auto emit = [&](bool isWhole) {
      return [&, isWhole](OpBuilder &inner, Location loc) {
        NumberBuilder body(loc, inner);
        scf::YieldOp::create(body,
                             pack(body, loadElements(body, op, type, isWhole)));
      };
    };
    return scf::IfOp::create(b, isInside, emit(true), emit(false)).getResult(0);
  };
  if (!isPossible) {
    b.rewriter.replaceOp(op, unpack(loadBounded(b)));
    return success();
  }
  RunAccess runs(b, tile, op.getSource(), op.getIndices());
  auto loaded = scf::IfOp::create(
      b, runs.isValid(),
      [&](OpBuilder &inner, Location loc) {
        NumberBuilder body(loc, inner);
        scf::YieldOp::create(body, pack(body, loadRuns(body, runs, type)));
      },
      [&](OpBuilder &inner, Location loc) {
        NumberBuilder body(loc, inner);
        scf::YieldOp::create(body,
                             RunAccess::isByBytes(tile)
                                 ? loadBounded(body)
                                 : pack(body, loadElements(body, op, type)));
      });
  b.rewriter.replaceOp(op, unpack(loaded.getResult(0)));
  return success();
}

/// Loads a vector from shared memory to registers: each thread reads the
/// elements that it holds, one at a time. A vector over columns is read two
/// elements at a time.
LogicalResult convertSharedVector(ConversionBuilder &b, ConvertLayoutOp op,
                                  ConvertLayoutOp::Adaptor adaptor) {
  RankedTensorType vector = op.getResult().getType();
  LayoutInterface layout = getLayout(vector);
  auto type = b.converter.convertType<VectorType>(vector);
  if (vector.getRank() != 1 || !layout || !type ||
      !isInSharedMemory(op.getInput().getType()))
    return failure();
  int64_t bytes = vector.getElementTypeBitWidth() / 8;
  Value first = applyAffine(b, b.getAffineDimExpr(0) * bytes,
                            getThreadCoordinate(b, vector, 0));
  Value own = addBytes(b, adaptor.getInput(), first);
  SmallVector<int64_t> offsets =
      layout.getRegisterOffsets(vector.getShape(), 0);
  // A slice along axis 0 is a vector over columns. A thread holds pairs of
  // neighboring columns of it, each of which begins at an even column.
  auto slice = dyn_cast<SliceLayoutAttr>(vector.getEncoding());
  int64_t count = slice && slice.getAxis() == 0 ? 2 : 1;
  SmallVector<Value> elements;
  for (size_t i = 0; i < offsets.size(); i += count) {
    Value address = addBytes(b, own, offsets[i] * bytes);
    Value loaded = LLVM::LoadOp::create(
        b, VectorType::get({count}, vector.getElementType()), address,
        /*alignment=*/count * bytes);
    for (int64_t j = 0; j < count; ++j)
      elements.push_back(vector::ExtractOp::create(b, loaded, j));
  }
  b.rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, elements);
  return success();
}

} // namespace

void attn::populateMemoryPatterns(const TileTypeConverter &converter,
                                  RewritePatternSet &patterns) {
  addConversions<convertSharedVector, convertSharedLoad, convertRegisterLoad>(
      converter, patterns);
}
