//===- Stores.cpp - Stores of register tiles to global memory -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Slots.h"

#include "attn/Dialect/AttnTile/IR/RowScatter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

/// Returns the tile's type with a layout in which each of the four lanes of a
/// row has 8 neighboring elements of every 32 columns. Returns the type
/// unchanged unless elements have 16 bits and a warp's columns are a multiple
/// of 32.
RankedTensorType getTileOfRuns(RankedTensorType tile) {
  auto layout = cast<MmaLayoutAttr>(tile.getEncoding());
  if (tile.getElementTypeBitWidth() != 16 ||
      tile.getDimSize(1) % (32 * layout.getWarpsN()) != 0)
    return tile;
  return RankedTensorType::get(
      tile.getShape(), tile.getElementType(),
      MmaLayoutAttr::get(layout.getContext(), layout.getWarps(),
                         layout.getWarpsN(), layout.getFirstWarp(),
                         /*columns=*/8, layout.getCopies(), layout.getLanes()));
}

/// Exchanges registers among the four lanes of a row, from an MMA's layout to
/// that of getTileOfRuns(), by a transpose in two butterfly steps. Before it, a
/// lane has a pair in each of four blocks of eight columns, afterwards all
/// pairs of one block.
Value exchangeInRows(NumberBuilder &b, RankedTensorType tile, Value registers,
                     Value thread) {
  auto type = cast<VectorType>(registers.getType());
  int64_t count = type.getNumElements() / 2;
  auto words = VectorType::get(count, b.getI32Type());
  Value pairs = vector::BitCastOp::create(b, words, registers);
  Value number = b.indexCast(b.getI32Type(), thread);
  Value hasBit[2];
  for (int64_t bit : {0, 1})
    hasBit[bit] = arith::CmpIOp::create(
        b, arith::CmpIPredicate::ne, b.andi(number, b.word(int64_t(1) << bit)),
        b.word(0));
  auto exchange = [&](Value &low, Value &high, int64_t bit) {
    std::tie(low, high) = exchangeWords(b, hasBit[bit], low, high, bit);
  };
  auto layout = cast<MmaLayoutAttr>(tile.getEncoding());
  int64_t tiles = tile.getDimSize(1) / (8 * layout.getWarpsN());
  SmallVector<Value> exchanged(count);
  for (int64_t first = 0; first < count; first += 2 * tiles)
    for (int64_t j = 0; j < tiles; j += 4)
      for (int64_t half : {0, 1}) {
        Value of[4];
        for (int64_t i = 0; i < 4; ++i)
          of[i] = vector::ExtractOp::create(
              b, pairs, SmallVector<int64_t>{first + (j + i) * 2 + half});
        exchange(of[0], of[1], 0);
        exchange(of[2], of[3], 0);
        exchange(of[0], of[2], 1);
        exchange(of[1], of[3], 1);
        llvm::copy(of, exchanged.begin() + first + j * 2 + half * 4);
      }
  return vector::BitCastOp::create(
      b, type, vector::FromElementsOp::create(b, words, exchanged));
}

void storeElement(NumberBuilder &b, StoreOp op, Value element,
                  ValueRange indices) {
  if (op.getAdd())
    addToGlobal(b, getGlobalAddress(b, op.getDestination(), indices), 0,
                element);
  else
    memref::StoreOp::create(b, element, op.getDestination(), indices);
}

/// Whether one instruction can add a pair of f32 to memory: the chip has it
/// (PTX ISA, "red": 8.1, sm_90), and neighboring columns are neighbors in
/// memory.
bool addsPairs(StoreOp op) {
  if (!op.getAdd() || op.getTile().getType().getRank() != 2 ||
      op.getDestination().getType().getStridesAndOffset().first.back() != 1)
    return false;
  const Chip &chip = op->getParentOfType<KernelOp>().getChip();
  return chip.getNumber() >= 90 && chip.ptxVersion >= 81;
}

/// Adds the registers of a tile's row to global memory, from the thread's first
/// element at `indices` on: in pairs if the address of that element is a
/// multiple of 8 bytes, which odd strides may prevent, else one by one.
void addPairs(NumberBuilder &b, StoreOp op, Value tile,
              ArrayRef<int64_t> registers, ArrayRef<int64_t> columns,
              ValueRange indices) {
  Value address = getGlobalAddress(b, op.getDestination(), indices);
  Value isAligned = b.eq(b.andi(address, b.i64(7)), b.i64(0));
  auto emit = [&](OpBuilder &inner, Location loc, size_t count) {
    NumberBuilder body(loc, inner);
    for (size_t i = 0; i < registers.size(); i += count) {
      SmallVector<Value> elements;
      for (int64_t number : registers.slice(i, count))
        elements.push_back(vector::ExtractOp::create(body, tile, number));
      addToGlobal(body, address, columns[registers[i]] * 4, elements);
    }
    scf::YieldOp::create(body);
  };
  scf::IfOp::create(
      b, isAligned,
      [&](OpBuilder &inner, Location loc) { emit(inner, loc, 2); },
      [&](OpBuilder &inner, Location loc) { emit(inner, loc, 1); });
}

