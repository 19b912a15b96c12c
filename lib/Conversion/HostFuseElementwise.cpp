//===- HostFuseElementwise.cpp - Chains of element-wise ops ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNHOSTFUSEELEMENTWISEPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn_tile;

/// A chain of element-wise ops of a block that become one op, in reverse order
/// of execution. Only ops of the chain use the results of its ops, except that
/// of its last op.
using Chain = SmallVector<Operation *>;

static bool isElementwise(Operation *op) {
  if (op->getNumResults() != 1 || !OpTrait::hasElementwiseMappableTraits(op) ||
      !isMemoryEffectFree(op))
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return type && type.hasStaticShape() &&
         llvm::all_of(op->getOperandTypes(), [&](Type operand) {
           auto tile = dyn_cast<RankedTensorType>(operand);
           return !tile || tile.getShape() == type.getShape();
         });
}

static SmallVector<Chain> findChains(Block &block) {
  SmallVector<Chain> chains;
  DenseMap<Operation *, size_t> chainOf;
  for (Operation &op : llvm::reverse(block)) {
    if (!isElementwise(&op) || op.use_empty())
      continue;
    auto first = chainOf.find(*op.user_begin());
    bool isInChain =
        first != chainOf.end() && llvm::all_of(op.getUsers(), [&](auto *user) {
          auto it = chainOf.find(user);
          return it != chainOf.end() && it->second == first->second;
        });
    size_t chain = isInChain ? first->second : chains.size();
    if (!isInChain)
      chains.emplace_back();
    chains[chain].push_back(&op);
    chainOf[&op] = chain;
  }
  return chains;
}

/// Whether elements of the tile can be computed where they are used, by
/// createElement(), so that the fused op does not read the tile. This is so for
/// splat constants, splats and coordinates.
static bool isComputed(Value tile) {
  SplatElementsAttr constant;
  return matchPattern(tile, m_Constant(&constant)) ||
         isa_and_nonnull<tensor::SplatOp, CoordinateOp>(tile.getDefiningOp());
}

static Value createElement(OpBuilder &b, Location loc, Value tile) {
  SplatElementsAttr constant;
  if (matchPattern(tile, m_Constant(&constant)))
    return arith::ConstantOp::create(b, loc,
                                     constant.getSplatValue<TypedAttr>());
  if (auto splat = tile.getDefiningOp<tensor::SplatOp>())
    return splat.getInput();
  auto coordinate = tile.getDefiningOp<CoordinateOp>();
  return coordinate.createElement(
      b, loc, linalg::IndexOp::create(b, loc, coordinate.getAxis()));
}

static void fuse(const Chain &chain, RewriterBase &rewriter) {
  Operation *last = chain.front();
  Location loc = last->getLoc();
  auto type = cast<RankedTensorType>(last->getResult(0).getType());
  int64_t rank = type.getRank();
  rewriter.setInsertionPoint(last);

  llvm::SmallPtrSet<Operation *, 16> members(llvm::from_range, chain);
  llvm::SmallSetVector<Value, 8> read, computed;
  for (Operation *op : llvm::reverse(chain))
    for (Value operand : op->getOperands()) {
      if (!isa<RankedTensorType>(operand.getType()) ||
          members.contains(operand.getDefiningOp()))
        continue;
      (isComputed(operand) ? computed : read).insert(operand);
    }
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (Value tile : read) {
    auto broadcast = tile.getDefiningOp<BroadcastOp>();
    inputs.push_back(broadcast ? broadcast.getInput() : tile);
    maps.push_back(broadcast ? AffineMap::get(2, 0,
                                              rewriter.getAffineDimExpr(
                                                  1 - broadcast.getAxis()))
                             : rewriter.getMultiDimIdentityMap(rank));
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(rank));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  Value empty = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                        type.getElementType());
  auto fused = linalg::GenericOp::create(
      rewriter, loc, type, inputs, empty, maps, iterators,
      [&](OpBuilder &b, Location loc, ValueRange elements) {
        IRMapping mapping;
        mapping.map(read.getArrayRef(), elements.drop_back());
        for (Value tile : computed)
          mapping.map(tile, createElement(b, loc, tile));
        for (Operation *op : llvm::reverse(chain)) {
          Value result = b.clone(*op, mapping)->getResult(0);
          result.setType(getElementTypeOrSelf(result));
        }
        linalg::YieldOp::create(b, loc, mapping.lookup(last->getResult(0)));
      });
  rewriter.replaceOp(last, fused);
  for (Operation *op : ArrayRef(chain).drop_front())
    rewriter.eraseOp(op);
}

namespace {
struct AttnHostFuseElementwisePass
    : public attn::impl::AttnHostFuseElementwisePassBase<
          AttnHostFuseElementwisePass> {
  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) { blocks.push_back(block); });
    IRRewriter rewriter(&getContext());
    for (Block *block : blocks)
      for (const Chain &chain : findChains(*block))
        fuse(chain, rewriter);
  }
};
} // namespace
