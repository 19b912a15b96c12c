//===- BlockOps.cpp - Grids and loops over blocks and tiles ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GlobalMemory.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

/// The programs of a grid, one after the other.
LogicalResult runGrid(Agent &agent, GridOp op) {
  SmallVector<int64_t> sizes;
  if (failed(agent.getInts(op, op.getSizes(), sizes)))
    return failure();
  ArrayRef<int64_t> steps = op.getSteps();
  SmallVector<int64_t> point(sizes.size(), 0);
  if (llvm::any_of(sizes, [](int64_t size) { return size <= 0; }))
    return success();
  while (true) {
    for (auto [argument, position] :
         llvm::zip(op.getBody().getArguments(), point))
      agent.set(argument, position);
    if (failed(agent.run(op.getBody().front())))
      return failure();
    size_t dim = point.size();
    while (dim > 0 && (point[dim - 1] += steps[dim - 1]) >= sizes[dim - 1])
      point[--dim] = 0;
    if (dim == 0)
      return success();
  }
}

void setDomain(Agent &agent, Value result, Domain domain) {
  agent.set(result, std::make_shared<const Domain>(std::move(domain)));
}

LogicalResult runDomain(Agent &agent, DomainOp op) {
  agent.set(op.getColumns().getArgument(0), agent.get(op.getFirst()));
  agent.set(op.getColumns().getArgument(1), agent.get(op.getLast()));
  SmallVector<RuntimeValue> ignored;
  Block &body = op.getColumns().front();
  if (failed(agent.run(body, ignored)))
    return failure();
  SmallVector<int64_t> bounds;
  if (failed(agent.getInts(op, body.getTerminator()->getOperands(), bounds)))
    return failure();
  int64_t lo = bounds[0], hi = bounds[1];
  int64_t block = op.getDomain().getType().getBlock();
  Domain domain;
  for (int64_t j = llvm::divideFloorSigned(lo, block) * block;
       lo < hi && j < hi; j += block)
    domain.blocks.emplace_back(j, j < bounds[2] || j + block > bounds[3]);
  setDomain(agent, op.getDomain(), std::move(domain));
  return success();
}

LogicalResult runDomainList(Agent &agent, DomainListOp op) {
  const ViewRef *blocks = agent.get<ViewRef>(op, op.getBlocks()),
                *partial = agent.get<ViewRef>(op, op.getPartial());
  FailureOr<int64_t> count = agent.getInt(op, op.getCount());
  if (!blocks || !partial || failed(count))
    return failure();
  Domain domain;
  for (int64_t i = 0; i < *count; ++i) {
    FailureOr<double> number = loadGlobal(agent, op, **blocks, {i}),
                      isPartial = loadGlobal(agent, op, **partial, {i});
    if (failed(number) || failed(isPartial))
      return failure();
    domain.blocks.emplace_back(static_cast<int64_t>(*number) *
                                   op.getDomain().getType().getBlock(),
                               *isPartial != 0);
  }
  setDomain(agent, op.getDomain(), std::move(domain));
  return success();
}

/// In ascending order: all roles see the same one.
LogicalResult runForBlocks(Agent &agent, ForBlocksOp op) {
  auto *found = agent.get<std::shared_ptr<const Domain>>(op, op.getDomain());
  if (!found)
    return failure();
  std::shared_ptr<const Domain> domain = *found;
  SmallVector<RuntimeValue> carried;
  for (Value init : op.getInits())
    carried.push_back(agent.get(init));
  for (auto [position, isPartial] : domain->blocks) {
    agent.set(op.getPosition(), position);
    agent.set(op.getPartial(), int64_t(isPartial));
    agent.set(op.getBody().getArguments().drop_front(2), carried);
    carried.clear();
    if (failed(agent.run(op.getBody().front(), carried)))
      return failure();
  }
  agent.set(op.getResults(), carried);
  return success();
}

/// The tile that a CTA takes in its `turn`; all of its agents learn the same.
int64_t takeTile(Agent &agent, int64_t counters, size_t turn) {
  Cta &cta = *agent.cta;
  std::vector<int64_t> &taken = cta.tiles[counters];
  if (taken.empty())
    taken.push_back(cta.number);
  auto next = agent.simulation.nextTiles.try_emplace(counters, cta.count).first;
  while (taken.size() <= turn)
    taken.push_back(next->second++);
  return taken[turn];
}

LogicalResult runForTiles(Agent &agent, ForTilesOp op) {
  FailureOr<int64_t> count = agent.getInt(op, op.getCount());
  if (failed(count))
    return failure();
  if (!agent.cta)
    return agent.fail(op, "expected a launch around it");
  std::optional<int64_t> counters;
  if (op.getCounters()) {
    FailureOr<int64_t> address = agent.getInt(op, op.getCounters());
    if (failed(address))
      return failure();
    counters = *address;
  }
  for (int64_t turn = 0;; ++turn) {
    int64_t tile = counters ? takeTile(agent, *counters, turn)
                            : agent.cta->number + turn * agent.cta->count;
    if (tile >= *count)
      return success();
    agent.set(op.getPosition(), tile);
    if (failed(agent.run(op.getBody().front())))
      return failure();
  }
}

} // namespace

void sim::addBlockOps(Handlers &handlers) {
  handlers.add<ProcessorsOp>([](Agent &agent, ProcessorsOp op) {
    agent.set(op.getCount(), agent.simulation.options.numSms);
    return success();
  });
  handlers.add<GridOp>(runGrid);
  handlers.add<DomainOp>(runDomain);
  handlers.add<DomainListOp>(runDomainList);
  handlers.add<ForBlocksOp>(runForBlocks);
  handlers.add<ForTilesOp>(runForTiles);
}