void storeElements(NumberBuilder &b, StoreOp op, Value value) {
  RankedTensorType tile = op.getTile().getType();
  LayoutInterface layout = getLayout(tile);
  Value view = op.getDestination();
  int64_t rank = cast<MemRefType>(view.getType()).getRank();
  int64_t firstDim = rank - tile.getRank();
  SmallVector<int64_t> rows = layout.getRegisterOffsets(tile.getShape(), 0);
  Value rowIndex = op.getIndices()[firstDim];
  Value threadRow = getThreadCoordinate(b, tile, 0);
  Value numRows = getRemaining(b, view, firstDim, rowIndex);
  Value threadColumn, numColumns;
  SmallVector<int64_t> columns(rows.size(), 0);
  if (tile.getRank() == 2) {
    columns = layout.getRegisterOffsets(tile.getShape(), 1);
    threadColumn = getThreadCoordinate(b, tile, 1);
    numColumns =
        getRemaining(b, view, firstDim + 1, op.getIndices()[firstDim + 1]);
  }

  // The registers of one row share a single test of the row's bounds.
  llvm::MapVector<int64_t, SmallVector<int64_t>> byRow;
  for (auto [i, row] : llvm::enumerate(rows))
    byRow[row].push_back(i);
  auto at = [&](Value base, int64_t offset) {
    return b.addiOrFold(base, b.index(offset));
  };
  for (auto &[row, registers] : byRow) {
    Value tileRow = at(threadRow, row);
    Value isInside = isLess(b, tileRow, numRows);
    if (Value writes = isWriter(b, tile))
      isInside = b.andi(isInside, writes);
    auto guard = scf::IfOp::create(b, isInside);
    OpBuilder::InsertionGuard insertion(b);
    b.setInsertionPoint(guard.thenYield());
    SmallVector<Value> indices(op.getIndices());
    indices[firstDim] = b.addi(rowIndex, tileRow);
    if (addsPairs(op) &&
        getConstantIntValue(numColumns) == tile.getDimSize(1)) {
      indices.back() = b.addi(indices.back(), threadColumn);
      addPairs(b, op, value, registers, columns, indices);
      continue;
    }
    for (int64_t i : registers) {
      Value element = vector::ExtractOp::create(b, value, i);
      if (tile.getRank() == 1) {
        storeElement(b, op, element, indices);
        continue;
      }
      Value tileColumn = at(threadColumn, columns[i]);
      indices.back() = b.addiOrFold(op.getIndices().back(), tileColumn);
      if (getConstantIntValue(numColumns) == tile.getDimSize(1)) {
        storeElement(b, op, element, indices);
        continue;
      }
      emitIf(b, isLess(b, tileColumn, numColumns), [&](NumberBuilder &body) {
        storeElement(body, op, element, indices);
      });
    }
  }
}

LogicalResult convertStore(ConversionBuilder &b, StoreOp op,
                           StoreOp::Adaptor adaptor) {
  RankedTensorType tile = op.getTile().getType();
  LayoutInterface layout = getLayout(tile);
  if (!layout)
    return failure();
  Value view = op.getDestination();
  if (op.getAdd() || getElementBytes(tile.getElementType()) == 1 ||
      !RunAccess::isPossible(tile, view, op.getIndices())) {
    storeElements(b, op, adaptor.getTile());
    b.rewriter.eraseOp(op);
    return success();
  }
  bool isOfMma = cast<MmaLayoutAttr>(tile.getEncoding()).isOfMma();
  RankedTensorType stored = isOfMma ? getTileOfRuns(tile) : tile;
  Value thread = isOfMma ? readThread(b) : Value();
  RunAccess runs(b, stored, view, op.getIndices(), thread);
  Value valid = runs.isValid();
  if (Value writes = isWriter(b, tile))
    valid = b.andi(valid, writes);
  scf::IfOp::create(
      b, valid,
      [&](OpBuilder &inner, Location loc) {
        NumberBuilder body(loc, inner);
        Value registers = adaptor.getTile();
        if (stored != tile)
          registers = exchangeInRows(body, tile, registers, thread);
        runs.forEach(body, [&](int64_t first, Value address) {
          Value run =
              vector::ShuffleOp::create(body, registers, registers,
                                        llvm::to_vector(llvm::seq<int64_t>(
                                            first, first + runs.getLength())));
          LLVM::StoreOp::create(body, run, address, runs.getAlignment());
        });
        scf::YieldOp::create(body);
      },
      [&](OpBuilder &inner, Location loc) {
        NumberBuilder body(loc, inner);
        storeElements(body, op, adaptor.getTile());
        scf::YieldOp::create(body);
      });
  b.rewriter.eraseOp(op);
  return success();
}

