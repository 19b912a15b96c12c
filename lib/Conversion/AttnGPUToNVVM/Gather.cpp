//===- Gather.cpp - Reads of elements at computed indices -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_tile;

namespace {

/// The bounds of an array: the last index of each dimension, and the i1
/// `hasElements`, which says at run time whether the array has any elements.
/// `hasElements` is null if the array's type shows that it has some.
struct Bounds {
  Bounds(NumberBuilder &b, Value source) {
    auto type = cast<MemRefType>(source.getType());
    Value one = b.index(1);
    zero = b.index(0);
    for (int64_t dim = 0; dim < type.getRank(); ++dim) {
      Value size = b.asValue(memref::getMixedSize(b, b.getLoc(), source, dim));
      last.push_back(b.subiOrFold(size, one));
      if (!type.isDynamicDim(dim) && type.getDimSize(dim) != 0)
        continue;
      Value isSome = b.ne(size, zero);
      hasElements = hasElements ? b.andi(hasElements, isSome) : isSome;
    }
  }
  Value getNearest(NumberBuilder &b, int64_t dim, Value index) const {
    return b.maxsi(zero, b.minsi(index, last[dim]));
  }

  Value zero, hasElements;
  SmallVector<Value> last;
};

/// Loads the element of an array for each register of a thread, at the
/// register's indices clamped to the array's bounds, and returns the elements
/// as a vector of type `vector`. If all indices are scalars, one element is
/// loaded and repeated. If `vector` is a null type, all indices must be
/// scalars, and the one element itself is returned.
Value emitReads(NumberBuilder &b, Value source, ValueRange indices,
                const Bounds &bounds, VectorType vector) {
  // The index of each dimension is clamped by itself, so that CSE merges the
  // clamps of an index that several registers have in common.
  SmallVector<SmallVector<Value>> ofRegisters;
  int64_t count = vector ? vector.getNumElements() : 1;
  bool isSame = true;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    SmallVector<Value> &own = ofRegisters.emplace_back();
    if (!isa<VectorType>(index.getType())) {
      own.assign(count, bounds.getNearest(b, dim, index));
      continue;
    }
    isSame = false;
    for (int64_t i = 0; i < count; ++i)
      own.push_back(bounds.getNearest(
          b, dim,
          vector::ExtractOp::create(b, index, SmallVector<int64_t>{i})));
  }
  SmallVector<Value> elements;
  for (int64_t i = 0; i < (isSame ? 1 : count); ++i) {
    auto place = llvm::map_to_vector(ofRegisters,
                                     [&](const auto &own) { return own[i]; });
    elements.push_back(memref::LoadOp::create(b, source, place));
  }
  if (!vector)
    return elements.front();
  if (isSame)
    return vector::BroadcastOp::create(b, vector, elements.front());
  return vector::FromElementsOp::create(b, vector, elements);
}

LogicalResult convertGather(ConversionBuilder &b, GatherOp op,
                            GatherOp::Adaptor adaptor) {
  Type result = op.getResult().getType();
  Type type = b.converter.convertType(result);
  auto vector = dyn_cast<VectorType>(type);
  if (isa<RankedTensorType>(result) && !vector)
    return b.rewriter.notifyMatchFailure(op, "expects a tile in registers");
  Bounds bounds(b, op.getSource());
  auto emit = [&](NumberBuilder &inner) {
    return emitReads(inner, op.getSource(), adaptor.getIndices(), bounds,
                     vector);
  };
  if (!bounds.hasElements) {
    b.rewriter.replaceOp(op, emit(b));
    return success();
  }
  auto read = scf::IfOp::create(b, TypeRange(type), bounds.hasElements,
                                /*withElseRegion=*/true);
  auto then = NumberBuilder::atBlockBegin(b.getLoc(), read.thenBlock(),
                                          b.getListener());
  scf::YieldOp::create(then, emit(then));
  auto otherwise = NumberBuilder::atBlockBegin(b.getLoc(), read.elseBlock(),
                                               b.getListener());
  Value zeros = otherwise.zero(type);
  scf::YieldOp::create(otherwise, zeros);
  b.rewriter.replaceOp(op, read);
  return success();
}

} // namespace

void attn::populateGatherPatterns(const TileTypeConverter &converter,
                                  RewritePatternSet &patterns) {
  addConversions<convertGather>(converter, patterns);
}
