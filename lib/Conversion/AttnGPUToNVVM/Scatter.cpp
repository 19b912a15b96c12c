//===- Scatter.cpp - Writes of elements at computed indices ----*- C++ -*--===//
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
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_tile;

namespace {

/// The indices along one dimension of an array of the elements in a thread's
/// registers, as a sum. `own` is an index that depends on the thread, and
/// `offsets` has a constant for each register.
struct SplitIndex {
  Value own;
  SmallVector<int64_t> offsets;

  static std::optional<SplitIndex> match(NumberBuilder &b, Value index,
                                         int64_t count);
};

/// The positions in memory of the elements that a thread's registers hold.
class Places {
public:
  Places(NumberBuilder &b, Value memory, ValueRange indices, int64_t count);
  SmallVector<Value> getIndices(NumberBuilder &b, int64_t i) const;
  Value isInside(NumberBuilder &b, int64_t i) const;
  /// Returns an i1 that says whether the indices of all of the thread's
  /// registers are in bounds. In each dimension, only the smallest and the
  /// largest index are tested. Returns null if `address` is null.
  Value areInside(NumberBuilder &b) const;
  void add(NumberBuilder &b, int64_t i, Value element) const;

private:
  Value memory;
  SmallVector<Value> indices, sizes;
  /// A base address of the thread, from which all of its elements are at
  /// constant distances that fit the offset of an instruction. Null if there is
  /// no such address, as when an index is not the sum of an index that depends
  /// on the thread and a constant for each register. The address of each
  /// element is then computed by itself.
  Value address;
  SmallVector<SplitIndex> split;
  SmallVector<int64_t> distances;
};

} // namespace

std::optional<SplitIndex> SplitIndex::match(NumberBuilder &b, Value index,
                                            int64_t count) {
  if (!isa<VectorType>(index.getType()))
    return SplitIndex{index, SmallVector<int64_t>(count, 0)};
  if (auto broadcast = index.getDefiningOp<vector::BroadcastOp>();
      broadcast && broadcast.getSource().getType().isIndex())
    return SplitIndex{broadcast.getSource(), SmallVector<int64_t>(count, 0)};
  DenseIntElementsAttr constants;
  if (matchPattern(index, m_Constant(&constants)))
    return SplitIndex{b.index(0),
                      llvm::map_to_vector(constants.getValues<APInt>(),
                                          [](const APInt &value) {
                                            return value.getSExtValue();
                                          })};
  auto sum = index.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return std::nullopt;
  auto lhs = match(b, sum.getLhs(), count), rhs = match(b, sum.getRhs(), count);
  if (!lhs || !rhs)
    return std::nullopt;
  for (auto [offset, other] : llvm::zip(lhs->offsets, rhs->offsets))
    offset += other;
  lhs->own = b.addiOrFold(lhs->own, rhs->own);
  return lhs;
}

Places::Places(NumberBuilder &b, Value memory, ValueRange indices,
               int64_t count)
    : memory(memory), indices(indices) {
  auto type = cast<MemRefType>(memory.getType());
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(
        b.asValue(memref::getMixedSize(b, b.getLoc(), memory, dim)));
  distances.assign(count, 0);
  for (auto [index, stride] :
       llvm::zip(indices, type.getStridesAndOffset().first)) {
    auto found = SplitIndex::match(b, index, count);
    bool isConstant =
        found && (!ShapedType::isDynamic(stride) ||
                  llvm::all_of(found->offsets,
                               [](int64_t offset) { return offset == 0; }));
    if (!isConstant)
      return;
    for (auto [distance, offset] : llvm::zip(distances, found->offsets))
      distance += offset == 0 ? 0 : offset * stride;
    split.push_back(std::move(*found));
  }
  // A base address is not used if the distance of an element in bytes does not
  // fit the constant offset of a memory instruction, which has 32 bits.
  int64_t bytes = getElementBytes(type.getElementType());
  if (llvm::any_of(distances, [&](int64_t distance) {
        return !llvm::isInt<32>(distance * bytes);
      }))
    return;
  auto own = llvm::map_to_vector(
      split, [](const SplitIndex &index) { return index.own; });
  address = getGlobalAddress(b, memory, own);
}