/// Stores a tile by a scatter of rows, whose last index is that of column 0.
class ScatteredRows {
public:
  ScatteredRows(NumberBuilder &b, ScatterOp op, ScatterOp::Adaptor adaptor);
  /// Writes the registers `registers` of a row if the row is in bounds.
  void store(NumberBuilder &b, int64_t row, ArrayRef<int64_t> registers);
  /// The registers of each row; keys are distances from the thread's first row.
  llvm::MapVector<int64_t, SmallVector<int64_t>> byRow;

private:
  void storeRow(NumberBuilder &b, ArrayRef<Value> indices,
                ArrayRef<int64_t> registers);
  void storeRuns(NumberBuilder &b, Value address, ArrayRef<int64_t> registers);
  void storeElements(NumberBuilder &b, ArrayRef<Value> indices,
                     ArrayRef<int64_t> registers);

  ScatterOp op;
  SmallVector<Value> indices;
  RankedTensorType tile;
  /// `registers` are the tile's elements in the layout of the stores. `thread`
  /// is null, or a read of the thread's number that CSE must not merge. `run`
  /// is the number of neighboring elements (up to 128 bits) that an instruction
  /// writes, or 1 if each element is always written by itself.
  Value registers, thread;
  int64_t run = 1;
  bool hasAllColumns;
  SmallVector<int64_t> columns;
};

ScatteredRows::ScatteredRows(NumberBuilder &b, ScatterOp op,
                             ScatterOp::Adaptor adaptor)
    : op(op), indices(adaptor.getIndices()), tile(op.getTile().getType()),
      registers(adaptor.getTile()) {
  MemRefType memory = op.getDestination().getType();
  int64_t bits = tile.getElementTypeBitWidth();
  hasAllColumns =
      RunAccess::isWholeRow(tile, op.getDestination(), op.getIndices());
  auto layout = cast<MmaLayoutAttr>(tile.getEncoding());
  if (hasAllColumns && (bits == 16 || bits == 32) &&
      memory.getStridesAndOffset().first.back() == 1) {
    if (layout.isOfMma() && getTileOfRuns(tile) != tile) {
      thread = readThread(b);
      registers = exchangeInRows(b, tile, registers, thread);
      tile = getTileOfRuns(tile);
      layout = cast<MmaLayoutAttr>(tile.getEncoding());
    }
    run = std::min<int64_t>(layout.getColumns(), 128 / bits);
  }
  SmallVector<int64_t> rows = layout.getRegisterOffsets(tile.getShape(), 0);
  columns = layout.getRegisterOffsets(tile.getShape(), 1);
  for (auto [i, row] : llvm::enumerate(rows))
    byRow[row].push_back(i);
}

void ScatteredRows::store(NumberBuilder &b, int64_t row,
                          ArrayRef<int64_t> ofRow) {
  SmallVector<Value> place;
  Value isInside = isWriter(b, tile);
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Value own = index;
    if (isa<VectorType>(index.getType())) {
      auto type = cast<RankedTensorType>(op.getIndices()[dim].getType());
      SmallVector<int64_t> rows =
          getLayout(type).getRegisterOffsets(type.getShape(), 0);
      own = vector::ExtractOp::create(
          b, index, int64_t(llvm::find(rows, row) - rows.begin()));
    }
    place.push_back(own);
    if (dim + 1 == indices.size())
      break;
    // The comparison is unsigned, so that it also fails for a negative index.
    Value isBelow =
        b.ult(own, getRemaining(b, op.getDestination(), dim, b.index(0)));
    isInside = isInside ? b.andi(isInside, isBelow) : isBelow;
  }
  emitIf(b, isInside,
         [&](NumberBuilder &body) { storeRow(body, place, ofRow); });
}

void ScatteredRows::storeRow(NumberBuilder &b, ArrayRef<Value> place,
                             ArrayRef<int64_t> ofRow) {
  if (run == 1)
    return storeElements(b, place, ofRow);
  int64_t bytes = getElementBytes(tile.getElementType());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(), 1);
  Value address = getAddress(b, op.getDestination(), pointer, place);
  Value bits = b.andi(LLVM::PtrToIntOp::create(b, b.getI64Type(), address),
                      b.i64(run * bytes - 1));
  Value isAligned = b.eq(bits, b.i64(0));
  scf::IfOp::create(
      b, isAligned,
      [&](OpBuilder &inner, Location loc) {
        NumberBuilder body(loc, inner);
        storeRuns(body, address, ofRow);
        scf::YieldOp::create(body);
      },
      [&](OpBuilder &inner, Location loc) {
        NumberBuilder body(loc, inner);
        storeElements(body, place, ofRow);
        scf::YieldOp::create(body);
      });
}

