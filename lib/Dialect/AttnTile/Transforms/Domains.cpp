//===- Domains.cpp - Blocks that rows need --------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnTile/Transforms/Domains.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn_tile;

bool attn_tile::dependsOnRows(DomainOp domain) {
  return llvm::any_of(
      domain.getColumns().getArguments(),
      [](BlockArgument argument) { return !argument.use_empty(); });
}

bool attn_tile::isComputedFrom(Value value, ValueRange arguments) {
  Region *region = arguments.front().getParentRegion();
  llvm::SmallSetVector<Value, 16> sources;
  sources.insert(value);
  for (unsigned i = 0; i < sources.size(); ++i) {
    Value source = sources[i];
    if (llvm::is_contained(arguments, source))
      return true;
    if (Operation *op = source.getDefiningOp();
        op && region->isAncestor(op->getParentRegion()))
      sources.insert_range(op->getOperands());
  }
  return false;
}

FailureOr<int64_t> attn_tile::getMostRows(DomainOp domain) {
  AffineExpr first, last;
  bindDims(domain.getContext(), first, last);
  return ValueBoundsConstraintSet::computeConstantBound(
      presburger::BoundType::UB,
      ValueBoundsConstraintSet::Variable(
          AffineMap::get(/*dimCount=*/2, /*symbolCount=*/0, last - first),
          ArrayRef<Value>{domain.getFirst(), domain.getLast()}),
      /*stopCondition=*/nullptr, /*closedUB=*/true);
}

OpFoldResult attn_tile::applyFolded(attn::NumberBuilder &b, AffineExpr expr,
                                    ArrayRef<OpFoldResult> operands) {
  return affine::makeComposedFoldedAffineApply(b, b.getLoc(), expr, operands);
}

Columns attn_tile::getColumns(attn::NumberBuilder &b, DomainOp domain,
                              OpFoldResult first, OpFoldResult last) {
  Block &region = domain.getColumns().front();
  IRMapping mapping;
  mapping.map(region.getArgument(0), b.asValue(first));
  mapping.map(region.getArgument(1), b.asValue(last));
  for (Operation &op : region.without_terminator())
    b.clone(op, mapping);
  auto yield = cast<DomainYieldOp>(region.getTerminator());
  auto lookup = [&](Value value) {
    return getAsOpFoldResult(mapping.lookupOrDefault(value));
  };
  int64_t block = domain.getDomain().getType().getBlock();
  return {applyFolded(b, b.getAffineDimExpr(0).floorDiv(block) * block,
                      {lookup(yield.getLo())}),
          lookup(yield.getHi()), lookup(yield.getFullLo()),
          lookup(yield.getFullHi())};
}

scf::ForOp attn_tile::replaceLoop(
    RewriterBase &rewriter, ForBlocksOp loop, Value first, Value end,
    Value step,
    function_ref<std::pair<Value, Value>(attn::NumberBuilder &, Value)>
        getBlock) {
  rewriter.setInsertionPoint(loop);
  auto replacement = scf::ForOp::create(
      rewriter, loop.getLoc(), first, end, step, loop.getInits(),
      [](OpBuilder &, Location, Value, ValueRange) {});
  Block *body = replacement.getBody();
  auto b = attn::NumberBuilder::atBlockBegin(loop.getLoc(), body);
  auto [position, partial] = getBlock(b, replacement.getInductionVar());
  SmallVector<Value> arguments = {position, partial};
  llvm::append_range(arguments, replacement.getRegionIterArgs());
  Operation *yield = loop.getBody().front().getTerminator();
  rewriter.setInsertionPoint(yield);
  rewriter.replaceOpWithNewOp<scf::YieldOp>(yield, yield->getOperands());
  rewriter.inlineBlockBefore(&loop.getBody().front(), body, body->end(),
                             arguments);
  rewriter.replaceOp(loop, replacement.getResults());
  return replacement;
}

scf::ForOp attn_tile::replaceLoopOverList(RewriterBase &rewriter,
                                          ForBlocksOp loop, DomainListOp list) {
  rewriter.setInsertionPoint(loop);
  attn::NumberBuilder outside(loop.getLoc(), rewriter);
  int64_t block = loop.getDomain().getType().getBlock();
  return replaceLoop(
      rewriter, loop, outside.index(0), list.getCount(), outside.index(1),
      [&](attn::NumberBuilder &b, Value entry) -> std::pair<Value, Value> {
        Value number =
            b.indexCast(b.getIndexType(),
                        memref::LoadOp::create(b, list.getBlocks(), entry));
        Value kind = memref::LoadOp::create(b, list.getPartial(), entry);
        Value zero = b.word(0);
        return {b.muli(number, b.index(block)), b.ne(kind, zero)};
      });
}

void attn_tile::eraseUnusedDomains(Operation *root) {
  SmallVector<Operation *> domains;
  root->walk([&](Operation *op) {
    if (isa<DomainOp, DomainListOp>(op) && op->use_empty())
      domains.push_back(op);
  });
  for (Operation *domain : domains)
    domain->erase();
}