SmallVector<Value> Places::getIndices(NumberBuilder &b, int64_t i) const {
  return llvm::map_to_vector(indices, [&](Value index) -> Value {
    if (!isa<VectorType>(index.getType()))
      return index;
    return vector::ExtractOp::create(b, index, SmallVector<int64_t>{i});
  });
}

Value Places::isInside(NumberBuilder &b, int64_t i) const {
  Value all = b.boolean(true);
  // The comparison of an index with a size is unsigned, so that it also fails
  // for negative indices.
  for (auto [index, size] : llvm::zip(getIndices(b, i), sizes))
    all = b.andiOrFold(all, b.ult(index, size));
  return all;
}

Value Places::areInside(NumberBuilder &b) const {
  if (!address)
    return Value();
  Value all = b.boolean(true);
  for (auto [index, size] : llvm::zip(split, sizes))
    for (int64_t offset : {*llvm::min_element(index.offsets),
                           *llvm::max_element(index.offsets)}) {
      Value place = b.addiOrFold(index.own, b.index(offset));
      all = b.andiOrFold(all, b.ult(place, size));
    }
  return all;
}

void Places::add(NumberBuilder &b, int64_t i, Value element) const {
  if (address)
    addToGlobal(b, address, distances[i] * getElementBytes(element.getType()),
                element);
  else
    addToGlobal(b, getGlobalAddress(b, memory, getIndices(b, i)), /*bytes=*/0,
                element);
}

/// Stores the elements of a tile to the array elements that indices name or, if
/// the op has `add`, adds them there. An element of which any index is out of
/// bounds is skipped. If several threads hold the same element, only one of
/// them stores or adds it.
static LogicalResult convertScatter(ConversionBuilder &b, ScatterOp op,
                                    ScatterOp::Adaptor adaptor) {
  auto vector = dyn_cast<VectorType>(adaptor.getTile().getType());
  if (!vector || scattersRows(op))
    return b.rewriter.notifyMatchFailure(op, "expects a tile in registers");
  RankedTensorType tile = op.getTile().getType();
  Value isOwn = isWriter(b, tile);
  Places places(b, op.getDestination(), adaptor.getIndices(),
                vector.getNumElements());
  auto write = [&](NumberBuilder &b, int64_t i) {
    Value element = vector::ExtractOp::create(b, adaptor.getTile(),
                                              SmallVector<int64_t>{i});
    if (op.getAdd())
      places.add(b, i, element);
    else
      memref::StoreOp::create(b, element, op.getDestination(),
                              places.getIndices(b, i));
  };
  auto ifTrue = [&](Value condition,
                    llvm::function_ref<void(NumberBuilder &)> emit) {
    if (!condition)
      return emit(b);
    emitIf(b, condition, emit);
  };
  auto both = [&](Value lhs, Value rhs) -> Value {
    return lhs && rhs ? b.andiOrFold(lhs, rhs) : (lhs ? lhs : rhs);
  };
  int64_t count = vector.getNumElements();
  if (op.getInBounds()) {
    // If the program promises that indices are in bounds, a single test serves
    // all elements. The test is logically redundant. Without it, however, ptxas
    // computes the addresses before the MMAs and keeps them in registers.
    ifTrue(both(isOwn, places.areInside(b)), [&](NumberBuilder &body) {
      for (int64_t i = 0; i < count; ++i)
        write(body, i);
    });
  } else {
    for (int64_t i = 0; i < count; ++i)
      ifTrue(both(isOwn, places.isInside(b, i)),
             [&](NumberBuilder &body) { write(body, i); });
  }
  b.rewriter.eraseOp(op);
  return success();
}

void attn::populateScatterPatterns(const TileTypeConverter &converter,
                                   RewritePatternSet &patterns) {
  addConversions<convertScatter>(converter, patterns);
}