void ScatteredRows::storeRuns(NumberBuilder &b, Value address,
                              ArrayRef<int64_t> ofRow) {
  int64_t bytes = getElementBytes(tile.getElementType());
  Value own = b.muli(getThreadCoordinate(b, tile, 1, thread), b.index(bytes));
  Value first = addBytes(b, address, getAsOpFoldResult(own));
  for (size_t i = 0; i < ofRow.size(); i += run) {
    Value elements = vector::ShuffleOp::create(
        b, registers, registers,
        llvm::to_vector(llvm::seq<int64_t>(ofRow[i], ofRow[i] + run)));
    LLVM::StoreOp::create(b, elements,
                          addBytes(b, first, columns[ofRow[i]] * bytes),
                          run * bytes);
  }
}

void ScatteredRows::storeElements(NumberBuilder &b, ArrayRef<Value> place,
                                  ArrayRef<int64_t> ofRow) {
  Value own = getThreadCoordinate(b, tile, 1, thread);
  Value left =
      getRemaining(b, op.getDestination(), place.size() - 1, place.back());
  for (int64_t i : ofRow) {
    SmallVector<Value> at(place);
    Value column = b.addiOrFold(own, b.index(columns[i]));
    at.back() = b.addiOrFold(at.back(), column);
    auto emit = [&](NumberBuilder &body) {
      memref::StoreOp::create(body,
                              vector::ExtractOp::create(body, registers, i),
                              op.getDestination(), at);
    };
    if (hasAllColumns)
      emit(b);
    else
      emitIf(b, isLess(b, column, left), emit);
  }
}

LogicalResult convertRowScatter(ConversionBuilder &b, ScatterOp op,
                                ScatterOp::Adaptor adaptor) {
  auto layout =
      dyn_cast_or_null<MmaLayoutAttr>(op.getTile().getType().getEncoding());
  if (!scattersRows(op) || !layout)
    return b.rewriter.notifyMatchFailure(op, "expects rows in registers");
  for (Value index : op.getIndices())
    if (auto type = dyn_cast<RankedTensorType>(index.getType());
        type && type.getEncoding() != SliceLayoutAttr::getOf(layout, 1))
      return b.rewriter.notifyMatchFailure(
          op, "expects indices in the layout of the tile's rows");
  ScatteredRows rows(b, op, adaptor);
  for (auto &[row, registers] : rows.byRow)
    rows.store(b, row, registers);
  b.rewriter.eraseOp(op);
  return success();
}

} // namespace

Value attn::getGlobalAddress(NumberBuilder &b, Value view, ValueRange indices) {
  auto global = LLVM::LLVMPointerType::get(b.getContext(), 1);
  return LLVM::PtrToIntOp::create(b, b.getI64Type(),
                                  getAddress(b, view, global, indices));
}

void attn::addToGlobal(NumberBuilder &b, Value address, int64_t bytes,
                       ValueRange elements) {
  bool isPair = elements.size() == 2;
  SmallVector<Value> operands = {address};
  llvm::append_range(operands, elements);
  std::string text =
      llvm::formatv("red.relaxed.gpu.global.add{0}.f32 [$0+{1}], {2};",
                    isPair ? ".v2" : "", bytes, isPair ? "{$1, $2}" : "$1");
  createAssembly(b, Type(), operands, text, isPair ? "l,f,f" : "l,f");
}

Value attn::isWriter(NumberBuilder &b, RankedTensorType tile) {
  auto slice = dyn_cast<SliceLayoutAttr>(tile.getEncoding());
  auto layout =
      slice ? slice.getParent() : cast<MmaLayoutAttr>(tile.getEncoding());
  AffineExpr thread = b.getAffineDimExpr(0), lane = thread % 32;
  AffineExpr warp = thread.floorDiv(32) - layout.getFirstWarp();
  AffineExpr copy = warp.floorDiv(layout.getWarpsM());
  // `number` counts the threads that hold the same elements; number 0 writes.
  AffineExpr number;
  if (slice && slice.getAxis() == 0) {
    number = lane.floorDiv(4) + warp % layout.getWarpsM();
    if (layout.getCopies() > 1)
      number = number + copy;
  } else if (slice) {
    number = lane % 4;
    if (!layout.dividesRows())
      number = number + copy;
  } else if (layout.getCopies() > 1) {
    number = copy;
  } else {
    return Value();
  }
  Value id = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  return b.eq(applyAffine(b, number, id), b.index(0));
}

void attn::populateStorePatterns(const TileTypeConverter &converter,
                                 RewritePatternSet &patterns) {
  addConversions<convertStore, convertRowScatter>(converter, patterns);
}
