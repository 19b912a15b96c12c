//===- RowShift.cpp - Scores less a number for each row -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mask by a large finite number makes all scores of a row that keeps no key
// equal to that number. An lse of these scores is the number, too, since
// rounding drops the logarithm of the number of keys; exp(score - lse) is then
// 1 for each key. A number that is subtracted from all scores of a row changes
// no probability. If it is the largest of the row's large terms, the lse is
// exact.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

bool mlir::attn::raise::hasLargeNumber(Elements &elements, Node *node,
                                       Node *product) {
  // With a constant of this magnitude or more as a score, the lse, which is
  // rounded to f32, would be off by some thousandths.
  constexpr double kMost = 1e5;
  auto isLarge = [&](Node *next) {
    if (next->kind != NodeKind::Constant)
      return false;
    std::optional<double> value = elements.getConstantFloat(next);
    return value && std::isfinite(*value) && std::abs(*value) >= kMost;
  };
  return elements.contains(node, isLarge, product);
}

namespace {
/// Finds the large terms of a score, as expressions of f32.
struct LargeTerms {
  Elements &elements;
  Node *product;
  /// The results for nodes, each of which a score may read many times.
  llvm::DenseMap<Node *, Node *> results{};

  Node *getFloat(double value) {
    return elements.getFloat(elements.getBuilder().getF32Type(), value);
  }

  Node *apply(StringRef name, ArrayRef<Node *> operands) {
    return elements.getApply(name, elements.getBuilder().getF32Type(),
                             operands);
  }

  bool hasProduct(Node *node) {
    return elements.contains(node, [&](Node *next) { return next == product; });
  }

  /// Returns the large terms of `node`, 0 if it has none, or null if it has
  /// large numbers that are no terms.
  Node *get(Node *node) {
    node = elements.look(node);
    if (auto known = results.find(node); known != results.end())
      return known->second;
    Node *terms = compute(node);
    results[node] = terms;
    return terms;
  }

  Node *compute(Node *node) {
    if (node == product || !hasLargeNumber(elements, node, product))
      return getFloat(0);
    if (node->isApply("arith.extf") || node->isApply("arith.truncf"))
      return get(node->operands[0]);
    bool isSelect = node->isApply("arith.select");
    if (isSelect && hasProduct(node->operands[0]))
      return nullptr;
    if (isSelect || node->isApply("arith.addf") ||
        node->isApply("arith.subf")) {
      Node *lhs = get(node->operands[isSelect ? 1 : 0]),
           *rhs = get(node->operands[isSelect ? 2 : 1]);
      if (!lhs || !rhs)
        return nullptr;
      if (elements.isZero(lhs) && elements.isZero(rhs))
        return lhs;
      if (!isSelect)
        return apply(node->name, {lhs, rhs});
      return apply(node->name, {node->operands[0], lhs, rhs});
    }
    if (!hasProduct(node))
      return elements.getCast(node, elements.getBuilder().getF32Type());
    // A sum may be multiplied or divided by a number.
    for (unsigned side : {0u, 1u}) {
      bool isProduct = node->isApply("arith.mulf"),
           isQuotient = side == 0 && node->isApply("arith.divf");
      if ((!isProduct && !isQuotient) || hasProduct(node->operands[1 - side]))
        continue;
      Node *terms = get(node->operands[side]);
      Node *factor = elements.getCast(node->operands[1 - side],
                                      elements.getBuilder().getF32Type());
      return terms ? apply(node->name, {terms, factor}) : nullptr;
    }
    return nullptr;
  }
};
} // namespace

Node *mlir::attn::raise::findLargeTerms(Elements &elements,
                                        const Attention &attention) {
  LargeTerms finder{elements, attention.product};
  Node *terms = finder.get(attention.score);
  if (!terms || elements.isZero(terms))
    return terms;
  Node *out = finder.getFloat(-std::numeric_limits<double>::infinity());
  for (Node *mask : attention.masks)
    terms = finder.apply("arith.select", {mask, terms, out});
  return terms;
}

/// Returns the element of an array at `indices`, which are clamped as by
/// attn.read unless they are `inbounds`.
static Value extract(ImplicitLocOpBuilder &b, Value array, ValueRange indices,
                     bool inbounds) {
  if (inbounds)
    return tensor::ExtractOp::create(b, array, indices);
  SmallVector<Value> clamped;
  Value zero = arith::ConstantIndexOp::create(b, 0),
        one = arith::ConstantIndexOp::create(b, 1);
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Value size = tensor::DimOp::create(b, array, dim);
    Value most = arith::SubIOp::create(b, size, one);
    clamped.push_back(arith::MaxSIOp::create(
        b, arith::MinSIOp::create(b, index, most), zero));
  }
  return tensor::ExtractOp::create(b, array, clamped);
}

bool RegionBuilder::shiftRows(Node *terms, ArrayRef<OpFoldResult> numPositions,
                              std::string &reason) {
  if (!collect(terms, /*product=*/nullptr, reason))
    return false;
  Region region;
  begin(region, outer.getLoc(), /*hasScore=*/false);
  Value term = emit(terms);

  // A loop for each position on which the terms depend; that of keys, which is
  // reduced, is the last one.
  RowShift found;
  SmallVector<utils::IteratorType> loops;
  SmallVector<OpFoldResult> shape, sizes;
  DenseMap<unsigned, unsigned> loopOf;
  for (unsigned position = 0; position < 4; ++position) {
    if (block->getArgument(position).use_empty())
      continue;
    loopOf[position] = loops.size();
    sizes.push_back(numPositions[position]);
    bool isKey = position == 3;
    loops.push_back(isKey ? utils::IteratorType::reduction
                          : utils::IteratorType::parallel);
    if (isKey)
      continue;
    found.positions.push_back(position);
    shape.push_back(numPositions[position]);
  }
  MLIRContext *context = outer.getContext();
  Type f32 = outer.getF32Type();
  // An array without contents says how many keys there are.
  Value space = tensor::EmptyOp::create(outer, sizes, f32);
  Value least = arith::ConstantOp::create(
      outer, outer.getFloatAttr(
                 f32, APFloat::getLargest(APFloat::IEEEsingle(), true)));
  Value empty = tensor::EmptyOp::create(outer, shape, f32);
  Value init = linalg::FillOp::create(outer, least, empty).getResult(0);
  AffineMap all = AffineMap::getMultiDimIdentityMap(loops.size(), context);
  SmallVector<AffineMap> maps = {
      all, AffineMap::get(loops.size(), 0,
                          all.getResults().take_front(shape.size()), context)};
  auto generic = linalg::GenericOp::create(
      outer, TypeRange(init.getType()), ValueRange(space), ValueRange(init),
      maps, loops, [&](OpBuilder &builder, Location loc, ValueRange arguments) {
        ImplicitLocOpBuilder in(loc, builder);
        IRMapping mapping;
        for (auto [position, loop] : loopOf)
          mapping.map(block->getArgument(position),
                      linalg::IndexOp::create(in, loop));
        for (auto [number, capture] : llvm::enumerate(captures))
          mapping.map(block->getArgument(4 + number), capture);
        for (Operation &op : *block) {
          auto read = dyn_cast<ReadOp>(op);
          if (!read) {
            in.clone(op, mapping);
            continue;
          }
          SmallVector<Value> indices;
          for (Value index : read.getIndices())
            indices.push_back(mapping.lookup(index));
          mapping.map(read.getResult(),
                      extract(in, mapping.lookup(read.getArray()), indices,
                              read.getInbounds()));
        }
        Value most = arith::MaximumFOp::create(
            in, mapping.lookupOrDefault(term), arguments[1]);
        linalg::YieldOp::create(in, most);
      });
  found.array = generic.getResult(0);
  captures.insert(found.array);
  shift = found;
  block = nullptr;
  return true;
}
